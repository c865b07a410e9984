/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a system answers to contact impulses in one configuration, bilateral constraints eliminated
 * (moeller 5.118 to 5.121). With G_SS = W_S^T M^-1 W_S,
 *
 *   Lambda_S = -G_SS^-1 (rate_S + W_S^T M^-1 W r)
 *   du       = M^-1 (W r + W_S Lambda_S)
 *   A        = W^T (M^-1 - M^-1 W_S G_SS^-1 W_S^T M^-1) W                              [1/kg]
 *
 * moeller's A contains Q as well, which is the identity in the velocities used here. G_SS may be
 * singular (redundant constraints): its pivoted Cholesky factor gives one of the possible Lambda_S,
 * and u does not depend on which.
 *
 * Everything lives in the arena given; the contacts, the factor L of the mass matrix and the system
 * must outlive the objects here.
 */
#ifndef FORM_DELASSUS_H
#define FORM_DELASSUS_H

#include "mech/mech.h"
#include "problem/problem.h"

struct form_bilateral {
  int ns, rank;   /* constraints, and how many of them are independent */
  double *WS;     /* nu x ns */
  double *MWS;    /* nu x ns, M^-1 W_S */
  double *factor; /* ns x ns, pivoted Cholesky of D G_SS D */
  double *scale;  /* ns, the diagonal of D: 1 / sqrt(G_SS,ii); 0 for a constraint without effect */
  int *perm;      /* ns */
};
/* L: factor of M(q), from mech_mass_factor. ns = 0 gives an empty object. */
void form_bilateral_build(const struct mech *m, const double *q, const double *L,
                          struct base_arena *arena, struct form_bilateral *out);
/* X -= M^-1 W_S G_SS^-1 rate; rate: ns x nrhs, overwritten (by -Lambda_S); X: nu x nrhs. */
void form_bilateral_eliminate(const struct form_bilateral *b, int nu, int nrhs, double *rate,
                              double *X, struct base_arena *arena);

struct form_delassus {
  const struct mech *m;
  const double *L;                      /* factor of M */
  const struct mech_contacts *contacts; /* of the operator */
  struct problem_operator A;            /* DENSE, or BODIES for many contacts without constraints */
  double *X;                            /* nu x dim n with ns > 0: du = X r; else NULL */
};
/* contacts: found where L was formed. */
void form_delassus_build(const struct mech *m, const double *L, const struct form_bilateral *b,
                         const struct mech_contacts *contacts, struct base_arena *arena,
                         struct form_delassus *out);
/* du(r) with rate_S = 0; r: dim n, du: nu, overwritten. */
void form_delassus_respond(const struct form_delassus *d, const double *r, double *du);

#endif
