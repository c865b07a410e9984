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

/* yu-10 to yu-12, penalty-front-balls; ends with id NULL. */
extern const struct case_figure two_balls_figures[];

/* yu-11, yu-12 (energies.c). */
extern const struct case_runs two_balls_yu11_runs[], two_balls_yu12_runs[];
extern const struct case_table two_balls_yu11_tables[], two_balls_yu12_tables[];
extern const struct case_check two_balls_yu11_checks[], two_balls_yu12_checks[];
extern const struct case_panel two_balls_yu11_panels[], two_balls_yu12_panels[];

/* penalty-front-balls (front.c). */
extern const struct case_runs two_balls_front_runs[];
extern const struct case_table two_balls_front_tables[];
extern const struct case_check two_balls_front_checks[];
extern const struct case_panel two_balls_front_panels[];

#endif
