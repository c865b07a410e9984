/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How penalty integrates: orders of the fixed steppers, the longest stable step as estimated and
 * as measured, substeps, refusals; ropes, and constraints that move as prescribed.
 */
#include "tests/test.h"

#include <stdio.h>

#include "base/options.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"

/* ---- order ---- */

/* In contact all the time, law smooth over the range of states: q and u at t = 0.03. */
static void rub(const char *text, int n, double *q, double *u, double *imbalance) {
  struct points p = {.n = 1, .dim = 3, .m = {1}, .gravity = {0, 0, -50}, .mu = 4};
  struct mech m = points_mech(&p);
  struct run *s =
      run_penalty(&m, 0.03 / n, (double[]){0, 0, -0.05}, (double[]){0.5, 0.3, -0.4}, "%s", text);
  run_steps(s, n);
  la_copy(3, s->state.q, q);
  la_copy(3, s->state.u, u);
  CHECK_LE(q[2], -1e-3);
  *imbalance = fabs(run_imbalance(s));
}

TEST(fixed_steps_have_their_order_in_every_law) {
  static const char *const law[] = {"K=1e3 D=5 v_reg=2", "K=1e3 D=5 tangential=spring",
                                    "K=3.5e3 normal=hertz chi=0.4 v_reg=2",
                                    "K=3.5e3 normal=hertz chi=0.4 tangential=spring"};
  for (int i = 0; i < 8; ++i) {
    const int is_rk4 = i < 4, order = is_rk4 ? 4 : 2;
    char text[160];
    double q[3], u[3], q0[3], u0[3], imbalance, last = 0, last_imbalance = 0;
    snprintf(text, sizeof text, TIGHT " %s", law[i % 4]);
    rub(text, 50, q0, u0, &imbalance);
    CHECK_LE(imbalance, 1e-11);
    snprintf(text, sizeof text, "stepper=%s %s", is_rk4 ? "rk4" : "verlet", law[i % 4]);
    for (int k = 0; k < 3; ++k) {
      rub(text, 20 << k, q, u, &imbalance);
      double error = 0;
      for (int d = 0; d < 3; ++d) {
        error = fmax(error, fabs(q[d] - q0[d]) + fabs(u[d] - u0[d]));
      }
      if (k > 0) {
        CHECK_MESSAGE(fabs(log2(last / error) - order) < 0.3, "%s: %.3g after %.3g", text, error,
                      last);
        CHECK_MESSAGE(log2(last_imbalance / imbalance) > order - 0.5,
                      "%s: imbalance %.3g after %.3g", text, imbalance, last_imbalance);
      }
      last = error;
      last_imbalance = imbalance;
    }
  }
}

TEST(verlet_keeps_the_energy_of_a_spring_for_long) {
  /* Bounces in a Hertz contact without end: the energy's error stays what it is in one. */
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -100}, .eps_N = 1};
  struct mech m = points_mech(&p);
  struct run *s = run_penalty(&m, 1e-3, (double[]){0, 0.005}, (double[]){0, 0},
                              "stepper=verlet normal=hertz K=1e5");
  double early = 0, late = 0;
  for (int k = 0; k < 40; ++k) {
    for (int j = 0; j < 1000; ++j) {
      run_steps(s, 1);
      double *const worst = k == 0 ? &early : &late;
      *worst = fmax(*worst, fabs(run_imbalance(s)));
    }
  }
  CHECK(s->onsets > 200);
  CHECK_LE(early, 0.03 * 0.5);
  CHECK_LE(late, 2 * early);
}

TEST(substeps_are_steps) {
  static const char *const stepper[] = {"rk4", "verlet"};
  for (int i = 0; i < 2; ++i) {
    struct points p = {.n = 2, .dim = 2, .m = {1, 2}, .gravity = {0, -10}, .mu = 0.3, .eps_N = 0.5};
    struct mech m = points_mech(&p);
    const double q[4] = {0, 0.01, 1, -1e-5}, u[4] = {1, -0.3, 0.5, 0};
    char text[128];
    snprintf(text, sizeof text, "stepper=%s tangential=spring", stepper[i]);
    struct run *whole = run_penalty(&m, 0x1p-14, q, u, "%s", text);
    snprintf(text, sizeof text, "stepper=%s tangential=spring substeps=16", stepper[i]);
    struct run *parts = run_penalty(&m, 0x1p-10, q, u, "%s", text);
    run_steps(whole, 16 * 100);
    run_steps(parts, 100);
    for (int d = 0; d < 4; ++d) {
      CHECK(whole->state.q[d] == parts->state.q[d] && whole->state.u[d] == parts->state.u[d]);
    }
    CHECK_INT(whole->internal_steps, parts->internal_steps);
    CHECK_NEAR(parts->last.stable_dt, 16 * whole->last.stable_dt, 1e-2 * parts->last.stable_dt);
  }
}

/* ---- the longest stable step ---- */

TEST(limits_of_one_oscillator_are_those_known) {
  CHECK_NEAR(penalty_limit_of(PENALTY_RK4, 50, 0) * 50, 2 * sqrt(2), 1e-5);
  CHECK_NEAR(penalty_limit_of(PENALTY_VERLET, 50, 0) * 50, 2, 1e-5);
  CHECK_NEAR(penalty_limit_of(PENALTY_RK4, 0, 3) * 3, 2.785293563405282, 1e-5);
  CHECK_NEAR(penalty_limit_of(PENALTY_VERLET, 0, 3) * 3, 2, 1e-5);
  CHECK(isinf(penalty_limit_of(PENALTY_VERLET, 0, 0)));
}

/* Deviation from rest after n steps of dt over that at the start. */
static double growth(struct mech *m, const double *rest, double dt, int n, const char *text,
                     double *stable_dt) {
  double q[8], u[8] = {0}, away = 0;
  for (int i = 0; i < m->nq; ++i) {
    q[i] = rest[i];
    u[i] = 1e-9 * (i + 1);
  }
  struct run *s = run_penalty(m, dt, q, u, "%s", text);
  *stable_dt = INFINITY;
  for (int k = 0; k < n && la_norm_inf(m->nu, s->state.u) < 1e-5; ++k) {
    run_steps(s, 1);
    *stable_dt = s->last.stable_dt > 0 ? fmin(*stable_dt, s->last.stable_dt) : *stable_dt;
  }
  for (int i = 0; i < m->nu; ++i) {
    away = fmax(away, fabs(s->state.u[i]) / 1e-9);
  }
  return away;
}

/* At 0.97 of the estimate a preloaded contact stays at rest, at 1.03 it leaves it. */
static void check_bracket(struct mech *m, const double *rest, const char *text) {
  double stable, again;
  growth(m, rest, 1e-7, 1, text, &stable);
  const double below = growth(m, rest, 0.97 * stable, 150, text, &again);
  const double above = growth(m, rest, 1.03 * stable, 150, text, &again);
  CHECK_MESSAGE(below < 50, "%s: grows by %.3g below %.3g s", text, below, stable);
  CHECK_MESSAGE(above > 200, "%s: grows by %.3g only above %.3g s", text, above, stable);
}

TEST(estimated_limit_brackets_the_measured_one) {
  static const char *const law[] = {"K=1e4 D=0",
                                    "K=1e4 D=60",
                                    "K=1e4 D=500",
                                    "K=3e5 normal=hertz chi=0",
                                    "K=3e5 normal=hertz chi=3",
                                    "K=1e4 D=0 tangential=spring K_T=1e5 zeta_T=1e-3"};
  static const char *const stepper[] = {"rk4", "verlet"};
  for (int i = 0; i < 12; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {1.5}, .gravity = {0, -100}, .mu = 0.4};
    struct mech m = points_mech(&p);
    const double depth = i % 6 == 3 || i % 6 == 4 ? pow(150 / 3e5, 2. / 3) : 150 / 1e4;
    char text[160];
    snprintf(text, sizeof text, "stepper=%s v_reg=1e3 %s", stepper[i / 6], law[i % 6]);
    check_bracket(&m, (double[]){0, -depth}, text);
  }
}

/* Three contacts in a row against a wall, no two of one frequency: the chain's own highest. */
TEST(estimated_limit_sees_how_contacts_couple) {
  static const char *const stepper[] = {"rk4", "verlet"};
  for (int i = 0; i < 2; ++i) {
    struct line l = {.n = 3, .m = {2, 0.5, 1}, .eps = 1, .wall = 0.3};
    struct mech m = line_mech(&l);
    char text[128];
    double stable, again;
    snprintf(text, sizeof text, "stepper=%s K=1e4 D=0", stepper[i]);
    const double q[3] = {0.3 + 3e-4, 0.3 + 2e-4, 0.3 + 1e-4}; /* pressed, not at rest */
    growth(&m, q, 1e-7, 1, text, &stable);
    /* K M^-1 (2 -1; -1 2 ...) of the chain free at its first end */
    double S[9] = {1 / 2., -1 / sqrt(2 * 0.5), 0, -1 / sqrt(2 * 0.5), 2 / 0.5, -1 / sqrt(0.5),
                   0,      -1 / sqrt(0.5),     2},
           w[3];
    CHECK_OK(la_eigen_symmetric(3, S, w, 0));
    const double omega = sqrt(1e4 * fmax(w[0], fmax(w[1], w[2])));
    CHECK_NEAR(stable * omega / (i == 0 ? 2 * sqrt(2) : 2), 1, 5e-3);
    growth(&m, q, 1e-7, 1, text, &again);
    CHECK(again == stable);
  }
}

/* Friction regularised at a small v_reg is the stiffest part of a contact at rest. */
TEST(estimated_limit_sees_regularised_friction) {
  static const char *const stepper[] = {"rk4", "verlet"};
  for (int i = 0; i < 2; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {1.5}, .gravity = {0, -10}, .mu = 0.4, .eps_N = 1};
    struct mech m = points_mech(&p);
    char text[128];
    snprintf(text, sizeof text, "stepper=%s K=1e3 v_reg=1e-3", stepper[i]);
    double stable;
    growth(&m, (double[]){0, -15e-3}, 1e-9, 1, text, &stable);
    CHECK_NEAR(stable * 0.4 * 10 / 1e-3, i == 0 ? 2.785 : 2, 2e-3);
    check_bracket(&m, (double[]){0, -15e-3}, text);
  }
}

/* ---- refusals ---- */

TEST(what_does_not_fit_is_refused_with_a_reason) {
  struct points p = {.n = 2, .dim = 2, .m = {1, 1}};
  struct mech m = points_mech(&p);
  const double at[4] = {0};
  run_refused(run_penalty(&m, 1e-3, at, at, "tangential=spring D_T=0"), "K_T / D_T");
  run_refused(run_penalty(&m, 1e-3, at, at, "stepper=rk8pd substeps=2"), "choose theirs");
  struct run *many = run_penalty(&m, 1e-3, at, at, "stepper=msbdf");
  m.nq = m.nu = 100000;
  run_refused(many, "dense Jacobian");
}

/* ---- ropes: contacts without friction ---- */

TEST(a_rope_pulls_and_does_not_rub) {
  static const char *const law[] = {"K=1e6", "K=1e6 tangential=spring", "K=3e8 normal=hertz"};
  for (int i = 0; i < 3; ++i) {
    const struct case_instance c = case_model_scene(
        "'dimension': 2, 'gravity': [0, -10], 'bodies': [{'name': 'b', 'mass': 2, 'rotates': "
        "false, 'position': [-0.5, 0.3], 'velocity': [3, 1]}], 'joints': [{'type': 'rope', "
        "'bodies': ['world', 'b'], 'point': [0, 0], 'end': [-0.5, 0.3], 'length': 1, 'eps_N': %g}]",
        i == 2 ? 0.3 : 0.6);
    /* thrown past the pivot: slack, then taut with a jerk, swings at last */
    struct run *s = run_penalty(c.mech, 1e-2, c.q, c.u, "stepper=rk8pd rtol=1e-11 %s", law[i]);
    double longest = 0;
    for (int k = 0; k < 300; ++k) {
      run_steps(s, 1);
      longest = fmax(longest, hypot(s->state.q[0], s->state.q[1]) - 1);
    }
    CHECK(s->onsets >= 2 && s->impact < -0.1);
    CHECK_NEAR(s->friction, 0, 0);
    CHECK_LE(longest, 2e-2); /* v sqrt(m / K) with v of some m/s */
    CHECK(longest > 1e-5);
    CHECK_LE(fabs(run_imbalance(s)), 1e-8);
    /* elongation at the end: tension m (v^2 / l + g cos) over the stiffness, when it is quiet */
    const double tension = 2 * (la_dot(2, s->state.u, s->state.u) - 10 * s->state.q[1]);
    const double now = hypot(s->state.q[0], s->state.q[1]) - 1;
    CHECK_NEAR(now, i == 2 ? pow(tension / 3e8, 2. / 3) : tension / 1e6, 2e-2 * now);
  }
}

/* ---- prescribed motion ---- */

/* A cart that goes as a table says, and a second mass on a rod to it. */
TEST(prescribed_motion_is_followed_and_its_work_counted) {
  static const double x[] = {0, 0.28, 0.18, -0.17, -0.29}; /* every 0.25 s [m] */
  static const char *const text[] = {"stepper=rk4", "stepper=verlet", "stepper=rk8pd rtol=1e-11",
                                     "stepper=rk8pd rtol=1e-11 "
                                     "bilateral=spring K_S=1e6 D_S=1e3"};
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [0, -10], 'bodies': [{'name': 'cart', 'mass': 3, 'rotates': "
      "false}, {'name': 'b', 'mass': 2, 'rotates': false, 'position': [0, -1], 'velocity': [1.5, "
      "0]}], 'joints': [{'type': 'motion', 'bodies': ['cart', 'world'], 'point': [0, 0], 'axis': "
      "[1, 0], 'table': [[0, 0], [0.25, 0.28], [0.5, 0.18], [0.75, -0.17], [1, -0.29], [1.25, "
      "0]]}, {'type': 'motion', 'bodies': ['cart', 'world'], 'point': [0, 0], 'axis': [0, 1], "
      "'table': [[0, 0]]}, {'type': 'rod', 'bodies': ['cart', 'b'], 'point': [0, 0], 'end': "
      "[0, -1]}]");
  double q[2] = {0};
  for (int i = 3; i >= 0; --i) {
    struct run *s = run_penalty(c.mech, 1e-3, c.q, c.u, "%s", text[i]);
    double most = 0;
    for (int k = 1; k <= 1000; ++k) {
      run_steps(s, 1);
      most = fmax(most, fabs(s->applied));
      CHECK_NEAR(k % 250 ? 0 : s->state.q[0] - x[k / 250], 0, i == 3 ? 2e-4 : 1e-12);
    }
    CHECK(most > 1); /* [J] */
    CHECK_LE(fabs(run_imbalance(s)), i == 1 ? 2e-4 : 1e-7);
    if (i == 3) {
      CHECK(s->damping < 0);
    } else if (i == 2) {
      la_copy(2, s->state.q + 3, q);
    } else {
      CHECK_LE(test_distance(2, s->state.q + 3, q), i == 1 ? 1e-4 : 1e-8);
    }
  }
}
