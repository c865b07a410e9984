/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of a figure's file; see file.h.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/file.h"

/* What is being read, for messages. */
struct place {
  const struct figure *figure;
  struct base_arena *arena;
  const char *where; /* "file: panels[0].layer[1]" */
};

static int get_text(const struct place *at, const cJSON *object, const char *key,
                    const char **text) {
  return cJSON_HasObjectItem(object, key) ? base_json_get_text(object, key, at->where, text)
                                          : BASE_OK;
}

static int get_real(const struct place *at, const cJSON *object, const char *key, double *x) {
  return cJSON_HasObjectItem(object, key)
             ? base_json_get_real(object, key, at->where, -INFINITY, INFINITY, x)
             : BASE_OK;
}

/* ---- columns ---- */

/* A name whose {gaps} stand for anything. */
static const char *pattern_of(const char *name, struct base_arena *arena) {
  char *pattern = base_arena_copy(arena, name), *out = pattern;
  for (const char *in = name; *in != '\0';) {
    const char *end = *in == '{' ? strchr(in, '}') : NULL;
    *out++ = end != NULL ? '*' : *in;
    in = end != NULL ? end + 1 : in + 1;
  }
  *out = '\0';
  return pattern;
}

/* Number of a column by its title, with or without the unit; 0: the table has none. */
static int column_titled(const struct figure_table *table, const char *name) {
  for (int i = 0; i < table->n_columns; ++i) {
    const char *title = table->titles[i];
    const size_t bare = strcspn(title, "["), length = strlen(name);
    if (strcmp(title, name) == 0 || (bare == length && strncmp(title, name, bare) == 0)) {
      return i + 1;
    }
  }
  return 0;
}

/* The same of a table that a curve names; tables that functions make are not known here. */
static int find_column(const struct place *at, const char *name, const char *column) {
  const char *pattern = pattern_of(name, at->arena);
  int found = 0;
  for (int i = 0; i < at->figure->n_tables && found == 0; ++i) {
    const struct figure_table *table = &at->figure->tables[i];
    const char *own = pattern_of(table->name, at->arena);
    if (fnmatch(own, pattern, 0) == 0 || fnmatch(pattern, own, 0) == 0) {
      found = column_titled(table, column);
    }
  }
  return found;
}

/* A column by its title or number; 0: the key is not there. */
static int get_column(const struct place *at, const cJSON *layer, const char *key,
                      const char *table, int *column) {
  enum { COLUMNS_MAX = 1000 };
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(layer, key);
  *column = 0;
  if (item == NULL) {
    return BASE_OK;
  }
  if (cJSON_IsString(item) && at->figure->file->runs == NULL) {
    *column = 1; /* of a frame, which is not there yet */
    return BASE_OK;
  }
  if (!cJSON_IsString(item)) {
    return base_json_get_int(layer, key, at->where, 1, COLUMNS_MAX, column);
  }
  *column = find_column(at, table, item->valuestring);
  return *column > 0 ? BASE_OK
                     : base_fail(BASE_E_INPUT, "%s: key '%s': table '%s' has no column '%s'",
                                 at->where, key, table, item->valuestring);
}

/* ---- layers ---- */

static const char *const marks[] = {
    "line", "line, dashed", "linespoint",       "point", "impulse", "bar", "rule",
    "band", "errorbar",     "errorbar, across", "text",  "level"};

/* Words as one text, quoted where one has a blank. */
static int get_words(const struct place *at, const cJSON *object, const char *key,
                     const char **text) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *word;
  *text = NULL;
  if (list == NULL) {
    return BASE_OK;
  }
  const char *all = "";
  cJSON_ArrayForEach(word, list) {
    const char *one = cJSON_GetStringValue(word);
    if (one == NULL || strchr(one, '\'') != NULL) {
      all = NULL;
      break;
    }
    const char *quote = strchr(one, ' ') != NULL || one[0] == '\0' ? "'" : "";
    all = base_arena_printf(at->arena, "%s%s%s%s%s", all, all[0] != '\0' ? " " : "", quote, one,
                            quote);
  }
  if (all == NULL || all[0] == '\0' || !cJSON_IsArray(list)) {
    return base_fail(BASE_E_INPUT, "%s: key '%s': must be a list of words", at->where, key);
  }
  *text = all;
  return BASE_OK;
}

static int read_mark(const struct place *at, const cJSON *layer, struct figure_curve *c) {
  const char *mark = "line";
  int status = get_text(at, layer, "mark", &mark);
  const int kind = status == BASE_OK ? base_name_find("mark", mark, FIGURE_LEVEL, marks) : -1;
  if (status == BASE_OK && kind < 0) {
    base_message_prefix("%s: key 'mark': ", at->where);
  }
  const int is_dashed = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(layer, "dash"));
  c->with = kind < 0                                                       ? FIGURE_LINES
            : kind == FIGURE_VERTICAL && c->table != NULL                  ? FIGURE_LEVEL
            : kind == FIGURE_LINES && is_dashed                            ? FIGURE_DASHED
            : kind == FIGURE_ERRORBARS && cJSON_HasObjectItem(layer, "x2") ? FIGURE_XBARS
                                                                           : kind;
  return kind < 0 ? BASE_E_INPUT : BASE_OK;
}

static int read_interpolation(const struct place *at, const cJSON *layer, struct figure_curve *c) {
  static const char *const kinds[] = {"linear", "step-after"};
  const char *kind = kinds[0];
  const int status = get_text(at, layer, "interpolate", &kind);
  const int found = status == BASE_OK ? base_name_find("interpolation", kind, 2, kinds) : 0;
  c->is_stepped = found == 1;
  if (found < 0) {
    base_message_prefix("%s: key 'interpolate': ", at->where);
    return BASE_E_INPUT;
  }
  return status;
}

static int read_layer(const struct place *at, const cJSON *layer, struct figure_curve *c) {
  static const char *const known[] = {"mark",  "table",  "x",           "y",     "y2",
                                      "color", "title",  "dash",        "width", "each",
                                      "next",  "note",   "factor",      "power", "x_factor",
                                      "x2",    "detail", "interpolate", "every", NULL};
  c->scale = c->x_scale = 1;
  int status = base_json_refuse_unknown(layer, at->where, "", known);
  status = status != BASE_OK ? status : get_text(at, layer, "table", &c->table);
  status = status != BASE_OK ? status : get_text(at, layer, "title", &c->title);
  status = status != BASE_OK ? status : base_json_get_text(layer, "color", at->where, &c->look);
  status = status != BASE_OK ? status : read_mark(at, layer, c);
  status = status != BASE_OK ? status : get_words(at, layer, "each", &c->over);
  status = status != BASE_OK ? status : get_real(at, layer, "width", &c->width);
  status = status != BASE_OK ? status : get_real(at, layer, "factor", &c->scale);
  status = status != BASE_OK ? status : get_real(at, layer, "x_factor", &c->x_scale);
  status = status != BASE_OK ? status : get_real(at, layer, "power", &c->power);
  if (status == BASE_OK && cJSON_HasObjectItem(layer, "every")) {
    status = base_json_get_int(layer, "every", at->where, 1, 1000000, &c->every);
  }
  status = status != BASE_OK ? status : read_interpolation(at, layer, c);
  if (status == BASE_OK && cJSON_HasObjectItem(layer, "next")) {
    status = base_json_get_int(layer, "next", at->where, 0, 100, &c->next);
  }
  if (status != BASE_OK) {
    return status;
  }
  if (c->table == NULL) { /* x of a vertical line */
    return c->with == FIGURE_VERTICAL
               ? base_json_get_real(layer, "x", at->where, -INFINITY, INFINITY, &c->scale)
           : c->with == FIGURE_LINES || c->with == FIGURE_DASHED
               ? BASE_OK
               : base_fail(BASE_E_INPUT, "%s: key 'table': is missing", at->where);
  }
  status = get_column(at, layer, "x", c->table, &c->x);
  status = status != BASE_OK ? status : get_column(at, layer, "y", c->table, &c->y);
  status = status != BASE_OK ? status : get_column(at, layer, "y2", c->table, &c->y2);
  status = status != BASE_OK ? status : get_column(at, layer, "x2", c->table, &c->x2);
  status = status != BASE_OK ? status : get_column(at, layer, "note", c->table, &c->note);
  const int wants_end = c->with == FIGURE_BANDS || c->with == FIGURE_ERRORBARS;
  return status != BASE_OK ? status
         : c->y == 0 || (c->x == 0 && c->with != FIGURE_LEVEL) || (wants_end && c->y2 == 0)
             ? base_fail(BASE_E_INPUT, "%s: key '%s': is missing", at->where,
                         c->y == 0   ? "y"
                         : c->x == 0 ? "x"
                                     : "y2")
             : BASE_OK;
}

/* ---- panels ---- */

static int read_axis(const struct place *at, const cJSON *panel, const char *key,
                     const char **title, double range[2], int *is_log, struct figure_panel *p) {
  static const char *const known[] = {"title", "scale", "domain", "shared", "names", "least", NULL};
  const cJSON *axis = cJSON_GetObjectItemCaseSensitive(panel, key);
  const char *scale = "linear";
  *is_log = 0;
  if (axis == NULL) {
    return BASE_OK;
  }
  int status = base_json_refuse_unknown(axis, at->where, key, known);
  status = status != BASE_OK ? status : get_text(at, axis, "title", title);
  status = status != BASE_OK ? status : get_text(at, axis, "scale", &scale);
  if (status == BASE_OK && strcmp(scale, "log") != 0 && strcmp(scale, "linear") != 0 &&
      strcmp(scale, "auto") != 0) {
    status =
        base_fail(BASE_E_INPUT, "%s: key '%s.scale': must be log, linear or auto", at->where, key);
  }
  *is_log = strcmp(scale, "log") == 0;
  if (status == BASE_OK && cJSON_HasObjectItem(axis, "domain")) {
    status = base_json_get_reals(axis, "domain", at->where, 2, range, NULL);
  }
  const int is_column = at->figure->file->runs == NULL && key[0] == 'y';
  if (status == BASE_OK && is_column) {
    const char *names;
    status = get_text(at, axis, "names", &names);
  } else if (status == BASE_OK && key[0] == 'x') {
    status = get_words(at, axis, "names", &p->names);
  }
  return status != BASE_OK || key[0] == 'x' ? status : get_real(at, axis, "least", &p->least);
}

static int read_panel(const struct place *at, const cJSON *json, struct figure_panel *p) {
  static const char *const known[] = {"head", "x", "y", "key", "facet", "column", "layer", NULL};
  static const char *const keys[] = {"right top",   "right center", "right bottom", "left top",
                                     "left center", "left bottom",  "foot"};
  const cJSON *layers = cJSON_GetObjectItemCaseSensitive(json, "layer"), *layer;
  int x_log = 0, y_log = 0;
  int status = base_json_refuse_unknown(json, at->where, "", known);
  status = status != BASE_OK ? status : get_text(at, json, "head", &p->head);
  status = status != BASE_OK ? status : get_text(at, json, "key", &p->key);
  if (status == BASE_OK && p->key != NULL && base_name_find("key", p->key, 7, keys) < 0) {
    base_message_prefix("%s: key 'key': ", at->where);
    return BASE_E_INPUT;
  }
  status = status != BASE_OK ? status : read_axis(at, json, "x", &p->x, p->x_range, &x_log, p);
  status = status != BASE_OK ? status : read_axis(at, json, "y", &p->y, p->y_range, &y_log, p);
  p->log = x_log && y_log ? "xy" : x_log ? "x" : y_log ? "y" : NULL;
  if (status == BASE_OK && (!cJSON_IsArray(layers) || layers->child == NULL)) {
    return base_fail(BASE_E_INPUT, "%s: key 'layer': must be a list of curves", at->where);
  }
  p->curves =
      base_arena_push(at->arena, ((size_t)cJSON_GetArraySize(layers) + 1) * sizeof *p->curves);
  cJSON_ArrayForEach(layer, layers) {
    const struct place inner = {
        at->figure, at->arena,
        base_arena_printf(at->arena, "%s.layer[%d]", at->where, p->n_curves)};
    status = status != BASE_OK ? status : read_layer(&inner, layer, &p->curves[p->n_curves++]);
  }
  return status;
}

int figure_read_panels(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure) {
  const cJSON *panels = cJSON_GetObjectItemCaseSensitive(file->json, "panels"), *item;
  int status = BASE_OK;
  if (panels != NULL && !cJSON_IsArray(panels)) {
    return base_fail(BASE_E_INPUT, "%s: key 'panels': must be a list", file->path);
  }
  if (cJSON_HasObjectItem(file->json, "abreast")) {
    status = base_json_get_int(file->json, "abreast", file->path, 1, 6, &figure->abreast);
  }
  figure->square = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(file->json, "square"));
  figure->panels =
      base_arena_push(arena, ((size_t)cJSON_GetArraySize(panels) + 1) * sizeof *figure->panels);
  cJSON_ArrayForEach(item, panels) {
    const struct place at = {
        figure, arena, base_arena_printf(arena, "%s: panels[%d]", file->path, figure->n_panels)};
    status =
        status != BASE_OK ? status : read_panel(&at, item, &figure->panels[figure->n_panels++]);
  }
  return status;
}
