/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of tables: rows of them, gaps of texts, sentences; see study.h.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/report/kit/study.h"

const struct frame *report_rows_with(const struct frame *f, int column,
                                     const struct frame_value *value) {
  struct frame *made = frame_like(f);
  for (long row = 0; row < f->n_rows; ++row) {
    if (frame_compare(frame_at(f, row, column), value) == 0) {
      frame_push_copy(made, f, row);
    }
  }
  return made;
}

const struct frame *report_rows_of(const struct figure_study *tables, const cJSON *spec) {
  const struct frame *f = figure_study_table(tables, base_json_text_at(spec, "table"));
  const cJSON *only;
  cJSON_ArrayForEach(only, cJSON_GetObjectItemCaseSensitive(spec, "only")) {
    const struct frame_value value = {.kind = FRAME_TEXT, .text = cJSON_GetStringValue(only)};
    const int column = f != NULL ? frame_need(f, only->string, tables->figure->file->path) : -1;
    f = column >= 0 ? report_rows_with(f, column, &value) : NULL;
  }
  return f;
}

/* What an expression between braces comes to, of the columns of a frame. */
static const char *worked_out(const struct frame *f, const char *text, const char *file) {
  const struct frame_expression *e = frame_expression_read(f->arena, text, file);
  const struct frame_scope scope = frame_column_scope(f);
  double x;
  return e != NULL && frame_expression_number(e, &scope, &x) == BASE_OK
             ? frame_short_number(f->arena, x)
             : NULL;
}

const char *report_filled(const struct frame *f, const char *text, const char *file) {
  const char *all = "";
  for (const char *gap; (gap = strchr(text, '{')) != NULL && strchr(gap, '}') != NULL;) {
    const int length = (int)strcspn(gap + 1, "}");
    const char *x = worked_out(f, base_arena_printf(f->arena, "%.*s", length, gap + 1), file);
    if (x == NULL) {
      return NULL;
    }
    all = base_arena_printf(f->arena, "%s%.*s%s", all, (int)(gap - text), text, x);
    text = gap + length + 2;
  }
  return base_arena_printf(f->arena, "%s%s", all, text);
}

const char *report_sentence(const struct figure_study *tables, const cJSON *specs) {
  const char *text = "";
  const cJSON *spec;
  cJSON_ArrayForEach(spec, specs) {
    const struct frame *f = report_rows_of(tables, spec);
    const int says = f != NULL ? frame_need(f, "says", tables->figure->file->path) : -1;
    if (says < 0) {
      return NULL;
    }
    for (long row = 0; row < f->n_rows; ++row) {
      text = base_arena_printf(tables->arena, "%s%s", text, frame_text(f, row, says));
    }
    if (f->n_rows == 0) {
      text = base_arena_printf(tables->arena, "%s%s", text, base_json_text_at(spec, "empty"));
    }
  }
  return text;
}
