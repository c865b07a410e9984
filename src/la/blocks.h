/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sparse matrix as a list of dense blocks of equal size, each with its place. Blocks at the same
 * place add up. Bodies and joints add their blocks in a fixed order, so sums have the same
 * rounding.
 */
#ifndef LA_BLOCKS_H
#define LA_BLOCKS_H

#include "base/memory/arena.h"

struct la_blocks {
  int rows, cols; /* of a block */
  int n, capacity;
  int *row, *col; /* n: block k begins at row row[k] * rows, column col[k] * cols */
  double *value;  /* n blocks rows x cols, column-major */
  struct base_arena *arena;
};

void la_blocks_init(struct la_blocks *A, int rows, int cols, struct base_arena *arena);
/* Append a block of zeros at block row `row`, block column `col`; returns its entries. */
double *la_blocks_push(struct la_blocks *A, int row, int col);
/* The entries of block k. */
static inline double *la_blocks_at(const struct la_blocks *A, int k) {
  return A->value + (size_t)k * (size_t)A->rows * (size_t)A->cols;
}
/* y += alpha A x, and y += alpha A^T x. */
void la_blocks_apply(const struct la_blocks *A, double alpha, const double *x, double *y);
void la_blocks_apply_t(const struct la_blocks *A, double alpha, const double *x, double *y);
/* y_i += sum_j |A_ij x_j| over the entries of all blocks; the same for A^T. */
void la_blocks_size(const struct la_blocks *A, const double *x, double *y);
void la_blocks_size_t(const struct la_blocks *A, const double *x, double *y);

#endif
