/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A box slides over an edge, tips about it and leaves it, against its equations of motion by a
 * method of its own (classical Runge-Kutta, steps of 5 us). Its half length a, half height b, mass
 * m and moment of inertia I; xi how far the centre is ahead of the edge along the lower face, theta
 * the tilt, nose down. It slides flat with the deceleration mu g up to xi = -mu b, and then
 *
 *   N (1 + m xi (xi + mu b) / I) = m (g cos theta - 2 xi' theta' - b theta'^2)
 *   I theta'' = N (xi + mu b)
 *   xi'' = g sin theta - mu N / m - b theta'' + xi theta'^2
 *
 * up to xi = a, where its rear end passes the edge, or N = 0. From there on it flies.
 *
 * The rear end touches the edge from above where the lower face ends: two places of contact become
 * one there, and none.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>

#include "bench/run/run.h"

static const double g = 9.81, b = 0.1, c = 0.05, mass = 1, inertia = 0.0067, ahead = -0.05;

struct ride {
  double a, mu;
};
enum { XI, THETA, XI_RATE, THETA_RATE, STATE };

static double press(const struct ride *s, const double *y) {
  return mass * (g * cos(y[THETA]) - 2 * y[XI_RATE] * y[THETA_RATE] - b * pow(y[THETA_RATE], 2)) /
         (1 + mass * y[XI] * (y[XI] + s->mu * b) / inertia);
}

static void slopes(const struct ride *s, const double *y, double *f) {
  const double N = press(s, y);
  f[XI] = y[XI_RATE];
  f[THETA] = y[THETA_RATE];
  f[THETA_RATE] = N * (y[XI] + s->mu * b) / inertia;
  f[XI_RATE] =
      g * sin(y[THETA]) - s->mu * N / mass - b * f[THETA_RATE] + y[XI] * pow(y[THETA_RATE], 2);
}

static void step(const struct ride *s, double h, const double *y, double *next) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double f[STATE] = {0}, stage[STATE], sum[STATE] = {0};
  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < STATE; ++i) {
      stage[i] = y[i] + at[k] * h * f[i];
    }
    slopes(s, stage, f);
    for (int i = 0; i < STATE; ++i) {
      sum[i] += weight[k] * f[i];
    }
  }
  for (int i = 0; i < STATE; ++i) {
    next[i] = y[i] + h / 6 * sum[i];
  }
}

static int leaves(const struct ride *s, const double *y) {
  return y[XI] > s->a || !(press(s, y) > 0);
}

struct place {
  double x, y, theta, v[2], spin, left; /* left: the time when it flew [s] */
};

static struct place place_of(const struct ride *s, double v0, double t) {
  const double flat = -s->mu * b - ahead, brake = s->mu * g;
  const double v = sqrt(v0 * v0 - 2 * brake * flat), begins = 2 * flat / (v0 + v), most = 5e-6;
  double y[STATE] = {-s->mu * b, 0, v, 0}, next[STATE], now = begins;
  while (now < t) {
    double h = fmin(most, t - now), hi = h;
    step(s, h, y, next);
    for (double lo = 0; leaves(s, next) && hi - lo > 1e-16;) { /* the last step */
      h = 0.5 * (lo + hi);
      double trial[STATE];
      step(s, h, y, trial);
      *(leaves(s, trial) ? &hi : &lo) = h;
    }
    const int is_last = leaves(s, next);
    step(s, h, y, y);
    now += h;
    if (is_last) {
      break;
    }
  }
  const double C = cos(y[THETA]), S = sin(y[THETA]), ahead_rate = y[XI_RATE] + b * y[THETA_RATE];
  struct place p = {.x = y[XI] * C + b * S,
                    .y = -y[XI] * S + b * C,
                    .theta = y[THETA],
                    .v = {ahead_rate * C - y[XI] * y[THETA_RATE] * S,
                          -ahead_rate * S - y[XI] * y[THETA_RATE] * C},
                    .spin = y[THETA_RATE],
                    .left = now};
  const double flies = t - now;
  p.x += flies * p.v[0];
  p.y += flies * p.v[1] - 0.5 * g * flies * flies;
  p.v[1] -= g * flies;
  p.theta += flies * p.spin;
  return p;
}

/* In the plane; over an edge; with a part of it beyond a corner. */
enum { PLANE, EDGE, CORNER, PLACES };

static const char *write_scene(int at, const struct ride *s, double v0) {
  const char *path =
      at == PLANE
          ? scratch_scene(
                "over-edge",
                "'dimension': 2, 'dt': 0.01, 't_end': 1, 'gravity': [0, %.17g], 'materials': {'m': "
                "{'mu': %.17g}}, 'bodies': [{'name': 's', 'fixed': true, 'shapes': [{'type': "
                "'box', 'half': [1, 0.2], 'offset': [-1, -0.2], 'material': 'm'}]}, {'name': 'b', "
                "'mass': %.17g, 'inertia': %.17g, 'position': [%.17g, %.17g], 'velocity': [%.17g, "
                "0], 'shapes': [{'type': 'box', 'half': [%.17g, %.17g], 'material': 'm'}]}]",
                -g, s->mu, mass, inertia, ahead, b, v0, s->a, b)
          : scratch_scene(
                "over-edge",
                "'dt': 0.01, 't_end': 1, 'gravity': [0, 0, %.17g], 'materials': {'m': {'mu': "
                "%.17g}}, 'bodies': [{'name': 's', 'fixed': true, 'shapes': [{'type': 'box', "
                "'half': [1, 1, 0.2], 'offset': [-1, %g, -0.2], 'material': 'm'}]}, {'name': 'b', "
                "'mass': %.17g, 'inertia': [%.17g, %.17g, %.17g], 'position': [%.17g, 0, %.17g], "
                "'velocity': [%.17g, 0, 0], 'shapes': [{'type': 'box', 'half': [%.17g, %.17g, "
                "%.17g], 'material': 'm'}]}]",
                -g, s->mu, at == EDGE ? 0 : c / 3 - 1, mass, inertia, inertia, inertia, ahead, b,
                v0, s->a, c, b);
  return path;
}

/* The largest error at time t [m, m/s]; NaN where the run fails. */
static double off(int at, const struct ride *s, double v0, double t, const char *formulation,
                  double dt) {
  const struct place exact = place_of(s, v0, t);
  const struct bench_request request = {.case_name = write_scene(at, s, v0),
                                        .formulation = formulation,
                                        .dt = t / ceil(t / dt),
                                        .t_end = t};
  struct trial run;
  const int status = trial_run(&run, request, "", NULL, TRIAL_WITHOUT_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "place %d, %s: %s", at, formulation, run.out.reason);
  double most = NAN;
  if (status == BASE_OK) {
    const double *q = run.out.q, *u = run.out.u;
    const int up = at == PLANE ? 1 : 2;
    const double theta = at == PLANE ? -q[2] : 2 * atan2(q[5], q[3]);
    const double error[] = {q[0] - exact.x,
                            q[up] - exact.y,
                            u[0] - exact.v[0],
                            u[up] - exact.v[1],
                            b * (theta - exact.theta),
                            b * ((at == PLANE ? -u[2] : u[4]) - exact.spin)};
    most = 0;
    for (size_t i = 0; i < sizeof error / sizeof *error; ++i) {
      most = fmax(most, fabs(error[i]));
    }
  }
  return most;
}

/* Outlines of boxes that are nearer than a millionth of the size coincide, so that the last places
 * of contact go that much too early: 1.7e-7 m or some 0.2 us, and accelerations jump by some g. */
static const double PASSING = 1e-6;

TEST(boxes_slide_over_an_edge_tip_and_leave_as_their_equations_say) {
  static const double speeds[] = {1, 1.4, 2}, frictions[] = {0, 0.1, 0.3};
  for (int k = 0; k < 9; ++k) {
    const struct ride s = {.a = 0.1, .mu = frictions[k / 3]};
    const double v0 = speeds[k % 3], left = place_of(&s, v0, 1).left;
    for (int at = 0; at < PLACES; ++at) {
      for (int e = 0; e < 2; ++e) {
        const double t = e == 0 ? 0.95 * left : left + 0.04;
        const double error = off(at, &s, v0, t, "event", 0.01);
        CHECK_MESSAGE(error <= (e == 0 ? 1e-10 : PASSING),
                      "place %d, mu %g, v0 %g: off by %.3g at t = %g", at, s.mu, v0, error, t);
      }
    }
  }
}

/* Before it leaves steppers come to the same, with order one. */
TEST(steppers_come_to_it_while_it_tips) {
  static const char *const names[] = {"ncp", "mdp", "lcp-st", "moreau"};
  const struct ride s = {.a = 0.1, .mu = 0.3};
  const double v0 = 1.2, t = 0.95 * place_of(&s, v0, 1).left;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    const double coarse = off(PLANE, &s, v0, t, names[i], 1e-3);
    const double fine = off(PLANE, &s, v0, t, names[i], 1e-4);
    CHECK_MESSAGE(fine <= 0.2 * coarse && fine <= 2e-3, "%s: %.3g, %.3g", names[i], coarse, fine);
  }
}
