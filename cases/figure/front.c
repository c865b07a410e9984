/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of impulses and springs; see front.h.
 */
#include "cases/figure/front.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

static const double RK4_REAL = 2.785; /* where RK4's region of stability ends on the real axis */

const char *const case_front_springs[CASE_SPRINGS] = {"rk4", "verlet", "rkf45", "hertz", "msbdf"};
static const struct {
  const char *options;
  double part;        /* of the stable step; 0: the stepper chooses */
  double evaluations; /* of forces in an accepted step; 0: not known */
} springs[CASE_SPRINGS] = {{.options = "stepper=rk4", .part = 0.5, .evaluations = 4},
                           {.options = "stepper=verlet", .part = 0.5, .evaluations = 2},
                           {.options = "stepper=rkf45", .evaluations = 6},
                           {.options = "stepper=rkf45 normal=hertz", .evaluations = 6},
                           {.options = "stepper=msbdf"}};

void case_front_fill_spring(const struct case_front_springs *all, const struct case_place *place,
                            struct case_run *run) {
  const int i = place->at[0];
  const double K = case_place_real(place, "K"), part = springs[i].part;
  run->dt = part > 0 ? part * RK4_REAL * sqrt(all->eps * all->m / K) : all->chosen;
  snprintf(run->opt, sizeof run->opt, "K=%.17g eps_min=%.17g %s %s", K, all->eps,
           springs[i].options, all->options);
}

enum { COLS = 5 };

/* Tables of one of the two families, whose series begin at `first`. */
static int make_family(struct case_front *front, const struct case_runs *family, int first,
                       const struct case_series *series, struct base_arena *arena,
                       struct case_plot *plot) {
  const int curves = case_list_size(&family->over[0]), points = case_list_size(&family->over[1]);
  const int is_spring = family != front->runs;
  double *rows = base_arena_matrix(arena, COLS, points);
  int status = BASE_OK;
  for (int c = 0; c < curves && status == BASE_OK; ++c) {
    const struct case_place place = {.runs = family, .at = {c}};
    const double a_step = is_spring ? springs[c].evaluations : 1;
    char name[CASE_TEXT];
    case_place_text(&place, is_spring ? "spring" : "scheme", name);
    for (int k = 0; k < points; ++k) {
      const struct case_place at = {.runs = family, .at = {c, k}};
      const int i = first + c * points + k, ok = case_series_ended(&series[i]);
      double *row = rows + (long)COLS * k;
      front->x[i] = is_spring ? case_place_real(&at, "K") : series[i].run->dt;
      front->error[i] = ok ? case_number(&series[i], "errors.q_linf") : NAN;
      front->internal[i] = ok ? case_number(&series[i], "iterations.internal_steps") : NAN;
      row[0] = front->x[i];
      row[1] = front->error[i];
      row[2] = ok ? case_number(&series[i], "timing.steps_s") : NAN;
      row[3] = a_step > 0
                   ? a_step * front->internal[i] + case_number(&series[i], "iterations.total")
                   : NAN;
      row[4] = front->internal[i];
    }
    status = case_plot_table(plot, name,
                             is_spring ? "K[N/m^n] error[m] timing[s] work steps"
                                       : "dt[s] error[m] timing[s] work steps",
                             points, COLS, rows);
  }
  return status;
}

int case_front_make(const struct case_runs *runs, const struct case_series *series, int n,
                    struct base_arena *arena, struct case_plot *plot, struct case_front *front) {
  *front = (struct case_front){.runs = runs,
                               .n_schemes = case_list_size(&runs[0].over[0]),
                               .n_steps = case_list_size(&runs[0].over[1]),
                               .n_K = case_list_size(&runs[1].over[1])};
  const int all = case_front_row(front, CASE_SPRINGS);
  if (n < all) {
    return base_fail(BASE_FAILED, "there are %d runs of %d", n, all);
  }
  front->x = base_arena_doubles(arena, all);
  front->error = base_arena_doubles(arena, all);
  front->internal = base_arena_doubles(arena, all);
  const int status = make_family(front, &runs[0], 0, series, arena, plot);
  return status != BASE_OK
             ? status
             : make_family(front, &runs[1], case_front_row(front, 0), series, arena, plot);
}

void case_front_check_scheme(const struct case_front *front, int i, int order, double miss,
                             struct case_plot *plot) {
  static const char *const expected[] = {"0", "1", "2"};
  const struct case_place place = {.runs = front->runs, .at = {i}};
  const int first = i * front->n_steps, n = front->n_steps;
  char scheme[CASE_TEXT], what[2 * CASE_TEXT];
  case_place_text(&place, "scheme", scheme);
  snprintf(what, sizeof what, "%s: order in dt of the largest error", scheme);
  case_plot_check(plot, what, case_order(n, front->x + first, front->error + first, n),
                  (struct case_claim){order - miss, order + miss, .expected = expected[order]});
}

void case_front_check_spring(const struct case_front *front, int i, double lo, double hi,
                             const char *expected, struct case_plot *plot) {
  const int first = case_front_row(front, i), n = front->n_K;
  char what[CASE_TEXT];
  snprintf(what, sizeof what, "penalty, %s: order in K of the largest error",
           case_front_springs[i]);
  case_plot_check(plot, what, case_order(n, front->x + first, front->error + first, n),
                  (struct case_claim){lo, hi, .expected = expected});
}
