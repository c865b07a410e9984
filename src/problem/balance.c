/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulses without friction brought to the energy they must take. The law's r . xi = 0, xi = A r +
 * b, is what an impact with eps_N = 1 takes, twice (form/impulse/phases.c); a solver's iterate
 * misses it by its tolerance, to first order, and impact after impact on the same side. On the ray
 * through the iterate
 *
 *   r' = (1 + a) r,   a = -r . xi / r . A r
 *
 * is where r . A r / 2 + r . b is least: r' . xi' = 0 to rounding, in the cone as r is, and no
 * farther from the solution in the norm of A.
 */
#include "la/dense.h"
#include "problem/problem.h"

static int is_frictionless(const struct problem *p) {
  const struct contact_model *model = &p->model;
  int none = !p->is_raw && model->set == NULL;
  for (int i = 0; i < model->nc && none && model->dim > 1; ++i) {
    none = model->mu[i] == 0;
  }
  return none;
}

void problem_balance(const struct problem *p, double tol, double *r, struct base_arena *arena,
                     struct contact_residual *residual) {
  if (!is_frictionless(p)) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = problem_size(p);
  double *v = base_arena_doubles(arena, n), *scaled = base_arena_doubles(arena, n);
  problem_velocity(p, r, v, arena);
  const double off = la_dot(n, r, v), size = off - la_dot(n, r, p->b);
  if (size > 0 && off != 0) {
    la_copy(n, r, scaled);
    la_axpy(n, -off / size, r, scaled);
    problem_velocity(p, scaled, v, arena);
    const struct contact_residual now =
        contact_residual(&p->model, problem_operator_diagonal_of(&p->A, arena), scaled, v, p->b);
    if (now.relative_free <= tol) {
      la_copy(n, scaled, r);
      *residual = now;
    }
  }
  base_arena_release(arena, mark);
}
