/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tippe-top-scalable: the tippe top as a scalable body (moeller 4.3) under the two-step scheme for
 * a decomposed mass matrix (5.106, 5.107), whose Q and H are those of the start of a step; with Q
 * and H by the implicit midpoint rule, which is the two-step quaternion scheme on the same body;
 * and the two-step quaternion scheme on the unit quaternion (5.157, 5.158). Ellipsoid E_F, W from
 * discrete derivatives of the gaps. Errors are those of the inclination until 1.3 s, where the top
 * rises, against the last of the three at 2e-5 s: later small differences grow.
 */
#include "cases/tippe-top/tippe-top.h"

#include "cases/figure/series.h"

#include <math.h>

static double scalable_inclination(const struct case_results *r, const struct case_series *s,
                                   int k) {
  (void)r;
  return tippe_top_inclination(s, k);
}

/* Largest difference of the inclination from `exact` [rad]. */
static double error_of(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *exact = case_result(r, NULL, "exact");
  double worst = exact != NULL && exact->n == s->n ? 0 : NAN;
  for (k = 0; k < s->n && !isnan(worst); ++k) {
    worst = case_worst(worst, fabs(tippe_top_inclination(s, k) - tippe_top_inclination(exact, k)));
  }
  return worst;
}

/* Of the decomposed scheme from the one for the unit quaternion, with the step of run s. */
static double scheme_difference(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = case_result(r, s, "quaternion-long-{#step}");
  (void)k;
  return other != NULL ? tippe_top_distance(s, other) : NAN;
}

static double approach(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *coarse = case_result(r, NULL, "decomposed-long-0");
  return coarse != NULL ? scheme_difference(r, coarse, k) / scheme_difference(r, s, k) : NAN;
}

const struct case_function tippe_top_scalable_functions[] = {
    {"scalable_inclination", .value = scalable_inclination},
    {"error_of", .value = error_of},
    {"approach", .value = approach},
    {"scheme_difference", .value = scheme_difference},
    {0}};
