/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-penetration: what the stabilisation term Phi/dt of (5d) does to a body that is, or comes,
 * below the plane (negrut, after 6), without friction: where it slides nothing lifts it then.
 *
 *   start    DEPTH below the plane, at rest. One step takes the body out, so that it leaves at
 *            u = DEPTH/dt and climbs
 *
 *              sum_j dt (u - j g dt),  j = 1, 2, ... as long as positive,  about u^2/(2 g):
 *
 *            a hundred times as high at a tenth of the step. An upper bound v_max on the velocity
 *            that corrects keeps the climb below v_max^2/(2 g) whatever the step.
 *   landing  at the speed s, with contacts active from a gap of delta_K on. With delta_K = 0 the
 *            body is deep by p <= s dt before it is seen, and is thrown out at p/dt, which is any
 *            part of s, as the phase of the impact has it, and does not vanish with dt. From
 *            delta_K = s dt on it lands, and there is no penetration.
 */
#include "cases/table/table.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { PHASES = 8 };
static const double DEPTH = 0.01; /* [m], as in the runs' set */
#define CAP 0.1                   /* [m/s], as in the runs' opt */
static const double HEIGHT = 0.2; /* of the fall [m] */

/* Of the feet above the plane at sample k [m]. */
static double foot(const struct case_results *r, const struct case_series *s, int k) {
  return s->q[(long)s->nq * k + 2] - case_real(r->p, "h");
}

/* Largest height of the feet after the lowest [m]. */
static double climb(const struct case_results *r, const struct case_series *s, int k) {
  double lowest = s->n > 0 ? foot(r, s, 0) : NAN, highest = lowest;
  for (k = 1; k < s->n; ++k) {
    const double now = foot(r, s, k);
    highest = now < lowest ? now : case_worst(highest, now);
    lowest = fmin(lowest, now);
  }
  return highest;
}

static double climb_exact(const struct case_results *r, const struct case_series *s, int k) {
  const double g = case_real(r->p, "g"), dt = s->run->dt;
  double sum = 0;
  (void)k;
  for (double u = DEPTH / dt - g * dt; u > 0; u -= g * dt) {
    sum += dt * u;
  }
  return sum;
}

static double climb_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(climb(r, s, k) / climb_exact(r, s, k) - 1);
}

static double climb_over_cap(const struct case_results *r, const struct case_series *s, int k) {
  return climb(r, s, k) / (CAP * CAP / (2 * case_real(r->p, "g")));
}

/* Fastest rise of the feet in a step, over the speed of the impact. */
static double thrown(const struct case_results *r, const struct case_series *s, int k) {
  double fastest = 0;
  for (k = 1; k < s->n; ++k) {
    fastest = case_worst(fastest, foot(r, s, k) - foot(r, s, k - 1));
  }
  return fastest / s->run->dt / sqrt(2 * case_real(r->p, "g") * HEIGHT);
}

/* The largest of all phases at a step, of which this run has the first. */
static double worst_thrown(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < PHASES; ++k) {
    worst = case_worst(worst, thrown(r, s + k, -1));
  }
  return worst;
}

static double worst_depth(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  (void)r;
  for (k = 0; k < PHASES; ++k) {
    worst = case_worst(worst, case_number(s + k, "constraints.penetration_max"));
  }
  return worst;
}

/* The largest depth over the way of a step at the speed of the impact. */
static double depth_over_way(const struct case_results *r, const struct case_series *s, int k) {
  return worst_depth(r, s, k) / (sqrt(2 * case_real(r->p, "g") * HEIGHT) * s->run->dt);
}

const struct case_function table_penetration_functions[] = {
    {"foot", .value = foot},
    {"climb", .value = climb},
    {"climb_exact", .value = climb_exact},
    {"worst_depth", .value = worst_depth},
    {"worst_thrown", .value = worst_thrown},
    {"climb_error", .value = climb_error},
    {"climb_over_cap", .value = climb_over_cap},
    {"depth_over_way", .value = depth_over_way},
    {"thrown", .value = thrown},
    {0}};
