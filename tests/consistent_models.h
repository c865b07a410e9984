/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small models for the tests of the consistent integrators: the oscillator and the double pendulum
 * of moeller 6.1 and 6.2 (contact directions, masses and units as there), a particle in polar
 * coordinates (Q != I, a curved gap), a block on a plane and a box with four corners.
 */
#ifndef TESTS_CONSISTENT_MODELS_H
#define TESTS_CONSISTENT_MODELS_H

#include "mech/mech.h"

struct consistent_parameters {
  double m1, m2;  /* [kg]; box: m2 its inertia [kg m^2] */
  double c, l, g; /* [N/m], [m], [m/s^2]; polar: l is where the wall stands */
  double eps, mu; /* [-] */
  double d, push; /* block: damping [N s/m], force along x [N] */
  int walls;      /* pendulum, polar: with contacts */
  int copies;     /* block: coincident contacts */
};

extern const struct consistent_parameters consistent_oscillator_table, consistent_pendulum_table,
    consistent_polar_table;
extern const struct mech consistent_oscillator, consistent_pendulum, consistent_polar;
extern const double consistent_pendulum_q[4], consistent_pendulum_u[4]; /* table 6.2 */
/* nq: 2 or 3 coordinates, dim: 1 ... nq; p: kept by the model. */
struct mech consistent_block(struct consistent_parameters *p, int nq, int dim);
struct mech consistent_box(struct consistent_parameters *p);

#endif
