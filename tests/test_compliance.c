/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compliant contacts: every solver on a problem that keeps R apart against the same solver on A + R
 * as a matrix summed by the test. Files keep R apart too. The operator itself is in test_problem.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/data.h"
#include "la/dense.h"
#include "problem/solver.h"
#include "tests/packing_problem.h"
#include "tests/random_problem.h"
#include "tests/scratch.h"
#include "tests/solve_with.h"
#include "tests/test.h"

/* Sums of a few dozen terms of order one. */
static const double ROUND_OFF = 1e-13;

enum kind { BODIES, SPHERES, BOXES, KINDS };
static const char *const kind_names[KINDS] = {"bodies", "spheres", "boxes"};

/* A rigid problem whose operator is kept in one of the forms. */
static struct problem rigid(enum kind kind, struct base_rng *rng, struct base_arena *arena) {
  static const struct random_problem shape = {
      .dim = 3, .nv = 6, .nb = 7, .nc = 13, .mu_max = 1, .loading = 1};
  if (kind == SPHERES || kind == BOXES) {
    const struct packing_problem packing = {
        .side = 2, .bodies = kind == SPHERES ? PACKING_SPHERES : PACKING_BOXES};
    return packing_problem_build(&packing, rng, arena);
  }
  return random_problem_build(&shape, rng, arena);
}

/* The same with R of the size of A's diagonal, times size; stiff: with A + R as a matrix. */
static struct problem compliant(const struct problem *p, double size, struct base_rng *rng,
                                struct base_arena *arena, struct problem *stiff) {
  const int n = problem_size(p);
  double *R = base_arena_doubles(arena, n), *a = base_arena_matrix(arena, n, n);
  problem_operator_dense(&p->A, a, arena);
  for (int i = 0; i < n; ++i) {
    R[i] = size * base_rng_uniform(rng, 0.1, 1) * a[i + i * n];
    a[i + i * n] += R[i];
  }
  struct problem q = *p;
  q.A.diagonal = NULL;
  q.A.compliance = R;
  *stiff = q;
  stiff->A = (struct problem_operator){
      .kind = PROBLEM_OPERATOR_DENSE, .dim = p->A.dim, .nc = p->A.nc, .a = a};
  return q;
}

/* Every solver of every law, by bodies and by the geometry of spheres and boxes. With so much R the
 * solution is one, and all solvers find it. */
TEST(every_solver_solves_for_a_plus_r) {
  static const double tol = 1e-10, near = 1e-7;
  static const enum contact_law laws[] = {CONTACT_LAW_NCP, CONTACT_LAW_CCP, CONTACT_LAW_LCP,
                                          CONTACT_LAW_MDP};
  struct base_rng *rng = test_rng(0);
  for (enum kind kind = 0; kind < KINDS; ++kind) {
    struct base_arena *arena = test_arena();
    struct problem p = rigid(kind, rng, arena), stiff;
    for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l) {
      p.model.law = laws[l];
      p.model.n_dir = laws[l] == CONTACT_LAW_LCP ? 8 : 0;
      const struct problem soft = compliant(&p, 2, rng, arena, &stiff);
      const int n = problem_size(&p);
      double *r = base_arena_doubles(arena, n), *v = base_arena_doubles(arena, n);
      double *r_stiff = base_arena_doubles(arena, n), *w = base_arena_doubles(arena, n);
      double *first = base_arena_doubles(arena, n);
      int solved = 0;
      for (int s = 0; s < problem_solver_count(); ++s) {
        const struct problem_solver *solver = problem_solver_get(s);
        if (solver->solve != NULL ||
            (problem_solver_laws(solver, p.A.dim) & CONTACT_LAW_BIT(laws[l])) == 0) {
          continue;
        }
        memset(r, 0, (size_t)n * sizeof *r);
        memset(r_stiff, 0, (size_t)n * sizeof *r);
        const struct problem_result x = solve_with(&soft, solver->name, "", tol, 20000, r, v);
        const struct problem_result y =
            solve_with(&stiff, solver->name, "", tol, 20000, r_stiff, w);
        CHECK_MESSAGE(x.status == y.status, "%s, %s, %s: %s and %s", kind_names[kind],
                      contact_law_name(laws[l]), solver->name, base_status_name(x.status),
                      base_status_name(y.status));
        solved += x.status == BASE_OK;
        if (x.status == BASE_OK && y.status == BASE_OK) {
          problem_velocity(&stiff, r, w, arena);
          CHECK_LE(test_distance(n, v, w), ROUND_OFF * n * la_norm_inf(n * n, stiff.A.a));
          CHECK_MESSAGE(test_distance(n, r, r_stiff) <= near * la_norm_inf(n, r_stiff),
                        "%s, %s, %s: r differs by %.2e", kind_names[kind],
                        contact_law_name(laws[l]), solver->name, test_distance(n, r, r_stiff));
          if (solved == 1) {
            la_copy(n, r, first);
          }
          CHECK_MESSAGE(test_distance(n, r, first) <= near * la_norm_inf(n, first),
                        "%s, %s, %s: not what others find, by %.2e", kind_names[kind],
                        contact_law_name(laws[l]), solver->name, test_distance(n, r, first));
        }
      }
      CHECK_LE(1, solved);
      printf("  %-8s %-4s %d solvers\n", kind_names[kind], contact_law_name(laws[l]), solved);
    }
  }
}

TEST(files_keep_r_apart_and_fclib_refuses_it) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct problem p = rigid(BODIES, rng, arena);
  struct problem stiff, q;
  const struct problem soft = compliant(&p, 1, rng, arena, &stiff);
  const int n = problem_size(&p);
  const char *path = scratch_path("compliant.json");
  CHECK_OK(problem_write(path, &soft, arena));
  CHECK_OK(problem_read(path, arena, &q));
  CHECK(memcmp(q.A.compliance, soft.A.compliance, (size_t)n * sizeof(double)) == 0);
  double *dense = base_arena_matrix(arena, n, n);
  problem_operator_dense(&q.A, dense, arena);
  CHECK_LE(test_distance(n * n, dense, stiff.A.a), ROUND_OFF * la_norm_inf(n * n, stiff.A.a));
  CHECK_INT(problem_write(scratch_path("compliant.hdf5"), &soft, arena), BASE_E_INPUT);
  CHECK(strstr(base_message(), "rigid contacts alone") != NULL);
}
