/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ball thrown along a plane: it slides, friction turns it, it rolls (negrut, the relaxation term
 * of 5d). Closed form, the reference, for I = k m R^2 and v_T the speed of the lowest point:
 *
 *   fall      until t_l = sqrt(2 gap/g); the landing takes s = g t_l and gives friction mu m s
 *   slide     vdot = -mu g, R omegadot = mu g/k, v_T = v - R omega falls at (1 + 1/k) mu g
 *   roll      from v_T = 0 on, with v = v0/(1 + k), which is what the moment of momentum about any
 *             point of the plane leaves, however friction acts; 5/7 v0 for a full sphere
 *
 * From gap 0 the sliding lasts v0/((1 + 1/k) mu g) = 2 v0/(7 mu g).
 */
#include "cases/case.h"

#include "base/status.h"
#include "cases/body_kit.h"

#include <float.h>
#include <math.h>

struct thrown_ball {
  double m, R, k, mu, v0, g, gap, angle; /* k = I/(m R^2) [-] */
  double t_land, v_land, w_land;         /* landing: after it [s], [m/s], [rad/s] */
  double t_roll, v_roll;                 /* rolls from t_roll on with v_roll */
};

static struct thrown_ball thrown_ball_of(const struct case_parameters *p) {
  struct thrown_ball b = {.m = case_real(p, "m"),
                          .R = case_real(p, "R"),
                          .k = case_real(p, "k"),
                          .mu = case_real(p, "mu"),
                          .v0 = case_real(p, "v0"),
                          .g = case_real(p, "g"),
                          .gap = case_real(p, "gap"),
                          .angle = case_real(p, "angle")};
  const double slip = 1 + 1 / b.k;
  b.t_land = sqrt(2 * b.gap / b.g);
  const double lost = fmin(b.mu * b.g * b.t_land, b.v0 / slip);
  b.v_land = b.v0 - lost;
  b.w_land = lost / (b.k * b.R);
  const double left = b.v0 - slip * lost;
  b.t_roll = b.t_land + (left > 0 ? left / (slip * b.mu * b.g) : 0);
  b.v_roll = b.v0 / (1 + b.k);
  return b;
}

static int ball_build(const struct case_parameters *p, struct base_arena *arena,
                      struct case_instance *out) {
  const struct thrown_ball b = thrown_ball_of(p);
  const enum mech_assembly_kind kind = body_kind_of(p);
  if (kind == MECH_PLANAR && b.angle != 0) {
    return base_fail(BASE_E_INPUT, "thrown-ball: angle = %.17g must be 0 in the plane", b.angle);
  }
  const double I = b.k * b.m * b.R * b.R;
  struct mech_assembly *a = body_plane_begin("thrown-ball", kind, b.g, b.mu, 0, arena);
  struct mech_body ball = {.name = "ball", .mass = b.m, .inertia = {I, I, I}};
  body_place(kind, 0, 0, b.R + b.gap, ball.position);
  body_place(kind, b.v0 * cos(b.angle), b.v0 * sin(b.angle), 0, ball.velocity);
  mech_assembly_body(a, &ball);
  mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE, .radius = b.R});
  mech_assembly_scales(a, b.R, b.v0);
  return body_finish(a, BASE_OK, out, NULL);
}

/* A few roundings of numbers as large as the way or the angle. */
static const double ROUNDINGS = 32;

/* Speed along the plane and rate of rotation at time t. */
static void speeds_at(const struct thrown_ball *b, double t, double *v, double *w) {
  const double slides = fmin(t, b->t_roll) - b->t_land;
  const int rolls = t > b->t_roll, flies = t < b->t_land;
  const double wdot = b->mu * b->g / (b->k * b->R);
  *v = flies ? b->v0 : rolls ? b->v_roll : b->v_land - b->mu * b->g * slides;
  *w = flies ? 0 : rolls ? b->v_roll / b->R : b->w_land + wdot * slides;
}

static double ball_reference(const struct case_parameters *p, double t, double *q, double *u) {
  const struct thrown_ball b = thrown_ball_of(p);
  const double flown = fmin(t, b.t_land), height = b.gap - 0.5 * b.g * flown * flown;
  double s = b.v0 * flown, phi = 0, v, w;
  speeds_at(&b, t, &v, &w);
  if (t >= b.t_land) {
    const double slides = fmin(t, b.t_roll) - b.t_land, rolls = fmax(0, t - b.t_roll);
    const double wdot = b.mu * b.g / (b.k * b.R);
    s += b.v_land * slides - 0.5 * b.mu * b.g * slides * slides + b.v_roll * rolls;
    phi = b.w_land * slides + 0.5 * wdot * slides * slides + b.v_roll / b.R * rolls;
  }
  const struct body_motion motion = {.angle = b.angle,
                                     .s = s,
                                     .z = b.R + (t < b.t_land ? height : 0),
                                     .phi = phi,
                                     .v = v,
                                     .vz = t < b.t_land ? -b.g * t : 0,
                                     .w = w};
  body_publish(body_kind_of(p), motion, q, u);
  return ROUNDINGS * DBL_EPSILON * fmax(1, fmax(fabs(s), fabs(phi)));
}

/* The landing takes the speed of the fall, friction what the ball loses of the rest. */
static void ball_work(const struct case_parameters *p, double t, double work[4]) {
  const struct thrown_ball b = thrown_ball_of(p);
  const double s = t < b.t_land ? 0 : b.g * b.t_land, I = b.k * b.m * b.R * b.R;
  double v, w;
  speeds_at(&b, t, &v, &w);
  work[0] = 0.5 * b.m * (v - b.v0) * (v + b.v0) + 0.5 * I * w * w;
  work[1] = -0.5 * b.m * s * s;
}

const struct case_type case_thrown_ball = {
    .name = "thrown-ball",
    .summary = "a ball thrown along a plane slides, then rolls; closed form known",
    .source = "negrut 5d",
    .build = ball_build,
    .reference = ball_reference,
    .work = ball_work};
