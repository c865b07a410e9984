/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A heavy box stands on a light one, and both slide on a plane with one velocity. The friction
 * between the two, mu_top, is stronger than that on the plane: v = v0 - mu g t for both until they
 * rest, the reference. Eight contacts; the diagonal blocks of A at the light box are of the size of
 * its inverse mass, the load is that of the heavy one, and iterations that go contact by contact
 * carry it down in steps of the ratio of the two.
 */

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>

/* Half widths of the two boxes over the half height: the upper one stands inside the lower. */
static const double LOWER = 2, UPPER = 1.6;

struct box {
  const char *name;
  double mass, w, s, z, v0; /* w, s: half width and half height [m] */
  int material;
};

static void add_box(struct mech_assembly *a, enum mech_assembly_kind kind, struct box given) {
  const int planar = kind == MECH_PLANAR;
  const double w = given.w, s = given.s;
  const double side = given.mass * w * w / 3, tall = given.mass * s * s / 3;
  struct mech_body body = {.name = given.name,
                           .mass = given.mass,
                           .inertia = {side + tall, side + tall, planar ? side + tall : 2 * side}};
  struct mech_shape box = {.kind = MECH_SHAPE_BOX, .material = given.material};
  body_place(kind, 0, 0, given.z, body.position);
  body_place(kind, given.v0, 0, 0, body.velocity);
  body_place(kind, w, w, s, box.half);
  box.half[2] = planar ? w : s;
  box.body = mech_assembly_body(a, &body);
  mech_assembly_shape(a, &box);
}

static int boxes_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double m = case_real(p, "m"), s = case_real(p, "s"), v0 = case_real(p, "v0");
  const double g = case_real(p, "g"), mu = case_real(p, "mu"), mu_top = case_real(p, "mu_top");
  if (!(mu <= mu_top) || !(3 * mu < LOWER)) {
    return base_fail(BASE_E_INPUT,
                     "heavy-on-light: mu = %.17g must not be above mu_top and below "
                     "%.3g: the upper box slides off, or they tip over",
                     mu, LOWER / 3);
  }
  struct mech_assembly *a = body_plane_begin("heavy-on-light", kind, g, mu, 0, arena);
  const int rough =
      mech_assembly_material(a, &(struct mech_material){.name = "rough", .mu = mu_top});
  add_box(a, kind,
          (struct box){.name = "light", .mass = m, .w = LOWER * s, .s = s, .z = s, .v0 = v0});
  add_box(a, kind,
          (struct box){.name = "heavy",
                       .mass = m * case_real(p, "ratio"),
                       .w = UPPER * s,
                       .s = s,
                       .z = 3 * s,
                       .v0 = v0,
                       .material = rough});
  mech_assembly_scales(a, 4 * s, fmax(v0, sqrt(4 * g * s)));
  return body_finish(a, BASE_OK, out, NULL);
}

static const double ROUNDINGS = 32;

static double boxes_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double v0 = case_real(p, "v0"), s = case_real(p, "s");
  const double a = case_real(p, "mu") * case_real(p, "g");
  const double slides = a > 0 ? fmin(t, v0 / a) : t, way = (v0 - 0.5 * a * slides) * slides;
  const int planar = kind == MECH_PLANAR;
  for (int k = 0; k < 2; ++k) {
    const struct body_motion motion = {
        .s = way, .z = (1 + 2 * k) * s, .v = fmax(0, v0 - a * slides)};
    body_publish(kind, motion, q + k * (planar ? 3 : 7), u + k * (planar ? 3 : 6));
  }
  return ROUNDINGS * DBL_EPSILON * fmax(1, way);
}

/* The friction of the plane; the boxes do not slide on each other. */
static void boxes_work(const struct case_parameters *p, double t, double work[4]) {
  const double v0 = case_real(p, "v0"),
               v = fmax(0, v0 - case_real(p, "mu") * case_real(p, "g") * t);
  work[0] = 0.5 * case_real(p, "m") * (1 + case_real(p, "ratio")) * (v - v0) * (v + v0);
}

const struct case_type case_heavy_on_light = {
    .name = "heavy-on-light",
    .summary = "a heavy box on a light one, sliding: large mass ratios; closed form known",
    .source = "own",
    .build = boxes_build,
    .reference = boxes_reference,
    .work = boxes_work};
