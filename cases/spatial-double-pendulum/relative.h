/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two models of the spatial double pendulum, bodies in coordinates of their own
 * (spatial-double-pendulum.c) and relative angles (relative.c), and what both share (published.c).
 */
#ifndef CASES_SPATIAL_DOUBLE_PENDULUM_RELATIVE_H
#define CASES_SPATIAL_DOUBLE_PENDULUM_RELATIVE_H

#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

#define SPATIAL_DOUBLE_PENDULUM_LENGTH 1.0              /* [m] */
#define SPATIAL_DOUBLE_PENDULUM_MASS 1.0                /* [kg] */
extern const double spatial_double_pendulum_inertia[3]; /* [kg m^2] */

/* R, rows first, of body-fixed Euler-123 angles. */
void spatial_double_pendulum_rotation(const double q[3], double R[9]);
/* Unit quaternion of a rotation A followed by one of angles q. */
void spatial_double_pendulum_turn(const double A[4], const double q[3], double out[4]);
/* Published values beside the bodies' own coordinates, which stand in q_out already; R of both, U:
 * v (world) and omega (body) of A, then of B. */
void spatial_double_pendulum_publish(const double A[9], const double B[9], const double U[12],
                                     double *q_out, double *u_out);

struct spatial_double_pendulum_relative {
  double g, mu, eps_N; /* [m/s^2], [-], [-] */
};
/* q: P1, angles of A, relative angles of B; v: of both rods, which do not turn [m/s]. */
void spatial_double_pendulum_relative_build(const struct spatial_double_pendulum_relative *given,
                                            const double q[9], const double v[3],
                                            struct base_arena *arena, struct case_instance *out);

#endif
