/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small systems for the tests of impulse stepping.
 */
#ifndef TESTS_IMPULSE_MODEL_H
#define TESTS_IMPULSE_MODEL_H

#include "form/carried.h"
#include "form/form.h"

enum { POINTS_MAX = 256, RODS_MAX = 8 };

/* n points above the plane where the last coordinate is 0, in gravity (any direction: an incline),
 * joined by massless rods (bilateral; -1 is the origin of coordinates). One block a point. */
struct points {
  int n, dim; /* dim 2: (x, y), 3: (x, y, z) */
  double m[POINTS_MAX];
  double gravity[3]; /* [m/s^2] */
  double mu, eps_N, eps_T;
  double push[3]; /* applied to every point [N] */
  double ramp[3]; /* the same, growing with time [N/s] */
  double c;       /* damping -c u [N s/m] */
  double k;       /* springs -k q [N/m] */
  int rods, rod[RODS_MAX][2];
  double length[RODS_MAX]; /* [m] */
  int reversed;            /* number the contacts from the last point to the first */
  int copies;              /* of each contact: redundant ones; 0: one */
};
struct mech points_mech(struct points *p);

/* Points on a line, dim 1: contact i between points i and i + 1, the last with a wall. */
struct line {
  int n;
  double m[4], eps, wall; /* [kg], [-], [m] */
};
struct mech line_mech(struct line *p);

/* Planar box q = (x, y, phi) with a contact at each corner; `order` maps contact id to corner. */
struct box {
  double m, J, a, b, mu, g; /* a, b: half sides [m] */
  double eps_N, eps_T;
  int order[4];
};
struct mech box_mech(struct box *p);

#endif
