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

const struct case_figure spatial_double_pendulum_figures[] = {
    {.id = "bhalerao-7",
     .title = "Drift of the centre of mass without friction",
     .caption =
         "Released from 1 m, mu = 0: nothing acts along x and y. Above, the centre of mass by "
         "lcp-st in the coordinates of the source, P1 and relative Euler-123 angles, moved by dt "
         "F(q) u: halving the step halves the slope. Below, with bodies in coordinates of their "
         "own, to whose velocities a joint gives opposite impulses: no drift but round-off.",
     .runs = spatial_double_pendulum_drift_runs,
     .panels = spatial_double_pendulum_drift_panels,
     .tables = spatial_double_pendulum_drift_tables,
     .checks = spatial_double_pendulum_drift_checks},
    {.id = "bhalerao-8",
     .title = "Angles while P1 slides",
     .caption =
         "mu = 0.2, initial velocity 1 m/s along x and y, dt = 1e-4 s. Angles of A and relative "
         "angles of B by lcp-st with 8 directions on those of event (lines), the largest error of "
         "the angles over time, and against the step; last the polyhedral laws where P1 slides "
         "along one of the directions, in the plane. What does not fall with the step has another "
         "limit than Coulomb's law: eight facets in lcp-st, lcp-ap and lcp-dca, whose curves lie "
         "on "
         "each other, the contact springs of penalty, the direction of largest dissipation in mdp, "
         "and in ccp the lift-off of its first step, which leaves the plane at mu times the "
         "sliding speed.",
     .runs = spatial_double_pendulum_angles_runs,
     .tables = spatial_double_pendulum_angles_tables,
     .checks = spatial_double_pendulum_angles_checks,
     .panels = spatial_double_pendulum_angles_panels,
     .abreast = 2},
    {.id = "bhalerao-9",
     .title = "Stick and slide in the plane",
     .caption =
         "Planar pendulum released from 0.1 m, mu = 0.2, dt = 1e-3 s: P1 sticks (grey) and "
         "slides in turn and stays on the plane once there. z by the size of its distance: on gap "
         "level dt^2 from linearised gaps, round-off where two further solves a step correct them.",
     .runs = spatial_double_pendulum_planar_runs,
     .tables = spatial_double_pendulum_planar_tables,
     .checks = spatial_double_pendulum_planar_checks,
     .panels = spatial_double_pendulum_planar_panels},
    {.id = "bhalerao-10",
     .title = "Rebounds with restitution 0.7",
     .caption =
         "Planar pendulum released from 0.5 m, eps_N = 0.7, dt = 1e-3 s: vertical velocity of "
         "P1, and the ratio of its speeds after and before each impact.",
     .runs = spatial_double_pendulum_elastic_runs,
     .tables = spatial_double_pendulum_elastic_tables,
     .checks = spatial_double_pendulum_elastic_checks},
    {.id = "impacts-in-a-step",
     .title = "Impacts within a step (bhalerao 5.2)",
     .caption =
         "The rebounds of bhalerao-10 to their end at 1.524 s: time from an impact to the next. A "
         "scheme of one impact a step finds none closer than two or three steps, and misses the "
         "last ones, or makes others of them.",
     .runs = spatial_double_pendulum_impacts_runs,
     .panels = spatial_double_pendulum_impacts_panels,
     .tables = spatial_double_pendulum_impacts_tables,
     .checks = spatial_double_pendulum_impacts_checks},
    {.id = "facets",
     .title = "Facets of the friction cone",
     .caption =
         "Sliding as in bhalerao-8, dt = 1e-4 s: error against event, unknowns of the LCP and "
         "time a step for 3 to 64 friction directions; ncp has the cone itself.",
     .runs = spatial_double_pendulum_facets_runs,
     .is_timed = 1,
     .panels = spatial_double_pendulum_facets_panels,
     .tables = spatial_double_pendulum_facets_tables,
     .checks = spatial_double_pendulum_facets_checks},
    {.id = NULL}};
