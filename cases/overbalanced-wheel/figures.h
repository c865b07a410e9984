/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moeller-6.9 calls by name.
 */
#ifndef CASES_OVERBALANCED_WHEEL_FIGURES_H
#define CASES_OVERBALANCED_WHEEL_FIGURES_H

#include "cases/case.h"

extern const struct case_function overbalanced_wheel_functions[];

#endif
