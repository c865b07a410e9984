/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Global minimum of the energy of one contact under the constraints of preclik (5), by search: the
 * yardstick for the analytic solver, with which it shares no code and no formula past the problem.
 *
 *   b_N > 0   the pressure condition leaves r = 0.
 *   b_N <= 0  r lies on the plane v_N = 0 within the cone. If r_0 = -A^-1 b (v = 0) does, it is the
 *             minimum; else the minimum is on the boundary of the conic section,
 *               r(alpha) = r_N (1, mu d),  d = (cos alpha, sin alpha),  r_N = -b_N / f(alpha),
 *               f = A_NN + mu A_TN . d > 0                            (preclik 6)
 *             or, for b_N = 0, on one of the two rays f = 0 (preclik 9) or at their origin.
 *
 * The conic is scanned from its far end: on the side s = +1 or -1, alpha = far - s u (u >= 0),
 * where far is the angle of the pole (hyperbola) or of least f (ellipse, parabola). f(u) is then a
 * sum of positive terms, exact however close to the pole. The steps in u are equal in part and
 * geometric in part. Every sign change of the slope dE/du is closed by bisection down to round-off.
 *
 * Deviation: preclik scans no curve but solves eq. (7) in closed form; and the ray of a degenerate
 * parabola points along -A_TN, where A_TN . d < 0, not along A_TN.
 */
#include "contact/law.h"

#include <math.h>
#include <string.h>

enum { EQUAL_STEPS = 360, GEOMETRIC_STEPS = 240 };
/* Nearest distance to the far end that is looked at [rad]. */
static const double NEAREST = 1e-30;
/* Bisection ends by itself when no number is left between the ends. */
enum { BISECTIONS = 300 };

double contact_energy(int dim, const double *A, const double *b, const double *r) {
  double energy = 0;
  for (int i = 0; i < dim; i++) {
    double v = 0;
    for (int j = 0; j < dim; j++) {
      v += A[dim * i + j] * r[j];
    }
    energy += r[i] * (0.5 * v + b[i]);
  }
  return energy;
}

/* The problem in the plane v_N = 0, space: E = r_T . H r_T / 2 + r_T . g, with r_N eliminated. */
struct plane {
  double A_NN, b_N, mu;
  double a[2], b[2];    /* A_TN, b_T */
  double A[2][2];       /* A_TT */
  double H[2][2], g[2]; /* A_TT - a a^T / A_NN, b_T - a b_N / A_NN */
  double middle;        /* angle of A_TN, opposite to the far end [rad] */
  double length;        /* of a side: greatest u [rad] */
  double c0, c1, s1;    /* f(u) = c0 + c1 2 sin^2(u / 2) + s1 sin(u) */
};

static struct plane plane_of(double mu, const double A[9], const double b[3]) {
  struct plane p = {.A_NN = A[0],
                    .b_N = b[0],
                    .mu = mu,
                    .a = {A[3], A[6]},
                    .b = {b[1], b[2]},
                    .A = {{A[4], A[5]}, {A[7], A[8]}}};
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      p.H[i][j] = p.A[i][j] - p.a[i] * p.a[j] / p.A_NN;
    }
    p.g[i] = p.b[i] - p.a[i] * p.b_N / p.A_NN;
  }
  const double m = mu * hypot(p.a[0], p.a[1]);
  const double middle = m > 0 ? atan2(p.a[1], p.a[0]) : 0;
  if (m <= p.A_NN) {
    p.c0 = p.A_NN - m;
    p.c1 = m;
    p.length = M_PI;
  } else {
    p.c1 = p.A_NN;
    p.s1 = sqrt((m - p.A_NN) * (m + p.A_NN));
    p.length = atan2(p.s1, -p.A_NN);
  }
  p.middle = middle;
  return p;
}

/* A point of the conic, by its direction and f. */
struct place {
  double d[2], f;
};

static struct place place_at(const struct plane *p, int side, double u) {
  const double alpha = p->middle + side * (p->length - u), half = sin(u / 2);
  return (struct place){.d = {cos(alpha), sin(alpha)},
                        .f = p->c0 + p->c1 * 2 * half * half + p->s1 * sin(u)};
}

/* r of the boundary point; 0 when it is at infinity. */
static int boundary_point(const struct plane *p, const struct place *at, double r[3]) {
  r[0] = -p->b_N / at->f;
  r[1] = p->mu * r[0] * at->d[0];
  r[2] = p->mu * r[0] * at->d[1];
  return isfinite(r[0]);
}

/* dE/du up to a positive factor: v_T along the tangent, which is A_NN d + mu a turned by 90
 * degrees. All is multiplied by f > 0, so that nothing is infinite at a pole. */
static double slope(const struct plane *p, int side, const struct place *at) {
  const double *d = at->d, f = at->f;
  double v[2], w[2];
  for (int i = 0; i < 2; i++) {
    v[i] = f * p->b[i] - p->b_N * (p->a[i] + p->mu * (p->A[i][0] * d[0] + p->A[i][1] * d[1]));
    w[i] = p->A_NN * d[i] + p->mu * p->a[i];
  }
  return -side * (v[1] * w[0] - v[0] * w[1]);
}

struct best {
  int dim;
  const double *A, *b;
  double energy, r[3];
};

static void try_point(struct best *best, const double *r) {
  const double energy = contact_energy(best->dim, best->A, best->b, r);
  if (energy < best->energy) {
    best->energy = energy;
    memcpy(best->r, r, (size_t)best->dim * sizeof *r);
  }
}

/* A minimum between lo (slope < 0) and hi (slope >= 0). */
static void close_in(const struct plane *p, int side, double lo, double hi, struct best *best) {
  for (int step = 0; step < BISECTIONS; step++) {
    const double middle = hi > 4 * lo && lo > 0 ? sqrt(lo * hi) : lo + 0.5 * (hi - lo);
    if (middle <= lo || middle >= hi) {
      break;
    }
    const struct place at = place_at(p, side, middle);
    if (slope(p, side, &at) < 0) {
      lo = middle;
    } else {
      hi = middle;
    }
  }
  const struct place end = place_at(p, side, hi);
  double r[3];
  if (boundary_point(p, &end, r)) {
    try_point(best, r);
  }
}

static void scan_side(const struct plane *p, int side, struct best *best) {
  const double ratio = pow(p->length / NEAREST, 1.0 / GEOMETRIC_STEPS);
  double last = 0, u = NEAREST, geometric = NEAREST;
  const struct place far = place_at(p, side, 0);
  double last_slope =
      p->c0 > 0 ? slope(p, side, &far) : -1; /* at a pole the energy falls from inf */
  int equal = 1;
  while (last < p->length) {
    const struct place at = place_at(p, side, u);
    const double here = slope(p, side, &at);
    double r[3];
    if (boundary_point(p, &at, r)) {
      try_point(best, r);
    }
    if (last_slope < 0 && here >= 0) {
      close_in(p, side, last, u, best);
    }
    last = u;
    last_slope = here;
    while (equal < EQUAL_STEPS && p->length * equal / EQUAL_STEPS <= last) {
      equal++;
    }
    while (geometric <= last) {
      geometric *= ratio;
    }
    const double next = equal < EQUAL_STEPS ? p->length * equal / EQUAL_STEPS : p->length;
    u = fmin(geometric, next); /* ends at the length itself, whatever the rounding */
  }
}

/* b_N = 0: from the origin along the two rays where f = 0. */
static void scan_rays(const struct plane *p, struct best *best) {
  for (int side = -1; side <= 1; side += 2) {
    const struct place far = place_at(p, side, 0);
    const double *d = far.d;
    const double rate = p->g[0] * d[0] + p->g[1] * d[1];
    const double stiffness = d[0] * (p->H[0][0] * d[0] + p->H[0][1] * d[1]) +
                             d[1] * (p->H[1][0] * d[0] + p->H[1][1] * d[1]);
    if (rate < 0 && stiffness > 0) {
      const double along = -rate / stiffness;
      try_point(best, (double[]){along / p->mu, along * d[0], along * d[1]});
    }
  }
}

static void minimum_space(double mu, const double *A, const double *b, struct best *best) {
  const struct plane p = plane_of(mu, A, b);
  const double det = p.H[0][0] * p.H[1][1] - p.H[0][1] * p.H[1][0];
  const double x = (p.H[0][1] * p.g[1] - p.H[1][1] * p.g[0]) / det;
  const double y = (p.H[1][0] * p.g[0] - p.H[0][0] * p.g[1]) / det;
  const double r_N = -(p.b_N + p.a[0] * x + p.a[1] * y) / p.A_NN;
  if (hypot(x, y) <= mu * r_N) {
    try_point(best, (double[]){r_N, x, y});
  } else if (p.b_N < 0) {
    scan_side(&p, 1, best);
    scan_side(&p, -1, best);
  } else if (p.c0 <= 0) { /* not an ellipse, which has shrunk to the origin */
    scan_rays(&p, best);
  }
}

/* In the plane v_N = 0 is a line: its stationary point, or where the line meets the cone. */
static void minimum_plane(double mu, const double *A, const double *b, struct best *best) {
  const double a = A[1], x = -(b[1] - a * b[0] / A[0]) / (A[3] - a * a / A[0]);
  const double r_N = -(b[0] + a * x) / A[0];
  if (fabs(x) <= mu * r_N) {
    try_point(best, (double[]){r_N, x});
    return;
  }
  for (int side = -1; side <= 1; side += 2) {
    const double f = A[0] + side * mu * a;
    if (f > 0) {
      try_point(best, (double[]){-b[0] / f, -side * mu * b[0] / f});
    }
  }
}

double contact_minimum_energy(int dim, double mu, const double *A, const double *b, double *r) {
  struct best best = {.dim = dim, .A = A, .b = b, .energy = INFINITY};
  if (b[0] < 0 && !(A[0] > 0)) {
    best.energy = NAN; /* no impulse stops the approach */
  } else if (b[0] > 0 || !(A[0] > 0)) {
    best.energy = 0;
  } else if (dim == 1 || mu == 0) {
    best.r[0] = -b[0] / A[0];
    best.energy = contact_energy(dim, A, b, best.r);
  } else {
    if (b[0] == 0) {
      best.energy = 0; /* r = 0 is admissible */
    }
    if (dim == 2) {
      minimum_plane(mu, A, b, &best);
    } else {
      minimum_space(mu, A, b, &best);
    }
  }
  memcpy(r, best.r, (size_t)dim * sizeof *r);
  return best.energy;
}
