/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Damping for a given restitution, for one contact of effective mass m without other forces, with
 * spring K g^n.
 *
 * Viscous, D g^((n-1)/2) g'. With x = sqrt(2 K / ((n+1) m)) g^((n+1)/2) and s the time of the
 * linear law, m v dv/dg = -K g^n - D g^((n-1)/2) v is v dv/dx = -x - 2 zeta v for every n, with
 * D = 2 zeta sqrt((n+1)/2 K m): restitution by zeta is that of the linear spring, and does not
 * depend on the speed. Linear: g = g'(0) exp(-zeta w t) sin(s w t) / (s w), w = sqrt(K/m),
 * s = sqrt(1 - zeta^2).
 *   Unclamped, contact ends at g = 0, half a period later: eps = exp(-pi zeta / s), for zeta < 1;
 * zeta = 1 is its limit eps = 0.
 *   Clamped, force ends where f_N = -m g'' = 0, at tan(s w t) = 2 zeta s / (2 zeta^2 - 1), that is
 * s w t = 2 arccos zeta, with g' = -g'(0) exp(-zeta w t):
 *
 *   eps = exp(-2 zeta arccos(zeta) / s),   zeta > 1: exp(-2 zeta arcosh(zeta) / sqrt(zeta^2 - 1)),
 *
 * e^-2 = 0.135 at zeta = 1 and about 1 / (2 zeta)^2 for large zeta: eps = 0 takes an infinite D.
 *
 * Hunt and Crossley, K g^n (1 + chi g'). m v dv / (1 + chi v) = -K g^n dg integrates, with
 * psi(x) = x - ln(1 + x) and d = chi v_0, v_0 the approach speed, to
 *
 *   psi(chi v) / chi^2 + K g^(n+1) / ((n+1) m) = psi(d) / chi^2,   psi(-eps d) = psi(d),
 *
 * so that d alone decides about eps, whatever n, K and m; d is about (3/2) (1 - eps) near eps = 1
 * (Hunt and Crossley's relation) and 1 / eps for small eps. The first equation, with chi = d / v_0,
 * also gives v_0 from any state (g, v) of the contact.
 */
#include <float.h>
#include <math.h>

#include "form/penalty/penalty.h"

/* Nearer to zeta = 1 than this, arccos(zeta) / s is replaced by its series 1 + (1 - zeta) / 3,
 * whose next term is then below round-off. */
static const double CRITICAL = 1e-8;
/* Below it, psi is summed as a series: x - ln(1 + x) loses 1 / x of its digits. */
static const double SMALL = 0.05;
enum { BISECTIONS = 60 }; /* of an interval of a few units: to round-off */
enum { ROOT_STEPS = 100 };
static const double ROOT_WIDTH = 4 * DBL_EPSILON; /* of the bracket, relative */

/* arccos(zeta) / sqrt(1 - zeta^2), continued analytically beyond 1. */
static double angle_ratio(double zeta) {
  if (fabs(zeta - 1) < CRITICAL) {
    return 1 + (1 - zeta) / 3;
  }
  return zeta < 1 ? acos(zeta) / sqrt((1 - zeta) * (1 + zeta))
                  : acosh(zeta) / sqrt((zeta - 1) * (zeta + 1));
}

double penalty_restitution(double zeta, int clamp) {
  if (clamp) {
    return exp(-2 * zeta * angle_ratio(zeta));
  }
  return zeta < 1 ? exp(-M_PI * zeta / sqrt((1 - zeta) * (1 + zeta))) : 0;
}

double penalty_damping_ratio(double eps, int clamp) {
  if (eps >= 1) {
    return 0;
  }
  if (!clamp) {
    return eps > 0 ? 1 / hypot(1, M_PI / log(eps)) : 1;
  }
  /* eps falls as zeta grows, faster than 1 / (1 + 4 zeta^2) at large zeta. */
  double lo = 0, hi = 1;
  while (penalty_restitution(hi, 1) > eps) {
    lo = hi;
    hi *= 2;
  }
  for (int k = 0; k < BISECTIONS; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(penalty_restitution(middle, 1) > eps ? &lo : &hi) = middle;
  }
  return 0.5 * (lo + hi);
}

static double psi(double x) {
  if (x <= -1) {
    return INFINITY;
  }
  if (fabs(x) >= SMALL) {
    return x - log1p(x);
  }
  double sum = 0, power = x * x;
  for (int k = 2; fabs(power) > DBL_EPSILON * x * x / k; ++k) {
    sum += power / k;
    power *= -x;
  }
  return sum;
}

double penalty_hunt_number(double eps) {
  if (eps >= 1) {
    return 0;
  }
  double lo = 0, hi = 1 / eps; /* psi(-eps d) - psi(d) is negative near 0, infinite at 1 / eps */
  for (int k = 0; k < ROOT_STEPS && hi - lo > ROOT_WIDTH * hi; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(psi(-eps * middle) < psi(middle) ? &lo : &hi) = middle;
  }
  return hi;
}

double penalty_hunt_restitution(double d) {
  double lo = 0, hi = 1; /* of eps d */
  for (int k = 0; k < ROOT_STEPS && hi - lo > ROOT_WIDTH * hi; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(psi(-middle) < psi(d) ? &lo : &hi) = middle;
  }
  return d > 0 ? hi / d : 1;
}

double penalty_hunt_part(double d) { return d > 0 ? 2 * psi(d) / (d * d) : 1; }

double penalty_hunt_speed(double d, double eps, double v, double e) {
  const double top = psi(d);
  double lo = v > 0 ? v : -v / eps, hi = sqrt(lo * lo + 2 * e);
  if (e <= 0 || d <= 0) {
    return hi;
  }
  /* w^2 (psi(d) - psi(d v / w)) / d^2 grows from 0 at lo without bound. */
  while (hi * hi * (top - psi(d * v / hi)) < e * d * d) {
    lo = hi;
    hi *= 2;
  }
  double w = hi;
  for (int k = 0; k < ROOT_STEPS && hi - lo > ROOT_WIDTH * hi; ++k) {
    const double x = d * v / w, rest = psi(x);
    const double value = w * w * (top - rest) - e * d * d;
    const double slope = w * (2 * (top - rest) + x * x / (1 + x));
    *(value < 0 ? &lo : &hi) = w;
    const double next = w - value / slope;
    if (fabs(next - w) <= ROOT_WIDTH * w) {
      return next;
    }
    w = next > lo && next < hi ? next : 0.5 * (lo + hi);
  }
  return w;
}
