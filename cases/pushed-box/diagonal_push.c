/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * diagonal-push: the box pushed just above mu m g along x, y, the diagonal, and for each polygon in
 * the direction it serves worst: at the angle asin(sin(pi/n)/push) from the normal of an edge, a
 * little less, it slides along that normal. Directions of the LCP formulations against those of
 * the polygon (pushed-box.c), which falls as 1/n; all others must go where they are pushed. One
 * does not, on four feet: mdp, whose friction forces at redundant contacts need not be parallel.
 */
#include "cases/pushed-box/pushed-box.h"

#include "cases/body_kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double INSIDE = 0.999; /* of the angle at which the polygon's edge gives way */

/* From the normal of an edge, the worst push of a polygon of n facets [rad]. */
static double worst_of(const struct case_parameters *p, double n) {
  return INSIDE * asin(fmin(1, sin(M_PI / n) / case_real(p, "push")));
}

/* Angle between the velocity at the end and a direction; NaN for a box at rest. */
static double off(const struct case_series *s, double angle) {
  const double vx = body_final(s, "u", 0), vy = body_final(s, "u", 1);
  return hypot(vx, vy) > 0 ? fabs(remainder(atan2(vy, vx) - angle, 2 * M_PI)) : NAN;
}

static double off_push(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return off(s, case_number(s, "case.parameters.angle"));
}

static double off_polygon(const struct case_results *r, const struct case_series *s, int k) {
  const double angle = case_number(s, "case.parameters.angle");
  (void)k;
  return off(s, pushed_box_polygon((int)case_word(r, s, "n_dir"), case_real(r->p, "push"), angle));
}

static double expected(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return worst_of(r->p, case_word(r, s, "n_dir"));
}

const struct case_function pushed_box_diagonal_push_functions[] = {
    {"off_push", .value = off_push},
    {"expected", .value = expected},
    {"off_polygon", .value = off_polygon},
    {0}};
