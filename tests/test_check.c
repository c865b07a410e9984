/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `check` on records and solutions that are well-formed but of things there are not: names, options
 * and parameters nobody can ask for, sizes below zero, keys of no schema.
 */
#include "base/data.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"
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
  CHECK_MESSAGE(bench_run_to_file(&request, scratch_path("r.json"), &outcome, NULL) == BASE_OK,
                "%s", base_message());
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
  trial_refuses(r, "errors.q_linf", "-1e-9", "errors.q_linf: must be >= 0, is -1e-09");
  trial_refuses(r, "timing.steps_s", "-1", "timing.steps_s: must be >= 0, is -1");
  trial_refuses(r, "constraints.penetration_max", "-1",
                "constraints.penetration_max: must be >= 0, is -1");
  trial_refuses(r, "energy.nonesuch", "1", "energy: unknown key 'nonesuch'");
  trial_refuses(r, "nonesuch", "1", "r.json: unknown key 'nonesuch'");
  trial_refuses(r, "provenance.libraries.gsl", "{'b': {}}",
                "provenance.libraries.gsl: must be a text");
}

TEST(solution_of_what_there_is_not_is_refused) {
  struct base_arena *arena = test_arena();
  int outcome;
  const struct bench_solve_request request = {
      .problem = base_data_path(arena, "tests/problems/one-3d.json"),
      .solver = "pgs",
      .output = scratch_path("s.json")};
  CHECK_MESSAGE(bench_solve(&request, &outcome) == BASE_OK, "%s", base_message());
  const cJSON *s = test_json(base_json_read(scratch_path("s.json")));
  trial_refuses(s, "law", "'nonesuch'", "'law': unknown contact law 'nonesuch'");
  trial_refuses(s, "solver.name", "'nonesuch'", "unknown solver 'nonesuch'");
  trial_refuses(s, "solver.options.nonesuch", "1", "unknown option 'nonesuch'");
  trial_refuses(s, "solver.options.omega", "-7",
                "option 'omega': must be from 0.001 to 1.999, is -7");
  trial_refuses(s, "status", "'bad-input'", "status: unknown value 'bad-input'");
  trial_refuses(s, "iterations", "-1", "iterations: must be >= 0, is -1");
  trial_refuses(s, "residual.absolute", "-1", "residual.absolute: must be >= 0, is -1");
  trial_refuses(s, "timing.solve_s", "-1", "timing.solve_s: must be >= 0, is -1");
  trial_refuses(s, "nonesuch", "1", "r.json: unknown key 'nonesuch'");
  trial_refuses(s, "residual.nonesuch", "1", "residual: unknown key 'nonesuch'");
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
    CHECK_MESSAGE(bench_solve(&request, &outcome) == BASE_OK, "%s", base_message());
    cJSON *solution = test_json(base_json_read(request.output));
    CHECK_MESSAGE(bench_check_value("s.json", solution) == BASE_OK, "%s, %s, %s: %s",
                  problems[i % 3], request.law, request.solver, base_message());
  }
}

TEST_MAIN()
