/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scenes about what users of simulators ask (cases/scenes/README.md has the derivations): exact
 * laws meet the closed forms, event to its tolerance and time steppers in proportion to the step,
 * and the convex relaxation lifts what slides by its own closed form.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/run.h"

static const double G = 9.81, PI = 3.14159265358979323846;

struct place {
  const char *name; /* of a coordinate; NULL ends a list */
  double at;
};
enum { PLACES = 8 };

static double off_of(const struct bench_outcome *out, const struct place *exact) {
  double off = 0;
  for (; exact->name != NULL; ++exact) {
    off = fmax(off, fabs(trial_q(out, exact->name) - exact->at));
  }
  return off;
}

/* t_end: 0, the scene's. */
static int go(const char *scene, const char *formulation, double dt, double t_end, const char *set,
              struct trial *t) {
  const struct bench_request request = {
      .case_name = scene, .formulation = formulation, .dt = dt, .t_end = t_end};
  const int status = trial_run(t, request, set, "", TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s, %s: %s", scene, formulation, t->out.reason);
  return status == BASE_OK;
}

static const double steps[] = {4e-3, 1e-3}; /* of time steppers [s] */

/* rate: of the largest error of time steppers over dt [m/s], little above what it is. */
static void meet_by(int n, const char *const *steppers, const char *scene, double t_end,
                    const char *set, const struct place *exact, double rate) {
  struct trial t;
  if (go(scene, "event", 0.01, t_end, set, &t)) {
    const double off = off_of(&t.out, exact);
    CHECK_MESSAGE(off <= 1e-11, "%s, event: off by %.3g", scene, off);
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 2; ++k) {
      const double dt = steps[k];
      if (go(scene, steppers[i], dt, t_end, set, &t)) {
        const double off = off_of(&t.out, exact), bound = rate * dt + 1e-8;
        CHECK_MESSAGE(off <= bound, "%s, %s, dt %g: off by %.3g > %.3g", scene, steppers[i], dt,
                      off, bound);
      }
    }
  }
}

static const char *const both[] = {"ncp", "moreau"};

static void meet(const char *scene, const char *set, const struct place *exact, double rate) {
  meet_by(2, both, scene, 0, set, exact, rate);
}

TEST(a_launched_cube_stops_where_friction_says) {
  const double v = 6, mu = 0.5;
  const struct place exact[] = {{"cube.x", v * v / (2 * mu * G)}, {"cube.z", 0.1}, {NULL, 0}};
  meet("cases/scenes/closed/launched-cube.json", "", exact, 3.2);
}

TEST(blocks_stop_by_the_friction_of_their_pair) {
  const struct place exact[] = {
      {"a.x", 2 * 2 / (2 * 0.2 * G)}, {"b.x", 4 * 4 / (2 * 0.8 * G)}, {"b.z", 0.05}, {NULL, 0}};
  meet("cases/scenes/closed/stopping-distance.json", "", exact, 2.1);
}

TEST(the_convex_relaxation_lifts_what_slides) {
  const double v = 6, mu = 0.5, up = mu * v / (1 + mu * mu);
  struct trial t;
  for (double dt = 1e-2; dt > 1e-4; dt /= 10) {
    const struct bench_request request = {.case_name = "cases/scenes/closed/launched-cube.json",
                                          .formulation = "ccp",
                                          .dt = dt,
                                          .t_end = up / G};
    if (trial_run(&t, request, "", "", TRIAL_WITHOUT_ERRORS) == BASE_OK) {
      /* symplectic Euler, with gravity in the step of the impact: dt up / 2 and less */
      const double rises = trial_q(&t.out, "cube.z") - 0.1, off = fabs(rises - up * up / (2 * G));
      CHECK_MESSAGE(off <= up * dt, "dt %g: rises by %.6g m, off by %.3g", dt, rises, off);
    }
  }
}

/* The record says so by itself, from a contact that the reference holds closed. */
TEST(lift_is_the_gap_of_what_should_be_closed) {
  static const char *const forms[] = {"ccp", "ncp", "event"};
  const double up = 0.5 * 6 / 1.25, exact[] = {up * up / (2 * G), 0, 0};
  struct trial t;
  for (int i = 0; i < 3; ++i) {
    const struct bench_request request = {
        .case_name = "cases/scenes/closed/launched-cube.json", .formulation = forms[i], .dt = 1e-3};
    if (trial_run(&t, request, "", "", TRIAL_WITH_ERRORS) == BASE_OK) {
      CHECK_NEAR(t.out.errors.lift, exact[i], i == 0 ? up * 1e-3 : 1e-9);
    }
  }
  const struct bench_request request = {
      .case_name = "cases/scenes/closed/flight.json", .formulation = "ncp", .t_end = 0.02};
  if (trial_run(&t, request, "", "", TRIAL_WITH_ERRORS) == BASE_OK) {
    CHECK(isnan(t.out.errors.lift)); /* nothing is closed */
  }
}

TEST(a_block_on_a_ramp_sticks_or_slides) {
  static const double angle[] = {5, 20, 40}, part[] = {0.5, 0.98, 1.02, 2}; /* mu over tan */
  for (int a = 0; a < 3; ++a) {
    for (int k = 0; k < 4; ++k) {
      const double alpha = angle[a] * PI / 180, mu = part[k] * tan(alpha), t = 0.5;
      const double x = fmax(0, 0.5 * G * (sin(alpha) - mu * cos(alpha)) * t * t);
      const struct place exact[] = {{"block.x", x}, {"block.y", 0}, {"block.z", 0.05}, {NULL, 0}};
      const char *set =
          base_arena_printf(test_arena(), "gravity.0=%.17g gravity.2=%.17g materials.m.mu=%.17g",
                            G * sin(alpha), -G * cos(alpha), mu);
      meet("tests/scenes/ramp.json", set, exact, 0.85);
    }
  }
}

/* Not by moreau, which takes a contact that a solve's tolerance has opened by 1e-12 m as open: one
 * end of each line contact then carries all, its friction turns the capsule, and the other end
 * stays open. */
TEST(a_pinched_capsule_is_held_or_falls) {
  static const char *const ncp[] = {"ncp"};
  const double F = 12, t = 0.5;
  const struct place held[] = {{"capsule.z", 0}, {"capsule.x", 0.1}, {"jaw.x", 0.3}, {NULL, 0}};
  meet_by(1, ncp, "cases/scenes/closed/pinched-capsule.json", 0, "", held, 1e-6);
  /* Held from m g / (2 F) = 0.40875 on. About there the two points of each side may share the load
   * unevenly, and the capsule turn in the plane of the wall: Coulomb's law has several motions. */
  static const double mu[] = {0.3, 0.418};
  for (int i = 0; i < 2; ++i) {
    const double z = -0.5 * fmax(0, G - 2 * mu[i] * F) * t * t;
    const struct place falls[] = {{"capsule.z", z}, {"jaw.x", 0.3}, {NULL, 0}};
    char set[64];
    snprintf(set, sizeof set, "materials.rubber.mu=%g", mu[i]);
    meet_by(1, ncp, "cases/scenes/closed/pinched-capsule.json", 0, set, falls, 0.7);
  }
}

/* Of 2 to 5 in the row: the others stand aside. */
TEST(as_many_balls_fly_on_as_came) {
  static const char *const aside[] = {
      "bodies.b3.position.1=1 bodies.b4.position.1=2 bodies.b5.position.1=3",
      "bodies.b4.position.1=2 bodies.b5.position.1=3", "bodies.b5.position.1=3", ""};
  static const double start[] = {-0.05, 0.1, 0.202, 0.303, 0.405};
  const double v = 2, t = 0.3, diameter = 0.1;
  for (int n = 2; n <= 5; ++n) {
    /* each goes on to where it touches the next, and the last for the rest of the time */
    double way = v * t;
    struct place exact[] = {{"b1.x", 0}, {"b2.x", 0}, {"b3.x", 0},
                            {"b4.x", 0}, {"b5.x", 0}, {NULL, 0}};
    for (int i = 0; i < 5; ++i) {
      exact[i].at = i < n - 1 ? start[i + 1] - diameter : start[i];
      way -= i < n - 1 ? exact[i].at - start[i] : 0;
    }
    exact[n - 1].at += way;
    meet("cases/scenes/closed/cradle.json", aside[n - 2], exact, 6);
  }
}

TEST(a_cut_shot_throws_and_spins) {
  const double v = 2, eps = 0.9, mu = 0.06, R = 0.0285, c = sqrt(0.75), s = 0.5, t = 0.3;
  const double hit = (0.2013 - 0.2 + 0.2) / v; /* where the line of centres is at 30 degrees */
  const double J = (1 + eps) * v * c / 2, F = fmin(mu * J, v * s / 7); /* over m */
  const double vo[2] = {J * c + F * s, J * s - F * c}, left = t - hit;
  const struct place exact[] = {{"cue.x", (v - vo[0]) * left},
                                {"cue.y", -vo[1] * left},
                                {"object.x", 2 * R * c + vo[0] * left},
                                {"object.y", 2 * R * s + vo[1] * left},
                                {"cue.a0", cos(0.5 * (2.5 * F / R) * left)},
                                {"object.a0", cos(0.5 * (2.5 * F / R) * left)},
                                {"cue.a3", sin(0.5 * (2.5 * F / R) * left)},
                                {"object.a3", sin(0.5 * (2.5 * F / R) * left)},
                                {NULL, 0}};
  /* The impact is seen up to dt late. By then the line of centres has turned by v s dt / (2 R c)
   * = 20 dt, and so have the velocities. */
  meet("cases/scenes/closed/billiard.json", "", exact, 30);
}

/* y += alpha x; x . y */
static void add(double alpha, const double *x, double *y) {
  for (int i = 0; i < 3; ++i) {
    y[i] += alpha * x[i];
  }
}
static double dot(const double *x, const double *y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}
/* y += alpha a x b */
static void add_cross(double alpha, const double *a, const double *b, double *y) {
  add(alpha,
      (double[]){a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]},
      y);
}

/* The balls of flight.json: where they are at t, without gravity, and their velocities since the
 * impact. */
static void fly(double eps, double t, double x[2][3], double v[2][3], double w[2][3]) {
  static const double mass[] = {1.2, 0.5}, R[] = {0.1, 0.06};
  const double x0[2][3] = {{0, 0, 0}, {0.5, 0.06, 0.04}}, v0[2][3] = {{2, 0, 1}, {-1, 0, 1.2}};
  const double w0[2][3] = {{0, 10, -20}, {15, 0, 5}};
  memcpy(x, x0, sizeof x0), memcpy(v, v0, sizeof v0), memcpy(w, w0, sizeof w0);
  double n[3] = {0}, s[3] = {0};
  add(-1, x[0], n), add(1, x[1], n), add(-1, v[0], s), add(1, v[1], s);
  const double a = dot(s, s), b = dot(n, s), c = dot(n, n) - (R[0] + R[1]) * (R[0] + R[1]);
  const double hit = (-b - sqrt(b * b - a * c)) / a, m = 1 / (1 / mass[0] + 1 / mass[1]);
  add(hit, s, n);
  const double size = sqrt(dot(n, n));
  for (int i = 0; i < 3; ++i) {
    n[i] /= size;
  }
  add_cross(-R[0], w[0], n, s), add_cross(-R[1], w[1], n, s);
  const double v_n = -dot(s, n);
  add(v_n, n, s); /* sliding */
  const double J = (1 + eps) * m * v_n, v_t = sqrt(dot(s, s)), F = fmin(2.0 / 7 * m * v_t, 0.2 * J);
  double r[3] = {0}; /* on the small ball */
  add(J, n, r), add(-F / v_t, s, r);
  for (int k = 0; k < 2; ++k) {
    add(hit, v[k], x[k]);
    add((k == 0 ? -1 : 1) / mass[k], r, v[k]);
    add_cross(-1 / (0.4 * mass[k] * R[k]), n, r, w[k]);
    add(t - hit, v[k], x[k]);
  }
}

TEST(balls_that_collide_in_flight_keep_their_momenta) {
  static const char *const names[] = {"large", "small"}, axes[] = "xyz";
  static const char *const sets[] = {"", "materials.rubber.eps_N=0.7"};
  static const char *const forms[] = {"event", "ncp", "moreau", "ccp"};
  for (int k = 0; k < 2; ++k) {
    double x[2][3], v[2][3], w[2][3];
    struct trial t;
    fly(k == 0 ? 0 : 0.7, 0.3, x, v, w);
    for (int f = 0; f < 4; ++f) {
      if (!go("cases/scenes/closed/flight.json", forms[f], 1e-3, 0, sets[k], &t)) {
        continue;
      }
      CHECK_LE(t.out.momentum.linear_drift, 1e-13);
      CHECK_LE(t.out.momentum.angular_drift, 1e-13);
      for (int b = 0; b < 2 && f == 0; ++b) { /* spins have constant length between impacts */
        char name[3][20];
        double spin[3];
        for (int j = 0; j < 3; ++j) {
          snprintf(name[j], sizeof name[j], "%s.w%c", names[b], axes[j]);
          spin[j] = trial_u(&t.out, name[j]);
        }
        CHECK_NEAR(sqrt(dot(spin, spin)), sqrt(dot(w[b], w[b])), 1e-11);
      }
      for (int i = 0; i < 6 && f == 0; ++i) {
        const int b = i / 3, j = i % 3;
        char name[20];
        snprintf(name, sizeof name, "%s.%c", names[b], axes[j]);
        CHECK_NEAR(trial_q(&t.out, name), x[b][j] - (j == 2 ? G * 0.3 * 0.3 / 2 : 0), 1e-11);
        snprintf(name, sizeof name, "%s.v%c", names[b], axes[j]);
        CHECK_NEAR(trial_u(&t.out, name), v[b][j] - (j == 2 ? G * 0.3 : 0), 1e-11);
      }
    }
  }
}

TEST(a_stop_turns_a_four_bar_back) {
  const double w = 1.5, eps = 0.5, l = 0.4, t = 1, hit = asin(0.5) / w;
  const double phi = asin(0.5) - eps * w * (t - hit);
  const struct place exact[] = {{"coupler.x", 0.3 + l * sin(phi)},
                                {"coupler.z", l * cos(phi)},
                                {"left.a0", cos(phi / 2)},
                                {NULL, 0}};
  meet("cases/scenes/closed/four-bar.json", "", exact, 0.4);
}

TEST(what_rests_stays_whatever_the_ratio_of_masses) {
  static const char *const masses[] = {"bodies.upper.mass=1", "", "bodies.upper.mass=1e6"};
  const struct place exact[] = {{"lower.z", 0.1}, {"upper.z", 0.3}, {"upper.x", 0}, {NULL, 0}};
  for (int i = 0; i < 3; ++i) {
    /* not held it would fall by 0.05 m */
    meet_by(2, both, "cases/scenes/closed/mass-ratio.json", 0.1, masses[i], exact, 1e-6);
  }
}

/* moreau's midpoint rule turns a box that tumbles by an error of second order. */
TEST(a_box_that_falls_on_a_corner_gains_nothing) {
  static const char *const formulations[] = {"event", "ncp", "moreau"};
  struct trial t;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) {
      const double dt = steps[k];
      if (go("cases/scenes/closed/small-base.json", formulations[i], dt, 0, "", &t)) {
        const double most = i == 2 ? 20 * dt * dt : 1e-8;
        CHECK_MESSAGE(t.out.energy.max_increase <= most, "%s gains %.3g J", formulations[i],
                      t.out.energy.max_increase);
      }
    }
  }
}
