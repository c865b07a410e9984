/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Smooth motion under given contact modes (see event.h): accelerations and contact forces from
 *
 *   M du/dt = h + W_S lambda_S + sum_closed (W_N lambda_N + W_T lambda_T),
 *   d/dt (W_S^T u) = 0,  d/dt (W_N^T u) = 0 where closed,  d/dt (W_T^T u) = 0 where sticking,
 *   lambda_T = -mu lambda_N v_T / |v_T| where sliding,
 *
 * the index-one form of the equations of motion (moeller 3.31, 3.7). What integration lets drift
 * off the surfaces g_S = 0, g_N = 0, gamma_S = 0, gamma_N = 0 is put back after every step by the
 * mass-orthogonal projection event_project(), a correction of the size of the integration error.
 * Redundant contacts correct what they agree on, and leave the rest (event_solve_semidefinite).
 *
 * In space the equation of the direction, d' = P v_T' / |v_T|, is singular at rest. Up to the speed
 * `slow` a contact that starts to slide goes along its acceleration (EVENT_START): friction at the
 * edge of its cone leaves v_T ~ t^2, so that a hundred times less speed would take ten times the
 * steps; the direction errs by |v_T| d' / v_T', the velocity by less than 1e-11 of the system's.
 * From half of it a contact that slows down keeps its direction d but for a turn (EVENT_STOP),
 *
 *   lambda_T = -mu lambda_N (d s + n v_T . n) / |d s + n v_T . n|,   n across d, s = slow / 2:
 *
 * the motion is smooth through v_T . d = 0, as in the plane, and an integrator whose tolerance is
 * more than the speed does not step over the stop, to and fro. The turn is that of Coulomb's law at
 * |v_T| = s; without it nothing would align the contacts of a body of light inertia, which a
 * difference of their moments in the last digit turns at once. Where the direction turns by an
 * angle a from there on the place errs by less than a |v_T|^2 / v_T'.
 */
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"

/* A contact that starts to slide and is accelerated backwards by more than this, relative to all
 * accelerations, is held by its friction: above what events are found to. */
static const double START_EDGE = 1e-8;

/* Closed contacts are nearer than this, over the system's length, in every step worth taking. */
static const double CLOSED_REACH = 1e-2;

void event_flow_init(struct event_flow *flow, const struct mech *m, struct base_arena *arena) {
  *flow = (struct event_flow){.m = m};
  flow->bilateral = mech_bilateral_alloc(m, MECH_BILATERAL_AUTO, arena);
  mech_contacts_init(&flow->contacts, m, arena);
  flow->store = base_arena_child(arena);
  flow->slow = EVENT_SLOW_SPEED * m->speed;
  flow->qdot = base_arena_doubles(arena, m->nq);
  flow->du = base_arena_doubles(arena, m->nu);
}

void event_flow_free(struct event_flow *flow) { mech_bilateral_free(flow->bilateral); }

static void reserve(struct event_flow *flow, int dim, int n) {
  if (n > flow->capacity) {
    flow->capacity = 2 * n;
    flow->mode = base_arena_array(flow->store, 2, (size_t)n, sizeof *flow->mode);
    flow->direction = base_arena_matrix(flow->store, 2 * (dim - 1), n);
    flow->force = base_arena_matrix(flow->store, 2 * dim, n);
    flow->v = base_arena_matrix(flow->store, 2 * dim, n);
  }
}

void event_flow_contacts(struct event_flow *flow, const struct event_modes *modes, double reach,
                         const double *q, const double *u) {
  const struct mech *m = flow->m;
  struct mech_contacts *c = &flow->contacts;
  mech_contacts_find(m, q, u, reach, c);
  flow->nc = c->n;
  reserve(flow, m->dim, c->n);
  mech_contacts_velocity(c, u, flow->v);
  if (c->n > 0) {
    memset(flow->force, 0, (size_t)m->dim * (size_t)c->n * sizeof *flow->force);
  }
  int k = 0, found = 0;
  const int n = modes == NULL ? 0 : modes->n;
  flow->strays = flow->lost = 0;
  for (int i = 0; i < c->n; ++i) { /* ids ascend in both */
    const int closed = n > 0 && base_sorted_find(n, modes->id, c->id[i], &k) >= 0;
    const int strays = closed && c->piece[i].number != modes->piece[k];
    const int lost = strays && c->piece[i].inside > EVENT_GAP_ZERO * m->length;
    flow->mode[i] = closed && !lost ? modes->mode[k] : EVENT_OPEN; /* lost: another contact */
    flow->strays |= strays;
    flow->lost |= lost;
    found += closed;
    if (closed) {
      la_copy(m->dim - 1, modes->direction + k * (m->dim - 1), flow->direction + i * (m->dim - 1));
    }
  }
  flow->strays |= found < n;
  flow->lost |= found < n;
}

int event_flow_find(const struct event_flow *flow, long id) {
  int low = 0, high = flow->nc;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (flow->contacts.id[middle] < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < flow->nc && flow->contacts.id[low] == id ? low : -1;
}

/* What forces of the n closed contacts do, the mass matrix and the joints being factored. */
static void respond_to_contacts(struct event_response *out, const struct event_flow *flow, int n,
                                const int *index, struct base_arena *arena) {
  const struct mech *m = flow->m;
  const int nu = m->nu, ns = m->ns, columns = m->dim * n;
  out->W = base_arena_matrix(arena, nu, columns);
  out->X = base_arena_matrix(arena, nu, columns);
  out->A = base_arena_matrix(arena, columns, columns);
  out->S = base_arena_matrix(arena, ns, columns);
  for (int i = 0; i < n; ++i) {
    mech_contacts_add_columns(&flow->contacts, index[i],
                              out->W + (size_t)i * (size_t)(m->dim * nu));
  }
  la_copy((long)nu * columns, out->W, out->X);
  mech_mass_solve(m, out->L, columns, out->X);
  for (int k = 0; k < columns && ns > 0; ++k) {
    mech_bilateral_velocity(flow->bilateral, out->X + (long)k * nu, out->S + (long)k * ns);
  }
  mech_bilateral_eliminate(flow->bilateral, columns, out->S, out->X);
  la_gemm_t(columns, columns, nu, 1, out->W, out->X, 0, out->A);
}

int event_respond(struct event_response *out, struct event_flow *flow, int n, const int *index,
                  struct event_state at, struct base_arena *arena) {
  const struct mech *m = flow->m;
  *out = (struct event_response){.L = base_arena_push(arena, mech_mass_size(m) * sizeof(double))};
  mech_set_time(m, at.t);
  if (mech_mass_factor(m, at.q, out->L) != BASE_OK) {
    base_fail(BASE_FAILED, "the mass matrix is not positive definite");
    return BASE_FAILED;
  }
  if (mech_bilateral_build(flow->bilateral, at.q, out->L) != BASE_OK) {
    return BASE_FAILED;
  }
  if (n > 0) {
    respond_to_contacts(out, flow, n, index, arena);
  }
  return BASE_OK;
}

struct event_free event_free_motion(const struct event_response *response, struct event_flow *flow,
                                    struct event_state at, struct base_arena *arena) {
  const struct mech *m = flow->m;
  const struct event_free out = {base_arena_doubles(arena, m->nu),
                                 base_arena_doubles(arena, m->ns)};
  m->ops->force(m, at.q, at.u, at.t, out.a);
  mech_mass_solve(m, response->L, 1, out.a);
  if (m->ns > 0) {
    double *rate = base_arena_doubles(arena, m->ns);
    mech_bilateral_bias(m, at.q, at.u, out.s, arena);
    mech_bilateral_velocity(flow->bilateral, out.a, rate);
    la_axpy(m->ns, 1, rate, out.s);
    mech_bilateral_eliminate(flow->bilateral, 1, out.s, out.a);
  }
  return out;
}

/* Direction in which a contact slides: its velocity's, or the given one while it has none. In the
 * plane it is part of the mode, so that the flow is smooth through v_T = 0; of slow sliding so is
 * the speed by which it turns. */
static void slide_direction(const struct event_flow *flow, enum event_mode mode, const double *v,
                            const double *given, double *d) {
  la_copy(flow->m->dim - 1, given, d);
  if (flow->m->dim == 2 || (mode != EVENT_SLIDE && mode != EVENT_STOP)) {
    return;
  }
  double along[2] = {v[1], v[2]};
  if (mode == EVENT_STOP) {
    const double across = given[0] * v[2] - given[1] * v[1], ahead = 0.5 * flow->slow;
    along[0] = ahead * given[0] - across * given[1];
    along[1] = ahead * given[1] + across * given[0];
  }
  const double speed = la_norm2(2, along);
  for (int e = 0; e < 2 && speed > 0; ++e) {
    d[e] = along[e] / speed;
  }
}

/* Contact forces lambda, dim x n, of the n closed contacts, which accelerate by a0 without them. */
static const double *closed_forces(struct event_flow *flow, const struct event_response *response,
                                   const double *a0, int n, const int *index, int with_margin,
                                   struct base_arena *arena) {
  const struct mech *m = flow->m;
  const int dim = m->dim, size = dim * n;
  const struct mech_contacts *c = &flow->contacts;
  double *b = base_arena_doubles(arena, size), *mu = base_arena_doubles(arena, n);
  double *direction = base_arena_matrix(arena, n, dim - 1);
  int *seeks = base_arena_ints(arena, n);
  enum event_mode *mode = base_arena_push(arena, (size_t)n * sizeof *mode);
  la_gemv_t(m->nu, size, 1, response->W, a0, 0, b);
  for (int i = 0; i < n; ++i) {
    const int at = index[i];
    la_axpy(dim, 1, c->bias + at * dim, b + i * dim);
    mu[i] = c->mu[at];
    seeks[i] = flow->mode[at] == EVENT_START;
    mode[i] = flow->mode[at] == EVENT_STICK ? EVENT_STICK : EVENT_SLIDE;
    slide_direction(flow, flow->mode[at], flow->v + at * dim, flow->direction + at * (dim - 1),
                    direction + i * (dim - 1));
  }
  struct event_closed closed = {.dim = dim,
                                .n = n,
                                .A = response->A,
                                .b = b,
                                .mu = mu,
                                .W = response->W,
                                .X = response->X,
                                .nu = m->nu,
                                .mode = mode,
                                .seeks = seeks,
                                .direction = direction,
                                .r = base_arena_doubles(arena, size),
                                .w = base_arena_doubles(arena, size)};
  event_forces(&closed, arena);
  const double edge = START_EDGE * la_norm_inf(size, b);
  for (int i = 0; i < n; ++i) {
    flow->sticks |=
        seeks[i] && la_dot(dim - 1, closed.w + i * dim + 1, direction + i * (dim - 1)) < -edge;
  }
  flow->redundant = closed.redundant;
  if (with_margin) {
    double *shared = base_arena_doubles(arena, size);
    la_copy(size, closed.r, shared);
    flow->margin = event_margin(&closed, shared, 0, arena);
    flow->several = event_turns_otherwise(&closed, shared, arena);
  }
  return closed.r;
}

/* Power of an optional force f(q, u, t). */
static double power_of(void (*force)(const struct mech *, const double *, const double *, double,
                                     double *),
                       const struct mech *m, struct event_state at, struct base_arena *arena) {
  if (force == NULL) {
    return 0;
  }
  double *f = base_arena_doubles(arena, m->nu);
  force(m, at.q, at.u, at.t, f);
  return la_dot(m->nu, f, at.u);
}

/* Power by which prescribed motion drives the system, s . chi with lambda_S = -s [W]. */
static double power_of_motion(const struct mech *m, const double *s, const double *q,
                              struct base_arena *arena) {
  if (m->ops->driven.bilateral_drift == NULL) {
    return 0;
  }
  double *chi = base_arena_doubles(arena, m->ns);
  m->ops->driven.bilateral_drift(m, q, chi);
  return la_dot(m->ns, s, chi);
}

/* The closed contacts; their number. closed: nc. */
static int list_closed(const struct event_flow *flow, int *closed) {
  int n = 0;
  for (int i = 0; i < flow->nc; ++i) {
    if (flow->mode[i] != EVENT_OPEN) {
      closed[n++] = i;
    }
  }
  return n;
}

int event_flow_evaluate(struct event_flow *flow, const struct event_modes *modes, int all,
                        struct event_state at, struct base_arena *arena) {
  const struct mech *m = flow->m;
  at.t = mech_phase_time(&flow->phase, at.t);
  event_flow_contacts(flow, modes, all ? INFINITY : CLOSED_REACH * m->length, at.q, at.u);
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *closed = base_arena_ints(arena, flow->nc);
  const int n = list_closed(flow, closed), size = m->dim * n;
  struct event_response response;
  const int status = event_respond(&response, flow, n, closed, at, arena);
  if (status == BASE_OK) {
    const struct event_free unheld = event_free_motion(&response, flow, at, arena);
    const double *lambda = NULL;
    flow->sticks = flow->redundant = flow->several = 0;
    flow->margin = 1;
    la_copy(m->nu, unheld.a, flow->du);
    if (n > 0) {
      lambda = closed_forces(flow, &response, unheld.a, n, closed, all, arena);
      la_gemv(m->nu, size, 1, response.X, lambda, 1, flow->du);
      if (m->ops->driven.bilateral_drift != NULL) { /* who asks for the power of joints */
        la_gemv(m->ns, size, 1, response.S, lambda, 1, unheld.s);
      }
    }
    mech_qdot(m, at.q, at.u, flow->qdot, arena);
    flow->power[0] = 0;
    for (int i = 0; i < n; ++i) {
      const double *v = flow->v + closed[i] * m->dim;
      la_copy(m->dim, lambda + i * m->dim, flow->force + closed[i] * m->dim);
      if (flow->mode[closed[i]] != EVENT_STICK) {
        flow->power[0] += la_dot(m->dim - 1, lambda + i * m->dim + 1, v + 1);
      }
    }
    flow->power[1] = power_of(m->ops->damping, m, at, arena);
    flow->power[2] =
        power_of(m->ops->applied, m, at, arena) + power_of_motion(m, unheld.s, at.q, arena);
  }
  base_arena_release(arena, mark);
  return status;
}

/* What a correction puts right: gaps (level 0), or rates (1), of the n closed contacts, which may
 * be off by `most`; as k unknowns, row, components of r, and what is missing there, y. */
struct correction {
  int level;
  double most;
  int n, k;
  int *closed, *row; /* n, up to dim n */
  double *y;         /* up to dim n */
};

/* BASE_FAILED where a contact is off by more. */
static int list_corrections(struct correction *c, const struct event_flow *flow,
                            const struct event_modes *modes) {
  const int dim = flow->m->dim;
  for (int i = 0, mode = 0; i < c->n; ++i) {
    const int at = c->closed[i], rows = c->level == 1 && flow->mode[at] == EVENT_STICK ? dim : 1;
    base_sorted_find(modes->n, modes->id, flow->contacts.id[at], &mode); /* ids ascend in both */
    for (int d = 0; d < rows; ++d) {
      const double y =
          c->level == 0 ? modes->gap[mode] - flow->contacts.gN[at] : -flow->v[at * dim + d];
      if (!(fabs(y) <= c->most)) {
        return base_fail(BASE_FAILED,
                         "%s: closed contact %ld has a %s of %.3g %s; integration lets drift no "
                         "more than %.3g",
                         flow->m->name, flow->contacts.id[at], c->level == 0 ? "gap" : "velocity",
                         -y, c->level == 0 ? "m" : "m/s", c->most);
      }
      c->y[c->k] = y;
      c->row[c->k++] = i * dim + d;
    }
  }
  return BASE_OK;
}

/* The correction, of the size of round-off: one step is enough. */
static int project_contacts(struct correction c, struct event_flow *flow,
                            const struct event_modes *modes, double t, double *q, double *u,
                            struct base_arena *arena) {
  const struct mech *m = flow->m;
  struct event_response response;
  event_flow_contacts(flow, modes, CLOSED_REACH * m->length, q, u);
  c.closed = base_arena_ints(arena, flow->nc);
  c.n = list_closed(flow, c.closed);
  if (c.n <= 0) {
    return BASE_OK;
  }
  const int size = m->dim * c.n;
  int status = event_respond(&response, flow, c.n, c.closed, (struct event_state){t, q, u}, arena);
  if (status != BASE_OK) {
    return status;
  }
  c.row = base_arena_ints(arena, size);
  c.y = base_arena_doubles(arena, size);
  status = list_corrections(&c, flow, modes);
  if (status != BASE_OK) {
    return status;
  }
  double *x = base_arena_doubles(arena, size), *r = base_arena_doubles(arena, size);
  double *K = base_arena_matrix(arena, size, size);
  for (int j = 0; j < c.k; ++j) {
    for (int i = 0; i < c.k; ++i) {
      K[event_at(j, c.k, i)] = response.A[event_at(c.row[j], size, c.row[i])];
    }
  }
  event_solve_semidefinite(c.k, K, c.y, x, arena);
  for (int j = 0; j < c.k; ++j) {
    r[c.row[j]] = x[j];
  }
  double *du = base_arena_doubles(arena, m->nu), *dq = base_arena_doubles(arena, m->nq);
  la_gemv(m->nu, size, 1, response.X, r, 0, du);
  if (c.level == 0) {
    mech_qdot(m, q, du, dq, arena);
    la_axpy(m->nq, 1, dq, q);
  } else {
    la_axpy(m->nu, 1, du, u);
  }
  return BASE_OK;
}

int event_project(struct event_flow *flow, const struct event_modes *modes, struct mech_drift most,
                  double t, double *q, double *u, struct base_arena *arena) {
  const struct mech *m = flow->m;
  mech_set_time(m, t);
  int status = m->ns > 0 ? mech_project_with(flow->bilateral, most, q, u, arena) : BASE_OK;
  const struct base_arena_mark mark = base_arena_mark(arena);
  for (int level = 0; level < 2 && modes->n > 0 && status == BASE_OK; ++level) {
    const struct correction c = {.level = level, .most = level == 0 ? most.q : most.u};
    status = project_contacts(c, flow, modes, t, q, u, arena);
  }
  base_arena_release(arena, mark);
  return status;
}
