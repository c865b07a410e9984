/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion of a consistent integrator, R(x, lambda), between their
 * assembly (equations.c) and their solution (motion.c).
 *
 *   x = (dq, u^E, lambda_S, kappa_S):  nq + nq + ns + nr,  dq = q^E - q^B
 *   R = (R1, R2, g_S(q^E), gamma_S(u^E, q^E)), the same sizes
 */
#ifndef FORM_CONSISTENT_EQUATIONS_H
#define FORM_CONSISTENT_EQUATIONS_H

#include "form/consistent/consistent.h"

struct form_consistent_equations {
  struct form_consistent *c;
  double dt;
  int nq, ns, nr, nx, nk;   /* nk: contact components */
  const double *qB, *uC;    /* nq */
  double *MQ, *HD, *D, *F;  /* nq x nq; F NULL: identity; D, HD NULL: zero */
  double *WSB;              /* nq x ns */
  double *f, *pushed;       /* nq: applied forces [u-space], dt Q^T f; NULL without */
  double *qE, *DV, *DT;     /* nq; these and below at the last evaluation; DT NULL: zero (5.58) */
  double *DgS, *Dgamma;     /* ns x nq, nr x nq */
  double *WSE;              /* nq x ns, u-space */
  double *W;                /* nq x nk, contact directions [q-space] */
  double *pull, *held;      /* nq: DgS^T lambda_S, W lambda */
  struct base_arena *arena; /* of the setup */
};

/* Sizes, and all that stays constant over the step, from the arena; c, dt, qB and uC are set.
 * BASE_FAILED with a message for a mass matrix that is not positive definite. */
int form_consistent_prepare(struct form_consistent_equations *o, double t);
/* R: nx at x: nx and lambda: nk; leaves its parts in o. */
void form_consistent_evaluate(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *R);
/* Is dR/dx exact: does the system offer how its discrete derivatives change with q^E, of all that
 * this step takes? Else it is differenced. */
int form_consistent_is_exact(const struct form_consistent *c);
/* J: nx x nx = dR/dx at x. */
void form_consistent_jacobian(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *J);
/* dR/dx at x into o->c->LU, factored; BASE_FAILED with a message when it is singular. */
int form_consistent_renew(struct form_consistent_equations *o, const double *x,
                          const double *lambda);

#endif
