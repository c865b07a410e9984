/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Event-driven integration where friction is stiff: a box of 1 kg whose inertia is next to nothing
 * slides on its four corners to a stop, and boxes are pushed with hardly more than their friction.
 * The work is counted in steps of the integrator, never in time.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/run.h"

static const double g = 9.81, mu = 0.3;

/* A cube of half edge 0.1 m on the plane z = 0. */
static const char *write_box(void) {
  return scratch_scene(
      "light",
      "'dt': 1e-3, 't_end': 1, 'gravity': [0, 0, %.17g], 'reference': {'kind': 'none'}, "
      "'materials': {'m': {'mu': %.17g}}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': "
      "[{'type': 'halfspace', 'normal': [0, 0, 1], 'offset': 0, 'material': 'm'}]}, {'name': "
      "'box', 'mass': 1, 'inertia': [1, 1, 1], 'position': [0, 0, 0.1], 'velocity': [0, 0, 0], "
      "'angular_velocity': [0, 0, 0], 'shapes': [{'type': 'box', 'half': [0.1, 0.1, 0.1], "
      "'material': 'm'}]}]",
      -g, mu);
}

/* The cube sent along (c, s) with 1 m/s and a spin about the vertical stops after v^2 / (2 mu g). A
 * spin w has the angular momentum I w, which friction takes in a time I w / (mu m g r); until then
 * the body is braked less, and comes less than w r times that time further. */
static void slide(double inertia, double spin, double angle, const char *rtol) {
  const double way = 1 / (2 * mu * g), light = inertia * fmax(spin, 1) * fmax(spin, 1) / (mu * g);
  char set[400];
  snprintf(set, sizeof set,
           "bodies.box.velocity.0=%.17g bodies.box.velocity.1=%.17g "
           "bodies.box.angular_velocity.2=%.17g bodies.box.inertia.0=%.17g "
           "bodies.box.inertia.1=%.17g bodies.box.inertia.2=%.17g",
           cos(angle), sin(angle), spin, inertia, inertia, inertia);
  const struct bench_request request = {
      .case_name = write_box(), .formulation = "event", .t_end = 0.4};
  struct trial t;
  const int status = trial_run(&t, request, set, rtol, TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "I = %g, spin %g, angle %g, %s: %s", inertia, spin, angle, rtol,
                t.out.reason);
  if (status == BASE_OK) {
    CHECK_NEAR(t.out.q[0], way * cos(angle), 2e-11 + light);
    CHECK_NEAR(t.out.q[1], way * sin(angle), 2e-11 + light);
    CHECK_NEAR(hypot(t.out.u[0], t.out.u[1]), 0, 1e-12);
    CHECK_MESSAGE(t.out.iterations.internal_steps <= 2500,
                  "I = %g, spin %g, angle %g, %s: %ld steps", inertia, spin, angle, rtol,
                  t.out.iterations.internal_steps);
  }
}

TEST(a_light_box_slides_to_a_stop_on_four_corners) {
  slide(1e-9, 0, 0, "rtol=1e-12");
  slide(1e-9, 0.5, 0, "rtol=1e-12");
  slide(1e-9, 20, 0.6, "rtol=1e-12");
  slide(1e-9, 0.5, 0.6, "rtol=1e-7");
  slide(1e-6, 0.5, 0.6, "rtol=1e-12");
}

/* A box on four feet pushed with (1 + x) mu m g goes where it is pushed, with x mu g: the direction
 * of sliding is that of a difference of forces, over thousands of times the time of its decay. */
TEST(a_box_hardly_pushed_needs_no_more_steps) {
  static const char *const pushes[] = {"push=1.000001", "push=1.00001", "push=1.01"};
  static const char *const angles[] = {"angle=0.1", "angle=0.5", "angle=1"};
  for (int k = 0; k < 9; ++k) {
    const struct bench_request request = {.case_name = "pushed-box",
                                          .formulation = "event",
                                          .dt = 0.01,
                                          .set = BASE_WORDS(pushes[k % 3], angles[k / 3])};
    struct trial t;
    const int status = trial_run(&t, request, "", "", TRIAL_WITH_ERRORS);
    CHECK_MESSAGE(status == BASE_OK && t.out.errors.q_linf <= 1e-15 &&
                      t.out.iterations.internal_steps <= 200,
                  "%s %s: %s, off by %.2e, %ld steps", pushes[k % 3], angles[k / 3], t.out.reason,
                  t.out.errors.q_linf, t.out.iterations.internal_steps);
  }
}

/* A ball thrown along a heavy plate on the ground rolls in the end at 5/7 of its speed. Where the
 * masses differ by more than rounding lets one solve for, it is rounding that is blamed. */
TEST(a_ball_rolls_on_a_heavy_plate_as_far_as_rounding_lets_it) {
  const char *scene = scratch_scene(
      "plate",
      "'dt': 1e-3, 't_end': 0.1, 'gravity': [0, 0, -9.81], 'reference': {'kind': 'none'}, "
      "'materials': {'m': {'mu': 0.5}}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': "
      "[{'type': 'halfspace', 'normal': [0, 0, 1], 'offset': 0, 'material': 'm'}]}, {'name': "
      "'ball', 'mass': 1, 'inertia': [4e-3, 4e-3, 4e-3], 'position': [0, 0, 0.3], 'velocity': "
      "[1, 0, 0], 'shapes': [{'type': 'sphere', 'radius': 0.1, 'material': 'm'}]}, {'name': "
      "'plate', 'mass': 1, 'inertia': [1, 1, 1], 'position': [0, 0, 0.1], 'shapes': [{'type': "
      "'box', 'half': [1, 1, 0.1], 'material': 'm'}]}]");
  static const char *const masses[] = {"1e4", "1e8", "1e12"};
  for (int k = 0; k < 3; ++k) {
    char set[200];
    snprintf(set, sizeof set,
             "bodies.plate.mass=%s bodies.plate.inertia.0=%s bodies.plate.inertia.1=%s "
             "bodies.plate.inertia.2=%s",
             masses[k], masses[k], masses[k], masses[k]);
    struct trial t;
    const int status =
        trial_run(&t, (struct bench_request){.case_name = scene, .formulation = "event"}, set, NULL,
                  TRIAL_WITHOUT_ERRORS);
    if (status == BASE_OK) {
      CHECK_NEAR(t.out.u[0], 5.0 / 7, 1e-9);
    } else {
      CHECK_MESSAGE(k == 2 && strstr(t.out.reason, "masses at contacts are too far apart") != NULL,
                    "%s kg: %s", masses[k], t.out.reason);
    }
  }
}
