/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse matrix as a sum of equal dense blocks, each at its place; places may repeat. What bodies
 * and joints add up to, in the order in which they do.
 */
#ifndef LA_BLOCKS_H
#define LA_BLOCKS_H

#include "base/memory/arena.h"

struct la_blocks {
  int rows, cols; /* of a block */
  int n, capacity;
  int *row, *col; /* n: block (i, j) begins at row i rows, column j cols */
  double *value;  /* n blocks rows x cols, column-major */
  struct base_arena *arena;
};

void la_blocks_init(struct la_blocks *A, int rows, int cols, struct base_arena *arena);
/* One more block, of zeros. */
double *la_blocks_push(struct la_blocks *A, int row, int col);
static inline double *la_blocks_at(const struct la_blocks *A, int k) {
  return A->value + (size_t)k * (size_t)A->rows * (size_t)A->cols;
}
/* y += alpha A x, and y += alpha A^T x. */
void la_blocks_apply(const struct la_blocks *A, double alpha, const double *x, double *y);
void la_blocks_apply_t(const struct la_blocks *A, double alpha, const double *x, double *y);
/* y_i += sum_j |A_ij x_j|, block by block; the same of A^T. */
void la_blocks_size(const struct la_blocks *A, const double *x, double *y);
void la_blocks_size_t(const struct la_blocks *A, const double *x, double *y);

#endif
