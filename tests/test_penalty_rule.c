/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stiffness made for an allowed depth, and the parts of a step that stability asks for: depths
 * and rebounds against what was asked, stability against the estimate.
 */
#include "tests/test.h"

#include <stdio.h>

#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"

/* Of points_mech: the declared length [m] and speed [m/s] are one. */
static const double DEPTH = 1e-4;

static double speed_of(const struct run *s) { return s->state.u[1]; }

/* A point of mass 2.5 that meets the ground with `speed`, seen so closely in time that the deepest
 * of its states is the deepest point. */
struct landing {
  double depth, rebound; /* [m], [-] */
};
static struct landing land(double eps, double speed, const char *options) {
  struct points p = {.n = 1, .dim = 2, .m = {2.5}, .eps_N = eps};
  struct mech m = points_mech(&p);
  struct run *s = run_penalty(&m, 2e-6, (double[]){0, 1e-5}, (double[]){0, -speed}, "%s", options);
  struct landing it = {0, 0};
  int touched = 0;
  for (int k = 0; k < 20000 && !(touched && s->last.contacts == 0); ++k) {
    run_steps(s, 1);
    touched = touched || s->last.contacts > 0;
    it.depth = fmax(it.depth, -s->state.q[1]);
  }
  CHECK(touched && s->last.contacts == 0);
  it.rebound = speed_of(s) / speed;
  return it;
}

TEST(who_lands_with_the_declared_speed_sinks_to_the_allowed_depth) {
  static const char *const law[] = {"depth=1e-4", "depth=1e-4 clamp=no", "depth=1e-4 normal=hertz",
                                    "depth=1e-4 normal=hertz damping=viscous",
                                    "depth=1e-4 damping=hunt-crossley"};
  static const double eps[] = {1, 0.8, 0.3};
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 3; ++k) {
      char text[128];
      snprintf(text, sizeof text, "%s substeps=4", law[i]);
      const struct landing it = land(eps[k], 1, text);
      CHECK_MESSAGE(fabs(it.depth / DEPTH - 1) < 2e-3, "%s, eps = %g: %.6g m", text, eps[k],
                    it.depth);
      CHECK_MESSAGE(fabs(it.rebound - eps[k]) < 2e-3, "%s, eps = %g: %.6g", text, eps[k],
                    it.rebound);
    }
  }
}

TEST(depth_is_that_at_the_speed_of_approach) {
  const struct landing slow = land(0.5, 0.25, "depth=1e-4 substeps=4");
  CHECK_NEAR(slow.depth, DEPTH, 1e-3 * DEPTH);
  CHECK_NEAR(slow.rebound, 0.5, 2e-3);
}

static double stiffness_at(double along, double towards, double height, double g) {
  struct points p = {.n = 1, .dim = 2, .m = {2.5}, .gravity = {0, -g}, .eps_N = 1};
  struct mech m = points_mech(&p);
  struct run *s =
      run_penalty(&m, 1e-5, (double[]){0, height}, (double[]){along, -towards}, "depth=1e-4");
  run_steps(s, 1);
  return s->last.stiffness;
}

/* K d^2 = m s^2: of motion across the surface, of the fall to it, of a fall by the length. */
TEST(stiffness_is_the_same_in_frames_that_move_along_the_surface) {
  const double K = 2.5 / (DEPTH * DEPTH);
  for (int i = 0; i < 4; ++i) {
    const double along = i == 0 ? 0 : pow(10, i);
    CHECK_NEAR(stiffness_at(along, 0.5, 0.1, 0), 0.25 * K, 1e-12 * K);
    CHECK_NEAR(stiffness_at(along, 3, 2, 10), (9 + 2 * 10 * 2) * K, 1e-9 * K);
    CHECK_NEAR(stiffness_at(along, 0, 0, 10), 10 * K, 1e-10 * K);
  }
}

/* Weight decides where it is the larger load, as of many bodies or with an ample depth: 4 and 6 kg,
 * one at rest on each contact, are taken to lean on one. */
TEST(who_rests_sinks_by_the_share_of_its_weight) {
  struct points p = {.n = 2, .dim = 2, .m = {4, 6}, .gravity = {0, -2e4}, .eps_N = 0.1};
  struct mech m = points_mech(&p);
  const double depth = 0.1;
  struct run *s =
      run_penalty(&m, 1e-4, (double[]){0, 0, 1, 0}, (double[4]){0}, "depth=0.1 substeps=0");
  run_steps(s, 1000);
  CHECK_NEAR(s->last.stiffness, 10 * 2e4 / depth, 1e-6 * s->last.stiffness);
  CHECK_NEAR(s->state.q[1], -0.4 * depth, 1e-3 * depth);
  CHECK_NEAR(s->state.q[3], -0.6 * depth, 1e-3 * depth);
}

/* --- bodies that joints hold --- */

/* A table on a pivot over the ground or, with mass 0, fixed there; and a ball over it. */
static double stiffness_on_table(double mass) {
  const char *table = base_arena_printf(
      test_arena(),
      "'mass': %.17g, 'inertia': [%.17g, %.17g, %.17g], 'angular_velocity': [0, 0, 2]", mass, mass,
      mass, mass);
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.5, 'eps_N': 0.3}}, 'bodies': "
      "[{'name': "
      "'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'offset': "
      "-1, "
      "'material': 'm'}]}, {'name': 'table', %s, 'shapes': [{'type': 'cylinder', 'radius': 2, "
      "'half_length': 0.1, 'material': 'm'}]}, {'name': 'ball', 'mass': 2, 'inertia': [0.1, 0.1, "
      "0.1], 'position': [0.5, 0.3, 0.4], 'shapes': [{'type': 'sphere', 'radius': 0.2, 'material': "
      "'m'}]}]%s",
      mass > 0 ? table : "'fixed': true",
      mass > 0 ? ", 'joints': [{'type': 'revolute', 'bodies': ['table', 'world'], 'point': [0, 0, "
                 "-0.1], 'axis': [0, 0, 1]}]"
               : "");
  struct mech m = *c.mech;
  m.length = 4, m.speed = 1;
  struct run *s = run_penalty(&m, 1e-4, c.q, c.u, "substeps=0");
  run_steps(s, 1);
  return s->last.stiffness;
}

TEST(table_on_a_pivot_is_as_a_fixed_one_whatever_its_mass) {
  const double fixed = stiffness_on_table(0), light = stiffness_on_table(10);
  CHECK(fixed > 0);
  CHECK_NEAR(light, fixed, 1e-9 * fixed);
  CHECK_NEAR(stiffness_on_table(1e12), fixed, 1e-9 * fixed);
}

/* A bar of 1 m and 3 kg in the plane, on a hinge at its left end, its other end a point over the
 * ground; turned by phi. eps_N is small, so that at rest weight decides. */
struct bar {
  double stiffness, depth; /* [N/m], of the end [m] */
};
static struct bar rest_bar(double phi, double g, const char *options, int steps) {
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [0, %.17g], 'materials': {'m': {'mu': 0, 'eps_N': 0.01}}, "
      "'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, "
      "1], 'offset': %.17g, 'material': 'm'}]}, {'name': 'bar', 'mass': 3, 'inertia': 0.25, 'phi': "
      "%.17g, 'position': [%.17g, %.17g], 'shapes': [{'type': 'point', 'offset': [0.5, 0], "
      "'material': 'm'}]}], 'joints': [{'type': 'spherical', 'bodies': ['world', 'bar'], 'point': "
      "[0, 0]}]",
      -g, sin(phi), phi, cos(phi) / 2, sin(phi) / 2);
  struct mech m = *c.mech;
  m.length = m.speed = 1;
  struct run *s = run_penalty(&m, 1e-3, c.q, c.u, "%s", options);
  run_steps(s, steps);
  const double *end = s->state.q;
  const struct bar it = {s->last.stiffness, sin(phi) - end[1] - sin(end[2]) / 2};
  return it;
}

/* The hinge carries the other half of its weight, 3 g / 2. */
TEST(bar_on_a_hinge_sinks_by_the_allowed_depth) {
  const struct bar it = rest_bar(0, 1e4, "depth=0.02 substeps=0", 500);
  CHECK_NEAR(it.stiffness, 1.5 * 1e4 / 0.02, 1e-6 * it.stiffness);
  CHECK_NEAR(it.depth, 0.02, 1e-3 * 0.02);
}

/* Hanging, its end cannot approach the ground, but it may swing: K is not far from that of a bar
 * which hangs aslant, neither nothing nor without bound. */
TEST(bar_at_its_dead_point_has_the_stiffness_of_one_beside_it) {
  const double aslant = rest_bar(-M_PI / 2 + 0.3, 9.81, "substeps=0", 1).stiffness;
  CHECK(aslant > 0);
  for (int k = 0; k < 10; ++k) {
    const double off = k == 0 ? 0 : pow(10, -k);
    const double K = rest_bar(-M_PI / 2 + off, 9.81, "substeps=0", 1).stiffness;
    CHECK_MESSAGE(K > 0.1 * aslant && K < 10 * aslant, "%g rad off: %g of %g N/m", off, K, aslant);
  }
}

/* --- parts --- */

/* Restitution at the parts that are chosen, which are to resolve an impact; the step itself is far
 * longer than it. */
TEST(parts_that_are_chosen_give_the_restitution_asked_for) {
  static const double eps[] = {1, 0.9, 0.5, 0.1};
  static const char *const text[] = {"depth=1e-4 substeps=0",
                                     "depth=1e-4 substeps=0 stepper=verlet",
                                     "depth=1e-4 substeps=0 normal=hertz"};
  for (int t = 0; t < 3; ++t) {
    for (int k = 0; k < 4; ++k) {
      double worst = 0;
      for (int place = 0; place < 8; ++place) { /* of the onset in its part */
        struct points p = {.n = 1, .dim = 2, .m = {2.5}, .eps_N = eps[k]};
        struct mech m = points_mech(&p);
        struct run *s = run_penalty(&m, 1e-2, (double[]){0, 4e-3 * (1 + 1e-4 * place)},
                                    (double[]){0, -1}, "%s", text[t]);
        run_steps(s, 1);
        worst = fmax(worst, fabs(speed_of(s) - eps[k]));
        CHECK_LE(1e-2, s->last.stable_dt);
      }
      CHECK_MESSAGE(worst < 0.02, "%s, eps = %g: off by %.3g", text[t], eps[k], worst);
    }
  }
}

/* Regularised friction of a contact that sticks in an impact is stiffer than the spring by far: the
 * parts follow, also where it begins to stick within one. */
TEST(parts_follow_friction_that_sticks_in_an_impact) {
  static const double along[] = {0, 0.01, 0.3};
  for (int k = 0; k < 3; ++k) {
    struct points p = {.n = 1, .dim = 2, .m = {2.5}, .mu = 0.6, .eps_N = 0.5};
    struct mech m = points_mech(&p);
    struct run *s = run_penalty(&m, 1e-2, (double[]){0, 4e-3}, (double[]){along[k], -1},
                                "depth=1e-3 substeps=0");
    run_steps(s, 1);
    CHECK_LE(1e-2, s->last.stable_dt);
    CHECK(s->last.stable_dt > 0);
    CHECK_NEAR(speed_of(s), 0.5, 0.02);
    CHECK(fabs(s->state.u[0]) <= along[k]);
  }
}

/* A preloaded point at rest, with a step twice as long as the estimated limit. */
TEST(parts_keep_within_the_estimate_and_equal_ones_are_held_to_it) {
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -10}, .eps_N = 0.1};
  struct mech m = points_mech(&p);
  const double q[] = {0, -1e-4}, u[] = {0, 1e-6};
  struct run *whole = run_penalty(&m, 1e-2, q, u, "K=1e5");
  struct run *parts = run_penalty(&m, 1e-2, q, u, "K=1e5 substeps=0");
  run_step(whole, 1e-2);
  CHECK_LE(whole->last.stable_dt, 0.5e-2);
  for (int k = 0; k < 200; ++k) {
    run_step(parts, 1e-2);
    CHECK_LE(1e-2, parts->last.stable_dt);
  }
  CHECK_OK(parts->status);
  CHECK_NEAR(parts->state.q[1], -1e-4, 1e-12);
}
