/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the packing and its figures.
 */
#ifndef CASES_PACKING_H
#define CASES_PACKING_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function packing_functions[];

#endif
