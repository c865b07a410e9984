/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the event-driven formulation: contact modes and the choice of modes after an event
 * (modes.c), the forces and accelerations they imply (forces.c), how redundant forces are shared
 * (self_stress.c), smooth motion between events (flow.c) and its integration where it is stiff
 * (radau.c), the earliest event of a step (find.c, locate.c), its impacts (impact.c), and the order
 * in which all this happens (process.c, event.c).
 */
#ifndef FORM_EVENT_H
#define FORM_EVENT_H

#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>

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
  const unsigned *allowed; /* n, EVENT_BIT of each mode to be considered */
  double *direction;       /* (dim - 1) x n, given where fixed, else result for sliding contacts */
  enum event_mode *mode;   /* n, result */
  double *r;               /* dim n, result */
  int sweeps;              /* at most; 0: as many as it takes */
  double violation;        /* of the conditions, relative; result */
  double deadline;         /* base/clock.h */
};
/* BASE_OK, or BASE_FAILED with a message when no modes satisfy the conditions (BASE_TIMEOUT). */
int event_choose(struct event_choice *choice, struct base_arena *arena);
/* Another solution, in which the contacts of a choice that was made with sticks != 0, several of
 * them, do not stick: with redundant contacts a self-stress, which nothing determines, may hold
 * what slides without it. sticks: n; other: in the arena. Returns whether there is one. */
int event_choose_other(const struct event_choice *choice, const int *sticks,
                       struct event_choice *other, struct base_arena *arena);
/* Whether, of a choice that was made, contacts that stick could slide or open as well, with another
 * motion. */
int event_moves_otherwise(const struct event_choice *choice, struct base_arena *arena);

/* Contacts whose modes are known: w = A r + b with r and w of sticking and sliding contacts as
 * their modes say. Signs and cones are not looked at. */
struct event_closed {
  int dim, n;
  const double *A, *b, *mu;    /* as above */
  const double *W, *X;         /* nu x dim n with A = W^T X, of which r gains digits (see */
  int nu;                      /* forces.c); NULL, 0: not given */
  const enum event_mode *mode; /* n, OPEN, STICK or SLIDE */
  const int *seeks;            /* n, nonzero: slides along its w_T; NULL: none does */
  double *direction;           /* (dim - 1) x n, of those that slide; found where sought */
  double *r, *w;               /* dim n, result */
  int redundant;               /* forces that the equations leave open (forces.c); result */
};
void event_forces(struct event_closed *closed, struct base_arena *arena);
/* Place in a column-major matrix of so many rows. */
static inline size_t event_at(int column, int rows, int row) {
  return (size_t)column * (size_t)rows + (size_t)row;
}
/* Its unknowns as components of r: up to dim n; their number. */
int event_rows(const struct event_closed *closed, int *row);
/* F: dim n x k, zeroed: the forces of unit unknowns. */
void event_columns(const struct event_closed *closed, int k, const int *row, double *F);
/* By how much contact i satisfies the law at forces r: r_N, or mu r_N - |r_T| where it sticks. */
double event_slack(const struct event_closed *closed, int i, const double *r);
/* phi (see self_stress.c) over the largest force, at most 1. r: dim n, forces from event_forces;
 * where these lack more than `enough` they are replaced by the ones that lack least. */
double event_margin(const struct event_closed *closed, double *r, double enough,
                    struct base_arena *arena);
/* Whether forces r that leave slack, so that others near them satisfy Coulomb's law too, have some
 * among these with another motion: what several sliding contacts share may turn the body. */
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
  double *gap;           /* n, [m]; not 0 of a body that leans (process.c) */
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
  int strays;    /* a closed contact is on another piece than its own, if by rounding */
  int lost;      /* and by more than that: the motion is not smooth beyond */
  int redundant; /* its forces are not unique */
  int several;   /* nor is the motion, if asked for with the margin */
  double margin; /* event_margin, if asked for */
};
enum { EVENT_POWERS = 3 };
struct event_state {
  double t; /* [s] */
  const double *q, *u;
};
void event_flow_init(struct event_flow *flow, const struct mech *m, struct base_arena *arena);
void event_flow_free(struct event_flow *flow);
/* Contacts with gaps up to reach at a state, and their velocities; modes NULL: all open. */
void event_flow_contacts(struct event_flow *flow, const struct event_modes *modes, double reach,
                         const double *q, const double *u);
/* Index of a contact; -1: not there. */
int event_flow_find(const struct event_flow *flow, long id);
/* all: with the open contacts, however far, and the margin, as events ask for; else closed ones
 * alone. BASE_FAILED with a message when M is not positive definite. */
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

/* Gaps and velocities this small, relative to the system's scales, are zero: a few hundred times
 * the round-off that positions and velocities of that size carry, and far below any error of
 * interest. */
#define EVENT_GAP_ZERO 1e-13
#define EVENT_SPEED_ZERO 1e-11
/* Slow sliding in space, over the system's speed, or rtol where that is more; see flow.c. */
#define EVENT_SLOW_SPEED 1e-7
/* A contact that slides to rest has kept its direction while v_T . d exceeds so many times the rest
 * of v_T; where it turns, it takes a new one. */
#define EVENT_STRAIGHT 10

/* Integration lets states drift off the surfaces by no more than so many times the error a step
 * that is asked for. What misses by more is no drift. */
#define EVENT_DRIFT 1e3

/* What forces may lack, relative to the largest, where modes are chosen; and when redundant
 * contacts are taken to lack some: more, so that modes that ended are not chosen again. */
#define EVENT_SLACK_ZERO 5e-10
#define EVENT_SLACK_EVENT 1e-9

/* Modes that have ended at one time: not to be chosen again there. Where several contacts lift at
 * once, each could otherwise hand its force to the next, and back. */
struct event_ended {
  int n, capacity;
  double t;          /* of the first of them */
  long *id;          /* n */
  unsigned *allowed; /* n */
};
/* Times nearer than this, over the output step, are one. */
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
  gsl_odeiv2_step *explicit, *implicit; /* as the options say; radau.c */
  int phase_steps, stiff_steps;         /* since the phase began; of these the last, stiff ones */
  double *scale;                        /* ny, of absolute errors */
  gsl_odeiv2_control *control;
  gsl_odeiv2_evolve *evolve;
  gsl_odeiv2_system system;
  gsl_root_fsolver *solver;
  int started;
  int stays, left; /* closed contacts must stay on their pieces; one did not in the present step */
  struct form_report *report;
};

/* What ends a smooth phase. */
enum event_kind {
  EVENT_NONE,
  EVENT_BREAK,       /* the phase of what is prescribed in time, or the run, begins */
  EVENT_TOUCH,       /* a contact closes */
  EVENT_LIFT,        /* its normal force ends */
  EVENT_SECOND,      /* its sliding, fast or slow, or its sticking */
  EVENT_SELF_STRESS, /* no self-stress makes redundant forces satisfy Coulomb's law */
  EVENT_LOST         /* a closed contact has left its piece */
};
struct event_found {
  enum event_kind kind;
  long id;      /* of TOUCH, LIFT and SECOND */
  double theta; /* when, as a fraction of the step; 2: NONE */
};
/* Why an integration from t0 on gave up: BASE_FAILED or BASE_TIMEOUT, with a message. */
int event_give_up(const struct event *e, double t0);
/* The directions of sliding at e's present state, for the step to come. */
void event_note_directions(struct event *e);
/* After an explicit step of length h to y at t: the implicit method takes over where stability
 * limits the step (radau.c); and the end of that, with the phase. */
void event_watch_stiffness(struct event *e, double h);
void event_forget_stiffness(struct event *e);
extern const gsl_odeiv2_step_type event_radau;
/* Earliest event in the step from (t0, y0) to (t0 + h, y); else as above. */
int event_find(struct event *e, double t0, double h, struct event_found *found);
/* Everything that happens at one time, on y: impacts until no contact approaches, then new modes.
 * found: the event that led here, whose present mode must end. */
int event_process(struct event *e, const struct event_found *found);
/* Contacts at zero gap, and those that are closed; returns their number. index: as many as there
 * are potential contacts. */
int event_touching(struct event *e, int *index);
/* The modes of the touching contacts after an event, but for those that have ended. */
int event_go_on(struct event *e, int n, const int *index);
/* The body leans where its contacts would let it go inside at once; else nothing changes. index: n
 * that touch. */
int event_lean(struct event *e, int n, const int *index);
/* What has leant stands upright again. */
int event_straighten(struct event *e);
/* Newton's impact law on n touching contacts, index: those of the flow's list, with the bilateral
 * constraints (impact.c); constraints_jump: u misses these. */
int event_impact(struct event *e, int n, const int *index, int constraints_jump);
/* A contact without friction has nothing between sticking and sliding: it slides, along any
 * direction, with no force along it. Returns whether it is one; then its entries are set. */
int event_take_frictionless(int dim, double mu, unsigned *allowed, int *fixed, double *direction);
/* y back onto the surfaces it moves on, from which integration let it drift (event_project). */
int event_put_back(struct event *e);
/* Room for n closed contacts; what there was is lost. */
void event_reserve_modes(struct event *e, int n);
/* y_trial = the state after the fraction theta of that step; else as event_give_up. */
int event_repeat(struct event *e, double t0, double h, double theta);

#endif
