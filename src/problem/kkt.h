/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linear systems of the interior point and splitting solvers,
 *
 *   K x = rhs,   K = V^T S A S V + diag h + shift 1,
 *
 * with A the Delassus operator, S a diagonal, h >= 0 and V orthogonal, a block a contact: added
 * blocks V_i diag(h_i) V_i^T come by their eigenvectors, because one large h_i would drown the
 * others in a sum. K is factorised in contact space: A is formed by blocks once, and the factor
 *   dense     Cholesky (LAPACK) where K is small or mostly full,
 *   sparse    Cholesky (CHOLMOD, minimum degree) otherwise,
 *   general   LU of the dense matrix where A lacks symmetry by more than PROBLEM_KKT_ASYMMETRY.
 * Smaller asymmetry is explained by few written digits: the symmetric part is factorised, and
 * refinement with residuals of A itself corrects the rest. Internal to problem/.
 */
#ifndef PROBLEM_KKT_H
#define PROBLEM_KKT_H

#include "problem/problem.h"

/* Relative to the largest entry; written-out problems that were meant symmetric reach 1e-4. */
#define PROBLEM_KKT_ASYMMETRY 1e-3

struct problem_kkt;

/* s: dim nc, the diagonal of S, kept by reference. Everything except the sparse factor is from the
 * arena; the caller frees it. NULL with a message if there is no memory for it. */
struct problem_kkt *problem_kkt_alloc(const struct problem_operator *A, const double *s,
                                      struct base_arena *arena);
/* V: nc blocks dim x dim row-major, columns orthonormal, NULL: identities; h: dim nc; both kept by
 * reference. BASE_FAILED with a message when K is not positive definite (general: singular). */
int problem_kkt_factor(struct problem_kkt *k, const double *V, const double *h, double shift);
/* The same for an indefinite K, as from an A written with few digits: by L D L^T or LU. */
int problem_kkt_factor_indefinite(struct problem_kkt *k, const double *V, const double *h,
                                  double shift);
/* x: dim nc from rhs: dim nc, not the same; refined up to `refine` times by the residual of K
 * without the shift, as long as it shrinks. Returns the final residual, max norm. */
double problem_kkt_solve(struct problem_kkt *k, const double *rhs, double *x, int refine);
/* x <- x + K^-1 (rhs - (K - shift) x): from a guess, one product and one solve. */
void problem_kkt_improve(struct problem_kkt *k, const double *rhs, double *x);
/* y = (S A S) x, both dim nc. */
void problem_kkt_apply(const struct problem_kkt *k, const double *x, double *y);
void problem_kkt_free(struct problem_kkt *k); /* takes NULL */

#endif
