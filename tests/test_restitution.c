/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Successive impacts within a step (restitution=step): contacts closed by others' impulses rebound,
 * elastic impacts do no work, landings fall into one step; against Newton's law for balls one after
 * the other, closed forms of bounces, and event-driven integration.
 */
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/joint_model.h"
#include "tests/test.h"

#include "form/impulse/impulse.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"

static const double G = 9.81;

/* Formulations with a restitution of their own in a step, options of `impulse`. */
static const struct {
  const char *form, *options;
} forms[] = {{"lcp-st", ""}, {"ncp", ""},
             {"ccp", ""},    {"mdp", ""},
             {"lcp-ap", ""}, {"impulse", "law=ncp scheme=midpoint restitution=step"}};
enum { FORMS = sizeof forms / sizeof *forms, GAP_LEVEL = 4 };

static struct run *begin(int f, const struct mech *m, double dt, const double *q, const double *u) {
  struct run *run = run_begin(forms[f].form, m, dt, q, u);
  run_set(run, "%s", forms[f].options);
  return run;
}

/* ---- rows of balls ---- */

/* Four points of given masses, gaps between them far below what the first one travels in a step. */
static void check_row(int f, const double *m, const double *gap, double eps, const double *expected,
                      int phases) {
  const double dt = 1e-3;
  struct line line = {.n = 4, .eps = eps, .wall = 100};
  memcpy(line.m, m, sizeof line.m);
  const struct mech mech = line_mech(&line);
  double q[4] = {1};
  for (int i = 1; i < 4; ++i) {
    q[i] = q[i - 1] + gap[i - 1];
  }
  struct run *run = begin(f, &mech, dt, q, (double[]){1, 0, 0, 0});
  run_step(run, dt);
  CHECK_INT(run->last.phases, phases);
  CHECK_INT(run->last.capped, 0);
  CHECK_INT(run->begun, 3);
  for (int i = 0; i < 4; ++i) {
    CHECK_MESSAGE(fabs(run->state.u[i] - expected[i]) <= 1e-12, "%s: ball %d has %.12g, not %.12g",
                  forms[f].form, i, run->state.u[i], expected[i]);
  }
  double E = 0;
  for (int i = 0; i < 4; ++i) {
    E += 0.5 * m[i] * run->state.u[i] * run->state.u[i];
  }
  CHECK_NEAR(E - 0.5 * m[0], run->impact, 1e-12);
}

/* Newton's cradle: the last ball takes all. Gaps of any size below the way of a step, closed ones
 * and such that are closed but for rounding included. */
TEST(a_row_of_equal_balls_passes_the_impact_on) {
  static const double gaps[][3] = {
      {1e-4, 1e-5, 3e-4}, {1e-12, 1e-12, 1e-12}, {0, 0, 0}, {0, 2e-16, -2e-16}};
  for (int f = 0; f < GAP_LEVEL; ++f) {
    for (int k = 0; k < 4; ++k) {
      check_row(f, (double[]){1, 1, 1, 1}, gaps[k], 1, (double[]){0, 0, 0, 1}, 3);
    }
  }
}

/* Unequal masses: one impact after the other, by hand. The heavy third ball throws the second one
 * back, not as far as the first within the step. */
TEST(a_row_of_unequal_balls_goes_impact_by_impact) {
  const double m[4] = {1, 1, 5, 2}, gap[3] = {6e-4, 1e-4, 1e-4}, eps = 0.8;
  double u[4] = {1, 0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const double r = (1 + eps) * (u[i] - u[i + 1]) * m[i] * m[i + 1] / (m[i] + m[i + 1]);
    u[i] -= r / m[i];
    u[i + 1] += r / m[i + 1];
  }
  CHECK(u[1] < 0 && u[0] - u[1] < 0.6);
  for (int f = 0; f < GAP_LEVEL; ++f) {
    check_row(f, m, gap, eps, u, 3);
  }
}

/* Fewer phases than impacts: the rest lands without rebound, nothing penetrates, and it is said. */
TEST(phases_are_capped_and_counted) {
  const double dt = 1e-3;
  struct line line = {.n = 4, .m = {1, 1, 1, 1}, .eps = 1, .wall = 100};
  const struct mech mech = line_mech(&line);
  for (int phases = 1; phases <= 3; ++phases) {
    struct run *run =
        run_begin("ncp", &mech, dt, (double[]){0, 1e-4, 2e-4, 3e-4}, (double[]){1, 0, 0, 0});
    run_set(run, "phases=%d", phases);
    run_step(run, dt);
    CHECK_INT(run->last.phases, phases);
    CHECK_INT(run->last.capped, phases < 3);
    for (int i = 0; i < 3; ++i) {
      CHECK_LE(-1e-15, run->state.q[i + 1] - run->state.q[i]);
    }
    CHECK_LE(run->impact, phases < 3 ? -1e-3 : 1e-15);
  }
}

/* ---- elastic spheres ---- */

enum { SIDE = 4, SPHERES = SIDE * SIDE * SIDE };

static void wall(struct mech_assembly *a, int material, int axis, int sign, double at) {
  static const double turns[3][2][4] = {
      {{1, 0, -1, 0}, {1, 0, 1, 0}}, {{1, 1, 0, 0}, {1, -1, 0, 0}}, {{0, 1, 0, 0}, {1, 0, 0, 0}}};
  struct mech_shape s = {.kind = MECH_SHAPE_HALFSPACE, .body = -1, .material = material};
  const double *turn = turns[axis][sign > 0], size = la_norm2(4, turn);
  for (int i = 0; i < 4; ++i) {
    s.orientation[i] = turn[i] / size;
  }
  s.offset[axis] = at;
  mech_assembly_shape(a, &s);
}

/* Spheres of radius 0.05 m in a box, a lattice of them with velocities drawn. */
static struct mech *lattice(double g, double eps, struct base_arena *arena, double **q,
                            double **u) {
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "lattice", arena);
  struct base_rng *rng = test_rng(0);
  struct mech *m = NULL;
  const double cell = 0.12;
  const int stuff = mech_assembly_material(a, &(struct mech_material){.eps_N = eps});
  mech_assembly_gravity(a, (double[]){0, 0, -g});
  for (int axis = 0; axis < 3; ++axis) {
    wall(a, stuff, axis, 1, 0);
    wall(a, stuff, axis, -1, SIDE * cell);
  }
  for (int i = 0; i < SPHERES; ++i) {
    struct mech_body body = {.mass = 1 + i % 3, .inertia = {1e-3, 1e-3, 1e-3}};
    for (int d = 0, k = i; d < 3; ++d, k /= SIDE) {
      body.position[d] = (0.5 + k % SIDE) * cell;
      body.velocity[d] = base_rng_uniform(rng, -1, 1);
    }
    add_sphere(a, mech_assembly_body(a, &body), 0.05, stuff);
  }
  mech_assembly_scales(a, 1, 1);
  CHECK_OK(mech_assembly_finish(a, &m, q, u, NULL));
  return m;
}

static double upward_momentum(const double *u) {
  double p = 0;
  for (int i = 0; i < SPHERES; ++i) {
    p += (1 + i % 3) * u[6 * i + 2];
  }
  return p;
}

/* Elastic impacts do no work. What is left of the energy balance is semi-implicit Euler's own
 * (dt/2) g sum of m (u_z - u_z^B), nothing more: bounded, without trend; the midpoint rule has
 * none. */
TEST(elastic_spheres_keep_their_energy) {
  const double dt = 1e-3;
  for (int f = 0; f < FORMS; ++f) {
    for (int falls = 0; falls < 2; ++falls) {
      struct base_arena *arena = test_arena();
      double *q, *u, worst = 0;
      const double g = falls ? G : 0;
      const struct mech *m = lattice(g, 1, arena, &q, &u);
      struct run *run = begin(f, m, dt, q, u);
      run->setup.loop.tol = problem_loop_default().tol; /* as users have it */
      const double E0 = mech_energy(m, q, u, arena), p0 = upward_momentum(u);
      const double own = strcmp(forms[f].form, "impulse") == 0 ? 0 : 0.5 * dt * g;
      int phases = 0, several = 0;
      for (int k = 0; k < 400; ++k) {
        run_step(run, dt);
        phases = run->last.phases > phases ? run->last.phases : phases;
        several += run->last.phases > 1;
        const double E = mech_energy(m, run->state.q, run->state.u, arena);
        worst = fmax(worst, fabs(E - E0 - own * (upward_momentum(run->state.u) - p0)));
        CHECK_INT(run->last.capped, 0);
      }
      CHECK_OK(run->status);
      CHECK(run->onsets > 300);
      CHECK(f >= GAP_LEVEL || several > 30); /* of them some in one step */
      CHECK_MESSAGE(fabs(run->impact) <= 1e-12 * E0, "%s, g %g: impacts took %.3g of %.3g J",
                    forms[f].form, g, run->impact, E0);
      CHECK_MESSAGE(worst <= 4e-12 * E0, "%s, g %g: energy off by %.3g of %.3g J", forms[f].form, g,
                    worst, E0);
    }
  }
}

/* ---- bounces ---- */

/* A ball dropped from h, without air: height after t [s] and the time of bounce k = 1, 2, ... */
static double bounce_time(double h, double eps, int k) {
  const double fall = sqrt(2 * h / G);
  double t = fall;
  for (int i = 1; i < k; ++i) {
    t += 2 * fall * pow(eps, i);
  }
  return t;
}

static double bounce_height(double h, double eps, double t) {
  int k = 1;
  while (bounce_time(h, eps, k + 1) < t) {
    ++k;
  }
  const double tau = t - bounce_time(h, eps, k), v = sqrt(2 * G * h) * pow(eps, k);
  return t < bounce_time(h, eps, 1) ? h - 0.5 * G * t * t : v * tau - 0.5 * G * tau * tau;
}

/* Largest error of height and of the times of four bounces over starts that differ by parts of a
 * step, so that impacts fall anywhere in it. No impact gives a speed that is not Newton's. */
static double bounce_error(int f, double dt, double eps) {
  const double h = 0.1;
  double worst = 0;
  for (int part = 0; part < 8; ++part) {
    struct points p = {.n = 1, .dim = 2, .m = {1.3}, .gravity = {0, -G}, .eps_N = eps};
    const struct mech m = points_mech(&p);
    /* on the closed form's way, part / 8 of a step after its start */
    const double t0 = part * dt / 8;
    struct run *run =
        begin(f, &m, dt, (double[]){0, bounce_height(h, eps, t0)}, (double[]){0, -G * t0});
    int bounces = 0;
    while (bounces < 4) {
      const double before = run->state.u[1];
      run_step(run, dt);
      const double t = run->state.t + t0;
      if (before < 0 && run->state.u[1] > 0) {
        ++bounces;
        worst = fmax(worst, fabs(t - bounce_time(h, eps, bounces)));
        CHECK_NEAR(run->state.u[1], -eps * before, 2 * G * dt);
        CHECK_INT(run->last.phases, 1);
      } else {
        worst = fmax(worst, fabs(run->state.q[1] - bounce_height(h, eps, t)));
      }
    }
  }
  return worst;
}

TEST(a_bouncing_ball_converges_with_first_order) {
  for (int f = 0; f < FORMS; ++f) {
    const double coarse = bounce_error(f, 2e-3, 0.8), fine = bounce_error(f, 2.5e-4, 0.8);
    CHECK_MESSAGE(log(coarse / fine) / log(8) > 0.85, "%s: %.3g, %.3g", forms[f].form, coarse,
                  fine);
    CHECK_LE(fine, 2e-3);
  }
}

/* An elastic box tumbles on its corners, which strike alone or one after the other in a step. */
TEST(an_elastic_box_keeps_its_energy) {
  for (int f = 0; f < GAP_LEVEL; ++f) {
    struct box p = {.m = 2, .J = 0.15, .a = 0.4, .b = 0.25, .g = G, .eps_N = 1};
    memcpy(p.order, (int[]){0, 1, 2, 3}, sizeof p.order);
    const struct mech m = box_mech(&p);
    struct run *run = begin(f, &m, 1e-3, (double[]){0, 0.6, 0.01}, (double[]){0, 0, 0.1});
    const double E0 = mech_energy(&m, run->state.q, run->state.u, run->arena);
    run_until(run, 3);
    const double E = mech_energy(&m, run->state.q, run->state.u, run->arena);
    CHECK(run->onsets > 5);
    CHECK_NEAR(run->impact, 0, 1e-12 * E0);
    CHECK_NEAR(E, E0, 0.5 * 1e-3 * p.m * G * 4); /* (dt/2) m g times a change of speed */
  }
}

/* ---- rest ---- */

/* Three planar boxes on top of each other, with restitution and friction: nothing strikes. */
TEST(a_stack_with_restitution_rests) {
  for (int f = 0; f < FORMS; ++f) {
    /* at velocity level a contact that rounding opens would be open for a step */
    const double deep = f < GAP_LEVEL ? 0 : 1e-12;
#define CRATE(name, mass, x)                                                                       \
  "{'name': '" name "', 'mass': " mass ", 'inertia': 0.01, 'position': [" x                        \
  ", %.17g], 'shapes': [{'type': 'box', 'half': [0.1, 0.1], 'material': 'm'}]}"
    const struct case_instance c = case_model_scene(
        "'dimension': 2, 'gravity': [0, -9.81], 'materials': {'m': {'mu': 0.5, 'eps_N': 0.5}}, "
        "'bodies': [{'name': 'floor', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': "
        "[0, 1], 'material': 'm'}]}, " CRATE("a", "1", "0") ", " CRATE("b", "2", "0.01") ", " CRATE(
            "c", "3", "0.02") "]",
        0.1 - deep, 0.3 - 2 * deep, 0.5 - 3 * deep);
    struct run *run = begin(f, c.mech, 1e-3, c.q, c.u);
    for (int k = 0; k < 60; ++k) {
      run_step(run, 1e-3);
      CHECK_INT(run->last.phases, 0);
      CHECK_MESSAGE(la_norm_inf(9, run->state.u) <= 1e-10, "%s: step %d: %g m/s", forms[f].form, k,
                    la_norm_inf(9, run->state.u));
    }
  }
}

/* ---- the woodpecker ---- */

/* The sleeve's inelastic landings turn friction round, and come with rebounds of the beak. Taken in
 * two steps each, as at gap level without this, the motion depends on where in a step they fall:
 * errors of some 0.03 whatever the step. */
TEST(the_woodpecker_converges_at_gap_level) {
  static const char *const names[] = {"lcp-st", "ncp", "mdp"};
  double exact[3];
  CHECK_OK(case_model_run("woodpecker", "", "event", 0.15, 0.15, case_model_keep_q, exact));
  for (int f = 0; f < 3; ++f) {
    double error[2] = {0};
    for (int k = 0; k < 2; ++k) {
      for (int part = 0; part < 3; ++part) { /* landings at other parts of a step */
        const double dt = (k == 0 ? 2e-4 : 1e-5) * (1 + 0.07 * part);
        double q[3];
        CHECK_OK(case_model_run("woodpecker", "", names[f], dt, 0.15, case_model_keep_q, q));
        la_axpy(3, -1, exact, q);
        error[k] = fmax(error[k], la_norm_inf(3, q));
      }
    }
    CHECK_MESSAGE(error[1] <= 0.1 * error[0] && error[1] <= 3e-3, "%s: errors %.3g, %.3g", names[f],
                  error[0], error[1]);
  }
}

/* ---- refusals ---- */

TEST(what_step_cannot_do_says_why) {
  struct points p = {.n = 1, .dim = 2, .m = {1}};
  const struct mech m = points_mech(&p);
  static const char *const sets[][2] = {
      {"restitution=step scheme=theta", "restitution=step has no forces"},
      {"restitution=newton phases=7", "means something with restitution=step"}};
  for (int k = 0; k < 2; ++k) {
    struct run *run = run_begin("impulse", &m, 1e-3, (double[]){0, 1}, (double[]){0, 0});
    run_set(run, "%s", sets[k][0]);
    run_refused(run, sets[k][1]);
  }
}
