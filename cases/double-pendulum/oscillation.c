/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-5.31: what becomes of the rates of the rods in the mean of each step (moeller 5.2.2). The
 * integrator (5.31) holds g_S, which is quadratic, and D g_S/D q (u^B + u^E) = 0. With q^E - q^B =
 * dt/2 (u^B + u^E) and w the velocity of one end of a rod from the other the rates of its ends are
 *
 *   gamma^E + gamma^B = dt/4 (|w^E|^2 - |w^B|^2),
 *
 * so that what gamma^B is beyond the right side, of order dt^2, comes back with the other sign. A
 * single pendulum keeps the amplitude, and so does the free top of moeller-5.2; of coupled rods it
 * wanders, here without a wall and with the energy kept. The motion is chaotic and a run one draw
 * of it: the growth is the largest of those at four steps.
 */
#include "cases/double-pendulum/figures.h"

#include "cases/figure/series.h"

#include <math.h>

static const double PART = 0.1; /* of the horizon, at its start and at its end */

/* Of rod 0 or 1 at sample k, and |w|^2 [m^2/s], [m^2/s^2]. */
static double rate(const struct case_series *s, int k, int rod, double *square) {
  const double *q = s->q + 4 * (size_t)k, *u = s->u + 4 * (size_t)k;
  const double dx = rod == 0 ? q[0] : q[2] - q[0], dy = rod == 0 ? q[1] : q[3] - q[1];
  const double du = rod == 0 ? u[0] : u[2] - u[0], dv = rod == 0 ? u[1] : u[3] - u[1];
  *square = du * du + dv * dv;
  return dx * du + dy * dv;
}

static double rate_of(const struct case_series *s, int k, int rod) {
  double square;
  return rate(s, k, rod, &square);
}

/* What changes sign from step to step of the rate at sample k, 0 < k < n - 1. */
static double alternating(const struct case_series *s, int k, int rod) {
  return 0.5 * rate_of(s, k, rod) - 0.25 * (rate_of(s, k - 1, rod) + rate_of(s, k + 1, rod));
}

static double rate_1(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rate_of(s, k, 0);
}

static double rate_2(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rate_of(s, k, 1);
}

/* Largest alternating part of either rod between two parts of the horizon. */
static double amplitude(const struct case_series *s, double from, double to) {
  double worst = 0;
  for (int k = 1; k + 1 < s->n; ++k) {
    if (s->t[k] >= from * s->run->t_end && s->t[k] <= to * s->run->t_end) {
      const double first = fabs(alternating(s, k, 0)), second = fabs(alternating(s, k, 1));
      worst = case_worst(case_worst(worst, first), second);
    }
  }
  return worst;
}

static double growth(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return amplitude(s, 1 - PART, 1) / amplitude(s, 0, PART);
}

/* Largest difference of both sides of the equation above over the largest rate. */
static double off_mean(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0, largest = 0;
  (void)r;
  for (int rod = 0; rod < 2; ++rod) {
    for (k = 0; k + 1 < s->n; ++k) {
      double begin, end;
      const double sum = rate(s, k, rod, &begin) + rate(s, k + 1, rod, &end);
      worst = case_worst(worst, fabs(sum - 0.25 * s->run->dt * (end - begin)));
      largest = fmax(largest, fabs(rate_of(s, k, rod)));
    }
  }
  return worst / largest;
}

const struct case_function double_pendulum_oscillation_functions[] = {
    {"rate_1", .value = rate_1},
    {"rate_2", .value = rate_2},
    {"growth", .value = growth},
    {"off_mean", .value = off_mean},
    {0}};
