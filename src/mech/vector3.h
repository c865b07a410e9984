/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Vectors and rotations of space, for the bodies and shapes of mech.
 */
#ifndef MECH_VECTOR3_H
#define MECH_VECTOR3_H

static inline double mech_dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void mech_cross3(const double a[3], const double b[3], double c[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2],
               z = a[0] * b[1] - a[1] * b[0];
  c[0] = x, c[1] = y, c[2] = z;
}
/* y += alpha x */
static inline void mech_add3(double alpha, const double x[3], double y[3]) {
  y[0] += alpha * x[0];
  y[1] += alpha * x[1];
  y[2] += alpha * x[2];
}
/* y = R x and y = R^T x; y may not be x. */
static inline void mech_turn3(const double R[9], const double x[3], double y[3]) {
  y[0] = R[0] * x[0] + R[1] * x[1] + R[2] * x[2];
  y[1] = R[3] * x[0] + R[4] * x[1] + R[5] * x[2];
  y[2] = R[6] * x[0] + R[7] * x[1] + R[8] * x[2];
}
static inline void mech_back3(const double R[9], const double x[3], double y[3]) {
  y[0] = R[0] * x[0] + R[3] * x[1] + R[6] * x[2];
  y[1] = R[1] * x[0] + R[4] * x[1] + R[7] * x[2];
  y[2] = R[2] * x[0] + R[5] * x[1] + R[8] * x[2];
}

#endif
