/* SPDX-License-Identifier: GPL-3.0-or-later
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
 * n_r is then taken instead. The gaps are thus distances of a corner to a plane or of two lines,
 * whose rate is that of the material points up to O(gap).
 */
#include "mech/collision/box.h"

/* Outlines closer than this, relative to the smaller core, coincide. */
static const double same_place = 1e-6;

struct outline {
  int n, vertex[4];           /* 4, or 2 of a segment; corners in order around */
  double x[4][3], flat[4][3]; /* in the world; and seen along n_r: (e1, e2, height) */
  double normal[3];           /* outward; of a face only */
  int place;                  /* the same, which of the core */
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
  o->place = 2 * axis + (sign > 0);
}

struct manifold {
  const struct cores *p;
  int reference, incident; /* cores */
  struct outline face, other;
  double n_r[3], tolerance; /* outward of the reference */
  double half[2], smallest; /* of the reference face; smallest gap of cores so far */
};

/* A pair of features with points x on the reference and y on the incident core, y - x along the
 * normal m (outward of the reference) of its own. piece: of the reference and the incident core. */
static void add_features(struct manifold *f, const double *x, const double *y, const double *m,
                         int feature, struct mech_piece reference, struct mech_piece incident) {
  double d[3], n[3];
  v3_minus(y, x, d);
  const double gap = mech_dot3(d, m);
  f->smallest = fmin(f->smallest, gap);
  v3_scale(f->reference == 0 ? 1 : -1, m, n);
  const int swap = f->reference == 1;
  add_touch(f->p, gap, swap ? y : x, n, feature,
            (struct mech_piece[]){swap ? incident : reference, swap ? reference : incident});
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
      struct mech_piece piece[] = {piece_point(0, 0), piece_face(f->other.place, 0)};
      if (along < own_normal || !on_core(&f->p->c[f->incident], y, f->tolerance)) {
        v3_along(f->face.x[i], mech_dot3(d, m) / along, f->n_r, y);
        v3_copy(f->n_r, m);
        piece[0] = piece_face(f->face.place, 0);
        piece[1] = piece_point(0, 0);
      }
      add_features(f, f->face.x[i], y, m, corner_feature(f->p, f->reference, f->face.vertex[i]),
                   piece[0], piece[1]);
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
                   corner_feature(f->p, f->incident, f->other.vertex[i]),
                   piece_face(f->face.place, 0), piece_point(0, 0));
    }
  }
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
  struct mech_piece piece[] = {
      piece_line(edge_axis(f->face.vertex[i], f->face.vertex[i1]), 0, 0),
      piece_line(edge_axis(f->other.vertex[k], f->other.vertex[k1]), 0, 0)};
  if (!cross_lines(f->face.x[i], E, f->other.x[k], G, f->n_r, m, x, y)) {
    v3_copy(f->n_r, m);
    piece[0] = piece_face(f->face.place, 0);
    piece[1] = piece_point(0, 0);
  }
  const int first = f->reference == 0 ? i : k, second = f->reference == 0 ? k : i;
  const int feature = f->other.n == 2 ? 10 + edge_between(f->face.vertex[i], f->face.vertex[i1])
                                      : 16 + 4 * first + second;
  add_features(f, x, y, m, feature, piece[0], piece[1]);
}

double box_add_manifold(const struct cores *p, const struct axis *face) {
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
