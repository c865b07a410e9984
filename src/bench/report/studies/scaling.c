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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/names.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "la/statistics.h"

enum { COLUMNS = 7 };

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

static int by_bodies(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

/* Rows n, time a step, ns a contact, and a sweep, bytes a body, quartiles of the time a step of the
 * curve; their number. */
static int collect(const struct report *report, const char *curve, double *rows) {
  int n = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    if (!takes_part(r) || strcmp(curve_of(r, report->arena), curve) != 0) {
      continue;
    }
    const double bodies = base_json_real_at(r->json, "case.parameters.n");
    const double step = base_json_real_at(r->json, "timing.per_step_s");
    const double contacts = base_json_real_at(r->json, "contacts.mean");
    const double sweeps = base_json_real_at(r->json, "iterations.mean");
    double *row = rows + COLUMNS * (long)n++;
    row[0] = bodies;
    row[1] = step;
    row[2] = contacts > 0 ? 1e9 * step / contacts : NAN;
    row[3] = sweeps > 0 ? row[2] / sweeps : NAN;
    row[4] = base_json_real_at(r->json, "timing.memory_bytes") / bodies;
    for (int k = 0; k < 2; ++k) {
      row[5 + k] = report_time_quartile(r, k) / base_json_real_at(r->json, "steps");
    }
  }
  qsort(rows, (size_t)n, COLUMNS * sizeof *rows, by_bodies);
  return n;
}

/* Lines of the table; returns the exponent, NaN where one size is all there is. */
static double write_curve(struct bench_table *csv, const char *curve, int n, const double *rows,
                          struct base_arena *arena) {
  double *x = base_arena_doubles(arena, n), *y = base_arena_doubles(arena, n);
  for (int i = 0; i < n; ++i) {
    x[i] = rows[COLUMNS * i];
    y[i] = rows[COLUMNS * i + 1];
  }
  const double p = la_fit_power(n, x, y).p;
  for (int i = 0; i < n; ++i) {
    const double *row = rows + (long)COLUMNS * i;
    bench_table_row(csv, "tnnnnnnnn", curve, row[0], row[1], row[2], row[3], row[4], p, row[5],
                    row[6]);
  }
  return p;
}

/* The exponent of a curve. */
struct slope {
  double p;
  const char *curve;
};

int report_scaling_make(struct report *report, const struct report_study *study) {
  struct base_arena *arena = report->arena;
  struct report_sheet s;
  const char **curves = base_arena_push(arena, (size_t)report->n_records * sizeof *curves);
  const char **powers = base_arena_push(arena, (size_t)report->n_records * sizeof *powers);
  struct slope least = {.p = INFINITY}, most = {.p = -INFINITY};
  int n_curves = 0;
  for (int i = 0; i < report->n_records; ++i) {
    const struct report_record *r = &report->records[i];
    const char *curve = takes_part(r) ? curve_of(r, arena) : NULL;
    int known = curve == NULL;
    for (int k = 0; k < n_curves && !known; ++k) {
      known = strcmp(curves[k], curve) == 0;
    }
    if (!known) {
      curves[n_curves++] = curve;
    }
  }
  if (n_curves == 0) {
    return BASE_OK;
  }
  struct bench_table *csv = bench_table_headed(
      arena, "curve,n,step_s,ns_contact,ns_contact_sweep,bytes_body,exponent,step_q1_s,step_q3_s");
  double *rows = base_arena_matrix(arena, COLUMNS, report->n_records);
  int status = report_sheet_begin(&s, report, study, NULL);
  for (int k = 0; k < n_curves && status == BASE_OK; ++k) {
    const int n = collect(report, curves[k], rows);
    const double p = write_curve(csv, curves[k], n, rows, arena);
    powers[k] = isfinite(p) ? base_arena_printf(arena, " ~ n^%.2f", p) : "";
    least = p < least.p ? (struct slope){p, curves[k]} : least;
    most = p > most.p ? (struct slope){p, curves[k]} : most;
    status = case_plot_table(
        &s.plot, curves[k],
        "n timing_step[s] timing_contact[ns] timing_contact_sweep[ns] timing_body[B] "
        "timing_q1[s] timing_q3[s]",
        n, COLUMNS, rows);
  }
  report_script_texts(&s.script, "powers", n_curves, powers);
  if (least.p < most.p) {
    s.caption = report_study_caption(
        report, study,
        base_arena_printf(arena, "Time a step grows from n^%.2f (%s) to n^%.2f (%s).", least.p,
                          least.curve, most.p, most.curve));
  }
  status = status != BASE_OK ? status : report_write_table(report, "scaling", csv);
  return status != BASE_OK ? status : report_sheet_finish(&s);
}
