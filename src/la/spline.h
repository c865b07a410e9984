/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The natural cubic spline through samples.
 */
#ifndef LA_SPLINE_H
#define LA_SPLINE_H

/* second: n, its second derivatives at the samples (t, y): n, t ascending; zero at the ends. */
void la_spline_natural(int n, const double *t, const double *y, double *second);

#endif
