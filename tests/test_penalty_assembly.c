/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Penalty on assemblies: many bodies without anything dense, spheres that roll under tangential
 * springs in space, boxes whose contacts are lever arms or columns of W, and bodies
 * under joints, ropes and rods.
 */
#include "tests/joint_model.h"
#include "tests/test.h"

#include <stdio.h>

#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "tests/case_model.h"
#include "tests/form_run.h"

enum { SPHERES = 600, ROW = 25 };
static const double RADIUS = 0.1, DEPTH = 9.81 / 1e6; /* at rest with m = 1, K = 1e6 */

static double speed_of(int i) { return 0.2 + 0.3 * ((i * 37) % 101) / 101; }
static double heading_of(int i) { return 0.1 * i; }

/* Spheres on a plane, each thrown in a direction of its own. */
static struct system spheres(void) {
  struct system model = {.arena = test_arena()};
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "spheres", model.arena);
  mech_assembly_gravity(a, (double[]){0, 0, -9.81});
  const int steel =
      mech_assembly_material(a, &(struct mech_material){.name = "steel", .mu = 0.5, .eps_N = 1});
  add_halfspace(a, -1, 0, steel);
  for (int i = 0; i < SPHERES; ++i) {
    const int row = i / ROW;
    const double J = 0.4 * RADIUS * RADIUS, v = speed_of(i), heading = heading_of(i);
    const int body = mech_assembly_body(
        a, &(struct mech_body){.name = base_arena_printf(model.arena, "s%d", i),
                               .mass = 1,
                               .inertia = {J, J, J},
                               .position = {0.5 * (i % ROW), 0.5 * row, RADIUS - DEPTH},
                               .velocity = {v * cos(heading), v * sin(heading), 0}});
    add_sphere(a, body, RADIUS, steel);
  }
  system_finish(&model, a);
  return model;
}

TEST(hundreds_of_spheres_roll_at_five_sevenths) {
  static const char *const stepper[] = {"rk4", "verlet", "rkf45 rtol=1e-6 atol=1e-8"};
  struct system model = spheres();
  for (int i = 0; i < 3; ++i) {
    char text[160];
    snprintf(text, sizeof text, "K=1e6 tangential=spring zeta_T=1 stepper=%s", stepper[i]);
    struct run *s = run_penalty(model.m, 5e-4, model.q, model.u, "%s", text);
    run_steps(s, 160); /* they slide for up to 0.03 s */
    double worst = 0;
    for (int k = 0; k < SPHERES; ++k) {
      const double *u = s->state.u + 6 * k, v = speed_of(k) * 5 / 7, a = heading_of(k);
      worst = fmax(worst, hypot(u[0] - v * cos(a), u[1] - v * sin(a)) / v);
    }
    CHECK_MESSAGE(worst <= 1e-4, "%s: off by %.3g of the speed", text, worst);
    CHECK_INT(s->last.contacts, SPHERES);
    CHECK_LE(fabs(run_imbalance(s)), 2e-3 * fabs(s->friction));
    /* nothing grows with the square of the bodies: that would be 170 kB a body */
    CHECK_LE((double)base_arena_peak(s->arena) / SPHERES, 12e3);
  }
}

/* A ball on top of a fixed one, thrown sideways: frames turn from step to step. */
static struct case_instance ball_on_ball(double mu) {
  return case_model_scene(
      "'gravity': [0, 0, -50], 'materials': {'m': {'mu': %g, 'eps_N': 0.5}}, 'bodies': [{'name': "
      "'below', 'fixed': true, 'shapes': [{'type': 'sphere', 'radius': 0.3, 'material': 'm'}]}, "
      "{'name': 'b', 'mass': 1, 'inertia': [4e-3, 4e-3, 4e-3], 'position': [0.05, 0.02, 0.34], "
      "'velocity': [0.8, 0.5, -0.2], 'angular_velocity': [2, -5, 3], 'shapes': [{'type': "
      "'sphere', 'radius': 0.1, 'material': 'm'}]}], 'allow_start': true",
      mu);
}

/* Rubbing and sliding all the way, and in contact. */
TEST(verlet_keeps_its_order_where_frames_turn) {
  for (int i = 0; i < 2; ++i) {
    const struct case_instance c = ball_on_ball(i == 0 ? 8 : 0.2);
    double error[4];
    struct run *truth = run_penalty(c.mech, 0.03 / 50, c.q, c.u, "K=2e3 tangential=spring " TIGHT);
    run_steps(truth, 50);
    for (int k = 0; k < 4; ++k) {
      const int n = 25 << k;
      struct run *s =
          run_penalty(c.mech, 0.03 / n, c.q, c.u, "K=2e3 tangential=spring stepper=verlet");
      run_steps(s, n);
      CHECK_INT(s->last.contacts, 1);
      error[k] = test_distance(7, s->state.q, truth->state.q);
    }
    for (int k = 1; k < 4; ++k) {
      CHECK_MESSAGE(fabs(log2(error[k - 1] / error[k]) - 2) < 0.3, "mu case %d: %.3g after %.3g", i,
                    error[k], error[k - 1]);
    }
  }
}

static int asked; /* times contacts were looked for */
static void (*find)(const struct mech *, const double *, const double *, double,
                    struct mech_contacts *);
static void count_and_find(const struct mech *m, const double *q, const double *u, double reach,
                           struct mech_contacts *out) {
  ++asked;
  find(m, q, u, reach, out);
}

/* Boxes thrown together: from its states now and then a few steps with contacts by lever arms and
 * with W written out, which a system without mech_body_ops.rigid has. Verlet looks for contacts
 * once a step, at its end, RK4 four times. */
TEST(contacts_by_arms_move_bodies_as_directions_written_out_do) {
  static const char *const text[] = {"stepper=verlet tangential=spring K=2e3 eps_min=0.5",
                                     "stepper=rk4 tangential=spring normal=hertz K=1e5",
                                     "stepper=rk4 K=1e4 D=2"};
  static const int looks[] = {1, 4, 4};
  enum { ROUNDS = 20, ROUND = 25, STEPS = 5 };
  const struct case_instance c =
      case_model_build("packing", "n=40 shape=box gap=0.01 spread=0.3", test_arena());
  struct mech_ops ops = *c.mech->ops;
  struct mech m = *c.mech;
  for (int j = 0; j < c.mech->nu; ++j) { /* towards the middle, and turning */
    const double *x = c.q + 7L * (j / 6);
    c.u[j] = j % 6 < 2 ? 20 * (0.2 - x[j % 6]) : cos(5 * j);
  }
  find = ops.contacts;
  ops.contacts = count_and_find;
  m.ops = &ops;
  for (int i = 0; i < 3; ++i) {
    struct run *run = run_penalty(&m, 5e-5, c.q, c.u, "%s", text[i]);
    double carried = 0;
    for (int round = 0; round < ROUNDS; ++round) {
      struct run *s[2];
      run_steps(run, ROUND);
      for (int k = 0; k < 2; ++k) {
        ops.bodies.rigid = k == 0 ? c.mech->ops->bodies.rigid : NULL;
        s[k] = run_penalty(&m, 5e-5, run->state.q, run->state.u, "%s", text[i]);
        run_steps(s[k], 1);
        asked = 0;
        run_steps(s[k], STEPS - 1);
        CHECK_INT(asked, looks[i] * (STEPS - 1));
      }
      ops.bodies.rigid = c.mech->ops->bodies.rigid;
      CHECK_NEAR(s[0]->friction, s[1]->friction, 1e-11 * fabs(s[1]->friction));
      CHECK_NEAR(s[0]->stored, s[1]->stored, 1e-11 * s[1]->energy);
      const double fastest = la_norm_inf(m.nu, s[1]->state.u);
      la_axpy(m.nu, -1, s[1]->state.u, s[0]->state.u);
      CHECK_LE(la_norm_inf(m.nu, s[0]->state.u), 1e-11 * fastest);
      carried += s[0]->last.contacts;
    }
    CHECK_LE(300, carried);
  }
}

/* A ball on a rod and a rope to the ceiling: the rod by multipliers and by a spring. Both keep
 * their length to what the springs give way, and the budget closes. */
TEST(rods_and_ropes_of_an_assembly_hold) {
  static const char *const law[] = {"", "normal=hertz K=1e9", "bilateral=spring K_S=1e6 D_S=10"};
  const struct case_instance c = case_model_scene(
      "'gravity': [0, 0, -9.81], 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [0.1, 0.2, 0.15], "
      "'position': [0.8, 0, 0], 'velocity': [0, 0.7, 0], 'angular_velocity': [1, 2, 3]}, {'name': "
      "'b', 'mass': 2, 'inertia': [0.1, 0.2, 0.15], 'position': [1.6, 0, 0], 'velocity': [0, 0.7, "
      "0], 'angular_velocity': [1, 2, 3]}], 'joints': [{'type': 'rope', 'bodies': ['a', 'world'], "
      "'point': [0.8, 0, 0], 'end': [0, 0, 0], 'length': 1, 'eps_N': 0.5}, {'type': 'rod', "
      "'bodies': ['a', 'b'], 'point': [0.8, 0, 0.05], 'end': [1.6, 0, 0]}]");
  for (int i = 0; i < 3; ++i) {
    struct run *s =
        run_penalty(c.mech, 1e-3, c.q, c.u,
                    "stepper=rk8pd rtol=1e-9 atol=1e-10 K=1e6 tangential=spring %s", law[i]);
    double longest = 0, rod = 0, gS[1];
    for (int k = 0; k < 800; ++k) {
      run_steps(s, 1);
      longest = fmax(longest, la_norm2(3, s->state.q) - 1);
      c.mech->ops->bilateral(c.mech, s->state.q, gS);
      rod = fmax(rod, fabs(gS[0]));
    }
    CHECK(s->onsets >= 1 && s->impact < -0.1);
    CHECK(longest > 1e-5 && longest < 2e-2);
    CHECK_LE(rod, i == 2 ? 5e-3 : 1e-12);
    CHECK_NEAR(s->friction, 0, 0);
    CHECK_LE(fabs(run_imbalance(s)), 1e-6);
  }
}
