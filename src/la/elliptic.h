/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jacobi's elliptic functions and elliptic integrals of the first and third kind, for closed forms.
 */
#ifndef LA_ELLIPTIC_H
#define LA_ELLIPTIC_H

/* sn, cn, dn at x for the modulus 0 <= k < 1, and Pi = integral from 0 to x of
 * dt / (1 + nu sn^2(t)), nu > -1. Accurate to round-off for any x. */
void la_elliptic(double k, double nu, double x, double *sn, double *cn, double *dn, double *Pi);
/* F(phi, k), the incomplete integral of the first kind, and K(k) = F(pi/2, k), a quarter of the
 * period of sn. */
double la_elliptic_first(double phi, double k);
double la_elliptic_complete(double k);

#endif
