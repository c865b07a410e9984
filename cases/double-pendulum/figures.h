/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum: moeller-6.5, moeller-6.6, moeller-5.31; ends with id NULL.
 */
#ifndef CASES_DOUBLE_PENDULUM_FIGURES_H
#define CASES_DOUBLE_PENDULUM_FIGURES_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function double_pendulum_functions[];
extern const struct case_function double_pendulum_oscillation_functions[];

/* moeller-5.31: oscillation.c */

#endif
