/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each part of the energy budget against a count of its own, made from the laws of the motion and
 * not from what formulations report. That the parts add up says nothing: what is left over is
 * called numerical.
 */
#include <math.h>
#include <stdio.h>

#include "base/data.h"
#include "base/options.h"
#include "bench/run/run.h"
#include "mech/mech.h"
#include "tests/test.h"
#include "tests/trial.h"

static const double G = 9.81;

/* set, opt: "key=value key=value"; the trajectory with every step. */
static void run(struct trial *t, const char *name, const char *set, const char *formulation,
                const char *opt, double dt, double t_end, const struct case_type *type) {
  const struct bench_request request = {
      .case_name = name, .formulation = formulation, .dt = dt, .t_end = t_end, .sample = dt};
  int status = trial_resolve(t, request, set, opt, TRIAL_WITHOUT_ERRORS);
  t->job.type = type != NULL ? type : t->job.type;
  status = status == BASE_OK ? trial_go(t) : status;
  /* what a budget counts does not ask how well a step was solved */
  CHECK_MESSAGE(status == BASE_OK || status == BASE_UNCONVERGED, "%s, %s: %s", name, formulation,
                t->out.reason);
}

/* A particle that slides on the ground: friction takes mu m g times the way, and in the end all of
 * m v^2 / 2; nothing else takes anything. Forces are constant, so that steps are exact. */
TEST(friction_takes_its_force_times_the_way) {
  static const char *const formulations[] = {
      "moreau", "lcp-st", "lcp-ap", "ncp", "mdp", "event", "consistent-twostep"};
  const double mu = 0.2, v = 2, stop = v / (mu * G);
  const double ends[] = {0.5, 1.5};
  for (size_t f = 0; f < sizeof formulations / sizeof *formulations; ++f) {
    /* where friction would turn the motion, consistent-twostep alternates about rest */
    const int horizons = strcmp(formulations[f], "consistent-twostep") == 0 ? 1 : 2;
    for (int k = 0; k < horizons; ++k) {
      const double t = fmin(ends[k], stop), way = v * t - 0.5 * mu * G * t * t;
      struct trial trial;
      run(&trial, "falling-particle", "y0=0", formulations[f], "", 1e-3, ends[k], NULL);
      CHECK_NEAR(trial.out.energy.friction, -mu * G * way, 2e-10);
      CHECK_NEAR(trial.out.energy.impact, 0, 1e-12);
      CHECK_NEAR(trial.out.energy.damping, 0, 0);
      CHECK_NEAR(trial.out.energy.applied, 0, 0);
    }
  }
}

/* Newton's impact law takes (1 - eps^2) of the kinetic energy before it: all of it in the instant
 * for `event`. */
TEST(an_impact_takes_what_restitution_leaves) {
  static const double eps[] = {0, 0.5, 0.9};
  const double m = 1, h = 1;
  for (int k = 0; k < 3; ++k) {
    struct trial trial;
    char set[32];
    snprintf(set, sizeof set, "eps=%g", eps[k]);
    run(&trial, "bouncing-ball", set, "event", "", 5e-3, 0.5, NULL);
    CHECK_NEAR(trial.out.energy.impact, -m * G * h * (1 - eps[k] * eps[k]), 1e-9);
    CHECK_NEAR(trial.out.energy.friction, 0, 0);
  }
}

/* A step of Moreau's rule with an impact from -V to eps V: the impulse is m (V (1 + eps) + g dt),
 * at the mean velocity -V (1 - eps) / 2. V is that of the fall, g dt times the steps before. */
TEST(an_impact_within_a_step_takes_impulse_times_mean_velocity) {
  const double dt = 5e-3, eps = 0.5, m = 1;
  struct trial trial;
  run(&trial, "bouncing-ball", "eps=0.5", "moreau", "", dt, 0.5, NULL);
  const struct bench_path *path = &trial.out.trajectory;
  int up = 0;
  while (up < path->n && path->u[up * path->nu + 1] <= 0) {
    ++up;
  }
  CHECK(up > 2 && up < path->n);
  const double V = G * dt * (up - 1);
  CHECK_NEAR(path->u[up * path->nu + 1], eps * V, 1e-12);
  CHECK_NEAR(trial.out.energy.impact, -m * (V * (1 + eps) + G * dt) * V * (1 - eps) / 2, 1e-11);
}

/* A weight m on a spring K with a damper c, let go at its natural length: z = -(m g / K) (1 -
 * exp(-a t) (cos(w t) + a / w sin(w t))), a = c / 2 m, w^2 = K / m - a^2, and the damper takes the
 * integral of c zdot^2, here by Simpson's rule. */
static double damper_work(double t_end) {
  enum { PIECES = 4000 };
  const double m = 1, K = 200, c = 2, a = c / (2 * m), w = sqrt(K / m - a * a);
  double sum = 0;
  for (int i = 0; i <= PIECES; ++i) {
    const double t = t_end * i / PIECES, v = G / w * exp(-a * t) * sin(w * t);
    sum += (i == 0 || i == PIECES ? 1 : i % 2 == 1 ? 4 : 2) * c * v * v;
  }
  return -sum * t_end / PIECES / 3;
}

TEST(a_damper_takes_the_integral_of_its_power) {
  const double exact = damper_work(1);
  const char *scene = base_data_path(test_arena(), "cases/scenes/spring.json");
  struct trial trial;
  run(&trial, scene, "", "event", "", 1e-3, 1, NULL);
  CHECK_NEAR(trial.out.energy.damping, exact, 1e-8 * fabs(exact));
  CHECK_NEAR(trial.out.energy.applied, 0, 0);
  static const char *const steppers[] = {"moreau", "ncp", "lcp-ap"};
  for (int f = 0; f < 3; ++f) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      run(&trial, scene, "", steppers[f], "", k == 0 ? 1e-3 : 2.5e-4, 1, NULL);
      error[k] = fabs(trial.out.energy.damping - exact);
    }
    CHECK_LE(error[0], 0.03 * fabs(exact));
    CHECK_LE(error[1], 0.3 * error[0]); /* first order, or better */
  }
}

/* A constant force F on a free body works F^2 t^2 / 2 m, exact for steps with constant
 * acceleration; a force over a while as much as the way in it. */
TEST(an_applied_force_works_along_the_way) {
  static const char *const formulations[] = {"moreau", "lcp-st", "ncp", "event"};
  const double m = 0.5, F = 0.3, P = 0.4, t = 1, push = 0.5;
  const double exact = F * (t + F * t * t / (2 * m)) + P * P * push * push / (2 * m);
  for (size_t f = 0; f < sizeof formulations / sizeof *formulations; ++f) {
    struct trial trial;
    run(&trial, "tests/scenes/forced.json", "", formulations[f], "", 1.0 / 1024, t, NULL);
    CHECK_NEAR(trial.out.energy.applied, exact, 1e-10);
    CHECK_NEAR(trial.out.energy.damping, 0, 0);
    CHECK_NEAR(trial.out.energy.friction, 0, 0);
  }
}

/* A particle that comes to rest on the spring of `penalty` has m g y + K y^2 / 2 with y = -m g / K:
 * the part of the spring is stored, and the rest of what it had when it fell went into its
 * damper. */
TEST(penalty_stores_in_its_spring_what_the_weight_presses_in) {
  const double K = 1e4, m = 1, y0 = 1e-3, rest = -0.5 * (m * G) * (m * G) / K;
  struct trial trial;
  run(&trial, "falling-particle", "y0=1e-3 vx0=0", "penalty", "K=1e4 D=100", 1e-4, 1, NULL);
  CHECK_NEAR(trial.out.q[1], -m * G / K, 1e-9);
  CHECK_NEAR(trial.out.energy.final, rest, 1e-10);
  CHECK_NEAR(trial.out.energy.impact, rest - m * G * y0, 1e-6 * m * G * y0);
  CHECK_NEAR(trial.out.energy.friction, 0, 0);
}

/* ---- bodies that come and go ---- */

static const struct case_type *counted_type;
static int (*counted_flow)(const struct mech *m, double t, double *q, double *u, double *work);
static double counted_energy; /* [J] */

/* The energy of all bodies before and after. */
static int count_flow(const struct mech *m, double t, double *q, double *u, double *work) {
  struct base_arena *arena = test_arena();
  const double before = mech_energy(m, q, u, arena);
  const int flowed = counted_flow(m, t, q, u, work);
  counted_energy += mech_energy(m, q, u, arena) - before;
  return flowed;
}

static int build_counted(const struct case_parameters *p, struct base_arena *arena,
                         struct case_instance *instance) {
  const int status = counted_type->build(p, arena, instance);
  if (status == BASE_OK) {
    struct mech_ops *ops = (struct mech_ops *)instance->mech->ops; /* in the arena of the build */
    counted_flow = ops->open.inflow_outflow;
    ops->open.inflow_outflow = count_flow;
  }
  return status;
}

/* Of impulse stepping; with `penalty` the springs of bodies that leave go with them. */
TEST(inflow_is_the_energy_that_bodies_bring_and_take) {
  counted_type = case_find("channel-flow");
  struct case_type type = *counted_type;
  type.build = build_counted;
  struct trial trial;
  run(&trial, "channel-flow", "scale=0.1 settle=0 block=0.001 frame=0.0005", "ncp", "tol=1e-4", 0,
      0.0024, &type);
  CHECK(counted_energy > 1e-4); /* layers came in, and particles went out */
  CHECK_NEAR(trial.out.energy.inflow, counted_energy, 1e-12 * fabs(trial.out.energy.initial));
}
