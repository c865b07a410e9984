/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tippe top as the scalable body of moeller 4.3, u = (v, nu, omega) = Q qdot with |A|^2 = 1 as
 * a constraint: operations of mech/rigid with the contacts of the case. With H of (5.85), which
 * multiplies quaternions from the right, and F = Q^-1, which does so from the left, gyroscopic
 * forces by velocities are
 *
 *   F^T H F u = H u / (4 |A|^2)
 *
 * which the schemes that take F and H at the middle of a step ask for (5.141, 5.158); here for
 * |A| = 1, where the constraint holds the body.
 */
#include "cases/tippe-top/tippe-top.h"

#include "mech/rigid/rigid_body.h"

enum { N = 7 };

static void velocity_gyro(const struct mech *m, int b, const double *u, double *H) {
  (void)b;
  m->ops->consistent.gyro(m, u, NULL, H);
  for (int i = 0; i < N * N; ++i) {
    H[i] *= 0.25;
  }
}

const struct mech_ops *tippe_top_scalable_ops(const struct mech_rigid_body *body,
                                              const struct mech_ops *own,
                                              struct base_arena *arena) {
  const struct mech *m = mech_rigid_body_build(body, arena);
  if (m == NULL) {
    return NULL;
  }
  struct mech_ops *ops = base_arena_push(arena, sizeof *ops);
  *ops = *m->ops;
  ops->contacts = own->contacts;
  ops->slips = NULL; /* those of the case are for |A| = 1 all along */
  ops->observe = NULL;
  ops->consistent.discrete_gap = own->consistent.discrete_gap;
  ops->consistent.velocity_gyro = velocity_gyro;
  return ops;
}
