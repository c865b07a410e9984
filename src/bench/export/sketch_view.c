/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The view of a sketch; see sketch_view.h. Up is against gravity, z without it. Right is the
 * horizontal direction of
 *
 *   the largest eigenvalue of  sum v v^T,  else of  sum n n^T,  else of  sum (x - xm)(x - xm)^T
 *
 * v: initial velocities, n: normals of half-spaces, x: centres, horizontal parts of each; the first
 * of the three that is not zero decides. A planar system is drawn as it is.
 */
#include "bench/export/sketch_view.h"

#include <math.h>
#include <string.h>

#include "mech/vector3.h"

static const double FLAT = 0.3; /* a plane whose normal is this far out of the picture: not shown */

void sketch_velocity(const struct sketch_view *s, int body, double v[3]) {
  const int block = mech_assembly_block(s->a, body);
  const int n = mech_assembly_kind_of(s->a) == MECH_PLANAR ? 2 : 3;
  memset(v, 0, 3 * sizeof *v);
  if (block >= 0 && mech_assembly_active(s->a, body)) {
    memcpy(v, s->u + (long)block * s->m->nv, (size_t)n * sizeof *v);
  }
}

/* sum += w w^T of the horizontal part of x. */
static void add_horizontal(const struct sketch_view *s, const double x[3], double sum[3][3]) {
  double w[3] = {x[0], x[1], x[2]};
  mech_add3(-mech_dot3(x, s->axis[1]), s->axis[1], w);
  for (int i = 0; i < 3; ++i) {
    mech_add3(w[i], w, sum[i]);
  }
}

static void sum_velocities(const struct sketch_view *s, double sum[3][3]) {
  for (int i = 0; i < mech_assembly_bodies(s->a); ++i) {
    double v[3];
    sketch_velocity(s, i, v);
    add_horizontal(s, v, sum);
  }
}

static void sum_normals(const struct sketch_view *s, double sum[3][3]) {
  for (int i = 0; i < mech_assembly_shapes(s->a); ++i) {
    if (mech_assembly_get_shape(s->a, i).kind == MECH_SHAPE_HALFSPACE) {
      const struct mech_pose pose = mech_assembly_shape_pose(s->a, s->q, i);
      add_horizontal(s, (const double[]){pose.R[2], pose.R[5], pose.R[8]}, sum);
    }
  }
}

static void sum_places(const struct sketch_view *s, double sum[3][3]) {
  const int n = mech_assembly_bodies(s->a);
  double mean[3] = {0};
  for (int i = 0; i < n; ++i) {
    mech_add3(1.0 / n, mech_assembly_pose(s->a, s->q, i).x, mean);
  }
  for (int i = 0; i < n; ++i) {
    const struct mech_pose pose = mech_assembly_pose(s->a, s->q, i);
    double x[3] = {pose.x[0], pose.x[1], pose.x[2]};
    mech_add3(-1, mean, x);
    add_horizontal(s, x, sum);
  }
}

/* Direction of the largest eigenvalue by powers of the matrix; 0 where it is zero. Of two equal
 * ones that nearer to x. */
static int find_direction(const double sum[3][3], double up[3], double right[3]) {
  const double trace = sum[0][0] + sum[1][1] + sum[2][2];
  double x[3] = {1, 0.1, 0.01};
  if (trace < 1e-20) {
    return 0;
  }
  for (int k = 0; k < 60; ++k) {
    double y[3];
    for (int i = 0; i < 3; ++i) {
      y[i] = mech_dot3(sum[i], x) / trace;
    }
    const double norm = sqrt(mech_dot3(y, y));
    for (int i = 0; i < 3; ++i) {
      x[i] = norm > 0 ? y[i] / norm : up[(i + 1) % 3];
    }
  }
  const double sign = x[0] + 0.1 * x[1] + 0.01 * x[2] < 0 ? -1 : 1;
  for (int i = 0; i < 3; ++i) {
    right[i] = sign * x[i];
  }
  return 1;
}

static void choose_axes(struct sketch_view *s) {
  void (*const sums[])(const struct sketch_view *, double[3][3]) = {sum_velocities, sum_normals,
                                                                    sum_places};
  double *right = s->axis[0], *up = s->axis[1], g[3];
  mech_assembly_get_gravity(s->a, g);
  const double norm = sqrt(mech_dot3(g, g));
  const int planar = mech_assembly_kind_of(s->a) == MECH_PLANAR;
  int is_found = planar;
  for (int i = 0; i < 3; ++i) {
    up[i] = planar ? i == 1 : norm > 0 ? -g[i] / norm : i == 2;
    right[i] = i == 0;
  }
  for (int k = 0; k < 3 && !is_found; ++k) {
    double sum[3][3] = {{0}};
    sums[k](s, sum);
    is_found = find_direction(sum, up, right);
  }
  mech_add3(-mech_dot3(right, up), up, right);
  if (mech_dot3(right, right) < 1e-12) { /* gravity along x and nothing to choose by */
    mech_cross3(up, (const double[]){0, 0, 1}, right);
  }
  const double length = sqrt(mech_dot3(right, right));
  for (int i = 0; i < 3; ++i) {
    right[i] /= length;
  }
  mech_cross3(right, up, s->axis[2]);
}

struct sketch_point sketch_project(const struct sketch_view *s, const double x[3]) {
  return (struct sketch_point){mech_dot3(x, s->axis[0]), mech_dot3(x, s->axis[1])};
}

static void widen(struct sketch_view *s, struct sketch_point p, double r) {
  s->low[0] = fmin(s->low[0], p.x - r), s->top[0] = fmax(s->top[0], p.x + r);
  s->low[1] = fmin(s->low[1], p.y - r), s->top[1] = fmax(s->top[1], p.y + r);
}

int sketch_corners(const struct sketch_view *s, const struct mech_shape *shape,
                   const struct mech_pose *pose, double corner[SKETCH_CORNERS][3]) {
  int n = 0;
  for (int i = 0; shape->kind == MECH_SHAPE_BOX && i < 8; ++i, ++n) {
    mech_turn3(pose->R,
               (const double[]){(i & 1 ? 1 : -1) * shape->half[0],
                                (i & 2 ? 1 : -1) * shape->half[1],
                                (i & 4 ? 1 : -1) * shape->half[2]},
               corner[n]);
  }
  for (int i = 0; shape->kind != MECH_SHAPE_BOX && i < SKETCH_CORNERS; ++i, ++n) {
    const double angle = 2 * M_PI * i / SKETCH_SEGMENTS;
    const double x = shape->radius * cos(angle), y = shape->radius * sin(angle);
    const double end[3] = {0, 0, i < SKETCH_SEGMENTS ? shape->half_length : -shape->half_length};
    if (shape->kind == MECH_SHAPE_CAPSULE) { /* a circle in the picture about each end */
      mech_turn3(pose->R, end, corner[n]);
      mech_add3(x, s->axis[0], corner[n]);
      mech_add3(y, s->axis[1], corner[n]);
    } else {
      mech_turn3(pose->R, (const double[]){x, y, end[2]}, corner[n]);
    }
  }
  for (int i = 0; i < n; ++i) {
    mech_add3(1, pose->x, corner[i]);
  }
  return n;
}

void sketch_joint_point(const struct sketch_view *s, const struct mech_joint *j,
                        const struct mech_joint_frame *frame, int side, double x[3]) {
  memcpy(x, frame->point[side], 3 * sizeof *x);
  if (j->body[side] >= 0) {
    const struct mech_pose pose = mech_assembly_pose(s->a, s->q, j->body[side]);
    mech_turn3(pose.R, frame->point[side], x);
    mech_add3(1, pose.x, x);
  }
}

static void measure(struct sketch_view *s) {
  s->low[0] = s->low[1] = INFINITY, s->top[0] = s->top[1] = -INFINITY;
  for (int i = 0; i < mech_assembly_bodies(s->a); ++i) {
    if (mech_assembly_get_body(s->a, i).fixed || !mech_assembly_active(s->a, i)) {
      continue;
    }
    widen(s, sketch_project(s, mech_assembly_pose(s->a, s->q, i).x), 0);
  }
  for (int i = 0; i < mech_assembly_joints(s->a); ++i) {
    struct mech_joint_frame frame;
    const struct mech_joint *j = mech_assembly_get_joint(s->a, i, &frame);
    for (int side = 0; side < (mech_joint_is_driven(j->kind) ? 1 : 2); ++side) {
      double x[3];
      sketch_joint_point(s, j, &frame, side, x);
      widen(s, sketch_project(s, x), 0);
    }
  }
  for (int i = 0; i < mech_assembly_shapes(s->a); ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(s->a, i);
    const struct mech_pose pose = mech_assembly_shape_pose(s->a, s->q, i);
    double corner[SKETCH_CORNERS][3] = {{0}};
    if (shape.kind == MECH_SHAPE_SPHERE || shape.kind == MECH_SHAPE_POINT) {
      widen(s, sketch_project(s, pose.x), shape.radius);
    } else if (shape.kind != MECH_SHAPE_HALFSPACE) {
      for (int k = sketch_corners(s, &shape, &pose, corner); k > 0; --k) {
        widen(s, sketch_project(s, corner[k - 1]), 0);
      }
    }
  }
}

int sketch_is_edge(const struct sketch_view *s, const double normal[3]) {
  return fabs(mech_dot3(normal, s->axis[2])) <= FLAT;
}

int sketch_is_there(const struct sketch_view *s, const struct mech_shape *shape) {
  return shape->body < 0 || mech_assembly_active(s->a, shape->body);
}

/* The box also holds the foot of its middle on each plane that is near it. */
static void measure_planes(struct sketch_view *s) {
  const struct sketch_point middle = {0.5 * (s->low[0] + s->top[0]), 0.5 * (s->low[1] + s->top[1])};
  const double size = hypot(s->top[0] - s->low[0], s->top[1] - s->low[1]);
  for (int i = 0; i < mech_assembly_shapes(s->a); ++i) {
    const struct mech_pose pose = mech_assembly_shape_pose(s->a, s->q, i);
    const double normal[3] = {pose.R[2], pose.R[5], pose.R[8]};
    if (mech_assembly_get_shape(s->a, i).kind == MECH_SHAPE_HALFSPACE &&
        sketch_is_edge(s, normal)) {
      const struct sketch_point n = sketch_project(s, normal), c = sketch_project(s, pose.x);
      const double gap = (middle.x - c.x) * n.x + (middle.y - c.y) * n.y;
      if (size == 0 || fabs(gap) < 8 * size) {
        widen(s, (struct sketch_point){middle.x - gap * n.x, middle.y - gap * n.y}, 0);
      }
    }
  }
}

void sketch_view_measure(struct sketch_view *s) {
  measure(s);
  measure_planes(s);
}

void sketch_view_choose(struct sketch_view *s) {
  choose_axes(s);
  sketch_view_measure(s);
}
