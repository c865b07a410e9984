/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The direction that parts two convex cores best: n (unit, from the first to the second) with
 *
 *   sep(n) = n . (x_b - x_a) - s_a(n) - s_b(-n)  ->  max,   s the support functions,
 *
 * whose maximum is the distance of cores that are apart and minus the depth of others. The set
 * {b - a} is searched for the point nearest to the origin: from outside over simplices of support
 * points (Gilbert, Johnson, Keerthi 1988), from inside over a polytope that grows at its nearest
 * face (van den Bergen 2001). Both end at a tolerance relative to the sizes: what they find is
 * where Newton's method on edges, rims and axes begins (curves.c), whose directions are exact.
 * Directions that are special to the two (normals of faces, axes, their products) are tried as well
 * and win ties, so that flat contacts have exact normals.
 */
#include "mech/collision/parts.h"

#include <string.h>

enum { GJK_MAX = 100, EPA_POINTS = 96, EPA_FACES = 2 * EPA_POINTS };
static const double converged = 1e-11; /* of the distance; relative to it, or to the sizes */
static const double coarse = 1e-9;     /* what is found counts if better by this, of the sizes */
static const double tie = 1e-13; /* directions before others win ties, of the sizes: rounding */

/* Farthest point of a core along n (any length). */
static void support(const struct mech_shape *s, const struct mech_pose *pose, const double *n,
                    double *x) {
  double c[3], at[3] = {0, 0, 0};
  pose_components(pose, n, c);
  if (s->kind == MECH_SHAPE_BOX) {
    for (int j = 0; j < 3; ++j) {
      at[j] = c[j] < 0 ? -s->half[j] : s->half[j];
    }
  } else {
    const double rho = hypot(c[0], c[1]);
    at[2] = c[2] < 0 ? -s->half_length : s->half_length;
    if (s->kind == MECH_SHAPE_CYLINDER && rho > 0) {
      at[0] = s->radius * c[0] / rho;
      at[1] = s->radius * c[1] / rho;
    }
  }
  pose_point(pose, at, x);
}

/* Point w: 6 = (b - a, a) of the difference farthest along -n: what limits sep(n). */
static void difference(const struct touch_pair *p, const double *n, double *w) {
  double xb[3];
  const double back[3] = {-n[0], -n[1], -n[2]};
  support(p->a, p->pa, n, w + 3);
  support(p->b, p->pb, back, xb);
  v3_minus(xb, w + 3, w);
}

/* z += t (y - x), of points of the difference (6). */
static void move_points(double *z, double t, const double *x, const double *y) {
  for (int i = 0; i < 6; ++i) {
    z[i] += t * (y[i] - x[i]);
  }
}

double touch_separation(const struct touch_pair *p, const double *n) {
  double w[6];
  difference(p, n, w);
  return mech_dot3(n, w);
}

/* Nearest point v to the origin of the affine hull of k = 1 ... 3 points; 0 when it is not inside
 * their hull. */
static int nearest_of(int k, const double *const w[3], double *v) {
  double e[2][3];
  memcpy(v, w[0], 6 * sizeof *v);
  for (int i = 1; i < k; ++i) {
    v3_minus(w[i], w[0], e[i - 1]);
  }
  if (k == 2) {
    const double t = -mech_dot3(w[0], e[0]) / mech_dot3(e[0], e[0]);
    move_points(v, t, w[0], w[1]);
    return t >= 0 && t <= 1;
  }
  if (k == 3) {
    /* The second edge made orthogonal to the first keeps digits in thin triangles. */
    const double a = mech_dot3(e[0], e[0]), along = mech_dot3(e[0], e[1]) / a;
    double across[3];
    v3_along(e[1], -along, e[0], across);
    const double b = mech_dot3(across, across);
    const double t = -mech_dot3(w[0], across) / b;
    const double s = -mech_dot3(w[0], e[0]) / a - t * along;
    move_points(v, s, w[0], w[1]);
    move_points(v, t, w[0], w[2]);
    return b > 0 && s >= 0 && t >= 0 && s + t <= 1;
  }
  return 1;
}

/* Whether the tetrahedron holds the origin. */
static int holds_origin(double w[4][6]) {
  for (int i = 0; i < 4; ++i) {
    const double *a = w[(i + 1) % 4], *b = w[(i + 2) % 4], *c = w[(i + 3) % 4];
    double e[3], g[3], n[3], d[3];
    v3_minus(b, a, e);
    v3_minus(c, a, g);
    mech_cross3(e, g, n);
    v3_minus(w[i], a, d);
    if (!(mech_dot3(n, d) * -mech_dot3(n, a) > 0)) {
      return 0;
    }
  }
  return 1;
}

/* The face of n points nearest to the origin: v, the points kept first in w; their number. */
static int reduce(int n, double w[4][6], double *v) {
  double least = INFINITY, kept[3][6];
  int count = 0;
  for (int set = 1; set < 1 << n; ++set) {
    const double *of[3];
    double at[6];
    int k = 0;
    for (int i = 0; i < n && k < 4; ++i) {
      if (set >> i & 1) {
        if (k < 3) {
          of[k] = w[i];
        }
        k++;
      }
    }
    if (k < 4 && nearest_of(k, of, at) && mech_dot3(at, at) < least) {
      least = mech_dot3(at, at);
      memcpy(v, at, sizeof at);
      count = k;
      for (int i = 0; i < k; ++i) {
        memcpy(kept[i], of[i], sizeof kept[i]);
      }
    }
  }
  memcpy(w, kept, (size_t)count * sizeof *kept);
  return count;
}

/* Points added to k = 1 ... 3 with the origin in their hull until they span a tetrahedron; 0 when
 * the difference is flat. */
static int span(const struct touch_pair *p, double size, int k, double w[4][6]) {
  for (; k < 4; ++k) {
    double e[3], g[3], reached = 0;
    for (int i = 0; i < 6; ++i) {
      double far[6], off[3], direction[3] = {0, 0, 0};
      direction[i / 2] = i % 2 ? -1 : 1;
      v3_minus(w[k > 1], w[0], e);
      v3_minus(w[k > 2 ? 2 : 0], w[0], g);
      if (k == 2) { /* off the line */
        mech_cross3(e, (double[3]){direction[0], direction[1], direction[2]}, direction);
      } else if (k == 3) { /* off the plane */
        mech_cross3(e, g, direction);
        v3_scale(i % 2 ? -1 : 1, direction, direction);
      }
      const double length = v3_norm(direction);
      if (length > 0) {
        v3_scale(1 / length, direction, direction);
        difference(p, direction, far);
        v3_minus(far, w[0], off);
        if (-mech_dot3(off, direction) > reached) {
          reached = -mech_dot3(off, direction);
          memcpy(w[k], far, sizeof far);
        }
      }
    }
    if (!(reached > coarse * size)) {
      return 0;
    }
  }
  return 1;
}

/* The direction from outside and the place v: 6 = (b - a, a). Returns whether cores overlap, with a
 * tetrahedron about the origin in w. Of cores that touch, nearest points may go round in rounding:
 * then it is the direction seen that parts them best. */
static int search_outside(const struct touch_pair *p, double size, double w[4][6], double *n,
                          double *v) {
  int k = 1;
  double best = -INFINITY, of_best[3] = {0, 0, 0};
  v3_minus(p->pb->x, p->pa->x, n);
  if (v3_norm(n) > 0) {
    v3_scale(1 / v3_norm(n), n, n);
  } else {
    pose_axis(p->pa, 0, n);
  }
  difference(p, n, w[0]);
  memcpy(v, w[0], sizeof w[0]);
  for (int i = 0; i < GJK_MAX && k > 0; ++i) {
    const double distance = v3_norm(v);
    if (distance <= MECH_SAME_PLACE * size) {
      return span(p, size, k, w);
    }
    v3_scale(1 / distance, v, n);
    double far[6];
    difference(p, n, far);
    if (distance - mech_dot3(n, far) <= converged * (distance + size)) {
      return 0;
    }
    if (mech_dot3(n, far) > best) {
      best = mech_dot3(n, far);
      v3_copy(n, of_best);
    }
    memcpy(w[k++], far, sizeof far);
    if (k == 4 && mech_dot3(n, far) <= 0 && holds_origin(w)) {
      return 1;
    }
    k = reduce(k, w, v);
  }
  v3_copy(of_best, n);
  return 0;
}

struct polytope {
  double w[EPA_POINTS][6];
  struct {
    int v[3];
    double n[3], distance; /* outward */
  } face[EPA_FACES];
  int points, faces;
};

static int add_face(struct polytope *t, int a, int b, int c) {
  double e[3], g[3], n[3];
  v3_minus(t->w[b], t->w[a], e);
  v3_minus(t->w[c], t->w[a], g);
  mech_cross3(e, g, n);
  const double area = v3_norm(n);
  if (t->faces == EPA_FACES || !(area > MECH_SAME_PLACE * v3_norm(e) * v3_norm(g))) {
    return 0;
  }
  const int k = t->faces++;
  t->face[k].v[0] = a;
  t->face[k].v[1] = b;
  t->face[k].v[2] = c;
  v3_scale(1 / area, n, t->face[k].n);
  t->face[k].distance = mech_dot3(t->face[k].n, t->w[a]);
  return 1;
}

/* Replace the faces that see the last point by those that join it to their rim; 0 when that
 * degenerates. */
static int grow(struct polytope *t, double tolerance) {
  int edge[3 * EPA_FACES][2], edges = 0;
  const int last = t->points - 1;
  for (int f = 0; f < t->faces;) {
    if (mech_dot3(t->face[f].n, t->w[last]) - t->face[f].distance <= tolerance) {
      f++;
      continue;
    }
    for (int i = 0; i < 3; ++i) {
      const int a = t->face[f].v[i], b = t->face[f].v[(i + 1) % 3];
      int k = 0;
      for (; k < edges && !(edge[k][0] == b && edge[k][1] == a); ++k) {
      }
      if (k < edges) { /* inside: seen from both sides */
        edge[k][0] = edge[edges - 1][0];
        edge[k][1] = edge[--edges][1];
      } else {
        edge[edges][0] = a;
        edge[edges++][1] = b;
      }
    }
    t->face[f] = t->face[--t->faces];
  }
  for (int k = 0; k < edges; ++k) {
    if (!add_face(t, edge[k][0], edge[k][1], last)) {
      return 0;
    }
  }
  return edges > 0;
}

/* The direction and the place from inside, from a tetrahedron about the origin. */
static void search_inside(const struct touch_pair *p, double size, double w[4][6], double *n,
                          double *v) {
  static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
  struct polytope t = {.points = 4};
  double e[3][3], normal[3], best = -INFINITY;
  memcpy(t.w, w, 4 * sizeof *w);
  for (int i = 0; i < 3; ++i) {
    v3_minus(w[i + 1], w[0], e[i]);
  }
  mech_cross3(e[0], e[1], normal);
  const int flip = mech_dot3(normal, e[2]) > 0;
  for (int f = 0; f < 4; ++f) {
    if (!add_face(&t, faces[f][0], faces[f][flip ? 2 : 1], faces[f][flip ? 1 : 2])) {
      return;
    }
  }
  while (t.points < EPA_POINTS) {
    int nearest = 0;
    for (int f = 1; f < t.faces; ++f) {
      nearest = t.face[f].distance < t.face[nearest].distance ? f : nearest;
    }
    double trial[3];
    v3_scale(-1, t.face[nearest].n, trial);
    double *far = t.w[t.points];
    difference(p, trial, far);
    const double sep = mech_dot3(trial, far), missing = -sep - t.face[nearest].distance;
    if (sep > best) {
      const int *of = t.face[nearest].v;
      best = sep;
      v3_copy(trial, n);
      nearest_of(3, (const double *const[3]){t.w[of[0]], t.w[of[1]], t.w[of[2]]}, v);
    }
    if (missing <= converged * size) {
      return;
    }
    t.points++;
    if (!grow(&t, converged * size / 8)) {
      return;
    }
  }
}

static void try_direction(const struct touch_pair *p, const double *direction, double bias,
                          struct touch_parting *best) {
  const double length = v3_norm(direction);
  for (int sign = -1; sign <= 1 && length > 1e-6; sign += 2) {
    double trial[3];
    v3_scale(sign / length, direction, trial);
    const double sep = touch_separation(p, trial);
    if (sep > best->gap + bias) {
      best->gap = sep;
      v3_copy(trial, best->n);
    }
  }
}

/* Better than the direction at hand: that of two curves through the place v, to round-off. */
static void refine(const struct touch_pair *p, double size, const double *v,
                   struct touch_parting *best) {
  struct touch_curve curve[2][TOUCH_CURVES];
  const int count[2] = {touch_curves(p->a, p->pa, curve[0]), touch_curves(p->b, p->pb, curve[1])};
  double at[2][3];
  v3_copy(v + 3, at[0]);
  v3_along(v + 3, 1, v, at[1]);
  for (int i = 0; i < count[0] * count[1]; ++i) {
    const struct touch_curve *const c[2] = {&curve[0][i % count[0]], &curve[1][i / count[0]]};
    double t[2], y[2][3], trial[3], d[3];
    for (int k = 0; k < 2; ++k) {
      t[k] = touch_curve_nearest(c[k], at[k]);
    }
    v3_copy(best->n, trial);
    if (!touch_curves_meet(c, size, t, y, trial)) {
      continue;
    }
    v3_minus(y[1], y[0], d);
    double sep = touch_separation(p, trial), other;
    v3_scale(-1, trial, trial);
    other = touch_separation(p, trial);
    v3_scale(other > sep ? 1 : -1, trial, trial);
    sep = fmax(sep, other);
    const double gap = mech_dot3(trial, d) - c[0]->piece.radius - c[1]->piece.radius;
    if (sep > best->gap + tie * size && fabs(sep - gap) <= tie * size) {
      v3_copy(trial, best->n);
      v3_along(y[0], c[0]->piece.radius, trial, best->x);
      best->gap = sep;
      best->known = 1;
      best->piece[0] = c[0]->piece;
      best->piece[1] = c[1]->piece;
    }
  }
}

struct touch_parting mech_collide_separate(const struct touch_pair *p) {
  const double size = mech_shape_bound(p->a) + mech_shape_bound(p->b);
  struct touch_parting best = {.gap = -INFINITY};
  double found[3], v[6], w[4][6], axis[2][3][3], cross[3], d[3];
  for (int j = 0; j < 3; ++j) {
    pose_axis(p->pa, j, axis[0][j]);
    pose_axis(p->pb, j, axis[1][j]);
  }
  for (int k = 0; k < 2; ++k) {
    const int box = (k ? p->b : p->a)->kind == MECH_SHAPE_BOX;
    for (int j = box ? 0 : 2; j < 3; ++j) {
      try_direction(p, axis[k][j], tie * size, &best);
    }
  }
  v3_minus(p->pb->x, p->pa->x, d);
  for (int k = p->a->kind == MECH_SHAPE_BOX; k < 2; ++k) { /* radially */
    v3_along(d, -mech_dot3(d, axis[k][2]), axis[k][2], cross);
    try_direction(p, cross, tie * size, &best);
  }
  for (int i = p->a->kind == MECH_SHAPE_BOX ? 0 : 2; i < 3; ++i) {
    mech_cross3(axis[0][i], axis[1][2], cross);
    try_direction(p, cross, tie * size, &best);
  }
  if (search_outside(p, size, w, found, v)) {
    search_inside(p, size, w, found, v);
  }
  const double sep = touch_separation(p, found), back[3] = {-best.n[0], -best.n[1], -best.n[2]};
  best.piece[0] = touch_piece_along(p->a, p->pa, best.n);
  best.piece[1] = touch_piece_along(p->b, p->pb, back);
  refine(p, size, v, &best);
  if (sep > best.gap + coarse * size) { /* two points, or no way to round-off */
    best = (struct touch_parting){.gap = sep, .known = 1};
    v3_copy(found, best.n);
    v3_copy(v + 3, best.x);
    best.piece[0] = touch_piece_along(p->a, p->pa, found);
    best.piece[1] = touch_piece_along(p->b, p->pb, (double[3]){-found[0], -found[1], -found[2]});
  }
  return best;
}
