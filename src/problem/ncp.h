/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Contact laws as equations F(x, w) = 0, contact by contact, with their generalised Jacobians dF =
 * P dx + Q dw, for Newton's method in the solvers and in the consistent integrators. x: impulse, w:
 * velocity, normal first, in units in which both have the same scale (a step rho of 1).
 */
#ifndef PROBLEM_NCP_H
#define PROBLEM_NCP_H

#include "problem/problem.h"

enum problem_ncp_function {
  PROBLEM_NCP_ALART_CURNIER,      /* laws ncp and cone */
  PROBLEM_NCP_FISCHER_BURMEISTER, /* on the cone: laws ncp and ccp */
  PROBLEM_NCP_NATURAL             /* x - P_K(x - y): laws ncp and ccp */
};

/* BASE_OK, or BASE_UNSUPPORTED with a message that begins with the solver's name, if the problem's
 * law has no such equation. For dim 1 all laws are the same. */
int problem_ncp_check(const struct problem *p, enum problem_ncp_function function,
                      const char *solver);
/* The law of a contact as an equation. */
struct problem_ncp {
  enum problem_ncp_function function;
  int de_saxce; /* y = w + mu |w_T| e_N, law ncp; else y = w, law ccp */
  int dim;      /* 1 ... 4; for 1 mu plays no part */
  double mu;
  const struct contact_set *set; /* of Alart and Curnier's function, NULL: the disk of radius mu */
};
/* The value F: dim and the derivatives P, Q: dim x dim row-major at x, w: dim; P and Q may be
 * NULL. */
void problem_ncp_evaluate(const struct problem_ncp *law, const double *x, const double *w,
                          double *F, double *P, double *Q);

/* The length by which the spin torque is divided to become a force: R_bar = axis[1] / axis[0] [m]
 * for sets of dimension 3 with a torque, else 1; and the set with its torque divided by this
 * length. A common step rho for forces and torques would be limited by the stiffer of them (moeller
 * 2.52, 3.123). Scaled in this way E_F is a ball, and B_F and Z_F have equal half-axes. */
double problem_ncp_length(const struct contact_set *set);
struct contact_set problem_ncp_round(const struct contact_set *set);

#endif
