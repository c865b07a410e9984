/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by cases of few bodies on a plane. Their parameter `body` selects the coordinates of the
 * assembly, since formulations differ in the coordinates that they accept:
 *
 *   planar      (x, y, phi), y up; nq = nu
 *   quaternion  (x, y, z, a0 ... a3) with u = (v, omega), z up
 *   scalable    the same coordinates, u = Q qdot, |a| = 1 as a constraint; nq = nu
 *
 * Lengths in [m]; directions are given as along the plane and up.
 */
#ifndef CASES_BODY_KIT_H
#define CASES_BODY_KIT_H

#include "cases/case.h"
#include "mech/assembly/assembly.h"

/* From the parameter `body`. */
enum mech_assembly_kind body_kind_of(const struct case_parameters *p);
/* x, y along the plane and z up, as the kind has them: planar takes (x, z). */
void body_place(enum mech_assembly_kind kind, double x, double y, double z, double out[3]);
/* An assembly under gravity, its plane through the origin with the friction and restitution of
 * material 0. Add bodies with shapes of that material, then finish. */
struct mech_assembly *body_plane_begin(const char *name, enum mech_assembly_kind kind, double g,
                                       double mu, double eps, struct base_arena *arena);
/* A plane of the world, whose z axis points inwards; as mech_assembly_shape(). */
int body_wall(struct mech_assembly *a, int material, const double at[3],
              const double orientation[4]);
/* Finish the assembly into the instance, unless status is below 0 (an earlier failure). name: begin
 * of messages, NULL: that of the assembly. */
int body_finish(struct mech_assembly *a, int status, struct case_instance *out, const char *name);
/* A body that has moved by s in the direction angle, stands at height z and has turned by phi about
 * the horizontal axis of rolling in that direction; v, vz and w are the rates of s, z and phi. */
struct body_motion {
  double angle, s, z, phi; /* [rad], [m], [m], [rad] */
  double v, vz, w;         /* [m/s], [m/s], [rad/s] */
};
/* Its published coordinates and velocities. */
void body_publish(enum mech_assembly_kind kind, struct body_motion motion, double *q, double *u);

#endif
