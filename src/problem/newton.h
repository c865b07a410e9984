/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linear systems of Newton's method on a one-step problem, in scaled unknowns. With
 * s_i = sqrt(dim / trace A_ii) of each contact,
 *   x = r / s [N s / sqrt(kg)],  w = s v,  A_s = s A s,
 * so that every contact has a mean inverse mass of 1, x and w have the same unit and s maps K_mu
 * onto itself. With dF = P dx + Q dw block by block (problem/ncp.h) a step d solves
 *   newton       (P + Q (A_s + lambda 1)) d = -F
 *   levenberg    (J^T J + lambda 1) d = -J^T F,  J = P + Q A_s
 * The first is Newton's step of the problem with A_s + lambda 1 that has the present x as its
 * proximal point: regular where contacts that stick share a null direction of A, and the solution
 * stays the same. Dense LU up to NEWTON_DENSE_MAX rows, sparse LU beyond. Internal to problem/.
 */
#ifndef PROBLEM_NEWTON_H
#define PROBLEM_NEWTON_H

#include "problem/problem.h"

struct problem_newton {
  int n, dim, nc;
  const double *mu;          /* nc [-]; NULL for dim 1 */
  double *s;                 /* nc [sqrt(kg)] */
  double *b;                 /* n, scaled free velocity */
  struct problem_operator A; /* BLOCKS, scaled; its diagonal blocks are always there */
  double *P, *Q;             /* nc blocks dim x dim row-major: of dF */
  double *F;                 /* n */
  struct base_arena *arena;
};

enum problem_newton_kind { PROBLEM_NEWTON_PLAIN, PROBLEM_NEWTON_LEVENBERG };

struct problem_newton *problem_newton_alloc(const struct problem *p, struct base_arena *arena);
/* w = A_s x + b; x, w: n. */
void problem_newton_velocity(const struct problem_newton *s, const double *x, double *w);
/* d: n from F, P, Q. BASE_OK, or BASE_FAILED when the matrix is singular. */
int problem_newton_step(const struct problem_newton *s, enum problem_newton_kind kind,
                        double lambda, double *d);
/* Scaled from r and back; x, r: n. */
void problem_newton_scale(const struct problem_newton *s, const double *r, double *x);
void problem_newton_unscale(const struct problem_newton *s, const double *x, double *r);

#endif
