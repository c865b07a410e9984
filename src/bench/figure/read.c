/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure from its file, whose keys have been checked; see file.h.
 */
#include <string.h>

#include "base/status.h"
#include "bench/figure/file.h"
#include "bench/figure/values.h"

const char *figure_text(const cJSON *object, const char *key) {
  return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

double figure_real(const cJSON *object, const char *key, double otherwise) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return item != NULL ? item->valuedouble : otherwise;
}

/* ---- functions by name ---- */

static const struct case_function *find_in(const struct case_function *functions, const char *name,
                                           size_t length) {
  for (; functions != NULL && functions->name != NULL; ++functions) {
    if (strlen(functions->name) == length && strncmp(functions->name, name, length) == 0) {
      return functions;
    }
  }
  return NULL;
}

/* Is "case.name()" the start of this case, dashes being underscores? */
static int is_of_case(const char *text, size_t length, const char *name) {
  int same = strlen(name) == length;
  for (size_t i = 0; i < length && same; ++i) {
    same = text[i] == name[i] || (text[i] == '_' && name[i] == '-');
  }
  return same;
}

const struct case_function *figure_function(const char *text, size_t length) {
  const char *dot = memchr(text, '.', length);
  const struct case_function *found = NULL;
  if (dot != NULL) {
    length -= (size_t)(dot + 1 - text);
    for (int i = 0; i < case_count() && found == NULL; ++i) {
      const struct case_function *const *lists = case_get(i)->functions;
      const int is_here = is_of_case(text, (size_t)(dot - text), case_get(i)->name);
      for (int k = 0; is_here && lists != NULL && lists[k] != NULL && found == NULL; ++k) {
        found = find_in(lists[k], dot + 1, length);
      }
    }
  }
  return found;
}

/* ---- tables ---- */

static int read_table(const cJSON *json, const char *place, struct base_arena *arena,
                      struct figure_table *table) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns"), *item;
  const size_t n = (size_t)cJSON_GetArraySize(columns);
  table->of = cJSON_GetObjectItemCaseSensitive(json, "of");
  table->titles = base_arena_push(arena, n * sizeof *table->titles);
  table->columns = base_arena_push(arena, n * sizeof(void *));
  cJSON_ArrayForEach(item, columns) {
    const int k = table->n_columns++;
    table->titles[k] = item->string;
    table->columns[k] = frame_expression_read(
        arena, item->valuestring, base_arena_printf(arena, "%s.columns.%s", place, item->string));
    if (table->columns[k] == NULL) {
      return BASE_E_INPUT;
    }
  }
  return n > 0 ? BASE_OK : base_fail(BASE_E_INPUT, "%s.columns: there is none", place);
}

static int read_tables(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure) {
  const cJSON *tables = cJSON_GetObjectItemCaseSensitive(file->json, "tables"), *item;
  int n = 0, status = BASE_OK;
  cJSON_ArrayForEach(item, tables) { n += cJSON_IsArray(item) ? cJSON_GetArraySize(item) : 1; }
  figure->tables = base_arena_push(arena, (size_t)n * sizeof *figure->tables);
  cJSON_ArrayForEach(item, tables) {
    const cJSON *one = cJSON_IsArray(item) ? item->child : item;
    for (; one != NULL && status == BASE_OK; one = cJSON_IsArray(item) ? one->next : NULL) {
      struct figure_table *table = &figure->tables[figure->n_tables++];
      const char *place = base_arena_printf(arena, "%s: tables.%s", file->path, item->string);
      *table = (struct figure_table){.place = place, .name = item->string};
      status = read_table(one, place, arena, table);
    }
  }
  return status;
}

int figure_read(const struct bench_figure *file, struct base_arena *arena, struct figure *figure) {
  const cJSON *json = file->json;
  const int is_study = file->runs == NULL;
  *figure =
      (struct figure){.file = file,
                      .script = figure_text(json, "script"),
                      .abreast = (int)figure_real(json, "abreast", 1),
                      .square = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "square"))};
  int status =
      frame_definitions_read(arena, cJSON_GetObjectItemCaseSensitive(json, "define"),
                             base_arena_printf(arena, "%s: define", file->path), &figure->define);
  status = status != BASE_OK ? status
                             : bench_figure_runs(file, 0, 0, arena, &figure->n_runs, &figure->runs);
  if (status == BASE_OK && !is_study) { /* studies make and fill theirs by the report */
    status = read_tables(file, arena, figure);
  }
  status = status != BASE_OK
               ? status
               : bench_values_read(cJSON_GetObjectItemCaseSensitive(json, "values"), file->path,
                                   arena, &figure->n_values, &figure->values);
  return status != BASE_OK ? status : figure_read_panels(file, arena, figure);
}

int bench_suite_check_figures(const struct bench_suite *suite, struct base_arena *arena) {
  struct figure figure;
  int status = BASE_OK;
  for (int i = 0; i < suite->n_figures && status == BASE_OK; ++i) {
    status = figure_read(suite->figures[i], arena, &figure);
  }
  for (int i = 0; i < suite->n_studies && status == BASE_OK; ++i) {
    status = figure_read(suite->studies[i], arena, &figure);
  }
  return status;
}
