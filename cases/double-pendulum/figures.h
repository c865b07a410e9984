/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum: moeller-6.5, moeller-6.6; ends with id NULL.
 */
#ifndef CASES_DOUBLE_PENDULUM_FIGURES_H
#define CASES_DOUBLE_PENDULUM_FIGURES_H

#include "cases/case.h"

extern const struct case_figure double_pendulum_figures[];

#endif
