/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulations on assemblies: closed forms by `event`, momentum over a run, a double pendulum over
 * a plane by impulse stepping, consistent integrators, ropes.
 */
#include "tests/test.h"

#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/form_run.h"

#include <gsl/gsl_sf_ellint.h>

static const double g = 9.81;

/* A run that may miss tolerances and must do no worse. */
static struct run *go(const struct case_instance *c, const char *form, double dt, int steps) {
  struct run *run = run_begin(form, c->mech, dt, c->q, c->u);
  run_watched(run, steps);
  CHECK_MESSAGE(run->status <= BASE_UNCONVERGED, "%s: %s", form, base_message());
  return run;
}

/* A rigid body hung from the world at rest at the angle theta0 swings with the period
 * T = 4 K(sin(theta0 / 2)) / sqrt(m g l / I). */
TEST(pendulum_swings_with_its_elliptic_period) {
  const double m = 1.3, l = 0.7, I = 0.4, theta0 = 2.1;
  const double omega0 = sqrt(m * g * l / (I + m * l * l));
  const double T = 4 * gsl_sf_ellint_Kcomp(sin(theta0 / 2), GSL_PREC_DOUBLE) / omega0;
  const double x = l * sin(theta0), z = -l * cos(theta0);
  for (int i = 0; i < 3; ++i) {
    const struct case_instance c =
        i == 2 ? case_model_scene(
                     "'dimension': 2, 'gravity': [0, -9.81], 'bodies': [{'name': 'b', "
                     "'mass': 1.3, 'inertia': 0.4, 'position': [%.17g, %.17g]}], 'joints': "
                     "[{'type': 'spherical', 'bodies': ['world', 'b'], 'point': [0, 0]}]",
                     x, z)
               : case_model_scene(
                     "'gravity': [0, 0, -9.81], 'bodies': [{'name': 'b', 'mass': 1.3, "
                     "'inertia': [0.3, 0.4, 0.35], 'position': [%.17g, 0, %.17g]}], 'joints': "
                     "[{'type': '%s', 'bodies': ['world', 'b'], 'point': [0, 0, 0]%s}]",
                     x, z, i == 0 ? "spherical" : "revolute", i == 0 ? "" : ", 'axis': [0, 1, 0]");
    const int up = i == 2 ? 1 : 2;
    struct run *run = go(&c, "event", T / 40, 10);
    CHECK_NEAR(run->state.q[0], 0, 1e-9); /* straight down after a quarter */
    CHECK_NEAR(run->state.q[up], -l, 1e-9);
    run_watched(run, 30);
    CHECK_NEAR(run->state.q[0], x, 1e-8);
    CHECK_NEAR(run->state.q[up], z, 1e-8);
    CHECK(run->seen.gS < 1e-9);
  }
}

/* Two boxes joined by a ball joint over a plane: falls on it, slides, comes to lie. */
TEST(double_pendulum_over_a_plane_by_impulse_stepping) {
  static const char *const forms[] = {"moreau", "ccp", "lcp-st"};
#define LINK(name, x)                                                                              \
  "{'name': '" name "', 'mass': 1, 'inertia': [0.02, 0.02, 0.004], 'position': [" x                \
  ", 0, 1], 'shapes': [{'type': 'box', 'half': [0.48, 0.05, 0.06], 'material': 'm'}]}"
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.3}}, 'bodies': [{'name': 'plane', "
      "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'offset': -0.4, "
      "'material': 'm'}]}, " LINK("a", "0.5") ", " LINK(
          "b", "1.5") "], 'joints': [{'type': "
                      "'spherical', 'bodies': ['world', 'a'], 'point': [0, 0, 1]}, {'type': "
                      "'spherical', "
                      "'bodies': ['a', 'b'], 'point': [1, 0, 1]}]");
  for (int i = 0; i < 3; ++i) {
    const struct run *run = go(&c, forms[i], 2e-3, 700);
    const double work = run->friction + run->impact;
    CHECK(run->seen.contacts >= 1);
    CHECK_MESSAGE(work < 0, "%s: impacts and friction took %g", forms[i], -work);
    CHECK_MESSAGE(run->seen.penetration < 0.02, "%s: penetration %g", forms[i],
                  run->seen.penetration);
    CHECK_MESSAGE(run->seen.gS < 0.02, "%s: joints off by %g", forms[i], run->seen.gS);
    CHECK(run_energy(run) < run->energy);
  }
}

/* A ball thrown along a floor: event against the closed form of sliding until it rolls,
 * v = v0 - mu g t until t = 2 v0 / (7 mu g), then 5/7 v0. */
TEST(ball_slides_until_it_rolls) {
  const double mu = 0.2, v0 = 2, R = 0.3, I = 0.4 * 0.7 * R * R, slides = 2 * v0 / (7 * mu * g);
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.2}}, 'bodies': [{'name': 'floor', "
      "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'material': 'm'}]}, "
      "{'name': 'b', 'mass': 0.7, 'inertia': [%.17g, %.17g, %.17g], 'position': [0, 0, 0.3], "
      "'velocity': [2, 0, 0], 'shapes': [{'type': 'sphere', 'radius': 0.3, 'material': 'm'}]}]",
      I, I, I);
  struct run *run = go(&c, "event", slides / 20, 10);
  const double *q = run->state.q, *u = run->state.u;
  CHECK_NEAR(u[0], v0 - mu * g * slides / 2, 1e-9);
  run_watched(run, 20);
  CHECK_NEAR(u[0], 5.0 / 7 * v0, 1e-9);
  CHECK_NEAR(u[0], u[4] * R, 1e-9);
  CHECK_NEAR(q[2], R, 1e-10);
  CHECK_NEAR(q[0], v0 * slides - mu * g * slides * slides / 2 + 5.0 / 7 * v0 * slides / 2, 1e-9);
}

/* A point on a rope swings freely once taut, and its speed along the rope is lost (eps 0) or
 * turned (eps 1) when it becomes so: height h over a horizontal start of a slack rope. */
TEST(rope_becomes_taut_and_holds) {
  static const char *const forms[] = {"event", "moreau", "ccp", "ncp", "mdp", "lcp-st"};
  const double L = 1, x = 0.6, fall = 0.8; /* taut at (0.6, 0, -0.8) */
  const double t = sqrt(2 * fall / g), v = g * t;
  const double across = v * x / L; /* what is left of the fall: along (-0.8, 0, -0.6) */
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'bodies': [{'name': 'b', 'mass': 2, 'rotates': false, "
      "'position': [0.6, 0, 0]}], 'joints': [{'type': 'rope', 'bodies': ['world', 'b'], "
      "'point': [0, 0, 0], 'end': [0.6, 0, 0], 'length': 1}]");
  for (int i = 0; i < 6; ++i) {
    const struct run *run = go(&c, forms[i], t / 1000, 1001);
    const double *u = run->state.u;
    const double tolerance = i == 0 ? 0.02 : 0.05; /* one step of gravity and of the scheme */
    CHECK_NEAR(u[0], -across * 0.8, tolerance);
    CHECK_NEAR(u[2], -across * 0.6, tolerance);
    CHECK_MESSAGE(run->seen.penetration < 2e-2 * L, "%s: rope longer by %g", forms[i],
                  run->seen.penetration);
    CHECK(u[3] == 0 && u[4] == 0 && u[5] == 0);
  }
}

/* Energy of a chain of two by the energy-consistent integrators. */
TEST(consistent_integrators_keep_the_energy_of_assemblies) {
#define SPACE(coordinates, first, second)                                                          \
  "'coordinates': '" coordinates "', 'gravity': [0, 0, -9.81], 'bodies': [{'name': 'a', 'mass': "  \
  "1, 'inertia': [0.1, 0.12, 0.15], 'position': [0.5, 0, 1], 'angular_velocity': [0.3, -0.2, "     \
  "0.4]}, {'name': 'b', 'mass': 1, 'inertia': [0.1, 0.12, 0.15], 'position': [1.5, 0, 1], "        \
  "'angular_velocity': [0.3, -0.2, 0.4]}], 'joints': [{'bodies': ['world', 'a'], " first           \
  "}, {'bodies': ['a', 'b'], " second "}]"
#define PLANE(first, second)                                                                       \
  "'dimension': 2, 'gravity': [0, -9.81], 'bodies': [{'name': 'a', 'mass': 1, 'inertia': 0.15, "   \
  "'position': [0.5, 1], 'angular_velocity': 0.4}, {'name': 'b', 'mass': 1, 'inertia': 0.15, "     \
  "'position': [1.5, 1], 'angular_velocity': 0.4}], 'joints': [{'bodies': ['world', 'a'], " first  \
  "}, {'bodies': ['a', 'b'], " second "}]"
#define BALL(x, z) "'type': 'spherical', 'point': [" x ", " z "]"
  static const char springs[] = SPACE(
      "quaternion", "'type': 'spring', 'stiffness': 100, 'point': [0, 0, 1], 'end': [0.4, 0, 1.1]",
      "'type': 'spring', 'stiffness': 100, 'point': [1, 0, 1], 'end': [1.4, 0, 1.1]");
  static const char balls[] = SPACE("scalable", BALL("0", "0, 1"), BALL("1", "0, 1"));
  static const char flat[] = PLANE(BALL("0", "1"), BALL("1", "1"));
  static const char rods[] = PLANE("'type': 'rod', 'point': [0, 1], 'end': [0.4, 1.1]",
                                   "'type': 'rod', 'point': [1, 1], 'end': [1.4, 1.1]");
  static const struct {
    const char *form, *scene;
  } cells[] = {{"consistent-quaternion", springs}, {"consistent-decomposed", balls},
               {"consistent-coordinate", balls},   {"consistent-onestep", balls},
               {"consistent-onestep", flat},       {"consistent-twostep", rods}};
  for (size_t i = 0; i < sizeof cells / sizeof *cells; ++i) {
    const struct case_instance c = case_model_scene("%s", cells[i].scene);
    const struct run *run = go(&c, cells[i].form, 5e-3, 100);
    CHECK_MESSAGE(run->seen.drift < 1e-9 * (1 + fabs(run->energy)), "%s: energy off by %g",
                  cells[i].form, run->seen.drift);
    CHECK_MESSAGE(run->seen.gS < 1e-9, "%s: joints off by %g", cells[i].form, run->seen.gS);
  }
}

/* The quaternion integrators with bilateral constraints on both levels: three bodies on a ball
 * joint, a hinge and a rod, no contacts. Energy, g_S, gamma_S and |A| stay to round-off over 300
 * steps, and halving the step gains two orders against `event`. */
TEST(quaternion_integrators_keep_joints_and_energy) {
  static const char *const forms[] = {"consistent-quaternion", "consistent-quaternion-twostep"};
#define BODY(name, mass, x)                                                                        \
  "{'name': '" name "', 'mass': " mass ", 'inertia': [0.1, 0.12, 0.15], 'position': [" x           \
  ", 0.05], 'angular_velocity': [0.8, -0.6, 1.1]}"
  const struct case_instance c =
      case_model_scene("'gravity': [0, 0, -9.81], 'bodies': [" BODY("a", "1", "0.5, 0") ", " BODY(
          "b", "1.5",
          "1.5, 0.1") ", " BODY("c", "2", "2.5, 0.2") "], 'joints': [{'type': "
                                                      "'spherical', 'bodies': ['world', 'a'], "
                                                      "'point': [0, 0, 0]}, {'type': 'revolute', "
                                                      "'bodies': ['a', 'b'], 'point': [1, 0.1, 0], "
                                                      "'axis': [0.1, 1, 0.2]}, {'type': 'rod', "
                                                      "'bodies': ['b', 'c'], 'point': [2, 0.2, 0], "
                                                      "'end': [2.4, 0.3, 0.1]}]");
  const struct run *truth = go(&c, "event", 0.06, 10);
  for (int i = 0; i < 2; ++i) {
    double error[2];
    for (int level = 0; level < 2; ++level) {
      const int steps = 150 << level;
      const struct run *run = go(&c, forms[i], 0.6 / steps, steps);
      CHECK_MESSAGE(run->seen.drift < 1e-11 * fabs(run->energy), "%s: energy off by %g", forms[i],
                    run->seen.drift);
      CHECK_MESSAGE(run->seen.gS < 1e-13, "%s: joints off by %g", forms[i], run->seen.gS);
      CHECK_MESSAGE(run->seen.gammaS < 1e-12, "%s: rates of joints %g", forms[i], run->seen.gammaS);
      for (int k = 0; k < 3; ++k) {
        CHECK_NEAR(la_norm2(4, run->state.q + 7 * k + 3), 1, 1e-13);
      }
      error[level] = test_distance(21, run->state.q, truth->state.q);
    }
    CHECK_MESSAGE(error[0] < 1e-2 && error[1] > 0.23 * error[0] && error[1] < 0.27 * error[0],
                  "%s: errors %g, %g", forms[i], error[0], error[1]);
  }
}

/* A hinge dragged along x as a table says, a body hanging from it that turns as it likes: the hinge
 * stays where the table has it. */
TEST(prescribed_motion_is_followed) {
  static const char *const forms[] = {"event", "moreau", "ccp", "ncp", "lcp-st"};
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [0, -9.81], 'bodies': [{'name': 'b', "
      "'mass': 1, 'inertia': 0.1}], 'joints': [{'type': 'motion', 'bodies': ['b', 'world'], "
      "'point': [0.1, 0.5], "
      "'axis': [1, 0], 'table': [[0, 0], [0.1, 0.05], [0.5, 0.3], [0.8, 0.1], [1.1, 0.2]]}, "
      "{'type': 'motion', 'bodies': ['b', 'world'], 'point': [0.1, 0.5], 'axis': [0, 1], "
      "'table': [[0, 0]]}]");
  for (int i = 0; i < 5; ++i) {
    const double *q = go(&c, forms[i], 1e-3, 800)->state.q;
    const double cosine = cos(q[2]), sine = sin(q[2]), tolerance = i == 0 ? 1e-8 : 2e-3;
    CHECK_NEAR(q[0] + cosine * 0.1 - sine * 0.5, 0.1 + 0.1, tolerance);
    CHECK_NEAR(q[1] + sine * 0.1 + cosine * 0.5, 0.5, tolerance);
    CHECK(fabs(q[2]) > 0.1);
  }
}
