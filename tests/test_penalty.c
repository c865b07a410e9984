/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The penalty formulation against closed forms of the linear spring and damper, of sliding under
 * tanh friction, and against the rigid solution it tends to.
 */
#include "tests/test.h"

#include <string.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"

/* ---- normal force ---- */

/* y'' = -g - (K y + D y') / m from (y0, v0), oscillating. */
static void damped_motion(double K, double D, double m, double g, double y0, double v0, double t,
                          double *y, double *v) {
  const double ys = -m * g / K, a = D / (2 * m), w = sqrt(K / m - a * a);
  const double A = y0 - ys, B = (v0 + a * A) / w;
  *y = ys + exp(-a * t) * (A * cos(w * t) + B * sin(w * t));
  *v = exp(-a * t) * ((B * w - a * A) * cos(w * t) - (A * w + a * B) * sin(w * t));
}

TEST(contact_is_a_spring_and_damper) {
  static const double D[2] = {0, 37};
  for (int i = 0; i < 2; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {1.7}, .gravity = {0, -9.3}};
    struct mech m = points_mech(&p);
    struct run *s = run_penalty(&m, 1e-3, (double[]){0, -1e-9}, (double[]){0.4, -1.3},
                                TIGHT " K=1.1e4 clamp=no D=%g", D[i]);
    for (int k = 0; k < 35; ++k) { /* contact lasts 39 ms */
      run_steps(s, 1);
      double y, v;
      damped_motion(1.1e4, D[i], p.m[0], 9.3, -1e-9, -1.3, s->state.t, &y, &v);
      CHECK_NEAR(s->state.q[1], y, 1e-11);
      CHECK_NEAR(s->state.u[1], v, 1e-9);
      CHECK_NEAR(s->stored, 0.5 * 1.1e4 * y * y, 1e-9);
      CHECK_INT(s->last.contacts, 1);
    }
    CHECK_NEAR(s->state.q[0], 0.4 * s->state.t, 1e-14); /* no friction */
  }
}

static double height_speed(const struct run *s) { return s->state.u[1]; }

/* With all defaults, stiffness and substeps included, to 1 % of the energy of the impact. */
TEST(defaults_lose_the_energy_of_the_restitution) {
  static const double eps[] = {0.9, 0.5, 0.2};
  for (int i = 0; i < 3; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {0.3}, .eps_N = eps[i]};
    const struct mech m = points_mech(&p);
    const double ratio =
        run_rebound(run_penalty(&m, 1e-3, (double[]){0, 1e-3}, (double[]){0, -2.1}, "substeps=0"),
                    height_speed);
    CHECK_NEAR(ratio * ratio, eps[i] * eps[i], 1e-2);
  }
}

/* eps_T is the springs'; regularised friction refuses it at the first contact with friction. */
TEST(tangential_restitution_takes_springs) {
  static const struct {
    const char *tangential;
    double mu;
    int status;
  } runs[] = {{"regularised", 0.5, BASE_UNSUPPORTED},
              {"regularised", 0, BASE_OK},
              {"spring", 0.5, BASE_OK}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {1}, .mu = runs[i].mu, .eps_T = 0.3};
    struct mech m = points_mech(&p);
    struct run *s = run_penalty(&m, 1e-3, (double[]){0, 1.5e-3}, (double[]){1, -1},
                                "K=1e4 tangential=%s", runs[i].tangential);
    for (int k = 0; k < 4 && s->status == BASE_OK; ++k) {
      run_step(s, 1e-3);
    }
    CHECK_INT(s->status, runs[i].status);
    CHECK(s->status == BASE_OK || strstr(base_message(), "eps_T = 0.3") != NULL);
  }
}

TEST(restitution_relations_invert) {
  for (double zeta = 0.01; zeta < 30; zeta *= 1.3) {
    CHECK_NEAR(penalty_damping_ratio(penalty_restitution(zeta, 1), 1), zeta, 1e-12 * zeta);
    if (zeta < 0.95) { /* eps is 7e-5 there */
      CHECK_NEAR(penalty_damping_ratio(penalty_restitution(zeta, 0), 0), zeta, 1e-12);
    }
  }
  CHECK_NEAR(penalty_restitution(1, 1), exp(-2), 1e-15);
  CHECK_NEAR(penalty_restitution(1 - 2e-8, 1), penalty_restitution(1 - 0.5e-8, 1), 1e-8);
  CHECK_NEAR(penalty_damping_ratio(0, 0), 1, 0);
  CHECK_NEAR(penalty_damping_ratio(1, 1), 0, 0);
}

TEST(effective_mass_sees_rods) {
  /* A dumbbell at 45 degrees, m1 hits the ground. */
  struct points p = {
      .n = 2, .dim = 2, .m = {0.7, 1.9}, .eps_N = 0.6, .rods = 1, .rod = {{0, 1}}, .length = {1}};
  struct mech m = points_mech(&p);
  const double c = sqrt(0.5);
  const double q[4] = {0, 1e-6, c, 1e-6 + c}, u[4] = {0, -1, 0, -1};
  /* Geometry turns by about the contact time, 3e-6 s, in contact. */
  CHECK_NEAR(run_rebound(run_penalty(&m, 1e-6, q, u, TIGHT " K=1e12 clamp=no"), height_speed), 0.6,
             2e-5);
  CHECK_NEAR(run_rebound(run_penalty(&m, 1e-6, q, u, TIGHT " K=1e12 clamp=yes"), height_speed), 0.6,
             2e-5);
}

TEST(clamping_decides_about_separation) {
  struct points p = {.n = 1, .dim = 2, .m = {1}};
  struct mech m = points_mech(&p);
  /* zeta = 1: pen = v0 t exp(-w t). Unclamped never leaves; clamped leaves at w t = 2. */
  struct run *held =
      run_penalty(&m, 1e-3, (double[]){0, 0}, (double[]){0, -1}, TIGHT " K=1e4 D=200 clamp=no");
  struct run *free =
      run_penalty(&m, 1e-3, (double[]){0, 0}, (double[]){0, -1}, TIGHT " K=1e4 D=200 clamp=yes");
  for (int k = 1; k <= 60; ++k) {
    run_steps(held, 1);
    run_steps(free, 1);
    const double t = 1e-3 * k, x = 100 * t;
    CHECK_NEAR(held->state.q[1], -t * exp(-x), 1e-12);
    CHECK_INT(held->last.contacts, 1);
    CHECK_INT(free->last.contacts, x < 2 - 1e-9 ? 1 : x > 2 + 1e-9 ? 0 : free->last.contacts);
    CHECK_NEAR(free->state.u[1], x < 2 ? -(1 - x) * exp(-x) : exp(-2), 1e-10);
    CHECK_NEAR(run_imbalance(free), 0, 1e-11);
    CHECK_NEAR(run_imbalance(held), 0, 1e-11);
  }
  CHECK(held->last.work.impact < 0);
  /* Attraction: the held mass is pulled back after w t = 2, its energy goes down to nothing. */
  CHECK_LE(fabs(held->state.u[1]), 60e-3 * 100 * exp(-6));
  CHECK(free->state.q[1] > 0);
}

/* ---- integration ---- */

TEST(all_steppers_agree) {
  static const char *const name[] = {"rkf45", "rk4imp", "bsimp", "msbdf"};
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -9.81}, .mu = 0.3, .eps_N = 0.5};
  struct mech m = points_mech(&p);
  const double q[2] = {0, 0.05}, u[2] = {1, -0.3};
  struct run *truth = run_penalty(&m, 1e-2, q, u, TIGHT " K=1e4 v_reg=1e-2");
  run_steps(truth, 40);
  CHECK(truth->onsets >= 2);
  for (int i = 0; i < 4; ++i) {
    struct run *s =
        run_penalty(&m, 1e-2, q, u, "stepper=%s rtol=1e-9 atol=1e-10 K=1e4 v_reg=1e-2", name[i]);
    run_steps(s, 40);
    for (int d = 0; d < 2; ++d) {
      /* msbdf has no bound on the accumulated error. */
      CHECK_NEAR(s->state.q[d], truth->state.q[d], i == 3 ? 2e-5 : 1e-6);
      CHECK_NEAR(s->state.u[d], truth->state.u[d], i == 3 ? 2e-4 : 1e-5);
    }
    CHECK_INT(s->onsets, truth->onsets);
  }
  /* RK4 is of first order over the onset of damping: halved with the step. */
  double error[2];
  for (int i = 0; i < 2; ++i) {
    struct run *s = run_penalty(&m, i == 0 ? 1e-5 : 2.5e-6, q, u, "K=1e4 v_reg=1e-2");
    run_steps(s, i == 0 ? 40000 : 160000);
    error[i] = fabs(s->state.q[0] - truth->state.q[0]) + fabs(s->state.q[1] - truth->state.q[1]);
  }
  CHECK_LE(error[0], 1e-4);
  CHECK_LE(error[1], 1e-4 / 4);
}

TEST(rk4_is_stable_up_to_its_limit) {
  /* Undamped, preloaded: |1 + z + ... + z^4/24| = 1 at w dt = 2.828. */
  static const double step[2] = {2.75, 2.9};
  for (int i = 0; i < 2; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -100}};
    struct mech m = points_mech(&p);
    const double rest = -100 / 1e4;
    struct run *s = run_penalty(&m, step[i] / 100, (double[]){0, rest * (1 - 1e-6)},
                                (double[]){0, 0}, "K=1e4 D=0");
    run_steps(s, 40);
    const double z = step[i], re = 1 - z * z / 2 + z * z * z * z / 24, im = z - z * z * z / 6;
    const double w = 100, y = s->state.q[1] - rest, v = s->state.u[1] / w;
    CHECK_NEAR(hypot(y, v) / fabs(1e-6 * rest), pow(hypot(re, im), 40),
               1e-5 * pow(hypot(re, im), 40));
  }
}

/* ---- friction ---- */

/* m v' = -mu m g tanh(v / v_reg): the way to rest is v0^2 / (2 mu g) + pi^2 v_reg^2 / (12 mu g),
 * from the integral of x coth x. */
TEST(way_to_rest_exceeds_the_rigid_one_by_the_square_of_v_reg) {
  static const double v_reg[3] = {0.1, 0.03, 0.01};
  for (int i = 0; i < 3; ++i) {
    const double mu = 0.35, g = 9.81, K = 1e4, v = 1.4;
    struct points p = {.n = 1, .dim = 3, .m = {1}, .gravity = {0, 0, -g}, .mu = mu, .eps_N = 1};
    struct mech m = points_mech(&p);
    const double q[3] = {0, 0, -g / K}, u[3] = {0.6 * v, -0.8 * v, 0};
    struct run *s = run_penalty(&m, 1e-2, q, u, TIGHT " K=%g v_reg=%g", K, v_reg[i]);
    run_steps(s, 140); /* rest: creep decays as exp(-mu g t / v_reg) */
    const double way = hypot(s->state.q[0], s->state.q[1]), rigid = v * v / (2 * mu * g);
    CHECK_NEAR(way - rigid, M_PI * M_PI * v_reg[i] * v_reg[i] / (12 * mu * g), 1e-9);
    CHECK_NEAR(s->state.q[0] * -0.8, s->state.q[1] * 0.6, 1e-11);
    CHECK_NEAR(s->friction, -0.5 * v * v, 1e-9);
  }
}

/* ---- energy, reports ---- */

TEST(report_names_what_carries) {
  struct points p = {.n = 3, .dim = 2, .m = {1, 1, 1}, .gravity = {0, -10}, .eps_N = 1};
  struct mech m = points_mech(&p);
  /* Points 0 and 2 rest, point 1 bounces: falls 0.05 m in 0.1 s and is back up after 0.2 s. */
  const double q[6] = {0, -1e-6, 1, 0.05, 2, -1e-6}, u[6] = {0};
  struct run *s = run_penalty(&m, 1e-3, q, u, "stepper=rk8pd K=1e7");
  run_steps(s, 90);
  CHECK_INT(s->last.contacts, 2);
  CHECK_INT(s->last.n_carrying, 2);
  CHECK(s->last.carrying[0] == 0 && s->last.carrying[1] == 2);
  CHECK_INT(s->onsets, 2); /* at the start */
  run_steps(s, 20);
  CHECK_INT(s->onsets, 3);
  run_steps(s, 200);
  CHECK_INT(s->onsets, 4);
  CHECK_INT(s->last.solves, 0);
  CHECK_NEAR(s->stored, 0, 1e-9); /* of those at rest: the same all along */
  CHECK(!s->form->has_law && s->form->solver == NULL);
}

TEST(step_depends_on_the_state_alone) {
  /* A state replaced from outside is taken over: as if begun there. */
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -9.81}, .mu = 0.3, .eps_N = 0.5};
  struct mech m = points_mech(&p);
  struct run *a = run_penalty(&m, 1e-3, (double[]){0, 1e-3}, (double[]){1, -1}, "K=1e5");
  run_steps(a, 5);
  const double q[2] = {0.3, -1e-4}, u[2] = {0.5, 0.2};
  la_copy(2, q, a->state.q);
  la_copy(2, u, a->state.u);
  struct run *b = run_penalty(&m, 1e-3, q, u, "K=1e5");
  b->state.t = a->state.t;
  run_step(a, 1e-3);
  run_step(b, 1e-3);
  CHECK(a->state.q[0] == b->state.q[0] && a->state.q[1] == b->state.q[1]);
  CHECK(a->state.u[0] == b->state.u[0] && a->state.u[1] == b->state.u[1]);
  CHECK_NEAR(a->last.work.stored, b->last.work.stored, 1e-17);
}

/* ---- cases ---- */

/* The light mass oscillates with 2e4 rad/s and hits the heavy one with an overdamped contact: in
 * and out within a step, a jump of force a million times the weight. */
TEST(onsets_inside_a_step_are_resolved) {
  static const char *const name[] = {"rk8pd", "rk4imp", "bsimp"};
  const struct case_instance osc = case_model_build("oscillator", "", test_arena());
  double q[2] = {0};
  for (int i = 0; i < 3; ++i) {
    struct run *s = run_penalty(osc.mech, 1e-3, osc.q, osc.u, "stepper=%s K=1e8", name[i]);
    run_steps(s, 160); /* up to 0.16 s: several impacts */
    CHECK(s->onsets >= 2 && s->impact < -1e-5);
    CHECK_LE(fabs(run_imbalance(s)), 1e-8);
    if (i == 0) {
      la_copy(2, s->state.q, q);
    }
    CHECK_NEAR(s->state.q[0], q[0], 1e-7);
  }
}

/* Constraints of the pendulum at a state, worst of g_S and gamma_S. */
static double violation(const struct mech *m, const double *q, const double *u) {
  double gS[2], gamma[2], WS[8];
  m->ops->bilateral(m, q, gS);
  m->ops->bilateral_directions(m, q, WS);
  la_gemv_t(4, 2, 1, WS, u, 0, gamma);
  return fmax(la_norm_inf(2, gS), la_norm_inf(2, gamma));
}

TEST(pendulum_keeps_rods_and_energy) {
  struct base_arena *arena = test_arena();
  const struct case_instance xy = case_model_build("double-pendulum", "", arena);
  const struct case_instance angles =
      case_model_build("double-pendulum", "coordinates=angles", arena);
  struct run *a = run_penalty(angles.mech, 1e-2, angles.q, angles.u, TIGHT);
  struct run *b = run_penalty(xy.mech, 1e-2, xy.q, xy.u, TIGHT);
  struct run *c = run_penalty(xy.mech, 1e-3, xy.q, xy.u, "stepper=rk4");
  struct run *d = run_penalty(xy.mech, 1e-3, xy.q, xy.u, "stepper=rk4 project=no");
  double drift[4] = {0}, imbalance[4] = {0};
  struct run *const all[4] = {a, b, c, d};
  for (int k = 0; k < 40; ++k) { /* 0.4 s: swings out, no impact */
    for (int i = 0; i < 4; ++i) {
      run_steps(all[i], i < 2 ? 1 : 10);
      imbalance[i] = fmax(imbalance[i], fabs(run_imbalance(all[i])));
      drift[i] = i > 0 ? fmax(drift[i], violation(xy.mech, all[i]->state.q, all[i]->state.u)) : 0;
    }
  }
  CHECK_INT(a->onsets, 0);
  double q[4], u[4];
  angles.mech->ops->observe(angles.mech, a->state.q, a->state.u, q, u);
  for (int i = 0; i < 4; ++i) {
    CHECK_NEAR(b->state.q[i], q[i], 1e-10);
    CHECK_NEAR(c->state.q[i], q[i], 1e-7);
  }
  CHECK_LE(drift[1], 1e-13);
  CHECK_LE(drift[2], 1e-13);
  CHECK_LE(imbalance[0], 1e-10);
  CHECK_LE(imbalance[1], 1e-10);
  CHECK_LE(imbalance[2], 1e-8); /* that of RK4 */
  CHECK(drift[3] > 10 * drift[2]);
  CHECK_LE(drift[3], 1e-8);
}

TEST(baumgarte_terms_damp_drift_out) {
  const struct case_instance xy = case_model_build("double-pendulum", "", test_arena());
  const double alpha = 40;
  double q[4], g0[2], g[2];
  la_copy(4, xy.q, q);
  q[1] += 1e-3; /* both rods miss their length, neither changes it */
  q[3] += 3e-3;
  xy.mech->ops->bilateral(xy.mech, q, g0);
  struct run *s = run_penalty(xy.mech, 1e-2, q, xy.u, TIGHT " project=no baumgarte=40");
  for (int k = 0; k < 20; ++k) {
    run_steps(s, 1);
    xy.mech->ops->bilateral(xy.mech, s->state.q, g);
    for (int i = 0; i < 2; ++i) { /* g'' + 2 alpha g' + alpha^2 g = 0, g'(0) = 0 */
      const double x = alpha * s->state.t;
      CHECK_NEAR(g[i], g0[i] * (1 + x) * exp(-x), 1e-11);
    }
  }
}

TEST(rods_as_springs_tend_to_rods) {
  const struct case_instance xy = case_model_build("double-pendulum", "", test_arena());
  struct run *rigid = run_penalty(xy.mech, 1e-2, xy.q, xy.u, TIGHT);
  run_steps(rigid, 20);
  double last = 0;
  for (int i = 0; i < 3; ++i) {
    struct run *s = run_penalty(xy.mech, 1e-2, xy.q, xy.u,
                                "stepper=rk8pd rtol=1e-11 bilateral=spring K_S=%g D_S=%g",
                                pow(10, 4 + i), i == 1 ? 1. : 0.);
    run_steps(s, 20);
    double gS[2], error = 0;
    xy.mech->ops->bilateral(xy.mech, s->state.q, gS);
    for (int k = 0; k < 4; ++k) {
      error = fmax(error, fabs(s->state.q[k] - rigid->state.q[k]));
    }
    /* Elongation: forces of a few ten newtons over the stiffness. */
    CHECK_LE(la_norm_inf(2, gS), 200 / pow(10, 4 + i));
    CHECK_LE(fabs(run_imbalance(s)), 1e-8);
    CHECK_LE(s->damping, 0);
    CHECK(i != 1 || s->damping < 0);
    if (i > 0) {
      CHECK_LE(error, last / 5); /* ten times but for the phase of the springs */
    }
    last = error;
  }
}
