/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What cases and studies need of statistics, by GSL.
 */
#ifndef LA_STATISTICS_H
#define LA_STATISTICS_H

/* x with P(t <= x) = p, 0 < p < 1, of Student's distribution with nu > 0 degrees of freedom. */
double la_student_quantile(double p, double nu);

/* Correlation time of a stationary series, in samples: tau = 1/2 + the sum of the autocorrelations
 * up to the first that is not positive. A mean of n samples varies as one of n / (2 tau)
 * independent ones. x: n, every stride-th number. Not a number without spread. */
double la_correlation_time(int n, const double *x, int stride);

/* y ~ x^p: the straight line log y = c + p log x by least squares with equal weights, through the
 * points whose x and y are positive and finite. x, y: n. */
struct la_power {
  double p;      /* NaN with fewer than two points, or all at one x */
  double spread; /* standard error of p; NaN with fewer than three points */
  int points;    /* used */
};
struct la_power la_fit_power(int n, const double *x, const double *y);

#endif
