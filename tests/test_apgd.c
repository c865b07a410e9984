/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Accelerated projected gradient descent on cone complementarity problems, checked by the objective
 * computed from its definition and by the law's own residual; test_ccp_solvers.c compares its
 * velocities with those of other methods and with closed forms.
 */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "problem/solver.h"
#include "tests/random_contacts.h"
#include "tests/solve_with.h"
#include "tests/test.h"

/* Relative residual asked for; the loop's default. */
#define TOL 1e-10

/* Round-off of f: of its terms, and of r. */
static double objective_noise(const struct problem *p, const double *r) {
  const int n = problem_size(p);
  double size = 0;
  for (int i = 0; i < n; ++i) {
    size += fabs(p->b[i] * r[i]);
    for (int j = 0; j < n; ++j) {
      size += fabs(p->A.a[j * n + i] * r[i] * r[j]);
    }
  }
  return 1e-14 * size;
}

/* f of what is returned never grows, and stays in the cone, whatever the restart and first step. */
TEST(objective_never_grows) {
  static const char *const sets[] = {"",         "restart=function", "restart=none",
                                     "step=1e6", "step=1e-6",        "grow=3"};
  struct base_rng *rng = test_rng(1);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 600; ++trial) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    struct random_contacts c;
    double r[RANDOM_ROWS];
    random_contacts_fill(rng, 3, 1 + base_rng_below(rng, 4), 4, 3, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    for (int i = 0; i < problem_size(&c.p); ++i) {
      r[i] = base_rng_normal(rng); /* start() has to bring this into the cone */
    }
    void *workspace = solver_begin(&c.p, "apgd", sets[trial % 6], r);
    double f = problem_objective(&c.p, r, arena);
    for (int k = 0; k < 60; ++k) {
      CHECK_OK(problem_solver_find("apgd")->iterate(workspace, r));
      const double now = problem_objective(&c.p, r, arena);
      CHECK_LE(now, f + objective_noise(&c.p, r));
      f = now;
      for (int i = 0; i < c.p.model.nc; ++i) {
        CHECK_LE(hypot(r[3 * i + 1], r[3 * i + 2]), c.mu[i] * r[3 * i] * (1 + 1e-12) + 1e-300);
      }
    }
    base_arena_release(arena, mark);
  }
}

/* A trap for tests that leave b^T r out of the objective. One unknown, A = 1, b = -1, solution 1.
 * From r = 3/2 (gradient 1/2) a step of length t = 4 lands on r = 0, where f = 0 is above f(3/2) =
 * -3/8; r^2 / 2 alone passes the test of sufficient decrease there: 0 <= 9/8 - 3/4 + 9/32. */
TEST(linear_term_is_in_the_tests) {
  const double a[1] = {1}, b[1] = {-1}, start = 1.5, step = 4;
  const struct problem p = dense_problem(CONTACT_LAW_CCP, 1, 1, NULL, a, b);
  const double g = start - 1, x = fmax(0, start - step * g), d = x - start;
  const double before = start * start / 2 - start;
  CHECK(x * x / 2 <= start * start / 2 + g * d + d * d / (2 * step)); /* the false test accepts */
  CHECK(x * x / 2 - x > before);                                      /* and f would grow */
  static const char *const options[] = {"step=4 restart=gradient", "step=4 restart=function",
                                        "step=4 restart=none"};
  for (int k = 0; k < 3; ++k) {
    double r[1] = {start};
    CHECK_OK(solver_run(&p, "apgd", options[k], 1, r, NULL));
    CHECK(r[0] * r[0] / 2 - r[0] < before);
    CHECK_LE(start - r[0], g * (1 + 1e-12)); /* no step longer than 1 / curvature is taken */
  }
}

/* Ill-conditioned and rank-deficient: from several starts to one velocity. */
TEST(velocity_does_not_depend_on_the_start) {
  struct base_rng *rng = test_rng(2);
  struct base_arena *arena = test_arena();
  for (int trial = 0; trial < 150; ++trial) {
    struct random_contacts c;
    random_contacts_fill(rng, 3, 4, 4, 3, &c);
    c.p.model.law = CONTACT_LAW_CCP;
    double first[RANDOM_ROWS] = {0}, f = 0;
    for (int start = 0; start < 3; ++start) {
      double r[RANDOM_ROWS], v[RANDOM_ROWS];
      for (int i = 0; i < RANDOM_ROWS; ++i) {
        r[i] = start * base_rng_normal(rng);
      }
      const struct problem_result result = solve_with(&c.p, "apgd", "", TOL, 50000, r, v);
      CHECK_MESSAGE(result.status == BASE_OK, "problem %d, start %d: %s", trial, start,
                    result.reason);
      if (start == 0) {
        memcpy(first, v, sizeof first);
        f = problem_objective(&c.p, r, arena);
      }
      /* where b = 0 the loop's tolerance is an absolute one */
      const double b = la_norm_inf(RANDOM_ROWS, c.b), size = la_norm_inf(RANDOM_ROWS, r);
      const double absolute = b > 0 ? 0 : 10 * TOL;
      CHECK_LE(test_distance(RANDOM_ROWS, v, first), 1e-4 * b + absolute);
      CHECK_NEAR(problem_objective(&c.p, r, arena), f,
                 (1e-8 * b + absolute) * size + objective_noise(&c.p, r));
    }
  }
}

TEST(refusals_name_their_reason) {
  const double a[4] = {2, 0.5, -0.5, 2}, b[2] = {-1, -1}, mu[1] = {0.5};
  struct problem p = dense_problem(CONTACT_LAW_CCP, 1, 2, NULL, a, b);
  double r[2] = {0};
  struct problem_result result = solve_with(&p, "apgd", "", TOL, 10, r, NULL);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
  CHECK(strstr(result.reason, "not symmetric") != NULL);
  p.model = (struct contact_model){.law = CONTACT_LAW_NCP, .dim = 2, .nc = 1, .mu = mu};
  p.A.dim = 2;
  p.A.nc = 1;
  result = solve_with(&p, "apgd", "", TOL, 10, r, NULL);
  CHECK_INT(result.status, BASE_UNSUPPORTED);
}
