/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The polyhedral LCP of one contact (bhalerao 14), exact. With b the velocity without its own
 * impulse, v = A r + b, and the directions in convex order, its complementary bases are
 *
 *   open      r = 0,                                        b_N >= 0
 *   sticking  A r = -b,                                     r_T in the polygon of radius mu r_N
 *   corner l  v_N = 0, r_T = mu r_N d_l,                    d_l . v_T <= 0 least of all
 *   edge l    v_N = 0, r_T = mu r_N ((1 - s) d_l + s d_m),  d_l . v_T = d_m . v_T <= 0 least of all
 *
 * with m the corner after l: 2 k + 2 of them for k directions. Taken is the one that misses its
 * conditions by least, which is a solution but for round-off where there is one (where friction
 * couples strongly into the normal direction there may be several, or none but r = 0). Directions
 * that are not in convex order have edges between other corners too; they are tried when
 * neighbours do not do.
 */
#include "problem/local/local.h"

#include "contact/law.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"

/* Miss, relative to |b|, up to which a corner or edge counts as the solution. */
static const double MISS = 1e-12;

struct local {
  int dim, k;
  double mu;
  const double *dirs, *A, *b; /* (dim - 1) x k; dim x dim row-major; dim */
  double best;                /* least miss so far [m/s] */
  double *r;                  /* dim, its impulse */
};

static double along(const struct local *s, int l, const double *x_T) {
  const double *d = s->dirs + (size_t)l * (size_t)(s->dim - 1);
  return s->dim == 2 ? d[0] * x_T[0] : d[0] * x_T[0] + d[1] * x_T[1];
}

/* v = A r + b */
static void velocity(const struct local *s, const double *r, double *v) {
  for (int i = 0; i < s->dim; ++i) {
    v[i] = s->b[i];
    for (int j = 0; j < s->dim; ++j) {
      v[i] += s->A[s->dim * i + j] * r[j];
    }
  }
}

/* Keep r, v_N = 0 and on the rim at corner l, if it misses the sliding conditions by less than the
 * best so far. */
static void consider(struct local *s, int l, const double *r) {
  double v[3];
  velocity(s, r, v);
  const double own = along(s, l, v + 1);
  double least = own;
  for (int m = 0; m < s->k; ++m) {
    least = fmin(least, along(s, m, v + 1));
  }
  const double miss = fmax(own, own - least);
  if (isfinite(miss) && miss < s->best) {
    s->best = fmax(0, miss);
    la_copy(s->dim, r, s->r);
  }
}

/* r for r_N = x, r_T = mu x (d_l + share (d_m - d_l)). */
static void rim(const struct local *s, int l, int m, double x, double share, double *r) {
  r[0] = x;
  for (int c = 1; c < s->dim; ++c) {
    const double d = s->dirs[l * (s->dim - 1) + c - 1], e = s->dirs[m * (s->dim - 1) + c - 1];
    r[c] = s->mu * x * (d + share * (e - d));
  }
}

static void try_corner(struct local *s, int l) {
  double r[3], unit[3];
  rim(s, l, l, 1, 0, unit);
  const double a = la_dot(s->dim, s->A, unit), x = -s->b[0] / a;
  if (a > 0 && x >= 0) {
    rim(s, l, l, x, 0, r);
    consider(s, l, r);
  }
}

/* Unknowns x = r_N and y = share r_N: v_N = 0 and (d_m - d_l) . v_T = 0. */
static void try_edge(struct local *s, int l, int m) {
  double corner[3], turn[3], other[3], v0[3] = {0}, v1[3] = {0}, r[3];
  rim(s, l, l, 1, 0, corner);
  rim(s, m, m, 1, 0, other);
  for (int c = 0; c < s->dim; ++c) {
    turn[c] = other[c] - corner[c];
    v0[c] = la_dot(s->dim, s->A + s->dim * c, corner);
  }
  for (int c = 0; c < s->dim; ++c) {
    v1[c] = la_dot(s->dim, s->A + s->dim * c, turn);
  }
  const double a00 = v0[0], a01 = v1[0], b0 = s->b[0];
  const double a10 = along(s, m, v0 + 1) - along(s, l, v0 + 1);
  const double a11 = along(s, m, v1 + 1) - along(s, l, v1 + 1);
  const double b1 = along(s, m, s->b + 1) - along(s, l, s->b + 1);
  const double det = a00 * a11 - a01 * a10;
  const double x = (a01 * b1 - a11 * b0) / det, y = (a10 * b0 - a00 * b1) / det;
  if (x > 0 && y > 0 && y < x) {
    rim(s, l, m, x, y / x, r);
    consider(s, l, r);
  }
}

/* Is r_T in the polygon of radius mu r_N? Then r = -A^-1 b is the solution. */
static int try_sticking(struct local *s) {
  double r[3], minus[3];
  for (int c = 0; c < s->dim; ++c) {
    minus[c] = -s->b[c];
  }
  if (la_solve_small(s->dim, s->A, minus, r) != BASE_OK || !(r[0] >= 0)) {
    return 0;
  }
  const double radius = s->mu * r[0];
  double nearest[2] = {0, 0};
  if (s->dim == 2) {
    nearest[0] = fmax(-radius, fmin(radius, r[1]));
  } else {
    contact_project_polygon(s->k, s->dirs, radius, r + 1, nearest);
  }
  if (nearest[0] != r[1] || (s->dim == 3 && nearest[1] != r[2])) {
    return 0;
  }
  la_copy(s->dim, r, s->r);
  return 1;
}

enum problem_local_branch problem_local_lcp(int dim, double mu, int k, const double *dirs,
                                            const double *A, const double *b, double *r) {
  memset(r, 0, (size_t)dim * sizeof *r);
  if (b[0] >= 0) {
    return PROBLEM_LOCAL_SEPARATING;
  }
  if (dim == 1 || !(mu > 0)) {
    r[0] = -b[0] / A[0];
    return PROBLEM_LOCAL_FRICTIONLESS;
  }
  struct local s = {
      .dim = dim, .k = k, .mu = mu, .dirs = dirs, .A = A, .b = b, .best = INFINITY, .r = r};
  if (try_sticking(&s)) {
    return PROBLEM_LOCAL_STICKING;
  }
  const double enough = MISS * la_norm_inf(dim, b);
  for (int l = 0; l < k; ++l) {
    try_corner(&s, l);
  }
  for (int gap = 1; gap < k && s.best > enough; ++gap) {
    for (int l = 0; l < k && s.best > enough; ++l) {
      try_edge(&s, l, (l + gap) % k);
    }
  }
  return s.best <= enough   ? PROBLEM_LOCAL_SLIDING
         : isfinite(s.best) ? PROBLEM_LOCAL_FALLBACK
                            : PROBLEM_LOCAL_NONE;
}
