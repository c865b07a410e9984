/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Friction sets and their projections (moeller 2.2, 2.3; the ellipse of 3.114, Coulomb-Contensou
 * friction of 3.121, 3.122; its exact set is in contensou.c) and the second-order cone with its
 * dual. Sets of revolution are projected in the half-plane of |x_T| and |x_tau|.
 *
 * The nearest point x of an ellipse with semi-axes e_0 >= e_1 to a point y outside is
 *   x_i = y_i / (1 + t / e_i^2)  with the t > 0 that puts x on the ellipse,
 * so with z_i = y_i / e_i, a = (e_0 / e_1)^2 and t in units of e_1^2 the secular equation is
 *   |p(t)| = 1,   p_0 = z_0 / (1 + t / a),   p_1 = z_1 / (1 + t).
 * Newton's method on 1 - 1 / |p(t)|, which is nearly linear, climbs from any t below the root and
 * never passes it, whatever the ratio of the axes; the greater of the two roots that p_0 or p_1
 * alone would give is such a t. Nothing is subtracted that could cancel, so the result is exact to
 * round-off; on an axis the start is already the root.
 */
#include "contact/set.h"

#include "contact/contensou.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Below this ratio of the axes an ellipse is its long axis: the two differ by far less than
 * round-off there, and the square of the ratio would come near the end of the number range. */
static const double ELLIPSE_FLAT = 1e-100;
/* Newton needs about five steps; it has converged when a step no longer climbs. */
enum { ELLIPSE_STEPS = 100 };

int contact_set_dim(const struct contact_set *set) {
  switch (set->kind) {
  case CONTACT_SET_INTERVAL:
    return 1;
  case CONTACT_SET_DISK:
  case CONTACT_SET_ELLIPSE:
    return 2;
  case CONTACT_SET_CYLINDER:
  case CONTACT_SET_ELLIPSOID:
  case CONTACT_SET_CONTENSOU:
    return 3;
  }
  assert(0 && "unknown kind of set");
  return 0;
}

static double clamp(double x, double lo, double hi) { return x < lo ? lo : x > hi ? hi : x; }

static void project_disk(double radius, const double x[2], double out[2]) {
  const double length = hypot(x[0], x[1]);
  const double scale = length > radius ? radius / length : 1;
  out[0] = scale * x[0];
  out[1] = scale * x[1];
}

/* Nearest point of an ellipse with semi-axes long_axis >= short_axis > 0 to a point outside of it
 * with coordinates y_0, y_1 >= 0. */
static void ellipse_nearest(double long_axis, double short_axis, double y_0, double y_1,
                            double *x_0, double *x_1) {
  const double ratio = long_axis / short_axis, a = ratio * ratio;
  const double z_0 = y_0 / long_axis, z_1 = y_1 / short_axis;
  double t = fmax(0, fmax(a * (z_0 - 1), z_1 - 1));
  double p_0 = 0, p_1 = 0, norm = 1;
  for (int step = 0; step < ELLIPSE_STEPS; step++) {
    p_0 = z_0 / (1 + t / a);
    p_1 = z_1 / (1 + t);
    norm = hypot(p_0, p_1);
    /* u = p / |p| first, lest squares overflow */
    const double u_0 = p_0 / norm, u_1 = p_1 / norm;
    const double next = t + (norm - 1) / (u_0 * u_0 / (a + t) + u_1 * u_1 / (1 + t));
    if (!(next > t)) {
      break;
    }
    t = next;
  }
  *x_0 = long_axis * (p_0 / norm);
  *x_1 = short_axis * (p_1 / norm);
}

static void project_ellipse(double axis_0, double axis_1, const double x[2], double out[2]) {
  const int swap = axis_0 < axis_1;
  const double long_axis = swap ? axis_1 : axis_0, short_axis = swap ? axis_0 : axis_1;
  const double y_0 = swap ? x[1] : x[0], y_1 = swap ? x[0] : x[1];
  double out_0 = y_0, out_1 = y_1;
  if (!(short_axis > ELLIPSE_FLAT * long_axis)) {
    out_0 = clamp(y_0, -long_axis, long_axis);
    out_1 = 0;
  } else if (hypot(y_0 / long_axis, y_1 / short_axis) > 1) {
    ellipse_nearest(long_axis, short_axis, fabs(y_0), fabs(y_1), &out_0, &out_1);
    out_0 = copysign(out_0, y_0);
    out_1 = copysign(out_1, y_1);
  }
  out[0] = swap ? out_1 : out_0;
  out[1] = swap ? out_0 : out_1;
}

/* S_F: the ball. */
static void project_ball(double radius, const double x[3], double out[3]) {
  const double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  const double scale = length > radius ? radius / length : 1;
  for (int k = 0; k < 3; k++) {
    out[k] = scale * x[k];
  }
}

static void project_cylinder(double radius, double height, const double x[3], double out[3]) {
  const double torque = clamp(x[2], -height, height); /* first: out may be x */
  project_disk(radius, x, out);
  out[2] = torque;
}

/* E_F and B_F: a plane problem in |x_T| and |x_tau|. */
static void project_revolved(enum contact_set_kind kind, double force, double torque,
                             const double x[3], double out[3]) {
  const double y[2] = {hypot(x[0], x[1]), fabs(x[2])};
  double p[2] = {y[0], y[1]};
  if (kind == CONTACT_SET_CONTENSOU) {
    contact_contensou_project(force, torque, y, p);
  } else {
    project_ellipse(force, torque, y, p);
  }
  const double scale = p[0] != y[0] ? p[0] / y[0] : 1;
  const double spin = copysign(p[1], x[2]);
  out[0] = scale * x[0];
  out[1] = scale * x[1];
  out[2] = spin;
}

void contact_set_project(const struct contact_set *set, double s, const double *x, double *out) {
  switch (set->kind) {
  case CONTACT_SET_INTERVAL:
    out[0] = clamp(x[0], s * set->axis[0], s * set->axis[1]);
    break;
  case CONTACT_SET_DISK:
    project_disk(s * set->axis[0], x, out);
    break;
  case CONTACT_SET_ELLIPSE:
    project_ellipse(s * set->axis[0], s * set->axis[1], x, out);
    break;
  case CONTACT_SET_CYLINDER:
    project_cylinder(s * set->axis[0], s * set->axis[1], x, out);
    break;
  case CONTACT_SET_ELLIPSOID:
    if (set->axis[0] == set->axis[1]) {
      project_ball(s * set->axis[0], x, out);
      break;
    }
    project_revolved(set->kind, s * set->axis[0], s * set->axis[1], x, out);
    break;
  case CONTACT_SET_CONTENSOU:
    project_revolved(set->kind, s * set->axis[0], s * set->axis[1], x, out);
    break;
  }
}

double contact_set_support(const struct contact_set *set, double s, const double *x) {
  switch (set->kind) {
  case CONTACT_SET_INTERVAL:
    return s * fmax(set->axis[0] * x[0], set->axis[1] * x[0]);
  case CONTACT_SET_DISK:
    return s * set->axis[0] * hypot(x[0], x[1]);
  case CONTACT_SET_ELLIPSE:
    return s * hypot(set->axis[0] * x[0], set->axis[1] * x[1]);
  case CONTACT_SET_CYLINDER:
    return s * (set->axis[0] * hypot(x[0], x[1]) + set->axis[1] * fabs(x[2]));
  case CONTACT_SET_ELLIPSOID:
    return s * hypot(set->axis[0] * hypot(x[0], x[1]), set->axis[1] * x[2]);
  case CONTACT_SET_CONTENSOU: {
    const double y[2] = {hypot(x[0], x[1]), fabs(x[2])};
    return s * contact_contensou_support(set->axis[0], set->axis[1], y);
  }
  }
  assert(0 && "unknown kind of set");
  return 0;
}

static double tangential_length(int dim, const double *x) {
  return dim == 1 ? 0 : dim == 2 ? fabs(x[1]) : hypot(x[1], x[2]);
}

/* out = (normal, tangential times the direction of x_T), x_T of the given length */
static void set_parts(int dim, const double *x, double length, double normal, double tangential,
                      double *out) {
  for (int k = 1; k < dim; k++) {
    out[k] = length > 0 ? tangential * (x[k] / length) : 0;
  }
  out[0] = normal;
}

void contact_project_cone(int dim, double mu, const double *x, double *out) {
  assert(dim >= 1 && dim <= 3);
  const double length = tangential_length(dim, x), normal = x[0];
  if (length <= mu * normal && normal >= 0) {
    memmove(out, x, (size_t)dim * sizeof *out);
  } else if (mu * length <= -normal) {
    memset(out, 0, (size_t)dim * sizeof *out);
  } else {
    const double s = (normal + mu * length) / (1 + mu * mu);
    set_parts(dim, x, length, s, mu * s, out);
  }
}

void contact_project_dual(int dim, double mu, const double *x, double *out) {
  assert(dim >= 1 && dim <= 3);
  const double length = tangential_length(dim, x), normal = x[0];
  if (mu * length <= normal) {
    memmove(out, x, (size_t)dim * sizeof *out);
  } else if (length <= -mu * normal) {
    memset(out, 0, (size_t)dim * sizeof *out);
  } else {
    const double s = (mu * normal + length) / (1 + mu * mu);
    set_parts(dim, x, length, mu * s, s, out);
  }
}
