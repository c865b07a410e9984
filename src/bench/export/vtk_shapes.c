/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shapes of an assembly as polygons; see vtk.h. Round ones have SEGMENTS corners about the axis
 * and, on caps, RINGS circles and a pole: of a sphere of radius R, a capsule's of half length l,
 *
 *   (R cos e cos a, R cos e sin a, +- l + R sin e),   a = 2 pi i / SEGMENTS,
 *
 * so that corners lie on the surface and faces inside it, by R (1 - cos(pi / SEGMENTS)) = 0.034 R.
 */
#include <math.h>
#include <string.h>

#include "bench/export/vtk.h"
#include "bench/export/vtk_file.h"
#include "mech/assembly/assembly.h"
#include "mech/vector3.h"

enum { SEGMENTS = 12, RINGS = 3 };
/* Points, faces and their corners of a shape; a sphere takes less than its capsule. */
static const struct {
  int points, faces, corners;
} sizes[MECH_SHAPE_KINDS] = {
    [MECH_SHAPE_BOX] = {8, 6, 24},
    [MECH_SHAPE_CYLINDER] = {2 * SEGMENTS, SEGMENTS + 2, 6 * SEGMENTS},
    [MECH_SHAPE_CAPSULE] = {2 * RINGS * SEGMENTS + 2, (2 * RINGS + 1) * SEGMENTS,
                            (8 * RINGS + 2) * SEGMENTS},
    [MECH_SHAPE_SPHERE] = {2 * RINGS * SEGMENTS + 2, (2 * RINGS + 1) * SEGMENTS,
                           (8 * RINGS + 2) * SEGMENTS},
    [MECH_SHAPE_HALFSPACE] = {4, 1, 4}};

struct bench_vtk_shapes {
  const struct mech_assembly *a;
  double *radius; /* a body's; 0: its shapes are polygons [m] */
  int *is_drawn;  /* a shape's */
  int n_drawn;
};

/* Polygons under way; arrays with room for all. */
struct mesh {
  int n_points, n_faces, n_corners;
  double *point; /* 3 x n_points [m] */
  int *end, *corner;
  int *body, *shape, *kind; /* a face */
  double *speed;
};

struct bench_vtk_shapes *bench_vtk_shapes_alloc(const struct mech_assembly *a,
                                                struct base_arena *arena) {
  struct bench_vtk_shapes *s = base_arena_push(arena, sizeof *s);
  const int n = mech_assembly_shapes(a), n_bodies = mech_assembly_bodies(a);
  s->a = a;
  s->radius = base_arena_doubles(arena, n_bodies);
  s->is_drawn = base_arena_ints(arena, n);
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *shapes = base_arena_ints(arena, n_bodies);
  for (int i = 0; i < n; ++i) {
    const int body = mech_assembly_get_shape(a, i).body;
    if (body >= 0) {
      ++shapes[body];
    }
  }
  for (int i = 0; i < n; ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(a, i);
    const int body = shape.body;
    const int is_ball = shape.kind == MECH_SHAPE_SPHERE && body >= 0 && shapes[body] == 1 &&
                        mech_dot3(shape.offset, shape.offset) == 0;
    if (is_ball) {
      s->radius[body] = shape.radius;
    }
    s->is_drawn[i] =
        !is_ball && shape.kind != MECH_SHAPE_POINT && shape.kind != MECH_SHAPE_HALFSPACE;
    s->n_drawn += s->is_drawn[i];
  }
  base_arena_release(arena, mark);
  return s;
}

double bench_vtk_radius(const struct bench_vtk_shapes *s, int body) { return s->radius[body]; }
int bench_vtk_has_polygons(const struct bench_vtk_shapes *s) { return s->n_drawn > 0; }

static int is_there(const struct bench_vtk_shapes *s, int shape) {
  const int body = mech_assembly_get_shape(s->a, shape).body;
  return s->is_drawn[shape] && (body < 0 || mech_assembly_active(s->a, body));
}

/* --- polygons --- */

static void add_point(struct mesh *mesh, const struct mech_pose *pose, double x, double y,
                      double z) {
  double *p = mesh->point + 3L * mesh->n_points++;
  mech_turn3(pose->R, (const double[]){x, y, z}, p);
  mech_add3(1, pose->x, p);
}

/* corner: n, counted from `first`. */
static void add_face(struct mesh *mesh, int first, int n, const int *corner) {
  for (int i = 0; i < n; ++i) {
    mesh->corner[mesh->n_corners++] = first + corner[i];
  }
  mesh->end[mesh->n_faces++] = mesh->n_corners;
}

/* Corners are numbered by the signs of their coordinates, x first. */
static void add_box(struct mesh *mesh, const struct mech_pose *pose, const double half[3]) {
  static const int faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                  {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const int first = mesh->n_points;
  for (int i = 0; i < 8; ++i) {
    add_point(mesh, pose, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1],
              i & 4 ? half[2] : -half[2]);
  }
  for (int f = 0; f < 6; ++f) {
    add_face(mesh, first, 4, faces[f]);
  }
}

static void add_circle(struct mesh *mesh, const struct mech_pose *pose, double radius, double z) {
  for (int i = 0; i < SEGMENTS; ++i) {
    const double angle = 2 * M_PI * i / SEGMENTS;
    add_point(mesh, pose, radius * cos(angle), radius * sin(angle), z);
  }
}

/* Quadrangles between a circle that begins at point `low` and the next one. */
static void add_belt(struct mesh *mesh, int low) {
  for (int i = 0; i < SEGMENTS; ++i) {
    const int next = (i + 1) % SEGMENTS;
    add_face(mesh, low, 4, (const int[]){i, next, SEGMENTS + next, SEGMENTS + i});
  }
}

static void add_cylinder(struct mesh *mesh, const struct mech_pose *pose,
                         const struct mech_shape *s) {
  const int first = mesh->n_points;
  int lid[SEGMENTS], ground[SEGMENTS];
  add_circle(mesh, pose, s->radius, -s->half_length);
  add_circle(mesh, pose, s->radius, s->half_length);
  add_belt(mesh, first);
  for (int i = 0; i < SEGMENTS; ++i) {
    ground[i] = SEGMENTS - 1 - i;
    lid[i] = SEGMENTS + i;
  }
  add_face(mesh, first, SEGMENTS, ground);
  add_face(mesh, first, SEGMENTS, lid);
}

/* A sphere has half_length 0 and no belt between its two circles at the equator, which are one. */
static void add_capsule(struct mesh *mesh, const struct mech_pose *pose,
                        const struct mech_shape *s) {
  const double half = s->kind == MECH_SHAPE_CAPSULE ? s->half_length : 0;
  const int first = mesh->n_points, poles = first + 2 * RINGS * SEGMENTS;
  for (int k = -RINGS; k < RINGS; ++k) {
    const int ring = k < 0 ? k + 1 : k; /* from the equator */
    const double e = 0.5 * M_PI * ring / RINGS;
    add_circle(mesh, pose, s->radius * cos(e), (k < 0 ? -half : half) + s->radius * sin(e));
  }
  add_point(mesh, pose, 0, 0, -half - s->radius);
  add_point(mesh, pose, 0, 0, half + s->radius);
  for (int k = 0; k + 1 < 2 * RINGS; ++k) {
    if (half > 0 || k + 1 != RINGS) {
      add_belt(mesh, first + k * SEGMENTS);
    }
  }
  for (int i = 0; i < SEGMENTS; ++i) {
    const int next = (i + 1) % SEGMENTS, top = (2 * RINGS - 1) * SEGMENTS;
    add_face(mesh, first, 3, (const int[]){next, i, poles - first});
    add_face(mesh, first, 3, (const int[]){top + i, top + next, poles + 1 - first});
  }
}

static void add_shape(struct mesh *mesh, const struct mech_pose *pose, const struct mech_shape *s,
                      int number, double speed) {
  const int before = mesh->n_faces;
  if (s->kind == MECH_SHAPE_BOX) {
    add_box(mesh, pose, s->half);
  } else if (s->kind == MECH_SHAPE_CYLINDER) {
    add_cylinder(mesh, pose, s);
  } else {
    add_capsule(mesh, pose, s);
  }
  for (int f = before; f < mesh->n_faces; ++f) {
    mesh->body[f] = s->body;
    mesh->shape[f] = number;
    mesh->kind[f] = (int)s->kind;
    mesh->speed[f] = speed;
  }
}

/* Room for the shapes marked. */
static struct mesh mesh_alloc(const struct mech_assembly *a, const int *marked,
                              struct base_arena *arena) {
  int points = 0, faces = 0, corners = 0;
  for (int i = 0; i < mech_assembly_shapes(a); ++i) {
    const enum mech_shape_kind kind = mech_assembly_get_shape(a, i).kind;
    points += marked[i] ? sizes[kind].points : 0;
    faces += marked[i] ? sizes[kind].faces : 0;
    corners += marked[i] ? sizes[kind].corners : 0;
  }
  return (struct mesh){.point = base_arena_matrix(arena, 3, points),
                       .corner = base_arena_ints(arena, corners),
                       .end = base_arena_ints(arena, faces),
                       .body = base_arena_ints(arena, faces),
                       .shape = base_arena_ints(arena, faces),
                       .kind = base_arena_ints(arena, faces),
                       .speed = base_arena_doubles(arena, faces)};
}

static int write_mesh(const struct mesh *mesh, double t, const char *path,
                      struct base_arena *arena) {
  const struct bench_vtk_array arrays[] = {{"body", 1, BENCH_VTK_INT, mesh->body},
                                           {"shape", 1, BENCH_VTK_INT, mesh->shape},
                                           {"kind", 1, BENCH_VTK_INT, mesh->kind},
                                           {"speed", 1, BENCH_VTK_REAL, mesh->speed}};
  const struct bench_vtk_poly poly = {.t = t,
                                      .n_points = mesh->n_points,
                                      .point = mesh->point,
                                      .n_polygons = mesh->n_faces,
                                      .end = mesh->end,
                                      .corner = mesh->corner,
                                      .n_arrays = sizeof arrays / sizeof *arrays,
                                      .array = arrays};
  return bench_vtk_write(path, &poly, arena);
}

int bench_vtk_write_shapes(const struct bench_vtk_shapes *s, double t, const double *q,
                           const double *speed, const char *path, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = mech_assembly_shapes(s->a);
  int *marked = base_arena_ints(arena, n);
  for (int i = 0; i < n; ++i) {
    marked[i] = is_there(s, i);
  }
  struct mesh mesh = mesh_alloc(s->a, marked, arena);
  for (int i = 0; i < n; ++i) {
    if (marked[i]) {
      const struct mech_shape shape = mech_assembly_get_shape(s->a, i);
      const struct mech_pose pose = mech_assembly_shape_pose(s->a, q, i);
      add_shape(&mesh, &pose, &shape, i, shape.body < 0 ? 0 : speed[shape.body]);
    }
  }
  const int status = write_mesh(&mesh, t, path, arena);
  base_arena_release(arena, mark);
  return status;
}

/* --- half-spaces --- */

static void widen(const double x[3], double r, double lo[3], double hi[3]) {
  for (int k = 0; k < 3; ++k) {
    lo[k] = fmin(lo[k], x[k] - r);
    hi[k] = fmax(hi[k], x[k] + r);
  }
}

/* The box about all bodies and bounded shapes: its middle, and half its diagonal, never 0 [m]. */
static double scene_of(const struct bench_vtk_shapes *s, const double *q, double middle[3]) {
  double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < mech_assembly_bodies(s->a); ++i) {
    if (mech_assembly_active(s->a, i)) {
      widen(mech_assembly_pose(s->a, q, i).x, 0, lo, hi);
    }
  }
  for (int i = 0; i < mech_assembly_shapes(s->a); ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(s->a, i);
    const double r = mech_shape_bound(&shape);
    if (isfinite(r) && (shape.body < 0 || mech_assembly_active(s->a, shape.body))) {
      widen(mech_assembly_shape_pose(s->a, q, i).x, r, lo, hi);
    }
  }
  double square = 0;
  for (int k = 0; k < 3; ++k) {
    middle[k] = hi[k] >= lo[k] ? 0.5 * (lo[k] + hi[k]) : 0;
    square += hi[k] >= lo[k] ? (hi[k] - lo[k]) * (hi[k] - lo[k]) : 0;
  }
  return square > 0 ? 0.5 * sqrt(square) : 1;
}

int bench_vtk_write_planes(const struct bench_vtk_shapes *s, double t, const double *q,
                           const char *path, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = mech_assembly_shapes(s->a);
  double middle[3];
  const double half = scene_of(s, q, middle);
  int *marked = base_arena_ints(arena, n);
  for (int i = 0; i < n; ++i) {
    marked[i] = mech_assembly_get_shape(s->a, i).kind == MECH_SHAPE_HALFSPACE;
  }
  struct mesh mesh = mesh_alloc(s->a, marked, arena);
  for (int i = 0; i < n; ++i) {
    const struct mech_shape shape = mech_assembly_get_shape(s->a, i);
    if (!marked[i]) {
      continue;
    }
    struct mech_pose pose = mech_assembly_shape_pose(s->a, q, i);
    const double normal[3] = {pose.R[2], pose.R[5], pose.R[8]};
    double off[3] = {pose.x[0] - middle[0], pose.x[1] - middle[1], pose.x[2] - middle[2]};
    memcpy(pose.x, middle, sizeof middle); /* the middle's foot on the plane */
    mech_add3(mech_dot3(normal, off), normal, pose.x);
    const int first = mesh.n_points, f = mesh.n_faces;
    add_point(&mesh, &pose, -half, -half, 0);
    add_point(&mesh, &pose, half, -half, 0);
    add_point(&mesh, &pose, half, half, 0);
    add_point(&mesh, &pose, -half, half, 0);
    add_face(&mesh, first, 4, (const int[]){0, 1, 2, 3});
    mesh.body[f] = shape.body;
    mesh.shape[f] = i;
    mesh.kind[f] = (int)shape.kind;
  }
  const int status = write_mesh(&mesh, t, path, arena);
  base_arena_release(arena, mark);
  return status;
}
