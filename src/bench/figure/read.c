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
#include "bench/job/job.h"

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

/* "case.name()" and no more. */
static int is_call(const char *text) {
  const char *end = strchr(text, '(');
  return end != NULL && end > text && strcmp(end, "()") == 0;
}

static int wrong_kind(const struct place *at, const char *key, const char *text) {
  return base_fail(BASE_E_INPUT, "%s: key '%s': '%s' computes something else", at->where, key,
                   text);
}

/* Is it a path, or a name in braces, and no more? */
static int is_path(const char *text) {
  return text[0] == '{' || text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_.-")] == '\0';
}

/* A path, or a number that is computed by a function alone. */
static int get_number(const struct place *at, const char *key, const char *text, const char **path,
                      case_value **value) {
  if (!is_call(text)) {
    *path = text;
    return BASE_OK;
  }
  const struct case_function *f = find_function(at, key, text);
  *value = f != NULL ? f->value : NULL;
  return f == NULL ? BASE_E_INPUT : *value == NULL ? wrong_kind(at, key, text) : BASE_OK;
}

/* ---- which runs ---- */

static int read_where(const struct place *at, const cJSON *object, int *n,
                      struct figure_where **where) {
  const cJSON *lists = cJSON_GetObjectItemCaseSensitive(object, "where"), *list, *word;
  *n = 0;
  *where = base_arena_push(at->arena, ((size_t)cJSON_GetArraySize(lists) + 1) * sizeof **where);
  if (lists != NULL && !cJSON_IsObject(lists)) {
    return base_fail(BASE_E_INPUT, "%s: key 'where': must be an object of lists", at->where);
  }
  cJSON_ArrayForEach(list, lists) {
    struct figure_where *w = &(*where)[(*n)++];
    w->name = list->string;
    w->words =
        base_arena_push(at->arena, ((size_t)cJSON_GetArraySize(list) + 1) * sizeof *w->words);
    cJSON_ArrayForEach(word, list) {
      const char *text = bench_option_text(word, at->arena);
      if (text == NULL || !cJSON_IsArray(list)) {
        return base_fail(BASE_E_INPUT, "%s: key 'where.%s': must be a list of words", at->where,
                         list->string);
      }
      w->words[w->n++] = text;
    }
  }
  return BASE_OK;
}

/* ---- tables ---- */

static int read_column(const struct place *at, const cJSON *item, struct figure_column *column) {
  static const char *const known[] = {"value", "of", "against", NULL};
  const char *text = cJSON_GetStringValue(item);
  int status = BASE_OK;
  column->title = item->string;
  if (cJSON_IsObject(item)) {
    status = base_json_refuse_unknown(item, at->where, "columns", known);
    status = status != BASE_OK ? status : base_json_get_text(item, "value", at->where, &text);
    status = status != BASE_OK ? status : get_text(at, item, "of", &column->of);
    status = status != BASE_OK ? status : get_text(at, item, "against", &column->against);
  } else if (text == NULL) {
    status =
        base_fail(BASE_E_INPUT, "%s: key 'columns.%s': must be a text", at->where, item->string);
  }
  if (status == BASE_OK && !is_path(text) && !is_call(text)) {
    const char *place = base_arena_printf(at->arena, "%s.columns.%s", at->where, item->string);
    column->expression = frame_expression_read(at->arena, text, place);
    return column->expression != NULL ? BASE_OK : BASE_E_INPUT;
  }
  return status != BASE_OK ? status
                           : get_number(at, item->string, text, &column->path, &column->value);
}

static int read_columns(const struct place *at, const cJSON *json, struct figure_table *table) {
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns"), *item;
  const int n = cJSON_GetArraySize(columns), are_titles = table->row != NULL;
  int status = BASE_OK;
  if (n == 0 || (are_titles ? !cJSON_IsArray(columns) : !cJSON_IsObject(columns))) {
    return base_fail(BASE_E_INPUT, "%s: key 'columns': must be %s", at->where,
                     are_titles ? "a list of titles" : "an object, a title and what is there");
  }
  table->columns = base_arena_push(at->arena, (size_t)n * sizeof *table->columns);
  cJSON_ArrayForEach(item, columns) {
    struct figure_column *column = &table->columns[table->n_columns++];
    if (table->plain != NULL) {
      column->title = item->string;
      continue;
    }
    column->title = cJSON_GetStringValue(item);
    if (are_titles && column->title == NULL) {
      return base_fail(BASE_E_INPUT, "%s: key 'columns': must be a list of titles", at->where);
    }
    status = status != BASE_OK || are_titles ? status : read_column(at, item, column);
  }
  return status;
}

static int read_table(const struct place *at, const cJSON *json, struct figure_table *table) {
  static const char *const known[] = {"of",   "along",    "where", "columns",
                                      "keep", "function", "rows",  NULL};
  const char *keep, *row;
  int status = base_json_refuse_unknown(json, at->where, "", known);
  status = status != BASE_OK ? status : get_text(at, json, "of", &table->of);
  status = status != BASE_OK ? status : get_text(at, json, "along", &table->along);
  status = status != BASE_OK ? status : get_text(at, json, "keep", &keep);
  status = status != BASE_OK ? status : get_text(at, json, "function", &row);
  status = status != BASE_OK ? status : read_where(at, json, &table->n_where, &table->where);
  if (status == BASE_OK && keep != NULL) {
    const char *path = NULL;
    status = get_number(at, "keep", keep, &path, &table->keep);
    status = status == BASE_OK && path != NULL ? wrong_kind(at, "keep", keep) : status;
  }
  if (status == BASE_OK && row != NULL) {
    const struct case_function *f = find_function(at, "function", row);
    table->row = f != NULL ? f->row : NULL;
    status = f == NULL ? BASE_E_INPUT : f->row == NULL ? wrong_kind(at, "function", row) : BASE_OK;
  }
  if (status == BASE_OK && cJSON_HasObjectItem(json, "rows")) {
    status = base_json_get_int(json, "rows", at->where, 1, 1000000, &table->rows);
  }
  if (status == BASE_OK && table->of == NULL && table->rows == 0) {
    status = base_fail(BASE_E_INPUT, "%s: needs 'of', runs, or 'rows', how many", at->where);
  }
  return status != BASE_OK ? status : read_columns(at, json, table);
}

/* Does a table say in expressions all that it says (values.h)? */
static int is_plain_table(const cJSON *json) {
  static const char *const more[] = {"along", "where", "keep", "function", "rows"};
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(json, "columns"), *item;
  int plain = cJSON_IsObject(columns) && columns->child != NULL &&
              strchr(base_json_text_at(json, "of"), '{') == NULL;
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    plain = plain && !cJSON_HasObjectItem(json, more[i]);
  }
  cJSON_ArrayForEach(item, columns) {
    plain =
        plain && cJSON_IsString(item) && !is_call(item->valuestring) && item->valuestring[0] != '{';
  }
  return plain;
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
      table->name = item->string;
      table->plain = is_plain_table(one) ? one : NULL;
      status = table->plain == NULL                                 ? read_table(&at, one, table)
               : bench_table_check(one, at.where, arena) == BASE_OK ? read_columns(&at, one, table)
                                                                    : BASE_E_INPUT;
    }
  }
  return status;
}

/* ---- values ---- */

static int read_bounds(const struct place *at, const cJSON *json, struct figure_value *value) {
  const cJSON *bounds = cJSON_GetObjectItemCaseSensitive(json, "bounds");
  double ends[2] = {0, 0};
  value->is_report = bounds == NULL;
  if (bounds == NULL) {
    return BASE_OK;
  }
  if (!cJSON_IsString(bounds)) {
    const int status = base_json_get_reals(json, "bounds", at->where, 2, ends, NULL);
    value->claim.lo = ends[0];
    value->claim.hi = ends[1];
    const char *fault = status == BASE_OK && ends[0] > ends[1] ? "its ends are exchanged" : NULL;
    return fault != NULL ? base_fail(BASE_E_INPUT, "%s: key 'bounds': %s", at->where, fault)
                         : status;
  }
  const struct case_function *f = find_function(at, "bounds", bounds->valuestring);
  value->bounds = f != NULL ? f->bounds : NULL;
  return f == NULL           ? BASE_E_INPUT
         : f->bounds == NULL ? wrong_kind(at, "bounds", bounds->valuestring)
                             : BASE_OK;
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

static int read_value(const struct place *at, const cJSON *json, struct figure_value *value) {
  static const char *const known[] = {"name",      "of",       "where",     "value",   "against",
                                      "over",      "scale",    "along",     "reduce",  "by",
                                      "bounds",    "expected", "published", "differs", "source",
                                      "schematic", "note",     NULL};
  static const char *const reductions[] = {"order", "max", "min"};
  const char *text = NULL, *reduce;
  int status = base_json_refuse_unknown(json, at->where, "", known);
  status = status != BASE_OK ? status : base_json_get_text(json, "name", at->where, &value->name);
  status = status != BASE_OK ? status : base_json_get_text(json, "of", at->where, &value->of);
  status = status != BASE_OK ? status : base_json_get_text(json, "value", at->where, &text);
  status = status != BASE_OK ? status : get_number(at, "value", text, &value->path, &value->value);
  status = status != BASE_OK ? status : read_where(at, json, &value->n_where, &value->where);
  status = status != BASE_OK ? status : get_text(at, json, "against", &value->against);
  status = status != BASE_OK ? status : get_text(at, json, "over", &value->over);
  status = status != BASE_OK ? status : get_text(at, json, "along", &value->along);
  status = status != BASE_OK ? status : get_text(at, json, "by", &value->by);
  status = status != BASE_OK ? status : get_text(at, json, "reduce", &reduce);
  value->scale = 1;
  if (status == BASE_OK && cJSON_HasObjectItem(json, "scale")) {
    status = base_json_get_real(json, "scale", at->where, -INFINITY, INFINITY, &value->scale);
  }
  if (status == BASE_OK && reduce != NULL) {
    const int way = base_name_find("reduction", reduce, 3, reductions);
    value->reduce = way;
    status = way >= 0 ? BASE_OK : BASE_E_INPUT;
    if (way < 0) {
      base_message_prefix("%s: key 'reduce': ", at->where);
    }
  }
  return status != BASE_OK ? status : read_claim(at, json, value);
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

/* Does a value say in expressions all that it says (values.h)? */
static int is_plain(const cJSON *json) {
  static const char *const more[] = {"where", "against", "over", "scale", "along", "reduce", "by"};
  int plain = !cJSON_IsString(cJSON_GetObjectItemCaseSensitive(json, "bounds")) &&
              strchr(base_json_text_at(json, "of"), '{') == NULL;
  for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
    plain = plain && !cJSON_HasObjectItem(json, more[i]);
  }
  return plain;
}

/* A value in expressions, before there are runs. */
static int check_plain(const struct bench_figure *file, const struct figure *figure,
                       struct base_arena *arena) {
  int status = BASE_OK;
  for (int i = 0; i < figure->n_values && status == BASE_OK; ++i) {
    if (figure->values[i].plain != NULL) {
      status = bench_value_check(figure->values[i].plain, i, file->path, arena);
    }
  }
  return status;
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
    if (file->runs == NULL) {
      status = status != BASE_OK ? status : read_of_study(&at, item, value);
      continue;
    }
    value->plain = is_plain(item) ? item : NULL;
    if (value->plain == NULL) {
      status = status != BASE_OK ? status : read_value(&at, item, value);
    }
  }
  return status != BASE_OK ? status : check_plain(file, figure, arena);
}

int figure_read(const struct bench_figure *file, struct base_arena *arena, struct figure *figure) {
  static const char *const known[] = {"schema", "id",      "title",  "caption", "case",
                                      "timed",  "runs",    "define", "tables",  "values",
                                      "panels", "abreast", "square", "script",  "make",
                                      "slopes", "csv",     "says",   NULL};
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
  status = status != BASE_OK ? status : read_values(file, arena, figure);
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
