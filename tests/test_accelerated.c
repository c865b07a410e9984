/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sweeps of block relaxation accelerated by Anderson's mixing and by conjugate gradients: the
 * velocities of relaxation in fewer sweeps, and no harm where there is nothing to accelerate.
 */
#include <math.h>
#include <stdio.h>

#include "la/dense.h"
#include "problem/solver.h"
#include "tests/outside.h"
#include "tests/packing_problem.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

static const char *const names[] = {"anderson", "nncg"};

/* Chains, where A is positive definite and velocities are unique under the convex law. */
TEST(the_velocities_are_those_of_relaxation_in_fewer_sweeps) {
  struct base_rng *rng = base_rng_alloc(20261122);
  int fewer[2] = {0};
  for (int k = 0; k < 40; ++k) {
    struct base_arena *arena = test_arena();
    const struct random_problem shape = {.dim = 2 + k % 2,
                                         .nv = k % 2 ? 6 : 3,
                                         .nb = 20,
                                         .nc = 20,
                                         .chain = 1,
                                         .mu_max = 0.8,
                                         .loading = 1};
    struct problem p = random_problem_build(&shape, rng, arena);
    p.model.law = k % 4 < 2 ? CONTACT_LAW_CCP : CONTACT_LAW_NCP;
    const int n = problem_size(&p);
    double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
    const struct problem_result plain = solve_with(&p, "relaxation", "", 1e-12, 20000, r, v);
    for (int i = 0; i < 2; ++i) {
      double *w = base_arena_doubles(arena, n);
      const struct problem_result result =
          solve_with(&p, names[i], "", 1e-12, 20000, base_arena_doubles(arena, n), w);
      CHECK_OK(result.status);
      if (p.model.law == CONTACT_LAW_CCP && plain.status == BASE_OK) {
        la_axpy(n, -1, v, w);
        CHECK_LE(la_norm_inf(n, w), 1e-9 * la_norm_inf(n, p.b));
      }
      fewer[i] += result.iterations < plain.iterations;
    }
  }
  CHECK_LE(36, fewer[0]);
  CHECK_LE(36, fewer[1]);
  base_rng_free(rng);
}

/* Packings: redundant contacts, thousands of sweeps for relaxation; half of them at most here, so
 * that relaxation must not be there after twice as many. By the convex law, whose velocities are
 * unique: under exact Coulomb the sweeps to 1e-8, of either, are up to rounding. */
TEST(packings_take_fewer_than_half_the_sweeps) {
  struct base_rng *rng = base_rng_alloc(20261122);
  for (int bodies = PACKING_SPHERES; bodies <= PACKING_BOXES; ++bodies) {
    struct base_arena *arena = test_arena();
    const struct packing_problem shape = {.side = 5, .bodies = (enum packing_bodies)bodies};
    struct problem p = packing_problem_build(&shape, rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    const int n = problem_size(&p);
    for (int i = 0; i < 2; ++i) {
      const struct problem_result fast =
          solve_with(&p, names[i], "", 1e-8, 8000, base_arena_doubles(arena, n), NULL);
      const struct problem_result plain = solve_with(
          &p, "relaxation", "", 1e-8, 2 * fast.iterations, base_arena_doubles(arena, n), NULL);
      CHECK_OK(fast.status);
      CHECK(plain.status != BASE_OK && plain.iterations == 2 * fast.iterations);
    }
  }
  base_rng_free(rng);
}

/* One sweep solves one contact: nothing is left to accelerate, and no difference divides by
 * zero. */
TEST(they_end_where_sweeps_do) {
  const double mu = 0.5, a[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0.2, 0.1};
  const struct problem p = dense_problem(CONTACT_LAW_NCP, 3, 1, &mu, a, b);
  for (int i = 0; i < 2; ++i) {
    double r[3] = {0};
    const struct problem_result result =
        solve_with(&p, names[i], i == 0 ? "depth=3" : "", 1e-14, 50, r, NULL);
    CHECK_OK(result.status);
    CHECK_LE(result.iterations, 2);
  }
}

/* Conjugate gradients by hand on two frictionless contacts, A = [2 1; 1 2], b = [-1 -1]: a sweep
 * takes y to r_1 = (1 - y_2)/2, r_2 = (1 - r_1)/2. */
TEST(conjugate_gradients_follow_their_recurrence) {
  const double mu[2] = {0}, a[4] = {2, 1, 1, 2}, b[2] = {-1, -1};
  const struct problem p = dense_problem(CONTACT_LAW_LCP, 1, 2, mu, a, b);
  double y[2] = {0}, r[2], direction[2] = {0}, last = INFINITY;
  for (int sweeps = 1; sweeps <= 6; ++sweeps) {
    double found[2] = {0}, size = 0;
    const double from[2] = {y[0], y[1]};
    solve_with(&p, "nncg", "", 0, sweeps, found, NULL);
    r[0] = fmax(0, (1 - y[1]) / 2);
    r[1] = fmax(0, (1 - r[0]) / 2);
    for (int k = 0; k < 2; ++k) {
      CHECK_NEAR(found[k], r[k], 1e-14);
      size += (from[k] - r[k]) * (from[k] - r[k]);
    }
    const double beta = size > last ? 0 : size / last;
    for (int k = 0; k < 2; ++k) {
      direction[k] = beta * direction[k] + r[k] - from[k];
      y[k] = r[k] + beta * direction[k];
    }
    last = size;
  }
}

/* Problems of others, exact Coulomb to 1e-6: conjugate gradients solve all, in fewer sweeps than
 * relaxation, which misses one. Those without friction may have rows that no sweep can solve. */
TEST(outside_problems_by_conjugate_gradients) {
  static const char *const both[] = {"nncg", "relaxation"};
  int problems = 0, solved = 0;
  long sweeps[2] = {0};
  for (struct outside o = outside_begin("*"); outside_next(&o);) {
    if (o.p.is_raw) {
      continue;
    }
    struct problem_result result[2];
    for (int i = 0; i < 2; ++i) {
      double *r = base_arena_doubles(o.arena, problem_size(&o.p));
      result[i] = solve_with(&o.p, both[i], "", 1e-6, 20000, r, NULL);
      sweeps[i] += result[i].iterations;
    }
    ++problems;
    solved += result[0].status == BASE_OK;
    CHECK_MESSAGE(result[0].status == BASE_OK, "%s: %s", o.name, result[0].reason);
  }
  printf("  %d of %d, %ld sweeps, relaxation %ld\n", solved, problems, sweeps[0], sweeps[1]);
  CHECK(problems > 0 && sweeps[0] < sweeps[1]);
}
