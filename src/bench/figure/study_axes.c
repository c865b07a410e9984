/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Axes of panels of studies, as the data say: what they are called, their scale, how far they go;
 * see study.h.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "bench/figure/study.h"

/* The first layer's. */
static const char *table_of(const cJSON *panel) {
  const cJSON *layers = cJSON_GetObjectItemCaseSensitive(panel, "layer");
  return base_json_text_at(cJSON_GetArrayItem(layers, 0), "table");
}

static double number_of(const cJSON *layer, const char *key, double otherwise) {
  const cJSON *x = cJSON_GetObjectItemCaseSensitive(layer, key);
  return cJSON_IsNumber(x) ? x->valuedouble : otherwise;
}

/* fmin and fmax pass over what is missing. */
static void widen(double span[2], double x) {
  span[0] = fmin(span[0], x);
  span[1] = fmax(span[1], x);
}

/* Of a curve y = scale x^power, over the x of the others. */
static void widen_by_power(double span[2], double scale, double power, const double across[2]) {
  widen(span, scale * pow(across[0], power));
  widen(span, scale * pow(across[1], power));
}

/* The rows in the columns of an axis, of each layer with a table: least and largest. shown: of
 * each layer those of a panel, and power laws and rules without tables count, too; NULL: of all
 * facets. */
static int span_of(const struct figure_study *study, const cJSON *panel, const char *axis,
                   const struct frame *const *shown, double span[2]) {
  const int is_y = axis[0] == 'y';
  const char *const ends[] = {axis, is_y ? "y2" : "x2"};
  double across[2] = {1, 1};
  const cJSON *layer;
  int k = 0;
  if (is_y && !span_of(study, panel, "x", shown, across)) {
    across[0] = across[1] = NAN;
  }
  span[0] = INFINITY;
  span[1] = -INFINITY;
  cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(panel, "layer")) {
    const char *table = base_json_text_at(layer, "table");
    const struct frame *f = table[0] == '\0' ? NULL
                            : shown != NULL  ? shown[k]
                                             : figure_study_table(study, table);
    const double power = number_of(layer, "power", 0);
    ++k;
    for (int i = 0; i < 2 && f != NULL; ++i) {
      const int column = frame_find(f, base_json_text_at(layer, ends[i]));
      for (long row = 0; row < f->n_rows && column >= 0; ++row) {
        const double x = frame_real(f, row, column);
        if (is_y && power != 0) {
          widen_by_power(span, x, power, across);
        } else {
          widen(span, x);
        }
      }
    }
    if (table[0] == '\0' && shown != NULL && cJSON_HasObjectItem(layer, "x") != is_y) {
      if (is_y) {
        widen_by_power(span, number_of(layer, "factor", 1), power, across);
      } else {
        widen(span, number_of(layer, "x", NAN));
      }
    }
  }
  return isfinite(span[1] - span[0]);
}

/* A number beyond the end b of [a, b] by a part of it. */
static double beyond(double a, double b, int is_log) {
  static const double PART = 0.04;
  return is_log ? b * pow(b / a, PART) : b + PART * (b - a);
}

/* What the data say of an axis; see study.h. */
static void fit_axis(const struct figure_study *study, const cJSON *panel, const char *axis,
                     const struct frame *const *shown, struct figure_panel *p) {
  static const double LOG_SPAN = 30;
  const cJSON *how = cJSON_GetObjectItemCaseSensitive(panel, axis);
  const int is_x = axis[0] == 'x';
  int is_log = p->log != NULL && strchr(p->log, axis[0]) != NULL;
  const int has_other = p->log != NULL && strchr(p->log, is_x ? 'y' : 'x') != NULL;
  double all[2], own[2], *range = is_x ? p->x_range : p->y_range;
  if (!span_of(study, panel, axis, NULL, all)) {
    return;
  }
  if (strcmp(base_json_text_at(how, "scale"), "auto") == 0) {
    is_log = all[0] > 0 && all[1] > LOG_SPAN * all[0];
    p->log = is_log && has_other ? "xy" : is_log ? (is_x ? "x" : "y") : p->log;
  }
  const int is_shared = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(how, "shared"));
  const int is_open = cJSON_GetObjectItemCaseSensitive(how, "domain") == NULL;
  const double *span = is_shared ? all : own;
  /* Tics of a logarithmic axis depend on how far it goes (panels.gp): its ends are wanted. */
  const int is_wanted = is_log && is_open && span_of(study, panel, axis, shown, own) && own[0] > 0;
  if ((is_shared || is_wanted) && span[0] < span[1]) {
    range[0] = beyond(span[1], span[0], is_log);
    range[1] = beyond(span[0], span[1], is_log);
  }
}

/* The name of an axis without a title whose numbers have no names. */
static const char *title_of(const struct figure_study *study, const cJSON *panel, const char *axis,
                            const char *title) {
  struct base_arena *arena = study->arena;
  const cJSON *layer = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(panel, "layer"), 0);
  const char *name = base_json_text_at(layer, axis), *table = table_of(panel);
  const int is_named = cJSON_HasObjectItem(cJSON_GetObjectItemCaseSensitive(panel, axis), "names");
  const struct frame *f =
      title == NULL && !is_named && table[0] != '\0' ? figure_study_table(study, table) : NULL;
  const int column = f != NULL ? frame_find(f, name) : -1;
  if (column < 0) {
    return title;
  }
  char *plain = base_arena_push(arena, 2 * strlen(name) + 1), *out = plain;
  for (; *name != '\0'; ++name) { /* in gnuplot's enhanced text '_' is an index */
    *out = '\\';
    out += *name == '_';
    *out++ = *name;
  }
  const char *unit = f->columns[column].unit;
  return base_arena_printf(arena, unit[0] != '\0' ? "%s [%s]" : "%s", plain, unit);
}

void figure_study_axes(const struct figure_study *study, const cJSON *panel,
                       const struct frame *const *shown, struct figure_panel *p) {
  p->x = title_of(study, panel, "x", p->x);
  p->y = title_of(study, panel, "y", p->y);
  fit_axis(study, panel, "x", shown, p);
  fit_axis(study, panel, "y", shown, p);
}
