/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles of a sample, type 7 of Hyndman and Fan, Am. Stat. 50 (1996), that of GSL and R: the
 * fraction p (n - 1) of the way from the smallest number to the largest, linear between neighbours.
 *
 * Members of an ensemble that failed have an infinite error. They are ordered with the others, so
 * that none is dropped: a median that falls among the failures is infinite. NaN has no place in an
 * order: the samples must be free of it.
 */
#ifndef LA_ENSEMBLE_QUANTILE_H
#define LA_ENSEMBLE_QUANTILE_H

/* Quantile p in [0, 1] of x: n, ascending. NaN when n = 0, and when it lies between neighbours that
 * are infinite of opposite sign. */
double la_quantile_sorted(long n, const double *x, double p);
/* The same of x: n in any order, which it changes; in time O(n). */
double la_quantile(long n, double *x, double p);
double la_median(long n, double *x);

#endif
