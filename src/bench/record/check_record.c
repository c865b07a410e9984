/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a parsed record complete, well-formed and consistent in itself? One table says what every
 * record has. Beyond it: names and values of one length; whole, non-negative counts; times that
 * make sense; finite final values where the status is ok; an energy budget that closes, which is
 * what a record promises.
 */
#include "bench/record/record.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/run/one_contact.h"

/* Relative error of the closing budget: sums of up to 1e9 rounded terms. */
static const double CLOSURE = 1e-10;

enum kind {
  TEXT,
  NAME,
  NAME_OR_NULL,
  TEXT_OR_ABSENT,
  REAL,
  REAL_OR_ABSENT,
  COUNT,
  COUNT_OR_NULL,
  LIST,
  OBJECT,
  SWITCH
};
static const char *const kind_wanted[] = {"a text",
                                          "a name: letters, digits, '-', '+' and '_'",
                                          "a name or null: letters, digits, '-', '+' and '_'",
                                          "a text",
                                          "a number or null",
                                          "a number or null",
                                          "a whole number, not negative",
                                          "a whole number, not negative, or null",
                                          "a list",
                                          "an object",
                                          "true or false"};

static const struct {
  const char *path;
  enum kind kind;
} keys[] = {
    {"case.name", NAME},
    {"case.parameters", OBJECT},
    {"formulation.name", NAME},
    {"formulation.law", NAME_OR_NULL},
    {"formulation.options", OBJECT},
    {"formulation.stable_dt", REAL_OR_ABSENT},
    {"formulation.mcp", REAL_OR_ABSENT},
    {"solver.name", NAME_OR_NULL},
    {"solver.options", OBJECT},
    {"status", NAME},
    {"reason", TEXT},
    {"dt", REAL},
    {"steps", COUNT},
    {"t_end", REAL},
    {"final.t", REAL},
    {"final.q", LIST},
    {"final.u", LIST},
    {"final.q_names", LIST},
    {"final.u_names", LIST},
    {"reference.kind", NAME},
    {"reference.bound", REAL},
    {"reference.reason", TEXT},
    {"errors.q_linf", REAL},
    {"errors.q_l2", REAL},
    {"errors.q_final", REAL},
    {"errors.u_hausdorff", REAL},
    {"energy.initial", REAL},
    {"energy.final", REAL},
    {"energy.budget.friction", REAL},
    {"energy.budget.impact", REAL},
    {"energy.budget.damping", REAL},
    {"energy.budget.applied", REAL},
    {"energy.budget.injected", REAL_OR_ABSENT}, /* by bodies that come and go */
    {"energy.budget.numerical", REAL},
    {"energy.max_numerical_drift", REAL},
    {"energy.max_increase", REAL},
    {"energy.max_kinetic", REAL_OR_ABSENT}, /* in older records */
    {"constraints.position_max", REAL},
    {"constraints.velocity_max", REAL},
    {"constraints.penetration_max", REAL},
    {"constraints.gap_drift", REAL},
    {"constraints.dependent", REAL_OR_ABSENT}, /* in older records */
    {"law.residual_max", REAL},
    {"law.residual_p50", REAL},
    {"law.relative_b_max", REAL},
    {"law.duality_gap", REAL_OR_ABSENT}, /* of convex laws */
    {"law.objective", REAL_OR_ABSENT},
    {"law.at.step", COUNT_OR_NULL},
    {"law.at.contact", COUNT_OR_NULL},
    {"law.signorini", REAL},
    {"law.cone", REAL},
    {"law.angle", REAL},
    {"law.dissipation_shortfall", REAL},
    {"iterations.total", COUNT},
    {"iterations.mean", REAL},
    {"iterations.max", COUNT},
    {"iterations.p95", REAL},
    {"iterations.solves", COUNT},
    {"iterations.unconverged_steps", COUNT},
    {"iterations.internal_steps", COUNT},
    {"iterations.newton_residual", REAL},
    {"contacts.max", COUNT},
    {"contacts.mean", REAL},
    {"contacts.closings", COUNT},
    {"timing.total_s", REAL},
    {"timing.steps_s", REAL},
    {"timing.cpu_s", REAL_OR_ABSENT}, /* older records have none */
    {"timing.reference_s", REAL},
    {"timing.per_step_s", REAL},
    {"timing.memory_bytes", REAL},
    {"timing.peak_memory_bytes", REAL_OR_ABSENT}, /* older records have none */
    {"timing.threads", REAL_OR_ABSENT},           /* of parallel solvers, where not 1 */
    {"provenance.program", TEXT},
    {"provenance.version", TEXT},
    {"provenance.commit", TEXT},
    {"provenance.dirty", SWITCH},
    {"provenance.compiler", TEXT},
    {"provenance.flags", TEXT},
    {"provenance.cpu", TEXT},
    {"provenance.libraries", OBJECT},
    {"provenance.command", TEXT},
    {"provenance.key", TEXT_OR_ABSENT}, /* older records have none */
    {"provenance.checksum", TEXT_OR_ABSENT},
};

static int is_of_kind(const cJSON *item, enum kind kind) {
  const int is_count = cJSON_IsNumber(item) && item->valuedouble >= 0 &&
                       item->valuedouble == rint(item->valuedouble);
  switch (kind) {
  case TEXT:
  case TEXT_OR_ABSENT:
    return cJSON_IsString(item);
  case NAME:
  case NAME_OR_NULL:
    return cJSON_IsString(item) ? base_name_is_plain(item->valuestring)
                                : kind == NAME_OR_NULL && cJSON_IsNull(item);
  case REAL:
  case REAL_OR_ABSENT:
    return cJSON_IsNumber(item) || cJSON_IsNull(item);
  case COUNT:
    return is_count;
  case COUNT_OR_NULL:
    return is_count || cJSON_IsNull(item);
  case LIST:
    return cJSON_IsArray(item);
  case OBJECT:
    return cJSON_IsObject(item);
  default:
    return cJSON_IsBool(item);
  }
}

static int check_keys(const cJSON *record, const char *file) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    const cJSON *item = base_json_at(record, keys[i].path);
    const int may_lack = keys[i].kind == REAL_OR_ABSENT || keys[i].kind == TEXT_OR_ABSENT;
    if (item == NULL && may_lack) {
      continue;
    }
    if (item == NULL) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': missing", file, keys[i].path);
    }
    if (!is_of_kind(item, keys[i].kind)) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': must be %s", file, keys[i].path,
                       kind_wanted[keys[i].kind]);
    }
  }
  return BASE_OK;
}

/* A list of `length` numbers or nulls (texts: of texts); numbers only where `finite`. */
static int check_list(const cJSON *record, const char *file, const char *path, int length,
                      int texts, int finite) {
  const cJSON *list = base_json_at(record, path), *item;
  if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) != length) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of %d elements", file, path,
                     length);
  }
  cJSON_ArrayForEach(item, list) {
    const int good =
        texts ? cJSON_IsString(item) : cJSON_IsNumber(item) || (!finite && cJSON_IsNull(item));
    if (!good) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': must hold %s only", file, path,
                       texts    ? "texts"
                       : finite ? "numbers"
                                : "numbers and nulls");
    }
  }
  return BASE_OK;
}

/* Names and values of one length each; a run that is ok ended in a finite state. */
static int check_final(const cJSON *record, const char *file) {
  const int is_ok = strcmp(base_json_text_at(record, "status"), "ok") == 0;
  static const char *const values[] = {"final.q", "final.u"};
  static const char *const names[] = {"final.q_names", "final.u_names"};
  int status = BASE_OK;
  for (int i = 0; i < 2 && status == BASE_OK; ++i) {
    const int n = cJSON_GetArraySize(base_json_at(record, values[i]));
    status = check_list(record, file, values[i], n, 0, is_ok);
    status = status != BASE_OK ? status : check_list(record, file, names[i], n, 1, 0);
  }
  return status;
}

/* The impulses of the last step, where they are told: as many components for every contact. */
static int check_impulses(const cJSON *record, const char *file) {
  static const char ids[] = "final.impulses.id", values[] = "final.impulses.r";
  if (base_json_at(record, "final.impulses") == NULL) {
    return BASE_OK;
  }
  const int n = cJSON_GetArraySize(base_json_at(record, ids));
  const int size = cJSON_GetArraySize(base_json_at(record, values));
  int status = check_list(record, file, ids, n, 0, 1);
  status = status != BASE_OK ? status : check_list(record, file, values, size, 0, 1);
  if (status == BASE_OK && (n == 0 || size == 0 || size % n != 0)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %d numbers for %d contacts", file, values, size,
                     n);
  }
  return status;
}

/* The trajectory, where there is one: a column a name, all as long as the times. */
static int check_trajectory(const cJSON *record, const char *file) {
  if (base_json_at(record, "trajectory") == NULL) {
    return BASE_OK;
  }
  const int n = cJSON_GetArraySize(base_json_at(record, "trajectory.t"));
  int status = check_list(record, file, "trajectory.t", n, 0, 1);
  status = status != BASE_OK ? status : check_list(record, file, "trajectory.energy", n, 0, 0);
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
    if (problem_solver_find(steps->string) == NULL || !is_of_kind(steps, COUNT)) {
      return base_fail(BASE_E_INPUT, "%s: key 'solver.chosen.%s': must be a solver, and %s", file,
                       steps->string, kind_wanted[COUNT]);
    }
    sum += steps->valuedouble;
  }
  rounds = base_json_at(record, "solver.rounds");
  if (!is_of_kind(rounds, COUNT) || (sum > 0) != (rounds->valuedouble > 0)) {
    return base_fail(BASE_E_INPUT, "%s: key 'solver.rounds': must be %s, zero without steps", file,
                     kind_wanted[COUNT]);
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
  if (base_json_at(record, "energy.budget.injected") != NULL) {
    const double injected = base_json_real_at(record, "energy.budget.injected");
    sum += injected;
    scale = fmax(scale, fabs(injected));
  }
  if (isfinite(final) && isfinite(sum) && !(fabs(sum - final) <= CLOSURE * scale)) {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'energy.budget': does not add up to energy.final (%g J too much)",
                     file, sum - final);
  }
  return BASE_OK;
}

static int check_values(const cJSON *record, const char *file) {
  const char *text = base_json_text_at(record, "status");
  int code;
  if (base_status_parse(text, &code) != BASE_OK || code < 0) {
    return base_fail(BASE_E_INPUT, "%s: key 'status': '%s' is not a status of a run", file, text);
  }
  if (!(base_json_real_at(record, "dt") > 0)) {
    return base_fail(BASE_E_INPUT, "%s: key 'dt': must be positive", file);
  }
  if (!(base_json_real_at(record, "t_end") >= 0)) {
    return base_fail(BASE_E_INPUT, "%s: key 't_end': must not be negative", file);
  }
  if (code == BASE_OK &&
      base_json_real_at(record, "final.t") != base_json_real_at(record, "t_end")) {
    return base_fail(BASE_E_INPUT, "%s: key 'final.t': is not t_end although the status is ok",
                     file);
  }
  return BASE_OK;
}

int bench_record_check(const cJSON *record, const char *file) {
  int status = base_json_expect_schema(record, file, BENCH_RESULT_SCHEMA);
  status = status != BASE_OK ? status : check_keys(record, file);
  status = status != BASE_OK ? status : check_values(record, file);
  status = status != BASE_OK ? status : check_final(record, file);
  status = status != BASE_OK ? status : check_impulses(record, file);
  status = status != BASE_OK ? status : check_trajectory(record, file);
  status = status != BASE_OK ? status : check_chosen(record, file);
  if (status == BASE_OK && base_json_at(record, "contact") != NULL) {
    status = bench_one_contact_check(base_json_at(record, "contact"), file);
  }
  status = status != BASE_OK ? status : bench_record_check_search(record, file);
  status = status != BASE_OK ? status : bench_record_check_threshold(record, file);
  return status != BASE_OK ? status : check_budget(record, file);
}
