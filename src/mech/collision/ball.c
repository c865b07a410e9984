/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Closed forms: a ball with a box, a capsule or a cylinder, and two capsules.
 *
 *   ball outside   n = (q - x) / |q - x|, gap = |q - x| - R, q the closest point of the core
 *   ball inside    the face (or side) nearest to its centre, the first in order when they tie;
 *                  gap = -depth of the centre - R
 *   capsules       every pair of features of the two segments that are neighbours:
 *                    0 1   end -z, +z of the first beside the second's interior
 *                    2 3   end -z, +z of the second beside the first's interior
 *                    4     the common perpendicular meets both segments
 *                    5 + 2 i + j  end i of the first and end j of the second face each other
 *                  so that parallel capsules touch at both ends of their overlap, and none of the
 *                  contacts appears or vanishes with the angle between the two.
 *
 * All of them are distances of points, lines, faces or rims fixed to the bodies: the rate of the
 * gap is exact. A closest point that passes from one of these to the next keeps its feature.
 */
#include "mech/collision/parts.h"

/* Ends closer than this, relative to the lengths, face each other and touch once. */
static const double same_place = 1e-6;

void mech_collide_ball_box(const struct touch_pair *p, struct touch_list *list) {
  const double r = touch_ball_radius(p->a), *h = p->b->half;
  double c[3], local[3], normal[3], on_a[3], squared = 0, inside = INFINITY;
  pose_local(p->pb, p->pa->x, c);
  int nearest = 0;
  for (int j = 0; j < 3; ++j) {
    local[j] = clamp(c[j], -h[j], h[j]) - c[j];
    squared += local[j] * local[j];
    inside = fmin(inside, fabs(h[j] - fabs(c[j])));
    nearest = h[j] - fabs(c[j]) < h[nearest] - fabs(c[nearest]) ? j : nearest;
  }
  double distance = sqrt(squared);
  if (distance > 0) {
    v3_scale(1 / distance, local, local);
  } else {
    distance = fabs(c[nearest]) - h[nearest];
    local[nearest] = c[nearest] < 0 ? 1 : -1;
  }
  pose_vector(p->pb, local, normal);
  v3_along(p->pa->x, r, normal, on_a);
  touch_pieces(touch_add(list, distance - r, on_a, normal, 0), piece_point(0, r),
               piece_of_box(local), inside);
}

void mech_collide_ball_cylinder(const struct touch_pair *p, struct touch_list *list) {
  const double r = touch_ball_radius(p->a), R = p->b->radius, h = p->b->half_length;
  double c[3], normal[3], on_a[3];
  pose_local(p->pb, p->pa->x, c);
  const double rho = hypot(c[0], c[1]);
  const double out[2] = {rho > 0 ? c[0] / rho : 1, rho > 0 ? c[1] / rho : 0};
  /* Towards the cylinder in the half-plane (rho, z). */
  double radial = fmin(R - rho, 0), axial = clamp(c[2], -h, h) - c[2];
  double distance = hypot(radial, axial);
  if (distance > 0) {
    radial /= distance;
    axial /= distance;
  } else if (R - rho <= h - fabs(c[2])) {
    distance = rho - R;
    radial = -1;
  } else {
    distance = fabs(c[2]) - h;
    axial = c[2] < 0 ? 1 : -1;
  }
  pose_vector(p->pb, (double[3]){radial * out[0], radial * out[1], axial}, normal);
  v3_along(p->pa->x, r, normal, on_a);
  const int end = c[2] < 0;
  const struct mech_piece piece = axial == 0 ? piece_line(2, 0, R)
                                  : radial == 0
                                      ? piece_face(end, 0)
                                      : (struct mech_piece){.kind = MECH_PIECE_RIM, .place = end};
  touch_pieces(touch_add(list, distance - r, on_a, normal, 0), piece_point(0, r), piece,
               fmin(fabs(R - rho), fabs(h - fabs(c[2]))));
}

/* The point q of the segment x +- half u at s, or at its end; its piece with a radius around it. */
static struct mech_piece segment_point(const double *x, const double *u, double half, double s,
                                       double radius, double *q) {
  v3_along(x, clamp(s, -half, half), u, q);
  return fabs(s) <= half ? piece_line(2, 0, radius) : piece_point(s < 0, radius);
}

void mech_collide_ball_capsule(const struct touch_pair *p, struct touch_list *list) {
  const double half = p->b->half_length;
  double axis[3], across[3], d[3], q[3];
  pose_axis(p->pb, 2, axis);
  v3_minus(p->pa->x, p->pb->x, d);
  const double s = mech_dot3(d, axis);
  const struct mech_piece piece = segment_point(p->pb->x, axis, half, s, p->b->radius, q);
  v3_across(axis, across);
  struct mech_touch *t =
      touch_add_balls(list, p->pa->x, touch_ball_radius(p->a), q, p->b->radius, across, 0);
  touch_pieces(t, t->piece[0], piece, fabs(half - fabs(s)));
}

/* Two segments x +- length u with radii; what their ends look at. */
struct segments {
  double x[2][3], u[2][3], length[2], radius[2];
  double end[2][2][3]; /* of segment k: -, + */
  double at[2][2];     /* place on the other segment's line that end i of segment k looks at */
};

static void add_end(const struct segments *s, int k, int i, struct touch_list *list) {
  const int other = 1 - k;
  const double at = s->at[k][i], half = s->length[other];
  double q[3], across[3];
  const struct mech_piece piece =
      segment_point(s->x[other], s->u[other], half, at, s->radius[other], q);
  v3_across(s->u[other], across);
  const double *const from = k ? q : s->end[0][i], *const to = k ? s->end[1][i] : q;
  struct mech_touch *t =
      touch_add_balls(list, from, s->radius[0], to, s->radius[1], across, 2 * k + i);
  t->piece[other] = piece;
  t->inside = fabs(half - fabs(at));
}

/* The common perpendicular, of lengths (s, t) along the two lines, where it meets both segments. */
static void add_crossing(const struct segments *s, struct touch_list *list) {
  double d[3], perpendicular[3], on[2][3], at[2];
  v3_minus(s->x[1], s->x[0], d);
  mech_cross3(s->u[0], s->u[1], perpendicular);
  const double sine = v3_norm(perpendicular);
  if (sine <= MECH_SAME_PLACE) {
    return;
  }
  const double cosine = mech_dot3(s->u[0], s->u[1]);
  at[0] = (mech_dot3(d, s->u[0]) - cosine * mech_dot3(d, s->u[1])) / (sine * sine);
  at[1] = (cosine * mech_dot3(d, s->u[0]) - mech_dot3(d, s->u[1])) / (sine * sine);
  for (int k = 0; k < 2; ++k) {
    if (!(fabs(at[k]) < s->length[k])) {
      return;
    }
    v3_along(s->x[k], at[k], s->u[k], on[k]);
  }
  v3_scale(1 / sine, perpendicular, perpendicular);
  struct mech_touch *t =
      touch_add_balls(list, on[0], s->radius[0], on[1], s->radius[1], perpendicular, 4);
  touch_pieces(t, piece_line(2, 0, s->radius[0]), piece_line(2, 0, s->radius[1]), INFINITY);
}

static void add_segments(const struct segments *s, struct touch_list *list) {
  const double tolerance = same_place * (s->length[0] + s->length[1]);
  int beside[2][2], skip[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i) {
      beside[k][i] = fabs(s->at[k][i]) <= s->length[1 - k] + tolerance;
    }
  }
  add_crossing(s, list);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double a = s->at[0][i] * (j ? 1 : -1) - s->length[1];
      const double b = s->at[1][j] * (i ? 1 : -1) - s->length[0];
      if (a > tolerance && b > tolerance) { /* each looks past the other's end */
        touch_add_balls(list, s->end[0][i], s->radius[0], s->end[1][j], s->radius[1], s->u[0],
                        5 + 2 * i + j);
      }
      skip[j] |= fabs(a) <= tolerance && fabs(b) <= tolerance;
    }
  }
  for (int i = 0; i < 2; ++i) {
    if (beside[0][i]) {
      add_end(s, 0, i, list);
    }
  }
  for (int j = 0; j < 2; ++j) {
    if (beside[1][j] && !skip[j]) {
      add_end(s, 1, j, list);
    }
  }
}

void mech_collide_capsules(const struct touch_pair *p, struct touch_list *list) {
  struct segments s = {.length = {p->a->half_length, p->b->half_length},
                       .radius = {p->a->radius, p->b->radius}};
  v3_copy(p->pa->x, s.x[0]);
  v3_copy(p->pb->x, s.x[1]);
  pose_axis(p->pa, 2, s.u[0]);
  pose_axis(p->pb, 2, s.u[1]);
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < 2; ++i) {
      double d[3];
      v3_along(s.x[k], i ? s.length[k] : -s.length[k], s.u[k], s.end[k][i]);
      v3_minus(s.end[k][i], s.x[1 - k], d);
      s.at[k][i] = mech_dot3(d, s.u[1 - k]);
    }
  }
  add_segments(&s, list);
}
