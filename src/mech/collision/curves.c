/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a line, circle or point of one shape and one of another come closest, to round-off:
 * Newton's method on
 *
 *   T_0 . d = 0,  T_1 . d = 0,   d = y_1(t_1) - y_0(t_0),  T = dy/dt,
 *
 * regular for crossing curves whether they are apart, touch or have passed through each other. The
 * normal is d, or T_0 x T_1 where these cross at a large angle: that does not lose digits as d
 * vanishes.
 */
#include "mech/collision/parts.h"

enum { NEWTON_MAX = 20 };
static const double step_max = 0.5; /* of a circle [rad] */
/* Steps, over the size: that are rounding, and that show that the method converges. */
static const double step_rounding = 1e-14, step_converged = 1e-10;
/* Sine of the angle from which on two curves cross, and a distance too short for a direction, over
 * the size. */
static const double crosses = 1e-6, no_distance = 1e-7;

static struct touch_curve line(const double *x, const double *u, double half,
                               struct mech_piece piece) {
  struct touch_curve c = {.piece = piece, .half = half};
  v3_copy(x, c.x);
  v3_copy(u, c.e[0]);
  return c;
}

int touch_curves(const struct mech_shape *s, const struct mech_pose *pose,
                 struct touch_curve *out) {
  double u[3][3], h[3] = {0, 0, s->half_length}, x[3];
  int n = 0;
  for (int j = 0; j < 3; ++j) {
    pose_axis(pose, j, u[j]);
    h[j] = s->kind == MECH_SHAPE_BOX ? s->half[j] : h[j];
  }
  if (s->kind != MECH_SHAPE_BOX) {
    const double radius = s->kind == MECH_SHAPE_CYLINDER ? s->radius : 0;
    out[n++] = line(pose->x, u[2], h[2], piece_line(2, 0, radius));
    for (int end = 0; end < 2; ++end) {
      v3_along(pose->x, end ? h[2] : -h[2], u[2], x);
      out[n] = line(x, u[0], 0, piece_point(end, 0));
      if (radius > 0) {
        out[n].piece = (struct mech_piece){.kind = MECH_PIECE_RIM, .place = end};
        v3_scale(radius, u[0], out[n].e[0]);
        v3_scale(radius, u[1], out[n].e[1]);
      }
      ++n;
    }
    return n;
  }
  for (int e = 0; e < 12; ++e) {
    const int i = e / 4, j = (i + 1) % 3, k = (i + 2) % 3;
    v3_along(pose->x, (e & 1) ? h[j] : -h[j], u[j], x);
    v3_along(x, (e & 2) ? h[k] : -h[k], u[k], x);
    out[n++] = line(x, u[i], h[i], piece_line(i, e & 3, 0));
  }
  for (int v = 0; v < 8; ++v) {
    v3_copy(pose->x, x);
    for (int j = 0; j < 3; ++j) {
      v3_along(x, (v >> j & 1) ? h[j] : -h[j], u[j], x);
    }
    out[n++] = line(x, u[0], 0, piece_point(v, 0));
  }
  return n;
}

struct mech_piece touch_piece_along(const struct mech_shape *s, const struct mech_pose *pose,
                                    const double *n) {
  double along[3];
  pose_components(pose, n, along);
  for (int j = 0; j < 3; ++j) {
    along[j] = fabs(along[j]) <= square_on ? 0 : along[j];
  }
  if (s->kind == MECH_SHAPE_BOX) {
    return piece_of_box(along);
  }
  if (along[2] == 0) {
    return piece_line(2, 0, s->radius);
  }
  const int end = along[2] > 0;
  if (s->kind == MECH_SHAPE_CAPSULE) {
    return piece_point(end, s->radius);
  }
  return along[0] == 0 && along[1] == 0 ? piece_face(end, 0)
                                        : (struct mech_piece){.kind = MECH_PIECE_RIM, .place = end};
}

/* The point y of a curve, its tangent T and the derivative B of that. */
static void point_at(const struct touch_curve *c, double t, double *y, double *T, double *B) {
  v3_copy(c->x, y);
  switch (c->piece.kind) {
  case MECH_PIECE_RIM:
    v3_along(y, cos(t), c->e[0], y);
    v3_along(y, sin(t), c->e[1], y);
    v3_minus(c->x, y, B);
    v3_scale(-sin(t), c->e[0], T);
    v3_along(T, cos(t), c->e[1], T);
    break;
  case MECH_PIECE_LINE:
    v3_along(y, t, c->e[0], y);
    v3_copy(c->e[0], T);
    v3_scale(0, T, B);
    break;
  default:
    v3_scale(0, y, T);
    v3_copy(T, B);
  }
}

double touch_curve_nearest(const struct touch_curve *c, const double *p) {
  double d[3];
  v3_minus(p, c->x, d);
  return c->piece.kind == MECH_PIECE_RIM    ? atan2(mech_dot3(d, c->e[1]), mech_dot3(d, c->e[0]))
         : c->piece.kind == MECH_PIECE_LINE ? clamp(mech_dot3(d, c->e[0]), -c->half, c->half)
                                            : 0;
}

/* One step of Newton's method; returns its length over the size, infinite where there is none. */
static double improve(const struct touch_curve *const c[2], double size, double t[2]) {
  double y[2][3], T[2][3], B[2][3], d[3], step = 0;
  for (int k = 0; k < 2; ++k) {
    point_at(c[k], t[k], y[k], T[k], B[k]);
  }
  v3_minus(y[1], y[0], d);
  const double fixed[2] = {c[0]->piece.kind == MECH_PIECE_POINT,
                           c[1]->piece.kind == MECH_PIECE_POINT};
  const double a = mech_dot3(B[0], d) - mech_dot3(T[0], T[0]) + fixed[0];
  const double b = mech_dot3(T[0], T[1]);
  const double e = mech_dot3(B[1], d) + mech_dot3(T[1], T[1]) + fixed[1];
  const double g[2] = {mech_dot3(T[0], d), mech_dot3(T[1], d)}, det = a * e + b * b;
  double dt[2] = {-(e * g[0] - b * g[1]) / det, -(a * g[1] + b * g[0]) / det}, part = 1;
  for (int k = 0; k < 2; ++k) {
    const double most = c[k]->piece.kind == MECH_PIECE_RIM ? step_max : step_max * size;
    part = fmin(part, most / fabs(dt[k]));
    step = fmax(step, fabs(dt[k]) * v3_norm(T[k]) / size);
  }
  for (int k = 0; k < 2; ++k) {
    t[k] += part * dt[k];
  }
  return isfinite(step) ? step : INFINITY;
}

int touch_curves_meet(const struct touch_curve *const c[2], double size, double t[2],
                      double y[2][3], double *n) {
  double step = 1, last = INFINITY, T[2][3], B[3], d[3], cross[3];
  for (int i = 0; i < NEWTON_MAX && step > 0 && !(step >= last && step <= step_rounding); ++i) {
    last = step;
    step = improve(c, size, t);
  }
  if (!(step <= step_converged)) {
    return 0;
  }
  for (int k = 0; k < 2; ++k) {
    if (c[k]->piece.kind == MECH_PIECE_LINE && !(fabs(t[k]) <= c[k]->half)) {
      return 0;
    }
    point_at(c[k], t[k], y[k], T[k], B);
  }
  v3_minus(y[1], y[0], d);
  mech_cross3(T[0], T[1], cross);
  if (v3_norm(cross) > crosses * v3_norm(T[0]) * v3_norm(T[1])) {
    v3_copy(cross, d);
  } else if (!(v3_norm(d) > no_distance * size)) {
    return 0;
  }
  v3_scale((mech_dot3(d, n) < 0 ? -1 : 1) / v3_norm(d), d, n);
  return 1;
}
