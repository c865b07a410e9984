/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Narrow phase: choice of the routine for a pair of kinds, and the pairs that packings are made of
 * (balls with balls and half-spaces), which come first and need nothing else:
 *
 *   ball-ball        gap = |x_b - x_a| - R_a - R_b,  n = (x_b - x_a) / |x_b - x_a|
 *   ball-half-space  gap = e . (x_a - x_b) - R_a,    n = -e, e the outward normal
 *
 * Two balls with the same centre have no normal; the world's first axis is taken, for (a, b) and
 * for (b, a) alike: the one configuration where exchanging the two does not reverse the normal.
 */
#include "mech/collision/parts.h"

static const double world_first[3] = {1, 0, 0};

const char *mech_shape_name(enum mech_shape_kind kind) {
  static const char *const names[MECH_SHAPE_KINDS] = {"point",   "sphere",   "box",
                                                      "capsule", "cylinder", "halfspace"};
  return names[kind];
}

double mech_shape_bound(const struct mech_shape *shape) {
  switch (shape->kind) {
  case MECH_SHAPE_POINT:
    return 0;
  case MECH_SHAPE_SPHERE:
    return shape->radius;
  case MECH_SHAPE_BOX:
    return v3_norm(shape->half);
  case MECH_SHAPE_CAPSULE:
    return shape->radius + shape->half_length;
  case MECH_SHAPE_CYLINDER:
    return hypot(shape->radius, shape->half_length);
  case MECH_SHAPE_HALFSPACE:
    break;
  }
  return INFINITY;
}

static void collide_kinds(const struct touch_pair *p, int planar, struct touch_list *list) {
  const enum mech_shape_kind a = p->a->kind, b = p->b->kind;
  if (b == MECH_SHAPE_HALFSPACE) {
    if (planar && !touch_round(p->a)) {
      mech_collide_planar_halfspace(p, list);
    } else {
      mech_collide_halfspace(p, list);
    }
  } else if (planar) {
    mech_collide_planar(p, list);
  } else if (b == MECH_SHAPE_BOX && touch_round(p->a)) {
    mech_collide_ball_box(p, list);
  } else if (b == MECH_SHAPE_CAPSULE && touch_round(p->a)) {
    mech_collide_ball_capsule(p, list);
  } else if (b == MECH_SHAPE_CYLINDER && touch_round(p->a)) {
    mech_collide_ball_cylinder(p, list);
  } else if (a == MECH_SHAPE_CAPSULE && b == MECH_SHAPE_CAPSULE) {
    mech_collide_capsules(p, list);
  } else if (b == MECH_SHAPE_CYLINDER) {
    mech_collide_cylinder(p, list);
  } else {
    mech_collide_box(p, list);
  }
}

static void sort_by_feature(int n, struct mech_touch *t) {
  for (int i = 1; i < n; ++i) {
    const struct mech_touch moved = t[i];
    int k = i;
    for (; k > 0 && t[k - 1].feature > moved.feature; --k) {
      t[k] = t[k - 1];
    }
    t[k] = moved;
  }
}

int mech_collide(const struct mech_shape *a, const struct mech_pose *pose_a,
                 const struct mech_shape *b, const struct mech_pose *pose_b, int planar,
                 double reach, struct mech_touch *out) {
  struct touch_list list = {.reach = reach, .out = out};
  if (touch_round(a) && touch_round(b)) {
    if (a->kind == MECH_SHAPE_POINT && b->kind == MECH_SHAPE_POINT) {
      return 0;
    }
    touch_add_balls(&list, pose_a->x, touch_ball_radius(a), pose_b->x, touch_ball_radius(b),
                    world_first, 0);
    return list.n;
  }
  const int swap = a->kind > b->kind;
  const struct touch_pair pair = {.a = swap ? b : a,
                                  .b = swap ? a : b,
                                  .pa = swap ? pose_b : pose_a,
                                  .pb = swap ? pose_a : pose_b};
  collide_kinds(&pair, planar, &list);
  for (int i = 0; swap && i < list.n; ++i) {
    touch_reverse(&out[i]);
  }
  sort_by_feature(list.n, out);
  return list.n;
}
