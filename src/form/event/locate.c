/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event functions, and where in a step they are zero: a change of sign is located by Brent's
 * method, as far as the function is more than rounding. Every evaluation repeats the step with a
 * shorter length: no interpolation, so that the state at the event is as accurate as the step.
 */
#include "form/event/locate.h"

#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"

enum { ROOT_ITERATIONS = 200 };
/* A function that is so small is zero but for rounding; over its scale. */
static const double ROUNDING = 4 * DBL_EPSILON;

int event_evaluate(struct event *e, double t, const double *y) {
  ++e->report->evaluations;
  return event_flow_evaluate(&e->flow, &e->modes, 1, (struct event_state){t, y, y + e->m->nq},
                             e->arena);
}

double event_first_value(const struct event *e, int i) {
  return e->flow.mode[i] == EVENT_OPEN ? e->flow.contacts.gN[i] : e->flow.force[i * e->m->dim];
}

/* The second value of sliding in space; d: the direction at the start of the step, or given. */
static double slide_value(const struct event *e, enum event_mode mode, const double *v,
                          const double *d) {
  const double slow = e->flow.slow, speed = la_norm2(2, v), along = la_dot(2, v, d);
  if (mode == EVENT_START) {
    return e->flow.sticks ? -slow : slow - speed;
  }
  if (mode == EVENT_SLIDE) { /* also where it turns back within the step */
    return along - 0.5 * slow;
  }
  const double across = fabs(v[0] * d[1] - v[1] * d[0]);
  return fmin(along - EVENT_STRAIGHT * across, 2 * slow - speed);
}

double event_second_value(const struct event *e, int i) {
  const struct mech *m = e->m;
  const double *v = e->flow.v + i * m->dim, *f = e->flow.force + i * m->dim;
  const double *d = e->flow.direction + i * (m->dim - 1);
  const enum event_mode mode = e->flow.mode[i];
  if (m->dim == 1 || mode == EVENT_OPEN || e->flow.contacts.mu[i] == 0) {
    return INFINITY; /* without friction there is nothing between sticking and sliding */
  }
  if (mode == EVENT_STICK) {
    return e->flow.contacts.mu[i] * f[0] - la_norm2(m->dim - 1, f + 1);
  }
  return m->dim == 2 ? v[1] * d[0] : slide_value(e, mode, v + 1, d);
}

double event_self_stress_value(const struct event *e) { return e->flow.margin + EVENT_SLACK_EVENT; }

double event_second_zero(const struct event *e, enum event_mode mode, double force) {
  if (mode == EVENT_STICK) {
    return EVENT_FORCE_ZERO * force;
  }
  const int ends_at_rest = mode == EVENT_STOP || e->m->dim == 2;
  return ends_at_rest ? EVENT_SPEED_ZERO * e->m->speed : 0;
}

double event_force_scale(const struct event *e) {
  return la_norm_inf((long)e->m->dim * e->flow.nc, e->flow.force);
}

int event_repeat(struct event *e, double t0, double h, double theta) {
  if (base_clock_passed(e->deadline)) { /* without a step too: what follows may take long */
    return event_give_up(e, t0);
  }
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  double *error = base_arena_doubles(e->arena, e->ny);
  la_copy(e->ny, e->y0, e->y_trial);
  gsl_odeiv2_step_reset(e->step);
  const int status = theta > 0 ? gsl_odeiv2_step_apply(e->step, t0, theta * h, e->y_trial, error,
                                                       NULL, NULL, &e->system)
                               : GSL_SUCCESS;
  base_arena_release(e->arena, mark);
  return status == GSL_SUCCESS ? BASE_OK : event_give_up(e, t0);
}

int event_probe_flow(const struct event_probe *p, double theta) {
  const int status = event_repeat(p->e, p->t0, p->h, theta);
  return status != BASE_OK ? status : event_evaluate(p->e, p->t0 + theta * p->h, p->e->y_trial);
}

static double probe_value(struct event_probe *p, enum event_watch watch, double theta) {
  const struct event *e = p->e;
  if (event_probe_flow(p, theta) != BASE_OK) {
    return NAN;
  }
  if (watch == EVENT_WATCH_SELF_STRESS) {
    return event_self_stress_value(e);
  }
  const int i = event_flow_find(&e->flow, p->id);
  if (i < 0) {
    p->rate = 0;
    return watch == EVENT_WATCH_RATE ? 0 : e->m->length; /* as far away as can be */
  }
  const double speed = e->flow.v[i * e->m->dim];
  p->rate = speed * p->h;
  return watch == EVENT_WATCH_FIRST    ? event_first_value(e, i) - p->floor
         : watch == EVENT_WATCH_SECOND ? event_second_value(e, i)
                                       : speed;
}

struct event_point event_probe_at(struct event_probe *p, enum event_watch watch, double theta) {
  return (struct event_point){theta, probe_value(p, watch, theta)};
}

int event_probe_is_zero(const struct event_probe *p, enum event_watch watch, double value) {
  const struct mech *m = p->e->m;
  const int is_first = watch == EVENT_WATCH_FIRST, is_open = p->mode == EVENT_OPEN;
  const double scale = watch == EVENT_WATCH_SELF_STRESS ? 1
                       : is_first && is_open            ? m->length
                       : is_first || (watch == EVENT_WATCH_SECOND && p->mode == EVENT_STICK)
                           ? p->force
                           : m->speed;
  return fabs(value) <= ROUNDING * scale;
}

struct bracket {
  struct event_probe *probe;
  enum event_watch watch;
  struct event_point lo, hi, last;
};

/* The root finder asks for the ends too, which are known. */
static double bracket_value(double theta, void *params) {
  struct bracket *b = params;
  b->last = theta == b->lo.theta   ? b->lo
            : theta == b->hi.theta ? b->hi
                                   : event_probe_at(b->probe, b->watch, theta);
  return b->last.value;
}

double event_locate(struct event_probe *p, enum event_watch watch, struct event_point lo,
                    struct event_point hi) {
  struct bracket bracket = {.probe = p, .watch = watch, .lo = lo, .hi = hi};
  gsl_function f = {.function = bracket_value, .params = &bracket};
  if (hi.value == 0 || lo.value == 0 ||
      gsl_root_fsolver_set(p->e->solver, &f, lo.theta, hi.theta) != GSL_SUCCESS) {
    return hi.value == 0 ? hi.theta : lo.theta;
  }
  for (int k = 0; k < ROOT_ITERATIONS; ++k) {
    if (gsl_root_fsolver_iterate(p->e->solver) != GSL_SUCCESS) {
      break;
    }
    if (event_probe_is_zero(p, watch, bracket.last.value) && bracket.last.value * hi.value >= 0) {
      return bracket.last.theta;
    }
    const double a = gsl_root_fsolver_x_lower(p->e->solver);
    const double b = gsl_root_fsolver_x_upper(p->e->solver);
    if (gsl_root_test_interval(a, b, 0, 4 * DBL_EPSILON) == GSL_SUCCESS) {
      break;
    }
  }
  return gsl_root_fsolver_root(p->e->solver);
}

double event_locate_in_step(struct event_probe *p, enum event_watch watch, const double value[2]) {
  const double floor = watch == EVENT_WATCH_FIRST ? p->floor : 0;
  return event_locate(p, watch, (struct event_point){0, value[0] - floor},
                      (struct event_point){1, value[1] - floor});
}
