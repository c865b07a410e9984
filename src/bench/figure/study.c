/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of the records of a folder; see study.h.
 */
#include "bench/figure/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/frame.h"

enum { PANELS_MOST = 8, CURVES_MOST = 128 };

/* A study while it is made. */
struct making {
  const struct figure *study;
  const char *folder;
  struct base_arena *arena;
  struct case_plot *plot;
  int n_frames;
  const char **names;
  struct frame **frames; /* of the tables, by their names */
  int n_curves;          /* so far, of all panels */
};

/* ---- tables ---- */

static int load(struct making *m, const cJSON *table, struct frame **out) {
  const char *place =
      base_arena_printf(m->arena, "%s: tables.%s", m->study->file->path, table->string);
  const cJSON *columns = cJSON_GetObjectItemCaseSensitive(table, "columns"), *column;
  const cJSON *transforms = cJSON_GetObjectItemCaseSensitive(table, "transform");
  struct frame *f = frame_new(m->arena);
  int damaged = 0;
  if (!cJSON_IsArray(columns) || columns->child == NULL) {
    return base_fail(BASE_E_INPUT, "%s: key 'columns': must be a list of paths into records",
                     place);
  }
  cJSON_ArrayForEach(column, columns) {
    if (!cJSON_IsString(column)) {
      return base_fail(BASE_E_INPUT, "%s: key 'columns': must be a list of paths into records",
                       place);
    }
    frame_want(f, column->valuestring, place);
  }
  int status = frame_load(f, 1, &m->folder, &damaged);
  if (status == BASE_OK && transforms != NULL) {
    status = frame_transform(&f, transforms, place);
  }
  *out = f;
  return status;
}

static int load_all(struct making *m) {
  const cJSON *tables = cJSON_GetObjectItemCaseSensitive(m->study->file->json, "tables"), *table;
  const size_t n = (size_t)cJSON_GetArraySize(tables) + 1;
  int status = BASE_OK;
  m->names = base_arena_push(m->arena, n * sizeof *m->names);
  m->frames = base_arena_push(m->arena, n * sizeof(struct frame *));
  cJSON_ArrayForEach(table, tables) {
    m->names[m->n_frames] = table->string;
    status = status != BASE_OK ? status : load(m, table, &m->frames[m->n_frames++]);
  }
  return status;
}

/* The frame of a table; NULL with a message. */
static const struct frame *find_frame(const struct making *m, const char *name) {
  for (int i = 0; i < m->n_frames; ++i) {
    if (strcmp(m->names[i], name) == 0) {
      return m->frames[i];
    }
  }
  base_fail(BASE_E_INPUT, "%s: there is no table '%s'", m->study->file->path, name);
  return NULL;
}

/* ---- values that rows are divided by ---- */

/* The text that a value is shown as. */
static const char *shown(const struct frame_value *v, struct base_arena *arena) {
  char number[BASE_JSON_NUMBER_SIZE];
  return v->kind == FRAME_TEXT
             ? v->text
             : base_arena_copy(arena,
                               base_json_number(v->kind == FRAME_NUMBER ? v->number : NAN, number));
}

/* Different values of a column, in the order of the rows: *n. */
static const struct frame_value *values_of(const struct frame *f, int column,
                                           struct base_arena *arena, int *n) {
  struct frame_value *values = base_arena_push(arena, ((size_t)f->n_rows + 1) * sizeof *values);
  *n = 0;
  for (long row = 0; row < f->n_rows; ++row) {
    const struct frame_value *v = frame_at(f, row, column);
    int k = 0;
    while (k < *n && frame_compare(v, &values[k]) != 0) {
      ++k;
    }
    if (k == *n && !frame_is_missing(v)) {
      values[(*n)++] = *v;
    }
  }
  return values;
}

/* ---- curves ---- */

/* A layer in a panel: which rows, which columns. */
struct layer {
  const cJSON *json;
  const struct figure_curve *curve; /* as read */
  const struct frame *frame;
  int x, y, y2, facet, color;         /* columns; -1: none */
  const struct frame_value *facet_is; /* NULL: any */
};

static int by_x(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The look of a value: its own, where it is a formulation or solver; else a colour by its number. */
static const char *look_of(const char *value, int number) {
  static const char *const colours[] = {"violet", "red", "leaf", "brown", "turquoise", "gold"};
  int known = 0;
  for (int i = 0; i < form_count(); ++i) {
    known |= strcmp(form_get(i)->name, value) == 0;
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    known |= strcmp(problem_solver_get(i)->name, value) == 0;
  }
  return known ? value : colours[number % 6];
}

/* A curve of the rows of one value (NULL: of all), if there are any, behind those of the panel. */
static int add_curve(struct making *m, const struct layer *l, const struct frame_value *color,
                     int number, struct figure_panel *panel) {
  enum { COLUMNS = 3 };
  const struct frame *f = l->frame;
  double *rows = base_arena_matrix(m->arena, (int)f->n_rows + 1, COLUMNS);
  int n = 0;
  for (long row = 0; row < f->n_rows; ++row) {
    const int is_here =
        (l->facet_is == NULL || frame_compare(frame_at(f, row, l->facet), l->facet_is) == 0) &&
        (color == NULL || frame_compare(frame_at(f, row, l->color), color) == 0);
    if (is_here) {
      double *out = rows + (size_t)COLUMNS * (size_t)n++;
      out[0] = frame_real(f, row, l->x);
      out[1] = frame_real(f, row, l->y);
      out[2] = l->y2 >= 0 ? frame_real(f, row, l->y2) : out[1];
    }
  }
  if (n == 0) {
    return BASE_OK;
  }
  if (m->n_curves == CURVES_MOST) {
    return base_fail(BASE_E_INPUT, "%s: more than %d curves", m->study->file->path, CURVES_MOST);
  }
  qsort(rows, (size_t)n, COLUMNS * sizeof *rows, by_x);
  struct figure_curve *c = &panel->curves[panel->n_curves++];
  *c = *l->curve;
  c->table = base_arena_printf(m->arena, "curve-%d", ++m->n_curves);
  c->x = 1;
  c->y = 2;
  c->y2 = 3;
  if (color != NULL) {
    const char *text = shown(color, m->arena);
    const int is_range = c->with == FIGURE_BANDS || c->with == FIGURE_ERRORBARS;
    c->look = look_of(text, number);
    c->title = is_range ? NULL : text;
  }
  const char *head =
      base_arena_printf(m->arena, "%s %s %s", f->columns[l->x].name, f->columns[l->y].name,
                        f->columns[l->y2 >= 0 ? l->y2 : l->y].name);
  return case_plot_table(m->plot, c->table, head, n, COLUMNS, rows);
}

/* A column that a layer names; -1 where it names none. */
static int layer_column(const struct making *m, const struct layer *l, const char *key,
                        int *column) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(l->json, key);
  *column = item != NULL && cJSON_IsString(item)
                ? frame_need(l->frame, item->valuestring, m->study->file->path)
                : -1;
  return item != NULL && *column < 0 ? BASE_E_INPUT : BASE_OK;
}

static int add_layer(struct making *m, struct layer *l, const char *facet,
                     struct figure_panel *panel) {
  int n = 0, status = BASE_OK;
  l->frame = find_frame(m, l->curve->table);
  if (l->frame == NULL) {
    return BASE_E_INPUT;
  }
  status = layer_column(m, l, "x", &l->x);
  status = status != BASE_OK ? status : layer_column(m, l, "y", &l->y);
  status = status != BASE_OK ? status : layer_column(m, l, "y2", &l->y2);
  if (status == BASE_OK && facet != NULL) {
    l->facet = frame_need(l->frame, facet, m->study->file->path);
    status = l->facet >= 0 ? BASE_OK : BASE_E_INPUT;
  }
  if (status != BASE_OK) {
    return status;
  }
  l->color = frame_find(l->frame, l->curve->look);
  if (l->color < 0) {
    return add_curve(m, l, NULL, 0, panel);
  }
  const struct frame_value *colors = values_of(l->frame, l->color, m->arena, &n);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = add_curve(m, l, &colors[i], i, panel);
  }
  return status;
}

/* ---- panels ---- */

static int add_panel(struct making *m, const cJSON *json, const struct figure_panel *as_read,
                     const char *facet, const struct frame_value *value, struct figure *drawn) {
  const cJSON *layer;
  int k = 0, status = BASE_OK;
  if (drawn->n_panels == PANELS_MOST) {
    return base_fail(BASE_E_INPUT, "%s: more than %d panels", m->study->file->path, PANELS_MOST);
  }
  struct figure_panel *panel = &drawn->panels[drawn->n_panels++];
  *panel = *as_read;
  panel->n_curves = 0;
  panel->curves = base_arena_push(m->arena, CURVES_MOST * sizeof *panel->curves);
  panel->head = value != NULL ? shown(value, m->arena) : panel->head;
  cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(json, "layer")) {
    const struct figure_curve *curve = &as_read->curves[k++];
    struct layer l = {.json = layer, .curve = curve, .facet = -1, .facet_is = value};
    if (curve->table == NULL) { /* a power law or a rule */
      panel->curves[panel->n_curves++] = *curve;
      continue;
    }
    status = status != BASE_OK ? status : add_layer(m, &l, facet, panel);
  }
  return status;
}

static int add_facets(struct making *m, const cJSON *json, const struct figure_panel *as_read,
                      struct figure *drawn) {
  const char *facet = base_json_text_at(json, "facet");
  const char *table = as_read->curves[0].table;
  if (facet[0] == '\0') {
    return add_panel(m, json, as_read, NULL, NULL, drawn);
  }
  const struct frame *f = table != NULL ? find_frame(m, table) : NULL;
  const int column = f != NULL ? frame_need(f, facet, m->study->file->path) : -1;
  int n = 0, status = column >= 0 ? BASE_OK : BASE_E_INPUT;
  if (status != BASE_OK) {
    return status;
  }
  const struct frame_value *values = values_of(f, column, m->arena, &n);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = add_panel(m, json, as_read, facet, &values[i], drawn);
  }
  return status;
}

int figure_study_make(const struct figure *study, const char *folder, struct base_arena *arena,
                      struct case_plot *plot, struct figure *drawn) {
  struct making m = {.study = study, .folder = folder, .arena = arena, .plot = plot};
  const cJSON *panel;
  int i = 0;
  *drawn = *study;
  drawn->n_panels = 0;
  drawn->panels = base_arena_push(arena, PANELS_MOST * sizeof *drawn->panels);
  int status = load_all(&m);
  cJSON_ArrayForEach(panel, cJSON_GetObjectItemCaseSensitive(study->file->json, "panels")) {
    status = status != BASE_OK ? status : add_facets(&m, panel, &study->panels[i++], drawn);
  }
  return status != BASE_OK || plot->n_tables > 0
             ? status
             : base_fail(BASE_FAILED, "its records have no rows to draw");
}
