/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * P^T A P = L D L^T of a sparse symmetric positive definite matrix of fixed pattern, by CHOLMOD
 * (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008)): approximate minimum
 * degree ordering once, numbers as often as wanted. Beside la/cholesky.h this is the simplicial
 * method, entry by entry, without the BLAS: for factors so thin that dense blocks do not pay
 * (joints of chains and trees), with the same bits for any BLAS and any number of threads, and with
 * pivots that tell how near the matrix is to a singular one.
 *
 * The factor's memory is the library's own: whoever allocates it frees it.
 */
#ifndef LA_LDL_H
#define LA_LDL_H

#include "base/memory/arena.h"

struct la_ldl;

/* Pattern of the lower triangle with its diagonal, compressed columns, rows ascending: col_ptr:
 * n + 1, row: col_ptr[n]. NULL with a message when the library finds no memory for it. */
struct la_ldl *la_ldl_alloc(int n, const int *col_ptr, const int *row);
/* Factorise with these values (col_ptr[n], in the order of the pattern); least: the smallest pivot
 * D_ii, which may be <= 0. BASE_FAILED with a message when the matrix is not finite or a pivot is
 * zero; a solve is then not allowed. */
int la_ldl_factor(struct la_ldl *s, const double *values, double *least);
/* X: n x nrhs overwritten by A^-1 X; scratch from the arena, released. */
void la_ldl_solve(const struct la_ldl *s, int nrhs, double *X, struct base_arena *arena);
/* Entries of L, the diagonal included. */
long la_ldl_entries(const struct la_ldl *s);
void la_ldl_free(struct la_ldl *s); /* takes NULL */

#endif
