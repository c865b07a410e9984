/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A box on four spherical feet, at rest on a plane and pushed at its centre by a constant force P =
 * push mu m g in a direction of the plane. Under Coulomb's law, the reference, it goes where it is
 * pushed with (push - 1) mu g, and stays for push <= 1.
 *
 * A polyhedral cone of n facets has friction forces inside a regular polygon of n vertices, the
 * first along x (bhalerao 12), and bears pushes inside its mirror image, of vertices d_k. In units
 * of mu m g, from rest and for a constant push e P:
 *
 *   it moves when P e leaves the polygon: P > cos(pi/n)/cos(phi), phi the angle of e to the
 *   nearest normal n of an edge
 *   along n while the edge's end can hold P sin(phi), P sin(phi) <= sin(pi/n): off by phi
 *   along P e - d_k else, d_k the vertex next to e
 *
 * so that the direction is wrong by up to about pi/n near the threshold.
 */
#include "cases/pushed-box/pushed-box.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>

double pushed_box_normal(int n) { return n % 2 == 0 ? M_PI / n : 0; }

/* angle less the normal of the edge nearest to it [rad] */
static double from_normal(int n, double angle) {
  return remainder(angle - pushed_box_normal(n), 2 * M_PI / n);
}

double pushed_box_polygon_limit(int n, double angle) {
  return cos(M_PI / n) / cos(from_normal(n, angle));
}

double pushed_box_polygon(int n, double push, double angle) {
  const double phi = from_normal(n, angle), half = M_PI / n;
  if (!(push > pushed_box_polygon_limit(n, angle))) {
    return NAN;
  }
  if (push * fabs(sin(phi)) <= sin(half)) {
    return angle - phi;
  }
  const double vertex = angle - phi + copysign(half, phi);
  return atan2(push * sin(angle) - sin(vertex), push * cos(angle) - cos(vertex));
}

static int box_build(const struct case_parameters *p, struct base_arena *arena,
                     struct case_instance *out) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double m = case_real(p, "m"), a = case_real(p, "a"), h = case_real(p, "h");
  const double r = case_real(p, "r"), mu = case_real(p, "mu"), g = case_real(p, "g");
  const double angle = case_real(p, "angle"), P = case_real(p, "push") * mu * m * g;
  const int planar = kind == MECH_PLANAR;
  if (planar && angle != 0) {
    return base_fail(BASE_E_INPUT, "pushed-box: angle = %.17g must be 0 in the plane", angle);
  }
  if (!(case_real(p, "push") * mu * h < a)) {
    return base_fail(BASE_E_INPUT, "pushed-box: push mu h = %.17g m must be below a: it tips over",
                     case_real(p, "push") * mu * h);
  }
  struct mech_assembly *s = body_plane_begin("pushed-box", kind, g, mu, 0, arena);
  const double side = m * a * a / 3, tall = m * h * h / 3;
  struct mech_body box = {.name = "box",
                          .mass = m,
                          .inertia = {side + tall, side + tall, planar ? side + tall : 2 * side}};
  body_place(kind, 0, 0, h, box.position);
  mech_assembly_body(s, &box);
  for (int k = 0; k < (planar ? 2 : 4); ++k) {
    struct mech_shape foot = {.kind = MECH_SHAPE_SPHERE, .radius = r};
    body_place(kind, k % 2 == 0 ? -a : a, k < 2 ? -a : a, r - h, foot.offset);
    mech_assembly_shape(s, &foot);
  }
  struct mech_load load = {.body = 0};
  body_place(kind, P * cos(angle), P * sin(angle), 0, load.force);
  mech_assembly_load(s, &load);
  mech_assembly_scales(s, 2 * a, sqrt(g * a));
  return body_finish(s, BASE_OK, out, NULL);
}

static const double ROUNDINGS = 32;

static double box_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double a = fmax(0, case_real(p, "push") - 1) * case_real(p, "mu") * case_real(p, "g");
  const struct body_motion motion = {
      .angle = case_real(p, "angle"), .s = 0.5 * a * t * t, .z = case_real(p, "h"), .v = a * t};
  body_publish(body_kind_of(p), motion, q, u);
  return ROUNDINGS * DBL_EPSILON * fmax(1, a * t * t);
}

/* It slides as far as it goes. */
static void box_work(const struct case_parameters *p, double t, double work[4]) {
  const double friction = case_real(p, "mu") * case_real(p, "m") * case_real(p, "g");
  const double a = fmax(0, case_real(p, "push") - 1) * case_real(p, "mu") * case_real(p, "g");
  work[0] = -friction * 0.5 * a * t * t;
  work[3] = -case_real(p, "push") * work[0];
}

/* Of n, push and angle. */
static double polygon(const struct case_parameters *p, const double *x) {
  (void)p;
  return pushed_box_polygon((int)x[0], x[1], x[2]);
}

static const struct case_function own_functions[] = {
    {"polygon", .formula = polygon, .n_numbers = 3}, {0}};
static const struct case_function *const functions[] = {own_functions, NULL};

const struct case_type case_pushed_box = {
    .name = "pushed-box",
    .summary = "a box pushed with about the friction it can bear; closed form known",
    .source = "own; polygons: bhalerao 12",
    .build = box_build,
    .reference = box_reference,
    .work = box_work,
    .functions = functions};
