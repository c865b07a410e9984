/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Factorisations and solves over LAPACK. A factor with a pivot that is not finite counts as a
 * failure too: NaN passes LAPACK's comparisons. The pivoted Cholesky factorisation
 *
 *   P^T A P = L L^T,  L: n x r lower trapezoidal,  largest remaining diagonal first,
 *
 * stops at the first pivot not above tol times the largest diagonal of A. It is written out here
 * (left-looking, as LAPACK's dpstf2) because dpstrf takes an absolute tolerance and a workspace.
 */
#include "la/dense.h"

#include "base/status.h"
#include "la/blas.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

#define SMALL_LARGEST 4
/* Plain loops factorise and solve up to this order, with the same last digits on every processor
 * (Cholesky, measured at 3, 8, 12: 14, 84, 228 ns to factorise against 78, 181, 269 ns of the
 * library, which is the faster from 16 on). */
#define FACTOR_SMALL 12
#define QR_BLOCK 32 /* columns that LAPACK factorises at once */

static double *factor_diagonal(int n, double *A, int i) { return A + (size_t)i * ((size_t)n + 1); }

/* The lower triangle of A by that of L, column by column; a row that is not positive definite
 * leaves NaN, which the caller looks for. */
static void chol_factor_small(int n, double *A) {
  for (int k = 0; k < n; k++) {
    double square = A[k + k * n];
    for (int j = 0; j < k; j++) {
      square -= A[k + j * n] * A[k + j * n];
    }
    const double root = square > 0 ? sqrt(square) : (double)NAN;
    A[k + k * n] = root;
    for (int i = k + 1; i < n; i++) {
      double sum = A[i + k * n];
      for (int j = 0; j < k; j++) {
        sum -= A[i + j * n] * A[k + j * n];
      }
      A[i + k * n] = sum / root;
    }
  }
}

static void chol_solve_small(int n, const double *L, double *b) {
  for (int j = 0; j < n; j++) {
    b[j] /= L[j + j * n];
    for (int i = j + 1; i < n; i++) {
      b[i] -= L[i + j * n] * b[j];
    }
  }
  for (int j = n - 1; j >= 0; j--) {
    for (int i = j + 1; i < n; i++) {
      b[j] -= L[i + j * n] * b[i];
    }
    b[j] /= L[j + j * n];
  }
}

int la_chol_factor(int n, double *A) {
  if (n <= 0) {
    return BASE_OK;
  }
  int info = 0;
  if (n <= FACTOR_SMALL) {
    chol_factor_small(n, A);
  } else {
    info = (int)LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, A, n);
  }
  for (int i = 0; i < n; i++) {
    const double pivot = *factor_diagonal(n, A, i);
    if (i == info - 1 || !(pivot > 0) || !isfinite(pivot)) {
      return base_fail(BASE_FAILED,
                       "Cholesky: matrix of order %d is not positive definite (row %d)", n, i);
    }
  }
  return BASE_OK;
}

void la_chol_solve(int n, int nrhs, const double *L, double *B) {
  if (n <= 0 || nrhs <= 0) {
    return;
  }
  if (n > FACTOR_SMALL) {
    LAPACKE_dpotrs_work(LAPACK_COL_MAJOR, 'L', n, nrhs, L, n, B, n);
    return;
  }
  for (int j = 0; j < nrhs; j++) {
    chol_solve_small(n, L, B + (size_t)j * (size_t)n);
  }
}

/* Rows of largest pivots first, as LAPACK's dgetf2; piv counts from 1. Returns the number of the
 * first pivot that is zero, from 1; 0: none. */
static int lu_factor_small(int n, double *A, int *piv) {
  int zero = 0;
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) {
      p = fabs(A[i + k * n]) > fabs(A[p + k * n]) ? i : p;
    }
    piv[k] = p + 1;
    if (A[p + k * n] == 0) {
      zero = zero > 0 ? zero : k + 1;
      continue;
    }
    for (int j = 0; j < n && p != k; j++) {
      const double kept = A[k + j * n];
      A[k + j * n] = A[p + j * n];
      A[p + j * n] = kept;
    }
    for (int i = k + 1; i < n; i++) {
      A[i + k * n] /= A[k + k * n];
    }
    for (int j = k + 1; j < n; j++) {
      la_axpy(n - k - 1, -A[k + j * n], A + (k + 1) + k * n, A + (k + 1) + j * n);
    }
  }
  return zero;
}

static void lu_solve_small(int n, const double *LU, const int *piv, double *b) {
  for (int k = 0; k < n; k++) {
    const double kept = b[k];
    b[k] = b[piv[k] - 1];
    b[piv[k] - 1] = kept;
  }
  for (int j = 0; j < n; j++) {
    la_axpy(n - j - 1, -b[j], LU + (j + 1) + j * n, b + j + 1);
  }
  for (int j = n - 1; j >= 0; j--) {
    b[j] /= LU[j + j * n];
    la_axpy(j, -b[j], LU + j * n, b);
  }
}

int la_lu_factor(int n, double *A, int *piv) {
  _Static_assert(sizeof(lapack_int) == sizeof(int), "LAPACK with 32-bit integers is needed");
  if (n <= 0) {
    return BASE_OK;
  }
  const int info = n <= FACTOR_SMALL ? lu_factor_small(n, A, piv)
                                     : (int)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, n, piv);
  if (info != 0) {
    return base_fail(BASE_FAILED, "LU: matrix of order %d is singular (pivot %d is zero)", n,
                     info - 1);
  }
  for (int j = 0; j < n; j++) {
    if (!la_all_finite(n, A + (size_t)j * (size_t)n)) {
      return base_fail(BASE_FAILED, "LU: matrix of order %d has non-finite elements", n);
    }
  }
  return BASE_OK;
}

void la_lu_solve(int n, int nrhs, const double *LU, const int *piv, double *B) {
  if (n > FACTOR_SMALL && nrhs > 0) {
    LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', n, nrhs, LU, n, piv, B, n);
    return;
  }
  for (int j = 0; j < nrhs && n > 0; j++) {
    lu_solve_small(n, LU, piv, B + (size_t)j * (size_t)n);
  }
}

static void pchol_swap(double *a, double *b) {
  const double kept = *a;
  *a = *b;
  *b = kept;
}

/* Exchange rows and columns k < p of a symmetric matrix of which the lower triangle is kept, its
 * first k columns being those of L. */
static void pchol_exchange(int n, double *A, int *perm, int k, int p) {
  const size_t N = (size_t)n, K = (size_t)k, P = (size_t)p;
  for (size_t j = 0; j < K; j++) {
    pchol_swap(&A[K + j * N], &A[P + j * N]);
  }
  for (size_t i = K + 1; i < P; i++) {
    pchol_swap(&A[i + K * N], &A[P + i * N]);
  }
  for (size_t i = P + 1; i < N; i++) {
    pchol_swap(&A[i + K * N], &A[i + P * N]);
  }
  pchol_swap(&A[K + K * N], &A[P + P * N]);
  const int kept = perm[k];
  perm[k] = perm[p];
  perm[p] = kept;
}

/* Index of the largest diagonal element from k on. */
static int pchol_largest(int n, double *A, int k) {
  int largest = k;
  for (int i = k + 1; i < n; i++) {
    if (*factor_diagonal(n, A, i) > *factor_diagonal(n, A, largest)) {
      largest = i;
    }
  }
  return largest;
}

int la_pchol_factor(int n, double *A, int *perm, double tol) {
  const size_t N = (size_t)n;
  for (int j = 0; j < n; j++) {
    perm[j] = j;
  }
  for (int j = 0; j < n; j++) {
    if (!la_all_finite(n - j, A + (size_t)j * (N + 1))) {
      return base_fail(BASE_E_INPUT, "pivoted Cholesky: matrix of order %d is not finite", n);
    }
  }
  double least = 0;
  for (int k = 0; k < n; k++) {
    const int p = pchol_largest(n, A, k);
    const double pivot = *factor_diagonal(n, A, p);
    if (k == 0) {
      least = tol > 0 ? tol * pivot : 0;
    }
    if (!(pivot > least)) {
      return k;
    }
    if (p != k) {
      pchol_exchange(n, A, perm, k, p);
    }
    /* column k of L: what its predecessors leave of A, over the root of the pivot; the diagonal
     * below is kept up to date for the choice of pivots */
    double *column = A + (size_t)k * N;
    const double root = sqrt(pivot);
    column[k] = root;
    const int below = n - k - 1;
    for (int j = 0; j < k; j++) {
      const double *before = A + (size_t)j * N;
      la_axpy(below, -before[k], before + k + 1, column + k + 1);
    }
    for (int i = k + 1; i < n; i++) {
      column[i] /= root;
      *factor_diagonal(n, A, i) -= column[i] * column[i];
    }
  }
  return n;
}

void la_pchol_solve(int n, int rank, int nrhs, const double *L, const int *perm, double *B,
                    struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *y = base_arena_doubles(arena, n); /* n, in the order of the pivots */
  for (int j = 0; j < nrhs; j++) {
    double *b = B + (size_t)j * (size_t)n;
    for (int i = 0; i < n; i++) {
      y[i] = rank < 0 ? (double)NAN : i < rank ? b[perm[i]] : 0; /* rank < 0: no factor */
    }
    for (int i = 0; i < rank; i++) {
      const double *column = L + (size_t)i * (size_t)n;
      y[i] /= column[i];
      la_axpy(rank - i - 1, -y[i], column + i + 1, y + i + 1);
    }
    for (int i = rank - 1; i >= 0; i--) {
      const double *column = L + (size_t)i * (size_t)n;
      y[i] = (y[i] - la_dot(rank - i - 1, column + i + 1, y + i + 1)) / column[i];
    }
    for (int i = 0; i < n; i++) {
      b[perm[i]] = y[i];
    }
  }
  base_arena_release(arena, mark);
}

int la_least_squares(int m, int n, double *A, double *b, double tol, double *x,
                     struct base_arena *arena) {
  assert(m >= n);
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int size = n > 0 ? QR_BLOCK * n : 1;
  double *tau = base_arena_doubles(arena, n), *length = base_arena_doubles(arena, n);
  double *work = base_arena_doubles(arena, size);
  for (int j = 0; j < n; j++) {
    length[j] = la_norm2(m, A + (size_t)j * (size_t)m);
  }
  int info = 0;
  if (n > 0) {
    info = (int)LAPACKE_dgeqrf_work(LAPACK_COL_MAJOR, m, n, A, m, tau, work, size);
    info |=
        (int)LAPACKE_dormqr_work(LAPACK_COL_MAJOR, 'L', 'T', m, 1, n, A, m, tau, b, m, work, size);
  }
  assert(info == 0);
  int status = BASE_OK;
  for (int j = n - 1; j >= 0; j--) { /* R x = Q^T b; the reflections overwrite what is below R */
    const double *column = A + (size_t)j * (size_t)m;
    if (!(fabs(column[j]) > tol * length[j])) {
      status = base_fail(BASE_FAILED, "least squares: column %d depends on others", j);
      break;
    }
    x[j] = b[j] / column[j];
    la_axpy(j, -x[j], column, b);
  }
  base_arena_release(arena, mark);
  return status;
}

int la_eigen_symmetric(int n, double *A, double *w, int vectors) {
  for (int j = 0; j < n; j++) {
    if (!la_all_finite(n - j, A + (size_t)j * ((size_t)n + 1))) {
      return base_fail(BASE_FAILED, "eigenvalues: matrix of order %d is not finite", n);
    }
  }
  if (n <= 0) {
    return BASE_OK;
  }
  const int info = (int)LAPACKE_dsyev(LAPACK_COL_MAJOR, vectors ? 'V' : 'N', 'L', n, A, n, w);
  if (info != 0) {
    return base_fail(BASE_FAILED, "eigenvalues: no convergence for a matrix of order %d (%d)", n,
                     info);
  }
  return BASE_OK;
}

int la_solve_small(int n, const double *A, const double *b, double *x) {
  assert(n >= 1 && n <= SMALL_LARGEST);
  double U[SMALL_LARGEST][SMALL_LARGEST + 1]; /* rows of [A b] */
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      U[i][j] = A[i + j * n];
    }
    U[i][n] = b[i];
  }
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) {
      p = fabs(U[i][k]) > fabs(U[p][k]) ? i : p;
    }
    if (!(fabs(U[p][k]) > 0) || !isfinite(U[p][k])) {
      return base_fail(BASE_FAILED, "matrix of order %d is singular", n);
    }
    for (int j = k; j <= n; j++) {
      const double kept = U[k][j];
      U[k][j] = U[p][j];
      U[p][j] = kept;
    }
    for (int i = k + 1; i < n; i++) {
      const double factor = U[i][k] / U[k][k];
      for (int j = k + 1; j <= n; j++) {
        U[i][j] -= factor * U[k][j];
      }
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    double sum = U[i][n];
    for (int j = i + 1; j < n; j++) {
      sum -= U[i][j] * x[j];
    }
    x[i] = sum / U[i][i];
  }
  return BASE_OK;
}
