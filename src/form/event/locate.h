/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event functions of a step, positive while modes last, and their roots (locate.c): for the search
 * for the earliest event (find.c).
 */
#ifndef FORM_EVENT_LOCATE_H
#define FORM_EVENT_LOCATE_H

#include "form/event/event.h"

/* Event functions of force are judged against the forces around with this much slack. */
#define EVENT_FORCE_ZERO 1e-10

/* The flow at a state y, with all contacts however far, as events ask for. */
int event_evaluate(struct event *e, double t, const double *y);
/* Of contact i of the flow: the gap of an open one [m], the normal force of a closed one [N]. */
double event_first_value(const struct event *e, int i);
/* What watches it beside that: sliding speed [m/s], or the friction margin [N]. Along the direction
 * of a mode the speed changes sign where sliding stops. Infinite: there is nothing else. */
double event_second_value(const struct event *e, int i);
/* How far below zero that must be to be an event; force: the largest [N]. */
double event_second_zero(const struct event *e, enum event_mode mode, double force);
/* Redundant forces together: event_margin, with its slack. */
double event_self_stress_value(const struct event *e);
/* Largest contact force at the present flow [N]. */
double event_force_scale(const struct event *e);

enum event_watch {
  EVENT_WATCH_FIRST,
  EVENT_WATCH_SECOND,
  EVENT_WATCH_RATE, /* of the gap [m/s] */
  EVENT_WATCH_SELF_STRESS
};

/* Where it is watched: at a contact, along the step of length h from (t0, e->y0). */
struct event_probe {
  struct event *e;
  double t0, h;
  double force; /* the largest [N] */
  long id;      /* of the contact */
  enum event_mode mode;
  double floor; /* of the gap of an open contact, where it touches [m] */
  double rate;  /* found: of the gap over the step [m] */
};
/* A part of the step and what is watched after it; NaN where the step does not get there. */
struct event_point {
  double theta, value;
};
/* The flow after a part of the step; else as event_give_up. */
int event_probe_flow(const struct event_probe *p, double theta);
struct event_point event_probe_at(struct event_probe *p, enum event_watch watch, double theta);
/* What is watched is zero but for rounding. */
int event_probe_is_zero(const struct event_probe *p, enum event_watch watch, double value);
/* Root between two points that differ in sign, on hi's side of it, or one of them that is a root:
 * the part of the step. */
double event_locate(struct event_probe *p, enum event_watch watch, struct event_point lo,
                    struct event_point hi);
/* The same of what is known at both ends of the step. */
double event_locate_in_step(struct event_probe *p, enum event_watch watch, const double value[2]);

#endif
