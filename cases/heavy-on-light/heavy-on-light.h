/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the heavy box on a light one.
 */
#ifndef CASES_HEAVY_ON_LIGHT_H
#define CASES_HEAVY_ON_LIGHT_H

#include "cases/case.h"

/* What the files of its figures call by name. */
extern const struct case_function heavy_on_light_functions[];

#endif
