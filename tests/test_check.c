/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `check` on records and solutions that are well-formed but of things there are not: names, options
 * and parameters nobody can ask for, sizes below zero, keys of no schema.
 */
#include <stdio.h>

#include "base/data.h"
#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/status.h"
#include "bench/commands.h"
#include "bench/suite/bench.h"
#include "problem/solver.h"
#include "tests/scratch.h"
#include "tests/test.h"

/* A value at a dotted path of a file in place of the one there, or beside it (add), is refused by
 * `check` with these words, and the file is whole again. */
static void refuse_check(cJSON *file, const char *path, int add, cJSON *value, const char *words) {
  cJSON *object = file, *before = NULL;
  char key[100];
  snprintf(key, sizeof key, "%s", path);
  char *part = key;
  for (char *dot; (dot = strchr(part, '.')) != NULL; part = dot + 1) {
    *dot = '\0';
    object = cJSON_GetObjectItemCaseSensitive(object, part);
  }
  before = cJSON_DetachItemFromObjectCaseSensitive(object, part);
  CHECK_MESSAGE((before == NULL) == add, "%s", path);
  cJSON_AddItemToObject(object, part, value);
  CHECK_MESSAGE(bench_check_value("r.json", file) == BASE_E_INPUT, "%s passes", path);
  CHECK_MESSAGE(strstr(base_message(), words) != NULL &&
                    strncmp(base_message(), "r.json: ", 8) == 0,
                "'%s' lacks '%s'", base_message(), words);
  cJSON_DeleteItemFromObjectCaseSensitive(object, part);
  if (before != NULL) {
    cJSON_AddItemToObject(object, part, before);
  }
  CHECK_MESSAGE(bench_check_value("r.json", file) == BASE_OK, "%s", base_message());
}

/* The checksum would refuse any change. */
static void drop_checksum(cJSON *file) {
  cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItem(file, "provenance"), "checksum");
}

static cJSON *text_of(const char *text) { return cJSON_CreateString(text); }
static cJSON *number_of(double x) { return cJSON_CreateNumber(x); }

TEST(record_of_what_there_is_not_is_refused) {
  const struct bench_request request = {
      .case_name = "falling-particle", .formulation = "ncp", .dt = 1e-2};
  int outcome;
  CHECK_MESSAGE(bench_run_to_file(&request, scratch_path("r.json"), &outcome) == BASE_OK, "%s",
                base_message());
  cJSON *r = test_json(base_json_read(scratch_path("r.json"))), *deep = cJSON_CreateObject();
  drop_checksum(r);
  refuse_check(r, "case.name", 0, text_of("nonesuch"), "'case.name': unknown case 'nonesuch'");
  refuse_check(r, "case.parameters.nonesuch", 1, number_of(1), "unknown parameter 'nonesuch'");
  refuse_check(r, "case.parameters.mu", 0, number_of(-1), "'case.parameters': falling-particle: ");
  refuse_check(r, "case.parameters.mu", 0, text_of("much"),
               "parameter 'mu' takes a number: 'much'");
  refuse_check(r, "case.parameters.mu", 0, cJSON_CreateNull(), "parameter 'mu' is neither");
  refuse_check(r, "formulation.name", 0, text_of("nonesuch"), "unknown formulation 'nonesuch'");
  refuse_check(r, "formulation.law", 0, text_of("nonesuch"), "unknown contact law 'nonesuch'");
  refuse_check(r, "formulation.options.nonesuch", 1, number_of(1), "unknown option 'nonesuch'");
  refuse_check(r, "formulation.options.scheme", 0, text_of("theta"), "option 'scheme': is fixed");
  refuse_check(r, "solver.name", 0, text_of("nonesuch"), "unknown solver 'nonesuch'");
  refuse_check(r, "solver.name", 0, cJSON_CreateNull(), "it takes no options");
  refuse_check(r, "solver.options.nonesuch", 1, number_of(1), "unknown option 'nonesuch'");
  refuse_check(r, "solver.options.omega", 0, number_of(7),
               "option 'omega': must be from 0.001 to 1.999, is 7");
  refuse_check(r, "solver.options.omega", 0, text_of("1"), "option 'omega': must be a number");
  refuse_check(r, "solver.options.tol", 0, text_of("inf"), "option 'tol': must be a number");
  refuse_check(r, "solver.options.max_iter", 0, number_of(0.5),
               "option 'max_iter': must be a whole number");
  refuse_check(r, "solver.options.warm_start", 0, number_of(1),
               "option 'warm_start': must be true or false");
  refuse_check(r, "status", 0, text_of("failed"), "'reason': is empty although the status");
  refuse_check(r, "errors.q_linf", 0, number_of(-1e-9), "errors.q_linf: must be >= 0, is -1e-09");
  refuse_check(r, "timing.steps_s", 0, number_of(-1), "timing.steps_s: must be >= 0, is -1");
  refuse_check(r, "constraints.penetration_max", 0, number_of(-1),
               "constraints.penetration_max: must be >= 0, is -1");
  refuse_check(r, "energy.nonesuch", 1, number_of(1), "energy: unknown key 'nonesuch'");
  refuse_check(r, "nonesuch", 1, number_of(1), "r.json: unknown key 'nonesuch'");
  cJSON_AddObjectToObject(deep, "b");
  refuse_check(r, "provenance.libraries.gsl", 0, deep, "provenance.libraries.gsl: must be a text");
}

TEST(solution_of_what_there_is_not_is_refused) {
  struct base_arena *arena = test_arena();
  int outcome;
  const struct bench_solve_request request = {
      .problem = base_data_path(arena, "tests/problems/one-3d.json"),
      .solver = "pgs",
      .output = scratch_path("s.json")};
  CHECK_MESSAGE(bench_solve(&request, &outcome) == BASE_OK, "%s", base_message());
  cJSON *s = test_json(base_json_read(scratch_path("s.json")));
  drop_checksum(s);
  refuse_check(s, "law", 0, text_of("nonesuch"), "'law': unknown contact law 'nonesuch'");
  refuse_check(s, "solver.name", 0, text_of("nonesuch"), "unknown solver 'nonesuch'");
  refuse_check(s, "solver.options.nonesuch", 1, number_of(1), "unknown option 'nonesuch'");
  refuse_check(s, "solver.options.omega", 0, number_of(-7),
               "option 'omega': must be from 0.001 to 1.999, is -7");
  refuse_check(s, "status", 0, text_of("bad-input"), "status: unknown value 'bad-input'");
  refuse_check(s, "iterations", 0, number_of(-1), "iterations: must be >= 0, is -1");
  refuse_check(s, "residual.absolute", 0, number_of(-1), "residual.absolute: must be >= 0, is -1");
  refuse_check(s, "timing.solve_s", 0, number_of(-1), "timing.solve_s: must be >= 0, is -1");
  refuse_check(s, "nonesuch", 1, number_of(1), "r.json: unknown key 'nonesuch'");
  refuse_check(s, "residual.nonesuch", 1, number_of(1), "residual: unknown key 'nonesuch'");
  refuse_check(s, "v", 0, cJSON_CreateArray(), "'v': its length 0 is not that of 'r', 3");
}

/* Whatever a solver says of a problem, its solution passes. */
TEST(solutions_of_every_solver_pass) {
  static const char *const problems[] = {"one-2d", "one-3d", "stack-2d-20"};
  static const char *const laws[] = {"ncp", "ccp", "lcp", "mdp"};
  static const char *options[] = {"max_iter=20", "time_limit=5"};
  struct base_arena *arena = test_arena();
  for (int i = 0; i < 3 * 4 * problem_solver_count(); ++i) {
    const char *file = base_arena_printf(arena, "tests/problems/%s.json", problems[i % 3]);
    const struct bench_solve_request request = {.problem = base_data_path(arena, file),
                                                .solver = problem_solver_get(i / 12)->name,
                                                .law = laws[i / 3 % 4],
                                                .output = scratch_path("s.json"),
                                                .n_opt = 2,
                                                .opt = options};
    int outcome;
    CHECK_MESSAGE(bench_solve(&request, &outcome) == BASE_OK, "%s", base_message());
    cJSON *solution = test_json(base_json_read(request.output));
    CHECK_MESSAGE(bench_check_value("s.json", solution) == BASE_OK, "%s, %s, %s: %s",
                  problems[i % 3], request.law, request.solver, base_message());
  }
}

TEST_MAIN()
