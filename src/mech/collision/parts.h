/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the narrow phase share: vectors of three, the list of touches being made, and
 * the routines of each family of pairs. Kinds come in ascending order, normals point from a to b.
 *
 * Every shape is a core and a radius around it: a point or sphere has a point as its core, a
 * capsule a segment; boxes and cylinders are cores without a radius. Pairs of cores that do not
 * overlap are at their distance, others at minus the smallest translation that parts them.
 */
#ifndef MECH_COLLISION_PARTS_H
#define MECH_COLLISION_PARTS_H

#include "mech/collision/collision.h"
#include "mech/vector3.h"

#include <math.h>

static inline double v3_norm(const double *a) { return sqrt(mech_dot3(a, a)); }
static inline void v3_copy(const double *a, double *b) {
  b[0] = a[0];
  b[1] = a[1];
  b[2] = a[2];
}
/* c = a + s b */
static inline void v3_along(const double *a, double s, const double *b, double *c) {
  c[0] = a[0] + s * b[0];
  c[1] = a[1] + s * b[1];
  c[2] = a[2] + s * b[2];
}
static inline void v3_minus(const double *a, const double *b, double *c) { v3_along(a, -1, b, c); }
static inline void v3_scale(double s, const double *a, double *c) {
  c[0] = s * a[0];
  c[1] = s * a[1];
  c[2] = s * a[2];
}
/* Axis j of a pose. */
static inline void pose_axis(const struct mech_pose *pose, int j, double *axis) {
  axis[0] = pose->R[j];
  axis[1] = pose->R[3 + j];
  axis[2] = pose->R[6 + j];
}
/* Components of a world vector, or of a world point, in the frame of a pose. */
static inline void pose_components(const struct mech_pose *pose, const double *v, double *c) {
  for (int j = 0; j < 3; ++j) {
    c[j] = pose->R[j] * v[0] + pose->R[3 + j] * v[1] + pose->R[6 + j] * v[2];
  }
}
static inline void pose_local(const struct mech_pose *pose, const double *x, double *c) {
  double d[3];
  v3_minus(x, pose->x, d);
  pose_components(pose, d, c);
}
/* World vector, or point, of components in the frame of a pose. */
static inline void pose_vector(const struct mech_pose *pose, const double *c, double *v) {
  for (int i = 0; i < 3; ++i) {
    v[i] = pose->R[3 * i] * c[0] + pose->R[3 * i + 1] * c[1] + pose->R[3 * i + 2] * c[2];
  }
}
static inline void pose_point(const struct mech_pose *pose, const double *c, double *x) {
  double v[3];
  pose_vector(pose, c, v);
  v3_along(pose->x, 1, v, x);
}
static inline double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

/* Unit vector normal to the unit vector a: the first world axis that is not close to it, projected.
 */
static inline void v3_across(const double *a, double *c) {
  const int k = fabs(a[0]) < 0.9 ? 0 : 1;
  double e[3] = {0, 0, 0};
  e[k] = 1;
  v3_along(e, -a[k], a, c);
  v3_scale(1 / v3_norm(c), c, c);
}

struct touch_list {
  int n;
  double reach;
  struct mech_touch *out; /* MECH_TOUCH_MAX */
  struct mech_touch none; /* in place of one out of reach */
};

static inline struct mech_piece piece_point(int place, double radius) {
  return (struct mech_piece){.kind = MECH_PIECE_POINT, .place = place, .radius = radius};
}
static inline struct mech_piece piece_line(int axis, int place, double radius) {
  return (struct mech_piece){
      .kind = MECH_PIECE_LINE, .axis = axis, .place = place, .radius = radius};
}
static inline struct mech_piece piece_face(int place, double radius) {
  return (struct mech_piece){.kind = MECH_PIECE_FACE, .place = place, .radius = radius};
}

/* Piece of a box that a point is closest to: v from that to the box, zero along the axes that the
 * piece extends along, in the box's frame. */
static inline struct mech_piece piece_of_box(const double *v) {
  static const enum mech_piece_kind kinds[] = {MECH_PIECE_FACE, MECH_PIECE_FACE, MECH_PIECE_LINE,
                                               MECH_PIECE_POINT};
  struct mech_piece piece = {.axis = 0};
  int across = 0;
  for (int j = 0; j < 3; ++j) {
    across += v[j] != 0;
    piece.axis = v[j] == 0 ? j : piece.axis;
    piece.place = 3 * piece.place + (v[j] > 0 ? 2 : v[j] < 0);
  }
  piece.kind = kinds[across];
  return piece;
}

/* Append a touch with the point on a's surface and the gap along the normal, unless out of reach;
 * in a full list in place of the one with the largest gap, unless its own is no smaller. Of corners
 * without a radius, as long as nobody says more of what is returned. */
static inline struct mech_touch *touch_add(struct touch_list *list, double gap, const double *on_a,
                                           const double *normal, int feature) {
  int at = list->n;
  if (at == MECH_TOUCH_MAX) {
    at = 0;
    for (int i = 1; i < MECH_TOUCH_MAX; ++i) {
      at = list->out[i].gap > list->out[at].gap ? i : at;
    }
  }
  if (!(gap <= list->reach) || (list->n == MECH_TOUCH_MAX && !(gap < list->out[at].gap))) {
    return &list->none;
  }
  list->n += at == list->n;
  struct mech_touch *t = &list->out[at];
  t->gap = gap;
  v3_along(on_a, gap / 2, normal, t->point);
  v3_copy(normal, t->normal);
  t->feature = feature;
  t->piece[0] = t->piece[1] = piece_point(0, 0);
  t->inside = INFINITY;
  return t;
}
static inline void touch_pieces(struct mech_touch *t, struct mech_piece a, struct mech_piece b,
                                double inside) {
  t->piece[0] = a;
  t->piece[1] = b;
  t->inside = inside;
}

/* Of the two shapes in the other order. */
static inline void touch_reverse(struct mech_touch *t) {
  const struct mech_piece first = t->piece[0];
  v3_scale(-1, t->normal, t->normal);
  t->piece[0] = t->piece[1];
  t->piece[1] = first;
}

/* Touch of two balls of radii ra, rb about xa, xb; `fallback` (unit) is the normal where the two
 * centres coincide up to round-off. */
static inline struct mech_touch *touch_add_balls(struct touch_list *list, const double *xa,
                                                 double ra, const double *xb, double rb,
                                                 const double *fallback, int feature) {
  double d[3], on_a[3];
  v3_minus(xb, xa, d);
  const double distance = v3_norm(d);
  const double gap = distance - ra - rb;
  if (!(gap <= list->reach)) {
    return &list->none;
  }
  if (distance > MECH_SAME_PLACE * (ra + rb)) {
    v3_scale(1 / distance, d, d);
  } else {
    v3_copy(fallback, d);
  }
  v3_along(xa, ra, d, on_a);
  struct mech_touch *t = touch_add(list, gap, on_a, d, feature);
  touch_pieces(t, piece_point(0, ra), piece_point(0, rb), INFINITY);
  return t;
}

/* A pair in ascending order of kinds. */
struct touch_pair {
  const struct mech_shape *a, *b;
  const struct mech_pose *pa, *pb;
};

static inline int touch_round(const struct mech_shape *s) {
  return s->kind == MECH_SHAPE_POINT || s->kind == MECH_SHAPE_SPHERE;
}
static inline double touch_ball_radius(const struct mech_shape *s) {
  return s->kind == MECH_SHAPE_POINT ? 0 : s->radius;
}

/* Half-space with a ball or, not planar, with anything; and with anything in the plane. */
void mech_collide_halfspace(const struct touch_pair *p, struct touch_list *list);
void mech_collide_planar_halfspace(const struct touch_pair *p, struct touch_list *list);
/* Two bounded shapes in the plane z = 0. */
void mech_collide_planar(const struct touch_pair *p, struct touch_list *list);
/* Ball with box, capsule, cylinder; two capsules. */
void mech_collide_ball_box(const struct touch_pair *p, struct touch_list *list);
void mech_collide_ball_capsule(const struct touch_pair *p, struct touch_list *list);
void mech_collide_ball_cylinder(const struct touch_pair *p, struct touch_list *list);
void mech_collide_capsules(const struct touch_pair *p, struct touch_list *list);
/* Box with box or capsule. */
void mech_collide_box(const struct touch_pair *pair, struct touch_list *list);
/* Cylinder with box, capsule or cylinder. */
void mech_collide_cylinder(const struct touch_pair *p, struct touch_list *list);
/* The face of a box that looks along n: outward normal, corners in order around, as bits and in the
 * world, the edges from each to the next as numbered by touch_curves, and the place of the
 * piece. */
struct touch_face {
  double normal[3], x[4][3];
  int vertex[4], edge[4], place;
};
void touch_face_along(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                      struct touch_face *face);
/* Whether a point lies over (or under) a face, or beyond it by slack. */
int touch_over_face(const struct touch_face *face, const double *z, double slack);

/* cos of the angle of a cylinder's axis to n, with its sign; 0 of other shapes, which do not
 * stand. */
double touch_stands(const struct mech_shape *s, const struct mech_pose *pose, const double *n);
/* Middle x of the line of a capsule's core, or of a cylinder's side, that is farthest along n. */
void touch_line(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                double x[3]);
/* The end of the cylinder p->a (own 0) or p->b (1) that looks along n with what faces it: the
 * smallest gap, in reach or not. */
double mech_collide_end(const struct touch_pair *p, int own, const double *n,
                        struct touch_list *list);

/* Direction n that parts two cores (boxes, segments of capsules, cylinders; the second a cylinder)
 * best, and their separation along it [m]. known: x is the point of the first where they touch, on
 * the pieces given; not so where n is a direction special to the two, of faces and edges facing
 * each other. */
struct touch_parting {
  double n[3], gap, x[3];
  int known;
  struct mech_piece piece[2];
};
struct touch_parting mech_collide_separate(const struct touch_pair *p);
/* sep(n) of the cores along any unit n [m]: at most that of the best. */
double touch_separation(const struct touch_pair *p, const double *n);

/* Sine below which a face or side is normal or parallel to a direction: rounding. */
static const double square_on = 1e-13;
/* The piece of a shape that is farthest along n. */
struct mech_piece touch_piece_along(const struct mech_shape *s, const struct mech_pose *pose,
                                    const double *n);

/* Whether the deepest point of a rim stands for a point fixed on it, whose quarter of the rim it is
 * in: the fixed one is above it, or with it a second contact at one place. tilt: sine of the angle
 * of the disk to the face; ahead: cosine of the angle on the rim from one to the other. A disk that
 * is flat but for what a step leaves rests on points that do not wander. */
static inline int touch_deepest_covers(double tilt, double ahead) {
  return tilt > 1e-3 && ahead > M_SQRT1_2;
}

/* A curve of a shape that touches may lie on, y(t) = x + t e_0, |t| <= half, of a line, x + cos t
 * e_0 + sin t e_1 of a circle, or the point x. piece.radius: around it. */
struct touch_curve {
  struct mech_piece piece;
  double x[3], e[2][3], half;
};
enum { TOUCH_CURVES = 20 };
/* Edges and corners of a box; the axis and then the two ends (points, rims) of others. */
int touch_curves(const struct mech_shape *s, const struct mech_pose *pose, struct touch_curve *out);
/* t of the point of a curve that is closest to p, to begin with. */
double touch_curve_nearest(const struct touch_curve *c, const double *p);
/* Where two curves, not both points, are closest or farthest near t: t, the points y and the unit
 * normal n, the way round that looks along the one given. 0 and nothing of use where there is no
 * such place on both, or no normal. size: of the shapes. */
int touch_curves_meet(const struct touch_curve *const c[2], double size, double t[2],
                      double y[2][3], double *n);
/* The touch of two such curves of a pair near a point, if its normal is not far off n: its gap, in
 * reach or not, else infinite. None where the list has one there. */
double touch_add_meeting(const struct touch_pair *p, const struct touch_curve *const c[2],
                         const double *from, const double *n, int feature, struct touch_list *list);

#endif
