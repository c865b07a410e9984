/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics; distributions by GSL. See statistics.h.
 */
#include "la/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"

double la_student_quantile(double p, double nu) { return gsl_cdf_tdist_Pinv(p, nu); }

double la_correlation_time(int n, const double *x, int stride) {
  double mean = 0, variance = 0, tau = 0.5;
  for (int i = 0; i < n; ++i) {
    mean += x[(long)i * stride] / n;
  }
  for (int i = 0; i < n; ++i) {
    const double d = x[(long)i * stride] - mean;
    variance += d * d;
  }
  if (!(variance > 0)) {
    return NAN;
  }
  for (int k = 1; k < n; ++k) {
    double sum = 0;
    for (int i = k; i < n; ++i) {
      sum += (x[(long)i * stride] - mean) * (x[(long)(i - k) * stride] - mean);
    }
    if (sum <= 0) {
      break;
    }
    tau += sum / variance;
  }
  return tau;
}

struct la_power la_fit_power(int n, const double *x, const double *y) {
  struct la_power fit = {.p = NAN, .spread = NAN};
  double *a = base_memory_alloc((size_t)(n > 0 ? n : 1) * sizeof *a);
  double *b = base_memory_alloc((size_t)(n > 0 ? n : 1) * sizeof *b);
  int same = 1; /* all at one x: no slope */
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0 && isfinite(x[i]) && y[i] > 0 && isfinite(y[i])) {
      a[fit.points] = log(x[i]);
      b[fit.points] = log(y[i]);
      same = same && a[fit.points] == a[0];
      ++fit.points;
    }
  }
  if (fit.points >= 2 && !same) {
    double c0, cov00, cov01, cov11, left;
    gsl_fit_linear(a, 1, b, 1, (size_t)fit.points, &c0, &fit.p, &cov00, &cov01, &cov11, &left);
    fit.spread = fit.points > 2 ? sqrt(cov11) : NAN;
  }
  free(a);
  free(b);
  return fit;
}
