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

/* A motion this many times A has left the bounded branch, whose amplitude is A itself, far behind.
 */
static const double UNSTABLE = 1e3;

/* ---- moeller-6.2 ---- */

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

/* ---- moeller-6.3 ---- */

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

const struct case_function oscillator_functions[] = {
    {"limit_row", .row = limit_row},
    {"relative_rise", .value = relative_rise},
    {"count_falls", .value = count_falls},
    {"some_steps", .bounds = some_steps},
    {"falls_without_onset", .value = falls_without_onset},
    {"diverged", .value = diverged},
    {"limit_alone", .value = limit_alone},
    {"limit_touching", .value = limit_touching},
    {"off_closed_form", .value = off_closed_form},
    {"x1_apart", .value = x1_apart},
    {"distance", .value = distance},
    {0}};
