/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interior point method for cone complementarity as a part of other solvers:
 *
 *   K_mu contains r, perpendicular to v = A r + b in K*_mu      for any b given to start,
 *
 * whatever the law of the problem says. The exact law is a fixed point of such problems: with
 * b_N + mu |v_T| in place of b_N and v of the solution before (De Saxce's shift), r and v of the
 * solution solve ncp where the shift reproduces itself.
 */
#ifndef PROBLEM_SOLVERS_IPM_H
#define PROBLEM_SOLVERS_IPM_H

#include "problem/problem.h"

struct problem_ipm_options {
  double warm;  /* least distance of a warm start from the cones' boundary, scaled [-] */
  double shift; /* regularisation of the linear systems, over the mean diagonal of A [-] */
  int refine;   /* refinements of a linear solve, at most */
};
struct problem_ipm_options problem_ipm_default_options(void);

struct problem_ipm;
/* Dimensions 1 to 3, any law of p: A and mu alone are used, b until start is given another. Memory
 * from the arena, but for sparse factors: to be freed. NULL with a message. */
struct problem_ipm *problem_ipm_alloc(const struct problem *p,
                                      const struct problem_ipm_options *options,
                                      struct base_arena *arena);
/* Begin with b: dim nc [m/s], NULL: that of p, from r: dim nc; all zero means no guess. */
int problem_ipm_start(struct problem_ipm *ipm, const double *b, const double *r);
/* One predictor-corrector step; r: dim nc, in the interior of K_mu. BASE_FAILED with a message
 * when nothing more can be gained. */
int problem_ipm_iterate(struct problem_ipm *ipm, double *r);
void problem_ipm_free(struct problem_ipm *ipm); /* takes NULL */

#endif
