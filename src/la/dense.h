/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels. Matrices are column-major with leading dimension = rows unless said otherwise.
 * Anything larger than a 3 x 3 block goes to CBLAS / LAPACK; this is the one place that calls them.
 * Results must not depend on the number of threads: the library is held to one.
 */
#ifndef LA_DENSE_H
#define LA_DENSE_H

#include "base/memory/arena.h"

/* What the BLAS needs under a limit on addresses (addresses.c); the first act of a program. */
void la_start(void);
/* Hold the BLAS to one thread, and have GSL return a status where it fails; to be called once at
 * start of a program. */
void la_init(void);

/* n of these may be a whole matrix: m x n elements are more than an int counts from 17 GB on. */
double la_dot(long n, const double *x, const double *y);
double la_norm2(int n, const double *x);
double la_norm_inf(long n, const double *x);
/* xy, xz: x . y and x . z, each as la_dot has it. */
void la_dots(long n, const double *x, const double *y, const double *z, double *xy, double *xz);
void la_axpy(long n, double alpha, const double *x, double *y); /* y += alpha x */
/* z = x + alpha y; z may be x or y. */
void la_sum(long n, const double *x, double alpha, const double *y, double *z);
/* out = (x + alpha y) + alpha z; out may be any of them. */
void la_sum_of_two(long n, const double *x, double alpha, const double *y, const double *z,
                   double *out);
void la_divide(long n, const double *d, double *x); /* x_i /= d_i */
/* The same in one pass with the dots x . y, x . z and y . d y of x as it was, z = x / d. */
void la_divide_dots(long n, const double *d, const double *y, double *x, double dots[3]);
void la_copy(long n, const double *x, double *y); /* y = x */
void la_zero(long n, double *x);                  /* x = 0 */
/* Whether they are the same to the last bit: -0 is not 0, and NaN is itself. */
int la_same(long n, const double *x, const double *y);
int la_all_finite(long n, const double *x);

/* y = alpha A x + beta y, A: m x n */
void la_gemv(int m, int n, double alpha, const double *A, const double *x, double beta, double *y);
/* y = alpha A^T x + beta y, A: m x n */
void la_gemv_t(int m, int n, double alpha, const double *A, const double *x, double beta,
               double *y);
/* C = alpha A B + beta C, A: m x k, B: k x n */
void la_gemm(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
             double *C);
/* C = alpha A^T B + beta C, A: k x m, B: k x n */
void la_gemm_t(int m, int n, int k, double alpha, const double *A, const double *B, double beta,
               double *C);

/* Cholesky of a symmetric positive definite A (lower triangle overwritten); BASE_FAILED if not. */
int la_chol_factor(int n, double *A);
/* A X = B with the factor; B: n x nrhs overwritten. */
void la_chol_solve(int n, int nrhs, const double *L, double *B);

/* LU with partial pivoting, piv: n; BASE_FAILED when exactly singular. */
int la_lu_factor(int n, double *A, int *piv);
void la_lu_solve(int n, int nrhs, const double *LU, const int *piv, double *B);

/* Rank-revealing factorisation of a symmetric positive semidefinite A (n x n, overwritten), pivoted
 * Cholesky with relative tolerance tol; perm: n. Returns the rank, or BASE_E_INPUT (< 0) when A is
 * not finite, with which a solve gives NaN. la_pchol_solve then gives a basic solution of the
 * consistent system A X = B (dependent rows get zero); B: n x nrhs overwritten. */
int la_pchol_factor(int n, double *A, int *perm, double tol);
void la_pchol_solve(int n, int rank, int nrhs, const double *L, const int *perm, double *B,
                    struct base_arena *arena);

/* x: n, of least |A x - b| for A: m x n, m >= n, by a QR factorisation; A and b: m are overwritten.
 * BASE_FAILED when no more than `tol` of a column (2-norm) is off the span of those before it. */
int la_least_squares(int m, int n, double *A, double *b, double tol, double *x,
                     struct base_arena *arena);

/* Symmetric eigenproblem, ascending values w: n, vectors overwrite A when vectors != 0. */
int la_eigen_symmetric(int n, double *A, double *w, int vectors);

/* Small blocks, n = 1 ... 4, row- or column-major alike for symmetric ones: x = A^-1 b by Gaussian
 * elimination with pivoting; BASE_FAILED when singular. No heap, no library call. */
int la_solve_small(int n, const double *A, const double *b, double *x);

#endif
