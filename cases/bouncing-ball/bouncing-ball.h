/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the bouncing ball.
 */
#ifndef CASES_BOUNCING_BALL_H
#define CASES_BOUNCING_BALL_H

#include "cases/case.h"

/* Time from one bounce to the next [s]; half of it is the first fall. */
double bouncing_ball_period(const struct case_parameters *p);

/* What the files of its figures call by name. */
extern const struct case_function bouncing_ball_functions[];

#endif
