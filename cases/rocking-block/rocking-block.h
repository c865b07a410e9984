/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the rocking block: Housner's motion in closed form.
 */
#ifndef CASES_ROCKING_BLOCK_H
#define CASES_ROCKING_BLOCK_H

#include "cases/case.h"

struct rocking_block {
  double R, alpha; /* half diagonal [m], its angle from the height [rad] */
  double k;        /* 2 m g R / I_O [1/s^2], I_O = 4/3 m R^2 about a corner */
};
struct rocking_block rocking_block_of(const struct case_parameters *p);
/* Angular velocity left by an impact over that before it: 1 - 3/2 sin^2 alpha [-]. */
double rocking_block_impact(const struct rocking_block *b);
/* Amplitude after the impact that ends the fall from phi0, both > 0 [rad]. */
double rocking_block_next(const struct rocking_block *b, double phi0);
/* Time from rest at phi0 to the impact [s]. */
double rocking_block_fall(const struct rocking_block *b, double phi0);
/* m g times the height won by rocking to phi, over m: energy of a swing of that amplitude [J/kg].
 */
double rocking_block_energy(const struct rocking_block *b, double phi, double g);

#endif
