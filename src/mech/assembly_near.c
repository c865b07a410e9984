/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs of shapes near each other, kept from call to call (Verlet's list): the broad phase is asked
 * for pairs within reach + margin; as long as no centre has moved by more than half of what that
 * leaves,
 *
 *   2 max |x - x_then| + reach now <= reach then + margin,
 *
 * the pairs found then hold all that are within reach now, since a ball about a centre holds its
 * shape however it turns. Which pairs there are too many does not matter: the narrow phase drops
 * them, so that contacts do not depend on what was asked before. Where a step asks for contacts
 * twice at the same place (to measure, then to go on), the second time costs the narrow phase only.
 * Pairs with a box are sorted out by its faces, which turn: assemblies with boxes keep nothing.
 */
#include "mech/assembly_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct mech_assembly_near {
  int valid, has_boxes;
  double within, margin;   /* [m] */
  double *x;               /* 3 n_shapes, centres then */
  struct mech_pairs pairs; /* the broad phase's own arrays */
};

/* Over the median radius: pairs of a packing grow by half, and it takes a body at rest for long to
 * move that far. */
static const double NEAR_MARGIN = 0.1;

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
  int n = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    if (isfinite(a->bound[i])) {
      radius[n++] = a->bound[i];
    }
    near->has_boxes |= a->shapes[i].kind == MECH_SHAPE_BOX;
  }
  qsort(radius, (size_t)n, sizeof *radius, compare_doubles);
  near->margin = n > 0 ? NEAR_MARGIN * radius[n / 2] : 0;
  base_arena_release(a->scratch, mark);
  near->x = base_arena_doubles(a->arena, 3 * a->n_shapes);
  a->near = near;
}

/* Twice the farthest that any shape has moved. */
static double near_moved(const struct mech_assembly *a) {
  const struct mech_assembly_near *near = a->near;
  double most = 0;
  for (int i = 0; i < a->n_shapes; ++i) {
    const double *x = a->pose[i].x, *x0 = near->x + 3L * i;
    const double d[3] = {x[0] - x0[0], x[1] - x0[1], x[2] - x0[2]}, d2 = mech_dot3(d, d);
    most = d2 > most || isnan(d2) ? d2 : most;
  }
  return 2 * sqrt(most);
}

struct mech_pairs mech_assembly_near_find(const struct mech_assembly *a, double reach) {
  struct mech_assembly_near *near = a->near;
  if (near->valid && near_moved(a) + reach <= near->within - NEAR_SLACK * near->margin) {
    return near->pairs;
  }
  near->within = near->has_boxes ? reach : reach + near->margin;
  near->pairs =
      mech_broad_find(a->broad, a->n_shapes, a->shapes, a->pose, a->bound, a->group, near->within);
  near->valid = isfinite(reach) && !near->has_boxes;
  for (int i = 0; i < a->n_shapes; ++i) {
    memcpy(near->x + 3L * i, a->pose[i].x, 3 * sizeof *near->x);
  }
  return near->pairs;
}

void mech_assembly_near_forget(struct mech_assembly *a) { a->near->valid = 0; }
