/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion in velocities that are not rates of coordinates, R(x, lambda),
 * between their assembly (rigid_equations.c) and their solution (rigid.c).
 *
 *   x = (dq, u^E, lambda_S, kappa):  nq + nu + 2 ns,  dq = q^E - q^B
 *   R = (R1, R2, R3, R4):            nu + nq + 2 ns
 */
#ifndef FORM_CONSISTENT_RIGID_EQUATIONS_H
#define FORM_CONSISTENT_RIGID_EQUATIONS_H

#include "form/consistent/rigid.h"
#include "mech/by_body.h"

struct form_consistent_rigid {
  struct form_consistent *c;
  double dt;
  int nq, nu, ns, nx, nk;
  const double *qB, *uC;      /* nq, nu */
  int has_damping, has_gyro;  /* D, H are there */
  double *push;               /* nu: dt f; NULL: zero */
  double *delta, *S;          /* nk, nk x nk: Delta/2 W^T P; NULL: zero */
  int has_S;                  /* it is that of W */
  double *qM, *qE, *um, *way; /* nq, nq, nu, nq: dt F um */
  double *DV, *W;             /* nq, nu x nk */
  double *pull;               /* nq, dt DV + D dq - DgS^T lambda_S - Dgamma^T kappa */
  double *WB;                 /* nu x nk, W of q^B; NULL: W is that */
  int *lost;                  /* closed.n, contacts that keep the normal of q^B */
  double *us;                 /* nu, the velocity the coordinates move with */
  struct la_blocks D, MWS;    /* nq x nq; ns x nu: (M^-1 W_S(q^B))^T */
  /* Of the last evaluation, in a store that is released for every one. */
  struct base_arena *store;
  struct la_blocks F, H, WSE, DgS, Dgamma; /* nq x nu, nu x nu, ns x nu: W_S(q^E)^T; ns x nq */
  double force_scale;                      /* of R1's terms, in the kinetic metric */
  struct base_arena *arena;
};

/* From the arena: all that stays constant over the step. inelastic: with delta. */
struct form_consistent_rigid *form_consistent_rigid_prepare(struct form_consistent *c, double t,
                                                            double dt, const double *q,
                                                            const double *u, int inelastic);
/* R: nx at x: nx and lambda: nk; leaves its parts in o. */
void form_consistent_rigid_evaluate(struct form_consistent_rigid *o, const double *x,
                                    const double *lambda, double *R);
/* dR/dx at x into o->c->system, factored, o being evaluated there; BASE_FAILED with a message when
 * it is singular. */
int form_consistent_rigid_renew(struct form_consistent_rigid *o, const double *x);
/* |p| in the metric of the inverse mass matrix [sqrt(J)]; p: nu. */
double form_consistent_rigid_norm(const struct form_consistent_rigid *o, const double *p);

#endif
