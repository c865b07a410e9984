/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of this case read in common: published values, and angles that go on where a
 * chart ends.
 */
#ifndef CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H
#define CASES_SPATIAL_DOUBLE_PENDULUM_FIGURES_H

#include "cases/figure/series.h"
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

/* Published value j of sample k. */
static inline double spatial_double_pendulum_q(const struct case_series *s, int k, int j) {
  return s->q[(size_t)k * (size_t)s->nq + (size_t)j];
}
static inline double spatial_double_pendulum_u(const struct case_series *s, int k, int j) {
  return s->u[(size_t)k * (size_t)s->nu + (size_t)j];
}

/* angles: 3, one of the triples that mean the same rotation: the one nearest to `near`: 3. */
void spatial_double_pendulum_near(const double near[3], double angles[3]);

#endif
