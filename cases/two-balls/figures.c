/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of two balls on ropes (yu, figs 10 to 12): the CCP by semi-implicit Euler against the
 * penalty method, and both against the closed form (two-balls.c).
 *
 *   yu-10  height of the ball; differences for several K and D. D follows from the least
 *          restitution eps_min that the damping is made for (D rises as eps_min falls). The source
 *          integrates by RK4 with fixed steps; the convergence in K is measured with adaptive
 *          steps, so that only the model is left.
 *
 * Both errors are known up to the impact. Semi-implicit Euler from rest is the leapfrog scheme, of
 * second order, with a first half step that is a whole one: its start has the velocity a dt/2, so
 * that it is ahead by half a step, y - y_exact = v_y dt/2 (v solves the linearised equation). A
 * rope of stiffness K gives by T/K, T = m g (3 cos theta - 2 cos alpha).
 *
 * yu-11 and yu-12 stand in energies.c.
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/series.h"

#include <math.h>

enum { COLUMNS = 3, NQ = 6 };

/* Height of a ball by the closed form [m]. */
static double exact_height(const struct case_parameters *p, double t, int ball) {
  const double L = case_real(p, "L");
  const double ceiling = L + case_real(p, "R") + case_real(p, "clearance");
  return ceiling - L * cos(two_balls_angle(p, t, ball));
}

static double largest_error(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    for (int ball = 0; ball < 2; ++ball) {
      const double y = s->q[(long)NQ * k + (long)COLUMNS * ball + 1];
      worst = case_worst(worst, fabs(y - exact_height(r->p, s->t[k], ball)));
    }
  }
  return worst;
}

/* Of the released ball, at a sample [m]. */
static double height_error(const struct case_results *r, const struct case_series *s, int k) {
  return s->q[(long)NQ * k + 1] - exact_height(r->p, s->t[k], 0);
}

/* Height of the released ball by a run at sample k of another; NaN where it has none then. */
static double height_at(const struct case_series *s, double t) {
  const int k = s->n > 1 ? (int)lround(t / s->t[1]) : 0;
  return k < s->n && fabs(s->t[k] - t) < 1e-9 ? s->q[(long)NQ * k + 1] : NAN;
}

/* Largest distance of the heights of the released ball from those of the run beside [m]. */
static double largest_difference(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, fabs(s->q[(long)NQ * k + 1] - height_at(r->against, s->t[k])));
  }
  return worst;
}

/* The same over half a step of the fastest sinking before the impact. */
static double difference_over_half_a_step(const struct case_results *r, const struct case_series *s,
                                          int k) {
  const double h = 1e-3 * two_balls_impact(r->p);
  double fastest = 0;
  for (k = 1; k < 1000; ++k) {
    const double way =
        exact_height(r->p, k * h + 0.5 * h, 0) - exact_height(r->p, k * h - 0.5 * h, 0);
    fastest = fmax(fastest, fabs(way) / h);
  }
  return largest_difference(r, s, -1) / (0.5 * s->run->dt * fastest);
}

/* How far the released ball hangs too low at the last sample before the impact, at the lowest
 * point [m]. */
static double stretch(const struct case_results *r, const struct case_series *s, int k) {
  double last = NAN;
  for (k = 0; k < s->n && s->t[k] < two_balls_impact(r->p); ++k) {
    last = -height_error(r, s, k);
  }
  return last;
}

/* Over T/K of a rope at the lowest point. */
static double stretch_over_tension(const struct case_results *r, const struct case_series *s,
                                   int k) {
  const double tension =
      case_real(r->p, "m") * case_real(r->p, "g") * (3 - 2 * cos(two_balls_angle(r->p, 0, 0)));
  return stretch(r, s, k) / (tension / case_number(s, "formulation.options.K"));
}

static double less_ccp(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *ccp = r->against;
  return k < ccp->n ? s->q[(long)NQ * k + 1] - ccp->q[(long)NQ * k + 1] : NAN;
}

/* ---- yu-10 ---- */

const struct case_function two_balls_functions[] = {
    {"height_error", .value = height_error},
    {"less_ccp", .value = less_ccp},
    {"largest_error", .value = largest_error},
    {"largest_difference", .value = largest_difference},
    {"difference_over_half_a_step", .value = difference_over_half_a_step},
    {"stretch", .value = stretch},
    {"stretch_over_tension", .value = stretch_over_tension},
    {0}};
