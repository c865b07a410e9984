/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes and where they touch: the narrow phase (one pair of shapes to at most MECH_TOUCH_MAX
 * places) and the broad phase (all pairs whose surfaces may be within reach, at a cost linear in
 * their number, sizes may differ). Lengths are those of the problem: no margin of its own.
 *
 * For every place: gap [m], negative in penetration, its point half-way between the two surfaces,
 * the normal from the first shape to the second, and a number of the feature (a corner, an end, an
 * edge pair) that stays the same as long as the same features touch. The rate of the gap is the
 * relative velocity of the two bodies at the point along the normal, exactly for spheres and
 * corners and wherever the gap is the smallest of the pair, up to O(gap) else (a corner
 * beside a tilted face moves along the surface as well). The pieces of the shapes that touch say
 * how place and normal move.
 */
#ifndef MECH_COLLISION_H
#define MECH_COLLISION_H

#include "base/memory/arena.h"

enum mech_shape_kind {
  MECH_SHAPE_POINT,
  MECH_SHAPE_SPHERE,   /* radius */
  MECH_SHAPE_BOX,      /* half[3] */
  MECH_SHAPE_CAPSULE,  /* radius, half_length: segment along its z axis */
  MECH_SHAPE_CYLINDER, /* radius, half_length: solid, along its z axis */
  MECH_SHAPE_HALFSPACE /* below its z = 0: outward normal its z axis; fixed to the world only */
};
enum { MECH_SHAPE_KINDS = MECH_SHAPE_HALFSPACE + 1 };
const char *mech_shape_name(enum mech_shape_kind kind); /* as in scene files */

struct mech_shape {
  enum mech_shape_kind kind;
  int body;              /* -1: the world */
  int material;          /* index */
  double offset[3];      /* of its centre in the body's frame [m] */
  double orientation[4]; /* unit quaternion, shape to body; all zero: none */
  double radius;         /* [m] */
  double half[3];        /* [m] */
  double half_length;    /* [m] */
};

struct mech_pose {
  double x[3]; /* [m] */
  double R[9]; /* columns: the axes, row-major (R[3 i + j]: component i of axis j) [-] */
};

/* Radius of the ball about the shape's centre that holds it; infinite for a half-space. */
double mech_shape_bound(const struct mech_shape *shape);

/* Smooth piece of a core on which the closest point lies, with a radius around it. The distance of
 * two shapes is smooth as long as both pieces stay; its curvature jumps where one changes. */
enum mech_piece_kind {
  MECH_PIECE_POINT, /* a corner, an end, a centre */
  MECH_PIECE_LINE,  /* along an axis of the shape: an edge, the axis of a capsule */
  MECH_PIECE_FACE,  /* a plane normal to the touch */
  MECH_PIECE_RIM    /* a circle about axis 2 */
};
struct mech_piece {
  enum mech_piece_kind kind;
  int axis, place; /* of a line; which of the pieces of this kind and axis */
  double radius;   /* [m] */
};

enum { MECH_TOUCH_MAX = 8, MECH_TOUCH_FEATURES = 32 };
struct mech_touch {
  double gap;                 /* [m] */
  double point[3], normal[3]; /* world [m], [-] */
  int feature;                /* 0 ... MECH_TOUCH_FEATURES - 1, unique within the pair */
  struct mech_piece piece[2]; /* of the first and the second shape */
  double inside; /* distance of a closest point to the next piece [m]; infinite where the feature
                    ends with the piece */
};
/* Lengths below this part of the sizes are rounding. */
static const double MECH_SAME_PLACE = 1e-14;
/* Places of the pair (a, b) with gap <= reach, features ascending; their number. With reach
 * infinite, of shapes with a fixed set of potential contacts (points, spheres, and corners or ends
 * against a half-space) all of them. poses are those of the shapes, not of their bodies. Pairs that
 * cannot touch (two half-spaces, two points) give none.
 *
 * The smallest gap is the distance, or minus the smallest translation that parts the two, exact to
 * round-off. (b, a) gives the same places with reversed normals; only balls with one centre have
 * the world's first axis as normal in both orders.
 *
 * Planar problems (planar != 0) live in z = 0, where every bounded shape is its outline: a box four
 * corners, a cylinder or capsule seen along its axis a disk, a cylinder seen from the side a box.
 * The axis of a half-space lies in the plane. */
int mech_collide(const struct mech_shape *a, const struct mech_pose *pose_a,
                 const struct mech_shape *b, const struct mech_pose *pose_b, int planar,
                 double reach, struct mech_touch *out);

/* Broad phase: pairs i < j of balls (centre, radius bound) with distance of surfaces <= reach, and
 * of every ball with the half-spaces it is within reach of, in ascending order of (i, j), at a cost
 * linear in shapes and pairs. Of pairs with a box those are left out whose ball does not reach the
 * box itself, and pairs of two points. Pairs within a group (same body) are left out too, and
 * shapes of group MECH_GROUP_NONE (inactive) altogether. What it needs to find them, 54 bytes a
 * shape and 8 a pair, is marked and released in `scratch`; what it found, 4 bytes a shape and a
 * pair, is kept in an arena of its own, a child of the one given. A ball is asked for several
 * times. */
enum { MECH_GROUP_NONE = -2 };
struct mech_broad_ball {
  double x[3], bound; /* [m] */
  int group;
  enum mech_shape_kind kind;
};
struct mech_broad_shapes {
  int n;
  const void *data;
  void (*ball)(const void *data, int shape, struct mech_broad_ball *out);
  /* Of boxes and half-spaces; half: of a box [m]. */
  void (*pose)(const void *data, int shape, struct mech_pose *pose, double half[3]);
};
struct mech_pairs {     /* valid until the next call */
  int n_shapes, is_new; /* is_new: by this call, not kept from one before */
  const int *start;     /* n_shapes + 1: first pair of shape i */
  const int *second;    /* start[n_shapes]: j > i, ascending */
};
struct mech_broad;
struct mech_broad *mech_broad_alloc(struct base_arena *arena);
struct mech_pairs mech_broad_find(struct mech_broad *broad, const struct mech_broad_shapes *shapes,
                                  double reach, struct base_arena *scratch);

#endif
