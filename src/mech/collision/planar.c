/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Planar problems, z = 0: every bounded shape is a convex polygon of 1 (ball, or a capsule or
 * cylinder seen along its axis), 2 (capsule) or 4 corners (box, or a cylinder seen from the side)
 * and a radius around it.
 *
 * The normals of the edges of both polygons hold the direction of least overlap. About the edge of
 * the best one (reference) and the edge of the other polygon most opposed to it (incident), corners
 * of either beside the other's edge touch, each along the normal of the edge it touches unless that
 * is more than about 25 degrees off the reference normal or its foot off the edge; so parallel
 * edges touch at both ends of their overlap. A corner past the end of the edge touches the corner
 * there if either has a radius. Where the smallest of their gaps is not the separation found, two
 * corners are closest and touch alone.
 *
 * Features: 0 ... 3 corners of the first (or its point), 4 ... 7 those of the second.
 */
#include "mech/collision/parts.h"

static const double same_place = 1e-6; /* relative to the smaller polygon, as for boxes */
static const double better = 1e-9;     /* axes, relative to the sizes */
static const double own_normal = 0.9;
static const double same_gap = 1e-4;

struct polygon {
  int n;
  double x[4][3], radius, size; /* corners in order around */
};

struct edge_axis {
  double sep, n[3]; /* outward of the owner */
  int owner, edge;  /* corners edge, edge + 1 */
};

static void add_corner(struct polygon *o, const double *x, double a, const double *u, double b,
                       const double *v) {
  double *c = o->x[o->n++];
  v3_along(x, a, u, c);
  v3_along(c, b, v, c);
  c[2] = 0;
}

static struct polygon make_polygon(const struct mech_shape *s, const struct mech_pose *pose) {
  struct polygon o = {.radius = 0};
  double u[3][3], half[3] = {0, 0, 0};
  int across = 0; /* axis that leaves the plane most */
  for (int j = 0; j < 3; ++j) {
    pose_axis(pose, j, u[j]);
    across = fabs(u[j][2]) > fabs(u[across][2]) ? j : across;
  }
  if (s->kind == MECH_SHAPE_BOX) {
    v3_copy(s->half, half);
  } else if (s->kind == MECH_SHAPE_CYLINDER && across != 2) {
    half[0] = half[1] = s->radius;
    half[2] = s->half_length;
  } else {
    o.radius = touch_ball_radius(s);
    half[2] = s->kind == MECH_SHAPE_CAPSULE ? s->half_length : 0;
  }
  const int j = (across + 1) % 3, k = (across + 2) % 3;
  const double turn = u[across][2] > 0 ? 1 : -1; /* counter-clockwise */
  if (half[j] > 0 && half[k] > 0) {
    add_corner(&o, pose->x, -turn * half[j], u[j], -half[k], u[k]);
    add_corner(&o, pose->x, turn * half[j], u[j], -half[k], u[k]);
    add_corner(&o, pose->x, turn * half[j], u[j], half[k], u[k]);
    add_corner(&o, pose->x, -turn * half[j], u[j], half[k], u[k]);
  } else if (half[2] > 0 && across != 2) {
    add_corner(&o, pose->x, -half[2], u[2], 0, u[2]);
    add_corner(&o, pose->x, half[2], u[2], 0, u[2]);
  } else {
    add_corner(&o, pose->x, 0, u[0], 0, u[1]);
  }
  o.size = hypot(half[j], half[k]) + o.radius;
  return o;
}

/* Outward normal of edge i; of a segment edge 0 looks one way and edge 1 the other. */
static void edge_normal(const struct polygon *o, int i, double *n) {
  double e[3];
  v3_minus(o->x[(i + 1) % o->n], o->x[i], e);
  const double length = hypot(e[0], e[1]);
  n[0] = e[1] / length;
  n[1] = -e[0] / length;
  n[2] = 0;
}

/* Smallest n . (y - x) over the corners y of o. */
static double height(const struct polygon *o, const double *n, const double *x) {
  double least = INFINITY;
  for (int i = 0; i < o->n; ++i) {
    double d[3];
    v3_minus(o->x[i], x, d);
    least = fmin(least, mech_dot3(n, d));
  }
  return least;
}

static struct edge_axis find_axis(const struct polygon o[2]) {
  struct edge_axis best = {.sep = -INFINITY};
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < o[k].n && o[k].n > 1; ++i) {
      struct edge_axis a = {.owner = k, .edge = i};
      edge_normal(&o[k], i, a.n);
      a.sep = height(&o[1 - k], a.n, o[k].x[i]);
      best = a.sep > best.sep + better * (o[0].size + o[1].size) ? a : best;
    }
  }
  return best;
}

struct edges {
  const struct polygon *o; /* 2 */
  struct touch_list *list;
  int is_round;    /* either has a radius */
  double smallest; /* gap of cores */
};

/* Corner v of core k beside edge i of the other core with outward normal m, so far from its ends;
 * the distance is measured along n, outward of the other core too. */
static void add_beside(struct edges *f, int k, int v, int i, const double *m, const double *n,
                       double inside) {
  const struct polygon *other = &f->o[1 - k];
  const double *c = f->o[k].x[v];
  double d[3], on_a[3], normal[3];
  v3_minus(c, other->x[i], d);
  const double gap = mech_dot3(m, d) / mech_dot3(m, n);
  f->smallest = fmin(f->smallest, gap);
  v3_scale(k == 1 ? 1 : -1, n, normal); /* from the first to the second */
  v3_along(c, k == 1 ? -gap : 0, normal, on_a);
  v3_along(on_a, f->o[0].radius, normal, on_a);
  struct mech_touch *t =
      touch_add(f->list, gap - f->o[0].radius - f->o[1].radius, on_a, normal, 4 * k + v);
  const int face = m == n ? 1 - k : k; /* whose normal it is */
  t->piece[face] = piece_face(i, f->o[face].radius);
  t->piece[1 - face] = piece_point(v, f->o[1 - face].radius);
  t->inside = f->is_round ? inside : INFINITY;
}

/* Corner v of core k past corner w of the other by so much. */
static void add_past(struct edges *f, int k, int v, int w, double past) {
  static const double first[3] = {1, 0, 0};
  const int of[2] = {k == 0 ? v : w, k == 0 ? w : v};
  const double *x[2] = {f->o[0].x[of[0]], f->o[1].x[of[1]]};
  struct mech_touch *t =
      touch_add_balls(f->list, x[0], f->o[0].radius, x[1], f->o[1].radius, first, 4 * k + v);
  f->smallest = fmin(f->smallest, hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]));
  for (int i = 0; i < 2; ++i) {
    t->piece[i].place = of[i];
  }
  t->inside = past;
}

/* Corners of both about the reference edge; the smallest gap of cores. */
static double add_edges(const struct polygon o[2], const struct edge_axis *r,
                        struct touch_list *list) {
  struct edges f = {.o = o, .list = list, .smallest = INFINITY};
  f.is_round = o[0].radius + o[1].radius > 0;
  const struct polygon *owner = &o[r->owner], *other = &o[1 - r->owner];
  const double tolerance = same_place * fmin(o[0].size, o[1].size);
  const int ends[2] = {r->edge, (r->edge + 1) % owner->n};
  const double *a = owner->x[ends[0]], *b = owner->x[ends[1]];
  double e[3], d[3], m[3], back[3] = {0, 0, 0}, at[2] = {NAN, NAN};
  int incident = 0, taken[2] = {0, 0};
  v3_minus(b, a, e);
  const double length = hypot(e[0], e[1]);
  for (int i = 0; i < other->n && other->n > 1; ++i) {
    edge_normal(other, i, m);
    if (i == 0 || mech_dot3(m, r->n) < mech_dot3(back, r->n) - better) {
      incident = i;
      v3_copy(m, back);
    }
  }
  for (int i = 0; i < (other->n > 1 ? 2 : 1); ++i) {
    const int v = (incident + i) % other->n;
    v3_minus(other->x[v], a, d);
    at[i] = mech_dot3(d, e) / length;
    const double within = fmin(at[i], length - at[i]), slack = f.is_round ? 0 : tolerance;
    taken[i] = f.is_round || within >= -tolerance;
    if (within >= -slack) {
      add_beside(&f, 1 - r->owner, v, r->edge, r->n, r->n, fabs(within));
    } else if (f.is_round) {
      add_past(&f, 1 - r->owner, v, ends[at[i] > 0], -within);
    }
  }
  const double facing = -mech_dot3(back, r->n);
  for (int i = 0; i < 2 && facing > better; ++i) {
    const double here = i ? length : 0;
    const int same = (taken[0] && fabs(at[0] - here) <= tolerance) ||
                     (taken[1] && fabs(at[1] - here) <= tolerance);
    if (!same && here > fmin(at[0], at[1]) && here < fmax(at[0], at[1])) {
      const double reversed[3] = {-r->n[0], -r->n[1], 0};
      double g[3];
      v3_minus(owner->x[ends[i]], other->x[incident], d);
      v3_minus(other->x[(incident + 1) % other->n], other->x[incident], g);
      const double whole = v3_norm(g), foot = mech_dot3(d, g) / whole;
      const double within = fmin(foot, whole - foot);
      if (within >= 0 || !f.is_round) {
        add_beside(&f, r->owner, ends[i], incident, back,
                   facing >= own_normal && within >= 0 ? back : reversed, fabs(within));
      }
    }
  }
  return f.smallest;
}

/* The two corners closest to each other, with the feature of one that has a radius. */
static void add_corners(const struct polygon o[2], struct touch_list *list) {
  struct edges f = {.o = o, .list = list, .smallest = INFINITY};
  const int k = o[1].radius > 0 && !(o[0].radius > 0);
  int best[2] = {0, 0};
  double least = INFINITY;
  for (int i = 0; i < o[0].n; ++i) {
    for (int j = 0; j < o[1].n; ++j) {
      const double distance = hypot(o[0].x[i][0] - o[1].x[j][0], o[0].x[i][1] - o[1].x[j][1]);
      if (distance < least) {
        least = distance;
        best[0] = i;
        best[1] = j;
      }
    }
  }
  add_past(&f, k, best[k], best[1 - k], INFINITY);
}

void mech_collide_planar(const struct touch_pair *p, struct touch_list *list) {
  const struct polygon o[2] = {make_polygon(p->a, p->pa), make_polygon(p->b, p->pb)};
  const struct edge_axis r = find_axis(o);
  const double round_off = better * (o[0].size + o[1].size);
  if (r.sep - o[0].radius - o[1].radius > list->reach) {
    return;
  }
  if (r.sep > -INFINITY) {
    const double smallest = add_edges(o, &r, list);
    if (r.sep <= round_off || fabs(smallest - r.sep) <= same_gap * r.sep + round_off) {
      return;
    }
    list->n = 0;
  }
  add_corners(o, list);
}

void mech_collide_planar_halfspace(const struct touch_pair *p, struct touch_list *list) {
  const struct polygon o = make_polygon(p->a, p->pa);
  double e[3];
  pose_axis(p->pb, 2, e);
  for (int i = 0; i < o.n; ++i) {
    double d[3], on_a[3];
    const double normal[3] = {-e[0], -e[1], -e[2]};
    v3_minus(o.x[i], p->pb->x, d);
    v3_along(o.x[i], -o.radius, e, on_a);
    struct mech_touch *t = touch_add(list, mech_dot3(e, d) - o.radius, on_a, normal, i);
    touch_pieces(t, piece_point(i, o.radius), piece_face(0, 0), INFINITY);
  }
}
