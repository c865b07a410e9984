/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles; see quantile.h. GSL's own interpolation multiplies an infinite neighbour by zero.
 */
#include "la/ensemble/quantile.h"

#include <gsl/gsl_statistics_double.h>
#include <math.h>

static double between(double below, double above, double part) {
  return part > 0 ? (1 - part) * below + part * above : below;
}

double la_quantile_sorted(long n, const double *x, double p) {
  if (n == 0) {
    return NAN;
  }
  const double place = p * (double)(n - 1), whole = floor(place), part = place - whole;
  const double *below = x + (long)whole;
  return between(below[0], below[part > 0 ? 1 : 0], part);
}

double la_quantile(long n, double *x, double p) {
  if (n == 0) {
    return NAN;
  }
  const double place = p * (double)(n - 1), whole = floor(place), part = place - whole;
  const size_t k = (size_t)whole;
  const double below = gsl_stats_select(x, 1, (size_t)n, k);
  return between(below, part > 0 ? gsl_stats_select(x, 1, (size_t)n, k + 1) : below, part);
}

double la_median(long n, double *x) { return la_quantile(n, x, 0.5); }
