/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the packing and its figures.
 */
#ifndef CASES_PACKING_H
#define CASES_PACKING_H

#include "cases/case.h"

/* ccp-scaling; ends with id NULL. */
/* What the files of its figures call by name. */
extern const struct case_function packing_functions[];
extern const struct case_function packing_domains_functions[];

/* preclik-domains */
int packing_domains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot);

#endif
