/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solvers of cone complementarity against each other: interior point, accelerated and spectral
 * projected gradients, over-relaxation and alternating directions go different ways to one
 * velocity. Beside that closed forms: one contact, and a column whose reactions are the weights
 * above them; the objective and the duality gap from their definitions.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/dense.h"
#include "problem/local/local.h"
#include "problem/solver.h"
#include "problem/solvers/cone/ipm.h"
#include "tests/outside.h"
#include "tests/random_contacts.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

/* First-order methods know v to much less than their residual where A is ill-conditioned: they are
 * asked for four digits more than are compared. */
#define TOL 1e-12
#define AGREE 1e-8

enum { SOLVERS = 4, ITERATIONS = 10000, IPM_ITERATIONS = 100 };
static const char *const solvers[SOLVERS] = {"ipm", "apgd", "spg", "psor"};

static int most_iterations(int k) { return k == 0 ? IPM_ITERATIONS : ITERATIONS; }

/* All that get there among the problems made here do in so many; of random bodies, most. */
enum { FEWER_ITERATIONS = 7000, RANDOM_ITERATIONS = 2000 };

struct tally {
  int solved[SOLVERS], problems, compared;
};

/* Solve by every solver to `tol`; those that get there must agree on v. most: iterations of
 * all but the interior point method. */
static void cross(const struct problem *p, const char *what, double tol, int most,
                  struct base_arena *arena, struct tally *tally) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = problem_size(p);
  double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  double *first = base_arena_doubles(arena, n), objective = NAN;
  const double size = la_norm_inf(n, p->b);
  int any = -1;
  ++tally->problems;
  for (int k = 0; k < SOLVERS; ++k) {
    memset(r, 0, (size_t)n * sizeof *r);
    const struct problem_result result =
        solve_with(p, solvers[k], "", tol, k == 0 ? IPM_ITERATIONS : most, r, v);
    if (result.status != BASE_OK) { /* unconverged, it is no worse than r = 0 */
      CHECK(result.status == BASE_UNSUPPORTED || result.residual.relative_b <= 1);
      continue;
    }
    ++tally->solved[k];
    if (any < 0) {
      any = k;
      la_copy(n, v, first);
      objective = result.optimality.objective;
      continue;
    }
    const double off = test_distance(n, v, first);
    CHECK_NEAR(result.optimality.objective, objective, 1e-9 * (1 + size * la_norm_inf(n, r)));
    ++tally->compared;
    CHECK_MESSAGE(off <= AGREE * (size > 0 ? size : 1), "%s: %s and %s differ by %.2e of |b|", what,
                  solvers[any], solvers[k], off / size);
  }
  base_arena_release(arena, mark);
}

/* b = W^T u of a random motion, so that the problem has a solution whatever the rank of A. */
static void move_bodies(struct problem *p, struct base_rng *rng, struct base_arena *arena) {
  const struct problem_operator *A = &p->A;
  double *u = base_arena_doubles(arena, A->nb * A->nv);
  double *b = base_arena_doubles(arena, A->nc * A->dim);
  base_rng_normals(rng, A->nb * A->nv, u);
  for (int e = 0; e < 2 * A->nc; ++e) {
    for (int c = 0; A->body[e] >= 0 && c < A->dim; ++c) {
      b[A->dim * (e / 2) + c] +=
          la_dot(A->nv, A->w + (e * A->dim + c) * A->nv, u + A->body[e] * A->nv);
    }
  }
  p->b = b;
}

/* Chains (A definite) and random pairs with three contacts a body (A deficient in most), in the
 * plane and in space, boxes' inertia. */
TEST(velocities_of_all_solvers_agree) {
  static const struct random_problem shapes[] = {
      {.dim = 2, .nv = 3, .nb = 20, .nc = 20, .chain = 1, .mu_max = 1},
      {.dim = 3, .nv = 6, .nb = 20, .nc = 20, .chain = 1, .mu_max = 1},
      {.dim = 3, .nv = 6, .nb = 100, .nc = 100, .chain = 1, .mu_max = 1},
      {.dim = 2, .nv = 3, .nb = 10, .nc = 30, .mu_max = 1},
      {.dim = 3, .nv = 6, .nb = 10, .nc = 40, .mu_max = 1},
      {.dim = 3, .nv = 6, .nb = 25, .nc = 100, .mu_max = 0.8},
      {.dim = 3, .nv = 3, .nb = 25, .nc = 75, .mu_max = 0.8},
  };
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  struct tally tally = {.problems = 0};
  for (int trial = 0; trial < 14; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const struct random_problem *shape = &shapes[trial % 7];
    struct problem p = random_problem_build(shape, rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    move_bodies(&p, rng, arena);
    char name[60];
    snprintf(name, sizeof name, "%d: %d-D, %d bodies, %d", trial, shape->dim, shape->nb, shape->nc);
    cross(&p, name, TOL, RANDOM_ITERATIONS, arena, &tally);
    base_arena_release(arena, mark);
  }
  CHECK_INT(tally.solved[0], tally.problems);
  CHECK_LE(0.6 * (SOLVERS - 1) * tally.problems, tally.compared);
}

/* Contacts twice, bodies that cannot move, mu = 0, states of rest; masses within two decades, and
 * for the interior point method within eight. */
TEST(degenerate_problems) {
  struct base_rng *rng = test_rng(1);
  struct tally tally = {.problems = 0};
  for (int trial = 0; trial < 300; ++trial) {
    struct random_contacts c;
    char name[32];
    random_contacts_fill(rng, 2 + trial % 2, 1 + base_rng_below(rng, 4), 4, 2, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    snprintf(name, sizeof name, "degenerate %d", trial);
    cross(&c.p, name, TOL, FEWER_ITERATIONS, test_arena(), &tally);
    random_contacts_fill(rng, 2 + trial % 2, 1 + base_rng_below(rng, 4), 4, 8, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    double r[RANDOM_ROWS] = {0};
    const struct problem_result result = solve_with(&c.p, "ipm", "", 1e-10, 100, r, NULL);
    CHECK_MESSAGE(result.status == BASE_OK, "masses over 8 decades, %d: %s", trial, result.reason);
  }
  CHECK_LE(0.99 * tally.problems, tally.solved[0]);
  for (int k = 1; k < SOLVERS; ++k) {
    CHECK_INT(tally.solved[k], tally.problems);
  }
}

/* One contact in closed form (plane) or by its own quartic (space). */
TEST(one_contact_in_closed_form) {
  struct base_rng *rng = test_rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    const int dim = 2 + trial % 2;
    double a[9], G[9], b[3], mu[1], exact[3], exact_v[3];
    base_rng_normals(rng, 9, G);
    for (int i = 0; i < dim; ++i) {
      b[i] = base_rng_normal(rng);
      for (int j = 0; j < dim; ++j) {
        a[i + j * dim] = la_dot(3, G + 3 * i, G + 3 * j) + (i == j) * 0.1;
      }
    }
    mu[0] = trial % 5 == 0 ? 0 : base_rng_uniform(rng, 0, 2);
    const struct problem p = dense_problem(CONTACT_LAW_CCP, dim, 1, mu, a, b);
    problem_local_ccp(dim, mu[0], a, b, exact);
    la_copy(dim, b, exact_v);
    la_gemv(dim, dim, 1, a, exact, 1, exact_v);
    for (int k = 0; k < SOLVERS; ++k) {
      double r[3] = {0}, v[3];
      const struct problem_result result =
          solve_with(&p, solvers[k], "", TOL, most_iterations(k), r, v);
      CHECK_MESSAGE(result.status == BASE_OK, "%s, %d: %s", solvers[k], trial, result.reason);
      for (int i = 0; i < dim; ++i) {
        CHECK_NEAR(v[i], exact_v[i], 1e-9 * la_norm_inf(dim, b));
        CHECK_NEAR(r[i], exact[i], 1e-9 * la_norm_inf(dim, b) / 0.1);
      }
      CHECK(mu[0] > 0 || r[1] == 0);
    }
  }
}

/* A column of n particles on the ground, every second a million times heavier than its neighbours:
 * a step of gravity, at rest. Contact i carries the weight of all above it. A is tridiagonal by
 * blocks; its condition grows with the ratio. Velocities come out of terms of 1e5 m/s that cancel,
 * so that 1e-9 of |b| is all that doubles hold. */
TEST(heavy_on_light_by_the_interior_point_method) {
  enum { N = 20, ROWS = 3 * N };
  const double step = 9.81e-3, light = 1e-3, heavy = 1e3;
  static double a[ROWS * ROWS];
  double b[ROWS] = {0}, mu[N], r[ROWS] = {0}, v[ROWS], mass[N], above = 0;
  for (int i = 0; i < N; ++i) { /* contact i: below particle i */
    mass[i] = i % 2 == 0 ? light : heavy;
    mu[i] = 0.5;
  }
  memset(a, 0, sizeof a);
  for (int i = 0; i < N; ++i) {
    for (int c = 0; c < 3; ++c) {
      const int k = 3 * i + c, below = 3 * (i - 1) + c;
      a[k + k * ROWS] = 1 / mass[i] + (i > 0 ? 1 / mass[i - 1] : 0);
      if (i > 0) {
        a[k + below * ROWS] = a[below + k * ROWS] = -1 / mass[i - 1];
      }
    }
  }
  b[0] = -step; /* only the lowest contact sees the ground stand still */
  const struct problem p = dense_problem(CONTACT_LAW_CCP, 3, N, mu, a, b);
  const struct problem_result result = solve_with(&p, "ipm", "", AGREE, 100, r, v);
  CHECK_MESSAGE(result.status == BASE_OK, "%s", result.reason);
  for (int i = N - 1; i >= 0; --i) {
    above += mass[i];
    CHECK_NEAR(r[3 * i], above * step, 10 * AGREE * above * step);
    CHECK_NEAR(v[3 * i], 0, AGREE * step);
  }
}

/* Started at the solution every solver is done; near it, for a b changed by a thousandth, none
 * needs more than from nothing, and the velocity is that of a cold start. */
TEST(warm_starts) {
  struct base_rng *rng = test_rng(3);
  struct base_arena *arena = test_arena();
  int cold_total[SOLVERS] = {0}, warm_total[SOLVERS] = {0};
  for (int trial = 0; trial < 8; ++trial) {
    const struct random_problem shape = {.dim = 2 + trial % 2,
                                         .nv = trial % 2 == 0 ? 3 : 6,
                                         .nb = 20,
                                         .nc = 20,
                                         .chain = 1,
                                         .mu_max = 1};
    struct problem p = random_problem_build(&shape, rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    move_bodies(&p, rng, arena);
    const int n = problem_size(&p);
    const double *b = p.b;
    double *changed = base_arena_doubles(arena, n), *r = base_arena_doubles(arena, n);
    double *v = base_arena_doubles(arena, n), *w = base_arena_doubles(arena, n);
    for (int k = 0; k < SOLVERS; ++k) {
      memset(r, 0, (size_t)n * sizeof *r);
      p.b = b;
      const struct problem_result cold =
          solve_with(&p, solvers[k], "", 1e-8, most_iterations(k), r, v);
      CHECK_MESSAGE(cold.status == BASE_OK, "%s: %s", solvers[k], cold.reason);
      CHECK_INT(solve_with(&p, solvers[k], "", 1e-8, 10, r, v).iterations, 0);
      for (int j = 0; j < n; ++j) {
        changed[j] = 1.001 * b[j];
      }
      p.b = changed;
      const struct problem_result warm =
          solve_with(&p, solvers[k], "", 1e-8, most_iterations(k), r, w);
      CHECK_MESSAGE(warm.status == BASE_OK, "%s: %s", solvers[k], warm.reason);
      cold_total[k] += cold.iterations;
      warm_total[k] += warm.iterations;
      for (int j = 0; j < n; ++j) { /* the problem is homogeneous: v grows with b */
        CHECK_NEAR(w[j], 1.001 * v[j], 1e-3 * la_norm_inf(n, b));
      }
    }
  }
  for (int k = 0; k < SOLVERS; ++k) {
    CHECK_LE(warm_total[k], cold_total[k]);
  }
}

/* Gap: zero at solutions; r^T v where both are in their cones, and there at least the height above
 * the minimum; positive at any other point. Solutions of problems with b - s, s inside K*_mu, give
 * points with r in K_mu and A r + b in K*_mu. */
TEST(duality_gap_bounds_the_objective) {
  struct base_rng *rng = test_rng(4);
  struct base_arena *arena = test_arena();
  int inside = 0;
  for (int trial = 0; trial < 300; ++trial) {
    struct random_contacts c;
    const int dim = 2 + trial % 2;
    random_contacts_fill(rng, dim, 1 + base_rng_below(rng, 4), 4, 1, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    const int n = problem_size(&c.p);
    double r[RANDOM_ROWS] = {0}, v[RANDOM_ROWS], b[RANDOM_ROWS], diag[3 * RANDOM_ROWS];
    double x[RANDOM_ROWS] = {0};
    problem_operator_diagonal(&c.p.A, diag);
    const struct problem_result result = solve_with(&c.p, "ipm", "", TOL, 100, r, v);
    if (result.status != BASE_OK) {
      continue;
    }
    const double unit = 1e-30 + la_norm_inf(n, c.b) * (la_norm_inf(n, r) + 1);
    const double least = problem_objective(&c.p, r, arena);
    CHECK_NEAR(result.optimality.objective, least, 1e-11 * unit);
    CHECK_NEAR(result.optimality.gap, 0, 1e-10 * unit);
    la_copy(n, c.b, b);
    for (int i = 0; i < c.p.model.nc; ++i) {
      for (int k = 0; k < dim; ++k) {
        const double s = k == 0 ? 2.9 : base_rng_uniform(rng, -1, 1);
        b[dim * i + k] -= 0.1 * s * base_rng_uniform(rng, 0.9, 1);
      }
    }
    struct problem shifted = c.p;
    shifted.b = b;
    if (solve_with(&shifted, "ipm", "", TOL, 100, x, v).status == BASE_OK) {
      problem_velocity(&c.p, x, v, arena);
      const struct contact_optimality there = contact_optimality(&c.p.model, diag, x, v, c.b);
      const double rounding = 1e-9 * (unit + la_norm_inf(n, x) * (1 + la_norm_inf(n, v)));
      CHECK_NEAR(there.gap, la_dot(n, x, v), rounding);
      CHECK_LE(there.objective - least, there.gap + rounding);
      ++inside;
    }
    for (int j = 0; j < n; ++j) { /* nowhere special */
      x[j] = base_rng_normal(rng);
    }
    problem_velocity(&c.p, x, v, arena);
    CHECK(contact_optimality(&c.p.model, diag, x, v, c.b).gap > 0 ||
          contact_residual(&c.p.model, diag, x, v, c.b).absolute == 0);
  }
  CHECK_LE(150, inside);
}

/* The interior point method as a part of others: any b, one analysis, the answer of a fresh one. */
TEST(interior_point_takes_other_shifts) {
  struct base_rng *rng = test_rng(5);
  struct base_arena *arena = test_arena();
  const struct random_problem shape = {.dim = 3, .nv = 6, .nb = 30, .nc = 90, .mu_max = 1};
  struct problem p = random_problem_build(&shape, rng, arena);
  const struct problem_ipm_options options = problem_ipm_default_options();
  struct problem_ipm *ipm = problem_ipm_alloc(&p, &options, arena); /* its law is ncp */
  const int n = problem_size(&p);
  double *r = base_arena_doubles(arena, n), *s = base_arena_doubles(arena, n);
  double *v = base_arena_doubles(arena, n), *w = base_arena_doubles(arena, n);
  for (int trial = 0; trial < 4; ++trial) {
    move_bodies(&p, rng, arena);
    memset(r, 0, (size_t)n * sizeof *r);
    memset(s, 0, (size_t)n * sizeof *s);
    struct problem q = p;
    q.model.law = CONTACT_LAW_CCP;
    double residual = INFINITY;
    CHECK_OK(problem_ipm_start(ipm, p.b, r));
    for (int k = 0; k < 100 && residual > TOL && problem_ipm_iterate(ipm, r) == BASE_OK; ++k) {
      problem_velocity(&q, r, v, arena);
      const double *A = problem_operator_diagonal_of(&q.A, arena);
      residual = contact_residual(&q.model, A, r, v, q.b).relative_b;
    }
    CHECK_LE(residual, TOL);
    CHECK_OK(solve_with(&q, "ipm", "", TOL, 100, s, w).status);
    problem_velocity(&q, r, v, arena);
    CHECK_LE(test_distance(n, v, w), 1e-10 * la_norm_inf(n, p.b));
  }
  problem_ipm_free(ipm);
}

/* What has no solution is never called solved, and says why; what is not convex is refused. */
TEST(no_solver_claims_what_it_has_not) {
  const double mu[] = {0.5, 0.5};
  const double stuck[9] = {0}, wall[4] = {1, -1, -1, 1};
  const double b[] = {-1, 0.1, 0}, squeeze[] = {-1, -1};
  const struct problem cannot_move = dense_problem(CONTACT_LAW_CCP, 3, 1, mu, stuck, b);
  const struct problem between_walls = {
      .name = "", /* one body, two opposite walls that both close in: v_1 + v_2 = -2 whatever r */
      .model = {.law = CONTACT_LAW_CCP, .dim = 1, .nc = 2},
      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 1, .nc = 2, .a = wall},
      .b = squeeze};
  struct problem exact = cannot_move;
  exact.model.law = CONTACT_LAW_NCP;
  for (int k = 0; k < SOLVERS; ++k) {
    double r[3] = {0};
    struct problem_result result = solve_with(&cannot_move, solvers[k], "", 1e-6, 300, r, NULL);
    CHECK_MESSAGE(result.status != BASE_OK && result.reason[0] != '\0', "%s", solvers[k]);
    CHECK_LE(0.5, result.residual.relative_b);
    memset(r, 0, sizeof r);
    result = solve_with(&between_walls, solvers[k], "", 1e-6, 300, r, NULL);
    CHECK_MESSAGE(result.status != BASE_OK && result.reason[0] != '\0', "%s", solvers[k]);
    CHECK_LE(0.5, result.residual.relative_b);
    memset(r, 0, sizeof r);
    CHECK_INT(solve_with(&exact, solvers[k], "", 1e-6, 300, r, NULL).status, BASE_UNSUPPORTED);
  }
}

/* The search of the spectral method: f stays below the largest of the last `memory` values, the
 * first of which is f at the start, and with memory = 1 never grows. */
TEST(spectral_search_keeps_to_its_reference) {
  static const struct {
    const char *option;
    int n;
  } memories[] = {{"memory=1", 1}, {"memory=5", 5}, {"memory=50", 50}};
  struct base_rng *rng = test_rng(6);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 90; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    const int memory = memories[trial % 3].n;
    struct random_contacts c;
    double values[61], r[RANDOM_ROWS] = {0};
    random_contacts_fill(rng, 3, 4, 4, 3, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    void *workspace = solver_begin(&c.p, "spg", memories[trial % 3].option, r);
    values[0] = problem_objective(&c.p, r, arena);
    for (int k = 1; k <= 60; ++k) {
      CHECK_OK(problem_solver_find("spg")->iterate(workspace, r));
      values[k] = problem_objective(&c.p, r, arena);
      double reference = values[k - 1];
      for (int back = 2; back <= memory && back <= k; ++back) {
        reference = fmax(reference, values[k - back]);
      }
      CHECK_LE(values[k], reference + 1e-12 * (la_norm_inf(RANDOM_ROWS, c.b) + 1e-300) *
                                          la_norm_inf(RANDOM_ROWS, r));
    }
    base_arena_release(arena, mark);
  }
}

/* The outside set under the convex law. Three of its operators lack symmetry by more than a
 * thousandth, which first-order methods refuse; the interior point method must solve all. */
TEST(outside_problems) {
  struct tally tally = {.problems = 0};
  for (struct outside o = outside_begin("*"); outside_next(&o);) {
    if (o.p.is_raw || strcmp(o.name, "fc2d_granularflowonwall_07002_00801") == 0) {
      continue;
    }
    const struct tally before = tally;
    o.p.model.law = CONTACT_LAW_CCP;
    cross(&o.p, o.name, 1e-11, ITERATIONS, o.arena, &tally);
    for (int k = 0; k < SOLVERS && strcmp(o.name, "Rover1040") == 0; ++k) {
      CHECK_MESSAGE(tally.solved[k] > before.solved[k], "%s does not solve five contacts",
                    solvers[k]);
    }
  }
  CHECK_INT(tally.solved[0], tally.problems);
  CHECK_LE(27, tally.problems);
}
