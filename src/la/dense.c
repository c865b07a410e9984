/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels over CBLAS. Problems here are often tiny (three rows a contact), where a library
 * call costs more than the work: there plain loops do it. Which of the
 * two runs depends on the sizes alone, so the same input always gives the same result.
 *
 * Inner products, and with them la_gemv_t, are written out: those of OpenBLAS add in an order that
 * depends on whether the data lie on an even multiple of 8 bytes, so that the same numbers gave
 * different last digits at another place.
 *
 * As in the BLAS, beta = 0 means that the output is only written: it may hold anything before, NaN
 * included. Unlike the BLAS, an empty sum still scales the output by beta.
 */
#include "la/dense.h"

#include "la/blas.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* Plain loops are the faster up to about this many multiplications, measured with OpenBLAS 0.3.21
 * on x86-64 (matrices from 2 x 2 to 64 x 64; a library call costs 20 ns, 80 ns for gemm). */
#define DENSE_SMALL_AXPY 32
#define DENSE_SMALL_GEMV 40
#define DENSE_SMALL_GEMM 128

/* Of OpenBLAS alone; absent from other libraries. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

void la_init(void) {
  if (openblas_set_num_threads) {
    openblas_set_num_threads(1);
  }
}

/* Two doubles side by side, wherever they lie. */
typedef double dense_pair __attribute__((vector_size(16)));

static inline dense_pair dense_load(const double *x) {
  dense_pair pair;
  memcpy(&pair, x, sizeof pair);
  return pair;
}

/* Eight partial sums, added in a fixed order. */
static double dense_dot(long n, const double *x, const double *y) {
  dense_pair a = {0, 0}, b = {0, 0}, c = {0, 0}, d = {0, 0};
  long i = 0;
  for (; i + 8 <= n; i += 8) {
    a += dense_load(x + i) * dense_load(y + i);
    b += dense_load(x + i + 2) * dense_load(y + i + 2);
    c += dense_load(x + i + 4) * dense_load(y + i + 4);
    d += dense_load(x + i + 6) * dense_load(y + i + 6);
  }
  for (; i + 2 <= n; i += 2) {
    a += dense_load(x + i) * dense_load(y + i);
  }
  a = (a + b) + (c + d);
  return a[0] + a[1] + (i < n ? x[i] * y[i] : 0);
}

double la_dot(long n, const double *x, const double *y) { return dense_dot(n, x, y); }

double la_norm2(int n, const double *x) { return n > 0 ? cblas_dnrm2(n, x, 1) : 0; }

double la_norm_inf(long n, const double *x) {
  double largest = 0;
  for (long i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    if (!(size <= largest)) { /* true for NaN, which then stays */
      largest = size;
    }
    if (isnan(largest)) {
      break;
    }
  }
  return largest;
}

void la_axpy(long n, double alpha, const double *x, double *y) {
  for (; n > INT_MAX; n -= INT_MAX, x += INT_MAX, y += INT_MAX) { /* the library counts in ints */
    cblas_daxpy(INT_MAX, alpha, x, 1, y, 1);
  }
  if (n > DENSE_SMALL_AXPY) {
    cblas_daxpy((int)n, alpha, x, 1, y, 1);
    return;
  }
  for (long i = 0; i < n; i++) {
    y[i] += alpha * x[i];
  }
}

void la_copy(long n, const double *x, double *y) {
  if (n > 0) {
    memmove(y, x, (size_t)n * sizeof *y);
  }
}

int la_all_finite(long n, const double *x) {
  for (long i = 0; i < n; i++) {
    if (!isfinite(x[i])) {
      return 0;
    }
  }
  return 1;
}

/* y = beta y, with nothing read when beta = 0 */
static void dense_scale(int n, double beta, double *y) {
  for (int i = 0; i < n; i++) {
    y[i] = beta == 0 ? 0 : beta * y[i];
  }
}

void la_gemv(int m, int n, double alpha, const double *A, const double *x, double beta, double *y) {
  if (m > 0 && n > 0 && (size_t)m * (size_t)n > DENSE_SMALL_GEMV) {
    cblas_dgemv(CblasColMajor, CblasNoTrans, m, n, alpha, A, m, x, 1, beta, y, 1);
    return;
  }
  dense_scale(m, beta, y);
  for (int j = 0; j < n; j++) {
    const double factor = alpha * x[j];
    for (int i = 0; i < m; i++) {
      y[i] += factor * A[i + (long)j * m];
    }
  }
}

void la_gemv_t(int m, int n, double alpha, const double *A, const double *x, double beta,
               double *y) {
  for (int j = 0; j < n; j++) {
    const double sum = dense_dot(m, A + (size_t)j * (size_t)m, x);
    y[j] = alpha * sum + (beta == 0 ? 0 : beta * y[j]);
  }
}

static int dense_is_small(int m, int n, int k) {
  return m <= 0 || n <= 0 || k <= 0 || (size_t)m * (size_t)n * (size_t)k <= DENSE_SMALL_GEMM;
}

void la_gemm(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
             double *C) {
  if (!dense_is_small(m, n, k)) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, m, n, k, alpha, A, m, B, k, beta, C, m);
    return;
  }
  for (int j = 0; j < n; j++) {
    double *column = C + (long)j * m;
    dense_scale(m, beta, column);
    for (int l = 0; l < k; l++) {
      const double factor = alpha * B[l + (long)j * k];
      for (int i = 0; i < m; i++) {
        column[i] += factor * A[i + (long)l * m];
      }
    }
  }
}

void la_gemm_t(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
               double *C) {
  if (!dense_is_small(m, n, k)) {
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, m, n, k, alpha, A, k, B, k, beta, C, m);
    return;
  }
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < m; i++) {
      double sum = 0;
      for (int l = 0; l < k; l++) {
        sum += A[l + (long)i * k] * B[l + (long)j * k];
      }
      C[i + (long)j * m] = alpha * sum + (beta == 0 ? 0 : beta * C[i + (long)j * m]);
    }
  }
}
