/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes on a half-space with outward normal e through x_b: each touches with points (or balls) of
 * its own, gap = e . (x - x_b) - R, n = -e.
 *
 *   ball      its centre                              feature 0
 *   box       8 corners                               feature: bit j set for the side +axis j
 *   capsule   the 2 ends of its segment               feature 0: -z, 1: +z
 *   cylinder  of each end e = 0, 1 the deepest point of the rim (feature 5 e + 4), whose gap has
 *             the rate of the material point by the envelope theorem; and, while the cylinder
 *             stands rather than lies, 4 points of the lower rim fixed to the body (5 e + 0 ... 3),
 *             so that a flat end rests on points that do not wander. When it stands upright to
 *             round-off the deepest point has no direction and is left out. When it is tilted the
 *             deepest point stands for its quarter of the rim, whose fixed point is left out.
 */
#include "mech/collision/parts.h"

static double height(const struct touch_pair *p, const double *e, const double *x) {
  double d[3];
  v3_minus(x, p->pb->x, d);
  return mech_dot3(e, d);
}

/* The point x of the shape with a ball of the given radius around it. */
static struct mech_touch *add_ball(const struct touch_pair *p, const double *e, const double *x,
                                   double radius, int feature, struct touch_list *list) {
  const double normal[3] = {-e[0], -e[1], -e[2]};
  double on_a[3];
  v3_along(x, -radius, e, on_a);
  struct mech_touch *t = touch_add(list, height(p, e, x) - radius, on_a, normal, feature);
  touch_pieces(t, piece_point(0, radius), piece_face(0, 0), INFINITY);
  return t;
}

static void add_corners(const struct touch_pair *p, const double *e, struct touch_list *list) {
  for (int corner = 0; corner < 8; ++corner) {
    double c[3], x[3];
    for (int j = 0; j < 3; ++j) {
      c[j] = (corner >> j & 1) ? p->a->half[j] : -p->a->half[j];
    }
    pose_point(p->pa, c, x);
    add_ball(p, e, x, 0, corner, list);
  }
}

static void add_rims(const struct touch_pair *p, const double *e, struct touch_list *list) {
  const struct mech_shape *s = p->a;
  double axis[3], down[3], local[3];
  pose_axis(p->pa, 2, axis);
  const double along = mech_dot3(e, axis);
  v3_along(e, -along, axis, down);
  const double tilt = v3_norm(down); /* sine of the angle of its axis to e */
  const int lower = along < 0;
  for (int end = 0; end < 2; ++end) {
    const double z = end ? s->half_length : -s->half_length;
    double centre[3], x[3], arm[3];
    v3_along(p->pa->x, z, axis, centre);
    for (int k = 0; k < 4 && end == lower && 2 * along * along > 1; ++k) {
      local[0] = k == 0 ? s->radius : k == 2 ? -s->radius : 0;
      local[1] = k == 1 ? s->radius : k == 3 ? -s->radius : 0;
      local[2] = z;
      pose_point(p->pa, local, x);
      v3_minus(x, centre, arm);
      if (!touch_deepest_covers(tilt, -mech_dot3(arm, down) / (s->radius * tilt))) {
        add_ball(p, e, x, 0, 5 * end + k, list);
      }
    }
    if (tilt > square_on) {
      v3_along(centre, -s->radius / tilt, down, x);
      add_ball(p, e, x, 0, 5 * end + 4, list)->piece[0].kind = MECH_PIECE_RIM;
    }
  }
}

void mech_collide_halfspace(const struct touch_pair *p, struct touch_list *list) {
  double e[3], axis[3], x[3];
  pose_axis(p->pb, 2, e);
  switch (p->a->kind) {
  case MECH_SHAPE_POINT:
  case MECH_SHAPE_SPHERE: {
    const double radius = touch_ball_radius(p->a);
    add_ball(p, e, p->pa->x, radius, 0, list);
    break;
  }
  case MECH_SHAPE_BOX:
    add_corners(p, e, list);
    break;
  case MECH_SHAPE_CAPSULE:
    pose_axis(p->pa, 2, axis);
    for (int end = 0; end < 2; ++end) {
      v3_along(p->pa->x, end ? p->a->half_length : -p->a->half_length, axis, x);
      add_ball(p, e, x, p->a->radius, end, list);
    }
    break;
  case MECH_SHAPE_CYLINDER:
    add_rims(p, e, list);
    break;
  case MECH_SHAPE_HALFSPACE:
    break;
  }
}
