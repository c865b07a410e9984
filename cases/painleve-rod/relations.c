/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of Painleve's rod without a run: the limit of the paradox, the motion of its end, and
 * the same rod as a body in space.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "cases/body_kit.h"

#include <math.h>

double painleve_rod_limit(double theta) { return (cos(theta) + 1 / (3 * cos(theta))) / sin(theta); }

void painleve_rod_end(double l, const double *q, const double *u, double v[2]) {
  v[0] = u[1] - 0.5 * l * cos(q[2]) * u[2];
  v[1] = u[0] + 0.5 * l * sin(q[2]) * u[2];
}

int painleve_rod_in_space(double theta, struct base_arena *arena, struct case_instance *out) {
  const double s = sin(theta), c = cos(theta), I = 1.0 / 12; /* about its axis nothing turns it */
  struct mech_assembly *a = body_plane_begin("painleve-rod", MECH_SPATIAL, 0, 0, 0, arena);
  mech_assembly_body(a, &(struct mech_body){.name = "rod",
                                            .mass = 1,
                                            .inertia = {I, I, I},
                                            .position = {0.5 * c, 0, 0.5 * s},
                                            .orientation = {cos(theta / 2), 0, -sin(theta / 2)}});
  mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_POINT, .offset = {-0.5}});
  return body_plane_finish(a, out);
}
