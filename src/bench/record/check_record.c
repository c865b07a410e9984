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
#include "base/names.h"
#include "base/status.h"
#include "bench/record/fields.h"
#include "bench/run/one_contact.h"

/* Relative error of the closing budget: sums of up to 1e9 rounded terms. */
static const double CLOSURE = 1e-10;

static const char *const wanted[] = {
    [FIELD_TEXT] = "a text",           [FIELD_NAME] = "a name: letters, digits, '-', '+' and '_'",
    [FIELD_REAL] = "a number",         [FIELD_COUNT] = "a whole number, not negative",
    [FIELD_FLAG] = "true or false",    [FIELD_REALS] = "a list of numbers and nulls",
    [FIELD_TEXTS] = "a list of texts", [FIELD_LIST] = "a list",
    [FIELD_OBJECT] = "an object"};
static const char *const ranges[] = {
    [FIELD_ANY] = "", [FIELD_NOT_NEGATIVE] = ", not negative", [FIELD_POSITIVE] = ", positive"};

static int is_list_of(const cJSON *list, int texts) {
  const cJSON *item;
  int good = cJSON_IsArray(list);
  cJSON_ArrayForEach(item, list) {
    good = good && (texts ? cJSON_IsString(item) : cJSON_IsNumber(item) || cJSON_IsNull(item));
  }
  return good;
}

static int is_choice(const char *text, const char *const *choices) {
  for (; choices != NULL && *choices != NULL; ++choices) {
    if (strcmp(*choices, text) == 0) {
      return 1;
    }
  }
  return choices == NULL;
}

static int is_in_range(double x, enum bench_field_range range) {
  return range == FIELD_ANY || (range == FIELD_POSITIVE ? x > 0 : x >= 0);
}

static int is_of_type(const cJSON *item, const struct bench_field *f) {
  if (f->presence == FIELD_NULLABLE && cJSON_IsNull(item)) {
    return 1;
  }
  const double x = cJSON_GetNumberValue(item);
  switch (f->type) {
  case FIELD_TEXT:
    return cJSON_IsString(item);
  case FIELD_NAME:
    return cJSON_IsString(item) && base_name_is_plain(item->valuestring);
  case FIELD_REAL:
    return cJSON_IsNumber(item) && is_in_range(x, f->range);
  case FIELD_COUNT:
    return cJSON_IsNumber(item) && x >= 0 && x == rint(x);
  case FIELD_FLAG:
    return cJSON_IsBool(item);
  case FIELD_REALS:
  case FIELD_TEXTS:
    return is_list_of(item, f->type == FIELD_TEXTS);
  case FIELD_LIST:
    return cJSON_IsArray(item);
  default:
    return cJSON_IsObject(item);
  }
}

static int check_field(const cJSON *item, const char *file, const struct bench_field *f) {
  if (item == NULL) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': missing", file, f->path);
  }
  if (!is_of_type(item, f)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be %s%s%s", file, f->path, wanted[f->type],
                     f->type == FIELD_REAL ? ranges[f->range] : "",
                     f->presence == FIELD_NULLABLE ? ", or null" : "");
  }
  if (cJSON_IsString(item) && !is_choice(item->valuestring, f->choices)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': '%s' is none of those there are", file, f->path,
                     item->valuestring);
  }
  return BASE_OK;
}

/* Is the block of a field there? A field is not missing from a block that is not. */
static int is_wanted(const cJSON *record, const struct bench_field *f) {
  const char *dot = strrchr(f->path, '.');
  char block[64];
  snprintf(block, sizeof block, "%.*s", dot != NULL ? (int)(dot - f->path) : 0, f->path);
  return dot == NULL || base_json_at(record, block) != NULL;
}

static int check_fields(const cJSON *record, const char *file) {
  int status = BASE_OK;
  for (int i = 0; i < bench_fields_count && status == BASE_OK; ++i) {
    const struct bench_field *f = &bench_fields[i];
    const cJSON *item = base_json_at(record, f->path);
    if (is_wanted(record, f) && (item != NULL || f->presence != FIELD_OPTIONAL)) {
      status = check_field(item, file, f);
    }
  }
  return status;
}

/* Keys that no field has, but where an object holds what it wants. */
static int check_unknown(const cJSON *object, const char *file, const char *within) {
  const cJSON *item;
  int status = BASE_OK;
  cJSON_ArrayForEach(item, object) {
    char path[128];
    snprintf(path, sizeof path, "%s%s%s", within, within[0] != '\0' ? "." : "", item->string);
    const struct bench_field *f = bench_field_find(path);
    if (status == BASE_OK && f == NULL) {
      status = base_fail(BASE_E_INPUT, "%s: key '%s': not one of " BENCH_RESULT_SCHEMA, file, path);
    }
    if (status == BASE_OK && cJSON_IsObject(item) && bench_field_has_parts(f)) {
      status = check_unknown(item, file, path);
    }
  }
  return status;
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

static int is_count(const cJSON *item) {
  return is_of_type(item, &(struct bench_field){.type = FIELD_COUNT});
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
  int status = check_list(record, file, ids, n, 0, 1);
  status = status != BASE_OK ? status : check_list(record, file, values, size, 0, 1);
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
  status = check_list(record, file, counts, samples, 0, 1);
  cJSON_ArrayForEach(count, base_json_at(record, counts)) {
    if (status == BASE_OK && !is_count(count)) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': must be counts", file, counts);
    }
    total += count->valuedouble;
  }
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
  int status = check_list(record, file, "trajectory.t", n, 0, 1);
  status = status != BASE_OK ? status : check_list(record, file, "trajectory.energy", n, 0, 0);
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
    if (problem_solver_find(steps->string) == NULL || !is_count(steps)) {
      return base_fail(BASE_E_INPUT, "%s: key 'solver.chosen.%s': must be a solver, and %s", file,
                       steps->string, wanted[FIELD_COUNT]);
    }
    sum += steps->valuedouble;
  }
  rounds = base_json_at(record, "solver.rounds");
  if (!is_count(rounds) || (sum > 0) != (rounds->valuedouble > 0)) {
    return base_fail(BASE_E_INPUT, "%s: key 'solver.rounds': must be %s, zero without steps", file,
                     wanted[FIELD_COUNT]);
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

/* Who is ok got to the end. */
static int check_end(const cJSON *record, const char *file) {
  if (strcmp(base_json_text_at(record, "status"), base_status_name(BASE_OK)) == 0 &&
      base_json_real_at(record, "final.t") != base_json_real_at(record, "t_end")) {
    return base_fail(BASE_E_INPUT, "%s: key 'final.t': is not t_end although the status is ok",
                     file);
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
  status = status != BASE_OK ? status : check_fields(record, file);
  status = status != BASE_OK ? status : check_unknown(record, file, "");
  status = status != BASE_OK ? status : check_end(record, file);
  status = status != BASE_OK ? status : check_final(record, file);
  status = status != BASE_OK ? status : check_impulses(record, file, "final.impulses");
  status = status != BASE_OK ? status : check_trajectory(record, file);
  status = status != BASE_OK ? status : check_chosen(record, file);
  if (status == BASE_OK && base_json_at(record, "contact") != NULL) {
    status = bench_one_contact_check(base_json_at(record, "contact"), file);
  }
  status = status != BASE_OK ? status : bench_record_check_search(record, file);
  status = status != BASE_OK ? status : bench_record_check_threshold(record, file);
  return status != BASE_OK ? status : check_budget(record, file);
}
