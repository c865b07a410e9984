/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jacobi's elliptic functions by GSL. With K the quarter period, x = 2 K n + y, |y| <= K,
 *
 *   sn(x) = (-1)^n sn(y),  cn(x) = (-1)^n cn(y),  dn(x) = dn(y)
 *   Pi(x) = 2 n Pi(K) + Pi(y),  Pi(y) = integral from 0 to am(y) of
 *           da / [(1 + nu sin^2 a) sqrt(1 - k^2 sin^2 a)],
 *
 * the incomplete elliptic integral of the third kind in GSL's sign of nu. All of them are NaN for a
 * modulus outside of 0 <= k <= 1 and where they are not finite.
 */
#include "la/elliptic.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sf_ellint.h>
#include <gsl/gsl_sf_elljac.h>
#include <math.h>

double la_elliptic_complete(double k) { return gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE); }

void la_elliptic(double k, double nu, double x, double *sn, double *cn, double *dn, double *Pi) {
  const double K = la_elliptic_complete(k);
  const double n = rint(x / (2 * K)), y = x - 2 * K * n;
  if (gsl_sf_elljac_e(y, k * k, sn, cn, dn) != GSL_SUCCESS) {
    *sn = *cn = *dn = NAN; /* it leaves zeros */
  }
  const double amplitude = atan2(*sn, *cn);
  *Pi = gsl_sf_ellint_P(amplitude, k, nu, GSL_PREC_DOUBLE);
  if (n != 0) {
    *Pi += 2 * n * gsl_sf_ellint_Pcomp(k, nu, GSL_PREC_DOUBLE);
  }
  if (fmod(n, 2) != 0) {
    *sn = -*sn;
    *cn = -*cn;
  }
}

double la_elliptic_first(double phi, double k) { return gsl_sf_ellint_F(phi, k, GSL_PREC_DOUBLE); }
