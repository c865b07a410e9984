/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the rigid body: quaternion products, gravity, the point contact, and the
 * operations of the three descriptions. Used inside mech only.
 */
#ifndef MECH_RIGID_BODY_PARTS_H
#define MECH_RIGID_BODY_PARTS_H

#include "mech/rigid/rigid_body.h"
#include "mech/vector3.h"

void mech_quaternion_multiply(const double a[4], const double b[4], double ab[4]); /* (4.33) */
void mech_quaternion_turn(const double A[4], const double x[3], double y[3]);      /* A x A^* */

double mech_rigid_body_potential(const struct mech *m, const double *q);
void mech_rigid_body_gradient(const struct mech *m, const double *q, double *dV);
extern const int mech_rigid_body_axis[3];
/* Appends the contact unless it is out of reach or there is none; its block of W, or NULL. */
double *mech_rigid_body_contact(const struct mech *m, double gap, double reach,
                                struct mech_contacts *out);
void mech_rigid_body_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s);
void mech_rigid_body_publish(const double *d, const double *rate, double *omega, double *strain);

extern const struct mech_ops mech_rigid_body_affine, mech_rigid_body_scalable,
    mech_rigid_body_quaternion;

#endif
