/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a parsed record complete, well-formed and consistent in itself? The table of fields says what
 * every record has (fields.h). Beyond it: names and values of one length; finite final values where
 * the status is ok; an energy budget that closes, which is what a record promises.
 */
#include "bench/record/record.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/outcome/members.h"
#include "bench/outcome/searches.h"
#include "bench/record/check_fields.h"

/* Relative error of the closing budget. The last term is the rest that the others leave, so that
 * but these few sums are rounded; records of older programs summed up to 1e9 terms. */
static const double CLOSURE = 1e-10;

static int is_ok(const cJSON *record) {
  return strcmp(base_json_text_at(record, "status"), base_status_name(BASE_OK)) == 0;
}

/* A list of `length`, as the table has it; of numbers alone where `finite`. */
static int check_list(const cJSON *record, const char *file, const char *path, int length,
                      int finite) {
  const cJSON *list = base_json_at(record, path), *item;
  if (cJSON_GetArraySize(list) != length) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of %d elements", file, path,
                     length);
  }
  cJSON_ArrayForEach(item, list) {
    if (finite && cJSON_IsNull(item)) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': must hold numbers only", file, path);
    }
  }
  return BASE_OK;
}

/* Names and values of one length each; a run that is ok ended in a finite state. */
static int check_final(const cJSON *record, const char *file) {
  static const char *const lists[][2] = {{"final.q", "final.q_names"},
                                         {"final.u", "final.u_names"}};
  int status = BASE_OK;
  for (int i = 0; i < 2 && status == BASE_OK; ++i) {
    const int n = cJSON_GetArraySize(base_json_at(record, lists[i][0]));
    status = check_list(record, file, lists[i][0], n, is_ok(record));
    status = status != BASE_OK ? status : check_list(record, file, lists[i][1], n, 0);
  }
  return status;
}

/* Contacts and their impulses, where a block tells them: as many components for every contact. */
static int check_impulses(const cJSON *record, const char *file, const char *block) {
  char ids[64], values[64];
  snprintf(ids, sizeof ids, "%s.id", block);
  snprintf(values, sizeof values, "%s.r", block);
  if (base_json_at(record, block) == NULL) {
    return BASE_OK;
  }
  const int n = cJSON_GetArraySize(base_json_at(record, ids));
  const int size = cJSON_GetArraySize(base_json_at(record, values));
  const int status = check_list(record, file, values, size, is_ok(record));
  if (status == BASE_OK && (n == 0 || size == 0 || size % n != 0)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %d numbers for %d contacts", file, values, size,
                     n);
  }
  return status;
}

/* Those of a trajectory: counts that are as many as there are samples, and that sum to the ids. */
static int check_sampled_impulses(const cJSON *record, const char *file, int samples) {
  static const char counts[] = "trajectory.impulses.n";
  int status = check_impulses(record, file, "trajectory.impulses");
  if (status != BASE_OK || base_json_at(record, "trajectory.impulses") == NULL) {
    return status;
  }
  double total = 0;
  const cJSON *count;
  status = check_list(record, file, counts, samples, 0);
  cJSON_ArrayForEach(count, base_json_at(record, counts)) { total += count->valuedouble; }
  const int ids = cJSON_GetArraySize(base_json_at(record, "trajectory.impulses.id"));
  return status != BASE_OK || total == ids
             ? status
             : base_fail(BASE_E_INPUT, "%s: key '%s': sums to %g for %d contacts", file, counts,
                         total, ids);
}

/* The trajectory, where there is one: a column a name, all as long as the times. */
static int check_trajectory(const cJSON *record, const char *file) {
  if (base_json_at(record, "trajectory") == NULL) {
    return BASE_OK;
  }
  const int n = cJSON_GetArraySize(base_json_at(record, "trajectory.t"));
  int status = check_list(record, file, "trajectory.energy", n, 0);
  status = status != BASE_OK ? status : check_sampled_impulses(record, file, n);
  for (int side = 0; side < 2 && status == BASE_OK; ++side) {
    const char *path = side == 0 ? "trajectory.q" : "trajectory.u";
    const cJSON *columns = base_json_at(record, path), *name, *column;
    cJSON_ArrayForEach(name, base_json_at(record, side == 0 ? "final.q_names" : "final.u_names")) {
      column = cJSON_GetObjectItemCaseSensitive(columns, name->valuestring);
      if (column == NULL && base_json_at(record, "case.parameters.outputs") != NULL) {
        continue; /* a scene that says which */
      }
      if (!cJSON_IsArray(column) || cJSON_GetArraySize(column) != n) {
        return base_fail(BASE_E_INPUT, "%s: key '%s.%s': must be a list of %d elements", file, path,
                         name->valuestring, n);
      }
    }
  }
  return status;
}

/* Steps by the solver chosen, where the solver is one that chooses. */
static int check_chosen(const cJSON *record, const char *file) {
  const cJSON *block = base_json_at(record, "solver.chosen"), *rounds, *steps;
  double sum = 0;
  if (block == NULL) {
    return BASE_OK;
  }
  cJSON_ArrayForEach(steps, block) {
    if (problem_solver_find(steps->string) == NULL) {
      return base_fail(BASE_E_INPUT, "%s: key 'solver.chosen.%s': must be a solver", file,
                       steps->string);
    }
    sum += steps->valuedouble;
  }
  rounds = base_json_at(record, "solver.rounds");
  if (rounds == NULL || (sum > 0) != (rounds->valuedouble > 0)) {
    return base_fail(BASE_E_INPUT, "%s: key 'solver.rounds': must be there, zero without steps",
                     file);
  }
  if (sum > base_json_real_at(record, "steps")) {
    return base_fail(BASE_E_INPUT, "%s: key 'solver.chosen': more steps than were taken", file);
  }
  return BASE_OK;
}

static int check_budget(const cJSON *record, const char *file) {
  static const char *const terms[] = {"energy.initial",        "energy.budget.friction",
                                      "energy.budget.impact",  "energy.budget.damping",
                                      "energy.budget.applied", "energy.budget.numerical"};
  const double final = base_json_real_at(record, "energy.final");
  double sum = 0, scale = fabs(final);
  for (size_t i = 0; i < sizeof terms / sizeof *terms; ++i) {
    const double term = base_json_real_at(record, terms[i]);
    sum += term;
    scale = fmax(scale, fabs(term));
  }
  const double inflow = base_json_real_at(record, "energy.budget.inflow");
  if (!isnan(inflow)) { /* bodies come and go */
    sum += inflow;
    scale = fmax(scale, fabs(inflow));
  }
  if (isfinite(final) && isfinite(sum) && !(fabs(sum - final) <= CLOSURE * scale)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'energy.budget': does not add up to energy.final (%g J too much)",
                     file, sum - final);
  }
  return BASE_OK;
}

static int check_solution(const cJSON *solution, const char *file, int dim, int finite) {
  const int status = check_list(solution, file, "r", dim, finite);
  return status != BASE_OK ? status : check_list(solution, file, "v", dim, finite);
}

/* The one-contact problem: as many components of each, in the plane or in space. */
static int check_contact(const cJSON *record, const char *file) {
  const cJSON *block = cJSON_GetObjectItemCaseSensitive(record, "contact"), *solution;
  const int dim = cJSON_GetArraySize(base_json_at(block, "b")), finite = is_ok(record);
  if (block == NULL) {
    return BASE_OK;
  }
  int status = check_list(record, file, "contact.b", dim == 2 ? 2 : 3, finite);
  status = status != BASE_OK ? status : check_list(record, file, "contact.A", dim * dim, finite);
  status = status != BASE_OK ? status : check_list(record, file, "contact.impulse", dim, finite);
  status = status != BASE_OK
               ? status
               : check_solution(base_json_at(block, "max_dissipation"), file, dim, finite);
  cJSON_ArrayForEach(solution, base_json_at(block, "coulomb")) {
    status = status != BASE_OK ? status : check_solution(solution, file, dim, finite);
  }
  return status;
}

/* A run that is ok got to the end; any other says why not. */
static int check_end(const cJSON *record, const char *file) {
  if (is_ok(record) && base_json_real_at(record, "final.t") != base_json_real_at(record, "t_end")) {
    return base_fail(BASE_E_INPUT, "%s: key 'final.t': is not t_end although the status is ok",
                     file);
  }
  if (!is_ok(record) && base_json_text_at(record, "reason")[0] == '\0') {
    return base_fail(BASE_E_INPUT, "%s: key 'reason': is empty although the status is '%s'", file,
                     base_json_text_at(record, "status"));
  }
  return BASE_OK;
}

int bench_record_is_of_other_version(const cJSON *record) {
  static const char family[] = "coulombench.result/";
  const char *schema = base_json_text_at(record, "schema");
  return strncmp(schema, family, sizeof family - 1) == 0 &&
         strcmp(schema, BENCH_RESULT_SCHEMA) != 0;
}

int bench_record_expect(const cJSON *record, const char *file) {
  if (bench_record_is_of_other_version(record)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'schema': '%s' was written by another version of the program; this "
                     "one reads '" BENCH_RESULT_SCHEMA "': run it again",
                     file, base_json_text_at(record, "schema"));
  }
  return base_json_expect_schema(record, file, BENCH_RESULT_SCHEMA);
}

int bench_record_check(const cJSON *record, const char *file) {
  int status = bench_record_expect(record, file);
  status = status != BASE_OK ? status : base_keys_check(&bench_record_keys, record, file, "", 0);
  status = status != BASE_OK ? status : check_end(record, file);
  status = status != BASE_OK ? status : check_final(record, file);
  status = status != BASE_OK ? status : check_impulses(record, file, "final.impulses");
  status = status != BASE_OK ? status : check_trajectory(record, file);
  status = status != BASE_OK ? status : check_chosen(record, file);
  if (status == BASE_OK && base_json_at(record, "timing.repeats") != NULL) {
    const int n = cJSON_GetArraySize(base_json_at(record, "timing.repeats.runs"));
    status = check_list(record, file, "timing.repeats.steps_s", n, 0);
  }
  status = status != BASE_OK ? status : check_contact(record, file);
  status = status != BASE_OK ? status : bench_record_check_search(record, file);
  status = status != BASE_OK ? status : bench_ensemble_check_record(record, file, 0);
  return status != BASE_OK ? status : check_budget(record, file);
}
