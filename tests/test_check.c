/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `check` on records and solutions that are well-formed but of things there are not: names, options
 * and parameters nobody can ask for, sizes below zero, keys of no schema.
 */
#include "base/data.h"
#include "base/json/json.h"
#include "bench/commands.h"
#include "bench/suite/bench.h"
#include "problem/solver.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

TEST(record_of_what_there_is_not_is_refused) {
  const struct bench_request request = {
      .case_name = "falling-particle", .formulation = "ncp", .dt = 1e-2};
  int outcome;
  CHECK_OK(bench_run_to_file(&request, scratch_path("r.json"), &outcome, NULL));
  const cJSON *r = test_json(base_json_read(scratch_path("r.json")));
  trial_refuses(r, "case.name", "'nonesuch'", "'case.name': unknown case 'nonesuch'");
  trial_refuses(r, "case.parameters.nonesuch", "1", "unknown parameter 'nonesuch'");
  trial_refuses(r, "case.parameters.mu", "-1", "'case.parameters': falling-particle: ");
  trial_refuses(r, "case.parameters.mu", "'much'", "parameter 'mu' takes a number: 'much'");
  trial_refuses(r, "case.parameters.mu", "null", "parameter 'mu' is neither");
  trial_refuses(r, "formulation.name", "'nonesuch'", "unknown formulation 'nonesuch'");
  trial_refuses(r, "formulation.law", "'nonesuch'", "unknown contact law 'nonesuch'");
  trial_refuses(r, "formulation.options.nonesuch", "1", "unknown option 'nonesuch'");
  trial_refuses(r, "formulation.options.scheme", "'theta'", "option 'scheme': is fixed");
  trial_refuses(r, "solver.name", "'nonesuch'", "unknown solver 'nonesuch'");
  trial_refuses(r, "solver.name", "null", "it takes no options");
  trial_refuses(r, "solver.options.nonesuch", "1", "unknown option 'nonesuch'");
  trial_refuses(r, "solver.options.omega", "7",
                "option 'omega': must be from 0.001 to 1.999, is 7");
  trial_refuses(r, "solver.options.omega", "'1'", "option 'omega': must be a number");
  trial_refuses(r, "solver.options.tol", "'inf'", "option 'tol': must be a number");
  trial_refuses(r, "solver.options.max_iter", "0.5", "option 'max_iter': must be a whole number");
  trial_refuses(r, "solver.options.warm_start", "1", "option 'warm_start': must be true or false");
  trial_refuses(r, "status", "'failed'", "'reason': is empty although the status");
  trial_refuses(r, "nonesuch", "1", "r.json: unknown key 'nonesuch'");
}

TEST(solution_of_what_there_is_not_is_refused) {
  int outcome;
  const struct bench_solve_request request = {
      .problem = base_data_path(test_arena(), "tests/problems/one-3d.json"),
      .solver = "pgs",
      .output = scratch_path("s.json")};
  CHECK_OK(bench_solve(&request, &outcome));
  const cJSON *s = test_json(base_json_read(scratch_path("s.json")));
  trial_refuses(s, "law", "'nonesuch'", "'law': unknown contact law 'nonesuch'");
  trial_refuses(s, "solver.name", "'nonesuch'", "unknown solver 'nonesuch'");
  trial_refuses(s, "solver.options.nonesuch", "1", "unknown option 'nonesuch'");
  trial_refuses(s, "solver.options.omega", "-7",
                "option 'omega': must be from 0.001 to 1.999, is -7");
  trial_refuses(s, "nonesuch", "1", "r.json: unknown key 'nonesuch'");
  trial_refuses(s, "v", "[]", "'v': its length 0 is not that of 'r', 3");
}

/* Whatever a solver says of a problem, its solution passes. */
TEST(solutions_of_every_solver_pass) {
  static const char *const problems[] = {"one-2d", "one-3d", "stack-2d-20"};
  static const char *const laws[] = {"ncp", "ccp", "lcp", "mdp"};
  struct base_arena *arena = test_arena();
  for (int i = 0; i < 3 * 4 * problem_solver_count(); ++i) {
    const char *file = base_arena_printf(arena, "tests/problems/%s.json", problems[i % 3]);
    const struct bench_solve_request request = {.problem = base_data_path(arena, file),
                                                .solver = problem_solver_get(i / 12)->name,
                                                .law = laws[i / 3 % 4],
                                                .output = scratch_path("s.json"),
                                                .opt = BASE_WORDS("max_iter=20", "time_limit=5")};
    int outcome;
    CHECK_OK(bench_solve(&request, &outcome));
    cJSON *solution = test_json(base_json_read(request.output));
    CHECK_MESSAGE(bench_check_value("s.json", solution) == BASE_OK, "%s, %s, %s: %s",
                  problems[i % 3], request.law, request.solver, base_message());
  }
}
