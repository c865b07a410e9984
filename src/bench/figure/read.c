/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and values of a figure's file; see file.h.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/file.h"
#include "bench/figure/values.h"

/* What is being read, for messages. */
struct place {
  const struct bench_figure *file;
  struct base_arena *arena;
  const char *where; /* "file: tables.limit" */
};

static int get_text(const struct place *at, const cJSON *object, const char *key,
                    const char **text) {
  *text = NULL;
  return cJSON_HasObjectItem(object, key) ? base_json_get_text(object, key, at->where, text)
                                          : BASE_OK;
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
    if (is_of_case(text, (size_t)(dot - text), "figure")) {
      found = find_in(case_shared_functions, dot + 1, length);
    }
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

/* The function that "case.name()" calls; NULL with a message. */
static const struct case_function *find_function(const struct place *at, const char *key,
                                                 const char *text) {
  const char *end = strstr(text, "()");
  const struct case_function *found =
      end != NULL && end[2] == '\0' ? figure_function(text, (size_t)(end - text)) : NULL;
  if (found == NULL) {
    base_fail(BASE_E_INPUT, "%s: key '%s': there is no function '%s'", at->where, key, text);
  }
  return found;
}

static int wrong_kind(const struct place *at, const char *key, const char *text) {
  return base_fail(BASE_E_INPUT, "%s: key '%s': '%s' computes something else", at->where, key,
                   text);
}

/* ---- tables ---- */

static int read_titles(const struct place *at, const cJSON *json, struct figure_table *table) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns"), *item;
  const int n = cJSON_GetArraySize(columns), are_titles = table->row != NULL;
  if (n == 0 || (are_titles ? !cJSON_IsArray(columns) : !cJSON_IsObject(columns))) {
    return base_fail(BASE_E_INPUT, "%s: key 'columns': must be %s", at->where,
                     are_titles ? "a list of titles" : "an object, a title and what is there");
  }
  table->titles = base_arena_push(at->arena, (size_t)n * sizeof *table->titles);
  cJSON_ArrayForEach(item, columns) {
    const char *title = are_titles ? cJSON_GetStringValue(item) : item->string;
    if (title == NULL) {
      return base_fail(BASE_E_INPUT, "%s: key 'columns': must be a list of titles", at->where);
    }
    table->titles[table->n_columns++] = title;
  }
  return BASE_OK;
}

/* A table whose rows a function of the case fills. */
static int read_function_table(const struct place *at, const cJSON *json,
                               struct figure_table *table) {
  static const char *const known[] = {"of", "columns", "keep", "function", "rows", NULL};
  const cJSON *of = cJSON_GetObjectItemCaseSensitive(json, "of");
  const char *keep, *row;
  int status = base_json_refuse_unknown(json, at->where, "", known);
  status = status != BASE_OK ? status : get_text(at, json, "keep", &keep);
  status = status != BASE_OK ? status : base_json_get_text(json, "function", at->where, &row);
  if (status == BASE_OK && keep != NULL) {
    const struct case_function *f = find_function(at, "keep", keep);
    table->keep = f != NULL ? f->value : NULL;
    status = f == NULL ? BASE_E_INPUT : f->value == NULL ? wrong_kind(at, "keep", keep) : BASE_OK;
  }
  if (status == BASE_OK) {
    const struct case_function *f = find_function(at, "function", row);
    table->row = f != NULL ? f->row : NULL;
    status = f == NULL ? BASE_E_INPUT : f->row == NULL ? wrong_kind(at, "function", row) : BASE_OK;
  }
  if (status == BASE_OK && cJSON_HasObjectItem(json, "rows")) {
    status = base_json_get_int(json, "rows", at->where, 1, 1000000, &table->rows);
  }
  if (status == BASE_OK && of == NULL && table->rows == 0) {
    status = base_fail(BASE_E_INPUT, "%s: needs 'of', runs, or 'rows', how many", at->where);
  }
  if (status == BASE_OK && of != NULL && !bench_label_of_check(of)) {
    status =
        base_fail(BASE_E_INPUT, "%s: key 'of': must be a label or a list of labels", at->where);
  }
  return status;
}

static int read_tables(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure) {
  const cJSON *tables = cJSON_GetObjectItemCaseSensitive(file->json, "tables"), *item;
  int status = BASE_OK;
  if (tables != NULL && !cJSON_IsObject(tables)) {
    return base_fail(BASE_E_INPUT, "%s: key 'tables': must be an object of tables", file->path);
  }
  int n = 0;
  cJSON_ArrayForEach(item, tables) { n += 1 + cJSON_GetArraySize(item); }
  figure->tables = base_arena_push(arena, ((size_t)n + 1) * sizeof *figure->tables);
  cJSON_ArrayForEach(item, tables) {
    const struct place at = {file, arena,
                             base_arena_printf(arena, "%s: tables.%s", file->path, item->string)};
    const cJSON *one = cJSON_IsArray(item) ? item->child : item;
    for (; one != NULL && status == BASE_OK; one = cJSON_IsArray(item) ? one->next : NULL) {
      struct figure_table *table = &figure->tables[figure->n_tables++];
      *table = (struct figure_table){.json = one, .name = item->string};
      status = cJSON_HasObjectItem(one, "function") ? read_function_table(&at, one, table)
                                                    : bench_table_check(one, at.where, arena);
      status = status != BASE_OK ? status : read_titles(&at, one, table);
    }
  }
  return status;
}

/* ---- values of studies ---- */

static int read_bounds(const struct place *at, const cJSON *json, struct figure_value *value) {
  double ends[2] = {0, 0};
  value->is_report = !cJSON_HasObjectItem(json, "bounds");
  if (value->is_report) {
    return BASE_OK;
  }
  const int status = base_json_get_reals(json, "bounds", at->where, 2, ends, NULL);
  value->claim.lo = ends[0];
  value->claim.hi = ends[1];
  return status == BASE_OK && ends[0] > ends[1]
             ? base_fail(BASE_E_INPUT, "%s: key 'bounds': its ends are exchanged", at->where)
             : status;
}

static int read_claim(const struct place *at, const cJSON *json, struct figure_value *value) {
  struct case_claim *claim = &value->claim;
  const char *note;
  int status = read_bounds(at, json, value);
  status = status != BASE_OK ? status : get_text(at, json, "expected", &claim->expected);
  status = status != BASE_OK ? status : get_text(at, json, "published", &claim->published);
  status = status != BASE_OK ? status : get_text(at, json, "differs", &claim->differs);
  status = status != BASE_OK ? status : get_text(at, json, "note", &note);
  if (status == BASE_OK && cJSON_HasObjectItem(json, "source")) {
    status = base_json_get_reals(json, "source", at->where, 2, claim->source, NULL);
  }
  if (status != BASE_OK) {
    return status;
  }
  claim->schematic = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(json, "schematic"));
  if ((note != NULL) != (value->is_report && note != NULL) ||
      (value->is_report && (claim->expected != NULL || claim->published != NULL))) {
    return base_fail(BASE_E_INPUT, "%s: %s", at->where,
                     note != NULL ? "key 'note': goes with a value that has no bounds"
                                  : "key 'bounds': is missing, and something is claimed");
  }
  if (claim->published == NULL && (claim->differs != NULL || claim->schematic)) {
    return base_fail(BASE_E_INPUT, "%s: key 'published': is missing", at->where);
  }
  claim->expected = note != NULL ? note : claim->expected;
  return BASE_OK;
}

/* A value of a study: of the columns of a table. */
static int read_of_study(const struct place *at, const cJSON *json, struct figure_value *value) {
  static const char *const known[] = {"name",      "table",     "value",   "bounds",
                                      "expected",  "published", "differs", "source",
                                      "schematic", "note",      NULL};
  const char *text = NULL;
  int status = base_json_refuse_unknown(json, at->where, "", known);
  status = status != BASE_OK ? status : base_json_get_text(json, "name", at->where, &value->name);
  status = status != BASE_OK ? status : base_json_get_text(json, "table", at->where, &value->of);
  status = status != BASE_OK ? status : base_json_get_text(json, "value", at->where, &text);
  if (status == BASE_OK) {
    const char *place = base_arena_printf(at->arena, "%s.value", at->where);
    value->expression = frame_expression_read(at->arena, text, place);
    status = value->expression != NULL ? BASE_OK : BASE_E_INPUT;
  }
  return status != BASE_OK ? status : read_claim(at, json, value);
}

static int read_values(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure) {
  const cJSON *values = cJSON_GetObjectItemCaseSensitive(file->json, "values"), *item;
  int status = BASE_OK;
  if (values != NULL && !cJSON_IsArray(values)) {
    return base_fail(BASE_E_INPUT, "%s: key 'values': must be a list", file->path);
  }
  figure->values =
      base_arena_push(arena, ((size_t)cJSON_GetArraySize(values) + 1) * sizeof *figure->values);
  cJSON_ArrayForEach(item, values) {
    const struct place at = {
        file, arena, base_arena_printf(arena, "%s: values[%d]", file->path, figure->n_values)};
    struct figure_value *value = &figure->values[figure->n_values++];
    *value = (struct figure_value){0};
    status = status != BASE_OK ? status : read_of_study(&at, item, value);
  }
  return status;
}

int figure_read(const struct bench_figure *file, struct base_arena *arena, struct figure *figure) {
  static const char *const known[] = {"schema", "id",      "title",  "caption", "case",
                                      "timed",  "runs",    "define", "tables",  "values",
                                      "panels", "abreast", "square", "script",  "make",
                                      "show",   "csv",     "says",   NULL};
  const struct place at = {file, arena, file->path};
  const char *make = NULL;
  *figure = (struct figure){.file = file, .abreast = 1};
  int status = base_json_refuse_unknown(file->json, file->path, "", known);
  status = status != BASE_OK
               ? status
               : bench_define_check(cJSON_GetObjectItemCaseSensitive(file->json, "define"),
                                    file->path, arena);
  status = status != BASE_OK ? status : get_text(&at, file->json, "script", &figure->script);
  status = status != BASE_OK ? status : get_text(&at, file->json, "make", &make);
  if (status == BASE_OK && make != NULL && file->runs != NULL) {
    const struct case_function *f = find_function(&at, "make", make);
    figure->make = f != NULL ? f->make : NULL;
    status = f == NULL ? BASE_E_INPUT : f->make == NULL ? wrong_kind(&at, "make", make) : BASE_OK;
  }
  status = status != BASE_OK ? status
                             : bench_figure_runs(file, 0, 0, arena, &figure->n_runs, &figure->runs);
  if (status == BASE_OK && file->runs == NULL) { /* a study, of whatever records there are */
    status = read_values(file, arena, figure);
    return status != BASE_OK ? status : figure_read_panels(file, arena, figure);
  }
  status = status != BASE_OK ? status : read_tables(file, arena, figure);
  const cJSON *values = cJSON_GetObjectItemCaseSensitive(file->json, "values");
  status =
      status != BASE_OK || values == NULL ? status : bench_values_check(values, file->path, arena);
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
