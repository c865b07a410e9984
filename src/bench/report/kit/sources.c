/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sources of rows that are no runs: values of figures, what papers state, and tables of studies;
 * see study.h.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/frame/expression.h"
#include "bench/papers/papers.h"
#include "bench/report/kit/study.h"

/* Append a row of what an object has; columns of other names stay missing. */
static void append(struct frame *f, const cJSON *row, char *is_known) {
  const long at = frame_push(f);
  for (int i = 0; i < f->n_columns; ++i) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, f->columns[i].name);
    is_known[i] |= item != NULL;
    *frame_at(f, at, i) = frame_value_of(f->arena, item);
  }
}

/* ---- values of figures ---- */

static void append_value(const struct report *report, const cJSON *figure, const cJSON *item,
                         int is_report, struct frame *f, char *is_known) {
  struct base_arena *arena = report->arena;
  const double lo = base_json_real_at(item, "lo"), hi = base_json_real_at(item, "hi");
  const double measured = base_json_real_at(item, "measured");
  const int digits = bench_figure_digits(lo, hi);
  cJSON *row = cJSON_CreateObject();
  base_json_add_texts(
      row, "figure", base_json_text_at(figure, "id"), "what", base_json_text_at(item, "what"),
      "verdict", is_report ? case_verdict_names[CASE_REPORTED] : base_json_text_at(item, "verdict"),
      "measured",
      isfinite(measured) ? base_arena_printf(arena, "%.*g", digits, measured) : "missing",
      "claimed",
      is_report ? "" : base_arena_printf(arena, "%.*g \xe2\x80\xa6 %.*g", digits, lo, digits, hi),
      "expected", base_json_text_at(item, is_report ? "note" : "expected"), "published",
      base_json_text_at(item, "published"), "reason", base_json_text_at(item, "reason"),
      (char *)NULL);
  append(f, row, is_known);
  cJSON_Delete(row);
}

/* Checks first, then what is reported only. */
static void append_values(const struct report *report, struct frame *f, char *is_known) {
  static const char *const lists[] = {"checks", "reports"};
  const cJSON *figure, *item;
  cJSON_ArrayForEach(figure, report->figures) {
    for (int i = 0; i < 2; ++i) {
      cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(figure, lists[i])) {
        append_value(report, figure, item, i, f, is_known);
      }
    }
  }
}

/* ---- what papers state ---- */

static int append_papers(const struct report *report, struct frame *f, char *is_known) {
  struct base_arena *arena = report->arena;
  cJSON *papers = NULL, *paper, *row;
  const int status = bench_papers_load(arena, &papers);
  cJSON_ArrayForEach(paper, papers) {
    int faults = 0;
    cJSON *rows = bench_paper_rows(paper, report->figures, arena);
    const char *summary = base_arena_printf(arena, "%s: %s: %s", base_json_text_at(paper, "paper"),
                                            bench_paper_kinds(paper, arena),
                                            bench_paper_counts(rows, arena, &faults));
    cJSON_ArrayForEach(row, rows) {
      cJSON_AddStringToObject(row, "summary", summary);
      append(f, row, is_known);
    }
    cJSON_Delete(rows);
  }
  cJSON_Delete(papers);
  return status;
}

/* ---- tables of studies ---- */

const struct figure_study *report_study_tables(struct report *report,
                                               const struct bench_figure *study) {
  struct report_tables *t = report->tables;
  while (t != NULL && t->study != study) {
    t = t->next;
  }
  if (t != NULL) {
    if (t->made == NULL) {
      base_fail(BASE_E_INPUT, "%s: its tables are made of themselves", study->path);
    }
    return t->made;
  }
  t = base_arena_push(report->arena, sizeof *t);
  *t = (struct report_tables){.study = study, .next = report->tables};
  report->tables = t;
  struct figure *read = base_arena_push(report->arena, sizeof *read);
  struct figure_study *made = base_arena_push(report->arena, sizeof *made);
  int status = figure_read(study, report->arena, read);
  status = status != BASE_OK ? status
                             : figure_study_load(read, report_source, report, report->arena, made);
  t->made = status == BASE_OK ? made : NULL;
  return t->made;
}

/* "STUDY.TABLE": those of its columns that are asked for. */
static int append_table(struct report *report, const char *name, struct frame *f) {
  const char *dot = strchr(name, '.');
  const char *id = base_arena_printf(report->arena, "%.*s", (int)(dot - name), name);
  const struct bench_figure *study = bench_figure_find(id, NULL);
  const struct figure_study *made = study != NULL ? report_study_tables(report, study) : NULL;
  const struct frame *from = made != NULL ? figure_study_table(made, dot + 1) : NULL;
  if (from == NULL) {
    return BASE_E_INPUT;
  }
  int *columns = base_arena_ints(report->arena, f->n_columns + 1);
  for (int i = 0; i < f->n_columns; ++i) {
    columns[i] = frame_need(from, f->columns[i].name, study->path);
    if (columns[i] < 0) {
      return BASE_E_INPUT;
    }
    f->columns[i].unit = from->columns[columns[i]].unit;
  }
  for (long row = 0; row < from->n_rows; ++row) {
    const long at = frame_push(f);
    for (int i = 0; i < f->n_columns; ++i) {
      *frame_at(f, at, i) = *frame_at(from, row, columns[i]);
    }
  }
  return BASE_OK;
}

int report_other_source(struct report *report, const char *name, struct frame *f, char *is_known) {
  if (strchr(name, '.') != NULL) {
    memset(is_known, 1, (size_t)f->n_columns);
    return append_table(report, name, f);
  }
  if (strcmp(name, "values") == 0) {
    append_values(report, f, is_known);
    return BASE_OK;
  }
  if (strcmp(name, "solutions") == 0) {
    memset(is_known, 1, (size_t)f->n_columns);
    report_append_solutions(report, f, is_known);
    return BASE_OK;
  }
  return strcmp(name, "published") == 0
             ? append_papers(report, f, is_known)
             : base_fail(BASE_E_INPUT,
                         "unknown source '%s' (records, runs, compared, quantities, searches, "
                         "solutions, before, values, published, STUDY.TABLE, or a table before it)",
                         name);
}
