/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies on a plane; see body_kit.h. Rolling in the direction (cos a, sin a, 0) turns about
 * (-sin a, cos a, 0), which leads z over to the direction; in the plane that is clockwise.
 */
#include "cases/body_kit.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

enum mech_assembly_kind body_kind_of(const struct case_parameters *p) {
  const char *body = case_choice(p, "body");
  return strcmp(body, "planar") == 0     ? MECH_PLANAR
         : strcmp(body, "scalable") == 0 ? MECH_SCALABLE
                                         : MECH_SPATIAL;
}

void body_place(enum mech_assembly_kind kind, double x, double y, double z, double out[3]) {
  const int planar = kind == MECH_PLANAR;
  out[0] = x;
  out[1] = planar ? z : y;
  out[2] = planar ? 0 : z;
}

struct mech_assembly *body_plane_begin(const char *name, enum mech_assembly_kind kind, double g,
                                       double mu, double eps, struct base_arena *arena) {
  struct mech_assembly *a = mech_assembly_alloc(kind, name, arena);
  double down[3];
  body_place(kind, 0, 0, -g, down);
  mech_assembly_gravity(a, down);
  mech_assembly_material(
      a, &(struct mech_material){.name = "plane", .mu = mu, .eps_N = eps, .eps_T = 0});
  struct mech_shape plane = {.kind = MECH_SHAPE_HALFSPACE, .body = -1};
  if (kind == MECH_PLANAR) { /* its z axis upright: a quarter turn about -x */
    plane.orientation[0] = sqrt(0.5);
    plane.orientation[1] = -sqrt(0.5);
  }
  mech_assembly_shape(a, &plane);
  return a;
}

int body_wall(struct mech_assembly *a, int material, const double at[3],
              const double orientation[4]) {
  struct mech_shape wall = {.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = material};
  memcpy(wall.offset, at, sizeof wall.offset);
  memcpy(wall.orientation, orientation, sizeof wall.orientation);
  return mech_assembly_shape(a, &wall);
}

int body_finish(struct mech_assembly *a, int status, struct case_instance *out, const char *name) {
  if (status >= 0) {
    status = mech_assembly_finish(a, &out->mech, &out->q, &out->u, NULL);
  }
  if (status != BASE_OK && name != NULL) {
    base_message_prefix("%s: ", name);
  }
  return status;
}

void body_publish(enum mech_assembly_kind kind, struct body_motion motion, double *q, double *u) {
  const double c = cos(motion.angle), d = sin(motion.angle), s = motion.s, v = motion.v;
  const double phi = motion.phi, w = motion.w;
  if (kind == MECH_PLANAR) {
    q[0] = s, q[1] = motion.z, q[2] = -phi;
    u[0] = v, u[1] = motion.vz, u[2] = -w;
    return;
  }
  const double half[] = {cos(0.5 * phi), sin(0.5 * phi)};
  q[0] = s * c, q[1] = s * d, q[2] = motion.z;
  q[3] = half[0], q[4] = -d * half[1], q[5] = c * half[1], q[6] = 0;
  u[0] = v * c, u[1] = v * d, u[2] = motion.vz;
  u[3] = -d * w, u[4] = c * w, u[5] = 0;
}
