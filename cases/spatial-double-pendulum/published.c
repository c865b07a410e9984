/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both models of the spatial double pendulum publish of the poses and velocities of its rods,
 * and the rotations between its angles and them.
 */
#include "cases/spatial-double-pendulum/relative.h"

#include <math.h>
#include <string.h>

const double spatial_double_pendulum_inertia[3] = {1, 2, 3};

void spatial_double_pendulum_rotation(const double q[3], double R[9]) {
  const double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]), c3 = cos(q[2]),
               s3 = sin(q[2]);
  const double rows[9] = {c2 * c3,
                          -c2 * s3,
                          s2,
                          c1 * s3 + s1 * s2 * c3,
                          c1 * c3 - s1 * s2 * s3,
                          -s1 * c2,
                          s1 * s3 - c1 * s2 * c3,
                          s1 * c3 + c1 * s2 * s3,
                          c1 * c2};
  memcpy(R, rows, sizeof rows);
}

/* Body-fixed Euler-123 angles of R (rows first), R = Rx(q1) Ry(q2) Rz(q3), with |q1| <= pi/2:
 * motion in the xz plane then is q2 alone, from -pi to pi. */
static void angles_of(const double R[9], double q[3]) {
  const double sign = R[8] < 0 ? -1 : 1; /* of cos q2, so that |q1| <= pi/2 */
  q[0] = atan2(-sign * R[5], sign * R[8]);
  q[1] = atan2(R[2], sign * hypot(R[5], R[8]));
  q[2] = atan2(-sign * R[1], sign * R[0]);
}

/* A^T B. */
static void between(const double A[9], const double B[9], double out[9]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
    }
  }
}

void spatial_double_pendulum_turn(const double A[4], const double q[3], double out[4]) {
  memcpy(out, A, 4 * sizeof *out);
  for (int axis = 0; axis < 3; ++axis) {
    const double c = cos(0.5 * q[axis]), s = sin(0.5 * q[axis]);
    const int j = 1 + (axis + 1) % 3, k = 1 + (axis + 2) % 3, i = 1 + axis;
    double b[4]; /* out (c, s e_axis) */
    b[0] = c * out[0] - s * out[i];
    b[i] = c * out[i] + s * out[0];
    b[j] = c * out[j] + s * out[k];
    b[k] = c * out[k] - s * out[j];
    memcpy(out, b, sizeof b);
  }
}

/* Velocity of the point at p in the frame of a body with velocities v (world) and omega (body). */
static void point_velocity(const double R[9], const double v[3], const double omega[3],
                           const double p[3], double out[3]) {
  const double c[3] = {omega[1] * p[2] - omega[2] * p[1], omega[2] * p[0] - omega[0] * p[2],
                       omega[0] * p[1] - omega[1] * p[0]};
  for (int i = 0; i < 3; ++i) {
    out[i] = v[i] + R[3 * i] * c[0] + R[3 * i + 1] * c[1] + R[3 * i + 2] * c[2];
  }
}

void spatial_double_pendulum_publish(const double A[9], const double B[9], const double U[12],
                                     double *q_out, double *u_out) {
  const double end[3] = {0, 0, -0.5 * SPATIAL_DOUBLE_PENDULUM_LENGTH};
  double relative[9];
  memcpy(u_out, U, 12 * sizeof *U);
  double *point = q_out + SPATIAL_DOUBLE_PENDULUM_P1, *centre = point + 3, *angles = centre + 3;
  double *v_point = u_out + SPATIAL_DOUBLE_PENDULUM_V_P1, *v_centre = v_point + 3;
  point_velocity(A, U, U + 3, end, v_point);
  for (int i = 0; i < 3; ++i) {
    point[i] = q_out[i] + A[3 * i + 2] * end[2];
    centre[i] = 0.5 * (q_out[i] + q_out[7 + i]);
    v_centre[i] = 0.5 * (U[i] + U[6 + i]);
  }
  between(A, B, relative);
  angles_of(A, angles);
  angles_of(relative, angles + 3);
}
