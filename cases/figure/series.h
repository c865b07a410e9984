/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the figures of the cases: search of a series by its label, and contacts that carried.
 * Figures are made from records alone; times in [s].
 */
#ifndef CASES_FIGURE_SERIES_H
#define CASES_FIGURE_SERIES_H

#include "cases/figure/figure.h"

/* The series whose run has this label; NULL with a message when there is none. */
const struct case_series *case_series_find(const struct case_results *r, const char *label);
/* Did a contact carry in the step before sample k? Of records that tell it. */
int case_series_carried(const struct case_series *s, int k, long id);

#endif
