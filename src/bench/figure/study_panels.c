/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Panels of studies: curves with their tables, from frames; see study.h. A table has the columns
 * that the layers of the study name, of the rows of a value of "facet" and of one of "detail" or
 * "color", and is called after these.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/figure/study.h"

enum { PANELS_MOST = FIGURE_FACETS_MOST, CURVES_MOST = 256, COLUMNS_MOST = 16 };

/* A table's name in files. */
struct named {
  const char *text, *clean, *name; /* what it is called after; the same for files; of it alone */
  struct named *next;
};
/* A drawing while it is made. */
struct drawing {
  const struct figure_study *study;
  struct case_plot *plot;
  int is_divided; /* into panels, which names of tables tell */
  struct figure *drawn;
  struct named *named; /* its tables */
};

/* ---- tables ---- */

/* Columns of a table that are drawn: those that any layer names, each once; *n. */
static int columns_of(const struct drawing *d, const struct frame *f, const char *table, int *n,
                      int *columns) {
  static const char *const keys[] = {"x", "x2", "y", "y2", "note"};
  const cJSON *panel, *layer;
  *n = 0;
  cJSON_ArrayForEach(panel, base_json_at(d->study->figure->file->json, "panels")) {
    cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(panel, "layer")) {
      for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
        const char *name = base_json_text_at(layer, keys[i]);
        if (name[0] == '\0' || strcmp(base_json_text_at(layer, "table"), table) != 0) {
          continue;
        }
        const int column = frame_need(f, name, d->study->figure->file->path);
        int k = 0;
        while (k < *n && columns[k] != column) {
          ++k;
        }
        if (column < 0 || k == COLUMNS_MOST) {
          return column < 0 ? BASE_E_INPUT
                            : base_fail(BASE_E_INPUT, "%s: more than %d columns of a table",
                                        d->study->figure->file->path, COLUMNS_MOST);
        }
        columns[k] = column;
        *n += k == *n;
      }
    }
  }
  return BASE_OK;
}

/* Which of the columns drawn, from 1 on; 0: the layer names none. */
static int place_of(const struct frame *f, const cJSON *layer, const char *key, int n,
                    const int *columns) {
  const int column = frame_find(f, base_json_text_at(layer, key));
  for (int i = 0; i < n; ++i) {
    if (columns[i] == column) {
      return i + 1;
    }
  }
  return 0;
}

/* Which rows a panel shows: those with a value of "facet", and of "column". */
enum { FACET, COLUMN, PARTS };
static const char *const divisions[PARTS] = {"facet", "column"};
struct part {
  const char *by;                  /* a column */
  const struct frame_value *value; /* NULL: any */
};

/* NULL with a message. */
static const struct frame *shown_of(const struct drawing *d, const struct frame *f,
                                    const struct part *parts) {
  for (int i = 0; i < PARTS && f != NULL; ++i) {
    const int column =
        parts[i].value != NULL ? frame_need(f, parts[i].by, d->study->figure->file->path) : -1;
    f = parts[i].value == NULL ? f
        : column >= 0          ? frame_rows_with(f, column, parts[i].value)
                               : NULL;
  }
  return f;
}

/* A layer in a panel. */
struct layer {
  const cJSON *json;
  const struct figure_curve *curve; /* as read */
  const struct frame *all, *frame;  /* its table; what the panel shows of it */
  int by;                           /* a column, for each of whose values is a curve; -1: one is */
};

static int is_of(const struct layer *l, long row, const struct frame_value *of) {
  return of == NULL || frame_compare(frame_at(l->frame, row, l->by), of) == 0;
}

/* Names of columns with their units, as words. */
static const char *head_of(const struct drawing *d, const struct frame *f, int n,
                           const int *columns) {
  struct base_arena *arena = d->study->arena;
  const char *head = "";
  for (int i = 0; i < n; ++i) {
    const struct frame_column *c = &f->columns[columns[i]];
    head = c->unit[0] != '\0' && strchr(c->unit, ' ') == NULL
               ? base_arena_printf(arena, "%s%s%s[%s]", head, i > 0 ? " " : "", c->name, c->unit)
               : base_arena_printf(arena, "%s%s%s", head, i > 0 ? " " : "", c->name);
  }
  return head;
}

/* What a table is called after: the value of its curve, of other layers than the first with the
 * table of the layer before it, and in a drawing of all the number of the panel. */
static const char *called(const struct drawing *d, const struct layer *l,
                          const struct frame_value *of) {
  struct base_arena *arena = d->study->arena;
  const char *own = of != NULL ? frame_value_text(of, arena) : l->curve->table;
  if (of != NULL && strcmp(l->curve->table, d->study->figure->panels[0].curves[0].table) != 0) {
    own = base_arena_printf(arena, "%s-%s", l->curve->table, own);
  }
  return d->is_divided ? base_arena_printf(arena, "%d-%s", d->drawn->n_panels, own) : own;
}

/* A name for files that no other table of the drawing has; *is_new = 0: the table is written. */
static const char *name_table(struct drawing *d, const char *text, int *is_new) {
  struct base_arena *arena = d->study->arena;
  const char *clean = base_name_clean(text, arena);
  struct named **last = &d->named;
  int number = 1;
  *is_new = 0;
  for (; *last != NULL; last = &(*last)->next) {
    if (strcmp((*last)->text, text) == 0) {
      return (*last)->name;
    }
    number += strcmp((*last)->clean, clean) == 0;
  }
  const char *name = number > 1 ? base_arena_printf(arena, "%s.%d", clean, number) : clean;
  *is_new = 1;
  *last = base_arena_push(arena, sizeof **last);
  **last = (struct named){.text = text, .clean = clean, .name = name};
  return name;
}

/* The numbers of a column in n rows; of a text its number among the different ones of the table,
 * from 1 on. stride: from row to row in `values`. */
static void put_column(const struct layer *l, int column, int n, const long *rows, int stride,
                       double *values) {
  const struct frame *f = l->frame;
  int n_texts = 0, has_texts = 0;
  for (int i = 0; i < n; ++i) {
    values[(long)i * stride] = frame_real(f, rows[i], column);
    has_texts |= frame_at(f, rows[i], column)->kind == FRAME_TEXT;
  }
  const struct frame_value *all =
      has_texts ? frame_different(l->all, column, f->arena, &n_texts) : NULL;
  for (int i = 0; i < n && has_texts; ++i) {
    for (int k = 0; k < n_texts; ++k) {
      if (frame_compare(&all[k], frame_at(f, rows[i], column)) == 0) {
        values[(long)i * stride] = k + 1;
      }
    }
  }
}

/* The rows of a layer, sorted, in a table that is written once; *name stays NULL without rows. */
static int put_table(struct drawing *d, const struct layer *l, const struct frame_value *of,
                     int cols, const int *columns, const char **name) {
  struct base_arena *arena = d->study->arena;
  const struct frame *f = l->frame;
  long *rows = base_arena_array(arena, (size_t)f->n_rows + 1, 1, sizeof *rows);
  int n = 0, is_new = 0;
  for (long row = 0; row < f->n_rows; ++row) {
    rows[n] = row;
    n += is_of(l, row, of);
  }
  *name = n > 0 ? name_table(d, called(d, l, of), &is_new) : NULL;
  if (n == 0 || !is_new) {
    return BASE_OK;
  }
  frame_sort_rows(f, 1, columns, NULL, n, rows);
  double *values = base_arena_matrix(arena, cols, n);
  for (int k = 0; k < cols; ++k) {
    put_column(l, columns[k], n, rows, cols, values + k);
  }
  return case_plot_table(d->plot, *name, head_of(d, f, cols, columns), n, cols, values);
}

/* ---- curves ---- */

/* The look of a value: its own, where it is a formulation, solver or look; else a colour by its
 * number. */
static const char *look_of(const char *value, int number, struct base_arena *arena) {
  static const char *const looks[] = {"reference", "limit", "mark"};
  int known = value[0] == '#';
  for (int i = 0; i < 3; ++i) {
    known |= strcmp(looks[i], value) == 0;
  }
  for (int i = 0; i < form_count(); ++i) {
    known |= strcmp(form_get(i)->name, value) == 0;
  }
  for (int i = 0; i < problem_solver_count(); ++i) {
    known |= strcmp(problem_solver_get(i)->name, value) == 0;
  }
  return known ? value : base_arena_printf(arena, "hue of %d", number + 1);
}

/* Look and title of a curve, of the first of its rows: the color's and the title's column, where
 * these are columns. */
static void set_look(const struct drawing *d, const struct layer *l, const struct frame_value *of,
                     struct figure_curve *c) {
  struct base_arena *arena = d->study->arena;
  const int color = frame_find(l->frame, l->curve->look);
  const int title = l->curve->title != NULL ? frame_find(l->frame, l->curve->title) : -1;
  const int is_beside = c->with == FIGURE_BANDS || c->with == FIGURE_ERRORBARS ||
                        c->with == FIGURE_XBARS || c->with == FIGURE_TEXTS;
  long row = 0;
  int n, number = 0;
  while (!is_of(l, row, of)) {
    ++row;
  }
  if (color >= 0) {
    const struct frame_value *value = frame_at(l->frame, row, color);
    const struct frame_value *all = frame_different(l->all, color, arena, &n);
    while (number < n && frame_compare(&all[number], value) != 0) {
      ++number;
    }
    c->look = look_of(frame_value_text(value, arena), number, arena);
    c->title = frame_value_text(of, arena);
  }
  c->title = title >= 0 ? frame_value_text(frame_at(l->frame, row, title), arena) : c->title;
  c->title = color >= 0 && is_beside ? NULL : c->title;
  c->is_plain = color >= 0 || title >= 0;
}

/* The words that texts are the numbers of, where they are no numbers themselves. */
static void set_words(const struct layer *l, struct base_arena *arena, struct figure_curve *c) {
  const int note = frame_find(l->all, base_json_text_at(l->json, "note"));
  int n = 0, texts = 0;
  const struct frame_value *all = note >= 0 ? frame_different(l->all, note, arena, &n) : NULL;
  c->words = base_arena_push(arena, ((size_t)n + 1) * sizeof *c->words);
  for (int i = 0; i < n; ++i) {
    c->words[i] = frame_value_text(&all[i], arena);
    texts += all[i].kind == FRAME_TEXT;
  }
  c->n_words = texts == n ? n : 0;
}

/* A curve of the rows of one value (NULL: of all), if there are any, behind those of the panel. */
static int add_curve(struct drawing *d, const struct layer *l, const struct frame_value *of,
                     struct figure_panel *panel) {
  int columns[COLUMNS_MOST], cols;
  const char *table = NULL;
  int status = columns_of(d, l->frame, l->curve->table, &cols, columns);
  status = status != BASE_OK ? status : put_table(d, l, of, cols, columns, &table);
  if (status != BASE_OK || table == NULL) {
    return status;
  }
  if (panel->n_curves == CURVES_MOST) {
    return base_fail(BASE_E_INPUT, "%s: more than %d curves in a panel",
                     d->study->figure->file->path, CURVES_MOST);
  }
  struct figure_curve *c = &panel->curves[panel->n_curves++];
  *c = *l->curve;
  c->table = table;
  c->x = place_of(l->frame, l->json, "x", cols, columns);
  c->x2 = place_of(l->frame, l->json, "x2", cols, columns);
  c->y = place_of(l->frame, l->json, "y", cols, columns);
  c->y2 = place_of(l->frame, l->json, "y2", cols, columns);
  c->note = place_of(l->frame, l->json, "note", cols, columns);
  set_words(l, d->study->arena, c);
  set_look(d, l, of, c);
  return BASE_OK;
}

static int add_layer(struct drawing *d, struct layer *l, const struct part *parts,
                     struct figure_panel *panel) {
  int n = 0, status = BASE_OK;
  l->all = figure_study_table(d->study, l->curve->table);
  l->frame = shown_of(d, l->all, parts);
  if (l->frame == NULL) {
    return BASE_E_INPUT;
  }
  const char *detail = base_json_text_at(l->json, "detail");
  l->by = detail[0] != '\0' ? frame_need(l->frame, detail, d->study->figure->file->path)
                            : frame_find(l->frame, l->curve->look);
  if (l->by < 0) {
    return detail[0] != '\0' ? BASE_E_INPUT : add_curve(d, l, NULL, panel);
  }
  /* In the order that they have in the whole table, the same in all panels. */
  const struct frame_value *curves = frame_different(l->all, l->by, d->study->arena, &n);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    status = add_curve(d, l, &curves[i], panel);
  }
  return status;
}

/* ---- panels ---- */

/* The names of an axis' whole numbers, n of them from 1 on, of the rows of the first layer whose
 * table has the column of names; a name stands at the number that is nearest to where it is
 * first. */
static int name_axis(const struct drawing *d, const cJSON *panel, const char *axis,
                     const struct layer *l, int *n, const char ***names) {
  enum { MOST = 2000 };
  struct base_arena *arena = d->study->arena;
  const struct frame *f = l->frame;
  const char *name = base_json_text_at(cJSON_GetObjectItemCaseSensitive(panel, axis), "names");
  const int column = name[0] != '\0' && *n == 0 ? frame_find(f, name) : -1;
  if (column < 0) {
    return BASE_OK;
  }
  const int place = frame_need(f, base_json_text_at(l->json, axis), d->study->figure->file->path);
  if (place < 0) {
    return BASE_E_INPUT;
  }
  for (long row = 0; row < f->n_rows; ++row) {
    const double x = round(frame_real(f, row, place));
    *n = x > *n && x <= MOST ? (int)x : *n;
  }
  *names = base_arena_push(arena, ((size_t)*n + 1) * sizeof **names);
  for (int i = 0; i < *n; ++i) {
    (*names)[i] = "";
  }
  for (long row = f->n_rows - 1; row >= 0; --row) {
    const double x = round(frame_real(f, row, place));
    if (x >= 1 && x <= *n) {
      (*names)[(int)x - 1] = frame_value_text(frame_at(f, row, column), arena);
    }
  }
  return BASE_OK;
}

/* Has a table of the panel the column that names an axis? */
static int is_named(const struct drawing *d, const cJSON *panel, const char *axis) {
  const char *name = base_json_text_at(cJSON_GetObjectItemCaseSensitive(panel, axis), "names");
  const struct frame *f = NULL;
  const cJSON *layer;
  int found = name[0] == '\0';
  cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(panel, "layer")) {
    const char *table = base_json_text_at(layer, "table");
    f = table[0] != '\0' ? figure_study_table(d->study, table) : f;
    found |= f != NULL && frame_find(f, name) >= 0;
  }
  return found || f == NULL || frame_need(f, name, d->study->figure->file->path) >= 0;
}

static int add_panel(struct drawing *d, const cJSON *json, const struct figure_panel *as_read,
                     const struct part *parts) {
  struct base_arena *arena = d->study->arena;
  struct figure *drawn = d->drawn;
  const cJSON *layer;
  int k = 0;
  if (drawn->n_panels == PANELS_MOST) {
    return base_fail(BASE_E_INPUT, "%s: more than %d panels", d->study->figure->file->path,
                     PANELS_MOST);
  }
  struct figure_panel *panel = &drawn->panels[drawn->n_panels++];
  *panel = *as_read;
  panel->n_curves = 0;
  panel->curves = base_arena_push(arena, CURVES_MOST * sizeof *panel->curves);
  const struct frame_value *head =
      parts[COLUMN].value != NULL || !d->is_divided ? parts[COLUMN].value : parts[FACET].value;
  panel->head = head != NULL ? frame_value_text(head, arena) : panel->head;
  int status = is_named(d, json, "x") && is_named(d, json, "y") ? BASE_OK : BASE_E_INPUT;
  const struct frame **shown =
      base_arena_push(arena, ((size_t)as_read->n_curves + 1) * sizeof *shown);
  cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(json, "layer")) {
    const struct figure_curve *curve = &as_read->curves[k++];
    struct layer l = {.json = layer, .curve = curve};
    shown[k - 1] = NULL;
    if (curve->table == NULL) { /* a power law or a rule */
      panel->curves[panel->n_curves++] = *curve;
      continue;
    }
    status = status != BASE_OK ? status : add_layer(d, &l, parts, panel);
    shown[k - 1] = status == BASE_OK ? l.frame : NULL;
    status =
        status != BASE_OK ? status : name_axis(d, json, "y", &l, &panel->n_rows, &panel->row_names);
    status =
        status != BASE_OK ? status : name_axis(d, json, "x", &l, &panel->n_cols, &panel->col_names);
  }
  if (status == BASE_OK) {
    figure_study_axes(d->study, json, shown, panel);
  }
  drawn->n_panels -= panel->n_curves == 0; /* its tables have no rows here */
  return status;
}

/* A panel of some rows, or, with "column", one for each value of that among them. */
static int add_panels(struct drawing *d, const cJSON *json, const struct figure_panel *as_read,
                      const struct frame_value *facet) {
  struct part parts[PARTS] = {{base_json_text_at(json, divisions[FACET]), facet},
                              {base_json_text_at(json, divisions[COLUMN]), NULL}};
  if (parts[COLUMN].by[0] == '\0') {
    return add_panel(d, json, as_read, parts);
  }
  const struct frame *shown =
      shown_of(d, figure_study_table(d->study, as_read->curves[0].table), parts);
  const int column =
      shown != NULL ? frame_need(shown, parts[COLUMN].by, d->study->figure->file->path) : -1;
  if (column < 0) {
    return BASE_E_INPUT;
  }
  int n, status = BASE_OK;
  const struct frame_value *values = frame_different(shown, column, d->study->arena, &n);
  for (int i = 0; i < n && status == BASE_OK; ++i) {
    parts[COLUMN].value = &values[i];
    status = add_panel(d, json, as_read, parts);
  }
  return status;
}

int figure_study_draw(const struct figure_study *study, int facet, struct case_plot *plot,
                      struct figure *drawn) {
  const int is_of_all = facet < 0 && study->n_facets > 0;
  struct drawing d = {.study = study,
                      .plot = plot,
                      .is_divided =
                          is_of_all || figure_study_divided(study, divisions[COLUMN]) != NULL,
                      .drawn = drawn};
  const cJSON *panel;
  int i = 0, status = BASE_OK;
  *drawn = *study->figure;
  drawn->n_panels = 0;
  drawn->panels = base_arena_push(study->arena, PANELS_MOST * sizeof *drawn->panels);
  drawn->abreast = d.is_divided || facet < 0 ? drawn->abreast : 1;
  cJSON_ArrayForEach(panel, cJSON_GetObjectItemCaseSensitive(study->figure->file->json, "panels")) {
    const struct figure_panel *as_read = &study->figure->panels[i++];
    const int has_facet = base_json_text_at(panel, divisions[FACET])[0] != '\0';
    if (!is_of_all) {
      const struct frame_value *value = has_facet && facet >= 0 ? &study->facets[facet] : NULL;
      status = status != BASE_OK ? status : add_panels(&d, panel, as_read, value);
    }
    for (int k = 0; is_of_all && has_facet && k < study->n_facets && status == BASE_OK; ++k) {
      status = add_panels(&d, panel, as_read, &study->facets[k]);
    }
    if (is_of_all && has_facet) {
      break;
    }
  }
  return status;
}
