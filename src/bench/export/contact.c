/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See contact.h.
 */
#include "bench/export/contact.h"

#include <string.h>

void bench_contact_point(const struct mech_assembly *a, const struct mech_contacts *c,
                         const double *q, int i, double point[3]) {
  const int block = c->body[2 * (long)i];
  memcpy(point, c->arm + 6L * i, 3 * sizeof *point);
  if (block >= 0) {
    const struct mech_pose pose = mech_assembly_pose(a, q, mech_assembly_body_of_block(a, block));
    mech_add3(1, pose.x, point);
  }
}

void bench_contact_force(int dim, const double *impulse, double dt, const double frame[9],
                         double force[3]) {
  memset(force, 0, 3 * sizeof *force);
  for (int d = 0; d < dim && d < 3; ++d) {
    mech_add3(impulse[d] / dt, frame + 3 * d, force);
  }
}
