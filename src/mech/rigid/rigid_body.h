/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One free rigid body with principal axes along its own, in the three descriptions of moeller,
 * chapter 4, so that the same motion can be run by every integrator:
 *
 *   affine      q = (r, d1, d2, d3) in R^12, u = qdot, six rigidity constraints (4.22); M constant
 *   scalable    q = (r, A) in R^7, u = (v, nu, omega) = Q qdot, one constraint |A|^2 = 1 (4.101)
 *   quaternion  q = (r, A) in R^7, u = (v, omega) in R^6, qdot = F(q) u, no constraint (4.119)
 *
 * omega is the angular velocity in the body's frame [rad/s] (times |A|^2 for the scalable body,
 * 4.83), A = (a0, a) turns body into world, gravity acts along -z. Optionally one point of the body
 * touches the half-space z >= 0, with friction.
 *
 * What is published is the same for all three: the place, the directors (columns of the rotation),
 * v, omega and the rates of strain sym(R^T Rdot), which a rigid body does not have.
 */
#ifndef MECH_RIGID_BODY_H
#define MECH_RIGID_BODY_H

#include "mech/mech.h"

enum mech_rigid_body_kind {
  MECH_RIGID_BODY_AFFINE,
  MECH_RIGID_BODY_SCALABLE,
  MECH_RIGID_BODY_QUATERNION
};

struct mech_rigid_body {
  const char *name; /* of the system; NULL: "rigid body" */
  enum mech_rigid_body_kind kind;
  double mass;             /* [kg] */
  double Theta[3];         /* principal moments of inertia [kg m^2] */
  double gravity;          /* [m/s^2], along -z */
  int contact;             /* a point of the body over z = 0 */
  double point[3];         /* the point, in the body's frame [m] */
  double mu, eps_N, eps_T; /* [-] */
  double length, speed;    /* scales, see struct mech [m], [m/s] */
};

enum { MECH_RIGID_BODY_Q_OUT = 12, MECH_RIGID_BODY_U_OUT = 12 };

/* The system, from the arena; NULL with a message (BASE_E_INPUT) for a body that cannot exist:
 * masses must be positive and each moment of inertia less than the sum of the others. */
struct mech *mech_rigid_body_build(const struct mech_rigid_body *body, struct base_arena *arena);

/* q: nq, u: nu of a system built above. r: place [m], A: unit quaternion, v: velocity [m/s], omega:
 * angular velocity in the body's frame [rad/s]. */
void mech_rigid_body_state(const struct mech *m, const double r[3], const double A[4],
                           const double v[3], const double omega[3], double *q, double *u);

#endif
