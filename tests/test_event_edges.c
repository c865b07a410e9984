/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Round bodies that go off edges, corners, rims and ends of others, where the curvature of the
 * distance jumps. A body of radius r and moment of inertia c m r^2 comes along a plane with v0 and
 * passes at t = 0 to a piece about which its centre goes round at a distance rho, to the angle
 * theta. With w = v^2 / (g rho), N = m g (cos theta - w), it
 *
 *   rolls     w = k + 2 (1 - cos theta) / (1 + c), k = v0^2 / (g rho), up to
 *             c sin theta / (1 + c) = mu (cos theta - w)
 *   slides    dw/dtheta = 2 sin theta - 2 mu (cos theta - w), whose solution is
 *             a cos theta + b sin theta + A exp(2 mu theta),
 *             a = (4 mu^2 - 2) / (1 + 4 mu^2), b = -6 mu / (1 + 4 mu^2); spin' = mu N / (c m r)
 *   leaves    where cos theta = w; a smooth body at cos theta = (2 + k) / 3, from 48.2 degrees with
 *             k = 0 to none with k = 1
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <gsl/gsl_integration.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/run.h"
#include "tests/scratch.h"

static const double g = 9.81, r = 0.1;

struct passage {
  double rho, c, mu, v0;
  double slips, leaves;     /* theta [rad] */
  double amplitude;         /* of exp(2 mu theta) */
  double t_slips, t_leaves; /* [s] */
};

static double rolling_w(const struct passage *p, double theta) {
  return p->v0 * p->v0 / (g * p->rho) + 2 / (1 + p->c) * (1 - cos(theta));
}
static double particular(const struct passage *p, double theta) {
  const double mu2 = p->mu * p->mu;
  return ((4 * mu2 - 2) * cos(theta) - 6 * p->mu * sin(theta)) / (1 + 4 * mu2);
}
static double w_of(const struct passage *p, double theta) {
  return theta <= p->slips ? rolling_w(p, theta)
                           : particular(p, theta) + p->amplitude * exp(2 * p->mu * theta);
}
static double speed_of(const struct passage *p, double theta) {
  return sqrt(g * p->rho * w_of(p, theta));
}
static double grip(const struct passage *p, double theta) {
  return p->mu * (cos(theta) - rolling_w(p, theta)) - p->c / (1 + p->c) * sin(theta);
}
static double press(const struct passage *p, double theta) { return cos(theta) - w_of(p, theta); }

/* Where f falls below zero, from theta on. */
static double root(const struct passage *p, double (*f)(const struct passage *, double),
                   double theta) {
  double lo = theta, hi = M_PI / 2;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (lo + hi);
    *(f(p, middle) > 0 ? &lo : &hi) = middle;
  }
  return lo;
}

enum { IN_TIME, IN_SPIN, POINTS = 64 }; /* a rule known to all digits */
/* Integral of dt = rho dtheta / v, or of the spin gained. */
static double integral(const struct passage *p, int what, double from, double to) {
  gsl_integration_glfixed_table *rule = gsl_integration_glfixed_table_alloc(POINTS);
  double sum = 0;
  for (size_t i = 0; i < POINTS; ++i) {
    double theta, weight;
    gsl_integration_glfixed_point(from, to, i, &theta, &weight, rule);
    const double dt = p->rho / speed_of(p, theta);
    sum += weight * dt * (what == IN_TIME ? 1 : p->mu * g * press(p, theta) / (p->c * r));
  }
  gsl_integration_glfixed_table_free(rule);
  return sum;
}

static struct passage passage(double rho, double c, double mu, double v0) {
  struct passage p = {.rho = rho, .c = c, .mu = mu, .v0 = v0, .slips = M_PI};
  p.slips = mu > 0 ? root(&p, grip, 0) : 0;
  p.amplitude = (rolling_w(&p, p.slips) - particular(&p, p.slips)) * exp(-2 * mu * p.slips);
  p.leaves = root(&p, press, p.slips);
  p.t_slips = integral(&p, IN_TIME, 0, p.slips);
  p.t_leaves = p.t_slips + integral(&p, IN_TIME, p.slips, p.leaves);
  return p;
}

/* Place, velocity (along, up) and spin of a body that passed at the angle theta, or of one that has
 * left and flies for some time. */
struct motion {
  double t, x[2], v[2], spin;
};
static struct motion at_angle(const struct passage *p, double theta) {
  const double v = speed_of(p, theta), from = fmin(theta, p->slips);
  struct motion m = {.t = integral(p, IN_TIME, 0, from) + integral(p, IN_TIME, from, theta)};
  m.x[0] = p->rho * sin(theta);
  m.x[1] = p->rho * (cos(theta) - 1);
  m.v[0] = v * cos(theta);
  m.v[1] = -v * sin(theta);
  m.spin = p->mu > 0 ? speed_of(p, from) / r + integral(p, IN_SPIN, from, theta) : 0;
  return m;
}
static struct motion in_flight(const struct passage *p, double t) {
  struct motion m = at_angle(p, p->leaves);
  m.t += t;
  m.x[0] += m.v[0] * t;
  m.x[1] += m.v[1] * t - 0.5 * g * t * t;
  m.v[1] -= g * t;
  return m;
}

/* --- scenes --- */

#define BOX(x, y, hx, hy)                                                                          \
  "{'type': 'box', 'half': [" hx ", " hy ", 0.2], 'offset': [" x ", " y ", -0.2], 'material': "    \
  "'m'}"
#define FLAT_BOX(x, hx)                                                                            \
  "{'type': 'box', 'half': [" hx ", 0.2], 'offset': [" x ", -0.2], 'material': 'm'}"
#define ACROSS ", 'orientation': [0.70710678118654757, -0.70710678118654757, 0, 0]"
#define SPHERE "{'type': 'sphere', 'radius': 0.1, 'material': 'm'}"
#define CYLINDER(half)                                                                             \
  "{'type': 'cylinder', 'radius': 0.1, 'half_length': " half ", 'material': 'm'" ACROSS "}"
#define CAPSULE(half)                                                                              \
  "{'type': 'capsule', 'radius': 0.1, 'half_length': " half ", 'material': 'm'" ACROSS "}"
#define EDGE BOX("-1", "0", "1", "1")

/* A block, and a floor whose tiles end at x = -0.13, 0.17, 0.47 m and, in space, at y = 0.05 m. */
#define FLAT_BLOCK "{'type': 'box', 'half': [0.1, 0.1], 'material': 'm'}"
#define BLOCK "{'type': 'box', 'half': [0.1, 0.08, 0.1], 'material': 'm'}"
#define FLAT_TILES                                                                                 \
  FLAT_BOX("-0.63", "0.5")                                                                         \
  ", " FLAT_BOX("0.02", "0.15") ", " FLAT_BOX("0.32", "0.15") ", " FLAT_BOX("1.47", "1")
#define TILES                                                                                      \
  BOX("-0.63", "0", "0.5", "1")                                                                    \
  ", " BOX("0.02", "-0.95", "0.15", "1") ", " BOX("0.02", "1.05", "0.15", "1") ", " BOX(           \
      "0.32", "-0.95", "0.15", "1") ", " BOX("0.32", "1.05", "0.15", "1") ", " BOX("1.47", "0",    \
                                                                                   "1", "1.5")

/* What goes (axis y, along x but for corners) over what: the piece ends at x = 0, z = 0. */
static const struct place {
  const char *name;
  int planar, diagonal;
  double c, R; /* moment of inertia over m r^2; radius of the piece passed to [m] */
  const char *shape, *support;
} places[] = {{"sphere, edge", 0, 0, 0.4, 0, SPHERE, EDGE},
              {"sphere, corner", 0, 1, 0.4, 0, SPHERE, BOX("-1", "-1", "1", "1")},
              {"sphere, seam and edge", 0, 0, 0.4, 0, SPHERE,
               BOX("-1.03", "0", "1", "1") ", " BOX("-0.015", "0", "0.015", "1")},
              {"sphere, rim", 0, 0, 0.4, 0, SPHERE,
               "{'type': 'cylinder', 'radius': 0.5, 'half_length': 0.2, 'offset': [-0.5, 0, -0.2], "
               "'material': 'm'}"},
              {"sphere, capsule", 0, 0, 0.4, 0.2, SPHERE,
               "{'type': 'capsule', 'radius': 0.2, 'half_length': 0.4, 'offset': [-0.4, 0, -0.2], "
               "'orientation': [0.70710678118654757, 0, 0.70710678118654757, 0], 'material': 'm'}"},
              {"disk in the plane, edge", 1, 0, 0.5, 0, SPHERE, FLAT_BOX("-1", "1")},
              {"disk in the plane, seam and edge", 1, 0, 0.5, 0, SPHERE,
               FLAT_BOX("-1.03", "1") ", " FLAT_BOX("-0.015", "0.015")},
              {"disk, edge", 0, 0, 0.5, 0, CYLINDER("0.02"), EDGE},
              {"cylinder, edge", 0, 0, 0.5, 0, CYLINDER("0.3"), EDGE},
              {"long cylinder, edge", 0, 0, 0.5, 0, CYLINDER("0.3"), BOX("-1", "0", "1", "0.2")},
              {"capsule, edge", 0, 0, 0.5, 0, CAPSULE("0.15"), EDGE},
              {"long capsule, edge", 0, 0, 0.5, 0, CAPSULE("0.15"), BOX("-1", "0", "1", "0.1")}};
enum { PLACES = sizeof places / sizeof *places };

static const double start = 0.06; /* before the end of the piece [m] */

static const char *write_scene(const struct place *at, const struct passage *p) {
  const double part = at->diagonal ? sqrt(0.5) : 1;
  const double spin = p->mu > 0 && at->c < 1 ? p->v0 / r : 0; /* blocks do not roll */
  const double J = p->c * r * r;
  char moves[400];
  if (at->planar) {
    snprintf(moves, sizeof moves,
             "'inertia': %.17g, 'position': [%.17g, %.17g], 'velocity': [%.17g, 0], "
             "'angular_velocity': %.17g}], 'gravity': [0, %.17g]",
             J, -start, r, p->v0, -spin, -g);
  } else {
    snprintf(moves, sizeof moves,
             "'inertia': [%.17g, %.17g, %.17g], 'position': [%.17g, %.17g, %.17g], 'velocity': "
             "[%.17g, %.17g, 0], 'angular_velocity': [%.17g, %.17g, 0]}], 'gravity': [0, 0, %.17g]",
             J, J, J, -part * start, at->diagonal ? -part * start : 0, r, part * p->v0,
             at->diagonal ? part * p->v0 : 0, at->diagonal ? -part * spin : 0, part * spin, -g);
  }
  return scratch_scene(
      "edge",
      "'dt': 0.01, 't_end': 1, 'dimension': %d, 'materials': {'m': {'mu': %.17g}}, 'bodies': "
      "[{'name': 'support', 'fixed': true, 'shapes': [%s]}, {'name': 'b', 'mass': 1, 'shapes': "
      "[%s], %s",
      at->planar ? 2 : 3, p->mu, at->support, at->shape, moves);
}

/* How far off the end is, at the time of a motion [m, m/s]; NaN where the run fails. */
static double off(const struct place *at, const struct passage *p, const char *formulation,
                  const char *option, double dt, const struct motion *end) {
  const double t = start / p->v0 + end->t;
  const struct bench_request request = {.case_name = write_scene(at, p),
                                        .formulation = formulation,
                                        .dt = t / ceil(t / dt),
                                        .t_end = t};
  struct trial run;
  const int status = trial_run(&run, request, "", option, TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s, mu %g, v0 %g, %s: %s", at->name, p->mu, p->v0, formulation,
                run.out.reason);
  double most = NAN;
  if (status == BASE_OK) {
    const double part = at->diagonal ? sqrt(0.5) : 1, *q = run.out.q, *u = run.out.u;
    const int up = at->planar ? 1 : 2;
    const double spin = at->planar ? fabs(u[2]) : sqrt(u[3] * u[3] + u[4] * u[4] + u[5] * u[5]);
    const double error[] = {q[0] - part * end->x[0],
                            q[up] - r - end->x[1],
                            u[0] - part * end->v[0],
                            u[up] - end->v[1],
                            at->planar ? 0 : q[1] - (at->diagonal ? q[0] : 0),
                            (spin - end->spin) * r};
    most = 0;
    for (size_t i = 0; i < sizeof error / sizeof *error; ++i) {
      most = fmax(most, fabs(error[i]));
    }
  }
  return most;
}

/* At rest at the edge it leaves at acos(2 / 3), at a given k earlier, and not at all with k = 1. */
TEST(the_closed_form_has_the_known_angles) {
  const double degree = 180 / M_PI;
  CHECK_NEAR(passage(r, 0.4, 0, 1e-6).leaves * degree, 48.19, 0.005);
  CHECK_NEAR(passage(r, 0.4, 0, sqrt(0.2546 * g * r)).leaves * degree, 41.27, 0.01);
  CHECK_NEAR(passage(r, 0.4, 0, sqrt(g * r)).leaves, 0, 1e-6);
  const struct passage p = passage(r, 0.4, 1e4, 0.5); /* all but without a limit of friction */
  CHECK_NEAR(cos(p.leaves), (10 + 7 * 0.25 / (g * r)) / 17, 1e-3);
}

TEST(round_bodies_pass_to_the_next_piece_as_the_closed_form_does) {
  static const double speeds[] = {0.3, 0.5};
  static const double frictions[] = {0, 0.5};
  for (int i = 0; i < PLACES; ++i) {
    const struct place *at = &places[i];
    for (int k = 0; k < 4; ++k) {
      const struct passage p = passage(r + at->R, at->c, frictions[k / 2], speeds[k % 2]);
      const struct motion ends[] = {at_angle(&p, 0.7 * (p.slips > 0 ? p.slips : p.leaves)),
                                    at_angle(&p, 0.3 * p.slips + 0.7 * p.leaves),
                                    in_flight(&p, 0.05)};
      for (int e = 0; e < 3; ++e) {
        const double error = off(at, &p, "event", NULL, 0.01, &ends[e]);
        CHECK_MESSAGE(error <= 1e-13, "%s, mu %g, v0 %g: off by %.3g at t = %g", at->name, p.mu,
                      p.v0, error, ends[e].t);
      }
    }
  }
}

/* With k > 1 they leave at once: the force jumps at the end of the piece, to a pull that acts while
 * the contact is taken to be on it still, some 1e-13 of the length L: 1e-13 L v / r [m/s]. */
TEST(fast_bodies_leave_at_the_end_of_the_piece) {
  static const double speeds[] = {1.2, 1.9};
  static const double frictions[] = {0, 0.3, 1};
  for (int i = 0; i < PLACES; ++i) {
    const struct place *at = &places[i];
    for (int k = 0; k < 6; ++k) {
      const double v0 = speeds[k % 2] * sqrt(1 + at->R / r), mu = frictions[k / 2];
      const struct motion end = {
          .t = 0.08,
          .x = {v0 * 0.08, -0.5 * g * 0.08 * 0.08},
          .v = {v0, -g * 0.08},
          .spin = mu > 0 ? v0 / r : 0,
      };
      const struct passage p = {.c = at->c, .mu = mu, .v0 = v0};
      const double error = off(at, &p, "event", NULL, 0.01, &end);
      CHECK_MESSAGE(error <= 1e-10, "%s, mu %g, v0 %g: off by %.3g", at->name, mu, v0, error);
    }
  }
}

/* Contacts of a block end at seams of a floor and others begin: x = v^2 / (2 mu g) to its stop. */
TEST(blocks_stop_beyond_seams) {
  static const struct place block[] = {{"block in the plane", 1, 0, 1, 0, FLAT_BLOCK, FLAT_TILES},
                                       {"block", 0, 0, 1, 0, BLOCK, TILES},
                                       {"block, diagonal", 0, 1, 1, 0, BLOCK, TILES}};
  static const double speeds[] = {0.7, 2};
  for (int i = 0; i < 6; ++i) {
    const struct place *at = &block[i / 2];
    const struct passage p = {.c = 1, .mu = 0.3, .v0 = speeds[i % 2]};
    const double t = p.v0 / (p.mu * g);
    const struct motion end = {.t = t - start / p.v0, .x = {0.5 * p.v0 * t - start}};
    const double error = off(at, &p, "event", NULL, 0.01, &end);
    CHECK_MESSAGE(error <= 1e-11, "%s, v0 %g: off by %.3g", at->name, p.v0, error);
  }
}
