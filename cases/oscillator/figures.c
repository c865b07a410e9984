/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the oscillator (moeller 6.1).
 *
 *   moeller-6.2  two-step at dt = 1e-3 s: positions, energy in falling steps; where Moreau's
 *                midpoint rule stops working
 *   moeller-6.3  two-step and Moreau at dt = 1e-5 s against event-driven integration
 *
 * The limit of Moreau's rule: while m2 moves alone, from rest at the distance A = m2 g/c from its
 * equilibrium, the rule (5.3 to 5.5) is x^M = x + dt/2 u, u' = u - dt w^2 x^M, x' = x^M + dt/2 u'
 * with w = sqrt(c/m2): half its trace is a = 1 - 2 R^2, R = w dt/2, and
 *
 *   x_n = A T_n(a):  A cos(n acos a) for R <= 1,  A cosh(n acosh(2 R^2 - 1)) for R > 1 and even n,
 *
 * bounded up to dt = 2/w = 1e-4 s and no further. Runs a little to either side of it, closing in
 * from 10 % to 1e-4, take the place of a bisection: 400 steps in which the masses do not touch, to
 * be compared with x_n, and the horizon of 1 s, with contacts.
 */
#include "cases/oscillator/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SAMPLE = 1e-3; /* [s] */

/* A rise of the energy below this part of it is rounding (catalogue). */
static const double NO_RISE = 1e-12;

/* Distance of the step from the limit, relative, ascending. */
static const double offsets[] = {-0.1, -1e-2, -1e-3, -1e-4, 1e-4, 1e-3, 1e-2, 0.1};
enum { OFFSETS = (int)(sizeof offsets / sizeof offsets[0]), FREE_STEPS = 400 };
/* The finest offset locates the limit to this; twice it allows for rounding of the ratio. */
static const double LOCATED = 2e-4;
/* A motion this many times A has left the bounded branch, whose amplitude is A itself, far behind.
 */
static const double UNSTABLE = 1e3;
/* Rounding of x2 near 0.1 m is 1e-9 of A a step, amplified like A. */
static const double CLOSED_FORM = 1e-6;

static double limit_step(const struct case_parameters *p) {
  return 2 / sqrt(case_real(p, "c") / case_real(p, "m2"));
}

/* ---- moeller-6.2 ---- */

static void fill_limit(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  run->dt = limit_step(p) * (1 + offsets[place->at[0]]);
  if (run->t_end == 0) { /* m2 alone */
    run->t_end = FREE_STEPS * run->dt;
    run->sample = 8 * run->dt;
  }
}

#define OFFSET_LIST                                                                                \
  { "offset", "-0.1 -0.01 -0.001 -0.0001 +0.0001 +0.001 +0.01 +0.1" }
static const struct case_runs fig62_runs[] = {
    {.label = "twostep",
     .formulation = "consistent-twostep",
     .dt = "1e-3",
     .t_end = "1",
     .sample = "1e-3"},
    {.label = "event", .formulation = "event", .dt = "1e-3", .t_end = "1", .sample = "1e-3"},
    {.label = "twostep-longer", .formulation = "consistent-twostep", .dt = "1e-2", .t_end = "1"},
    {.label = "moreau", .formulation = "moreau", .dt = "1e-3", .t_end = "1"},
    {.label = "moreau-free{offset}",
     .formulation = "moreau",
     .over = {OFFSET_LIST},
     .fill = fill_limit},
    {.label = "moreau-contact{offset}",
     .formulation = "moreau",
     .t_end = "1",
     .sample = "1e-2",
     .over = {OFFSET_LIST},
     .fill = fill_limit},
    {0}};

/* Samples of positions and energy; the energy as E - E_0. */
static void write_motion(struct case_plot *plot, const char *name, const struct case_series *s,
                         struct base_arena *arena) {
  double *rows = base_arena_matrix(arena, 4, s->n);
  for (int k = 0; k < s->n; ++k) {
    const double row[] = {s->t[k], s->q[2 * k], s->q[2 * k + 1], s->energy[k] - s->energy[0]};
    memcpy(rows + 4 * (size_t)k, row, sizeof row);
  }
  case_plot_table(plot, name, "t[s] x1[m] x2[m] E-E0[J]", s->n, 4, rows);
}

/* Samples of energy that lie below the one before by more than rounding. */
static int count_falls(const struct case_series *s) {
  int falls = 0;
  for (int k = 1; k < s->n; ++k) {
    falls += s->energy[k] < s->energy[k - 1] - NO_RISE * fabs(s->energy[0]);
  }
  return falls;
}

static double relative_rise(const struct case_series *s) {
  return s != NULL && s->status == BASE_OK
             ? case_number(s, "energy.max_increase") / case_number(s, "energy.initial")
             : NAN;
}

/* Largest |x2 - equilibrium| over A among the samples; infinite for a run that diverged. */
static double growth(const struct case_parameters *p, const struct case_series *s) {
  if (s == NULL || (s->status != BASE_OK && s->status != BASE_DIVERGED) || s->n < 1 || s->nq != 2) {
    return NAN;
  }
  const double A = case_real(p, "m2") * case_real(p, "g") / case_real(p, "c");
  double worst = 0;
  for (int k = 0; k < s->n; ++k) {
    worst = fmax(worst, fabs(s->q[2 * k + 1] - (case_real(p, "l") - A)) / A);
  }
  return s->status == BASE_DIVERGED ? INFINITY : worst;
}

/* x_n / A after FREE_STEPS steps. */
static double growth_exact(double ratio) {
  const double a = 1 - 2 * ratio * ratio;
  return fabs(a) <= 1 ? cos(FREE_STEPS * acos(a)) : cosh(FREE_STEPS * acosh(fabs(a)));
}

/* Midpoint between the largest step, over the limit, that stays bounded and the smallest that does
 * not; NaN unless all below are bounded and all above are not. */
static double located_limit(const double growths[OFFSETS]) {
  int bounded = 0;
  while (bounded < OFFSETS && growths[bounded] < UNSTABLE) {
    ++bounded;
  }
  for (int k = bounded; k < OFFSETS; ++k) {
    if (!(growths[k] >= UNSTABLE)) {
      return NAN;
    }
  }
  return bounded > 0 && bounded < OFFSETS ? 1 + 0.5 * (offsets[bounded - 1] + offsets[bounded])
                                          : NAN;
}

/* Growth of the contact-free runs, and whether the others survive. */
static int limit_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  double free_growth[OFFSETS], survives[OFFSETS], rows[OFFSETS][3], worst = 0;
  for (int k = 0; k < OFFSETS; ++k) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "moreau-free%+g", offsets[k]);
    const struct case_series *s = case_series_find(series, n, label);
    snprintf(label, sizeof label, "moreau-contact%+g", offsets[k]);
    const struct case_series *touching = case_series_find(series, n, label);
    if (s == NULL || touching == NULL) {
      return BASE_FAILED;
    }
    free_growth[k] = growth(p, s);
    survives[k] = touching->status == BASE_OK         ? 1
                  : touching->status == BASE_DIVERGED ? INFINITY
                                                      : NAN;
    if (isfinite(free_growth[k])) {
      const double A = case_real(p, "m2") * case_real(p, "g") / case_real(p, "c");
      const double x = (s->q[2 * s->n - 1] - (case_real(p, "l") - A)) / A;
      const double exact = growth_exact(1 + offsets[k]);
      const double error = fabs(x - exact) / fmax(1, fabs(exact));
      worst = case_worst(worst, error);
    }
    rows[k][0] = 1 + offsets[k];
    rows[k][1] = isfinite(free_growth[k]) ? free_growth[k] : NAN;
    rows[k][2] = survives[k] == 1 ? 1 : NAN;
  }
  case_plot_check(plot, "moreau, m2 alone: limit of dt over 2/sqrt(c/m2), between the nearest runs",
                  located_limit(free_growth),
                  (struct case_claim){1 - LOCATED, 1 + LOCATED, .expected = "2/sqrt(c/m2)",
                                      .published = "below 1e-4 s is required (moeller 6.1)"});
  case_plot_check(plot, "moreau, 1 s with contacts: limit of dt over 2/sqrt(c/m2)",
                  located_limit(survives),
                  (struct case_claim){1 - LOCATED, 1 + LOCATED, .expected = "2/sqrt(c/m2)",
                                      .published = "below 1e-4 s is required (moeller 6.1)"});
  case_plot_check(plot, "moreau, m2 alone: x2 after 400 steps, relative difference from A T_n(a)",
                  worst, (struct case_claim){0, CLOSED_FORM, .expected = "0 (closed form)"});
  return case_plot_table(plot, "limit", "dt/limit[-] growth[-] survives_1s[-]", OFFSETS, 3,
                         rows[0]);
}

static int fig62_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  const struct case_series *two = case_series_ok(series, n, "twostep", 2);
  const struct case_series *event = case_series_ok(series, n, "event", 2);
  const struct case_series *longer = case_series_find(series, n, "twostep-longer");
  const struct case_series *moreau = case_series_find(series, n, "moreau");
  if (two == NULL || event == NULL || longer == NULL || moreau == NULL) {
    return BASE_FAILED;
  }
  case_plot_check(
      plot, "two-step, dt = 1e-3 s: largest rise of the energy in a step over E_0",
      relative_rise(two),
      (struct case_claim){-NO_RISE, NO_RISE, .published = "decreasing stepwise (moeller 6.1)"});
  case_plot_check(
      plot, "two-step, dt = 1e-3 s: steps in which the energy falls", count_falls(two),
      (struct case_claim){2, 0.02 * two->n, .published = "decreasing stepwise (moeller 6.1)"});
  case_plot_check(plot, "the same, without those in which the contact closes",
                  count_falls(two) - case_number(two, "contacts.onsets"),
                  (struct case_claim){.lo = 0, .hi = 0});
  case_plot_check(
      plot, "two-step, dt = 1e-2 s: largest rise of the energy in a step over E_0",
      relative_rise(longer),
      (struct case_claim){-NO_RISE, NO_RISE, .expected = "remains stable with larger steps"});
  case_plot_check(
      plot, "moreau, dt = 1e-3 s: recorded as diverged (1: yes)", moreau->status == BASE_DIVERGED,
      (struct case_claim){1, 1, .published = "diverges towards infinity (moeller 6.1)"});
  struct base_arena *arena = base_arena_alloc();
  write_motion(plot, "twostep", two, arena);
  write_motion(plot, "event", event, arena);
  base_arena_free(arena);
  return limit_make(p, series, n, plot);
}

/* ---- moeller-6.3 ---- */

static const struct case_runs fig63_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "1",
     .sample = "1e-3",
     .over = {{"label/form/dt",
               "twostep/consistent-twostep/1e-5 moreau/moreau/1e-5 event/event/1e-3"}}},
    {0}};

/* Highest less lowest x1. */
static double range(const struct case_series *s) {
  double lo = INFINITY, hi = -INFINITY;
  for (int k = 0; k < s->n; ++k) {
    lo = fmin(lo, s->q[2 * k]);
    hi = fmax(hi, s->q[2 * k]);
  }
  return hi - lo;
}

/* Largest |x1 - x1'| at the samples over the range of `event`, NaN unless they are at the same
 * times. */
static double distance(const struct case_results *r, const struct case_series *a, int k) {
  const struct case_series *b = r->against, *event = case_result(r, NULL, "event");
  double worst = a->n == b->n ? 0 : NAN;
  for (k = 0; k < a->n && a->n == b->n; ++k) {
    const double d = fabs(a->t[k] - b->t[k]) < 0.5 * SAMPLE ? fabs(a->q[2 * k] - b->q[2 * k]) : NAN;
    worst = case_worst(worst, d);
  }
  return event != NULL ? worst / range(event) : NAN;
}

/* Of a run that ended ok, of the largest energy it gained in a step. */
static double rise_of_energy(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return relative_rise(s);
}

/* x1 of a run less that of the sample of `event`. */
static double less_exact(const struct case_series *s, const struct case_series *event, int k) {
  return s != NULL && event->n == s->n ? s->q[2 * k] - event->q[2 * k] : NAN;
}

static double twostep_less_exact(const struct case_results *r, const struct case_series *s, int k) {
  return less_exact(case_result(r, NULL, "twostep"), s, k);
}

static double moreau_less_exact(const struct case_results *r, const struct case_series *s, int k) {
  return less_exact(case_result(r, NULL, "moreau"), s, k);
}

static const struct case_table fig63_tables[] = {
    {.name = "{label}",
     .runs = "{label}",
     .columns = {{"t[s]", "t"},
                 {"x1[m]", "q[0]"},
                 {"x2[m]", "q[1]"},
                 {"E-E0[J]", .value = case_value_energy_change}}},
    {.name = "difference",
     .runs = "event",
     .columns = {{"t[s]", "t"},
                 {"twostep-event[m]", .value = twostep_less_exact},
                 {"moreau-event[m]", .value = moreau_less_exact}}},
    {0}};

/* Curves that differ by less than this part of what they span are one in a figure. */
#define SAME 0.02
static const struct case_check fig63_checks[] = {
    {.what = "two-step against moreau: largest difference of x1 over its range",
     .runs = "twostep",
     .against = "moreau",
     .value = distance,
     .claim = {0, SAME, .published = "one solution for both (moeller fig. 6.3)"}},
    {.what = "two-step against event: the same",
     .runs = "twostep",
     .against = "event",
     .value = distance,
     .claim = {.lo = 0, .hi = SAME}},
    {.what = "moreau against event: the same",
     .runs = "moreau",
     .against = "event",
     .value = distance,
     .claim = {.lo = 0, .hi = SAME}},
    {.what = "two-step: largest rise of the energy in a step over E_0",
     .runs = "twostep",
     .value = rise_of_energy,
     .claim = {-1e-12, 1e-12, .expected = "never rises"}},
    {0}};

#define MOTION(COLUMN, EVENT, MOREAU, TWOSTEP)                                                     \
  {EVENT, "event", 1, COLUMN, .look = "reference", .width = 6},                                    \
      {MOREAU, "moreau", 1, COLUMN, .look = "moreau", .width = 3.5}, {                             \
    TWOSTEP, "twostep", 1, COLUMN, .look = "consistent-twostep", .width = 1.2                      \
  }
static const struct case_panel fig63_panels[] = {
    {.x = "t [s]",
     .y = "x_1, x_2 [m]",
     .x_range = {0, 1},
     .y_range = {0.096, 0.12},
     .key = "right top",
     .curves = {MOTION(2, "event", "moreau", "two-step"), MOTION(3, NULL, NULL, NULL)}},
    {.x = "t [s]",
     .y = "x_1 less exact [μm]",
     .x_range = {0, 1},
     .y_range = {-160, 160},
     .curves = {{NULL, "difference", 1, 3, 1e6, "moreau"},
                {NULL, "difference", 1, 2, 1e6, "consistent-twostep"}}},
    {.x = "t [s]",
     .y = "E - E_0 [mJ]",
     .x_range = {0, 1},
     .y_range = {-2.7, 0.2},
     .curves = {{NULL, "event", 1, 4, 1e3, "reference"},
                {NULL, "moreau", 1, 4, 1e3, "moreau"},
                {NULL, "twostep", 1, 4, 1e3, "consistent-twostep"}}},
    {0}};

const struct case_figure oscillator_figures[] = {
    {.id = "moeller-6.2",
     .title = "Oscillator: two-step integrator at dt = 1e-3 s, limit of Moreau's rule",
     .caption = "Positions and energy by the consistent two-step integrator at dt = 1e-3 s, with "
                "event-driven integration for comparison. Moreau's rule diverges at this step; "
                "below, how far m2, vibrating alone, gets in 400 of its steps near the limit "
                "2/sqrt(c/m2) = 1e-4 s.",
     .runs = fig62_runs,
     .make = fig62_make},
    {.id = "moeller-6.3",
     .title = "Oscillator: two integrators at dt = 1e-5 s",
     .caption = "Both integrators at dt = 1e-5 s agree in the motion of m1. What an impact takes "
                "depends on the phase of m2's vibration when it comes, of which both schemes have "
                "lost track by then: the losses of energy, 1e-4 of the whole, differ.",
     .runs = fig63_runs,
     .tables = fig63_tables,
     .checks = fig63_checks,
     .panels = fig63_panels},
    {.id = NULL}};
