/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inputs of a record must be valid inputs of this program: case, parameters, formulation, law,
 * solver and their options, checked by the tables that resolve a run.
 */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory/arena.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/job.h"
#include "bench/job/key.h"
#include "bench/outcome/members.h"
#include "bench/record/check_fields.h"
#include "bench/record/record.h"
#include "cases/case.h"
#include "problem/solver.h"

/* Parameters of a registered case, each as --set would have it. */
static int check_parameters(const cJSON *parameters, const struct case_type *type,
                            struct base_arena *arena) {
  struct case_parameters *p = case_parameters_load(type, arena);
  const cJSON *item;
  int status = p != NULL ? BASE_OK : BASE_E_INPUT;
  cJSON_ArrayForEach(item, parameters) {
    const char *text = bench_option_text(item, arena);
    if (status == BASE_OK && text == NULL) {
      return base_fail(BASE_E_INPUT, "%s: parameter '%s' is neither a number nor a text",
                       type->name, item->string);
    }
    status = status != BASE_OK ? status : case_parameters_set(p, item->string, text);
  }
  return status;
}

/* A scene stands in its record as a whole, any other case is registered. */
static int check_case(const cJSON *record, const char *file, struct base_arena *arena) {
  const cJSON *parameters = base_json_at(record, "case.parameters");
  const char *name = base_json_text_at(record, "case.name");
  if (cJSON_HasObjectItem(parameters, "schema")) {
    const int status = base_json_expect_schema(parameters, file, "coulombench.scene/1");
    if (status == BASE_OK && strcmp(base_json_text_at(parameters, "name"), name) != 0) {
      return base_fail(BASE_E_INPUT, "%s: key 'case.name': is not the name of the scene, '%s'",
                       file, base_json_text_at(parameters, "name"));
    }
    return status;
  }
  const struct case_type *type = case_find(name);
  const int status = type != NULL ? check_parameters(parameters, type, arena) : BASE_E_INPUT;
  if (status != BASE_OK) {
    base_message_prefix("%s: key 'case.%s': ", file, type != NULL ? "parameters" : "name");
  }
  return status;
}

int bench_options_check(const cJSON *object, const char *file, const char *path, const char *owner,
                        int n, const struct base_option *const *tables) {
  const cJSON *item;
  int status = BASE_OK;
  cJSON_ArrayForEach(item, object) {
    int i = n - 1;
    while (i > 0 && base_options_find(tables[i], item->string) == NULL) {
      --i; /* one that none has is unknown to the first */
    }
    status = status != BASE_OK ? status : base_options_check(tables[i], owner, item);
  }
  if (status != BASE_OK) {
    base_message_prefix("%s: key '%s': ", file, path);
  }
  return status;
}

static int check_formulation(const cJSON *record, const char *file) {
  const cJSON *options = base_json_at(record, "formulation.options");
  const char *law = cJSON_GetStringValue(base_json_at(record, "formulation.law"));
  const struct form *form = form_find(base_json_text_at(record, "formulation.name"));
  enum contact_law which;
  if (form == NULL) {
    base_message_prefix("%s: key 'formulation.name': ", file);
    return BASE_E_INPUT;
  }
  if (law != NULL && contact_law_parse(law, &which) != BASE_OK) {
    base_message_prefix("%s: key 'formulation.law': ", file);
    return BASE_E_INPUT;
  }
  return bench_options_check(options, file, "formulation.options", form->name, 1, &form->options);
}

/* Beyond bench_record_check, which reports ask: are case, parameters, formulation, law, solver and
 * options ones there are? */
static int check_asked(const cJSON *record, const char *file) {
  struct base_arena *arena = base_arena_alloc();
  int status = check_case(record, file, arena);
  base_arena_free(arena);
  status = status != BASE_OK ? status : check_formulation(record, file);
  status = status != BASE_OK ? status : bench_ensemble_check_record(record, file, 1);
  const cJSON *variation = cJSON_GetObjectItemCaseSensitive(record, "variation");
  if (status == BASE_OK && variation != NULL) {
    const struct base_option *table = bench_variation_options;
    status = bench_options_check(variation, file, "variation", "run", 1, &table);
  }
  return status != BASE_OK ? status : bench_solver_check(record, file, bench_switch_options);
}

int bench_record_check_whole(const cJSON *record, const char *file) {
  int status = bench_record_expect(record, file);
  status = status != BASE_OK ? status : bench_record_check(record, file);
  status = status != BASE_OK ? status : check_asked(record, file);
  return status != BASE_OK ? status : bench_key_check(record, file);
}
