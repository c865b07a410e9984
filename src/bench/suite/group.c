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

/* {"key": number | text | true | false} -> "key=value" pairs. */
static int read_pairs(struct bench_builder *b, const cJSON *group, const char *key, int *n,
                      const char **pairs) {
  const cJSON *item;
  cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(group, key)) {
    if (*n == BENCH_PAIRS_MAX) {
      return base_fail(BASE_E_INPUT, "%s: %s: more than %d pairs", b->file, key, BENCH_PAIRS_MAX);
    }
    pairs[(*n)++] =
        base_arena_printf(b->arena, "%s=%s", item->string, bench_option_text(item, b->arena));
  }
  return BASE_OK;
}

void bench_suite_label(const cJSON *group, struct base_arena *arena, struct bench_cell *cell) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(group, "label"));
  if (text != NULL) {
    cell->given_label = base_arena_copy(arena, text);
    cell->place.label = base_name_clean(text, arena);
  }
}

int bench_cells_real(const cJSON *object, const char *key, double *x) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *x = item != NULL ? item->valuedouble : *x;
  return item != NULL;
}

int bench_cells_count(const cJSON *object, const char *key, int *n) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  *n = item != NULL ? item->valueint : *n;
  return item != NULL;
}

/* "search": {"dt": [lo, hi], "limit": x, "ratio": x}; bench_search_check() looks at the values. */
static void read_search(const struct bench_builder *b, const cJSON *group,
                        struct bench_request *request) {
  const cJSON *search = cJSON_GetObjectItemCaseSensitive(group, "search");
  if (cJSON_IsString(search)) { /* of a parameter, until a condition holds no more */
    request->threshold = base_arena_copy(b->arena, search->valuestring);
    request->until = base_arena_copy(b->arena, base_json_text_at(group, "until"));
  } else if (search != NULL) {
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(search, "dt")->child;
    request->has_search = 1;
    request->search = bench_search_default();
    request->search.lo = range->valuedouble;
    request->search.hi = range->next->valuedouble;
    bench_cells_real(search, "limit", &request->search.limit);
    bench_cells_real(search, "ratio", &request->search.ratio);
  }
}

const char *bench_suite_folder(const char *path, struct base_arena *arena) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? base_arena_printf(arena, "%.*s", (int)(slash - path), path) : NULL;
}

int bench_cells_read(struct bench_builder *b, const cJSON *group, struct bench_cell *model) {
  struct bench_request *request = &model->request;
  const char *text = base_json_text_at(group, "case");
  const struct case_type *type = case_open(text, bench_suite_folder(b->file, b->arena), b->arena);
  if (type == NULL) {
    base_message_prefix("%s: key 'case': ", b->file);
    return BASE_E_INPUT;
  }
  model->case_name = type->name;
  request->case_name = type->path != NULL ? type->path : model->case_name;
  bench_suite_label(group, b->arena, model);
  const char *study = base_json_text_at(group, "study");
  model->place.study = study[0] != '\0' ? base_arena_copy(b->arena, study) : NULL;
  request->has_t_end = bench_cells_real(group, "t_end", &request->t_end);
  request->has_sample = bench_cells_real(group, "sample", &request->sample);
  request->time_limit = b->time_limit;
  bench_cells_real(group, "time_limit", &request->time_limit);
  read_search(b, group, request);
  request->repeat = request->has_search ? 0 : b->repeat;
  bench_cells_count(group, "repeat", &request->repeat);
  const cJSON *solver = cJSON_GetObjectItemCaseSensitive(group, "solver");
  int status = BASE_OK;
  if (solver != NULL) {
    status = bench_suite_solver(solver, b->file, "solver", b->arena, &request->solver,
                                &model->place.solver);
  }
  const cJSON *ensemble = cJSON_GetObjectItemCaseSensitive(group, "ensemble");
  if (status == BASE_OK && ensemble != NULL) {
    status = bench_ensemble_read(ensemble, b->file, b->arena, &request->ensemble);
  }
  status = status != BASE_OK ? status : read_pairs(b, group, "set", &request->n_set, request->set);
  status = status != BASE_OK ? status : read_pairs(b, group, "opt", &request->n_opt, request->opt);
  const char *where = base_arena_printf(b->arena, "%s: cells of '%s%s%s'", b->file,
                                        model->case_name, model->place.label != NULL ? "--" : "",
                                        model->place.label != NULL ? model->place.label : "");
  if (status == BASE_OK && b->expected == NULL) {
    status = bench_expect_read(group, where, b->file, b->arena, b->suite, &b->expected);
  }
  model->expected = b->expected;
  return status;
}
