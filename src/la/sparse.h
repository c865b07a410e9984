/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unsymmetric sparse systems by UMFPACK (Davis, ACM Trans. Math. Softw. 30, 2004). Matrices are
 * stored in compressed rows, row_ptr: n + 1, col: ascending within a row, without repeated entries.
 */
#ifndef LA_SPARSE_H
#define LA_SPARSE_H

struct la_sparse {
  int n;
  const int *row_ptr, *col;
  const double *value;
};

/* x = A^-1 b with iterative refinement; x, b: n, must not overlap. BASE_FAILED if A is singular or
 * not finite. The library allocates and frees its own memory during the call. */
int la_sparse_solve(const struct la_sparse *A, const double *b, double *x);

#endif
