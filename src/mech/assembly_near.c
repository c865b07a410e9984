/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of shapes near each other, kept from call to call (Verlet's list): the broad phase is asked
 * for pairs within reach + margin; as long as no shape has moved by more than half of what that
 * leaves,
 *
 *   2 max |x - x_then| + reach now <= reach then + margin,
 *
 * the pairs found then hold all that are within reach now, since a ball about a centre holds its
 * shape however it turns. Pairs with a box are sorted out by its faces: a box has moved by as much
 * as its farthest corner at most, |x - x_then| + sum_k half_k |R e_k - R_then e_k|. Which pairs
 * there are too many does not matter: the narrow phase drops them, so that contacts do not depend
 * on what was asked before. Where a step asks for contacts twice at the same place (to measure,
 * then to go on), the second time costs the narrow phase only.
 *
 * The margin is no part of a result, so among balls, where a pair too many costs little, it follows
 * the flow: lists that are soon outrun are made longer, lists that last shorter. Shapes that stop
 * being active do not move; their pairs are dropped by whoever asks. One that becomes active ends
 * the list.
 */
#include "mech/assembly_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mech_assembly_near {
  int valid, asked;        /* asked: times for this list */
  double within, margin;   /* [m] */
  double least, most;      /* margins [m] */
  double *x;               /* 3 n_shapes, centres then */
  int n_boxes, *box;       /* shapes that are boxes */
  double *R;               /* 9 n_boxes, their rotations then */
  struct mech_pairs pairs; /* the broad phase's own arrays */
};

/* Over the median radius, least and most. With the least the pairs of a packing grow by half, and
 * it takes a body at rest for long to move that far; with the most they are three times as many. */
static const double NEAR_MARGIN = 0.1, NEAR_MARGIN_MOST = 0.5;
/* A list is asked for fewer times than this in a flow, more times than that at rest; the margin
 * then changes by the factor. */
enum { NEAR_SELDOM = 8, NEAR_OFTEN = 32 };
static const double NEAR_FACTOR = 1.5;

/* Of the margin that is not used up: rounding of what is compared. */
static const double NEAR_SLACK = 1e-6;

static int compare_doubles(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

void mech_assembly_near_prepare(struct mech_assembly *a) {
  struct mech_assembly_near *near = base_arena_push(a->arena, sizeof *near);
  const struct base_arena_mark mark = base_arena_mark(a->scratch);
  double *radius = base_arena_doubles(a->scratch, a->n_shapes);
  int n = 0, balls = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    balls += a->shapes[i].kind == MECH_SHAPE_SPHERE;
    if (isfinite(a->bound[i])) {
      radius[n++] = a->bound[i];
    }
    near->n_boxes += a->shapes[i].kind == MECH_SHAPE_BOX;
  }
  qsort(radius, (size_t)n, sizeof *radius, compare_doubles);
  near->least = near->margin = n > 0 ? NEAR_MARGIN * radius[n / 2] : 0;
  near->most = n > 0 && 2 * balls > n ? NEAR_MARGIN_MOST * radius[n / 2] : near->least;
  base_arena_release(a->scratch, mark);
  near->x = base_arena_doubles(a->arena, 3 * a->n_shapes);
  near->box = base_arena_ints(a->arena, near->n_boxes);
  near->R = base_arena_doubles(a->arena, 9 * near->n_boxes);
  for (int i = 0, k = 0; i < a->n_shapes; ++i) {
    if (a->shapes[i].kind == MECH_SHAPE_BOX) {
      near->box[k++] = i;
    }
  }
  a->near = near;
}

static double distance(const double x[3], const double y[3]) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return sqrt(mech_dot3(d, d));
}

/* How far corners of a box have moved beside its centre, at most. */
static double corners_moved(const double half[3], const double R[9], const double R0[9]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += half[k] *
           distance((double[]){R[k], R[3 + k], R[6 + k]}, (double[]){R0[k], R0[3 + k], R0[6 + k]});
  }
  return sum;
}

/* Twice the farthest that any active shape has moved; not a number if one was not active. */
static double near_moved(const struct mech_assembly *a) {
  const struct mech_assembly_near *near = a->near;
  double most = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    const double *x = a->pose[i].x, *x0 = near->x + 3L * i;
    const double d[3] = {x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]}, d2 = mech_dot3(d, d);
    if (a->group[i] != MECH_GROUP_NONE) {
      most = d2 > most || isnan(d2) ? d2 : most;
    }
  }
  most = sqrt(most);
  for (int k = 0; k < near->n_boxes; ++k) {
    const int i = near->box[k];
    if (a->group[i] != MECH_GROUP_NONE) {
      const double turned = corners_moved(a->shapes[i].half, a->pose[i].R, near->R + 9L * k);
      most = fmax(most, distance(a->pose[i].x, near->x + 3L * i) + turned);
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

struct mech_pairs mech_assembly_near_find(const struct mech_assembly *a, double reach) {
  struct mech_assembly_near *near = a->near;
  if (near->valid && near_moved(a) + reach <= near->within - NEAR_SLACK * near->margin) {
    ++near->asked;
    return near->pairs;
  }
  near->margin = next_margin(near);
  near->within = reach + near->margin;
  near->pairs =
      mech_broad_find(a->broad, a->n_shapes, a->shapes, a->pose, a->bound, a->group, near->within);
  near->valid = isfinite(reach);
  near->asked = 1;
  for (int i = 0; i < a->n_shapes; ++i) {
    memcpy(near->x + 3L * i, a->pose[i].x, 3 * sizeof *near->x);
  }
  for (int k = 0; k < near->n_boxes; ++k) {
    memcpy(near->R + 9L * k, a->pose[near->box[k]].R, 9 * sizeof *near->R);
  }
  return near->pairs;
}

void mech_assembly_near_forget(struct mech_assembly *a) { a->near->valid = 0; }
