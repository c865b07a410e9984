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
     .caption = "In relative angles the centre of mass drifts sideways although nothing acts "
                "there, at twice the step {lcp-st, x: slope at dt = 0.004 s} times as fast; bodies "
                "in coordinates of their own keep it to {lcp-st: largest drift of the centre of "
                "mass} m. Released from 1 m, mu = 0. Above, lcp-st in the coordinates of the "
                "source, P1 and relative Euler-123 angles, moved by dt F(q) u; below, with bodies "
                "in coordinates of their own, to whose velocities a joint gives opposite impulses.",
     .runs = spatial_double_pendulum_drift_runs,
     .panels = spatial_double_pendulum_drift_panels,
     .tables = spatial_double_pendulum_drift_tables,
     .checks = spatial_double_pendulum_drift_checks},
    {.id = "bhalerao-8",
     .title = "Angles while P1 slides",
     .caption =
         "Eight facets cost more than the step: lcp-st is off by {lcp-st: largest error of the "
         "angles} rad at dt = 1e-4 s, and 64 of them leave {lcp-st: the same over that of 8} of "
         "that; ncp is off by {ncp: largest error of the angles} rad and of order {ncp: order of "
         "the angles} in dt. mu = 0.2, initial velocity 1 m/s along x and y, dt = 1e-4 s. Angles "
         "of A and relative angles of B by lcp-st with 8 directions on those of event (lines), the "
         "largest error of the angles over time, and against the step; last the polyhedral laws "
         "where P1 slides along one of the directions, in the plane. What does not fall with the "
         "step has another limit than Coulomb's law: eight facets in lcp-st, lcp-ap and lcp-dca, "
         "whose curves lie on each other, the contact springs of penalty, the direction of largest "
         "dissipation in mdp, and in ccp the lift-off of its first step, which leaves the plane at "
         "mu times the sliding speed.",
     .runs = spatial_double_pendulum_angles_runs,
     .tables = spatial_double_pendulum_angles_tables,
     .checks = spatial_double_pendulum_angles_checks,
     .panels = spatial_double_pendulum_angles_panels,
     .abreast = 2},
    {.id = "bhalerao-9",
     .title = "Stick and slide in the plane",
     .caption = "P1 sticks {phases of sticking} times and slides {phases of sliding} times, "
                "friction working {event: work of friction} J, and stays on the plane once there: "
                "by lcp-st with corrected gaps to {lcp-st: largest |z| of P1 while it sticks, dt = "
                "1e-3 s} m. Planar pendulum released from 0.1 m, mu = 0.2, dt = 1e-3 s; P1 sticks "
                "where grey. z by the size of its distance: on gap level dt^2 from linearised "
                "gaps, round-off where two further solves a step correct them.",
     .runs = spatial_double_pendulum_planar_runs,
     .tables = spatial_double_pendulum_planar_tables,
     .checks = spatial_double_pendulum_planar_checks,
     .panels = spatial_double_pendulum_planar_panels},
    {.id = "bhalerao-10",
     .title = "Rebounds with restitution 0.7",
     .caption =
         "Every scheme rebounds at the restitution 0.7 that it was given: off by at most {moreau: "
         "first five impacts, largest |ratio - 0.7|, dt = 0.001 s} (moreau), {ncp: first five "
         "impacts, largest |ratio - 0.7|, dt = 0.001 s} (ncp) and {consistent-twostep: first five "
         "impacts, largest |ratio - 0.7|, dt = 0.001 s} (consistent-twostep) over five impacts at "
         "dt = 1e-3 s. Planar pendulum released from 0.5 m, eps_N = 0.7: vertical velocity of P1, "
         "and the ratio of its speeds after and before each impact.",
     .runs = spatial_double_pendulum_elastic_runs,
     .tables = spatial_double_pendulum_elastic_tables,
     .checks = spatial_double_pendulum_elastic_checks},
    {.id = "impacts-in-a-step",
     .title = "Impacts within a step (bhalerao 5.2)",
     .caption = "A scheme of one impact a step misses the last rebounds: at dt = 1e-3 s lcp-st "
                "finds {lcp-st, dt = 1e-3 s: impacts found} of them, at 1e-4 s {lcp-st, dt = 1e-4 "
                "s: the same}, and none closer than {lcp-st, restitution=source: least time} "
                "steps, where event has {event: impacts less} within 1 ms of the one before. The "
                "rebounds of bhalerao-10 to their end at 1.524 s: time from an impact to the next.",
     .runs = spatial_double_pendulum_impacts_runs,
     .panels = spatial_double_pendulum_impacts_panels,
     .tables = spatial_double_pendulum_impacts_tables,
     .checks = spatial_double_pendulum_impacts_checks},
    {.id = "facets",
     .title = "Facets of the friction cone",
     .caption = "The error of facets is {lcp-st: error with 4 directions} times as large with 4 "
                "directions as with 64, and never above {lcp-st: largest error times n_dir} m over "
                "their number; ncp, which has the cone itself, is off by {ncp: error with the "
                "cone} m. Sliding as in bhalerao-8, dt = 1e-4 s: error against event, unknowns of "
                "the LCP and time a step for 3 to 64 friction directions.",
     .runs = spatial_double_pendulum_facets_runs,
     .is_timed = 1,
     .panels = spatial_double_pendulum_facets_panels,
     .tables = spatial_double_pendulum_facets_tables,
     .checks = spatial_double_pendulum_facets_checks},
    {.id = NULL}};
