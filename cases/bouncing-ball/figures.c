/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: the largest energy in every period, which no expression gives. What is left of it,
 * and how many bounces there were in the time of a hundred, is in the file.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include <math.h>

enum { BOUNCES = 100 };

/* Of each period of the reference. */
static double *largest_gains(const struct case_results *r, const struct case_series *s,
                             const double *x, struct base_arena *arena, int *n) {
  const double E_0 = case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h0");
  double *gain = base_arena_doubles(arena, BOUNCES);
  (void)x;
  for (int k = 0; k < BOUNCES; ++k) {
    gain[k] = -HUGE_VAL;
  }
  for (int j = 0; j < s->n; ++j) {
    const int k = (int)fmin(s->t[j] / bouncing_ball_period(r->p), BOUNCES - 1);
    gain[k] = fmax(gain[k], (s->energy[j] - s->energy[0]) / E_0);
  }
  *n = BOUNCES;
  return gain;
}

const struct case_function bouncing_ball_functions[] = {{"largest_gains", .vector = largest_gains},
                                                        {0}};
