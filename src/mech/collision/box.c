/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A box with a box or a capsule, a capsule being a box without width (half = 0, 0, half_length) and
 * a radius around it.
 *
 * Axes: the separation along every face normal and every product of edges; the largest, sep, is
 * minus the smallest translation that parts overlapping cores, and a lower bound on the distance of
 * others, exact where a face or two crossing edges are closest.
 *
 * The manifold about the best face (box_manifold.c) stands when its smallest gap is sep. Otherwise
 * two edges touch alone, or (cores apart) a corner and an edge or two corners do: then the closest
 * pair of features decides. Edges of boxes that are parallel and face each other, neither over a
 * face, touch in one place only.
 *
 * A capsule whose segment is outside of the box touches with both ends, wherever on the box their
 * closest points are, with every edge it crosses and every corner it passes: all of them distances
 * of points and lines, which change smoothly as it rolls from a face over an edge. So does the side
 * of a cylinder, as long as it is what is closest.
 */
#include "mech/collision/box.h"

/* Smallest gap of a manifold against the separation, relative, for both to be the same. */
static const double same_gap = 1e-4;

static struct core make_core(const struct mech_shape *s, const struct mech_pose *pose) {
  struct core c = {.x = pose->x, .segment = s->kind != MECH_SHAPE_BOX};
  for (int j = 0; j < 3; ++j) {
    pose_axis(pose, j, c.u[j]);
    c.h[j] = c.segment ? (j == 2 ? s->half_length : 0) : s->half[j];
  }
  c.radius = c.segment ? s->radius : 0;
  c.size = v3_norm(c.h) + c.radius;
  return c;
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

/* Two features at their distance. */
struct features {
  double distance, xa[3], n[3], inside; /* n unit, from the first to the second */
  int feature;
  struct mech_piece piece[2];
};
/* Those of a box and a segment all, of two boxes the closest pair alone. */
struct apart {
  int n, least, has_all;
  struct features of[2 + 8 + 12];
};

static void add_apart(const double *xa, const double *xb, struct features features,
                      struct apart *apart) {
  v3_minus(xb, xa, features.n);
  features.distance = v3_norm(features.n);
  v3_scale(1 / features.distance, features.n, features.n);
  v3_copy(xa, features.xa);
  const int is_least = apart->n == 0 || features.distance < apart->of[apart->least].distance;
  if (apart->has_all || is_least) {
    const int i = apart->has_all ? apart->n : 0;
    apart->of[i] = features;
    apart->least = is_least ? i : apart->least;
    apart->n = i + 1;
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

/* Corner v of core k and the closest point of the other; not its ends, for which their own closest
 * points speak. */
static void add_corner_apart(const struct cores *p, int k, int v, struct apart *apart) {
  const struct core *other = &p->c[1 - k];
  struct features f = {.feature = corner_feature(p, k, v), .inside = INFINITY};
  double x[3], d[3], y[3], beyond[3];
  corner(&p->c[k], v, x);
  v3_minus(x, other->x, d);
  v3_copy(other->x, y);
  for (int j = 0; j < 3; ++j) {
    const double at = mech_dot3(d, other->u[j]), foot = clamp(at, -other->h[j], other->h[j]);
    beyond[j] = foot - at;
    v3_along(y, foot, other->u[j], y);
    if (p->c[k].segment) {
      f.inside = fmin(f.inside, fabs(fabs(at) - other->h[j]));
    }
  }
  f.piece[k] = piece_point(v, 0);
  f.piece[1 - k] = other->segment ? piece_line(2, 0, 0) : piece_of_box(beyond);
  if (!other->segment || beyond[2] == 0) {
    add_apart(k ? y : x, k ? x : y, f, apart);
  }
}

/* Closest points of cores that are apart: corners to the other core, edges to edges. */
static void find_apart(const struct cores *p, struct apart *apart) {
  for (int k = 0; k < 2; ++k) {
    for (int v = 0; v < 8; v += p->c[k].segment ? 4 : 1) {
      add_corner_apart(p, k, v, apart);
    }
  }
  const int last = p->c[1].segment;
  for (int i = 0; i < 12; ++i) {
    for (int j = last ? 8 : 0; j < (last ? 9 : 12); ++j) {
      const int e[2] = {i, j};
      double on[2][3];
      if (meet_edges(p, e, 0, on)) {
        add_apart(on[0], on[1],
                  (struct features){.feature = edge_feature(p, e),
                                    .inside = INFINITY,
                                    .piece = {piece_line(i / 4, i, 0), piece_line(j / 4, j, 0)}},
                  apart);
      }
    }
  }
}

/* Whether the corner or edge of the box where it touches a segment looks along n, or nearly so. */
static int looks_along(const struct core *box, const double *xa, const double *n) {
  const double slack = sqrt(1 - own_normal * own_normal);
  double d[3];
  v3_minus(xa, box->x, d);
  for (int j = 0; j < 3; ++j) {
    const double at = mech_dot3(d, box->u[j]), along = mech_dot3(n, box->u[j]);
    if (fabs(at) >= box->h[j] * (1 - better) && (at < 0 ? -along : along) < -slack) {
      return 0;
    }
  }
  return 1;
}

/* Cores that are apart: the closest pair of features, and of a segment all others that look about
 * the same way, each at its own distance. */
static void add_closest(const struct cores *p) {
  struct apart apart = {.has_all = p->c[1].segment};
  find_apart(p, &apart);
  const struct features *least = &apart.of[apart.least];
  for (int i = 0; i < apart.n; ++i) {
    const struct features *f = &apart.of[i];
    if (f == least ||
        (mech_dot3(f->n, least->n) >= own_normal && looks_along(&p->c[0], f->xa, f->n))) {
      add_touch(p, f->distance, f->xa, f->n, f->feature, f->piece)->inside = f->inside;
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
    add_touch(
        p, edge->sep, on[0], edge->n, edge_feature(p, e),
        (struct mech_piece[]){piece_line(edge->edge[0], 0, 0), piece_line(edge->edge[1], 0, 0)});
  }
}

static struct cores make_cores(const struct touch_pair *pair, struct touch_list *list) {
  struct cores p = {.c = {make_core(pair->a, pair->pa), make_core(pair->b, pair->pb)},
                    .list = list};
  p.size = p.c[0].size + p.c[1].size;
  p.smaller = fmin(p.c[0].size, p.c[1].size);
  return p;
}

void mech_collide_box(const struct touch_pair *pair, struct touch_list *list) {
  const struct cores p = make_cores(pair, list);
  struct axis face, edge;
  find_axes(&p, &face, &edge);
  const double sep = fmax(face.sep, edge.sep), round_off = better * p.size;
  const int is_apart = sep > round_off;
  /* poses that are no numbers have no axis at all, and touch nothing */
  if (!isfinite(sep) || sep - p.c[1].radius > list->reach) {
    return;
  }
  if (!(is_apart && p.c[1].segment) &&
      fabs(box_add_manifold(&p, &face) - sep) <= same_gap * fabs(sep) + 4 * round_off) {
    return;
  }
  list->n = 0;
  if (is_apart) {
    add_closest(&p);
  } else if (edge.sep > face.sep) {
    add_edges(&p, &edge);
  } else {
    box_add_manifold(&p, &face);
  }
}
