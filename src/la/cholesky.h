/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse Cholesky factorisation of a symmetric positive definite matrix of fixed pattern, by
 * CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008)): approximate
 * minimum degree ordering and symbolic analysis are done once, factorisations with new values as
 * often as needed. The factor is memory of the library, not of an arena: the caller frees it.
 */
#ifndef LA_CHOLESKY_H
#define LA_CHOLESKY_H

struct la_cholesky;

/* A factor for a matrix of order n. The pattern is that of the lower triangle with the diagonal, in
 * compressed columns with ascending rows, col_ptr: n + 1, row: col_ptr[n]; it is copied. NULL with
 * a message if the library has no memory for it. */
struct la_cholesky *la_cholesky_alloc(int n, const int *col_ptr, const int *row);
/* Factorise; values: col_ptr[n], in the order of the pattern. BASE_FAILED with a message if the
 * matrix is not positive definite or not finite; a solve is then not allowed. */
int la_cholesky_factor(struct la_cholesky *s, const double *values);
/* Factorise as L D L^T without pivoting, for a matrix that rounding has made slightly indefinite;
 * BASE_FAILED if a pivot is zero. It is slower, because it does not use dense blocks. */
int la_cholesky_factor_indefinite(struct la_cholesky *s, const double *values);
/* b: n is overwritten by A^-1 b. */
void la_cholesky_solve(struct la_cholesky *s, double *b);
void la_cholesky_free(struct la_cholesky *s); /* takes NULL */

#endif
