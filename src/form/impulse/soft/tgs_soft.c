/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Soft steps with relaxation, as game engines take them (Catto, Solver2D and Box2D 3: "soft step",
 * TGS soft), one substep a step: the step of a run here is theirs over the number of substeps, and
 * contacts are found anew in each.
 *
 *   1  u <- u^B + dt M^-1 h
 *   2  a sweep or more over the contacts, from the impulses of the step before, with the softness tgs
 *      (soft.c): normal first, v_N + s_N + R_N r_N = 0 where that pushes, then friction within mu r_N
 *   3  q^E = q^B + dt F u: positions move with these velocities
 *   4  as many sweeps without softness and bias, r_N from v_N = 0: velocities lose what pushed the
 *      bodies apart
 *
 * So many sweeps are its definition; nothing is solved to a tolerance, and no step is unconverged.
 * law.residual is that of exact Coulomb at the velocities of 4. Joints are eliminated, where those
 * programs soften them as well.
 */
#include <math.h>

#include "form/impulse/parts.h"
#include "la/dense.h"

/* r of contact i by one projected step each for the normal and the friction. A: its block with R on
 * the diagonal. */
static void sweep_contact(const struct contact_model *model, struct problem_sweep *sweep, int i,
                          double *r) {
  const int dim = model->dim;
  double v[CONTACT_DIM_MAX], own[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
  double change[CONTACT_DIM_MAX] = {0};
  const double *A = problem_sweep_block(sweep, i, own);
  problem_sweep_velocity(sweep, i, v);
  change[0] = fmax(0, r[0] - v[0] / A[0]) - r[0];
  r[0] += change[0];
  problem_sweep_change(sweep, i, change);
  if (dim == 1) {
    return;
  }
  double mass = 0, size = 0, wanted[CONTACT_DIM_MAX];
  for (int d = 1; d < dim; ++d) {
    mass += A[d * dim + d] / (dim - 1);
  }
  problem_sweep_velocity(sweep, i, v);
  for (int d = 1; d < dim; ++d) {
    wanted[d] = r[d] - v[d] / mass;
    size = hypot(size, wanted[d]);
  }
  const double most = model->mu[i] * r[0], part = size > most ? most / size : 1;
  change[0] = 0;
  for (int d = 1; d < dim; ++d) {
    change[d] = part * wanted[d] - r[d];
    r[d] += change[d];
  }
  problem_sweep_change(sweep, i, change);
}

void impulse_sweep(const struct problem *p, int sweeps, double *r, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct problem_sweep *sweep = problem_sweep_alloc(p, arena);
  problem_sweep_start(sweep, r);
  for (int k = 0; k < sweeps; ++k) {
    for (int i = 0; i < p->model.nc; ++i) {
      sweep_contact(&p->model, sweep, i, r + p->model.dim * i);
    }
  }
  base_arena_release(arena, mark);
}

static const struct base_option tgs_soft_options[] = {
    FORM_IMPULSE_PAIR(CONTACT_LAW_NCP, FORM_SCHEME_GAP),
    FORM_SOFTNESS_FIXED(FORM_SOFTNESS_TGS),
    FORM_SOFTNESS_TGS_OPTIONS,
    BASE_OPTION_INT(struct form_impulse_options, sweeps, 1, 1, 1000000,
                    "softness tgs: soft sweeps a step, and as many that relax the velocities"),
    FORM_IMPULSE_FORCE(FORM_FORCE_EVALUATION),
    FORM_IMPULSE_DELTA(INFINITY),
    FORM_IMPULSE_GYRO,
    FORM_IMPULSE_POINT,
    FORM_JOINTS_OPTION(struct form_impulse_options),
    BASE_OPTION_END};

const struct form form_tgs_soft = {
    .name = "tgs-soft",
    .look = {.colour = 0xddaa33, .dashes = {5, 2}, .point = 14, .point_size = 0.9},
    FORM_IMPULSE_SWEEPS,
    .check = form_impulse_check,
    .summary = "soft steps with relaxation, a sweep each: what game engines do in a substep",
    .source = "Catto, Solver2D (2024) and Box2D 3",
    .law = CONTACT_LAW_NCP,
    .options = tgs_soft_options};
