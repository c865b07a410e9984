/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   tippe-top-inversion  time of inversion with B_F and E_F against dt, Moreau's midpoint rule
 *                        (moeller 6.5; the study is ours)
 *
 * The top counts as inverted when its inclination phi = acos(a_0^2 + a_3^2 - a_1^2 - a_2^2) first
 * exceeds 3 rad; the time T is interpolated between samples. There is no reference for the sets
 * with spin torque, so convergence is seen from the differences between steps that halve: with
 * T(dt) = T + C dt^p they fall as dt^p. Steps too long do not invert the top at all; their T is
 * missing from the table, their greatest inclination is there.
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { NQ = 7, SETS = 2 };

static const char *const set_names[SETS] = {"B", "E"};
/* The first is the one of moeller-6.25, too long to invert; the others halve [s]. */
static const double steps[] = {1e-3, 4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5, 1.25e-5};
enum { STEPS = sizeof steps / sizeof *steps, HALVING = 1, DIFFERENCES = STEPS - HALVING - 1 };

static const double INVERTED = 3;                           /* [rad] */
static const double INVERTED_FROM = 1.4, INVERTED_BY = 1.6; /* [s]; the last is the horizon too */
/* Differences of a first-order scheme halve with the step; they count as shrinking below this. */
static const double SHRINKS = 0.75;
static const double ORDER_MIN = 0.8, ORDER_MAX = 1.2;
/* B_F and E_F invert alike: their times differ by less than this part (0.03 % measured). */
static const double ALIKE = 1e-3;

const struct case_runs tippe_top_inversion_runs[] = {
    {.label = "{set}-{dt}",
     .formulation = "moreau",
     .set = "friction_set={set}",
     .dt = "{dt}",
     .t_end = "1.6",
     .sample = "1e-3",
     .over = {{"set", "B E"}, {"dt", "0.001 0.0004 0.0002 0.0001 5e-05 2.5e-05 1.25e-05"}}},
    {0}};

static double inclination(const struct case_series *s, int k) {
  const double *q = s->q + (size_t)NQ * (size_t)k;
  return acos(fmax(-1, fmin(1, q[3] * q[3] + q[6] * q[6] - q[4] * q[4] - q[5] * q[5])));
}

/* row: time of inversion (NaN: none) and greatest inclination. */
static void measure(const struct case_series *s, double *row) {
  double highest = 0;
  row[0] = NAN;
  for (int k = 0; k < s->n; ++k) {
    const double now = inclination(s, k);
    highest = fmax(highest, now);
    if (isnan(row[0]) && now > INVERTED) {
      const double before = k > 0 ? inclination(s, k - 1) : now;
      const double part = k > 0 ? (INVERTED - before) / (now - before) : 0;
      row[0] = k > 0 ? s->t[k - 1] + part * (s->t[k] - s->t[k - 1]) : s->t[k];
    }
  }
  row[1] = highest;
}

/* Do the differences between times of halving steps shrink, and as dt? */
static void check_convergence(const char *set, double rows[STEPS][3], struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  double difference[DIFFERENCES], dt[DIFFERENCES], largest = 0;
  for (int i = 0; i < DIFFERENCES; ++i) {
    dt[i] = rows[HALVING + i][0];
    difference[i] = fabs(rows[HALVING + i][1] - rows[HALVING + i + 1][1]);
    if (i > 0) {
      const double ratio = difference[i] / difference[i - 1];
      largest = case_worst(largest, ratio);
    }
  }
  case_plot_check(plot,
                  base_arena_printf(arena, "%s_F: time of inversion at the smallest dt [s]", set),
                  rows[STEPS - 1][1], (struct case_claim){.lo = INVERTED_FROM, .hi = INVERTED_BY});
  case_plot_check(
      plot, base_arena_printf(arena, "%s_F: largest ratio of a difference to the one before", set),
      largest, (struct case_claim){0, SHRINKS, .expected = "1/2"});
  case_plot_check(plot, base_arena_printf(arena, "%s_F: order of the differences in dt", set),
                  case_order(DIFFERENCES, dt, difference, DIFFERENCES),
                  (struct case_claim){.lo = ORDER_MIN, .hi = ORDER_MAX});
  base_arena_free(arena);
}

int tippe_top_inversion_make(const struct case_parameters *p, const struct case_series *series,
                             int n, struct case_plot *plot) {
  double rows[SETS][STEPS][3];
  (void)p;
  for (int i = 0; i < SETS * STEPS; ++i) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "%s-%g", set_names[i / STEPS], steps[i % STEPS]);
    const struct case_series *s = case_series_ok(series, n, label, NQ);
    if (s == NULL) {
      return BASE_FAILED;
    }
    rows[i / STEPS][i % STEPS][0] = steps[i % STEPS];
    measure(s, rows[i / STEPS][i % STEPS] + 1);
  }
  for (int set = 0; set < SETS; ++set) {
    case_plot_table(plot, set_names[set], "dt[s] T[s] phi_max[rad]", STEPS, 3, rows[set][0]);
    check_convergence(set_names[set], rows[set], plot);
  }
  const double first = rows[0][STEPS - 1][1], second = rows[1][STEPS - 1][1];
  case_plot_check(
      plot, "times with B_F and E_F at the smallest dt, relative difference",
      fabs(first - second) / first,
      (struct case_claim){
          0, ALIKE, .published = "the overall behaviour is preserved very well (moeller 6.5)"});
  return BASE_OK;
}
