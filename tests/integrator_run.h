/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Running a formulation on a system for a number of steps, and what the tests of the integrators
 * look at: energy, constraints on both levels, gaps, momenta of a rigid body.
 */
#ifndef TESTS_INTEGRATOR_RUN_H
#define TESTS_INTEGRATOR_RUN_H

#include "form/form.h"

enum { INTEGRATOR_MAX = 12 };

struct integrator_run {
  const struct form *form;
  const struct mech *m;
  const char *options; /* "W=discrete", "" */
  double dt;
  int steps;
  double q[INTEGRATOR_MAX], u[INTEGRATOR_MAX]; /* start, then end */
  /* measured */
  int refused;       /* by check or alloc: base_message() says why */
  int status;        /* the worst */
  double E0, E1;     /* [J] */
  double drift;      /* max |E - E_0| */
  double increase;   /* max E_k+1 - E_k */
  double budget;     /* max |E_k+1 - E_k - work| of a step */
  double gS, gammaS; /* max of all components */
  int watch, turns;  /* component of gamma_S; steps in which it turns around */
  double newton;     /* max */
  int unknowns;      /* of a consistent integrator */
  double friction, impact, damping, applied; /* work */
  double L0[3],
      L_drift;     /* momentum about the origin, of a rigid body without gravity; max change */
  double approach; /* max g_N(q^B) - g_N(q^E) over closed contacts */
  double gap;      /* of contact 0 at the end; NaN without */
};

/* Momentum of a rigid body about the origin, in the world [N m s]. */
void integrator_momentum(const struct mech *m, const double *q, const double *u, double L[3]);
void integrator_go(struct integrator_run *r);

#endif
