/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A particle on a spring of length 1 m in polar coordinates, q = (r, phi), u = (r', r phi'),
 * gravity along -x, with the wall x = r cos phi >= l where there are walls: Q != I and a curved
 * gap, for the tests of the consistent integrators.
 */
#ifndef TESTS_POLAR_MODEL_H
#define TESTS_POLAR_MODEL_H

#include "mech/mech.h"

struct polar {
  double m, c, l, g, eps; /* [kg], [N/m], [m], [m/s^2], [-] */
  int walls;
  double d;  /* damper -d r' [N s/m], and */
  int rates; /* u = (r', phi') with M(q), both of a free particle alone */
};
#define POLAR_TABLE                                                                                \
  { .m = 0.7, .c = 31, .g = 9.81, .l = 0.2, .eps = 1 }

struct mech polar_mech(struct polar *p); /* which points to p */
/* Without spring, gravity and walls: all its force is in h(q, u). */
struct mech polar_free_mech(struct polar *p);

#endif
