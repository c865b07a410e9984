/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report's rows as a frame, a row a record; study.h lists the columns.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/record/fields.h"
#include "bench/job/job.h"
#include "bench/report/kit/study.h"
#include "form/form.h"

static double form_number(const struct report_record *r) { return r->form; }
static double step_of(const struct report_record *r) { return r->dt; }
static double has_finished(const struct report_record *r) { return report_has_errors(r); }
static double is_reference(const struct report_record *r) { return report_is_reference(r); }
static double relative_drift(const struct report_record *r) {
  return report_relative_drift(r->json);
}
/* No better known than what is judged: nothing. */
static double error_of(const struct report_record *r) {
  return !report_is_reference(r) &&
                 isfinite(base_json_real_at(r->json, "quality.measures.position"))
             ? base_json_real_at(r->json, "errors.q_linf") /
                   base_json_real_at(r->json, "quality.scales.length")
             : NAN;
}
static double chooses_steps(const struct report_record *r) {
  return form_get(r->form)->chooses_steps;
}
static double default_tolerance(const struct report_record *r) {
  return bench_tolerance_balanced(r->dt, base_json_real_at(r->json, "t_end"));
}
static double time_lo(const struct report_record *r) { return report_time_bound(r, 0); }
static double time_hi(const struct report_record *r) { return report_time_bound(r, 1); }

static double counted(const struct report_record *r, const char *path) {
  const double x = base_json_real_at(r->json, path);
  return isfinite(x) ? x : 0;
}

static double work_of(const struct report_record *r) {
  return counted(r, "steps") + counted(r, "iterations.total") +
         counted(r, "iterations.evaluations");
}

static const struct {
  const char *name, *unit;
  double (*of)(const struct report_record *r);
} columns[] = {{"form", "", form_number},
               {"dt", "s", step_of},
               {"finished", "", has_finished},
               {"chooses_steps", "", chooses_steps},
               {"is_reference", "", is_reference},
               {"error", "", error_of},
               {"floor", "", report_error_floor},
               {"drift", "", relative_drift},
               {"default_tol", "", default_tolerance},
               {"time_lo", "s", time_lo},
               {"time_hi", "s", time_hi},
               {"work", "", work_of}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char ROW[] = "row", MOTION[] = "motion";

static int computed(const char *name) {
  int i = 0;
  while (i < COLUMNS && strcmp(columns[i].name, name) != 0) {
    ++i;
  }
  return i < COLUMNS ? i : -1;
}

/* Append a record, of a row or of none: what it has, then what is computed of it. */
static void append(const struct report *report, const struct report_record *r, int row,
                   const struct report_row *of, struct frame *f, char *is_known) {
  frame_append(f, r->json, r->name, is_known);
  const long at = f->n_rows - 1;
  for (int i = 0; i < f->n_columns; ++i) {
    const char *name = f->columns[i].name;
    const int c = computed(name);
    if (c >= 0 && (r->form >= 0 || columns[c].of != chooses_steps)) {
      is_known[i] = 1;
      *frame_at(f, at, i) = frame_number(columns[c].of(r));
    } else if (of != NULL && strcmp(name, ROW) == 0) {
      is_known[i] = 1;
      *frame_at(f, at, i) = frame_number(row);
    } else if (of != NULL && strcmp(name, MOTION) == 0) {
      is_known[i] = 1;
      *frame_at(f, at, i) = (struct frame_value){.kind = FRAME_TEXT, .text = of->title};
    } else if (of != NULL && strcmp(name, "place") == 0) {
      is_known[i] = 1;
      *frame_at(f, at, i) = frame_number((double)(r - report->records));
    }
  }
}

static void append_rows(const struct report *report, int n, const struct report_row *rows,
                        struct frame *f, char *is_known) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < rows[k].n; ++i) {
      append(report, rows[k].records[i], k + 1, &rows[k], f, is_known);
    }
  }
}

/* A study is of whatever records there are: parameters and options that none of them has are
 * missing. */
static void know_free_keys(const struct frame *f, char *is_known) {
  for (int i = 0; i < f->n_columns; ++i) {
    is_known[i] = is_known[i] || bench_field_may_be_number(f->columns[i].name);
  }
}

static void set_units(struct frame *f) {
  for (int i = 0; i < f->n_columns; ++i) {
    const int c = computed(f->columns[i].name);
    f->columns[i].unit = c >= 0 ? columns[c].unit : f->columns[i].unit;
  }
}

struct frame *report_frame(const struct report *report, int n, const struct report_row *rows) {
  static const char *const paths[] = {"errors.q_linf", "timing.steps_s"};
  struct frame *f = frame_new(report->arena);
  frame_add(f, ROW, "");
  frame_add(f, "place", "");
  for (int i = 0; i < COLUMNS; ++i) {
    frame_add(f, columns[i].name, columns[i].unit);
  }
  for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
    frame_want(f, paths[i], "report");
  }
  append_rows(report, n, rows, f, base_arena_array(f->arena, (size_t)f->n_columns, 1, 1));
  return f;
}

/* Those that the overview compares; `row` is the number of the motion, whatever the solver. */
static void append_compared(const struct report *report, struct frame *f, char *is_known) {
  const char **motions =
      base_arena_push(f->arena, ((size_t)report->n_compared + 1) * sizeof *motions);
  int n = 0;
  for (int k = 0; k < report->n_compared; ++k) {
    const struct report_row *row = &report->compared[k];
    const int number = report_number(report_motion(row->records[0], f->arena), &n, motions);
    for (int i = 0; i < row->n; ++i) {
      append(report, row->records[i], number + 1, row, f, is_known);
    }
  }
}

int report_source(void *data, const char *name, struct frame *f) {
  enum { RECORDS, RUNS, COMPARED, SEARCHES, SOLUTIONS, SOURCES };
  static const char *const sources[SOURCES] = {"records", "runs", "compared", "searches",
                                               "solutions"};
  struct report *report = data;
  char *is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1);
  switch (base_name_find("source", name, SOURCES, sources)) {
  case RECORDS:
    for (int i = 0; i < report->n_records; ++i) {
      append(report, &report->records[i], 0, NULL, f, is_known);
    }
    break;
  case RUNS:
    append_rows(report, report->n_rows, report->rows, f, is_known);
    break;
  case COMPARED:
    append_compared(report, f, is_known);
    break;
  case SEARCHES:
    append_rows(report, report->n_searches, report->searches, f, is_known);
    break;
  case SOLUTIONS:
    report_append_solutions(report, f, is_known);
    break;
  default:
    return BASE_E_INPUT;
  }
  set_units(f);
  know_free_keys(f, is_known);
  return f->n_rows > 0 ? frame_refuse_unknown(f, is_known) : BASE_OK;
}

struct frame *report_query(struct frame *f, const char *transforms) {
  cJSON *list = base_json_parse(transforms, "report");
  const int status = list != NULL ? frame_transform(&f, list, "report") : BASE_E_INPUT;
  cJSON_Delete(list);
  return status == BASE_OK ? f : NULL;
}

struct frame *report_best(struct frame *f) {
  return report_query(
      f,
      "[{\"calculate\": \"finished > 0 ? (exists(errors.q_linf) ? errors.q_linf : 1e300) : 1e301\","
      "  \"as\": \"standing\"},"
      " {\"sort\": [\"row\", \"form\", \"dt\"]},"
      " {\"pick\": \"min\", \"field\": \"standing\", \"groupby\": [\"row\", \"form\"]}]");
}

double report_real(const struct frame *f, long row, const char *column) {
  return frame_real(f, row, frame_find(f, column));
}
