/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of impulses and springs; see front.h.
 */
#include "cases/figure/front.h"

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

static const double RK4_REAL = 2.785; /* where RK4's region of stability ends on the real axis */

const struct case_spring case_springs[CASE_SPRINGS] = {
    {.label = "rk4", .opt = "stepper=rk4", .part = 0.5, .evaluations = 4},
    {.label = "verlet", .opt = "stepper=verlet", .part = 0.5, .evaluations = 2},
    {.label = "rkf45", .opt = "stepper=rkf45", .evaluations = 6},
    {.label = "hertz", .opt = "stepper=rkf45 normal=hertz", .evaluations = 6},
    {.label = "msbdf", .opt = "stepper=msbdf"}};

int case_front_runs(const struct case_front *front) {
  return front->n_schemes * front->n_steps + CASE_SPRINGS * front->n_K;
}

static double step_of(const struct case_front *front, const struct case_spring *spring, double K) {
  return spring->part > 0 ? spring->part * RK4_REAL * sqrt(front->eps * front->m / K)
                          : front->chosen;
}

/* Number i as curve and point of it. */
struct place {
  int spring, curve, point;
};

static struct place place_of(const struct case_front *front, int i) {
  const int first = front->n_schemes * front->n_steps;
  if (i < first) {
    return (struct place){.curve = i / front->n_steps, .point = i % front->n_steps};
  }
  return (struct place){
      .spring = 1, .curve = (i - first) / front->n_K, .point = (i - first) % front->n_K};
}

static const char *label_of(const struct case_front *front, struct place at) {
  return at.spring ? case_springs[at.curve].label : front->schemes[at.curve];
}

int case_front_plan(const struct case_front *front, int i, struct case_run *run) {
  const struct place at = place_of(front, i);
  if (i >= case_front_runs(front)) {
    return 0;
  }
  if (!at.spring) {
    case_run_fill(run, front->schemes[at.curve], front->set, front->steps[at.point], front->t_end,
                  0, "%s-%d", label_of(front, at), at.point);
    return 1;
  }
  const struct case_spring *spring = &case_springs[at.curve];
  const double K = front->K[at.point];
  case_run_fill(run, "penalty", front->set, step_of(front, spring, K), front->t_end, 0, "%s-%d",
                spring->label, at.point);
  snprintf(run->opt, sizeof run->opt, "K=%.17g eps_min=%.17g %s %s", K, front->eps, spring->opt,
           front->penalty);
  return 1;
}

enum { COLS = 5 };

/* Row of run i; BASE_FAILED with a message where it is missing. */
static int row_of(const struct case_front *front, const struct case_series *series, int n, int i,
                  struct case_front_result *result, double row[COLS]) {
  const struct place at = place_of(front, i);
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "%s-%d", label_of(front, at), at.point);
  const struct case_series *s = case_series_find(series, n, label);
  if (s == NULL) {
    return BASE_FAILED;
  }
  const int ok = s->status == BASE_OK;
  const double a_step = at.spring ? case_springs[at.curve].evaluations : 1;
  result->error[i] = ok ? case_number(s, "errors.q_linf") : NAN;
  result->internal[i] = ok ? case_number(s, "iterations.internal_steps") : NAN;
  row[0] = at.spring ? front->K[at.point] : front->steps[at.point];
  row[1] = result->error[i];
  row[2] = ok ? case_number(s, "timing.steps_s") : NAN;
  row[3] = a_step > 0 ? a_step * result->internal[i] + case_number(s, "iterations.total") : NAN;
  row[4] = result->internal[i];
  return BASE_OK;
}

int case_front_make(const struct case_front *front, const struct case_series *series, int n,
                    struct base_arena *arena, struct case_plot *plot,
                    struct case_front_result *result) {
  const int runs = case_front_runs(front);
  result->error = base_arena_doubles(arena, runs);
  result->internal = base_arena_doubles(arena, runs);
  double *rows = base_arena_matrix(arena, COLS, runs);
  int status = BASE_OK;
  for (int i = 0; i < runs && status == BASE_OK; ++i) {
    const struct place at = place_of(front, i);
    const int length = at.spring ? front->n_K : front->n_steps;
    status = row_of(front, series, n, i, result, rows + (long)COLS * at.point);
    if (status == BASE_OK && at.point == length - 1) {
      status = case_plot_table(plot, label_of(front, at),
                               at.spring ? "K[N/m^n] error[m] timing[s] work steps"
                                         : "dt[s] error[m] timing[s] work steps",
                               length, COLS, rows);
    }
  }
  return status;
}

void case_front_check_scheme(const struct case_front *front, const struct case_front_result *result,
                             int i, double lo, double hi, struct case_plot *plot) {
  char what[CASE_TEXT];
  snprintf(what, sizeof what, "%s: order in dt of the largest error", front->schemes[i]);
  case_plot_check(
      plot, what,
      case_order(front->n_steps, front->steps, result->error + i * front->n_steps, front->n_steps),
      lo, hi, "1");
}

void case_front_check_spring(const struct case_front *front, const struct case_front_result *result,
                             int i, double lo, double hi, const char *expected,
                             struct case_plot *plot) {
  char what[CASE_TEXT];
  snprintf(what, sizeof what, "penalty, %s: order in K of the largest error",
           case_springs[i].label);
  case_plot_check(
      plot, what,
      case_order(front->n_K, front->K, result->error + case_front_row(front, i), front->n_K), lo,
      hi, expected);
}
