/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the solvers of the convex law. Internal to problem/. With A symmetric positive
 * semidefinite the cone complementarity problem is the optimality condition of
 *
 *   min f(r) = r^T A r / 2 + b^T r,   r_i in K_mu                                  (negrut 7)
 *
 * and, scaled contact by contact, y_i = r_i / s_i with s_i = sqrt(dim / trace A_ii) > 0, of the
 * same problem with S A S and S b: every contact has unit mean inverse mass, and K_mu is mapped
 * onto itself.
 */
#ifndef PROBLEM_CONVEX_H
#define PROBLEM_CONVEX_H

#include "problem/problem.h"

/* Largest asymmetry that is explained by few written digits (up to 1e-4 in known files). */
#define PROBLEM_CONVEX_ASYMMETRY_MAX 1e-3

/* Is p convex for solver `who`: law ccp or dim 1, dim at most 3, asymmetry of A within the bound
 * (relative to its largest entry; infinite: not checked)? BASE_OK or BASE_UNSUPPORTED. */
int problem_convex_check(const struct problem *p, const char *who, double asymmetry_max);
/* s: dim nc, the scales; 1 for a contact that cannot move. b: dim nc, S b; may be NULL. */
void problem_convex_scales(const struct problem *p, double *s, double *b, struct base_arena *arena);
/* Project y: dim nc onto the cones, in place. */
void problem_convex_project(const struct problem *p, double *y);
/* y = S A S x; s, x, y: dim nc, y not x. */
void problem_convex_apply(const struct problem *p, const double *s, const double *x, double *y,
                          struct base_arena *arena);

#endif
