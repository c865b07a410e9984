/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences that conclude, captions of figures (cases/figure/figure.h) and findings of the page
 * (scripts/plot/chapters.json), hold no measured number themselves but gaps:
 *
 *   "ccp rebounds at {ccp: first ratio} in place of 0.7"       of the figure that it belongs to
 *   "ccp rebounds at {bhalerao-10: ccp: first ratio} ..."      of one of several
 *
 * A gap is the beginning of the text of a check or report; the first one that begins so has the
 * number, or a dash where it could not be measured (an engine that is not installed).
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/number.h"
#include "bench/figure/figure.h"
#include "bench/frame/frame.h"

const cJSON *bench_figure_of(const cJSON *figures, const char *id, size_t length) {
  const cJSON *figure;
  cJSON_ArrayForEach(figure, figures) {
    const char *name = base_json_text_at(figure, "id");
    if (strlen(name) == length && strncmp(name, id, length) == 0) {
      return figure;
    }
  }
  return NULL;
}

/* A number as text for people: three digits; a dash where there is none. */
static const char *number_text(struct base_arena *arena, double x) {
  if (!isfinite(x)) {
    return "\xe2\x80\x93"; /* an en dash */
  }
  const int is_far = x != 0 && (fabs(x) < 1e-2 || fabs(x) >= 1e4);
  char *text = base_arena_printf(arena, is_far ? "%.2e" : "%.3g", x);
  base_number_unpad(text);
  return text;
}

/* The check or report of a figure whose text begins so; NULL: there is none. */
static const cJSON *value_of(const cJSON *figure, const char *what, size_t length) {
  static const char *const values[] = {"checks", "reports"};
  for (int i = 0; i < 2; ++i) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(figure, values[i])) {
      if (strncmp(base_json_text_at(item, "what"), what, length) == 0) {
        return item;
      }
    }
  }
  return NULL;
}

struct filling {
  const cJSON *figures, *figure;
  const char *missing;
};

/* What stands between the braces, of `figure`, or of the one of `figures` that it begins with. */
static const char *number_in(void *data, struct base_arena *arena, const char *gap) {
  struct filling *filling = data;
  const char *what = gap, *colon = strchr(gap, ':');
  const cJSON *figure = filling->figure;
  if (figure == NULL && colon != NULL) {
    figure = bench_figure_of(filling->figures, gap, (size_t)(colon - gap));
    what = colon + 1 + strspn(colon + 1, " ");
  }
  const cJSON *value = value_of(figure, what, strlen(what));
  if (value == NULL && filling->missing == NULL) {
    filling->missing = gap;
  }
  return number_text(arena, value != NULL ? base_json_real_at(value, "measured") : NAN);
}

const char *bench_figure_fill(struct base_arena *arena, const char *text, const cJSON *figures,
                              const cJSON *figure, const char **missing) {
  struct filling filling = {figures, figure, NULL};
  const char *filled = frame_fill(arena, text, number_in, &filling);
  *missing = filling.missing;
  return filled;
}

const char *bench_figure_fill_from(struct base_arena *arena, const char *text,
                                   const struct case_plot *plot, const char **missing) {
  cJSON *values = cJSON_CreateObject();
  bench_plot_to_json(plot, values);
  const char *filled = bench_figure_fill(arena, text, NULL, values, missing);
  cJSON_Delete(values);
  return filled;
}
