/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: the largest energy in every period, which no expression gives. What is left of it,
 * and how many bounces there were in the time of a hundred, is in the file.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include <math.h>

enum { BOUNCES = 100 };

/* Largest gain over the initial energy in periods 0, 1, ... of the reference. */
static const double *largest_gains(const struct case_results *r, const struct case_series *s,
                                   int *n) {
  const double E_0 = case_real(r->p, "m") * case_real(r->p, "g") * case_real(r->p, "h0");
  const double period = bouncing_ball_period(r->p);
  double *gains = base_arena_doubles(r->arena, BOUNCES);
  *n = BOUNCES;
  for (int k = 0; k < BOUNCES; ++k) {
    gains[k] = -HUGE_VAL;
  }
  for (int j = 0; j < s->n; ++j) {
    double *gain = &gains[(int)fmin(s->t[j] / period, BOUNCES - 1)];
    *gain = fmax(*gain, (s->energy[j] - s->energy[0]) / E_0);
  }
  return gains;
}

const struct case_function bouncing_ball_functions[] = {{"largest_gains", .lists = largest_gains},
                                                        {0}};
