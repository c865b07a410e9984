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
  for (int i = 0; i < 3; ++i) {
    y[i] += alpha * x[i];
  }
}
/* y = R x and y = R^T x; y may not be x. */
static inline void mech_turn3(const double R[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; ++i) {
    y[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
  }
}
static inline void mech_back3(const double R[9], const double x[3], double y[3]) {
  for (int i = 0; i < 3; ++i) {
    y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
  }
}

#endif
