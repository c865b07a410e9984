/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table on four legs, or a box on four corners, slides on a plane (negrut 10, 11: N = A may be
 * singular, so that velocities are unique and multipliers are not). With four contacts in space A
 * has 12 rows and W at most rank 6.
 *
 * Thrown without spin the body keeps its attitude as long as the resultant of the normal forces,
 * which friction moves by mu h out of the middle, stays on the support: v = v0 - mu g t until it
 * rests, the reference. A body that begins in the plane, or spins, has no closed form (the bound is NaN): what its friction
 * is in sum depends then on how the legs share the load, of which Coulomb's law knows nothing.
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>
#include <string.h>

static int table_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double m = case_real(p, "m"), v0 = case_real(p, "v0"), angle = case_real(p, "angle");
  const double a = case_real(p, "a"), b = case_real(p, "b"), h = case_real(p, "h");
  const double spin = case_real(p, "spin"), mu = case_real(p, "mu");
  const int planar = kind == MECH_PLANAR;
  if (planar && (angle != 0 || spin != 0)) {
    return base_fail(BASE_E_INPUT, "table: angle and spin must be 0 in the plane");
  }
  if (!(mu * h < fmin(a, b))) {
    return base_fail(BASE_E_INPUT, "table: mu h = %.17g m must be below a and b: it tips over",
                     mu * h);
  }
  struct mech_assembly *s = body_plane_begin("table", kind, case_real(p, "g"), mu, 0, arena);
  struct mech_body body = {.name = "table", .mass = m, .omega = {0, 0, spin}};
  const double x = m * a * a / 3, y = m * b * b / 3, z = m * h * h / 3;
  body.inertia[0] = y + z;
  body.inertia[1] = x + z;
  body.inertia[2] = planar ? x + z : x + y; /* the plane's third axis is across */
  body_place(kind, 0, 0, h + case_real(p, "gap"), body.position);
  body_place(kind, v0 * cos(angle), v0 * sin(angle), 0, body.velocity);
  mech_assembly_body(s, &body);
  if (strcmp(case_choice(p, "shape"), "box") == 0) {
    struct mech_shape box = {.kind = MECH_SHAPE_BOX};
    body_place(kind, a, b, h, box.half);
    box.half[2] = planar ? b : h;
    mech_assembly_shape(s, &box);
  } else {
    for (int k = 0; k < (planar ? 2 : 4); ++k) {
      struct mech_shape foot = {.kind = MECH_SHAPE_POINT};
      body_place(kind, k % 2 == 0 ? -a : a, k < 2 ? -b : b, -h, foot.offset);
      mech_assembly_shape(s, &foot);
    }
  }
  mech_assembly_scales(s, 2 * a, fmax(v0, sqrt(2 * case_real(p, "g") * h)));
  return body_plane_finish(s, out);
}

static const double ROUNDINGS = 32;

static double table_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double v0 = case_real(p, "v0"), g = case_real(p, "g"), h = case_real(p, "h");
  const double gap = case_real(p, "gap"), lands = sqrt(2 * fmax(0, gap) / g);
  const double mu = case_real(p, "mu");
  const double after = fmax(0, v0 - mu * g * lands), flown = fmin(t, lands);
  const double slides = t < lands ? 0 : mu > 0 ? fmin(t - lands, after / (mu * g)) : t - lands;
  const double s = v0 * flown + after * slides - 0.5 * mu * g * slides * slides;
  const double v = t < lands ? v0 : fmax(0, after - mu * g * slides);
  body_rolled(body_kind_of(p), case_real(p, "angle"), s,
              h + (t < lands ? gap - 0.5 * g * t * t : 0), 0, v, t < lands ? -g * t : 0, 0, q, u);
  return case_real(p, "spin") == 0 && gap >= 0 ? ROUNDINGS * DBL_EPSILON * fmax(1, s) : NAN;
}

const struct case_type case_table = {
    .name = "table",
    .summary = "a table on four legs slides: more contact forces than equations",
    .source = "negrut 10, 11",
    .build = table_build,
    .reference = table_reference,
    .figures = table_figures};
