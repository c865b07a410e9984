/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of a figure whose columns are expressions; see values.h.
 */
#include "bench/figure/values.h"

#include <cjson/cJSON.h>

#include "base/json/json.h"
#include "base/status.h"

/* Expressions of the columns, as many as there are; NULL with a message. */
static const struct frame_expression **read_columns(const cJSON *table, const char *place,
                                                    struct base_arena *arena) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(table, "columns"), *item;
  const size_t n = (size_t)cJSON_GetArraySize(columns);
  const struct frame_expression **expressions =
      base_arena_push(arena, (n + 1) * sizeof *expressions);
  int count = 0;
  cJSON_ArrayForEach(item, columns) {
    const char *where = base_arena_printf(arena, "%s.columns.%s", place, item->string);
    expressions[count] = frame_expression_read(arena, item->valuestring, where);
    if (expressions[count++] == NULL) {
      return NULL;
    }
  }
  return expressions;
}

int bench_table_check(const cJSON *table, const char *place, struct base_arena *arena) {
  const cJSON *of = cJSON_GetObjectItemCaseSensitive(table, "of");
  if (of != NULL && !bench_label_of_check(of)) {
    return base_fail(BASE_E_INPUT, "%s: key 'of': must be a label, or a list of some", place);
  }
  return read_columns(table, place, arena) != NULL ? BASE_OK : BASE_E_INPUT;
}

/* Of run i; -1: of none. */
static int make_of_run(const cJSON *table, const char *name, const struct bench_runs *runs, int i,
                       const char *place, struct base_arena *arena, struct case_plot *plot) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(table, "columns"), *item;
  const struct frame_expression **expressions = read_columns(table, place, arena);
  const int n = cJSON_GetArraySize(columns);
  const char **names = base_arena_push(arena, (size_t)n * sizeof *names), *head = "";
  struct frame *f = frame_new(arena);
  int count = 0;
  cJSON_ArrayForEach(item, columns) {
    head = base_arena_printf(arena, "%s%s%s", head, count > 0 ? " " : "", item->string);
    names[count++] = item->string;
  }
  const int status =
      expressions != NULL ? bench_rows_append(f, runs, i, n, names, expressions) : BASE_E_INPUT;
  if (status != BASE_OK) {
    base_message_prefix("%s: ", place);
    return status;
  }
  double *values = base_arena_matrix(arena, n, (int)f->n_rows);
  for (long k = 0; k < f->n_rows * n; ++k) {
    values[k] = frame_real(f, k / n, (int)(k % n));
  }
  return case_plot_table(plot, bench_run_text(arena, runs, i, name), head, (int)f->n_rows, n,
                         values);
}

int bench_table_make(const cJSON *table, const char *name, const struct bench_runs *runs,
                     const char *place, struct case_plot *plot) {
  const cJSON *of = cJSON_GetObjectItemCaseSensitive(table, "of");
  struct base_arena *arena = base_arena_alloc();
  int status = BASE_OK, n = 0;
  if (of == NULL) {
    status = make_of_run(table, name, runs, -1, place, arena, plot);
  }
  for (int i = 0; i < runs->n && of != NULL && status == BASE_OK; ++i) {
    if (bench_label_is_of(runs->series[i].run->label, of)) {
      status = make_of_run(table, name, runs, i, place, arena, plot);
      ++n;
    }
  }
  if (status == BASE_OK && of != NULL && n == 0) {
    status = base_fail(BASE_E_INPUT, "%s: key 'of': no run is called so", place);
  }
  base_arena_free(arena);
  return status;
}
