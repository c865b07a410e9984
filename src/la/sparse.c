/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse LU over UMFPACK. Its format is compressed columns; compressed rows are those of the
 * transposed matrix, which UMFPACK_At solves for.
 */
#include "la/sparse.h"

#include <suitesparse/umfpack.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/dense.h"

int la_sparse_solve(const struct la_sparse *A, const double *b, double *x) {
  if (A->n <= 0) {
    return BASE_OK;
  }
  void *symbolic = NULL, *numeric = NULL;
  double info[UMFPACK_INFO] = {0};
  int status = umfpack_di_symbolic(A->n, A->n, A->row_ptr, A->col, A->value, &symbolic, NULL, info);
  if (status == UMFPACK_OK) {
    status = umfpack_di_numeric(A->row_ptr, A->col, A->value, symbolic, &numeric, NULL, NULL);
  }
  if (status == UMFPACK_OK) { /* singular is a warning, greater than zero */
    status = umfpack_di_solve(UMFPACK_At, A->row_ptr, A->col, A->value, x, b, numeric, NULL, NULL);
  }
  umfpack_di_free_numeric(&numeric);
  umfpack_di_free_symbolic(&symbolic);
  if (status == UMFPACK_ERROR_out_of_memory) {
    base_memory_end(1, (size_t)info[UMFPACK_PEAK_MEMORY_ESTIMATE],
                    (size_t)info[UMFPACK_SIZE_OF_UNIT]);
  }
  if (status != UMFPACK_OK || !la_all_finite(A->n, x)) {
    return base_fail(BASE_FAILED, "sparse LU: matrix of order %d is singular", A->n);
  }
  return BASE_OK;
}
