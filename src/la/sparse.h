/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sparse systems without symmetry, by UMFPACK (Davis, ACM Trans. Math. Softw. 30, 2004). Matrices
 * are compressed rows: row_ptr: n + 1, col: ascending within a row, no entry twice.
 */
#ifndef LA_SPARSE_H
#define LA_SPARSE_H

struct la_sparse {
  int n;
  const int *row_ptr, *col;
  const double *value;
};

/* x = A^-1 b with iterative refinement; x, b: n, not the same. BASE_FAILED when A is singular or
 * not finite. The library takes and returns its own memory within the call. */
int la_sparse_solve(const struct la_sparse *A, const double *b, double *x);

#endif
