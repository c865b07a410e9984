/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the event-driven formulation: contact modes, the forces and accelerations they imply,
 * and the choice of modes after an event.
 */
#ifndef FORM_EVENT_H
#define FORM_EVENT_H

#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>

#include "form/form.h"
#include "mech/mech.h"

enum event_mode {
  EVENT_STICK, /* closed, no sliding; with dim 1 simply closed */
  EVENT_SLIDE, /* closed, sliding along its direction */
  EVENT_OPEN,
  EVENT_START, /* in space: slides, from rest, along its acceleration (see event_flow.c) */
  EVENT_MODE_COUNT
};
#define EVENT_BIT(mode) (1u << (mode))
#define EVENT_ANY (EVENT_BIT(EVENT_STICK) | EVENT_BIT(EVENT_SLIDE) | EVENT_BIT(EVENT_OPEN))

/* A complementarity problem w = A r + b between contact accelerations and forces, or velocities and
 * impulses, to be solved for modes: open r = 0, w_N >= 0; stick w = 0, |r_T| <= mu r_N; slide w_N =
 * 0, r_T = -mu r_N d, w_T = alpha d with alpha >= 0 (not asked for when the direction is given). */
struct event_choice {
  int dim, n;
  const double *A;  /* dim n square, column-major */
  const double *b;  /* dim n */
  const double *mu; /* n */
  const int *fixed; /* n, nonzero: may only slide along the direction given (it slides already) */
  const unsigned *allowed; /* n, EVENT_BIT of each mode to be considered */
  double *direction;       /* (dim - 1) x n, given where fixed, else result for sliding contacts */
  enum event_mode *mode;   /* n, result */
  double *r;               /* dim n, result */
  double violation;        /* of the conditions, relative; result */
};
/* BASE_OK, or BASE_FAILED with a message when no modes satisfy the conditions. */
int event_choose(struct event_choice *choice, struct base_arena *arena);

/* x: n = a solution of K x = y for a square K (column-major), of least norm where K is singular. */
void event_solve_rows(int n, const double *K, const double *y, double *x, struct base_arena *arena);

/* Smooth motion under given modes at one state. */
struct event_flow {
  int nc;
  struct mech_contacts contacts; /* all of them */
  double *qdot, *du;             /* nq, nu */
  double *force;                 /* dim x nc, lambda [N] */
  double *v;                     /* dim x nc, W^T u */
  double power[3];               /* friction, damping, applied [W] */
  int sticks;                    /* a contact that was to start sliding is held by friction */
};
enum { EVENT_POWERS = 3 };
void event_flow_init(struct event_flow *flow, const struct mech *m, struct base_arena *arena);
/* mode: nc; direction: (dim - 1) x nc. The number of contacts must be the one at the start.
 * BASE_FAILED with a message when M is not positive definite. */
int event_flow_evaluate(struct event_flow *flow, const struct mech *m, const enum event_mode *mode,
                        const double *direction, double t, const double *q, const double *u,
                        struct base_arena *arena);

/* Responses of the system, bilateral constraints eliminated: A = W^T X + ..., for the contacts
 * listed. */
struct event_response {
  double *L;  /* factor of M */
  double *W;  /* nu x dim n */
  double *X;  /* nu x dim n, du = X r */
  double *A;  /* dim n square */
  double *a0; /* nu, accelerations without contact forces; NULL unless asked for */
};
/* index: n contacts of flow's list. with_forces: compute a0 from h and the bilateral bias. */
int event_respond(struct event_response *out, const struct mech *m, const struct mech_contacts *c,
                  int n, const int *index, int with_forces, double t, const double *q,
                  const double *u, struct base_arena *arena);
/* Put q and u back on the surfaces that bilateral constraints and closed contacts prescribe. */
int event_project(const struct mech *m, struct event_flow *flow, const enum event_mode *mode,
                  double *q, double *u, struct base_arena *arena);

struct event_options {
  double rtol, atol;
  double rest_speed;
  double max_step;
  int max_events;
  int stepper;
};

/* Gaps and velocities this small, relative to the system's scales, are zero: a few hundred times
 * the round-off that positions and velocities of that size carry, and far below any error of
 * interest. */
#define EVENT_GAP_ZERO 1e-13
#define EVENT_SPEED_ZERO 1e-11
/* Up to this speed, over the system's, a contact in space that starts to slide goes along its
 * acceleration. Friction at the edge of its cone leaves v_T ~ t^2, and the equation of the
 * direction, d' = P v_T' / |v_T|, is stiff by 1/t^2: a hundred times less speed takes ten times the
 * steps. What the shortcut errs by is |v_T| d' / v_T' of the direction over that time: below 1e-11
 * of the speed. */
#define EVENT_START_SPEED 1e-7

struct event {
  const struct mech *m;
  const struct event_options *options;
  struct base_arena *arena;
  struct event_flow flow;
  int ny;                   /* nq + nu + EVENT_POWERS */
  enum event_mode *mode;    /* nc */
  double *direction;        /* (dim - 1) x nc */
  long *closed;             /* nc, ids for the report */
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

/* Earliest event in the step from (t0, y0) to (t0 + h, y), as a fraction of the step; 2: none, NaN:
 * failure with a message. contact: which; second: it ends by its sliding speed or friction margin,
 * not by its gap or normal force. */
double event_find(struct event *e, double t0, double h, int *contact, int *second);
/* Everything that happens at one time, on y: impacts until no contact approaches, then new modes.
 * contact, second: the event that led here (contact -1: none), whose present mode must end. */
int event_process(struct event *e, int contact, int second);
/* y_trial = the state after the fraction theta of that step; BASE_FAILED with a message. */
int event_repeat(struct event *e, double t0, double h, double theta);

#endif
