/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked example of a solver: projected gradients with a fixed step for cone complementarity,
 * accelerated by Nesterov's momentum,
 *
 *   r_new = P_K(y - step/lambda (A y + b)),   y = r_new + beta (r_new - r),
 *
 * lambda the largest eigenvalue of A, beta from problem/momentum.h. It converges for step <= 1.
 * lambda is estimated by power iteration, from below. The momentum is dropped where it leads uphill
 * (O'Donoghue and Candes 2015), where (y - r_new) . (r_new - r) > 0.
 *
 * As src/problem/solvers/gradient_example.c, with the line SOLVER(gradient_example) in registry.h
 * beside it, this is all there is to a solver. It does not decide when to stop, nor how good its
 * result is: problem_solve() does both.
 */
#include "base/status.h"
#include "la/dense.h"
#include "problem/momentum.h"
#include "problem/solver.h"

#include <stdio.h>

struct gradient_options {
  double step;
};

static const struct base_option gradient_table[] = {
    BASE_OPTION_REAL(struct gradient_options, step, 0.9, 1e-6, 1, "", "step over 1 / lambda"),
    BASE_OPTION_END};

struct gradient {
  const struct problem *p;
  struct base_arena *arena;
  double *v;    /* dim nc [m/s] */
  double *y;    /* dim nc, where the next step begins [N s] */
  double *last; /* dim nc, the last iterate [N s] */
  double theta; /* of the sequence of beta */
  double step;  /* [kg] */
  int restarts;
};

enum { POWER_ROUNDS = 20 }; /* to some hundredths, which step = 0.9 allows */

static void *gradient_alloc(const struct problem *p, const void *options,
                            struct base_arena *arena) {
  const struct gradient_options *o = options;
  struct gradient *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p);
  s->p = p;
  s->arena = arena;
  s->v = base_arena_doubles(arena, n);
  s->y = base_arena_doubles(arena, n);
  s->last = base_arena_doubles(arena, n);
  double *x = base_arena_doubles(arena, n);
  for (int k = 0; k < n; ++k) {
    x[k] = 1 + 1.0 / (k + 2); /* no symmetry of the problem's */
  }
  double lambda = 0;
  for (int round = 0; round < POWER_ROUNDS; ++round) {
    const double length = la_norm2(n, x);
    for (int k = 0; k < n; ++k) {
      x[k] /= length;
    }
    problem_operator_apply(&p->A, x, s->v, arena);
    lambda = la_norm2(n, s->v);
    la_copy(n, s->v, x);
  }
  s->step = lambda > 0 ? o->step / lambda : 0;
  return s;
}

static int gradient_start(void *workspace, double *r) {
  struct gradient *s = workspace;
  la_copy(problem_size(s->p), r, s->y);
  s->theta = 1;
  s->restarts = 0;
  return BASE_OK;
}

static int gradient_iterate(void *workspace, double *r) {
  struct gradient *s = workspace;
  const int dim = s->p->model.dim, n = problem_size(s->p);
  la_copy(n, r, s->last);
  problem_velocity(s->p, s->y, s->v, s->arena);
  la_sum(n, s->y, -s->step, s->v, r);
  for (int i = 0; i < s->p->model.nc; ++i) {
    double projected[CONTACT_DIM_MAX];
    contact_project_cone(dim, s->p->model.mu[i], r + dim * i, projected);
    la_copy(dim, projected, r + dim * i);
  }
  double uphill = 0;
  for (int k = 0; k < n; ++k) {
    uphill += (s->y[k] - r[k]) * (r[k] - s->last[k]);
  }
  s->restarts += uphill > 0;
  s->theta = uphill > 0 ? 1 : s->theta;
  const double beta = uphill > 0 ? 0 : problem_momentum_next(&s->theta);
  for (int k = 0; k < n; ++k) {
    s->y[k] = r[k] + beta * (r[k] - s->last[k]);
  }
  return BASE_OK;
}

static void gradient_describe(const void *workspace, char *text, size_t size) {
  const struct gradient *s = workspace;
  snprintf(text, size, "restarted %d times", s->restarts);
}

const struct problem_solver problem_solver_gradient_example = {
    .name = "gradient-example",
    .summary = "projected gradients with a fixed step and momentum",
    .source = "worked example",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_CCP),
    .options = gradient_table,
    .options_size = sizeof(struct gradient_options),
    .alloc = gradient_alloc,
    .start = gradient_start,
    .iterate = gradient_iterate,
    .describe = gradient_describe,
};
