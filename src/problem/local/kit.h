/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the analytic solvers of one contact in space. A sliding contact obeys, in all laws,
 *
 *   (A + tau B) r + b = 0,   |r_T| = mu r_N,   tau >= 0,
 *
 * with the rows of B (normal first)
 *   coulomb   0, r_T                     v_N = 0, v_T opposes r_T
 *   ccp       -mu^2 r_N, r_T             v on the rim of K*_mu, perpendicular to r
 *   mdp       0, r_T + mu^2 r_N A_TN / A_NN     the gradient on the conic section v_N = 0
 * By Cramer's rule r(tau) is a quotient of polynomials of degree two, so that the cone condition is
 * a quartic in tau. Internal to the local solvers.
 */
#ifndef PROBLEM_LOCAL_KIT_H
#define PROBLEM_LOCAL_KIT_H

#include "problem/local/local.h"

struct local_sliding {
  double mu;
  double A[9], B[9], b[3]; /* A, b without units: see problem_local_scale */
};

/* Remove units: A / (trace A / 3) and b / max |b_k| into s; returns the unit of r, or 0 if either
 * scale is 0. */
double problem_local_scale(double mu, const double *A, const double *b, struct local_sliding *s);
/* Is A diagonal with equal tangential entries, as for spheres? */
static inline int problem_local_isotropic(const double *A) {
  return A[1] == 0 && A[2] == 0 && A[3] == 0 && A[6] == 0 && A[5] == 0 && A[7] == 0 && A[4] == A[8];
}
/* Maximum dissipation and Coulomb's law for such an A and b_N <= 0: r_T = -b_T / A_TT, shortened to
 * the cone. 1 if it sticks. */
int problem_local_disk(double mu, const double *A, const double *b, double *r);
/* The short cuts of secular.c; r: 3, unchanged if the result is uncertain and the quartic must
 * decide. A is spatial; the law's first branches have already restricted b_N and mu. */
enum problem_local_short {
  PROBLEM_LOCAL_SHORT_UNSURE,
  PROBLEM_LOCAL_SHORT_STICKS,
  PROBLEM_LOCAL_SHORT_SLIDES
};
enum problem_local_short problem_local_short_mdp(double mu, const double *A, const double *b,
                                                 double *r);
enum problem_local_short problem_local_short_coulomb(double mu, const double *A, const double *b,
                                                     double *r);
enum problem_local_short problem_local_short_ccp(double mu, const double *A, const double *b,
                                                 double *r);
/* Least r_T . A_TT r_T / 2 + g . r_T on the disk |r_T| <= radius; A: 3 x 3, of which the symmetric
 * part of A_TT counts. r_T: 2. */
void problem_local_disk_minimum(const double *A, const double g[2], double radius, double *r_T);
/* Coefficients of the quartic in tau, lowest first. */
void problem_local_quartic(const struct local_sliding *s, double coefficients[5]);
/* Real parts of the roots of a polynomial (lowest coefficient first, degree n at most 4) that may
 * be real: imaginary part small enough for a double root blurred by rounding. Returns their
 * number. */
int problem_local_real_roots(int n, const double *coefficients, double *roots);
/* r at a given tau; 0 when A + tau B is singular. */
int problem_local_at(const struct local_sliding *s, double tau, double r[3]);
/* Newton's method on all four conditions from r, tau. 1 when they hold to round-off, with r_N > 0
 * and tau >= 0. */
int problem_local_polish(const struct local_sliding *s, double r[3], double *tau);
/* Where the quartic fails: Newton's method from many directions on the cone, 1 at the first
 * success.
 */
int problem_local_search(const struct local_sliding *s, double r[3]);
/* Solve A r = -b with one step of refinement; 1 if the result is finite. n = 2, 3. */
int problem_local_stick(int n, const double *A, const double *b, double *r);
/* Is the impulse r in the cone, to the rounding of its own computation? On the rim of the cone the
 * answer decides between an impact and none (preclik 4.2: mu = mu_*), and the rim belongs to it. */
int problem_local_in_cone(int dim, double mu, const double *r);
/* tau >= 0 that fits A r + b = -tau B r best. */
double problem_local_fit(const struct local_sliding *s, const double r[3]);

#endif
