/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front-sliding: work and precision of penalty and impulses where nothing strikes: a ball
 * thrown from the plane, gap 0. Its contact sinks by m g/K, and since x + mu z keeps while it
 * slides (relaxation.c), the way is off by mu m g/K and what turns by as much over k R;
 * the tangential spring, of stiffness (2/7) K, by the stretch mu m g/(2/7 K) that it has when the
 * ball begins to roll. All are of order 1/K, and the stable step of K^-1/2: explicit steppers gain
 * two digits for ten times the work, semi-implicit Euler one, and the relaxation none: it lifts off
 * by h = (mu v_T)^2/(2 g) at any step, so that the way is mu h behind and the angle mu h/(k R).
 * Midpoint rules are exact while the ball slides, and while it rolls; what is left is the step in
 * which it begins to, of order dt^2.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "cases/figure/front.h"

/* Of a run, the error over that of a lift-off. */
static double over_liftoff(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const double up = b.mu * b.v0 / (1 + (1 + 1 / b.k) * b.mu * b.mu);
  (void)k;
  return case_number(s, "errors.q_linf") * 2 * b.g * b.k * b.R / (b.mu * up * up);
}

const struct case_function thrown_ball_front_functions[] = {{"over_liftoff", .value = over_liftoff},
                                                            {0}};
