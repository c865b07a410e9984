/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: a hundred bounces without loss. The energy must stay; what is left of it, and how
 * many bounces there were in the time of a hundred, for every formulation that knows contacts.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include "cases/figure/series.h"

#include <math.h>

enum { BOUNCES = 100 };

static double initial_energy(const struct case_results *r) {
  return case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h0");
}

/* Gained by sample k, over m g h0. */
static double gain(const struct case_results *r, const struct case_series *s, int k) {
  return (s->energy[k] - s->energy[0]) / initial_energy(r);
}

static double gain_at_the_end(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return s->n > 0 ? gain(r, s, s->n - 1) : NAN;
}

static double largest_change(const struct case_results *r, const struct case_series *s, int k) {
  double change = 0;
  for (k = 0; k < s->n; ++k) {
    change = case_worst(change, fabs(gain(r, s, k)));
  }
  return change;
}

static double drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "energy.max_numerical_drift") / initial_energy(r);
}

/* Of period k of the reference: its number, and the largest gain. */
static void largest_gain(const struct case_results *r, const struct case_series *s, int k,
                         double *out) {
  out[0] = k;
  out[1] = -HUGE_VAL;
  for (int j = 0; j < s->n; ++j) {
    if ((int)fmin(s->t[j] / bouncing_ball_period(r->p), BOUNCES - 1) == k) {
      out[1] = fmax(out[1], gain(r, s, j));
    }
  }
}

const struct case_function bouncing_ball_functions[] = {
    {"largest_gain", .row = largest_gain},
    {"gain_at_the_end", .value = gain_at_the_end},
    {"drift", .value = drift},
    {"largest_change", .value = largest_change},
    {0}};
