/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling of solvers with the number of contacts; see scaling.h.
 */
#include "cases/figure/scaling.h"

#include "base/status.h"
#include "cases/figure/series.h"
#include "la/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES_MAX = 8 };

/* Power of x in y over the runs that reached the tolerance, and twice its standard error. */
static void fit_slope(int n, const double *x, const double *y, const int *use, double out[2]) {
  double reached[SIZES_MAX] = {0};
  for (int i = 0; i < n; ++i) {
    reached[i] = use[i] ? y[i] : NAN;
  }
  const struct la_power fit = la_fit_power(n, x, reached);
  out[0] = fit.points > 2 ? fit.p : NAN;
  out[1] = fit.points > 2 ? 2 * fit.spread : NAN;
}

int case_scaling_solver(const char *table, int sizes, const struct case_series *runs,
                        struct case_plot *plot, struct case_scaling_fit *fit) {
  enum { COLS = 5 };
  double rows[SIZES_MAX][COLS], columns[COLS][SIZES_MAX] = {{0}};
  int reached[SIZES_MAX];
  char label[CASE_TEXT];
  assert(sizes <= SIZES_MAX);
  *fit = (struct case_scaling_fit){0};
  for (int k = 0; k < sizes; ++k) {
    const double solves = case_number(&runs[k], "iterations.solves");
    const double total = case_number(&runs[k], "iterations.total");
    const double time = case_number(&runs[k], "timing.steps_s");
    reached[k] = runs[k].status == BASE_OK && total > 0;
    fit->missed += !reached[k];
    rows[k][0] = case_number(&runs[k], "contacts.mean");
    rows[k][1] = total / solves;
    rows[k][2] = time / solves;
    rows[k][3] = time / total;
    rows[k][4] = !reached[k];
    for (int j = 0; j < COLS; ++j) {
      columns[j][k] = rows[k][j];
    }
  }
  fit_slope(sizes, columns[0], columns[1], reached, fit->iterations);
  fit_slope(sizes, columns[0], columns[2], reached, fit->a_step);
  fit_slope(sizes, columns[0], columns[3], reached, fit->an_iteration);
  const int status = case_plot_table(
      plot, table, "contacts iterations timing_a_step[s] timing_an_iteration[s] missed", sizes,
      COLS, rows[0]);
  const double slopes[] = {fit->iterations[0],   fit->iterations[1], fit->an_iteration[0],
                           fit->an_iteration[1], fit->a_step[0],     fit->a_step[1],
                           fit->missed};
  snprintf(label, sizeof label, "fit-%s", table);
  return status != BASE_OK
             ? status
             : case_plot_table(plot, label,
                               "p_i 2*error timing_p_c 2*timing_error timing_p_t 2*timing_error "
                               "missed",
                               1, 7, slopes);
}

int case_scaling_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  struct case_scaling_fit fit;
  int status = BASE_OK, each;
  (void)p;
  for (int first = 0; first < n && status == BASE_OK; first += each) {
    const char *solver = series[first].run->names[0].text;
    for (each = 1; first + each < n && strcmp(series[first + each].run->names[0].text, solver) == 0;
         ++each) {
    }
    status = case_scaling_solver(solver, each, series + first, plot, &fit);
  }
  return status;
}
