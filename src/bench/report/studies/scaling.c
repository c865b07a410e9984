/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The study `scaling`: what a step, and a contact in one sweep of the solver, cost against the
 * number of bodies. Its runs are those that a suite makes for it (key "study"), of cases with a
 * parameter n; runs of one formulation, label and number of threads are a curve.
 * The time of a step is that of the whole loop over steps: collision detection, set-up, solver and
 * what is measured.
 *
 *   time a step ~ n^p                       p by least squares, in the key and report/scaling.csv
 *   ns a contact            = step time / contacts, mean
 *   ns a contact and sweep  = the same / sweeps a step, mean
 */
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/report/kit/study.h"

static int takes_part(const struct report_record *r) {
  return report_is_of(r, "scaling") && r->form >= 0 &&
         base_json_real_at(r->json, "case.parameters.n") > 0 &&
         base_json_real_at(r->json, "timing.per_step_s") > 0;
}

static const char *curve_of(const struct report_record *r, struct base_arena *arena) {
  const char *label = base_json_text_at(r->json, "cell.label");
  const char *name = base_arena_printf(arena, "%s-%s%s%s", r->case_name, form_get(r->form)->name,
                                       label[0] != '\0' ? "-" : "", label);
  const double used = base_json_real_at(r->json, "timing.threads");
  return base_name_clean(used > 1 ? base_arena_printf(arena, "%s-%.0f-threads", name, used) : name,
                         arena);
}

/* Columns of a table, and of the frame behind `curve`. */
enum { N, STEP, CONTACT, SWEEP, BODY, Q1, Q3, COLUMNS };
static const char *const names[COLUMNS] = {"n", "step", "contact", "sweep", "body", "q1", "q3"};

/* A row a run, by curve and number of bodies; `slope` is the exponent of its curve. */
static struct frame *runs_of(const struct report *report) {
  struct frame *f = frame_new(report->arena);
  frame_add(f, "curve", "");
  for (int k = 0; k < COLUMNS; ++k) {
    frame_add(f, names[k], "");
  }
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (!takes_part(r)) {
      continue;
    }
    const double bodies = base_json_real_at(r->json, "case.parameters.n");
    const double step = base_json_real_at(r->json, "timing.per_step_s");
    const double contacts = base_json_real_at(r->json, "contacts.mean");
    const double sweeps = base_json_real_at(r->json, "iterations.mean");
    const double steps = base_json_real_at(r->json, "steps");
    const double a_contact = contacts > 0 ? 1e9 * step / contacts : NAN;
    const double values[COLUMNS] = {bodies,
                                    step,
                                    a_contact,
                                    sweeps > 0 ? a_contact / sweeps : NAN,
                                    base_json_real_at(r->json, "timing.memory_bytes") / bodies,
                                    report_time_quartile(r, 0) / steps,
                                    report_time_quartile(r, 1) / steps};
    const long at = frame_push(f);
    *frame_at(f, at, 0) =
        (struct frame_value){.kind = FRAME_TEXT, .text = curve_of(r, report->arena)};
    for (int k = 0; k < COLUMNS; ++k) {
      frame_at(f, at, k + 1)->number = values[k];
    }
  }
  return f;
}

/* The runs of the curve of a row of the fits, by number of bodies: into values; their number. */
static int rows_of(const struct frame *runs, const char *curve, double *values) {
  int n = 0;
  for (long i = 0; i < runs->n_rows; ++i) {
    if (strcmp(frame_text(runs, i, 0), curve) == 0) {
      for (int k = 0; k < COLUMNS; ++k) {
        values[(long)n * COLUMNS + k] = frame_real(runs, i, k + 1);
      }
      ++n;
    }
  }
  return n;
}

int report_scaling_make(struct report *report, const struct bench_figure *study) {
  struct base_arena *arena = report->arena;
  struct report_sheet s;
  struct frame *all = runs_of(report);
  if (all->n_rows == 0) {
    return BASE_OK;
  }
  const struct frame *fits =
      report_query(all, "[{\"regression\": \"step\", \"on\": \"n\", \"groupby\": [\"curve\"]}]");
  const struct frame *rising = report_query(
      all, "[{\"regression\": \"step\", \"on\": \"n\", \"groupby\": [\"curve\"]},"
           " {\"calculate\": \"abs(slope)\", \"as\": \"size\"}, {\"filter\": \"size>=0\"},"
           " {\"sort\": [\"slope\"]}]");
  const struct frame *runs = report_query(all, "[{\"sort\": [\"n\"]}]");
  if (fits == NULL || rising == NULL || runs == NULL) {
    return BASE_E_INTERNAL;
  }
  struct bench_table *csv = bench_table_headed(
      arena, "curve,n,step_s,ns_contact,ns_contact_sweep,bytes_body,exponent,step_q1_s,step_q3_s");
  const char **powers = base_arena_push(arena, (size_t)fits->n_rows * sizeof *powers);
  double *values = base_arena_matrix(arena, COLUMNS, (int)runs->n_rows);
  int status = report_sheet_begin(&s, report, study, NULL);
  for (long k = 0; k < fits->n_rows && status == BASE_OK; ++k) {
    const char *curve = frame_text(fits, k, 0);
    const double p = report_real(fits, k, "slope");
    const int n = rows_of(runs, curve, values);
    for (const double *x = values; x < values + (long)n * COLUMNS; x += COLUMNS) {
      bench_table_row(csv, "tnnnnnnnn", curve, x[N], x[STEP], x[CONTACT], x[SWEEP], x[BODY], p,
                      x[Q1], x[Q3]);
    }
    powers[k] = isfinite(p) ? base_arena_printf(arena, " ~ n^%.2f", p) : "";
    status = case_plot_table(
        &s.plot, curve,
        "n timing_step[s] timing_contact[ns] timing_contact_sweep[ns] timing_body[B] "
        "timing_q1[s] timing_q3[s]",
        n, COLUMNS, values);
  }
  report_script_texts(&s.script, "powers", (int)fits->n_rows, powers);
  const long last = rising->n_rows - 1;
  if (last > 0 && report_real(rising, 0, "slope") < report_real(rising, last, "slope")) {
    s.caption = report_study_caption(
        report, study,
        base_arena_printf(arena, "Time a step grows from n^%.2f (%s) to n^%.2f (%s).",
                          report_real(rising, 0, "slope"), frame_text(rising, 0, 0),
                          report_real(rising, last, "slope"), frame_text(rising, last, 0)));
  }
  status = status != BASE_OK ? status : report_write_table(report, "scaling", csv);
  return status != BASE_OK ? status : report_sheet_finish(&s);
}
