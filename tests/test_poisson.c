/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Poisson's law of impact (restitution=poisson): where it is Newton's, against closed forms where
 * it is not (balls in a row, the sprag clutch, Kane's pendulum at random), against a relaxation of
 * its own for a box on two corners with friction; rest, accounts of energy, refusals.
 */
#include "tests/case_model.h"
#include "tests/figure_run.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/test.h"

#include "cases/kane-pendulum/kane-pendulum.h"

#include <stdio.h>

static const struct {
  const char *form, *options;
} forms[] = {{"ncp", ""},
             {"lcp-st", ""},
             {"lcp-ap", ""},
             {"moreau", ""},
             {"impulse", "law=lcp scheme=midpoint"}};
enum { FORMS = sizeof forms / sizeof *forms, GAP_LEVEL = 2 };

static struct run *begin(int f, const char *restitution, const struct mech *m, double dt,
                         const double *q, const double *u) {
  struct run *run = run_begin(forms[f].form, m, dt, q, u);
  run_set(run, "restitution=%s %s", restitution, forms[f].options);
  return run;
}

static double kinetic(const struct run *run) {
  return mech_kinetic(run->setup.mech, run->state.q, run->state.u, run->arena);
}

/* A point mass: its normal and tangential motions do not know of each other. Slides or sticks, v_N
 * and the impulse of friction are those of Newton's law. */
TEST(a_central_impact_is_that_of_newtons_law) {
  for (int f = 0; f < FORMS; ++f) {
    for (int k = 0; k < 12; ++k) {
      const int third = k / 4;
      const double eps = 0.25 * (k % 4 + 1), mu = 0.3 * third, dt = 1e-4, v[2] = {0.9, -1.5};
      struct points p = {.n = 1, .dim = 2, .m = {1.3}, .mu = mu, .eps_N = eps};
      const struct mech m = points_mech(&p);
      struct run *run = begin(f, "poisson", &m, dt, (double[]){0, f < GAP_LEVEL ? 1e-6 : 0}, v);
      const double T = kinetic(run);
      run_step(run, dt);
      const double slip = fmax(0, v[0] - mu * (1 + eps) * fabs(v[1]));
      CHECK_INT(run->last.phases, 1);
      CHECK_NEAR(run->state.u[1], -eps * v[1], 1e-12);
      CHECK_NEAR(run->state.u[0], slip, 1e-12);
      CHECK_NEAR(run->impact + run->friction, kinetic(run) - T, 1e-12);
      CHECK_LE(run->friction, 1e-15);
    }
  }
}

/* Three equal balls that touch: compression leaves all with a third; its impulses, 2/3 and 1/3, are
 * given back at once. */
TEST(a_row_of_balls_expands_as_a_whole) {
  for (int f = 0; f < FORMS; ++f) {
    for (int k = 0; k <= 4; ++k) {
      const double eps = 0.25 * k, dt = 1e-4;
      struct line line = {.n = 3, .m = {1, 1, 1}, .eps = eps, .wall = 100};
      const struct mech mech = line_mech(&line);
      struct run *run = begin(f, "poisson", &mech, dt, (double[]){0, 0, 0}, (double[]){1, 0, 0});
      run_step(run, dt);
      CHECK_NEAR(run->state.u[0], (1 - 2 * eps) / 3, 1e-12);
      CHECK_NEAR(run->state.u[1], (1 + eps) / 3, 1e-12);
      CHECK_NEAR(run->state.u[2], (1 + eps) / 3, 1e-12);
      CHECK_NEAR(run->impact, kinetic(run) - 0.5, 1e-12);
    }
  }
}

/* Energy over rods, rates, friction and restitution; beside it what Newton's law makes. */
TEST(kanes_pendulum_gains_nothing) {
  struct base_rng *rng = test_rng(0);
  int gains = 0;
  for (int draw = 0; draw < 60; ++draw) {
    struct base_arena *arena = test_arena();
    const double q1 = base_rng_uniform(rng, 0.1, 0.7), q2 = base_rng_uniform(rng, 0.1, 0.7);
    const double u1 = base_rng_uniform(rng, -1, 0.2), u2 = base_rng_uniform(rng, -1, -0.5);
    const double mu = base_rng_uniform(rng, 0, 0.7), eps = base_rng_uniform(rng, 0, 1);
    char set[200];
    snprintf(set, sizeof set, "q1=%.17g q2=%.17g u1=%.17g u2=%.17g mu=%.17g eps=%.17g", q1, q2, u1,
             u2, mu, eps);
    const struct case_parameters *p = case_model_load("kane-pendulum", set, arena);
    const double exact[2] = {kane_pendulum_gain(p, KANE_NEWTON, mu, eps),
                             kane_pendulum_gain(p, KANE_POISSON, mu, eps)};
    /* Near q1 = q2 the gain has no bound, and a step is no instant. */
    if (u1 * sin(q1) + u2 * sin(q2) < -0.01 && fabs(q1 - q2) > 0.05) {
      const struct case_instance i = case_model_build("kane-pendulum", set, arena);
      for (int law = 0; law < 2; ++law) {
        const double dt = 1e-8;
        struct run *run =
            begin(draw % GAP_LEVEL, law == 0 ? "newton" : "poisson", i.mech, dt, i.q, i.u);
        const double T = kinetic(run);
        run_step(run, dt);
        CHECK_MESSAGE(fabs(kinetic(run) / T - 1 - exact[law]) <= 1e-6 * fmax(1, 1 + exact[law]),
                      "%s: %s: gain %.9g, not %.9g", set, law == 0 ? "newton" : "poisson",
                      kinetic(run) / T - 1, exact[law]);
      }
      CHECK_LE(exact[1], 1e-12);
      gains += exact[0] > 1e-3;
    }
  }
  CHECK(gains >= 5);
}

/* ---- several contacts with friction, against a relaxation ---- */

enum { SIZE = 4 }; /* two corners, planar */

/* v = A r + b, r_N >= given, friction of r_N. */
static void relax(double A[SIZE][SIZE], const double *b, double mu, const double *given,
                  double *r) {
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (int k = 0; k < SIZE; ++k) {
      double v = b[k];
      for (int j = 0; j < SIZE; ++j) {
        v += A[k][j] * r[j];
      }
      const double x = r[k] - v / A[k][k], hold = mu * r[k - k % 2];
      r[k] = k % 2 == 0 ? fmax(given[k / 2], x) : fmax(-hold, fmin(hold, x));
    }
  }
}

TEST(a_box_on_two_corners_expands_as_by_a_relaxation) {
  struct base_rng *rng = test_rng(0);
  for (int draw = 0; draw < 40; ++draw) {
    struct box p = {.m = 2, .J = 0.15, .a = 0.4, .b = 0.25, .mu = 0.5, .eps_N = 0.7};
    memcpy(p.order, (int[]){0, 1, 2, 3}, sizeof p.order);
    const struct mech m = box_mech(&p);
    const double u[3] = {base_rng_uniform(rng, -1, 1), base_rng_uniform(rng, -2, -0.5),
                         base_rng_uniform(rng, -1, 1)};
    const double W[SIZE][3] = {{0, 1, -0.4}, {1, 0, 0.25}, {0, 1, 0.4}, {1, 0, 0.25}};
    const double weight[3] = {1 / p.m, 1 / p.m, 1 / p.J};
    double A[SIZE][SIZE] = {{0}}, v[SIZE] = {0}, r[SIZE] = {0}, r2[SIZE] = {0}, end[3];
    for (int k = 0; k < SIZE; ++k) {
      for (int d = 0; d < 3; ++d) {
        v[k] += W[k][d] * u[d];
        for (int j = 0; j < SIZE; ++j) {
          A[k][j] += W[k][d] * weight[d] * W[j][d];
        }
      }
    }
    relax(A, v, p.mu, (double[]){0, 0}, r);
    for (int k = 0; k < SIZE; ++k) {
      for (int j = 0; j < SIZE; ++j) {
        v[k] += A[k][j] * r[j];
      }
    }
    relax(A, v, p.mu, (double[]){p.eps_N * r[0], p.eps_N * r[2]}, r2);
    for (int d = 0; d < 3; ++d) {
      end[d] = u[d];
      for (int k = 0; k < SIZE; ++k) {
        end[d] += weight[d] * W[k][d] * (r[k] + r2[k]);
      }
    }
    struct run *run = begin(draw % GAP_LEVEL, "poisson", &m, 1e-6, (double[]){0, p.b, 0}, u);
    const double T = kinetic(run);
    run_step(run, 1e-6);
    for (int d = 0; d < 3; ++d) {
      CHECK_MESSAGE(fabs(run->state.u[d] - end[d]) <= 1e-9, "draw %d: u[%d] = %.12g, not %.12g",
                    draw, d, run->state.u[d], end[d]);
    }
    CHECK_NEAR(run->impact + run->friction, kinetic(run) - T, 1e-12);
    CHECK_LE(run->last.residual.relative_free, 1e-12);
  }
}

/* ---- in time ---- */

/* A ball bounces with eps a landing, then rests: nothing expands under forces alone. */
TEST(a_ball_bounces_and_comes_to_rest) {
  const double g = 9.81, h = 0.05, dt = 1e-3, eps = 0.6;
  for (int f = 0; f < FORMS; ++f) {
    struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -g}, .mu = 0.2, .eps_N = eps};
    const struct mech m = points_mech(&p);
    struct run *run = begin(f, "poisson", &m, dt, (double[]){0, h}, (double[]){0.1, 0});
    const double first = sqrt(2 * h / g);
    run_until(run, first * (1 + eps)); /* the top of the first bounce */
    CHECK_NEAR(run->state.q[1], eps * eps * h, 0.03 * h);
    CHECK_LE(1, run->onsets);
    run_until(run, 2);
    CHECK_NEAR(run->state.q[1], 0, 2 * g * dt * dt * (f < GAP_LEVEL ? 1 : 100));
    CHECK_NEAR(run->state.u[1], 0, f < GAP_LEVEL ? 1e-9 : g * dt);
    CHECK_NEAR(run->state.u[0], 0, 1e-9);
    CHECK_OK(run->status);
  }
}

/* ---- refusals and figures ---- */

TEST(what_poissons_law_cannot_do_says_why) {
  struct points p = {.n = 1, .dim = 2, .m = {1}, .mu = 0.1, .eps_T = 0.5};
  const struct mech m = points_mech(&p);
  static const char *const sets[][2] = {{"scheme=theta", "no forces in the impact"},
                                        {"law=ccp", "law 'ccp' would change it by friction"},
                                        {"law=mdp", "law 'mdp' would change it by friction"}};
  for (int k = 0; k < 3; ++k) {
    struct run *run = run_begin("impulse", &m, 1e-3, (double[]){0, 1}, (double[]){0, 0});
    run_set(run, "restitution=poisson %s", sets[k][0]);
    run_refused(run, sets[k][1]);
  }
  struct run *run = begin(0, "poisson", &m, 1e-3, (double[]){0, 1e-4}, (double[]){0, -1});
  run_step(run, 1e-3);
  CHECK_REFUSED(run->status, BASE_UNSUPPORTED, "eps_T = 0.5");
}

TEST(the_sprag_clutch_has_its_closed_forms) {
  struct figure_run run = figure_run_of("moeller-3.12");
  figure_run_passes(&run);
  figure_run_free(&run);
}
