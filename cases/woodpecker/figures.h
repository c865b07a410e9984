/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What moeller-6.16 calls by name.
 */
#ifndef CASES_WOODPECKER_FIGURES_H
#define CASES_WOODPECKER_FIGURES_H

#include "cases/case.h"

extern const struct case_function woodpecker_functions[];

#endif
