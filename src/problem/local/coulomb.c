/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One contact under Coulomb's law with Signorini's condition. A need not be symmetric. With v = A r
 * + b the solutions are
 *
 *   r = 0          where b_N >= 0
 *   r = -A^-1 b    (v = 0) where it lies in the cone
 *   sliding        v_N = 0, v_T = -tau r_T with tau >= 0, |r_T| = mu r_N > 0.
 *
 * Eliminating r_N = -(b_N + A_NT r_T) / A_NN leaves (W + tau 1) r_T = -g with W = A_TT - A_TN A_NT
 * / A_NN and g = b_T - A_TN b_N / A_NN, so that r_T and r_N are quotients with the denominator
 * det(W + tau 1), and |r_T| = mu r_N a quartic in tau; its coefficients are formed from
 * determinants (local_kit), which holds for b_N = 0 too, where two of its roots are at infinity.
 * Squaring adds roots with r_N < 0, which are left out. Up to three solutions are known for
 * symmetric A (preclik, table 1); there is always one when A is symmetric positive definite.
 *
 * Among several solutions problem_local_coulomb takes the one of least energy; that is sticking
 * wherever it is possible, since r = -A^-1 b is the minimum without any constraint. With b_N > 0
 * and strong coupling (mu |A_NT| > A_NN) a contact that could separate may therefore wedge. Where
 * the solution is known to be unique local_secular finds it without the quartic.
 */
#include "contact/law.h"
#include "problem/local/kit.h"
#include "problem/local/local.h"

#include <math.h>
#include <string.h>

enum { MOST = 8 };
/* Two solutions nearer than this, relative, are one that two blurred roots have led to. */
static const double SAME = 1e-7;

/* r = -A^-1 b, if in the cone. */
static int sticking(int dim, double mu, const double *A, const double *b, double *r) {
  double x[3];
  if (!problem_local_stick(dim, A, b, x) || !problem_local_in_cone(dim, mu, x)) {
    return 0;
  }
  memcpy(r, x, (size_t)dim * sizeof *r);
  return 1;
}

/* Append x to the list unless it is there. */
static int add(int dim, int count, int max, const double *x, double *r) {
  for (int i = 0; i < count; i++) {
    double difference = 0, size = 0;
    for (int k = 0; k < dim; k++) {
      difference = fmax(difference, fabs(r[dim * i + k] - x[k]));
      size = fmax(size, fabs(x[k]));
    }
    if (difference <= SAME * size) {
      return count;
    }
  }
  if (count < max) {
    memcpy(r + dim * count, x, (size_t)dim * sizeof *r);
    count++;
  }
  return count;
}

/* Sliding solutions in the plane, rows of r (2 x 2): r = r_N (1, side mu). */
static int sliding_plane(double mu, const double *A, const double *b, int max, double *r) {
  int count = 0;
  for (int side = -1; side <= 1; side += 2) {
    const double r_N = -b[0] / (A[0] + side * mu * A[1]), r_T = side * mu * r_N;
    const double v_T = A[2] * r_N + A[3] * r_T + b[1];
    if (r_N > 0 && isfinite(r_N) && v_T * side <= 0) {
      count = add(2, count, max, (double[]){r_N, r_T}, r);
    }
  }
  return count;
}

/* Sliding solutions in space, free of units, rows of r (max x 3). */
static int sliding_space(struct local_sliding *s, int max, double *r) {
  double quartic[5], roots[5];
  s->B[4] = s->B[8] = 1;
  problem_local_quartic(s, quartic);
  const int n = problem_local_real_roots(4, quartic, roots);
  int count = 0;
  for (int k = 0; k < n; k++) {
    double x[3], tau = fmax(0, roots[k]);
    if (problem_local_at(s, tau, x) && problem_local_polish(s, x, &tau)) {
      count = add(3, count, max, x, r);
    }
  }
  return count;
}

/* Without coupling of normal and tangential parts the solution is unique: the least energy on the
 * disk of radius mu r_N. Newton's method from the direction of the sticking impulse as a rule. */
static int sliding_uncoupled(struct local_sliding *s, double r[3]) {
  double x[3];
  s->B[4] = s->B[8] = 1;
  if (!problem_local_stick(3, s->A, s->b, x)) {
    return 0;
  }
  const double scale = s->mu * x[0] / hypot(x[1], x[2]);
  x[1] *= scale;
  x[2] *= scale;
  double tau = problem_local_fit(s, x);
  if (!(x[0] > 0) || !problem_local_polish(s, x, &tau)) {
    return 0;
  }
  memcpy(r, x, sizeof x);
  return 1;
}

static int is_uncoupled(const double *A) {
  return A[1] == 0 && A[2] == 0 && A[3] == 0 && A[6] == 0 && A[5] == A[7];
}

/* Row of least energy among count rows of r; -1 if there is none. */
static int least(int dim, const double *A, const double *b, int count, const double *r) {
  int best = -1;
  double lowest = INFINITY;
  for (int i = 0; i < count; i++) {
    const double here = contact_energy(dim, A, b, r + dim * i);
    if (here < lowest) {
      lowest = here;
      best = i;
    }
  }
  return best;
}

static enum problem_local_branch coulomb_space(double mu, const double *A, const double *b,
                                               double *r) {
  struct local_sliding s;
  const double unit = problem_local_scale(mu, A, b, &s);
  enum problem_local_branch branch = PROBLEM_LOCAL_SLIDING;
  double rows[3 * MOST];
  if (!(unit > 0)) {
    return PROBLEM_LOCAL_NONE;
  }
  int count = is_uncoupled(A) && s.b[0] < 0 ? sliding_uncoupled(&s, rows) : 0;
  if (count == 0) {
    count = sliding_space(&s, MOST, rows);
  }
  if (count == 0 && b[0] < 0) {
    count = problem_local_search(&s, rows);
    branch = PROBLEM_LOCAL_FALLBACK;
  }
  const int best = least(3, s.A, s.b, count, rows);
  if (best < 0 || (b[0] >= 0 && !(contact_energy(3, s.A, s.b, rows + 3 * best) < 0))) {
    return b[0] >= 0 ? PROBLEM_LOCAL_SEPARATING : PROBLEM_LOCAL_NONE;
  }
  for (int k = 0; k < 3; k++) {
    r[k] = unit * rows[3 * best + k];
  }
  return branch;
}

static enum problem_local_branch coulomb_plane(double mu, const double *A, const double *b,
                                               double *r) {
  double rows[2 * MOST];
  const int count = sliding_plane(mu, A, b, MOST, rows), best = least(2, A, b, count, rows);
  if (best < 0 || (b[0] >= 0 && !(contact_energy(2, A, b, rows + 2 * best) < 0))) {
    return b[0] >= 0 ? PROBLEM_LOCAL_SEPARATING : PROBLEM_LOCAL_NONE;
  }
  memcpy(r, rows + 2 * best, 2 * sizeof *r);
  return PROBLEM_LOCAL_SLIDING;
}

enum problem_local_branch problem_local_coulomb(int dim, double mu, const double *A,
                                                const double *b, double *r) {
  double coupling = 0;
  for (int k = 0; k < dim; k++) {
    r[k] = 0;
    coupling += k > 0 ? A[k] * A[k] : 0;
  }
  if (b[0] >= 0 && (dim == 1 || mu * mu * coupling < A[0] * A[0])) {
    return PROBLEM_LOCAL_SEPARATING; /* any impulse in the cone only adds to v_N */
  }
  if (!(A[0] > 0)) {
    return b[0] < 0 ? PROBLEM_LOCAL_NONE : PROBLEM_LOCAL_SEPARATING;
  }
  if (dim == 1 || mu == 0) {
    r[0] = fmax(0, -b[0] / A[0]);
    return b[0] < 0 ? PROBLEM_LOCAL_FRICTIONLESS : PROBLEM_LOCAL_SEPARATING;
  }
  if (dim == 3 && problem_local_isotropic(A)) {
    return problem_local_disk(mu, A, b, r) ? PROBLEM_LOCAL_STICKING : PROBLEM_LOCAL_SLIDING;
  }
  const enum problem_local_short way =
      dim == 3 ? problem_local_short_coulomb(mu, A, b, r) : PROBLEM_LOCAL_SHORT_UNSURE;
  if (way != PROBLEM_LOCAL_SHORT_UNSURE) {
    return way == PROBLEM_LOCAL_SHORT_STICKS ? PROBLEM_LOCAL_STICKING : PROBLEM_LOCAL_SLIDING;
  }
  if (sticking(dim, mu, A, b, r)) {
    return PROBLEM_LOCAL_STICKING;
  }
  return dim == 2 ? coulomb_plane(mu, A, b, r) : coulomb_space(mu, A, b, r);
}

int problem_local_coulomb_all(int dim, double mu, const double *A, const double *b, int max,
                              double *r) {
  double rows[3 * MOST];
  int count = 0;
  if (b[0] >= 0) {
    count = add(dim, count, max, (double[3]){0}, r);
  }
  if (!(A[0] > 0)) {
    return count;
  }
  if (dim == 1 || mu == 0) {
    if (b[0] < 0) {
      count = add(dim, count, max, (double[3]){-b[0] / A[0]}, r);
    }
    return count;
  }
  double x[3];
  if (sticking(dim, mu, A, b, x)) {
    count = add(dim, count, max, x, r);
  }
  if (dim == 2) {
    const int n = sliding_plane(mu, A, b, MOST, rows);
    for (int i = 0; i < n; i++) {
      count = add(2, count, max, rows + 2 * i, r);
    }
    return count;
  }
  struct local_sliding s;
  const double unit = problem_local_scale(mu, A, b, &s);
  const int n = unit > 0 ? sliding_space(&s, MOST, rows) : 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      x[k] = unit * rows[3 * i + k];
    }
    count = add(3, count, max, x, r);
  }
  return count;
}
