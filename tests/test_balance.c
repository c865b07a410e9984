/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The balance of momentum (bench/run/balance.c): round-off where forces are constant and M does not
 * turn, of the order of the step elsewhere, and a formulation that reports other impulses than
 * those it stepped with is found out.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/run/run.h"
#include "form/carried.h"
#include "tests/scratch.h"
#include "tests/test.h"
#include "tests/trial.h"

static struct bench_outcome run_of(const char *case_name, const char *set, const char *formulation,
                                   const struct form *stand_in, double dt, double t_end) {
  struct trial t;
  const struct bench_request request = {
      .case_name = case_name, .formulation = formulation, .dt = dt, .t_end = t_end};
  CHECK_OK(trial_resolve(&t, request, set, "", TRIAL_WITHOUT_ERRORS));
  if (stand_in != NULL) {
    t.job.form = stand_in;
  }
  trial_go(&t);
  return t.out;
}

/* A particle and spheres on a plane: every formulation that tells its impulses explains all of the
 * motion, to round-off. */
TEST(constant_forces_are_balanced_to_round_off) {
  static const struct {
    const char *name, *set;
    double dt, t_end;
  } cases[] = {
      {"falling-particle", "", 1e-3, 1}, {"thrown-ball", "", 1e-3, 0.5}, {"table", "", 1e-3, 0.2}};
  int told = 0;
  for (int f = 0; f < form_count(); ++f) {
    const struct form *form = form_get(f);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
      const struct bench_outcome out =
          run_of(cases[c].name, cases[c].set, form->name, NULL, cases[c].dt, cases[c].t_end);
      if (out.status > BASE_UNCONVERGED || isnan(out.momentum.balance_max)) {
        continue; /* refuses the case, or does not tell its impulses */
      }
      ++told;
      /* tgs-soft moves by other velocities than it goes on with and turns a little otherwise; avbd
       * has velocities that its impulses explain as far as it has converged */
      const int turns = strcmp(form->name, "tgs-soft") == 0 && strcmp(cases[c].name, "table") == 0;
      const int descends = strcmp(form->name, "avbd") == 0;
      CHECK_MESSAGE(out.momentum.balance_max <= (descends ? 1e-4
                                                 : turns  ? 1e-8
                                                          : 1e-11),
                    "%s, %s: %.3g", form->name, cases[c].name, out.momentum.balance_max);
      CHECK_MESSAGE(!(out.momentum.linear > (descends ? 1e-5 : 1e-11)), "%s, %s: %.3g N s",
                    form->name, cases[c].name, out.momentum.linear);
    }
  }
  CHECK(told >= 30);
}

/* Mass matrices, directions and forces that turn with the motion: of the order of the step.
 * The balance is one of each body, so that chains of three discs show what longer ones do. */
TEST(what_is_evaluated_elsewhere_is_of_the_order_of_the_step) {
  static const struct {
    const char *name, *set, *form;
    double dt, t_end;
  } runs[] = {{"chain", "", "ncp", 2e-3, 0.3},
              {"chain", "", "moreau", 2e-3, 0.3},
              {"chain", "", "lcp-dca", 2e-3, 0.3},
              {"chain", "", "consistent-quaternion", 4e-3, 0.1},
              {"double-pendulum", "", "consistent-twostep", 1e-3, 0.4},
              {"granular-chains", "n=3", "consistent-quaternion-twostep", 4e-3, 0.1},
              {"woodpecker", "", "ncp", 1e-4, 0.1}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    double balance[2];
    for (int k = 0; k < 2; ++k) {
      balance[k] = run_of(runs[i].name, runs[i].set, runs[i].form, NULL,
                          k == 0 ? runs[i].dt : 0.25 * runs[i].dt, runs[i].t_end)
                       .momentum.balance_max;
    }
    CHECK_MESSAGE(balance[0] <= 0.1 && balance[1] <= 0.4 * balance[0] && balance[1] > 1e-12,
                  "%s, %s: %.3g, %.3g", runs[i].name, runs[i].form, balance[0], balance[1]);
  }
}

/* ---- formulations that tell something else ---- */

enum lie { LIE_NONE, LIE_HALF, LIE_OTHER_CONTACT, LIE_ONE_LESS, LIE_NO_FRICTION };
static enum lie lie;
static double told[3 * 64];
static long ids[64];

static int lying_step(void *workspace, struct form_state *state, double dt,
                      struct form_report *report) {
  const int status = form_find("ncp")->step(workspace, state, dt, report);
  const int n = report->n_carrying;
  CHECK(n <= 64);
  for (int i = 0; i < n; ++i) {
    ids[i] = report->carrying[i] + (lie == LIE_OTHER_CONTACT);
    for (int d = 0; d < 3; ++d) {
      told[3 * i + d] = report->impulses[3 * i + d] * (lie == LIE_HALF ? 0.5 : 1);
      told[3 * i + d] *= lie == LIE_NO_FRICTION && d > 0 ? 0 : 1;
    }
  }
  report->n_carrying = n - (lie == LIE_ONE_LESS && n > 0);
  report->carrying = ids;
  report->impulses = told;
  return status;
}

TEST(impulses_that_did_not_move_the_bodies_are_found_out) {
  struct form liar;
  memcpy(&liar, form_find("ncp"), sizeof liar);
  liar.step = lying_step;
  for (lie = LIE_NONE; lie <= LIE_NO_FRICTION; ++lie) {
    const struct bench_outcome out = run_of("thrown-ball", "", "ncp", &liar, 1e-3, 0.8);
    CHECK_OK(out.status);
    CHECK((out.contacts.onsets > 0) == (lie != LIE_ONE_LESS)); /* there is but one contact */
    CHECK_MESSAGE(lie == LIE_NONE ? out.momentum.balance_max <= 1e-12
                                  : out.momentum.balance_max >= 0.05,
                  "lie %d: %.3g", (int)lie, out.momentum.balance_max);
  }
}

/* ---- by states alone ---- */

/* Joints between bodies, springs and ropes keep the momenta, by what event solves to 1e-9; where
 * something else acts from outside they are not known. */
TEST(momenta_are_known_where_gravity_alone_acts) {
  static const char body[] =
      "{'name': 'a', 'mass': 2, 'inertia': [0.1, 0.2, 0.25], 'velocity': [1, 0.5, 0], "
      "'angular_velocity': [0.3, 1, -0.5]}, {'name': 'b', 'mass': 1, 'inertia': [0.02, 0.03, "
      "0.04], 'position': [1, 0, 0], 'velocity': [0, 0.7, 0.2]%s";
  static const struct {
    int is_known;
    const char *rest; /* of the second body and behind the bodies */
  } scenes[] = {
      {1, "}]"},
      {1, "}], 'joints': [{'type': 'spherical', 'bodies': ['a', 'b'], 'point': [0.4, 0.1, 0]}]"},
      {1, "}], 'joints': [{'type': 'spring', 'bodies': ['a', 'b'], 'point': [0.1, 0.1, 0], 'end': "
          "[1, 0.2, 0], 'stiffness': 50, 'damping': 1}]"},
      {1, "}], 'joints': [{'type': 'rope', 'bodies': ['a', 'b'], 'point': [0.1, 0.1, 0], 'end': "
          "[1, 0.2, 0], 'length': 1, 'eps_N': 0.5}]"},
      {1, "}, {'name': 'f', 'fixed': true}]"},
      {0, "}, {'name': 'f', 'fixed': true, 'shapes': [{'type': 'sphere', 'radius': 0.1, "
          "'material': 'm', 'offset': [0, 0, -9]}]}]"},
      {0, "}], 'joints': [{'type': 'spherical', 'bodies': ['a', 'world'], 'point': [0, 0.1, 0]}]"},
      {0, "}], 'forces': [{'body': 'a', 'force': [1, 0, 0]}]"},
      {0, ", 'rotates': false}]"}};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; ++k) {
    char bodies[1000];
    snprintf(bodies, sizeof bodies, body, scenes[k].rest);
    const char *scene =
        scratch_scene("free",
                      "'dt': 1e-2, 't_end': 0.5, 'gravity': [0.5, 0, -9.81], 'materials': "
                      "{'m': {'mu': 0.5}}, 'bodies': [%s",
                      bodies);
    const struct bench_outcome out = run_of(scene, "", "event", NULL, 1e-2, 0.5);
    CHECK_MESSAGE(out.status == BASE_OK, "scene %d: %s", (int)k, out.reason);
    if (scenes[k].is_known) {
      CHECK_LE(out.momentum.linear_drift, 1e-9);
      CHECK_LE(out.momentum.angular_drift, 1e-9);
    } else {
      CHECK(isnan(out.momentum.linear_drift) && isnan(out.momentum.angular_drift));
    }
  }
}

/* ---- onsets ---- */

TEST(onsets_are_contacts_that_did_not_carry_before) {
  struct base_arena *arena = test_arena();
  struct form_carried before;
  form_carried_init(&before, arena);
  static const struct {
    int n, onsets;
    long id[4];
  } steps[] = {{2, 2, {3, 7}}, {3, 1, {3, 5, 7}}, {0, 0, {0}}, {1, 1, {7}}, {4, 3, {1, 2, 7, 9}}};
  for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
    const struct form_report report = {.n_carrying = steps[k].n, .carrying = steps[k].id};
    CHECK_INT(form_carried_onsets(&before, &report), steps[k].onsets);
  }
  struct form_carried sum;
  form_carried_init(&sum, arena);
  form_carried_add(&sum, 2, (const long[]){4, 8});
  form_carried_add(&sum, 4, (const long[]){1, 4, 6, 9});
  form_carried_add(&sum, 1, (const long[]){8});
  form_carried_add(&sum, 0, NULL);
  static const long all[] = {1, 4, 6, 8, 9};
  CHECK_INT(sum.n, 5);
  for (int i = 0; i < 5; ++i) {
    CHECK_INT(sum.id[i], all[i]);
  }
}
