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

static const double SAMPLE = 1e-3; /* [s] */

/* A rise of the energy below this part of it is rounding (catalogue). */
#define NO_RISE 1e-12

/* Distance of the step from the limit, relative, ascending. */
static const double offsets[] = {-0.1, -1e-2, -1e-3, -1e-4, 1e-4, 1e-3, 1e-2, 0.1};
enum { OFFSETS = (int)(sizeof offsets / sizeof offsets[0]), FREE_STEPS = 400 };
/* The finest offset locates the limit to this; twice it allows for rounding of the ratio. */
#define LOCATED 2e-4
/* A motion this many times A has left the bounded branch, whose amplitude is A itself, far behind.
 */
static const double UNSTABLE = 1e3;
/* Rounding of x2 near 0.1 m is 1e-9 of A a step, amplified like A. */
#define CLOSED_FORM 1e-6

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

/* Samples of energy that lie below the one before by more than rounding. */
static double count_falls(const struct case_results *r, const struct case_series *s, int k) {
  int falls = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    falls += s->energy[k] < s->energy[k - 1] - NO_RISE * fabs(s->energy[0]);
  }
  return falls;
}

static double falls_without_onset(const struct case_results *r, const struct case_series *s,
                                  int k) {
  return count_falls(r, s, k) - case_number(s, "contacts.onsets");
}

static void some_steps(const struct case_results *r, const struct case_series *s, double *lo,
                       double *hi) {
  (void)r;
  *lo = 2;
  *hi = 0.02 * s->n;
}

/* Of the largest energy gained in a step. */
static double relative_rise(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "energy.max_increase") / case_number(s, "energy.initial");
}

/* Whether the run that this one is set against is recorded so. */
static double diverged(const struct case_results *r, const struct case_series *s, int k) {
  (void)s, (void)k;
  return r->against->status == BASE_DIVERGED;
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

/* The run at an offset; NULL: there is none. */
static const struct case_series *run_at(const struct case_results *r, const char *kind, int k) {
  char label[CASE_TEXT];
  snprintf(label, sizeof label, "moreau-%s%+g", kind, offsets[k]);
  return case_result(r, NULL, label);
}

/* 1; infinite for a run that diverged, NaN for one that failed. */
static double survives(const struct case_series *s) {
  return s == NULL || (s->status != BASE_OK && s->status != BASE_DIVERGED) ? NAN
         : s->status == BASE_DIVERGED                                      ? INFINITY
                                                                           : 1;
}

static double limit_alone(const struct case_results *r, const struct case_series *s, int k) {
  double growths[OFFSETS];
  (void)s;
  for (k = 0; k < OFFSETS; ++k) {
    growths[k] = growth(r->p, run_at(r, "free", k));
  }
  return located_limit(growths);
}

static double limit_touching(const struct case_results *r, const struct case_series *s, int k) {
  double growths[OFFSETS];
  (void)s;
  for (k = 0; k < OFFSETS; ++k) {
    growths[k] = survives(run_at(r, "contact", k));
  }
  return located_limit(growths);
}

/* Worst relative difference of x2 at the end from A T_n(a), of runs that did not diverge. */
static double off_closed_form(const struct case_results *r, const struct case_series *s, int k) {
  const double A = case_real(r->p, "m2") * case_real(r->p, "g") / case_real(r->p, "c");
  double worst = 0;
  int seen = 0;
  for (k = 0; k < OFFSETS; ++k) {
    s = run_at(r, "free", k);
    if (isfinite(growth(r->p, s))) {
      const double x = (s->q[2 * s->n - 1] - (case_real(r->p, "l") - A)) / A;
      const double exact = growth_exact(1 + offsets[k]);
      const double error = fabs(x - exact) / fmax(1, fabs(exact));
      worst = case_worst(worst, error);
      ++seen;
    }
  }
  return seen > 0 ? worst : NAN;
}

static void limit_row(const struct case_results *r, const struct case_series *s, int k,
                      double *out) {
  const double alone = growth(r->p, run_at(r, "free", k));
  (void)s;
  out[0] = 1 + offsets[k];
  out[1] = isfinite(alone) ? alone : NAN;
  out[2] = survives(run_at(r, "contact", k)) == 1 ? 1 : NAN;
}

#define MOTION_COLUMNS                                                                             \
  {                                                                                                \
    {"t[s]", "t"}, {"x1[m]", "q[0]"}, {"x2[m]", "q[1]"}, {                                         \
      "E-E0[J]", .value = case_value_energy_change                                                 \
    }                                                                                              \
  }
static const struct case_table fig62_tables[] = {
    {.name = "twostep", .runs = "twostep", .columns = MOTION_COLUMNS},
    {.name = "event", .runs = "event", .columns = MOTION_COLUMNS},
    {.name = "limit",
     .rows = OFFSETS,
     .row = limit_row,
     .columns = {{"dt/limit[-]"}, {"growth[-]"}, {"survives_1s[-]"}}},
    {0}};

#define STEPWISE .published = "decreasing stepwise (moeller 6.1)"
#define LIMIT                                                                                      \
  .claim = {1 - LOCATED, 1 + LOCATED, .expected = "2/sqrt(c/m2)",                                  \
            .published = "below 1e-4 s is required (moeller 6.1)"}
/* What is found from all of moreau's runs stands with the run that shows the motion. */
static const struct case_check fig62_checks[] = {
    {.what = "two-step, dt = 1e-3 s: largest rise of the energy in a step over E_0",
     .runs = "twostep",
     .value = relative_rise,
     .claim = {-NO_RISE, NO_RISE, STEPWISE}},
    {.what = "two-step, dt = 1e-3 s: steps in which the energy falls",
     .runs = "twostep",
     .value = count_falls,
     .bounds = some_steps,
     .claim = {STEPWISE}},
    {.what = "the same, without those in which the contact closes",
     .runs = "twostep",
     .value = falls_without_onset,
     .claim = {.lo = 0, .hi = 0}},
    {.what = "two-step, dt = 1e-2 s: largest rise of the energy in a step over E_0",
     .runs = "twostep-longer",
     .value = relative_rise,
     .claim = {-NO_RISE, NO_RISE, .published = "larger steps: it remains stable (moeller 6.1)"}},
    {.what = "two-step: largest error of x1, x2 at dt = 1e-2 s over that at 1e-3 s",
     .runs = "twostep-longer",
     .over = "twostep",
     .path = "errors.q_linf",
     .claim = {1.5, 100, .expected = "of first order: 10",
               .published = "larger steps decrease the accuracy (moeller 6.1)"}},
    {.what = "moreau, dt = 1e-3 s: recorded as diverged (1: yes)",
     .runs = "twostep",
     .against = "moreau",
     .value = diverged,
     .claim = {1, 1, .published = "diverges towards infinity (moeller 6.1)"}},
    {.what = "moreau, m2 alone: limit of dt over 2/sqrt(c/m2), between the nearest runs",
     .runs = "twostep",
     .value = limit_alone,
     LIMIT},
    {.what = "moreau, 1 s with contacts: limit of dt over 2/sqrt(c/m2)",
     .runs = "twostep",
     .value = limit_touching,
     LIMIT},
    {.what = "moreau, m2 alone: x2 after 400 steps, relative difference from A T_n(a)",
     .runs = "twostep",
     .value = off_closed_form,
     .claim = {0, CLOSED_FORM, .expected = "0 (closed form)"}},
    {0}};

/* ---- moeller-6.3 ---- */

static const struct case_runs fig63_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "1",
     .sample = "1e-3",
     .over = {{"label/form/dt",
               "twostep/consistent-twostep/1e-5 moreau/moreau/1e-5 event/event/1e-3 "
               "longer/consistent-twostep/1e-3"}}},
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

/* x1 less that of the run it is set against. */
static double x1_apart(const struct case_results *r, const struct case_series *s, int k) {
  return r->against->n == s->n ? s->q[2 * k] - r->against->q[2 * k] : NAN;
}

static const struct case_table fig63_tables[] = {
    {.name = "{label}", .runs = "{label}", .columns = MOTION_COLUMNS},
    {.name = "difference",
     .runs = "event",
     .columns = {{"t[s]", "t"},
                 {"twostep-event[m]", .value = x1_apart, .of = "twostep", .against = "event"},
                 {"moreau-event[m]", .value = x1_apart, .of = "moreau", .against = "event"}}},
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
     .value = relative_rise,
     .claim = {-1e-12, 1e-12, .expected = "never rises"}},
    {.what = "timing: processor time of the two-step integrator over Moreau's, both at 1e-5 s",
     .runs = "twostep",
     .over = "moreau",
     .path = "timing.steps_s",
     .claim = {1.5, 30, .published = "more numerical work per time step (moeller 7)"}},
    {.what = "timing: the same, two-step at 1e-3 s, Moreau at 1e-5 s",
     .runs = "longer",
     .over = "moreau",
     .path = "timing.steps_s",
     .claim = {0.005, 0.7,
               .published = "gains where fast dynamics force Moreau's rule to very small steps "
                            "(moeller 7)"}},
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
     .caption =
         "At dt = 1e-3 s the consistent two-step integrator never gains energy (in a step at most "
         "{two-step, dt = 1e-3 s: largest rise} of it), while Moreau's rule diverges: its limit is "
         "{moreau, 1 s with contacts: limit of dt} times 2/sqrt(c/m2) = 1e-4 s. Positions and "
         "energy, with event-driven integration for comparison; below, how far m2, vibrating "
         "alone, gets in 400 steps of Moreau's rule near that limit.",
     .runs = fig62_runs,
     .tables = fig62_tables,
     .checks = fig62_checks},
    {.id = "moeller-6.3",
     .title = "Oscillator: two integrators at dt = 1e-5 s",
     .caption =
         "Both integrators at dt = 1e-5 s agree in the motion of m1, to {two-step against moreau} "
         "of its range, but not in the energy: what an impact takes depends on the phase of m2's "
         "vibration when it comes, of which both schemes have lost track by then. Positions and "
         "energy by the consistent two-step integrator and Moreau's midpoint rule.",
     .runs = fig63_runs,
     .tables = fig63_tables,
     .checks = fig63_checks,
     .panels = fig63_panels},
    {.id = NULL}};
