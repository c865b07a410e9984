/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worked example of a solver: projected gradients with a fixed step for cone complementarity,
 *
 *   r <- P_K(r - step/lambda (A r + b)),   lambda the largest eigenvalue of A,
 *
 * which converges for 0 < step < 2. lambda is estimated by power iteration, from below; a factor of
 * two would be near enough.
 *
 * As src/problem/solvers/gradient_example.c, with the line SOLVER(gradient_example) in registry.h
 * beside it, this is all there is to a solver. It does not decide when to stop, nor how good its
 * result is: problem_solve() does both.
 */
#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"

struct gradient_options {
  double step;
};

static const struct base_option gradient_table[] = {
    BASE_OPTION_REAL(struct gradient_options, step, 1, 1e-6, 1.999, "", "step over 1 / lambda"),
    BASE_OPTION_END};

struct gradient {
  const struct problem *p;
  struct base_arena *arena;
  double *v;   /* dim nc [m/s] */
  double step; /* [kg] */
};

enum { POWER_ROUNDS = 20 }; /* far more than a factor of two needs */

static void *gradient_alloc(const struct problem *p, const void *options,
                            struct base_arena *arena) {
  const struct gradient_options *o = options;
  struct gradient *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p);
  s->p = p;
  s->arena = arena;
  s->v = base_arena_doubles(arena, n);
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
  (void)workspace, (void)r;
  return BASE_OK;
}

static int gradient_iterate(void *workspace, double *r) {
  struct gradient *s = workspace;
  const int dim = s->p->model.dim;
  problem_velocity(s->p, r, s->v, s->arena);
  la_axpy(problem_size(s->p), -s->step, s->v, r);
  for (int i = 0; i < s->p->model.nc; ++i) {
    double projected[CONTACT_DIM_MAX];
    contact_project_cone(dim, s->p->model.mu[i], r + dim * i, projected);
    la_copy(dim, projected, r + dim * i);
  }
  return BASE_OK;
}

const struct problem_solver problem_solver_gradient_example = {
    .name = "gradient-example",
    .summary = "projected gradients with a fixed step",
    .source = "worked example",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_CCP),
    .options = gradient_table,
    .options_size = sizeof(struct gradient_options),
    .alloc = gradient_alloc,
    .start = gradient_start,
    .iterate = gradient_iterate,
};
