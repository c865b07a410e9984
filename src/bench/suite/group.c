/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all cells of a group share, from an object of "cells" in a suite's file: case, label,
 * solver, horizon, search, ensemble, parameters, options and what is expected; see cells.h. Lists
 * that make several cells of one group are the business of cells.c.
 */
#include "bench/suite/cells.h"

#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/ensemble/ensemble.h"
#include "bench/job/asked.h"
#include "bench/search/search.h"
#include "bench/suite/expect.h"

void bench_cells_pairs(const cJSON *group, const char *key, struct base_arena *arena,
                       struct base_words *pairs) {
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, key)) {
    base_words_add(pairs,
                   base_arena_printf(arena, "%s=%s", item->string, bench_option_text(item, arena)),
                   arena);
  }
}

void bench_cells_default(struct bench_builder *b, const cJSON *group, const char *formulation,
                         struct bench_cell *cell) {
  const cJSON *own = cJSON_GetObjectItemCaseSensitive(b->defaults, formulation);
  if (own != NULL && cJSON_GetObjectItemCaseSensitive(group, "opt") == NULL) {
    bench_cells_pairs(own, "opt", b->arena, &cell->request.opt);
  }
}

void bench_suite_label(const cJSON *group, struct base_arena *arena, struct bench_cell *cell) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(group, "label"));
  if (text != NULL) {
    cell->given_label = base_arena_copy(arena, text);
    cell->place.label = base_name_clean(text, arena);
  }
}

int bench_cells_check_defaults(const struct bench_builder *b) {
  const cJSON *item;
  cJSON_ArrayForEach(item, b->defaults) {
    if (form_find(item->string) == NULL) {
      base_message_prefix("%s: defaults: ", b->file);
      return BASE_E_INPUT;
    }
  }
  return BASE_OK;
}

void bench_cells_real(const cJSON *object, const char *key, double *x) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *x = item != NULL ? item->valuedouble : *x;
}

void bench_cells_count(const cJSON *object, const char *key, int *n) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *n = item != NULL ? item->valueint : *n;
}

/* "search" and "until", as --search and --until have them; "until" may be a list. */
static int read_search(struct bench_builder *b, const cJSON *group, struct bench_request *request) {
  const cJSON *search = cJSON_GetObjectItemCaseSensitive(group, "search");
  const cJSON *until = cJSON_GetObjectItemCaseSensitive(group, "until"), *item;
  if (search == NULL) {
    return until == NULL ? BASE_OK
                         : base_fail(BASE_E_INPUT, "%s: until: goes with search", b->file);
  }
  request->search = base_arena_copy(b->arena, search->valuestring);
  int n = 0;
  for (item = cJSON_IsArray(until) ? until->child : until; item != NULL;
       item = cJSON_IsArray(until) ? item->next : NULL) {
    if (n == BENCH_UNTIL_MAX) {
      return base_fail(BASE_E_INPUT, "%s: until: must be a list of at most %d", b->file,
                       BENCH_UNTIL_MAX);
    }
    request->until[n++] = base_arena_copy(b->arena, item->valuestring);
  }
  return BASE_OK;
}

const char *bench_suite_folder(const char *path, struct base_arena *arena) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? base_arena_printf(arena, "%.*s", (int)(slash - path), path) : NULL;
}

const struct case_type *bench_cells_case(struct bench_builder *b, const cJSON *group) {
  const char *name = base_json_text_at(group, "case");
  if (b->opened == NULL || strcmp(b->opened_name, name) != 0) {
    b->opened = case_open(name, bench_suite_folder(b->file, b->arena), b->arena);
    b->opened_name = base_arena_copy(b->arena, name);
  }
  if (b->opened == NULL) {
    base_message_prefix("%s: key 'case': ", b->file);
  }
  return b->opened;
}

int bench_cells_read(struct bench_builder *b, const cJSON *group, struct bench_cell *model) {
  struct bench_request *request = &model->request;
  const struct case_type *type = bench_cells_case(b, group);
  if (type == NULL) {
    return BASE_E_INPUT;
  }
  model->case_name = type->name;
  request->case_name = type->path != NULL ? type->path : model->case_name;
  bench_suite_label(group, b->arena, model);
  const char *study = base_json_text_at(group, "study");
  model->place.study = study[0] != '\0' ? base_arena_copy(b->arena, study) : NULL;
  bench_cells_real(group, "t_end", &request->t_end);
  bench_cells_real(group, "sample", &request->sample);
  request->time_limit = b->time_limit;
  bench_cells_real(group, "time_limit", &request->time_limit);
  int status = read_search(b, group, request);
  request->repeat = request->search != NULL ? 0 : b->repeat;
  bench_cells_count(group, "repeat", &request->repeat);
  bench_cells_count(group, "threads", &request->threads);
  const cJSON *solver = cJSON_GetObjectItemCaseSensitive(group, "solver");
  if (status == BASE_OK && solver != NULL) {
    status = bench_suite_solver(solver, b->file, "solver", b->arena, &request->solver,
                                &model->place.solver);
  }
  const cJSON *ensemble = cJSON_GetObjectItemCaseSensitive(group, "ensemble");
  if (status == BASE_OK && ensemble != NULL) {
    status = bench_ensemble_read(ensemble, b->file, b->arena, &request->ensemble);
  }
  bench_cells_pairs(group, "set", b->arena, &request->set);
  bench_cells_pairs(group, "opt", b->arena, &request->opt);
  const char *where = base_arena_printf(b->arena, "%s: cells of '%s%s%s'", b->file,
                                        model->case_name, model->place.label != NULL ? "--" : "",
                                        model->place.label != NULL ? model->place.label : "");
  if (status == BASE_OK && b->expected == NULL) {
    status = bench_expect_read(group, where, b->file, b->arena, b->suite, &b->expected);
  }
  model->expected = b->expected;
  return status;
}
