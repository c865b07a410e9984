/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What happens at an event (see event.c): an impact (impact.c) where contacts approach or
 * velocities miss the bilateral constraints, then the modes the contacts go on with, from Coulomb's
 * law between accelerations and forces.
 *
 * A disk that is flat on a face touches all along its rim, and contacts know four points of it and
 * the deepest one, which is there only when the disk is tilted. A body that tips on the four would
 * be inside at once. So it is leant along its acceleration by a tilt that is rounding: the deepest
 * point is there and takes part, and the lean is right where the accelerations that follow from it
 * go along it. The equation x = g(x) of the lean has slopes below -1 where a body hardly tips; a
 * secant between the last two (Anderson 1965, depth one) finds it all the same.
 */
#include <gsl/gsl_odeiv2.h>
#include <math.h>

#include "base/sort.h"
#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"

/* Contacts at zero gap, and those that are closed; returns their number. index: as many as there
 * are potential contacts. */
static int touching(struct event *e, int *index) {
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
  event_flow_contacts(&e->flow, m, NULL, INFINITY, e->y, e->y + m->nq);
  for (int i = 0; i < n; ++i) { /* those that leave are open without question */
    if (e->flow.v[index[i] * dim] <= EVENT_SPEED_ZERO * m->speed) {
      allowed[k] = allowed_all[i];
      at[k++] = index[i];
    }
  }
  struct event_response response;
  int status = event_respond(&response, m, &e->flow, k, at, 1,
                             mech_phase_time(&e->flow.phase, e->t), e->y, e->y + m->nq, e->arena);
  if (status != BASE_OK) {
    return status;
  }
  double *b = base_arena_matrix(e->arena, dim, k), *mu = base_arena_doubles(e->arena, k);
  double *r = base_arena_matrix(e->arena, dim, k), *direction = base_arena_matrix(e->arena, dim, k);
  int *fixed = base_arena_ints(e->arena, k);
  enum event_mode *mode = base_arena_push(e->arena, (size_t)k * sizeof *mode);
  la_gemv_t(m->nu, dim * k, 1, response.W, response.a0, 0, b);
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

/* The modes of the touching contacts after an event, but for those that have ended. */
static int go_on(struct event *e, int n, const int *index) {
  unsigned *allowed = base_arena_push(e->arena, (size_t)n * sizeof *allowed);
  exclude(e, n, index, allowed);
  int status = choose_modes(e, n, index, allowed);
  if (status == BASE_FAILED && e->ended.n > 0) { /* the mode that ends may be the only one */
    e->ended.n = 0;
    exclude(e, n, index, allowed);
    status = choose_modes(e, n, index, allowed);
  }
  if (status != BASE_OK) {
    base_message_prefix("t = %.9g s: ", e->t);
  }
  return status;
}

/* How far the contact that opens most at the first leans by, over the system's length: within what
 * counts as touching. */
static const double LEAN = 5 * EVENT_GAP_ZERO;
/* Accelerations over the system's: less is none. */
static const double OPENS_LEAST = 1e-4, INSIDE_LEAST = 1e-7;
static const double LEAN_SAME = 1e-3; /* two leans are one */
enum { LEANS = 30 };

/* A disk that stands at q on n contacts, ids. */
struct standing {
  struct event *e;
  const double *q; /* nq */
  int n;
  const long *ids; /* n, ascending */
  double *du;      /* nu, accelerations of the present modes */
};

/* The accelerations du of the present modes, and the lean dq: where they take the place q until the
 * first contact to open is open by LEAN. *opens: whether one does. */
static int find_lean(const struct standing *s, double *dq, int *opens) {
  struct event *e = s->e;
  const struct mech *m = e->m;
  const double *u = e->y + m->nq;
  const int status = event_flow_evaluate(&e->flow, m, &e->modes, 0, e->t, e->y, u, e->arena);
  if (status != BASE_OK) {
    return status;
  }
  la_copy(m->nu, e->flow.du, s->du);
  event_flow_contacts(&e->flow, m, NULL, INFINITY, s->q, u);
  double *w = base_arena_matrix(e->arena, m->dim, e->flow.nc), most = 0;
  mech_contacts_velocity(&e->flow.contacts, s->du, w);
  for (int k = 0; k < s->n; ++k) {
    const int at = event_flow_find(&e->flow, s->ids[k]) * m->dim;
    most = fmax(most, w[at] + e->flow.contacts.bias[at]);
  }
  *opens = most > OPENS_LEAST * m->speed * m->speed / m->length;
  mech_qdot(m, s->q, s->du, dq, e->arena);
  for (int j = 0; j < m->nq; ++j) {
    dq[j] = *opens ? dq[j] * LEAN * m->length / most : 0;
  }
  return BASE_OK;
}

/* What touches at the place of y, index: as many as there are contacts; their number. *inside:
 * whether one of them is none of those that were, and the accelerations take it inside. */
static int touch_leaning(const struct standing *s, int *inside, int **index) {
  struct event *e = s->e;
  const struct mech *m = e->m;
  event_flow_contacts(&e->flow, m, NULL, INFINITY, e->y, e->y + m->nq);
  double *w = base_arena_matrix(e->arena, m->dim, e->flow.nc);
  *index = base_arena_ints(e->arena, e->flow.nc);
  const int n = touching(e, *index);
  mech_contacts_velocity(&e->flow.contacts, s->du, w);
  const double least = INSIDE_LEAST * m->speed * m->speed / m->length;
  *inside = 0;
  for (int i = 0, k = 0; i < n; ++i) {
    const int at = (*index)[i];
    *inside |= base_sorted_find(s->n, s->ids, e->flow.contacts.id[at], &k) < 0 &&
               w[at * m->dim] + e->flow.contacts.bias[at * m->dim] < -least;
  }
  return n;
}

/* The next lean x from the last two and where they lead, g; whether these are one. k: how many were
 * before. */
static int next_lean(int nq, int k, double *x, const double *g, double *x_last, double *g_last) {
  double most = 0, along = 0, size = 0;
  for (int j = 0; j < nq; ++j) {
    const double r = g[j] - x[j], d = r - (g_last[j] - x_last[j]);
    most = fmax(most, fabs(r));
    along += r * d;
    size += d * d;
  }
  const double part = k > 0 && size > 0 ? along / size : 0;
  const int is_one = most <= LEAN_SAME * la_norm_inf(nq, x);
  for (int j = 0; j < nq && !is_one; ++j) {
    const double next = g[j] - part * (g[j] - g_last[j]);
    x_last[j] = x[j];
    g_last[j] = g[j];
    x[j] = next;
  }
  return is_one;
}

/* The body leans where its contacts would let it go inside at once; else nothing changes. index: n
 * that touch. */
static int lean(struct event *e, int n, const int *index) {
  const int nq = e->m->nq;
  if (e->m->dim < 3 ||
      n < 2) { /* in the plane there are no rims; a point is the deepest by itself */
    return BASE_OK;
  }
  double *x = base_arena_doubles(e->arena, nq), *g = base_arena_doubles(e->arena, nq);
  double *x_last = base_arena_doubles(e->arena, nq), *g_last = base_arena_doubles(e->arena, nq);
  double *q = base_arena_doubles(e->arena, nq);
  long *ids = base_arena_longs(e->arena, n);
  const struct standing s = {e, q, n, ids, base_arena_doubles(e->arena, e->m->nu)};
  int opens = 0, inside = 0;
  la_copy(nq, e->y, q);
  event_flow_contacts(&e->flow, e->m, NULL, INFINITY, q, e->y + nq);
  for (int i = 0; i < n; ++i) {
    ids[i] = e->flow.contacts.id[index[i]];
  }
  int status = find_lean(&s, x, &opens);
  for (int k = 0; k < LEANS && status == BASE_OK && opens; ++k) {
    int *leant = NULL;
    la_copy(nq, q, e->y);
    la_axpy(nq, 1, x, e->y);
    const int now = touch_leaning(&s, &inside, &leant);
    if (k == 0 && !inside) {
      la_copy(nq, q, e->y);
      return BASE_OK;
    }
    status = go_on(e, now, leant);
    event_flow_contacts(&e->flow, e->m, NULL, INFINITY, e->y, e->y + nq);
    for (int i = 0; i < e->modes.n && status == BASE_OK; ++i) {
      e->modes.gap[i] = e->flow.contacts.gN[event_flow_find(&e->flow, e->modes.id[i])];
    }
    status = status != BASE_OK ? status : find_lean(&s, g, &opens);
    if (status == BASE_OK && opens && next_lean(nq, k, x, g, x_last, g_last)) {
      break;
    }
  }
  if (status == BASE_FAILED) { /* no modes on the way: upright, as it was */
    la_copy(nq, q, e->y);
    event_flow_contacts(&e->flow, e->m, NULL, INFINITY, e->y, e->y + nq);
    status = go_on(e, n, index);
  }
  return status;
}

/* What has leant stands upright again. */
static int straighten(struct event *e) {
  int leans = 0;
  for (int i = 0; i < e->modes.n; ++i) {
    leans |= e->modes.gap[i] != 0;
    e->modes.gap[i] = 0;
  }
  return leans ? event_put_back(e) : BASE_OK;
}

int event_process(struct event *e, const struct event_found *found) {
  const struct mech *m = e->m;
  int status = straighten(e);
  if (status != BASE_OK) {
    return status;
  }
  event_flow_contacts(&e->flow, m, &e->modes, INFINITY, e->y, e->y + m->nq);
  int *index = base_arena_ints(e->arena, e->flow.nc);
  const int n = touching(e, index), jumps = found->kind == EVENT_BREAK && constraints_jump(e);
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
  status = status != BASE_OK ? status : go_on(e, n, index);
  status = status != BASE_OK ? status : lean(e, n, index);
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
