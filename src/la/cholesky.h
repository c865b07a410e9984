/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse Cholesky factorisation of a symmetric positive definite matrix of fixed pattern, by
 * CHOLMOD (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008)): approximate
 * minimum degree ordering and symbolic analysis once, numbers as often as wanted. The factor's
 * memory is the library's own, not an arena's: whoever allocates it frees it.
 */
#ifndef LA_CHOLESKY_H
#define LA_CHOLESKY_H

struct la_cholesky;

/* Pattern of the lower triangle with its diagonal, compressed columns, rows ascending: col_ptr:
 * n + 1, row: col_ptr[n]; copied. NULL with a message when the library finds no memory for it. */
struct la_cholesky *la_cholesky_alloc(int n, const int *col_ptr, const int *row);
/* Factorise with these values (col_ptr[n]); BASE_FAILED with a message when the matrix is not
 * positive definite or not finite, and a solve is then not allowed. */
int la_cholesky_factor(struct la_cholesky *s, const double *values);
/* L D L^T without pivoting, for a matrix that is definite but for rounding of what it was made
 * from; BASE_FAILED when a pivot is zero. Slower: no dense blocks. */
int la_cholesky_factor_indefinite(struct la_cholesky *s, const double *values);
/* b: n overwritten by the solution. */
void la_cholesky_solve(struct la_cholesky *s, double *b);
void la_cholesky_free(struct la_cholesky *s); /* takes NULL */

#endif
