/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data profiles (More and Wild, Benchmarking derivative-free optimization algorithms, SIAM J.
 * Optim. 20, 2009, 172-191): share of cases that a formulation solves within a budget. A case is a
 * row of the overview that has a reference; it is solved to a tolerance at the least cost among the
 * runs, over all steps, that reached the horizon with an error below tolerance times the
 * system's length. Costs are the time of all steps, and the work: steps, iterations of the solver
 * and evaluations of forces together. All numbers are in report/data-profile.csv.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

enum { TOLERANCES = 3, COSTS = 2 };
static const double tolerances[TOLERANCES] = {1e-2, 1e-3, 1e-4};
static const char *const costs[COSTS] = {"time", "work"};

/* Those for smooth motion alone can solve few cases. */
static int is_shown(const struct overview *o, int form) {
  return o->place[form] == OVERVIEW_MAIN || o->place[form] == OVERVIEW_REFERENCE;
}

static double counted(const struct report_record *r, const char *path) {
  const double x = base_json_real_at(r->json, path);
  return isfinite(x) ? x : 0;
}

static double cost_of(const struct report_record *r, int cost) {
  return cost == 0 ? base_json_real_at(r->json, "timing.steps_s")
                   : counted(r, "steps") + counted(r, "iterations.total") +
                         counted(r, "iterations.evaluations");
}

/* The least cost of a row solved by a formulation; infinite: it is not. */
static double least_cost(const struct overview_row *row, int form, double tolerance, int cost) {
  double least = INFINITY;
  for (int i = 0; i < row->n; ++i) {
    const struct report_record *r = row->records[i];
    if (r->form == form && report_has_errors(r) &&
        (overview_value(r, OVERVIEW_ERROR) <= tolerance || report_is_reference(r))) {
      least = fmin(least, cost_of(r, cost));
    }
  }
  return least;
}

static int has_reference(const struct overview_row *row) {
  for (int i = 0; i < row->n; ++i) {
    if (isfinite(overview_value(row->records[i], OVERVIEW_ERROR))) {
      return 1;
    }
  }
  return 0;
}

/* Sorted costs of the cases solved; their number. */
static int collect(const struct overview *o, int form, double tolerance, int cost, double *x) {
  int n = 0;
  for (int k = 0; k < o->n; ++k) {
    const double least =
        has_reference(&o->rows[k]) ? least_cost(&o->rows[k], form, tolerance, cost) : INFINITY;
    if (isfinite(least)) {
      x[n++] = least;
    }
  }
  gsl_sort(x, 1, (size_t)n);
  return n;
}

/* The table of a curve, from (x_1, 0) up and on to the end. */
static int put_curve(struct report_sheet *sheet, const char *name, int is_time, int n, int cases,
                     const double *x, double end) {
  double *values = base_arena_matrix(sheet->report->arena, 2, n + 2);
  for (int i = 0; i <= n + 1; ++i) {
    values[2 * i] = i > n ? end : x[i > 0 ? i - 1 : 0];
    values[2 * i + 1] = (double)(i > n ? n : i) / cases;
  }
  return case_plot_table(&sheet->plot, name,
                         is_time ? "timing[s] timing_share[-]" : "work[-] share[-]", n + 2, 2,
                         values);
}

static int put_form(struct report_sheet *sheet, int form, int cases, double *x,
                    struct bench_table *csv, const double *ends) {
  const struct overview *o = sheet->report->overview;
  int status = BASE_OK;
  for (int t = 0; t < TOLERANCES; ++t) {
    for (int cost = 0; cost < COSTS && status == BASE_OK; ++cost) {
      const int n = collect(o, form, tolerances[t], cost, x);
      for (int i = 0; i < n; ++i) {
        bench_table_row(csv, "ttnnn", form_get(form)->name, costs[cost], tolerances[t], x[i],
                        (i + 1.0) / cases);
      }
      if (n > 0) {
        status = put_curve(sheet,
                           base_arena_printf(sheet->report->arena, "%s-%s-%d", form_get(form)->name,
                                             costs[cost], t + 1),
                           cost == 0, n, cases, x, ends[cost]);
      }
    }
  }
  return status;
}

/* Least and largest cost of all cases solved to any tolerance. */
static void find_range(const struct overview *o, double *x, double least[COSTS],
                       double most[COSTS]) {
  for (int cost = 0; cost < COSTS; ++cost) {
    least[cost] = INFINITY;
    most[cost] = 0;
    for (int form = 0; form < form_count(); ++form) {
      for (int t = 0; t < TOLERANCES && is_shown(o, form); ++t) {
        const int n = collect(o, form, tolerances[t], cost, x);
        least[cost] = n > 0 ? fmin(least[cost], x[0]) : least[cost];
        most[cost] = n > 0 ? fmax(most[cost], x[n - 1]) : most[cost];
      }
    }
  }
}

/* Names of the formulations with curves, and how many of the cases each can express. */
static void tell(struct report_sheet *sheet, int cases, const double *least, const double *ends) {
  const struct overview *o = sheet->report->overview;
  struct base_arena *arena = sheet->report->arena;
  const char **names = base_arena_push(arena, (size_t)form_count() * sizeof *names);
  const char **shown = base_arena_push(arena, (size_t)form_count() * sizeof *shown);
  double *is_reference = base_arena_doubles(arena, form_count());
  int n = 0;
  for (int form = 0; form < form_count(); ++form) {
    int expressed = 0;
    for (int k = 0; k < o->n; ++k) {
      expressed += has_reference(&o->rows[k]) && overview_is_supported(&o->rows[k], form);
    }
    if (is_shown(o, form)) {
      is_reference[n] = o->place[form] == OVERVIEW_REFERENCE;
      names[n] = form_get(form)->name;
      shown[n++] = base_arena_printf(arena, "%s (%d)", form_get(form)->name, expressed);
    }
  }
  report_script_names(&sheet->script, "names", n, names);
  report_script_texts(&sheet->script, "shown", n, shown);
  report_script_reals(&sheet->script, "is_reference", n, is_reference);
  report_script_reals(&sheet->script, "least", COSTS, least);
  report_script_reals(&sheet->script, "ends", COSTS, ends);
  report_script_reals(&sheet->script, "tolerances", TOLERANCES, tolerances);
  report_script_real(&sheet->script, "cases", cases);
}

int report_data_profile_make(struct report *report, const struct report_study *study) {
  const struct overview *o = report->overview;
  struct report_sheet sheet;
  double least[COSTS], most[COSTS];
  int cases = 0;
  for (int k = 0; k < o->n; ++k) {
    cases += has_reference(&o->rows[k]);
  }
  if (cases == 0) {
    return BASE_OK;
  }
  struct bench_table *csv =
      bench_table_headed(report->arena, "formulation,cost,tolerance,budget,share");
  double *x = base_arena_doubles(report->arena, o->n);
  find_range(o, x, least, most);
  int status = report_sheet_begin(&sheet, report, study, NULL);
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    if (is_shown(o, form)) {
      status = put_form(&sheet, form, cases, x, csv, most);
    }
  }
  status = status != BASE_OK ? status : report_write_table(report, "data-profile", csv);
  if (status == BASE_OK && sheet.plot.n_tables > 0) {
    tell(&sheet, cases, least, most);
  }
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}
