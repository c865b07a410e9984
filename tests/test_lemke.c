/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lemke's method and the polyhedral LCP of contacts (bhalerao 14). Yardsticks that know nothing of
 * the solver: complementarity of the raw problem written out, enumeration of all complementary
 * bases of tiny problems, the residuals of contact_residual, and outside LCPs where
 * COULOMBENCH_PROBLEMS points to them. Random contacts come from tests/random_contacts.h.
 */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "problem/solver.h"
#include "tests/outside.h"
#include "tests/problem_set.h"
#include "tests/random_contacts.h"
#include "tests/small_lcp.h"
#include "tests/solve_with.h"
#include "tests/test.h"

/* Largest |min| relative to max|q| accepted of a solution. */
#define COMPLEMENTARITY 1e-10

/* Straight through the solver's own functions, from nothing; its last status. */
static int lemke(const struct problem *p, const char *options, double *r, int *pivots) {
  memset(r, 0, (size_t)problem_size(p) * sizeof *r);
  return solver_run(p, "lemke", options, 100000, r, pivots);
}

/* Velocity units for all rows: x: n, factor of w; y: n, factor of z, with the mean inverse mass
 * a_i of each contact (1 where nothing moves). */
static void velocity_units(const struct problem *p, double *x, double *y) {
  const int dim = p->model.dim, nc = p->model.nc, rows = dim * nc;
  const int k = problem_lcp_size(&p->model) / nc - 2;
  for (int i = 0; i < nc; ++i) {
    double a = 0;
    for (int c = 0; c < dim; ++c) {
      a += p->A.a[(dim * i + c) * rows + dim * i + c] / dim;
    }
    a = a > 0 ? a : 1;
    for (int l = 0; l <= k; ++l) {
      const int at = l == 0 ? i : nc + i * k + l - 1;
      x[at] = 1;
      y[at] = a;
    }
    x[nc * (1 + k) + i] = a;
    y[nc * (1 + k) + i] = 1;
  }
}

/* 100000 contact LCPs, masses equal, spread over 1e3, 1e6 and 1e8, each seventh without friction,
 * mu up to 2, contacts twice, bodies that cannot move. The first two kinds must be solved by the
 * first covering vector, all of 1e6 too. Of 1e8 a few in 1e5 may end on a ray: A = W^T M^-1 W is
 * known to 1e-16 of its largest entry, so that b of a light body leaves the range of A by rounding
 * (one in 1e5 was seen, and Lemke's method in rational arithmetic ends on a ray of that problem
 * too). */
TEST(random_contacts_are_all_solved) {
  enum { KINDS = 4, PROBLEMS = 40000, RAYS = 1 };
  static const double decades[KINDS] = {0, 3, 6, 8};
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  int unsolved[KINDS] = {0};
  double worst[KINDS] = {0};
  for (int trial = 0; trial < PROBLEMS; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const int kind = trial % KINDS;
    struct random_contacts c;
    random_contacts_fill(rng, trial % 5 == 0 ? 2 : 3, 1 + base_rng_below(rng, 4),
                         3 + base_rng_below(rng, 6), decades[kind], &c);
    if (trial % 7 == 0) {
      memset(c.mu, 0, sizeof c.mu);
    }
    struct problem_lcp lcp;
    problem_lcp_build(&c.p, &lcp, arena);
    const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, lcp.n, NULL, lcp.M, lcp.q);
    double z[4 * 10], x[4 * 10], y[4 * 10];
    int pivots;
    const int status = lemke(&raw, kind < 2 ? "retries=0" : "retries=3", z, &pivots);
    if (status == PROBLEM_DONE) {
      velocity_units(&c.p, x, y);
      worst[kind] = fmax(worst[kind], small_lcp_misfit(lcp.n, lcp.M, lcp.q, z, x, y));
    } else {
      ++unsolved[kind];
      CHECK_MESSAGE(kind == 3 && strstr(base_message(), "secondary ray") != NULL, "problem %d: %s",
                    trial, base_message());
    }
    base_arena_release(arena, mark);
  }
  for (int kind = 0; kind < KINDS; ++kind) {
    CHECK_LE(worst[kind], COMPLEMENTARITY);
  }
  CHECK_LE(unsolved[KINDS - 1], RAYS);
}

/* Through problem_solve, graded by the law's own residual. In the plane the two directions span
 * the cone exactly: the solution then is one of Coulomb's law as well. */
TEST(reactions_satisfy_the_law_and_in_the_plane_coulomb) {
  struct base_rng *rng = test_rng(1);
  for (int trial = 0; trial < 5000; ++trial) {
    struct random_contacts c;
    const int dim = 2 + trial % 2;
    random_contacts_fill(rng, dim, 1 + base_rng_below(rng, 4), 3 + base_rng_below(rng, 6), 2, &c);
    double r[RANDOM_ROWS] = {0}, v[RANDOM_ROWS], diag[3 * RANDOM_ROWS];
    const struct problem_result result = solve_with(&c.p, "lemke", "", 1e-10, 10000, r, v);
    CHECK_MESSAGE(result.status == BASE_OK, "problem %d: %s", trial, result.reason);
    CHECK_LE(result.residual.relative_b, COMPLEMENTARITY);
    if (dim == 2) {
      struct contact_model coulomb = c.p.model;
      coulomb.law = CONTACT_LAW_NCP;
      problem_operator_diagonal(&c.p.A, diag);
      CHECK_LE(contact_residual(&coulomb, diag, r, v, c.b).relative_b, COMPLEMENTARITY);
    }
  }
}

/* Small whole numbers make ties, zero pivots and singular blocks the rule. On a matrix of
 * nonnegative entries with a positive diagonal (strictly copositive) Lemke must succeed at the
 * first attempt. For the other half it must not claim a solution where enumeration finds none. (No
 * covering vector is promised to find all solutions.) */
TEST(small_lcps_agree_with_enumeration) {
  struct base_rng *rng = test_rng(2);
  int unique = 0, none = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const int n = 1 + base_rng_below(rng, 5), copositive = trial % 2;
    double M[25], q[5], z[5], all[5] = {0};
    for (int i = 0; i < n * n; ++i) {
      M[i] = copositive ? base_rng_below(rng, 3) : base_rng_below(rng, 7) - 3;
    }
    for (int i = 0; i < n; ++i) {
      M[i * n + i] += copositive ? 1 : 0;
      q[i] = base_rng_below(rng, 5) - 3;
    }
    const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, n, NULL, M, q);
    int pivots;
    const int status = lemke(&raw, copositive ? "retries=0" : "retries=3", z, &pivots);
    if (status == PROBLEM_DONE) {
      CHECK_LE(small_lcp_misfit(n, M, q, z, NULL, NULL), COMPLEMENTARITY);
    } else {
      CHECK_INT(status, BASE_FAILED);
      CHECK_MESSAGE(!copositive, "trial %d: %s", trial, base_message());
      CHECK_MESSAGE(strstr(base_message(), "no solution found by Lemke") != NULL, "%s",
                    base_message());
    }
    const int count = small_lcp_enumerate(n, M, q, all);
    none += status != PROBLEM_DONE && count == 0;
    if (status == PROBLEM_DONE && copositive && count == 1 && n == 1) {
      CHECK_NEAR(z[0], all[0], 1e-15);
    }
    unique += copositive && count == 1;
  }
  CHECK(none > 0 && unique > 0);
}

/* A strictly copositive, degenerate problem on which ratio tests that break ties by the first row
 * go round in a circle; the lexicographic order has to get through with its first d. */
TEST(degenerate_problem_does_not_cycle) {
  static const double M4[16] = {2, 0, 3, 0, 3, 3, 0, 1, 2, 3, 1, 3, 3, 2, 0, 3};
  static const double q[4] = {-1, -1, -1, -1};
  const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, 4, NULL, M4, q);
  double z[4];
  int pivots;
  CHECK_INT(lemke(&raw, "retries=0", z, &pivots), PROBLEM_DONE);
  CHECK_LE(small_lcp_misfit(4, M4, q, z, NULL, NULL), COMPLEMENTARITY);
  CHECK_LE(pivots, 1 << 4); /* no complementary basis twice */
}

/* Boxes at rest on each other, g dt downwards; alternately without friction: the normal parts
 * alone. Forces are not unique, and b has the rounding errors of a state at rest: gaps over dt of
 * 1e-14 to 1e-10, tangential velocities of 1e-14, both relative to b. */
static struct problem stack_problem(struct base_rng *rng, int trial, struct base_arena *arena) {
  const int dim = trial % 2 ? 3 : 1, boxes = trial % 2 ? 5 : 3, nc = 4 * boxes, n = dim * nc;
  const double g_dt = 9.81e-3, gap = pow(10, base_rng_uniform(rng, -14, -10)), slip = 1e-14;
  struct problem p = problem_set_stack(3, boxes, base_rng_uniform(rng, 0.7, 1.4), 0.5, arena);
  double *all = base_arena_matrix(arena, 3 * nc, 3 * nc), *a = base_arena_matrix(arena, n, n);
  double *b = base_arena_doubles(arena, n);
  problem_operator_dense(&p.A, all, arena);
  for (int i = 0; i < n; ++i) {
    const double noise = g_dt * base_rng_normal(rng);
    b[i] = i % dim == 0 ? (i < 4 * dim ? -g_dt : 0) + gap * noise : slip * noise;
    for (int j = 0; j < n; ++j) { /* row 3 i of the whole without friction */
      a[(long)j * n + i] = all[(long)(dim == 1 ? 3 * j : j) * 3 * nc + (dim == 1 ? 3 * i : i)];
    }
  }
  p = dense_problem(CONTACT_LAW_LCP, dim, nc, p.model.mu, a, b);
  p.model.n_dir = 8;
  return p;
}

/* Degenerate as can be: forces of a stack are not unique, rounding decides between them, and z0 is
 * rounding long before it leaves. Hardly a false ray at the first attempt (9 of 200 where z0 = 0
 * alone is an end), all solved with further ones; without friction the enumeration of all bases has
 * a solution, and Lemke's method too. */
TEST(stacks_at_rest_end_on_no_false_ray) {
  struct base_rng *rng = test_rng(4);
  struct base_arena *arena = test_arena();
  int rays = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    double z[SMALL_LCP];
    const struct problem p = stack_problem(rng, trial, arena);
    double *r = base_arena_doubles(arena, problem_size(&p));
    int pivots;
    rays += lemke(&p, "retries=0", r, &pivots) != PROBLEM_DONE &&
            strstr(base_message(), "secondary ray") != NULL;
    memset(r, 0, (size_t)problem_size(&p) * sizeof *r);
    const struct problem_result result = solve_with(&p, "lemke", "", 1e-10, 10000, r, NULL);
    CHECK_MESSAGE(result.status == BASE_OK, "trial %d: %s", trial, result.reason);
    CHECK_LE(result.residual.relative_b, COMPLEMENTARITY);
    CHECK(trial % 2 || small_lcp_enumerate(problem_size(&p), p.A.a, p.b, z) > 0);
    base_arena_release(arena, mark);
  }
  CHECK_LE(rays, 1);
}

/* With A in other units of mass and b in others of velocity the pivots are the same and the
 * impulses scale: powers of two, so that not a bit may differ. 1e-12 (masses of 1e12 kg) used to
 * lose A beside the ones. */
TEST(units_of_contacts_change_neither_pivots_nor_reactions) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 60; ++trial) {
    struct random_contacts c;
    const int dim = 2 + trial % 2, nc = 1 + trial % RANDOM_CONTACTS;
    random_contacts_fill(rng, dim, nc, 3 + trial % 6, 1, &c);
    double r[RANDOM_ROWS], scaled[RANDOM_ROWS], a[RANDOM_ROWS * RANDOM_ROWS], b[RANDOM_ROWS];
    int pivots, again;
    if (lemke(&c.p, "", r, &pivots) != PROBLEM_DONE) {
      continue; /* a contact that cannot move and must */
    }
    for (int e = -120; e <= 120; e += 40) {
      const int n = dim * nc;
      struct problem p = c.p;
      for (int i = 0; i < n * n; ++i) {
        a[i] = ldexp(c.a[i], e);
      }
      for (int i = 0; i < n; ++i) {
        b[i] = ldexp(c.b[i], -e / 2);
      }
      p.A.a = a;
      p.b = b;
      CHECK_INT(lemke(&p, "", scaled, &again), PROBLEM_DONE);
      CHECK_INT(again, pivots);
      for (int i = 0; i < n; ++i) {
        CHECK_NEAR(ldexp(scaled[i], e + e / 2), r[i], 0);
      }
    }
  }
}

/* What does not fit a dense method is refused with a reason, before any memory is asked for. */
TEST(problems_too_large_for_a_dense_tableau_are_refused) {
  enum { CONTACTS = 10000 };
  struct base_arena *arena = test_arena();
  double *r = base_arena_doubles(arena, 3 * CONTACTS);
  double *b = base_arena_doubles(arena, 3 * CONTACTS), *mu = base_arena_doubles(arena, CONTACTS);
  int *row_ptr = base_arena_ints(arena, CONTACTS + 1), *col = base_arena_ints(arena, CONTACTS);
  double *blocks = base_arena_doubles(arena, 9 * CONTACTS);
  for (int i = 0; i < CONTACTS; ++i) { /* balls on a floor */
    row_ptr[i + 1] = i + 1;
    col[i] = i;
    blocks[9 * i] = blocks[9 * i + 4] = blocks[9 * i + 8] = 1;
    b[3 * i] = -1;
  }
  const struct problem p = {
      .name = "",
      .model = {.law = CONTACT_LAW_LCP, .dim = 3, .nc = CONTACTS, .mu = mu, .n_dir = 8},
      .A = {.kind = PROBLEM_OPERATOR_BLOCKS,
            .dim = 3,
            .nc = CONTACTS,
            .row_ptr = row_ptr,
            .col = col,
            .blocks = blocks},
      .b = b};
  const struct problem_result result = solve_with(&p, "lemke", "", 1e-10, 10000, r, NULL);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
  CHECK(strstr(result.reason, "100000 rows") != NULL);
}

/* Every covering vector solves contacts, and the pivot bound is kept and reported. */
TEST(options_are_obeyed) {
  static const char *const names[] = {"covering=ones", "covering=scaled", "covering=random"};
  struct base_rng *rng = test_rng(4);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 3000; ++trial) {
    struct random_contacts c;
    random_contacts_fill(rng, 3, 1 + base_rng_below(rng, 4), 4, 2, &c);
    double r[RANDOM_ROWS], v[RANDOM_ROWS], diag[3 * RANDOM_ROWS];
    int pivots;
    const int status = lemke(&c.p, names[trial % 3], r, &pivots);
    CHECK_MESSAGE(status == PROBLEM_DONE, "%s: %s", names[trial % 3], base_message());
    problem_velocity(&c.p, r, v, arena);
    problem_operator_diagonal(&c.p.A, diag);
    CHECK_LE(contact_residual(&c.p.model, diag, r, v, c.b).relative_b, COMPLEMENTARITY);
  }
  /* Murty's matrix, where d = ones takes a number of pivots that grows as 2^n */
  enum { MURTY = 12 };
  double M[MURTY * MURTY] = {0}, q[MURTY], z[MURTY];
  for (int j = 0; j < MURTY; ++j) {
    M[j * MURTY + j] = 1;
    for (int i = 0; i < j; ++i) {
      M[j * MURTY + i] = 2;
    }
    q[j] = 0;
    for (int i = j; i < MURTY; ++i) {
      q[j] -= ldexp(1, i + 1);
    }
  }
  const struct problem raw = dense_problem(CONTACT_LAW_LCP, 1, MURTY, NULL, M, q);
  int pivots;
  CHECK_INT(lemke(&raw, "", z, &pivots), PROBLEM_DONE);
  CHECK_LE(small_lcp_misfit(MURTY, M, q, z, NULL, NULL), COMPLEMENTARITY);
  CHECK_REFUSED(lemke(&raw, "max_pivots=5", z, &pivots), BASE_FAILED, "pivot bound");
  CHECK_LE(pivots, (15 + 1) * 5); /* in each attempt */
}

/* Raw LCPs of other people's programs; all of them have a solution (found in exact arithmetic). */
TEST(outside_lcps_are_solved) {
  int count = 0;
  for (struct outside o = outside_begin("lcp_*"); outside_next(&o); ++count) {
    const int n = problem_size(&o.p);
    double *M = base_arena_doubles(o.arena, n * n), *z = base_arena_doubles(o.arena, n);
    int pivots;
    problem_operator_dense(&o.p.A, M, o.arena);
    const int status = lemke(&o.p, "", z, &pivots);
    CHECK_MESSAGE(status == PROBLEM_DONE, "%s: %s", o.name, base_message());
    CHECK_LE(small_lcp_misfit(n, M, o.p.b, z, NULL, NULL), COMPLEMENTARITY);
  }
  CHECK_LE(11, count);
}
