/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Questions to simulators of others (coulombench.simulate/1, src/peers/README.md), as a table: what
 * such a program may rely on. Scenes in it are scene files.
 */
#include <cjson/cJSON.h>

#include "base/json/keys.h"
#include "bench/record/check_fields.h"
#include "cases/case.h"
#include "form/simulator/simulator.h"

static const struct base_key question_keys[] = {
    {.name = "schema",
     .types = BASE_TEXT,
     .needs = BASE_ALWAYS,
     .choices = FORM_SIMULATOR_QUESTION},
    {.name = "scene",
     .types = BASE_OBJECT,
     .needs = BASE_ALWAYS,
     .in = &case_scene_keys,
     .help = "at the start, with everything written out"},
    {.name = "bodies",
     .types = BASE_TEXT,
     .forms = BASE_LIST,
     .needs = BASE_ALWAYS,
     .help = "that move, in the order of the states"},
    {.name = "dt",
     .types = BASE_REAL,
     .range = BASE_POSITIVE,
     .needs = BASE_ALWAYS,
     .unit = "s",
     .help = "step that is asked for"},
    {.name = "times",
     .types = BASE_REAL,
     .forms = BASE_LIST,
     .length = BASE_NOT_EMPTY,
     .range = BASE_POSITIVE,
     .needs = BASE_ALWAYS,
     .unit = "s",
     .help = "when states are wanted, ascending"},
    {.name = "options", .types = BASE_OBJECT, .needs = BASE_ALWAYS, .help = "of the formulation"},
    {.name = "time_limit", .types = BASE_REAL, .unit = "s", .help = "what is left of the run's"},
    {0}};
const struct base_table bench_question_keys = {.what = "question", .keys = question_keys};

int bench_question_check(const cJSON *question, const char *file) {
  const cJSON *scene = cJSON_GetObjectItemCaseSensitive(question, "scene");
  const cJSON *dimension = cJSON_GetObjectItemCaseSensitive(scene, "dimension");
  return base_keys_check(&bench_question_keys, question, file, "",
                         cJSON_IsNumber(dimension) && dimension->valuedouble == 2 ? 2 : 3);
}
