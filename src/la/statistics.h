/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics for cases and studies, by GSL.
 */
#ifndef LA_STATISTICS_H
#define LA_STATISTICS_H

/* x with P(t <= x) = p, 0 < p < 1, of Student's distribution with nu > 0 degrees of freedom. */
double la_student_quantile(double p, double nu);

/* Correlation time of a stationary series, in samples: tau = 1/2 + the sum of the autocorrelations
 * before the first that is not positive. The mean of n samples has the variance of a mean of n / (2
 * tau) independent ones. The samples are x[0], x[stride], ..., n of them. NaN if they are all
 * equal. */
double la_correlation_time(int n, const double *x, int stride);

/* Fit of y ~ x^p: the line log y = c + p log x by least squares with equal weights, through the
 * points (x, y): n with positive, finite coordinates. */
struct la_power {
  double p;      /* NaN with fewer than two points, or if all have the same x */
  double spread; /* standard error of p; NaN with fewer than three points */
  int points;    /* used */
};
struct la_power la_fit_power(int n, const double *x, const double *y);

#endif
