/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event functions of a step, positive while modes last, and their roots (locate.c), for the search
 * of the earliest event (find.c).
 */
#ifndef FORM_EVENT_LOCATE_H
#define FORM_EVENT_LOCATE_H

#include "form/event/event.h"

/* Slack of event functions of force, relative to the largest contact force. */
#define EVENT_FORCE_ZERO 1e-10

/* The flow at a state y, with all contacts at any distance, as the event functions need. */
int event_evaluate(struct event *e, double t, const double *y);
/* Of contact i of the flow: the gap of an open one [m], the normal force of a closed one [N]. */
double event_first_value(const struct event *e, int i);
/* Its second event function: sliding speed [m/s], or the friction margin [N]. The speed along the
 * direction of a mode changes sign where sliding stops. Infinite: there is no second one. */
double event_second_value(const struct event *e, int i);
/* Depth below zero at which the second function is an event; force: the largest contact force
 * [N]. */
double event_second_zero(const struct event *e, enum event_mode mode, double force);
/* Event function of redundant forces: event_margin, with its slack. */
double event_self_stress_value(const struct event *e);
/* Largest contact force at the present flow [N]. */
double event_force_scale(const struct event *e);

enum event_watch {
  EVENT_WATCH_FIRST,
  EVENT_WATCH_SECOND,
  EVENT_WATCH_RATE, /* of the gap [m/s] */
  EVENT_WATCH_SELF_STRESS
};

/* A probe of event functions at a contact, along the step of length h from (t0, e->y0). */
struct event_probe {
  struct event *e;
  double t0, h;
  double force; /* the largest [N] */
  long id;      /* of the contact */
  enum event_mode mode;
  double floor; /* gap at which an open contact touches [m] */
  double rate;  /* found: of the gap over the step [m] */
};
/* A fraction of the step and the event function after it; NaN if the step does not reach it. */
struct event_point {
  double theta, value;
};
/* The flow after a fraction of the step. Status as event_give_up. */
int event_probe_flow(const struct event_probe *p, double theta);
struct event_point event_probe_at(struct event_probe *p, enum event_watch watch, double theta);
/* Is the value of the event function zero up to rounding? */
int event_probe_is_zero(const struct event_probe *p, enum event_watch watch, double value);
/* Root between two points that differ in sign, on hi's side of it, or one of them if it is a root.
 * Returns the fraction of the step. */
double event_locate(struct event_probe *p, enum event_watch watch, struct event_point lo,
                    struct event_point hi);
/* The same between the ends of the step, at which the values are known. */
double event_locate_in_step(struct event_probe *p, enum event_watch watch, const double value[2]);

#endif
