/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is a parameter file (schema coulombench.case/1) what it should be, key by key, but for the values
 * of its parameters, which parameters.c judges by the same rules as --set? See parameters_check.h.
 */
#include "cases/parameters_check.h"

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CASE_MESSAGE_SIZE = 512 };

static const char *const file_keys[] = {
    "schema",    "name",         "title", "source",      "parameters", "t_end", "dt",
    "reference", "formulations", "notes", "allow_start", "rotation",   NULL};
static const char *const parameter_keys[] = {"value", "unit",          "source",  "reason",  "min",
                                             "max",   "exclusive_min", "integer", "choices", "help",
                                             NULL};

/* The keys beside the value: types of those that are there, a source, and a reason where the source
 * is our own choice. */
static int check_keys(const cJSON *entry, const char *path) {
  static const char *const texts[] = {"unit", "source", "reason", "help"};
  static const char *const reals[] = {"min", "max"};
  static const char *const flags[] = {"exclusive_min", "integer"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, texts[i]);
    if (item != NULL && !cJSON_IsString(item)) {
      return base_fail(BASE_E_INPUT, "%s: key 'parameters.%s.%s' must be a text", path,
                       entry->string, texts[i]);
    }
  }
  for (size_t i = 0; i < sizeof reals / sizeof reals[0]; ++i) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, reals[i]);
    if (item != NULL && !(cJSON_IsNumber(item) && isfinite(item->valuedouble))) {
      return base_fail(BASE_E_INPUT, "%s: key 'parameters.%s.%s' must be a finite number", path,
                       entry->string, reals[i]);
    }
  }
  for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(entry, flags[i]);
    if (item != NULL && !cJSON_IsBool(item)) {
      return base_fail(BASE_E_INPUT, "%s: key 'parameters.%s.%s' must be true or false", path,
                       entry->string, flags[i]);
    }
  }
  const char *source = base_json_text_at(entry, "source");
  if (source[0] == '\0') {
    return base_fail(BASE_E_INPUT, "%s: key 'parameters.%s.source' is missing", path,
                     entry->string);
  }
  if (strcmp(source, "chosen") == 0 && base_json_text_at(entry, "reason")[0] == '\0') {
    return base_fail(BASE_E_INPUT,
                     "%s: key 'parameters.%s.reason' is missing: a chosen value says why", path,
                     entry->string);
  }
  return BASE_OK;
}

int case_check_parameter(const cJSON *entry, const char *path) {
  char where[CASE_MESSAGE_SIZE];
  snprintf(where, sizeof where, "parameters.%s", entry->string);
  if (!cJSON_IsObject(entry)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s' must be an object", path, where);
  }
  const int status = base_json_refuse_unknown(entry, path, where, parameter_keys);
  return status != BASE_OK ? status : check_keys(entry, path);
}

/* A finite number greater than 0 at a dotted key. */
static int check_positive(const cJSON *file, const char *key, const char *path) {
  double x = 0;
  const int status = base_json_get_real(file, key, path, -HUGE_VAL, HUGE_VAL, &x);
  if (status == BASE_OK && !(x > 0)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': %g is not greater than 0", path, key, x);
  }
  return status;
}

int case_check_formulations(const cJSON *file, const char *path) {
  static const char *const known[] = {"dt", "t_end", "options", "solver", NULL};
  const cJSON *all = cJSON_GetObjectItemCaseSensitive(file, "formulations"), *one = NULL;
  if (all == NULL) {
    return BASE_OK;
  }
  if (!cJSON_IsObject(all)) {
    return base_fail(BASE_E_INPUT, "%s: key 'formulations' must be an object", path);
  }
  cJSON_ArrayForEach(one, all) {
    char where[CASE_MESSAGE_SIZE];
    snprintf(where, sizeof where, "formulations.%s", one->string);
    if (!cJSON_IsObject(one)) {
      return base_fail(BASE_E_INPUT, "%s: key '%s' must be an object", path, where);
    }
    int status = base_json_refuse_unknown(one, path, where, known);
    for (int k = 0; k < 2 && status == BASE_OK; ++k) {
      if (cJSON_GetObjectItemCaseSensitive(one, known[k]) != NULL) {
        snprintf(where, sizeof where, "formulations.%s.%s", one->string, known[k]);
        status = check_positive(file, where, path);
      }
    }
    if (status != BASE_OK) {
      return status;
    }
  }
  return BASE_OK;
}

static int check_reference(const cJSON *file, const char *path) {
  static const char *const known[] = {"kind", "bound", "until", NULL};
  static const char *const kinds[] = {"analytic", "event", "self"};
  const cJSON *reference = cJSON_GetObjectItemCaseSensitive(file, "reference");
  const char *kind = NULL;
  double bound = 0, until = 0;
  if (!cJSON_IsObject(reference)) {
    return base_fail(BASE_E_INPUT, "%s: key 'reference' must be an object", path);
  }
  int status = base_json_refuse_unknown(reference, path, "reference", known);
  if (status == BASE_OK) {
    status = base_json_get_text(reference, "kind", path, &kind);
  }
  if (status == BASE_OK && base_name_find("reference kind", kind, 3, kinds) < 0) {
    base_message_prefix("%s: key 'reference.kind': ", path);
    status = BASE_E_INPUT;
  }
  if (status == BASE_OK) {
    status = base_json_get_real(reference, "bound", path, 0, HUGE_VAL, &bound);
  }
  if (status == BASE_OK && cJSON_HasObjectItem(reference, "until")) {
    status = base_json_get_real(reference, "until", path, 0, HUGE_VAL, &until);
  }
  return status;
}

/* The parameter named must be an angle. */
static int check_rotation(const cJSON *file, const char *path) {
  const cJSON *turn = cJSON_GetObjectItemCaseSensitive(file, "rotation");
  const char *unit =
      cJSON_IsString(turn)
          ? base_json_text_at(cJSON_GetObjectItemCaseSensitive(base_json_at(file, "parameters"),
                                                               turn->valuestring),
                              "unit")
          : "";
  return turn == NULL || strcmp(unit, "rad") == 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s: key 'rotation': must name a parameter in rad", path);
}

int case_check_file(const cJSON *file, const char *name, const char *path) {
  const char *text = NULL;
  int status = base_json_expect_schema(file, path, "coulombench.case/1");
  if (status == BASE_OK) {
    status = base_json_refuse_unknown(file, path, "", file_keys);
  }
  if (status == BASE_OK) {
    status = base_json_get_text(file, "name", path, &text);
  }
  if (status == BASE_OK && strcmp(text, name) != 0) {
    status = base_fail(BASE_E_INPUT, "%s: key 'name' is '%s', expected '%s'", path, text, name);
  }
  for (int k = 0; k < 2 && status == BASE_OK; ++k) {
    status = base_json_get_text(file, k == 0 ? "title" : "source", path, &text);
  }
  for (int k = 0; k < 2 && status == BASE_OK; ++k) {
    status = check_positive(file, k == 0 ? "t_end" : "dt", path);
  }
  const cJSON *allow = cJSON_GetObjectItemCaseSensitive(file, "allow_start");
  if (status == BASE_OK && allow != NULL && !cJSON_IsBool(allow)) {
    status = base_fail(BASE_E_INPUT, "%s: key 'allow_start': must be true or false", path);
  }
  if (status == BASE_OK) {
    status = check_reference(file, path);
  }
  status = status != BASE_OK ? status : check_rotation(file, path);
  if (status == BASE_OK) {
    status = case_check_formulations(file, path);
  }
  return status;
}
