/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Solutions of one-step problems (coulombench.solution/1), checked by a table as records are.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/key.h"
#include "bench/record/check_fields.h"
#include "bench/record/record.h"
#include "contact/law.h"
#include "problem/solver.h"

#define SIZE(path_, presence_)                                                                     \
  { BENCH_FIELD(path_, REAL, presence_), .key.range = BASE_NOT_NEGATIVE }

/* Of a solve whose process died there are the first few and empty lists. */
static const struct bench_field solution_fields[] = {
    {BENCH_FIELD("schema", TEXT, ALWAYS), .key.choices = BENCH_SOLUTION_SCHEMA},
    {BENCH_FIELD("cell", OBJECT, OPTIONAL)},
    BENCH_FIELDS_CELL,
    {BENCH_FIELD("problem", TEXT, ALWAYS)},
    {BENCH_FIELD("law", TEXT, ALWAYS)},
    {BENCH_FIELD("solver", OBJECT, ALWAYS)},
    {BENCH_FIELD("solver.name", TEXT, ALWAYS)}, /* also exec:COMMAND */
    {BENCH_FIELD("solver.options", OBJECT, OPTIONAL)},
    {BENCH_FIELD("status", NAME, ALWAYS), .key.choice = bench_status_choice},
    {BENCH_FIELD("reason", TEXT, ALWAYS)},
    {BENCH_FIELD("chosen", TEXT, OPTIONAL)},
    {BENCH_FIELD("iterations", COUNT, OPTIONAL)},
    {BENCH_FIELD("residual", OBJECT, OPTIONAL)},
    SIZE("residual.absolute", NULLABLE),
    SIZE("residual.relative_free", NEWER),
    SIZE("residual.relative_b", NULLABLE),
    SIZE("residual.relative_max", NULLABLE),
    SIZE("asymmetry", NEWER),                   /* of W: largest |W - W^T| over largest |W| */
    {BENCH_FIELD("history", OBJECT, OPTIONAL)}, /* of all checks: of one length */
    {BENCH_FIELD("history.iteration", REALS, ALWAYS)},
    {BENCH_FIELD("history.residual", REALS, ALWAYS)}, /* as residual.relative_free */
    {BENCH_FIELD("history.timing_s", REALS, ALWAYS)}, /* of the solver, checks apart */
    {BENCH_FIELD("objective", REAL, NEWER)},
    {BENCH_FIELD("duality_gap", REAL, NEWER)},
    {BENCH_FIELD("r", REALS, OPTIONAL)},
    {BENCH_FIELD("v", REALS, OPTIONAL)},
    {BENCH_FIELD("z", REALS, OPTIONAL)},
    {BENCH_FIELD("w", REALS, OPTIONAL)},
    {BENCH_FIELD("timing", OBJECT, OPTIONAL)},
    SIZE("timing.solve_s", ALWAYS),
    SIZE("timing.checks_s", ALWAYS),
    SIZE("timing.process_s", NEWER), /* of solvers in a process of their own: the whole of it */
    SIZE("timing.process_cpu_s", NEWER),
    {BENCH_FIELD("provenance", OBJECT, ALWAYS)},
    {BENCH_FIELD("provenance.program", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.version", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.commit", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.dirty", FLAG, ALWAYS)},
    {BENCH_FIELD("provenance.compiler", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.flags", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.cpu", TEXT, ALWAYS)},
    BENCH_FIELDS_MACHINE,
    {BENCH_FIELD("provenance.libraries", TEXT_MAP, ALWAYS)},
    {BENCH_FIELD("provenance.command", TEXT, ALWAYS)},
    {BENCH_FIELD("provenance.key", TEXT, OPTIONAL)},
    {BENCH_FIELD("provenance.checksum", TEXT, OPTIONAL)},
    {.key = {0}},
};
const struct base_table bench_solution_keys = {.keys = &solution_fields[0].key,
                                               .stride = sizeof *solution_fields};

int bench_solver_check(const cJSON *object, const char *file, const struct base_option *more) {
  const cJSON *name = base_json_at(object, "solver.name");
  const struct problem_solver *solver =
      cJSON_IsString(name) ? problem_solver_find(name->valuestring) : NULL;
  if (cJSON_IsString(name) && solver == NULL) {
    base_message_prefix("%s: key 'solver.name': ", file);
    return BASE_E_INPUT;
  }
  const struct base_option *const tables[] = {solver != NULL ? solver->options : NULL,
                                              problem_loop_options, more};
  return bench_options_check(base_json_at(object, "solver.options"), file, "solver.options",
                             solver != NULL ? solver->name : "no solver", solver != NULL ? 3 : 1,
                             tables);
}

/* A list of numbers as long as another. */
static int check_same_length(const cJSON *object, const char *file, const char *first,
                             const char *second) {
  int n, m, status = base_json_get_reals(object, first, file, -1, NULL, &n);
  status = status != BASE_OK ? status : base_json_get_reals(object, second, file, -1, NULL, &m);
  return status == BASE_OK && n != m
             ? base_fail(BASE_E_INPUT, "%s: key '%s': its length %d is not that of '%s', %d", file,
                         second, m, first, n)
             : status;
}

/* Impulses and velocities (r, v), or a raw LCP's z and w; the columns of a history. */
static int check_values(const cJSON *solution, const char *file) {
  const int is_lcp = cJSON_HasObjectItem(solution, "z");
  const cJSON *history = base_json_at(solution, "history");
  int status = check_same_length(solution, file, is_lcp ? "z" : "r", is_lcp ? "w" : "v");
  if (status == BASE_OK && history != NULL) {
    status = check_same_length(history, file, "iteration", "residual");
    status = status != BASE_OK ? status : check_same_length(history, file, "iteration", "timing_s");
  }
  return status;
}

int bench_solution_check(const cJSON *solution, const char *file) {
  int status = base_keys_check(&bench_solution_keys, solution, file, "", 0);
  status = status != BASE_OK ? status : check_values(solution, file);
  const char *law = base_json_text_at(solution, "law");
  enum contact_law which;
  if (status == BASE_OK && law[0] != '\0' && contact_law_parse(law, &which) != BASE_OK) {
    base_message_prefix("%s: key 'law': ", file);
    return BASE_E_INPUT;
  }
  status = status != BASE_OK ? status : bench_solver_check(solution, file, bench_solve_options);
  return status != BASE_OK ? status : bench_key_check(solution, file);
}
