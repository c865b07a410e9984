/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report's rows as a frame, a row a record; study.h lists the columns.
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/suite/expect.h"
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
static double case_place(const struct report_record *r) { return report_case_place(r); }
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

/* ---- texts; "": none ---- */

static const char *label_of(const struct report *report, const struct report_record *r) {
  (void)report;
  return r->label;
}
static const char *study_of(const struct report *report, const struct report_record *r) {
  (void)report;
  return r->study;
}
static const char *path_of(const struct report *report, const struct report_record *r) {
  return base_arena_printf(report->arena, "%s/%s", report->folder, r->file);
}
/* Whether an outcome is what the suite says of its cell. */
static const char *expected(const struct report *report, const struct report_record *r) {
  for (int i = 0; report->suite != NULL && i < report->suite->n; ++i) {
    const struct bench_cell *cell = &report->suite->cells[i];
    if (strcmp(cell->place.id, r->name) == 0) {
      return cell->is_free                               ? "judged by its figure"
             : bench_expect_is_bad(cell, r->status) != 0 ? "unexpected"
                                                         : "expected";
    }
  }
  return "no suite says";
}

static const struct {
  const char *name, *unit;
  double (*number)(const struct report_record *r);
  const char *(*text)(const struct report *report, const struct report_record *r);
} columns[] = {{"form", "", form_number, NULL},
               {"dt", "s", step_of, NULL},
               {"finished", "", has_finished, NULL},
               {"chooses_steps", "", chooses_steps, NULL},
               {"is_reference", "", is_reference, NULL},
               {"error", "", error_of, NULL},
               {"floor", "", report_error_floor, NULL},
               {"drift", "", relative_drift, NULL},
               {"time_lo", "s", time_lo, NULL},
               {"time_hi", "s", time_hi, NULL},
               {"work", "", work_of, NULL},
               {"case_place", "", case_place, NULL},
               {"label", "", NULL, label_of},
               {"study", "", NULL, study_of},
               {"path", "", NULL, path_of},
               {"expected", "", NULL, expected}};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char ROW[] = "row", MOTION[] = "motion", PLACE[] = "place";

static int computed(const char *name) {
  int i = 0;
  while (i < COLUMNS && strcmp(columns[i].name, name) != 0) {
    ++i;
  }
  return i < COLUMNS ? i : -1;
}

void report_append(const struct report *report, const struct report_record *r, struct frame *f,
                   char *is_known) {
  char *known =
      is_known != NULL ? is_known : base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1);
  frame_append(f, r->json, r->name, known);
  const long at = f->n_rows - 1;
  for (int i = 0; i < f->n_columns; ++i) {
    struct frame_value *v = frame_at(f, at, i);
    const int c = computed(f->columns[i].name);
    const char *text = c >= 0 && columns[c].text != NULL ? columns[c].text(report, r) : "";
    if (c >= 0 && columns[c].number != NULL) {
      *v = frame_number(r->form >= 0 || columns[c].number != chooses_steps ? columns[c].number(r)
                                                                           : NAN);
    } else if (text[0] != '\0') {
      *v = (struct frame_value){.kind = FRAME_TEXT, .text = text};
    } else if (strcmp(f->columns[i].name, PLACE) == 0) {
      *v = frame_number((double)(r - report->records));
    }
    known[i] |= c >= 0 || !frame_is_missing(v);
  }
}

/* Append a record of a row. */
static void append(const struct report *report, const struct report_record *r, int row,
                   const struct report_row *of, struct frame *f, char *is_known) {
  report_append(report, r, f, is_known);
  for (int i = 0; i < f->n_columns; ++i) {
    struct frame_value *v = frame_at(f, f->n_rows - 1, i);
    if (strcmp(f->columns[i].name, ROW) == 0) {
      *v = frame_number(row);
    } else if (strcmp(f->columns[i].name, MOTION) == 0) {
      *v = (struct frame_value){.kind = FRAME_TEXT, .text = of->title};
    }
    is_known[i] |= !frame_is_missing(v);
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

int report_source(const void *data, const char *name, struct frame *f) {
  static const char *const sources[] = {"records", "runs", "compared", "searches"};
  enum { RECORDS, RUNS, COMPARED };
  const struct report *report = data;
  char *is_known = base_arena_array(f->arena, (size_t)f->n_columns + 1, 1, 1);
  const int source = base_name_find("source", name, 4, sources);
  if (source < 0) {
    return BASE_E_INPUT;
  }
  for (int i = 0; source == RECORDS && i < report->n_records; ++i) {
    report_append(report, &report->records[i], f, is_known);
  }
  if (source == RUNS) {
    append_rows(report, report->n_rows, report->rows, f, is_known);
  } else if (source == COMPARED) {
    append_rows(report, report->n_compared, report->compared, f, is_known);
  } else if (source != RECORDS) {
    append_rows(report, report->n_searches, report->searches, f, is_known);
  }
  set_units(f);
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
