/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion of a consistent integrator, R(x, lambda), between their
 * assembly (equations.c), their matrix (matrix.c) and their solution (motion.c).
 *
 *   x = (dq, u^E, lambda_S, kappa):  nq + nu + ns + nr,  dq = q^E - q^B
 *   R = (R1, R2, R3, R4):            nu + nq + ns + nr
 */
#ifndef FORM_CONSISTENT_EQUATIONS_H
#define FORM_CONSISTENT_EQUATIONS_H

#include "form/consistent/consistent.h"
#include "mech/by_body.h"

struct form_consistent_equations {
  struct form_consistent *c;
  double dt;
  int nq, nu, ns, nr, nx, nk; /* nk: contact components */
  const double *qB, *uC;      /* nq, nu */
  int has_gyro;               /* H is there */
  double *applied;            /* nu: dt f; NULL: zero */
  double *delta, *S;          /* nk, nk x nk: Delta/2 W^T P; NULL: zero */
  int has_S;                  /* it is that of W */
  struct la_blocks D, G, MWS; /* nq x nq, empty: zero; nr x nu: (M^-1 W_S(q^B))^T */
  double *W, *WB;             /* nu x nk; that of q^B, NULL: W is that */
  int *lost;                  /* closed.n, contacts that keep the normal of q^B */
  double *qM, *qE, *um, *us;  /* nq, nq, nu, nu: us is the velocity of the coordinates */
  double *way;                /* nq, dt F us */
  double *DV, *DT, *p;        /* nq each; DT NULL: zero; p: the bracket of R1 */
  /* Of the last evaluation, in a store that is released for every one. */
  struct base_arena *store;
  struct la_blocks F, H, WSE, DgS, Dgamma; /* nq x nu, nu x nu, ns x nu: W_S(q^E)^T; ns x nq */
  /* Of each body, F.n, sizes in the kinetic metric [sqrt(J)]: of R1's terms, and of R1's change by
   * rounding of q^E, V and g_S. */
  double *force_scale, *noise;
  struct base_arena *arena;
};

/* From the arena: all quantities that are constant over the step; NULL with a message if the mass
 * matrix or the constraints cannot be factored. inelastic: with delta. */
struct form_consistent_equations *form_consistent_prepare(struct form_consistent *c, double t,
                                                          double dt, const double *q,
                                                          const double *u, int inelastic);
/* R: nx at x: nx and lambda: nk; leaves its parts in o. */
void form_consistent_evaluate(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *R);
/* dR/dx at x and lambda into o->c->system, factored, o being evaluated there; BASE_FAILED with a
 * message when it is singular. */
int form_consistent_renew(struct form_consistent_equations *o, const double *x,
                          const double *lambda);
/* size: F.n += alpha |p| of each body in the metric of the inverse mass matrix [sqrt(J)]; p: nu.
 * Bodies are the blocks of F: next to a heavy one a light one is not measured by its momentum. */
void form_consistent_add_sizes(const struct form_consistent_equations *o, double alpha,
                               const double *p, double *size);

#endif
