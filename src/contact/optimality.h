/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Distance of a convex law from its minimum, a measure independent of the law's residual. For ccp,
 * and any law of normal contacts alone (dim 1), with A symmetric:
 *
 *   primal  min f(r) = r^T A r / 2 + b^T r,  r in K_mu;   dual  max -r^T A r / 2,  v in K*_mu,
 *
 * so that the duality gap at v = A r + b is r^T v. If r or v is outside its cone, that product is
 * no measure (it is zero at r = 0 for any v, and may be negative). With the projections r' of r
 * onto K_mu and v' of v onto K*_mu, distances e = |r - r'| and d = |v - v'|, the gap reported is
 *
 *   sum over contacts of  r'.v' + |r'| d + rho d^2 + |v| e + e^2 / rho,   rho = dim / trace A_ii:
 *
 * It is r^T v if both are inside, and zero at solutions only. The further terms are, to first
 * order, the change of the objective when the point is moved into the cones.
 */
#ifndef CONTACT_OPTIMALITY_H
#define CONTACT_OPTIMALITY_H

#include "contact/law.h"

struct contact_optimality {
  double objective; /* f(r) [J] */
  double gap;       /* [J] */
};

/* Objective and gap at (r, v). diag: nc blocks dim x dim, A_ii; r, v, b: dim nc. NaN for laws that
 * are not convex. */
struct contact_optimality contact_optimality(const struct contact_model *model, const double *diag,
                                             const double *r, const double *v, const double *b);

#endif
