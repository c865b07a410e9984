/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the penalty formulation: contacts and which are active (touch.c), the contact law
 * (law.c), its part independent of velocities (place.c), its damping from restitution
 * (restitution.c), tangential springs (slider.c, spring.c), rigid bodies in the world's axes
 * (world.c), the equations of motion under it as a first-order system (flow.c), jumps of what is
 * prescribed (jump.c), integration over one step (stepper.c, fixed.c) and the works done in it
 * (balance.c), the longest step that is stable (limit.c) and the parts of a step (parts.c), and the
 * stiffness for an allowed depth (rule.c).
 *
 * The first-order system is y = (q, u, works, xi): the works of friction, impact (normal contact
 * forces net of what their springs store), damping and applied forces [J], integrated along with
 * the motion, and for fixed steps the terms of their balance of kinetic energy (balance.c); and the
 * elongations of tangential springs, where there are any, by the slots of penalty_history.
 */
#ifndef FORM_PENALTY_H
#define FORM_PENALTY_H

#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

#include "base/bytes/blob.h"
#include "base/options.h"
#include "base/threads.h"
#include "form/carried.h"
#include "form/delassus.h"
#include "form/penalty/world.h"

enum { PENALTY_FRICTION, PENALTY_IMPACT, PENALTY_DAMPING, PENALTY_APPLIED, PENALTY_WORKS };
/* Behind the works, with fixed steps alone (balance.c): dT/dt, du/dt . M du/dt, and for the forces
 * f of each of the works f . du/dt [W, W/s], integrated over the present step. */
enum {
  PENALTY_KINETIC = PENALTY_WORKS,
  PENALTY_INERTIA,
  PENALTY_ALONG,
  PENALTY_BALANCE = PENALTY_ALONG + PENALTY_WORKS
};
enum { PENALTY_LINEAR, PENALTY_HERTZ };
enum { PENALTY_DAMPING_AUTO, PENALTY_VISCOUS, PENALTY_HUNT };
enum { PENALTY_REGULARISED, PENALTY_TANGENT_SPRING };
enum { PENALTY_MULTIPLIER, PENALTY_SPRING };
enum {
  PENALTY_RK4,
  PENALTY_VERLET,
  PENALTY_RKF45,
  PENALTY_RK8PD,
  PENALTY_RK4IMP,
  PENALTY_BSIMP,
  PENALTY_MSBDF
};

extern const struct base_option penalty_option_table[];
struct penalty_options {
  int normal, damping;
  double K;     /* [N/m^n], n = 1 linear, 3/2 hertz; < 0: made for depth */
  double depth; /* over the system's length */
  double D;     /* viscous [N s/m^((n+1)/2)]; < 0: from eps_N */
  double chi;   /* hunt-crossley [s/m]; < 0: from eps_N */
  int clamp;
  double eps_min;
  int tangential;
  double v_reg; /* [m/s] */
  double K_T, ratio_T;
  double D_T, zeta_T;
  int bilateral;
  int project;
  double baumgarte;      /* [1/s] */
  double K_S, D_S;       /* of g_S in its own unit */
  int stepper, substeps; /* 0: as many as stability asks for */
  double rtol, atol;
};
static inline int penalty_is_fixed(const struct penalty_options *o) {
  return o->stepper == PENALTY_RK4 || o->stepper == PENALTY_VERLET;
}
static inline int penalty_is_implicit(const struct penalty_options *o) {
  return o->stepper == PENALTY_RK4IMP || o->stepper == PENALTY_BSIMP || o->stepper == PENALTY_MSBDF;
}
static inline int penalty_is_hunt(const struct penalty_options *o) {
  return o->damping == PENALTY_HUNT ||
         (o->damping == PENALTY_DAMPING_AUTO && o->normal == PENALTY_HERTZ);
}
static inline double penalty_exponent(const struct penalty_options *o) {
  return o->normal == PENALTY_HERTZ ? 1.5 : 1;
}

/* --- restitution.c --- */
/* Viscous: damping ratio zeta = D / (2 sqrt((n+1)/2 K m)) whose rebound is eps. */
double penalty_damping_ratio(double eps, int clamp);
/* The rebound a damping ratio gives; 0 for zeta >= 1 without clamping. */
double penalty_restitution(double zeta, int clamp);
/* Hunt and Crossley: d = chi v_0 whose rebound is eps > 0, and the rebound of d. */
double penalty_hunt_number(double eps);
double penalty_hunt_restitution(double d);
/* Fraction of the kinetic energy of the approach that the spring stores at the deepest point. */
double penalty_hunt_part(double d);
/* The approach speed v_0 [m/s] at onset, of a contact with numbers d and eps whose present speed is
 * v (> 0 approaching) and elastic energy per effective mass is e [m^2/s^2]. */
double penalty_hunt_speed(double d, double eps, double v, double e);

/* Tangential springs of contacts that were closed at the beginning of an internal step. */
struct penalty_history {
  int n, capacity, width; /* slots in use; width: dim - 1 numbers a slot, 0 without springs */
  long *id;               /* n, ascending */
  double *frame; /* 6 x n: n, t1 of the contact when the step began; NULL: they do not turn */
};

/* Linearised law at an active contact, for the limit of the step. */
struct penalty_slopes {
  double k, d;     /* normal [N/m], [N s/m] */
  double k_T, d_T; /* tangential, where it does not slip */
  double slip;     /* relaxation rate of a slipping spring [1/s] */
};

/* The last coefficients of restitution and their damping numbers. Most contacts of a system have
 * the same two materials, so the numbers are reused. */
struct penalty_known {
  double eps, number;  /* zeta or d, along n */
  double eps_T, ratio; /* zeta across n */
};

/* Quantities of active contacts that do not depend on velocities. They are computed once for all
 * evaluations in one configuration, such as the two of a Verlet step. n of each, as of contacts. */
struct penalty_place {
  double *damping;            /* along the normal: place.c, find_dampings */
  double *k_T, *d_T;          /* of tangential springs [N/m], [N s/m] */
  double *cos, *sin;          /* of the angle from the frame of the slot to the contact's */
  int *slot;                  /* in penalty_history; -1: none */
  int known, slotted, turned; /* flags: dampings, slots, turns are computed */
  int n_slotted;              /* contacts with a slot, valid if slotted */
  struct penalty_known numbers[BASE_PARTS]; /* one a part: threads have a part each */
};

/* A block of contacts, to which the law is applied component by component. */
enum { PENALTY_BLOCK = BASE_PART_UNIT };
struct penalty_block {
  struct penalty_known *known;              /* of its part */
  int first, n;                             /* contacts first ... first + n - 1 */
  double v[CONTACT_DIM_MAX][PENALTY_BLOCK]; /* velocities [m/s] */
  double r[CONTACT_DIM_MAX][PENALTY_BLOCK]; /* forces [N]; zero where not active */
};

/* Contacts near enough, and which of them are active (touch.c). */
struct penalty_touch {
  struct mech_contacts contacts; /* found by the last evaluation */
  struct base_parts parts;       /* of them; one where bodies are no rigid ones */
  int capacity;                  /* of all arrays with a number a contact */
  int *active, n_active;         /* n: g_N < 0, or the frozen flag; their number */
  struct {                       /* the configuration of the search */
    int known, frozen;
    double *q, t, reach; /* nq */
  } found;
  struct {        /* frozen set: derivatives do not cross the onset of contact */
    int on, n;    /* on: flag; n: active contacts */
    long *id;     /* n, ascending */
    double reach; /* reach of the frozen search [m] */
  } frozen;
};

/* Results of the law at the last evaluation (law.c). */
struct penalty_force {
  double *r;                      /* n of the contacts: normal forces [N] */
  double *lossy[CONTACT_DIM_MAX]; /* n each: the part of the forces without a potential [N] */
  unsigned char *slips;           /* n: of tangential springs */
  double *along;                  /* width x n: fixed steps: W_T^T du/dt [m/s^2] */
  double *fresh;                  /* width x n: xi' of contacts that have no slot yet [m/s] */
};

/* The mass matrix, reused while it is constant (flow.c). */
struct penalty_mass {
  int known;
  double *L;       /* its factor */
  double *inverse; /* nu, of a diagonal one; else NULL */
};

struct penalty_flow {
  const struct mech *m;
  const struct penalty_options *options;
  struct mech_phase phase;  /* times are seen as in it (mech_phase_time) */
  struct base_arena *arena; /* scratch, marked and released in an evaluation */
  struct base_arena *store; /* of arrays that grow with the contacts */
  struct penalty_touch touch;
  struct penalty_place place;
  struct penalty_force force;
  struct penalty_history history;
  struct penalty_world world; /* of rigid bodies */
  struct penalty_mass mass;
  struct mech_bilateral *bilateral; /* multipliers or springs of the constraints */
  struct form_carried carried;      /* in the step under way */
  double kinetic;                   /* at the last evaluation [J]; NaN: not computed */
  long evaluations;                 /* so far */
};
/* lists: an arena of its own, because lists grow while scratch is in use. penalty_flow_free frees
 * memory outside of arenas. */
void penalty_flow_free(struct penalty_flow *flow);
void penalty_flow_init(struct penalty_flow *flow, const struct mech *m,
                       const struct penalty_options *options, struct base_arena *arena,
                       struct base_arena *lists);
/* Numbers behind u in y, place of xi there, and the length of y. */
static inline int penalty_flow_works(const struct penalty_flow *flow) {
  return penalty_is_fixed(flow->options) ? PENALTY_BALANCE : PENALTY_WORKS;
}
static inline int penalty_flow_xi(const struct penalty_flow *flow) {
  return flow->m->nq + flow->m->nu + penalty_flow_works(flow);
}
static inline int penalty_flow_size(const struct penalty_flow *flow) {
  return penalty_flow_xi(flow) + flow->history.width * flow->history.capacity;
}
/* Replace an array by a zeroed one of `size` bytes a contact. */
static inline void *penalty_flow_renew(struct penalty_flow *flow, void *old, size_t size) {
  size *= (size_t)flow->touch.capacity;
  return memset(base_arena_resize(flow->store, old, 0, size), 0, size);
}
/* dy: ny. BASE_FAILED with a message when M is not positive definite. */
int penalty_flow_evaluate(struct penalty_flow *flow, double t, const double *y, double *dy);
/* The same but for qdot. */
int penalty_flow_accelerate(struct penalty_flow *flow, double t, const double *y, double *dy);
/* Add the contacts that carry at the last evaluation to `carried`; returns their number. */
int penalty_flow_carry(struct penalty_flow *flow);
/* A number that changes when a contact begins or ends, or its force does. */
unsigned long penalty_flow_modes(const struct penalty_flow *flow);
/* Energy in the springs of contacts (those of the last evaluation) and constraints at y [J]. */
double penalty_flow_stored(struct penalty_flow *flow, double t, const double *y);

/* --- touch.c --- */
/* Find the contacts at (t, q) and which of them are active. Nothing is done if the last evaluation
 * had the same configuration: some methods evaluate several velocities in one. */
void penalty_touch_find(struct penalty_flow *flow, double t, const double *q);
/* Invalidate the contacts found, after a change of the system. */
void penalty_touch_forget(struct penalty_flow *flow);
/* Freeze the set of active contacts of the last evaluation, in scratch, until released; increment:
 * largest displacement of coordinates to come [m, -]. */
void penalty_touch_freeze(struct penalty_flow *flow, double increment);
/* --- balance.c --- */
/* Rates of the balance at (q, u) with accelerations du: nu, where the law was applied, but for f .
 * u and f . du of all forces f, those of multipliers (minus_lambda: ns) and f . du of the system's
 * own damping and applied forces. power: as in y. */
void penalty_balance_rates(struct penalty_flow *flow, const double *q, const double *u,
                           const double *du, double *power);
void penalty_balance_multipliers(struct penalty_flow *flow, const double *u, const double *du,
                                 const double *minus_lambda, double *power);
/* Rates of the balance of the contacts at accelerations du, which are noted (flow->force.along). */
void penalty_balance_contacts(struct penalty_flow *flow, const double *du, double *power);
/* Works at the end of a step of length dt, from those before it, so that with those of all other
 * forces they add up to its change of kinetic energy [J]. */
void penalty_balance_works(double dt, double change, const double *before, double *works);

/* --- jump.c --- */
/* The bilateral constraints as an impact at time t on y, where rates miss them (*jumped):
 * velocities, and the works of drives and of what is lost. chi: ns, bilateral_drift before; NULL:
 * no other than at t. BASE_FAILED as evaluate. */
int penalty_jump(struct penalty_flow *flow, double t, const double *chi, double *y, int *jumped);

/* --- law.c --- */
/* Arrays as long as the list of contacts may become. */
void penalty_law_reserve(struct penalty_flow *flow);
/* The law at the contacts found, at velocities u (nu): fills flow->force.r and adds W r to f (nu).
 * b: NULL without elimination. power: [0] friction, [1] impact [W]; dxi: rates of the slots, zero
 * on
 * entry. */
void penalty_law_apply(struct penalty_flow *flow, const struct mech_bilateral *b, const double *u,
                       const double *xi, double *f, double *power, double *dxi);
/* pen of contact i, as the law takes it: a frozen contact may be just open, where the linear law is
 * continued. *stiffness: of its spring [N/m]. */
static inline double penalty_penetration(const struct penalty_flow *flow, int i,
                                         double *stiffness) {
  const struct penalty_options *o = flow->options;
  const int is_hertz = o->normal == PENALTY_HERTZ;
  const double gN = flow->touch.contacts.gN[i], pen = is_hertz ? fmax(-gN, 0) : -gN;
  *stiffness = o->K * (is_hertz ? sqrt(pen) : 1);
  return pen;
}
/* Slopes of active contact i, whose velocities were v (dim) at the last evaluation. */
void penalty_law_slopes(const struct penalty_flow *flow, struct penalty_known *known, int i,
                        const double *v, struct penalty_slopes *slopes);

/* --- place.c --- */
/* Arrays as long as the list of contacts may become. */
void penalty_place_reserve(struct penalty_flow *flow);
/* Whether the damping of a contact depends on its velocity. */
static inline int penalty_is_by_speed(const struct penalty_options *o) {
  return penalty_is_hunt(o) && o->chi < 0;
}
/* The places of n contacts from `first` on, but for slots and turns. b: as for the law. */
void penalty_place_find(struct penalty_flow *flow, const struct mech_bilateral *b,
                        struct penalty_known *known, int first, int n);
/* Where it depends on it, the damping of contact i at the approach speed v [N s/m]; spring: its
 * force [N]. */
double penalty_place_damping(const struct penalty_flow *flow, struct penalty_known *known, int i,
                             double pen, double spring, double v);

/* --- slider.c --- */
/* Tangential forces of springs in a block under the normal forces f_N (n) at velocities b->v: into
 * b->r and flow->force.lossy; rates into dxi, or among those of contacts that have no slot yet.
 * Adds to the power of friction, net of what the springs store [W]. */
void penalty_slider_force(struct penalty_flow *flow, struct penalty_block *b, const double *f_N,
                          const double *xi, double *dxi, double *power);

/* --- spring.c --- */
/* k_T and d_T of n contacts from `first` on; inverse: n, of their effective masses across the
 * normal [1/kg]. */
void penalty_spring_place(struct penalty_flow *flow, struct penalty_known *known, int first, int n,
                          const double *inverse);
/* Slots and turns of n contacts from `first` on, where not known yet; returns how many have a slot.
 * *cursor: 0, or as left by the call for those before them. */
int penalty_spring_turn(struct penalty_flow *flow, int first, int n, int *cursor);
/* Energy in the tangential springs of the contacts of the last evaluation [J]. */
double penalty_spring_stored(struct penalty_flow *flow, const double *xi);
/* Room for n slots; whoever holds a y makes it as long. */
void penalty_spring_reserve(struct penalty_flow *flow, int n);
/* Slots of the contacts closed at the last evaluation take over from those before; xi, dxi: those
 * of y and dy, which go along. Returns whether the list changed; *released: energy of springs
 * whose contact has opened [J]. */
int penalty_spring_settle(struct penalty_flow *flow, double *xi, double *dxi, double *released);
/* xi += dt xi': dxi of the last evaluation for springs that slip; for those that stick with half a
 * step of its accelerations on its velocities. */
void penalty_spring_predict(struct penalty_flow *flow, double dt, const double *dxi, double *xi);
/* The history, for checkpoints. */
void penalty_spring_checkpoint(struct penalty_flow *flow, struct base_blob *blob);

/* --- limit.c --- */
/* Largest stable step [s] of the stepper on x'' + delta x' + omega^2 x = 0; infinity: any. */
double penalty_limit_of(int stepper, double omega, double delta);
/* The same, estimated for the system at y, where it was evaluated last: infinity with no contact, 0
 * for steppers that choose their steps, and where constraints cannot be placed. */
double penalty_limit_estimate(struct penalty_flow *flow, const double *y);
/* Steepest friction of the contacts closed there [N s/m]. */
double penalty_limit_friction(struct penalty_flow *flow, const double *y);

/* --- rule.c --- */
struct penalty_loads {
  double mass, force; /* that one contact may have to stop and to carry [kg], [N] */
  double inverse;     /* largest inverse effective mass of a contact [1/kg]; 0: no contact */
  double eps;         /* largest eps_N [-] */
  double speed;       /* of approach [m/s] */
};
/* Those of a system at (t, q, u). */
struct penalty_loads penalty_rule_loads(const struct mech *m, const double *q, const double *u,
                                        double t, struct base_arena *arena);
/* K [N/m^n] by which they sink by depth [m] at most; 0 without contacts. */
double penalty_rule_stiffness(const struct penalty_options *o, const struct penalty_loads *loads,
                              double depth);
/* Largest stable step [s] of the fixed steppers about the onset of a contact. */
double penalty_rule_step(const struct penalty_options *o, const struct penalty_loads *loads);

/* --- parts.c --- */
struct penalty_parts {
  struct penalty_flow *flow;
  double dt;                 /* nominal step [s] */
  double onset_limit, limit; /* longest stable step at the onset of a contact, and with the closed
                                ones [s] */
  double spare;              /* substeps=0: least limit over the part, in this step [-] */
  unsigned long modes;       /* contacts at the last estimate */
  double friction;           /* penalty_limit_friction there */
  int age;                   /* parts since the last estimate, -1: no estimate yet */
};
void penalty_parts_init(struct penalty_parts *p, struct penalty_flow *flow, double onset_limit,
                        double dt);
void penalty_parts_begin(struct penalty_parts *p); /* a step */
/* End of part 1, 2, ... of the step of length dt from t0; the part begins at t. */
double penalty_parts_end(const struct penalty_parts *p, double t0, double t, double dt, int part);
/* Note a part of length h that ended at y with n_closed contacts closed. Returns 0 if it was too
 * long for them and must be repeated, only if may_repeat. */
int penalty_parts_note(struct penalty_parts *p, const double *y, int n_closed, double h,
                       int may_repeat);
/* At the end of a step: the longest stable step, 0 if unknown [s]. */
double penalty_parts_stable(struct penalty_parts *p, const double *y, int n_closed);
void penalty_parts_checkpoint(struct penalty_parts *p, struct base_blob *blob);

struct penalty_stepper {
  struct penalty_flow *flow;
  struct base_arena *lists, *store; /* store: a child, of the arrays */
  int ny, capacity;
  double *y, *dy;         /* ny: present point, and the derivative there once `evaluated` */
  double *k, *stage;      /* ny: fixed steps */
  double *trial;          /* ny: result of RK4, differences of the Jacobian */
  double *start, *dstart; /* ny: y before a step, dy before an adaptive one */
  int evaluated;
  double scale_work;   /* [J] */
  double kinetic;      /* fixed steps: of the present point [J]; NaN: not known */
  unsigned long modes; /* of the contacts at the start of an adaptive step */
  double change;       /* largest difference from dstart where modes differ, scaled [1/s] */
  double t, dt;        /* present time, nominal step [s] */
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver; /* NULL: fixed steps */
};
/* y is set by the caller before the first step; scale_work: [J]. */
void penalty_stepper_init(struct penalty_stepper *s, struct penalty_flow *flow, double dt,
                          double scale_work, struct base_arena *lists);
void penalty_stepper_free(struct penalty_stepper *s);
/* The point y was changed from outside. */
void penalty_stepper_reset(struct penalty_stepper *s);
/* Evaluate at the present point, and give the contacts closed there their slots. */
int penalty_stepper_evaluate(struct penalty_stepper *s);
/* One internal step towards t_end, at most to it (fixed steps: to it); afterwards s->dy and the
 * flow's contacts are those of the new point. BASE_OK, or BASE_FAILED / BASE_DIVERGED with a
 * message. */
int penalty_stepper_advance(struct penalty_stepper *s, double t_end);
/* Save or restore the present point and the memory of the next step, for checkpoints. */
void penalty_stepper_checkpoint(struct penalty_stepper *s, struct base_blob *blob);
/* y at t + dt by a fixed step, from y and dy at t (fixed.c). */
int penalty_fixed_rk4(struct penalty_stepper *s, double dt);
int penalty_fixed_verlet(struct penalty_stepper *s, double dt);

#endif
