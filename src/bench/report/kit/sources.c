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

/* A value by name. */
struct named {
  const char *name, *text; /* text NULL: a number */
  double number;
};

/* Append a row of n values; columns that are none of them stay missing. */
static void append(struct frame *f, int n, const struct named *values, char *is_known) {
  const long at = frame_push(f);
  for (int i = 0; i < f->n_columns; ++i) {
    for (int k = 0; k < n; ++k) {
      if (strcmp(values[k].name, f->columns[i].name) == 0) {
        const char *text = values[k].text;
        is_known[i] = 1;
        *frame_at(f, at, i) = text == NULL      ? frame_number(values[k].number)
                              : text[0] == '\0' ? frame_number(NAN)
                                                : frame_word(text);
      }
    }
  }
}
#define COUNT_OF(list) ((int)(sizeof(list) / sizeof *(list)))

/* ---- values of figures ---- */

static const char *digits_of(struct base_arena *arena, int digits, double x) {
  return isfinite(x) ? base_arena_printf(arena, "%.*g", digits, x) : "missing";
}

static void append_value(const struct report *report, const cJSON *figure, const cJSON *item,
                         int is_report, struct frame *f, char *is_known) {
  const double lo = base_json_real_at(item, "lo"), hi = base_json_real_at(item, "hi");
  const int digits = bench_figure_digits(lo, hi);
  const struct named values[] = {
      {"figure", base_json_text_at(figure, "id"), 0},
      {"what", base_json_text_at(item, "what"), 0},
      {"verdict",
       is_report ? case_verdict_names[CASE_REPORTED] : base_json_text_at(item, "verdict"), 0},
      {"measured", digits_of(report->arena, digits, base_json_real_at(item, "measured")), 0},
      {"claimed",
       is_report
           ? ""
           : base_arena_printf(report->arena, "%.*g \xe2\x80\xa6 %.*g", digits, lo, digits, hi),
       0},
      {"expected", base_json_text_at(item, is_report ? "note" : "expected"), 0},
      {"published", base_json_text_at(item, "published"), 0},
      {"reason", base_json_text_at(item, "reason"), 0}};
  append(f, COUNT_OF(values), values, is_known);
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

static void append_paper(const struct report *report, const cJSON *paper, struct frame *f,
                         char *is_known) {
  struct base_arena *arena = report->arena;
  int n;
  const struct bench_paper_row *rows = bench_paper_rows(paper, report->figures, arena, &n);
  const char *tag = base_json_text_at(paper, "paper");
  const char *summary = base_arena_printf(arena, "%s: %s: %s", tag, bench_paper_kinds(paper, arena),
                                          bench_paper_counts(rows, n, arena, NULL));
  for (const struct bench_paper_row *row = rows; row < rows + n; ++row) {
    const char *section = base_json_text_at(row->item, "section");
    const char *says = base_json_text_at(row->item, "says");
    const int has_number = isfinite(row->measured);
    const struct named values[] = {
        {"paper", tag, 0},
        {"reference", base_json_text_at(paper, "reference"), 0},
        {"summary", summary, 0},
        {"item", base_json_text_at(row->item, "item"), 0},
        {"section", section, 0},
        {"says", base_arena_printf(arena, "%s: %s", section, says), 0},
        {"quantity", row->what, 0},
        {"published", row->published, 0},
        {"measured", NULL, row->measured},
        {"shown", has_number ? digits_of(arena, row->digits, row->measured) : "", 0},
        {"difference", NULL, 100 * row->difference},
        {"verdict", row->verdict, 0},
        {"reason", row->reason, 0}};
    append(f, COUNT_OF(values), values, is_known);
  }
}

static int append_papers(const struct report *report, struct frame *f, char *is_known) {
  cJSON *papers = NULL, *paper;
  const int status = bench_papers_load(report->arena, &papers);
  if (status == BASE_OK) {
    cJSON_ArrayForEach(paper, papers) { append_paper(report, paper, f, is_known); }
  }
  for (long at = 0; at < f->n_rows; ++at) { /* texts outlive their files */
    for (int i = 0; i < f->n_columns; ++i) {
      struct frame_value *v = frame_at(f, at, i);
      v->text = v->kind == FRAME_TEXT ? base_arena_copy(f->arena, v->text) : v->text;
    }
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
