/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projected Jacobi on normal-cone inclusions (moeller 2.45):
 *   r_i <- -prox_{C_i}(-r_i + rho_i v_i),  v = A r + b with the r of the last iteration.
 * The step of moeller 2.44, omega over the largest diagonal element of A_ii (rho=diagonal),
 * converges where plain Jacobi does, that is for a dominant diagonal; contacts that share bodies
 * have none. The default divides by row sums of |A| instead: diag(row sums) - A is then positive
 * semidefinite, and the iteration converges for every symmetric A and every convex law. It is slow;
 * it is the parallel baseline.
 *
 * recover (moeller 2.63) takes the step of each row where nothing is projected; with rho=diagonal
 * this is the example (2.57), done in one step.
 */
#include "problem/solver.h"
#include "problem/solvers/step.h"

#include <string.h>

static const struct base_option pjacobi_table[] =
    PROBLEM_STEP_TABLE(PROBLEM_STEP_ROW_SUM, "moeller 2.44");

struct pjacobi {
  const struct problem *p;
  struct base_arena *arena;
  struct problem_step *step;
  double *v; /* n */
};

static int pjacobi_check(const struct problem *p, const void *options) {
  (void)options;
  return problem_step_check(p);
}

static void *pjacobi_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct pjacobi *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->arena = arena;
  s->step = problem_step_alloc(p, problem_step_chosen(options), arena);
  s->v = base_arena_doubles(arena, problem_size(p));
  return s;
}

static int pjacobi_start(void *workspace, double *r) {
  (void)workspace;
  (void)r;
  return 0;
}

static int pjacobi_iterate(void *workspace, double *r) {
  struct pjacobi *s = workspace;
  const int dim = s->p->model.dim;
  problem_velocity(s->p, r, s->v, s->arena);
  for (int i = 0; i < s->p->model.nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    double new_r[CONTACT_DIM_MAX];
    problem_step_apply(s->step, i, r + at, s->v + at, new_r);
    memcpy(r + at, new_r, (size_t)dim * sizeof *r);
  }
  return 0;
}

const struct problem_solver problem_solver_pjacobi = {
    .name = "pjacobi",
    .look = {.colour = 0x56b4e9, .dashes = {5, 3}, .point = 6, .point_size = 0.9},
    .summary = "projected Jacobi on normal-cone inclusions",
    .source = "moeller 2.45",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_NCP) | CONTACT_LAW_BIT(CONTACT_LAW_CCP) |
            CONTACT_LAW_BIT(CONTACT_LAW_LCP) | CONTACT_LAW_BIT(CONTACT_LAW_CONE),
    .options = pjacobi_table,
    .options_size = sizeof(struct problem_step_choice),
    .check = pjacobi_check,
    .alloc = pjacobi_alloc,
    .start = pjacobi_start,
    .iterate = pjacobi_iterate,
};
