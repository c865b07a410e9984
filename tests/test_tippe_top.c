/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tippe top (moeller 6.5): the model against itself and against rigid-body kinematics written
 * down afresh, Jellett's integral, the inversion, what the friction sets have in common, and what
 * every formulation makes of them.
 */
#include "tests/case_model.h"
#include "tests/test.h"
#include "tests/tippe_top_run.h"

enum { NQ = 7, NU = 6 };

static const char *const sets[] = {"friction_set=B", "friction_set=E", "friction_set=S",
                                   "friction_set=Z", "friction_set=disk"};
enum { SETS = 5, WITH_SPIN = 4 };

static const double R_BAR = 2.945e-4, c_1 = 0.003, c_2 = 0.016, r_1 = 0.015, r_2 = 0.005;

/* ---- The model ------------------------------------------------------------------------------- */

/* Random attitude with the height in reach of the floor, velocities of the top's size. */
static void random_state(struct base_rng *rng, double *q, double *u) {
  double length = 0;
  for (int j = 0; j < NQ; ++j) {
    q[j] = base_rng_normal(rng) * (j < 3 ? 0.01 : 1);
    length += j < 3 ? 0 : q[j] * q[j];
  }
  for (int j = 3; j < NQ; ++j) {
    q[j] /= sqrt(length);
  }
  for (int j = 0; j < NU; ++j) {
    u[j] = base_rng_normal(rng) * (j < 3 ? 0.3 : 100);
  }
}

TEST(model_agrees_with_itself) {
  struct base_rng *rng = test_rng(0);
  for (int s = 0; s < SETS; ++s) {
    struct base_arena *arena = test_arena();
    const struct case_instance c = case_model_build("tippe-top", sets[s], arena);
    for (int draw = 0; draw < 10; ++draw) {
      double q[NQ], u[NU], worst;
      random_state(rng, q, u);
      CHECK_MESSAGE(mech_check(c.mech, q, u, 0, 1e-8, &worst, arena) == BASE_OK, "%s: %s", sets[s],
                    base_message());
    }
  }
}

/* Where the material point x of the body is after a time tau at constant u. */
static void material_point(const double *q, const double *u, double tau, const double x[3],
                           double out[3]) {
  const double rate = sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]), half = 0.5 * tau * rate;
  /* A exp(tau omega / 2) */
  const double b[4] = {cos(half), sin(half) * u[3] / rate, sin(half) * u[4] / rate,
                       sin(half) * u[5] / rate};
  const double *a = q + 3;
  const double A[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                       a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                       a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
                       a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
  tippe_top_rotate(A, x, out);
  for (int j = 0; j < 3; ++j) {
    out[j] += q[j] + tau * u[j];
  }
}

/* v = W^T u is the velocity of the body's lowest points (6.63), the spin about the normal the rate
 * of two material points about each other. */
TEST(contact_velocities_are_those_of_material_points) {
  static const double TAU = 1e-7; /* [s] */
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct case_instance body = case_model_build("tippe-top", sets[0], arena);
  const struct case_instance scaled = case_model_build("tippe-top", sets[2], arena);
  for (int draw = 0; draw < 50; ++draw) {
    double q[NQ], u[NU], v[8], v_scaled[8];
    struct mech_contacts list, list_scaled;
    random_state(rng, q, u);
    mech_contacts_init(&list, body.mech, arena);
    mech_contacts_init(&list_scaled, scaled.mech, arena);
    mech_contacts_find(body.mech, q, NULL, INFINITY, &list);
    mech_contacts_find(scaled.mech, q, NULL, INFINITY, &list_scaled);
    mech_contacts_velocity(&list, u, v);
    mech_contacts_velocity(&list_scaled, u, v_scaled);
    CHECK_INT(list.n, 2);
    for (int i = 0; i < 2; ++i) {
      const double c = i == 0 ? c_1 : c_2, r = i == 0 ? r_1 : r_2;
      const double e_3[3] = {0, 0, 1}, back[4] = {q[3], -q[4], -q[5], -q[6]};
      double e[3], x[3], ahead[3], behind[3];
      tippe_top_rotate(q + 3, e_3, e);
      const double lever[3] = {c * e[0], c * e[1], c * e[2] - r};
      tippe_top_rotate(back, lever, x);
      material_point(q, u, TAU, x, ahead);
      material_point(q, u, -TAU, x, behind);
      const double scale = 0.5 / TAU;
      CHECK_NEAR(list.gN[i], q[2] + lever[2], 1e-16);
      CHECK_NEAR(v[4 * i], scale * (ahead[2] - behind[2]), 1e-8);
      CHECK_NEAR(v[4 * i + 1], scale * (ahead[0] - behind[0]), 1e-8);
      CHECK_NEAR(v[4 * i + 2], scale * (ahead[1] - behind[1]), 1e-8);
      /* a horizontal arm of 1 m through the centre of mass */
      const double arm[3] = {1, 0, 0};
      tippe_top_rotate(back, arm, x);
      material_point(q, u, TAU, x, ahead);
      material_point(q, u, -TAU, x, behind);
      CHECK_NEAR(v[4 * i + 3], scale * (ahead[1] - behind[1]) - u[1], 1e-6);
      CHECK_NEAR(v_scaled[4 * i + 3], R_BAR * v[4 * i + 3], 1e-15);
    }
  }
}

/* ---- The motion ------------------------------------------------------------------------------ */

/* Sliding and spin must share one friction set for the top to rise. */
TEST(top_inverts_where_spin_weakens_sliding_friction) {
  for (int s = 0; s < SETS; ++s) {
    const struct tippe_top_run w = tippe_top_run("moreau", sets[s], 1e-4, 1.6);
    if (s < 3) {
      CHECK_LE(w.first, 1.6);
      CHECK_LE(3, w.highest);
    } else {
      CHECK_LE(w.highest, 0.2);
    }
    CHECK_LE(w.stretch, 1e-14);
  }
}

/* The energy rises in no step by more than explicit gyroscopic forces give; that gain is second
 * order in dt, and without it there would be no rise at all. */
TEST(energy_rises_by_no_more_than_the_gyroscopic_gain) {
  const struct tippe_top_run w = tippe_top_run("moreau", sets[0], 1e-5, 0.3);
  CHECK_LE(w.excess, 1e-16);
  CHECK_LE(-1e-9, w.excess); /* and comes close to it */
}

TEST(ellipsoid_and_ball_are_the_same_law) {
  const struct tippe_top_run E = tippe_top_run("moreau", sets[1], 1e-4, 0.5),
                             S = tippe_top_run("moreau", sets[2], 1e-4, 0.5);
  const struct tippe_top_run B = tippe_top_run("moreau", sets[0], 1e-4, 0.5);
  CHECK_LE(test_distance(NQ, E.q, S.q), 1e-6);
  CHECK_LE(1e-4, test_distance(NQ, E.q, B.q));
}

/* Forces at the lowest point of a sphere have no moment about r_CS: Jellett's integral. Only a spin
 * torque changes it. */
TEST(jelletts_integral_holds_without_spin_torque) {
  double change[3];
  for (int k = 0; k < 3; ++k) {
    const struct tippe_top_run w =
        tippe_top_run("moreau", "friction_set=disk phi0=0.5 z0=0.0123673", 4e-5 / (1 << k), 0.2);
    change[k] = fabs(w.jellett[1] / w.jellett[0] - 1);
  }
  CHECK_LE(change[2], 1e-4);
  CHECK_LE(change[2], 0.6 * change[1]); /* first order */
  CHECK_LE(change[1], 0.6 * change[0]);
  const struct tippe_top_run spin =
      tippe_top_run("moreau", "friction_set=B phi0=0.5 z0=0.0123673", 1e-5, 0.2);
  CHECK_LE(10 * change[2], fabs(spin.jellett[1] / spin.jellett[0] - 1));
}

/* ---- Formulations ---------------------------------------------------------------------------- */

TEST(every_formulation_runs_the_sets_or_says_why_not) {
  for (int i = 0; i < form_count(); ++i) {
    const char *name = form_get(i)->name;
    for (int s = 0; s < SETS; s += SETS - 1) {
      const int status = case_model_run("tippe-top", sets[s], name, 1e-5, 1e-4, NULL, NULL);
      CHECK_MESSAGE(status == BASE_OK || status == BASE_UNSUPPORTED, "%s %s: %s", name, sets[s],
                    base_message());
      if (status == BASE_UNSUPPORTED) {
        CHECK_MESSAGE(strlen(base_message()) > 20, "%s %s: %s", name, sets[s], base_message());
      }
      if (strcmp(name, "moreau") == 0 || strstr(name, "consistent-quaternion") != NULL ||
          (s == WITH_SPIN && strcmp(name, "event") == 0)) {
        CHECK_OK(status);
      } else if (s == 0 && (strcmp(name, "ncp") == 0 || strcmp(name, "event") == 0)) {
        CHECK_REFUSED(status, BASE_UNSUPPORTED, "friction sets");
      }
    }
  }
}

/* Coulomb friction without spin torque: event-driven integration is the truth. */
TEST(midpoint_rule_converges_to_the_event_driven_solution) {
  double truth[NQ], error[3];
  CHECK_OK(case_model_run("tippe-top", sets[4], "event", 1e-3, 0.02, case_model_keep_q, truth));
  for (int k = 0; k < 3; ++k) {
    const struct tippe_top_run w = tippe_top_run("moreau", sets[4], 1e-4 / (1 << (2 * k)), 0.02);
    error[k] = test_distance(NQ, w.q, truth);
  }
  CHECK_LE(error[2], 1e-4);
  CHECK_LE(error[2], 0.5 * error[1]);
  CHECK_LE(error[1], 0.5 * error[0]);
}
