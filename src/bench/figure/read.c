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

/* What a function computes. */
enum kind { VALUE, ROW, MAKE };

/* The function of a kind that a key calls, "case.name()"; NULL without the key. place: of the
 * object.
 */
static int find_function(const cJSON *object, const char *key, const char *place, enum kind kind,
                         const struct case_function **found) {
  const char *text = figure_text(object, key), *end = text != NULL ? strstr(text, "()") : NULL;
  *found = NULL;
  if (text == NULL) {
    return BASE_OK;
  }
  const struct case_function *f =
      end != NULL && end[2] == '\0' ? figure_function(text, (size_t)(end - text)) : NULL;
  if (f == NULL) {
    return base_fail(BASE_E_INPUT, "%s.%s: there is no function '%s'", place, key, text);
  }
  if (kind == VALUE ? f->value == NULL : kind == ROW ? f->row == NULL : f->make == NULL) {
    return base_fail(BASE_E_INPUT, "%s.%s: '%s' computes something else", place, key, text);
  }
  *found = f;
  return BASE_OK;
}

/* ---- tables ---- */

/* A table whose rows a function of the case fills. */
static int read_function_table(const cJSON *json, const char *place, struct figure_table *table) {
  const struct case_function *keep, *row;
  int status = find_function(json, "keep", place, VALUE, &keep);
  status = status != BASE_OK ? status : find_function(json, "function", place, ROW, &row);
  if (status != BASE_OK) {
    return status;
  }
  table->keep = keep != NULL ? keep->value : NULL;
  table->row = row->row;
  table->rows = (int)figure_real(json, "rows", 0);
  return table->of == NULL && table->rows == 0
             ? base_fail(BASE_E_INPUT, "%s: needs 'of', runs, or 'rows', how many", place)
             : BASE_OK;
}

static int read_table(const cJSON *json, const char *place, struct base_arena *arena,
                      struct figure_table *table) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns"), *item;
  const size_t n = (size_t)cJSON_GetArraySize(columns);
  table->of = cJSON_GetObjectItemCaseSensitive(json, "of");
  table->titles = base_arena_push(arena, n * sizeof *table->titles);
  table->columns = base_arena_push(arena, n * sizeof(void *));
  cJSON_ArrayForEach(item, columns) {
    const int is_title = cJSON_IsArray(columns), k = table->n_columns++;
    table->titles[k] = is_title ? item->valuestring : item->string;
    table->columns[k] =
        is_title
            ? NULL
            : frame_expression_read(arena, item->valuestring,
                                    base_arena_printf(arena, "%s.columns.%s", place, item->string));
    if (!is_title && table->columns[k] == NULL) {
      return BASE_E_INPUT;
    }
  }
  return n == 0 ? base_fail(BASE_E_INPUT, "%s.columns: there is none", place)
         : figure_text(json, "function") != NULL ? read_function_table(json, place, table)
                                                 : BASE_OK;
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
  const struct case_function *make = NULL;
  *figure =
      (struct figure){.file = file,
                      .script = figure_text(json, "script"),
                      .abreast = (int)figure_real(json, "abreast", 1),
                      .square = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "square"))};
  int status =
      bench_define_check(cJSON_GetObjectItemCaseSensitive(json, "define"), file->path, arena);
  status = status != BASE_OK ? status
                             : bench_figure_runs(file, 0, 0, arena, &figure->n_runs, &figure->runs);
  if (status == BASE_OK && !is_study) { /* studies make and fill theirs by the report */
    status = find_function(json, "make", file->path, MAKE, &make);
    status = status != BASE_OK ? status : read_tables(file, arena, figure);
  }
  figure->make = make != NULL ? make->make : NULL;
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
