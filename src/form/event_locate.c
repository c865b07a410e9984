/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where in a step an event lies (see event.c for what the events are). Event functions are
 * evaluated at both ends of an accepted step; a change of sign, or a dip of a gap below zero
 * inside, is located by Brent's method, every evaluation repeating the step with a shorter length:
 * no interpolation, so that the state at the event is as accurate as the step itself.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <math.h>

#include "base/status.h"
#include "form/event.h"
#include "la/dense.h"

/* Sliding in space has stopped below this; less than SPEED_ZERO, so that the contact then counts as
 * sticking.
 */
static const double STOP_SPEED = 5e-12;
/* Event functions of force are judged against the forces around with this much slack. */
static const double FORCE_ZERO = 1e-10;
enum { ROOT_ITERATIONS = 200 };
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
  if (m->dim == 1 || e->mode[i] == EVENT_OPEN || e->flow.contacts.mu[i] == 0) {
    return INFINITY; /* without friction there is nothing between sticking and sliding */
  }
  if (e->mode[i] == EVENT_STICK) {
    return e->flow.contacts.mu[i] * f[0] - la_norm2(m->dim - 1, f + 1);
  }
  if (e->mode[i] == EVENT_START) {
    const double rest = EVENT_START_SPEED * m->speed - la_norm2(m->dim - 1, v + 1);
    return e->flow.sticks ? -EVENT_START_SPEED * m->speed : rest;
  }
  return m->dim == 2 ? v[1] * e->direction[i] : la_norm2(m->dim - 1, v + 1) - STOP_SPEED * m->speed;
}

/* How far below zero second_value() must be to be an event. */
static double second_zero(const struct event *e, int i, double force) {
  if (e->mode[i] == EVENT_START) {
    return 0;
  }
  if (e->mode[i] == EVENT_SLIDE) {
    return e->m->dim > 2 ? 0 : EVENT_SPEED_ZERO * e->m->speed;
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

int event_repeat(struct event *e, double t0, double h, double theta) {
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  double *error = base_arena_doubles(e->arena, e->ny);
  la_copy(e->ny, e->y0, e->y_trial);
  gsl_odeiv2_step_reset(e->step);
  const int status = theta > 0 ? gsl_odeiv2_step_apply(e->step, t0, theta * h, e->y_trial, error,
                                                       NULL, NULL, &e->system)
                               : GSL_SUCCESS;
  base_arena_release(e->arena, mark);
  return status == GSL_SUCCESS ? BASE_OK
                               : base_fail(BASE_FAILED, "t = %.9g s: the integrator gave up", t0);
}

/* The watched function after a part of the step. */
static double probe_value(double theta, void *params) {
  const struct probe *p = params;
  struct event *e = p->e;
  if (event_repeat(e, p->t0, p->h, theta) != BASE_OK ||
      event_values(e, p->t0 + theta * p->h, e->y_trial, e->values) != BASE_OK) {
    return NAN;
  }
  return p->watch == WATCH_FIRST    ? e->values[p->contact]
         : p->watch == WATCH_SECOND ? second_value(e, p->contact)
                                    : e->flow.v[p->contact * e->m->dim];
}

/* Root in (lo, hi) with a sign change; the point returned lies on hi's side of it, or on it. */
static double locate(struct probe *p, double lo, double hi) {
  gsl_function f = {.function = probe_value, .params = p};
  const double end = probe_value(hi, p);
  if (end == 0 || probe_value(lo, p) == 0 ||
      gsl_root_fsolver_set(p->e->solver, &f, lo, hi) != GSL_SUCCESS) {
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
  return gsl_root_fsolver_root(p->e->solver);
}

/* What watches a contact, at both ends of the step. */
struct ends {
  double first[2], second[2], rate[2];
};

/* Earliest event of an open contact, as a fraction of the step; 2: none. */
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
    if (probe_value(hi, p) >= -zero) {
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

/* The same for a closed one; *second: ended by second_value(). */
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

double event_find(struct event *e, double t0, double h, int *contact, int *second) {
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
    const double theta =
        e->mode[i] == EVENT_OPEN
            ? open_event(&p, &ends[i], EVENT_GAP_ZERO * m->length)
            : closed_event(&p, &ends[i], FORCE_ZERO * scale, second_zero(e, i, scale), &which);
    if (theta < earliest) {
      earliest = theta;
      *contact = i;
      *second = which;
    }
  }
  base_arena_release(e->arena, mark);
  return earliest;
}
