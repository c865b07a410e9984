/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two balls on ropes: one is released and hits the other, which hangs still (yu, figs 9 to 12). The
 * model is that of granular-chains (cases/granular-chains/model.c) with n = 1 and the second branch
 * vertical.
 *
 * With points at the ceiling 2 R apart the motion has a closed form. The first ball is a pendulum
 * of amplitude alpha until it hits the other at the lowest point, central and with parallel ropes,
 * at a quarter of its period. Restitution 0 leaves both with half the speed: two equal pendulums
 * side by side, which need no contact force, with sin(alpha'/2) = sin(alpha/2)/2. With w =
 * sqrt(g/L), k = sin(alpha/2) and K = K(k) the angle from the vertical (outwards) is
 *   theta = 2 asin(k cd(w t | k^2)),   then   theta = -2 asin(k' sn(w (t - t_i) | k'^2)),
 *   w t_i = K,   cd = cn/dn of w t (amplitude at t = 0).
 */
#include "cases/two-balls/two-balls.h"

#include "cases/granular-chains/granular-chains.h"
#include "la/elliptic.h"

#include <math.h>

static const double DEGREE = M_PI / 180;

double two_balls_impact(const struct case_parameters *p) {
  const double k = sin(0.5 * DEGREE * case_real(p, "angle"));
  return la_elliptic_complete(k) / sqrt(case_real(p, "g") / case_real(p, "L"));
}

double two_balls_angle(const struct case_parameters *p, double t, int ball) {
  const double w = sqrt(case_real(p, "g") / case_real(p, "L")), t_i = two_balls_impact(p);
  const double k = sin(0.5 * DEGREE * case_real(p, "angle"));
  double sn, cn, dn, Pi;
  if (t < t_i) {
    la_elliptic(k, 0, w * t, &sn, &cn, &dn, &Pi);
    return ball == 0 ? 2 * asin(k * cn / dn) : 0;
  }
  la_elliptic(0.5 * k, 0, w * (t - t_i), &sn, &cn, &dn, &Pi);
  return (ball == 0 ? -2 : 2) * asin(0.5 * k * sn);
}

static int balls_build(const struct case_parameters *p, struct base_arena *arena,
                       struct case_instance *out) {
  const double angle[2] = {DEGREE * case_real(p, "angle"), 0};
  return granular_chains_assemble(p, "two-balls", angle, arena, out);
}

static double impact(const struct case_parameters *p, const double *x) {
  (void)x;
  return two_balls_impact(p);
}

static double angle(const struct case_parameters *p, const double *x) {
  return two_balls_angle(p, x[0], (int)x[1]);
}

/* Of figures: impact(), angle(t, ball). */
static const struct case_function closed_form[] = {
    {"impact", .formula = impact}, {"angle", .formula = angle, .n_numbers = 2}, {0}};
static const struct case_function *const functions[] = {closed_form, NULL};

const struct case_type case_two_balls = {
    .name = "two-balls",
    .summary = "a ball on a rope hits another that hangs still; closed form known",
    .source = "yu, figs 9 to 12",
    .build = balls_build,
    .functions = functions};
