/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The earliest event of a step (see event.c for what the events are). Event functions are evaluated
 * at both ends of an accepted step; a change of sign, or a dip of a gap below zero inside, is
 * located (locate.c), and where a contact touches, whose rate is known, by Newton's method first.
 *
 * Contacts may come and go inside a step: features of two boxes change as these turn. One that is
 * not there counts as far away. Closed ones stay: steps end where one leaves its piece (event.c).
 */
#include <float.h>
#include <gsl/gsl_poly.h>
#include <math.h>

#include "base/clock.h"
#include "base/status.h"
#include "form/event/locate.h"
#include "la/dense.h"

enum { NEWTON_ITERATIONS = 8, PART_HALVINGS = 40 };
/* The step of Newton's method after which the next one is rounding. */
static const double NEWTON_STEP = 1e-9;

/* What watches a contact, at both ends of the step and at the earliest event found. */
enum { AT_FOUND = 2, SIDES };
struct ends {
  long id;
  enum event_mode mode;
  int there[2];
  double first[SIDES], second[SIDES], rate[2];
};

/* The root in a bracket of the cubic with the gaps and rates of the step's ends; NaN: none. */
static double cubic_touch(const struct event_probe *p, const struct ends *s, double lo, double hi) {
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
static double touch(struct event_probe *p, const struct ends *s, struct event_point lo,
                    struct event_point hi) {
  double theta = cubic_touch(p, s, lo.theta, hi.theta);
  for (int k = 0; k < NEWTON_ITERATIONS && theta > lo.theta && theta < hi.theta; ++k) {
    const double gap = event_probe_at(p, EVENT_WATCH_FIRST, theta).value, step = gap / p->rate;
    if (event_probe_is_zero(p, EVENT_WATCH_FIRST, gap)) {
      return theta;
    }
    theta -= step;
    if (fabs(step) <= NEWTON_STEP * theta) {
      return fmax(lo.theta, fmin(theta, hi.theta));
    }
  }
  return event_locate(p, EVENT_WATCH_FIRST, lo, hi);
}

/* The gap where its rate changes sign in the step. */
static struct event_point turning_point(struct event_probe *p, const struct ends *s) {
  return event_probe_at(p, EVENT_WATCH_FIRST, event_locate_in_step(p, EVENT_WATCH_RATE, s->rate));
}

/* Where an open contact that rises at first is open: about where a rate that changes evenly is
 * zero; if not there, where the rate is zero. */
static struct event_point risen_part(struct event_probe *p, const struct ends *s) {
  struct event_point top = {.value = -1};
  if (s->rate[1] < 0) {
    top = event_probe_at(p, EVENT_WATCH_FIRST, s->rate[0] / (s->rate[0] - s->rate[1]));
  }
  return top.value > 0 ? top : turning_point(p, s);
}

/* The largest part of 1/2, 1/4, ... of the step after which the contact is open, lo, and after
 * twice which it is not, hi, which is the whole step at first; 0 if there is none. */
static int open_part(struct event_probe *p, struct event_point *lo, struct event_point *hi) {
  for (int k = 0; k < PART_HALVINGS; ++k, *hi = *lo) {
    *lo = event_probe_at(p, EVENT_WATCH_FIRST, 0.5 * hi->theta);
    if (lo->value > 0) {
      return 1;
    }
  }
  return 0;
}

/* From rest: where an open contact falls below its floor that has not risen as far as can be told.
 * Not at once, where it would be opened again for ever. */
static double falling_part(struct event_probe *p, const struct ends *s, double zero) {
  if (s->rate[0] < -EVENT_SPEED_ZERO * p->e->m->speed) {
    return 0;
  }
  p->floor -= 2 * zero;
  return s->first[1] < p->floor ? event_locate_in_step(p, EVENT_WATCH_FIRST, s->first) : 2;
}

/* Whether an open contact may touch and part within the step: the rate grows, and at neither end is
 * there too much way to go. */
static int may_dip(const struct event_probe *p, const struct ends *s) {
  return s->there[0] && s->there[1] && s->rate[0] < 0 && s->rate[1] > 0 &&
         s->first[0] + s->rate[0] * p->h <= 0 && s->first[1] - s->rate[1] * p->h <= 0;
}

/* Earliest event of an open contact, as a fraction of the step; 2: none. Bodies put inside each
 * other, as by a state from elsewhere, touch where they cease to part. */
static double open_event(struct event_probe *p, const struct ends *s, double zero) {
  const int is_inside = s->first[0] < -zero;
  p->floor = is_inside ? s->first[0] : 0;
  struct event_point lo = {0, s->first[0] - p->floor}, hi = {1, s->first[1] - p->floor};
  if (s->first[1] < -zero) {
    if (s->rate[0] > 0) { /* leave out the part where it may start at zero */
      if (is_inside) {
        return s->rate[1] > 0 ? 2 : event_locate_in_step(p, EVENT_WATCH_RATE, s->rate);
      }
      lo = risen_part(p, s);
    } else if (s->first[0] <= 0 && !open_part(p, &lo, &hi)) { /* nor has it risen from rest */
      return falling_part(p, s, zero);
    }
  } else if (may_dip(p, s)) {
    hi = turning_point(p, s);
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

/* The same for a closed one; *second: ended by event_second_value(). */
static double closed_event(struct event_probe *p, const struct ends *s, double zero, double zero2,
                           int *second) {
  double first = 2, other = 2;
  p->floor = 0;
  if (s->first[1] < -zero) {
    first = s->first[0] > 0 ? event_locate_in_step(p, EVENT_WATCH_FIRST, s->first) : 0;
  }
  if (s->second[1] < -zero2) {
    /* Below zero all along: only just begun, or ended as soon as begun. */
    other = s->second[0] > 0              ? event_locate_in_step(p, EVENT_WATCH_SECOND, s->second)
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
    s->first[side] = here ? event_first_value(e, i) : e->m->length;
    s->second[side] = here ? event_second_value(e, i) : INFINITY;
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

/* The contact whose event comes first if all functions change evenly, or the first one. */
static int likely_first(int n, const struct ends *ends) {
  double earliest = 1;
  int likely = 0;
  for (int i = 0; i < n; ++i) {
    const double *values[] = {ends[i].first, ends[i].second};
    for (int k = 0; k < 2; ++k) {
      const double *f = values[k], theta = f[1] < 0 ? fmax(0, f[0] / (f[0] - f[1])) : 1;
      if (theta < earliest) {
        earliest = theta;
        likely = i;
      }
    }
  }
  return likely;
}

/* A step and the earliest event found in it. */
struct searched {
  struct event_probe probe;
  int n;
  struct ends *ends;   /* n */
  double slack[SIDES]; /* of redundant forces together */
  int redundant;
  int is_noted; /* what stands under AT_FOUND is of that event */
  struct event_found *found;
};

static int note_ends(struct searched *s) {
  struct event_probe *p = &s->probe;
  struct event *e = p->e;
  for (int side = 0; side < 2; ++side) {
    const int status = event_evaluate(e, p->t0 + side * p->h, side == 0 ? e->y0 : e->y);
    if (status != BASE_OK) {
      return status;
    }
    struct ends *merged = base_arena_push(e->arena, (size_t)(s->n + e->flow.nc) * sizeof *merged);
    s->n = note_side(e, side, s->n, s->ends, merged);
    s->ends = merged;
    s->slack[side] = event_self_stress_value(e);
    s->redundant = s->redundant || e->flow.redundant;
    e->report->several |= side == 0 && e->flow.several;
    p->force = fmax(p->force, event_force_scale(e));
  }
  for (int i = 0; i < s->n && s->redundant; ++i) { /* forces are looked at together */
    struct ends *of = &s->ends[i];
    if (of->mode != EVENT_OPEN) {
      of->first[0] = of->first[1] = INFINITY;
    }
    if (of->mode == EVENT_STICK) {
      of->second[0] = of->second[1] = INFINITY;
    }
  }
  return BASE_OK;
}

static void note_found(struct searched *s) {
  const struct event *e = s->probe.e;
  if (event_probe_flow(&s->probe, s->found->theta) != BASE_OK) {
    return;
  }
  for (int k = 0; k < s->n; ++k) {
    struct ends *of = &s->ends[k];
    const int i = event_flow_find(&e->flow, of->id);
    of->first[AT_FOUND] = i < 0 ? e->m->length : event_first_value(e, i);
    of->second[AT_FOUND] = i < 0 ? INFINITY : event_second_value(e, i);
  }
  s->slack[AT_FOUND] = event_self_stress_value(e);
  s->is_noted = 1;
}

/* Whether a function that is negative at the end became so after the event found. */
static int is_later(struct searched *s, const double value[SIDES]) {
  if (s->found->theta > 1 || value[0] < 0) {
    return 0;
  }
  if (!s->is_noted) {
    note_found(s);
  }
  return s->is_noted && value[AT_FOUND] > 0;
}

/* The same of all that watches a contact, if any of it is negative at the end. */
static int all_later(struct searched *s, const struct ends *of) {
  return (of->first[1] < 0 || of->second[1] < 0) && (of->first[1] >= 0 || is_later(s, of->first)) &&
         (of->second[1] >= 0 || is_later(s, of->second));
}

static void look_at_contact(struct searched *s, const struct ends *of) {
  struct event_probe *p = &s->probe;
  const struct mech *m = p->e->m;
  int second = 0;
  p->id = of->id;
  p->mode = of->mode;
  const double theta = of->mode == EVENT_OPEN
                           ? open_event(p, of, EVENT_GAP_ZERO * m->length)
                           : closed_event(p, of, EVENT_FORCE_ZERO * p->force,
                                          event_second_zero(p->e, of->mode, p->force), &second);
  if (theta < s->found->theta) {
    *s->found = (struct event_found){.kind = of->mode == EVENT_OPEN ? EVENT_TOUCH
                                             : second               ? EVENT_SECOND
                                                                    : EVENT_LIFT,
                                     .id = of->id,
                                     .theta = theta};
    s->is_noted = 0;
  }
}

static void look_at_self_stress(struct searched *s) {
  const double *slack = s->slack;
  const double theta = slack[0] > 0
                           ? event_locate_in_step(&s->probe, EVENT_WATCH_SELF_STRESS, slack)
                       : slack[1] < slack[0] ? 0
                                             : 2;
  if (theta < s->found->theta) {
    *s->found = (struct event_found){.kind = EVENT_SELF_STRESS, .theta = theta};
  }
}

/* What likely comes first is located first: of all that comes later nothing but that is known then.
 */
int event_find(struct event *e, double t0, double h, struct event_found *found) {
  const struct base_arena_mark mark = base_arena_mark(e->arena);
  *found = (struct event_found){.kind = EVENT_NONE, .theta = 2};
  struct searched s = {.probe = {.e = e, .t0 = t0, .h = h}, .found = found};
  const int status = note_ends(&s);
  if (status != BASE_OK) {
    base_arena_release(e->arena, mark);
    return status;
  }
  const int likely = likely_first(s.n, s.ends);
  for (int k = 0; k < s.n; ++k) {
    const struct ends *of = &s.ends[k == 0 ? likely : k <= likely ? k - 1 : k];
    if (!all_later(&s, of)) {
      look_at_contact(&s, of);
    }
  }
  if (s.redundant && s.slack[1] < 0 && !is_later(&s, s.slack)) {
    look_at_self_stress(&s);
  }
  base_arena_release(e->arena, mark);
  return base_clock_check(e->deadline); /* probes found nothing after it */
}
