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

struct fixture {
  struct system s;
  struct mech_contacts contacts;
  double *L;
  struct mech_bilateral *bilateral[2]; /* sparse, dense */
  struct form_delassus delassus[2];
  int n;
};

static struct fixture fixture_begin(struct base_rng *rng, enum shape shape, int contacts) {
  struct fixture f = {.s = random_system(rng, MECH_SPATIAL, shape, BODIES, -1, CONTACTS, 1)};
  const struct mech *m = f.s.m;
  struct base_arena *arena = f.s.arena;
  static const enum mech_bilateral_kind kinds[] = {MECH_BILATERAL_SPARSE, MECH_BILATERAL_DENSE};
  f.L = base_arena_push(arena, mech_mass_size(m) * sizeof *f.L);
  CHECK_OK(mech_mass_factor(m, f.s.q, f.L));
  struct mech_contacts all;
  int *chosen = base_arena_ints(arena, contacts);
  mech_contacts_init(&all, m, arena);
  mech_contacts_find(m, f.s.q, NULL, INFINITY, &all); /* each with each, and with the floor */
  for (int k = 0; k < contacts; ++k) {
    chosen[k] = (int)((long)k * all.n / contacts);
  }
  mech_contacts_part(&all, contacts, chosen, arena, &f.contacts);
  f.n = f.contacts.dim * f.contacts.n;
  for (int k = 0; k < 2; ++k) {
    f.bilateral[k] = mech_bilateral_alloc(m, kinds[k], arena);
    CHECK_OK(mech_bilateral_build(f.bilateral[k], f.s.q, f.L));
    form_delassus_build(m, f.L, f.bilateral[k], &f.contacts, arena, &f.delassus[k]);
  }
  return f;
}

static void fixture_end(struct fixture *f) {
  for (int k = 0; k < 2; ++k) {
    mech_bilateral_free(f->bilateral[k]);
  }
}

/* Every entry of both forms, and what is derived from them. */
static void check_forms(const struct fixture *f) {
  struct base_arena *arena = f->s.arena;
  const struct problem_operator *jointed = &f->delassus[0].A, *dense = &f->delassus[1].A;
  const int n = f->n, dim = f->contacts.dim;
  double *a = base_arena_matrix(arena, n, n), *diag[2];
  problem_operator_dense(jointed, a, arena);
  const double scale = la_norm_inf(n * n, dense->a);
  CHECK_LE(test_distance(n * n, a, dense->a), 1e-12 * scale);
  for (int k = 0; k < 2; ++k) {
    diag[k] = base_arena_matrix(arena, dim * dim, f->contacts.n);
    problem_operator_diagonal(&f->delassus[k].A, diag[k]);
  }
  CHECK_LE(test_distance(dim * n, diag[0], diag[1]), 1e-12 * scale);
  CHECK_LE(problem_operator_asymmetry(jointed, arena), 0);
}

/* Product, and rows while r changes block by block. */
static void check_rows(const struct fixture *f, struct base_rng *rng) {
  struct base_arena *arena = f->s.arena;
  const int n = f->n, dim = f->contacts.dim, nc = f->contacts.n;
  double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *w = base_arena_doubles(arena, n), *b = base_arena_doubles(arena, n);
  const struct problem p = {.name = "",
                            .model = {.law = CONTACT_LAW_NCP, .dim = dim, .nc = nc},
                            .A = f->delassus[0].A,
                            .b = b};
  struct problem_sweep *sweep = problem_sweep_alloc(&p, arena);
  base_rng_uniforms(rng, n, -1, 1, b);
  problem_sweep_start(sweep, r);
  for (int i = nc - 1; i >= 0; --i) {
    double change[CONTACT_DIM_MAX];
    for (int c = 0; c < dim; ++c) {
      r[dim * i + c] = change[c] = base_rng_uniform(rng, -1, 1);
    }
    problem_sweep_change(sweep, i, change);
  }
  problem_operator_apply(&f->delassus[1].A, r, v, arena);
  problem_operator_apply(&p.A, r, w, arena);
  const double scale = la_norm_inf(n, v);
  for (int i = 0; i < nc; ++i) {
    double v_i[CONTACT_DIM_MAX];
    problem_sweep_velocity(sweep, i, v_i);
    for (int c = 0; c < dim; ++c) {
      CHECK_NEAR(w[dim * i + c], v[dim * i + c], 1e-12 * scale);
      CHECK_NEAR(v_i[c], v[dim * i + c] + b[dim * i + c], 1e-12 * scale);
    }
  }
}

TEST(jointed_operator_equals_the_dense_one) {
  struct base_rng *rng = test_rng(0);
  for (int shape = 0; shape < SHAPES; ++shape) {
    struct fixture f = fixture_begin(rng, (enum shape)shape, CONTACTS);
    CHECK(f.delassus[0].A.kind == PROBLEM_OPERATOR_JOINTED);
    CHECK(f.delassus[1].A.kind == PROBLEM_OPERATOR_DENSE);
    check_forms(&f);
    check_rows(&f, rng);
    fixture_end(&f);
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
      struct fixture f = fixture_begin(rng, (enum shape)shape, contacts[k]);
      const struct problem_operator *A = &f.delassus[0].A;
      const int is_jointed = A->kind == PROBLEM_OPERATOR_JOINTED;
      CHECK_MESSAGE(is_jointed >= jointed, "shape %d, %d contacts", shape, contacts[k]);
      if (is_jointed) { /* a contact has one body or two, of six coordinates */
        CHECK_LE(2 * 3 * (6 * A->nc + A->path_ptr[A->nc]), f.n * f.n);
      }
      jointed = is_jointed;
      fixture_end(&f);
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
