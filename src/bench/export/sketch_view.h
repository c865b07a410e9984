/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of a sketch (sketch.h): the plane of the picture, the bounding box of the drawing, and
 * points in it. The picture is the orthogonal projection onto the plane of gravity and of motion.
 */
#ifndef BENCH_SKETCH_VIEW_H
#define BENCH_SKETCH_VIEW_H

#include "mech/assembly/assembly.h"

enum { SKETCH_SEGMENTS = 32, SKETCH_CORNERS = 2 * SKETCH_SEGMENTS };

struct sketch_view {
  const struct mech *m;
  const struct mech_assembly *a;
  const double *q, *u;
  double axis[3][3];     /* right, up, to the viewer [-] */
  double low[2], top[2]; /* of what is drawn, along the first two [m] */
};

/* A point of the picture, right and up [m]. */
struct sketch_point {
  double x, y;
};

/* axis, low and top of a view of which all else is set. */
void sketch_view_choose(struct sketch_view *s);
/* low and top alone, of the state q. */
void sketch_view_measure(struct sketch_view *s);

struct sketch_point sketch_project(const struct sketch_view *s, const double x[3]);

/* Is a half-space with this normal seen from its side? */
int sketch_is_edge(const struct sketch_view *s, const double normal[3]);

/* The points of a shape whose convex hull is its outline, in the world [m]; their number. */
int sketch_corners(const struct sketch_view *s, const struct mech_shape *shape,
                   const struct mech_pose *pose, double corner[SKETCH_CORNERS][3]);

/* Where a joint holds its body of a side, in the world [m]. */
void sketch_joint_point(const struct sketch_view *s, const struct mech_joint *j,
                        const struct mech_joint_frame *frame, int side, double x[3]);

/* Initial velocity of a body [m/s]. */
void sketch_velocity(const struct sketch_view *s, int body, double v[3]);

/* Is the shape drawn: of the world, or of an active body? */
int sketch_is_there(const struct sketch_view *s, const struct mech_shape *shape);

#endif
