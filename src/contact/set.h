/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Convex sets and their projections (prox_C, moeller 2.2, 2.3). Friction sets C hold the tangential
 * part at unit normal impulse; they are scaled by r_N where used. Cones hold a whole contact
 * (normal first).
 */
#ifndef CONTACT_SET_H
#define CONTACT_SET_H

enum contact_set_kind {
  CONTACT_SET_INTERVAL, /* [lo, hi], dimension 1 */
  CONTACT_SET_DISK,     /* radius axis[0], dimension 2 */
  CONTACT_SET_ELLIPSE,  /* semi-axes axis[0], axis[1], dimension 2 (moeller 3.114) */
  /* Coulomb-Contensou friction, dimension 3: two forces and the spin torque. Bodies of revolution
   * about the axis of torque; axis[0] = mu [-], axis[1] = R_bar mu [m]: largest force and torque */
  CONTACT_SET_CYLINDER,  /* Z_F (moeller 3.121) */
  CONTACT_SET_ELLIPSOID, /* E_F (moeller 3.122); S_F (3.125) with axis[1] = axis[0] */
  CONTACT_SET_CONTENSOU  /* B_F, exact for Hertz' pressure (moeller 3.118 to 3.120) */
};

struct contact_set {
  enum contact_set_kind kind;
  double axis[3]; /* interval: lo, hi; disk: radius; ellipse: semi-axes; dimension 3: see above */
};

int contact_set_dim(const struct contact_set *set); /* dimension of its space, 1 to 3 */
/* out = prox_{s C}(x), s >= 0; x, out: dimension of the set; may be the same. */
void contact_set_project(const struct contact_set *set, double s, const double *x, double *out);
/* Support function max over s C of x . y. */
double contact_set_support(const struct contact_set *set, double s, const double *x);

/* Projection onto K_mu = {r_N >= 0, |r_T| <= mu r_N} and onto its dual K*_mu; dim = 1, 2, 3. */
void contact_project_cone(int dim, double mu, const double *x, double *out);
void contact_project_dual(int dim, double mu, const double *x, double *out);
/* Projection of a plane vector onto the convex hull of radius * dirs[k] and the origin; dirs: 2 x
 * n, in angular order. */
void contact_project_polygon(int n, const double *dirs, double radius, const double x[2],
                             double out[2]);
/* The same for the regular polygon of n_dir unit vectors, the first along t1, n_dir >= 3. */
void contact_project_regular(int n_dir, double radius, const double x[2], double out[2]);

#endif
