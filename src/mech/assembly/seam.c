/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Seams between shapes that do not move against each other: tiles of a floor, boxes of a compound
 * body. Shapes touch pair by pair, so that a block which slides over two boxes of equal height
 * meets the edge of the second one, which is no edge of the union. Normals have to stay within the
 * cone of the faces that the union shows.
 *
 * A face of a shape with outward normal f is covered about one of its points p when a neighbour
 * contains p, the face goes no further than the neighbour there, and the neighbour has no face of
 * its own through p that looks the same way. How far "there" is follows from penetration: p may lie
 * below the surface of the union, so the neighbour's faces count up to twice the depth of p below
 * the nearest one that is not parallel to f. A wall that stands on or beside a floor is so never
 * covered, however deep something sank into both.
 *
 * A touch at p with outward normal n of the shape, the other surface at y = p + g n, is not that of
 * the union where n has a component along a covered face. With g >= 0 a neighbour is closer, and
 * the touch is none. With g < 0 the component goes: what is left is the normal, and the gap that
 * along it. Where little is left, y leaves the shape by the nearest face that is not covered.
 */
#include "mech/assembly/parts.h"

#include <math.h>
#include <string.h>

/* Two places of shapes are one when they are closer than this, over the size of the shape; as in
 * the narrow phase. */
static const double SAME_PLACE = 1e-6;
/* A normal's component along a face that is rounding. */
static const double ALONG = 1e-9;
/* What has to be left of a normal, cos 25 degrees: as features of a manifold keep their own. */
static const double KEPT = 0.9;
/* |g . f| of faces that look rather along each other than across. */
static const double PARALLEL = 0.7;

enum { FACES_MAX = 6 };

struct face {
  double n[3], depth; /* outward; of the point below it [m] */
};

/* Faces of a shape about a point; of a cylinder the side is the tangent plane next to it. In the
 * plane those that look out of it are none, and a cylinder is what is seen of it. */
static int faces_at(const struct mech_shape *s, const struct mech_pose *pose, int planar,
                    const double x[3], struct face out[FACES_MAX]) {
  const double *R = pose->R, d[3] = {x[0] - pose->x[0], x[1] - pose->x[1], x[2] - pose->x[2]};
  const int is_box = s->kind == MECH_SHAPE_BOX;
  const double half[3] = {is_box ? s->half[0] : s->radius, is_box ? s->half[1] : s->radius,
                          is_box ? s->half[2] : s->half_length};
  double c[3];
  int n = 0;
  mech_back3(R, d, c);
  if (s->kind == MECH_SHAPE_HALFSPACE) {
    out[0] = (struct face){{R[2], R[5], R[8]}, -c[2]};
    return 1;
  }
  for (int axis = is_box || planar ? 0 : 2; axis < 3; ++axis) {
    for (int sign = -1; sign <= 1 && !(planar && fabs(R[6 + axis]) > 0.5); sign += 2) {
      out[n++] = (struct face){{sign * R[axis], sign * R[3 + axis], sign * R[6 + axis]},
                               half[axis] - sign * c[axis]};
    }
  }
  const double rho = hypot(c[0], c[1]);
  if (!is_box && !planar && rho > 0) {
    const double side[3] = {c[0] / rho, c[1] / rho, 0};
    out[n].depth = s->radius - rho;
    mech_turn3(R, side, out[n++].n);
  }
  return n;
}

static int contains(const struct mech_shape *s, const struct mech_pose *pose, int planar,
                    const double x[3], double tolerance) {
  struct face face[FACES_MAX];
  const int n = faces_at(s, pose, planar, x, face);
  int inside = n > 0;
  for (int i = 0; i < n; ++i) {
    inside &= face[i].depth >= -tolerance;
  }
  return inside;
}

/* One of the two shapes of a touch and what lies beside it. */
struct owner {
  const struct mech_touching *pair;
  int side, planar, n;
  const struct mech_pose *pose;
  const int *beside; /* n */
  double tolerance;  /* [m] */
};

static struct mech_pose neighbour(const struct owner *o, int k, struct mech_shape *shape) {
  const struct mech_assembly *a = o->pair->a;
  *shape = mech_assembly_get_shape(a, o->beside[k]);
  return mech_assembly_shape_pose(a, o->pair->q, o->beside[k]);
}

/* Whether the owner shows itself at x: holds it, and no neighbour does. */
static int shows(const struct owner *o, const double x[3]) {
  int shown = contains(o->pair->shape[o->side], o->pose, o->planar, x, o->tolerance);
  for (int k = 0; k < o->n && shown; ++k) {
    struct mech_shape shape;
    const struct mech_pose pose = neighbour(o, k, &shape);
    shown = !contains(&shape, &pose, o->planar, x, o->tolerance);
  }
  return shown;
}

/* Whether neighbour k covers the owner's face of normal f about its point p. */
static int covers(const struct owner *o, int k, const double f[3], const double p[3]) {
  struct face face[FACES_MAX];
  struct mech_shape shape;
  const struct mech_pose pose = neighbour(o, k, &shape);
  const int n = faces_at(&shape, &pose, o->planar, p, face);
  double nearest = INFINITY;
  int covered = n > 0;
  for (int i = 0; i < n; ++i) {
    const double along = mech_dot3(face[i].n, f);
    covered &=
        face[i].depth >= -o->tolerance && !(along > PARALLEL && face[i].depth <= o->tolerance);
    nearest = fabs(along) <= PARALLEL ? fmin(nearest, face[i].depth) : nearest;
  }
  for (int i = 0; i < n && covered; ++i) {
    double across[3], beyond[3];
    memcpy(across, face[i].n, sizeof across);
    mech_add3(-mech_dot3(face[i].n, f), f, across);
    const double size = sqrt(mech_dot3(across, across));
    if (size > SAME_PLACE && face[i].depth <= 2 * fmax(nearest, 0) + o->tolerance) {
      memcpy(beyond, p, sizeof beyond);
      mech_add3((fmax(face[i].depth, 0) / size + 3 * o->tolerance) / size, across, beyond);
      covered = !shows(o, beyond);
    }
  }
  return covered;
}

static int is_covered(const struct owner *o, const double f[3], const double p[3]) {
  int covered = 0;
  for (int k = 0; k < o->n && !covered; ++k) {
    covered = covers(o, k, f, p);
  }
  return covered;
}

/* The way out of the owner for a point inside: 0 when all its faces are covered. */
static int way_out(const struct owner *o, const double y[3], double m[3], double *depth) {
  struct face face[FACES_MAX];
  const int n = faces_at(o->pair->shape[o->side], o->pose, o->planar, y, face);
  int found = 0;
  for (int i = 0; i < n; ++i) {
    double p[3];
    memcpy(p, y, sizeof p);
    mech_add3(face[i].depth, face[i].n, p);
    if ((!found || face[i].depth < *depth) && !is_covered(o, face[i].n, p)) {
      memcpy(m, face[i].n, sizeof face[i].n);
      *depth = face[i].depth;
      found = 1;
    }
  }
  return found;
}

/* A touch as the owner's seams leave it; 0: it is none. */
static int trim(const struct owner *o, struct mech_touch *touch) {
  const double sign = o->side == 0 ? 1 : -1;
  struct face face[FACES_MAX];
  double m[3] = {sign * touch->normal[0], sign * touch->normal[1], sign * touch->normal[2]};
  double p[3], y[3], gap = touch->gap;
  int lost = 0;
  memcpy(p, touch->point, sizeof p);
  memcpy(y, touch->point, sizeof y);
  mech_add3(-0.5 * gap, m, p);
  mech_add3(0.5 * gap, m, y);
  const int n = faces_at(o->pair->shape[o->side], o->pose, o->planar, p, face);
  for (int i = 0; i < n; ++i) {
    const double along = mech_dot3(m, face[i].n);
    if (along > ALONG && fabs(face[i].depth) <= o->tolerance && is_covered(o, face[i].n, p)) {
      mech_add3(-along, face[i].n, m);
      lost = 1;
    }
  }
  if (!lost || gap >= 0) {
    return !lost;
  }
  const double left = sqrt(mech_dot3(m, m));
  if (left >= KEPT) {
    const double d[3] = {y[0] - p[0], y[1] - p[1], y[2] - p[2]};
    gap = mech_dot3(m, d) / left;
    for (int i = 0; i < 3; ++i) {
      m[i] /= left;
    }
  } else if (way_out(o, y, m, &gap)) {
    gap = -gap;
  } else {
    return 0;
  }
  touch->gap = gap;
  touch->piece[o->side] = (struct mech_piece){.kind = MECH_PIECE_FACE};
  touch->inside = INFINITY;
  memcpy(touch->point, y, sizeof y);
  mech_add3(-0.5 * gap, m, touch->point);
  for (int i = 0; i < 3; ++i) {
    touch->normal[i] = sign * m[i];
  }
  return 1;
}

int mech_seams_trim(const struct mech_touching *pair, int n, struct mech_touch *touch) {
  const struct mech_assembly *a = pair->a;
  for (int k = 0; k < 2; ++k) {
    const int *start = a->beside_start + pair->number[k];
    const struct owner o = {.pair = pair,
                            .side = k,
                            .planar = a->kind == MECH_PLANAR,
                            .n = start[1] - start[0],
                            .pose = pair->pose[k],
                            .beside = a->beside + start[0],
                            .tolerance = SAME_PLACE * mech_shape_size(a, pair->number[k])};
    int kept = 0;
    for (int i = 0; i < n && o.n > 0 && isfinite(o.tolerance); ++i) {
      touch[kept] = touch[i];
      kept += trim(&o, &touch[kept]);
    }
    n = o.n > 0 && isfinite(o.tolerance) ? kept : n;
  }
  return n;
}
