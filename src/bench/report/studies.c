/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The harness's own studies, from all records outside figures (without a suite and with no others,
 * from those): energy (numerical drift), energy-step (drift against step, with slopes), order
 * (error against step, with slopes), work-precision (error against time). The matrix is part of the
 * page; its numbers are in report/matrix.csv.
 *
 * Only runs that reached the horizon have errors to show (status ok or unconverged). Errors below
 * BOUND_FACTOR times the reference's own bound measure the reference, so no slope uses them.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/quote.h"
#include "bench/report/study.h"

static const double BOUND_FACTOR = 10;
/* Drifts of less than this, zero included, are drawn here: rounding of one double. */
static const double DRIFT_FLOOR = 1e-17;
/* No slope uses drifts below: sums of up to a million rounded terms. */
static const double DRIFT_ROUNDING = 1e-12;

static int wanted(const struct report *report, const char *name) {
  if (report->suite == NULL) {
    return 1;
  }
  for (int i = 0; i < report->suite->n_studies; ++i) {
    if (strcmp(report->suite->studies[i], name) == 0) {
      return 1;
    }
  }
  return 0;
}

static int has_errors(const struct report_record *r) {
  return r->status == BASE_OK || r->status == BASE_UNCONVERGED;
}

/* A run of the formulation that its own reference comes from has no error to show. */
int report_is_reference(const struct report_record *r) {
  return strcmp(base_json_text_at(r->json, "reference.kind"), form_name(form_get(r->form))) == 0;
}

/* A formulation that chooses its steps itself has no order in dt. */
static int steps_itself(int form) { return strcmp(form_name(form_get(form)), "event") == 0; }

int report_study_begin(struct report_study *s) {
  struct base_arena *arena = s->report->arena;
  s->script = (struct report_script){.arena = arena};
  return case_plot_init(
      &s->plot, base_arena_printf(arena, "%s/figures/%s", s->report->output, s->id), arena);
}

int report_study_finish(struct report_study *s) {
  struct report *report = s->report;
  struct base_arena *arena = report->arena;
  if (s->plot.n_tables == 0) {
    return BASE_OK; /* nothing to show, so no empty plot */
  }
  report_script_names(&s->script, "present", s->plot.n_tables, s->plot.tables);
  const int drawn = report_draw(
      report, s->id, s->title, base_arena_printf(arena, "scripts/plot/%s.gp", s->name), &s->script);
  if (drawn != BASE_OK && drawn != BASE_FAILED) {
    return drawn;
  }
  const char *reason = drawn == BASE_OK ? "" : base_arena_copy(arena, base_message());
  printf("%-14s %-6s %s%s%s\n", s->name, drawn == BASE_OK ? "ok" : "FAILED", s->title,
         drawn == BASE_OK ? "" : ": ", reason);
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "study", s->name);
  cJSON_AddStringToObject(json, "id", s->id);
  cJSON_AddStringToObject(json, "title", s->title);
  cJSON_AddStringToObject(json, "caption", s->caption);
  cJSON_AddStringToObject(json, "status", drawn == BASE_OK ? "ok" : "failed");
  cJSON_AddStringToObject(json, "reason", reason);
  cJSON *tables = cJSON_AddArrayToObject(json, "tables");
  for (int i = 0; i < s->plot.n_tables; ++i) {
    cJSON_AddItemToArray(tables, cJSON_CreateString(s->plot.tables[i]));
  }
  cJSON_AddItemToArray(report->studies, json);
  return BASE_OK;
}

void report_study_rows(struct report_study *s, int n, const struct report_row *rows) {
  const char **titles = base_arena_push(s->report->arena, (size_t)n * sizeof *titles);
  for (int k = 0; k < n; ++k) {
    titles[k] = rows[k].title;
  }
  report_script_real(&s->script, "rows", n);
  report_script_labels(&s->script, "labels", n, titles);
}

static int energy_study(struct report *report) {
  struct report_study s = {.report = report,
                           .name = "energy",
                           .id = "study-energy",
                           .title = "Energy made or lost by the integrator",
                           .caption =
                               "Largest numerical energy drift over the largest energy of the run, "
                               "at the step with the smallest error. Drifts below 1e-17 are drawn "
                               "at 1e-17. What friction and impacts take is not counted."};
  int status = report_study_begin(&s);
  double *values = base_arena_matrix(report->arena, 2, report->n_rows);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    int n = 0;
    for (int k = 0; k < report->n_rows; ++k) {
      const struct report_record *r = report_best(&report->rows[k], form);
      const double drift = r != NULL && has_errors(r) ? report_relative_drift(r->json) : NAN;
      if (isfinite(drift)) {
        values[2 * n] = k + 1;
        values[2 * n + 1] = drift > DRIFT_FLOOR ? drift : DRIFT_FLOOR;
        ++n;
      }
    }
    status =
        n == 0 ? BASE_OK
               : case_plot_table(&s.plot, form_name(form_get(form)), "row drift[-]", n, 2, values);
  }
  report_study_rows(&s, report->n_rows, report->rows);
  return status != BASE_OK ? status : report_study_finish(&s);
}

static void add_slope(struct report *report, const struct report_row *row, int form,
                      const char *quantity, int n, const double *dt, const double *error,
                      const double *floor) {
  double *used = base_arena_doubles(report->arena, n);
  int at_floor = 0;
  for (int i = 0; i < n; ++i) {
    const int is_floor = error[i] <= floor[i];
    used[i] = is_floor ? NAN : error[i];
    at_floor += is_floor;
  }
  double slope, spread;
  const int points = report_fit_slope(n, dt, used, &slope, &spread);
  cJSON *json = cJSON_CreateObject();
  cJSON_AddStringToObject(json, "row", row->title);
  cJSON_AddStringToObject(json, "formulation", form_name(form_get(form)));
  cJSON_AddStringToObject(json, "quantity", quantity);
  base_json_add_real(json, "slope", slope);
  base_json_add_real(json, "spread", spread);
  base_json_add_real(json, "points", points);
  base_json_add_real(json, "at_floor", at_floor);
  cJSON_AddItemToArray(report->slopes, json);
}

/* Errors of one formulation of a row: dt, q_linf, u_hausdorff, and the floors of its slopes. */
static int collect_errors(const struct report_row *row, int form, double *dt, double *q, double *u,
                          double *floor, double *table) {
  int n = 0;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    const double error = base_json_real_at(r->json, "errors.q_linf");
    if (r->form != form || !has_errors(r) || !(error > 0)) {
      continue;
    }
    const double hausdorff = base_json_real_at(r->json, "errors.u_hausdorff");
    const double bound = base_json_real_at(r->json, "reference.bound");
    dt[n] = r->dt;
    q[n] = error;
    u[n] = hausdorff > 0 ? hausdorff : NAN;
    floor[n] = isfinite(bound) ? BOUND_FACTOR * bound : 0;
    table[3 * n] = dt[n];
    table[3 * n + 1] = q[n];
    table[3 * n + 2] = u[n];
    ++n;
  }
  return n;
}

/* Middle of n positive numbers (sorted in place), 0 for none. */
static double median(int n, double *x) {
  int m = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0) {
      x[m++] = x[i];
    }
  }
  gsl_sort(x, 1, (size_t)m);
  return m > 0 ? x[m / 2] : 0;
}

/* Tell the script where the guide of slope 1 passes, through the middle of the errors at the
 * largest step, and how far the steps reach. */
static void set_order_guide(struct report_study *s, const struct report_row *row) {
  double dt_min = INFINITY, dt_max = 0;
  double *q = base_arena_doubles(s->report->arena, row->n);
  double *u = base_arena_doubles(s->report->arena, row->n);
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (has_errors(r) && !steps_itself(r->form)) {
      dt_min = fmin(dt_min, r->dt);
      dt_max = fmax(dt_max, r->dt);
    }
  }
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->dt == dt_max && has_errors(r) && !steps_itself(r->form)) {
      q[i] = base_json_real_at(r->json, "errors.q_linf");
      u[i] = base_json_real_at(r->json, "errors.u_hausdorff");
    }
  }
  report_script_real(&s->script, "dt_min", dt_min);
  report_script_real(&s->script, "dt_max", dt_max);
  report_script_real(&s->script, "guide_q", median(row->n, q));
  report_script_real(&s->script, "guide_u", median(row->n, u));
}

static int order_study(struct report *report, const struct report_row *row) {
  struct base_arena *arena = report->arena;
  struct report_study s = {
      .report = report,
      .name = "order",
      .id = base_arena_printf(arena, "study-order-%s", row->id),
      .title = base_arena_printf(arena, "Order of convergence: %s", row->title),
      .caption = "Largest error of the coordinates, and Hausdorff distance between "
                 "the graphs of the velocities, against the step."};
  double *dt = base_arena_doubles(arena, row->n), *q = base_arena_doubles(arena, row->n);
  double *u = base_arena_doubles(arena, row->n), *floor = base_arena_doubles(arena, row->n);
  /* The bound is one of the coordinates: it says nothing about velocities. */
  double *none = base_arena_doubles(arena, row->n);
  double *table = base_arena_matrix(arena, 3, row->n);
  int status = report_study_begin(&s);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    const int n = collect_errors(row, form, dt, q, u, floor, table);
    if (n < 2 || steps_itself(form)) {
      continue;
    }
    add_slope(report, row, form, "q_linf", n, dt, q, floor);
    add_slope(report, row, form, "u_hausdorff", n, dt, u, none);
    status = case_plot_table(&s.plot, form_name(form_get(form)), "dt[s] q_linf u_hausdorff[-]", n,
                             3, table);
  }
  set_order_guide(&s, row);
  return status != BASE_OK ? status : report_study_finish(&s);
}

/* Drifts of one formulation of a row: dt, drift, and the floor of its slope. */
static int collect_drifts(const struct report_row *row, int form, double *dt, double *drift,
                          double *floor, double *table) {
  int n = 0;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    const double x = report_relative_drift(r->json);
    if (r->form == form && has_errors(r) && isfinite(x)) {
      dt[n] = r->dt;
      drift[n] = fmax(x, DRIFT_FLOOR);
      floor[n] = DRIFT_ROUNDING;
      table[2 * n] = dt[n];
      table[2 * n + 1] = drift[n];
      ++n;
    }
  }
  return n;
}

static int energy_step_study(struct report *report, const struct report_row *row) {
  struct base_arena *arena = report->arena;
  struct report_study s = {
      .report = report,
      .name = "energy-step",
      .id = base_arena_printf(arena, "study-energy-step-%s", row->id),
      .title = base_arena_printf(arena, "Energy drift against step: %s", row->title),
      .caption = "Largest numerical energy drift over the largest energy of the run, against the "
                 "step. Below the dashed line it is rounding, and left out of slopes; drifts below "
                 "1e-17 are drawn at 1e-17."};
  double *dt = base_arena_doubles(arena, row->n), *drift = base_arena_doubles(arena, row->n);
  double *floor = base_arena_doubles(arena, row->n);
  double *table = base_arena_matrix(arena, 2, row->n);
  double dt_min = INFINITY, dt_max = 0;
  int status = report_study_begin(&s);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    const int n = collect_drifts(row, form, dt, drift, floor, table);
    if (n < 2) {
      continue;
    }
    for (int i = 0; i < n; ++i) {
      dt_min = fmin(dt_min, dt[i]);
      dt_max = fmax(dt_max, dt[i]);
    }
    if (!steps_itself(form)) {
      add_slope(report, row, form, "drift", n, dt, drift, floor);
    }
    status = case_plot_table(&s.plot, form_name(form_get(form)), "dt[s] drift[-]", n, 2, table);
  }
  report_script_real(&s.script, "dt_min", dt_min);
  report_script_real(&s.script, "dt_max", dt_max);
  report_script_real(&s.script, "rounding", DRIFT_ROUNDING);
  return status != BASE_OK ? status : report_study_finish(&s);
}

static int work_study(struct report *report, const struct report_row *row) {
  struct base_arena *arena = report->arena;
  struct report_study s = {.report = report,
                           .name = "work-precision",
                           .id = base_arena_printf(arena, "study-work-precision-%s", row->id),
                           .title = base_arena_printf(arena, "Work and precision: %s", row->title),
                           .caption =
                               "Largest error of the coordinates against the wall time of all "
                               "steps; the step falls along each line. Down and to the left is "
                               "better. Times are those of the machine named below."};
  double *table = base_arena_matrix(arena, 3, row->n);
  int status = report_study_begin(&s);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    int n = 0;
    for (int i = 0; i < row->n; ++i) {
      const struct report_record *r = row->records[i];
      const double error = base_json_real_at(r->json, "errors.q_linf");
      const double time = base_json_real_at(r->json, "timing.steps_s");
      if (r->form == form && has_errors(r) && !report_is_reference(r) && error > 0 && time > 0) {
        table[3 * n] = time;
        table[3 * n + 1] = error;
        table[3 * n + 2] = r->dt;
        ++n;
      }
    }
    status = n == 0 ? BASE_OK
                    : case_plot_table(&s.plot, form_name(form_get(form)), "timing[s] q_linf dt[s]",
                                      n, 3, table);
  }
  return status != BASE_OK ? status : report_study_finish(&s);
}

static int write_matrix(const struct report *report) {
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  fputs("case,formulation,status,dt_s,q_linf,q_final,u_hausdorff,relative_drift,steps_s,record\n",
        file);
  for (int k = 0; k < report->n_rows; ++k) {
    for (int form = 0; form < form_count(); ++form) {
      const struct report_record *r = report_best(&report->rows[k], form);
      if (r == NULL) {
        continue;
      }
      bench_quote_csv(file, report->rows[k].title);
      fprintf(file, ",%s,%s,%.9g", form_name(form_get(form)), base_status_name(r->status), r->dt);
      const double numbers[] = {
          base_json_real_at(r->json, "errors.q_linf"), base_json_real_at(r->json, "errors.q_final"),
          base_json_real_at(r->json, "errors.u_hausdorff"), report_relative_drift(r->json),
          base_json_real_at(r->json, "timing.steps_s")};
      for (int i = 0; i < 5; ++i) {
        fputc(',', file);
        if (isfinite(numbers[i])) {
          fprintf(file, "%.9g", numbers[i]);
        }
      }
      fputc(',', file);
      bench_quote_csv(file, base_arena_printf(report->arena, "%s.json", r->name));
      fputc('\n', file);
    }
  }
  fclose(file);
  const int status = base_file_write(
      base_arena_printf(report->arena, "%s/report/matrix.csv", report->output), text, size);
  free(text);
  return status;
}

int report_studies(struct report *report) {
  report->studies = cJSON_CreateArray();
  report->slopes = cJSON_CreateArray();
  int status = base_file_make_folder(base_arena_printf(report->arena, "%s/report", report->output));
  status = status != BASE_OK ? status : write_matrix(report);
  if (status == BASE_OK && wanted(report, "energy") && report->n_rows > 0) {
    status = energy_study(report);
  }
  for (int k = 0; k < report->n_rows && status == BASE_OK && wanted(report, "energy-step"); ++k) {
    status = energy_step_study(report, &report->rows[k]);
  }
  for (int k = 0; k < report->n_rows && status == BASE_OK && wanted(report, "order"); ++k) {
    status = order_study(report, &report->rows[k]);
  }
  for (int k = 0; k < report->n_rows && status == BASE_OK && wanted(report, "work-precision");
       ++k) {
    status = work_study(report, &report->rows[k]);
  }
  if (status == BASE_OK && wanted(report, "largest-step")) {
    status = report_search_study(report);
  }
  if (status == BASE_OK && wanted(report, "profile")) {
    status = report_profile_study(report);
  }
  if (status == BASE_OK && wanted(report, "scaling")) {
    status = report_scaling_study(report);
  }
  return status;
}
