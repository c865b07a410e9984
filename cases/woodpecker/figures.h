/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker: moeller-6.16 to moeller-6.20, woodpecker-cycle; ends with id NULL.
 */
#ifndef CASES_WOODPECKER_FIGURES_H
#define CASES_WOODPECKER_FIGURES_H

#include "cases/case.h"

extern const struct case_figure woodpecker_figures[];

#endif
