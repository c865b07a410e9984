/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Natural cubic splines by GSL, which has them as polynomials a piece: at its left end a piece has
 * the second derivative of the sample, to the last bit.
 */
#include "la/spline.h"

#include "base/memory/memory.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_spline.h>
#include <math.h>

void la_spline_natural(int n, const double *t, const double *y, double *second) {
  enum { FEWEST = 3 }; /* below it is a straight line, and the library takes none */
  gsl_spline *s = n >= FEWEST ? gsl_spline_alloc(gsl_interp_cspline, (size_t)n) : NULL;
  if (s == NULL && n >= FEWEST) {
    base_memory_end(1, (size_t)n, sizeof *y);
  }
  const int is_spline = s != NULL && gsl_spline_init(s, t, y, (size_t)n) == GSL_SUCCESS;
  for (int k = 0; k < n; ++k) {
    const int is_inside = k > 0 && k < n - 1;
    second[k] = !is_inside ? 0 : is_spline ? gsl_spline_eval_deriv2(s, t[k], NULL) : NAN;
  }
  gsl_spline_free(s);
}
