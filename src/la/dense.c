/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels over CBLAS. Problems here are often tiny (three rows a contact, six a body), where
 * plain loops do it: they cost less than a library call, and add in an order of their own, without
 * products fused to sums, so that last digits are the same whatever kernel the library has for a
 * processor. Which of the two runs depends on the sizes alone, so the same input always gives the
 * same result.
 *
 * Inner products, and with them la_gemv_t, are written out for the same reason (kernels.h).
 *
 * As in the BLAS, beta = 0 means that the output is only written: it may hold anything before, NaN
 * included. Unlike the BLAS, an empty sum still scales the output by beta.
 */
#include "la/dense.h"

#include "la/blas.h"
#include "la/kernels.h"

#include <gsl/gsl_errno.h>
#include <stddef.h>

/* Multiplications up to which plain loops do it: blocks of two bodies in space, 12 rows. A library
 * call costs 20 ns, 80 ns for gemm (OpenBLAS 0.3.21 on x86-64), and breaks even at 40 and 128
 * multiplications; up to here it saves at most a microsecond. */
#define DENSE_SMALL_GEMV (12 * 12)
#define DENSE_SMALL_GEMM (12 * 12 * 12)

/* Of OpenBLAS alone; absent from other libraries. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

void la_init(void) {
  gsl_set_error_handler_off(); /* its own ends the program */
  if (openblas_set_num_threads) {
    openblas_set_num_threads(1);
  }
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
    dense_sum(m, y, alpha * x[j], A + (long)j * m, y);
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
      dense_sum(m, column, alpha * B[l + (long)j * k], A + (long)l * m, column);
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
