/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of this case: where things are among the published values, and the figures.
 */
#ifndef CASES_SPATIAL_DOUBLE_PENDULUM_H
#define CASES_SPATIAL_DOUBLE_PENDULUM_H

#include "cases/case.h"

enum {
  /* q: both bodies (7 each), P1, the centre of mass, angles of A, relative angles of B */
  SPATIAL_DOUBLE_PENDULUM_P1 = 14,
  SPATIAL_DOUBLE_PENDULUM_CENTRE = 17,
  SPATIAL_DOUBLE_PENDULUM_ANGLES = 20,
  SPATIAL_DOUBLE_PENDULUM_Q = 26,
  /* u: both bodies (v, omega), P1, the centre of mass */
  SPATIAL_DOUBLE_PENDULUM_V_P1 = 12,
  SPATIAL_DOUBLE_PENDULUM_V_CENTRE = 15,
  SPATIAL_DOUBLE_PENDULUM_U = 18
};

/* angles: 3, one of the triples that mean the same rotation: the one nearest to `near`: 3. */
void spatial_double_pendulum_near(const double near[3], double angles[3]);

/* What the files of its figures call by name. */
extern const struct case_function spatial_double_pendulum_angles_functions[];
extern const struct case_function spatial_double_pendulum_planar_functions[];

#endif
