/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Dense kernels against naive sums, and factorisations against the identities that define them:
 * A = L L^T, A x = b, A = V diag(w) V^T, P^T A P = L L^T of known rank, A^T (A x - b) = 0. Sizes
 * run across the change from plain loops to the library. Tolerances are in units of n eps times the
 * size of the data.
 */
#include "la/dense.h"
#include "la/library.h"
#include "la/statistics.h"

#include "base/threads.h"
#include "tests/test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 40
#define SCALE (8 * DBL_EPSILON) /* a few roundings an operation; times n and the data's size */

static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 21, 33, LARGEST};
#define SIZES ((int)(sizeof sizes / sizeof sizes[0]))

/* C: m x n = op(A) B by the definition; A is m x k, or k x m when transposed. */
static void naive_product(int m, int n, int k, int transposed, const double *A, const double *B,
                          double *C) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      long double sum = 0;
      for (int l = 0; l < k; l++) {
        sum += (long double)(transposed ? A[l + i * k] : A[i + l * m]) * B[l + j * k];
      }
      C[i + j * m] = (double)sum;
    }
  }
}

/* A: n x n = G G^T of rank r (n x r, r = n positive definite), G into G. */
static void gram(struct base_rng *rng, int n, int r, double *G, double *A) {
  static double T[LARGEST * LARGEST];
  base_rng_uniforms(rng, n * r, -1, 1, G);
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < r; l++) {
      T[l + i * r] = G[i + l * n];
    }
  }
  naive_product(n, n, r, 0, G, T, A);
}

/* On both sides of the change, and vectors as long as are gone through by parts, one less, and with
 * a part that is longer: the same bits for any number of threads. */
TEST(vectors_match_their_definition_for_any_number_of_threads) {
  static const int lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 33, LARGEST, 65535, 65536, 100003};
  struct base_rng *rng = test_rng(0);
  enum { MOST = 100003 + 1 };
  double *room = malloc(6 * (size_t)MOST * sizeof *room), *x = room, *y = x + MOST, *z = y + MOST;
  double *sum = z + MOST, *first = sum + MOST, *quotient = first + MOST;
  for (int s = 0; s < (int)(sizeof lengths / sizeof *lengths); s++) {
    const int n = lengths[s];
    double dots[2][4], xy, xz;
    long double exact = 0, square = 0;
    base_rng_uniforms(rng, n, -1, 1, x);
    base_rng_uniforms(rng, n, -1, 1, y);
    for (int i = 0; i < n; i++) {
      exact += (long double)x[i] * y[i];
      square += (long double)x[i] * x[i];
    }
    for (int threads = 1; threads <= 3; threads++) {
      double *dot = dots[threads > 1];
      base_threads_set(threads);
      la_sum(n, x, 0.3, y, sum);
      la_sum_of_two(n, x, 0.3, y, sum, first);
      la_copy(n, x, z);
      la_axpy(n, 0.3, y, z);
      la_copy(n, x, quotient);
      CHECK(la_same(n, x, quotient));
      la_divide(n, y, quotient);
      for (int i = 0; i < n; i++) {
        CHECK(sum[i] == x[i] + 0.3 * y[i] && first[i] == (x[i] + 0.3 * y[i]) + 0.3 * sum[i]);
        CHECK(fabs(z[i] - sum[i]) <= SCALE && quotient[i] == x[i] / y[i]);
      }
      dot[0] = la_dot(n, x, y);
      CHECK_NEAR(dot[0], (double)exact, n * SCALE);
      CHECK_NEAR(la_norm2(n, x), (double)sqrtl(square), n * SCALE);
      la_copy(n, x, z);
      la_divide_dots(n, y, x, z, dot + 1); /* the product of the last with y: x */
      CHECK(la_same(n, z, quotient));
      CHECK(dot[1] == la_dot(n, x, x) && dot[2] == la_dot(n, x, quotient));
      CHECK(threads == 1 || la_same(3, dots[0], dots[1]));
      la_dots(n, x, y, sum, &xy, &xz);
      CHECK(xy == dot[0] && xz == la_dot(n, x, sum));
      la_copy(n, x, z);
      la_sum_of_two(n, z, 0.3, y, sum, z); /* in place */
      CHECK(la_same(n, z, first));
      la_copy(n, x, z);
      la_copy(n - 1, z, z + 1); /* onto themselves */
      CHECK(z[0] == x[0] && z[n - 1] == x[n > 1 ? n - 2 : 0] &&
            z[n / 2] == x[n > 1 ? n / 2 - 1 : 0]);
      for (int k = 0; k < 40; k++) { /* one among so many, at the ends and anywhere */
        const int i = k == 0 ? 0 : k == 1 ? n - 1 : (int)base_rng_uniform(rng, 0, n);
        la_copy(n, x, z);
        z[i] = -3;
        CHECK(la_norm_inf(n, z) == 3 && la_all_finite(n, z) && !la_same(n, x, z));
        z[i] = (double)-INFINITY;
        CHECK(la_norm_inf(n, z) == (double)INFINITY && !la_all_finite(n, z) && !la_same(n, x, z));
        z[(i + k) % n] = (double)NAN;
        CHECK(isnan(la_norm_inf(n, z)) && !la_all_finite(n, z) && !la_same(n, x, z));
      }
      z[n] = 5;
      la_zero(n, z);
      la_zero(0, z + n);
      CHECK(la_norm_inf(n, z) == 0 && z[n] == 5);
      z[n - 1] = -0.;
      CHECK((n == 1 || !la_same(1, z, z + n - 1)) && la_same(0, x, y));
    }
  }
  base_threads_set(0);
  CHECK(la_dot(0, x, y) == 0 && la_norm2(0, x) == 0 && la_norm_inf(0, x) == 0);
  CHECK(la_all_finite(0, x));
  free(room);
  const double big[2] = {3e200, 4e200}, tiny[2] = {3e-200, 4e-200};
  CHECK_NEAR(la_norm2(2, big) / 5e200, 1, SCALE);
  CHECK_NEAR(la_norm2(2, tiny) / 5e-200, 1, SCALE);
}

/* y = alpha op(A) B + beta y for shapes on both sides of the change, NaN in y when beta = 0. */
static void check_products(struct base_rng *rng, int m, int n, int k, double alpha, double beta) {
  static double A[LARGEST * LARGEST], B[LARGEST * LARGEST], C[LARGEST * LARGEST],
      naive[LARGEST * LARGEST], start[LARGEST * LARGEST];
  for (int transposed = 0; transposed < 2; transposed++) {
    base_rng_uniforms(rng, m * k, -1, 1, A);
    base_rng_uniforms(rng, k * n, -1, 1, B);
    base_rng_uniforms(rng, m * n, -1, 1, start);
    naive_product(m, n, k, transposed, A, B, naive);
    for (int i = 0; i < m * n; i++) {
      naive[i] = alpha * naive[i] + beta * start[i];
      start[i] = beta == 0 ? (double)NAN : start[i];
    }
    la_copy(m * n, start, C);
    (transposed ? la_gemm_t : la_gemm)(m, n, k, alpha, A, B, beta, C);
    CHECK_LE(test_distance(m * n, C, naive), (k + 1) * SCALE);
    la_copy(m, start, C); /* the first column alone */
    if (transposed) {
      la_gemv_t(k, m, alpha, A, B, beta, C);
    } else {
      la_gemv(m, k, alpha, A, B, beta, C);
    }
    CHECK_LE(test_distance(m, C, naive), (k + 1) * SCALE);
  }
}

TEST(products_match_their_definition) {
  struct base_rng *rng = test_rng(0);
  static const double factors[][2] = {{1, 0}, {-0.7, 1}, {2, -0.5}, {0, 1}, {1, 1}};
  for (int trial = 0; trial < 400; trial++) {
    const int large = trial % 4 == 0 ? LARGEST : 8;
    const int m = 1 + base_rng_below(rng, large), n = 1 + base_rng_below(rng, large);
    const int k = base_rng_below(rng, large); /* 0: an empty sum */
    check_products(rng, m, n, k, factors[trial % 5][0], factors[trial % 5][1]);
  }
}

/* The same numbers at every alignment of a double within a cache line give the same bits. */
TEST(products_do_not_depend_on_the_place_of_the_data) {
  enum { m = 37, n = 29 };
  static double A[m * n + 8], x[m + 8], y[m + 8], first[3][m];
  for (int shift = 0; shift < 64; shift++) {
    double *As = A + shift % 8, *xs = x + shift / 8, *ys = y + (shift + 3) % 8,
           result[3][m] = {{0}};
    struct base_rng *rng = base_rng_alloc(7);
    base_rng_uniforms(rng, m * n, -1, 1, As);
    base_rng_uniforms(rng, m, -1, 1, xs);
    base_rng_free(rng);
    result[0][0] = la_dot(m, As, xs);
    la_gemv_t(m, n, 1, As, xs, 0, ys);
    la_copy(n, ys, result[1]);
    la_gemv(m, n, 1, As, xs, 0, ys);
    la_copy(m, ys, result[2]);
    for (int k = 0; k < 3; k++) {
      if (shift == 0) {
        la_copy(m, result[k], first[k]);
      }
      /* the casts say that bits are compared, not numbers */
      CHECK_MESSAGE(memcmp((const void *)result[k], (const void *)first[k], sizeof result[k]) == 0,
                    "kernel %d, shift %d", k, shift);
    }
  }
}

TEST(cholesky) {
  struct base_rng *rng = test_rng(0);
  static double A[LARGEST * LARGEST], L[LARGEST * LARGEST], G[LARGEST * LARGEST], B[LARGEST * 2],
      X[LARGEST * 2], R[LARGEST * LARGEST];
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s];
    gram(rng, n, n, G, A);
    for (int i = 0; i < n; i++) {
      A[i + i * n] += n; /* well conditioned: eigenvalues between n and about 3 n */
    }
    la_copy(n * n, A, L);
    CHECK_OK(la_chol_factor(n, L));
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0;
        for (int k = 0; k <= j; k++) {
          sum += L[i + k * n] * L[j + k * n];
        }
        CHECK_NEAR(sum, A[i + j * n], n * n * SCALE);
        CHECK(i == j || L[j + i * n] == A[j + i * n]); /* the other triangle is left alone */
      }
    }
    base_rng_uniforms(rng, 2 * n, -1, 1, B);
    la_copy(2 * n, B, X);
    la_chol_solve(n, 2, L, X);
    naive_product(n, 2, n, 0, A, X, R);
    CHECK_LE(test_distance(2 * n, R, B), n * SCALE * 4);
    la_copy(n * n, A, L);
    L[(n - 1) * (n + 1)] = -1; /* indefinite in its last row */
    CHECK_REFUSED(la_chol_factor(n, L), BASE_FAILED, "not positive definite");
    la_copy(n * n, A, L);
    L[n - 1] = (double)NAN; /* of the lower triangle */
    CHECK_INT(la_chol_factor(n, L), BASE_FAILED);
  }
}

TEST(lu) {
  struct base_rng *rng = test_rng(0);
  static double A[LARGEST * LARGEST], LU[LARGEST * LARGEST], B[LARGEST * 3], X[LARGEST * 3],
      R[LARGEST * 3];
  int piv[LARGEST];
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s];
    base_rng_uniforms(rng, n * n, -1, 1, A);
    A[0] = 0; /* without pivoting this fails */
    if (n > 1) {
      base_rng_uniforms(rng, 3 * n, -1, 1, B);
      la_copy(n * n, A, LU);
      la_copy(3 * n, B, X);
      CHECK_OK(la_lu_factor(n, LU, piv));
      la_lu_solve(n, 3, LU, piv, X);
      naive_product(n, 3, n, 0, A, X, R);
      const double scale = la_norm_inf(3 * n, X) + 1; /* backward stable: relative to A X */
      CHECK_LE(test_distance(3 * n, R, B), n * n * SCALE * scale);
    }
    la_copy(n * n, A, LU);
    for (int i = 0; i < n; i++) {
      LU[i + (n - 1) * n] = 0; /* a column of zeros stays so exactly */
    }
    CHECK_REFUSED(la_lu_factor(n, LU, piv), BASE_FAILED, "singular");
    la_copy(n * n, A, LU);
    LU[n * n / 2] = (double)NAN;
    CHECK_INT(la_lu_factor(n, LU, piv), BASE_FAILED);
  }
}

TEST(pivoted_cholesky_finds_the_rank_and_solves_consistent_systems) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  static double A[LARGEST * LARGEST], L[LARGEST * LARGEST], G[LARGEST * LARGEST], B[LARGEST * 2],
      X[LARGEST * 2], R[LARGEST * 2];
  int perm[LARGEST];
  const double tol = 1e-10; /* between the rounding, n eps, and the smallest pivot of these ranks */
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s];
    for (int r = 0; r <= n / 2 || r == n; r++) {
      gram(rng, n, r, G, A);
      for (int i = 0; r == n && i < n; i++) {
        A[i + i * n] += 1; /* a square random matrix alone may be close to singular */
      }
      la_copy(n * n, A, L);
      CHECK_INT(la_pchol_factor(n, L, perm, tol), r);
      for (int i = 0; i < n; i++) { /* P^T A P = L L^T */
        for (int j = 0; j <= i; j++) {
          double sum = 0;
          for (int k = 0; k < r && k <= j; k++) {
            sum += L[i + k * n] * L[j + k * n];
          }
          CHECK_NEAR(sum, A[perm[i] + perm[j] * n], n * n * 16 * SCALE);
        }
      }
      base_rng_uniforms(rng, 2 * n, -1, 1, X);
      naive_product(n, 2, n, 0, A, X, B); /* in the range of A */
      la_copy(2 * n, B, X);
      la_pchol_solve(n, r, 2, L, perm, X, arena);
      naive_product(n, 2, n, 0, A, X, R);
      CHECK_LE(test_distance(2 * n, R, B), 1e-9 * (1 + la_norm_inf(2 * n, B)));
      for (int i = r; i < n; i++) {
        CHECK(X[perm[i]] == 0 && X[perm[i] + n] == 0);
      }
    }
  }
  base_rng_uniforms(rng, 16, -1, 1, A);
  A[1] = (double)NAN;
  CHECK_INT(la_pchol_factor(4, A, perm, tol), BASE_E_INPUT);
  la_pchol_solve(4, BASE_E_INPUT, 1, A, perm, X, arena);
  CHECK(isnan(X[0]) && isnan(X[3]));
}

/* The residual of least squares is orthogonal to the columns; with a column that depends on others
 * there is none. */
TEST(least_squares) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  static double A[2 * LARGEST * LARGEST], QR[2 * LARGEST * LARGEST];
  double b[2 * LARGEST], left[2 * LARGEST], x[LARGEST];
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s], m = s % 3 == 0 ? n : 2 * n - 1;
    base_rng_uniforms(rng, m * n, -1, 1, A);
    base_rng_uniforms(rng, m, -1, 1, b);
    la_copy(m * n, A, QR);
    la_copy(m, b, left);
    CHECK_OK(la_least_squares(m, n, QR, left, 1e-12, x, arena));
    const double size = 1 + la_norm_inf(n, x);
    la_copy(m, b, left);
    la_gemv(m, n, -1, A, x, 1, left);
    for (int j = 0; j < n; j++) {
      CHECK_NEAR(la_dot(m, A + j * m, left), 0, 10 * m * n * SCALE * size);
    }
    if (n > 1) {
      la_copy(m, A, A + (n - 1) * m);
      la_axpy(m, 1e-14, b, A + (n - 1) * m);
      la_copy(m, b, left);
      CHECK_INT(la_least_squares(m, n, A, left, 1e-12, x, arena), BASE_FAILED);
    }
  }
}

TEST(symmetric_eigenproblem) {
  struct base_rng *rng = test_rng(0);
  static double A[LARGEST * LARGEST], V[LARGEST * LARGEST], w[LARGEST], alone[LARGEST];
  for (int s = 0; s < SIZES; s++) {
    const int n = sizes[s];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        A[i + j * n] = A[j + i * n] = base_rng_uniform(rng, -1, 1);
      }
    }
    la_copy(n * n, A, V);
    CHECK_OK(la_eigen_symmetric(n, V, w, 1));
    for (int i = 0; i < n; i++) {
      CHECK(i == 0 || w[i - 1] <= w[i]);
      for (int j = 0; j < n; j++) {
        double sum = 0, product = 0;
        for (int k = 0; k < n; k++) {
          sum += V[i + k * n] * w[k] * V[j + k * n];
          product += V[k + i * n] * V[k + j * n];
        }
        CHECK_NEAR(sum, A[i + j * n], n * n * SCALE);
        CHECK_NEAR(product, i == j, n * SCALE);
      }
    }
    la_copy(n * n, A, V);
    CHECK_OK(la_eigen_symmetric(n, V, alone, 0));
    CHECK_LE(test_distance(n, w, alone), n * n * SCALE);
  }
  double known[4] = {2, 1, 1, 2}, values[2]; /* eigenvalues 1 and 3 */
  CHECK_OK(la_eigen_symmetric(2, known, values, 0));
  CHECK_NEAR(values[0], 1, SCALE);
  CHECK_NEAR(values[1], 3, SCALE);
  known[1] = (double)NAN;
  CHECK_INT(la_eigen_symmetric(2, known, values, 0), BASE_FAILED);
}

TEST(small_solve) {
  struct base_rng *rng = test_rng(0);
  double A[16], b[4], x[4], r[4];
  for (int trial = 0; trial < 20000; trial++) {
    const int n = 1 + trial % 4;
    base_rng_uniforms(rng, n * n, -1, 1, A);
    base_rng_uniforms(rng, n, -1, 1, b);
    if (n > 1 && trial % 3 == 0) {
      A[0] = 0; /* needs pivoting */
    }
    CHECK_OK(la_solve_small(n, A, b, x));
    naive_product(n, 1, n, 0, A, x, r);
    CHECK_LE(test_distance(n, r, b), 16 * SCALE * (1 + la_norm_inf(n, x)));
    la_copy(n, b, r);
    CHECK_OK(la_solve_small(n, A, r, r)); /* in place */
    CHECK(memcmp(r, x, (size_t)n * sizeof *x) == 0);
  }
  const double singular[9] = {1, 2, 3, 2, 4, 6, 5, 5, 5};
  CHECK_INT(la_solve_small(3, singular, b, x), BASE_FAILED);
  const double bad[4] = {1, (double)NAN, 2, 3};
  CHECK_INT(la_solve_small(2, bad, b, x), BASE_FAILED);
}

/* x_k = a x_(k-1) + noise has rho_k = a^k, so tau = 1/2 + a/(1 - a). */
TEST(correlation_time_of_an_autoregressive_series) {
  enum { SAMPLES = 400000, STRIDE = 2 };
  struct base_rng *rng = test_rng(0);
  double *x = calloc(STRIDE * SAMPLES, sizeof *x);
  for (double a = 0; a < 0.9; a += 0.4) {
    for (long k = 1; k < SAMPLES; ++k) {
      x[STRIDE * k] = a * x[STRIDE * (k - 1)] + base_rng_normal(rng);
    }
    /* the sum ends in noise: its standard error is about 2 tau sqrt(tau / n) a term */
    CHECK_NEAR(la_correlation_time(SAMPLES, x, STRIDE), 0.5 + a / (1 - a), 0.2);
  }
  const double turns[] = {1, -1, 1, -1}, slope[] = {0, 1, 2, 3}, flat[] = {2, 2};
  CHECK_NEAR(la_correlation_time(4, turns, 1), 0.5, 0);
  CHECK_NEAR(la_correlation_time(4, slope, 1), 0.5 + 1.25 / 5, 1e-15);
  CHECK(isnan(la_correlation_time(2, flat, 1)) && isnan(la_correlation_time(0, NULL, 1)));
  free(x);
}

TEST(library_is_named) { CHECK(strlen(la_library_blas()) > 0); }

/* ---- powers ---- */

/* Over equal intervals (1, -3, 3, -1) is orthogonal to 1 and x: such a disturbance leaves the line
 * as it is, and its squares give the standard error of the slope, s / sqrt(Sxx), s^2 = 20 d^2 / 2,
 * Sxx = 5 l^2. */
TEST(slope_and_its_standard_error_of_disturbed_data) {
  const double pattern[] = {1, -3, 3, -1}, l = log(2), d = 0.02;
  double dt[4], error[4];
  for (int i = 0; i < 4; ++i) {
    dt[i] = 0.1 * exp(l * i);
    error[i] = 5 * pow(dt[i], 1.4) * exp(d * pattern[i]);
  }
  struct la_power fit = la_fit_power(4, dt, error);
  CHECK_INT(fit.points, 4);
  CHECK_NEAR(fit.p, 1.4, 1e-12);
  CHECK_NEAR(fit.spread, sqrt(20 * d * d / 2 / (5 * l * l)), 1e-12);
}

TEST(slope_uses_only_points_that_have_a_logarithm) {
  const double dt[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5};
  const double error[] = {NAN, 1e-2, 0, 1e-6, INFINITY};
  struct la_power fit = la_fit_power(5, dt, error);
  CHECK_INT(fit.points, 2);
  CHECK_NEAR(fit.p, 2, 1e-12);
  CHECK(isnan(fit.spread));
  fit = la_fit_power(1, dt + 1, error + 1);
  CHECK_INT(fit.points, 1);
  CHECK(isnan(fit.p));
  const double same[] = {1e-3, 1e-3}, other[] = {1e-4, 2e-4};
  fit = la_fit_power(2, same, other);
  CHECK(isnan(fit.p));
}
