/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrators where contacts rest: a block on its four corners, whose forces are not
 * unique, comes to rest where the closed form says and stays; a capsule on both ends, whose line is
 * a force the contacts share; a point that a joint keeps from moving along the normal; a block on a
 * plate that joints hold still; how a pressed block creeps; and the distance from the plane of an
 * end that sticks, by every formulation.
 */
#include "tests/test.h"

#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"
#include "la/dense.h"
#include "mech/assembly/assembly.h"
#include "tests/case_model.h"
#include "tests/form_run.h"

#include <math.h>

/* --- redundant contacts of one body --- */

struct rest {
  struct base_arena *arena;
  double E, rise;        /* energy of the last step; largest rise over a step [J] */
  double unexplained;    /* largest change beside the work of the contacts [J] */
  double q[7], start[3]; /* place after the last and after the first step */
  double last_way;       /* of the last step [m] */
  double newton;
  int iterations; /* of the solver, largest of a step */
};

static int watch_rest(const struct mech *m, const struct form_state *state,
                      const struct form_report *report, void *context) {
  struct rest *w = context;
  const double E = mech_energy(m, state->q, state->u, w->arena);
  if (w->E != 0) {
    w->rise = fmax(w->rise, E - w->E);
    w->unexplained =
        fmax(w->unexplained, fabs(E - w->E - report->work.friction - report->work.impact));
    w->last_way = hypot(state->q[0] - w->q[0], state->q[2] - w->q[2]);
  } else {
    la_copy(3, state->q, w->start);
  }
  w->E = E;
  la_copy(7, state->q, w->q);
  w->newton = fmax(w->newton, report->newton);
  w->iterations = report->iterations > w->iterations ? report->iterations : w->iterations;
  return 0;
}

/* Thrown down the incline at v0 it stops after v0^2 / (2 g (mu cos alpha - sin alpha)), at 0.80 s;
 * the scheme errs by what the block falls in its first step, g dt^2 / 2, and its impact. */
TEST(block_stops_on_its_corners_where_the_closed_form_says) {
  const double alpha = 20 * M_PI / 180, mu = 0.5, g = 9.81, v0 = 1, dt = 1e-3;
  const double a = g * (mu * cos(alpha) - sin(alpha));
  struct rest w = {.arena = test_arena()};
  CHECK_OK(case_model_run("closed-forms", "scene=incline", "consistent-quaternion-twostep", dt, 0.9,
                          watch_rest, &w));
  const double path = hypot(w.q[0] - w.start[0], w.q[2] - w.start[2]) + v0 * dt;
  CHECK_NEAR(path, v0 * v0 / (2 * a), g * dt * dt);
  CHECK_LE(w.last_way, 1e-15); /* at rest */
  CHECK_LE(w.rise, 1e-14);
  CHECK_LE(w.unexplained, 1e-13);
  CHECK_LE(w.newton, 1e-12);
}

/* Block relaxation alone took its 10000 sweeps where both ends stick nearly along their line. */
TEST(capsule_comes_to_lie_on_both_ends) {
  static const char *const forms[] = {"consistent-quaternion", "consistent-quaternion-twostep"};
  for (int i = 0; i < 2; ++i) {
    struct rest w = {.arena = test_arena()};
    CHECK_MESSAGE(case_model_run("cases/scenes/capsule.json", "", forms[i], 1e-3, 0.6, watch_rest,
                                 &w) == BASE_OK,
                  "%s: %s", forms[i], base_message());
    CHECK_LE(w.rise, 1e-14);
    CHECK_LE(w.unexplained, 1e-13);
    CHECK_LE(w.iterations, 2000);
  }
}

/* --- a contact that a joint holds --- */

/* A rod on a pivot at height 1 over a plane, hanging down to it (1 nm deep), set swinging: its end
 * cannot move along the normal. In space, and in the plane; `ground` is a body more, or none. */
static const char *const rods[2] = {
    "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0.5}}, 'allow_start': true, 'bodies': [%s"
    "{'name': 'rod', 'mass': 1, 'inertia': [0.1, 0.1, 0.02], 'position': [0, 0, 0.5], "
    "'velocity': [0.5, 0, 0], 'angular_velocity': [0, -1, 0], 'shapes': [{'type': 'point', "
    "'offset': [0, 0, -0.500000001], 'material': 'm'}]}], 'joints': [{'type': 'spherical', "
    "'bodies': ['world', 'rod'], 'point': [0, 0, 1]}]",
    "'dimension': 2, 'gravity': [0, -9.81], 'materials': {'m': {'mu': 0.5}}, 'allow_start': true, "
    "'bodies': [%s{'name': 'rod', 'mass': 1, 'inertia': 0.1, 'position': [0, 0.5], "
    "'velocity': [0.5, 0], 'angular_velocity': 1, 'shapes': [{'type': 'point', "
    "'offset': [0, -0.500000001], 'material': 'm'}]}], 'joints': [{'type': 'spherical', "
    "'bodies': ['world', 'rod'], 'point': [0, 1]}]"};
static const char *const grounds[2] = {
    "{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], "
    "'material': 'm'}]}, ",
    "{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 1], "
    "'material': 'm'}]}, "};

/* over: with the plane. */
static struct run *swing(const char *form, int planar, int over) {
  const struct case_instance c = case_model_scene(rods[planar], over ? grounds[planar] : "");
  struct run *run = run_begin(form, c.mech, 1e-3, c.q, c.u);
  run_watched(run, 50);
  CHECK_MESSAGE(run->status == BASE_OK, "%s: %s", form, base_message());
  CHECK_INT(run->onsets, 0); /* nothing carries */
  return run;
}

TEST(contact_held_by_a_joint_carries_nothing) {
  static const struct {
    const char *name;
    int planar;
    int counts; /* reports contacts that cannot carry */
  } runs[] = {{"consistent-quaternion", 0, 1},
              {"consistent-quaternion-twostep", 0, 1},
              {"consistent-twostep", 1, 1},
              {"lcp-st", 0, 0},
              {"lcp-ap", 1, 0},
              {"ncp", 0, 0},
              {"mdp", 1, 0}};
  for (int i = 0; i < 7; ++i) {
    const struct run *with = swing(runs[i].name, runs[i].planar, 1);
    const struct run *without = swing(runs[i].name, runs[i].planar, 0);
    CHECK_LE(runs[i].counts, with->seen.contacts);
    CHECK_INT(without->seen.contacts, 0);
    CHECK_LE(test_distance(with->setup.mech->nq, with->state.q, without->state.q), 1e-12);
    CHECK_LE(1e-2, fabs(with->state.q[0])); /* it did swing */
  }
}

/* A block in a guide along the plane it stands on, and a ball that rolls into it: guided, it takes
 * the push along the guide alone. x: of the block. */
static void push_guided(const char *form, const char *restitution, double *x) {
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [0, -9.81], 'materials': {'m': {'mu': 0.4, 'eps_N': %d}}, "
      "'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, "
      "1], 'material': 'm'}]}, {'name': 'block', 'mass': 2, 'inertia': 0.1, 'position': [0, 0.2], "
      "'shapes': [{'type': 'box', 'half': [0.2, 0.2], 'material': 'm'}]}, {'name': 'ball', 'mass': "
      "2, 'rotates': false, 'position': [-0.5001, 0.2], 'velocity': [1, 0], 'shapes': [{'type': "
      "'sphere', 'radius': 0.1, 'material': 'm'}]}], 'joints': [{'type': 'prismatic', 'bodies': "
      "['world', 'block'], 'axis': [1, 0]}, {'type': 'prismatic', 'bodies': ['world', 'ball'], "
      "'axis': [1, 0]}]",
      restitution != NULL);
  struct run *run = run_begin(form, c.mech, 1e-3, c.q, c.u);
  if (restitution != NULL) {
    run_set(run, "restitution=%s", restitution);
  }
  for (int k = 0; k < 400; ++k) {
    run_step(run, 1e-3);
  }
  CHECK_MESSAGE(run->status == BASE_OK, "%s: %s", form, base_message());
  *x = run->state.q[0];
}

/* 0.2 m on the way; then both go on together at half the speed, or, without loss, the block alone.
 */
TEST(block_in_a_guide_does_not_feel_the_plane_under_it) {
  static const struct {
    const char *form, *restitution;
  } runs[] = {{"ncp", NULL},    {"mdp", NULL},        {"moreau", NULL},
              {"lcp-st", NULL}, {"lcp-dca", NULL},    {"moreau-theta", NULL},
              {"ncp", "step"},  {"lcp-ap", "newton"}, {"ncp", "poisson"}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    double x;
    push_guided(runs[i].form, runs[i].restitution, &x);
    const double speed = runs[i].restitution != NULL ? 1 : 0.5;
    CHECK_MESSAGE(fabs(x - (0.4 - 0.2) * speed) < 2e-3, "%s: %.6g m", runs[i].form, x);
  }
}

/* --- a plate that joints hold still --- */

enum { HELD_JOINTS = 7 };
/* Joints to the world, point and axis each, that leave a plate no freedom; n = 0: a fixed body. */
struct held {
  const char *by;
  int n;
  struct mech_joint joint[HELD_JOINTS];
};
static const struct held holds[] = {
    {"nothing", 0, {{.kind = MECH_JOINT_FIXED}}},
    {"a weld at its centre", 1, {{.kind = MECH_JOINT_FIXED, .body = {0, -1}}}},
    {"a weld aside", 1, {{.kind = MECH_JOINT_FIXED, .body = {-1, 0}, .point = {2.3, -0.4, 0.7}}}},
    {"two welds",
     2,
     {{.kind = MECH_JOINT_FIXED, .body = {-1, 0}, .point = {2.3, -0.4, 0.7}},
      {.kind = MECH_JOINT_FIXED, .body = {0, -1}, .point = {-1.1, 0.9, 0.3}}}},
    {"three balls",
     3,
     {{.kind = MECH_JOINT_SPHERICAL, .body = {0, -1}},
      {.kind = MECH_JOINT_SPHERICAL, .body = {0, -1}, .point = {1, 0, 0}},
      {.kind = MECH_JOINT_SPHERICAL, .body = {-1, 0}, .point = {0, 1, 0.2}}}},
    {"two hinges",
     2,
     {{.kind = MECH_JOINT_REVOLUTE, .body = {0, -1}, .point = {1.7, 0.2, 0}, .axis = {1, 2, 0}},
      {.kind = MECH_JOINT_REVOLUTE, .body = {0, -1}, .point = {-2, 0.4, 1}, .axis = {0, 1, 3}}}},
    {"two sliders",
     2,
     {{.kind = MECH_JOINT_PRISMATIC, .body = {-1, 0}, .point = {0.6, 0.3, 1}, .axis = {1, 0.3, 0}},
      {.kind = MECH_JOINT_PRISMATIC, .body = {0, -1}, .point = {2, 0, -1}, .axis = {0, 1, 0.5}}}},
    {"seven rods",
     7,
     {{.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {2, 1, 0}, .end = {2.3, 1.2, 3}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {-2, 1, 0}, .end = {-2.1, 1.7, 2}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {0, -1, 0}, .end = {0.4, -1.2, 4}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {2, 0, 0}, .end = {5, 0.3, 0.2}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {1, 1, 0.1}, .end = {1.2, 4, 0}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {-2, -1, 0}, .end = {-1.8, -3, 0.1}},
      {.kind = MECH_JOINT_ROD, .body = {0, -1}, .point = {1, 0, 0}, .end = {2, 2, 2}}}},
};
enum { HOLDS = sizeof holds / sizeof *holds };

/* A plate of 10 kg, which lies on the ground, and a block thrown along it; block: 7, in the end. */
static void slide_on_plate(const char *form, const struct held *held, double dt, double *block) {
  struct mech_assembly *a = mech_assembly_alloc(MECH_SPATIAL, "plate", test_arena());
  const int wood = mech_assembly_material(a, &(struct mech_material){.mu = 0.3});
  struct mech *m;
  double *q, *u;
  mech_assembly_gravity(a, (double[]){0, 0, -9.81});
  mech_assembly_body(a,
                     &(struct mech_body){.mass = 10, .inertia = {1, 2, 3}, .fixed = held->n == 0});
  mech_assembly_body(
      a, &(struct mech_body){
             .mass = 1, .inertia = {0.01, 0.01, 0.01}, .position = {-1, 0, 0.2}, .velocity = {2}});
  mech_assembly_shape(
      a, &(struct mech_shape){
             .kind = MECH_SHAPE_HALFSPACE, .body = -1, .offset = {0, 0, -0.1}, .material = wood});
  for (int i = 0; i < 2; ++i) {
    mech_assembly_shape(a, &(struct mech_shape){.kind = MECH_SHAPE_BOX,
                                                .body = i,
                                                .half = {i == 0 ? 5 : 0.1, i == 0 ? 2 : 0.1, 0.1},
                                                .material = wood});
  }
  for (int i = 0; i < held->n; ++i) {
    struct mech_joint joint = held->joint[i];
    joint.length = -1;
    CHECK(mech_assembly_joint(a, &joint) >= 0);
  }
  CHECK_OK(mech_assembly_finish(a, &m, &q, &u, NULL));
  struct run *run = run_begin(form, m, dt, q, u);
  for (int k = 0; k < 60; ++k) {
    run_step(run, dt);
  }
  CHECK_MESSAGE(run->status == BASE_OK, "%s, held by %s: %s", form, held->by, base_message());
  la_copy(7, run->state.q + m->nq - 7, block);
}

/* It slides as on a fixed body, x = v t - mu g t^2 / 2 but for what a step errs by. The velocities
 * of the plate, which are rounding, must not turn its joints' discrete derivatives. */
TEST(block_slides_on_a_plate_that_joints_hold_as_on_a_fixed_one) {
  static const char *const forms[] = {"consistent-quaternion", "consistent-quaternion-twostep",
                                      "moreau", "ncp", "event"};
  const double dt = 5e-3, t = 60 * dt, x = -1 + 2 * t - 0.15 * 9.81 * t * t;
  for (int f = 0; f < 5; ++f) {
    double fixed[7] = {0}, block[7] = {0};
    for (int i = 0; i < HOLDS; ++i) {
      slide_on_plate(forms[f], &holds[i], dt, i == 0 ? fixed : block);
      CHECK_MESSAGE(fabs(fixed[0] - x) < 2 * dt * 0.3 * 9.81 * t, "%s: %.9g m", forms[f], fixed[0]);
      for (int j = 0; j < 7 && i > 0; ++j) {
        CHECK_MESSAGE(fabs(block[j] - fixed[j]) < 1e-9, "%s, held by %s: coordinate %d off by %.3g",
                      forms[f], holds[i].by, j, block[j] - fixed[j]);
      }
    }
  }
}

/* --- a block pressed and pushed below mu N --- */

/* Where it is after n steps; the push along x, the weight up the other way. */
static void press(const char *form, int planar, double dt, int n, double x[2]) {
  static const char *const scenes[2] = {
      "'gravity': [2, 0, -10], 'materials': {'m': {'mu': 0.5}}, 'bodies': [{'name': 'ground', "
      "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'offset': -0.1, "
      "'material': 'm'}]}, {'name': 'b', 'mass': 1.5, 'inertia': [0.01, 0.01, 0.01], 'shapes': "
      "[{'type': 'box', 'half': [0.1, 0.1, 0.1], 'material': 'm'}]}]",
      "'dimension': 2, 'gravity': [2, -10], 'materials': {'m': {'mu': 0.5}}, 'bodies': [{'name': "
      "'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 1], 'offset': -0.1, "
      "'material': 'm'}]}, {'name': 'b', 'mass': 1.5, 'inertia': 0.01, 'shapes': [{'type': 'box', "
      "'half': [0.1, 0.1], 'material': 'm'}]}]"};
  const struct case_instance c = case_model_scene("%s", scenes[planar]);
  struct run *run = run_begin(form, c.mech, dt, c.q, c.u);
  for (int k = 0; k < n; ++k) {
    run_step(run, dt);
  }
  CHECK_MESSAGE(run->status == BASE_OK, "%s: %s", form, base_message());
  x[0] = run->state.q[0];
  x[1] = run->state.q[planar ? 1 : 2];
}

/* The inclusion of (5.141) does not hold the forces of the step: from the second step on the
 * velocity is dt/2 of what they accelerate a free body by, in the plane and in space alike. In two
 * steps the block stands. */
TEST(pressed_block_creeps_in_one_step_and_stands_in_two) {
  const double dt = 2e-3;
  const int n = 200;
  for (int i = 0; i < 2; ++i) {
    double x[2];
    press("consistent-quaternion", i, dt, n, x);
    CHECK_NEAR(x[0], (n - 0.5) * dt * dt / 2 * 2, 1e-12);
    CHECK_NEAR(x[1], (n - 0.5) * dt * dt / 2 * -10, 1e-12);
    press("consistent-quaternion-twostep", i, dt, n, x);
    CHECK_NEAR(x[0], 0, 1e-15);
    CHECK_NEAR(x[1], 0, 1e-15);
  }
}

/* --- an end that sticks --- */

struct stuck {
  double t_first, z, lowest, highest; /* P1 once it sticks [m] */
};

static int watch_stuck(const struct mech *m, const struct form_state *state,
                       const struct form_report *report, void *context) {
  struct stuck *w = context;
  double q[SPATIAL_DOUBLE_PENDULUM_Q], u[SPATIAL_DOUBLE_PENDULUM_U];
  (void)report;
  m->ops->observe(m, state->q, state->u, q, u);
  if (state->t > w->t_first) {
    const double z = q[SPATIAL_DOUBLE_PENDULUM_P1 + 2];
    w->lowest = fmin(w->lowest, z);
    w->highest = fmax(w->highest, z);
  }
  return 0;
}

/* P1 falls by 0.1 m and sticks from 0.18 to 0.40 s. At dt = 1e-4 s discrete normals alone keep its
 * height, where it touched; schemes on gap level bring it to the plane but for dt^2, 1e-9 m at
 * first and 1.8e-9 m in the end; those that hold the velocity let it sink or rise. */
TEST(heights_of_an_end_that_sticks) {
  static const struct {
    const char *name, *set;
    double t_end, off, change; /* [s], bounds [m] */
  } runs[] = {{"lcp-st", "", 0.4, 2e-9, 2e-9},
              {"lcp-dca", "", 0.4, 2e-9, 2e-9},
              {"ccp", "", 0.4, 2e-9, 2e-9},
              {"ncp", "", 0.4, 2e-9, 2e-9},
              {"mdp", "", 0.4, 2e-9, 2e-9},
              {"moreau", "", 0.4, 1e-4, 3e-6},
              {"lcp-ap", "", 0.4, 1e-4, 3e-6},
              {"consistent-twostep", " bodies=scalable", 0.21, 3e-5, 3e-6},
              {"consistent-quaternion", "", 0.21, 3e-4, 1e-4},
              {"consistent-quaternion-twostep", "", 0.21, 3e-5, 1e-13}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct stuck w = {.t_first = 0.18, .lowest = INFINITY, .highest = -INFINITY};
    const char *set =
        base_arena_printf(test_arena(), "qa2=1 qb1=0 qb2=1 vx0=0 vy0=0 z0=0.1%s", runs[i].set);
    CHECK_MESSAGE(case_model_run("spatial-double-pendulum", set, runs[i].name, 1e-4, runs[i].t_end,
                                 watch_stuck, &w) == BASE_OK,
                  "%s: %s", runs[i].name, base_message());
    const double off = fmax(fabs(w.lowest), fabs(w.highest)), change = w.highest - w.lowest;
    CHECK_MESSAGE(off <= runs[i].off && change <= runs[i].change,
                  "%s: off the plane by %.3g m, moves by %.3g m", runs[i].name, off, change);
  }
}
