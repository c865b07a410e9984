/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Data profiles (More and Wild, Benchmarking derivative-free optimization algorithms, SIAM J.
 * Optim. 20, 2009, 172-191): share of cases that a formulation solves within a budget. A case is a
 * row of the overview that has a reference; it is solved to a tolerance at the least cost among the
 * runs, over all steps, that reached the horizon with an error below tolerance times the
 * system's length. Costs are the time of all steps, and the work: steps, iterations of the solver
 * and evaluations of forces together. All numbers are in report/data-profile.csv.
 */
#include <math.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/report/kit/study.h"
#include "bench/report/overview/overview.h"
#include "form/form.h"

enum { TOLERANCES = 3, COSTS = 2 };
static const double tolerances[TOLERANCES] = {1e-2, 1e-3, 1e-4};
static const char *const costs[COSTS] = {"time", "work"};
static const char *const columns[COSTS] = {"timing.steps_s", "work"};

/* Those for smooth motion alone can solve few cases. */
static int is_shown(const struct overview *o, int form) {
  return o->place[form] == OVERVIEW_MAIN || o->place[form] == OVERVIEW_REFERENCE;
}

/* All runs of the cases that have a reference; `cases` counts the runs of a case with an error. */
static struct frame *runs_of(const struct report *report) {
  const struct overview *o = report->overview;
  struct report_row *rows = base_arena_array(report->arena, (size_t)o->n + 1, 1, sizeof *rows);
  for (int k = 0; k < o->n; ++k) {
    rows[k] = (struct report_row){.n = o->rows[k].n, .records = o->rows[k].records};
  }
  return report_query(
      report_frame(report, o->n, rows),
      "[{\"joinaggregate\": [{\"op\": \"valid\", \"field\": \"error\", \"as\": \"judged\"}],"
      "  \"groupby\": [\"row\"]}, {\"filter\": \"judged>0\"}]");
}

/* The least cost of each case and formulation that solves it, rising. */
static const struct frame *solved_by(struct frame *runs, double tolerance, const char *column) {
  return report_query(
      runs, base_arena_printf(
                runs->arena,
                "[{\"calculate\": \"finished > 0 && (error <= %g || is_reference > 0) ? %s : nan\","
                " \"as\": \"cost\"},"
                " {\"aggregate\": [{\"op\": \"min\", \"field\": \"cost\", \"as\": \"cost\"}],"
                "  \"groupby\": [\"row\", \"form\"]},"
                " {\"filter\": \"cost>=0\"}, {\"sort\": [\"cost\"]}]",
                tolerance, column));
}

/* The budgets of a formulation; their number. */
static int budgets_of(const struct frame *solved, int form, double *x) {
  int n = 0;
  for (long i = 0; i < solved->n_rows; ++i) {
    if (report_real(solved, i, "form") == form) {
      x[n++] = report_real(solved, i, "cost");
    }
  }
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

/* Curves of a cost to a tolerance, which end where the last of that cost does. */
static int put_curves(struct report_sheet *sheet, const struct frame *solved, int t, int cost,
                      int cases, double end, double *x) {
  int status = BASE_OK;
  for (int form = 0; form < form_count() && status == BASE_OK; ++form) {
    const int n = is_shown(sheet->report->overview, form) ? budgets_of(solved, form, x) : 0;
    if (n > 0) {
      status = put_curve(sheet,
                         base_arena_printf(sheet->report->arena, "%s-%s-%d", form_get(form)->name,
                                           costs[cost], t + 1),
                         cost == 0, n, cases, x, end);
    }
  }
  return status;
}

/* Least and largest cost of all that is shown. */
static void find_range(const struct overview *o, const struct frame *solved, double *least,
                       double *most) {
  for (long i = 0; i < solved->n_rows; ++i) {
    if (is_shown(o, (int)report_real(solved, i, "form"))) {
      *least = fmin(*least, report_real(solved, i, "cost"));
      *most = fmax(*most, report_real(solved, i, "cost"));
    }
  }
}

/* A line a case solved, by formulation, tolerance and cost. */
static int write_csv(const struct report *report,
                     const struct frame *const solved[TOLERANCES][COSTS], int cases, double *x) {
  struct bench_table *csv =
      bench_table_headed(report->arena, "formulation,cost,tolerance,budget,share");
  for (int form = 0; form < form_count(); ++form) {
    for (int k = 0; k < TOLERANCES * COSTS && is_shown(report->overview, form); ++k) {
      const int t = k / COSTS, cost = k % COSTS, n = budgets_of(solved[t][cost], form, x);
      for (int i = 0; i < n; ++i) {
        bench_table_row(csv, "ttnnn", form_get(form)->name, costs[cost], tolerances[t], x[i],
                        (i + 1.0) / cases);
      }
    }
  }
  return report_write_table(report, "data-profile", csv);
}

/* Names of the formulations with curves, and how many of the cases each can express. */
static void tell(struct report_sheet *sheet, const char *is_judged, int cases, const double *least,
                 const double *ends) {
  const struct overview *o = sheet->report->overview;
  struct base_arena *arena = sheet->report->arena;
  const char **names = base_arena_push(arena, (size_t)form_count() * sizeof *names);
  const char **shown = base_arena_push(arena, (size_t)form_count() * sizeof *shown);
  double *is_reference = base_arena_doubles(arena, form_count());
  int n = 0;
  for (int form = 0; form < form_count(); ++form) {
    int expressed = 0;
    for (int k = 0; k < o->n; ++k) {
      expressed += is_judged[k] && overview_is_supported(&o->rows[k], form);
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

int report_data_profile_make(struct report *report, const struct bench_figure *study) {
  const struct overview *o = report->overview;
  struct frame *runs = runs_of(report);
  const struct frame *solved[TOLERANCES][COSTS];
  double least[COSTS] = {INFINITY, INFINITY}, most[COSTS] = {0};
  char *is_judged = base_arena_array(report->arena, (size_t)o->n + 1, 1, 1);
  double *x = base_arena_doubles(report->arena, o->n);
  struct report_sheet sheet;
  int cases = 0;
  for (long i = 0; runs != NULL && i < runs->n_rows; ++i) {
    is_judged[(int)report_real(runs, i, "row") - 1] = 1;
  }
  for (int k = 0; k < o->n; ++k) {
    cases += is_judged[k];
  }
  if (runs == NULL || cases == 0) {
    return runs == NULL ? BASE_E_INTERNAL : BASE_OK;
  }
  for (int k = 0; k < TOLERANCES * COSTS; ++k) {
    const int t = k / COSTS, cost = k % COSTS;
    solved[t][cost] = solved_by(runs, tolerances[t], columns[cost]);
    if (solved[t][cost] == NULL) {
      return BASE_E_INTERNAL;
    }
    find_range(o, solved[t][cost], &least[cost], &most[cost]);
  }
  int status = report_sheet_begin(&sheet, report, study, NULL);
  for (int k = 0; k < TOLERANCES * COSTS && status == BASE_OK; ++k) {
    const int t = k / COSTS, cost = k % COSTS;
    status = put_curves(&sheet, solved[t][cost], t, cost, cases, most[cost], x);
  }
  status = status != BASE_OK ? status : write_csv(report, solved, cases, x);
  if (status == BASE_OK && sheet.plot.n_tables > 0) {
    tell(&sheet, is_judged, cases, least, most);
  }
  return status != BASE_OK ? status : report_sheet_finish(&sheet);
}
