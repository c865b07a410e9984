/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the figures of the cases have in common: finding a series by its label, orders of
 * convergence, and the drift of the energy. Figures are made from records alone;
 * times in [s].
 */
#ifndef CASES_FIGURE_SERIES_H
#define CASES_FIGURE_SERIES_H

#include "cases/figure/figure.h"

/* The series whose run has this label; NULL with a message when there is none. */
const struct case_series *case_series_find(const struct case_series *series, int n,
                                           const char *label);
/* The same; the series must have ended ok with a trajectory of nq coordinates. */
const struct case_series *case_series_ok(const struct case_series *series, int n, const char *label,
                                         int nq);

/* Least-squares slope of log(error) against log(dt) over the n points whose error is finite and
 * positive; NaN with fewer than three of them, or when fewer than `needed` are. */
double case_order(int n, const double *dt, const double *error, int needed);

/* Values for checks: largest |E/E_0 - 1| at the samples, NaN where one of them is. */
case_value case_value_energy_deviation;
/* E - E_0 at a sample [J]. */
case_value case_value_energy_change;

/* The larger of two deviations; not a number when either is not: what cannot be compared is not
 * well. */
double case_worst(double worst, double deviation);

#endif
