/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens at an event (see event.c): an impact (impact.c) where contacts approach or
 * velocities miss the bilateral constraints, then the modes the contacts go on with, from Coulomb's
 * law between accelerations and forces. Disks that tip on a face lean first (lean.c).
 */
#include <gsl/gsl_odeiv2.h>
#include <math.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"

int event_touching(struct event *e, int *index) {
  const double zero = EVENT_GAP_ZERO * e->m->length;
  int n = 0;
  for (int i = 0; i < e->flow.nc; ++i) {
    /* Ten times the event's own tolerance: contacts that touch at one time are found together. */
    if (e->flow.mode[i] != EVENT_OPEN || e->flow.contacts.gN[i] <= 10 * zero) {
      index[n++] = i;
    }
  }
  return n;
}

void event_reserve_modes(struct event *e, int n) {
  if (n > e->capacity) {
    e->capacity = 2 * n;
    e->modes.id = base_arena_longs(e->store, e->capacity);
    e->modes.mode = base_arena_push(e->store, (size_t)e->capacity * sizeof *e->modes.mode);
    e->modes.piece = base_arena_ints(e->store, e->capacity);
    e->modes.gap = base_arena_doubles(e->store, e->capacity);
    e->modes.direction = base_arena_matrix(e->store, e->capacity, e->m->dim - 1);
  }
}

void event_note_directions(struct event *e) {
  const struct event_flow *flow = &e->flow;
  const int dim = e->m->dim;
  for (int i = 0, k = 0; dim > 2 && i < flow->nc && k < e->modes.n; ++i) { /* ids ascend in both */
    if (flow->contacts.id[i] != e->modes.id[k]) {
      continue;
    }
    const double *v = flow->v + i * dim + 1, speed = la_norm2(dim - 1, v);
    for (int d = 0; e->modes.mode[k] == EVENT_SLIDE && speed > 0 && d + 1 < dim; ++d) {
      e->modes.direction[k * (dim - 1) + d] = v[d] / speed;
    }
    ++k;
  }
}

/* How a contact in space slides on, with velocity v_T and acceleration w_T along d: of a light body
 * w_T may be rounding, and decides only where both modes would do. */
static enum event_mode slide_mode(const struct event *e, int is_moving, const double *v,
                                  const double *w, const double *d) {
  const double speed = la_norm2(2, v), slow = e->flow.slow;
  const int is_slow = speed <= 0.5 * slow || (speed <= slow && la_dot(2, w, d) < 0);
  return !is_moving ? EVENT_START : is_slow ? EVENT_STOP : EVENT_SLIDE;
}

/* Choose modes of the touching contacts on acceleration level. allowed: n. */
static int choose_modes(struct event *e, int n, const int *index, const unsigned *allowed_all) {
  const struct mech *m = e->m;
  const int dim = m->dim;
  int *at = base_arena_ints(e->arena, n), k = 0;
  unsigned *allowed = base_arena_push(e->arena, (size_t)n * sizeof *allowed);
  event_flow_contacts(&e->flow, NULL, INFINITY, e->y, e->y + m->nq);
  for (int i = 0; i < n; ++i) { /* those that leave are open without question */
    if (e->flow.v[index[i] * dim] <= EVENT_SPEED_ZERO * m->speed) {
      allowed[k] = allowed_all[i];
      at[k++] = index[i];
    }
  }
  const struct event_state now = {mech_phase_time(&e->flow.phase, e->t), e->y, e->y + m->nq};
  struct event_response response;
  int status = event_respond(&response, &e->flow, k, at, now, e->arena);
  if (status != BASE_OK) {
    return status;
  }
  double *b = base_arena_matrix(e->arena, dim, k), *mu = base_arena_doubles(e->arena, k);
  double *r = base_arena_matrix(e->arena, dim, k), *direction = base_arena_matrix(e->arena, dim, k);
  int *fixed = base_arena_ints(e->arena, k);
  enum event_mode *mode = base_arena_push(e->arena, (size_t)k * sizeof *mode);
  la_gemv_t(m->nu, dim * k, 1, response.W, event_free_motion(&response, &e->flow, now, e->arena).a,
            0, b);
  for (int i = 0; i < k; ++i) {
    const double *v = e->flow.v + at[i] * dim;
    const double speed = la_norm2(dim - 1, v + 1);
    la_axpy(dim, 1, e->flow.contacts.bias + at[i] * dim, b + i * dim);
    mu[i] = e->flow.contacts.mu[at[i]];
    if (event_take_frictionless(dim, mu[i], &allowed[i], &fixed[i], direction + i * (dim - 1))) {
      continue;
    }
    fixed[i] = speed > EVENT_SPEED_ZERO * m->speed;
    for (int d = 0; fixed[i] && d + 1 < dim; ++d) {
      direction[i * (dim - 1) + d] = v[1 + d] / speed;
    }
  }
  struct event_choice choice = {.dim = dim,
                                .n = k,
                                .A = response.A,
                                .b = b,
                                .mu = mu,
                                .fixed = fixed,
                                .allowed = allowed,
                                .direction = direction,
                                .mode = mode,
                                .r = r,
                                .deadline = e->deadline};
  status = event_choose(&choice, e->arena);
  if (status == BASE_OK && event_moves_otherwise(&choice, e->arena)) {
    e->report->several = 1;
  }
  la_gemv(dim * k, dim * k, 1, response.A, r, 1, b); /* accelerations */
  event_reserve_modes(e, k);
  e->modes.n = 0;
  for (int i = 0; i < k && status == BASE_OK; ++i) {
    if (mode[i] != EVENT_OPEN) {
      const int to = e->modes.n++;
      e->modes.id[to] = e->flow.contacts.id[at[i]];
      e->modes.piece[to] = e->flow.contacts.piece[at[i]].number;
      e->modes.gap[to] = 0;
      e->modes.mode[to] = mode[i] == EVENT_SLIDE && dim > 2
                              ? slide_mode(e, fixed[i], e->flow.v + at[i] * dim + 1,
                                           b + i * dim + 1, direction + i * (dim - 1))
                              : mode[i];
      la_copy(dim - 1, direction + i * (dim - 1), e->modes.direction + to * (dim - 1));
    }
  }
  return status;
}

/* Note the mode that has ended, if any. */
static void note_ended(struct event *e, const struct event_found *found) {
  struct event_ended *ended = &e->ended;
  const int i = event_flow_find(&e->flow, found->id);
  const int slips = found->kind == EVENT_SECOND && i >= 0 && e->flow.mode[i] == EVENT_STICK;
  if (e->t > ended->t + EVENT_SAME_TIME * e->dt) {
    ended->n = 0;
  }
  if (found->kind != EVENT_LIFT && !slips) {
    return;
  }
  if (ended->n == 0) {
    ended->t = e->t;
  }
  if (ended->n == ended->capacity) {
    const struct event_ended old = *ended;
    ended->capacity = 2 * old.n + 8;
    ended->id = base_arena_longs(e->store, ended->capacity);
    ended->allowed = base_arena_push(e->store, (size_t)ended->capacity * sizeof *ended->allowed);
    for (int k = 0; k < old.n; ++k) {
      ended->id[k] = old.id[k];
      ended->allowed[k] = old.allowed[k];
    }
  }
  ended->id[ended->n] = found->id;
  ended->allowed[ended->n++] = slips ? EVENT_ANY & ~EVENT_BIT(EVENT_STICK) : EVENT_BIT(EVENT_OPEN);
}

/* What the n touching contacts may do: allowed. */
static void exclude(const struct event *e, int n, const int *index, unsigned *allowed) {
  for (int i = 0; i < n; ++i) {
    allowed[i] = EVENT_ANY;
    for (int k = 0; k < e->ended.n; ++k) {
      if (e->flow.contacts.id[index[i]] == e->ended.id[k]) {
        allowed[i] &= e->ended.allowed[k];
      }
    }
  }
}

/* Whether velocities miss the bilateral constraints, as where prescribed motion jumps. */
static int constraints_jump(const struct event *e) {
  mech_set_time(e->m, mech_phase_time(&e->flow.phase, e->t));
  return mech_rates_jump(e->m, e->y, e->y + e->m->nq, e->arena);
}

int event_go_on(struct event *e, int n, const int *index) {
  unsigned *allowed = base_arena_push(e->arena, (size_t)n * sizeof *allowed);
  exclude(e, n, index, allowed);
  int status = choose_modes(e, n, index, allowed);
  if (event_is_without_modes(status) && e->ended.n > 0) { /* that which ends may be the only one */
    e->ended.n = 0;
    exclude(e, n, index, allowed);
    status = choose_modes(e, n, index, allowed);
  }
  if (status != BASE_OK) {
    base_message_prefix("t = %.9g s: ", e->t);
  }
  return status;
}

int event_process(struct event *e, const struct event_found *found) {
  const struct mech *m = e->m;
  int status = event_straighten(e);
  if (status != BASE_OK) {
    return status;
  }
  event_flow_contacts(&e->flow, &e->modes, INFINITY, e->y, e->y + m->nq);
  int *index = base_arena_ints(e->arena, e->flow.nc);
  const int n = event_touching(e, index), jumps = found->kind == EVENT_BREAK && constraints_jump(e);
  int is_impact = jumps;
  for (int i = 0; i < n; ++i) {
    is_impact = is_impact || e->flow.v[index[i] * m->dim] < -EVENT_SPEED_ZERO * m->speed;
  }
  if (is_impact) {
    e->ended.n = 0;
    status = event_impact(e, n, index, jumps);
  } else {
    note_ended(e, found);
  }
  status = status != BASE_OK ? status : event_go_on(e, n, index);
  status = status != BASE_OK ? status : event_lean(e, n, index);
  if (status != BASE_OK) {
    return status;
  }
  form_carried_add(&e->carried, e->modes.n, e->modes.id);
  event_forget_stiffness(e);
  gsl_odeiv2_evolve_reset(e->evolve);
  gsl_odeiv2_step_reset(e->step);
  /* A located event is as accurate as a step, and its drift is put back after the next one. At once
   * that would turn a body that begins to tilt: back to where its new contact is not there. */
  return found->kind == EVENT_BREAK ? event_put_back(e) : BASE_OK;
}
