/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The equations of motion of `penalty` as a first-order system (moeller 3.31 with contact forces by
 * law.c in the place of impulses):
 *
 *   qdot = F u,   M du/dt = h + W f + W_S lambda_S
 *
 * Bilateral constraints either by multipliers, index one, with Baumgarte's terms (alpha: option
 * `baumgarte`; zero by default, because the drift is projected away after every step),
 *
 *   W_S^T du/dt + bias_S + 2 alpha gamma_S + alpha^2 g_S = 0,
 *
 * or as springs and dampers, lambda_S = -K_S g_S - D_S gamma_S, in the units of g_S. Constraints
 * that move as prescribed, gamma_S = W_S^T u + chi, drive the system with the power -lambda_S .
 * chi, which counts as applied.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

void penalty_flow_init(struct penalty_flow *flow, const struct mech *m,
                       const struct penalty_options *options, struct base_arena *arena,
                       struct base_arena *lists) {
  *flow = (struct penalty_flow){
      .m = m, .options = options, .arena = arena, .store = base_arena_child(lists)};
  flow->touch.parts = base_parts_whole(0);
  for (int k = 0; k < BASE_PARTS; ++k) {
    flow->place.numbers[k] = (struct penalty_known){.eps = NAN, .eps_T = NAN};
  }
  flow->history.width =
      options->tangential == PENALTY_TANGENT_SPRING && m->ops->contacts != NULL ? m->dim - 1 : 0;
  flow->bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  flow->mass.L = base_arena_push(arena, mech_mass_size(m) * sizeof *flow->mass.L);
  flow->mass.inverse = m->diagonal_mass ? base_arena_doubles(arena, m->nu) : NULL;
  flow->touch.found.q = base_arena_doubles(arena, m->nq);
  mech_contacts_init(&flow->touch.contacts, m, lists);
  penalty_world_init(&flow->world, m, arena);
  form_carried_init(&flow->carried, lists);
}

void penalty_flow_free(struct penalty_flow *flow) { mech_bilateral_free(flow->bilateral); }

unsigned long penalty_flow_modes(const struct penalty_flow *flow) {
  const struct mech_contacts *c = &flow->touch.contacts;
  unsigned long hash = 14695981039346656037UL; /* FNV-1a, on whole numbers */
  for (int i = 0; i < c->n; ++i) {
    if (flow->touch.active[i]) {
      const unsigned long mode = 2 * (unsigned long)c->id[i] + (flow->force.r[i] != 0);
      hash = (hash ^ mode) * 1099511628211UL;
    }
  }
  return hash;
}

/* Power by which prescribed motion drives the system: -lambda_S . chi [W]; lambda: ns. */
static double power_of_motion(struct penalty_flow *flow, const double *q, const double *lambda) {
  const struct mech *m = flow->m;
  if (m->ops->driven.bilateral_drift == NULL) {
    return 0;
  }
  double *chi = base_arena_doubles(flow->arena, m->ns);
  m->ops->driven.bilateral_drift(m, q, chi);
  return -la_dot(m->ns, lambda, chi);
}

/* gamma: ns = gamma_S at u. */
static void rates_at(const struct penalty_flow *flow, const double *q, const double *u,
                     double *gamma) {
  const struct mech *m = flow->m;
  mech_bilateral_velocity(flow->bilateral, u, gamma);
  if (m->ops->driven.bilateral_drift != NULL) {
    double *chi = base_arena_doubles(flow->arena, m->ns);
    m->ops->driven.bilateral_drift(m, q, chi);
    la_axpy(m->ns, 1, chi, gamma);
  }
}

/* f += W_S lambda_S of the springs, W_S being placed; adds to the power of dampers and of
 * prescribed motion [W]. */
static void bilateral_springs(struct penalty_flow *flow, const double *q, const double *u,
                              double *f, double *power) {
  const struct mech *m = flow->m;
  const struct penalty_options *o = flow->options;
  double *gS = base_arena_doubles(flow->arena, m->ns),
         *rate = base_arena_doubles(flow->arena, m->ns);
  m->ops->bilateral(m, q, gS);
  rates_at(flow, q, u, rate);
  for (int i = 0; i < m->ns; ++i) {
    power[PENALTY_DAMPING] -= o->D_S * rate[i] * rate[i];
    gS[i] = -o->K_S * gS[i] - o->D_S * rate[i];
  }
  power[PENALTY_APPLIED] += power_of_motion(flow, q, gS);
  mech_bilateral_force(flow->bilateral, gS, f);
}

/* du: nu, accelerations without multipliers on entry, with them on return; rate: ns = -lambda_S.
 * Returns the power of prescribed motion [W]. */
static double bilateral_multipliers(struct penalty_flow *flow, const double *q, const double *u,
                                    double *du, double *rate) {
  const struct mech *m = flow->m;
  const double alpha = flow->options->baumgarte;
  double *bias = base_arena_doubles(flow->arena, m->ns);
  mech_bilateral_bias(m, q, u, bias, flow->arena);
  mech_bilateral_velocity(flow->bilateral, du, rate);
  la_axpy(m->ns, 1, bias, rate);
  if (alpha > 0) {
    double *gS = base_arena_doubles(flow->arena, m->ns);
    double *gamma = base_arena_doubles(flow->arena, m->ns);
    m->ops->bilateral(m, q, gS);
    rates_at(flow, q, u, gamma);
    la_axpy(m->ns, 2 * alpha, gamma, rate);
    la_axpy(m->ns, alpha * alpha, gS, rate);
  }
  mech_bilateral_eliminate(flow->bilateral, 1, rate, du);
  return -power_of_motion(flow, q, rate);
}

/* A force of the system: adds to its work's power, and with fixed steps to what the balance takes.
 */
static void
add_power(const struct penalty_flow *flow,
          void (*force)(const struct mech *, const double *, const double *, double, double *),
          int work, const double *q, const double *u, double t, const double *du, double *power) {
  if (force == NULL) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  double *f = base_arena_room(flow->arena, (size_t)flow->m->nu * sizeof *f), at_u, at_du;
  force(flow->m, q, u, t, f);
  la_dots(flow->m->nu, f, u, du, &at_u, &at_du);
  power[work] += at_u;
  if (penalty_is_fixed(flow->options)) {
    power[PENALTY_ALONG + work] += at_du;
  }
  base_arena_release(flow->arena, mark);
}

int penalty_flow_carry(struct penalty_flow *flow) {
  const struct mech_contacts *c = &flow->touch.contacts;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  long *id = base_arena_room(flow->arena, (size_t)c->n * sizeof *id);
  int n = 0;
  for (int i = 0; i < c->n; ++i) {
    if (flow->touch.active[i] && flow->force.r[i] != 0) {
      id[n++] = c->id[i];
    }
  }
  form_carried_add(&flow->carried, n, id);
  base_arena_release(flow->arena, mark);
  return n;
}

/* The factor of M, and its inverse where it is diagonal. */
static int find_mass(struct penalty_flow *flow, const double *q) {
  const struct mech *m = flow->m;
  if (flow->mass.known) {
    return BASE_OK;
  }
  if (mech_mass_factor(m, q, flow->mass.L) != BASE_OK) {
    return BASE_FAILED;
  }
  flow->mass.known = m->constant_mass;
  for (int j = 0; flow->mass.inverse != NULL && j < m->nu; ++j) {
    flow->mass.inverse[j] = 1 / flow->mass.L[j];
  }
  if (flow->world.of != NULL && flow->mass.inverse != NULL) {
    penalty_world_weigh(&flow->world, m->nb, flow->mass.inverse);
  }
  return BASE_OK;
}

/* du: nu, all forces f but multipliers on entry, accelerations on return; with fixed steps f . u
 * and f . du into power. */
static void accelerate(struct penalty_flow *flow, const double *q, const double *u, double *du,
                       double *power) {
  const struct mech *m = flow->m;
  const int eliminate = m->ns > 0 && flow->options->bilateral == PENALTY_MULTIPLIER;
  double dots[3] = {0, 0, NAN}, *rate = NULL;
  if (m->diagonal_mass && !eliminate) {
    la_divide_dots(m->nu, flow->mass.L, u, du, dots);
  } else {
    double *f = base_arena_room(flow->arena, (size_t)m->nu * sizeof *f);
    la_copy(m->nu, du, f);
    mech_mass_solve(m, flow->mass.L, 1, du);
    if (eliminate) {
      rate = base_arena_doubles(flow->arena, m->ns);
      power[PENALTY_APPLIED] += bilateral_multipliers(flow, q, u, du, rate);
    }
    la_dots(m->nu, f, u, du, &dots[0], &dots[1]);
  }
  flow->kinetic = 0.5 * dots[2];
  if (penalty_is_fixed(flow->options)) {
    power[PENALTY_KINETIC] = dots[0];
    power[PENALTY_INERTIA] = dots[1];
    if (eliminate) {
      penalty_balance_multipliers(flow, u, du, rate, power);
    }
  }
}

int penalty_flow_accelerate(struct penalty_flow *flow, double t, const double *y, double *dy) {
  const struct mech *m = flow->m;
  const double *q = y, *u = y + m->nq;
  double *du = dy + m->nq, *power = du + m->nu;
  const int at_xi = penalty_flow_xi(flow);
  const int eliminate = m->ns > 0 && flow->options->bilateral == PENALTY_MULTIPLIER;
  const struct base_arena_mark mark = base_arena_mark(flow->arena);
  ++flow->evaluations;
  t = mech_phase_time(&flow->phase, t);
  if (find_mass(flow, q) != BASE_OK) {
    return BASE_FAILED;
  }
  mech_set_time(m, t);
  if (m->ns > 0) {
    const int status = eliminate ? mech_bilateral_build(flow->bilateral, q, flow->mass.L)
                                 : mech_bilateral_place(flow->bilateral, q);
    if (status != BASE_OK) {
      base_arena_release(flow->arena, mark);
      return BASE_FAILED;
    }
  }
  la_zero(penalty_flow_size(flow) - m->nq - m->nu, power);
  m->ops->force(m, q, u, t, du);
  penalty_touch_find(flow, t, q);
  penalty_law_apply(flow, eliminate ? flow->bilateral : NULL, u, y + at_xi, du, power, dy + at_xi);
  if (m->ns > 0 && !eliminate) {
    bilateral_springs(flow, q, u, du, power);
  }
  accelerate(flow, q, u, du, power);
  add_power(flow, m->ops->damping, PENALTY_DAMPING, q, u, t, du, power);
  add_power(flow, m->ops->applied, PENALTY_APPLIED, q, u, t, du, power);
  if (penalty_is_fixed(flow->options)) {
    penalty_balance_rates(flow, q, u, du, power);
  }
  base_arena_release(flow->arena, mark);
  return BASE_OK;
}

int penalty_flow_evaluate(struct penalty_flow *flow, double t, const double *y, double *dy) {
  mech_qdot(flow->m, y, y + flow->m->nq, dy, flow->arena);
  return penalty_flow_accelerate(flow, t, y, dy);
}

double penalty_flow_stored(struct penalty_flow *flow, double t, const double *y) {
  const struct mech *m = flow->m;
  const struct mech_contacts *c = &flow->touch.contacts;
  const double n = penalty_exponent(flow->options);
  double stored = penalty_spring_stored(flow, y + penalty_flow_xi(flow));
  for (int i = 0; i < c->n; ++i) {
    const double pen = c->gN[i] < 0 ? -c->gN[i] : 0;
    stored += flow->options->K / (n + 1) * pen * pen * (n > 1 ? sqrt(pen) : 1);
  }
  if (m->ns > 0 && flow->options->bilateral == PENALTY_SPRING) {
    const struct base_arena_mark mark = base_arena_mark(flow->arena);
    double *gS = base_arena_doubles(flow->arena, m->ns);
    mech_set_time(m, t);
    m->ops->bilateral(m, y, gS);
    stored += 0.5 * flow->options->K_S * la_dot(m->ns, gS, gS);
    base_arena_release(flow->arena, mark);
  }
  return stored;
}
