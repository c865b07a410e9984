/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Response of a system to contact impulses in one configuration, bilateral constraints eliminated
 * (moeller 5.118 to 5.121). With G_SS = W_S^T M^-1 W_S,
 *
 *   Lambda_S = -G_SS^-1 (rate_S + W_S^T M^-1 W r)
 *   du       = M^-1 (W r + W_S Lambda_S)
 *   A        = W^T (M^-1 - M^-1 W_S G_SS^-1 W_S^T M^-1) W                              [1/kg]
 *
 * moeller's A contains Q as well, which is the identity in the velocities used here. Lambda_S comes
 * from mech/bilateral/bilateral.h, dense or sparse.
 *
 * Everything lives in the arena given; the contacts, the factor L of the mass matrix and the system
 * must outlive the objects here.
 */
#ifndef FORM_DELASSUS_H
#define FORM_DELASSUS_H

#include "mech/bilateral/bilateral.h"
#include "problem/problem.h"

struct form_delassus {
  const struct mech *m;
  const double *L;                        /* factor of M */
  const struct mech_contacts *contacts;   /* of the operator */
  struct problem_operator A;              /* DENSE; where that costs more, BODIES or JOINTED */
  const struct mech_bilateral *bilateral; /* with ns > 0; else NULL */
  double *X;                              /* nu x dim n, dense constraints: du = X r; else NULL */
};
/* contacts: found in the configuration of L. b: built there too, and unchanged afterwards; may be
 * NULL if ns = 0. */
void form_delassus_build(const struct mech *m, const double *L, const struct mech_bilateral *b,
                         const struct mech_contacts *contacts, struct base_arena *arena,
                         struct form_delassus *out);
/* du(r) with rate_S = 0; r: dim n, du: nu, overwritten. */
void form_delassus_respond(const struct form_delassus *d, const double *r, double *du);

/* W_N^T M^-1 W_N of contact i, bilateral constraints left aside, with the first `count` entries of
 * W_N on either body; m->nv: all of them [1/kg]. */
double form_delassus_alone(const struct mech *m, const double *L, const struct mech_contacts *c,
                           int i, int count, struct base_arena *arena);

/* Make an operator by bodies dense if sweeps over the dense matrix cost less. */
void form_delassus_make_dense_if_small(struct problem_operator *A, struct base_arena *arena);

/* The part of form_delassus_build with ns > 0: delassus_joints.c. */
void form_delassus_constrain(struct form_delassus *d, struct base_arena *arena);
/* du(r) then. */
void form_delassus_respond_constrained(const struct form_delassus *d, const double *r, double *du);
/* W of all contacts, written out: 2 x n blocks nv x dim, the list's own or from the arena. */
const double *form_delassus_directions(const struct mech_contacts *c, struct base_arena *arena);

#endif
