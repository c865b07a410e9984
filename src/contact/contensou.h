/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact set of Coulomb-Contensou friction for Hertz' pressure on a disk, B_F (moeller 3.118 to
 * 3.120), in the half-plane of one tangential direction: its boundary, projection and support.
 * Lengths of the plane: mu r_N for the force, R_bar mu r_N for the torque, R_bar = 3 pi R / 16.
 */
#ifndef CONTACT_CONTENSOU_H
#define CONTACT_CONTENSOU_H

/* Boundary at u = |gamma_T| / (R |gamma_tau|) >= 0, infinity too: b_T in units of mu r_N, b_tau in
 * those of R_bar mu r_N. */
void contact_contensou_boundary(double u, double *b_T, double *b_tau);
/* Nearest point out of the set with half-axes force, torque >= 0 to x, x[0] >= 0, x[1] >= 0.
 * Returns whether x was outside; out is x itself otherwise. */
int contact_contensou_project(double force, double torque, const double x[2], double out[2]);
/* Largest product of a point of the set with x, both components of x >= 0. */
double contact_contensou_support(double force, double torque, const double x[2]);

#endif
