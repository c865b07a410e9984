/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact Coulomb-Contensou set (moeller 3.118 to 3.120). A disk of radius R that slides with v
 * and spins with w transmits the force b_T and the torque b_tau, functions of u = v / (R w). Both
 * are elementary for Hertz' pressure; with units of force and torque such that both are at most 1,
 *
 *   u <= 1       f = 3 pi/32 (4 u - u^3),   g = 1 - u^2 + 3/8 u^4
 *   w = 1/u < 1  f = 3/16 ((4 w^2 - 1) asin(w) / w^3 + (1 + 2 w^2) sqrt(1 - w^2) / w^2)
 *                g = 1/(4 pi) ((3 - 8 w^2 + 8 w^4) asin(w) / w^4 - (3 - 6 w^2) sqrt(1 - w^2) / w^3)
 *
 * The text of (3.119) lost the bar of R_bar in its first line; continuity at u = 1 puts it back.
 * Dissipation is largest on the boundary, dg = -kappa u df with kappa = 16 / (3 pi), so the outward
 * normal at u is (kappa u, 1) in these units, and the nearest point to z = (x_T / a, x_tau / c) is
 * where, with beta = (c / a)^2,
 *
 *   F(u) = z_T - f(u) - beta kappa u (z_tau - g(u)) = 0.
 *
 * F falls from z_T >= 0 at u = 0 to -infinity; its sign at u = 1 tells which branch holds the root,
 * and there Newton's method, kept inside a shrinking bracket, finds it. Points inside have a root
 * too, but with (z - p) . n < 0. The formulas for u > 1 cancel as w goes to 0; their series do not:
 *
 *   1 - f = 3 sum_k e_k w^2k,   g = 3 kappa sum_k 2k / (2k - 1) e_k w^(2k-1),   k >= 1,
 *   e_k = (1 3 ... (2k-1)) / (2 4 ... 2k) / ((2k - 1) (2k + 1) (2k + 3)).
 */
#include "contact/contensou.h"

#include <float.h>
#include <math.h>

static const double KAPPA = 16 / (3 * M_PI);
/* The series is used below it, the closed form above: there the latter has lost a digit at most,
 * and the last term of the former is below round-off of the sum. */
static const double SERIES_BELOW = 0.5;
enum { TERMS = 23 };
static const double series[TERMS] = {
    /* e_1, e_2, ... */
    0.033333333333333333,   0.0035714285714285713,  0.00099206349206349201, 0.00039457070707070706,
    0.00019121503496503497, 0.00010516826923076924, 6.3189338235294124e-05, 4.0532634723297214e-05,
    2.7343444059367167e-05, 1.9199853111251293e-05, 1.3928620711616849e-05, 1.0381981178566261e-05,
    7.9172933390923089e-06, 6.1568813408839957e-06, 4.8695334241537058e-06, 3.9086701324233759e-06,
    3.1785131522012034e-06, 2.614802486319366e-06,  2.173407714880346e-06,  1.8233879840536856e-06,
    1.542644119842245e-06,  1.3151264909486838e-06, 1.1290016681391762e-06};
/* Far above the steps that Newton and bisection together can need. */
enum { STEPS = 200 };
/* A point this many times as far away as the set is wide is as good as at infinity, and a set this
 * many times as high as it is wide is as good as flat. */
static const double FAR = 1e100;

/* A point of the boundary, by u <= 1 or by w <= 1. */
struct point {
  double f, g;    /* the point */
  double deficit; /* 1 - f, without cancellation */
  double df, dg;  /* by u or by w */
};

static struct point point_spinning(double u) {
  const double u2 = u * u;
  struct point p;
  p.f = 3 * M_PI / 32 * u * (4 - u2);
  p.g = 1 - u2 * (1 - 0.375 * u2);
  p.deficit = 1 - p.f;
  p.df = 3 * M_PI / 32 * (4 - 3 * u2);
  p.dg = -KAPPA * u * p.df;
  return p;
}

static struct point point_sliding(double w) {
  const double w2 = w * w;
  struct point p;
  double slope; /* -df/dw / w */
  if (w < SERIES_BELOW) {
    double sum = 0, sum_g = 0, sum_slope = 0;
    for (int k = TERMS; k >= 1; --k) {
      const double e = series[k - 1];
      sum = sum * w2 + e;
      sum_g = sum_g * w2 + 2 * k * e / (2 * k - 1);
      sum_slope = sum_slope * w2 + 2 * k * e;
    }
    p.deficit = 3 * w2 * sum;
    p.f = 1 - p.deficit;
    p.g = 3 * KAPPA * w * sum_g;
    slope = 3 * sum_slope;
  } else {
    const double a = asin(w), s = sqrt((1 - w) * (1 + w)), w3 = w2 * w;
    p.f = 3.0 / 16 * ((4 * w2 - 1) * a / w3 + (1 + 2 * w2) * s / w2);
    p.g = ((3 - 8 * w2 + 8 * w2 * w2) * a / w - (3 - 6 * w2) * s) / (4 * M_PI * w3);
    p.deficit = 1 - p.f;
    slope = -3.0 / 16 * ((3 - 4 * w2) * a / w - (3 - 2 * w2) * s) / (w3 * w);
  }
  p.df = -slope * w;
  p.dg = KAPPA * slope;
  return p;
}

void contact_contensou_boundary(double u, double *b_T, double *b_tau) {
  const struct point p = u <= 1 ? point_spinning(u) : point_sliding(1 / u);
  *b_T = p.f;
  *b_tau = p.g;
}

/* One step of Newton's method for a function that is >= 0 at *lo and <= 0 at *hi (in this order,
 * not necessarily lo < hi), value and slope at x; bisection where it would leave the bracket. */
static double next_in_bracket(double x, double value, double slope, double *lo, double *hi) {
  if (value >= 0) {
    *lo = x;
  } else {
    *hi = x;
  }
  const double next = x - value / slope;
  return (next - *lo) * (next - *hi) <= 0 ? next : 0.5 * (*lo + *hi);
}

static int is_settled(double x, double next) { return fabs(next - x) <= DBL_EPSILON * fabs(next); }

/* Root of F in 0 <= u <= 1. */
static struct point nearest_spinning(double beta, const double z[2], double *u) {
  const double gain = beta * KAPPA;
  double lo = 0, hi = 1, x = fmin(1, z[0] / (3 * M_PI / 8 + gain * fmax(0, z[1] - 1)));
  struct point p = point_spinning(x);
  for (int step = 0; step < STEPS; ++step) {
    const double rest = z[1] - p.g;
    const double value = z[0] - p.f - gain * x * rest;
    const double next = next_in_bracket(x, value, -p.df - gain * (rest - x * p.dg), &lo, &hi);
    const int settled = is_settled(x, next);
    x = next;
    p = point_spinning(x);
    if (settled) {
      break;
    }
  }
  *u = x;
  return p;
}

/* Root of w F in 0 <= w <= 1; w F = (z_T - f) w - beta kappa (z_tau - g). */
static struct point nearest_sliding(double beta, const double z[2], double *w) {
  const double gain = beta * KAPPA, load = gain * z[1], beyond = z[0] - 1;
  /* w^3/10 + (beyond + gain kappa/5) w = load up to higher powers of w; the smaller of its roots
   * without one of the terms, but not where the deficit would be less than -beyond */
  double x = fmin(cbrt(10 * load), load / (fmax(0, beyond) + gain * KAPPA / 5));
  x = fmin(1, fmax(x, sqrt(10 * fmax(0, -beyond))));
  double lo = 1, hi = 0;
  struct point p = point_sliding(x);
  for (int step = 0; step < STEPS; ++step) {
    const double rest = beyond + p.deficit;
    const double value = rest * x - gain * (z[1] - p.g);
    const double next = next_in_bracket(x, value, rest - x * p.df + gain * p.dg, &lo, &hi);
    const int settled = is_settled(x, next);
    x = next;
    p = point_sliding(x);
    if (settled) {
      break;
    }
  }
  *w = x;
  return p;
}

/* Inside the polygon of the points u = 0, 1, infinity and the origin, hence inside the set? */
static int is_well_inside(const double z[2]) {
  static const double f_1 = 9 * M_PI / 32, g_1 = 3.0 / 8;
  return z[0] * (1 - g_1) <= f_1 * (1 - z[1]) && z[1] * (1 - f_1) <= g_1 * (1 - z[0]);
}

static int give(double x, double y, double out[2], int outside) {
  out[0] = x;
  out[1] = y;
  return outside;
}

int contact_contensou_project(double force, double torque, const double x[2], double out[2]) {
  const double x_T = x[0], x_tau = x[1];
  if (!(force > 0) || !(torque > 0)) { /* flat */
    return give(fmin(x_T, force), fmin(x_tau, torque), out, x_T > force || x_tau > torque);
  }
  const double ratio = fmin(torque / force, FAR), beta = ratio * ratio;
  double z[2] = {x_T / force, x_tau / torque};
  if (z[0] > FAR || z[1] > FAR) { /* z may have overflowed; only its direction matters */
    const double turn = x_tau / x_T / ratio;
    z[0] = turn <= 1 ? FAR : FAR / turn;
    z[1] = turn <= 1 ? FAR * turn : FAR;
  }
  if (isnan(x_T) || isnan(x_tau) || is_well_inside(z)) {
    return give(x_T, x_tau, out, 0);
  }
  const struct point one = point_spinning(1);
  double at, side;
  struct point p;
  if (z[0] - one.f - beta * KAPPA * (z[1] - one.g) <= 0) {
    p = nearest_spinning(beta, z, &at);
    side = (z[0] - p.f) * KAPPA * at + (z[1] - p.g);
  } else {
    p = nearest_sliding(beta, z, &at);
    side = (z[0] - 1 + p.deficit) * KAPPA + (z[1] - p.g) * at;
  }
  return side <= 0 ? give(x_T, x_tau, out, 0) : give(force * p.f, torque * p.g, out, 1);
}

double contact_contensou_support(double force, double torque, const double x[2]) {
  const double slide = KAPPA * torque * x[1], a = force * x[0], c = torque * x[1];
  if (!(a > 0) || !(c > 0)) {
    return a + c;
  }
  const struct point p = a <= slide ? point_spinning(a / slide) : point_sliding(slide / a);
  return a * p.f + c * p.g;
}
