/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of shapes near each other, reused from call to call (Verlet's list). The broad phase finds
 * pairs within reach + margin. While no shape has moved by more than half of the remaining
 * distance,
 *
 *   2 max |x - x_then| + reach now <= reach then + margin,
 *
 * these pairs include all pairs within reach now, since the ball about a centre contains its shape
 * in every orientation. The faces of a box exclude pairs: a box has moved by as much as its
 * farthest corner at most, |x - x_then| + sum_k half_k |R e_k - R_then e_k|, and a half-space on a
 * body that moves by |x - x_then| + D |n - n_then|, D the distance of the farthest shape. The list
 * may contain pairs that are too far apart. The narrow phase drops them, so contacts do not depend
 * on earlier calls. A step finds contacts twice in one configuration, for measurement and for the
 * next step; the second search costs the narrow phase only.
 *
 * Results do not depend on the margin. Between balls a superfluous pair is cheap, so the margin
 * adapts to the flow: it grows if lists become invalid soon, and shrinks if they last. Inactive
 * shapes do not move, and the caller drops their pairs. A shape that becomes active invalidates the
 * list.
 *
 * Memory: 12 bytes a shape for its centre in single precision (the rounding counts as motion), and
 * 4 bytes a shape and a pair. A packing of spheres at rest has some 5 pairs a sphere.
 */
#include "mech/assembly/parts.h"

#include "base/threads.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mech_assembly_near {
  int valid, asked;        /* asked: number of searches with this list */
  double within, margin;   /* [m] */
  double least, most;      /* margins [m] */
  float *x;                /* 3 n_shapes, centres then, rounded [m] */
  int n_faces, *face;      /* boxes, and half-spaces that move */
  double *R;               /* 9 n_faces, their rotations then */
  struct mech_pairs pairs; /* the broad phase's own arrays */
};

/* Smallest and largest margin, over the median radius. The smallest raises the number of pairs in a
 * packing by half, and a body at rest takes long to move that far. The largest triples the number
 * of pairs. */
static const double NEAR_MARGIN = 0.1, NEAR_MARGIN_MOST = 0.5;
/* A list used less often than NEAR_SELDOM (flow) or more often than NEAR_OFTEN (rest) changes the
 * margin by the factor. */
enum { NEAR_SELDOM = 8, NEAR_OFTEN = 32 };
static const double NEAR_FACTOR = 1.5;

/* Unused part of the margin, for the rounding of the comparison. */
static const double NEAR_SLACK = 1e-6;

static int compare_doubles(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static int is_turning_face(const struct mech_assembly *a, int shape) {
  const enum mech_shape_kind kind = mech_form_of(a, shape)->given.kind;
  const int body = a->shape[shape].body;
  return kind == MECH_SHAPE_BOX ||
         (kind == MECH_SHAPE_HALFSPACE && body >= 0 && mech_body_block(a, body) >= 0);
}

void mech_assembly_near_prepare(struct mech_assembly *a) {
  struct mech_assembly_near *near = base_arena_push(a->arena, sizeof *near);
  const struct base_arena_mark mark = base_arena_mark(a->draft);
  double *radius = base_arena_doubles(a->draft, a->n_shapes);
  int n = 0, balls = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    balls += mech_form_of(a, i)->given.kind == MECH_SHAPE_SPHERE;
    if (isfinite(mech_shape_size(a, i))) {
      radius[n++] = mech_shape_size(a, i);
    }
    near->n_faces += is_turning_face(a, i);
  }
  qsort(radius, (size_t)n, sizeof *radius, compare_doubles);
  near->least = near->margin = n > 0 ? NEAR_MARGIN * radius[n / 2] : 0;
  near->most = n > 0 && 2 * balls > n ? NEAR_MARGIN_MOST * radius[n / 2] : near->least;
  base_arena_release(a->draft, mark);
  near->x = base_arena_push(a->arena, 3 * (size_t)a->n_shapes * sizeof *near->x);
  near->face = base_arena_ints(a->arena, near->n_faces);
  near->R = base_arena_matrix(a->arena, 9, near->n_faces);
  for (int i = 0, k = 0; i < a->n_shapes; ++i) {
    if (is_turning_face(a, i)) {
      near->face[k++] = i;
    }
  }
  a->broad = mech_broad_alloc(a->arena);
  a->near = near;
}

static double point_distance(const double x[3], const double y[3]) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return sqrt(mech_dot3(d, d));
}

/* How far corners of a box have moved beside its centre, at most. */
static double corners_moved(const double half[3], const double R[9], const double R0[9]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += half[k] * point_distance((double[]){R[k], R[3 + k], R[6 + k]},
                                    (double[]){R0[k], R0[3 + k], R0[6 + k]});
  }
  return sum;
}

struct shapes {
  const struct mech_assembly *a;
  const double *q;
  struct mech_ball *ball;   /* n_shapes */
  double moved[BASE_PARTS]; /* most [m] */
};

static void place_part(void *data, struct base_part part) {
  const struct shapes *x = data;
  const struct mech_assembly *a = x->a;
  for (int i = (int)part.first; i < part.end; ++i) {
    const struct mech_assembly_shape *shape = &a->shape[i];
    struct mech_ball at;
    mech_shape_centre(a, x->q, i, at.x);
    const int is_active = mech_shape_active(a, i);
    const int is_sphere = a->form[shape->form].given.kind == MECH_SHAPE_SPHERE;
    at.x[0] = is_active ? at.x[0] : INFINITY;
    at.radius = is_active && is_sphere ? shape->radius : NAN;
    x->ball[i] = at;
  }
}

void mech_assembly_place(const struct mech_assembly *a, const double *q, struct mech_ball *ball) {
  const struct base_parts parts = base_parts_of(a->n_shapes, BASE_PART_LEAST);
  struct shapes x;
  x.a = a, x.q = q, x.ball = ball;
  base_threads_parts(&parts, place_part, &x);
}

/* How far a centre has moved at most, what was rounded off it then included. */
static inline double centre_moved(const float x0[3], const double x[3]) {
  double lost = 0, d[3];
  for (int k = 0; k < 3; ++k) {
    d[k] = x[k] - (double)x0[k];
    lost += fabs((double)x0[k]);
  }
  return sqrt(mech_dot3(d, d)) + FLT_EPSILON * lost;
}

/* A state that is no number has moved. */
static double more(double moved, double most) {
  return moved > most || isnan(moved) ? moved : most;
}

static void moved_part(void *data, struct base_part part) {
  struct shapes *x = data;
  double most = 0;
  for (long i = part.first; i < part.end; ++i) {
    const double *at = x->ball[i].x;
    most = more(at[0] != INFINITY ? centre_moved(x->a->near->x + 3 * i, at) : 0, most);
  }
  x->moved[part.k] = most;
}

/* Twice the farthest that any active shape has moved; infinite if one was not active. */
static double near_moved(struct shapes *x, const struct base_parts *parts) {
  const struct mech_assembly *a = x->a;
  const struct mech_assembly_near *near = a->near;
  double most = 0;
  base_threads_parts(parts, moved_part, x);
  for (int g = 0; g < parts->n; ++g) {
    most = more(x->moved[g], most);
  }
  for (int k = 0; k < near->n_faces; ++k) {
    const int i = near->face[k];
    if (mech_shape_active(a, i)) {
      const struct mech_pose pose = mech_assembly_shape_pose(a, x->q, i);
      const struct mech_shape *given = &mech_form_of(a, i)->given;
      const double farthest =
          given->kind == MECH_SHAPE_HALFSPACE ? mech_shapes_farthest(a, x->q, x->ball[i].x) : 0;
      const double plane[3] = {0, 0, farthest}; /* by its third axis, the normal */
      const double turned =
          corners_moved(farthest > 0 ? plane : given->half, pose.R, near->R + 9L * k);
      most = fmax(most, centre_moved(near->x + 3L * i, x->ball[i].x) + turned);
    }
  }
  return 2 * most;
}

/* The margin of the next list, by how often the last was asked for. */
static double next_margin(const struct mech_assembly_near *near) {
  if (!near->valid) {
    return near->margin;
  }
  const double margin = near->asked < NEAR_SELDOM  ? near->margin * NEAR_FACTOR
                        : near->asked > NEAR_OFTEN ? near->margin / NEAR_FACTOR
                                                   : near->margin;
  return fmin(fmax(margin, near->least), near->most);
}

/* --- what the broad phase is told --- */

struct near_state {
  const struct mech_assembly *a;
  const double *q;
};

static void near_ball(const void *data, int shape, struct mech_broad_ball *out) {
  const struct near_state *s = data;
  mech_shape_centre(s->a, s->q, shape, out->x);
  out->bound = mech_shape_size(s->a, shape);
  out->group = mech_shape_group(s->a, shape);
  out->kind = mech_form_of(s->a, shape)->given.kind;
}

static void near_pose(const void *data, int shape, struct mech_pose *pose, double half[3]) {
  const struct near_state *s = data;
  *pose = mech_assembly_shape_pose(s->a, s->q, shape);
  memcpy(half, mech_form_of(s->a, shape)->given.half, 3 * sizeof *half);
}

struct mech_pairs mech_assembly_near_find(const struct mech_assembly *a, const double *q,
                                          double reach, struct mech_ball *ball,
                                          struct base_arena *scratch) {
  struct mech_assembly_near *near = a->near;
  const struct base_parts parts = base_parts_of(a->n_shapes, BASE_PART_LEAST);
  struct shapes x;
  x.a = a, x.q = q, x.ball = ball;
  if (near->valid && near_moved(&x, &parts) + reach <= near->within - NEAR_SLACK * near->margin) {
    ++near->asked;
    near->pairs.is_new = 0;
    return near->pairs;
  }
  const struct near_state state = {a, q};
  const struct mech_broad_shapes shapes = {
      .n = a->n_shapes, .data = &state, .ball = near_ball, .pose = near_pose};
  near->margin = next_margin(near);
  near->within = reach + near->margin;
  near->pairs = mech_broad_find(a->broad, &shapes, near->within, scratch);
  near->valid = isfinite(reach);
  near->asked = 1;
  for (int i = 0; i < a->n_shapes; ++i) {
    for (int k = 0; k < 3; ++k) {
      near->x[3L * i + k] = (float)ball[i].x[k];
    }
  }
  for (int k = 0; k < near->n_faces; ++k) {
    const struct mech_pose pose = mech_assembly_shape_pose(a, q, near->face[k]);
    memcpy(near->R + 9L * k, pose.R, sizeof pose.R);
  }
  return near->pairs;
}

/* --- shapes that lie beside each other for good --- */

/* Over the system's length: where shapes are one place but for rounding. */
static const double BESIDE_REACH = 1e-6;

static int has_faces(const struct mech_assembly *a, int shape) {
  const enum mech_shape_kind kind = mech_form_of(a, shape)->given.kind;
  return kind == MECH_SHAPE_BOX || kind == MECH_SHAPE_CYLINDER || kind == MECH_SHAPE_HALFSPACE;
}

static void beside_ball(const void *data, int shape, struct mech_broad_ball *out) {
  near_ball(data, shape, out);
  out->group = has_faces(((const struct near_state *)data)->a, shape) ? shape : MECH_GROUP_NONE;
}

/* Adds to the number of neighbours of both shapes of a pair, or names them behind start; neighbour
 * NULL: counts. */
static void add_beside(const struct mech_assembly *a, const struct mech_pairs *pairs, int *end,
                       int *neighbour) {
  for (int i = 0; i < pairs->n_shapes; ++i) {
    for (int k = pairs->start[i]; k < pairs->start[i + 1]; ++k) {
      const int j = pairs->second[k];
      if (mech_shape_holder(a, i) == mech_shape_holder(a, j)) {
        if (neighbour != NULL) {
          neighbour[end[i]] = j;
          neighbour[end[j]] = i;
        }
        ++end[i];
        ++end[j];
      }
    }
  }
}

void mech_assembly_find_beside(struct mech_assembly *a, const double *q) {
  const struct base_arena_mark mark = base_arena_mark(a->draft);
  const struct near_state state = {a, q};
  const struct mech_broad_shapes shapes = {
      .n = a->n_shapes, .data = &state, .ball = beside_ball, .pose = near_pose};
  const double reach = BESIDE_REACH * a->length;
  const struct mech_pairs pairs =
      mech_broad_find(mech_broad_alloc(a->draft), &shapes, reach, a->draft);
  int *end = base_arena_ints(a->draft, a->n_shapes), total = 0;
  add_beside(a, &pairs, end, NULL);
  for (int i = 0; i < a->n_shapes; ++i) {
    const int n = end[i];
    end[i] = total;
    total += n;
  }
  if (total > 0) {
    a->beside_start = base_arena_ints(a->arena, a->n_shapes + 1);
    a->beside = base_arena_ints(a->arena, total);
    memcpy(a->beside_start, end, (size_t)a->n_shapes * sizeof *end);
    a->beside_start[a->n_shapes] = total;
    add_beside(a, &pairs, end, a->beside);
  }
  base_arena_release(a->draft, mark);
}

void mech_assembly_near_forget(struct mech_assembly *a) { a->near->valid = 0; }
