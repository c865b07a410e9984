/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of blocks; see blocks.h.
 */
#include "la/blocks.h"

#include <math.h>
#include <string.h>

void la_blocks_init(struct la_blocks *A, int rows, int cols, struct base_arena *arena) {
  *A = (struct la_blocks){.rows = rows, .cols = cols, .arena = arena};
}

/* Room for twice as many; what there was stays behind in the arena until that is released. */
static void grow(struct la_blocks *A) {
  const size_t n = (size_t)A->n, size = (size_t)A->rows * (size_t)A->cols * sizeof(double);
  const struct la_blocks old = *A;
  A->capacity = A->n > 0 ? 2 * A->n : 1; /* a matrix of one block is the most frequent */
  A->row = base_arena_push(A->arena, (size_t)A->capacity * sizeof *A->row);
  A->col = base_arena_push(A->arena, (size_t)A->capacity * sizeof *A->col);
  A->value = base_arena_push(A->arena, (size_t)A->capacity * size);
  if (n > 0) {
    memcpy(A->row, old.row, n * sizeof *A->row);
    memcpy(A->col, old.col, n * sizeof *A->col);
    memcpy(A->value, old.value, n * size);
  }
}

double *la_blocks_push(struct la_blocks *A, int row, int col) {
  if (A->n == A->capacity) {
    grow(A);
  }
  A->row[A->n] = row;
  A->col[A->n] = col;
  double *block = la_blocks_at(A, A->n++);
  memset(block, 0, (size_t)A->rows * (size_t)A->cols * sizeof *block);
  return block;
}

/* Sums stay in registers, in the order of the columns: a block is small, and a sum in memory would
 * wait for itself with each term. */
static inline __attribute__((always_inline)) void
add_rows(const struct la_blocks *A, double alpha, const double *x, double *y, int of_sizes) {
  for (int k = 0; k < A->n; ++k) {
    const double *block = la_blocks_at(A, k), *from = x + (long)A->col[k] * A->cols;
    double *to = y + (long)A->row[k] * A->rows;
    for (int i = 0; i < A->rows; ++i) {
      double sum = to[i];
      for (int j = 0; j < A->cols; ++j) {
        const double term = alpha * from[j] * block[(long)j * A->rows + i];
        sum += of_sizes ? fabs(term) : term;
      }
      to[i] = sum;
    }
  }
}

void la_blocks_apply(const struct la_blocks *A, double alpha, const double *x, double *y) {
  add_rows(A, alpha, x, y, 0);
}

void la_blocks_size(const struct la_blocks *A, const double *x, double *y) {
  add_rows(A, 1, x, y, 1);
}

void la_blocks_apply_t(const struct la_blocks *A, double alpha, const double *x, double *y) {
  for (int k = 0; k < A->n; ++k) {
    const double *block = la_blocks_at(A, k), *from = x + (long)A->row[k] * A->rows;
    double *to = y + (long)A->col[k] * A->cols;
    for (int j = 0; j < A->cols; ++j) {
      double sum = 0;
      for (int i = 0; i < A->rows; ++i) {
        sum += block[(long)j * A->rows + i] * from[i];
      }
      to[j] += alpha * sum;
    }
  }
}

void la_blocks_size_t(const struct la_blocks *A, const double *x, double *y) {
  for (int k = 0; k < A->n; ++k) {
    const double *block = la_blocks_at(A, k), *from = x + (long)A->row[k] * A->rows;
    double *to = y + (long)A->col[k] * A->cols;
    for (int j = 0; j < A->cols; ++j) {
      double sum = to[j];
      for (int i = 0; i < A->rows; ++i) {
        sum += fabs(block[(long)j * A->rows + i] * from[i]);
      }
      to[j] = sum;
    }
  }
}
