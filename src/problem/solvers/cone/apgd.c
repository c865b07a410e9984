/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accelerated projected gradient descent for the cone complementarity problem (negrut 7), which is
 * the optimality condition of   min f(r) = r^T A r / 2 + b^T r,   r_i in K_mu,
 * after Mazhar, Heyn, Negrut, Tasora, Using Nesterov's method to accelerate multibody dynamics with
 * friction and contact, ACM Trans. Graph. 34 (2015), algorithm 3, with these changes:
 *
 * - The variable is y_i = r_i / s_i, s_i = sqrt(dim / trace A_ii): every contact then has unit mean
 *   inverse mass, and s_i > 0 maps K_mu onto itself. A contact that cannot move keeps s_i = 1.
 * - f is compared only by differences, exact for a quadratic: f(x) - f(y) = (x - y)^T (g_x + g_y)
 *   / 2 with the full gradients g = A y + b, so that the linear term is in every test and nothing
 *   cancels near the solution. Sufficient decrease, f(x) <= f(y) + g_y^T d + L |d|^2 / 2 with
 *   d = x - y, becomes d^T (g_x - g_y) <= L |d|^2.
 * - The gradient at the extrapolated point is extrapolated too (it is affine): one operator
 *   product a trial.
 * - r is the iterate of least f seen (of equal ones, within round-off, the latest), so f never
 * grows from one iteration to the next. An operator that lacks symmetry has no f; then r is the
 * last iterate. Asymmetry up to PROBLEM_CONVEX_ASYMMETRY_MAX is taken, since written-out problems
 * carry few digits; the residual of the loop is that of the operator as it stands.
 *
 * Restart (O'Donoghue and Candes 2015): momentum is dropped when the step goes against the gradient
 * there (gradient), or when f grows (function).
 */
#include <float.h>
#include <math.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"
#include "problem/momentum.h"
#include "problem/solver.h"

/* Up to this, asymmetry is round-off of assembly, and f can be trusted. */
#define APGD_ASYMMETRY_NONE 1e-12
/* Round-off of a scalar product against the lengths of its factors, with a margin for long sums. */
#define APGD_ROUND_OFF (16 * DBL_EPSILON)

enum apgd_restart { RESTART_GRADIENT, RESTART_FUNCTION, RESTART_NONE };

struct apgd_options {
  double step, shrink, grow;
  int restart, trials;
};

static const struct base_option apgd_table[] = {
    BASE_OPTION_REAL(struct apgd_options, step, 0, 0, INFINITY, "",
                     "first step length 1/L of the scaled problem; 0: from the first gradient"),
    BASE_OPTION_REAL(struct apgd_options, shrink, 0.5, 0.01, 0.99, "",
                     "step factor when a trial fails"),
    BASE_OPTION_REAL(struct apgd_options, grow, 1.1, 1, 10, "",
                     "factor of the step after each iteration"),
    BASE_OPTION_CHOICE(struct apgd_options, restart, RESTART_GRADIENT, "gradient|function|none",
                       "condition of a restart, which drops the momentum"),
    BASE_OPTION_INT(struct apgd_options, trials, 60, 1, 1000, "steps tried in one iteration"),
    BASE_OPTION_END};

struct apgd {
  const struct problem *p;
  struct apgd_options opt;
  struct base_arena *arena;
  int n, has_objective;
  double *s, *b;         /* n each: scale, scaled free velocity */
  double *x, *g_x;       /* n each: iterate, gradient there */
  double *y, *g_y;       /* n each: extrapolated point, gradient there */
  double *x_new, *g_new; /* n each */
  double *best, *g_best; /* n each */
  double L, theta;
};

static int apgd_check(const struct problem *p, const void *options) {
  (void)options;
  return problem_convex_check(p, "apgd", PROBLEM_CONVEX_ASYMMETRY_MAX);
}

/* g = S A S y + S b */
static void gradient_at(const struct apgd *a, const double *y, double *g) {
  problem_convex_apply(a->p, a->s, y, g, a->arena);
  la_axpy(a->n, 1, a->b, g);
}

static void *apgd_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct apgd *a = base_arena_push(arena, sizeof *a);
  const int n = problem_size(p);
  a->p = p;
  a->opt = *(const struct apgd_options *)options;
  a->arena = arena;
  a->n = n;
  a->has_objective = p->A.kind == PROBLEM_OPERATOR_BODIES ||
                     problem_operator_asymmetry(&p->A, arena) <= APGD_ASYMMETRY_NONE;
  BASE_ARENA_VECTORS(arena, n, &a->s, &a->b, &a->x, &a->g_x, &a->y, &a->g_y, &a->x_new, &a->g_new,
                     &a->best, &a->g_best);
  problem_convex_scales(p, a->s, a->b, arena);
  return a;
}

/* L from the curvature of f along its projected gradient step, an estimate from below. */
static double curvature_first(struct apgd *a) {
  for (int i = 0; i < a->n; ++i) {
    a->x_new[i] = a->x[i] - a->g_x[i];
  }
  problem_convex_project(a->p, a->x_new);
  gradient_at(a, a->x_new, a->g_new);
  double dd = 0, dg = 0;
  for (int i = 0; i < a->n; ++i) {
    const double d = a->x_new[i] - a->x[i];
    dd += d * d;
    dg += d * (a->g_new[i] - a->g_x[i]);
  }
  return dd > 0 && dg > 0 ? dg / dd : 1;
}

static void best_write(const struct apgd *a, double *r) {
  for (int i = 0; i < a->n; ++i) {
    r[i] = a->s[i] * a->best[i];
  }
}

static int apgd_start(void *workspace, double *r) {
  struct apgd *a = workspace;
  for (int i = 0; i < a->n; ++i) {
    a->x[i] = r[i] / a->s[i];
  }
  problem_convex_project(a->p, a->x);
  gradient_at(a, a->x, a->g_x);
  if (!la_all_finite(a->n, a->g_x)) {
    return base_fail(BASE_FAILED, "apgd: the problem holds numbers that are not finite");
  }
  la_copy(a->n, a->x, a->y);
  la_copy(a->n, a->g_x, a->g_y);
  la_copy(a->n, a->x, a->best);
  la_copy(a->n, a->g_x, a->g_best);
  a->theta = 1;
  a->L = a->opt.step > 0 ? 1 / a->opt.step : curvature_first(a);
  best_write(a, r);
  return BASE_OK;
}

/* f(x) - f(z) from points and gradients, without cancellation; *noise: what rounding x to the
 * cone's boundary does to f. Near the solution f is flat and its gains, squares of the error, drown
 * in that long before the residual has converged. */
static double objective_change(int n, const double *x, const double *g_x, const double *z,
                               const double *g_z, double *noise) {
  double sum = 0, size = 0;
  for (int i = 0; i < n; ++i) {
    sum += (x[i] - z[i]) * (g_x[i] + g_z[i]);
    size += fabs(x[i] * g_x[i]) + fabs(z[i] * g_z[i]);
  }
  *noise = APGD_ROUND_OFF * size;
  return sum / 2;
}

/* Projected step of length 1/L from y, L large enough for sufficient decrease. */
static int step_search(struct apgd *a) {
  for (int trial = 0; trial < a->opt.trials; ++trial) {
    for (int i = 0; i < a->n; ++i) {
      a->x_new[i] = a->y[i] - a->g_y[i] / a->L;
    }
    problem_convex_project(a->p, a->x_new);
    gradient_at(a, a->x_new, a->g_new);
    double dd = 0, dg = 0, size = 0;
    for (int i = 0; i < a->n; ++i) {
      const double d = a->x_new[i] - a->y[i];
      const double g = fabs(a->g_new[i]) + fabs(a->b[i]) + fabs(a->x_new[i]);
      dd += d * d;
      dg += d * (a->g_new[i] - a->g_y[i]);
      size += g * g;
    }
    /* Gradients carry round-off of their terms: below it a trial says nothing about L. */
    if (dg <= a->L * dd + APGD_ROUND_OFF * sqrt(dd * size)) {
      return BASE_OK;
    }
    if (!isfinite(dg)) {
      break;
    }
    a->L /= a->opt.shrink;
  }
  return base_fail(BASE_FAILED,
                   "apgd: no step of sufficient decrease in %d trials; operator not "
                   "positive semidefinite or not finite",
                   a->opt.trials);
}

/* Does the step from x to x_new ask for momentum to be dropped? */
static int restart_wanted(const struct apgd *a) {
  if (a->opt.restart == RESTART_FUNCTION) {
    double noise;
    return objective_change(a->n, a->x_new, a->g_new, a->x, a->g_x, &noise) > noise;
  }
  double uphill = 0;
  for (int i = 0; a->opt.restart == RESTART_GRADIENT && i < a->n; ++i) {
    /* generalised gradient L (y - x_new) of the projected step */
    uphill += (a->y[i] - a->x_new[i]) * (a->x_new[i] - a->x[i]);
  }
  return uphill > 0;
}

static int apgd_iterate(void *workspace, double *r) {
  struct apgd *a = workspace;
  const int n = a->n;
  if (step_search(a) != BASE_OK) {
    return BASE_FAILED;
  }
  double noise;
  const double change = objective_change(n, a->x_new, a->g_new, a->best, a->g_best, &noise);
  if (!a->has_objective || change <= noise) {
    la_copy(n, a->x_new, a->best);
    la_copy(n, a->g_new, a->g_best);
    best_write(a, r);
  }
  double beta = 0;
  if (restart_wanted(a)) {
    a->theta = 1;
  } else {
    beta = problem_momentum_next(&a->theta);
  }
  for (int i = 0; i < n; ++i) {
    a->y[i] = a->x_new[i] + beta * (a->x_new[i] - a->x[i]);
    a->g_y[i] = a->g_new[i] + beta * (a->g_new[i] - a->g_x[i]);
    a->x[i] = a->x_new[i];
    a->g_x[i] = a->g_new[i];
  }
  a->L /= a->opt.grow;
  return BASE_OK;
}

const struct problem_solver problem_solver_apgd = {
    .name = "apgd",
    .look = {.colour = 0xd55e00, .point = 11, .point_size = 0.9},
    .summary = "accelerated projected gradient descent with restart, for the convex relaxation",
    .source = "Mazhar, Heyn, Negrut, Tasora, ACM Trans. Graph. 34 (2015); negrut 7",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = apgd_table,
    .options_size = sizeof(struct apgd_options),
    .check = apgd_check,
    .alloc = apgd_alloc,
    .start = apgd_start,
    .iterate = apgd_iterate,
};
