/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Natural cubic splines by GSL, which has them as polynomials a piece: at its left end a piece has
 * the second derivative of the sample, to the last bit.
 */
#include "la/spline.h"

#include "base/memory/memory.h"

#include <gsl/gsl_spline.h>

void la_spline_natural(int n, const double *t, const double *y, double *second) {
  enum { FEWEST = 3 }; /* below it is a straight line, and the library takes none */
  gsl_spline *s = n >= FEWEST ? gsl_spline_alloc(gsl_interp_cspline, (size_t)n) : NULL;
  if (s == NULL && n >= FEWEST) {
    base_memory_end(1, (size_t)n, sizeof *y);
  }
  if (s != NULL) {
    gsl_spline_init(s, t, y, (size_t)n);
  }
  for (int k = 0; k < n; ++k) {
    second[k] = k > 0 && k < n - 1 ? gsl_spline_eval_deriv2(s, t[k], NULL) : 0;
  }
  gsl_spline_free(s);
}
