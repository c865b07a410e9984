/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the packing and its figures.
 */
#ifndef CASES_PACKING_H
#define CASES_PACKING_H

#include "cases/case.h"

/* ccp-scaling; ends with id NULL. */
extern const struct case_figure packing_figures[];

#endif
