/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anderson's mixing on block relaxation: the velocities of relaxation in fewer sweeps, and never
 * worse where the memory is of no use.
 */
#include <math.h>

#include "base/rng.h"
#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"
#include "tests/random_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

/* Chains, where A is positive definite and velocities are unique under the convex law. */
TEST(mixing_finds_the_velocities_of_relaxation) {
  struct base_rng *rng = base_rng_alloc(20261122);
  int fewer = 0;
  for (int k = 0; k < 40; ++k) {
    struct base_arena *arena = base_arena_alloc();
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
    double *r[2], *v[2];
    struct problem_result result[2];
    for (int i = 0; i < 2; ++i) {
      r[i] = base_arena_doubles(arena, n);
      v[i] = base_arena_doubles(arena, n);
      result[i] = solve_with(&p, i == 0 ? "relaxation" : "anderson", "", 1e-12, 20000, r[i], v[i]);
    }
    CHECK_INT(result[1].status, BASE_OK);
    if (p.model.law == CONTACT_LAW_CCP && result[0].status == BASE_OK) {
      la_axpy(n, -1, v[0], v[1]);
      CHECK_LE(la_norm_inf(n, v[1]), 1e-9 * la_norm_inf(n, p.b));
    }
    fewer += result[1].iterations < result[0].iterations;
    base_arena_free(arena);
  }
  CHECK_LE(36, fewer);
  base_rng_free(rng);
}

/* Packings: redundant contacts, thousands of sweeps for relaxation; half of them at most here, so
 * that relaxation must not be there after twice as many as mixing takes. By the convex law, whose
 * velocities are unique: under exact Coulomb the sweeps to 1e-8, of either, are up to rounding. */
TEST(mixing_takes_fewer_sweeps_on_packings) {
  struct base_rng *rng = base_rng_alloc(20261122);
  for (int bodies = PACKING_SPHERES; bodies <= PACKING_BOXES; ++bodies) {
    struct base_arena *arena = base_arena_alloc();
    const struct packing_problem shape = {.side = 5, .bodies = (enum packing_bodies)bodies};
    struct problem p = packing_problem_build(&shape, rng, arena);
    p.model.law = CONTACT_LAW_CCP;
    double *r = base_arena_doubles(arena, 2 * problem_size(&p));
    const struct problem_result mixed = solve_with(&p, "anderson", "", 1e-8, 8000, r, NULL);
    const struct problem_result plain =
        solve_with(&p, "relaxation", "", 1e-8, 2 * mixed.iterations, r + problem_size(&p), NULL);
    CHECK_INT(mixed.status, BASE_OK);
    CHECK(plain.status != BASE_OK && plain.iterations == 2 * mixed.iterations);
    base_arena_free(arena);
  }
  base_rng_free(rng);
}

/* One sweep solves one contact: nothing is left to mix, and no difference divides by zero. */
TEST(mixing_ends_where_sweeps_do) {
  const double mu = 0.5, a[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0.2, 0.1};
  const struct problem p = {.name = "",
                            .model = {.law = CONTACT_LAW_NCP, .dim = 3, .nc = 1, .mu = &mu},
                            .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = 3, .nc = 1, .a = a},
                            .b = b};
  double r[3] = {0};
  const struct problem_result result = solve_with(&p, "anderson", "depth=3", 1e-14, 50, r, NULL);
  CHECK_INT(result.status, BASE_OK);
  CHECK_LE(result.iterations, 2);
}

TEST_MAIN()
