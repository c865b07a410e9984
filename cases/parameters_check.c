/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The keys of a parameter file (schema coulombench.case/1), but for the values of its parameters,
 * which parameters.c judges by the same rules as --set. See parameters_check.h.
 */
#include "cases/parameters_check.h"

#include "base/json/json.h"
#include "base/status.h"

#include <string.h>

static const struct base_key formulation_keys[] = {
    {.name = "dt", .types = BASE_REAL, .range = BASE_POSITIVE, .unit = "s", .help = "step"},
    {.name = "t_end", .types = BASE_REAL, .range = BASE_POSITIVE, .unit = "s", .help = "horizon"},
    {.name = "solver", .types = BASE_TEXT, .unit = "", .help = "of its one-step problems"},
    {.name = "options",
     .types = BASE_REAL | BASE_TEXT | BASE_FLAG,
     .forms = BASE_MAP,
     .help = "of the formulation and its solver"},
    {0}};
const struct base_table case_formulation_table = {.what = "formulation", .keys = formulation_keys};

/* Where it is from; of a value that is our own choice, why. */
static int check_source(const cJSON *entry) {
  const char *source = base_json_text_at(entry, "source");
  if (source[0] == '\0') {
    return base_fail(BASE_E_INPUT, "must have a 'source' that is no empty text");
  }
  return strcmp(source, "chosen") != 0 || base_json_text_at(entry, "reason")[0] != '\0'
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "must have a 'reason': a chosen value says why");
}

static const struct base_key parameter_keys[] = {
    {.name = "value", .types = BASE_REAL | BASE_TEXT, .needs = BASE_ALWAYS},
    {.name = "unit", .types = BASE_TEXT},
    {.name = "source", .types = BASE_TEXT, .needs = BASE_ALWAYS},
    {.name = "reason", .types = BASE_TEXT, .help = "of a source that is \"chosen\""},
    {.name = "min", .types = BASE_REAL},
    {.name = "max", .types = BASE_REAL},
    {.name = "exclusive_min", .types = BASE_FLAG},
    {.name = "integer", .types = BASE_FLAG},
    {.name = "choices",
     .types = BASE_TEXT,
     .forms = BASE_LIST,
     .length = BASE_NOT_EMPTY,
     .help = "of a text"},
    {.name = "help", .types = BASE_TEXT},
    {0}};
static const struct base_table parameter_table = {.keys = parameter_keys};

static const struct base_key reference_keys[] = {
    {.name = "kind", .types = BASE_TEXT, .needs = BASE_ALWAYS, .choices = "analytic|event|self"},
    {.name = "bound",
     .types = BASE_REAL,
     .range = BASE_NOT_NEGATIVE,
     .needs = BASE_ALWAYS,
     .help = "on its own error"},
    {.name = "until",
     .types = BASE_REAL,
     .range = BASE_NOT_NEGATIVE,
     .unit = "s",
     .help = "none for longer runs"},
    {0}};
static const struct base_table reference_table = {.keys = reference_keys};

static const struct base_key file_keys[] = {
    {.name = "schema", .types = BASE_TEXT, .needs = BASE_ALWAYS, .choices = "coulombench.case/1"},
    {.name = "name", .types = BASE_NAME, .needs = BASE_ALWAYS, .help = "of the case"},
    {.name = "title", .types = BASE_TEXT, .needs = BASE_ALWAYS},
    {.name = "source", .types = BASE_TEXT, .needs = BASE_ALWAYS},
    {.name = "notes", .types = BASE_TEXT},
    {.name = "parameters",
     .types = BASE_OBJECT,
     .forms = BASE_MAP,
     .in = &parameter_table,
     .needs = BASE_ALWAYS},
    {.name = "t_end",
     .types = BASE_REAL,
     .range = BASE_POSITIVE,
     .unit = "s",
     .needs = BASE_ALWAYS},
    {.name = "dt", .types = BASE_REAL, .range = BASE_POSITIVE, .unit = "s", .needs = BASE_ALWAYS},
    {.name = "reference", .types = BASE_OBJECT, .in = &reference_table, .needs = BASE_ALWAYS},
    {.name = "formulations",
     .types = BASE_OBJECT,
     .forms = BASE_MAP,
     .in = &case_formulation_table},
    {.name = "allow_start", .types = BASE_FLAG},
    {.name = "rotation", .types = BASE_TEXT, .help = "the parameter, in rad, that turns the scene"},
    {0}};
static const struct base_table file_table = {.what = "case", .keys = file_keys};

int case_check_file(const cJSON *file, const char *name, const char *path) {
  const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(file, "parameters"), *entry;
  const int status = base_keys_check(&file_table, file, path, "", 0);
  if (status != BASE_OK) {
    return status;
  }
  if (strcmp(base_json_text_at(file, "name"), name) != 0) {
    return base_fail(BASE_E_INPUT, "%s: name: is '%s', expected '%s'", path,
                     base_json_text_at(file, "name"), name);
  }
  cJSON_ArrayForEach(entry, parameters) {
    if (check_source(entry) != BASE_OK) {
      base_message_prefix("%s: parameters.%s: ", path, entry->string);
      return BASE_E_INPUT;
    }
  }
  const char *turn = base_json_text_at(file, "rotation");
  const cJSON *angle = cJSON_GetObjectItemCaseSensitive(parameters, turn);
  return turn[0] == '\0' || strcmp(base_json_text_at(angle, "unit"), "rad") == 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s: rotation: must name a parameter in rad", path);
}
