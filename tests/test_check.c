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
#include "tests/worked.h"

/* A sound file of a kind; the record has a sample a step. */
static const cJSON *sound(const char *kind) {
  const struct bench_request run = {.case_name = "falling-particle",
                                    .formulation = "ncp",
                                    .dt = 5e-3,
                                    .t_end = 0.6,
                                    .sample = 5e-3};
  const struct bench_request search = {.case_name = "falling-particle",
                                       .formulation = "ccp",
                                       .t_end = 1,
                                       .search = "1e-3,0.2,0.02,0.3"};
  const struct bench_solve_request solve = {
      .problem = base_data_path(test_arena(), "tests/problems/one-3d.json"),
      .solver = "pgs",
      .output = scratch_path("r.json")};
  int outcome;
  CHECK_OK(strcmp(kind, "record") == 0   ? trial_to_file(run, scratch_path("r.json"))
           : strcmp(kind, "search") == 0 ? trial_to_file(search, scratch_path("r.json"))
                                         : bench_solve(&solve, &outcome));
  return trial_read(scratch_path("r.json"));
}

TEST(files_of_what_cannot_be_are_refused) {
  const char *kind = "";
  const cJSON *file = NULL;
  for (struct worked w = worked_begin("records.txt"); worked_next(&w);) {
    file = w.heading == kind ? file : sound(w.heading);
    kind = w.heading;
    char *json = base_arena_copy(test_arena(), w.left);
    const char *path = strsep(&json, " ");
    trial_refuses(file, path, json + 2, w.right + 2);
  }
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
