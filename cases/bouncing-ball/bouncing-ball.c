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
  return body_finish(a, BASE_OK, out, NULL);
}

/* Where the ball is between its bounces: how many there were, the time since the last of them,
 * below 0 before the first, and what is left of the speed g t_0, 0 where it lies. */
struct bounce {
  long bounces;
  double left, factor;
};

static struct bounce bounce_at(double t, double t_0, double eps) {
  /* Rebounds above what a double of h0 holds; there the ball lies. */
  const double rest = sqrt(DBL_EPSILON);
  struct bounce b = {.left = t - t_0, .factor = 1};
  if (b.left >= 0 && eps == 1) {
    b.bounces = (long)floor(b.left / (2 * t_0));
    b.left -= (double)b.bounces * 2 * t_0;
  } else if (b.left >= 0) {
    b.factor = eps;
    while (b.factor > rest && b.left >= 2 * b.factor * t_0) {
      b.left -= 2 * b.factor * t_0;
      b.factor *= eps;
      ++b.bounces;
    }
  }
  b.factor = b.factor > rest ? b.factor : 0;
  return b;
}

/* Roundings a bounce adds, of times and heights. */
static const double ROUNDINGS = 8;

static double ball_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const double g = case_real(p, "g"), h0 = case_real(p, "h0");
  const double t_0 = sqrt(2 * h0 / g), vx0 = case_real(p, "vx0");
  const struct bounce b = bounce_at(t, t_0, case_real(p, "eps"));
  double z = h0 - 0.5 * g * t * t, vz = -g * t;
  if (b.left >= 0) {
    z = b.factor > 0 ? b.left * (b.factor * g * t_0 - 0.5 * g * b.left) : 0;
    vz = b.factor > 0 ? b.factor * g * t_0 - g * b.left : 0;
  }
  const struct body_motion motion = {.s = vx0 * t, .z = case_real(p, "R") + z, .v = vx0, .vz = vz};
  body_publish(body_kind_of(p), motion, q, u);
  return ROUNDINGS * DBL_EPSILON * (1 + (double)b.bounces) * (h0 + g * t_0 * t + fabs(vx0) * t);
}

static void ball_work(const struct case_parameters *p, double t, double work[4]) {
  const double g = case_real(p, "g"), h0 = case_real(p, "h0");
  const struct bounce b = bounce_at(t, sqrt(2 * h0 / g), case_real(p, "eps"));
  work[1] = -case_real(p, "m") * g * h0 * (1 - b.factor * b.factor);
}

static const struct case_function *const functions[] = {bouncing_ball_functions, NULL};

const struct case_type case_bouncing_ball = {
    .name = "bouncing-ball",
    .summary = "a ball bounces without loss, a hundred times; closed form known",
    .source = "own",
    .build = ball_build,
    .reference = ball_reference,
    .work = ball_work,
    .functions = functions};
