/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * la/rank.h over SuiteSparseQR. R is asked for with its column order E, which puts the columns that
 * were found dependent last (R trapezoidal). The library takes the matrix with long indices.
 */
#include "la/rank.h"

#include "base/status.h"
#include "la/dense.h"

#include <suitesparse/SuiteSparseQR_C.h>

/* The matrix as the library wants it; NULL: no room. */
static cholmod_sparse *copy(int rows, int n, const int *col_ptr, const int *row,
                            const double *value, cholmod_common *common) {
  const int entries = col_ptr[n];
  cholmod_sparse *A = cholmod_l_allocate_sparse((size_t)rows, (size_t)n, (size_t)entries, 1, 1, 0,
                                                CHOLMOD_REAL, common);
  if (A == NULL) {
    return NULL;
  }
  SuiteSparse_long *p = A->p, *i = A->i;
  double *x = A->x;
  for (int c = 0; c <= n; ++c) {
    p[c] = col_ptr[c];
  }
  for (int e = 0; e < entries; ++e) {
    i[e] = row[e];
    x[e] = value[e];
  }
  return A;
}

int la_rank_columns(int rows, int n, const int *col_ptr, const int *row, const double *value,
                    double tol, int *dependent) {
  cholmod_common common;
  cholmod_sparse *R = NULL;
  SuiteSparse_long *E = NULL, rank = -1;
  if (!la_all_finite(col_ptr[n], value)) {
    return base_fail(BASE_FAILED, "sparse QR: matrix not finite"), -1;
  }
  cholmod_l_start(&common);
  common.print = 0;
  common.nmethods = 1;
  cholmod_sparse *A = copy(rows, n, col_ptr, row, value, &common);
  if (A != NULL) {
    rank = SuiteSparseQR_C(SPQR_ORDERING_AMD, tol, 0, 0, A, NULL, NULL, NULL, NULL, &R, &E, NULL,
                           NULL, NULL, &common);
  }
  if (rank < 0) {
    base_fail(BASE_FAILED, "sparse QR: out of memory or too large");
  }
  for (int k = 0; k < n && rank >= 0; ++k) {
    dependent[E != NULL ? E[k] : k] = k >= rank;
  }
  cholmod_l_free((size_t)n, sizeof *E, E, &common);
  cholmod_l_free_sparse(&R, &common);
  cholmod_l_free_sparse(&A, &common);
  cholmod_l_finish(&common);
  return (int)rank;
}
