/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A free asymmetric top (moeller 4.2, 4.3, 5.2): a rigid body without contacts, thrown and
 * spinning, described as affine body, scalable body or by a unit quaternion
 * (src/mech/rigid/rigid_body.h), so that every integrator can run the same motion. Gravity is
 * optional; it does not touch the rotation.
 *
 * The rotation is known in closed form (motion.c), with I1 < I2 < I3 and no velocity about
 * the second axis at the start.
 */
#include "cases/free-top/free-top.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

static void read_motion(const struct case_parameters *p, struct free_top_motion *out) {
  const double I[3] = {case_real(p, "I1"), case_real(p, "I2"), case_real(p, "I3")};
  free_top_motion_init(out, I, case_real(p, "w1_0"), case_real(p, "w3_0"));
}

static int check(const struct case_parameters *p) {
  const double I[3] = {case_real(p, "I1"), case_real(p, "I2"), case_real(p, "I3")};
  if (!(I[0] < I[1] && I[1] < I[2])) {
    return base_fail(BASE_E_INPUT,
                     "free-top: I1 = %g, I2 = %g, I3 = %g must ascend: the closed form is that of "
                     "an asymmetric top",
                     I[0], I[1], I[2]);
  }
  if (case_real(p, "w1_0") == 0 || case_real(p, "w3_0") == 0) {
    return base_fail(BASE_E_INPUT, "free-top: w1_0 and w3_0 must not be zero: the closed form is "
                                   "that of a tumbling top");
  }
  struct free_top_motion motion;
  read_motion(p, &motion);
  if (!(motion.modulus <= FREE_TOP_MODULUS_MAX)) {
    return base_fail(BASE_E_INPUT,
                     "free-top: w1_0 and w3_0 are on the separatrix (k = %.9g), where the motion "
                     "takes forever to come back",
                     motion.modulus);
  }
  return BASE_OK;
}

static int free_top_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  static const char *const kinds[] = {"affine", "scalable", "quaternion"};
  const double A[4] = {1, 0, 0, 0}, r[3] = {0, 0, 0};
  const double v[3] = {case_real(p, "vx0"), case_real(p, "vy0"), case_real(p, "vz0")};
  const double omega[3] = {case_real(p, "w1_0"), 0, case_real(p, "w3_0")};
  int kind = 0;
  if (check(p) != BASE_OK) {
    return BASE_E_INPUT;
  }
  while (kind < 2 && strcmp(kinds[kind], case_choice(p, "body")) != 0) {
    ++kind; /* no fourth word gets here: the case's file lists the three */
  }
  const double spin = hypot(omega[0], omega[2]);
  const double speed = hypot(hypot(v[0], v[1]), v[2]);
  const struct mech_rigid_body body = {
      .name = "free-top",
      .kind = (enum mech_rigid_body_kind)kind,
      .mass = case_real(p, "m"),
      .Theta = {case_real(p, "I1"), case_real(p, "I2"), case_real(p, "I3")},
      .gravity = case_real(p, "g"),
      .length = 1,                                          /* directors are unit vectors */
      .speed = fmax(spin, speed) + 10 * case_real(p, "g")}; /* may fall for a while */
  out->mech = mech_rigid_body_build(&body, arena);
  if (out->mech == NULL) {
    base_message_prefix("free-top: ");
    return BASE_E_INPUT;
  }
  out->q = base_arena_doubles(arena, out->mech->nq);
  out->u = base_arena_doubles(arena, out->mech->nu);
  mech_rigid_body_state(out->mech, r, A, v, omega, out->q, out->u);
  return BASE_OK;
}

static double free_top_reference(const struct case_parameters *p, double t, double *q, double *u) {
  struct free_top_motion motion;
  const double g = case_real(p, "g");
  read_motion(p, &motion);
  memset(u, 0, MECH_RIGID_BODY_U_OUT * sizeof *u); /* no strain */
  u[0] = case_real(p, "vx0");
  u[1] = case_real(p, "vy0");
  u[2] = case_real(p, "vz0") - g * t;
  q[0] = u[0] * t;
  q[1] = u[1] * t;
  q[2] = case_real(p, "vz0") * t - 0.5 * g * t * t;
  free_top_motion_at(&motion, t, q + 3, u + 3);
  return FREE_TOP_BOUND;
}

static const struct case_function *const functions[] = {free_top_functions, NULL};

const struct case_type case_free_top = {
    .name = "free-top",
    .summary = "a free asymmetric top as affine, scalable or quaternion body; closed form",
    .source = "moeller 4.2, 4.3, 5.2",
    .build = free_top_build,
    .reference = free_top_reference,
    .functions = functions};
