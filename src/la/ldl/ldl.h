/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * P^T A P = L D L^T of a sparse symmetric positive definite matrix of fixed pattern, by CHOLMOD
 * (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008)): ordering once, by
 * approximate minimum degree and nested dissection of its result (dissect.h), which for chains and
 * trees has up to twice the entries and an elimination tree of O(log n) levels in place of n;
 * numbers as often as wanted. Beside la/cholesky.h this is the simplicial method, entry by entry,
 * without the BLAS: for factors so thin that dense blocks do not pay (joints of chains and trees),
 * with the same bits for any BLAS and any number of threads, and with pivots that tell how near the
 * matrix is to a singular one.
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
/* Half a solution: Z = D^-1/2 L^-1 P^T X, with which X^T A^-1 Y = Z_X^T Z_Y, of columns X that are
 * zero but in a few rows. Z is zero then but on the ways from these rows to the root of the
 * elimination tree. path: those rows of Z, ascending, from n_rows rows of X; room for n of them;
 * returns how many. half: Z on them, n_path x sides, from X: n_rows x sides, both row-major, sides
 * at most LA_LDL_SIDES; a row of X may be named twice, and adds up. All pivots must be positive. */
enum { LA_LDL_SIDES = 4 };
struct la_ldl_work {
  int *seen; /* n, stamp of the last path that a row was on */
  int stamp;
  double *y; /* n x LA_LDL_SIDES, zero */
};
struct la_ldl_work la_ldl_work_of(const struct la_ldl *s, struct base_arena *arena);
int la_ldl_path(const struct la_ldl *s, int n_rows, const int *rows, struct la_ldl_work *work,
                int *path);
void la_ldl_half(const struct la_ldl *s, int sides, int n_rows, const int *rows, const double *X,
                 int n_path, const int *path, struct la_ldl_work *work, double *Z);
/* Entries of L, the diagonal included. */
long la_ldl_entries(const struct la_ldl *s);
void la_ldl_free(struct la_ldl *s); /* takes NULL */

#endif
