/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chain.
 */
#ifndef CASES_CHAIN_FIGURES_H
#define CASES_CHAIN_FIGURES_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function chain_functions[];

#endif
