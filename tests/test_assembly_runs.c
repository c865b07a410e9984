/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulations on assemblies: closed forms by `event`, momentum over a run, a double pendulum over
 * a plane by impulse stepping, consistent integrators, ropes.
 */
#include "tests/test.h"

#include "base/status.h"
#include "form/form.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"

#include <gsl/gsl_sf_ellint.h>
#include <stdio.h>

struct model {
  struct base_arena *arena;
  struct mech_assembly *a;
  struct mech *m;
  struct form_state s;
};

static struct model model_begin(enum mech_assembly_kind kind, double g) {
  struct model model = {.arena = test_arena()};
  model.a = mech_assembly_alloc(kind, "assembly", model.arena);
  mech_assembly_gravity(model.a, kind == MECH_PLANAR ? (double[]){0, -g, 0} : (double[]){0, 0, -g});
  return model;
}

static void model_finish(struct model *model) {
  CHECK_MESSAGE(mech_assembly_finish(model->a, &model->m, &model->s.q, &model->s.u, NULL) ==
                    BASE_OK,
                "%s", base_message());
}

/* What a run did, summed over its steps. */
struct run {
  int status, contacts;
  double work;       /* friction, impacts, damping, applied [J] */
  double gS, gap;    /* largest |g_S|, smallest g_N seen */
  double worst_rise; /* of energy over what the work explains [J] */
};

static void look(const struct model *model, struct run *run) {
  const struct mech *m = model->m;
  const struct base_arena_mark mark = base_arena_mark(model->arena);
  if (m->ns > 0) {
    double *g = base_arena_doubles(model->arena, m->ns);
    m->ops->bilateral(m, model->s.q, g);
    run->gS = fmax(run->gS, la_norm_inf(m->ns, g));
  }
  if (m->ops->contacts != NULL) {
    struct mech_contacts list;
    mech_contacts_init(&list, m, model->arena);
    mech_contacts_find(m, model->s.q, NULL, INFINITY, &list);
    for (int i = 0; i < list.n; ++i) {
      run->gap = fmin(run->gap, list.gN[i]);
    }
  }
  base_arena_release(model->arena, mark);
}

static struct run go(struct model *model, const char *name, double dt, int steps) {
  struct base_arena *arena = test_arena();
  struct run run = {.gap = INFINITY};
  const double start = model->s.t;
  const struct form *form = form_find(name);
  struct form_setup setup = {
      .mech = model->m, .loop = problem_loop_default(), .dt = dt, .arena = arena};
  void *options = base_arena_push(arena, form->options_size);
  base_options_default(form->options, options);
  setup.options = options;
  if (form->solver != NULL) {
    setup.solver = problem_solver_find(form->solver);
    void *solver_options = base_arena_push(arena, setup.solver->options_size);
    base_options_default(setup.solver->options, solver_options);
    setup.solver_options = solver_options;
  }
  run.status = form->check != NULL ? form->check(&setup) : BASE_OK;
  void *workspace = run.status == BASE_OK ? form->alloc(&setup, &model->s) : NULL;
  CHECK_MESSAGE(workspace != NULL, "%s: %s", name, base_message());
  for (int k = 0; k < steps && workspace != NULL && run.status <= BASE_UNCONVERGED; ++k) {
    struct form_report report = {0};
    const double before = mech_energy(model->m, model->s.q, model->s.u, arena);
    const int status = form->step(workspace, &model->s, dt, &report);
    const double work =
        report.work.friction + report.work.impact + report.work.damping + report.work.applied;
    model->s.t = start + (k + 1) * dt;
    run.status = status > run.status ? status : run.status;
    run.work += work;
    run.contacts = report.contacts > run.contacts ? report.contacts : run.contacts;
    run.worst_rise =
        fmax(run.worst_rise, mech_energy(model->m, model->s.q, model->s.u, arena) - before - work);
    look(model, &run);
  }
  CHECK_MESSAGE(run.status <= BASE_UNCONVERGED, "%s: %s", name, base_message());
  if (workspace != NULL && form->free != NULL) {
    form->free(workspace);
  }
  return run;
}

/* A rigid body hung from the world at rest at the angle theta0 swings with the period
 * T = 4 K(sin(theta0 / 2)) / sqrt(m g l / I). */
TEST(pendulum_swings_with_its_elliptic_period) {
  const double m = 1.3, g = 9.81, l = 0.7, I = 0.4, theta0 = 2.1;
  const double omega0 = sqrt(m * g * l / (I + m * l * l));
  const double T = 4 * gsl_sf_ellint_Kcomp(sin(theta0 / 2), GSL_PREC_DOUBLE) / omega0;
  static const enum mech_joint_kind kinds[] = {MECH_JOINT_SPHERICAL, MECH_JOINT_REVOLUTE,
                                               MECH_JOINT_SPHERICAL};
  for (int i = 0; i < 3; ++i) {
    struct model model = model_begin(i == 2 ? MECH_PLANAR : MECH_SPATIAL, g);
    const int up = i == 2 ? 1 : 2;
    struct mech_body body = {.mass = m, .inertia = {0.3, I, 0.35}};
    if (i == 2) {
      body.inertia[2] = I;
    }
    body.position[0] = l * sin(theta0);
    body.position[up] = -l * cos(theta0);
    mech_assembly_body(model.a, &body);
    mech_assembly_joint(model.a,
                        &(struct mech_joint){.kind = kinds[i], .body = {-1, 0}, .axis = {0, 1, 0}});
    model_finish(&model);
    go(&model, "event", T / 40, 10);
    CHECK_NEAR(model.s.q[0], 0, 1e-9); /* straight down after a quarter */
    CHECK_NEAR(model.s.q[up], -l, 1e-9);
    const struct run run = go(&model, "event", T / 40, 30);
    CHECK_NEAR(model.s.q[0], body.position[0], 1e-8);
    CHECK_NEAR(model.s.q[up], body.position[up], 1e-8);
    CHECK(run.gS < 1e-9);
  }
}

/* Two boxes joined by a ball joint over a plane: falls on it, slides, comes to lie. */
TEST(double_pendulum_over_a_plane_by_impulse_stepping) {
  static const char *const forms[] = {"moreau", "ccp", "lcp-st"};
  for (int i = 0; i < 3; ++i) {
    struct model model = model_begin(MECH_SPATIAL, 9.81);
    const int steel = mech_assembly_material(model.a, &(struct mech_material){.mu = 0.3});
    struct mech_body link = {.mass = 1, .inertia = {0.02, 0.02, 0.004}, .position = {0.5, 0, 1}};
    double tip[3] = {0, 0, 1};
    for (int k = 0; k < 2; ++k) {
      const int body = mech_assembly_body(model.a, &link);
      mech_assembly_joint(model.a,
                          &(struct mech_joint){.body = {body - 1, body}, .point = {tip[0], 0, 1}});
      mech_assembly_shape(model.a, &(struct mech_shape){.kind = MECH_SHAPE_BOX,
                                                        .body = body,
                                                        .half = {0.48, 0.05, 0.06},
                                                        .material = steel});
      link.position[0] += 1;
      tip[0] += 1;
    }
    mech_assembly_shape(model.a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE,
                                                      .body = -1,
                                                      .offset = {0, 0, -0.4},
                                                      .material = steel});
    model_finish(&model);
    const double E0 = mech_energy(model.m, model.s.q, model.s.u, model.arena);
    const struct run run = go(&model, forms[i], 2e-3, 700);
    CHECK(run.contacts >= 1);
    CHECK_MESSAGE(run.work < 0, "%s: impacts and friction took %g", forms[i], -run.work);
    CHECK_MESSAGE(run.gap > -0.02, "%s: penetration %g", forms[i], -run.gap);
    CHECK_MESSAGE(run.gS < 0.02, "%s: joints off by %g", forms[i], run.gS);
    CHECK(mech_energy(model.m, model.s.q, model.s.u, model.arena) < E0);
  }
}

/* A ball thrown along a floor: event against the closed form of sliding until it rolls,
 * v = v0 - mu g t until t = 2 v0 / (7 mu g), then 5/7 v0. */
TEST(ball_slides_until_it_rolls) {
  const double mu = 0.2, v0 = 2, R = 0.3, g = 9.81, m = 0.7;
  struct model model = model_begin(MECH_SPATIAL, g);
  const int material = mech_assembly_material(model.a, &(struct mech_material){.mu = mu});
  const double I = 0.4 * m * R * R;
  mech_assembly_body(
      model.a, &(struct mech_body){
                   .mass = m, .inertia = {I, I, I}, .position = {0, 0, R}, .velocity = {v0, 0, 0}});
  mech_assembly_shape(
      model.a, &(struct mech_shape){.kind = MECH_SHAPE_SPHERE, .radius = R, .material = material});
  mech_assembly_shape(model.a, &(struct mech_shape){.kind = MECH_SHAPE_HALFSPACE, .body = -1});
  model_finish(&model);
  const double slides = 2 * v0 / (7 * mu * g);
  go(&model, "event", slides / 20, 10);
  CHECK_NEAR(model.s.u[0], v0 - mu * g * slides / 2, 1e-9);
  go(&model, "event", slides / 20, 20);
  CHECK_NEAR(model.s.u[0], 5.0 / 7 * v0, 1e-9);
  CHECK_NEAR(model.s.u[0], model.s.u[4] * R, 1e-9);
  CHECK_NEAR(model.s.q[2], R, 1e-10);
  CHECK_NEAR(model.s.q[0], v0 * slides - mu * g * slides * slides / 2 + 5.0 / 7 * v0 * slides / 2,
             1e-9);
}

/* A point on a rope swings freely once taut, and its speed along the rope is lost (eps 0) or
 * turned (eps 1) when it becomes so: height h over a horizontal start of a slack rope. */
TEST(rope_becomes_taut_and_holds) {
  static const char *const forms[] = {"event", "moreau", "ccp", "ncp", "mdp", "lcp-st"};
  for (int i = 0; i < 6; ++i) {
    struct model model = model_begin(MECH_SPATIAL, 9.81);
    const double L = 1, x = 0.6, fall = 0.8; /* taut at (0.6, 0, -0.8) */
    mech_assembly_body(model.a,
                       &(struct mech_body){.mass = 2, .no_rotation = 1, .position = {x, 0, 0}});
    mech_assembly_joint(
        model.a, &(struct mech_joint){
                     .kind = MECH_JOINT_ROPE, .body = {-1, 0}, .end = {x, 0, 0}, .length = L});
    model_finish(&model);
    const double t = sqrt(2 * fall / 9.81), v = 9.81 * t, dt = t / 1000;
    const struct run run = go(&model, forms[i], dt, 1001);
    const double tolerance = i == 0 ? 0.02 : 0.05; /* one step of gravity and of the scheme */
    const double across = v * x / L; /* what is left of the fall: along (-0.8, 0, -0.6) */
    CHECK_NEAR(model.s.u[0], -across * 0.8, tolerance);
    CHECK_NEAR(model.s.u[2], -across * 0.6, tolerance);
    CHECK_MESSAGE(run.gap > -2e-2 * L, "%s: rope longer by %g", forms[i], -run.gap);
    CHECK(model.s.u[3] == 0 && model.s.u[4] == 0 && model.s.u[5] == 0);
  }
}

/* Energy of a chain of two on springs by the energy-consistent integrators. */
TEST(consistent_integrators_keep_the_energy_of_assemblies) {
  static const struct {
    const char *form;
    enum mech_assembly_kind kind;
    int joint;
  } cells[] = {{"consistent-quaternion", MECH_SPATIAL, MECH_JOINT_SPRING},
               {"consistent-decomposed", MECH_SCALABLE, MECH_JOINT_SPHERICAL},
               {"consistent-coordinate", MECH_SCALABLE, MECH_JOINT_SPHERICAL},
               {"consistent-onestep", MECH_SCALABLE, MECH_JOINT_SPHERICAL},
               {"consistent-onestep", MECH_PLANAR, MECH_JOINT_SPHERICAL},
               {"consistent-twostep", MECH_PLANAR, MECH_JOINT_ROD}};
  for (int i = 0; i < (int)(sizeof cells / sizeof *cells); ++i) {
    struct model model = model_begin(cells[i].kind, 9.81);
    const int up = cells[i].kind == MECH_PLANAR ? 1 : 2;
    for (int k = 0; k < 2; ++k) {
      struct mech_body body = {.mass = 1, .inertia = {0.1, 0.12, 0.15}, .omega = {0.3, -0.2, 0.4}};
      body.position[0] = 0.5 + k;
      body.position[up] = 1;
      mech_assembly_body(model.a, &body);
      struct mech_joint j = {.kind = (enum mech_joint_kind)cells[i].joint,
                             .body = {k - 1, k},
                             .length = -1,
                             .stiffness = 100};
      j.point[0] = k;
      j.point[up] = 1;
      j.end[0] = k + 0.4;
      j.end[up] = 1.1;
      mech_assembly_joint(model.a, &j);
    }
    model_finish(&model);
    const double E0 = mech_energy(model.m, model.s.q, model.s.u, model.arena);
    const struct run run = go(&model, cells[i].form, 5e-3, 100);
    const double E = mech_energy(model.m, model.s.q, model.s.u, model.arena);
    CHECK_MESSAGE(fabs(E - E0) < 1e-9 * (1 + fabs(E0)), "%s: energy off by %g", cells[i].form,
                  E - E0);
    CHECK_MESSAGE(run.gS < 1e-9, "%s: joints off by %g", cells[i].form, run.gS);
  }
}

/* The quaternion integrators with bilateral constraints on both levels: three bodies on a ball
 * joint, a hinge and a rod, no contacts. Energy, g_S, gamma_S and |A| stay to round-off over 300
 * steps, and halving the step gains two orders against `event`. */
TEST(quaternion_integrators_keep_joints_and_energy) {
  static const char *const forms[] = {"consistent-quaternion", "consistent-quaternion-twostep"};
  static const enum mech_joint_kind kinds[] = {MECH_JOINT_SPHERICAL, MECH_JOINT_REVOLUTE,
                                               MECH_JOINT_ROD};
  for (int i = 0; i < 2; ++i) {
    double error[2], truth[21];
    for (int level = -1; level < 2; ++level) {
      struct model model = model_begin(MECH_SPATIAL, 9.81);
      for (int k = 0; k < 3; ++k) {
        mech_assembly_body(model.a, &(struct mech_body){.mass = 1 + 0.5 * k,
                                                        .inertia = {0.1, 0.12, 0.15},
                                                        .omega = {0.8, -0.6, 1.1},
                                                        .position = {0.5 + k, 0.1 * k, 0.05}});
        mech_assembly_joint(model.a, &(struct mech_joint){.kind = kinds[k],
                                                          .body = {k - 1, k},
                                                          .length = -1,
                                                          .point = {k, 0.1 * k, 0},
                                                          .end = {k + 0.4, 0.1 * k + 0.1, 0.1},
                                                          .axis = {0.1, 1, 0.2}});
      }
      model_finish(&model);
      const int steps = level < 0 ? 10 : 150 << level;
      const double E0 = mech_energy(model.m, model.s.q, model.s.u, model.arena);
      const struct run run = go(&model, level < 0 ? "event" : forms[i], 0.6 / steps, steps);
      if (level < 0) {
        la_copy(21, model.s.q, truth);
      } else {
        const double E = mech_energy(model.m, model.s.q, model.s.u, model.arena);
        double *gamma = base_arena_doubles(model.arena, model.m->ns);
        double *WS = base_arena_doubles(model.arena, model.m->ns * model.m->nu);
        mech_bilateral_directions(model.m, model.s.q, WS, model.arena);
        la_gemv_t(model.m->nu, model.m->ns, 1, WS, model.s.u, 0, gamma);
        CHECK_MESSAGE(fabs(E - E0) < 1e-11 * fabs(E0), "%s: energy off by %g", forms[i], E - E0);
        CHECK_MESSAGE(run.gS < 1e-13, "%s: joints off by %g", forms[i], run.gS);
        CHECK_MESSAGE(la_norm_inf(model.m->ns, gamma) < 1e-12, "%s: rates of joints %g", forms[i],
                      la_norm_inf(model.m->ns, gamma));
        error[level] = 0;
        for (int k = 0; k < 3; ++k) {
          CHECK_NEAR(la_norm2(4, model.s.q + 7 * k + 3), 1, 1e-13);
        }
        for (int j = 0; j < 21; ++j) {
          error[level] = fmax(error[level], fabs(model.s.q[j] - truth[j]));
        }
      }
    }
    CHECK_MESSAGE(error[0] < 1e-2 && error[1] > 0.23 * error[0] && error[1] < 0.27 * error[0],
                  "%s: errors %g, %g", forms[i], error[0], error[1]);
  }
}

/* A hinge dragged along x as a table says, a body hanging from it that turns as it likes: the hinge
 * stays where the table has it. */
TEST(prescribed_motion_is_followed) {
  static const char *const forms[] = {"event", "moreau", "ccp", "ncp", "lcp-st"};
  static const double t[] = {-0.2, 0.1, 0.5, 0.8, 1.1}, x[] = {0, 0.05, 0.3, 0.1, 0.2};
  for (int i = 0; i < 5; ++i) {
    struct model model = model_begin(MECH_PLANAR, 9.81);
    const struct mech_table table = {5, t, x};
    mech_assembly_body(model.a, &(struct mech_body){.mass = 1, .inertia = {0, 0, 0.1}});
    for (int axis = 0; axis < 2; ++axis) {
      mech_assembly_joint(
          model.a, &(struct mech_joint){.kind = MECH_JOINT_MOTION,
                                        .body = {0, -1},
                                        .point = {0.1, 0.5, 0},
                                        .axis = {axis == 0, axis == 1, 0},
                                        .motion = axis == 0 ? table : (struct mech_table){0}});
    }
    model_finish(&model);
    go(&model, forms[i], 1e-3, 800);
    mech_set_time(model.m, model.s.t);
    const double c = cos(model.s.q[2]), s = sin(model.s.q[2]);
    const double tolerance = i == 0 ? 1e-8 : 2e-3;
    CHECK_NEAR(model.s.q[0] + c * 0.1 - s * 0.5, 0.1 + 0.1, tolerance);
    CHECK_NEAR(model.s.q[1] + s * 0.1 + c * 0.5, 0.5, tolerance);
    CHECK(fabs(model.s.q[2]) > 0.1);
  }
}

TEST_MAIN()
