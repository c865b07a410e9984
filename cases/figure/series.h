/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of the cases have in common: finding a series by its label, contacts that
 * carried, and the distance of curves. Figures are made from records alone; times in [s].
 */
#ifndef CASES_FIGURE_SERIES_H
#define CASES_FIGURE_SERIES_H

#include "cases/figure/figure.h"

/* The series whose run has this label; NULL with a message when there is none. */
const struct case_series *case_series_find(const struct case_series *series, int n,
                                           const char *label);
/* Did a contact carry in the step before sample k? Of records that tell it. */
int case_series_carried(const struct case_series *s, int k, long id);
/* Largest distance of two curves over the same n times as they are drawn: of a point of one from
 * the other's polyline, both ways, both axes as fractions of the panel, which spans t and y_a. A
 * jump that comes one step later is near then, while the difference at equal times would be the
 * whole jump. NaN where a value is. */
double case_drawn_distance(int n, const double *t, const double *y_a, const double *y_b);
#define CASE_LINE_WIDTH 0.01 /* a line of 0.7 mm in a panel 7 cm high */

#endif
