/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The block `cell` of records; see cell.h.
 */
#include "bench/job/cell.h"

#include <cjson/cJSON.h>

static void add_text(cJSON *block, const char *key, const char *text) {
  cJSON_AddItemToObject(block, key, text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
}

cJSON *bench_place_json(const struct bench_place *place) {
  cJSON *block = cJSON_CreateObject();
  add_text(block, "suite", place->suite);
  add_text(block, "id", place->id);
  add_text(block, "label", place->label);
  add_text(block, "study", place->study);
  add_text(block, "figure", place->figure);
  add_text(block, "solver", place->solver);
  cJSON *swept = cJSON_AddObjectToObject(block, "swept");
  for (int i = 0; i < place->n_swept; ++i) {
    add_text(swept, place->swept[i].key, place->swept[i].value);
  }
  return block;
}
