/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The linear systems of the interior point and splitting solvers, V^T S A S V + diag h, against a
 * matrix formed here by plain sums and solved by LU; sparse Cholesky against dense.
 */
#include <math.h>
#include <string.h>

#include "la/cholesky.h"
#include "la/dense.h"
#include "problem/kkt.h"
#include "tests/random_problem.h"
#include "tests/test.h"

/* Rotations of each contact's axes, row-major. */
static double *random_turns(int dim, int nc, struct base_rng *rng, struct base_arena *arena) {
  double *V = base_arena_doubles(arena, nc * dim * dim);
  for (int i = 0; i < nc; ++i) {
    double *V_i = V + i * dim * dim;
    for (int k = 0; k < dim; ++k) {
      V_i[k * dim + k] = 1;
    }
    for (int plane = 0; plane < dim * (dim - 1) / 2; ++plane) {
      const int p = plane / 2, q = p + 1 + plane % 2;
      const double c = cos(base_rng_uniform(rng, -3, 3)), s = sqrt(1 - c * c);
      for (int k = 0; k < dim; ++k) { /* columns p and q */
        const double x = V_i[k * dim + p], y = V_i[k * dim + q];
        V_i[k * dim + p] = c * x - s * y;
        V_i[k * dim + q] = s * x + c * y;
      }
    }
  }
  return V;
}

/* K column-major from a dense A. */
static void form(const struct problem *p, const double *s, const double *V, const double *h,
                 double *K) {
  const int dim = p->model.dim, n = problem_size(p);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = i == j ? h[i] : 0;
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          const int row = i / dim * dim + k, col = j / dim * dim + l;
          sum += V[row * dim + i % dim] * s[row] * p->A.a[row + col * n] * s[col] *
                 V[col * dim + j % dim];
        }
      }
      K[i + j * n] = sum;
    }
  }
}

/* Small and full, large and sparse, without symmetry; by Cholesky and by the way for indefinite
 * matrices, with an h over ten decades. */
TEST(systems_are_solved_in_every_form) {
  static const struct random_problem shapes[] = {
      {.dim = 3, .nv = 6, .nb = 4, .nc = 10, .mu_max = 1},   /* dense */
      {.dim = 2, .nv = 3, .nb = 5, .nc = 8, .mu_max = 1},    /* dense */
      {.dim = 3, .nv = 6, .nb = 40, .nc = 70, .mu_max = 1},  /* sparse */
      {.dim = 1, .nv = 6, .nb = 90, .nc = 150, .mu_max = 1}, /* sparse */
      {.dim = 3, .nv = 6, .nb = 4, .nc = 10, .mu_max = 1},   /* made unsymmetric */
  };
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 20; ++trial) {
    const int general = trial % 5 == 4, indefinite = trial >= 10;
    struct problem p = random_problem_build(&shapes[trial % 5], rng, arena);
    struct problem dense = random_problem_dense(&p, arena);
    const int n = problem_size(&p), dim = p.model.dim;
    double *s = base_arena_doubles(arena, n), *h = base_arena_doubles(arena, n);
    double *K = base_arena_doubles(arena, n * n), *rhs = base_arena_doubles(arena, n);
    double *x = base_arena_doubles(arena, n), *exact = base_arena_doubles(arena, n);
    const double *V = random_turns(dim, p.model.nc, rng, arena);
    for (int j = 0; j < n; ++j) {
      s[j] = base_rng_uniform(rng, 0.5, 2);
      h[j] = pow(10, base_rng_uniform(rng, -1, 9));
      exact[j] = rhs[j] = base_rng_normal(rng);
    }
    if (general) {
      double *a = base_arena_doubles(arena, n * n);
      la_copy(n * n, dense.A.a, a);
      a[1] += 0.3;
      dense.A.a = a;
    }
    form(&dense, s, V, h, K);
    int *piv = base_arena_ints(arena, n);
    CHECK_OK(la_lu_factor(n, K, piv));
    la_lu_solve(n, 1, K, piv, exact);
    struct problem_kkt *k = problem_kkt_alloc(general ? &dense.A : &p.A, s, arena);
    CHECK_OK((indefinite ? problem_kkt_factor_indefinite : problem_kkt_factor)(k, V, h, 0));
    const double left = problem_kkt_solve(k, rhs, x, 2);
    CHECK_LE(left, 1e-12);
    CHECK_LE(test_distance(n, x, exact), 1e-11 * (1 + la_norm_inf(n, exact)));
    memset(x, 0, (size_t)n * sizeof *x); /* from no guess, twice: the same */
    problem_kkt_improve(k, rhs, x);
    problem_kkt_improve(k, rhs, x);
    CHECK_LE(test_distance(n, x, exact), 1e-11 * (1 + la_norm_inf(n, exact)));
    problem_kkt_free(k);
  }
}

/* A tridiagonal matrix with a known inverse: 2, -1 has det n + 1. One negative pivot is refused by
 * Cholesky and taken by L D L^T. */
TEST(sparse_cholesky) {
  enum { N = 300 };
  int col_ptr[N + 1], row[2 * N];
  double values[2 * N], b[N];
  int entries = 0;
  for (int j = 0; j < N; ++j) {
    col_ptr[j] = entries;
    row[entries] = j;
    values[entries++] = 2;
    if (j + 1 < N) {
      row[entries] = j + 1;
      values[entries++] = -1;
    }
  }
  col_ptr[N] = entries;
  struct la_cholesky *s = la_cholesky_alloc(N, col_ptr, row);
  CHECK_OK(la_cholesky_factor(s, values));
  for (int j = 0; j < N; ++j) {
    b[j] = j == 0;
  }
  la_cholesky_solve(s, b); /* first column of the inverse: (N - j) / (N + 1) */
  for (int j = 0; j < N; ++j) {
    CHECK_NEAR(b[j], (double)(N - j) / (N + 1), 1e-12);
  }
  values[0] = -2; /* leading minors -2, -5, ...: one negative eigenvalue */
  CHECK_INT(la_cholesky_factor(s, values), BASE_FAILED);
  CHECK_OK(la_cholesky_factor_indefinite(s, values));
  for (int j = 0; j < N; ++j) {
    b[j] = j == 0 ? -3 : j == N - 1; /* the matrix times (1, ..., 1) */
  }
  la_cholesky_solve(s, b);
  for (int j = 0; j < N; ++j) {
    CHECK_NEAR(b[j], 1, 1e-10);
  }
  values[0] = NAN;
  CHECK_INT(la_cholesky_factor(s, values), BASE_FAILED);
  values[0] = 2;
  CHECK_OK(la_cholesky_factor(s, values)); /* and it goes on */
  la_cholesky_free(s);
}
