/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators by bodies with W as it stands: its blocks and their products. Internal to problem/.
 */
#ifndef PROBLEM_OPERATOR_H
#define PROBLEM_OPERATOR_H

#include "problem/problem.h"

static inline size_t operator_block_size(const struct problem_operator *A) {
  return (size_t)A->nv * (size_t)A->dim;
}

/* W of contact i on its body of side 0 or 1, and M^-1 W; nv x dim column-major. */
static inline const double *operator_w(const struct problem_operator *A, int i, int side) {
  return A->w + (size_t)(2 * i + side) * operator_block_size(A);
}

static inline const double *operator_minv_w(const struct problem_operator *A, int i, int side) {
  return A->minv_w + (size_t)(2 * i + side) * operator_block_size(A);
}

/* block += W_i^T M^-1 W_j on one body; block: dim x dim row-major */
static inline void operator_add_product(const struct problem_operator *A, const double *w_i,
                                        const double *minv_w_j, double *block) {
  const int dim = A->dim, nv = A->nv;
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      double sum = 0;
      for (int m = 0; m < nv; ++m) {
        sum += w_i[k * nv + m] * minv_w_j[l * nv + m];
      }
      block[k * dim + l] += sum;
    }
  }
}

/* block += W_i^T M^-1 W_j over the bodies that both contacts share; block: dim x dim row-major. */
static inline void operator_add_shared(const struct problem_operator *A, int i, int j,
                                       double *block) {
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const int k = A->body[2 * i + s];
      if (k >= 0 && k == A->body[2 * j + t]) {
        operator_add_product(A, operator_w(A, i, s), operator_minv_w(A, j, t), block);
      }
    }
  }
}

#endif
