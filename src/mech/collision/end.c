/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Manifold of an end of a cylinder, a disk, with what faces it: a face of a box, the core of a
 * capsule, the line of contact of a side, or the end of another cylinder. Where the outlines
 * coincide are
 *
 *   corners of the other over the disk         normal of the disk
 *   its edges that cross the rim, rims too     product of the tangents
 *   4 points of the rim under its face         normal of the face
 *   the deepest point of a rim that is tilted
 *
 * each a pair of features with its own distance and normal unless that is more than about 25
 * degrees off n. The four points of the rim lie on the axes of the body: they stand for arcs.
 *
 * Features: 0 ... 7 corners, 8 ... 11 points of the rim of the first, 12 ... 15 of the second
 * shape, 16 + 2 i, 17 + 2 i crossings of edge i, 24 ... 27 of rims, 30 and 31 the deepest points of
 * a rim.
 */
#include "mech/collision/parts.h"

/* cos of the angle up to which features keep their own normals, as for boxes. */
static const double own_normal = 0.9;
/* Points of a rim nearer than this to an edge that it crosses, over the radius, are left out. */
static const double near_crossing = 1e-8;

/* What faces the disk: a polygon of 4 or 2 corners, or a disk with n = 0. */
struct outline {
  int n;
  struct touch_face face; /* of a line the first two corners alone */
  struct mech_piece corner;
};

struct standing {
  const struct touch_pair *p;
  int own; /* which shape the disk is of */
  const struct mech_shape *shape[2];
  const struct mech_pose *pose[2];
  double m[3], centre[3], tolerance; /* m: outward of the disk */
  const double *n;
  struct touch_curve rim[2]; /* own, and the other's where that is a disk */
  int crosses[4];            /* the rim crosses the other's edge, or rim */
  double smallest;
  struct touch_list *list;
};

static struct touch_curve rim_along(const struct mech_shape *s, const struct mech_pose *pose,
                                    const double *out) {
  struct touch_curve curve[TOUCH_CURVES];
  touch_curves(s, pose, curve);
  return curve[1 + (touch_stands(s, pose, out) > 0)];
}

void touch_face_along(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                      struct touch_face *face) {
  double along[3];
  pose_components(pose, n, along);
  int axis = 0;
  for (int j = 1; j < 3; ++j) {
    axis = fabs(along[j]) > fabs(along[axis]) ? j : axis;
  }
  const int j = (axis + 1) % 3, k = (axis + 2) % 3, up = along[axis] > 0;
  const int around[4] = {0, 1 << j, 1 << j | 1 << k, 1 << k};
  /* as numbered by touch_curves: along j below and above in k, and the other way round */
  const int below = 4 * j, beside = 4 * k;
  face->edge[0] = below + (up ? 2 : 0);
  face->edge[1] = beside + (up ? 1 : 0) + 2;
  face->edge[2] = below + (up ? 2 : 0) + 1;
  face->edge[3] = beside + (up ? 1 : 0);
  face->place = 2 * axis + up;
  pose_axis(pose, axis, face->normal);
  v3_scale(up ? 1 : -1, face->normal, face->normal);
  for (int i = 0; i < 4; ++i) {
    double c[3];
    face->vertex[i] = around[i] | up << axis;
    for (int l = 0; l < 3; ++l) {
      c[l] = (face->vertex[i] >> l & 1) ? s->half[l] : -s->half[l];
    }
    pose_point(pose, c, face->x[i]);
  }
}

int touch_over_face(const struct touch_face *face, const double *z, double slack) {
  int inside = 1;
  for (int i = 0; i < 4 && inside; ++i) {
    double g[3], d[3];
    v3_minus(face->x[(i + 1) % 4], face->x[i], g);
    v3_minus(z, face->x[i], d);
    const double along = mech_dot3(g, d) / v3_norm(g);
    inside = along >= -slack && along <= v3_norm(g) + slack;
  }
  return inside;
}

static struct outline outline_of(const struct standing *f) {
  const struct mech_shape *s = f->shape[1 - f->own];
  const struct mech_pose *pose = f->pose[1 - f->own];
  struct outline o = {.corner = piece_point(0, s->kind == MECH_SHAPE_CAPSULE ? s->radius : 0)};
  const double stands = touch_stands(s, pose, f->m);
  double back[3], axis[3], x[3];
  if (s->kind == MECH_SHAPE_BOX) {
    v3_scale(-1, f->m, back);
    touch_face_along(s, pose, back, &o.face);
    o.n = 4;
  } else if (stands * stands > 0.5) {
    pose_axis(pose, 2, o.face.normal);
    v3_scale(stands < 0 ? 1 : -1, o.face.normal, o.face.normal);
  } else {
    o.n = 2;
    o.corner.kind = s->kind == MECH_SHAPE_CYLINDER ? MECH_PIECE_RIM : MECH_PIECE_POINT;
    v3_scale(-1, f->m, back);
    touch_line(s, pose, back, x);
    pose_axis(pose, 2, axis);
    for (int i = 0; i < 2; ++i) {
      o.face.vertex[i] = i;
      v3_along(x, i ? s->half_length : -s->half_length, axis, o.face.x[i]);
    }
  }
  return o;
}

/* A point z of one of the shapes (side) over a face of the other with outward normal m. */
static void add_over(struct standing *f, int side, const double *z, double height, const double *m,
                     struct mech_piece point, struct mech_piece face, int feature) {
  const double ra = f->p->a->kind == MECH_SHAPE_CAPSULE ? f->p->a->radius : 0;
  double n[3], on_a[3];
  v3_scale(side == 0 ? -1 : 1, m, n);
  v3_along(z, side == 0 ? 0 : -height, m, on_a);
  v3_along(on_a, ra, n, on_a);
  f->smallest = fmin(f->smallest, height - ra);
  touch_pieces(touch_add(f->list, height - ra, on_a, n, feature), side == 0 ? point : face,
               side == 0 ? face : point, INFINITY);
}

static int over_disk(const struct touch_curve *rim, const double *z, double slack) {
  double d[3];
  v3_minus(z, rim->x, d);
  const double a = mech_dot3(d, rim->e[0]), b = mech_dot3(d, rim->e[1]);
  const double R2 = mech_dot3(rim->e[0], rim->e[0]);
  return hypot(a, b) <= R2 + slack * sqrt(R2);
}

static void add_corners(struct standing *f, const struct outline *o) {
  for (int i = 0; i < o->n; ++i) {
    if (over_disk(&f->rim[0], o->face.x[i], f->tolerance)) {
      double d[3];
      v3_minus(o->face.x[i], f->centre, d);
      struct mech_piece point = o->corner;
      point.place = o->face.vertex[i];
      add_over(f, 1 - f->own, o->face.x[i], mech_dot3(d, f->m), f->m, point,
               piece_face(f->rim[0].piece.place, 0), o->face.vertex[i]);
    }
  }
}

/* The rim with another curve, from a point near both. */
static void add_crossing(struct standing *f, const struct touch_curve *other, const double *from,
                         int feature) {
  const struct touch_curve *const c[2] = {f->own == 0 ? &f->rim[0] : other,
                                          f->own == 0 ? other : &f->rim[0]};
  f->smallest = fmin(f->smallest, touch_add_meeting(f->p, c, from, f->n, feature, f->list));
}

static void add_edges(struct standing *f, const struct outline *o) {
  const double *e[2] = {f->rim[0].e[0], f->rim[0].e[1]}, R2 = mech_dot3(e[0], e[0]);
  const struct mech_shape *s = f->shape[1 - f->own];
  for (int i = 0; i < (o->n == 2 ? 1 : o->n); ++i) {
    const double *x = o->face.x[i], *next = o->face.x[(i + 1) % o->n];
    double g[3], middle[3], d[3];
    v3_minus(next, x, g);
    v3_along(x, 0.5, g, middle);
    v3_minus(middle, f->centre, d);
    const double length = v3_norm(g);
    v3_scale(1 / length, g, g);
    /* of the projection into the disk's plane, in units of R */
    const double p[2] = {mech_dot3(d, e[0]) / R2, mech_dot3(d, e[1]) / R2};
    const double q[2] = {mech_dot3(g, e[0]) / R2, mech_dot3(g, e[1]) / R2};
    const double A = q[0] * q[0] + q[1] * q[1], B = p[0] * q[0] + p[1] * q[1];
    const double root = sqrt(B * B - A * (p[0] * p[0] + p[1] * p[1] - 1));
    struct touch_curve line = {.half = 0.5 * length};
    const int lies = s->kind == MECH_SHAPE_CYLINDER;
    line.piece = piece_line(2, 0, lies ? s->radius : 0);
    if (s->kind == MECH_SHAPE_BOX) {
      const int along = o->face.vertex[i] ^ o->face.vertex[(i + 1) % 4];
      line.piece.axis = along >> 1;
      line.piece.place = o->face.vertex[i] & o->face.vertex[(i + 1) % 4];
    }
    v3_copy(lies ? f->pose[1 - f->own]->x : middle, line.x);
    v3_copy(g, line.e[0]);
    f->crosses[i] = root > 0;
    for (int w = 0; w < 2 && root > 0; ++w) {
      double from[3];
      v3_along(middle, (w ? root - B : -root - B) / A, g, from);
      add_crossing(f, &line, from, 16 + 2 * i + w);
    }
  }
}

/* The rims of a cylinder that lies on the disk. */
static void add_ends(struct standing *f, const struct outline *o) {
  struct touch_curve curve[TOUCH_CURVES];
  touch_curves(f->shape[1 - f->own], f->pose[1 - f->own], curve);
  for (int i = 0; i < 2; ++i) {
    add_crossing(f, &curve[1 + i], o->face.x[i], 26 + i);
  }
}

/* Rims of two disks, seen along the first. */
static void add_rims(struct standing *f) {
  double d[3], across[3], from[3];
  v3_minus(f->rim[1].x, f->centre, d);
  v3_along(d, -mech_dot3(d, f->m), f->m, d);
  const double apart = v3_norm(d), R = f->shape[f->own]->radius, S = f->shape[1 - f->own]->radius;
  const double a = (apart * apart + R * R - S * S) / (2 * apart), h2 = R * R - a * a;
  mech_cross3(f->m, d, across);
  f->crosses[0] = apart > f->tolerance && h2 > 0;
  for (int w = 0; w < 2 && f->crosses[0]; ++w) {
    v3_along(f->centre, a / apart, d, from);
    v3_along(from, (w ? 1 : -1) * sqrt(h2) / apart, across, from);
    add_crossing(f, &f->rim[1], from, 24 + w);
  }
}

/* Whether a point of the rim lies over the face of the other, and not where both ends of what the
 * rim cuts off an edge are near: these stand for it. */
static int over_other(const struct standing *f, const struct outline *o, const double *z) {
  const double near = near_crossing * f->shape[f->own]->radius;
  if (o->n == 0) {
    return over_disk(&f->rim[1], z, f->crosses[0] ? -near : f->tolerance);
  }
  int inside = o->n == 4 && touch_over_face(&o->face, z, f->tolerance);
  for (int i = 0; i < 4 && inside; ++i) {
    double g[3], d[3];
    v3_minus(o->face.x[(i + 1) % 4], o->face.x[i], g);
    v3_minus(z, o->face.x[i], d);
    v3_along(d, -mech_dot3(d, g) / mech_dot3(g, g), g, d);
    v3_along(d, -mech_dot3(d, o->face.normal), o->face.normal, d);
    inside = !f->crosses[i] || v3_norm(d) > near;
  }
  return inside;
}

/* Four points of a rim over the face of the other shape, outward normal m through x, and its
 * deepest one, which has no direction without a tilt. o NULL: over the disk. */
static void add_arcs(struct standing *f, int side, const struct touch_curve *rim, const double *m,
                     const double *x, const struct outline *o, double slack) {
  const double a = mech_dot3(m, rim->e[0]), b = mech_dot3(m, rim->e[1]), tilt = hypot(a, b);
  const double R = v3_norm(rim->e[0]);
  int is_deepest = tilt > square_on * R;
  for (int k = is_deepest ? 4 : 3; k >= 0; --k) { /* the deepest first: it may stand for another */
    const int deepest = k == 4;
    const double c[2] = {deepest ? -a / tilt : (k % 2 ? 0 : 1 - k),
                         deepest ? -b / tilt : (k % 2 ? 2 - k : 0)};
    double z[3], d[3];
    if (!deepest && is_deepest && touch_deepest_covers(tilt / R, -(a * c[0] + b * c[1]) / tilt)) {
      continue;
    }
    v3_along(rim->x, c[0], rim->e[0], z);
    v3_along(z, c[1], rim->e[1], z);
    const int over = o != NULL ? over_other(f, o, z) : over_disk(&f->rim[0], z, slack);
    if (over) {
      v3_minus(z, x, d);
      add_over(f, side, z, mech_dot3(d, m), m, deepest ? rim->piece : piece_point(4 * side + k, 0),
               piece_face(o == NULL ? f->rim[0].piece.place : o->face.place, 0),
               deepest ? 30 + side : 8 + 4 * side + k);
    } else if (deepest) {
      is_deepest = 0;
    }
  }
}

double mech_collide_end(const struct touch_pair *p, int own, const double *n,
                        struct touch_list *list) {
  struct standing f = {.p = p,
                       .own = own,
                       .shape = {p->a, p->b},
                       .pose = {p->pa, p->pb},
                       .n = n,
                       .smallest = INFINITY,
                       .list = list};
  double out[3];
  f.tolerance = MECH_SAME_PLACE * (mech_shape_bound(p->a) + mech_shape_bound(p->b));
  v3_scale(own == 0 ? 1 : -1, n, out);
  pose_axis(f.pose[own], 2, f.m);
  v3_scale(mech_dot3(f.m, out) < 0 ? -1 : 1, f.m, f.m);
  f.rim[0] = rim_along(f.shape[own], f.pose[own], f.m);
  v3_copy(f.rim[0].x, f.centre);
  const struct outline o = outline_of(&f);
  add_corners(&f, &o);
  if (o.n > 0) {
    add_edges(&f, &o);
    if (o.corner.kind == MECH_PIECE_RIM) {
      add_ends(&f, &o);
    }
  } else {
    const double back[3] = {-f.m[0], -f.m[1], -f.m[2]};
    f.rim[1] = rim_along(f.shape[1 - own], f.pose[1 - own], back);
    add_rims(&f);
    add_arcs(&f, 1 - own, &f.rim[1], f.m, f.centre, NULL,
             f.crosses[0] ? -near_crossing * f.shape[own]->radius : -f.tolerance);
  }
  if (o.n != 2 && -mech_dot3(o.face.normal, f.m) >= own_normal) {
    add_arcs(&f, own, &f.rim[0], o.face.normal, o.n > 0 ? o.face.x[0] : f.rim[1].x, &o,
             f.tolerance);
  }
  return f.smallest;
}
