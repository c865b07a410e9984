/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * facets: what the number of friction directions costs and buys. The LCP of a contact has n_dir + 2
 * unknowns (bhalerao 14: normal impulse, an impulse a direction, the sliding speed); its friction
 * points along a vertex of the polygon, up to pi / n_dir off the sliding direction, whatever the
 * step.
 */
#include "cases/spatial-double-pendulum/figures.h"

static double unknowns(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_word(r, s, "n_dir") + 2;
}

static double error_times_facets(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "errors.q_linf") * case_word(r, s, "n_dir");
}

const struct case_function spatial_double_pendulum_facets_functions[] = {
    {"unknowns", .value = unknowns}, {"error_times_facets", .value = error_times_facets}, {0}};
