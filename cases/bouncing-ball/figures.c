/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: the largest energy in every period, which no expression gives. What is left of it,
 * and how many bounces there were in the time of a hundred, is in the file.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include <math.h>

enum { BOUNCES = 100 };

/* Of period k of the reference: its number, and the largest gain. */
static void largest_gain(const struct case_results *r, const struct case_series *s, int k,
                         double *out) {
  const double E_0 = case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h0");
  out[0] = k;
  out[1] = -HUGE_VAL;
  for (int j = 0; j < s->n; ++j) {
    if ((int)fmin(s->t[j] / bouncing_ball_period(r->p), BOUNCES - 1) == k) {
      out[1] = fmax(out[1], (s->energy[j] - s->energy[0]) / E_0);
    }
  }
}

const struct case_function bouncing_ball_functions[] = {{"largest_gain", .row = largest_gain}, {0}};
