/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the overbalanced wheel: moeller-6.9 to moeller-6.13; ends with id NULL.
 */
#ifndef CASES_OVERBALANCED_WHEEL_FIGURES_H
#define CASES_OVERBALANCED_WHEEL_FIGURES_H

#include "cases/case.h"

extern const struct case_figure overbalanced_wheel_figures[];

#endif
