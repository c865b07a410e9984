/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Works of a fixed step that belong to the velocities it ends with.
 *
 * A step of rk4 or verlet takes forces f_i at stages of velocity v_i and acceleration k_i,
 * M k_i = sum over c of f_i^c, by weights b_i. The integral of the power of the forces c by the
 * same weights, Q_c = dt sum b_i f_i^c . v_i, is as accurate as the step where this is short, but
 * where the velocities of the stages are not those of a solution, as where a stiff damper stops a
 * body within a step, it is any number: all of them together miss the change of kinetic energy by
 *
 *   delta = T(u+) - T(u) - sum Q_c = T(u+) - T(u) - dt sum b_i (k_i . M v_i + 1/2 v_i . M' v_i).
 *
 * Hence works are taken at stage velocities v_i + lambda k_i, of all that differ from v_i by as
 * much as is missing those with the least dt sum b_i |difference|^2 in the norm of M:
 *
 *   W_c = Q_c + lambda dt sum b_i f_i^c . k_i,   lambda = delta / (dt sum b_i k_i . M k_i).
 *
 * They add up to the change of kinetic energy exactly, those of springs, weight and multipliers
 * included, whatever the step. delta is of the order of the step's local error and lambda of that
 * of the global one, so that the order is kept. What the works of springs and of the weight then
 * miss of the change of the energy that they store is the integrator's, and stays the budget's
 * numerical part.
 *
 * Dampers and friction never give energy. Where W_c would, with steps beyond the limit of
 * stability, it is 0, and what is made is the integrator's too.
 */
#include <math.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"
#include "mech/difference.h"

/* 1/2 u . M' u with M' along qdot [W]. */
static double power_of_mass(struct penalty_flow *flow, const double *q, const double *u) {
  const struct mech *m = flow->m;
  if (m->constant_mass) {
    return 0;
  }
  double *dq = base_arena_doubles(flow->arena, m->nq);
  mech_qdot(m, q, u, dq, flow->arena);
  const double size = mech_largest(m->nq, dq);
  if (!(size > 0)) {
    return 0;
  }
  double *x = base_arena_doubles(flow->arena, m->nq), power = 0;
  const double h = mech_difference_step(m) / size;
  for (int i = 0; i < MECH_STENCIL; ++i) {
    la_copy(m->nq, q, x);
    la_axpy(m->nq, h * mech_stencil_at[i], dq, x);
    power += mech_stencil_weight[i] * mech_kinetic(m, x, u, flow->arena) / h;
  }
  return power;
}

/* lossy . W^T du over the contacts of parts, of normal and tangential forces. */
struct balance {
  struct penalty_flow *flow;
  const double *du;
  double sums[BASE_PARTS][2];
};

static void balance_part(void *data, struct base_part part) {
  struct balance *b = data;
  struct penalty_flow *flow = b->flow;
  const double *du = b->du;
  const struct mech_contacts *c = &flow->touch.contacts;
  const int dim = c->dim, width = flow->history.width;
  double normal = 0, tangential = 0;
  for (int i = (int)part.first; i < part.end; ++i) {
    double a[CONTACT_DIM_MAX], frame[9];
    if (!flow->touch.active[i]) {
      continue;
    }
    if (c->rigid) {
      if (i + PENALTY_BLOCK < c->n) {
        __builtin_prefetch(flow->world.of[c->body[2 * (i + PENALTY_BLOCK) + 1]].v);
      }
      mech_contacts_frame(c, i, frame);
      penalty_world_velocity(&flow->world, c, i, frame, a);
    } else {
      mech_contacts_block_velocity(c, i, du, a);
    }
    normal += flow->force.lossy[0][i] * a[0];
    for (int d = 1; d < dim; ++d) {
      tangential += flow->force.lossy[d][i] * a[d];
    }
    for (int d = 0; d < width; ++d) {
      flow->force.along[(long)i * width + d] = a[1 + d];
    }
  }
  b->sums[part.k][0] = normal;
  b->sums[part.k][1] = tangential;
}

void penalty_balance_contacts(struct penalty_flow *flow, const double *du, double *power) {
  const struct mech_contacts *c = &flow->touch.contacts;
  struct balance b;
  b.flow = flow, b.du = du;
  if (c->rigid && c->n > 0) {
    penalty_world_move(&flow->world, c, du);
  }
  base_threads_parts(&flow->touch.parts, balance_part, &b);
  for (int k = 0; k < flow->touch.parts.n; ++k) {
    power[PENALTY_ALONG + PENALTY_IMPACT] += b.sums[k][0];
    power[PENALTY_ALONG + PENALTY_FRICTION] += b.sums[k][1];
  }
}

/* Dampers of constraints kept as springs. */
static double bilateral_along(struct penalty_flow *flow, const double *q, const double *u,
                              const double *du) {
  const struct mech *m = flow->m;
  if (m->ns == 0 || flow->options->bilateral != PENALTY_SPRING) {
    return 0;
  }
  double *rate = base_arena_doubles(flow->arena, m->ns);
  double *a = base_arena_doubles(flow->arena, m->ns);
  mech_bilateral_gamma(flow->bilateral, q, u, rate);
  mech_bilateral_velocity(flow->bilateral, du, a);
  return -flow->options->D_S * la_dot(m->ns, rate, a);
}

void penalty_balance_multipliers(struct penalty_flow *flow, const double *u, const double *du,
                                 const double *minus_lambda, double *power) {
  const struct mech *m = flow->m;
  double *rate = base_arena_doubles(flow->arena, m->ns);
  mech_bilateral_velocity(flow->bilateral, u, rate);
  power[PENALTY_KINETIC] -= la_dot(m->ns, minus_lambda, rate);
  mech_bilateral_velocity(flow->bilateral, du, rate);
  power[PENALTY_INERTIA] -= la_dot(m->ns, minus_lambda, rate);
}

void penalty_balance_rates(struct penalty_flow *flow, const double *q, const double *u,
                           const double *du, double *power) {
  power[PENALTY_KINETIC] += power_of_mass(flow, q, u);
  penalty_balance_contacts(flow, du, power);
  power[PENALTY_ALONG + PENALTY_DAMPING] += bilateral_along(flow, q, u, du);
}

/* Where no damper and no friction acted there is nothing to put right. */
static int is_idle(const double *works) {
  for (int c = 0; c < PENALTY_WORKS; ++c) {
    if (works[PENALTY_ALONG + c] != 0) {
      return 0;
    }
  }
  return 1;
}

static double lambda_of(double dt, double change, const double *works) {
  const double delta = change - works[PENALTY_KINETIC], inertia = works[PENALTY_INERTIA];
  /* Of a motion without acceleration delta is rounding; |lambda| is below dt / 2 for both methods,
   * as velocities of stages are within a step's change from each other. */
  return inertia > 0 ? fmax(fmin(delta / inertia, dt), -dt) : 0;
}

void penalty_balance_works(double dt, double change, const double *before, double *works) {
  const double lambda = is_idle(works) ? 0 : lambda_of(dt, change, works);
  for (int c = 0; c < PENALTY_WORKS; ++c) {
    const double work = works[c] - before[c] + lambda * works[PENALTY_ALONG + c];
    const int is_lossy = c == PENALTY_FRICTION || c == PENALTY_IMPACT;
    works[c] = before[c] + (is_lossy ? fmin(work, 0) : work);
  }
  for (int i = PENALTY_KINETIC; i < PENALTY_BALANCE; ++i) {
    works[i] = 0;
  }
}
