/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One contact under maximum dissipation, by the structogram of preclik (fig. 5); preclik's b is the
 * negative of b here. With a = A_TN, H = A_TT - a a^T / A_NN, g = b_T - a b_N / A_NN:
 *
 *   b_N > 0                      0, by the pressure condition
 *   mu = 0                       (-b_N / A_NN, 0, 0)
 *   r_0 = -A^-1 b in the cone    r_0
 *   b_N = 0                      0 where A_NN > mu |a|; else the lesser minimum on the two rays at
 *                                alpha_0 -+ Delta alpha (9), which are one where A_NN = mu |a|
 *   else                         on the conic section r(alpha) = r_N (1, mu d), by (7):
 *                                  v_T x w = 0,  w = A_NN d + mu a  (w is the curve's normal),
 *                                times f = A_NN + mu a . d a trigonometric equation (8)
 *                                  k_0 + c_1 cos + s_1 sin + c_2 cos 2 + s_2 sin 2 = 0,
 *                                a quartic in tan(alpha / 2).
 *
 * Deviations. Eq. (8) is formed from the two vectors above and not from appendix A, whose constants
 * it gives (k_0 is c_0 up to the sign of b). The quartic is the real one in tan(alpha / 2), with
 * alpha measured from where (8) is far from zero half a turn away. The ray of eq. (9) is chosen by
 * energy: the side of the axis on which r_0 lies does not decide when H is not isotropic. The
 * constraint set is a plane cut by a convex cone and the energy is convex, hence v_T = -tau w with
 * tau >= 0 certifies the minimum: a point found by Newton's method from the direction of r_0 is
 * taken without forming the quartic if it has the certificate. Before all of this local_secular
 * is asked, which answers for most ellipses.
 */
#include "problem/local/kit.h"
#include "problem/local/local.h"

#include <math.h>
#include <string.h>

/* k0 + c1 cos + s1 sin + c2 cos 2 + s2 sin 2 of alpha */
struct trigonometric {
  double k0, c1, s1, c2, s2;
};

static double cross(const double x[2], const double y[2]) { return x[0] * y[1] - x[1] * y[0]; }

static double energy(const struct local_sliding *s, const double r[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double v = 0;
    for (int j = 0; j < 3; j++) {
      v += s->A[3 * i + j] * r[j];
    }
    sum += r[i] * (0.5 * v + s->b[i]);
  }
  return sum;
}

/* Eq. (8): (p + P d) x (A_NN d + mu a), with f v_T = p + P d on the curve. */
static struct trigonometric equation_8(const struct local_sliding *s) {
  const double A_NN = s->A[0], mu = s->mu, b_N = s->b[0];
  const double a[2] = {s->A[3], s->A[6]}, b[2] = {s->b[1], s->b[2]};
  const double p[2] = {A_NN * b[0] - b_N * a[0], A_NN * b[1] - b_N * a[1]};
  double P[2][2];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      P[i][j] = mu * (b[i] * a[j] - b_N * s->A[3 * (i + 1) + j + 1]);
    }
  }
  const double first[2] = {P[0][0], P[1][0]}, second[2] = {P[0][1], P[1][1]};
  return (struct trigonometric){
      .k0 = mu * cross(p, a) + A_NN * (P[0][1] - P[1][0]) / 2,
      .c1 = mu * cross(first, a) - A_NN * p[1],
      .s1 = mu * cross(second, a) + A_NN * p[0],
      .c2 = -A_NN * (P[0][1] + P[1][0]) / 2,
      .s2 = A_NN * (P[0][0] - P[1][1]) / 2,
  };
}

/* Angles that solve the equation; at most 5, of which one may be spurious. */
static int solve_trigonometric(struct trigonometric e, double angles[5]) {
  /* Turn by quarters so that half a turn away, where tan(alpha / 2) is infinite, the equation is
   * far from zero. */
  const double there[4] = {e.k0 - e.c1 + e.c2, e.k0 - e.s1 - e.c2, e.k0 + e.c1 + e.c2,
                           e.k0 + e.s1 - e.c2};
  int turns = 0;
  for (int k = 1; k < 4; k++) {
    turns = fabs(there[k]) > fabs(there[turns]) ? k : turns;
  }
  for (int k = 0; k < turns; k++) {
    e = (struct trigonometric){.k0 = e.k0, .c1 = e.s1, .s1 = -e.c1, .c2 = -e.c2, .s2 = -e.s2};
  }
  const double quartic[5] = {e.k0 + e.c1 + e.c2, 2 * e.s1 + 4 * e.s2, 2 * e.k0 - 6 * e.c2,
                             2 * e.s1 - 4 * e.s2, e.k0 - e.c1 + e.c2};
  int count = problem_local_real_roots(4, quartic, angles);
  for (int k = 0; k < count; k++) {
    angles[k] = 2 * atan(angles[k]) + turns * (M_PI / 2);
  }
  if (count < 4) { /* a root there, lost with the leading coefficient; the filter decides */
    angles[count++] = M_PI + turns * (M_PI / 2);
  }
  return count;
}

/* The point of the conic section in direction d; 0 where there is none (6). */
static int boundary_point(const struct local_sliding *s, const double d[2], double r[3]) {
  const double f = s->A[0] + s->mu * (s->A[3] * d[0] + s->A[6] * d[1]);
  r[0] = -s->b[0] / f;
  r[1] = s->mu * r[0] * d[0];
  r[2] = s->mu * r[0] * d[1];
  return f > 0 && isfinite(r[0]);
}

/* Direction and, if it has the certificate, the minimum itself. */
static int certified(const struct local_sliding *s, const double d[2], double r[3]) {
  if (!boundary_point(s, d, r)) {
    return 0;
  }
  double tau = problem_local_fit(s, r);
  return problem_local_polish(s, r, &tau);
}

/* Eq. (9), for A_NN <= mu |a|: the minimum for b_N = 0 along the ray at alpha_0 -+ Delta alpha
 * (side = -1, +1), or 0 if that is its origin. */
static int minimum_on_ray(const struct local_sliding *s, int side, double r[3], double *least) {
  const double length_a = hypot(s->A[3], s->A[6]);
  const double a[2] = {s->A[3] / length_a, s->A[6] / length_a};
  const double c = fmax(-1, -s->A[0] / (s->mu * length_a)), sine = sqrt((1 - c) * (1 + c));
  const double d[2] = {c * a[0] - side * sine * a[1], c * a[1] + side * sine * a[0]};
  const double ray[3] = {1, s->mu * d[0], s->mu * d[1]};
  double rate = 0, stiffness = 0;
  for (int i = 0; i < 3; i++) {
    rate += ray[i] * s->b[i];
    for (int j = 0; j < 3; j++) {
      stiffness += ray[i] * s->A[3 * i + j] * ray[j];
    }
  }
  if (!(rate < 0 && stiffness > 0)) {
    return 0;
  }
  *least = -rate * rate / stiffness;
  for (int k = 0; k < 3; k++) {
    r[k] = -rate / stiffness * ray[k];
  }
  return 1;
}

/* b_N = 0 and A_NN <= mu |a|: the lesser of both rays, or the origin. */
static void minimum_on_rays(const struct local_sliding *s, double r[3]) {
  double best = 0;
  memset(r, 0, 3 * sizeof *r);
  for (int side = -1; side <= 1; side += 2) {
    double x[3], here;
    if (minimum_on_ray(s, side, x, &here) && here < best) {
      best = here;
      memcpy(r, x, sizeof x);
    }
  }
}

/* A slow approach on a hyperbola: the minimum lies where an angle cannot tell it from the pole,
 * next to that of b_N = 0. */
static int near_rays(const struct local_sliding *s, double r[3]) {
  if (s->A[0] > s->mu * hypot(s->A[3], s->A[6])) {
    return 0;
  }
  for (int side = -1; side <= 1; side += 2) {
    double x[3], unused;
    if (minimum_on_ray(s, side, x, &unused)) {
      double tau = problem_local_fit(s, x);
      if (problem_local_polish(s, x, &tau)) {
        memcpy(r, x, sizeof x);
        return 1;
      }
    }
  }
  return 0;
}

/* The conic section, b_N < 0. r_0: the point with v = 0, or NULL. Returns 0 if only a search
 * found the solution. */
static int minimum_on_conic(const struct local_sliding *s, const double *r_0, double r[3]) {
  if (r_0 != NULL) {
    const double length = hypot(r_0[1], r_0[2]);
    if (certified(s, (double[]){r_0[1] / length, r_0[2] / length}, r)) {
      return 1;
    }
  }
  const struct trigonometric equation = equation_8(s);
  double angles[5], best = INFINITY;
  const int count = solve_trigonometric(equation, angles);
  for (int k = 0; k < count; k++) {
    double x[3];
    if (certified(s, (double[]){cos(angles[k]), sin(angles[k])}, x) && energy(s, x) < best) {
      best = energy(s, x);
      memcpy(r, x, sizeof x);
    }
  }
  if (isfinite(best)) {
    return 1;
  }
  if (near_rays(s, r)) {
    return 1;
  }
  if (!problem_local_search(s, r)) { /* nothing has the certificate: the best candidate seen */
    memset(r, 0, 3 * sizeof *r);
    r[0] = -s->b[0] / s->A[0];
    for (int k = 0; k < count; k++) {
      double x[3];
      if (boundary_point(s, (double[]){cos(angles[k]), sin(angles[k])}, x) &&
          energy(s, x) < energy(s, r)) {
        memcpy(r, x, sizeof x);
      }
    }
  }
  return 0;
}

static enum problem_local_branch mdp_coupled(double mu, const double *A, const double *b,
                                             double *r) {
  struct local_sliding s;
  const double unit = problem_local_scale(mu, A, b, &s);
  if (!(unit > 0)) {
    return PROBLEM_LOCAL_STICKING; /* b = 0: r = 0 stays */
  }
  double r_0[3];
  const int has_r_0 = problem_local_stick(3, s.A, s.b, r_0);
  const double length_a = hypot(s.A[3], s.A[6]);
  enum problem_local_branch branch = s.A[0] > mu * length_a   ? PROBLEM_LOCAL_ELLIPSE
                                     : s.A[0] < mu * length_a ? PROBLEM_LOCAL_HYPERBOLA
                                                              : PROBLEM_LOCAL_PARABOLA;
  if (has_r_0 && problem_local_in_cone(3, mu, r_0)) {
    memcpy(r, r_0, sizeof r_0);
    branch = PROBLEM_LOCAL_STICKING;
  } else if (b[0] < 0) {
    s.B[4] = s.B[8] = 1;
    s.B[3] = mu * mu * s.A[3] / s.A[0];
    s.B[6] = mu * mu * s.A[6] / s.A[0];
    if (!minimum_on_conic(&s, has_r_0 ? r_0 : NULL, r)) {
      branch = PROBLEM_LOCAL_FALLBACK;
    }
  } else if (branch == PROBLEM_LOCAL_ELLIPSE) {
    return PROBLEM_LOCAL_POINT;
  } else {
    minimum_on_rays(&s, r);
    branch =
        branch == PROBLEM_LOCAL_PARABOLA ? PROBLEM_LOCAL_RAY : PROBLEM_LOCAL_DEGENERATE_HYPERBOLA;
  }
  for (int k = 0; k < 3; k++) {
    r[k] *= unit;
  }
  return branch;
}

/* In the plane the conic section is one or two points of the line v_N = 0. */
static enum problem_local_branch mdp_plane(double mu, const double *A, const double *b, double *r) {
  double r_0[2];
  if (problem_local_stick(2, A, b, r_0) && problem_local_in_cone(2, mu, r_0)) {
    memcpy(r, r_0, sizeof r_0);
    return PROBLEM_LOCAL_STICKING;
  }
  if (b[0] == 0) {
    return PROBLEM_LOCAL_POINT; /* the whole ray, if there is one, is worse than its origin */
  }
  double least = INFINITY;
  for (int side = -1; side <= 1; side += 2) {
    const double f = A[0] + side * mu * A[1], r_N = -b[0] / f, r_T = side * mu * r_N;
    const double here = r_T * (0.5 * (A[2] * r_N + A[3] * r_T) + b[1]) + 0.5 * r_N * b[0];
    if (f > 0 &&
        here < least) { /* v_N = 0: the normal part of r . A r / 2 + r . b is r_N b_N / 2 */
      least = here;
      r[0] = r_N;
      r[1] = r_T;
    }
  }
  return PROBLEM_LOCAL_SLIDING;
}

enum problem_local_branch problem_local_mdp(int dim, double mu, const double *A, const double *b,
                                            double *r) {
  for (int k = 0; k < dim; k++) {
    r[k] = 0;
  }
  if (b[0] > 0) {
    return PROBLEM_LOCAL_SEPARATING;
  }
  if (!(A[0] > 0)) {
    return b[0] < 0 ? PROBLEM_LOCAL_NONE : PROBLEM_LOCAL_SEPARATING;
  }
  if (dim == 1 || mu == 0) {
    r[0] = -b[0] / A[0];
    return PROBLEM_LOCAL_FRICTIONLESS;
  }
  if (dim == 2) {
    return mdp_plane(mu, A, b, r);
  }
  if (problem_local_isotropic(A)) {
    const int sticks = problem_local_disk(mu, A, b, r);
    return sticks ? PROBLEM_LOCAL_STICKING : b[0] < 0 ? PROBLEM_LOCAL_ELLIPSE : PROBLEM_LOCAL_POINT;
  }
  const enum problem_local_short way = problem_local_short_mdp(mu, A, b, r);
  if (way != PROBLEM_LOCAL_SHORT_UNSURE) {
    return way == PROBLEM_LOCAL_SHORT_STICKS ? PROBLEM_LOCAL_STICKING : PROBLEM_LOCAL_ELLIPSE;
  }
  return mdp_coupled(mu, A, b, r);
}
