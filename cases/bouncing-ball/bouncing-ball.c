/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ball bounces on a plane, frictionless. Closed form, the reference: falls from h0 in t_0 =
 * sqrt(2 h0/g); after bounce number n it leaves with eps^n g t_0 and is up for 2 eps^n t_0. With
 * eps = 1 the flight repeats itself for ever, and what an integrator does to the energy adds up.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>

double bouncing_ball_period(const struct case_parameters *p) {
  return 2 * sqrt(2 * case_real(p, "h0") / case_real(p, "g"));
}

static int ball_build(const struct case_parameters *p, struct base_arena *arena,
                      struct case_instance *out) {
  const enum mech_assembly_kind kind = body_kind_of(p);
  const double m = case_real(p, "m"), R = case_real(p, "R"), I = 0.4 * m * R * R;
  const double h0 = case_real(p, "h0"), g = case_real(p, "g"), vx0 = case_real(p, "vx0");
  struct mech_assembly *a =
      body_plane_begin("bouncing-ball", kind, g, 0, case_real(p, "eps"), arena);
  struct mech_body ball = {.name = "ball", .mass = m, .inertia = {I, I, I}};
  body_place(kind, 0, 0, R + h0, ball.position);
  body_place(kind, vx0, 0, 0, ball.velocity);
  mech_assembly_body(a, &ball);
  mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE, .radius = R});
  mech_assembly_scales(a, h0, fmax(sqrt(2 * g * h0), fabs(vx0)));
  return body_plane_finish(a, out);
}

/* Roundings a bounce adds, of times and heights. */
static const double ROUNDINGS = 8;

static double ball_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double g = case_real(p, "g"), h0 = case_real(p, "h0"), eps = case_real(p, "eps");
  const double t_0 = sqrt(2 * h0 / g), vx0 = case_real(p, "vx0");
  /* Rebounds above what a double of h0 holds; there the ball lies. */
  const double rest = sqrt(DBL_EPSILON);
  double left = t - t_0, factor = 1, z = h0 - 0.5 * g * t * t, vz = -g * t;
  long bounces = 0;
  if (left >= 0) {
    if (eps == 1) {
      bounces = (long)floor(left / (2 * t_0));
      left -= (double)bounces * 2 * t_0;
    } else {
      factor = eps;
      while (factor > rest && left >= 2 * factor * t_0) {
        left -= 2 * factor * t_0;
        factor *= eps;
        ++bounces;
      }
    }
    const int lies = !(factor > rest);
    z = lies ? 0 : left * (factor * g * t_0 - 0.5 * g * left);
    vz = lies ? 0 : factor * g * t_0 - g * left;
  }
  body_rolled(body_kind_of(p), 0, vx0 * t, case_real(p, "R") + z, 0, vx0, vz, 0, q, u);
  return ROUNDINGS * DBL_EPSILON * (1 + (double)bounces) * (h0 + g * t_0 * t + fabs(vx0) * t);
}

const struct case_type case_bouncing_ball = {
    .name = "bouncing-ball",
    .summary = "a ball bounces without loss, a hundred times; closed form known",
    .source = "own",
    .build = ball_build,
    .reference = ball_reference,
    .figures = bouncing_ball_figures};
