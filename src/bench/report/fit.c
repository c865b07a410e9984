/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The measured order of convergence: error ~ C dt^p, so log error = log C + p log dt, a straight
 * line fitted by least squares with equal weights.
 */
#include <gsl/gsl_fit.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "bench/report/report.h"

int report_fit_slope(int n, const double *dt, const double *error, double *slope, double *spread) {
  *slope = *spread = NAN;
  double *x = base_memory_alloc((size_t)(n > 0 ? n : 1) * sizeof *x);
  double *y = base_memory_alloc((size_t)(n > 0 ? n : 1) * sizeof *y);
  size_t m = 0;
  int same = 1; /* all at one step: no slope */
  for (int i = 0; i < n; ++i) {
    if (dt[i] > 0 && isfinite(dt[i]) && error[i] > 0 && isfinite(error[i])) {
      x[m] = log(dt[i]);
      y[m] = log(error[i]);
      same = same && x[m] == x[0];
      ++m;
    }
  }
  if (m >= 2 && !same) {
    double c0, c1, cov00, cov01, cov11, sumsq;
    gsl_fit_linear(x, 1, y, 1, m, &c0, &c1, &cov00, &cov01, &cov11, &sumsq);
    *slope = c1;
    *spread = m > 2 ? sqrt(cov11) : NAN;
  }
  free(x);
  free(y);
  return (int)m;
}
