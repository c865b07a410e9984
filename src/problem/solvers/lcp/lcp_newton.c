/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Semismooth Newton on w = M z + q, 0 <= w perp z >= 0, the polyhedral LCP of contacts (bhalerao
 * 14) or a raw one, written as Phi(z) = 0 with the penalised Fischer-Burmeister function (Chen,
 * Chen, Kanzow 2000; penalty = 1: Fischer-Burmeister's own)
 *
 *   phi(a, b) = p (a + b - sqrt(a^2 + b^2)) + (1 - p) max(a, 0) max(b, 0).
 *
 * Where a contact sticks the columns of its lambda depend on each other (more than two directions
 * in a plane), so that J = D_a + D_b M is singular at solutions, which are not isolated in z. Steps
 * are those of Levenberg and Marquardt for that reason,
 *
 *   (J^T J + nu I) dz = -J^T Phi,   nu = damping |Phi|,
 *
 * fast near sets of solutions too (Yamashita and Fukushima 2001), with a line search on
 * Psi = |Phi|^2 / 2 against the largest of the last few values (Grippo, Lampariello, Lucidi). M is
 * copositive but no P0 matrix: the search may end in a stationary point of Psi that is no solution,
 * which is said. The LCP is equilibrated first. Memory 3 n^2 doubles, about 2.4 n^3 operations a
 * step.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"

enum {
  MEMORY = 5,    /* values of Psi a step is measured against */
  HALVINGS = 40, /* of a step, before the search is given up */
  STALL = 100,   /* steps within which Psi has to fall */
  DAMPINGS = 12  /* tenfold increases of nu until J^T J + nu I can be factored */
};
static const double ARMIJO = 1e-4;
/* Psi has to fall by this part within STALL steps: far slower than any search that gets there. */
static const double STALL_PART = 0.1;
/* Least nu, relative to the largest diagonal element of J^T J: round-off of the product. */
static const double DAMPING_MIN = 16 * DBL_EPSILON;

struct lcp_newton_options {
  double penalty, damping;
  int max_rows;
};

static const struct base_option lcp_newton_table[] = {
    BASE_OPTION_REAL(struct lcp_newton_options, penalty, 0.95, 0.01, 1, "",
                     "p of the penalised function; 1: Fischer-Burmeister"),
    BASE_OPTION_REAL(struct lcp_newton_options, damping, 1e-7, 0, 1e6, "",
                     "nu over |Phi| of a Levenberg-Marquardt step"),
    BASE_OPTION_INT(struct lcp_newton_options, max_rows, 3000, 1, 46340,
                    "largest number of rows of the LCP"),
    BASE_OPTION_END};

struct lcp_newton {
  const struct problem *p;
  struct lcp_newton_options opt;
  struct base_arena *arena;
  struct problem_lcp lcp; /* equilibrated */
  struct problem_lcp_scale scale;
  double *z, *w, *phi, *step; /* n */
  double *z_new, *gradient;   /* n */
  double *J, *JJ;             /* n x n */
  double history[MEMORY];     /* the last values of Psi */
  double stall_psi;           /* the least Psi that counted as progress, and its step */
  int stall_step;
  int steps;
};

static int lcp_newton_check(const struct problem *p, const void *options) {
  const struct lcp_newton_options *o = options;
  const int status = problem_lcp_check(p, "lcp-newton");
  if (status != BASE_OK) {
    return status;
  }
  const int rows = problem_lcp_size(&p->model);
  if (o != NULL && rows > o->max_rows) {
    return base_fail(BASE_UNSUPPORTED, "lcp-newton: an LCP of %d rows, more than max_rows = %d",
                     rows, o->max_rows);
  }
  return BASE_OK;
}

static void *lcp_newton_alloc(const struct problem *p, const void *options,
                              struct base_arena *arena) {
  struct lcp_newton *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->opt = *(const struct lcp_newton_options *)options;
  s->arena = arena;
  problem_lcp_build(p, &s->lcp, arena);
  const int n = s->lcp.n;
  problem_lcp_scale_alloc(&s->scale, n, arena);
  problem_lcp_equilibrate(&p->model, &s->lcp, &s->scale, arena);
  BASE_ARENA_VECTORS(arena, n, &s->z, &s->w, &s->phi, &s->step, &s->z_new, &s->gradient);
  s->J = base_arena_matrix(arena, n, n);
  s->JJ = base_arena_matrix(arena, n, n);
  return s;
}

/* w, Phi and Psi at z. */
static double merit(struct lcp_newton *s, const double *z) {
  const int n = s->lcp.n;
  const double p = s->opt.penalty;
  la_copy(n, s->lcp.q, s->w);
  la_gemv(n, n, 1, s->lcp.M, z, 1, s->w);
  for (int i = 0; i < n; ++i) {
    const double a = z[i], b = s->w[i], root = hypot(a, b);
    /* a + b - root without cancellation where both are positive */
    const double fb = a > 0 && b > 0 ? 2 * a * b / (a + b + root) : a + b - root;
    s->phi[i] = p * fb + (1 - p) * fmax(a, 0) * fmax(b, 0);
  }
  return 0.5 * la_dot(n, s->phi, s->phi);
}

/* J = D_a + D_b M at z, for the w of the last call of merit. */
static void jacobian(struct lcp_newton *s) {
  const int n = s->lcp.n;
  const double p = s->opt.penalty;
  double *d_a = s->step, *d_b = s->gradient; /* not in use yet */
  for (int i = 0; i < n; ++i) {
    const double a = s->z[i], b = s->w[i], root = hypot(a, b);
    const double both = a > 0 && b > 0;
    d_a[i] = p * (1 - (root > 0 ? a / root : M_SQRT1_2)) + (1 - p) * both * b;
    d_b[i] = p * (1 - (root > 0 ? b / root : M_SQRT1_2)) + (1 - p) * both * a;
  }
  for (int j = 0; j < n; ++j) {
    const double *m = s->lcp.M + (size_t)j * (size_t)n;
    double *column = s->J + (size_t)j * (size_t)n;
    for (int i = 0; i < n; ++i) {
      column[i] = d_b[i] * m[i];
    }
    column[j] += d_a[j];
  }
}

/* Levenberg and Marquardt's step and the gradient of Psi. BASE_FAILED: none could be had. */
static int direction(struct lcp_newton *s, double norm) {
  const int n = s->lcp.n;
  la_gemv_t(n, n, 1, s->J, s->phi, 0, s->gradient);
  la_gemm_t(n, n, n, 1, s->J, s->J, 0, s->JJ);
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    largest = fmax(largest, s->JJ[(size_t)i * (size_t)(n + 1)]);
  }
  double nu = fmax(s->opt.damping * norm, DAMPING_MIN * n * largest);
  for (int k = 0; k < DAMPINGS; ++k, nu *= 10) {
    if (k > 0) {
      la_gemm_t(n, n, n, 1, s->J, s->J, 0, s->JJ);
    }
    for (int i = 0; i < n; ++i) {
      s->JJ[(size_t)i * (size_t)(n + 1)] += nu;
      s->step[i] = -s->gradient[i];
    }
    if (la_chol_factor(n, s->JJ) == BASE_OK) {
      la_chol_solve(n, 1, s->JJ, s->step);
      return la_all_finite(n, s->step) ? BASE_OK : BASE_FAILED;
    }
  }
  return base_fail(BASE_FAILED, "lcp-newton: no step after %d (J^T J + nu I is not definite)",
                   s->steps);
}

static int lcp_newton_start(void *workspace, double *r) {
  struct lcp_newton *s = workspace;
  const int n = s->lcp.n;
  if (!la_all_finite(n, s->lcp.q) || !la_all_finite((long)n * n, s->lcp.M)) {
    return base_fail(BASE_FAILED, "lcp-newton: the problem holds numbers that are not finite");
  }
  problem_lcp_unknowns(s->p, r, s->z, s->arena);
  for (int i = 0; i < n; ++i) {
    s->z[i] /= s->scale.col[i] * s->scale.q;
  }
  s->steps = 0;
  const double psi = merit(s, s->z);
  for (int k = 0; k < MEMORY; ++k) {
    s->history[k] = psi;
  }
  s->stall_psi = psi;
  s->stall_step = 0;
  return BASE_OK;
}

/* z + alpha step with enough descent; 0 when there is none. */
static int line_search(struct lcp_newton *s) {
  const int n = s->lcp.n;
  const double slope = la_dot(n, s->gradient, s->step);
  double reference = 0, alpha = 1;
  for (int k = 0; k < MEMORY; ++k) {
    reference = fmax(reference, s->history[k]);
  }
  for (int k = 0; k < HALVINGS; ++k, alpha /= 2) {
    la_copy(n, s->z, s->z_new);
    la_axpy(n, alpha, s->step, s->z_new);
    const double psi = merit(s, s->z_new);
    if (psi <= reference + ARMIJO * alpha * slope) {
      la_copy(n, s->z_new, s->z);
      s->history[s->steps % MEMORY] = psi;
      if (psi < (1 - STALL_PART) * s->stall_psi) {
        s->stall_psi = psi;
        s->stall_step = s->steps;
      }
      return 1;
    }
  }
  return 0;
}

static int lcp_newton_iterate(void *workspace, double *r) {
  struct lcp_newton *s = workspace;
  const int n = s->lcp.n;
  const double norm = sqrt(2 * merit(s, s->z));
  jacobian(s);
  const int status = direction(s, norm);
  if (status != BASE_OK) {
    return status;
  }
  ++s->steps;
  const int moved = line_search(s);
  for (int i = 0; i < n; ++i) {
    s->z_new[i] = fmax(0, s->z[i]) * s->scale.col[i] * s->scale.q;
  }
  problem_lcp_reaction(s->p, s->z_new, r);
  if (!moved || s->steps - s->stall_step > STALL) {
    return base_fail(BASE_FAILED,
                     "lcp-newton: no descent after %d steps, |Phi| = %.1e: a stationary point of "
                     "the merit function, or round-off",
                     s->steps, norm);
  }
  return BASE_OK;
}

const struct problem_solver problem_solver_lcp_newton = {
    .name = "lcp-newton",
    .look = {.colour = 0xcc79a7, .dashes = {5, 4}, .point = 10, .point_size = 0.9},
    .summary = "semismooth Newton (Fischer-Burmeister, penalised) on the polyhedral LCP",
    .source = "bhalerao 14; Chen, Chen, Kanzow 2000; Yamashita, Fukushima 2001",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_LCP),
    .options = lcp_newton_table,
    .options_size = sizeof(struct lcp_newton_options),
    .check = lcp_newton_check,
    .alloc = lcp_newton_alloc,
    .start = lcp_newton_start,
    .iterate = lcp_newton_iterate,
};
