/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of two balls on ropes and its figures: the closed form, for n = 1 and dx = 2 R.
 */
#ifndef CASES_TWO_BALLS_H
#define CASES_TWO_BALLS_H

#include "cases/case.h"

/* Time of the impact [s]. */
double two_balls_impact(const struct case_parameters *p);
/* Angle of a ball (0, 1) from the vertical, outwards > 0 [rad]. */
double two_balls_angle(const struct case_parameters *p, double t, int ball);

#endif
