/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A box with a box or a capsule, a capsule being a box without width (half = 0, 0, half_length) and
 * a radius around it.
 *
 * Axes: the separation along every face normal and every product of edges; the largest, sep, is
 * minus the smallest translation that parts overlapping cores, and a lower bound on the distance of
 * others, exact where a face or two crossing edges are closest.
 *
 * Manifold about the best face (reference), seen along its normal n_r, with the face of the other
 * box most opposed to it (or the segment) as incident polygon. Every place where the outlines
 * coincide is a pair of features of its own, with its own distance and normal:
 *
 *   corner of the incident face over the reference face   normal of the reference face
 *   corner of the reference face under the incident one   normal of the incident face
 *   two edges crossing                                    product of the edges
 *
 * each unless that normal is more than about 25 degrees off n_r, or its foot off the other feature:
 * n_r is then taken instead. The
 * gaps are thus distances of a corner to a plane or of two lines, whose rate is that of the
 * material points up to O(gap). The manifold stands when its smallest gap is sep. Otherwise two
 * edges touch alone, or (cores apart) a corner and an edge or two corners do: then the closest pair
 * of features decides. Edges that are parallel and face each other, neither over a face, touch in
 * one place only.
 *
 * Features, of two boxes: 0 ... 7 corners of the first, 8 ... 15 of the second, 16 ... 31 edges; of
 * box and capsule: 0 ... 7 corners, 8 and 9 ends, 10 ... 21 edges of the box.
 */
#include "mech/collision/parts.h"

/* Outlines closer than this, relative to the smaller core, coincide. */
static const double same_place = 1e-6;
/* Products of edges whose sine is smaller are no axis: the direction would be round-off. */
static const double parallel = 1e-7;
/* Axes must be better than those before them by this, relative to the sizes, to be preferred. */
static const double better = 1e-9;
/* cos of the angle up to which features of a manifold keep their own normals. */
static const double own_normal = 0.9;
/* Smallest gap of a manifold against the separation, relative, for both to be the same. */
static const double same_gap = 1e-4;

struct core {
  const double *x;
  double u[3][3], h[3], radius, size;
  int segment; /* only axis 2 has a length */
};

struct cores {
  struct core c[2];
  double size, smaller; /* sum and smaller of the sizes [m] */
  struct touch_list *list;
};

struct axis {
  double sep, n[3]; /* n from the first to the second */
  int owner, face;  /* a face: of which core, which axis; owner -1: edges */
  int edge[2];
};

static struct core make_core(const struct mech_shape *s, const struct mech_pose *pose) {
  struct core c = {.x = pose->x, .segment = s->kind == MECH_SHAPE_CAPSULE};
  for (int j = 0; j < 3; ++j) {
    pose_axis(pose, j, c.u[j]);
    c.h[j] = c.segment ? (j == 2 ? s->half_length : 0) : s->half[j];
  }
  c.radius = c.segment ? s->radius : 0;
  c.size = v3_norm(c.h) + c.radius;
  return c;
}

/* Corner v of the core, bit j set for the side +axis j; of a segment bit 2 alone matters. */
static void corner(const struct core *c, int v, double *x) {
  v3_copy(c->x, x);
  for (int j = 0; j < 3; ++j) {
    v3_along(x, (v >> j & 1) ? c->h[j] : -c->h[j], c->u[j], x);
  }
}
/* The corner farthest along n; a coordinate without influence takes the lower side. */
static int support(const struct core *c, const double *n, double sign) {
  int v = 0;
  for (int j = 0; j < 3; ++j) {
    v |= (sign * mech_dot3(c->u[j], n) > 0) << j;
  }
  return v;
}
static double extent(const struct core *c, const double *n) {
  return c->h[0] * fabs(mech_dot3(c->u[0], n)) + c->h[1] * fabs(mech_dot3(c->u[1], n)) +
         c->h[2] * fabs(mech_dot3(c->u[2], n));
}
static int corner_feature(const struct cores *p, int k, int v) {
  return k == 0 ? v : p->c[1].segment ? 8 + (v >> 2) : 8 + v;
}

/* The axis n (unit, either way round) into best, when its separation is larger by more than bias.
 */
static void try_axis(const struct cores *p, const double *n, double bias, struct axis trial,
                     struct axis *best) {
  double d[3];
  v3_minus(p->c[1].x, p->c[0].x, d);
  const double along = mech_dot3(d, n);
  trial.sep = fabs(along) - extent(&p->c[0], n) - extent(&p->c[1], n);
  if (trial.sep > best->sep + bias) {
    v3_scale(along < 0 ? -1 : 1, n, trial.n);
    *best = trial;
  }
}

static void find_axes(const struct cores *p, struct axis *face, struct axis *edge) {
  *face = *edge = (struct axis){.sep = -INFINITY};
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3 && !p->c[k].segment; ++j) {
      try_axis(p, p->c[k].u[j], better * p->size, (struct axis){.owner = k, .face = j}, face);
    }
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = p->c[1].segment ? 2 : 0; j < 3; ++j) {
      double n[3];
      mech_cross3(p->c[0].u[i], p->c[1].u[j], n);
      const double sine = v3_norm(n);
      if (sine > parallel) {
        v3_scale(1 / sine, n, n);
        try_axis(p, n, 0, (struct axis){.owner = -1, .edge = {i, j}}, edge);
      }
    }
  }
}

/* One touch of core a at xa and core b at xb (core points, gap along n without the radii). */
static void add_touch(const struct cores *p, double gap, const double *xa, const double *n,
                      int feature) {
  double on_a[3];
  v3_along(xa, p->c[0].radius, n, on_a);
  touch_add(p->list, gap - p->c[0].radius - p->c[1].radius, on_a, n,
            touch_radius(p->c[0].radius, p->c[1].radius), feature);
}

/* --- Manifold about a face ---------------------------------------------------------------------
 */

struct outline {
  int n, vertex[4];           /* 4, or 2 of a segment; corners in order around */
  double x[4][3], flat[4][3]; /* in the world; and seen along n_r: (e1, e2, height) */
  double normal[3];           /* outward; of a face only */
};

/* Corners of the face of c with outward normal sign u[axis], or those of the segment. */
static void make_outline(const struct core *c, int axis, double sign, struct outline *o) {
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  const int around[4] = {0, 1 << j, 1 << j | 1 << k, 1 << k};
  o->n = c->segment ? 2 : 4;
  for (int i = 0; i < o->n; ++i) {
    o->vertex[i] = c->segment ? i << 2 : around[i] | (sign > 0) << axis;
    corner(c, o->vertex[i], o->x[i]);
  }
  v3_scale(sign, c->u[axis], o->normal);
}

struct manifold {
  const struct cores *p;
  int reference, incident; /* cores */
  struct outline face, other;
  double n_r[3], tolerance; /* outward of the reference */
  double half[2], smallest; /* of the reference face; smallest gap of cores so far */
};

/* A pair of features with points x on the reference and y on the incident core, y - x along the
 * normal m (outward of the reference) of its own. */
static void add_features(struct manifold *f, const double *x, const double *y, const double *m,
                         int feature) {
  double d[3], n[3];
  v3_minus(y, x, d);
  const double gap = mech_dot3(d, m);
  f->smallest = fmin(f->smallest, gap);
  v3_scale(f->reference == 0 ? 1 : -1, m, n);
  add_touch(f->p, gap, f->reference == 0 ? x : y, n, feature);
}

/* Whether x, a point of one of the planes of its faces, is on a core. */
static int on_core(const struct core *c, const double *x, double tolerance) {
  double d[3];
  v3_minus(x, c->x, d);
  return fabs(mech_dot3(d, c->u[0])) <= c->h[0] + tolerance &&
         fabs(mech_dot3(d, c->u[1])) <= c->h[1] + tolerance &&
         fabs(mech_dot3(d, c->u[2])) <= c->h[2] + tolerance;
}

static void add_reference_corners(struct manifold *f) {
  for (int i = 0; i < 4 && f->other.n == 4; ++i) {
    const double *c = f->face.flat[i];
    int inside = 1, same = 0;
    double turn = 0;
    for (int k = 0; k < 4; ++k) {
      const double *a = f->other.flat[k], *b = f->other.flat[(k + 1) % 4];
      const double e[2] = {b[0] - a[0], b[1] - a[1]};
      const double side = (e[0] * (c[1] - a[1]) - e[1] * (c[0] - a[0])) / hypot(e[0], e[1]);
      if (k == 0) {
        const double *z = f->other.flat[2];
        turn = e[0] * (z[1] - a[1]) - e[1] * (z[0] - a[0]) > 0 ? 1 : -1;
      }
      inside &= turn * side >= -f->tolerance;
      same |= hypot(c[0] - a[0], c[1] - a[1]) <= f->tolerance;
    }
    const double along = -mech_dot3(f->n_r, f->other.normal);
    if (inside && !same && along > parallel) {
      double m[3], d[3], y[3];
      v3_scale(-1, f->other.normal, m);
      v3_minus(f->other.x[0], f->face.x[i], d);
      v3_along(f->face.x[i], mech_dot3(d, m), m, y);
      if (along < own_normal || !on_core(&f->p->c[f->incident], y, f->tolerance)) {
        v3_along(f->face.x[i], mech_dot3(d, m) / along, f->n_r, y);
        v3_copy(f->n_r, m);
      }
      add_features(f, f->face.x[i], y, m, corner_feature(f->p, f->reference, f->face.vertex[i]));
    }
  }
}

static void add_incident_corners(struct manifold *f) {
  for (int i = 0; i < f->other.n; ++i) {
    const double *c = f->other.flat[i];
    if (fabs(c[0]) <= f->half[0] + f->tolerance && fabs(c[1]) <= f->half[1] + f->tolerance) {
      double x[3];
      v3_along(f->other.x[i], -c[2], f->n_r, x);
      add_features(f, x, f->other.x[i], f->n_r,
                   corner_feature(f->p, f->incident, f->other.vertex[i]));
    }
  }
}

/* Number 0 ... 11 of the edge between two corners of a box: 4 times its direction and the sides. */
static int edge_between(int v, int w) {
  const int bit = v ^ w, direction = bit == 1 ? 0 : bit == 2 ? 1 : 2;
  const int j = (direction + 1) % 3, k = (direction + 2) % 3;
  return 4 * direction + (v >> j & 1) + 2 * (v >> k & 1);
}

/* Common perpendicular m, along n_r, of the edges a + [0, 1] E and c + [0, 1] G and its feet x, y;
 * 0, and nothing changed, when it misses one of them or is far off n_r. */
static int cross_lines(const double *a, const double *E, const double *c, const double *G,
                       const double *n_r, double *m, double *x, double *y) {
  double d[3], n[3];
  mech_cross3(E, G, n);
  const double area = v3_norm(n);
  v3_scale((mech_dot3(n, n_r) < 0 ? -1 : 1) / area, n, n);
  if (!(mech_dot3(n, n_r) >= own_normal)) {
    return 0;
  }
  v3_minus(c, a, d);
  const double EE = mech_dot3(E, E), EG = mech_dot3(E, G), GG = mech_dot3(G, G);
  const double s = (mech_dot3(d, E) * GG - mech_dot3(d, G) * EG) / (area * area);
  const double t = (mech_dot3(d, E) * EG - mech_dot3(d, G) * EE) / (area * area);
  if (!(s >= 0 && s <= 1 && t >= 0 && t <= 1)) {
    return 0;
  }
  v3_copy(n, m);
  v3_along(a, s, E, x);
  v3_along(c, t, G, y);
  return 1;
}

/* Edges i of the reference face and k of the other outline, where they cross. */
static void add_crossing(struct manifold *f, int i, int k) {
  const int i1 = (i + 1) % 4, k1 = (k + 1) % f->other.n;
  const double *a = f->face.flat[i], *b = f->face.flat[i1];
  const double *c = f->other.flat[k], *d = f->other.flat[k1];
  const double e[2] = {b[0] - a[0], b[1] - a[1]}, g[2] = {d[0] - c[0], d[1] - c[1]};
  const double det = e[0] * g[1] - e[1] * g[0];
  const double le = hypot(e[0], e[1]), lg = hypot(g[0], g[1]);
  if (!(fabs(det) > parallel * le * lg)) {
    return;
  }
  const double r[2] = {c[0] - a[0], c[1] - a[1]};
  const double s = (r[0] * g[1] - r[1] * g[0]) / det, t = (r[0] * e[1] - r[1] * e[0]) / det;
  const double s_end = f->tolerance / le, t_end = f->tolerance / lg;
  if (!(s > s_end && s < 1 - s_end && t > t_end && t < 1 - t_end)) {
    return;
  }
  double E[3], G[3], m[3], x[3], y[3];
  v3_minus(f->face.x[i1], f->face.x[i], E);
  v3_minus(f->other.x[k1], f->other.x[k], G);
  v3_along(f->face.x[i], s, E, x);
  v3_along(f->other.x[k], t, G, y);
  if (!cross_lines(f->face.x[i], E, f->other.x[k], G, f->n_r, m, x, y)) {
    v3_copy(f->n_r, m);
  }
  const int first = f->reference == 0 ? i : k, second = f->reference == 0 ? k : i;
  const int feature = f->other.n == 2 ? 10 + edge_between(f->face.vertex[i], f->face.vertex[i1])
                                      : 16 + 4 * first + second;
  add_features(f, x, y, m, feature);
}

/* Touches about a face; the smallest gap of all features, in reach or not. */
static double add_manifold(const struct cores *p, const struct axis *face) {
  struct manifold f = {.p = p,
                       .reference = face->owner,
                       .incident = 1 - face->owner,
                       .tolerance = same_place * p->smaller,
                       .smallest = INFINITY};
  const struct core *r = &p->c[f.reference], *c = &p->c[f.incident];
  const int j = (face->face + 1) % 3, k = (face->face + 2) % 3;
  v3_scale(f.reference == 0 ? 1 : -1, face->n, f.n_r);
  const double sign = mech_dot3(f.n_r, r->u[face->face]) > 0 ? 1 : -1;
  int opposed = 0;
  for (int i = 1; i < 3; ++i) {
    const double against = fabs(mech_dot3(c->u[i], f.n_r));
    opposed = against > fabs(mech_dot3(c->u[opposed], f.n_r)) + better ? i : opposed;
  }
  make_outline(r, face->face, sign, &f.face);
  make_outline(c, opposed, mech_dot3(c->u[opposed], f.n_r) > 0 ? -1 : 1, &f.other);
  f.half[0] = r->h[j];
  f.half[1] = r->h[k];
  for (int side = 0; side < 2; ++side) {
    struct outline *o = side ? &f.other : &f.face;
    for (int i = 0; i < o->n; ++i) {
      double d[3];
      v3_minus(o->x[i], r->x, d);
      o->flat[i][0] = mech_dot3(d, r->u[j]);
      o->flat[i][1] = mech_dot3(d, r->u[k]);
      o->flat[i][2] = mech_dot3(d, f.n_r) - r->h[face->face];
    }
  }
  add_incident_corners(&f);
  add_reference_corners(&f);
  for (int i = 0; i < 4; ++i) {
    for (int e = 0; e < (f.other.n == 2 ? 1 : 4); ++e) {
      add_crossing(&f, i, e);
    }
  }
  return f.smallest;
}

/* --- One pair of features ----------------------------------------------------------------------
 */

struct nearest {
  double distance, xa[3], n[3];
  int feature;
};

static void try_nearest(const double *xa, const double *xb, int feature, struct nearest *best) {
  double d[3];
  v3_minus(xb, xa, d);
  const double distance = v3_norm(d);
  if (distance < best->distance) {
    best->distance = distance;
    best->feature = feature;
    v3_copy(xa, best->xa);
    v3_copy(d, best->n);
  }
}

/* Middle, direction and half length of edge e (as numbered by edge_between) of a core. */
static void edge_line(const struct core *c, int e, double x[3], double u[3], double *half) {
  const int direction = e / 4, j = (direction + 1) % 3, k = (direction + 2) % 3;
  v3_along(c->x, (e & 1) ? c->h[j] : -c->h[j], c->u[j], x);
  v3_along(x, (e & 2) ? c->h[k] : -c->h[k], c->u[k], x);
  v3_copy(c->u[direction], u);
  *half = c->h[direction];
}

static int edge_feature(const struct cores *p, const int e[2]) {
  return p->c[1].segment ? 10 + e[0] : 16 + 4 * (e[0] & 3) + (e[1] & 3);
}

/* Interiors of two edges, where their common perpendicular meets both (0: it does not); with
 * `anywhere` the perpendicular of the lines. */
static int meet_edges(const struct cores *p, const int e[2], int anywhere, double on[2][3]) {
  double x[2][3], u[2][3], half[2], d[3], cross[3], at[2];
  for (int k = 0; k < 2; ++k) {
    edge_line(&p->c[k], e[k], x[k], u[k], &half[k]);
  }
  v3_minus(x[1], x[0], d);
  mech_cross3(u[0], u[1], cross);
  const double sine2 = mech_dot3(cross, cross), cosine = mech_dot3(u[0], u[1]);
  if (sine2 <= parallel * parallel) {
    return 0;
  }
  at[0] = (mech_dot3(d, u[0]) - cosine * mech_dot3(d, u[1])) / sine2;
  at[1] = (cosine * mech_dot3(d, u[0]) - mech_dot3(d, u[1])) / sine2;
  for (int k = 0; k < 2; ++k) {
    if (!anywhere && !(fabs(at[k]) <= half[k])) {
      return 0;
    }
    v3_along(x[k], at[k], u[k], on[k]);
  }
  return 1;
}

/* Closest points of cores that are apart: corners to the other core, edges to edges. */
static void find_nearest(const struct cores *p, struct nearest *best) {
  best->distance = INFINITY;
  for (int k = 0; k < 2; ++k) {
    const struct core *c = &p->c[k], *other = &p->c[1 - k];
    for (int v = 0; v < 8; v += c->segment ? 4 : 1) {
      double x[3], d[3], y[3];
      corner(c, v, x);
      v3_minus(x, other->x, d);
      v3_copy(other->x, y);
      for (int j = 0; j < 3; ++j) {
        v3_along(y, clamp(mech_dot3(d, other->u[j]), -other->h[j], other->h[j]), other->u[j], y);
      }
      try_nearest(k ? y : x, k ? x : y, corner_feature(p, k, v), best);
    }
  }
  const int last = p->c[1].segment;
  for (int i = 0; i < 12; ++i) {
    for (int j = last ? 8 : 0; j < (last ? 9 : 12); ++j) {
      double on[2][3];
      if (meet_edges(p, (int[2]){i, j}, 0, on)) {
        try_nearest(on[0], on[1], edge_feature(p, (int[2]){i, j}), best);
      }
    }
  }
}

/* The two edges that an axis is the product of, along which cores overlap least. */
static void add_edges(const struct cores *p, const struct axis *edge) {
  int e[2];
  for (int k = 0; k < 2; ++k) {
    const int v = support(&p->c[k], edge->n, k ? -1 : 1), direction = edge->edge[k];
    e[k] = edge_between(v, v ^ 1 << direction);
  }
  double on[2][3];
  if (meet_edges(p, e, 1, on)) {
    add_touch(p, edge->sep, on[0], edge->n, edge_feature(p, e));
  }
}

void mech_collide_box(const struct touch_pair *pair, struct touch_list *list) {
  struct cores p = {.c = {make_core(pair->a, pair->pa), make_core(pair->b, pair->pb)},
                    .list = list};
  struct axis face, edge;
  struct nearest nearest;
  p.size = p.c[0].size + p.c[1].size;
  p.smaller = fmin(p.c[0].size, p.c[1].size);
  find_axes(&p, &face, &edge);
  const double sep = fmax(face.sep, edge.sep), round_off = better * p.size;
  /* poses that are no numbers have no axis at all, and touch nothing */
  if (!isfinite(sep) || sep - p.c[1].radius > list->reach) {
    return;
  }
  if (fabs(add_manifold(&p, &face) - sep) <= same_gap * fabs(sep) + 4 * round_off) {
    return;
  }
  list->n = 0;
  if (sep <= round_off) {
    if (edge.sep > face.sep) {
      add_edges(&p, &edge);
    } else {
      add_manifold(&p, &face);
    }
    return;
  }
  find_nearest(&p, &nearest);
  v3_scale(1 / nearest.distance, nearest.n, nearest.n);
  add_touch(&p, nearest.distance, nearest.xa, nearest.n, nearest.feature);
}

double mech_collide_box_about(const struct touch_pair *pair, const double *n,
                              struct touch_list *list) {
  struct cores p = {.c = {make_core(pair->a, pair->pa), make_core(pair->b, pair->pb)},
                    .list = list};
  struct axis face = {.owner = -1};
  double best = own_normal;
  p.size = p.c[0].size + p.c[1].size;
  p.smaller = fmin(p.c[0].size, p.c[1].size);
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3 && !p.c[k].segment; ++j) {
      const double along = mech_dot3(p.c[k].u[j], n);
      if (fabs(along) > best + better) {
        best = fabs(along);
        face.owner = k;
        face.face = j;
        v3_scale(along < 0 ? -1 : 1, p.c[k].u[j], face.n);
      }
    }
  }
  return face.owner < 0 ? INFINITY : add_manifold(&p, &face) - p.c[0].radius - p.c[1].radius;
}
