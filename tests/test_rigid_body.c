/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rigid body in its three descriptions: each against itself by finite differences, their
 * equations of motion against Lagrange's (through mech_by_coordinates) and against each other.
 */
#include "tests/mutant.h"
#include "tests/random_problem.h"
#include "tests/test.h"

#include "mech/rigid/rigid_body.h"

static const char *const kinds[] = {"affine", "scalable", "quaternion"};

static struct mech_rigid_body body_of(int kind) {
  return (struct mech_rigid_body){.kind = (enum mech_rigid_body_kind)kind,
                                  .mass = 1.7,
                                  .Theta = {0.31, 0.47, 0.63},
                                  .gravity = 9.81,
                                  .contact = 1,
                                  .point = {0.11, -0.07, -0.2},
                                  .mu = 0.3,
                                  .eps_N = 0.4,
                                  .length = 1,
                                  .speed = 3};
}

struct state {
  double r[3], A[4], v[3], omega[3];
};

static struct state random_state(struct base_rng *rng) {
  struct state s;
  for (int i = 0; i < 3; ++i) {
    s.r[i] = base_rng_uniform(rng, -1, 1);
    s.v[i] = base_rng_uniform(rng, -2, 2);
    s.omega[i] = base_rng_uniform(rng, -3, 3);
  }
  random_unit(rng, 4, s.A);
  return s;
}

TEST(each_description_agrees_with_itself) {
  struct base_rng *rng = test_rng(0);
  for (int kind = 0; kind < 3; ++kind) {
    struct base_arena *arena = test_arena();
    const struct mech_rigid_body body = body_of(kind);
    const struct mech *m = mech_rigid_body_build(&body, arena);
    for (int trial = 0; trial < 10; ++trial) {
      const struct state s = random_state(rng);
      double q[12], u[12], worst;
      mech_rigid_body_state(m, s.r, s.A, s.v, s.omega, q, u);
      if (trial % 2 == 1 && kind == MECH_RIGID_BODY_SCALABLE) { /* off the constraint too */
        u[3] = base_rng_uniform(rng, -1, 1);
        for (int i = 3; i < 7; ++i) {
          q[i] *= 1.3;
        }
      }
      CHECK_MESSAGE(mech_check(m, q, u, 0, 1e-9, &worst, arena) == BASE_OK, "%s: %s", kinds[kind],
                    base_message());
    }
  }
}

/* H (5.85), Q (5.79) and M (5.81) against Lagrange's equations of the mass matrix by qdot. */
TEST(scalable_body_obeys_lagrange) {
  struct base_rng *rng = test_rng(0);
  struct base_arena *arena = test_arena();
  const struct mech_rigid_body body = body_of(MECH_RIGID_BODY_SCALABLE);
  const struct mech *m = mech_rigid_body_build(&body, arena);
  const struct mech *view = mech_by_coordinates(m, arena);
  CHECK(view != m && view->nu == 7);
  for (int trial = 0; trial < 10; ++trial) {
    const struct state s = random_state(rng);
    double q[7], u[7], qdot[7], worst;
    mech_rigid_body_state(m, s.r, s.A, s.v, s.omega, q, u);
    u[3] = base_rng_uniform(rng, -1, 1);
    mech_qdot(m, q, u, qdot, arena);
    CHECK_OK(mech_check(view, q, qdot, 0, 1e-8, &worst, arena));
    CHECK_NEAR(mech_kinetic(view, q, qdot, arena), mech_kinetic(m, q, u, arena), 1e-13);
  }
}

TEST(descriptions_are_one_body) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 10; ++trial) {
    struct base_arena *arena = test_arena();
    const struct state s = random_state(rng);
    double q_out[3][12], u_out[3][12], E[3], gap[3], v[3][3];
    for (int kind = 0; kind < 3; ++kind) {
      const struct mech_rigid_body body = body_of(kind);
      const struct mech *m = mech_rigid_body_build(&body, arena);
      double q[12], u[12];
      struct mech_contacts list;
      mech_rigid_body_state(m, s.r, s.A, s.v, s.omega, q, u);
      m->ops->observe(m, q, u, q_out[kind], u_out[kind]);
      E[kind] = mech_energy(m, q, u, arena);
      mech_contacts_init(&list, m, arena);
      mech_contacts_find(m, q, NULL, INFINITY, &list);
      CHECK_INT(list.n, 1);
      gap[kind] = list.gN[0];
      mech_contacts_velocity(&list, u, v[kind]);
    }
    for (int kind = 1; kind < 3; ++kind) {
      for (int i = 0; i < 12; ++i) {
        CHECK_NEAR(q_out[kind][i], q_out[0][i], 1e-14);
        CHECK_NEAR(u_out[kind][i], u_out[0][i], 1e-13);
      }
      for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(v[kind][i], v[0][i], 1e-13);
        CHECK_NEAR(u_out[kind][3 + i], s.omega[i], 1e-13);
      }
      CHECK_NEAR(E[kind], E[0], 1e-13);
      CHECK_NEAR(gap[kind], gap[0], 1e-14);
    }
  }
}

/* Each matrix spoilt by a part in a thousand is found out, by name. */
TEST(wrong_matrices_are_found) {
  static const struct mutation
      quaternion[] = {{MUTANT_velocity_gyro, "gyroscopic forces against H(u)", .n = 36,
                       .part = 1e-3},
                      {MUTANT_velocity_gyro, "skewness of H(u)", .at = 3 * 6 + 4, .by = 0.1}},
      scalable[] = {{MUTANT_decomposition, "Q F = I", .by = 1e-3},
                    {MUTANT_gyro, "skewness of H", .at = 3 * 7 + 4, .by = 1e-3},
                    {MUTANT_gyro, "gyroscopic forces against H", .n = 49, .part = 1e-3},
                    {MUTANT_coordinate_gyro, "G against the mass matrix", .n = 49, .part = 1e-3},
                    {MUTANT_discrete_kinetic, "discrete derivative of T", .n = 7, .part = 1e-3}};
  const struct state s = random_state(test_rng(0));
  for (int k = 0; k < 2; ++k) {
    const struct mech_rigid_body body =
        body_of(k == 0 ? MECH_RIGID_BODY_QUATERNION : MECH_RIGID_BODY_SCALABLE);
    const struct mech *m = mech_rigid_body_build(&body, test_arena());
    double q[12], u[12];
    mech_rigid_body_state(m, s.r, s.A, s.v, s.omega, q, u);
    mutants_are_found(m, q, u, 1e-9, k == 0 ? quaternion : scalable, k == 0 ? 2 : 5);
  }
}

TEST(bodies_that_cannot_exist_are_refused) {
  struct base_arena *arena = test_arena();
  struct mech_rigid_body body = body_of(MECH_RIGID_BODY_AFFINE);
  body.Theta[2] = 0.8; /* more than 0.31 + 0.47 */
  CHECK(mech_rigid_body_build(&body, arena) == NULL);
  CHECK(strstr(base_message(), "moment of inertia 3") != NULL);
  body = body_of(MECH_RIGID_BODY_AFFINE);
  body.mass = 0;
  CHECK(mech_rigid_body_build(&body, arena) == NULL);
}
