/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small linear complementarity problems w = M z + q, w >= 0, z >= 0, w z = 0, by means that share
 * nothing with any solver. M: n x n by columns.
 */
#ifndef TESTS_SMALL_LCP_H
#define TESTS_SMALL_LCP_H

enum { SMALL_LCP = 12 }; /* largest n to be enumerated */

/* Largest |min(w_i x_i, z_i y_i)| over max |q_i x_i|, less what a last-digit change of z does to
 * w_i (mass ratios of 1e6 put terms of 1e9 max|q| into one sum); x, y: n, NULL for ones. */
double small_lcp_misfit(int n, const double *M, const double *q, const double *z, const double *x,
                        const double *y);
/* Number of solutions among the nonsingular complementary bases; z: n gets the last. Each subset of
 * basic z is solved for and its signs are looked at. */
int small_lcp_enumerate(int n, const double *M, const double *q, double *z);

#endif
