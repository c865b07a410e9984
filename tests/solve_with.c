/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solving by name; see solve_with.h. The options go the way that those of a command line go, so a
 * test that asks for one that a solver does not have fails instead of running its defaults.
 */
#include "tests/solve_with.h"

#include "la/dense.h"
#include "tests/test.h"

static void *chosen_options(const struct problem_solver *solver, const char *options) {
  struct base_arena *arena = test_arena();
  void *chosen = base_arena_push(arena, solver->options_size);
  base_options_default(solver->options, chosen);
  char *rest = NULL;
  for (char *pair = strtok_r(base_arena_copy(arena, options), " ", &rest); pair != NULL;
       pair = strtok_r(NULL, " ", &rest)) {
    char key[32];
    const char *value;
    CHECK_OK(base_options_split(pair, key, sizeof key, &value));
    CHECK_OK(base_options_set(solver->options, chosen, solver->name, key, value));
  }
  return chosen;
}

struct problem_result solve_with(const struct problem *p, const char *name, const char *options,
                                 double tol, int max_iter, double *r, double *v) {
  const struct problem_solver *solver = problem_solver_find(name);
  struct base_arena *arena = test_arena();
  const struct problem_loop loop = {
      .tol = tol, .max_iter = max_iter, .check_every = 1, .time_limit = INFINITY};
  struct problem_result result;
  if (v == NULL) {
    v = base_arena_doubles(arena, problem_size(p));
  }
  problem_solve(p, solver, chosen_options(solver, options), &loop, r, v, arena, &result);
  return result;
}

void *solver_begin(const struct problem *p, const char *name, const char *options, double *r) {
  const struct problem_solver *solver = problem_solver_find(name);
  void *workspace = solver->alloc(p, chosen_options(solver, options), test_arena());
  CHECK_OK(solver->start(workspace, r));
  return workspace;
}

int solver_run(const struct problem *p, const char *name, const char *options, int most, double *r,
               int *count) {
  const struct base_arena_mark mark = base_arena_mark(test_arena());
  void *workspace = solver_begin(p, name, options, r);
  int status = BASE_OK, k = 0;
  for (; status == BASE_OK && k < most; ++k) {
    status = problem_solver_find(name)->iterate(workspace, r);
  }
  base_arena_release(test_arena(), mark);
  if (count != NULL) {
    *count = k;
  }
  return status;
}

struct problem dense_problem(enum contact_law law, int dim, int nc, const double *mu,
                             const double *a, const double *b) {
  return (struct problem){.name = "",
                          .model = {.law = law, .dim = dim, .nc = nc, .mu = mu},
                          .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = a},
                          .b = b};
}

double problem_objective(const struct problem *p, const double *r, struct base_arena *arena) {
  const int n = problem_size(p);
  double *v = base_arena_doubles(arena, n);
  problem_operator_apply(&p->A, r, v, arena);
  return la_dot(n, r, v) / 2 + la_dot(n, p->b, r);
}
