/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * impacts-in-a-step: the end of the rebounds of bhalerao-10. With eps_N = 0.7 the impacts of P1
 * follow each other ever faster, by 0.7 of the time before, and end at 1.524 s: the last ones are
 * less than a millisecond apart, so that a step of that length holds two. A scheme of one impact a
 * step misses what the source says it misses. Its restitution (bhalerao 16) lands in one step and
 * rebounds in the next, so that impacts are three steps apart at least. Restitution in successive
 * impacts within a step (restitution=step) is about those that another contact causes, not about a
 * second flight of the same one: impacts are two steps apart, and go on that way beyond the end.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>

static const double SLOW = 1e-3; /* [m/s], no impact */
static const double STEP = 1e-3; /* of the source's size [s] */

static double vertical(const struct case_series *s, int k) {
  return spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 2);
}

/* Sample k is the first after an impact. */
static int rebounds(const struct case_series *s, int k) {
  return k > 0 && vertical(s, k - 1) <= SLOW && vertical(s, k) > SLOW;
}

static double count(const struct case_results *r, const struct case_series *s, int k) {
  double found = s->n > 0 ? 0 : NAN;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    found += rebounds(s, k);
  }
  return found;
}

/* Impacts that come less than STEP after the one before. */
static double count_close(const struct case_results *r, const struct case_series *s, int k) {
  double before = -INFINITY;
  int found = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    if (rebounds(s, k)) {
      found += s->t[k] - before < STEP - 0.5e-4;
      before = s->t[k];
    }
  }
  return found;
}

/* The least time from an impact to the next, in steps of the run. */
static double least_interval(const struct case_results *r, const struct case_series *s, int k) {
  double before = -INFINITY, least = INFINITY;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    if (rebounds(s, k)) {
      least = fmin(least, s->t[k] - before);
      before = s->t[k];
    }
  }
  return least / s->run->dt;
}

static double found_over_event(const struct case_results *r, const struct case_series *s, int k) {
  return count(r, s, k) / count(r, r->against, k);
}

/* Time of impact number k + 1 and of the one before. */
static void interval_row(const struct case_results *r, const struct case_series *s, int k,
                         double *out) {
  double before = NAN;
  int found = 0;
  (void)r;
  out[0] = out[1] = NAN;
  for (int l = 1; l < s->n && found < k + 2; ++l) {
    if (rebounds(s, l)) {
      out[0] = ++found;
      out[1] = s->t[l] - before;
      before = s->t[l];
    }
  }
}

static double has_interval(const struct case_results *r, const struct case_series *s, int k) {
  return k + 2 <= count(r, s, -1);
}

enum { IMPACTS = 40 };

const struct case_function spatial_double_pendulum_impacts_functions[] = {
    {"interval_row", .row = interval_row},
    {"has_interval", .value = has_interval},
    {"count", .value = count},
    {"count_close", .value = count_close},
    {"found_over_event", .value = found_over_event},
    {"least_interval", .value = least_interval},
    {0}};
