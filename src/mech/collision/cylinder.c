/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cylinder with a box, a capsule or another cylinder. The direction n and the gap are those of
 * convex.c; where the two touch along n decides the places:
 *
 *   side on side   ends (rims) of either beside the side of the other, and the common perpendicular
 *                  of the axes: features 0 ... 3, 4
 *   side on box    deepest points of the rims over the face (8, 9), corners (0 ... 7) and edges
 *                  (10 ... 21) under the side, edges of the face and the rims (22 ... 29)
 *   stands         an end of a cylinder looks along n: end.c
 *   deepest        the deepest pair of points along n; feature 31, and alone when none of the above
 *                  holds; it joins a manifold that has no place as deep
 *
 * An end that stands on a face rests on four points of the rim fixed to the body, and on the
 * deepest point of the rim as soon as it tilts. The gap of the deepest pair is exact; its rate is
 * that of the material points up to O(gap) since n is stationary.
 */
#include "mech/collision/parts.h"

static const double as_deep = 1e-4;    /* of the gap */
static const double round_off = 1e-12; /* of the sizes */
/* cos of the angle up to which features of a manifold keep their own normals, as for boxes. */
static const double own_normal = 0.9;
enum { PROJECTIONS = 60 };
enum { DEEPEST = MECH_TOUCH_FEATURES - 1 };

double touch_stands(const struct mech_shape *s, const struct mech_pose *pose, const double *n) {
  double axis[3];
  pose_axis(pose, 2, axis);
  return s->kind == MECH_SHAPE_CYLINDER ? mech_dot3(axis, n) : 0;
}

void touch_line(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                double x[3]) {
  double axis[3], across[3];
  pose_axis(pose, 2, axis);
  v3_along(n, -mech_dot3(axis, n), axis, across);
  v3_along(pose->x, s->kind == MECH_SHAPE_CYLINDER ? s->radius / v3_norm(across) : 0, across, x);
}

/* Lengths that are rounding. */
static double rounding(const struct touch_pair *p) {
  return MECH_SAME_PLACE * (mech_shape_bound(p->a) + mech_shape_bound(p->b));
}

double touch_add_meeting(const struct touch_pair *p, const struct touch_curve *const c[2],
                         const double *from, const double *n, int feature,
                         struct touch_list *list) {
  const double size = mech_shape_bound(p->a) + mech_shape_bound(p->b);
  const double ra = p->a->kind == MECH_SHAPE_CAPSULE ? p->a->radius : 0;
  double t[2], y[2][3], m[3], d[3];
  v3_copy(n, m);
  for (int k = 0; k < 2; ++k) {
    t[k] = touch_curve_nearest(c[k], from);
  }
  if (!touch_curves_meet(c, size, t, y, m) || !(mech_dot3(m, n) >= own_normal)) {
    return INFINITY;
  }
  struct mech_piece piece[2] = {c[0]->piece, c[1]->piece};
  piece[0].radius += ra;
  v3_minus(y[1], y[0], d);
  const double gap = mech_dot3(d, m) - piece[0].radius - piece[1].radius;
  v3_along(y[0], piece[0].radius, m, y[0]);
  for (int i = 0; i < list->n; ++i) { /* ends that face each other */
    v3_along(y[0], 0.5 * gap, m, d);
    v3_minus(d, list->out[i].point, d);
    if (v3_norm(d) <= round_off * size) {
      return gap;
    }
  }
  touch_pieces(touch_add(list, gap, y[0], m, feature), piece[0], piece[1], INFINITY);
  return gap;
}

/* A box and a cylinder that lies across n; the smallest gap. */
static double add_lying(const struct touch_pair *p, const double *n, struct touch_list *list) {
  struct touch_curve curve[2][TOUCH_CURVES];
  struct touch_face face;
  double smallest = INFINITY, x[3], back[3];
  touch_curves(p->a, p->pa, curve[0]);
  touch_curves(p->b, p->pb, curve[1]);
  touch_face_along(p->a, p->pa, n, &face);
  v3_scale(-1, face.normal, back);
  touch_line(p->b, p->pb, back, x);
  for (int i = 0; i < 2 && mech_dot3(face.normal, n) >= own_normal; ++i) {
    double z[3], d[3];
    v3_minus(x, p->pb->x, d);
    v3_along(curve[1][1 + i].x, 1, d, z);
    if (touch_over_face(&face, z, rounding(p))) {
      v3_minus(z, face.x[0], d);
      const double gap = mech_dot3(d, face.normal);
      smallest = fmin(smallest, gap);
      v3_along(z, -gap, face.normal, z);
      touch_pieces(touch_add(list, gap, z, face.normal, 8 + i), piece_face(face.place, 0),
                   curve[1][1 + i].piece, INFINITY);
    }
  }
  for (int e = 0; e < TOUCH_CURVES; ++e) { /* edges, then corners, and the side */
    const struct touch_curve *const c[2] = {&curve[0][e], &curve[1][0]};
    const double gap = touch_add_meeting(p, c, curve[0][e].x, n, e < 12 ? 10 + e : e - 12, list);
    smallest = fmin(smallest, gap);
  }
  for (int i = 0; i < 8; ++i) { /* edges of the face and the rims */
    const struct touch_curve *const c[2] = {&curve[0][face.edge[i % 4]], &curve[1][1 + i / 4]};
    v3_minus(x, p->pb->x, back);
    v3_along(c[1]->x, 1, back, back);
    smallest = fmin(smallest, touch_add_meeting(p, c, back, n, 22 + i, list));
  }
  return smallest;
}

/* Lines of contact of two that lie across n; the smallest gap. */
static double add_sides(const struct touch_pair *p, const double *n, struct touch_list *list) {
  struct touch_curve curve[2][TOUCH_CURVES];
  const struct mech_shape *shape[2] = {p->a, p->b};
  const struct mech_pose *pose[2] = {p->pa, p->pb};
  double smallest = INFINITY;
  for (int k = 0; k < 2; ++k) {
    touch_curves(shape[k], pose[k], curve[k]);
    curve[k][0].half += rounding(p);
  }
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i) {
      const struct touch_curve *const c[2] = {&curve[0][k == 0 ? 1 + i : 0],
                                              &curve[1][k == 0 ? 0 : 1 + i]};
      double at[3];
      v3_along(curve[k][1 + i].x, (k ? -1 : 1) * curve[k][0].piece.radius, n, at);
      smallest = fmin(smallest, touch_add_meeting(p, c, at, n, 2 * k + i, list));
    }
  }
  return fmin(smallest,
              touch_add_meeting(p, (const struct touch_curve *const[]){curve[0], curve[1]},
                                p->pa->x, n, 4, list));
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

/* The deepest pair of points along n; where faces or edges face each other, by projecting to and
 * fro between the two. */
static void add_deepest(const struct touch_pair *p, const struct touch_parting *best,
                        struct touch_list *list) {
  const double *n = best->n, back[3] = {-n[0], -n[1], -n[2]};
  const double ra = p->a->kind == MECH_SHAPE_CAPSULE ? p->a->radius : 0;
  double xa[3], xb[3];
  v3_copy(best->x, xa);
  v3_copy(p->pb->x, xb);
  for (int i = 0; !best->known && i < PROJECTIONS; ++i) {
    farthest_near(p->a, p->pa, n, xb, xa);
    farthest_near(p->b, p->pb, back, xa, xb);
    v3_along(xb, -mech_dot3(n, xb) + mech_dot3(n, xa), n, xb);
  }
  v3_along(xa, ra, n, xa);
  touch_pieces(touch_add(list, best->gap - ra, xa, n, DEEPEST), best->piece[0], best->piece[1],
               INFINITY);
}

/* The manifold along n; its smallest gap, infinite without one. */
static double add_flat(const struct touch_pair *p, const double *n, struct touch_list *list) {
  const double a = touch_stands(p->a, p->pa, n), b = touch_stands(p->b, p->pb, n);
  return a * a > 0.5 || b * b > 0.5     ? mech_collide_end(p, b * b < a * a ? 0 : 1, n, list)
         : p->a->kind == MECH_SHAPE_BOX ? add_lying(p, n, list)
                                        : add_sides(p, n, list);
}

void mech_collide_cylinder(const struct touch_pair *p, struct touch_list *list) {
  const double size = mech_shape_bound(p->a) + mech_shape_bound(p->b);
  const struct touch_parting best = mech_collide_separate(p);
  const double ra = p->a->kind == MECH_SHAPE_CAPSULE ? p->a->radius : 0;
  double gap = best.gap - ra;
  if (gap > list->reach) {
    return;
  }
  const double smallest = add_flat(p, best.n, list);
  for (int i = 0; i < list->n; ++i) { /* exact, and of one that tilts by little the better */
    gap = fmax(gap, touch_separation(p, list->out[i].normal) - ra);
  }
  const double tolerance = as_deep * fabs(gap) + round_off * size;
  if (smallest <= gap + tolerance && smallest >= gap - tolerance) {
    return;
  }
  if (smallest < gap) {
    list->n = 0; /* not what touches */
  }
  add_deepest(p, &best, list);
}
