/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cylinders and their rims at edges, corners, seams and rims, upright, lying and askew, sliding and
 * rolling. Only one of these motions has a closed form. In event integration energy is conserved
 * and nothing penetrates; a time stepper of order one converges to it.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>

#include "bench/run/run.h"

#define PIECE(shape, x, y) "{" shape ", \"offset\": [" x ", " y ", -0.2], \"material\": \"m\"}"
#define BOX(x, y, hx) PIECE("\"type\": \"box\", \"half\": [" hx ", 1, 0.2]", x, y)
#define EDGE BOX("-1", "0", "1")
#define CORNER BOX("-1", "-1", "1")
#define SEAM BOX("-1.03", "0", "1") ", " BOX("-0.015", "0", "0.015")
#define RIM PIECE("\"type\": \"cylinder\", \"radius\": 0.5, \"half_length\": 0.2", "-0.5", "0")
#define PLANE "{\"type\": \"halfspace\", \"normal\": [0, 0, 1], \"material\": \"m\"}"
#define ROUND                                                                                      \
  PIECE("\"type\": \"capsule\", \"radius\": 0.2, \"half_length\": 0.4, \"orientation\": "          \
        "[0.70710678118654757, 0, 0.70710678118654757, 0]",                                        \
        "-0.4", "0")
#define UPRIGHT(r, h) "\"type\": \"cylinder\", \"radius\": " r ", \"half_length\": " h
#define LYING(h)                                                                                   \
  UPRIGHT("0.1", h) ", \"orientation\": [0.70710678118654757, 0.70710678118654757, 0, 0]"
/* By 0.58 about y: one of the points of the rim that are fixed to the body is its deepest. */
#define TILTED                                                                                     \
  UPRIGHT("0.05", "0.2") ", \"orientation\": [0.95824387551269719, 0, 0.28595222510483553, 0]"
#define ROLLER                                                                                     \
  "\"type\": \"capsule\", \"radius\": 0.1, \"half_length\": 0.05, \"orientation\": "               \
  "[0.70710678118654757, 0.70710678118654757, 0, 0]"
#define BLOCK "\"type\": \"box\", \"half\": [0.06, 0.05, 0.1]"

/* The body begins at (x, y, z) with its axes turned by yaw about the vertical, and goes along the
 * course (angle to x) with the speed v; of lying ones spin about the axis [rad/s]. */
static const struct ride {
  const char *name, *support, *shape;
  double mu, x, y, z, yaw, course, v, spin, t;
} rides[] = {
    {"rolls askew over an edge", EDGE, LYING("0.3"), 0.3, -0.072, 0.016, 0.1, -0.298, -0.215, 1.61,
     16, 0.3},
    {"slides askew over a seam", SEAM, LYING("0.3"), 0.3, -0.075, 0, 0.1, 0.785, 0, 1.73, 0, 0.29},
    {"disk rolls askew over an edge", EDGE, LYING("0.02"), 0.1, -0.049, 0.028, 0.1, -0.514, -0.514,
     0.3, 3, 0.4},
    {"disk slides over a corner", CORNER, LYING("0.02"), 0.5, -0.045, -0.045, 0.1, 0, 0.785, 0.573,
     0, 0.3},
    {"disk rolls over a rim", RIM, LYING("0.02"), 0.9, -0.049, 0.025, 0.1, 0, -0.476, 0.306, 2.72,
     0.4},
    {"disk slides askew over a rim", RIM, LYING("0.02"), 0.5, -0.039, 0, 0.1, 0.785, 0, 1.72, 0,
     0.2},
    {"slides along a capsule", ROUND, LYING("0.05"), 0.9, -0.041, 0, 0.1, 0, 0, 0.545, 0, 0.3},
    {"disk slides off a capsule", ROUND, LYING("0.02"), 0.3, -0.061, 0.006, 0.1, 0, -0.101, 1.61, 0,
     0.25},
    {"tall one slides off an edge", EDGE, UPRIGHT("0.05", "0.2"), 0.1, -0.104, 0, 0.2, 0, 0, 1.59,
     0, 0.28},
    {"upright, askew off an edge", EDGE, UPRIGHT("0.05", "0.05"), 0, -0.084, -0.033, 0.05, 0, 0.378,
     0.906, 0, 0.29},
    {"tips over its rim", EDGE, UPRIGHT("0.05", "0.1"), 0.9, -0.092, 0.046, 0.1, 0, -0.464, 1.65, 0,
     0.2},
    {"falls over on a point of its rim", PLANE, TILTED, 0.73, -0.023, 0.003, 0.19469372682263109,
     1.405, -0.79, 0.942, 0, 0.2},
    {"stands off an edge until it tips on its rim", EDGE, UPRIGHT("0.1", "0.1"), 0.3, -0.1, -0.042,
     0.1, 0, -0.4, 0.57, 0, 0.3},
    {"tall one tips on its rim", EDGE, UPRIGHT("0.05", "0.2"), 0.1, -0.084, -0.003, 0.2, 0, 0.22,
     1.73, 0, 0.25},
    {"tips over an edge, its end along it", EDGE, UPRIGHT("0.1", "0.05"), 0.3, -0.05, 0.045, 0.05,
     0, 0.61, 1.75, 0, 0.25},
    {"turns about an edge and slides off", EDGE, UPRIGHT("0.05", "0.05"), 0.1, -0.046, -0.022, 0.05,
     0, -0.78, 1.55, 0, 0.25},
    {"capsule rolls askew over an edge", EDGE, ROLLER, 0.52, -0.062, -0.02, 0.1, -2.303, 0.199,
     0.149, 0.13, 0.3},
    {"block slides off a round table", RIM, BLOCK, 0.9, -0.059, 0, 0.1, 0, 0, 1.78, 0, 0.28},
};
enum { RIDES = sizeof rides / sizeof *rides };

static const char *write_scene(const struct ride *r) {
  return scratch_scene(
      "cylinders",
      "'dt': 0.01, 't_end': %.17g, 'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': %.17g}}, "
      "'bodies': [{'name': 'support', 'fixed': true, 'shapes': [%s]}, {'name': 'b', 'mass': 1, "
      "'position': [%.17g, %.17g, %.17g], 'orientation': [%.17g, 0, 0, %.17g], 'velocity': [%.17g, "
      "%.17g, 0], 'angular_velocity': [0, %.17g, 0], 'shapes': [{%s, 'material': 'm'}]}]",
      r->t, r->mu, r->support, r->x, r->y, r->z, cos(r->yaw / 2), sin(r->yaw / 2),
      r->v * cos(r->course), r->v * sin(r->course), r->spin, r->shape);
}

static int go(const struct ride *r, const char *formulation, double dt, struct trial *t) {
  const struct bench_request request = {
      .case_name = write_scene(r), .formulation = formulation, .dt = dt, .time_limit = 60};
  const int status = trial_run(t, request, "", NULL, TRIAL_WITHOUT_ERRORS);
  const int is_done = status == BASE_OK || status == BASE_UNCONVERGED; /* in a few steps */
  CHECK_MESSAGE(is_done, "%s, %s: %s", r->name, formulation, t->out.reason);
  return is_done;
}

static double apart(const struct trial *a, const struct trial *b) {
  double most = 0;
  for (int i = 0; i < 3; ++i) {
    most = fmax(most, fabs(a->out.q[i] - b->out.q[i]));
  }
  return most;
}

TEST(cylinders_pass_edges_and_rims_as_time_steppers_come_to) {
  for (int i = 0; i < RIDES; ++i) {
    const struct ride *r = &rides[i];
    struct trial exact, fine;
    if (go(r, "event", 0.01, &exact) && go(r, "moreau", 1e-4, &fine)) {
      const double off = apart(&exact, &fine);
      CHECK_MESSAGE(off <= 3e-4, "%s: the stepper is %.3g m off", r->name, off);
      CHECK_MESSAGE(exact.out.energy.max_numerical_drift <= 1e-10, "%s: energy changes by %.3g J",
                    r->name, exact.out.energy.max_numerical_drift);
      CHECK_MESSAGE(exact.out.constraints.penetration_max <= 1e-12, "%s: %.3g m deep", r->name,
                    exact.out.constraints.penetration_max);
    }
  }
}

/* Thrown along the floor a tall body tips over what leads: of a box an edge, of a cylinder the one
 * point of its rim, wherever the points are that its contacts know. In the plane of the motion both
 * are one, with the same inertia. */
TEST(a_tall_cylinder_tips_as_a_box_does_whichever_way_it_is_turned) {
  static const char *const floors[] = {
      "{'type': 'halfspace', 'normal': [0, 0, 1], 'material': 'm'}",
      "{'type': 'box', 'half': [4, 4, 0.2], 'offset': [0, 0, -0.2], 'material': 'm'}"};
  static const char *const shapes[] = {"'type': 'box', 'half': [0.05, 0.05, 0.2]",
                                       "'type': 'cylinder', 'radius': 0.05, 'half_length': 0.2"};
  static const double yaws[] = {0, 0.3, M_PI / 4};
  for (int f = 0; f < 2; ++f) {
    struct trial box = {0}, cylinder;
    for (int i = -1; i < 3; ++i) { /* the box first */
      const double yaw = i < 0 ? 0 : yaws[i];
      const char *scene = scratch_scene(
          "tips",
          "'dt': 0.01, 't_end': 0.15, 'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.5}}, "
          "'bodies': [{'name': 'floor', 'fixed': true, 'shapes': [%s]}, {'name': 'b', 'mass': 1, "
          "'inertia': [0.014, 0.014, 0.00125], 'position': [0, 0, 0.2], 'orientation': [%.17g, 0, "
          "0, %.17g], 'velocity': [1, 0, 0], 'shapes': [{%s, 'material': 'm'}]}]",
          floors[f], cos(yaw / 2), sin(yaw / 2), shapes[i >= 0]);
      const struct bench_request request = {
          .case_name = scene, .formulation = "event", .dt = 0.01, .time_limit = 60};
      struct trial *t = i < 0 ? &box : &cylinder;
      CHECK_OK(trial_run(t, request, "", NULL, TRIAL_WITHOUT_ERRORS));
      for (int j = 0; j < 3 && i >= 0; ++j) {
        CHECK_NEAR(cylinder.out.q[j], box.out.q[j], 2e-11);
      }
    }
    CHECK(box.out.q[2] > 0.204); /* it tips */
  }
}
