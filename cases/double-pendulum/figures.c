/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum (moeller 6.2), all at the source's dt = 0.01 s: the consistent
 * two-step integrator (5.106, 5.107) in positions with multipliers on both levels, and Moreau's
 * midpoint rule in the two rod angles; event-driven integration is added as the reference.
 *
 *   moeller-6.5  rod angles, alpha_1 = atan2(x1, y1), alpha_2 = atan2(x2 - x1, y2 - y1), followed
 *                over whole turns; both schemes are also run at a hundredth of the step to show
 *                that they converge to the same solution
 *   moeller-6.6  total energy over E_0; also the one-step integrator (5.95)
 *
 * The motion is chaotic: what separates the curves after the first impact, 0.93 s, grows some
 * hundred times in 3 s, so that angles are compared before it, and errors over 2 s.
 */
#include "cases/double-pendulum/figures.h"

#include "cases/figure/series.h"

#include <math.h>

static const double STEP = 0.01;         /* [s] */
static const double SMOOTH = 0.9;        /* [s], before the first impact */
static const double SECOND_IMPACT = 1.1; /* [s], the second comes at 1.16 s */
static const double COMPARED = 2;        /* [s] */

/* ---- rod angles ---- */

/* Angle of rod 0 or 1 of sample k, from the positions of the masses: within half a turn of `near`.
 */
static double rod_angle(const struct case_series *s, int k, int rod, double near) {
  const double *q = s->q + 4 * (size_t)k;
  const double a = rod == 0 ? atan2(q[0], q[1]) : atan2(q[2] - q[0], q[3] - q[1]);
  return k == 0 ? a : a - 2 * M_PI * rint((a - near) / (2 * M_PI));
}

/* The same, followed from the start over whole turns. */
static double rod_angle_at(const struct case_series *s, int k, int rod) {
  double a = 0;
  for (int j = 0; j <= k; ++j) {
    a = rod_angle(s, j, rod, a);
  }
  return a;
}

static double alpha_1(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rod_angle_at(s, k, 0);
}

static double alpha_2(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rod_angle_at(s, k, 1);
}

/* Largest difference of either angle from the run that it is set against over the samples up to
 * t_end; NaN unless both have them all, at the same times. */
static double angle_distance(const struct case_series *a, const struct case_series *b,
                             double t_end) {
  const double slack = 0.5 * STEP;
  double worst = a->t[a->n - 1] > t_end - slack && b->t[b->n - 1] > t_end - slack ? 0 : NAN;
  for (int rod = 0; rod < 2; ++rod) {
    double alpha = 0, beta = 0;
    for (int k = 0; k < a->n && k < b->n && a->t[k] < t_end + slack; ++k) {
      alpha = rod_angle(a, k, rod, alpha);
      beta = rod_angle(b, k, rod, beta);
      worst = case_worst(worst, fabs(a->t[k] - b->t[k]) < slack ? fabs(alpha - beta) : NAN);
    }
  }
  return worst;
}

static double before_impact(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return angle_distance(s, r->against, SMOOTH);
}

/* Until the second impact: the largest difference of either angle over dt times the largest jump of
 * either rate, which is what a rod that stands still for the step of an impact lags behind. */
static double lag_after_impact(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = r->against;
  double jump = 0;
  for (int rod = 0; rod < 2; ++rod) {
    double before = 0, now = 0;
    for (k = 0; k < other->n && other->t[k] < SECOND_IMPACT; ++k) {
      const double next = rod_angle(other, k, rod, now);
      jump = k > 1 ? fmax(jump, fabs(next - 2 * now + before)) : jump;
      before = now;
      now = next;
    }
  }
  return angle_distance(s, other, SECOND_IMPACT) / jump;
}

static double over_two_seconds(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return angle_distance(s, r->against, COMPARED);
}

/* ---- moeller-6.5 ---- */

/* ---- moeller-6.6 ---- */

static double energy_ratio(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return s->energy[k] / s->energy[0];
}

static double energy_change(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(energy_ratio(r, s, k) - 1);
}

const struct case_function double_pendulum_functions[] = {
    {"alpha_1", .value = alpha_1},
    {"alpha_2", .value = alpha_2},
    {"before_impact", .value = before_impact},
    {"over_two_seconds", .value = over_two_seconds},
    {"energy_ratio", .value = energy_ratio},
    {"energy_change", .value = energy_change},
    {"lag_after_impact", .value = lag_after_impact},
    {0}};
