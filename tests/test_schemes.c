/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Law times scheme: formulations with a name are pairs of `impulse` to the last bit, every pair
 * runs, what cannot be crossed says why, and the theta rule solves its implicit equation.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "form/impulse/impulse.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/test.h"

static const double G = 9.81;

/* A box that lands on a corner with friction, tumbles and comes to slide. */
static struct run *box_run(const char *form, struct mech *m, struct box *p) {
  *p = (struct box){.m = 2,
                    .J = 0.3,
                    .a = 0.4,
                    .b = 0.25,
                    .mu = 0.3,
                    .g = G,
                    .eps_N = 0.2,
                    .order = {0, 1, 2, 3}};
  *m = box_mech(p);
  return run_begin(form, m, 2e-3, (double[]){0, 0.5, 0.2}, (double[]){1, 0, -2});
}

TEST(names_are_pairs) {
  static const struct {
    const char *name, *options;
  } presets[] = {{"moreau", "law=coulomb scheme=midpoint force=evaluation restitution=newton"},
                 {"ncp", "law=ncp scheme=gap force=evaluation restitution=step"},
                 {"ccp", "law=ccp scheme=gap force=evaluation restitution=step"},
                 {"mdp", "law=mdp scheme=gap force=evaluation restitution=step"},
                 {"lcp-st", "law=lcp scheme=gap force=midway restitution=step"},
                 {"lcp-ap", "law=lcp scheme=velocity force=evaluation restitution=step"}};
  for (size_t i = 0; i < sizeof presets / sizeof *presets; ++i) {
    struct mech m[2];
    struct box p[2];
    struct run *a = box_run(presets[i].name, &m[0], &p[0]), *b = box_run("impulse", &m[1], &p[1]);
    a->setup.loop.tol = b->setup.loop.tol = 1e-10;
    a->setup.solver = b->setup.solver; /* another solver finds another solution to the tolerance */
    a->setup.solver_options = b->setup.solver_options;
    run_set(b, "%s", presets[i].options);
    run_until(a, 0.6);
    run_until(b, 0.6);
    CHECK_INT(a->status, b->status);
    CHECK(a->onsets > 0 && a->friction < -1e-3);
    CHECK(test_same_bits(a->state.q, b->state.q, 3));
    CHECK(test_same_bits(a->state.u, b->state.u, 3));
  }
}

/* Four substeps are four steps of a quarter, to the bit: states, works and what carried. */
TEST(substeps_are_steps) {
  static const struct {
    const char *name, *options;
    double eps_N;
  } forms[] = {{"ncp", "", 0.2},
               {"moreau", "", 0.2},
               {"moreau-theta", "", 0.2},
               {"lcp-st", "", 0.2},
               {"sap", "", 0},
               {"tgs-soft", "", 0},
               {"avbd", "", 0},
               {"impulse", "scheme=velocity law=ccp", 0.2}};
  const double dt = 0x1p-8;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; ++i) {
    struct mech m[2];
    struct box p[2];
    struct run *run[2];
    for (int k = 0; k < 2; ++k) {
      box_run(forms[i].name, &m[k], &p[k]);
      p[k].eps_N = forms[i].eps_N;
      run[k] = run_begin(forms[i].name, &m[k], k == 0 ? dt : dt / 4, (double[]){0, 0.5, 0.2},
                         (double[]){1, 0, -2});
      run_set(run[k], k == 0 ? "substeps=4 %s" : "%s", forms[i].options);
    }
    run[0]->setup.loop.tol = run[1]->setup.loop.tol = 1e-10;
    for (int n = 1; n <= 150; ++n) {
      run_until(run[0], n * dt);
      run_until(run[1], n * dt);
      CHECK(test_same_bits(run[0]->state.q, run[1]->state.q, 3));
      CHECK(test_same_bits(run[0]->state.u, run[1]->state.u, 3));
    }
    CHECK_INT(run[0]->status, run[1]->status);
    CHECK_INT(run[0]->internal_steps, run[1]->internal_steps);
    CHECK_INT(run[0]->solves, run[1]->solves);
    CHECK_INT(run[0]->iterations, run[1]->iterations);
    CHECK(run[0]->onsets > 0 && run[0]->friction < -1e-3);
    CHECK_NEAR(run[0]->friction, run[1]->friction, 1e-13);
    CHECK_NEAR(run[0]->impact, run[1]->impact, 1e-13);
  }
}

/* A point falls on rough ground, slides and stops: every pair gets there to first order, ccp up to
 * its lift-off. The stop is at v w + w^2 / (2 mu g), w what the impact leaves of v. */
TEST(every_pair_runs) {
  static const char *const laws[] = {"ncp", "ccp", "lcp", "mdp", "cone"};
  static const char *const schemes[] = {"gap", "velocity", "midpoint", "theta"};
  const double mu = 0.2, v = 2, fall = sqrt(2 / G), w = v - mu * G * fall;
  const double stop = v * fall + w * w / (2 * mu * G);
  for (int i = 0; i < 20; ++i) {
    double error[2];
    for (int h = 0; h < 2; ++h) {
      struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -G, 0}, .mu = mu};
      const struct mech m = points_mech(&p);
      /* the impact at the same part of a step for both lengths of it */
      const double dt = fall / (h == 0 ? 100.5 : 400.5);
      struct run *run = run_begin("impulse", &m, dt, (double[]){0, 1}, (double[]){v, 0});
      run_set(run, "law=%s scheme=%s", laws[i % 5], schemes[i / 5]);
      run_until(run, 1.5);
      CHECK_OK(run->status);
      error[h] = fabs(run->state.q[0] - stop) + fabs(run->state.q[1]);
    }
    CHECK_LE(error[0], 0.1);
    CHECK_LE(error[1], 0.35 * error[0]);
  }
}

TEST(what_cannot_be_crossed_says_why) {
  static const char *const refused[][2] = {
      {"scheme=velocity corrections=2", "'corrections' means something with scheme gap"},
      {"scheme=midpoint force=midway", "'force' means something with the schemes gap"},
      {"scheme=theta erp=0.5", "'erp' means something with scheme gap"},
      {"law=ncp n_dir=16", "'n_dir' means something with law lcp"},
      {"scheme=gap theta=1", "'theta' means something with scheme theta"},
      {"scheme=midpoint restitution=source", "at velocity level it is step, newton or none"},
      {"joints=dca", "needs an assembly"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    struct mech m;
    struct box p;
    struct run *run = box_run("impulse", &m, &p);
    run_set(run, "%s", refused[i][0]);
    run_refused(run, refused[i][1]);
  }
  struct form_impulse_options options;
  CHECK_INT(base_options_set(form_find("ncp")->options, &options, "ncp", "law", "ccp"),
            BASE_E_INPUT);
  CHECK(strstr(base_message(), "fixed") != NULL && strstr(base_message(), "impulse") != NULL);
}

/* --- the theta rule --- */

/* Points on springs with their rest 1 m above the ground, out of reach of it. */
static struct run *spring_run(struct points *p, struct mech *m, double dt, const char *theta) {
  const double q[] = {0.3, 0.9, 0.2, 1.05}, u[] = {1, 2, 0.5, -1};
  p->push[1] = p->k;
  *m = points_mech(p);
  struct run *run = run_begin("impulse", m, dt, q, u);
  run_set(run, "scheme=theta theta=%s", theta);
  return run;
}

static double spring_energy(const struct points *p, const struct form_state *state) {
  double E = 0;
  for (int i = 0; i < 2 * p->n; ++i) {
    const double x = state->q[i] - (i % 2), u = state->u[i];
    E += 0.5 * (p->m[i / 2] * u * u + p->k * x * x);
  }
  return E;
}

/* One block, where the effective mass holds the springs, and two, where they enter by iteration.
 * Midpoint weights keep the energy at two thirds of a radian a step and more; implicit Euler leaves
 * 1/(1 + omega^2 dt^2) of it a step. */
TEST(theta_rule_and_the_energy_of_an_oscillator) {
  for (int n = 1; n <= 2; ++n) {
    for (int euler = 0; euler < 2; ++euler) {
      struct points p = {.n = n, .dim = 2, .m = {0.5, 0.5}, .k = 200};
      const double omega = sqrt(p.k / p.m[0]), dt = (n == 1 ? 2 : 0.7) / omega;
      struct mech m;
      struct run *run = spring_run(&p, &m, dt, euler ? "1" : "0.5");
      const double factor = euler ? 1 / (1 + omega * omega * dt * dt) : 1;
      const double start = spring_energy(&p, &run->state);
      double E = start, worst = 0;
      for (int k = 0; k < (euler ? 20 : 2000); ++k) {
        run_step(run, dt);
        E *= factor;
        worst = fmax(worst, fabs(spring_energy(&p, &run->state) - E));
      }
      CHECK_OK(run->status);
      CHECK_LE(worst, 2000 * 8 * DBL_EPSILON * start); /* the tolerance of a step */
    }
  }
}

/* A point on a spring pressed onto rough ground: the contact is solved with the effective mass, and
 * what comes out satisfies the implicit equation with Coulomb's law. */
TEST(theta_rule_with_contact_solves_its_equation) {
  const double dt = 0.02, mu = 0.3, theta = 0.5;
  struct points p = {.n = 1, .dim = 2, .m = {0.5}, .k = 200, .c = 1, .gravity = {0, -G}, .mu = mu};
  const struct mech m = points_mech(&p);
  struct run *run = run_begin("impulse", &m, dt, (double[]){0.3, 0}, (double[]){1, 0});
  run_set(run, "scheme=theta");
  double slid = 0;
  for (int k = 0; k < 100; ++k) {
    const double q0 = run->state.q[0], u0 = run->state.u[0];
    run_step(run, dt);
    const double q1 = run->state.q[0], u1 = run->state.u[0];
    const double h = theta * (-p.k * q1 - p.c * u1) + (1 - theta) * (-p.k * q0 - p.c * u0);
    const double r_T = p.m[0] * (u1 - u0) - dt * h, r_N = dt * p.m[0] * G;
    CHECK_NEAR(q1, q0 + dt * (theta * u1 + (1 - theta) * u0), 1e-15);
    CHECK_LE(fabs(r_T), mu * r_N * (1 + 1e-10));
    CHECK_NEAR(r_T * u1, -mu * r_N * fabs(u1), 1e-11);
    CHECK_NEAR(run->state.u[1], 0, 1e-14);
    CHECK_NEAR(run->last.work.damping, -p.c * (u0 + u1) * (u0 + u1) / 4 * dt, 1e-14);
    slid += fabs(q1 - q0);
  }
  CHECK(slid > 0.3);
  CHECK_OK(run->status);
}
