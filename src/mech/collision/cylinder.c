/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cylinder with a box, a capsule or another cylinder. The direction n and the gap are those of
 * convex.c; where the two touch along n decides the places:
 *
 *   box on side    without n: the features of box.c
 *   side on side   both lie across n: the lines of contact touch as those of capsules
 *   flat           a face of the box or an end of the cylinder looks along n: manifold of
 *                  box.c, a cylinder being there its line of contact (side), or the
 * square within its end, fixed to the body point          the deepest pair of points along n;
 * feature 31, and alone when neither of the above holds; it joins a manifold that has no place as
 * deep
 *
 * An end thus rests on the corners of a square instead of the whole rim, and the deepest point of
 * the rim as soon as it tilts. Gaps of a flat contact are those of its features, the one of the
 * deepest pair is exact; its rate is that of the material points up to O(gap) since n is
 * stationary.
 */
#include "mech/collision/parts.h"

static const double lies_across = 1e-3; /* sine of the angle of a side to the plane of contact */
static const double as_deep = 1e-4;     /* of the gap */
static const double round_off = 1e-8;   /* of the sizes */
/* Depths below this part of the sizes are those of closed contacts: no other direction is sought. */
static const double shallow = 1e-6;
static const double square_on =
    1e-6; /* sine below which a face or side is normal or parallel to n */
enum { PROJECTIONS = 60 };
enum { DEEPEST = MECH_TOUCH_FEATURES - 1 };

/* What stands for a shape in a flat contact along n (outward): its line of contact or a square. */
static void stand_in(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                     struct mech_shape *shape, struct mech_pose *at) {
  double axis[3], across[3];
  *shape = *s;
  *at = *pose;
  if (s->kind != MECH_SHAPE_CYLINDER) {
    return;
  }
  pose_axis(pose, 2, axis);
  const double along = mech_dot3(axis, n);
  if (along * along > 0.5) {
    shape->kind = MECH_SHAPE_BOX;
    shape->half[0] = shape->half[1] = s->radius * sqrt(0.5);
    shape->half[2] = s->half_length;
  } else {
    v3_along(n, -along, axis, across);
    v3_along(pose->x, s->radius / v3_norm(across), across, at->x);
    shape->kind = MECH_SHAPE_CAPSULE;
    shape->radius = 0;
  }
}

/* Piece of a cylinder in place of that of its line of contact. */
static void piece_of_side(struct mech_piece *piece, const struct mech_shape *cylinder) {
  if (piece->kind == MECH_PIECE_POINT) {
    piece->kind = MECH_PIECE_RIM;
  } else {
    piece->radius = cylinder->radius;
  }
}

/* Smallest gap of the flat contact along n, infinite when it is not flat. */
static double add_flat(const struct touch_pair *p, const double *n, struct touch_list *list) {
  struct mech_shape shape[2];
  struct mech_pose pose[2];
  const double back[3] = {-n[0], -n[1], -n[2]};
  stand_in(p->a, p->pa, n, &shape[0], &pose[0]);
  stand_in(p->b, p->pb, back, &shape[1], &pose[1]);
  const int swap = shape[0].kind == MECH_SHAPE_CAPSULE;
  if (swap && shape[1].kind == MECH_SHAPE_CAPSULE) {
    return INFINITY;
  }
  const struct touch_pair flat = {&shape[swap], &shape[!swap], &pose[swap], &pose[!swap]};
  const double smallest = mech_collide_box_about(&flat, swap ? back : n, list);
  for (int i = 0; i < list->n; ++i) {
    if (swap) {
      touch_reverse(&list->out[i]);
    }
    for (int k = 0; k < 2; ++k) {
      if ((k ? p->b : p->a)->kind == MECH_SHAPE_CYLINDER && shape[k].kind == MECH_SHAPE_CAPSULE) {
        piece_of_side(&list->out[i].piece[k], k ? p->b : p->a);
      }
    }
  }
  return smallest;
}

/* Lines of contact of two that lie across n, as those of capsules. */
static double add_sides(const struct touch_pair *p, const double *n, struct touch_list *list) {
  double axis[2][3], smallest = INFINITY;
  pose_axis(p->pa, 2, axis[0]);
  pose_axis(p->pb, 2, axis[1]);
  if (fabs(mech_dot3(axis[0], n)) > lies_across || fabs(mech_dot3(axis[1], n)) > lies_across) {
    return INFINITY;
  }
  mech_collide_capsules(p, list);
  int kept = 0;
  for (int i = 0; i < list->n; ++i) {
    const struct mech_touch *t = &list->out[i];
    if (t->feature <= 4 && 1 - mech_dot3(t->normal, n) <= lies_across) {
      smallest = fmin(smallest, t->gap);
      list->out[kept++] = *t;
    }
  }
  list->n = kept;
  return smallest;
}

/* The point x of the core of s farthest along n that is closest to y: on a face, edge or end where
 * n leaves the choice. */
static void farthest_near(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                          const double *y, double *x) {
  double along[3], c[3];
  pose_components(pose, n, along);
  pose_local(pose, y, c);
  const int box = s->kind == MECH_SHAPE_BOX;
  for (int j = box ? 0 : 2; j < 3; ++j) {
    const double half = box ? s->half[j] : s->half_length;
    c[j] = fabs(along[j]) <= square_on ? clamp(c[j], -half, half) : along[j] < 0 ? -half : half;
  }
  if (!box) {
    const double R = s->kind == MECH_SHAPE_CYLINDER ? s->radius : 0;
    const double rho = hypot(c[0], c[1]), lateral = hypot(along[0], along[1]);
    for (int j = 0; j < 2; ++j) {
      c[j] = lateral <= square_on ? c[j] * (rho > R ? R / rho : 1) : R * along[j] / lateral;
    }
  }
  pose_point(pose, c, x);
}

/* The piece of a shape that is farthest along n, either way. */
static struct mech_piece piece_along(const struct mech_shape *s, const struct mech_pose *pose,
                                     const double *n) {
  double along[3];
  pose_components(pose, n, along);
  for (int j = 0; j < 3; ++j) {
    along[j] = fabs(along[j]) <= square_on ? 0 : along[j];
  }
  if (s->kind == MECH_SHAPE_BOX) {
    return piece_of_box(along);
  }
  if (along[2] == 0) {
    return piece_line(2, 0, s->radius);
  }
  const int end = along[2] < 0;
  if (s->kind == MECH_SHAPE_CAPSULE) {
    return piece_point(end, s->radius);
  }
  return along[0] == 0 && along[1] == 0 ? piece_face(end, 0)
                                        : (struct mech_piece){.kind = MECH_PIECE_RIM, .place = end};
}

/* The deepest pair of points along n, xa the first's when known; where faces or edges face each
 * other, by projecting to and fro between the two. */
static void add_deepest(const struct touch_pair *p, const double *n, double gap, double *xa,
                        int known, struct touch_list *list) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  const double ra = p->a->kind == MECH_SHAPE_CAPSULE ? p->a->radius : 0;
  double xb[3];
  v3_copy(p->pb->x, xb);
  for (int i = 0; !known && i < PROJECTIONS; ++i) {
    farthest_near(p->a, p->pa, n, xb, xa);
    farthest_near(p->b, p->pb, back, xa, xb);
    v3_along(xb, -mech_dot3(n, xb) + mech_dot3(n, xa), n, xb);
  }
  v3_along(xa, ra, n, xa);
  touch_pieces(touch_add(list, gap, xa, n, DEEPEST), piece_along(p->a, p->pa, n),
               piece_along(p->b, p->pb, n), INFINITY);
}

void mech_collide_cylinder(const struct touch_pair *p, struct touch_list *list) {
  double n[3], x[3];
  int known;
  const int is_box = p->a->kind == MECH_SHAPE_BOX;
  const double side = is_box ? mech_collide_box_side(p, list) : INFINITY;
  const double size = mech_shape_bound(p->a) + mech_shape_bound(p->b);
  if (isfinite(side) && side >= -shallow * size) {
    return;
  }
  const double gap = mech_collide_separate(p, n, x, &known) -
                     (p->a->kind == MECH_SHAPE_CAPSULE ? p->a->radius : 0);
  if (gap > list->reach) {
    return;
  }
  const double tolerance = as_deep * fabs(gap) + round_off * size;
  if (fabs((is_box ? side : add_sides(p, n, list)) - gap) <= tolerance) {
    return;
  }
  list->n = 0;
  const double smallest = add_flat(p, n, list);
  if (smallest <= gap + tolerance && smallest >= gap - tolerance) {
    return;
  }
  if (smallest < gap) {
    list->n = 0; /* not what touches */
  }
  int kept = 0;
  for (int i = 0; i < list->n && kept < MECH_TOUCH_MAX - 1; ++i) {
    if (list->out[i].feature != DEEPEST) {
      list->out[kept++] = list->out[i];
    }
  }
  list->n = kept;
  add_deepest(p, n, gap, x, known, list);
}
