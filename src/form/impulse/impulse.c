/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Impulse stepping; see impulse.h. A step goes
 *
 *   evaluate   evaluation point, M, u^B + dt M^-1 h, contacts within reach
 *   free       u_f, that projected onto the bilateral constraints (moeller 5.119)
 *   shift      s of every contact from the formulation; which contacts take part
 *   solve      b = W^T u_f + s; A r + b = xi under the law; u^E = u_f + du(r)
 *   curve      gaps at q^E, where the scheme corrects them: solved again with what they say
 *   phases     contacts that this closes strike in further solves; see phases.c
 *   account    work, diagnostics, memory; q^E
 *
 * The energy a step takes or gives is r . (v^B + v^E) / 2 with v = W^T u at the evaluation point,
 * which is exact: M (u^E - u^B) . (u^E + u^B) / 2 is the change of kinetic energy for this M. What
 * bilateral impulses and the drift of positions do to the energy is left to the numerical part of
 * the budget.
 *
 * A system that bounds how far surfaces approach each other in a step (mech_body_ops.approach) is
 * asked for contacts within REACH_MARGIN times that bound only. Should the velocities at the end of
 * the step exceed what was reckoned with, the step is made again with a larger reach: the result is
 * that of asking for all contacts.
 *
 * What is kept of a contact is what the one-step problem needs (b, r and the normal shift); its
 * velocities at the beginning and the end of the step are computed where they are asked for. Rows
 * of contacts that take part and contact lists live in arenas of their own, which grow with the
 * largest step so far; everything else is scratch, marked and released in the setup's arena.
 */
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "form/grade.h"
#include "form/impulse/parts.h"
#include "la/dense.h"

/* Contacts are sought this much farther than the velocities known before the step ask for, so that
 * making a step twice stays rare. */
static const double REACH_MARGIN = 1.25;

void *form_impulse_alloc(const struct form_setup *setup, const struct form_state *start) {
  const struct mech *m = setup->mech;
  if (form_impulse_check(setup) != BASE_OK || impulse_check_contacts(setup, start->q) != BASE_OK) {
    return NULL;
  }
  struct impulse *w = base_arena_push(setup->arena, sizeof *w);
  w->setup = *setup;
  w->scheme = form_impulse_scheme_of(setup);
  w->effective = w->scheme.force == FORM_FORCE_IMPLICIT && m->nb == 1 &&
                 w->scheme.joints.joints != FORM_JOINTS_DCA;
  if (w->effective) { /* the effective mass is what M is not */
    struct mech *full = base_arena_push(setup->arena, sizeof *full);
    *full = *m;
    full->diagonal_mass = full->constant_mass = 0;
    w->setup.mech = m = full;
  }
  const struct form_impulse_scheme *scheme = &w->scheme;
  if (scheme->theta < 1 || scheme->force == FORM_FORCE_MIDWAY) {
    w->middle = base_arena_doubles(setup->arena, m->nq);
  }
  struct base_arena *own = base_arena_child(setup->arena); /* leaves scratch in one piece */
  w->rows.store = base_arena_child(setup->arena);
  form_carried_init(&w->carried, setup->arena);
  form_memory_init(&w->memory, m->dim, scheme->uses_before, scheme->descends, setup->arena);
  w->L = base_arena_push(own, mech_mass_size(m) * sizeof *w->L);
  w->u_free = base_arena_push(own, (size_t)m->nu * sizeof *w->u_free);
  mech_contacts_init(&w->contacts, m, setup->arena);
  mech_contacts_init(&w->ahead, m, setup->arena);
  w->contacts.own_points = ((const struct form_impulse_options *)setup->options)->point;
  if (m->ns > 0 || scheme->joints.joints == FORM_JOINTS_DCA) {
    w->elimination = form_elimination_of(&scheme->joints);
    w->offset = base_arena_doubles(setup->arena, m->ns);
    w->eliminator = w->elimination->alloc(&w->setup, &scheme->joints);
    w->u_forced = m->ops->driven.bilateral_drift != NULL ? base_arena_doubles(own, m->nu) : NULL;
  }
  return w->elimination == NULL || w->eliminator != NULL ? w : NULL;
}

void form_impulse_free(void *workspace) {
  struct impulse *w = workspace;
  if (w->elimination != NULL && w->elimination->free != NULL) {
    w->elimination->free(w->eliminator);
  }
}

void impulse_move(const struct impulse *w, const double *q, const double *u, double tau,
                  double *out) {
  const struct mech *m = w->setup.mech;
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *qdot = base_arena_doubles(arena, m->nq);
  mech_qdot(m, q, u, qdot, arena);
  for (int i = 0; i < m->nq; ++i) {
    out[i] = q[i] + tau * qdot[i];
  }
  base_arena_release(arena, mark);
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, out);
  }
}

void impulse_divide(const struct impulse *w, double dt, double *x) {
  const struct mech *m = w->setup.mech;
  for (int i = 0; i < m->nu; ++i) {
    x[i] *= dt;
  }
  mech_mass_solve(m, w->L, 1, x);
}

/* w->u_free = u^B + dt M^-1 h for a step from t on. */
static void add_forces(struct impulse *w, const double *u_begin, double t, double dt) {
  const struct mech *m = w->setup.mech;
  if (w->scheme.force == FORM_FORCE_IMPLICIT) {
    const struct impulse_step s = {.t = t, .dt = dt, .u_begin = u_begin};
    impulse_theta_free(w, &s, u_begin, w->u_free);
    return;
  }
  const double at = impulse_force_time(w, t, dt);
  mech_set_time(m, at);
  m->ops->force(m, w->q_force, u_begin, at, w->u_free);
  impulse_divide(w, dt, w->u_free);
  la_axpy(m->nu, 1, u_begin, w->u_free);
}

/* Evaluation point and mass. */
static int evaluate(struct impulse *w, const struct form_state *state, double dt) {
  const struct mech *m = w->setup.mech;
  w->q = w->q_force = w->q_begin = state->q;
  if (w->middle != NULL) {
    const double part = w->scheme.theta < 1 ? 1 - w->scheme.theta : 0.5;
    impulse_move(w, state->q, state->u, part * dt, w->middle);
    w->q_force = w->middle;
  }
  if (w->scheme.theta < 1) {
    w->q = w->middle;
  }
  if (!la_all_finite(m->nq, w->q_force) || !la_all_finite(m->nu, state->u)) {
    return base_fail(BASE_DIVERGED, "%s: state is not finite at t = %g s", m->name, state->t);
  }
  if (w->scheme.force == FORM_FORCE_IMPLICIT) {
    const struct impulse_step s = {.t = state->t, .dt = dt, .u_begin = state->u};
    const int status = impulse_theta_begin(w, &s);
    if (status != BASE_OK) {
      return status;
    }
  }
  if (!w->has_mass && w->M == NULL) {
    const int status = mech_mass_factor(m, w->q, w->L);
    if (status != BASE_OK) {
      return status;
    }
    w->has_mass = m->constant_mass;
  }
  return BASE_OK;
}

/* w->u_free under the forces alone. */
static int accelerate(struct impulse *w, const struct form_state *state, double dt) {
  const struct mech *m = w->setup.mech;
  add_forces(w, state->u, state->t, dt);
  const int status = impulse_gyro(w, state->u, state->t, dt);
  if (status != BASE_OK) {
    return status;
  }
  if (!la_all_finite(m->nu, w->u_free)) {
    return base_fail(BASE_DIVERGED, "%s: forces are not finite at t = %g s", m->name, state->t);
  }
  return BASE_OK;
}

double impulse_approach(const struct impulse *w, const double *u, double dt) {
  const struct mech *m = w->setup.mech;
  return m->ops->bodies.approach != NULL ? m->ops->bodies.approach(m, w->q, u, dt) : INFINITY;
}

void impulse_constrain(struct impulse *w, double t, double dt) {
  const struct mech *m = w->setup.mech;
  if (w->elimination == NULL) {
    return;
  }
  if (w->u_forced != NULL) {
    la_copy(m->nu, w->u_free, w->u_forced);
  }
  memset(w->offset, 0, (size_t)m->ns * sizeof *w->offset);
  mech_set_time(m, t + dt); /* prescribed motion is met at the end of the step */
  if (w->scheme.joint_erp > 0 && m->ns > 0) {
    m->ops->bilateral(m, w->q, w->offset);
    for (int i = 0; i < m->ns; ++i) {
      w->offset[i] *= w->scheme.joint_erp / dt;
    }
  } else if (m->ops->driven.bilateral_drift != NULL) {
    m->ops->driven.bilateral_drift(m, w->q, w->offset);
  }
  w->elimination->constrain(w->eliminator, w->offset, w->u_free);
}

static struct form_report report_empty(void) {
  return (struct form_report){.internal_steps = 1,
                              .residual = {.at = -1},
                              .optimality = {NAN, NAN},
                              .diagnostics = CONTACT_DIAGNOSTICS_EMPTY};
}

/* Contacts within reach, and w->u_free: the velocities at the end of the step if none acted. The
 * first attempt finds there what forces alone give. */
static int prepare(struct impulse *w, const struct form_state *state, double dt, double reach,
                   int is_first) {
  if (w->contacts.rigid) { /* no longer than the attempt; unwritten where no contact is found */
    w->contacts.turn =
        base_arena_room(w->setup.arena, 9 * (size_t)w->setup.mech->nb * sizeof *w->contacts.turn);
  }
  int status = BASE_OK;
  impulse_collect(w, reach);
  if (!is_first) {
    status = accelerate(w, state, dt);
  } else if (w->elimination != NULL) {
    status = w->elimination->build(w->eliminator, w->q, w->L, w->scheme.joint_cfm / dt);
  }
  if (status == BASE_OK) {
    impulse_constrain(w, state->t, dt);
  }
  return status;
}

/* The solves of an attempt, which use w->u_free up. is_made: they are those of the step, state->u
 * is at its end, and q too where it moves by other velocities than these. */
static int solve_attempt(struct impulse *w, struct impulse_step *s, struct form_state *state,
                         int *is_made, struct form_report *report) {
  s->role = base_arena_push(w->setup.arena, (size_t)w->contacts.n * sizeof *s->role);
  s->noise = impulse_noise(w, w->q);
  if (w->scheme.corrections > 0) {
    impulse_curve_begin(w, s);
  }
  const int status = impulse_phases(w, s, report);
  *is_made = (status == BASE_OK || status == BASE_UNCONVERGED) && impulse_is_within(s);
  if (*is_made) {
    impulse_account(w, s, report);
    la_copy(w->setup.mech->nu, s->u, state->u);
    if (s->impact.u_move != NULL) {
      impulse_move(w, w->q, s->impact.u_move, w->scheme.theta * s->dt, state->q);
    }
  }
  return status;
}

/* One attempt with contacts within reach; need: how near they had to be [m]. If they were, the
 * state is that of the end. */
static int attempt(struct impulse *w, struct form_state *state, double dt, double reach,
                   int is_first, double *need, struct form_report *report) {
  struct base_arena *arena = w->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct impulse_step s = {.t = state->t,
                           .dt = dt,
                           .u_begin = state->u,
                           .impact.u_free = w->u_free,
                           .search.reach = reach};
  int is_made = 0, status = prepare(w, state, dt, reach, is_first);
  *report = report_empty();
  if (status == BASE_OK && w->elimination != NULL && w->elimination->dependent != NULL) {
    report->eliminates = 1;
    report->dependent = w->elimination->dependent(w->eliminator);
  }
  if (status == BASE_OK) {
    status = solve_attempt(w, &s, state, &is_made, report);
    *need = s.search.need;
  }
  base_arena_release(arena, mark);
  if (is_made) {
    if (s.impact.u_move == NULL) { /* after the release: scratch is no larger for it */
      impulse_move(w, w->q, state->u, w->scheme.theta * dt, state->q);
    }
    report->lag = (w->scheme.theta - 0.5) * dt;
    state->t += dt;
  }
  return status;
}

static int substep(struct impulse *w, struct form_state *state, double dt,
                   struct form_report *report) {
  const struct base_arena_mark mark = base_arena_mark(w->setup.arena);
  double need = INFINITY, reach = 0;
  int is_first = 1;
  *report = report_empty();
  int status = evaluate(w, state, dt);
  if (status == BASE_OK) {
    status = accelerate(w, state, dt);
  }
  if (status == BASE_OK) {
    need = fmax(impulse_approach(w, state->u, dt), impulse_approach(w, w->u_free, dt));
  }
  while ((status == BASE_OK || status == BASE_UNCONVERGED) && (is_first || need > reach)) {
    reach = REACH_MARGIN * need;
    status = attempt(w, state, dt, reach, is_first, &need, report);
    is_first = 0;
  }
  base_arena_release(w->setup.arena, mark);
  return status;
}

/* What a substep did, to what those before it did. */
static void add_report(const struct form_report *x, struct form_report *sum) {
  sum->contacts = x->contacts > sum->contacts ? x->contacts : sum->contacts;
  sum->solves += x->solves;
  sum->iterations += x->iterations;
  sum->unconverged += x->unconverged;
  sum->internal_steps += x->internal_steps;
  sum->lag = x->lag;
  sum->eliminates |= x->eliminates;
  sum->dependent = x->dependent > sum->dependent ? x->dependent : sum->dependent;
  sum->mcp = x->mcp > sum->mcp ? x->mcp : sum->mcp;
  sum->phases = x->phases > sum->phases ? x->phases : sum->phases;
  sum->capped |= x->capped;
  if (x->by != NULL) {
    sum->by = x->by;
    sum->round = x->round;
  }
  if (x->graded > 0) {
    form_grade(&x->residual, &x->diagnostics, NULL, sum);
  }
  sum->optimality = x->optimality;
  sum->work.friction += x->work.friction;
  sum->work.impact += x->work.impact;
  sum->work.damping += x->work.damping;
  sum->work.applied += x->work.applied;
}

int form_impulse_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct impulse *w = workspace;
  const int n = ((const struct form_impulse_options *)w->setup.options)->substeps;
  if (n <= 1) {
    return substep(w, state, dt, report);
  }
  int worst = BASE_OK;
  *report = report_empty();
  report->internal_steps = 0;
  w->carried.n = 0;
  for (int k = 0; k < n; ++k) {
    struct form_report one;
    const int status = substep(w, state, dt / n, &one);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
    worst = status != BASE_OK ? status : worst;
    form_carried_add(&w->carried, one.n_carrying, one.carrying);
    add_report(&one, report);
  }
  report->n_carrying = w->carried.n;
  report->carrying = w->carried.id;
  return worst;
}

void form_impulse_checkpoint(void *workspace, struct base_blob *blob) {
  struct impulse *w = workspace;
  form_memory_pass(&w->memory, blob);
}
