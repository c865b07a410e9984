/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the event-driven formulation: contact modes and the choice of modes after an event
 * (modes.c, other.c), the forces and accelerations they imply (forces.c), the self-stress of redundant
 * forces (self_stress.c), smooth motion between events (flow.c) and its integration where it is
 * stiff (radau.c), the earliest event of a step (find.c, locate.c), its impacts (impact.c), and the
 * order in which all this happens (process.c, event.c).
 */
#ifndef FORM_EVENT_H
#define FORM_EVENT_H

#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>

#include "base/status.h"
#include "form/carried.h"
#include "form/delassus.h"
#include "form/form.h"
#include "mech/bilateral/bilateral.h"

enum event_mode {
  EVENT_STICK, /* closed, no sliding; with dim 1 simply closed */
  EVENT_SLIDE, /* closed, sliding along its direction */
  EVENT_OPEN,
  EVENT_START, /* in space: slides, from rest, along its acceleration (see flow.c) */
  EVENT_STOP,  /* in space: slides slowly, about along the direction given (see flow.c) */
  EVENT_MODE_COUNT
};
#define EVENT_BIT(mode) (1u << (mode))
#define EVENT_ANY (EVENT_BIT(EVENT_STICK) | EVENT_BIT(EVENT_SLIDE) | EVENT_BIT(EVENT_OPEN))
#define EVENT_SINGULAR 1e-11 /* pivots, eigenvalues over the largest: rows are dependent */

/* A complementarity problem w = A r + b between contact accelerations and forces, or velocities and
 * impulses, to be solved for modes: open r = 0, w_N >= 0; stick w = 0, |r_T| <= mu r_N; slide w_N =
 * 0, r_T = -mu r_N d, w_T = alpha d with alpha >= 0 (not asked for when the direction is given). */
struct event_choice {
  int dim, n;
  const double *A;  /* dim n square, column-major */
  const double *b;  /* dim n */
  const double *mu; /* n */
  const int *fixed; /* n, nonzero: may only slide along the direction given (it slides already) */
  const unsigned *allowed; /* n, EVENT_BIT of each allowed mode */
  double *direction;       /* (dim - 1) x n, given where fixed, else result for sliding contacts */
  enum event_mode *mode;   /* n, result */
  double *r;               /* dim n, result */
  int sweeps;              /* largest number; 0: no limit */
  double violation;        /* of the conditions, relative; result */
  double deadline;         /* base/clock.h */
};
/* BASE_OK; with a message BASE_UNSUPPORTED when all combinations of modes were tried and none
 * satisfies the conditions (Painlevé), BASE_FAILED when none was found, BASE_TIMEOUT. */
int event_choose(struct event_choice *choice, struct base_arena *arena);
/* Is its status that of a choice without modes, whether there are none or none were found? */
static inline int event_is_without_modes(int status) {
  return status == BASE_FAILED || status == BASE_UNSUPPORTED;
}
/* Another solution, in which contacts that stick in `choice`, those with sticks != 0, do not stick.
 * With redundant contacts an undetermined self-stress may stop a contact that slides without it.
 * sticks: n; other: in the arena. Returns 1 if there is one. */
int event_choose_other(const struct event_choice *choice, const int *sticks,
                       struct event_choice *other, struct base_arena *arena);
/* Could contacts that stick in a solved `choice` also slide or open, with another motion? */
int event_moves_otherwise(const struct event_choice *choice, struct base_arena *arena);

/* Contacts of known modes: w = A r + b, with the equations of sticking and sliding for r and w.
 * Signs and cones are not checked. */
struct event_closed {
  int dim, n;
  const double *A, *b, *mu;    /* as above */
  const double *W, *X;         /* nu x dim n with A = W^T X, of which r gains digits (see */
  int nu;                      /* forces.c); NULL, 0: not given */
  const enum event_mode *mode; /* n, OPEN, STICK or SLIDE */
  const int *seeks;            /* n, nonzero: slides along its w_T; NULL: none does */
  double *direction;           /* (dim - 1) x n, of those that slide; found where sought */
  double *r, *w;               /* dim n, result */
  int redundant;               /* number of forces that the equations do not determine (forces.c);
                                  result */
};
void event_forces(struct event_closed *closed, struct base_arena *arena);
/* Index in a column-major matrix with `rows` rows. */
static inline size_t event_at(int column, int rows, int row) {
  return (size_t)column * (size_t)rows + (size_t)row;
}
/* Its unknowns as components of r: up to dim n; their number. */
int event_rows(const struct event_closed *closed, int *row);
/* F: dim n x k, zeroed: the forces of unit unknowns. */
void event_columns(const struct event_closed *closed, int k, const int *row, double *F);
/* Slack of contact i in its law at forces r: r_N, or mu r_N - |r_T| if it sticks. */
double event_slack(const struct event_closed *closed, int i, const double *r);
/* phi (see self_stress.c) over the largest force, at most 1. r: dim n, forces from event_forces;
 * where these lack more than `enough` they are replaced by the ones that lack least. */
double event_margin(const struct event_closed *closed, double *r, double enough,
                    struct base_arena *arena);
/* With slack at forces r, other forces near them satisfy Coulomb's law too. Do some of these give
 * another motion? A redistribution between several sliding contacts may turn the body. */
int event_turns_otherwise(const struct event_closed *closed, const double *r,
                          struct base_arena *arena);
/* x: n = the solution of least norm of K x = y for a semidefinite K: n x n, in its range. */
void event_solve_semidefinite(int n, const double *K, const double *y, double *x,
                              struct base_arena *arena);

/* Closed contacts; all others are open. */
struct event_modes {
  int n;
  long *id;              /* n, ascending */
  enum event_mode *mode; /* n */
  int *piece;            /* n, struct mech_contact_piece */
  double *gap;           /* n, [m]; not 0 if the body leans (process.c) */
  double *direction;     /* (dim - 1) x n */
};

/* Smooth motion under given modes at one state. Which contacts there are may change from state to
 * state: they are known by their ids. */
struct event_flow {
  const struct mech *m;
  struct mech_bilateral *bilateral; /* of the last event_respond */
  struct mech_phase phase;          /* times are seen as in it (mech_phase_time) */
  struct base_arena *store;         /* of the arrays of capacity entries */
  int nc, capacity;
  struct mech_contacts contacts; /* nc, within the reach asked for */
  enum event_mode *mode;         /* nc */
  double *direction;             /* (dim - 1) x nc, of closed contacts */
  double slow;                   /* of sliding in space [m/s]; see flow.c */
  double *qdot, *du;             /* nq, nu */
  double *force;                 /* dim x nc, lambda [N] */
  double *v;                     /* dim x nc, W^T u */
  double power[3];               /* friction, damping, applied [W] */
  int sticks;                    /* a contact that was to start sliding is held by friction */
  int strays;    /* a closed contact is on another piece than its own, perhaps by rounding */
  int lost;      /* and by more than rounding: the motion is not smooth beyond */
  int redundant; /* its forces are not unique */
  int several;   /* nor is the motion unique; computed with the margin only */
  double margin; /* event_margin, if requested */
};
enum { EVENT_POWERS = 3 };
struct event_state {
  double t; /* [s] */
  const double *q, *u;
};
void event_flow_init(struct event_flow *flow, const struct mech *m, struct base_arena *arena);
void event_flow_free(struct event_flow *flow);
/* Find contacts with gaps up to reach at a state, and their velocities; modes NULL: all are
 * open. */
void event_flow_contacts(struct event_flow *flow, const struct event_modes *modes, double reach,
                         const double *q, const double *u);
/* Index of a contact; -1: not there. */
int event_flow_find(const struct event_flow *flow, long id);
/* all: include the open contacts at any distance, and the margin, as the event functions need; else
 * closed contacts alone. BASE_FAILED with a message when M is not positive definite. */
int event_flow_evaluate(struct event_flow *flow, const struct event_modes *modes, int all,
                        struct event_state at, struct base_arena *arena);

/* Responses of the system, bilateral constraints eliminated: A = W^T X + ..., for the contacts
 * listed. */
struct event_response {
  double *L; /* factor of M */
  double *W; /* nu x dim n; W to S are NULL where n = 0 */
  double *X; /* nu x dim n, du = X r */
  double *A; /* dim n square */
  double *S; /* ns x dim n, Lambda_S = -S r */
};
/* index: n contacts of flow's list. t is taken as it is. */
int event_respond(struct event_response *out, struct event_flow *flow, int n, const int *index,
                  struct event_state at, struct base_arena *arena);
/* Accelerations without contact forces, from h and the bilateral bias, a: nu; and the lambda_S = -s
 * that go with them, s: ns. */
struct event_free {
  double *a, *s;
};
struct event_free event_free_motion(const struct event_response *response, struct event_flow *flow,
                                    struct event_state at, struct base_arena *arena);
/* Put q and u back on the surfaces that bilateral constraints and closed contacts prescribe at time
 * t, from which they have drifted by no more than most. */
int event_project(struct event_flow *flow, const struct event_modes *modes, struct mech_drift most,
                  double t, double *q, double *u, struct base_arena *arena);

struct event_options {
  double rtol, atol;
  double rest_speed;
  double max_step;
  int max_events;
  int stepper;
};

/* Gaps and velocities below this, relative to the system's scales, are zero. It is a few hundred
 * times the round-off of positions and velocities, and far below any error of interest. */
#define EVENT_GAP_ZERO 1e-13
#define EVENT_SPEED_ZERO 1e-11
/* Slow sliding in space, over the system's speed, or rtol where that is more; see flow.c. */
#define EVENT_SLOW_SPEED 1e-7
/* A contact that slides to rest keeps its direction d while v_T . d exceeds this multiple of the
 * rest of v_T; else it takes a new one. */
#define EVENT_STRAIGHT 10

/* Drift of integrated states off the surfaces is at most this multiple of the requested error of a
 * step. A larger distance is no drift. */
#define EVENT_DRIFT 1e3

/* Largest violation of the law by forces, relative to the largest force, in the choice of modes;
 * and violation at which modes of redundant contacts end. The second is larger, so that ended modes
 * are not chosen again. */
#define EVENT_SLACK_ZERO 5e-10
#define EVENT_SLACK_EVENT 1e-9

/* Modes that have ended at one time. They are not chosen again at that time; otherwise contacts
 * that lift at once could exchange their force without end. */
struct event_ended {
  int n, capacity;
  double t;          /* of the first of them */
  long *id;          /* n */
  unsigned *allowed; /* n */
};
/* Times that differ by less than this, over the output step, are equal. */
#define EVENT_SAME_TIME 1e-9

struct event {
  const struct mech *m;
  const struct event_options *options;
  struct base_arena *arena, *store; /* store: of modes */
  struct event_flow flow;
  int ny; /* nq + nu + EVENT_POWERS */
  struct event_modes modes;
  int capacity;                /* of modes */
  struct form_carried carried; /* in the output step */
  struct event_ended ended;
  double dt;                /* of output steps */
  double deadline;          /* base/clock.h: asked with every evaluation of the motion */
  double *chi;              /* ns, bilateral_drift before the present phase; NULL without it */
  double *y, *y0, *y_trial; /* ny */
  double t, h;
  gsl_odeiv2_step *step;                /* the one in use */
  gsl_odeiv2_step *explicit, *implicit; /* explicit: by the options; implicit: radau.c */
  int phase_steps, stiff_steps;         /* steps of the phase so far; stiff ones at its end */
  double *scale;                        /* ny, of absolute errors */
  gsl_odeiv2_control *control;
  gsl_odeiv2_evolve *evolve;
  gsl_odeiv2_system system;
  gsl_root_fsolver *solver;
  int started;
  int stays, left; /* stays: closed contacts must stay on their pieces; left: one did not in the
                      present step */
  struct form_report *report;
};

/* What ends a smooth phase. */
enum event_kind {
  EVENT_NONE,
  EVENT_BREAK,       /* a phase of the prescribed motion, or the run, begins */
  EVENT_TOUCH,       /* a contact closes */
  EVENT_LIFT,        /* its normal force ends */
  EVENT_SECOND,      /* its sliding, fast or slow, or its sticking ends */
  EVENT_SELF_STRESS, /* no self-stress makes redundant forces satisfy Coulomb's law */
  EVENT_LOST         /* a closed contact has left its piece */
};
struct event_found {
  enum event_kind kind;
  long id;      /* of TOUCH, LIFT and SECOND */
  double theta; /* when, as a fraction of the step; 2: NONE */
};
/* The status of a failed integration from t0 on: BASE_FAILED or BASE_TIMEOUT, with a message. */
int event_give_up(const struct event *e, double t0);
/* Store the directions of sliding at e's present state, for the next step. */
void event_note_directions(struct event *e);
/* After an explicit step of length h to y at t: switch to the implicit method if stability limits
 * the step (radau.c); switch back at the end of the phase. */
void event_watch_stiffness(struct event *e, double h);
void event_forget_stiffness(struct event *e);
extern const gsl_odeiv2_step_type event_radau;
/* Earliest event in the step from (t0, y0) to (t0 + h, y). Status as event_give_up. */
int event_find(struct event *e, double t0, double h, struct event_found *found);
/* Process an instant, on y: impacts until no contact approaches, then new modes. found: the event
 * at this instant, whose present mode must end. */
int event_process(struct event *e, const struct event_found *found);
/* Contacts at zero gap, and those that are closed; returns their number. index: as many as there
 * are potential contacts. */
int event_touching(struct event *e, int *index);
/* Choose the modes of the touching contacts after an event, without modes that have ended. */
int event_go_on(struct event *e, int n, const int *index);
/* Let a body lean if its contacts would penetrate at once; else nothing changes. index: n touching
 * contacts. */
int event_lean(struct event *e, int n, const int *index);
/* Undo event_lean. */
int event_straighten(struct event *e);
/* Newton's impact law on n touching contacts, index: those of the flow's list, with the bilateral
 * constraints (impact.c); constraints_jump: u misses these. */
int event_impact(struct event *e, int n, const int *index, int constraints_jump);
/* A contact without friction has a single closed mode: it slides along any direction, without a
 * tangential force. Returns 1 if it is one, and sets its entries. */
int event_take_frictionless(int dim, double mu, unsigned *allowed, int *fixed, double *direction);
/* Project y back onto its surfaces, to remove the drift of integration (event_project). */
int event_put_back(struct event *e);
/* Set the capacity to n closed contacts; the contents are lost. */
void event_reserve_modes(struct event *e, int n);
/* y_trial = the state after the fraction theta of the step. Status as event_give_up. */
int event_repeat(struct event *e, double t0, double h, double theta);

#endif
