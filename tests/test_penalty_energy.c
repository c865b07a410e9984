/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The works that fixed steps of penalty report, against counts of their own: closed forms of a
 * bounce on a spring and damper and of sliding, with the order at which they are met; and changes
 * of kinetic energy that forces without a potential must account for exactly, whatever the step.
 */
#include "tests/polar_model.h"
#include "tests/test.h"

#include <stdio.h>

#include "tests/form_run.h"
#include "tests/impulse_model.h"

static const char *const steppers[] = {"rk4", "verlet"};

/* ---- the contact's damper ---- */

/* Work of a damper D under y'' = -(K y + D y') / m from (0, -v), up to t: the integral of its power
 * by Simpson's rule. */
static double damper_work(double m, double K, double D, double v, double t) {
  enum { PIECES = 2000 };
  const double a = D / (2 * m), w = sqrt(K / m - a * a);
  double sum = 0;
  for (int i = 0; i <= PIECES; ++i) {
    const double s = t * i / PIECES, rate = v * exp(-a * s) * (cos(w * s) - a / w * sin(w * s));
    sum += (i == 0 || i == PIECES ? 1 : i % 2 == 1 ? 4 : 2) * D * rate * rate;
  }
  return -sum * t / PIECES / 3;
}

TEST(a_damper_within_a_contact_is_met_with_the_order_of_the_method) {
  static const double order[] = {4, 2};
  const double m = 1.7, K = 1.1e4, D = 60, v = 1.3, t = 0.03;
  const double exact = damper_work(m, K, D, v, t);
  for (int f = 0; f < 2; ++f) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      const int n = 20 << k;
      struct points p = {.n = 1, .dim = 2, .m = {m}};
      struct mech mech = points_mech(&p);
      struct run *s = run_penalty(&mech, t / n, (double[]){0, -1e-12}, (double[]){0, -v},
                                  "stepper=%s K=%g D=%g clamp=no", steppers[f], K, D);
      run_steps(s, n);
      error[k] = fabs(s->impact - exact);
    }
    for (int k = 0; k < 2; ++k) {
      const double found = log2(error[k] / error[k + 1]);
      CHECK_MESSAGE(fabs(found - order[f]) < 0.25, "%s: order %.3g, errors %.3g %.3g %.3g J",
                    steppers[f], found, error[0], error[1], error[2]);
    }
    CHECK_LE(error[2], 1e-3 * fabs(exact));
  }
}

/* A whole bounce takes (1 - eps^2) m v^2 / 2; it begins anywhere within a step. */
static double worst_bounce(const char *stepper, double eps, double dt) {
  enum { PLACES = 16 };
  const double m = 0.3, v = 2.1, exact = -0.5 * m * v * v * (1 - eps * eps);
  double worst = 0;
  for (int i = 0; i < PLACES; ++i) {
    struct points p = {.n = 1, .dim = 2, .m = {m}, .eps_N = eps};
    struct mech mech = points_mech(&p);
    struct run *s = run_penalty(&mech, dt, (double[]){0, v * dt * (i + 0.5) / PLACES + 1e-9},
                                (double[]){0, -v}, "stepper=%s K=1e4 eps_min=1e-2", stepper);
    for (double t = 0; t < 0.05; t += dt) {
      run_steps(s, 1);
    }
    worst = fmax(worst, fabs(s->impact - exact) / fabs(exact));
  }
  return worst;
}

TEST(a_bounce_takes_what_restitution_leaves) {
  static const double eps[] = {0.8, 0.5, 0.2};
  for (int f = 0; f < 2; ++f) {
    for (int i = 0; i < 3; ++i) {
      /* the onset lies within a step: of first order */
      const double coarse = worst_bounce(steppers[f], eps[i], 5e-4);
      const double fine = worst_bounce(steppers[f], eps[i], 5e-4 / 16);
      CHECK_MESSAGE(coarse < 0.04 && fine < coarse / 8, "%s, eps %g: errors %.3g and %.3g",
                    steppers[f], eps[i], coarse, fine);
    }
  }
}

/* The damper of eps_N = 0 would stop the body in a part of the step: it takes what there was. */
TEST(a_damper_too_stiff_for_the_step_takes_what_there_is) {
  /* the longest stable steps are 2.8 (rk4) and 2 (verlet) over D / m, here about 1.7e-3 s */
  static const double dt[2][2] = {{1.6e-3, 8e-4}, {8e-4, 4e-4}};
  for (int f = 0; f < 2; ++f) {
    for (int k = 0; k < 2; ++k) {
      const double worst = worst_bounce(steppers[f], 0, dt[f][k]);
      CHECK_MESSAGE(worst < 0.06, "%s, %g s: %.3g of what a bounce takes", steppers[f], dt[f][k],
                    worst);
    }
  }
}

/* ---- friction ---- */

/* Pressed on by its weight, at v_reg a hundredth of its speed: mu m g tanh(v / v_reg) times the
 * way. */
TEST(friction_takes_its_force_times_the_way) {
  const double m = 0.8, g = 9.81, mu = 0.3, K = 1e5;
  for (int f = 0; f < 2; ++f) {
    struct points p = {.n = 1, .dim = 3, .m = {m}, .gravity = {0, 0, -g}, .mu = mu};
    struct mech mech = points_mech(&p);
    struct run *s = run_penalty(&mech, 1e-3, (double[]){0, 0, -m * g / K}, (double[]){1.2, 1.6, 0},
                                "stepper=%s K=%g v_reg=1e-2", steppers[f], K);
    run_steps(s, 400);
    const double way = hypot(s->state.q[0], s->state.q[1]);
    CHECK_NEAR(way, 2 * 0.4 - 0.5 * mu * g * 0.16, 1e-9);
    CHECK_NEAR(s->friction, -mu * m * g * way, 1e-9);
    CHECK_NEAR(s->impact, 0, 1e-12);
  }
}

/* ---- the balance ---- */

/* Kinetic energy changes by the works of dampers, friction and applied forces alone where there are
 * no springs and no weight: exactly, for steps that are far too long as well, in which the damper
 * is stiffer than the step bears. */
TEST(works_add_up_to_the_change_of_kinetic_energy) {
  struct base_rng *rng = base_rng_alloc(20170131);
  for (int trial = 0; trial < 40; ++trial) {
    struct points p = {.n = 3,
                       .dim = 3,
                       .m = {1, 0.2, 3},
                       .mu = 0.4,
                       .push = {0.7, -0.2, 0.3},
                       .c = trial % 4 == 0 ? 0 : 5};
    struct mech m = points_mech(&p);
    double q[9], u[9];
    for (int i = 0; i < 9; ++i) {
      q[i] = i % 3 == 2 ? 1e-3 * base_rng_uniform(rng, -1, 1) : base_rng_uniform(rng, -1, 1);
      u[i] = base_rng_uniform(rng, -2, 2);
    }
    q[2] = -1e-3; /* one of them is in contact, and goes on into it */
    u[2] = -1;
    char text[120];
    snprintf(text, sizeof text, "stepper=%s K=0 D=%g v_reg=0.5", steppers[trial % 2],
             trial % 8 < 4 ? 20. : 200.);
    struct run *s = run_penalty(&m, 2e-3, q, u, "%s", text);
    for (int k = 0; k < 20; ++k) {
      run_steps(s, 1);
      CHECK_LE(s->last.work.impact, 0);
      CHECK_LE(s->last.work.friction, 0);
    }
    CHECK_MESSAGE(fabs(run_imbalance(s)) < 1e-12 * s->energy, "trial %d, %s: %.3g of %.3g J", trial,
                  text, run_imbalance(s), s->energy);
    CHECK(s->impact < 0 && s->friction < 0);
  }
  base_rng_free(rng);
}

static double polar_damper(const struct mech *m, const char *text, int n) {
  struct run *s = run_penalty(m, 0.5 / n, (double[]){0.7, 0}, (double[]){1.5, 2.2}, "%s", text);
  run_steps(s, n);
  return s->damping;
}

/* A point with M = diag(m, m r^2) and a damper -d r'. The part of the change of kinetic energy that
 * the mass has is no force's. */
TEST(works_keep_their_order_where_the_mass_depends_on_coordinates) {
  static const double order[] = {4, 2};
  struct polar p = {.m = 1.3, .d = 4, .rates = 1};
  const struct mech m = polar_free_mech(&p);
  const double exact = polar_damper(&m, TIGHT, 10);
  CHECK(exact < -0.5);
  for (int f = 0; f < 2; ++f) {
    char text[40];
    snprintf(text, sizeof text, "stepper=%s", steppers[f]);
    const double coarse = fabs(polar_damper(&m, text, 20) - exact);
    const double fine = fabs(polar_damper(&m, text, 40) - exact), found = log2(coarse / fine);
    CHECK_MESSAGE(fabs(found - order[f]) < 0.3, "%s: order %.3g, errors %.3g, %.3g J", steppers[f],
                  found, coarse, fine);
    CHECK_LE(coarse, 1e-2 * fabs(exact));
  }
}
