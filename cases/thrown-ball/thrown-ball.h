/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the thrown ball.
 */
#ifndef CASES_THROWN_BALL_H
#define CASES_THROWN_BALL_H

#include "cases/case.h"

struct thrown_ball {
  double m, R, k, mu, v0, g, gap, angle; /* k = I/(m R^2) [-] */
  double t_land, v_land, w_land;         /* landing: after it [s], [m/s], [rad/s] */
  double t_roll, v_roll;                 /* rolls from t_roll on with v_roll */
};
struct thrown_ball thrown_ball_of(const struct case_parameters *p);

/* What the files of its figures call by name. */
extern const struct case_function thrown_ball_functions[];
extern const struct case_function thrown_ball_relaxation_functions[];
extern const struct case_function thrown_ball_front_functions[];

/* negrut-liftoff (figures.c, panels.c). */
/* relaxation-cost (relaxation.c, panels.c). */
int thrown_ball_relaxation_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot);
/* penalty-front-sliding (front.c). */

#endif
