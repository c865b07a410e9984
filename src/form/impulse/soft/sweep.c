/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps of fixed number over the contacts of a one-step problem, as engines make them: one
 * projected step for the normal impulse, then one for friction, contact after contact.
 */
#include <math.h>

#include "form/impulse/parts.h"

/* The normal impulse of contact i, by one projected step. A: its block. */
static void sweep_normal(struct problem_sweep *sweep, int i, const double *A, double *r) {
  double v[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX] = {0};
  problem_sweep_velocity(sweep, i, v);
  change[0] = fmax(0, r[0] - v[0] / A[0]) - r[0];
  r[0] += change[0];
  problem_sweep_change(sweep, i, change);
}

/* Its friction, within the disk of the normal impulse that is there. */
static void sweep_friction(const struct contact_model *model, struct problem_sweep *sweep, int i,
                           const double *A, double *r) {
  const int dim = model->dim;
  double v[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX] = {0}, wanted[CONTACT_DIM_MAX];
  double mass = 0, size = 0;
  for (int d = 1; d < dim; ++d) {
    mass += A[d * dim + d] / (dim - 1);
  }
  problem_sweep_velocity(sweep, i, v);
  for (int d = 1; d < dim; ++d) {
    wanted[d] = r[d] - v[d] / mass;
    size = hypot(size, wanted[d]);
  }
  const double most = model->mu[i] * r[0], part = size > most ? most / size : 1;
  for (int d = 1; d < dim; ++d) {
    change[d] = part * wanted[d] - r[d];
    r[d] += change[d];
  }
  problem_sweep_change(sweep, i, change);
}

void impulse_sweep(const struct problem *p, int sweeps, enum impulse_swept what, double *r,
                   struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = p->model.dim;
  struct problem_sweep *sweep = problem_sweep_alloc(p, arena);
  problem_sweep_start(sweep, r);
  for (int k = 0; k < sweeps * p->model.nc; ++k) {
    const int i = k % p->model.nc;
    double own[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
    const double *A = problem_sweep_block(sweep, i, own);
    if (what == IMPULSE_SWEEP_ALL) {
      sweep_normal(sweep, i, A, r + dim * i);
    }
    if (dim > 1) {
      sweep_friction(&p->model, sweep, i, A, r + dim * i);
    }
  }
  base_arena_release(arena, mark);
}
