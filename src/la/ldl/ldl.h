/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * P^T A P = L D L^T of a sparse symmetric positive definite matrix of fixed pattern, by CHOLMOD
 * (Chen, Davis, Hager, Rajamanickam, ACM Trans. Math. Softw. 35 (2008)). The order is computed
 * once, by approximate minimum degree and nested dissection of its result (dissect.h). For chains
 * and trees this gives up to twice the entries, but an elimination tree of O(log n) levels instead
 * of n. Factorisations with new values follow as often as needed.
 *
 * Unlike la/cholesky.h this is the simplicial method, which works entry by entry without the BLAS.
 * It is meant for factors so thin that dense blocks do not pay (joints of chains and trees).
 * Results have the same bits for any BLAS and any number of threads, and the pivots show how close
 * the matrix is to a singular one.
 *
 * The factor is memory of the library: the caller frees it.
 */
#ifndef LA_LDL_H
#define LA_LDL_H

#include "base/memory/arena.h"

struct la_ldl;

/* A factor for a matrix of order n. The pattern is that of the lower triangle with the diagonal, in
 * compressed columns with ascending rows, col_ptr: n + 1, row: col_ptr[n]. NULL with a message if
 * the library has no memory for it. */
struct la_ldl *la_ldl_alloc(int n, const int *col_ptr, const int *row);
/* Factorise; values: col_ptr[n], in the order of the pattern. *least: the smallest pivot D_ii,
 * which may be <= 0. BASE_FAILED with a message if the matrix is not finite or a pivot is zero; a
 * solve is then not allowed. */
int la_ldl_factor(struct la_ldl *s, const double *values, double *least);
/* X: n x nrhs is overwritten by A^-1 X. Scratch is from the arena and released. */
void la_ldl_solve(const struct la_ldl *s, int nrhs, double *X, struct base_arena *arena);
/* Half a solution: Z = D^-1/2 L^-1 P^T X, so that X^T A^-1 Y = Z_X^T Z_Y, for X that is zero except
 * in a few rows. Then Z is zero except on the paths from these rows to the root of the elimination
 * tree.
 *
 * la_ldl_path: path: the rows of Z on these paths, ascending, for the rows of X in rows: n_rows; it
 * has room for n. Returns their number. la_ldl_half: Z: n_path x sides, the rows of Z on the path,
 * from X: n_rows x sides, both row-major, sides <= LA_LDL_SIDES. A row of X may be given twice; the
 * two add up. All pivots must be positive. */
enum { LA_LDL_SIDES = 4 };
struct la_ldl_work {
  int *seen; /* n, stamp of the last path with this row */
  int stamp; /* of the present path */
  double *y; /* n x LA_LDL_SIDES, zero between calls */
};
/* Work space for these functions, from the arena. */
struct la_ldl_work la_ldl_work_of(const struct la_ldl *s, struct base_arena *arena);
int la_ldl_path(const struct la_ldl *s, int n_rows, const int *rows, struct la_ldl_work *work,
                int *path);
void la_ldl_half(const struct la_ldl *s, int sides, int n_rows, const int *rows, const double *X,
                 int n_path, const int *path, struct la_ldl_work *work, double *Z);
/* Number of entries of L, with the diagonal. */
long la_ldl_entries(const struct la_ldl *s);
void la_ldl_free(struct la_ldl *s); /* takes NULL */

#endif
