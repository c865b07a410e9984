/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How far bodies of an assembly move where they touch: the slips of contacts from one configuration
 * to another, and a bound of how far surfaces can approach each other in a step.
 */
#include "mech/assembly/parts.h"

#include <math.h>

/* way += alpha times the way of a point that goes with body `block`, from its arm at a. */
static void add_way(const struct mech_assembly *p, int block, const double arm[3], double alpha,
                    const double *a, const double *b, double way[3]) {
  if (block < 0) {
    return;
  }
  const int body = mech_block_body(p, block);
  const struct mech_pose from = mech_assembly_pose(p, a, body), to = mech_assembly_pose(p, b, body);
  double own[3], turned[3];
  mech_back3(from.R, arm, own);
  mech_turn3(to.R, own, turned);
  for (int d = 0; d < 3; ++d) {
    way[d] += alpha * (to.x[d] - from.x[d] + turned[d] - arm[d]);
  }
}

static void assembly_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s) {
  for (int i = 0; i < at_a->n; ++i) {
    double frame[9], way[3] = {0};
    mech_contacts_frame(at_a, i, frame);
    for (int k = 0; k < 2; ++k) {
      add_way(m->data, at_a->body[2 * i + k], at_a->arm + 6L * i + 3L * k, k == 0 ? -1 : 1, a, b,
              way);
    }
    for (int d = 0; d < m->dim; ++d) {
      s[i * m->dim + d] = mech_dot3(frame + 3 * d, way);
    }
  }
}

/* The two largest speeds of surfaces on different bodies, and of the ends of a rope. */
static double assembly_approach(const struct mech *m, const double *q, const double *u, double dt) {
  const struct mech_assembly *a = m->data;
  double first = 0, second = 0, rope = 0;
  int fastest = MECH_WORLD;
  for (int i = 0; i < a->n_shapes; ++i) {
    const int body = a->shape[i].body;
    if (!mech_assembly_moves(a, body)) {
      continue;
    }
    const double *v = u + (long)mech_body_block(a, body) * a->body_nu;
    const double v2 = v[0] * v[0] + v[1] * v[1] + (a->kind == MECH_PLANAR ? 0 : v[2] * v[2]);
    const double turning = mech_assembly_turning(a, q, u, body);
    double arm = mech_form_of(a, i)->arm + mech_shape_size(a, i), speed = sqrt(v2);
    if (turning > 0 && isinf(arm)) { /* a half-space */
      const struct mech_pose pose = mech_assembly_pose(a, q, body);
      arm = mech_shapes_farthest(a, q, pose.x);
    }
    speed += turning > 0 ? turning * arm : 0;
    if (body == fastest || speed > first) {
      second = body == fastest ? second : first;
      first = fmax(first, speed);
      fastest = body;
    } else {
      second = speed > second ? speed : second;
    }
  }
  for (int k = 0; k < a->n_ropes; ++k) {
    struct mech_joint_reach r;
    double speed = 0;
    mech_joint_reach(a, &a->joint[a->rope[k]], q, u, &r);
    for (int i = 0; i < 2; ++i) {
      speed += sqrt(mech_dot3(r.body[i].v, r.body[i].v)) +
               sqrt(mech_dot3(r.body[i].w, r.body[i].w) * mech_dot3(r.arm[i], r.arm[i]));
    }
    rope = fmax(rope, speed);
  }
  return dt * fmax(first + second, rope);
}

void mech_assembly_way_ops(struct mech_ops *ops) {
  ops->slips = assembly_slips;
  ops->bodies.approach = assembly_approach;
}
