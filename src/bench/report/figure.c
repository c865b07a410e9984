/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records into series, checks into JSON; see figure.h.
 */
#include "bench/report/figure.h"

#include <math.h>

#include "base/json/json.h"
#include "base/status.h"

cJSON *bench_plot_checks_to_json(const struct case_plot *plot) {
  cJSON *list = cJSON_CreateArray();
  for (int i = 0; i < plot->n_checks; ++i) {
    const struct case_checked *check = &plot->checks[i];
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "what", check->what);
    base_json_add_real(item, "measured", check->measured);
    base_json_add_real(item, "lo", check->lo);
    base_json_add_real(item, "hi", check->hi);
    cJSON_AddStringToObject(item, "published", check->published);
    cJSON_AddBoolToObject(item, "passed", check->passed);
    cJSON_AddItemToArray(list, item);
  }
  return list;
}

/* A column of n values into x with the given stride; null is NaN. */
static int read_column(const cJSON *array, const char *file, const char *key, int n, int stride,
                       double *x) {
  if (!cJSON_IsArray(array) || cJSON_GetArraySize(array) != n) {
    return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': must be a list of %d numbers", file,
                     key, n);
  }
  const cJSON *item;
  size_t k = 0;
  cJSON_ArrayForEach(item, array) {
    if (!cJSON_IsNumber(item) && !cJSON_IsNull(item)) {
      return base_fail(BASE_E_INPUT, "%s: key 'trajectory.%s': holds something else than numbers",
                       file, key);
    }
    x[k] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    k += (size_t)stride;
  }
  return BASE_OK;
}

/* trajectory.q or .u into an n x width matrix, columns in the order of final.q_names (u_names). */
static int read_columns(const cJSON *record, const char *file, const char *side, int n, int *width,
                        const double **values, struct base_arena *arena) {
  const cJSON *names = base_json_at(record, side[0] == 'q' ? "final.q_names" : "final.u_names");
  const cJSON *group = base_json_at(record, side[0] == 'q' ? "trajectory.q" : "trajectory.u");
  *width = cJSON_GetArraySize(names);
  double *x = base_arena_matrix(arena, n, *width);
  const cJSON *name;
  int j = 0, status = BASE_OK;
  cJSON_ArrayForEach(name, names) {
    const char *key = cJSON_IsString(name) ? name->valuestring : "";
    status = status != BASE_OK ? status
                               : read_column(cJSON_GetObjectItemCaseSensitive(group, key), file,
                                             key, n, *width, x + j);
    ++j;
  }
  *values = x;
  return status;
}

int bench_series_from_record(const cJSON *record, const char *file, const struct case_run *run,
                             struct base_arena *arena, struct case_series *series) {
  *series = (struct case_series){.run = run, .record = record};
  series->reason = base_json_text_at(record, "reason");
  int status = base_status_parse(base_json_text_at(record, "status"), &series->status);
  const cJSON *trajectory = cJSON_GetObjectItemCaseSensitive(record, "trajectory");
  if (status != BASE_OK || trajectory == NULL) {
    return status;
  }
  const int n = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(trajectory, "t"));
  double *t = base_arena_doubles(arena, n), *energy = base_arena_doubles(arena, n);
  status = read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "t"), file, "t", n, 1, t);
  status = status != BASE_OK ? status
                             : read_column(cJSON_GetObjectItemCaseSensitive(trajectory, "energy"),
                                           file, "energy", n, 1, energy);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "q", n, &series->nq, &series->q, arena);
  status = status != BASE_OK ? status
                             : read_columns(record, file, "u", n, &series->nu, &series->u, arena);
  series->n = n;
  series->t = t;
  series->energy = energy;
  return status;
}
