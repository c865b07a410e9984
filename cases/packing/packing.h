/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between the model of the packing and its figures.
 */
#ifndef CASES_PACKING_H
#define CASES_PACKING_H

#include "cases/case.h"

/* ccp-scaling; ends with id NULL. */
extern const struct case_figure packing_figures[];

/* preclik-domains */
extern const struct case_runs packing_domains_runs[];
extern const struct case_panel packing_domains_panels[];
int packing_domains_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot);

#endif
