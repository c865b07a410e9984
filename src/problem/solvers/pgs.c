/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projected Gauss-Seidel on normal-cone inclusions (moeller 2.67):
 *   r_i <- -prox_{C_i}(-r_i + rho_i v_i),  v_i = sum_{j<i} A_ij r_j^new + sum_{j>=i} A_ij r_j +
 * b_i, contact by contact in their order. What the projection is for each law stands in
 * step.h. Deviations: rho_i is by default omega over the largest eigenvalue of A_NN and
 * A_TT apart (ccp: of A_ii), where moeller 2.68 takes the largest diagonal element of the block,
 * which is the smaller of the two and overshoots on coupled tangential blocks; that one is option
 * rho=diagonal. For the exact law the tangential step uses the velocity and the radius that the new
 * r_N gives.
 */
#include "problem/solver.h"
#include "problem/solvers/step.h"

static const struct base_option pgs_table[] =
    PROBLEM_STEP_TABLE(PROBLEM_STEP_BLOCK, "moeller 2.68");

struct pgs {
  int nc, dim;
  struct problem_sweep *sweep;
  struct problem_step *step;
};

static void *pgs_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct pgs *s = base_arena_push(arena, sizeof *s);
  s->nc = p->model.nc;
  s->dim = p->model.dim;
  s->sweep = problem_sweep_alloc(p, arena);
  s->step = problem_step_alloc(p, options, 1, arena);
  return s;
}

static int pgs_start(void *workspace, double *r) {
  struct pgs *s = workspace;
  problem_sweep_start(s->sweep, r);
  return 0;
}

static int pgs_iterate(void *workspace, double *r) {
  struct pgs *s = workspace;
  const int dim = s->dim;
  problem_sweep_again(s->sweep, r);
  for (int i = 0; i < s->nc; ++i) {
    double *r_i = r + (size_t)dim * (size_t)i;
    double v_i[CONTACT_DIM_MAX], new_r[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
    problem_sweep_velocity(s->sweep, i, v_i);
    problem_step_apply(s->step, i, r_i, v_i, new_r);
    int moved = 0;
    for (int k = 0; k < dim; ++k) {
      change[k] = new_r[k] - r_i[k];
      moved |= change[k] != 0;
      r_i[k] = new_r[k];
    }
    if (moved) {
      problem_sweep_change(s->sweep, i, change);
    }
  }
  return 0;
}

const struct problem_solver problem_solver_pgs = {
    .name = "pgs",
    .look = {.colour = 0x56b4e9, .point = 5, .point_size = 0.8},
    .summary = "projected Gauss-Seidel on normal-cone inclusions",
    .source = "moeller 2.67",
    .laws = PROBLEM_STEP_LAWS,
    .options = pgs_table,
    .options_size = sizeof(struct problem_step_choice),
    .check = problem_step_check,
    .alloc = pgs_alloc,
    .start = pgs_start,
    .iterate = pgs_iterate,
};
