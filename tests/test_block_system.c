/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of blocks and systems made of entries, against dense products and residuals; small ones by
 * dense factors, large ones by sparse factors.
 */
#include "tests/test.h"

#include "la/blocks.h"
#include "la/dense.h"
#include "la/ldl/ldl.h"
#include "la/system.h"

#include <stdlib.h>

TEST(blocks_are_their_dense_sum) {
  enum { ROWS = 2, COLS = 3, N = 4 };
  struct base_rng *rng = test_rng(0);
  struct la_blocks A;
  double dense[ROWS * N * COLS * N] = {0}, size[ROWS * N * COLS * N] = {0};
  double x[COLS * N], y[ROWS * N], z[COLS * N] = {0}, expected[COLS * N] = {0};
  la_blocks_init(&A, ROWS, COLS, test_arena());
  for (int k = 0; k < 40; ++k) { /* places repeat, and the arrays grow */
    const int i = base_rng_below(rng, N), j = base_rng_below(rng, N);
    double *block = la_blocks_push(&A, i, j);
    for (int l = 0; l < ROWS * COLS; ++l) {
      const int at = (COLS * j + l / ROWS) * ROWS * N + ROWS * i + l % ROWS;
      block[l] = base_rng_normal(rng);
      dense[at] += block[l];
      size[at] += fabs(block[l]);
    }
  }
  base_rng_normals(rng, COLS * N, x);
  for (int i = 0; i < ROWS * N; ++i) {
    y[i] = 1;
  }
  la_blocks_apply(&A, 2, x, y);
  for (int i = 0; i < ROWS * N; ++i) {
    double sum = 1;
    for (int j = 0; j < COLS * N; ++j) {
      sum += 2 * dense[j * ROWS * N + i] * x[j];
      expected[j] -= dense[j * ROWS * N + i] * y[i];
    }
    CHECK_NEAR(y[i], sum, 1e-13);
  }
  la_blocks_apply_t(&A, -1, y, z);
  CHECK_LE(test_distance(COLS * N, z, expected), 1e-12);
  double from[ROWS * N] = {0}, to[COLS * N] = {0};
  la_blocks_size(&A, x, from);
  la_blocks_size_t(&A, y, to);
  for (int i = 0; i < ROWS * N; ++i) {
    double sum = 0;
    for (int j = 0; j < COLS * N; ++j) {
      sum += size[j * ROWS * N + i] * fabs(x[j]);
    }
    CHECK_NEAR(from[i], sum, 1e-12);
  }
  for (int j = 0; j < COLS * N; ++j) {
    double sum = 0;
    for (int i = 0; i < ROWS * N; ++i) {
      sum += size[j * ROWS * N + i] * fabs(y[i]);
    }
    CHECK_NEAR(to[j], sum, 1e-11);
  }
}

/* A tridiagonal matrix with a zero diagonal in every third row: no factor without pivoting. */
static void fill(struct la_system *s, int n, double shift) {
  la_system_begin(s);
  for (int i = 0; i < n; ++i) {
    la_system_add(s, i, i, i % 3 == 0 ? 0 : 2 + shift);
    la_system_add(s, i, i, i % 3 == 0 ? 0 : 1); /* entries meet */
    if (i > 0) {
      la_system_add(s, i, i - 1, -1);
      la_system_add(s, i - 1, i, 1.5);
    }
  }
}

TEST(systems_are_solved_small_and_large) {
  static const int sizes[] = {7, 600};
  struct base_arena *arena = test_arena();
  for (int k = 0; k < 2; ++k) {
    const int n = sizes[k];
    struct la_system *s = la_system_alloc(n, arena), *t = la_system_alloc(n, arena);
    double *X = base_arena_doubles(arena, 2 * n), *Y = base_arena_doubles(arena, 2 * n);
    for (int round = 0; round < 2; ++round) { /* another matrix in the same place */
      fill(s, n, round);
      CHECK_OK(la_system_factor(s));
      for (int i = 0; i < 2 * n; ++i) {
        X[i] = cos(i);
      }
      la_system_solve(s, 2, X, arena);
      for (int i = 0; i < 2 * n; ++i) {
        const int row = i % n;
        const double Ax = (row % 3 == 0 ? 0 : 3 + round) * X[i] - (row > 0 ? X[i - 1] : 0) +
                          (row < n - 1 ? 1.5 * X[i + 1] : 0);
        CHECK_NEAR(Ax, cos(i), 1e-11);
      }
    }
    CHECK_INT(la_system_counted(s).factored, 2);
    CHECK_INT(la_system_counted(s).solved, 4);
    struct base_blob blob = {0}; /* there and back: the same bits */
    la_system_pass(s, &blob);
    struct base_blob read = {.reading = 1, .bytes = blob.bytes, .n = blob.n};
    la_system_pass(t, &read);
    CHECK_OK(read.status);
    for (int i = 0; i < 2 * n; ++i) {
      X[i] = Y[i] = sin(i);
    }
    la_system_solve(s, 2, X, arena);
    la_system_solve(t, 2, Y, arena);
    CHECK(memcmp(X, Y, 2 * (size_t)n * sizeof *X) == 0);
    base_blob_free(&blob);
    la_system_begin(s); /* nothing in it: singular */
    la_system_add(s, 0, 0, 1);
    CHECK_INT(la_system_factor(s), BASE_FAILED);
    la_system_free(s);
    la_system_free(t);
  }
}

TEST(sparse_ldl_solves_and_tells_its_least_pivot) {
  enum { N = 300 };
  struct base_arena *arena = test_arena();
  int *col_ptr = base_arena_ints(arena, N + 1), *row = base_arena_ints(arena, 2 * N);
  double *value = base_arena_doubles(arena, 2 * N), *X = base_arena_doubles(arena, 7 * N), least;
  for (int j = 0, e = 0; j < N; col_ptr[++j] = e) {
    row[e] = j;
    value[e++] = 2;
    if (j < N - 1) {
      row[e] = j + 1;
      value[e++] = -1;
    }
  }
  struct la_ldl *s = la_ldl_alloc(N, col_ptr, row);
  CHECK_OK(la_ldl_factor(s, value, &least));
  CHECK(least > 1.0 / N && least <= 1.5); /* the product of all is det A = N + 1 */
  for (int nrhs = 1; nrhs <= 7; ++nrhs) {
    for (int i = 0; i < nrhs * N; ++i) {
      X[i] = cos(i);
    }
    la_ldl_solve(s, nrhs, X, arena);
    for (int i = 0; i < nrhs * N; ++i) {
      const double Ax = 2 * X[i] - (i % N > 0 ? X[i - 1] : 0) - (i % N < N - 1 ? X[i + 1] : 0);
      CHECK_NEAR(Ax, cos(i), 1e-9);
    }
  }
  value[0] = 0.5; /* indefinite: told by a pivot */
  CHECK(la_ldl_factor(s, value, &least) != BASE_OK || least <= 0);
  value[0] = NAN;
  CHECK_INT(la_ldl_factor(s, value, &least), BASE_FAILED);
  la_ldl_free(s);
}
