/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The force laws of penalty: Hertz and Hunt-Crossley against closed forms and an integration of
 * their own, tangential springs against the damped oscillator, the slope, rolling, and under
 * frames that turn.
 */
#include "tests/small_mech.h"
#include "tests/test.h"

#include <stdio.h>

#include "form/penalty/penalty.h"
#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"

/* ---- damping from restitution ---- */

TEST(hunt_number_solves_its_relation) {
  for (double eps = 0.02; eps < 1; eps += 0.049) {
    const double d = penalty_hunt_number(eps);
    if (eps > 0.1) { /* below, 1 - eps d is lost in round-off: 7e-20 at eps = 0.02 */
      CHECK_NEAR(d * (1 + eps), log((1 + d) / (1 - eps * d)), 1e-9);
    }
    CHECK_NEAR(penalty_hunt_restitution(d), eps, 1e-13);
  }
  CHECK_NEAR(penalty_hunt_number(1 - 1e-6) / 1e-6, 1.5, 1e-5);
  CHECK_NEAR(penalty_hunt_number(1e-3) * 1e-3, 1, 1e-12);
  CHECK_NEAR(penalty_hunt_number(1), 0, 0);
}

/* v0 from the state, along m g'' = -K g^n (1 + chi g') integrated here. */
TEST(approach_speed_is_known_from_the_state) {
  static const double n[2] = {1, 1.5}, eps[3] = {0.9, 0.5, 0.05};
  for (int i = 0; i < 6; ++i) {
    const double K = 3e4, m = 0.7, v0 = 1.3, d = penalty_hunt_number(eps[i % 3]), chi = d / v0;
    const double h = 1e-6, p = n[i / 3];
    double g = 0, v = v0;
    int steps = 0;
    for (; g >= 0 && steps < 100000; ++steps) {
      double x = g, w = v, dx[4], dw[4];
      for (int k = 0; k < 4; ++k) {
        dx[k] = w;
        dw[k] = -K / m * pow(fmax(x, 0), p) * (1 + chi * w);
        const double c = k < 2 ? 0.5 * h : h;
        x = g + c * dx[k];
        w = v + c * dw[k];
      }
      g += h / 6 * (dx[0] + 2 * dx[1] + 2 * dx[2] + dx[3]);
      v += h / 6 * (dw[0] + 2 * dw[1] + 2 * dw[2] + dw[3]);
      if (g > 0 && steps % 100 == 0) {
        const double e = K / m * pow(g, p + 1) / (p + 1);
        CHECK_NEAR(penalty_hunt_speed(d, eps[i % 3], v, e), v0, 1e-7);
      }
    }
    CHECK_NEAR(-v / v0, eps[i % 3], 1e-6);
  }
}

static double height_speed(const struct run *s) { return s->state.u[1]; }
static double line_speed(const struct run *s) { return s->state.u[1] - s->state.u[0]; }

TEST(every_normal_law_has_the_restitution_asked_for) {
  static const double eps[] = {0.9, 0.5, 0.2, 0.13533528323661270, 0.05};
  static const char *const law[] = {"K=1e4 clamp=yes",
                                    "K=1e4 clamp=no",
                                    "normal=linear damping=hunt-crossley",
                                    "normal=hertz damping=viscous clamp=yes",
                                    "normal=hertz damping=viscous clamp=no",
                                    "normal=hertz"};
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 6; ++k) {
      for (double v = 0.2; v < 3; v *= 10) {
        struct points p = {.n = 1, .dim = 2, .m = {0.3}, .eps_N = eps[i]};
        struct mech m = points_mech(&p);
        char text[160];
        snprintf(text, sizeof text, TIGHT " K=1e6 %s", law[k]);
        const double q[2] = {0, 1e-3}, u[2] = {0, -v};
        CHECK_NEAR(run_rebound(run_penalty(&m, 1e-3, q, u, "%s", text), height_speed), eps[i],
                   1e-8);
        struct line l = {.n = 2, .m = {2, 3}, .eps = eps[i], .wall = 100};
        m = line_mech(&l);
        CHECK_NEAR(run_rebound(run_penalty(&m, 1e-3, q, (double[]){0.6 * v, -0.4 * v}, "%s", text),
                               line_speed),
                   eps[i], 1e-8);
      }
    }
  }
}

TEST(a_given_coefficient_makes_restitution_depend_on_speed) {
  for (double v = 0.03; v < 5; v *= 4) {
    struct points p = {.n = 1, .dim = 2, .m = {1.3}, .eps_N = 0.9};
    struct mech m = points_mech(&p);
    const double q[2] = {0, 1e-3}, u[2] = {0, -v};
    const double got = run_rebound(
        run_penalty(&m, 1e-3, q, u, TIGHT " K=1e6 normal=hertz chi=0.31"), height_speed);
    CHECK_NEAR(got, penalty_hunt_restitution(0.31 * v), 1e-8);
  }
}

/* Depth (5 m v^2 / (4 K))^(2/5), duration 2 int_0^1 dx / sqrt(1 - x^(5/2)) times depth over speed,
 * that is (4/5) sqrt(pi) Gamma(2/5) / Gamma(9/10). */
TEST(hertz_impact_has_its_depth_and_duration) {
  struct points p = {.n = 1, .dim = 2, .m = {0.8}, .eps_N = 1};
  struct mech m = points_mech(&p);
  const double K = 1e7, v = 1.7, depth = pow(5 * 0.8 * v * v / (4 * K), 0.4);
  const double duration = 0.8 * sqrt(M_PI) * tgamma(0.4) / tgamma(0.9) * depth / v;
  struct run *s = run_penalty(&m, duration / 2, (double[]){0, 0}, (double[]){0, -v},
                              TIGHT " K=1e7 normal=hertz");
  run_steps(s, 1);
  CHECK_NEAR(s->state.q[1] / depth, -1, 1e-9);
  CHECK_NEAR(s->stored, 0.5 * 0.8 * v * v, 1e-10);
  run_steps(s, 1);
  CHECK_NEAR(s->state.q[1] / depth, 0, 1e-8);
  CHECK_NEAR(s->state.u[1], v, 1e-9);
}

TEST(hertz_rest_is_at_the_weight_over_the_stiffness) {
  struct points p = {.n = 1, .dim = 2, .m = {0.8}, .gravity = {0, -9.81}, .eps_N = 0.2};
  struct mech m = points_mech(&p);
  struct run *s = run_penalty(&m, 1e-2, (double[]){0, 1e-3}, (double[]){0, 0},
                              "stepper=rk8pd rtol=1e-10 K=1e6 normal=hertz");
  run_steps(s, 100);
  CHECK_NEAR(-s->state.q[1] / pow(0.8 * 9.81 / 1e6, 2. / 3), 1, 1e-7);
  CHECK_LE(fabs(s->state.u[1]), 1e-8);
}

/* ---- tangential springs ---- */

/* x of m x'' + d x' + k x = f from rest at 0. */
static double creep(double m, double d, double k, double f, double t) {
  const double a = d / (2 * m), w = sqrt(k / m - a * a);
  return f / k * (1 - exp(-a * t) * (cos(w * t) + a / w * sin(w * t)));
}

TEST(sticking_is_a_damped_oscillation_that_comes_to_rest) {
  /* Slope of tan 0.2 below mu = 0.5, pressed to its rest depth, the tangential spring slack. */
  struct points p = {.n = 1, .dim = 2, .m = {1.6}, .gravity = {2, -10}, .mu = 0.5, .eps_N = 1};
  struct mech m = points_mech(&p);
  struct run *s = run_penalty(&m, 1e-3, (double[]){0, -1.6e-3}, (double[]){0, 0},
                              TIGHT " K=1e4 K_T=6e3 zeta_T=0.3 tangential=spring");
  const double d = 2 * 0.3 * sqrt(6e3 * 1.6);
  for (int k = 0; k < 400; ++k) {
    run_steps(s, 1);
    CHECK_NEAR(s->state.q[0], creep(1.6, d, 6e3, 3.2, s->state.t), 1e-11);
    CHECK_NEAR(run_imbalance(s), 0, 1e-11);
  }
  run_steps(s, 800);
  CHECK_NEAR(s->state.q[0], 3.2 / 6e3, 1e-6 * 3.2 / 6e3);
  CHECK_LE(fabs(s->state.u[0]), 1e-7);
}

TEST(a_block_on_a_slope_stays_below_mu_and_slides_above) {
  static const char *const law[] = {"tangential=spring", "tangential=spring normal=hertz",
                                    "tangential=spring stepper=verlet"};
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 2; ++k) { /* tan = 0.98 mu and 1.1 mu, in the direction (0.6, 0.8) */
      const double mu = 0.4, tangent = k == 0 ? 0.98 * mu : 1.1 * mu;
      struct points p = {.n = 1,
                         .dim = 3,
                         .m = {1},
                         .gravity = {6 * tangent, 8 * tangent, -10},
                         .mu = mu,
                         .eps_N = 0.3};
      struct mech m = points_mech(&p);
      const double depth = i == 1 ? pow(10 / 3e6, 2. / 3) : 1e-4;
      struct run *s = run_penalty(&m, 1e-4, (double[]){0, 0, -depth}, (double[]){0, 0, 0},
                                  "zeta_T=1 %s K=%s", law[i], i == 1 ? "3e6" : "1e5");
      run_steps(s, 6000);
      const double x = s->state.q[0], y = s->state.q[1], v = hypot(s->state.u[0], s->state.u[1]);
      run_steps(s, 10000);
      const double way = hypot(s->state.q[0] - x, s->state.q[1] - y);
      if (k == 0) {
        CHECK_LE(way, 1e-15);
        CHECK_LE(hypot(s->state.u[0], s->state.u[1]), 1e-14);
      } else {
        CHECK_NEAR(way, v + 0.5 * (10 * tangent - mu * 10), 1e-10);
      }
      CHECK_NEAR(s->state.q[0] * 0.8, s->state.q[1] * 0.6, 1e-12);
    }
  }
}

/* The regularised law on the same slope creeps for ever. */
TEST(regularised_friction_creeps_where_springs_hold) {
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {2, -10}, .mu = 0.5, .eps_N = 0.3};
  struct mech m = points_mech(&p);
  const double q[2] = {0, -1e-4}, u[2] = {0, 0};
  struct run *a = run_penalty(&m, 1e-4, q, u, "K=1e5 tangential=spring zeta_T=1");
  struct run *b = run_penalty(&m, 1e-4, q, u, "K=1e5 v_reg=1e-2");
  run_steps(a, 20000);
  run_steps(b, 20000);
  CHECK_LE(a->state.q[0], 1.001 * 2 / (1e5 * 2 / 7));
  CHECK_NEAR(b->state.u[0], 1e-2 * atanh(0.4), 1e-9);
  CHECK_NEAR(b->state.q[0], 2e-2 * atanh(0.4), 1e-4);
}

/* Sliding obeys Coulomb: stops after v^2 / (2 mu g), but for the spring's length and its swinging
 * out; energy goes into friction. */
TEST(sliding_stops_where_coulomb_says) {
  double last = 0;
  for (int i = 0; i < 3; ++i) {
    const double mu = 0.35, g = 9.81, v = 1.4, K = pow(10, 4 + i);
    struct points p = {.n = 1, .dim = 3, .m = {1}, .gravity = {0, 0, -g}, .mu = mu, .eps_N = 1};
    struct mech m = points_mech(&p);
    const double q[3] = {0, 0, -g / K}, u[3] = {0.6 * v, -0.8 * v, 0};
    struct run *s =
        run_penalty(&m, 1e-2, q, u, TIGHT " tangential=spring ratio_T=1 zeta_T=0.5 K=%g", K);
    run_steps(s, 140);
    const double way = hypot(s->state.q[0], s->state.q[1]), error = way - v * v / (2 * mu * g);
    CHECK_LE(fabs(error), 2 * mu * g / K);
    CHECK(i == 0 || fabs(log10(last / error) - 1) < 0.2);
    CHECK_NEAR(s->state.q[0] * -0.8, s->state.q[1] * 0.6, 1e-11);
    CHECK_NEAR(s->friction, -0.5 * v * v, 1e-9);
    CHECK_LE(hypot(s->state.u[0], s->state.u[1]), 1e-9);
    last = error;
  }
}

/* Rigid: friction takes mu (1 + eps) v_N. So does the spring damped by eps_T = 0; lightly damped it
 * stretches instead and throws back, by the same part at any stiffness. */
TEST(damping_decides_whether_an_oblique_impact_slides) {
  static const double eps[2] = {0.5, 0.05};
  for (int i = 0; i < 2; ++i) {
    double lost[2][2];
    for (int k = 0; k < 4; ++k) {
      struct points p = {.n = 1, .dim = 2, .m = {0.7}, .mu = 0.2, .eps_N = eps[i]};
      struct mech m = points_mech(&p);
      struct run *s = run_penalty(&m, 1e-2, (double[]){0, 1e-4}, (double[]){2, -4.4},
                                  TIGHT " tangential=spring K=%g %s", k < 2 ? 1e5 : 1e7,
                                  k % 2 == 0 ? "" : "zeta_T=0.1");
      run_steps(s, 10);
      CHECK_NEAR(s->state.u[1], 4.4 * eps[i], 1e-8);
      CHECK_NEAR(run_imbalance(s), 0, 1e-9);
      lost[k / 2][k % 2] = 2 - s->state.u[0];
    }
    CHECK_NEAR(lost[0][0], 0.2 * (1 + eps[i]) * 4.4, 5e-3);
    CHECK(lost[0][1] < 0.9 * lost[0][0]);
    CHECK_NEAR(lost[1][0], lost[0][0], 1e-7);
    CHECK_NEAR(lost[1][1], lost[0][1], 1e-7);
  }
}

/* ---- rolling ---- */

TEST(a_thrown_ball_rolls_at_five_sevenths) {
  static const char *const law[] = {"", "normal=hertz"};
  for (int i = 0; i < 2; ++i) {
    const double K = 1e6, g = 9.81, mu = 0.2, v = 1, R = 0.5;
    const double depth = i == 0 ? g / K : pow(g / K, 2. / 3), until = 2 * v / (7 * mu * g);
    const struct case_instance c = case_model_scene(
        "'dimension': 2, 'gravity': [0, -9.81], 'materials': {'m': {'mu': 0.2, 'eps_N': 0.5}}, "
        "'bodies': [{'name': 'line', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': "
        "[0, 1], 'material': 'm'}]}, {'name': 'b', 'mass': 1, 'inertia': 0.1, 'position': [0, "
        "%.17g], 'velocity': [1, 0], 'shapes': [{'type': 'sphere', 'radius': 0.5, 'material': "
        "'m'}]}]",
        R - depth);
    struct run *s =
        run_penalty(c.mech, until / 20, c.q, c.u,
                    "stepper=rk8pd rtol=1e-10 K=%g tangential=spring zeta_T=0.3 %s", K, law[i]);
    const double *u = s->state.u;
    for (int k = 0; k < 30; ++k) {
      run_steps(s, 1);
      if (k < 19) { /* slides: v - mu g t, but for the spring's onset, a force over 1e-3 s */
        CHECK_NEAR(u[0], v - mu * g * s->state.t, 5e-3);
        CHECK(u[0] + R * u[2] > 0.01);
      }
    }
    run_steps(s, 60); /* the swing of the spring decays */
    /* 5/7 v, but that friction acts half the depth above the lowest point */
    const double arm = R - 0.5 * depth;
    CHECK_NEAR(u[0], v * arm * arm / (0.1 + arm * arm), 1e-8);
    CHECK_NEAR(u[2], -u[0] / arm, 1e-8);
    CHECK_NEAR(run_imbalance(s), 0, 1e-8);
  }
}

/* ---- a point in a bowl of radius R, with frames that turn about the normal by twist (x + y) ----
 */

struct bowl {
  double R, mu, eps, twist;
};

static void bowl_mass(const struct mech *m, const double *q, double *M) {
  (void)m, (void)q;
  memset(M, 0, 9 * sizeof *M);
  M[0] = M[4] = M[8] = 1;
}

static void bowl_force(const struct mech *m, const double *q, const double *u, double t,
                       double *h) {
  (void)m, (void)q, (void)u, (void)t;
  h[0] = h[1] = 0;
  h[2] = -10;
}

static double bowl_potential(const struct mech *m, const double *q) {
  (void)m;
  return 10 * q[2];
}

static void bowl_contacts(const struct mech *m, const double *q, const double *u, double reach,
                          struct mech_contacts *out) {
  const struct bowl *p = m->data;
  const double length = la_norm2(3, q);
  (void)u;
  if (p->R - length > reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  double f[9], *n = f, *t1 = f + 3, *t2 = f + 6, a[3];
  for (int d = 0; d < 3; ++d) {
    n[d] = -q[d] / length;
  }
  for (int d = 0; d < 3; ++d) { /* x without its part along n */
    a[d] = (d == 0) - n[0] * n[d];
  }
  const double size = la_norm2(3, a), angle = p->twist * (q[0] + q[1]);
  const double b[3] = {(n[1] * a[2] - n[2] * a[1]) / size, (n[2] * a[0] - n[0] * a[2]) / size,
                       (n[0] * a[1] - n[1] * a[0]) / size};
  for (int d = 0; d < 3; ++d) {
    t1[d] = cos(angle) * a[d] / size + sin(angle) * b[d];
    t2[d] = -sin(angle) * a[d] / size + cos(angle) * b[d];
  }
  la_copy(6, f, out->frame + 6 * i);
  la_copy(9, f, mech_contacts_block(out, i, 0));
  out->gN[i] = p->R - length;
  out->mu[i] = p->mu;
  out->eps_N[i] = p->eps;
  out->body[2 * i] = 0;
}

static const struct mech_ops bowl_ops = {
    .mass = bowl_mass, .force = bowl_force, .potential = bowl_potential, .contacts = bowl_contacts};

static struct mech bowl_mech(struct bowl *p) {
  struct mech model = small_mech("bowl", &bowl_ops, p, 3, 3);
  model.located = 1;
  return model;
}

/* q after 0.4 s of a curved way through the bowl; returns what friction took [J]. */
static double slide_in_bowl(double mu, double twist, int n, const char *text, double *q) {
  struct bowl p = {.R = 1, .mu = mu, .eps = 0.5, .twist = twist};
  struct mech m = bowl_mech(&p);
  struct run *s = run_penalty(&m, 0.4 / n, (double[]){0.5, 0, -sqrt(0.75) - 1e-3},
                              (double[]){0.3, 2, 0.1}, "%s", text);
  run_steps(s, n);
  la_copy(3, s->state.q, q);
  CHECK_NEAR(run_imbalance(s), 0, 1e-6);
  return s->friction;
}

TEST(springs_do_not_see_how_frames_turn) {
  /* slides; swings on a soft spring through a good part of the bowl */
  static const char *const law[] = {"K=3e3 tangential=spring",
                                    "K=1e5 normal=hertz tangential=spring ratio_T=0.8",
                                    "K=1e4 tangential=spring K_T=30 zeta_T=0.05"};
  static const double mu[] = {0.6, 0.6, 50};
  for (int i = 0; i < 3; ++i) {
    double q[3], q0[3];
    char text[160];
    snprintf(text, sizeof text, "stepper=rkf45 rtol=1e-10 atol=1e-11 %s", law[i]);
    const double friction = slide_in_bowl(mu[i], 0, 40, text, q0);
    CHECK(i == 2 ? friction > -0.5 : friction < -2);
    for (int k = 0; k < 2; ++k) { /* adaptive steps, and fixed ones */
      slide_in_bowl(mu[i], 7, k == 0 ? 40 : 1600, k == 0 ? text : law[i], q);
      for (int d = 0; d < 3; ++d) { /* the spring is carried over by steps, to their square */
        CHECK_NEAR(q[d], q0[d], 1e-6);
      }
    }
  }
}

/* ---- budgets, memory ---- */

TEST(every_law_and_stepper_closes_its_budget) {
  static const char *const normal[] = {"", "damping=hunt-crossley", "normal=hertz K=1e7",
                                       "normal=hertz damping=viscous K=1e7", "clamp=no"};
  static const char *const tangential[] = {"v_reg=1e-2", "tangential=spring",
                                           "tangential=spring ratio_T=0.8 zeta_T=0.1"};
  static const char *const steppers[] = {TIGHT " v_reg=1e-2", TIGHT " v_reg=1e-2 clamp=no",
                                         "stepper=rk4imp v_reg=1e-2", "stepper=bsimp v_reg=1e-2"};
  for (int i = 0; i < 19; ++i) {
    struct points p = {.n = 2,
                       .dim = 3,
                       .m = {1, 0.5},
                       .gravity = {0, 0, -9.81},
                       .mu = 0.3,
                       .eps_N = 0.4,
                       .push = {0.7, 0, 0},
                       .c = 0.2,
                       .rods = 1,
                       .rod = {{0, 1}},
                       .length = {0.5}};
    struct mech m = points_mech(&p);
    const double q[6] = {0, 0, 0.02, 0.3, 0, 0.42}, u[6] = {1, 0.2, -1, 1, -0.3, -1};
    struct run *s =
        run_penalty(&m, 5e-3, q, u, "stepper=rkf45 rtol=1e-11 atol=1e-12 K=1e5 %s %s",
                    i < 15 ? normal[i % 5] : steppers[i - 15], i < 15 ? tangential[i / 5] : "");
    double worst = 0;
    for (int k = 0; k < 80; ++k) {
      run_steps(s, 1);
      worst = fmax(worst, fabs(run_imbalance(s)));
      CHECK_LE(s->last.work.friction, 1e-12);
      CHECK_LE(s->last.work.impact, 1e-12);
    }
    CHECK_MESSAGE(worst <= (i < 15 ? 2e-8 : 1e-9), "law %d: %.3g J unaccounted for", i, worst);
    CHECK(s->friction < -0.05 && s->impact < -0.1 && s->applied > 1e-2 && s->onsets >= 2);
    CHECK(s->damping < -1e-2);
  }
}

/* Two points: pressed on, loaded sideways, one is then lifted off (state from outside) and put
 * down again: its spring is forgotten, the other's is not. */
TEST(springs_belong_to_their_contacts) {
  struct points p = {
      .n = 2, .dim = 2, .m = {1, 1}, .gravity = {2, -10}, .mu = 0.5, .eps_N = 0.3, .reversed = 1};
  struct mech m = points_mech(&p);
  struct run *s = run_penalty(&m, 1e-4, (double[]){0, -1e-4, 5, -1e-4}, (double[]){0, 0, 0, 0},
                              "tangential=spring K=1e5 K_T=4e4 zeta_T=1");
  run_steps(s, 3000);
  CHECK_NEAR(s->state.q[0], 2 / 4e4, 1e-12);
  const double stored = s->stored;
  s->state.q[1] = 1e-9;
  run_steps(s, 1);
  s->state.q[1] = -1e-4;
  s->state.u[0] = s->state.u[1] = 0;
  run_steps(s, 3000);
  CHECK_NEAR(s->state.q[0], 2 * 2 / 4e4, 1e-7); /* began anew where it was */
  CHECK_NEAR(s->state.q[2], 5 + 2 / 4e4, 1e-12);
  CHECK_NEAR(stored, 2 * (0.5 * 2 * 2 / 4e4), 1e-12);
}

TEST(slots_grow_with_the_contacts) {
  static const char *const stepper[] = {"rk4", "rk8pd", "verlet"};
  for (int i = 0; i < 3; ++i) { /* 50 points land one after another */
    struct points p = {.n = 50, .dim = 2, .gravity = {1, -10}, .mu = 0.5, .eps_N = 0.3};
    double q[100], u[100];
    for (int k = 0; k < 50; ++k) {
      p.m[k] = 1;
      q[2 * k] = k;
      q[2 * k + 1] = 1e-4 * (1 + (k * 37) % 50);
      u[2 * k] = u[2 * k + 1] = 0;
    }
    struct mech m = points_mech(&p);
    struct run *s =
        run_penalty(&m, 1e-3, q, u,
                    "tangential=spring K=1e4 zeta_T=1 stepper=%s rtol=1e-6 atol=1e-7", stepper[i]);
    run_steps(s, i == 1 ? 60 : 1500);
    if (i != 1) {
      CHECK_INT(s->last.contacts, 50);
      for (int k = 0; k < 50; ++k) { /* all hold */
        CHECK_LE(fabs(s->state.u[2 * k]), 1e-9);
      }
    }
    CHECK(s->onsets >= 25);
    CHECK_LE(fabs(run_imbalance(s)), 1e-2 * fabs(s->impact + s->friction));
  }
}
