/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One contact under the convex relaxation (negrut 7): the minimum of r^T A r / 2 + r^T b over the
 * cone K_mu,
 *
 *   r = 0          where b lies in the dual cone, b_N >= mu |b_T|
 *   r = -A^-1 b    (v = 0) where it lies in the cone
 *   else           r and v on the rims: |r_T| = mu r_N, v_T = -tau r_T, v_N = mu^2 tau r_N.
 *
 * In the plane a rim is one of two rays k = (1, +-mu) with r = -(k . b) / (k . A k) k; for a
 * diagonal A with equal entries 1 / m the normal part is yu's closed form m (-b_N + mu |b_T|) / (1
 * + mu^2). The same ray solves spheres in space, where d opposes b_T. In general tau is a root of a
 * quartic (local_kit). The problem is convex, so that tau >= 0 certifies the minimum: a point found
 * by Newton's method from a near one is taken without the quartic if it has the certificate. Where
 * A + tau B is singular at the solution (v_N > 0 without r_N's help, the change from landing to
 * lifting) Newton's system of all four conditions still is not. First of all local_secular is
 * asked.
 */
#include "problem/local/kit.h"
#include "problem/local/local.h"

#include <math.h>
#include <string.h>

/* r along a ray of the cone, 0 where that ray does not help; returns the energy. */
static double least_on_ray(int dim, const double *A, const double *b, const double *ray,
                           double *r) {
  double rate = 0, stiffness = 0;
  for (int i = 0; i < dim; i++) {
    rate += ray[i] * b[i];
    for (int j = 0; j < dim; j++) {
      stiffness += ray[i] * A[dim * i + j] * ray[j];
    }
  }
  const double along = rate < 0 && stiffness > 0 ? -rate / stiffness : 0;
  for (int i = 0; i < dim; i++) {
    r[i] = along * ray[i];
  }
  return 0.5 * along * rate;
}

static enum problem_local_branch ccp_plane(double mu, const double *A, const double *b, double *r) {
  double other[2];
  const double ray_1[2] = {1, mu}, ray_2[2] = {1, -mu};
  if (least_on_ray(2, A, b, ray_1, r) > least_on_ray(2, A, b, ray_2, other)) {
    memcpy(r, other, sizeof other);
  }
  return PROBLEM_LOCAL_SLIDING;
}

static int certified(const struct local_sliding *s, double r[3]) {
  double tau = problem_local_fit(s, r);
  return r[0] > 0 && problem_local_polish(s, r, &tau);
}

/* Near the root tau of the quartic: by Cramer's rule, else along the direction of r_T. */
static int near_root(const struct local_sliding *s, double tau, double r[3]) {
  double x[3];
  if (!problem_local_at(s, tau, r)) {
    return 0;
  }
  memcpy(x, r, sizeof x);
  double t = tau;
  if (tau >= 0 && problem_local_polish(s, x, &t)) {
    memcpy(r, x, sizeof x);
    return 1;
  }
  const double length = hypot(r[1], r[2]);
  const double ray[3] = {1, s->mu * r[1] / length, s->mu * r[2] / length};
  least_on_ray(3, s->A, s->b, ray, r);
  return certified(s, r);
}

static enum problem_local_branch ccp_space(double mu, const double *A, const double *b, double *r) {
  struct local_sliding s;
  const double unit = problem_local_scale(mu, A, b, &s);
  enum problem_local_branch branch = PROBLEM_LOCAL_SLIDING;
  s.B[0] = -mu * mu;
  s.B[4] = s.B[8] = 1;
  const double length = hypot(b[1], b[2]);
  const double ray[3] = {1, length > 0 ? -mu * b[1] / length : mu,
                         length > 0 ? -mu * b[2] / length : 0};
  least_on_ray(3, s.A, s.b, ray, r);
  int found = certified(&s, r);
  if (!found) {
    double quartic[5], roots[5];
    problem_local_quartic(&s, quartic);
    const int n = problem_local_real_roots(4, quartic, roots);
    for (int k = 0; k < n && !found; k++) {
      found = near_root(&s, roots[k], r);
    }
  }
  if (!found) {
    branch = PROBLEM_LOCAL_FALLBACK;
    if (!problem_local_search(&s, r)) {
      least_on_ray(3, s.A, s.b, ray, r);
    }
  }
  for (int k = 0; k < 3; k++) {
    r[k] *= unit;
  }
  return branch;
}

enum problem_local_branch problem_local_ccp(int dim, double mu, const double *A, const double *b,
                                            double *r) {
  const double b_T = dim == 1 ? 0 : dim == 2 ? fabs(b[1]) : sqrt(b[1] * b[1] + b[2] * b[2]);
  for (int k = 0; k < dim; k++) {
    r[k] = 0;
  }
  if (b[0] >= mu * b_T) {
    return PROBLEM_LOCAL_SEPARATING;
  }
  if (dim == 1 || mu == 0) {
    r[0] = A[0] > 0 ? -b[0] / A[0] : 0;
    return A[0] > 0 ? PROBLEM_LOCAL_FRICTIONLESS : PROBLEM_LOCAL_NONE;
  }
  const int isotropic = dim == 3 && problem_local_isotropic(A);
  if (isotropic && b[0] <= 0 && A[0] > 0 && problem_local_disk(mu, A, b, r)) {
    return PROBLEM_LOCAL_STICKING;
  }
  if (isotropic) {
    const double ray[3] = {1, -mu * b[1] / b_T, -mu * b[2] / b_T};
    least_on_ray(3, A, b, ray, r);
    return PROBLEM_LOCAL_SLIDING;
  }
  const enum problem_local_short way =
      dim == 3 ? problem_local_short_ccp(mu, A, b, r) : PROBLEM_LOCAL_SHORT_UNSURE;
  if (way != PROBLEM_LOCAL_SHORT_UNSURE) {
    return way == PROBLEM_LOCAL_SHORT_STICKS ? PROBLEM_LOCAL_STICKING : PROBLEM_LOCAL_SLIDING;
  }
  double x[3];
  if (problem_local_stick(dim, A, b, x) &&
      (dim == 2 ? fabs(x[1]) : hypot(x[1], x[2])) <= mu * x[0]) {
    memcpy(r, x, (size_t)dim * sizeof *r);
    return PROBLEM_LOCAL_STICKING;
  }
  return dim == 2 ? ccp_plane(mu, A, b, r) : ccp_space(mu, A, b, r);
}
