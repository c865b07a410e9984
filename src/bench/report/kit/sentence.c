/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of tables: rows of them, gaps of texts, sentences; see study.h.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/report/kit/study.h"

const struct frame *report_rows_of(const struct figure_study *tables, const cJSON *spec) {
  const struct frame *f = figure_study_table(tables, base_json_text_at(spec, "table"));
  const cJSON *only;
  cJSON_ArrayForEach(only, cJSON_GetObjectItemCaseSensitive(spec, "only")) {
    const struct frame_value value = {.kind = FRAME_TEXT, .text = cJSON_GetStringValue(only)};
    const int column = f != NULL ? frame_need(f, only->string, tables->figure->file->path) : -1;
    f = column >= 0 ? frame_rows_with(f, column, &value) : NULL;
  }
  return f;
}

struct filling {
  const struct frame *f;
  const char *file;
  int has_failed;
};

/* What an expression between braces comes to, of the columns of a frame. */
static const char *work_out(void *data, struct base_arena *arena, const char *gap) {
  struct filling *filling = data;
  const struct frame_expression *e = frame_expression_read(arena, gap, filling->file);
  const struct frame_scope scope = frame_column_scope(filling->f);
  double x;
  const int is_number = e != NULL && frame_expression_number(e, &scope, &x) == BASE_OK;
  filling->has_failed |= !is_number;
  return is_number ? frame_short_number(arena, x) : NULL;
}

const char *report_filled(const struct frame *f, const char *text, const char *file) {
  struct filling filling = {f, file, 0};
  const char *filled = frame_fill(f->arena, text, work_out, &filling);
  return filling.has_failed ? NULL : filled;
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
