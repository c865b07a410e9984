/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Linearly dependent columns of a sparse matrix, by sparse QR factors (SuiteSparse QR: Davis, ACM
 * Trans. Math. Softw. 38 (2011)).
 */
#ifndef LA_RANK_H
#define LA_RANK_H

/* A: rows x n, in compressed columns with ascending rows, col_ptr: n + 1, row, value: col_ptr[n].
 * The library takes the columns in an order of its choice. A column is dependent if its part
 * outside the span of the columns taken before has a 2-norm of at most `tol`. dependent: n flags.
 * Returns the rank, or -1 with a message if A is not finite or the library has no memory. */
int la_rank_columns(int rows, int n, const int *col_ptr, const int *row, const double *value,
                    double tol, int *dependent);

#endif
