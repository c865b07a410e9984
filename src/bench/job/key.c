/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys; see key.h.
 */
#include "bench/job/key.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes/hash.h"
#include "base/json/json.h"
#include "base/options.h"
#include "base/status.h"
#include "bench/job/asked.h"
#include "bench/job/provenance.h"

enum { KEY_SIZE = 200 };

static const struct {
  const char *name, *difference;
} parts[] = {{"cell", "other parameters, options or times"},
             {"data", "another file of the case, scene or problem"},
             {"case", "other sources of the case"},
             {"sources", "other sources"},
             {"build", "another compiler, flags or libraries"},
             {"limit", "another time limit"}};

static const char *key_of(uint64_t cell, uint64_t data, const char *const *own,
                          const char *const *shared, struct base_arena *arena) {
  const uint64_t hashes[] = {cell, data, bench_provenance_sources(own),
                             bench_provenance_sources(shared), bench_provenance_build()};
  const char *key = "";
  for (size_t i = 0; i < sizeof hashes / sizeof *hashes; ++i) {
    char text[BASE_HASH_TEXT];
    key = base_arena_printf(arena, "%s%s%s=%s", key, i > 0 ? " " : "", parts[i].name,
                            base_hash_print(hashes[i], text));
  }
  return key;
}

const char *bench_key_run(const struct bench_job *job, uint64_t data, struct base_arena *arena) {
  static const char *const shared[] = {"base", "la",    "contact", "mech",  "problem",
                                       "form", "bench", "cases",   "extra", NULL};
  const char *own[] = {base_arena_printf(arena, "cases/%s", job->type->name), NULL};
  if (job->type->path != NULL) { /* a scene has no sources of its own, whatever its name */
    own[0] = NULL;
  }
  cJSON *asked = cJSON_CreateObject();
  cJSON_AddStringToObject(asked, "case", job->type->name);
  cJSON_AddItemToObject(asked, "parameters", case_parameters_to_json(job->parameters));
  cJSON_AddStringToObject(asked, "formulation", job->form->name);
  cJSON_AddItemToObject(asked, "formulation_options",
                        base_options_to_json(job->form->options, job->form_options));
  cJSON_AddStringToObject(asked, "law", job->form->has_law ? contact_law_name(job->law) : "");
  cJSON_AddStringToObject(asked, "solver", job->solver != NULL ? job->solver->name : "");
  cJSON_AddItemToObject(asked, "solver_options", bench_job_solver_options_json(job));
  cJSON_AddItemToObject(asked, "variation",
                        base_options_to_json(bench_variation_options, &job->variation));
  base_json_add_real(asked, "dt", job->dt);
  base_json_add_real(asked, "t_end", job->t_end);
  base_json_add_real(asked, "sample", job->request->sample);
  base_json_add_real(asked, "threads", job->request->threads);
  base_json_add_real(asked, "repeat", job->request->repeat);
  cJSON_AddStringToObject(asked, "search",
                          job->search != NULL ? bench_search_words(job->search, arena) : "");
  if (job->search != NULL) { /* of a run the options tell the tolerance */
    cJSON_AddBoolToObject(asked, "is_balanced", job->is_balanced);
  }
  cJSON_AddStringToObject(asked, "ensemble",
                          bench_ensemble_is_asked(&job->request->ensemble)
                              ? bench_ensemble_text(&job->request->ensemble, arena)
                              : "");
  const uint64_t cell = base_json_hash(BASE_HASH_EMPTY, asked);
  cJSON_Delete(asked);
  return key_of(cell, data, own, shared, arena);
}

const char *bench_key_solve(const cJSON *asked, uint64_t data, struct base_arena *arena) {
  static const char *const own[] = {NULL};
  static const char *const shared[] = {"base", "la", "contact", "problem", "bench", "extra", NULL};
  return key_of(base_json_hash(BASE_HASH_EMPTY, asked), data, own, shared, arena);
}

/* ---- in records ---- */

static uint64_t checksum(const cJSON *record) {
  uint64_t hash = BASE_HASH_EMPTY;
  const cJSON *block;
  cJSON_ArrayForEach(block, record) {
    if (strcmp(block->string, "timing") != 0 && strcmp(block->string, "provenance") != 0) {
      hash = base_json_hash(base_hash_text(hash, block->string), block);
    }
  }
  return hash;
}

static const char *with_limit(const char *key, double limit, char text[KEY_SIZE]) {
  char number[BASE_JSON_NUMBER_SIZE];
  snprintf(text, KEY_SIZE, "%s limit=%s", key, base_json_number(limit, number));
  return text;
}

void bench_key_add(cJSON *record, const char *key, double limit) {
  cJSON *provenance = cJSON_GetObjectItemCaseSensitive(record, "provenance");
  char text[KEY_SIZE], hash[BASE_HASH_TEXT];
  cJSON_AddStringToObject(provenance, "key", limit < 0 ? key : with_limit(key, limit, text));
  cJSON_AddStringToObject(provenance, "checksum", base_hash_print(checksum(record), hash));
}

int bench_key_check(const cJSON *record, const char *file) {
  const char *written = base_json_text_at(record, "provenance.checksum");
  char hash[BASE_HASH_TEXT];
  if (written[0] == '\0' || strcmp(written, base_hash_print(checksum(record), hash)) == 0) {
    return BASE_OK;
  }
  return base_fail(
      BASE_E_INPUT,
      "%s: key 'provenance.checksum': %s is not that of the record, %s: it was changed "
      "after it was written",
      file, written, hash);
}

/* The value of a part of a key up to the next blank, *length letters; NULL: it has no such part. */
static const char *part_of(const char *key, const char *name, size_t *length) {
  const size_t n = strlen(name);
  while (strncmp(key, name, n) != 0 || key[n] != '=') {
    key += strcspn(key, " ");
    if (*key == '\0') {
      return NULL;
    }
    ++key;
  }
  *length = strcspn(key + n + 1, " ");
  return key + n + 1;
}

const char *bench_key_compare(const char *found, const char *key) {
  size_t length = 0, wanted_length = 0;
  if (strcmp(key, found) == 0) {
    return NULL;
  }
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    const char *wanted = part_of(key, parts[i].name, &wanted_length);
    const char *other = part_of(found, parts[i].name, &length);
    if (wanted != NULL && other != NULL &&
        (length != wanted_length || strncmp(wanted, other, length) != 0)) {
      return parts[i].difference;
    }
  }
  return "no key of this program";
}

const char *bench_key_difference(const cJSON *record, const char *key, double limit) {
  const char *found = base_json_text_at(record, "provenance.key");
  char text[KEY_SIZE];
  size_t length = 0;
  const int is_cut = part_of(found, "limit", &length) != NULL;
  return bench_key_compare(found, is_cut ? with_limit(key, limit, text) : key);
}
