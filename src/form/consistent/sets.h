/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friction sets of their own (law cone) in the inclusions of the consistent integrators: unlike
 * units taken out, and the rows of Newton's method.
 */
#ifndef FORM_CONSISTENT_SETS_H
#define FORM_CONSISTENT_SETS_H

#include "contact/set.h"

/* Length that makes a force of the spin torque: R_bar = axis[1] / axis[0] [m] for sets of dimension
 * 3 that have one, else 1. */
double form_consistent_set_length(const struct contact_set *set);
/* The same set with its torque divided by this length. */
struct contact_set form_consistent_set_scale(const struct contact_set *set);

/* Phi = r_T + prox_{r_N C}(rho v_T - r_T), zero where v_T in N_{r_N C}(-r_T). k = dim - 1; r: 1 +
 * k, normal first [N s]; v_T: k [m/s]; rho > 0 [kg]. Phi: k; R: k x (1 + k), by r; V: k x k, by
 * v_T, both row-major. For r_N <= 0 the set is the origin. */
void form_consistent_set_rows(const struct contact_set *set, double rho, const double *r,
                              const double *v_T, double *Phi, double *R, double *V);
/* r_T: k -> nearest in -r_N C; r_N >= 0. */
void form_consistent_set_tidy(const struct contact_set *set, double r_N, double *r_T);

#endif
