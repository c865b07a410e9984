/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scaling of solvers with the number of contacts; see scaling.h. The standard error of a slope
 * b fitted to n points is sqrt(sum of squared residuals / ((n - 2) sum (x - xm)^2)).
 */
#include "cases/figure/scaling.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

const char *const case_scaling_solvers[CASE_SCALING_SOLVERS] = {
    "relaxation", "pgs", "psor", "apgd", "spg", "admm", "ipm"};
static const char TOLERANCE[] = "tol=1e-8";

int case_scaling_plan(const struct case_scaling *s, int i, struct case_run *run) {
  if (i >= CASE_SCALING_SOLVERS * s->n_sizes) {
    return 0;
  }
  const char *solver = case_scaling_solvers[i / s->n_sizes];
  const int size = s->sizes[i % s->n_sizes];
  char set[CASE_TEXT];
  snprintf(set, sizeof set, "n=%d %s", size, s->set);
  case_run_fill(run, "ccp", set, s->dt, s->t_end, 0, "%s-%d", solver, size);
  snprintf(run->solver, sizeof run->solver, "%s", solver);
  snprintf(run->opt, sizeof run->opt, "%s max_iter=%d", TOLERANCE, s->max_iter);
  return 1;
}

/* Slope of log y over log x where `use`, and twice its standard error. */
static void fit_slope(int n, const double *x, const double *y, const int *use, double out[2]) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, syy = 0;
  int used = 0;
  for (int i = 0; i < n; ++i) {
    if (use[i]) {
      const double a = log(x[i]), b = log(y[i]);
      sx += a, sy += b, sxx += a * a, sxy += a * b, syy += b * b;
      ++used;
    }
  }
  const double spread = sxx - sx * sx / used, slope = (sxy - sx * sy / used) / spread;
  const double left = syy - sy * sy / used - slope * slope * spread;
  out[0] = used > 2 ? slope : NAN;
  out[1] = used > 2 ? 2 * sqrt(fmax(left, 0) / ((used - 2) * spread)) : NAN;
}

int case_scaling_make(const struct case_scaling *s, const struct case_series *series, int n,
                      struct case_plot *plot, struct case_scaling_fit *fit) {
  enum { COLS = 5 };
  int status = BASE_OK;
  for (int i = 0; i < CASE_SCALING_SOLVERS && status == BASE_OK; ++i) {
    const char *solver = case_scaling_solvers[i];
    double rows[CASE_SCALING_SIZES_MAX][COLS], columns[COLS][CASE_SCALING_SIZES_MAX];
    int reached[CASE_SCALING_SIZES_MAX];
    char label[CASE_TEXT];
    fit[i] = (struct case_scaling_fit){0};
    for (int k = 0; k < s->n_sizes; ++k) {
      snprintf(label, sizeof label, "%s-%d", solver, s->sizes[k]);
      const struct case_series *run = case_series_find(series, n, label);
      if (run == NULL) {
        return BASE_FAILED;
      }
      const double solves = case_number(run, "iterations.solves");
      const double total = case_number(run, "iterations.total");
      const double time = case_number(run, "timing.steps_s");
      reached[k] = run->status == BASE_OK && total > 0;
      fit[i].missed += !reached[k];
      rows[k][0] = case_number(run, "contacts.mean");
      rows[k][1] = total / solves;
      rows[k][2] = time / solves;
      rows[k][3] = time / total;
      rows[k][4] = !reached[k];
      for (int j = 0; j < COLS; ++j) {
        columns[j][k] = rows[k][j];
      }
    }
    fit_slope(s->n_sizes, columns[0], columns[1], reached, fit[i].iterations);
    fit_slope(s->n_sizes, columns[0], columns[2], reached, fit[i].a_step);
    fit_slope(s->n_sizes, columns[0], columns[3], reached, fit[i].an_iteration);
    status = case_plot_table(plot, solver,
                             "contacts iterations timing_a_step[s] timing_an_iteration[s] missed",
                             s->n_sizes, COLS, rows[0]);
    const double slopes[] = {fit[i].iterations[0],   fit[i].iterations[1], fit[i].an_iteration[0],
                             fit[i].an_iteration[1], fit[i].a_step[0],     fit[i].a_step[1],
                             fit[i].missed};
    snprintf(label, sizeof label, "fit-%s", solver);
    status =
        status != BASE_OK
            ? status
            : case_plot_table(plot, label,
                              "p_i 2*error timing_p_c 2*timing_error timing_p_t 2*timing_error "
                              "missed",
                              1, 7, slopes);
  }
  return status;
}
