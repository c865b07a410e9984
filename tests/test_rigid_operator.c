/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The operator of rigid bodies in space on packings, W never formed: exact blocks of spheres, and
 * solvers that find the same by geometry and by directions written out. Its products are compared
 * with plain sums in test_problem.c.
 */
#include "problem/problem.h"

#include "la/dense.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"
#include "tests/solve_with.h"
#include "tests/test.h"

TEST(blocks_of_spheres_are_exactly_isotropic) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct packing_problem shape = {.side = 7, .bodies = PACKING_SPHERES};
  const struct problem rigid = packing_problem_build(&shape, rng, arena);
  const struct problem bodies = packing_problem_written_out(&rigid, arena);
  const int nc = rigid.model.nc;
  double *diag = base_arena_doubles(arena, 9 * nc), *other = base_arena_doubles(arena, 9 * nc);
  problem_operator_diagonal(&rigid.A, diag);
  problem_operator_diagonal(&bodies.A, other);
  for (int i = 0; i < 9 * nc; ++i) {
    CHECK_NEAR(diag[i], other[i], 1e-14 * fabs(other[i]));
    CHECK(i % 9 % 4 == 0 ? diag[i] > 0 : diag[i] == 0);
    CHECK(i % 9 != 8 || diag[i] == diag[i - 4]);
  }
  CHECK(nc > 2 * 343 && nc < 4 * 343);
}

/* Solvers of every kind end at the same velocities whichever form the operator has, redundant
 * contacts among them. Of the convex law: they are unique there. */
TEST(solvers_do_not_see_the_form_and_share_velocities) {
  static const char *const solvers[] = {"ipm", "pgs", "spg", "apgd", "psor", "relaxation", "nncg"};
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  const struct packing_problem shape = {.side = 3, .bodies = PACKING_BOXES};
  struct problem p[2];
  p[0] = packing_problem_build(&shape, rng, arena);
  p[1] = packing_problem_written_out(&p[0], arena);
  const int n = problem_size(&p[0]);
  double *first = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
  p[0].model.law = p[1].model.law = CONTACT_LAW_CCP;
  for (int k = 0; k < 2 * (int)(sizeof solvers / sizeof *solvers); ++k) {
    const char *solver = solvers[k / 2];
    double *r = base_arena_doubles(arena, n);
    const struct problem_result result =
        solve_with(&p[k % 2], solver, "", 1e-10, 20000, r, k == 0 ? first : v);
    CHECK_MESSAGE(result.status == BASE_OK, "%s form %d: %s", solver, k % 2, result.reason);
    CHECK_LE(k == 0 ? 0 : test_distance(n, v, first), 1e-6 * la_norm_inf(n, p[0].b));
  }
}
