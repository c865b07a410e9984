/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cores of a box with a box or a capsule, and their features, for the two files that make touches
 * of them: box.c and box_manifold.c.
 *
 * Features, of two boxes: 0 ... 7 corners of the first, 8 ... 15 of the second, 16 ... 31 edges; of
 * box and capsule: 0 ... 7 corners, 8 and 9 ends, 10 ... 21 edges of the box.
 */
#ifndef MECH_COLLISION_BOX_H
#define MECH_COLLISION_BOX_H

#include "mech/collision/parts.h"

/* Products of edges whose sine is smaller are no axis: the direction would be round-off. */
static const double parallel = 1e-7;
/* Axes must be better than those before them by this, relative to the sizes, to be preferred. */
static const double better = 1e-9;
/* cos of the angle up to which features of a manifold keep their own normals. */
static const double own_normal = 0.9;

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

/* Corner v of the core, bit j set for the side +axis j; of a segment bit 2 alone matters. */
static inline void corner(const struct core *c, int v, double *x) {
  v3_copy(c->x, x);
  for (int j = 0; j < 3; ++j) {
    v3_along(x, (v >> j & 1) ? c->h[j] : -c->h[j], c->u[j], x);
  }
}

static inline int corner_feature(const struct cores *p, int k, int v) {
  return k == 0 ? v : p->c[1].segment ? 8 + (v >> 2) : 8 + v;
}

/* Axis along the edge between two corners of a box, or a segment. */
static inline int edge_axis(int v, int w) {
  const int bit = v ^ w;
  return bit == 1 ? 0 : bit == 2 ? 1 : 2;
}
/* Number 0 ... 11 of such an edge: 4 times its axis and the sides. */
static inline int edge_between(int v, int w) {
  const int direction = edge_axis(v, w);
  const int j = (direction + 1) % 3, k = (direction + 2) % 3;
  return 4 * direction + (v >> j & 1) + 2 * (v >> k & 1);
}

/* One touch of core a at xa and core b at xb (core points, gap along n without the radii). */
static inline struct mech_touch *add_touch(const struct cores *p, double gap, const double *xa,
                                           const double *n, int feature,
                                           const struct mech_piece piece[2]) {
  double on_a[3];
  v3_along(xa, p->c[0].radius, n, on_a);
  struct mech_touch *t =
      touch_add(p->list, gap - p->c[0].radius - p->c[1].radius, on_a, n, feature);
  for (int k = 0; k < 2; ++k) {
    t->piece[k] = piece[k];
    t->piece[k].radius = p->c[k].radius;
  }
  return t;
}

/* Touches about a face; the smallest gap of all features, in reach or not. */
double box_add_manifold(const struct cores *p, const struct axis *face);

#endif
