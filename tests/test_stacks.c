/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks at rest under every law of impulse stepping, with a solver fit for it and with the one
 * that a run has unless another is asked for: degenerate problems, whose forces are not unique. No
 * step may miss its tolerance, and the stack stays where it is; of a stack that leans and slides
 * the mirror image moves as the mirror image.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include <string.h>

#include "bench/run/run.h"
#include "tests/scratch.h"

/* Velocity-level schemes take gaps that rounding leaves open at the start for open, and let each
 * course fall by g dt^2 before it lands, and tilt as its corners do so one after the other: sinks.
 */
static const struct entry {
  const char *formulation, *solver;
  double steps; /* of the tower */
  int sinks;
} entries[] = {{"moreau", "ssn", 100, 1}, {"lcp-st", "lemke", 150, 0}, {"lcp-ap", "lemke", 150, 1},
               {"ccp", "ipm", 400, 0},    {"ccp", "ssn", 400, 0},      {"ncp", "ssn", 100, 0},
               {"ncp", "auto", 50, 0},    {"mdp", "auto", 20, 0},      {"moreau", "auto", 50, 1}};
enum { ENTRIES = sizeof entries / sizeof *entries, COURSES = 5 };
static const double G = 9.81, DT = 1e-3;

static void run(struct trial *t, const struct bench_request *request, const char *set) {
  const int status = trial_run(t, *request, set, "", TRIAL_WITH_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s, %s: %s", request->formulation, request->solver,
                t->out.reason);
}

TEST(towers_stay_where_they_are) {
  for (int k = 0; k < ENTRIES; ++k) {
    const struct entry *e = &entries[k];
    const struct bench_request request = {.case_name = "box-stack",
                                          .formulation = e->formulation,
                                          .solver = e->solver,
                                          .is_tight = 1,
                                          .dt = DT,
                                          .t_end = e->steps * DT};
    struct trial t;
    run(&t, &request, "n=5");
    const double most = (e->sinks ? 1.1 * COURSES * G * DT * DT : 0) + 1e-12;
    CHECK_MESSAGE(t.out.errors.q_linf <= most, "%s, %s: moved by %.3g", e->formulation, e->solver,
                  t.out.errors.q_linf);
  }
}

/* Three boxes in the plane, each 2 cm further to the `side` than the one below, the top one thrown
 * that way: it slides until friction stops it, and pushes the others on. Closed by 1e-13 m, so that
 * rounding decides of no gap at the start. */
static const char *write_leaning(int side) {
  const char *boxes = "";
  for (int k = 0; k < 3; ++k) {
    boxes = base_arena_printf(
        test_arena(),
        "%s, {'name': 'b%d', 'mass': %g, 'position': [%.17g, %.17g], 'velocity': [%g, 0], "
        "'shapes': [{'type': 'box', 'half': [0.15, 0.06], 'material': 'm'}]}",
        boxes, k, 2 - 0.5 * k, side * 0.02 * k, 0.06 + 0.12 * k - 1e-13 * (k + 1),
        side * (k == 2 ? 0.4 : 0.0));
  }
  return scratch_scene(
      side > 0 ? "right" : "left",
      "'dimension': 2, 'gravity': [0, -9.81], 'dt': 1e-3, 't_end': 0.2, 'materials': {'m': {'mu': "
      "0.4}}, 'bodies': [{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'halfspace', "
      "'normal': [0, 1], 'offset': 0, 'material': 'm'}]}%s]",
      boxes);
}

/* To the bit where the order of contacts does not matter; here a solver visits them from the other
 * end, and what its tolerance leaves differs: 1e-10 max|b| a step, less than 1e-12 m/s. */
TEST(leaning_stacks_are_mirror_images) {
  for (int k = 0; k < ENTRIES; ++k) {
    struct trial t[2];
    double apart = 0;
    for (int side = 0; side < 2; ++side) {
      const struct bench_request request = {.case_name = write_leaning(side ? 1 : -1),
                                            .formulation = entries[k].formulation,
                                            .solver = entries[k].solver,
                                            .is_tight = 1};
      run(&t[side], &request, "");
    }
    const double *left = t[0].out.q, *right = t[1].out.q;
    CHECK(left != NULL && right != NULL);
    for (int i = 0; left != NULL && right != NULL && i < t[0].out.nq; ++i) {
      const double sign = i % 3 == 1 ? 1 : -1; /* x, y, phi */
      apart = fmax(apart, fabs(right[i] - sign * left[i]));
    }
    CHECK_MESSAGE(apart <= 1e-10, "%s, %s: %.3g m apart", entries[k].formulation, entries[k].solver,
                  apart);
    CHECK_NEAR((right != NULL ? right[6] : NAN) - 0.04, 0.0204,
               5e-4); /* v^2 / (2 mu g) of the top box */
  }
}

/* Heavy on light, with the solver that nobody has to choose: sweeps alone end unsolved on all of
 * these, and 20 of them let the tower fall. Who solved how many steps is told. */
TEST(heavy_towers_are_solved_by_default) {
  static const struct {
    const char *formulation, *set;
    double dt, steps;
  } towers[] = {
      {"ncp", "n=20 heavier=1.3", 1.0 / 240, 24}, {"mdp", "n=20 heavier=1.3", 1.0 / 240, 24},
      {"ccp", "n=20 heavier=1.3", 1.0 / 240, 24}, {"moreau", "n=20 heavier=1.3", 1.0 / 240, 6},
      {"ncp", "n=12 heavier=1.5", 1.0 / 240, 24}, {"mdp", "n=12 heavier=1.5", 1.0 / 240, 24},
      {"ccp", "n=12 heavier=1.5", 1.0 / 240, 24}, {"moreau", "n=12 heavier=1.5", 1.0 / 240, 6},
      {"ncp", "n=3 heavier=1000", 1e-3, 50},      {"mdp", "n=3 heavier=1000", 1e-3, 50},
      {"ccp", "n=3 heavier=1000", 1e-3, 50},      {"moreau", "n=3 heavier=1000", 1e-3, 20}};
  for (size_t k = 0; k < sizeof towers / sizeof *towers; ++k) {
    const int is_moreau = strcmp(towers[k].formulation, "moreau") == 0;
    const double dt = towers[k].dt;
    const struct bench_request request = {.case_name = "box-stack",
                                          .formulation = towers[k].formulation,
                                          .dt = dt,
                                          .t_end = towers[k].steps * dt};
    struct trial t;
    CHECK_MESSAGE(trial_run(&t, request, towers[k].set, "", TRIAL_WITH_ERRORS) == BASE_OK,
                  "%s, %s: %s", towers[k].formulation, towers[k].set, t.out.reason);
    CHECK_LE(t.out.errors.q_linf, is_moreau ? 30 * G * dt * dt : 1e-6);
    long by_relief = 0, by_own = 0;
    for (int i = 0; i < t.out.choices.n; ++i) {
      *(t.out.choices.by[i].solver == t.job.solver ? &by_own : &by_relief) +=
          t.out.choices.by[i].steps;
    }
    CHECK_MESSAGE(by_relief > 0, "%s, %s", towers[k].formulation, towers[k].set);
    CHECK_LE((double)(by_relief + by_own), towers[k].steps);
    CHECK_INT(t.out.choices.round, 1);
  }
}

/* Where sweeps arrive, and where a case or a request limits them, nothing differs, to the bit. */
TEST(runs_that_need_no_relief_are_the_same) {
  static const struct {
    const char *name, *formulation, *set, *opt;
    double t_end;
  } runs[] = {{"granular-chains", "mdp", "", "", 1},
              {"chain", "ncp", "", "", 0.1},
              {"packing", "moreau", "n=8", "", 0.1},
              {"packing", "moreau", "n=64", "", 0.1},
              {"packing", "ncp", "n=8", "max_iter=50", 0.1},
              {"channel-flow", "ncp", "scale=0.1 settle=0 block=0.001", "", 1e-3},
              {"channel-flow", "moreau", "scale=0.1 settle=0 block=0.001", "", 1e-3},
              {"box-stack", "ncp", "n=3", "", 0.1}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
    struct trial t[2];
    for (int off = 0; off < 2; ++off) {
      struct bench_request request = {
          .case_name = runs[k].name, .formulation = runs[k].formulation, .t_end = runs[k].t_end};
      base_words_add(&request.opt, off ? "relief=no" : "warm_start=yes", test_arena());
      trial_run(&t[off], request, runs[k].set, runs[k].opt, TRIAL_WITHOUT_ERRORS);
      CHECK(t[off].out.iterations.total > 0);
    }
    CHECK_INT(t[0].out.iterations.total, t[1].out.iterations.total);
    CHECK(t[0].out.nq == t[1].out.nq &&
          memcmp(t[0].out.q, t[1].out.q, (size_t)t[0].out.nq * sizeof *t[0].out.q) == 0);
  }
}
