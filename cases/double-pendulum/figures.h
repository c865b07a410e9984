/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum: moeller-6.5, moeller-6.6, moeller-5.31; ends with id NULL.
 */
#ifndef CASES_DOUBLE_PENDULUM_FIGURES_H
#define CASES_DOUBLE_PENDULUM_FIGURES_H

#include "cases/case.h"

extern const struct case_figure double_pendulum_figures[];

/* moeller-5.31: oscillation.c */
extern const struct case_runs double_pendulum_oscillation_runs[];
extern const struct case_table double_pendulum_oscillation_tables[];
extern const struct case_check double_pendulum_oscillation_checks[];
extern const struct case_panel double_pendulum_oscillation_panels[];

#endif
