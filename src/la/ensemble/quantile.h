/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles of a sample, type 7 of Hyndman and Fan, Am. Stat. 50 (1996), as in GSL and R: with the
 * numbers in ascending order from index 0, the quantile p is at the index p (n - 1), interpolated
 * linearly.
 *
 * Failed members of an ensemble have an infinite error and are sorted with the others, so a median
 * that falls among them is infinite. The samples must not contain NaN, which has no place in an
 * order.
 */
#ifndef LA_ENSEMBLE_QUANTILE_H
#define LA_ENSEMBLE_QUANTILE_H

/* Quantile p in [0, 1] of x: n, ascending. NaN if n = 0, or if it lies between -infinity and
 * infinity. */
double la_quantile_sorted(long n, const double *x, double p);
/* The same for x: n in any order, which is changed; in time O(n). */
double la_quantile(long n, double *x, double p);
double la_median(long n, double *x);

#endif
