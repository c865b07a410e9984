/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels. Matrices are column-major with leading dimension = rows unless stated otherwise.
 * Products and factorisations beyond small blocks call CBLAS and LAPACK, and nothing else calls
 * these libraries. They run with one thread, so that results do not depend on the number of
 * threads.
 */
#ifndef LA_DENSE_H
#define LA_DENSE_H

#include "base/memory/arena.h"

/* Prepare the BLAS for a limit on addresses (addresses.c). Every program calls it first. */
void la_start(void);
/* Set the BLAS to one thread, and let GSL return a status when it fails. Every program calls it
 * once. */
void la_init(void);

/* Vectors x, y, z, d: n. Where n is a long, x may be a whole matrix, whose number of elements may
 * exceed the range of int. */
/* x . y, |x|_2 and |x|_inf. */
double la_dot(long n, const double *x, const double *y);
double la_norm2(int n, const double *x);
double la_norm_inf(long n, const double *x);
/* xy, xz: x . y and x . z, to the same bits as by la_dot. */
void la_dots(long n, const double *x, const double *y, const double *z, double *xy, double *xz);
void la_axpy(long n, double alpha, const double *x, double *y); /* y += alpha x */
/* z = x + alpha y; z may be x or y. */
void la_sum(long n, const double *x, double alpha, const double *y, double *z);
/* out = (x + alpha y) + alpha z; out may be any of them. */
void la_sum_of_two(long n, const double *x, double alpha, const double *y, const double *z,
                   double *out);
void la_divide(long n, const double *d, double *x); /* x_i /= d_i */
/* The same in one pass with dots: x . y, x . z and y . (d y), for x on entry and z_i = x_i /
 * d_i. */
void la_divide_dots(long n, const double *d, const double *y, double *x, double dots[3]);
void la_copy(long n, const double *x, double *y); /* y = x */
void la_zero(long n, double *x);                  /* x = 0 */
/* Are x and y equal to the last bit? -0 differs from 0, and a NaN equals the same NaN. */
int la_same(long n, const double *x, const double *y);
/* Are all x_i finite? */
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

/* Cholesky factor of a symmetric positive definite A: n x n, whose lower triangle is overwritten;
 * BASE_FAILED if A is not positive definite. */
int la_chol_factor(int n, double *A);
/* Solve A X = B with this factor; B: n x nrhs is overwritten by X. */
void la_chol_solve(int n, int nrhs, const double *L, double *B);

/* LU factors with partial pivoting of A: n x n, which is overwritten; piv: n. BASE_FAILED if A is
 * exactly singular. */
int la_lu_factor(int n, double *A, int *piv);
/* Solve A X = B with these factors; B: n x nrhs is overwritten by X. */
void la_lu_solve(int n, int nrhs, const double *LU, const int *piv, double *B);

/* Pivoted Cholesky factor of a symmetric positive semidefinite A: n x n, which is overwritten, with
 * relative tolerance tol; perm: n. Returns the rank, or BASE_E_INPUT (< 0) if A is not finite; a
 * solve with that value gives NaN. la_pchol_solve gives a basic solution of a consistent system A X
 * = B, in which dependent rows are zero; B: n x nrhs is overwritten by X. */
int la_pchol_factor(int n, double *A, int *perm, double tol);
void la_pchol_solve(int n, int rank, int nrhs, const double *L, const int *perm, double *B,
                    struct base_arena *arena);

/* x: n, the minimiser of |A x - b| for A: m x n, m >= n, b: m, by QR factors; A and b are
 * overwritten. BASE_FAILED if the part of a column outside the span of the columns before it has at
 * most `tol` of its 2-norm. */
int la_least_squares(int m, int n, double *A, double *b, double tol, double *x,
                     struct base_arena *arena);

/* Eigenvalues w: n, ascending, of a symmetric A: n x n, which is overwritten, by the eigenvectors
 * if vectors != 0. BASE_FAILED with a message if A is not finite or the iteration does not
 * converge. */
int la_eigen_symmetric(int n, double *A, double *w, int vectors);

/* x = A^-1 b for n = 1 ... 4, by Gaussian elimination with pivoting, without heap or library calls;
 * BASE_FAILED if A is singular. */
int la_solve_small(int n, const double *A, const double *b, double *x);

#endif
