/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 *   tippe-top-inversion  time of inversion with B_F and E_F against dt, Moreau's midpoint rule
 *                        (moeller 6.5; the study is ours)
 *
 * The top counts as inverted when its inclination phi = acos(a_0^2 + a_3^2 - a_1^2 - a_2^2) first
 * exceeds 3 rad; the time T is interpolated between samples. There is no reference for the sets
 * with spin torque, so convergence is seen from the differences between steps that halve: with
 * T(dt) = T + C dt^p they fall as dt^p. Steps too long do not invert the top in time; their T is
 * missing from the table, their greatest inclination is there.
 *
 * How fast must it spin? By Jellett's integral lambda = -L . (c e - r n), which a contact force
 * without torque keeps, the steady motions are the stationary points of
 *   m g (r - c cos phi) + lambda^2 / (2 D),  D = r^2 (J1 sin^2 phi + J3 (cos phi - c/r)^2),
 * and upright, phi = 0, is a minimum of it for spins below n_c,
 *   n_c^2 = m g c (1 - c/r)^2 / (J1 - J3 (1 - c/r)),
 * 21.7 rad/s. Below it an inclination dies away, above it grows.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

static const double INVERTED = 3; /* [rad] */

/* T [s]; NaN: it does not invert. */
static double time_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double now = tippe_top_inclination(s, k);
    if (now > INVERTED) {
      const double before = k > 0 ? tippe_top_inclination(s, k - 1) : now;
      const double part = k > 0 ? (INVERTED - before) / (now - before) : 0;
      return k > 0 ? s->t[k - 1] + part * (s->t[k] - s->t[k - 1]) : s->t[k];
    }
  }
  return NAN;
}

/* Of T to that at half the step, the run behind this one [s]. */
static double difference(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(time_of(r, s, k) - time_of(r, s + 1, k));
}

/* To the difference at twice the step. */
static double ratio(const struct case_results *r, const struct case_series *s, int k) {
  return difference(r, s, k) / difference(r, s - 1, k);
}

static double set_apart(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(time_of(r, s, k) - time_of(r, r->against, k)) / time_of(r, s, k);
}

/* Inclination at the end over that at the start. */
static double grown(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return tippe_top_inclination(s, s->n - 1) / tippe_top_inclination(s, 0);
}

const struct case_function tippe_top_inversion_functions[] = {
    {"time_of", .value = time_of},       {"ratio", .value = ratio},
    {"difference", .value = difference}, {"set_apart", .value = set_apart},
    {"grown", .value = grown},           {0}};
