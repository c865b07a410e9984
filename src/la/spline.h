/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The natural cubic spline through samples.
 */
#ifndef LA_SPLINE_H
#define LA_SPLINE_H

/* second: n, the second derivatives of the spline at the samples (t, y): n with ascending t; zero
 * at both ends. */
void la_spline_natural(int n, const double *t, const double *y, double *second);

#endif
