/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which columns of a sparse matrix depend on the others, by a sparse QR factorisation (SuiteSparse
 * QR: Davis, ACM Trans. Math. Softw. 38 (2011)).
 */
#ifndef LA_RANK_H
#define LA_RANK_H

/* A: rows x n, compressed columns, rows ascending: col_ptr: n + 1, row, value: col_ptr[n]. A column
 * is dependent when no more than `tol` of it (2-norm) is off the span of the columns taken before
 * it in the order the library chooses. dependent: n, flags. Returns the rank, or -1 with a message
 * when A is not finite or the library has no room. */
int la_rank_columns(int rows, int n, const int *col_ptr, const int *row, const double *value,
                    double tol, int *dependent);

#endif
