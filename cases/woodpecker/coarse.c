/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The woodpecker at dt = 1e-3 s: moeller-6.19, the two-step integrator's vertical velocity while
 * the sleeve sticks, and when its motion leaves the exact one; moeller-6.20, energies. What the
 * source proposes against the oscillation, energy consistency for inertia and potential alone and
 * the contact law of Moreau's rule, is the theta rule at 1/2 here: mass matrix and directions are
 * constant and the potential is quadratic, so that its forces are the discrete derivative (6.48).
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

static const double COARSE = 1e-3, SAMPLE = 1e-4; /* [s], samples of event */

static const double STICKS_FROM = 0.025, STICKS_TO = 0.06; /* [s], the source's window */

static int in_window(double t) {
  return t > STICKS_FROM - 0.5 * COARSE && t < STICKS_TO + 0.5 * COARSE;
}

/* Of ydot while sticking: the part of successive samples that differ in sign. */
static double alternating(const struct case_results *r, const struct case_series *s, int k) {
  int pairs = 0, changes = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    if (in_window(s->t[k]) && in_window(s->t[k - 1])) {
      ++pairs;
      changes +=
          woodpecker_value(s, k, WOODPECKER_Y_DOT) * woodpecker_value(s, k - 1, WOODPECKER_Y_DOT) <
          0;
    }
  }
  return pairs > 0 ? (double)changes / pairs : NAN;
}

/* The largest |ydot| while sticking. */
static double speed_sticking(const struct case_results *r, const struct case_series *s, int k) {
  double speed = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    speed = in_window(s->t[k]) ? case_worst(speed, fabs(woodpecker_value(s, k, WOODPECKER_Y_DOT)))
                               : speed;
  }
  return speed;
}

/* How far y moves while sticking. */
static double moved(const struct case_results *r, const struct case_series *s, int k) {
  double lo = INFINITY, hi = -INFINITY;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    if (in_window(s->t[k])) {
      lo = fmin(lo, woodpecker_value(s, k, WOODPECKER_Y));
      hi = fmax(hi, woodpecker_value(s, k, WOODPECKER_Y));
    }
  }
  return hi - lo;
}

/* |phi - phi of the run it is set against| at sample k over what that spans. */
static double phi_off(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *exact = r->against;
  const double span =
      woodpecker_extreme(exact, WOODPECKER_PHI, 1) - woodpecker_extreme(exact, WOODPECKER_PHI, -1);
  int j = 0;
  while (j + 1 < exact->n && exact->t[j] < s->t[k] - 0.5 * SAMPLE) {
    ++j;
  }
  return fabs(woodpecker_value(s, k, WOODPECKER_PHI) - woodpecker_value(exact, j, WOODPECKER_PHI)) /
         span;
}

/* First time at which it is more than 2 %. */
static double deviates(const struct case_results *r, const struct case_series *s, int k) {
  for (k = 0; k < s->n; ++k) {
    const double off = phi_off(r, s, k);
    if (isnan(off) || off > 0.02) {
      return isnan(off) ? NAN : s->t[k];
    }
  }
  return INFINITY;
}

/* The beak strikes at its limit, phi' > 0 before and < 0 after it: the first time. */
static double strikes(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  for (k = 1; k < s->n; ++k) {
    if (woodpecker_value(s, k, WOODPECKER_PHI) > 0 &&
        woodpecker_value(s, k, WOODPECKER_PHI_DOT) < 0 &&
        woodpecker_value(s, k - 1, WOODPECKER_PHI_DOT) > 0) {
      return s->t[k];
    }
  }
  return NAN;
}

/* The largest deviation before the exact impact, and that at the source's time. */
static double off_before(const struct case_results *r, const struct case_series *s, int k) {
  const double impact = strikes(r, r->against, k);
  double worst = isnan(impact) ? NAN : 0;
  for (k = 0; k < s->n && s->t[k] < impact - 0.5 * SAMPLE; ++k) {
    worst = case_worst(worst, phi_off(r, s, k));
  }
  return worst;
}

static double off_at_source(const struct case_results *r, const struct case_series *s, int k) {
  for (k = 0; k + 1 < s->n && s->t[k] < 0.12 - 0.5 * SAMPLE; ++k) {
  }
  return phi_off(r, s, k);
}

/* In a step, over the energy at the start. */
static double largest_rise(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 1; k < s->n; ++k) {
    const double d = s->energy[k] - s->energy[k - 1];
    worst = case_worst(worst, d);
  }
  return worst / r->series[0].energy[0];
}

/* The same, of either sign, of steps in which no contact carries. */
static double change_without_contact(const struct case_results *r, const struct case_series *s,
                                     int k) {
  double worst = s->first != NULL ? 0 : NAN;
  int seen = 0;
  for (k = 1; k < s->n && s->first != NULL; ++k) {
    if (s->first[k + 1] == s->first[k]) {
      const double d = fabs(s->energy[k] - s->energy[k - 1]);
      worst = case_worst(worst, d);
      ++seen;
    }
  }
  return seen > 0 ? worst / r->series[0].energy[0] : NAN;
}

const struct case_function woodpecker_coarse_functions[] = {
    {"alternating", .value = alternating},
    {"speed_sticking", .value = speed_sticking},
    {"moved", .value = moved},
    {"deviates", .value = deviates},
    {"strikes", .value = strikes},
    {"off_before", .value = off_before},
    {"off_at_source", .value = off_at_source},
    {"largest_rise", .value = largest_rise},
    {"change_without_contact", .value = change_without_contact},
    {0}};
