/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-7: drift of the centre of mass in x and y with mu = 0, where no force acts along them.
 *
 * The source's coordinates are P1 and relative Euler-123 angles (bodies=relative), which its scheme
 * moves by q^{l+1} = q^l + dt F(q^l) u^{l+1}: the centre of mass follows from them, and each step
 * leaves it O(dt^2) off, so that the slope of its drift is proportional to dt. Before the impact
 * the pendulum falls as one body and nothing drifts. Bodies in coordinates of their own, to which a
 * joint gives opposite impulses, do not drift whatever the step.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>

static const double TOUCH = 0.46; /* [s], after the impact */

/* Of the centre of mass along an axis (0, 1) at a sample [m]. */
static double drift_along(const struct case_series *s, int k, int axis) {
  const int j = SPATIAL_DOUBLE_PENDULUM_CENTRE + axis;
  return spatial_double_pendulum_q(s, k, j) - spatial_double_pendulum_q(s, 0, j);
}

static double drift_x(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return drift_along(s, k, 0);
}

static double drift_y(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return drift_along(s, k, 1);
}

/* Least-squares slope after the impact [m/s]. */
static double slope(const struct case_series *s, int axis) {
  double n = 0, st = 0, sx = 0, stt = 0, stx = 0;
  for (int k = 0; k < s->n; ++k) {
    const double t = s->t[k], x = drift_along(s, k, axis);
    if (t > TOUCH) {
      n += 1, st += t, sx += x, stt += t * t, stx += t * x;
    }
  }
  return (n * stx - st * sx) / (n * stt - st * st);
}

static double slope_x(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return slope(s, 0);
}

static double slope_y(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return slope(s, 1);
}

/* The larger of x and y. */
static double drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return case_worst(fabs(drift_along(s, k, 0)), fabs(drift_along(s, k, 1)));
}

static double largest_drift(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, drift(r, s, k));
  }
  return worst;
}

/* The same before the impact. */
static double drift_in_flight(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n && s->t[k] < 0.44; ++k) {
    worst = case_worst(worst, drift(r, s, k));
  }
  return worst;
}

const struct case_function spatial_double_pendulum_drift_functions[] = {
    {"drift_x", .value = drift_x},
    {"drift_y", .value = drift_y},
    {"drift", .value = drift},
    {"slope_x", .value = slope_x},
    {"slope_y", .value = slope_y},
    {"drift_in_flight", .value = drift_in_flight},
    {"largest_drift", .value = largest_drift},
    {0}};
