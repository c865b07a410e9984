/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the chain.
 */
#ifndef CASES_CHAIN_FIGURES_H
#define CASES_CHAIN_FIGURES_H

#include "cases/case.h"

extern const struct case_figure chain_figures[];

#endif
