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

/* The rows of all facets in the columns of an axis, of each layer with a table: least and
 * largest. */
static int span_of(const struct figure_study *study, const cJSON *panel, const char *axis,
                   double span[2]) {
  const char *const ends[] = {axis, axis[0] == 'x' ? "x2" : "y2"};
  const cJSON *layer;
  span[0] = INFINITY;
  span[1] = -INFINITY;
  cJSON_ArrayForEach(layer, cJSON_GetObjectItemCaseSensitive(panel, "layer")) {
    const char *table = base_json_text_at(layer, "table");
    const struct frame *f = table[0] != '\0' ? figure_study_table(study, table) : NULL;
    for (int i = 0; i < 2 && f != NULL; ++i) {
      const int column = frame_find(f, base_json_text_at(layer, ends[i]));
      for (long row = 0; row < f->n_rows && column >= 0; ++row) {
        const double x = frame_real(f, row, column);
        span[0] = fmin(span[0], x); /* which pass over what is missing */
        span[1] = fmax(span[1], x);
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
                     struct figure_panel *p) {
  static const double LOG_SPAN = 30, SHORT_SPAN = 70;
  const cJSON *how = cJSON_GetObjectItemCaseSensitive(panel, axis);
  const int is_x = axis[0] == 'x';
  int is_log = p->log != NULL && strchr(p->log, axis[0]) != NULL;
  const int has_other = p->log != NULL && strchr(p->log, is_x ? 'y' : 'x') != NULL;
  double span[2], *range = is_x ? p->x_range : p->y_range;
  if (!span_of(study, panel, axis, span)) {
    return;
  }
  if (strcmp(base_json_text_at(how, "scale"), "auto") == 0) {
    is_log = span[0] > 0 && span[1] > LOG_SPAN * span[0];
    p->log = is_log && has_other ? "xy" : is_log ? (is_x ? "x" : "y") : p->log;
  }
  /* Below two decades, ends included, a logarithmic axis has tics within them, too (panels.gp):
   * its ends are wanted. */
  const int is_short = is_log && span[0] > 0 && span[1] < SHORT_SPAN * span[0];
  const int is_open = cJSON_GetObjectItemCaseSensitive(how, "domain") == NULL;
  if ((cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(how, "shared")) || (is_short && is_open)) &&
      span[0] < span[1]) {
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
                       struct figure_panel *p) {
  p->x = title_of(study, panel, "x", p->x);
  p->y = title_of(study, panel, "y", p->y);
  fit_axis(study, panel, "x", p);
  fit_axis(study, panel, "y", p);
}
