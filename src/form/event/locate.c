/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where in a step an event lies (see event.c for what the events are). Event functions are
 * evaluated at both ends of an accepted step; a change of sign, or a dip of a gap below zero
 * inside, is located by Brent's method; where a contact touches, whose rate is known, by Newton's
 * first. Every evaluation repeats the step with a shorter length: no interpolation, so that the
 * state at the event is as accurate as the step itself.
 *
 * Contacts may come and go inside a step: features of two boxes change as these turn. One that is
 * not there counts as far away; where a closed one leaves the list, the step ends.
 */
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_poly.h>
#include <math.h>

#include "base/clock.h"
#include "base/status.h"
#include "form/event/event.h"
#include "la/dense.h"

/* Event functions of force are judged against the forces around with this much slack. */
static const double FORCE_ZERO = 1e-10;
enum { ROOT_ITERATIONS = 200, NEWTON_ITERATIONS = 8, PART_HALVINGS = 40 };
/* The step of Newton's method after which the next one is rounding. */
static const double NEWTON_STEP = 1e-9;

static int evaluate(struct event *e, double t, const double *y) {
  ++e->report->evaluations;
  return event_flow_evaluate(&e->flow, e->m, &e->modes, 1, t, y, y + e->m->nq, e->arena);
}

/* Event function of contact i of the flow: positive while its mode lasts. */
static double first_value(const struct event *e, int i) {
  return e->flow.mode[i] == EVENT_OPEN ? e->flow.contacts.gN[i] : e->flow.force[i * e->m->dim];
}

/* Sliding in space beside second_value(): d is the direction at the start of the step, or given. */
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

/* What watches a contact beside first_value(): sliding speed, or the friction margin. Along the
 * direction of a mode the speed changes sign where sliding stops. */
static double second_value(const struct event *e, int i) {
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

/* Redundant forces together: event_margin, with its slack. */
static double self_stress_value(const struct event *e) {
  return e->flow.margin + EVENT_SLACK_EVENT;
}

/* How far below zero second_value() must be to be an event. */
static double second_zero(const struct event *e, enum event_mode mode, double force) {
  if (mode == EVENT_STICK) {
    return FORCE_ZERO * force;
  }
  const int ends_at_rest = mode == EVENT_STOP || e->m->dim == 2;
  return ends_at_rest ? EVENT_SPEED_ZERO * e->m->speed : 0;
}

/* Largest contact force at the present flow, the scale for force events. */
static double force_scale(const struct event *e) {
  return la_norm_inf((long)e->m->dim * e->flow.nc, e->flow.force);
}

enum watch { WATCH_FIRST, WATCH_SECOND, WATCH_RATE, WATCH_SELF_STRESS, WATCH_PRESENCE };

struct probe {
  struct event *e;
  long id; /* of the contact */
  enum watch watch;
  double t0, h;
  double floor; /* of the gap of an open contact, where it touches [m] */
  double rate;  /* found: of the gap over the step [m] */
};

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

/* The watched function after a part of the step. */
static double probe_value(double theta, void *params) {
  struct probe *p = params;
  struct event *e = p->e;
  if (event_repeat(e, p->t0, p->h, theta) != BASE_OK ||
      evaluate(e, p->t0 + theta * p->h, e->y_trial) != BASE_OK) {
    return NAN;
  }
  if (p->watch == WATCH_SELF_STRESS || p->watch == WATCH_PRESENCE) {
    return p->watch == WATCH_SELF_STRESS ? self_stress_value(e) : e->flow.lost ? -1 : 1;
  }
  const int i = event_flow_find(&e->flow, p->id);
  if (i < 0) {
    p->rate = 0;
    return p->watch == WATCH_RATE ? 0 : e->m->length; /* as far away as can be */
  }
  p->rate = e->flow.v[i * e->m->dim] * p->h;
  return p->watch == WATCH_FIRST    ? first_value(e, i) - p->floor
         : p->watch == WATCH_SECOND ? second_value(e, i)
                                    : e->flow.v[i * e->m->dim];
}

/* A part of the step and what is watched after it. */
struct point {
  double theta, value;
};

static struct point probe_at(struct probe *p, double theta) {
  return (struct point){theta, probe_value(theta, p)};
}

struct bracket {
  struct probe *probe;
  struct point lo, hi;
};

/* The root finder asks for the ends too, which are known. */
static double bracket_value(double theta, void *params) {
  const struct bracket *b = params;
  return theta == b->lo.theta   ? b->lo.value
         : theta == b->hi.theta ? b->hi.value
                                : probe_value(theta, b->probe);
}

/* Root between two points that differ in sign, or that one of them which is a root. */
static double locate(struct probe *p, struct point lo, struct point hi) {
  struct bracket bracket = {.probe = p, .lo = lo, .hi = hi};
  gsl_function f = {.function = bracket_value, .params = &bracket};
  if (hi.value == 0 || lo.value == 0 ||
      gsl_root_fsolver_set(p->e->solver, &f, lo.theta, hi.theta) != GSL_SUCCESS) {
    return hi.value == 0 ? hi.theta : lo.theta;
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

/* Of what is known at both ends of the step. */
static double locate_in_step(struct probe *p, enum watch watch, const double value[2]) {
  p->watch = watch;
  const double floor = watch == WATCH_FIRST ? p->floor : 0;
  return locate(p, (struct point){0, value[0] - floor}, (struct point){1, value[1] - floor});
}

/* What watches a contact, at both ends of the step. */
struct ends {
  long id;
  enum event_mode mode;
  int there[2];
  double first[2], second[2], rate[2];
};

/* The root in a bracket of the cubic with the gaps and rates of the step's ends; NaN: none. */
static double cubic_touch(const struct probe *p, const struct ends *s, double lo, double hi) {
  const double g = s->first[0] - p->floor, rise = s->first[1] - s->first[0];
  const double r[2] = {s->rate[0] * p->h, s->rate[1] * p->h};
  const double a = r[0] + r[1] - 2 * rise, b = 3 * rise - 2 * r[0] - r[1];
  double x[3];
  const int n = a != 0 ? gsl_poly_solve_cubic(b / a, r[0] / a, g / a, x, x + 1, x + 2)
                       : gsl_poly_solve_quadratic(b, r[0], g, x, x + 1);
  for (int i = 0; i < n; ++i) {
    if (x[i] > lo && x[i] < hi) {
      return x[i];
    }
  }
  return NAN;
}

/* Where an open contact touches, between two points: by Newton's method, since its rate is known,
 * and by that for any function if this leaves them. */
static double touch(struct probe *p, const struct ends *s, struct point lo, struct point hi) {
  double theta = cubic_touch(p, s, lo.theta, hi.theta);
  p->watch = WATCH_FIRST;
  for (int k = 0; k < NEWTON_ITERATIONS && theta > lo.theta && theta < hi.theta; ++k) {
    const double step = probe_value(theta, p) / p->rate;
    theta -= step;
    if (fabs(step) <= NEWTON_STEP * theta) {
      return fmax(lo.theta, fmin(theta, hi.theta));
    }
  }
  return locate(p, lo, hi);
}

/* Where an open contact that rises at first is open: about where a rate that changes evenly is
 * zero; if not there, where the rate is zero. */
static struct point risen_part(struct probe *p, const struct ends *s) {
  p->watch = WATCH_FIRST;
  struct point top = {.value = -1};
  if (s->rate[1] < 0) {
    top = probe_at(p, s->rate[0] / (s->rate[0] - s->rate[1]));
  }
  if (!(top.value > 0)) {
    const double theta = locate_in_step(p, WATCH_RATE, s->rate);
    p->watch = WATCH_FIRST;
    top = probe_at(p, theta);
  }
  return top;
}

/* The largest part of 1/2, 1/4, ... of the step after which the contact is open, lo, and after
 * twice which it is not, hi, which is the whole step at first; 0 if there is none. */
static int open_part(struct probe *p, struct point *lo, struct point *hi) {
  p->watch = WATCH_FIRST;
  for (int k = 0; k < PART_HALVINGS; ++k, *hi = *lo) {
    *lo = probe_at(p, 0.5 * hi->theta);
    if (lo->value > 0) {
      return 1;
    }
  }
  return 0;
}

/* From rest: where an open contact falls below its floor that has not risen as far as can be told.
 * Not at once, where it would be opened again for ever. */
static double falling_part(struct probe *p, const struct ends *s, double zero) {
  if (s->rate[0] < -EVENT_SPEED_ZERO * p->e->m->speed) {
    return 0;
  }
  p->floor -= 2 * zero;
  return s->first[1] < p->floor ? locate_in_step(p, WATCH_FIRST, s->first) : 2;
}

/* Whether an open contact may touch and part within the step: the rate grows, and at neither end is
 * there too much way to go. */
static int may_dip(const struct probe *p, const struct ends *s) {
  return s->there[0] && s->there[1] && s->rate[0] < 0 && s->rate[1] > 0 &&
         s->first[0] + s->rate[0] * p->h <= 0 && s->first[1] - s->rate[1] * p->h <= 0;
}

/* Earliest event of an open contact, as a fraction of the step; 2: none. Bodies put inside each
 * other, as by a state from elsewhere, touch where they cease to part. */
static double open_event(struct probe *p, const struct ends *s, double zero) {
  const int is_inside = s->first[0] < -zero;
  p->floor = is_inside ? s->first[0] : 0;
  struct point lo = {0, s->first[0] - p->floor}, hi = {1, s->first[1] - p->floor};
  if (s->first[1] < -zero) {
    if (s->rate[0] > 0) { /* leave out the part where it may start at zero */
      if (is_inside) {
        return s->rate[1] > 0 ? 2 : locate_in_step(p, WATCH_RATE, s->rate);
      }
      lo = risen_part(p, s);
    } else if (s->first[0] <= 0 && !open_part(p, &lo, &hi)) { /* nor has it risen from rest */
      return falling_part(p, s, zero);
    }
  } else if (may_dip(p, s)) {
    const double theta = locate_in_step(p, WATCH_RATE, s->rate);
    p->watch = WATCH_FIRST;
    hi = probe_at(p, theta);
    if (hi.value >= -zero) {
      return 2;
    }
    if (s->first[0] <= 0) {
      return 0;
    }
  } else {
    return 2;
  }
  return touch(p, s, lo, hi);
}

/* The same for a closed one; *second: ended by second_value(). */
static double closed_event(struct probe *p, const struct ends *s, double zero, double zero2,
                           int *second) {
  double first = 2, other = 2;
  p->floor = 0;
  if (s->first[1] < -zero) {
    first = s->first[0] > 0 ? locate_in_step(p, WATCH_FIRST, s->first) : 0;
  }
  if (s->second[1] < -zero2) {
    /* Below zero all along: only just begun, or ended as soon as begun. */
    other = s->second[0] > 0              ? locate_in_step(p, WATCH_SECOND, s->second)
            : s->second[1] < s->second[0] ? 0
                                          : 2;
  }
  *second = other < first;
  return fmin(first, other);
}

/* The contacts of the flow as they are at one side of the step, into a list in order of ids that
 * holds those of the other side already; from: n of them. Returns their number. */
static int note_side(const struct event *e, int side, int n, const struct ends *from,
                     struct ends *to) {
  const struct event_flow *flow = &e->flow;
  int count = 0;
  for (int i = 0, k = 0; i < flow->nc || k < n;) {
    const int known = k < n && (i >= flow->nc || from[k].id <= flow->contacts.id[i]);
    const int here = i < flow->nc && (k >= n || flow->contacts.id[i] <= from[k].id);
    struct ends *s = &to[count++];
    *s = known ? from[k] : (struct ends){.id = flow->contacts.id[i], .mode = flow->mode[i]};
    s->there[side] = here;
    s->first[side] = here ? first_value(e, i) : e->m->length;
    s->second[side] = here ? second_value(e, i) : INFINITY;
    s->rate[side] = here ? flow->v[i * e->m->dim] : 0;
    if (!known) {
      s->first[1 - side] = e->m->length;
      s->second[1 - side] = INFINITY;
    }
    i += here;
    k += known;
  }
  return count;
}

/* A closed contact has left the list by the end of the step: shorten it to where all are still
 * there. Returns the fraction where one is not any more; *h and e->y are those of the shorter one.
 */
static double shorten(struct event *e, double t0, double *h) {
  struct probe p = {.e = e, .t0 = t0, .h = *h, .watch = WATCH_PRESENCE};
  double lo = 0, hi = 1;
  for (int k = 0; k < ROOT_ITERATIONS && hi - lo > 4 * DBL_EPSILON; ++k) {
    const double middle = 0.5 * (lo + hi);
    if (probe_value(middle, &p) > 0) {
      lo = middle;
    } else {
      hi = middle;
    }
  }
  event_repeat(e, t0, *h, lo);
  la_copy(e->ny, e->y_trial, e->y);
  *h *= lo;
  return hi;
}

/* Earliest event of a step without lost contacts. */
static int find_regular(struct event *e, double t0, double h, struct event_found *found) {
  const struct mech *m = e->m;
  struct ends *ends = NULL;
  double scale = 0, slack[2];
  int n = 0, redundant = 0;
  for (int side = 0; side < 2; ++side) {
    const int status = evaluate(e, t0 + side * h, side == 0 ? e->y0 : e->y);
    if (status != BASE_OK) {
      return status;
    }
    struct ends *merged = base_arena_push(e->arena, (size_t)(n + e->flow.nc) * sizeof *merged);
    n = note_side(e, side, n, ends, merged);
    ends = merged;
    slack[side] = self_stress_value(e);
    redundant = redundant || e->flow.redundant;
    scale = fmax(scale, force_scale(e));
  }
  struct probe p = {.e = e, .t0 = t0, .h = h};
  for (int i = 0; i < n; ++i) {
    struct ends *s = &ends[i];
    int second = 0;
    p.id = s->id;
    if (redundant && s->mode != EVENT_OPEN) { /* forces are looked at together */
      s->first[0] = s->first[1] = INFINITY;
      if (s->mode == EVENT_STICK) {
        s->second[0] = s->second[1] = INFINITY;
      }
    }
    const double theta =
        s->mode == EVENT_OPEN
            ? open_event(&p, s, EVENT_GAP_ZERO * m->length)
            : closed_event(&p, s, FORCE_ZERO * scale, second_zero(e, s->mode, scale), &second);
    if (theta < found->theta) {
      *found = (struct event_found){.kind = s->mode == EVENT_OPEN ? EVENT_TOUCH
                                            : second              ? EVENT_SECOND
                                                                  : EVENT_LIFT,
                                    .id = s->id,
                                    .theta = theta};
    }
  }
  if (redundant && slack[1] < 0) {
    const double theta = slack[0] > 0          ? locate_in_step(&p, WATCH_SELF_STRESS, slack)
                         : slack[1] < slack[0] ? 0
                                               : 2;
    if (theta < found->theta) {
      *found = (struct event_found){.kind = EVENT_SELF_STRESS, .theta = theta};
    }
  }
  return base_clock_check(e->deadline); /* probes found nothing after it */
}

int event_find(struct event *e, double t0, double h, struct event_found *found) {
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  const double whole = h;
  double lost = 2;
  event_flow_contacts(&e->flow, e->m, &e->modes, INFINITY, e->y, e->y + e->m->nq);
  if (e->flow.lost) {
    lost = shorten(e, t0, &h);
  }
  *found = (struct event_found){.kind = EVENT_NONE, .theta = 2};
  int status = BASE_OK;
  if (h > 0) {
    status = find_regular(e, t0, h, found);
    found->theta *= found->kind == EVENT_NONE ? 1 : h / whole;
  }
  if (found->kind == EVENT_NONE && lost <= 1) {
    *found = (struct event_found){.kind = EVENT_LOST, .theta = lost};
  }
  base_arena_release(e->arena, mark);
  return status;
}
