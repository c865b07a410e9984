/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Second-order cones Q = {x_0 >= |x_1|}, dimension 1, 2 or 3, for the interior point method:
 * Jordan product x o y = (x.y, x_0 y_1 + y_0 x_1) with unit e = (1, 0), and the scaling of Nesterov
 * and Todd, the symmetric W = W(x, z) with W z = W^-1 x = lambda (Andersen, Dahl, Vandenberghe,
 * cone programming notes; Nesterov and Todd, SIAM J. Optim. 8 (1998)):
 *
 *   W = eta [ w_0, w_1^T ; w_1, 1 + w_1 w_1^T / (1 + w_0) ],   W^2 = eta^2 (2 w w^T - J),
 *
 * J = diag(1, -1, -1), w^T J w = 1. x and z near the boundary of Q do not tell how near: x_0 -
 * |x_1| drowns in the rounding of x_0. So (eta, w, lambda) is the state, x = W lambda and z = W^-1
 * lambda follow from it, and a step is made on lambda, which stays well inside. With x' = lambda +
 * alpha W^-1 dx, z' = lambda + alpha W dz and W' their scaling, the new one is
 *
 *   W_new^2 = W W'^2 W:   eta_new = eta eta',   w_new = W/eta w',
 *
 * and W_new = W W' U with U a rotation of the tail (two boosts make a boost and Wigner's rotation),
 * so that lambda_new = U^T lambda'. Internal to the method.
 */
#ifndef PROBLEM_SOLVERS_IPM_CONE_H
#define PROBLEM_SOLVERS_IPM_CONE_H

enum { IPM_DIM = 3 };

struct ipm_scaling {
  double eta, w[IPM_DIM], lambda[IPM_DIM];
};

/* 1 when x and z are in the interior as far as doubles tell. */
int ipm_cone_scaling(int dim, const double *x, const double *z, struct ipm_scaling *s);
/* The scaling after a step alpha of dx, dz: dim, given as W^-1 dx and W dz; 0 and s as before when
 * it leaves the interior. */
int ipm_cone_update(int dim, struct ipm_scaling *s, double alpha, const double *dx_scaled,
                    const double *dz_scaled);
/* x = W lambda, z = W^-1 lambda. */
void ipm_cone_point(int dim, const struct ipm_scaling *s, double *x, double *z);
/* W^-1 = V diag(g) V^T: V dim x dim row-major, orthonormal columns, g: dim. */
void ipm_cone_eigen(int dim, const struct ipm_scaling *s, double *V, double *g);
/* y = x o z; not in place. */
void ipm_cone_product(int dim, const double *x, const double *z, double *y);
/* y with lambda o y = x; not in place. */
void ipm_cone_divide(int dim, const double *lambda, const double *x, double *y);
/* Largest alpha with lambda + alpha d in Q, lambda in its interior; infinite when all are. */
double ipm_cone_step(int dim, const double *lambda, const double *d);
/* Smallest eigenvalue x_0 - |x_1|. */
double ipm_cone_least(int dim, const double *x);

#endif
