/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact laws as equations F(x, w) = 0, contact by contact, with their generalised Jacobians
 * dF = P dx + Q dw: what Newton's method needs. x: impulse, w: velocity, normal first, in units in
 * which both have the same scale (a step rho of 1). Internal to problem/.
 */
#ifndef PROBLEM_NCP_H
#define PROBLEM_NCP_H

enum problem_ncp_function {
  PROBLEM_NCP_ALART_CURNIER,      /* law ncp only */
  PROBLEM_NCP_FISCHER_BURMEISTER, /* on the cone */
  PROBLEM_NCP_NATURAL             /* x - P_K(x - y) */
};

/* F: dim; P, Q: dim x dim row-major, both NULL where the values are enough. de_saxce: y = w +
 * mu |w_T| e_N, law ncp; else y = w, law ccp. dim = 1 ... 3; for dim = 1 mu plays no part. */
void problem_ncp_evaluate(enum problem_ncp_function function, int de_saxce, int dim, double mu,
                          const double *x, const double *w, double *F, double *P, double *Q);

#endif
