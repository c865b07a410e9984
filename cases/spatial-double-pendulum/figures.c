/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the spatial double pendulum (bhalerao 5): their list, and what they share. All show
 * every formulation that runs the case, on quaternions or, where it needs u in the number of q, on
 * scalable bodies.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>
#include <string.h>

void spatial_double_pendulum_near(const double near[3], double angles[3]) {
  double best = INFINITY, out[3] = {0};
  for (int flip = 0; flip < 2; ++flip) { /* (q1 + pi, pi - q2, q3 + pi) is the same rotation */
    double way = 0, other[3];
    for (int j = 0; j < 3; ++j) {
      other[j] = !flip ? angles[j] : j == 1 ? M_PI - angles[j] : angles[j] + M_PI;
      other[j] = near[j] + remainder(other[j] - near[j], 2 * M_PI);
      way = fmax(way, fabs(other[j] - near[j]));
    }
    if (way < best) {
      best = way;
      memcpy(out, other, sizeof out);
    }
  }
  memcpy(angles, out, sizeof out);
}
