/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operator of many contacts on jointed bodies, W^T M^-1 W - Z^T Z along the paths of the
 * elimination tree, against the dense elimination of the same joints: chains, trees, hubs, loops
 * and ladders (whose joints depend on each other), contacts with the floor and between bodies. And
 * the order of elimination by itself: one of all rows, with low trees for chains and trees.
 */
#include "form/delassus.h"
#include "la/ldl/dissect.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include "la/dense.h"

enum { BODIES = 100, CONTACTS = 100 };

/* Product, and rows while r changes block by block; the matrix. */
static void check_rows(const struct elimination *jointed, const struct elimination *dense,
                       struct base_rng *rng, struct base_arena *arena) {
  const int dim = dense->contacts.dim, nc = dense->contacts.n, n = dim * nc;
  double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *w = base_arena_doubles(arena, n), *b = random_numbers(rng, n, arena);
  double *diag[2] = {base_arena_matrix(arena, dim, n), base_arena_matrix(arena, dim, n)};
  const struct problem p = {.name = "",
                            .model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = nc},
                            .A = jointed->delassus.A,
                            .b = b};
  struct problem_sweep *sweep = problem_sweep_alloc(&p, arena);
  problem_sweep_start(sweep, r);
  for (int i = nc - 1; i >= 0; --i) {
    double change[CONTACT_DIM_MAX];
    base_rng_uniforms(rng, dim, -1, 1, change);
    la_copy(dim, change, r + dim * i);
    problem_sweep_change(sweep, i, change);
  }
  problem_operator_apply(&dense->delassus.A, r, v, arena);
  problem_operator_apply(&p.A, r, w, arena);
  const double scale = la_norm_inf(n, v);
  CHECK_LE(test_distance(n, w, v), 1e-12 * scale);
  problem_operator_diagonal(&p.A, diag[0]);
  problem_operator_diagonal(&dense->delassus.A, diag[1]);
  CHECK_LE(apart(dim * n, diag[0], diag[1]), 1e-12);
  double *a = base_arena_matrix(arena, n, n);
  problem_operator_dense(&p.A, a, arena);
  CHECK_LE(apart(n * n, a, dense->delassus.A.a), 1e-12);
  la_axpy(n, 1, b, v);
  for (int i = 0; i < nc; ++i) {
    double v_i[CONTACT_DIM_MAX];
    problem_sweep_velocity(sweep, i, v_i);
    CHECK_LE(test_distance(dim, v_i, v + dim * i), 1e-12 * scale);
  }
}

TEST(jointed_operator_equals_the_dense_one) {
  struct base_rng *rng = test_rng(0);
  for (int shape = 0; shape < SHAPES; ++shape) {
    const struct system s =
        random_system(rng, MECH_SPATIAL, (enum shape)shape, BODIES, -1, CONTACTS, 1);
    const struct elimination *sparse = eliminate(&s, MECH_BILATERAL_SPARSE, CONTACTS);
    const struct elimination *dense = eliminate(&s, MECH_BILATERAL_DENSE, CONTACTS);
    CHECK(sparse->delassus.A.kind == PROBLEM_OPERATOR_JOINTED);
    CHECK(dense->delassus.A.kind == PROBLEM_OPERATOR_DENSE);
    check_rows(sparse, dense, rng, s.arena);
  }
}

/* The form whose product takes fewer multiplications: with the number of contacts n^2 grows faster
 * than the sum of their paths, so that a dense operator ends where a jointed one begins, and the
 * one there is costs less than that which the rule left. */
TEST(cheaper_form_is_taken) {
  static const int contacts[] = {1, 2, 4, 8, 16, 32, 64, 85};
  struct base_rng *rng = test_rng(0);
  for (int shape = 0; shape < SHAPES; ++shape) {
    int jointed = 0;
    for (size_t k = 0; k < sizeof contacts / sizeof *contacts; ++k) {
      const struct system s =
          random_system(rng, MECH_SPATIAL, (enum shape)shape, BODIES, -1, CONTACTS, 1);
      const struct problem_operator *A =
          &eliminate(&s, MECH_BILATERAL_SPARSE, contacts[k])->delassus.A;
      const int is_jointed = A->kind == PROBLEM_OPERATOR_JOINTED;
      CHECK_MESSAGE(is_jointed >= jointed, "shape %d, %d contacts", shape, contacts[k]);
      if (is_jointed) { /* a contact has one body or two, of six coordinates */
        CHECK_LE(2 * 3 * (6 * A->nc + A->path_ptr[A->nc]), 9 * A->nc * A->nc);
      }
      jointed = is_jointed;
    }
    CHECK_MESSAGE(jointed, "shape %d: dense with 255 components", shape);
  }
}

/* Levels of the elimination tree in an order; columns as la_dissect takes them. */
static int levels_of(int n, const int *ptr, const int *row, const int *order,
                     struct base_arena *arena) {
  int *place = base_arena_ints(arena, n), *parent = base_arena_ints(arena, n);
  int *level = base_arena_ints(arena, n), levels = 0;
  unsigned char *edge = base_arena_array(arena, (size_t)n, (size_t)n, 1);
  for (int k = 0; k < n; ++k) {
    place[order[k]] = k;
  }
  for (int j = 0; j < n; ++j) {
    for (int e = ptr[j]; e < ptr[j + 1]; ++e) {
      const int a = place[j], b = place[row[e]];
      edge[(size_t)(a > b ? b : a) * (size_t)n + (size_t)(a > b ? a : b)] = a != b;
    }
  }
  for (int k = 0; k < n; ++k) { /* eliminate one after the other, as it is defined */
    parent[k] = -1;
    for (int i = k + 1; i < n; ++i) {
      const int is_linked = edge[(size_t)k * (size_t)n + (size_t)i];
      if (is_linked && parent[k] < 0) {
        parent[k] = i;
      } else if (is_linked) {
        edge[(size_t)parent[k] * (size_t)n + (size_t)i] = 1;
      }
    }
  }
  for (int k = n - 1; k >= 0; --k) {
    level[k] = parent[k] < 0 ? 1 : level[parent[k]] + 1;
    levels = level[k] > levels ? level[k] : levels;
  }
  return levels;
}

TEST(dissection_orders_all_and_lowers_the_tree) {
  enum { N = 400 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  for (int kind = 0; kind < 4; ++kind) { /* chain; tree; star; parts without edges */
    int ptr[N + 1] = {0}, row[N], order[N], seen[N] = {0};
    for (int j = 0; j < N; ++j) { /* leaves first: an order without fill-in */
      const int i = N - 1 - j;    /* the number from the root */
      const int up = kind == 0 ? i - 1 : kind == 1 ? (int)base_rng_uniform(rng, 0, i) : 0;
      seen[j] = kind == 3 || i == 0 ? -1 : N - 1 - up;
    }
    for (int j = 0, entries = 0; j < N; ++j) { /* columns of later nodes hold the earlier ones */
      for (int i = 0; i < j; ++i) {
        if (seen[i] == j) {
          row[entries++] = i;
        }
      }
      ptr[j + 1] = entries;
    }
    la_dissect(N, ptr, row, order, arena);
    memset(seen, 0, sizeof seen);
    for (int k = 0; k < N; ++k) {
      const int is_inside = order[k] >= 0 && order[k] < N;
      CHECK(is_inside);
      seen[is_inside ? order[k] : 0] += is_inside;
    }
    for (int k = 0; k < N; ++k) {
      CHECK_INT(seen[k], 1);
    }
    CHECK_LE(levels_of(N, ptr, row, order, arena), 30);
  }
}
