/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `event`: event-driven integration, the reference solution for systems with few contacts.
 * Between events the motion is smooth under fixed contact modes (flow.c) and is integrated by
 * one of GSL's high-order Runge-Kutta methods; events end a smooth phase:
 *
 *   touch    g_N of an open contact reaches zero from above
 *   lift     lambda_N of a closed contact reaches zero
 *   stop     the sliding velocity reaches zero
 *   slip     |lambda_T| of a sticking contact reaches mu lambda_N
 *   self-stress  of redundant contacts in place of lift and slip: none satisfies Coulomb's law any
 *            more (self_stress.c)
 *   lost     a closed contact leaves its piece, as a corner sliding over an edge, or a ball rolling
 *            from a face over an edge, where the curvature of the distance jumps
 *   break    what is prescribed in time is not smooth (mech_phase): a table's sample, a force that
 *            begins or ends. Where a prescribed velocity jumps that is an impact, and so is a start
 *            from velocities that miss the constraints
 *
 * In space a contact that slips starts along its acceleration, and one that stops keeps about its
 * last direction, each in a mode of its own while it is slow (struct event_flow): the direction of
 * a velocity near zero is no state to integrate.
 *
 * Where friction on a light inertia makes the motion stiff, an implicit method takes over for the
 * rest of the smooth phase (radau.c).
 *
 * Each event is located as a root of its event function (locate.c), the step repeated with a
 * shorter length, so that the state there is as accurate as any other; breaks are known beforehand.
 * Beyond the end of a piece there is no smooth motion to repeat: no step has a stage there, and
 * halved steps lead up to it.
 * Contacts that touch with approaching velocity get Newton's impact law (moeller 5.2) with all
 * closed contacts in one problem; then new modes are chosen on acceleration level (modes.c).
 * Impacts slower than rest_speed are taken as inelastic: that ends accumulating bounces.
 *
 * Work of friction, damping and applied forces, that of drives among these, is integrated along
 * with the state, so that the energy budget closes to the tolerance of the integration.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory/memory.h"
#include "base/status.h"
#include "form/event/event.h"
#include "la/dense.h"

static const struct base_option event_options[] = {
    BASE_OPTION_REAL(struct event_options, rtol, 1e-12, 1e-15, 1e-2, "",
                     "relative error a step of the integration"),
    BASE_OPTION_REAL(
        struct event_options, atol, 1e-14, 1e-18, 1e-2, "",
        "absolute error a step, in units of the system's length and speed (see event.c)"),
    BASE_OPTION_REAL(struct event_options, rest_speed, 1e-6, 0, 1, "",
                     "impacts slower than this fraction of the system's speed are inelastic"),
    BASE_OPTION_REAL(struct event_options, max_step, INFINITY, 0, INFINITY, "s",
                     "largest step of the integration"),
    BASE_OPTION_INT(struct event_options, max_events, 100000, 1, 1e9,
                    "largest number of events in one output step; more end the run"),
    BASE_OPTION_CHOICE(struct event_options, stepper, 0, "rk8pd|rkf45|rkck",
                       "Runge-Kutta pair (GSL)"),
    BASE_OPTION_END};

/* Internal steps in one output step; beyond, tolerance and system do not fit each other. */
enum { STEPS_MAX = 1000000 };
/* Time on the next piece that rounding may take, over length and speed: so little that nothing else
 * happens in it. */
static const double STRAY_TIME = 1e-9;
/* Times over the same: given to a contact to leave its piece; and after which rounding keeps none
 * there that goes over the same end. */
static const double LEAVE_TIME = 1e-6, PASSED_TIME = 1e-12;
/* A step that drifts off its surfaces by more than its error may is taken again, so much
 * shorter. */
static const double SHORTER = 0.25;

int event_put_back(struct event *e) {
  const struct mech *m = e->m;
  const struct event_options *o = e->options;
  double *q = e->y, *u = e->y + m->nq;
  const double far = fmax(m->length, la_norm_inf(m->nq, q));
  const double fast = fmax(m->speed, la_norm_inf(m->nu, u));
  const struct mech_drift most = {EVENT_DRIFT * (o->rtol * far + o->atol * m->length),
                                  EVENT_DRIFT * (o->rtol * fast + o->atol * m->speed)};
  const int status = event_project(&e->flow, &e->modes, most, mech_phase_time(&e->flow.phase, e->t),
                                   q, u, e->arena);
  if (status != BASE_OK) {
    base_message_prefix("t = %.9g s: ", e->t);
  }
  return status;
}

int event_give_up(const struct event *e, double t0) {
  const int status = base_clock_check(e->deadline);
  return status != BASE_OK ? status
                           : base_fail(BASE_FAILED, "t = %.9g s: the integrator gave up", t0);
}

static int rhs(double t, const double y[], double dydt[], void *params) {
  struct event *e = params;
  const struct mech *m = e->m;
  ++e->report->evaluations;
  if (base_clock_passed(e->deadline) ||
      event_flow_evaluate(&e->flow, &e->modes, 0, (struct event_state){t, y, y + m->nq},
                          e->arena) != BASE_OK) {
    return GSL_EBADFUNC;
  }
  if (e->stays && e->flow.lost) {
    e->left = 1;
    return GSL_EFAILED; /* a shorter step, then */
  }
  la_copy(m->nq, e->flow.qdot, dydt);
  la_copy(m->nu, e->flow.du, dydt + m->nq);
  la_copy(EVENT_POWERS, e->flow.power, dydt + m->nq + m->nu);
  return GSL_SUCCESS;
}

static int strays_at(struct event *e, const double *y) {
  event_flow_contacts(&e->flow, &e->modes, INFINITY, y, y + e->m->nq);
  return e->flow.strays;
}

/* Whether open contacts close at y, where a piece ends. The last point of a face that goes over an
 * edge does so at the very end, and is not there beyond: no impact. */
static int meets_others(struct event *e, const double *y) {
  const struct mech *m = e->m;
  int meets = 0;
  event_flow_contacts(&e->flow, &e->modes, INFINITY, y, y + m->nq);
  for (int i = 0; i < e->flow.nc; ++i) {
    meets |= e->flow.mode[i] == EVENT_OPEN &&
             e->flow.contacts.gN[i] <= 10 * EVENT_GAP_ZERO * m->length &&
             e->flow.v[i * m->dim] < -EVENT_SPEED_ZERO * m->speed;
  }
  return meets;
}

/* A closed contact leaves its piece in a step from y0 that is as short as can be: about h, or what
 * it takes beyond, for a slow one needs more time to be elsewhere at all. */
static int leave_piece(struct event *e, double h, int *events) {
  const double most = LEAVE_TIME * e->m->length / e->m->speed;
  double on = 0;
  int status = event_repeat(e, e->t, h, 1);
  while (status == BASE_OK && !strays_at(e, e->y_trial) && 2 * h <= most) {
    on = h;
    h *= 2;
    status = event_repeat(e, e->t, h, 1);
  }
  while (status == BASE_OK && h - on > DBL_EPSILON * fmax(h, e->t)) {
    const double middle = 0.5 * (on + h);
    status = event_repeat(e, e->t, middle, 1);
    *(status == BASE_OK && strays_at(e, e->y_trial) ? &h : &on) = middle;
  }
  status = status != BASE_OK ? status : event_repeat(e, e->t, h, 1);
  if (status == BASE_OK && meets_others(e, e->y_trial)) {
    h += PASSED_TIME * e->m->length / e->m->speed;
    status = event_repeat(e, e->t, h, 1);
  }
  if (status != BASE_OK) {
    return status;
  }
  la_copy(e->ny, e->y_trial, e->y);
  e->t += h;
  ++*events;
  return event_process(e, &(struct event_found){.kind = EVENT_LOST});
}

/* A step of length h from (t0, y0) to y may end by rounding on the next piece of a closed contact,
 * whose forces are others: the part of it that does not, 0 for none, with the state there in y. 1
 * where no contact passes to another piece, but lies along the end of its own. */
static double part_on_piece(struct event *e, double t0, double h) {
  if (!strays_at(e, e->y) || strays_at(e, e->y0)) {
    return 1;
  }
  const double most = fmin(1, STRAY_TIME * e->m->length / (e->m->speed * h));
  for (double rest = DBL_EPSILON; rest < most; rest *= 2) {
    if (event_repeat(e, t0, h, 1 - rest) != BASE_OK) {
      return 1;
    }
    if (!strays_at(e, e->y_trial)) {
      la_copy(e->ny, e->y_trial, e->y);
      return 1 - rest;
    }
  }
  return most < 1;
}

/* One accepted step of the integrator, cut short at the first event. */
static int advance(struct event *e, double t_end, int *events) {
  const double t0 = e->t;
  double t = t0;
  e->h = fmin(e->h, e->options->max_step);
  la_copy(e->ny, e->y, e->y0);
  e->left = 0;
  e->stays = 1;
  const int stepped =
      gsl_odeiv2_evolve_apply(e->evolve, e->control, e->step, &e->system, &t, t_end, &e->h, e->y);
  e->stays = 0;
  /* Shorter ones end where they begin, and would never end. */
  const double least = EVENT_GAP_ZERO * e->m->length / e->m->speed;
  if (e->left && (stepped != GSL_SUCCESS || t - t0 <= least)) {
    strays_at(e, e->y0); /* where the piece ends at y0 itself no step was halved */
    return leave_piece(e, e->flow.lost ? least : fmax(2 * e->h, least), events);
  }
  if (stepped != GSL_SUCCESS) {
    return event_give_up(e, t0);
  }
  ++e->report->internal_steps;
  struct event_found found;
  const double part = part_on_piece(e, t0, t - t0), h = part * (t - t0);
  int status = BASE_OK;
  found.kind = EVENT_NONE;
  if (part > 0) {
    status = event_find(e, t0, h, &found);
  }
  if (status != BASE_OK) {
    return status;
  }
  if (found.kind == EVENT_NONE && part < 1) {
    return leave_piece(e, t - t0, events);
  }
  if (found.kind == EVENT_NONE) {
    e->t = t;
    status = event_put_back(e);
    if (status == BASE_FAILED && h > least) { /* the error of the step was larger than estimated */
      la_copy(e->ny, e->y0, e->y);
      e->t = t0;
      e->h = SHORTER * h;
      gsl_odeiv2_evolve_reset(e->evolve);
      return BASE_OK;
    }
    event_watch_stiffness(e, t - t0);
    event_note_directions(e);
    return status;
  }
  status = event_repeat(e, t0, h, found.theta);
  if (status != BASE_OK) {
    return status;
  }
  la_copy(e->ny, e->y_trial, e->y);
  e->t = t0 + found.theta * h;
  ++*events;
  return event_process(e, &found);
}

/* What is prescribed in time goes on with another phase: where it jumps that is an impact. */
static int pass_break(struct event *e) {
  const struct mech *m = e->m;
  const struct mech_phase *phase = &e->flow.phase;
  if (e->chi != NULL) {
    mech_set_time(m, mech_phase_time(phase, phase->end));
    m->ops->driven.bilateral_drift(m, e->y, e->chi);
  }
  e->flow.phase = mech_phase_next(m, phase);
  e->t = e->flow.phase.begin;
  return event_process(e, &(struct event_found){.kind = EVENT_BREAK});
}

/* The same at the start, where nothing was prescribed before. */
static int begin(struct event *e) {
  const struct mech *m = e->m;
  e->flow.phase = mech_phase_at(m, e->t);
  e->started = 1;
  if (e->chi != NULL) {
    mech_set_time(m, e->flow.phase.begin);
    m->ops->driven.bilateral_drift(m, e->y, e->chi);
  }
  return event_process(e, &(struct event_found){.kind = EVENT_BREAK});
}

/* Whether something is left to be done up to a time. */
static int is_before(const struct event *e, double t) {
  return !e->started || e->t < t || mech_phase_ends(&e->flow.phase, t);
}

/* The next of it: an internal step, or the change from one phase to the next. */
static int proceed(struct event *e, double t_end, int *events) {
  const struct mech_phase *phase = &e->flow.phase;
  return !e->started                    ? begin(e)
         : mech_phase_ends(phase, e->t) ? pass_break(e)
                                        : advance(e, fmin(t_end, phase->end), events);
}

static int event_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  struct event *e = workspace;
  const struct mech *m = e->m;
  const double t_end = state->t + dt;
  e->report = report;
  e->t = state->t;
  e->ended.n = e->carried.n = 0;
  form_carried_add(&e->carried, e->modes.n, e->modes.id);
  e->h = e->started && e->h > 0 ? e->h : dt;
  la_copy(m->nq, state->q, e->y);
  la_copy(m->nu, state->u, e->y + m->nq);
  memset(e->y + m->nq + m->nu, 0, EVENT_POWERS * sizeof *e->y);
  int status = BASE_OK, events = 0;
  for (int k = 0; status == BASE_OK && is_before(e, t_end); ++k) {
    const struct base_arena_mark mark = base_arena_mark(e->arena);
    status = proceed(e, t_end, &events);
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
  report->contacts = e->modes.n;
  report->n_carrying = e->carried.n;
  report->carrying = e->carried.id;
  report->eliminates = m->ns > 0;
  report->dependent = e->flow.bilateral->dependent;
  return status;
}

/* The Runge-Kutta pairs keep nothing of their own; evolve keeps the derivative at the end of the
 * last step, taken before event_project. */
static void event_checkpoint(void *workspace, struct base_blob *blob) {
  struct event *e = workspace;
  base_blob_pass(blob, &e->started, sizeof e->started);
  base_blob_pass(blob, &e->flow.phase, sizeof e->flow.phase);
  base_blob_reals(blob, &e->h, 1);
  const size_t n = (size_t)base_blob_count(blob, e->modes.n, INT_MAX, sizeof *e->modes.id);
  if (blob->reading) {
    event_reserve_modes(e, (int)n);
    e->modes.n = (int)n;
  }
  base_blob_pass(blob, e->modes.id, n * sizeof *e->modes.id);
  base_blob_pass(blob, e->modes.mode, n * sizeof *e->modes.mode);
  base_blob_pass(blob, e->modes.piece, n * sizeof *e->modes.piece);
  base_blob_reals(blob, e->modes.gap, n);
  for (size_t i = 0; i < n && blob->reading && blob->status == BASE_OK; ++i) {
    if ((unsigned)e->modes.mode[i] >= EVENT_MODE_COUNT) {
      blob->status = base_fail(BASE_E_INPUT, "holds a contact mode that there is not");
    }
  }
  base_blob_reals(blob, e->modes.direction, n * (size_t)(e->m->dim - 1));
  int is_stiff = e->step == e->implicit;
  base_blob_pass(blob, &is_stiff, sizeof is_stiff);
  base_blob_pass(blob, &e->phase_steps, sizeof e->phase_steps);
  base_blob_pass(blob, &e->stiff_steps, sizeof e->stiff_steps);
  e->step = is_stiff ? e->implicit : e->explicit;
  base_blob_pass(blob, &e->evolve->count, sizeof e->evolve->count);
  base_blob_reals(blob, &e->evolve->last_step, 1);
  base_blob_reals(blob, e->evolve->dydt_out, (size_t)e->ny);
}

static void event_free(void *workspace) {
  struct event *e = workspace;
  gsl_odeiv2_evolve_free(e->evolve);
  gsl_odeiv2_control_free(e->control);
  gsl_odeiv2_step_free(e->explicit);
  gsl_odeiv2_step_free(e->implicit);
  gsl_root_fsolver_free(e->solver);
  event_flow_free(&e->flow);
}

static const gsl_odeiv2_step_type *stepper_type(int choice) {
  return choice == 0   ? gsl_odeiv2_step_rk8pd
         : choice == 1 ? gsl_odeiv2_step_rkf45
                       : gsl_odeiv2_step_rkck;
}

/* scale: ny, of absolute errors. Of a velocity the system's speed, or what has the same kinetic
 * energy where the inertia is less than the largest of its body: the speed over the radius of
 * gyration of an angular velocity. A light inertia is accelerated by differences of large moments,
 * whose rounding errors no shorter step makes less. */
static void set_scales(const struct event *e, const struct form_state *start, double *scale) {
  const struct mech *m = e->m;
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  double *M = base_arena_matrix(e->arena, m->nv, m->nb * m->nv);
  m->ops->mass(m, start->q, M);
  for (int i = 0; i < m->nq; ++i) {
    scale[i] = m->length;
  }
  for (int b = 0; b < m->nb; ++b) {
    const double *block = M + (size_t)b * (size_t)m->nv * (size_t)m->nv;
    double most = 0;
    for (int j = 0; j < m->nv; ++j) {
      most = fmax(most, block[event_at(j, m->nv, j)]);
    }
    for (int j = 0; j < m->nv; ++j) {
      scale[m->nq + b * m->nv + j] = m->speed * sqrt(most / block[event_at(j, m->nv, j)]);
    }
  }
  const double energy = fabs(mech_energy(m, start->q, start->u, e->arena));
  for (int i = m->nq + m->nu; i < e->ny; ++i) {
    scale[i] = energy > 0 ? energy : 1; /* [J]; a system at rest at V = 0 has no scale of its own */
  }
  base_arena_release(e->arena, mark);
}

static void *event_alloc(const struct form_setup *setup, const struct form_state *start) {
  const struct mech *m = setup->mech;
  struct base_arena *arena = setup->arena;
  struct event *e = base_arena_push(arena, sizeof *e);
  e->m = m;
  e->options = setup->options;
  e->arena = arena;
  e->dt = setup->dt;
  e->deadline = setup->loop.deadline;
  event_flow_init(&e->flow, m, arena);
  e->flow.slow = fmax(EVENT_SLOW_SPEED, e->options->rtol) * m->speed;
  e->flow.phase = mech_phase_at(m, start->t);
  e->chi = m->ops->driven.bilateral_drift != NULL ? base_arena_doubles(arena, m->ns) : NULL;
  if (event_flow_evaluate(&e->flow, NULL, 0, (struct event_state){start->t, start->q, start->u},
                          arena) != BASE_OK) {
    event_flow_free(&e->flow);
    return NULL;
  }
  e->ny = m->nq + m->nu + EVENT_POWERS;
  e->store = base_arena_child(arena);
  form_carried_init(&e->carried, arena);
  BASE_ARENA_VECTORS(arena, e->ny, &e->y, &e->y0, &e->y_trial, &e->scale);
  set_scales(e, start, e->scale);
  e->system = (gsl_odeiv2_system){.function = rhs, .dimension = (size_t)e->ny, .params = e};
  e->step = e->explicit = gsl_odeiv2_step_alloc(stepper_type(e->options->stepper), (size_t)e->ny);
  e->implicit = gsl_odeiv2_step_alloc(&event_radau, (size_t)e->ny);
  e->control = gsl_odeiv2_control_scaled_new(e->options->atol, e->options->rtol, 1, 0, e->scale,
                                             (size_t)e->ny);
  e->evolve = gsl_odeiv2_evolve_alloc((size_t)e->ny);
  e->solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
  if (e->step == NULL || e->implicit == NULL || e->control == NULL || e->evolve == NULL ||
      e->solver == NULL) {
    base_memory_end(1, (size_t)e->ny, sizeof *e->scale);
  }
  /* For a checkpoint before any step. */
  memset(e->evolve->dydt_out, 0, (size_t)e->ny * sizeof *e->scale);
  return e;
}

static int event_check(const struct form_setup *setup) {
  if (setup->mech->friction_sets) {
    return base_fail(BASE_UNSUPPORTED,
                     "%s has friction sets of its own; events are sought here between sticking and "
                     "sliding on disks of radius mu, and a set with spin torque has no such switch",
                     setup->mech->name);
  }
  return BASE_OK;
}

const struct form form_event = {
    .name = "event",
    .look = {.colour = 0x000000, .dashes = {2, 3}, .point = 2, .point_size = 0.9},
    .summary =
        "event-driven high-order integration with root finding: the reference for few contacts",
    .source = "moeller 3.7, 5.2 (equations of motion, impact law); Prince-Dormand 8(9) of GSL",
    .cost =
        16, /* a step of rk8pd evaluates forces and contacts 13 times, events a few times more */
    .chooses_steps = 1,
    .options = event_options,
    .options_size = sizeof(struct event_options),
    .check = event_check,
    .alloc = event_alloc,
    .step = event_step,
    .checkpoint = event_checkpoint,
    .free = event_free,
};
