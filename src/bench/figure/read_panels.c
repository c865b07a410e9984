/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of a figure's file, whose keys have been checked; see file.h.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/file.h"

/* ---- columns ---- */

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

/* Does a curve mean this table by the name? One of the two may stand for many. */
static int is_called(const struct figure_table *table, const char *name) {
  return bench_label_is_of_cell(name, table->name) || bench_label_is_of_cell(table->name, name);
}

/* Of a study, whose tables are not there yet, any may be. */
static int has_table(const struct figure *figure, const char *name) {
  int found = figure->file->runs == NULL;
  for (int i = 0; i < figure->n_tables && !found; ++i) {
    found = is_called(&figure->tables[i], name);
  }
  return found;
}

/* Number of a column by its title, of a table that a curve names; 0: there is none. */
static int find_column(const struct figure *figure, const char *name, const char *column) {
  int found = 0;
  for (int i = 0; i < figure->n_tables && found == 0; ++i) {
    const struct figure_table *table = &figure->tables[i];
    if (is_called(table, name)) {
      found = column_titled(table, column);
    }
  }
  return found;
}

/* A layer while it is read. */
struct layer {
  const struct figure *figure;
  struct base_arena *arena;
  const char *place; /* "file: panels[0].layer[1]" */
  const cJSON *json;
};

/* A column by its title or number; 0: the key is not there. */
static int get_column(const struct layer *l, const char *key, int *column) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(l->json, key);
  const char *table = figure_text(l->json, "table");
  *column = item == NULL                    ? 0
            : cJSON_IsNumber(item)          ? item->valueint
            : l->figure->file->runs == NULL ? 1 /* of a frame, which is not there yet */
                                            : find_column(l->figure, table, item->valuestring);
  return item == NULL || *column > 0
             ? BASE_OK
             : base_fail(BASE_E_INPUT, "%s.%s: table '%s' has no column '%s'", l->place, key, table,
                         item->valuestring);
}

/* ---- layers ---- */

/* Words as one text, quoted where one has a blank; NULL: the key is not there. */
static const char *get_words(const cJSON *object, const char *key, struct base_arena *arena) {
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(object, key), *word;
  const char *all = "";
  cJSON_ArrayForEach(word, list) {
    const char *one = word->valuestring;
    const char *quote = strchr(one, ' ') != NULL || one[0] == '\0' ? "'" : "";
    all = base_arena_printf(arena, "%s%s%s%s%s", all, all[0] != '\0' ? " " : "", quote, one, quote);
  }
  return cJSON_IsArray(list) ? all : NULL;
}

static enum figure_mark mark_of(const cJSON *layer) {
  static const struct {
    const char *name;
    enum figure_mark mark;
  } marks[] = {{"line", FIGURE_LINES},   {"linespoint", FIGURE_LINESPOINTS},
               {"point", FIGURE_POINTS}, {"impulse", FIGURE_IMPULSES},
               {"bar", FIGURE_BARS},     {"rule", FIGURE_VERTICAL},
               {"band", FIGURE_BANDS},   {"errorbar", FIGURE_ERRORBARS},
               {"text", FIGURE_TEXTS},   {"rect", FIGURE_RECTS},
               {"frame", FIGURE_FRAMES}};
  const char *name = figure_text(layer, "mark");
  int i = 0;
  while (name != NULL && strcmp(marks[i].name, name) != 0) {
    ++i;
  }
  const enum figure_mark mark = marks[i].mark;
  return mark == FIGURE_VERTICAL && figure_text(layer, "table") != NULL ? FIGURE_LEVEL
         : mark == FIGURE_LINES && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(layer, "dash"))
             ? FIGURE_DASHED
         : mark == FIGURE_ERRORBARS && cJSON_HasObjectItem(layer, "x2") ? FIGURE_XBARS
                                                                        : mark;
}

static int fail_missing(const struct layer *l, const char *key) {
  return base_fail(BASE_E_INPUT, "%s.%s: is missing", l->place, key);
}

static int read_curve(const struct layer *l, struct figure_curve *c) {
  const struct {
    const char *key;
    int *column;
  } columns[] = {{"x", &c->x}, {"y", &c->y}, {"y2", &c->y2}, {"x2", &c->x2}, {"note", &c->note}};
  int status =
      has_table(l->figure, c->table)
          ? BASE_OK
          : base_fail(BASE_E_INPUT, "%s.table: there is no table '%s'", l->place, c->table);
  for (size_t i = 0; i < sizeof columns / sizeof *columns && status == BASE_OK; ++i) {
    status = get_column(l, columns[i].key, columns[i].column);
  }
  const int wants_end = c->with == FIGURE_BANDS || c->with == FIGURE_ERRORBARS;
  return status != BASE_OK                      ? status
         : c->x == 0 && c->with != FIGURE_LEVEL ? fail_missing(l, "x")
         : c->y2 == 0 && wants_end              ? fail_missing(l, "y2")
                                                : BASE_OK;
}

/* A power law, or a vertical line. */
static int read_line(const struct layer *l, struct figure_curve *c) {
  const int is_rule = c->with == FIGURE_VERTICAL;
  if (!is_rule && c->with != FIGURE_LINES && c->with != FIGURE_DASHED) {
    return fail_missing(l, "table");
  }
  if (cJSON_HasObjectItem(l->json, "x") != is_rule) {
    return is_rule ? fail_missing(l, "x")
                   : base_fail(BASE_E_INPUT, "%s.x: goes with 'table', or the mark rule", l->place);
  }
  c->scale = is_rule ? figure_real(l->json, "x", 0) : c->scale;
  return BASE_OK;
}

static int read_layer(const struct layer *l, struct figure_curve *c) {
  const cJSON *json = l->json;
  *c = (struct figure_curve){.table = figure_text(json, "table"),
                             .title = figure_text(json, "title"),
                             .look = figure_text(json, "color"),
                             .with = mark_of(json),
                             .over = get_words(json, "each", l->arena),
                             .next = (int)figure_real(json, "next", 0),
                             .width = figure_real(json, "width", 0),
                             .scale = figure_real(json, "factor", 1),
                             .x_scale = figure_real(json, "x_factor", 1),
                             .power = figure_real(json, "power", 0),
                             .is_stepped =
                                 strcmp(base_json_text_at(json, "interpolate"), "step-after") == 0,
                             .every = (int)figure_real(json, "every", 1)};
  return c->table != NULL ? read_curve(l, c) : read_line(l, c);
}

/* ---- panels ---- */

/* Title and range of an axis; is it logarithmic? */
static int read_axis(const cJSON *axis, const char **title, double range[2]) {
  const cJSON *domain = cJSON_GetObjectItemCaseSensitive(axis, "domain");
  *title = figure_text(axis, "title");
  for (int end = 0; end < 2 && domain != NULL; ++end) {
    range[end] = cJSON_GetArrayItem(domain, end)->valuedouble;
  }
  return strcmp(base_json_text_at(axis, "scale"), "log") == 0;
}

static int read_panel(const struct figure *figure, const cJSON *json, const char *place,
                      struct base_arena *arena, struct figure_panel *p) {
  const cJSON *x = cJSON_GetObjectItemCaseSensitive(json, "x");
  const cJSON *y = cJSON_GetObjectItemCaseSensitive(json, "y");
  struct layer l = {.figure = figure, .arena = arena};
  const cJSON *layers = cJSON_GetObjectItemCaseSensitive(json, "layer");
  int status = BASE_OK;
  *p = (struct figure_panel){.head = figure_text(json, "head"),
                             .key = figure_text(json, "key"),
                             .names = get_words(x, "names", arena),
                             .least = figure_real(y, "least", 0)};
  const int x_log = read_axis(x, &p->x, p->x_range), y_log = read_axis(y, &p->y, p->y_range);
  p->log = x_log && y_log ? "xy" : x_log ? "x" : y_log ? "y" : NULL;
  p->curves = base_arena_push(arena, (size_t)cJSON_GetArraySize(layers) * sizeof *p->curves);
  cJSON_ArrayForEach(l.json, layers) {
    l.place = base_arena_printf(arena, "%s.layer[%d]", place, p->n_curves);
    status = status != BASE_OK ? status : read_layer(&l, &p->curves[p->n_curves++]);
  }
  return status;
}

int figure_read_panels(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure) {
  const cJSON *panels = cJSON_GetObjectItemCaseSensitive(file->json, "panels"), *item;
  int status = BASE_OK;
  figure->panels =
      base_arena_push(arena, (size_t)cJSON_GetArraySize(panels) * sizeof *figure->panels);
  cJSON_ArrayForEach(item, panels) {
    const char *place = base_arena_printf(arena, "%s: panels[%d]", file->path, figure->n_panels);
    status = status != BASE_OK
                 ? status
                 : read_panel(figure, item, place, arena, &figure->panels[figure->n_panels++]);
  }
  return status;
}
