/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What all cells of a group share, from an object of "cells" in a suite's file: case, label,
 * solver, horizon, search, ensemble, parameters, options and what is expected; see cells.h. Lists
 * that make several cells of one group are the business of cells.c.
 */
#include "bench/suite/cells.h"

#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/ensemble/ensemble.h"
#include "bench/job/asked.h"
#include "bench/search/search.h"
#include "bench/suite/expect.h"
#include "bench/suite/keys.h"

enum { REPEAT_MAX = 1024 };

/* {"key": number | text | true | false} -> "key=value" pairs. */
static int read_pairs(struct bench_builder *b, const cJSON *group, const char *key, int *n,
                      const char **pairs) {
  const cJSON *object = cJSON_GetObjectItemCaseSensitive(group, key), *item;
  if (object != NULL && !cJSON_IsObject(object)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be an object", b->file, key);
  }
  cJSON_ArrayForEach(item, object) {
    const char *value = bench_option_text(item, b->arena);
    if (value == NULL) {
      return base_fail(BASE_E_INPUT, "%s: key '%s.%s': must be a number, a text, true or false",
                       b->file, key, item->string);
    }
    if (*n == BENCH_PAIRS_MAX) {
      return base_fail(BASE_E_INPUT, "%s: key '%s': more than %d pairs", b->file, key,
                       BENCH_PAIRS_MAX);
    }
    pairs[(*n)++] = base_arena_printf(b->arena, "%s=%s", item->string, value);
  }
  return BASE_OK;
}

int bench_suite_label(const cJSON *group, const char *file, struct base_arena *arena,
                      struct bench_cell *cell) {
  const char *text;
  const int status = base_json_get_text(group, "label", file, &text);
  if (status == BASE_OK) {
    cell->given_label = base_arena_copy(arena, text);
    cell->place.label = base_name_clean(text, arena);
  }
  return status;
}

/* "study": the name of one. */
static int read_study(const struct bench_builder *b, const cJSON *group, const char **study) {
  const char *text;
  int status = base_json_get_text(group, "study", b->file, &text);
  const int at =
      status == BASE_OK ? base_name_find("study", text, BENCH_STUDY_COUNT, bench_study_names) : -1;
  if (status == BASE_OK && at < 0) {
    base_message_prefix("%s: key 'study': ", b->file);
    status = BASE_E_INPUT;
  }
  *study = at >= 0 ? bench_study_names[at] : NULL;
  return status;
}

int bench_cells_optional(struct bench_builder *b, const cJSON *group, const char *key, int *has,
                         double *x) {
  *has = cJSON_GetObjectItemCaseSensitive(group, key) != NULL;
  return *has ? base_json_get_real(group, key, b->file, 0, INFINITY, x) : BASE_OK;
}

int bench_cells_repeat(struct bench_builder *b, const cJSON *object, int *repeat) {
  return cJSON_GetObjectItemCaseSensitive(object, "repeat") != NULL
             ? base_json_get_int(object, "repeat", b->file, 0, REPEAT_MAX, repeat)
             : BASE_OK;
}

/* "search": {"dt": [lo, hi], "limit": x, "ratio": x}; bench_search_check() looks at the values. */
static int read_search(struct bench_builder *b, const cJSON *group, struct bench_request *request) {
  const cJSON *search = cJSON_GetObjectItemCaseSensitive(group, "search");
  double dt[2];
  int has;
  if (search == NULL) {
    return BASE_OK;
  }
  if (cJSON_IsString(search)) { /* of a parameter, until a condition holds no more */
    const char *until;
    const int status = base_json_get_text(group, "until", b->file, &until);
    if (status == BASE_OK) {
      request->threshold = base_arena_copy(b->arena, search->valuestring);
      request->until = base_arena_copy(b->arena, until);
    }
    return status;
  }
  if (!cJSON_IsObject(search)) {
    return base_fail(BASE_E_INPUT, "%s: key 'search': must be an object", b->file);
  }
  request->has_search = 1;
  request->search = bench_search_default();
  int status = bench_suite_refuse_unknown(search, SUITE_SEARCH, b->file, "search");
  status = status != BASE_OK ? status : base_json_get_reals(search, "dt", b->file, 2, dt, NULL);
  if (status != BASE_OK) {
    return status;
  }
  request->search.lo = dt[0];
  request->search.hi = dt[1];
  status = bench_cells_optional(b, search, "limit", &has, &request->search.limit);
  return status != BASE_OK ? status
                           : bench_cells_optional(b, search, "ratio", &has, &request->search.ratio);
}

const char *bench_suite_folder(const char *path, struct base_arena *arena) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? base_arena_printf(arena, "%.*s", (int)(slash - path), path) : NULL;
}

int bench_cells_read(struct bench_builder *b, const cJSON *group, struct bench_cell *model) {
  struct bench_request *request = &model->request;
  const char *text;
  request->time_limit = b->time_limit;
  int status = bench_suite_refuse_unknown(group, SUITE_CELLS, b->file, "cells");
  status = status != BASE_OK ? status : base_json_get_text(group, "case", b->file, &text);
  if (status != BASE_OK) {
    return status;
  }
  const struct case_type *type = case_open(text, bench_suite_folder(b->file, b->arena), b->arena);
  if (type == NULL) {
    base_message_prefix("%s: key 'case': ", b->file);
    return BASE_E_INPUT;
  }
  model->case_name = type->name;
  request->case_name = type->path != NULL ? type->path : model->case_name;
  if (cJSON_GetObjectItemCaseSensitive(group, "label") != NULL) {
    status = bench_suite_label(group, b->file, b->arena, model);
  }
  if (status == BASE_OK && cJSON_GetObjectItemCaseSensitive(group, "study") != NULL) {
    status = read_study(b, group, &model->place.study);
  }
  const cJSON *solver = cJSON_GetObjectItemCaseSensitive(group, "solver");
  if (status == BASE_OK && solver != NULL) {
    status = bench_suite_solver(solver, b->file, "solver", b->arena, &request->solver,
                                &model->place.solver);
  }
  status = status != BASE_OK
               ? status
               : bench_cells_optional(b, group, "t_end", &request->has_t_end, &request->t_end);
  status = status != BASE_OK
               ? status
               : bench_cells_optional(b, group, "sample", &request->has_sample, &request->sample);
  int has_limit;
  status = status != BASE_OK
               ? status
               : bench_cells_optional(b, group, "time_limit", &has_limit, &request->time_limit);
  status = status != BASE_OK ? status : read_search(b, group, request);
  request->repeat = request->has_search ? 0 : b->repeat;
  status = status != BASE_OK ? status : bench_cells_repeat(b, group, &request->repeat);
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
