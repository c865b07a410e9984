/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-step problems: the forms of the operator against plain sums, the sweep against the
 * product, files against themselves and against damage.
 */
#include "base/json/json.h"
#include "la/dense.h"
#include "tests/outside.h"
#include "tests/random_problem.h"
#include "tests/scratch.h"
#include "tests/solve_with.h"
#include "tests/test.h"

#include <stdio.h>
#include <unistd.h>

static const struct random_problem shapes[] = {
    {.dim = 3, .nv = 6, .nb = 7, .nc = 13, .mu_max = 1, .loading = 1},
    {.dim = 3, .nv = 6, .nb = 5, .nc = 30, .isotropic = 1, .mu_max = 1, .loading = 1},
    {.dim = 3, .nv = 3, .nb = 6, .nc = 9, .mu_max = 1, .loading = 1},
    {.dim = 2, .nv = 3, .nb = 7, .nc = 15, .mu_max = 1, .loading = 1},
    {.dim = 1, .nv = 6, .nb = 4, .nc = 11, .mu_max = 1, .loading = 1},
    {.dim = 1, .nv = 3, .nb = 4, .nc = 9, .mu_max = 1, .loading = 1},
    {.dim = 2, .nv = 2, .nb = 1, .nc = 3, .mu_max = 1, .loading = 1},
    {.dim = 3, .nv = 6, .nb = 6, .nc = 17, .isotropic = 1, .central = 1, .mu_max = 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Sums of a few dozen terms of order one: round-off and a little room. */
static const double ROUND_OFF = 1e-13;

/* The forms of one problem: by W, dense, blocks and, in space, by geometry; `sum`: A + R summed by
 * the test; compliant: R is apart in all others. Their number. */
static int forms_of(const struct random_problem *shape, int compliant, struct base_rng *rng,
                    struct base_arena *arena, struct problem forms[4], struct problem *sum) {
  const int n_forms = shape->nv == 6 ? 4 : 3;
  if (shape->nv == 6) {
    forms[3] = random_problem_rigid(shape, rng, arena, &forms[0]);
  } else {
    forms[0] = random_problem_build(shape, rng, arena);
  }
  forms[1] = random_problem_dense(&forms[0], arena);
  forms[2] = forms[0];
  problem_operator_to_blocks(&forms[0].A, &forms[2].A, arena);
  *sum = forms[1];
  if (compliant) {
    const int n = problem_size(sum);
    double *R = base_arena_doubles(arena, n), *a = base_arena_matrix(arena, n, n);
    la_copy(n * n, sum->A.a, a);
    sum->A.a = a;
    for (int i = 0; i < n; ++i) {
      R[i] = base_rng_uniform(rng, 0.1, 1) * a[i + i * n];
      a[i + i * n] += R[i];
    }
    for (int f = 0; f < n_forms; ++f) {
      forms[f].A.diagonal = NULL;
      forms[f].A.compliance = R;
    }
  }
  return n_forms;
}

TEST(operators_of_all_kinds_agree) {
  struct base_rng *rng = test_rng(0);
  for (int s = 0; s < 2 * SHAPES; ++s) {
    const struct random_problem *shape = &shapes[s % SHAPES];
    struct base_arena *arena = test_arena();
    struct problem forms[4], sum;
    const int n_forms = forms_of(shape, s >= SHAPES, rng, arena, forms, &sum);
    const int n = problem_size(&forms[0]), dim = shape->dim;
    const double *a = sum.A.a, scale = la_norm_inf(n * n, a);
    double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
    double *expected = base_arena_doubles(arena, n), *dense = base_arena_doubles(arena, n * n);
    double *diag = base_arena_doubles(arena, n * dim);
    base_rng_normals(rng, n, r);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        expected[i] += a[i + j * n] * r[j];
      }
    }
    for (int f = 0; f < n_forms; ++f) {
      problem_operator_apply(&forms[f].A, r, v, arena);
      CHECK_LE(test_distance(n, v, expected), ROUND_OFF * scale * n);
      problem_operator_dense(&forms[f].A, dense, arena);
      CHECK_LE(test_distance(n * n, dense, a), ROUND_OFF * scale);
      problem_operator_diagonal(&forms[f].A, diag);
      for (int i = 0; i < n; ++i) {
        for (int k = 0; k < dim; ++k) {
          const int j = dim * (i / dim) + k;
          const double *block = diag + (i / dim) * dim * dim;
          CHECK_NEAR(block[(i % dim) * dim + k], a[i + j * n], ROUND_OFF * scale);
          CHECK(forms[f].A.kind != PROBLEM_OPERATOR_BODIES || /* to the bit */
                block[(i % dim) * dim + k] == block[k * dim + i % dim]);
        }
      }
      CHECK_LE(problem_operator_asymmetry(&forms[f].A, arena), ROUND_OFF);
      problem_velocity(&forms[f], r, v, arena);
      for (int i = 0; i < n; ++i) {
        CHECK_NEAR(v[i], expected[i] + forms[0].b[i], ROUND_OFF * scale * n);
      }
    }
  }
}

TEST(block_rows_ascend_and_hold_only_neighbours) {
  struct base_rng *rng = test_rng(0);
  for (int s = 0; s < SHAPES; ++s) {
    struct base_arena *arena = test_arena();
    const struct problem p = random_problem_build(&shapes[s], rng, arena);
    struct problem_operator blocks;
    problem_operator_to_blocks(&p.A, &blocks, arena);
    for (int i = 0; i < p.A.nc; ++i) {
      int e = blocks.row_ptr[i];
      for (int j = 0; j < p.A.nc; ++j) {
        int shared = 0;
        for (int k = 0; k < 4; ++k) {
          const int body = p.A.body[2 * i + k / 2];
          shared |= body >= 0 && body == p.A.body[2 * j + k % 2];
        }
        if (shared) {
          CHECK(e < blocks.row_ptr[i + 1] && blocks.col[e] == j);
          ++e;
        }
      }
      CHECK_INT(e, blocks.row_ptr[i + 1]);
    }
  }
}

TEST(a_contact_of_a_body_with_itself) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  struct problem p = random_problem_build(&shapes[0], rng, arena);
  int *body = base_arena_ints(arena, 2 * p.A.nc);
  memcpy(body, p.A.body, (size_t)(2 * p.A.nc) * sizeof *body);
  p.A.body = body;
  for (int i = 0; i < p.A.nc; ++i) {
    if (body[2 * i + 1] >= 0) {
      body[2 * i + 1] = body[2 * i];
    }
  }
  const struct problem expected = random_problem_dense(&p, arena);
  const int n = problem_size(&p);
  double *dense = base_arena_doubles(arena, n * n);
  problem_operator_dense(&p.A, dense, arena);
  CHECK_LE(test_distance(n * n, dense, expected.A.a), ROUND_OFF * la_norm_inf(n * n, dense));
  double *diag = base_arena_doubles(arena, 3 * n);
  problem_operator_diagonal(&p.A, diag);
  CHECK_NEAR(diag[4], expected.A.a[1 + n], ROUND_OFF * la_norm_inf(n * n, dense));
}

TEST(asymmetry_is_measured) {
  struct base_arena *arena = test_arena();
  const double a[] = {4, 1, 0, 2, 3, 0, 0, 0.5, 1}; /* largest 4, largest difference 1 */
  struct problem_operator A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 1, .nc = 3, .a = a};
  CHECK_NEAR(problem_operator_asymmetry(&A, arena), 0.25, 0);
  struct problem_operator blocks;
  problem_operator_to_blocks(&A, &blocks, arena);
  CHECK_INT(blocks.row_ptr[3], 6); /* zeros are left out, and an entry without its mirror counts */
  CHECK_NEAR(problem_operator_asymmetry(&blocks, arena), 0.25, 0);
}

TEST(sweep_follows_single_changes) {
  struct base_rng *rng = test_rng(0);
  for (int s = 0; s < 2 * SHAPES; ++s) {
    const struct random_problem *shape = &shapes[s % SHAPES];
    struct base_arena *arena = test_arena();
    struct problem forms[4], sum;
    const int n_forms = forms_of(shape, s >= SHAPES, rng, arena, forms, &sum);
    const int n = problem_size(&forms[0]), dim = shape->dim, nc = shape->nc;
    const double scale = la_norm_inf(n * n, sum.A.a);
    for (int f = 0; f < n_forms; ++f) {
      double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
      double *diag = base_arena_doubles(arena, n * dim);
      double v_i[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX], own[9];
      struct problem_sweep *sweep = problem_sweep_alloc(&forms[f], arena);
      problem_operator_diagonal(&sum.A, diag);
      for (int i = 0; i < nc; ++i) { /* those of spheres are formed, others kept */
        const double *block = problem_sweep_block(sweep, i, own);
        CHECK(f < 3 || s >= SHAPES || (block == own) == (shape->central && shape->isotropic));
        CHECK_LE(test_distance(dim * dim, block, diag + dim * dim * i), ROUND_OFF * scale);
      }
      double *r_1 = base_arena_doubles(arena, n), *kept = NULL;
      for (int start = 0; start < 2; ++start) {
        base_rng_normals(rng, n, r);
        problem_sweep_start(sweep, r);
        for (int step = 0; step < 3 * nc; ++step) {
          const int i = base_rng_below(rng, nc), j = base_rng_below(rng, nc);
          base_rng_normals(rng, dim, change);
          for (int k = 0; k < dim; ++k) {
            r[dim * i + k] += change[k];
          }
          problem_sweep_change(sweep, i, change);
          problem_velocity(&sum, r, v, arena);
          problem_sweep_velocity(sweep, j, v_i);
          CHECK_LE(test_distance(dim, v_i, v + dim * j), ROUND_OFF * scale * n * la_norm_inf(n, r));
        }
        size_t size; /* half of one state and half of another is the state of the mean */
        double *state = problem_sweep_state(sweep, &size);
        if (start == 0) {
          kept = base_arena_doubles(arena, (int)size);
          la_copy((int)size, state, kept);
          la_copy(n, r, r_1);
        } else {
          for (size_t k = 0; k < size; ++k) {
            state[k] = 0.5 * (state[k] + kept[k]);
          }
          la_axpy(n, 1, r_1, r);
          for (int i = 0; i < n; ++i) {
            r[i] *= 0.5;
          }
          problem_velocity(&sum, r, v, arena);
          for (int i = 0; i < nc; ++i) {
            problem_sweep_velocity(sweep, i, v_i);
            CHECK_LE(test_distance(dim, v_i, v + dim * i), ROUND_OFF * scale * n * 5);
          }
        }
      }
    }
  }
}

/* ---- Files ---- */

#define PATH scratch_path("problem.json")

static void check_same(const struct problem *p, const struct problem *q) {
  CHECK_INT(p->model.law, q->model.law);
  CHECK_INT(p->model.dim, q->model.dim);
  CHECK_INT(p->model.nc, q->model.nc);
  CHECK_INT(p->A.kind, q->A.kind);
  CHECK_INT(p->A.dim, q->A.dim);
  CHECK_INT(p->A.nc, q->A.nc);
  CHECK_TEXT(p->name, q->name);
  CHECK_INT(p->model.n_dir, q->model.n_dir);
  const int nc = p->model.nc, n = problem_size(p);
  CHECK(test_same_bits(p->b, q->b, n));
  if (p->A.kind == PROBLEM_OPERATOR_DENSE) {
    CHECK(test_same_bits(p->A.a, q->A.a, n * n));
    return;
  }
  CHECK(test_same_bits(p->model.mu, q->model.mu, nc));
  CHECK(memcmp(p->A.row_ptr, q->A.row_ptr, (size_t)(nc + 1) * sizeof(int)) == 0);
  const int count = p->A.row_ptr[nc];
  CHECK(memcmp(p->A.col, q->A.col, (size_t)count * sizeof(int)) == 0);
  CHECK(test_same_bits(p->A.blocks, q->A.blocks, count * p->A.dim * p->A.dim));
  CHECK((p->model.dirs == NULL) == (q->model.dirs == NULL));
  if (p->model.dirs != NULL && q->model.dirs != NULL) {
    CHECK(test_same_bits(p->model.dirs, q->model.dirs, 2 * p->model.n_dir));
  }
}

static void check_round_trip(const struct problem *p, struct base_arena *arena) {
  struct problem q;
  CHECK_OK(problem_write(PATH, p, arena));
  const int status = problem_read(PATH, arena, &q);
  CHECK_OK(status);
  if (status == BASE_OK) {
    check_same(p, &q);
  }
}

TEST(files_return_the_same_bits) {
  static const double odd[] = {-0.0, 5e-324, 1.0 / 3, -1.7976931348623157e308, 0.1, 1e22};
  struct base_rng *rng = test_rng(0);
  for (int s = 0; s < SHAPES; ++s) {
    struct base_arena *arena = test_arena();
    struct problem forms[4], sum;
    forms_of(&shapes[s], 0, rng, arena, forms, &sum);
    const int n = problem_size(&forms[0]);
    double *b = base_arena_doubles(arena, n);
    base_rng_normals(rng, n, b);
    memcpy(b, odd, (size_t)(n < 6 ? n : 6) * sizeof *b);
    struct problem p = forms[2];
    p.b = b;
    for (int law = 0; law < CONTACT_LAW_COUNT; ++law) {
      if (shapes[s].dim == 1 && law == CONTACT_LAW_LCP) {
        continue; /* kind lcp, below */
      }
      double dirs[] = {1, 0, 0, 0.5, -1, 0, 0, -0.5};
      p.model.law = (enum contact_law)law;
      p.model.n_dir = law == CONTACT_LAW_LCP && p.model.dim == 3 ? 4 : 0;
      check_round_trip(&p, arena);
      p.model.dirs = p.model.n_dir > 0 ? dirs : NULL;
      check_round_trip(&p, arena);
      p.model.dirs = NULL;
    }
  }
}

TEST(files_from_every_operator) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  struct problem forms[4], sum, q;
  const int n_forms = forms_of(&shapes[0], 0, rng, arena, forms, &sum);
  const int n = problem_size(&forms[0]);
  double *dense = base_arena_doubles(arena, n * n);
  for (int f = 0; f < n_forms; ++f) {
    CHECK_OK(problem_write(PATH, &forms[f], arena));
    const int status = problem_read(PATH, arena, &q);
    CHECK_OK(status);
    if (status == BASE_OK) {
      CHECK_INT(q.A.kind, PROBLEM_OPERATOR_BLOCKS);
      problem_operator_dense(&q.A, dense, arena);
      CHECK_LE(test_distance(n * n, dense, sum.A.a), ROUND_OFF * la_norm_inf(n * n, dense));
      CHECK_LE(q.A.row_ptr[q.A.nc], forms[2].A.row_ptr[q.A.nc]); /* sparse from dense, too */
    }
  }
  const double a[] = {2, 1, 0, 3, 4, 1, -1, 0, 5}, b[] = {-1, 1.0 / 3, -2};
  const struct problem lcp = dense_problem(CONTACT_LAW_LCP, 1, 3, NULL, a, b);
  check_round_trip(&lcp, arena);
}

TEST(dense_files_are_row_by_row) {
  struct base_arena *arena = test_arena();
  static const char text[] =
      "{\"schema\":\"coulombench.problem/1\",\"kind\":\"lcp\",\"name\":\"x\",\"n\":2,"
      "\"M\":{\"storage\":\"dense\",\"values\":[1,2,3,4]},\"b\":[5,6]}";
  CHECK_OK(base_file_write(PATH, text, strlen(text)));
  struct problem p;
  CHECK_OK(problem_read(PATH, arena, &p));
  CHECK_INT(p.model.law, CONTACT_LAW_LCP);
  CHECK_INT(p.model.dim, 1);
  const double r[] = {1, 10};
  double v[2];
  problem_velocity(&p, r, v, arena);
  CHECK_NEAR(v[0], 1 + 20 + 5, 0);
  CHECK_NEAR(v[1], 3 + 40 + 6, 0);
}

TEST(what_files_cannot_hold_is_refused) {
  struct base_arena *arena = test_arena();
  const double a[] = {1}, b[] = {NAN}, mu[] = {0.5};
  struct problem p = {.name = "",
                      .model = {.dim = 1, .nc = 1, .mu = mu},
                      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 1, .nc = 1, .a = a},
                      .b = b};
  CHECK_INT(problem_write(scratch_path("refused.json"), &p, arena), BASE_E_INPUT);
  const double a_infinite[] = {INFINITY}, b_finite[] = {1};
  p.b = b_finite;
  p.A.a = a_infinite;
  CHECK_INT(problem_write(scratch_path("refused.json"), &p, arena), BASE_E_INPUT);
  const struct contact_set set = {.kind = CONTACT_SET_INTERVAL, .axis = {-1, 2}};
  p.A.a = a;
  p.model.law = CONTACT_LAW_CONE;
  p.model.set = &set;
  CHECK_INT(problem_write(scratch_path("refused.json"), &p, arena), BASE_UNSUPPORTED);
  CHECK(access(scratch_path("refused.json"), F_OK) != 0);
}

#define HEAD "{\"schema\":\"coulombench.problem/1\",\"kind\":\"friction\",\"name\":\"x\","
#define SIZES "\"dim\":2,\"contacts\":2,"
#define MU "\"mu\":[0.5,0],"
#define ROWS "\"row_ptr\":[0,1,3],"
#define COLS "\"col\":[0,0,1],"
#define BLOCKS "\"blocks\":[1,0,0,1,0,0,0,0,2,0,0,2]"
#define W "\"W\":{\"storage\":\"block-csr\"," ROWS COLS BLOCKS "},"
#define B "\"b\":[1,2,3,4]"
#define LCP "{\"schema\":\"coulombench.problem/1\",\"kind\":\"lcp\",\"name\":\"x\","
#define M "\"M\":{\"storage\":\"dense\",\"values\":[1,0,0,1]},"
#define MATRIX(rows, cols, blocks)                                                                 \
  HEAD SIZES MU "\"W\":{\"storage\":\"block-csr\"," rows cols blocks "}," B "}"

TEST(damaged_files_are_refused_by_key) {
  static const struct {
    const char *text, *key; /* key: what the message must name */
  } cases[] = {
      {"{\"schema\":\"coulombench.problem/2\",\"kind\":\"lcp\"}", "schema"},
      {"{\"kind\":\"lcp\"}", "schema"},
      {"[1,2]", "schema"},
      {"{\"schema\":\"coulombench.problem/1\"}", "kind"},
      {"{\"schema\":\"coulombench.problem/1\",\"kind\":\"contact\"}", "kind"},
      {HEAD SIZES MU W B ",\"extra\":1}", "unknown key 'extra'"},
      {HEAD "\"dim\":2,\"contacts\":99999999," MU W B "}", "mu"},
      {HEAD SIZES "\"mu\":[0.5]," W B "}", "mu"},
      {HEAD SIZES "\"mu\":[0.5,-0.1]," W B "}", "mu"},
      {HEAD SIZES "\"mu\":[0.5,null]," W B "}", "mu"},
      {HEAD SIZES "\"mu\":[0.5,1e999]," W B "}", "too large for a double, line 1 column"},
      {HEAD SIZES "\"mu\":[0.5,\"1\"]," W B "}", "mu"},
      {HEAD SIZES MU W "\"b\":[1,2,3]}", "b"},
      {HEAD SIZES MU W "\"b\":[1,2,3,4,5]}", "b"},
      {MATRIX(ROWS, COLS, BLOCKS ",\"nnz\":3"), "W: unknown key 'nnz'"},
      {MATRIX("", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX("\"row_ptr\":[0,3],", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX("\"row_ptr\":[1,1,3],", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX("\"row_ptr\":[0,4,3],", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX("\"row_ptr\":[0,-1,3],", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX("\"row_ptr\":[0,1.5,3],", COLS, BLOCKS), "W.row_ptr"},
      {MATRIX(ROWS, "", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[0,1],", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[0,0,2],", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[-1,0,1],", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[0,1,1],", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[0,1,0],", BLOCKS), "W.col"},
      {MATRIX(ROWS, "\"col\":[0,0,1],", "\"blocks\":[1,0,0,1,0,0,0,0,2,0,0]"), "W.blocks"},
      {MATRIX(ROWS, "\"col\":[0,0,1]", ""), "W.blocks"},
      {HEAD SIZES MU W B ",\"law\":\"coulomb\"}", "law"},
      {HEAD SIZES MU W B ",\"law\":\"ccp\",\"n_dir\":4}", "n_dir"},
      {HEAD SIZES MU W B ",\"law\":\"lcp\",\"dirs\":[]}", "dirs"},
      {HEAD "\"dim\":3,\"contacts\":0,\"mu\":[],\"W\":{\"storage\":\"block-csr\",\"row_ptr\":[0],"
            "\"col\":[],\"blocks\":[]},\"b\":[],\"law\":\"lcp\"}",
       "n_dir"},
      {LCP M "\"b\":[1,2]}", "n"},
      {LCP "\"n\":2,\"b\":[1,2]}", "M"},
      {LCP "\"n\":2," M "\"b\":[1]}", "b"},
      {LCP "\"n\":3," M "\"b\":[1,2,3]}", "M.values"},
      {LCP "\"n\":2,\"M\":{\"storage\":\"sparse\",\"values\":[1,0,0,1]},\"b\":[1,2]}", "M.storage"},
      {LCP "\"n\":2,\"mu\":[1,1]," M "\"b\":[1,2]}", "mu"},
      {HEAD SIZES MU W, "ends before its brackets are closed, line 1"},
      {"", "empty, line 1"},
  };
  struct base_arena *arena = test_arena();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    struct problem p;
    CHECK_OK(base_file_write(PATH, cases[i].text, strlen(cases[i].text)));
    CHECK_MESSAGE(problem_read(PATH, arena, &p) == BASE_E_INPUT, "accepted: %s", cases[i].text);
    /* a message's words, or a key alone: "file: W.col[2]: ..." of the table of keys, "file: key
     * 'W.col': ..." of the reader */
    const char *plain = base_arena_printf(arena, "%s: %s", PATH, cases[i].key);
    const char *quoted = base_arena_printf(arena, "%s: key '%s'", PATH, cases[i].key);
    const size_t length = strlen(plain);
    CHECK_MESSAGE(
        (strchr(cases[i].key, ' ') != NULL && strstr(base_message(), cases[i].key) != NULL) ||
            (strncmp(base_message(), plain, length) == 0 &&
             strchr(":[", base_message()[length]) != NULL) ||
            strncmp(base_message(), quoted, strlen(quoted)) == 0,
        "\"%s\" does not name %s for %s", base_message(), cases[i].key, cases[i].text);
  }
  static const char good[] = MATRIX(ROWS, COLS, BLOCKS); /* what the damage was done to */
  struct problem p;
  CHECK_OK(base_file_write(PATH, good, strlen(good)));
  CHECK_OK(problem_read(PATH, arena, &p));
  CHECK_INT(p.model.law, CONTACT_LAW_NCP);
  remove(PATH);
  CHECK_INT(problem_read(PATH, arena, &p), BASE_E_INPUT);
}

TEST(outside_problems_load_and_come_back) {
  int count = 0;
  for (struct outside o = outside_begin("*"); outside_next(&o); ++count) {
    check_round_trip(&o.p, o.arena);
  }
  CHECK(count > 0);
}
