/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traps that benchmarks of contact fall into, each sprung on purpose: residuals scaled by huge
 * reactions, lengths and speeds hidden in a method, diagnostics that are zero where a law departs
 * from Coulomb, orders that hold for one phase of an impact only, restarts that change an answer.
 * Numbers to compare with are worked out by hand, or follow from exact scaling by powers of two.
 */
#include <stdio.h>

#include "bench/run/run.h"
#include "problem/solver.h"
#include "tests/solve_with.h"
#include "tests/test.h"
#include "tests/trial.h"

/* ---- one-step problems ---- */

/* Two contacts jammed between walls, A = [1 -1; -1 1], with reactions of 1e9 that balance: both
 * velocities miss b altogether. Against |A r| that is 1e-9, against b all of it. */
TEST(balanced_reactions_do_not_hide_a_wrong_velocity) {
  static const double a[4] = {1, -1, -1, 1}, b[2] = {-1, 2}, mu[2] = {0};
  const struct problem p = dense_problem(CONTACT_LAW_NCP, 1, 2, mu, a, b);
  double r[2] = {1e9, 1e9}, v[2];
  struct problem_result result = solve_with(&p, "pgs", "", 1e-6, 0, r, v); /* judge the start */
  CHECK_INT(result.status, BASE_UNCONVERGED);
  CHECK_NEAR(result.residual.relative_b, 1, 1e-12);
  CHECK_LE(result.residual.relative_max, 1e-8);
  r[0] = r[1] = 0; /* a start near the solution r = (1, 0), v = (0, 1): it is found */
  result = solve_with(&p, "pgs", "", 1e-6, 1000, r, v);
  CHECK_OK(result.status);
  CHECK_NEAR(v[0], 0, 1e-6);
  CHECK_NEAR(v[1], 1, 1e-6);
}

/* One contact of dim 3 solved under a law; its diagnostics. A: row-major, symmetric. */
static struct contact_diagnostics solve_one(enum contact_law law, const char *solver, int n_dir,
                                            const double *A, double mu, const double *b, double *r,
                                            double *v) {
  struct problem p = dense_problem(law, 3, 1, &mu, A, b);
  p.model.n_dir = n_dir;
  r[0] = r[1] = r[2] = 0;
  const struct problem_result result = solve_with(&p, solver, "", 1e-12, 10000, r, v);
  CHECK_MESSAGE(result.status == BASE_OK, "%s: %s", solver, result.reason);
  return contact_diagnose(&p.model, A, r, v, 0);
}

/* A ball (A = 1) pressed down with 1 m/s slides with 2 m/s, 10 degrees off the first facet of
 * eight: by hand, with mu = 1/2, r_N = 1 and exact     r_T = -v_T / |v_T| / 2: nothing to remark
 *   lcp       r_T at a corner, (-1/2, 0): v_T = 2 (cos, sin) - (1/2, 0), not opposed to it
 *   ccp       slides at v_N = mu |v_T|, that is r_N (1 + mu^2) = 1 + 2 mu: Signorini is missed */
TEST(diagnostics_show_what_each_law_gives_up) {
  static const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double mu = 0.5, angle = M_PI / 18, b[3] = {-1, 2 * cos(angle), 2 * sin(angle)};
  double r[3], v[3];
  static const struct {
    enum contact_law law;
    const char *solver;
  } exact[] = {{CONTACT_LAW_NCP, "relaxation"},
               {CONTACT_LAW_NCP, "pgs"},
               {CONTACT_LAW_MDP, "relaxation"},
               {CONTACT_LAW_CONE, "pgs"}};
  struct contact_diagnostics d;
  for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i) {
    d = solve_one(exact[i].law, exact[i].solver, 0, A, mu, b, r, v);
    CHECK_NEAR(r[0], 1, 1e-11);
    CHECK_NEAR(hypot(v[1], v[2]), 1.5, 1e-11);
    CHECK_NEAR(d.signorini + d.cone + d.angle + d.dissipation_shortfall, 0, 1e-10);
  }
  static const char *const lcp[] = {"lemke", "pgs", "relaxation"};
  for (size_t i = 0; i < sizeof lcp / sizeof *lcp; ++i) {
    d = solve_one(CONTACT_LAW_LCP, lcp[i], 8, A, mu, b, r, v);
    const double v_T[2] = {b[1] - mu, b[2]}, speed = hypot(v_T[0], v_T[1]);
    CHECK_NEAR(v[1], v_T[0], 1e-11);
    CHECK_NEAR(v[2], v_T[1], 1e-11);
    CHECK_NEAR(d.angle, atan2(v_T[1], v_T[0]), 1e-10); /* 13 degrees */
    CHECK_NEAR(d.dissipation_shortfall, mu * (speed - v_T[0]), 1e-10);
    CHECK_NEAR(d.signorini + d.cone, 0, 1e-11);
  }
  static const char *const ccp[] = {"apgd", "psor", "relaxation"};
  for (size_t i = 0; i < sizeof ccp / sizeof *ccp; ++i) {
    d = solve_one(CONTACT_LAW_CCP, ccp[i], 0, A, mu, b, r, v);
    const double r_N = (1 + 2 * mu) / (1 + mu * mu), slip = 2 - mu * r_N;
    CHECK_NEAR(r[0], r_N, 1e-10);
    CHECK_NEAR(v[0], mu * slip, 1e-10);
    CHECK_NEAR(d.signorini, mu * slip, 1e-10);
    CHECK_NEAR(d.cone + d.angle + d.dissipation_shortfall, 0, 1e-9);
  }
}

/* ---- runs ---- */

/* The particle and the pendulum in a world of other size: lengths times 4^k, times and speeds times
 * 2^k, gravity as it is. Every product is exact, so that a method without lengths or speeds of its
 * own gives the same bits, from micrometres to thousands of kilometres. */
static void world_run(struct trial *t, const char *case_name, const char *form, int k) {
  const double length = ldexp(1, 2 * k), time = ldexp(1, k);
  const int is_penalty = strcmp(form, "penalty") == 0;
  const int is_particle = strcmp(case_name, "falling-particle") == 0;
  const struct bench_request request = {.case_name = case_name,
                                        .formulation = form,
                                        .dt = (is_penalty ? 0x1p-13 : 0x1p-8) * time,
                                        .t_end = (is_particle ? 1.5 : 1) * time};
  char set[300], opt[100];
  if (is_particle) {
    snprintf(set, sizeof set, "y0=%.17g vx0=%.17g", length, 2 * time);
  } else {
    snprintf(set, sizeof set, "l=%.17g y1_0=%.17g y2_0=%.17g vx1_0=%.17g vx2_0=%.17g", 0.5 * length,
             0.5 * length, length, 2.5 * time, 5 * time);
  }
  snprintf(opt, sizeof opt, "K=%.17g v_reg=%.17g stepper=rk4",
           1e6 / length /* m g / K is a length */, 0x1p-10 * time);
  trial_run(t, request, set, is_penalty ? opt : "", TRIAL_WITHOUT_ERRORS);
}

TEST(no_length_and_no_speed_is_hidden_in_a_method) {
  static const char *const forms[] = {"moreau",
                                      "lcp-st",
                                      "lcp-ap",
                                      "ccp",
                                      "ncp",
                                      "mdp",
                                      "penalty",
                                      "consistent-onestep",
                                      "consistent-twostep",
                                      "event"};
  static const char *const cases[] = {"falling-particle", "double-pendulum"};
  int ran = 0;
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    for (size_t c = 0; c < 2; ++c) {
      struct trial human, scaled;
      world_run(&human, cases[c], forms[f], 0);
      const struct bench_outcome a = human.out;
      for (int k = -10; k <= 10 && a.status == BASE_OK; k += 20) {
        world_run(&scaled, cases[c], forms[f], k);
        const struct bench_outcome b = scaled.out;
        CHECK_MESSAGE(b.status == BASE_OK, "%s %s 4^%d: %s", cases[c], forms[f], k, b.reason);
        CHECK_INT(b.contacts.onsets, a.contacts.onsets);
        CHECK_INT(b.iterations.total, a.iterations.total);
        /* GSL chooses steps from errors to a fractional power, and pivots of the consistent
         * schemes' Newton iteration are chosen among rows of different units: the same but for
         * rounding. */
        const int exact =
            strcmp(forms[f], "event") != 0 && strncmp(forms[f], "consistent", 10) != 0;
        for (int j = 0; j < a.nq; ++j) {
          const double same = ldexp(b.q[j], -2 * k);
          CHECK_MESSAGE(fabs(same - a.q[j]) <= (exact ? 0 : 1e-12),
                        "%s %s 4^%d: q[%d] %.17g, %.17g", cases[c], forms[f], k, j, same, a.q[j]);
        }
        ++ran;
      }
    }
  }
  CHECK_INT(ran, 2 * (2 * 10 - 1)); /* consistent-onestep knows no inelastic impact */
}

/* The error of a landing depends on where in the step it falls. At a fixed place the order is one,
 * wherever that is; the factor is not the same, so that steps chosen at will scatter. */
TEST(first_order_at_every_phase_of_the_impact) {
  static const char *const forms[] = {
      "moreau", "lcp-st", "lcp-ap", "ccp", "ncp", "mdp", "consistent-twostep"};
  static const double phases[] = {0.137, 0.381, 0.5, 0.77};
  const double impact = sqrt(2 / 9.81);
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    for (size_t k = 0; k < sizeof phases / sizeof *phases; ++k) {
      double error[2];
      for (int level = 0; level < 2; ++level) {
        const double steps = level == 0 ? 64 : 1024;
        const struct bench_request request = {.case_name = "falling-particle",
                                              .formulation = forms[f],
                                              .dt = impact / (steps + phases[k]),
                                              .t_end = 1.5};
        struct trial t;
        trial_run(&t, request, "", "", TRIAL_WITH_ERRORS);
        error[level] = t.out.errors.q_l2;
      }
      const double dt_ratio = (1024 + phases[k]) / (64 + phases[k]);
      CHECK_NEAR(log(error[0] / error[1]) / log(dt_ratio), 1, 0.05);
    }
  }
}

/* Impulses of the last step as a start spare iterations and change no answer beyond the solver's
 * tolerance. */
TEST(warm_starts_change_the_work_and_not_the_motion) {
  static const char *const forms[] = {"ncp", "ccp", "moreau"};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; ++f) {
    const struct bench_request request = {.case_name = "woodpecker",
                                          .formulation = forms[f],
                                          .solver = "pgs",
                                          .dt = 1e-4,
                                          .t_end = 0.1};
    struct trial cold, warm;
    trial_run(&cold, request, "", "tol=1e-12 warm_start=no", TRIAL_WITHOUT_ERRORS);
    trial_run(&warm, request, "", "tol=1e-12", TRIAL_WITHOUT_ERRORS);
    const struct bench_outcome a = cold.out, b = warm.out;
    CHECK_OK(a.status);
    CHECK_OK(b.status);
    CHECK(b.iterations.total < a.iterations.total);
    CHECK_LE(test_distance(a.nq, a.q, b.q), 1e-9);
  }
}
