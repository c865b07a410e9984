/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The quaternion integrators on friction sets (moeller 5.141, 5.157, 5.158, law cone): what they
 * keep to round-off at a coarse step, against Moreau's rule, against the ball of the same law,
 * against plain Coulomb friction (law ncp) where spin friction goes to nothing.
 */
#include <stdio.h>

#include "tests/test.h"
#include "tests/tippe_top_run.h"

enum { NQ = 7 };

static const char *const sets[] = {"friction_set=B", "friction_set=E", "friction_set=S",
                                   "friction_set=Z"};
enum { SETS = 4 };
static const char ONE[] = "consistent-quaternion", TWO[] = "consistent-quaternion-twostep";
static const double INITIAL = 0.012; /* size of the energy [J] */

/* ---- The motion at a coarse step ------------------------------------------------------------- */

/* (5.144), (5.147), (5.154) with every set, over landing, inversion and rest on the handle. */
TEST(two_steps_keep_closed_gaps_length_and_energy) {
  for (int s = 0; s < SETS; ++s) {
    const struct tippe_top_run w = tippe_top_run(TWO, sets[s], 1e-3, 2);
    CHECK_INT(w.steps, 2000);
    CHECK_LE(w.loss[0], 1e-12);
    CHECK_LE(w.loss[1], 1e-12);
    CHECK_LE(w.stretch, 1e-14);
    CHECK_LE(w.rise, 1e-12 * INITIAL);
    CHECK_LE(w.friction, 1e-12 * INITIAL);
    CHECK_LE(w.residual, 1e-13);
    CHECK_LE(w.deepest, 1e-5); /* a landing: dt^2 g */
    if (s < 3) {               /* as with other formulations: sliding and spin in one set */
      CHECK_LE(3, w.highest);
    } else {
      CHECK_LE(w.highest, 0.2);
    }
  }
}

TEST(moreau_drifts) {
  const struct tippe_top_run w = tippe_top_run("moreau", sets[1], 1e-3, 2);
  CHECK_LE(5e-4, w.deepest); /* 7.4e-4 m */
  CHECK_LE(5e-4, w.loss[0]);
  CHECK_LE(1e-6 * INITIAL, w.rise); /* gyroscopic forces at the old velocity */
}

/* A closed contact at rest goes through u_N^E = -dt g / 2: 4.9 mm/s at 1e-3 s; energy and length
 * are kept all the same. */
TEST(one_step_sinks_at_half_a_step_of_gravity) {
  for (int s = 0; s < SETS; ++s) {
    const struct tippe_top_run w = tippe_top_run(ONE, sets[s], 1e-3, 1);
    CHECK_NEAR(w.loss[0] / (0.5 * 1e-3 * 9.81), 1, 0.1);
    CHECK_LE(w.stretch, 1e-14);
    CHECK_LE(w.rise, 1e-12 * INITIAL);
    CHECK_LE(w.residual, 1e-13);
  }
}

/* ---- Against other laws and rules ------------------------------------------------------------ */

/* The spin is a torque in one and a force in the other: the same inclusion. */
/* (moeller 6.5) Shifted back to the floor after each half step a top under Moreau's rule does not
 * sink, and rises as it does without. */
TEST(moreau_shifted_back_does_not_sink) {
  const struct tippe_top_run sinks = tippe_top_run("moreau", "friction_set=E", 1e-3, 2);
  const struct tippe_top_run shifted = tippe_top_run("moreau", "friction_set=E shift=yes", 1e-3, 2);
  CHECK_LE(1e-5, sinks.deepest);
  CHECK_LE(shifted.deepest, 1e-15);
  CHECK_LE(3, shifted.highest);
}

TEST(ellipsoid_and_ball_are_the_same_law) {
  const struct tippe_top_run E = tippe_top_run(TWO, sets[1], 1e-3, 0.5),
                             S = tippe_top_run(TWO, sets[2], 1e-3, 0.5);
  const struct tippe_top_run B = tippe_top_run(TWO, sets[0], 1e-3, 0.5);
  CHECK_LE(test_distance(NQ, E.q, S.q), 1e-9);
  CHECK_LE(1e-5, test_distance(NQ, E.q, B.q));
}

/* R_bar to nothing leaves the disk, which goes through law ncp. With Z the way there is linear: the
 * torque alone. With B and E spin weakens friction where v_T is below R_bar Omega, at the start. */
TEST(no_spin_friction_is_plain_coulomb_friction) {
  static const char *const names[] = {ONE, TWO}, *const kind[] = {"B", "E", "Z"};
  for (int f = 0; f < 2; ++f) {
    const struct tippe_top_run disk = tippe_top_run(names[f], "friction_set=disk", 1e-3, 0.2);
    for (int k = 0; k < 3; ++k) {
      char set[2][64];
      double limit[NQ];
      for (int i = 0; i < 2; ++i) {
        snprintf(set[i], sizeof set[i], "friction_set=%s R_bar=%g", kind[k], (i + 1) * 1e-6);
      }
      const struct tippe_top_run half = tippe_top_run(names[f], set[0], 1e-3, 0.2);
      const struct tippe_top_run whole = tippe_top_run(names[f], set[1], 1e-3, 0.2);
      for (int j = 0; j < NQ; ++j) {
        limit[j] = 2 * half.q[j] - whole.q[j];
      }
      CHECK_LE(1e-5, test_distance(NQ, half.q, disk.q));
      CHECK_LE(test_distance(NQ, half.q, disk.q), 0.6 * test_distance(NQ, whole.q, disk.q));
      CHECK_LE(test_distance(NQ, limit, disk.q),
               (k == 2 ? 1e-3 : 0.1) * test_distance(NQ, half.q, disk.q));
    }
  }
}

/* Both schemes and the midpoint rule are of one motion. */
TEST(schemes_converge_to_each_other) {
  double apart[2][2];
  for (int k = 0; k < 2; ++k) {
    const double dt = k == 0 ? 16e-5 : 4e-5;
    const struct tippe_top_run M = tippe_top_run("moreau", sets[0], dt, 0.1);
    const struct tippe_top_run one = tippe_top_run(ONE, sets[0], dt, 0.1),
                               two = tippe_top_run(TWO, sets[0], dt, 0.1);
    apart[0][k] = test_distance(NQ, one.q, M.q);
    apart[1][k] = test_distance(NQ, two.q, M.q);
  }
  for (int f = 0; f < 2; ++f) {
    CHECK_LE(apart[f][1], 0.4 * apart[f][0]);
    CHECK_LE(apart[f][1], 2e-3);
  }
}

/* ---- The scalable body ----------------------------------------------------------------------- */

/* (5.107) with the sets, and Q and H by the midpoint rule: (5.144) and the energy as on the unit
 * quaternion, and the same motion as dt goes to zero, at first and at second order. */
TEST(the_scalable_body_moves_as_the_quaternion) {
  static const char *const forms[] = {"consistent-twostep", TWO};
  const struct tippe_top_run b = tippe_top_run(TWO, "friction_set=E", 2e-5, 0.1);
  for (int form = 0; form < 2; ++form) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double dt = k == 0 ? 4e-4 : 1e-4;
      const struct tippe_top_run a =
          tippe_top_run(forms[form], "friction_set=E body=scalable", dt, 0.1);
      CHECK_LE(a.rise, 1e-13 * INITIAL);
      CHECK_LE(a.stretch, 1e-14);
      CHECK_LE(a.loss[0] + a.loss[1], form == 0 ? INFINITY : 1e-13); /* W at q^B, or discrete */
      error[k] = test_distance(NQ, a.q, b.q);
    }
    CHECK_MESSAGE(error[1] <= (form == 0 ? 0.4 : 0.35) * error[0], "%s: %.3g, %.3g", forms[form],
                  error[0], error[1]);
  }
}
