/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statistics; distributions by GSL. See statistics.h.
 */
#include "la/statistics.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

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
