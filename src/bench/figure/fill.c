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

/* Three digits; a dash. */
void bench_figure_number(FILE *out, double x) {
  char text[32];
  if (!isfinite(x)) {
    fputs("\xe2\x80\x93", out); /* an en dash */
    return;
  }
  if (x != 0 && (fabs(x) < 1e-2 || fabs(x) >= 1e4)) {
    snprintf(text, sizeof text, "%.2e", x);
  } else {
    snprintf(text, sizeof text, "%.3g", x);
  }
  base_number_unpad(text);
  fputs(text, out);
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

/* What stands between the braces, of `figure`, or of the one of `figures` that it begins with. */
static const cJSON *value_in(const cJSON *figures, const cJSON *figure, const char *gap,
                             size_t length) {
  const char *end = gap + length, *what = gap;
  if (figure == NULL) {
    const char *colon = memchr(gap, ':', length);
    if (colon == NULL) {
      return NULL;
    }
    figure = bench_figure_of(figures, gap, (size_t)(colon - gap));
    what = colon + 1 + strspn(colon + 1, " ");
  }
  return value_of(figure, what, (size_t)(end - what));
}

const char *bench_figure_fill(struct base_arena *arena, const char *text, const cJSON *figures,
                              const cJSON *figure, const char **missing) {
  char *filled = NULL;
  size_t size;
  FILE *out = open_memstream(&filled, &size);
  *missing = NULL;
  for (const char *c = text; *c != '\0'; ++c) {
    const char *end = *c == '{' ? strchr(c, '}') : NULL;
    if (end == NULL) {
      fputc(*c, out);
      continue;
    }
    const size_t length = (size_t)(end - c - 1);
    const cJSON *value = value_in(figures, figure, c + 1, length);
    const double x = value != NULL ? base_json_real_at(value, "measured") : NAN;
    if (value == NULL && *missing == NULL) {
      *missing = base_arena_printf(arena, "%.*s", (int)length, c + 1);
    }
    bench_figure_number(out, x);
    c = end;
  }
  fclose(out);
  const char *copy = base_arena_copy(arena, filled);
  free(filled);
  return copy;
}
