/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the oscillator: moeller-6.2, moeller-6.3; ends with id NULL.
 */
#ifndef CASES_OSCILLATOR_FIGURES_H
#define CASES_OSCILLATOR_FIGURES_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function oscillator_functions[];

#endif
