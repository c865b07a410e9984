/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `event`: event-driven integration, the truth of the harness for systems with few contacts.
 * Between events the motion is smooth under fixed contact modes (event_flow.c) and is integrated by
 * one of GSL's high-order Runge-Kutta methods; events end a smooth phase:
 *
 *   touch    g_N of an open contact reaches zero from above
 *   lift     lambda_N of a closed contact reaches zero
 *   stop     the sliding velocity reaches zero
 *   slip     |lambda_T| of a sticking contact reaches mu lambda_N
 *
 * Each is located by Brent's method on the event function, the step repeated with a shorter length,
 * so that the state at the event is as accurate as any other. Contacts that touch with approaching
 * velocity get Newton's impact law (moeller 5.2) with all closed contacts in one problem; then new
 * modes are chosen on acceleration level (event_modes.c). Impacts slower than rest_speed are taken
 * as inelastic: that ends accumulating bounces.
 *
 * Work of friction, damping and applied forces is integrated along with the state, so that the
 * energy budget closes to the tolerance of the integration.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event.h"
#include "form/form.h"
#include "la/dense.h"

struct event_options {
  double rtol, atol;
  double rest_speed;
  double max_step;
  int max_events;
  int stepper;
};

static const struct base_option event_options[] = {
    BASE_OPTION_REAL(struct event_options, rtol, 1e-12, 1e-15, 1e-2, "",
                     "relative error a step of the integration"),
    BASE_OPTION_REAL(struct event_options, atol, 1e-14, 1e-18, 1e-2, "",
                     "absolute error a step, in units of the system's length and speed"),
    BASE_OPTION_REAL(struct event_options, rest_speed, 1e-6, 0, 1, "",
                     "impacts slower than this fraction of the system's speed are inelastic"),
    BASE_OPTION_REAL(struct event_options, max_step, INFINITY, 0, INFINITY, "s",
                     "largest step of the integration"),
    BASE_OPTION_INT(struct event_options, max_events, 100000, 1, 1e9,
                    "events in one output step before the run is given up"),
    BASE_OPTION_CHOICE(struct event_options, stepper, 0, "rk8pd|rkf45|rkck",
                       "Runge-Kutta pair (GSL)"),
    BASE_OPTION_END};

/* Gaps and velocities this small, relative to the system's scales, are zero: a few hundred times
 * the round-off that positions and velocities of that size carry, and far below any error of
 * interest. */
static const double GAP_ZERO = 1e-13;
static const double SPEED_ZERO = 1e-11;
/* Sliding in space has stopped below this; less than SPEED_ZERO, so that the contact then counts as
 * sticking.
 */
static const double STOP_SPEED = 5e-12;
/* Event functions of force are judged against the forces around with this much slack. */
static const double FORCE_ZERO = 1e-10;
enum { ROOT_ITERATIONS = 200 };
/* Internal steps in one output step; beyond, tolerance and system do not fit each other. */
enum { STEPS_MAX = 1000000 };

struct event {
  const struct mech *m;
  const struct event_options *options;
  struct base_arena *arena;
  struct event_flow flow;
  int ny;                   /* nq + nu + EVENT_POWERS */
  enum event_mode *mode;    /* nc */
  double *direction;        /* (dim - 1) x nc */
  double *y, *y0, *y_trial; /* ny */
  double *values;           /* nc, event functions */
  double t, h;
  gsl_odeiv2_step *step;
  gsl_odeiv2_control *control;
  gsl_odeiv2_evolve *evolve;
  gsl_odeiv2_system system;
  gsl_root_fsolver *solver;
  int started;
  struct form_report *report;
};

static int rhs(double t, const double y[], double dydt[], void *params) {
  struct event *e = params;
  const struct mech *m = e->m;
  if (event_flow_evaluate(&e->flow, m, e->mode, e->direction, t, y, y + m->nq, e->arena) !=
      BASE_OK) {
    return GSL_EBADFUNC;
  }
  la_copy(m->nq, e->flow.qdot, dydt);
  la_copy(m->nu, e->flow.du, dydt + m->nq);
  la_copy(EVENT_POWERS, e->flow.power, dydt + m->nq + m->nu);
  return GSL_SUCCESS;
}

/* Event functions at a state: positive while the mode of the contact lasts. */
static int event_values(struct event *e, double t, const double *y, double *values) {
  const struct mech *m = e->m;
  if (event_flow_evaluate(&e->flow, m, e->mode, e->direction, t, y, y + m->nq, e->arena) !=
      BASE_OK) {
    return BASE_FAILED;
  }
  const struct mech_contacts *c = &e->flow.contacts;
  for (int i = 0; i < e->flow.nc; ++i) {
    values[i] = e->mode[i] == EVENT_OPEN ? c->gN[i] : e->flow.force[i * m->dim];
  }
  return BASE_OK;
}

/* What watches a contact beside values[]: sliding speed, or the friction margin. In the plane the
 * speed along the mode's direction changes sign; in space the equations of sliding are singular at
 * rest, and the speed is followed down to STOP_SPEED. */
static double second_value(const struct event *e, int i) {
  const struct mech *m = e->m;
  const double *v = e->flow.v + i * m->dim, *f = e->flow.force + i * m->dim;
  if (m->dim == 1 || e->mode[i] == EVENT_OPEN) {
    return INFINITY;
  }
  if (e->mode[i] == EVENT_STICK) {
    return e->flow.contacts.mu[i] * f[0] - la_norm2(m->dim - 1, f + 1);
  }
  return m->dim == 2 ? v[1] * e->direction[i] : la_norm2(m->dim - 1, v + 1) - STOP_SPEED * m->speed;
}

/* How far below zero second_value() must be to be an event. */
static double second_zero(const struct event *e, int i, double force) {
  if (e->mode[i] == EVENT_SLIDE) {
    return e->m->dim > 2 ? 0 : SPEED_ZERO * e->m->speed;
  }
  return FORCE_ZERO * force;
}

/* Largest contact force at the present flow, the scale for force events. */
static double force_scale(const struct event *e) {
  return la_norm_inf(e->m->dim * e->flow.nc, e->flow.force);
}

enum watch { WATCH_FIRST, WATCH_SECOND, WATCH_RATE };

struct probe {
  struct event *e;
  int contact;
  enum watch watch;
  double t0, h;
};

/* State after a part of the step, y_trial = y(t0 + theta h), and the watched function there. */
static double probe_value(double theta, void *params) {
  const struct probe *p = params;
  struct event *e = p->e;
  double *error = base_arena_doubles(e->arena, e->ny);
  la_copy(e->ny, e->y0, e->y_trial);
  gsl_odeiv2_step_reset(e->step);
  if (theta > 0 && gsl_odeiv2_step_apply(e->step, p->t0, theta * p->h, e->y_trial, error, NULL,
                                         NULL, &e->system) != GSL_SUCCESS) {
    return NAN;
  }
  const double t = p->t0 + theta * p->h;
  if (event_values(e, t, e->y_trial, e->values) != BASE_OK) {
    return NAN;
  }
  return p->watch == WATCH_FIRST    ? e->values[p->contact]
         : p->watch == WATCH_SECOND ? second_value(e, p->contact)
                                    : e->flow.v[p->contact * e->m->dim];
}

/* Root in (lo, hi) with a sign change; the point returned lies on hi's side of it, or on it. */
static double locate(struct probe *p, double lo, double hi) {
  gsl_function f = {.function = probe_value, .params = p};
  const struct base_arena_mark mark = base_arena_mark(p->e->arena);
  const double end = probe_value(hi, p);
  if (end == 0 || probe_value(lo, p) == 0 ||
      gsl_root_fsolver_set(p->e->solver, &f, lo, hi) != GSL_SUCCESS) {
    base_arena_release(p->e->arena, mark);
    return end == 0 ? hi : lo;
  }
  for (int k = 0; k < ROOT_ITERATIONS; ++k) {
    if (gsl_root_fsolver_iterate(p->e->solver) != GSL_SUCCESS) {
      break;
    }
    const double a = gsl_root_fsolver_x_lower(p->e->solver);
    const double b = gsl_root_fsolver_x_upper(p->e->solver);
    if (gsl_root_test_interval(a, b, 0, 4 * DBL_EPSILON) == GSL_SUCCESS) {
      break;
    }
  }
  const double root = gsl_root_fsolver_root(p->e->solver);
  base_arena_release(p->e->arena, mark);
  return root;
}

/* Earliest event of contact i in the step as a fraction of it; 2 when there is none. first0, rate0,
 * second0: at the beginning; the flow holds the end. */
struct ends {
  double first[2], second[2], rate[2];
};

static double open_event(struct probe *p, const struct ends *s, double zero) {
  double lo = 0, hi = 1;
  p->watch = WATCH_RATE;
  if (s->first[1] < -zero) {
    if (s->rate[0] > 0) { /* it rose first: leave out the part where it may start at zero */
      lo = locate(p, 0, 1);
    } else if (s->first[0] <= 0) {
      return 0;
    }
  } else if (s->rate[0] < 0 && s->rate[1] > 0) { /* a dip inside the step */
    hi = locate(p, 0, 1);
    p->watch = WATCH_FIRST;
    const struct base_arena_mark mark = base_arena_mark(p->e->arena);
    const double lowest = probe_value(hi, p);
    base_arena_release(p->e->arena, mark);
    if (lowest >= -zero) {
      return 2;
    }
    if (s->first[0] <= 0) {
      return 0;
    }
  } else {
    return 2;
  }
  p->watch = WATCH_FIRST;
  return locate(p, lo, hi);
}

static double closed_event(struct probe *p, const struct ends *s, double zero, double zero2,
                           int *second) {
  double first = 2, other = 2;
  p->watch = WATCH_FIRST;
  if (s->first[1] < -zero) {
    first = s->first[0] > 0 ? locate(p, 0, 1) : 0;
  }
  p->watch = WATCH_SECOND;
  if (s->second[1] < -zero2) {
    /* Below zero all along: only just begun, or ended as soon as begun. */
    other = s->second[0] > 0 ? locate(p, 0, 1) : s->second[1] < s->second[0] ? 0 : 2;
  }
  *second = other < first;
  return fmin(first, other);
}

/* After a step from (t0, y0) to (t0 + h, y): the earliest event inside. Returns its fraction (2:
 * none) and what it concerns. */
static double find_event(struct event *e, double t0, double h, int *contact, int *second) {
  const struct mech *m = e->m;
  const int nc = e->flow.nc, dim = m->dim;
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  struct ends *ends = base_arena_push(e->arena, (size_t)nc * sizeof *ends);
  double scale = 0;
  for (int side = 0; side < 2; ++side) {
    if (event_values(e, t0 + side * h, side == 0 ? e->y0 : e->y, e->values) != BASE_OK) {
      base_arena_release(e->arena, mark);
      return NAN;
    }
    for (int i = 0; i < nc; ++i) {
      ends[i].first[side] = e->values[i];
      ends[i].second[side] = second_value(e, i);
      ends[i].rate[side] = e->flow.v[i * dim];
    }
    scale = fmax(scale, force_scale(e));
  }
  double earliest = 2;
  for (int i = 0; i < nc; ++i) {
    struct probe p = {.e = e, .contact = i, .t0 = t0, .h = h};
    int which = 0;
    const double theta = e->mode[i] == EVENT_OPEN ? open_event(&p, &ends[i], GAP_ZERO * m->length)
                                                  : closed_event(&p, &ends[i], FORCE_ZERO * scale,
                                                                 second_zero(e, i, scale), &which);
    if (theta < earliest) {
      earliest = theta;
      *contact = i;
      *second = which;
    }
  }
  base_arena_release(e->arena, mark);
  return earliest;
}

/* Contacts at zero gap; returns their number, index: nc. */
static int touching(struct event *e, int *index) {
  const struct mech *m = e->m;
  const double zero = GAP_ZERO * m->length;
  event_flow_evaluate(&e->flow, m, NULL, NULL, e->t, e->y, e->y + m->nq, e->arena);
  int n = 0;
  for (int i = 0; i < e->flow.nc; ++i) {
    /* Ten times the event's own tolerance: contacts that touch at one time are found together. */
    if (e->mode[i] != EVENT_OPEN || e->flow.contacts.gN[i] <= 10 * zero) {
      index[n++] = i;
    }
  }
  return n;
}

static void report_impact(struct event *e, const struct contact_model *model, const double *A,
                          const double *r, const double *xi, const double *b) {
  const int dim = model->dim, size = dim * model->nc;
  double *diag = base_arena_doubles(e->arena, model->nc * dim * dim);
  for (int i = 0; i < model->nc; ++i) {
    for (int d = 0; d < dim; ++d) {
      for (int k = 0; k < dim; ++k) {
        diag[(i * dim + d) * dim + k] = A[(i * dim + k) * size + i * dim + d];
      }
    }
  }
  const struct contact_residual residual = contact_residual(model, diag, r, xi, b);
  const struct contact_diagnostics diagnostics = contact_diagnose(model, diag, r, xi, 0);
  struct form_report *report = e->report;
  if (report->solves == 0 || residual.absolute > report->residual.absolute) {
    report->residual = residual;
  }
  report->diagnostics.signorini = fmax(report->diagnostics.signorini, diagnostics.signorini);
  report->diagnostics.cone = fmax(report->diagnostics.cone, diagnostics.cone);
  report->diagnostics.angle = fmax(report->diagnostics.angle, diagnostics.angle);
  report->diagnostics.dissipation_shortfall =
      fmax(report->diagnostics.dissipation_shortfall, diagnostics.dissipation_shortfall);
  ++report->solves;
}

/* Newton's impact law on n touching contacts: xi = v^+ + eps v^-, u^+ = u^- + X r. */
static int impact(struct event *e, int n, const int *index) {
  const struct mech *m = e->m;
  const struct mech_contacts *c = &e->flow.contacts;
  const int dim = m->dim, size = dim * n;
  double *u = e->y + m->nq;
  struct event_response response;
  if (event_respond(&response, m, c, n, index, 0, e->t, e->y, u, e->arena) != BASE_OK) {
    return BASE_FAILED;
  }
  double *b = base_arena_doubles(e->arena, size), *v = base_arena_doubles(e->arena, size);
  double *mu = base_arena_doubles(e->arena, n), *r = base_arena_doubles(e->arena, size);
  double *direction = base_arena_doubles(e->arena, size), *xi = base_arena_doubles(e->arena, size);
  int *fixed = base_arena_ints(e->arena, n);
  unsigned *allowed = base_arena_push(e->arena, (size_t)n * sizeof *allowed);
  enum event_mode *mode = base_arena_push(e->arena, (size_t)n * sizeof *mode);
  for (int i = 0; i < n; ++i) {
    const int at = index[i];
    la_copy(dim, e->flow.v + at * dim, v + i * dim);
    const int rests = fabs(v[i * dim]) <= e->options->rest_speed * m->speed;
    for (int d = 0; d < dim; ++d) {
      const double eps = d > 0 ? c->eps_T[at] : rests ? 0 : c->eps_N[at];
      b[i * dim + d] = (1 + eps) * v[i * dim + d];
    }
    mu[i] = c->mu[at];
    allowed[i] = EVENT_ANY;
    e->report->closings += e->mode[at] == EVENT_OPEN;
  }
  struct event_choice choice = {.dim = dim,
                                .n = n,
                                .A = response.A,
                                .b = b,
                                .mu = mu,
                                .fixed = fixed,
                                .allowed = allowed,
                                .direction = direction,
                                .mode = mode,
                                .r = r};
  const int status = event_choose(&choice, e->arena);
  if (status != BASE_OK) {
    base_message_prefix("impact at t = %.9g s: ", e->t);
    return status;
  }
  la_copy(size, b, xi);
  la_gemv(size, size, 1, response.A, r, 1, xi);
  const struct contact_model model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = n, .mu = mu};
  report_impact(e, &model, response.A, r, xi, b);
  la_gemv(size, size, 0.5, response.A, r, 1, v); /* mean velocity */
  for (int i = 0; i < n; ++i) {
    e->report->work.impact += r[i * dim] * v[i * dim];
    e->report->work.friction += la_dot(dim - 1, r + i * dim + 1, v + i * dim + 1);
  }
  la_gemv(m->nu, size, 1, response.X, r, 1, u);
  return BASE_OK;
}

/* Choose modes of the touching contacts on acceleration level. allowed: nc. */
static int choose_modes(struct event *e, int n, const int *index, const unsigned *allowed_all) {
  const struct mech *m = e->m;
  const int dim = m->dim;
  int *at = base_arena_ints(e->arena, n), k = 0;
  event_flow_evaluate(&e->flow, m, NULL, NULL, e->t, e->y, e->y + m->nq, e->arena);
  for (int i = 0; i < e->flow.nc; ++i) {
    e->mode[i] = EVENT_OPEN;
  }
  for (int i = 0; i < n; ++i) { /* those that leave are open without question */
    if (e->flow.v[index[i] * dim] <= SPEED_ZERO * m->speed) {
      at[k++] = index[i];
    }
  }
  struct event_response response;
  if (event_respond(&response, m, &e->flow.contacts, k, at, 1, e->t, e->y, e->y + m->nq,
                    e->arena) != BASE_OK) {
    return BASE_FAILED;
  }
  double *b = base_arena_doubles(e->arena, dim * k), *mu = base_arena_doubles(e->arena, k);
  double *r = base_arena_doubles(e->arena, dim * k),
         *direction = base_arena_doubles(e->arena, dim * k);
  int *fixed = base_arena_ints(e->arena, k);
  unsigned *allowed = base_arena_push(e->arena, (size_t)k * sizeof *allowed);
  enum event_mode *mode = base_arena_push(e->arena, (size_t)k * sizeof *mode);
  la_gemv_t(m->nu, dim * k, 1, response.W, response.a0, 0, b);
  for (int i = 0; i < k; ++i) {
    const double *v = e->flow.v + at[i] * dim;
    const double speed = la_norm2(dim - 1, v + 1);
    la_axpy(dim, 1, e->flow.contacts.bias + at[i] * dim, b + i * dim);
    mu[i] = e->flow.contacts.mu[at[i]];
    allowed[i] = allowed_all[at[i]];
    fixed[i] = speed > SPEED_ZERO * m->speed;
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
                                .r = r};
  const int status = event_choose(&choice, e->arena);
  for (int i = 0; i < k && status == BASE_OK; ++i) {
    e->mode[at[i]] = mode[i];
    la_copy(dim - 1, direction + i * (dim - 1), e->direction + at[i] * (dim - 1));
  }
  return status;
}

/* Everything that happens at one time: impacts until no contact approaches, then new modes.
 * contact, second: the event that led here (contact -1: none), whose present mode must end. */
static int process(struct event *e, int contact, int second) {
  const struct mech *m = e->m;
  const int nc = e->flow.nc;
  int *index = base_arena_ints(e->arena, nc);
  unsigned *allowed = base_arena_push(e->arena, (size_t)nc * sizeof *allowed);
  for (int i = 0; i < nc; ++i) {
    allowed[i] = EVENT_ANY;
  }
  if (contact >= 0 && e->mode[contact] != EVENT_OPEN) {
    if (!second) {
      allowed[contact] = EVENT_BIT(EVENT_OPEN); /* lift */
    } else if (e->mode[contact] == EVENT_STICK) {
      allowed[contact] &= ~EVENT_BIT(EVENT_STICK); /* slip */
    }
  }
  const int n = touching(e, index);
  int approaching = 0;
  for (int i = 0; i < n; ++i) {
    approaching = approaching || e->flow.v[index[i] * m->dim] < -SPEED_ZERO * m->speed;
  }
  if (approaching) {
    if (impact(e, n, index) != BASE_OK) {
      return BASE_FAILED;
    }
    for (int i = 0; i < nc; ++i) {
      allowed[i] = EVENT_ANY;
    }
  }
  int status = choose_modes(e, n, index, allowed);
  if (status != BASE_OK && contact >= 0) { /* the mode that ends may be the only one after all */
    allowed[contact] = EVENT_ANY;
    status = choose_modes(e, n, index, allowed);
  }
  if (status != BASE_OK) {
    base_message_prefix("t = %.9g s: ", e->t);
    return status;
  }
  gsl_odeiv2_evolve_reset(e->evolve);
  gsl_odeiv2_step_reset(e->step);
  return event_project(m, &e->flow, e->mode, e->y, e->y + m->nq, e->arena);
}

/* One accepted step of the integrator, cut short at the first event. */
static int advance(struct event *e, double t_end, int *events) {
  const struct mech *m = e->m;
  const double t0 = e->t;
  double t = t0;
  e->h = fmin(e->h, e->options->max_step);
  la_copy(e->ny, e->y, e->y0);
  if (gsl_odeiv2_evolve_apply(e->evolve, e->control, e->step, &e->system, &t, t_end, &e->h, e->y) !=
      GSL_SUCCESS) {
    return base_fail(BASE_FAILED, "t = %.9g s: the integrator gave up", t0);
  }
  ++e->report->internal_steps;
  int contact = -1, second = 0;
  const double theta = find_event(e, t0, t - t0, &contact, &second);
  if (isnan(theta)) {
    return BASE_FAILED;
  }
  if (theta > 1) {
    e->t = t;
    return event_project(m, &e->flow, e->mode, e->y, e->y + m->nq, e->arena);
  }
  struct probe p = {.e = e, .contact = contact, .watch = WATCH_FIRST, .t0 = t0, .h = t - t0};
  probe_value(theta, &p);
  la_copy(e->ny, e->y_trial, e->y);
  e->t = t0 + theta * (t - t0);
  ++*events;
  return process(e, contact, second);
}

static int event_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct event *e = workspace;
  const struct mech *m = e->m;
  const double t_end = state->t + dt;
  e->report = report;
  e->t = state->t;
  e->h = e->started && e->h > 0 ? e->h : dt;
  la_copy(m->nq, state->q, e->y);
  la_copy(m->nu, state->u, e->y + m->nq);
  memset(e->y + m->nq + m->nu, 0, EVENT_POWERS * sizeof *e->y);
  int status = BASE_OK, events = 0;
  if (!e->started) {
    const struct base_arena_mark mark = base_arena_mark(e->arena);
    status = process(e, -1, 0);
    base_arena_release(e->arena, mark);
    e->started = 1;
  }
  for (int k = 0; status == BASE_OK && e->t < t_end; ++k) {
    const struct base_arena_mark mark = base_arena_mark(e->arena);
    status = advance(e, t_end, &events);
    base_arena_release(e->arena, mark);
    if (status == BASE_OK && (events > e->options->max_events || k >= STEPS_MAX)) {
      status =
          base_fail(BASE_FAILED, "t = %.9g s: %s", e->t,
                    k >= STEPS_MAX ? "too many integration steps" : "more events than max_events");
    }
  }
  la_copy(m->nq, e->y, state->q);
  la_copy(m->nu, e->y + m->nq, state->u);
  report->work.friction += e->y[m->nq + m->nu];
  report->work.damping += e->y[m->nq + m->nu + 1];
  report->work.applied += e->y[m->nq + m->nu + 2];
  for (int i = 0; i < e->flow.nc; ++i) {
    report->contacts += e->mode[i] != EVENT_OPEN;
  }
  return status;
}

static void event_free(void *workspace) {
  struct event *e = workspace;
  gsl_odeiv2_evolve_free(e->evolve);
  gsl_odeiv2_control_free(e->control);
  gsl_odeiv2_step_free(e->step);
  gsl_root_fsolver_free(e->solver);
}

static const gsl_odeiv2_step_type *stepper_type(int choice) {
  return choice == 0   ? gsl_odeiv2_step_rk8pd
         : choice == 1 ? gsl_odeiv2_step_rkf45
                       : gsl_odeiv2_step_rkck;
}

static void *event_alloc(const struct form_setup *setup, const struct form_state *start) {
  const struct mech *m = setup->mech;
  struct base_arena *arena = setup->arena;
  struct event *e = base_arena_push(arena, sizeof *e);
  e->m = m;
  e->options = setup->options;
  e->arena = arena;
  event_flow_init(&e->flow, m, arena);
  if (event_flow_evaluate(&e->flow, m, NULL, NULL, start->t, start->q, start->u, arena) !=
      BASE_OK) {
    return NULL;
  }
  e->ny = m->nq + m->nu + EVENT_POWERS;
  e->mode = base_arena_push(arena, (size_t)e->flow.nc * sizeof *e->mode);
  for (int i = 0; i < e->flow.nc; ++i) {
    e->mode[i] = EVENT_OPEN;
  }
  e->direction = base_arena_doubles(arena, (m->dim - 1) * e->flow.nc);
  e->y = base_arena_doubles(arena, e->ny);
  e->y0 = base_arena_doubles(arena, e->ny);
  e->y_trial = base_arena_doubles(arena, e->ny);
  e->values = base_arena_doubles(arena, e->flow.nc);
  double *scale = base_arena_doubles(arena, e->ny);
  for (int i = 0; i < e->ny; ++i) {
    scale[i] = i < m->nq ? m->length : m->speed;
  }
  const double energy = fabs(mech_energy(m, start->q, start->u, arena));
  for (int i = m->nq + m->nu; i < e->ny; ++i) {
    scale[i] = energy > 0 ? energy : 1; /* [J]; a system at rest at V = 0 has no scale of its own */
  }
  gsl_set_error_handler_off();
  e->system = (gsl_odeiv2_system){.function = rhs, .dimension = (size_t)e->ny, .params = e};
  e->step = gsl_odeiv2_step_alloc(stepper_type(e->options->stepper), (size_t)e->ny);
  e->control =
      gsl_odeiv2_control_scaled_new(e->options->atol, e->options->rtol, 1, 0, scale, (size_t)e->ny);
  e->evolve = gsl_odeiv2_evolve_alloc((size_t)e->ny);
  e->solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  return e;
}

const struct form form_event = {
    .summary = "event-driven high-order integration with root finding: the truth for few contacts",
    .source = "moeller 3.7, 5.2 (equations of motion, impact law); Prince-Dormand 8(9) of GSL",
    .options = event_options,
    .options_size = sizeof(struct event_options),
    .alloc = event_alloc,
    .step = event_step,
    .free = event_free,
};
