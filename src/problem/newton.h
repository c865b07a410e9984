/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Newton's method on a one-step problem: the equations of its contacts (problem/ncp.h) and their
 * linear systems, in scaled unknowns. With s_i = sqrt(rho dim / trace A_ii) of each contact,
 *   x = r / s [N s / sqrt(kg)],  w = s v,  A_s = s A s,
 * so that every contact has a mean inverse mass of rho, x and w have the same unit and s maps K_mu
 * onto itself. Of sets with a spin torque s is multiplied by their length in its component,
 * which rounds the set (problem_ncp_round). With dF = P dx + Q dw block by block (problem/ncp.h) a
 * step d solves
 *
 *   newton     (P + Q (A_s + lambda 1)) d = -F
 *   levenberg  (J^T J + lambda 1) d = -J^T F,  J = P + Q A_s
 *
 * The first is Newton's step of the problem with A_s + lambda 1 and the present x as its proximal
 * point. It is regular also if sticking contacts share a null direction of A, and has the same
 * solution. Dense LU up to NEWTON_DENSE_MAX rows, sparse LU beyond. Used by solvers and by the
 * consistent integrators.
 */
#ifndef PROBLEM_NEWTON_H
#define PROBLEM_NEWTON_H

#include "problem/ncp.h"

struct problem_newton {
  int n, dim, nc;
  const double *mu;          /* nc [-]; NULL for dim 1 */
  struct contact_set *set;   /* nc, rounded; NULL: disks */
  double *s;                 /* n [sqrt(kg)] */
  double *b;                 /* n, scaled free velocity */
  struct problem_operator A; /* BLOCKS, scaled; its diagonal blocks are always there */
  double *P, *Q;             /* nc blocks dim x dim row-major: of dF */
  double *F;                 /* n */
  struct base_arena *arena;
};

enum problem_newton_kind { PROBLEM_NEWTON_PLAIN, PROBLEM_NEWTON_LEVENBERG };

/* Work space and scaled operator for a problem, from the arena. */
struct problem_newton *problem_newton_alloc(const struct problem *p, double rho,
                                            struct base_arena *arena);
/* w = A_s x + b; x, w: n. */
void problem_newton_velocity(const struct problem_newton *s, const double *x, double *w);
/* F: n at x, w: n; returns |F|. derive: also compute s->P and s->Q. */
double problem_newton_evaluate(const struct problem_newton *s, enum problem_ncp_function function,
                               int de_saxce, const double *x, const double *w, double *F,
                               int derive);
/* The step d: n from F, P, Q. BASE_OK, or BASE_FAILED if the matrix is singular. */
int problem_newton_step(const struct problem_newton *s, enum problem_newton_kind kind,
                        double lambda, double *d);
/* x = r / s, and r = s x; x, r: n. */
void problem_newton_scale(const struct problem_newton *s, const double *r, double *x);
void problem_newton_unscale(const struct problem_newton *s, const double *x, double *r);

#endif
