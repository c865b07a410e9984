/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Verdicts: energies against the reference, the drift with velocities and coordinates at one time,
 * steps beyond the limit of stability, and what all this makes of a run. Expected numbers are
 * closed forms of the bouncing ball and the falling particle, written down here.
 */
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/run.h"

static struct trial trial_of(const char *case_name, const char *formulation, double dt,
                             const char *option) {
  struct trial t;
  const struct bench_request request = {
      .case_name = case_name, .formulation = formulation, .dt = dt};
  trial_run(&t, request, "", option, TRIAL_WITH_ERRORS);
  return t;
}

/* Works that cases tell in closed form against those of `event`, which knows nothing of them; both
 * are exact but for roundings. With an impact, without one, and where friction acts in an
 * impact. */
TEST(works_in_closed_form_are_those_of_event) {
  static const struct {
    const char *name, *set;
    double friction, impact; /* at least so much is lost [J] */
  } cases[] = {
      {"thrown-ball", "gap=0.05", 0.5, 0.4},   {"thrown-ball", "gap=0", 0.5, 0},
      {"rocking-block", "phi0=0.1", 0, 0.05},  {"closed-forms", "scene=rolling-sphere", 0.1, 0},
      {"closed-forms", "scene=incline", 3, 0}, {"closed-forms", "scene=heavy-top", 0, 0},
      {"falling-particle", "mu=0.3", 1, 9},    {"table", "gap=0.02", 4, 1.9},
      {"bouncing-ball", "eps=0.7", 0, 9},      {"heavy-on-light", "mu=0.1", 0.05, 0},
      {"pushed-box", "push=1.1", 1e-4, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const char *name = cases[i].name;
    struct trial t;
    const struct bench_request request = {.case_name = name, .formulation = "event"};
    CHECK_OK(trial_run(&t, request, cases[i].set, "", TRIAL_WITH_ERRORS));
    const struct bench_outcome out = t.out;
    const double size = fmax(1, fabs(out.energy.initial));
    CHECK_MESSAGE(t.job.type->work != NULL, "%s tells no works", name);
    CHECK(out.energy_errors.kind != NULL && strcmp(out.energy_errors.kind, "analytic") == 0);
    CHECK_MESSAGE(out.energy_errors.friction <= 1e-11 * size, "%s, %s: friction %g", name,
                  cases[i].set, out.energy_errors.friction);
    CHECK_MESSAGE(out.energy_errors.impact <= 1e-11 * size, "%s, %s: impact %g", name, cases[i].set,
                  out.energy_errors.impact);
    CHECK_MESSAGE(-out.energy.friction >= cases[i].friction - 1e-12 &&
                      -out.energy.impact >= cases[i].impact,
                  "%s, %s: friction took %g J, impacts %g J", name, cases[i].set,
                  -out.energy.friction, -out.energy.impact);
  }
}

/* Impacts without end in a time that is finite: behind it the block lies, and its closed form says
 * so. */
TEST(rocking_block_comes_to_rest) {
  const struct bench_request request = {
      .case_name = "rocking-block", .formulation = "moreau", .dt = 0.01, .t_end = 5};
  struct trial t;
  double q[3], u[3], work[3];
  trial_run(&t, request, "", "", TRIAL_WITH_ERRORS);
  CHECK_LE(t.out.errors.q_final, 1e-3);
  CHECK_LE(t.job.type->reference(t.job.parameters, 1e6, q, u), 1e-3);
  t.job.type->work(t.job.parameters, 1e6, work);
  CHECK_NEAR(q[2], 0, 1e-12);
  CHECK_NEAR(u[2], 0, 1e-12);
  CHECK_NEAR(work[1], -t.out.energy.initial + t.out.energy.final, 1e-3 * -work[1]);
}

/* The ball falls from y0 = 1 m with m = 1 kg; without restitution it stays below after the first
 * landing and lacks all of m g y0 from then on, where the elastic one lacks nothing. The drifts of
 * the two are the same. */
TEST(impact_law_that_is_wrong_is_seen_although_the_drift_is_not) {
  struct trial right = trial_of("bouncing-ball", "ncp", 0, "");
  struct trial wrong = trial_of("bouncing-ball", "ncp", 0, "restitution=none");
  const double lost = fabs(wrong.out.energy.final - wrong.out.energy.initial);
  CHECK(lost > 9);
  CHECK_NEAR(wrong.out.energy.max_numerical_drift, right.out.energy.max_numerical_drift,
             1e-6 * right.out.energy.max_numerical_drift);
  const double landing = sqrt(2 / 9.81), share = 1 - landing / wrong.job.t_end;
  CHECK_NEAR(wrong.out.energy_errors.total, share * lost, 0.02 * lost);
  CHECK_NEAR(wrong.out.energy_errors.impact, share * lost, 0.02 * lost);
  CHECK_LE(right.out.energy_errors.impact, 1e-10 * lost);
  CHECK_LE(right.out.energy_errors.total, 1e-10 * lost);
  CHECK_TEXT(wrong.out.energy_errors.kind, "analytic");
  CHECK_TEXT(wrong.out.quality.verdict, "useless");
  CHECK(wrong.out.quality.impact > 0.5 && right.out.quality.impact < 1e-10);
}

/* m g dt v/2 on the way down, v = sqrt(2 g y0): of the scheme's half step, and of nothing else. */
TEST(half_step_of_semi_implicit_euler_is_no_drift) {
  static const char *const forms[] = {"ncp", "ccp", "lcp-st"};
  for (int i = 0; i < 3; ++i) {
    struct trial t = trial_of("falling-particle", forms[i], 1e-3, "");
    const double half_step = 9.81 * 1e-3 * sqrt(2 * 9.81) / 2;
    CHECK_NEAR(t.out.energy.max_numerical_drift, half_step, 0.01 * half_step);
    CHECK_LE(t.out.synchronous.max_drift, 1e-11);
    CHECK_TEXT(t.out.quality.verdict, "good");
  }
  struct trial midpoint = trial_of("falling-particle", "moreau", 1e-3, ""); /* none to correct */
  CHECK_NEAR(midpoint.out.synchronous.max_drift, midpoint.out.energy.max_numerical_drift, 0);
}

/* A pendulum's potential is not linear: the half step is of first order, what is left of second. */
TEST(drift_without_the_half_step_is_of_second_order) {
  double raw[2], left[2];
  for (int i = 0; i < 2; ++i) {
    struct trial t = trial_of("cases/scenes/pendulum.json", "ncp", i == 0 ? 2e-3 : 1e-3, "");
    raw[i] = t.out.energy.max_numerical_drift;
    left[i] = t.out.synchronous.max_drift;
    CHECK_LE(left[i], 0.5 * raw[i]);
  }
  CHECK_MESSAGE(left[0] / left[1] > raw[0] / raw[1], "%g %g, %g %g", raw[0], raw[1], left[0],
                left[1]);
}

/* Thrown apart by springs that are too stiff for the step: it ran, and nothing of it holds. */
TEST(steps_beyond_the_limit_of_stability_have_a_status) {
  struct trial t = trial_of("heavy-on-light", "penalty", 1e-3, "K=1e7 substeps=1");
  CHECK_INT(t.out.status, BASE_UNSTABLE);
  CHECK(strstr(t.out.reason, "0.001 s is longer than ") != NULL);
  CHECK(t.out.t == t.job.t_end && t.out.told.stable_dt < 1e-3);
  CHECK_TEXT(t.out.quality.verdict, "useless");
  CHECK(t.out.quality.position > 100);
  t = trial_of("falling-particle", "penalty", 2.5e-4, "K=1e6 substeps=1");
  CHECK_OK(t.out.status);
  CHECK(t.out.told.stable_dt > 2.5e-4 && t.out.told.stable_dt < 3.5e-4);
  t = trial_of("falling-particle", "penalty", 3.5e-4, "K=1e6 substeps=1");
  CHECK_INT(t.out.status, BASE_UNSTABLE);
  t = trial_of("falling-particle", "penalty", 1e-3, "K=1e6 substeps=4"); /* of 2.5e-4 s each */
  CHECK_OK(t.out.status);
}

static const char *verdict_of(struct bench_outcome out) {
  static char why[sizeof out.quality.why];
  bench_quality_judge(&out);
  memcpy(why, out.quality.why, sizeof why);
  base_fail(BASE_OK, "%s", why);
  return out.quality.verdict;
}

static struct bench_outcome outcome_of(int status) {
  struct bench_outcome out = {.status = status};
  out.quality.length = 2;
  out.energy_errors.at_stake = 10;
  out.energy.initial = 5;
  return out;
}

TEST(verdicts_follow_the_thresholds) {
  struct bench_outcome out = outcome_of(BASE_OK);
  CHECK_TEXT(verdict_of(out), "good");
  double *const measures[] = {&out.errors.q_linf,          &out.energy_errors.total,
                              &out.energy_errors.friction, &out.energy_errors.impact,
                              &out.energy_errors.damping,  &out.synchronous.max_drift};
  static const char *const names[] = {"position", "total_energy", "friction",
                                      "impact",   "damping",      "drift"};
  for (int i = 0; i < 6; ++i) {
    const double scale = i == 0 ? 2 : 10;
    *measures[i] = 0.0099 * scale;
    CHECK_TEXT(verdict_of(out), "good");
    *measures[i] = 0.0101 * scale;
    CHECK_TEXT(verdict_of(out), "poor");
    CHECK(strncmp(base_message(), names[i], strlen(names[i])) == 0);
    *measures[i] = 0.099 * scale;
    CHECK_TEXT(verdict_of(out), "poor");
    *measures[i] = 0.101 * scale;
    CHECK_TEXT(verdict_of(out), "useless");
    CHECK(strncmp(base_message(), names[i], strlen(names[i])) == 0);
    *measures[i] = INFINITY;
    CHECK_TEXT(verdict_of(out), "useless");
    *measures[i] = 0;
  }
}

/* Nothing that cannot be judged is good, and nothing that did not end is better than useless. */
TEST(verdicts_without_a_reference_or_an_end) {
  struct bench_outcome out = outcome_of(BASE_OK);
  out.errors.q_linf = out.energy_errors.total = out.energy_errors.friction = NAN;
  out.energy_errors.impact = out.energy_errors.damping = out.energy_errors.at_stake = NAN;
  out.energy.max_kinetic = 10;
  CHECK(verdict_of(out) == NULL);
  CHECK(strstr(base_message(), "no reference") != NULL);
  out.synchronous.max_drift = 2;
  CHECK_TEXT(verdict_of(out), "useless");
  out.synchronous.max_drift = 0;
  out.constraints.penetration_max = 0.03; /* of a length of 2 */
  CHECK_TEXT(verdict_of(out), "poor");
  out.start.gap_min = -0.02; /* they began in each other */
  CHECK(verdict_of(out) == NULL);
  out.constraints.penetration_max = 0.3;
  CHECK_TEXT(verdict_of(out), "useless");
  CHECK(strncmp(base_message(), "penetration", 11) == 0);
  out.constraints.penetration_max = 0;
  out.law.unsolved = 0.009;
  CHECK(verdict_of(out) == NULL);
  out.law.unsolved = 0.5;
  CHECK_TEXT(verdict_of(out), "poor");
  CHECK(strncmp(base_message(), "unsolved", 8) == 0);
  out = outcome_of(BASE_OK);
  out.law.unsolved = 0.5; /* the reference knows better */
  CHECK_TEXT(verdict_of(out), "good");
  out.law.unsolved = 0;
  out.errors.q_linf = 1e-3;
  out.reference.bound = 1; /* half the system: agreement is no evidence */
  CHECK(verdict_of(out) == NULL);
  static const struct {
    int status;
    const char *verdict;
  } statuses[] = {{BASE_UNCONVERGED, "good"}, {BASE_UNSTABLE, "poor"},   {BASE_DIVERGED, "useless"},
                  {BASE_FAILED, "useless"},   {BASE_TIMEOUT, "useless"}, {BASE_UNSUPPORTED, NULL}};
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i) {
    const char *verdict = verdict_of(outcome_of(statuses[i].status));
    CHECK_INT(verdict == NULL, statuses[i].verdict == NULL);
    CHECK(verdict == NULL || strcmp(verdict, statuses[i].verdict) == 0);
    CHECK(base_message()[0] != '\0');
  }
}

/* At rest there is no energy to be wrong by, but for rounding: the position alone is judged. */
TEST(system_at_rest_is_judged_by_its_position) {
  struct bench_outcome out = outcome_of(BASE_OK);
  out.energy_errors.at_stake = 1e-12;
  out.energy_errors.impact = 1e-11;
  CHECK_TEXT(verdict_of(out), "good");
  out.errors.q_linf = 1;
  CHECK_TEXT(verdict_of(out), "useless");
}

/* Without gravity energies begin at zero: forces that balance say how large rounding is. A block
 * pressed against a wall by 10 N, pushed along it by less than friction holds. */
TEST(body_held_by_forces_is_judged_by_its_position) {
  struct bench_outcome out = outcome_of(BASE_OK);
  out.energy.initial = 0;
  out.energy_errors.at_stake = 3e-67;
  out.synchronous.force = 10;
  out.energy_errors.impact = 4e-11;
  CHECK_TEXT(verdict_of(out), "good");
  out.energy_errors.at_stake = 1e-6; /* it moves: the scale stays its own */
  CHECK_TEXT(verdict_of(out), "good");
  out.energy_errors.impact = 2e-7;
  CHECK_TEXT(verdict_of(out), "useless");
  struct trial t = trial_of("tests/scenes/pressed.json", "moreau", 1e-3, "");
  CHECK_NEAR(t.out.synchronous.force, 10, 1e-12);
  CHECK(t.out.energy.max_kinetic > 0 && isnan(t.out.quality.energy));
}

/* Twenty boxes, each 1.3 times as heavy as the one below, have no reference as a scene: with 20
 * sweeps a step the tower falls, and the record says that its steps miss what they ask for; solved,
 * it stands, and nothing is said against it. */
TEST(tower_that_falls_for_want_of_sweeps_is_poor) {
  enum { BOXES = 20 };
  const char *boxes = "";
  for (int k = 0; k < BOXES; ++k) {
    boxes = base_arena_printf(test_arena(),
                              "%s, {'name': 'b%d', 'mass': %.17g, 'position': [0, 0, %.17g], "
                              "'shapes': [{'type': 'box', 'half': [0.1, 0.05, 0.05], 'material': "
                              "'m'}]}",
                              boxes, k, pow(1.3, k), 0.05 + 0.1 * k);
  }
  const char *path = scratch_scene(
      "tower",
      "'gravity': [0, 0, -9.81], 'dt': 0.0041666666666666666, 't_end': 1, 'materials': {'m': "
      "{'mu': 0.5}}, 'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': "
      "'halfspace', 'normal': [0, 0, 1], 'material': 'm'}]}%s]",
      boxes);
  struct trial t = trial_of(path, "ncp", 0, "max_iter=20");
  CHECK_INT(t.out.status, BASE_UNCONVERGED);
  CHECK(trial_q(&t.out, "b19.z") < 1.5);
  CHECK_TEXT(t.out.quality.verdict, "poor");
  CHECK(strncmp(t.out.quality.why, "unsolved", 8) == 0);
  t = trial_of(path, "ncp", 0, "");
  CHECK_OK(t.out.status);
  CHECK_NEAR(trial_q(&t.out, "b19.z"), 1.95, 1e-6);
  CHECK(t.out.quality.verdict == NULL && t.out.quality.unsolved == 0);
}

/* A mass on a spring, without weight, over two whole periods: its velocity has the deviation
 * a omega/sqrt(2). Another one, far above, goes on at v. */
TEST(creep_and_jitter_at_rest_are_those_of_the_closed_form) {
  const double omega = sqrt(400), a = 1e-4, v = 2e-3;
  for (int moves = 0; moves < 2; ++moves) {
    struct trial t;
    const struct bench_request request = {.case_name = "oscillator",
                                          .formulation = "event",
                                          .dt = 2 * M_PI / omega / 200,
                                          .t_end = 4 * 2 * M_PI / omega};
    char set[200];
    snprintf(set, sizeof set, "m1=1 m2=1 c=400 g=0 l=0.1 x1_0=0.6 x2_0=%g u1_0=%g", 0.1 + a,
             moves * v);
    trial_run(&t, request, set, NULL, TRIAL_WITHOUT_ERRORS);
    CHECK_NEAR(t.out.rest.creep, moves * v, 1e-11);
    CHECK_NEAR(t.out.rest.jitter, a * omega / sqrt(2), 1e-10);
  }
}

TEST(what_moves_is_not_at_rest) {
  struct trial t = trial_of("falling-particle", "ncp", 0.01, NULL);
  CHECK(isnan(t.out.rest.creep) && isnan(t.out.rest.jitter));
}
