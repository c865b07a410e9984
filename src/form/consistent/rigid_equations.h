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
  double *push, *delta;       /* nu: dt f, nk; NULL: zero */
  double *qM, *qE, *um, *way; /* nq, nq, nu, nq: dt F um */
  double *DV, *W, *PW;        /* nq, nu x nk, M^-1 W with the constraints kept */
  double *pull;               /* nq, dt DV + D dq - DgS^T lambda_S - Dgamma^T kappa */
  double *WB;                 /* nu x nk, W of q^B; NULL: W is that */
  int *lost;                  /* closed.n, contacts that keep the normal of q^B */
  double *us;                 /* nu, the velocity the coordinates move with */
  struct la_blocks D, MWS;    /* nq x nq; ns x nu: (M^-1 W_S(q^B))^T */
  /* Of the last evaluation, in a store that is released for every one. */
  struct base_arena *store;
  struct la_blocks F, H, WSE, DgS, Dgamma; /* nq x nu, nu x nu, ns x nu: W_S(q^E)^T; ns x nq */
  double *x, *best_x, *R, *z, *Y;          /* nx; Y: nx x nk */
  double *lambda, *best_lambda, *b, *v;    /* nk */
  double *A, *S;                           /* nk x nk, and what of A is Delta/2 W^T P */
  int has_response;                        /* Y, A and S are those of the matrix and of W */
  double force_scale, best;                /* of R1's terms, in the kinetic metric; residual */
  struct base_arena *arena;
};

/* From the arena: all that stays constant over the step, and room for its solution. inelastic: with
 * delta. */
struct form_consistent_rigid *form_consistent_rigid_prepare(struct form_consistent *c, double t,
                                                            double dt, const double *q,
                                                            const double *u, int inelastic);
/* R: nx at x: nx and lambda: nk; leaves its parts in o. */
void form_consistent_rigid_evaluate(struct form_consistent_rigid *o, const double *x,
                                    const double *lambda, double *R);
/* dR/dx at o->x into o->c->system, factored, o being evaluated there; BASE_FAILED with a message
 * when it is singular. */
int form_consistent_rigid_renew(struct form_consistent_rigid *o);
/* |p| in the metric of the inverse mass matrix [sqrt(J)]; p: nu. */
double form_consistent_rigid_norm(const struct form_consistent_rigid *o, const double *p);

#endif
