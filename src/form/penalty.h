/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts of the penalty formulation: the contact law (penalty_law.c), the equations of motion under
 * it as a first-order system (penalty_flow.c), and its integration over one step
 * (penalty_stepper.c).
 *
 * The first-order system is y = (q, u, works): nq + nu + PENALTY_WORKS numbers, the works of
 * friction, impact (normal contact forces net of what their springs store), damping and applied
 * forces [J], integrated along with the motion so that an energy budget closes to the error of the
 * integration.
 */
#ifndef FORM_PENALTY_H
#define FORM_PENALTY_H

#include <gsl/gsl_odeiv2.h>

#include "form/delassus.h"
#include "mech/mech.h"

enum { PENALTY_FRICTION, PENALTY_IMPACT, PENALTY_DAMPING, PENALTY_APPLIED, PENALTY_WORKS };
enum { PENALTY_MULTIPLIER, PENALTY_SPRING };
enum { PENALTY_RK4, PENALTY_RKF45, PENALTY_RK8PD, PENALTY_RK4IMP, PENALTY_BSIMP, PENALTY_MSBDF };

struct penalty_options {
  double K, D; /* [N/m], [N s/m]; D < 0: from eps_N */
  int clamp;
  double eps_min;
  double v_reg; /* [m/s] */
  int bilateral;
  int project;
  double baumgarte; /* [1/s] */
  double K_S, D_S;  /* of g_S in its own unit */
  int stepper;
  double rtol, atol;
};

/* Damping ratio zeta = D / (2 sqrt(K m)) whose rebound is eps: see penalty_law.c. */
double penalty_damping_ratio(double eps, int clamp);
/* The rebound a damping ratio gives; 0 for zeta >= 1 without clamping. */
double penalty_restitution(double zeta, int clamp);

struct penalty_flow {
  const struct mech *m;
  const struct penalty_options *options;
  struct base_arena *arena;      /* scratch, marked and released in an evaluation */
  struct base_arena *lists;      /* what grows with the contacts */
  struct mech_contacts contacts; /* found by the last evaluation; those that touch are active */
  int capacity;                  /* of the three below */
  double *v, *r;                 /* dim n: W^T u [m/s], forces [N] */
  int *active;                   /* n: g_N < 0, or as they were when frozen */
  int frozen, n_frozen;          /* derivatives are of the force law as it stands, not across the */
  long *frozen_id;               /* onset of contact; ids of the active contacts, ascending */
  double *L;                     /* factor of M, kept while M is constant */
  int have_L;
  double cached_eps, cached_zeta; /* the last pair: contacts mostly share one */
};
/* lists: an arena of its own, because lists grow while scratch is held. */
void penalty_flow_init(struct penalty_flow *flow, const struct mech *m,
                       const struct penalty_options *options, struct base_arena *arena,
                       struct base_arena *lists);
/* dy: ny. BASE_FAILED with a message when M is not positive definite. */
int penalty_flow_evaluate(struct penalty_flow *flow, double t, const double *y, double *dy);
/* Hold the set of active contacts at that of the last evaluation, in scratch until released. */
void penalty_flow_freeze(struct penalty_flow *flow);
/* A number that changes when a contact begins or ends, or its force does. */
unsigned long penalty_flow_modes(const struct penalty_flow *flow);
/* Energy in the springs of contacts (those of the last evaluation) and constraints at q [J]. */
double penalty_flow_stored(struct penalty_flow *flow, const double *q);
/* The law at the contacts found: fills flow->r and adds W r to f (nu). b: NULL without elimination.
 * power: [0] friction, [1] impact [W]. */
void penalty_law_apply(struct penalty_flow *flow, const struct form_bilateral *b, double *f,
                       double *power);

struct penalty_stepper {
  struct penalty_flow *flow;
  int ny;
  double *y, *dy;         /* ny: present point, and the derivative there once `evaluated` */
  double *k, *stage;      /* ny: RK4 */
  double *trial;          /* ny: result of RK4, differences of the Jacobian */
  double *start, *dstart; /* ny: y and dy before an adaptive step */
  int evaluated;
  double scale_work;   /* [J] */
  unsigned long modes; /* of the contacts at the start of an adaptive step */
  double change;       /* largest difference from dstart where modes differ, scaled [1/s] */
  double t, dt;        /* present time, nominal step [s] */
  gsl_odeiv2_system system;
  gsl_odeiv2_driver *driver; /* NULL: RK4 */
};
/* y is set by the caller before the first step; scale_work: [J]. */
void penalty_stepper_init(struct penalty_stepper *s, struct penalty_flow *flow, double dt,
                          double scale_work, struct base_arena *arena);
void penalty_stepper_free(struct penalty_stepper *s);
/* The point y was changed from outside. */
void penalty_stepper_reset(struct penalty_stepper *s);
/* One internal step towards t_end, at most to it; afterwards s->dy and the flow's contacts are
 * those of the new point. BASE_OK, or BASE_FAILED / BASE_DIVERGED with a message. */
int penalty_stepper_advance(struct penalty_stepper *s, double t_end);

#endif
