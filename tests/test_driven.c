/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies driven by prescribed motion whose velocity jumps: every jump is an impact. A block of 1 kg
 * lies on (or falls onto) a plate of 5 kg that moves as two tables say, along x and upwards, in the
 * plane and in space. With the plate at V and Coulomb's law a block at rest slides for V / (mu g)
 * and is then V^2 / (2 mu g) behind; a block thrown up with V is back after 2 V / g.
 */
#include "mech/bilateral/bilateral.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <stdlib.h>

#include "bench/run/run.h"
#include "mech/assembly/assembly.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/scratch.h"

static const double g = 9.81;

/* The scene: what differs from test to test. */
struct driven {
  int dim;
  double mu, eps, t_end;
  const char *along, *up;      /* tables; NULL: stays */
  const char *plate;           /* further keys of its, each with a comma behind; or NULL */
  double above;                /* of the block over the plate [m] */
  const char *bodies, *joints; /* more of them, each with a comma before; or NULL */
  const char *bound;           /* of the reference, with a comma before; NULL: to be measured */
};

static const char *or_else(const char *text, const char *otherwise) {
  return text != NULL ? text : otherwise;
}

static const char *write_scene(const struct driven *d) {
  const char *stays = "[[0, 0]]";
  const int planar = d->dim == 2;
  const char *mid = planar ? "" : "0, "; /* y of a vector in space */
  const char *aside =
      planar ? ""
             : "{'type': 'motion', 'bodies': ['p', 'world'], 'point': [0, 0, -0.1], 'axis': [0, 1, "
               "0], 'table': [[0, 0]]}, ";
  return scratch_scene(
      "driven",
      "'dimension': %d, 'gravity': [0, %s-9.81], 'dt': 1e-3, 't_end': %.17g, 'reference': {'kind': "
      "'event'%s}, 'materials': {'m': {'mu': %g, 'eps_N': %g}}, 'bodies': [{'name': 'p', %s'mass': "
      "5, 'rotates': false, 'position': [0, %s-0.1], 'shapes': [{'type': 'box', 'half': [4, "
      "%s0.1], "
      "'material': 'm'}]}, {'name': 'b', 'mass': 1, 'rotates': false, 'position': [0, %s%.17g], "
      "'shapes': [{'type': 'sphere', 'radius': 0.1, 'material': 'm'}]}%s], 'joints': [{'type': "
      "'motion', 'name': 'along', 'bodies': ['p', 'world'], 'point': [0, %s-0.1], 'axis': [1, "
      "%s0], "
      "'table': %s}, %s{'type': 'motion', 'name': 'up', 'bodies': ['p', 'world'], 'point': [0, "
      "%s-0.1], 'axis': [0, %s1], 'table': %s}%s]",
      d->dim, mid, d->t_end, or_else(d->bound, ""), d->mu, d->eps, or_else(d->plate, ""), mid,
      planar ? "" : "4, ", mid, 0.1 + d->above, or_else(d->bodies, ""), mid, mid,
      or_else(d->along, stays), aside, mid, mid, or_else(d->up, stays), or_else(d->joints, ""));
}

/* The reference of a scene is made once for all that run it. */
static int run_with(struct trial *trial, const struct driven *d, const char *formulation, double dt,
                    const char *option, enum trial_errors errors) {
  const struct bench_request request = {.case_name = write_scene(d),
                                        .formulation = formulation,
                                        .dt = dt,
                                        .references = scratch_folder()};
  return trial_run(trial, request, "", option, errors);
}

static int run(struct trial *trial, const struct driven *d, const char *formulation, double dt,
               const char *option) {
  return run_with(trial, d, formulation, dt, option, TRIAL_WITH_ERRORS);
}

static const char *height(const struct driven *d) { return d->dim == 2 ? "b.y" : "b.z"; }
static const char *rise(const struct driven *d) { return d->dim == 2 ? "b.vy" : "b.vz"; }

static const double EXACT = 1e-11;

/* Run by event: everything to rounding, energy too; in the plane within its own bound. */
static void run_event(struct trial *t, const struct driven *d) {
  CHECK_MESSAGE(run_with(t, d, "event", fmin(1e-2, d->t_end), NULL, d->dim == 2) == BASE_OK,
                "%dD: %s", d->dim, t->out.reason);
  if (d->dim == 2) {
    CHECK_TEXT(t->out.reference.kind, "self");
    CHECK_LE(t->out.errors.q_linf, t->out.reference.bound);
    CHECK(t->out.reference.bound > 1e-15); /* what rounding alone would make of it */
  }
  CHECK_LE(t->out.energy.max_numerical_drift, 1e-9);
}

/* Impulse stepping against event: first order. most: error over dt at most [m/s]. In the plane by
 * every scheme, in space by one of each kind. */
static void compare_steppers(const struct driven *d, double most) {
  static const char *const forms[] = {"moreau", "lcp-st", "lcp-ap", "lcp-dca", "ncp", "mdp"};
  static const double dt[] = {5e-3, 2e-3};
  struct driven known = *d;
  known.bound = ", 'bound': 1e-10";
  for (int f = 0; f < (d->dim == 2 ? 6 : 3); ++f) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      struct trial t;
      CHECK_MESSAGE(run(&t, &known, forms[f], dt[k], NULL) == BASE_OK, "%s: %s", forms[f],
                    t.out.reason);
      error[k] = t.out.errors.q_linf;
      CHECK_MESSAGE(error[k] <= most * dt[k], "%s, %dD, dt %g: off by %.3g", forms[f], d->dim,
                    dt[k], error[k]);
    }
    CHECK_MESSAGE(error[1] <= 0.5 * error[0] + 1e-12, "%s, %dD: %.3g, then %.3g", forms[f], d->dim,
                  error[0], error[1]);
  }
}

/* The budget of impulse stepping closes as event's does: what the drive gives in the course of the
 * motion, and what the numerical part is left with, which halves with the step. */
static void budget_closes(const struct driven *d, double applied, double most) {
  static const char *const forms[] = {"moreau", "moreau-theta", "lcp-st", "lcp-dca", "ncp", "mdp"};
  struct driven known = *d;
  known.bound = ", 'bound': 1e-10";
  for (int f = 0; f < 6; ++f) {
    for (int k = 0; k < 2; ++k) {
      const double dt = k == 0 ? 5e-3 : 2e-3;
      struct trial t;
      CHECK_MESSAGE(run_with(&t, &known, forms[f], dt, NULL, TRIAL_WITHOUT_ERRORS) == BASE_OK,
                    "%s: %s", forms[f], t.out.reason);
      CHECK_MESSAGE(fabs(t.out.energy.applied - applied) <= most * dt, "%s, %dD, dt %g: %g J of %g",
                    forms[f], d->dim, dt, t.out.energy.applied, applied);
      CHECK_MESSAGE(t.out.energy.max_numerical_drift <= most * dt, "%s, %dD, dt %g: %g J lost",
                    forms[f], d->dim, dt, t.out.energy.max_numerical_drift);
    }
  }
}

TEST(plate_starts_at_once) {
  const double V = 0.5, mu = 0.3;
  for (int dim = 2; dim <= 3; ++dim) {
    const struct driven d = {.dim = dim, .mu = mu, .t_end = 1, .along = "[[0, 0], [3, 1.5]]"};
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, "p.x"), 0.5, EXACT);
    CHECK_NEAR(trial_q(&t.out, "b.x"), 0.5 - V * V / (2 * mu * g), EXACT);
    CHECK_NEAR(trial_u(&t.out, "b.vx"), V, EXACT);
    /* the plate had its velocity, so that no impact took it there; the drive pays for friction */
    CHECK_NEAR(t.out.energy.impact, 0, EXACT);
    CHECK_NEAR(t.out.energy.friction, -V * V / 2, 1e-9);
    CHECK_NEAR(t.out.energy.applied, V * V, 1e-9);
    CHECK(strstr(t.out.instance->notes, "velocity of p, not given: as prescribed") != NULL);
    compare_steppers(&d, 1.01 * V);
    budget_closes(&d, V * V, 2);
  }
}

/* In the middle it jumps from 0 to V, 0.5 s later back, and the block slides back to its place. */
TEST(plate_starts_and_stops_on_the_way) {
  for (int dim = 2; dim <= 3; ++dim) {
    const struct driven d = {
        .dim = dim, .mu = 0.3, .t_end = 1.1, .along = "[[0.2, 0], [0.7, 0.4]]"};
    const double V = 0.8, behind = V * V / (2 * d.mu * g);
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, "b.x"), 0.4, EXACT);
    CHECK_NEAR(trial_u(&t.out, "b.vx"), 0, EXACT);
    /* both jumps of the plate are work of the drive, + and - m V^2 / 2, and friction is paid once
     */
    CHECK_NEAR(t.out.energy.applied, d.mu * g * behind * 2, 1e-9);
    compare_steppers(&d, 2.01 * V);
    budget_closes(&d, d.mu * g * behind * 2, 20);
    /* at the very end: velocities are those after the jump */
    struct driven end = d;
    end.t_end = 0.7;
    run_event(&t, &end);
    CHECK_NEAR(trial_q(&t.out, "b.x"), 0.4 - behind, EXACT);
    CHECK_NEAR(trial_u(&t.out, "b.vx"), V, EXACT);
    CHECK_NEAR(trial_u(&t.out, "p.vx"), 0, EXACT);
  }
}

/* Steps of penalty are cut where the table ends, however they fall: its energy closes as without
 * jumps, and the motion is that of its springs. */
TEST(penalty_meets_jumps_at_their_time) {
  static const char *const steppers[] = {"stepper=rk4 depth=4e-4", "stepper=rkf45 depth=4e-4",
                                         "stepper=rk8pd depth=4e-4"};
  const struct driven d = {
      .dim = 2, .mu = 0.3, .t_end = 0.8, .along = "[[0.20003, 0], [0.70003, 0.4]]"};
  for (int i = 0; i < 3; ++i) {
    struct trial t;
    CHECK_OK(run(&t, &d, "penalty", i == 0 ? 1e-4 : 1e-3, steppers[i]));
    CHECK_NEAR(trial_q(&t.out, "p.x"), 0.4, 1e-9);
    CHECK_LE(t.out.errors.q_linf, 5e-4);
    CHECK_MESSAGE(t.out.energy.max_numerical_drift < 0.02, "%s: %g J, of the 1.6 J of each jump",
                  steppers[i], t.out.energy.max_numerical_drift);
  }
}

/* A velocity that is given and differs is an impact at t = 0: of the plate with its drive alone, as
 * friction has no normal impulse to live on. */
TEST(velocity_that_differs_begins_with_an_impact) {
  for (int dim = 2; dim <= 3; ++dim) {
    const struct driven d = {.dim = dim,
                             .mu = 0.3,
                             .t_end = 0.6,
                             .along = "[[0, 0], [1, 0.5]]",
                             .plate =
                                 dim == 2 ? "'velocity': [2, 0], " : "'velocity': [2, 0, 0], "};
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, "p.x"), 0.3, EXACT);
    CHECK_NEAR(trial_q(&t.out, "b.x"), 0.3 - 0.25 / (2 * d.mu * g), EXACT);
    CHECK_NEAR(t.out.energy.initial, 0.5 * 5 * 4 - 5 * g * 0.1 * -1 * -1 + g * 0.1, EXACT);
    CHECK_NEAR(t.out.energy.impact, -0.5 * 5 * 1.5 * 1.5, 1e-9);
    CHECK_NEAR(t.out.energy.applied, 5 * (0.5 - 2) * 0.5 + 0.25, 1e-9);
    CHECK(strstr(t.out.instance->notes,
                 "miss motion joint along between p and the world by 1.5 m/s") != NULL);
  }
}

/* A plate that jumps upwards takes the block along, whatever its restitution: nothing approached.
 * When it stops the block flies on, lands after 2 V / g and bounces at eps V. */
TEST(plate_jumps_up_under_the_block) {
  const double V = 1, eps = 0.5;
  for (int dim = 2; dim <= 3; ++dim) {
    struct driven d = {
        .dim = dim, .mu = 0.3, .eps = eps, .t_end = 0.6, .up = "[[0.3, 0], [0.6, 0.3]]"};
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, height(&d)), 0.4, EXACT);
    CHECK_NEAR(trial_u(&t.out, rise(&d)), V, EXACT);
    const double landed = 0.6 + 2 * V / g, later = landed + 0.05;
    d.t_end = later;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, height(&d)), 0.4 + eps * V * 0.05 - g * 0.05 * 0.05 / 2, EXACT);
    CHECK_NEAR(t.out.energy.impact, -0.5 * (1 - eps * eps) * V * V, 1e-9);
    CHECK_INT(t.out.contacts.onsets, 2); /* at the start, and the landing */
    compare_steppers(&d, 3 * V);
  }
}

/* At t = 0 a plate that has its velocity already approaches the block: an impact with restitution.
 * A plate given at rest jumps under it, and takes it along. */
TEST(plate_that_moves_from_the_start_strikes_the_block) {
  const double V = 1, eps = 0.5, t_end = 0.08;
  for (int dim = 2; dim <= 3; ++dim) {
    struct driven d = {.dim = dim, .mu = 0.3, .eps = eps, .t_end = t_end, .up = "[[0, 0], [1, 1]]"};
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, height(&d)), 0.1 + (1 + eps) * V * t_end - g * t_end * t_end / 2,
               EXACT);
    CHECK_NEAR(t.out.energy.impact, -0.5 * (1 - eps * eps) * V * V, 1e-9);
    compare_steppers(&d, 1.5 * V);
    d.plate = dim == 2 ? "'velocity': [0, 0], " : "'velocity': [0, 0, 0], ";
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, height(&d)), 0.1 + V * t_end, EXACT);
    compare_steppers(&d, 1.1 * V);
  }
}

/* Jumps while nothing touches are not felt but by the landing: a ball that falls onto a plate
 * moving at (0.6, 0.2) m/s leaves it with eps times its approach and what friction allows. */
TEST(plate_jumps_under_a_ball_in_flight) {
  for (int dim = 2; dim <= 3; ++dim) {
    struct driven d = {.dim = dim,
                       .mu = 0.1,
                       .eps = 0.6,
                       .above = 0.3,
                       .along = "[[0.1, 0], [1.1, 0.6]]",
                       .up = "[[0.1, 0], [1.1, 0.2]]"};
    const double W = 0.2, h = 0.3 + 0.1 * W; /* gap h - W t - g t^2 / 2 */
    const double fall = (-W + sqrt(W * W + 2 * g * h)) / g, approach = g * fall + W;
    const double left = 0.05, r = (1 + d.eps) * approach;
    d.t_end = fall + left;
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_q(&t.out, "b.x"), d.mu * r * left, EXACT);
    CHECK_NEAR(trial_q(&t.out, height(&d)),
               0.1 + W * (fall - 0.1) + (W + d.eps * approach) * left - g * left * left / 2, EXACT);
  }
}

/* A rod between the plate and a mass at rest: the start of the plate jerks it along the rod. With
 * e = (3, -4) / 5 it gets e . (V, 0) along e. */
TEST(jump_is_felt_through_joints) {
  static const char *const bodies[] = {
      ", {'name': 'c', 'mass': 2, 'rotates': false, 'position': [3, -4.1]}",
      ", {'name': 'c', 'mass': 2, 'rotates': false, 'position': [3, 0, -4.1]}"};
  static const char *const joints[] = {", {'type': 'rod', 'name': 'rod', 'bodies': ['c', 'p'], "
                                       "'point': [3, -4.1], 'end': [0, -0.1]}",
                                       ", {'type': 'rod', 'name': 'rod', 'bodies': ['c', 'p'], "
                                       "'point': [3, 0, -4.1], 'end': [0, 0, -0.1]}"};
  for (int dim = 2; dim <= 3; ++dim) {
    struct driven d = {.dim = dim,
                       .mu = 0.3,
                       .t_end = 1e-6,
                       .above = 5, /* well away */
                       .along = "[[0, 0], [1, 1]]",
                       .bodies = bodies[dim - 2],
                       .joints = joints[dim - 2]};
    struct trial t;
    run_event(&t, &d);
    CHECK_NEAR(trial_u(&t.out, "c.vx"), 0.6 * 0.6, 1e-4);
    CHECK_NEAR(trial_u(&t.out, dim == 2 ? "c.vy" : "c.vz"), -0.8 * 0.6, 1e-4);
    CHECK_NEAR(t.out.energy.impact, -0.5 * 2 * 0.36, 1e-9); /* its rate was 0.6 m/s off */
    CHECK(strstr(t.out.instance->notes, "miss rod joint rod between c and p by 0.424 m/s") != NULL);
    d.t_end = 0.1;
    compare_steppers(&d, 3);
    /* penalty with multipliers takes the same impact, and its energy with it */
    CHECK_OK(run(&t, &d, "penalty", 1e-3, NULL));
    CHECK_LE(t.out.errors.q_linf, 1e-10);
    CHECK_NEAR(t.out.energy.impact, -0.5 * 2 * 0.36, 1e-6);
    CHECK_LE(t.out.energy.max_numerical_drift, 1e-9);
  }
}

/* Two motions turn a bar in the plane. At the jump to omega = -4 rad/s its surface moves at (0.2,
 * 1) m/s under a ball that lies on it, and friction 0.3 is enough to take it along in both
 * directions. */
TEST(driven_rotation_jumps) {
  struct driven d = {
      .dim = 2,
      .mu = 0.3,
      .eps = 0.3,
      .t_end = 0.1 + 1e-6,
      .above = 5, /* well away */
      .bodies = ", {'name': 'bar', 'mass': 2, 'inertia': 0.3, 'position': [0, 9], 'shapes': "
                "[{'type': 'box', 'half': [0.5, 0.05], 'material': 'm'}]}, {'name': 'c', 'mass': "
                "1, 'rotates': false, 'position': [-0.25, 9.15], 'shapes': [{'type': 'sphere', "
                "'radius': 0.1, 'material': 'm'}]}",
      .joints =
          ", {'type': 'motion', 'bodies': ['bar', 'world'], 'point': [0, 9], 'axis': [1, 0], "
          "'table': [[0, 0]]}, {'type': 'motion', 'bodies': ['bar', 'world'], 'point': [-0.5, 9], "
          "'axis': [0, 1], 'table': [[0.1, 0], [0.2, 0.2]]}, {'type': 'motion', 'bodies': ['bar', "
          "'world'], 'point': [0.5, 9], 'axis': [0, 1], 'table': [[0.1, 0], [0.2, -0.2]]}"};
  struct trial t;
  run_event(&t, &d);
  CHECK_NEAR(trial_u(&t.out, "bar.w"), -4, 1e-4);
  CHECK_NEAR(trial_u(&t.out, "c.vx"), 0.2, 1e-4);
  CHECK_NEAR(trial_u(&t.out, "c.vy"), 1, 1e-4);
  d.t_end = 0.15;
  compare_steppers(&d, 8);
}

/* What is drift is put back; what is more is refused, and told: which, by how much, when. */
TEST(projection_moves_no_state_in_silence) {
  const struct driven d = {.dim = 2, .mu = 0.3, .t_end = 1, .along = "[[0, 0], [3, 1.5]]"};
  struct base_arena *arena = test_arena();
  const struct case_instance c = case_model_build(write_scene(&d), "", arena);
  mech_set_time(c.mech, 0);
  const struct mech_drift most = {1e-9, 1e-9};
  struct mech_bilateral *joints = mech_bilateral_alloc(c.mech, MECH_BILATERAL_AUTO, arena);
  CHECK_OK(mech_project_with(joints, most, c.q, c.u, arena));
  c.u[0] += 1e-10;
  CHECK_OK(mech_project_with(joints, most, c.q, c.u, arena));
  CHECK_NEAR(c.u[0], 0.5, 1e-15);
  c.u[0] = 0;
  CHECK_REFUSED(mech_project_with(joints, most, c.q, c.u, arena), BASE_FAILED,
                "motion joint along between p and the world is missed by 0.5 m/s");
  CHECK_NEAR(c.u[0], 0, 0);
  c.u[0] = 0.5;
  c.q[1] += 1e-3;
  CHECK_REFUSED(mech_project_with(joints, most, c.q, c.u, arena), BASE_FAILED,
                "motion joint up between p and the world is missed by 0.001 m");
  mech_bilateral_free(joints);
  /* and by event, from a state that is not on the constraints */
  struct run *event = run_begin("event", c.mech, 1e-3, c.q, c.u);
  run_step(event, 1e-3);
  CHECK_REFUSED(event->status, BASE_FAILED,
                "t = 0 s: driven: motion joint up between p and the world "
                "is missed by 0.001 m");
}

/* A system whose only property is where it breaks. */
static double breaks_after(const struct mech *m, double t) {
  static const double at[] = {0, 0.1, 0.3, 0.1 + 0.2, 0.7};
  (void)m;
  double next = INFINITY;
  for (size_t i = 0; i < sizeof at / sizeof *at; ++i) {
    next = at[i] > t ? fmin(next, at[i]) : next;
  }
  return next;
}

TEST(phases_are_cut_at_breaks) {
  const struct mech_ops ops = {.driven.next_break = breaks_after}, none = {0};
  const struct mech m = {.ops = &ops}, smooth = {.ops = &none};
  struct mech_phase phase = mech_phase_at(&smooth, 0.2);
  CHECK(phase.begin == 0.2 && isinf(phase.end) && !mech_phase_ends(&phase, 1e9));
  CHECK_NEAR(mech_phase_time(&phase, 5), 5, 0);
  phase = mech_phase_at(&m, 0);
  CHECK(phase.begin == 0 && phase.end == 0.1);
  CHECK(mech_phase_time(&phase, 0.1) < 0.1 && mech_phase_time(&phase, 0.1) > 0.1 - 1e-16);
  CHECK_NEAR(mech_phase_time(&phase, -1), 0, 0);
  CHECK(!mech_phase_ends(&phase, 0.0999999) && mech_phase_ends(&phase, nextafter(0.1, 0)));
  phase = mech_phase_next(&m, &phase);
  CHECK(phase.begin == 0.1 && phase.end == 0.3);
  phase = mech_phase_next(&m, &phase); /* 0.1 + 0.2 is the same but for rounding */
  CHECK(phase.begin == 0.1 + 0.2 && phase.end == 0.7);
  phase = mech_phase_next(&m, &phase);
  CHECK(phase.begin == 0.7 && isinf(phase.end));
}

/* The natural spline through samples of 0.8 t^2 ends at a rate that is not zero; the table's motion
 * is the spline, and the jump at its end is that rate. */
TEST(table_ends_with_the_rate_of_its_spline) {
  struct mech_assembly *a = mech_assembly_alloc(MECH_PLANAR, "spline", test_arena());
  double t[11], x[11], second[11] = {0}, chi[1], *q, *u;
  for (int k = 0; k <= 10; ++k) {
    t[k] = 0.05 * k;
    x[k] = 0.8 * t[k] * t[k];
  }
  mech_assembly_body(a, &(struct mech_body){.mass = 1, .no_rotation = 1});
  mech_assembly_joint(
      a, &(struct mech_joint){
             .kind = MECH_JOINT_MOTION, .body = {0, -1}, .axis = {1, 0, 0}, .motion = {11, t, x}});
  struct mech *m;
  CHECK_OK(mech_assembly_finish(a, &m, &q, &u, NULL));
  /* second derivatives by Gauss-Seidel on h (s''_{k-1} + 4 s''_k + s''_{k+1}) / 6 = 1.6 h */
  for (int sweep = 0; sweep < 200; ++sweep) {
    for (int k = 1; k < 10; ++k) {
      second[k] = (6 * 1.6 - second[k - 1] - second[k + 1]) / 4;
    }
  }
  const double first = (x[1] - x[0]) / 0.05 - 0.05 / 6 * second[1];
  const double last = (x[10] - x[9]) / 0.05 + 0.05 / 6 * second[9];
  CHECK_NEAR(u[0], first, 1e-14); /* nobody gave it: as prescribed */
  mech_set_time(m, nextafter(t[10], 0));
  m->ops->driven.bilateral_drift(m, q, chi);
  CHECK_NEAR(chi[0], -last, 1e-13);
  mech_set_time(m, t[10]);
  m->ops->driven.bilateral_drift(m, q, chi);
  CHECK_NEAR(chi[0], 0, 0);
  mech_set_time(m, 0);
  m->ops->driven.bilateral_drift(m, q, chi);
  CHECK_NEAR(chi[0], -first, 1e-14);
  mech_set_time(m, -1e-9);
  m->ops->driven.bilateral_drift(m, q, chi);
  CHECK_NEAR(chi[0], 0, 0);
  CHECK_NEAR(m->ops->driven.next_break(m, -1), 0, 0);
  CHECK_NEAR(m->ops->driven.next_break(m, 0.12), t[3], 0);
  CHECK(isinf(m->ops->driven.next_break(m, t[10])));
}

/* Forces that begin and end are met exactly, in a handful of internal steps. */
TEST(forces_begin_and_end_where_they_say) {
  const struct case_instance c = case_model_scene(
      "'dimension': 2, 'gravity': [0, 0], 'bodies': [{'name': 'b', 'mass': 2, 'rotates': false}], "
      "'forces': [{'body': 'b', 'force': [3, 0], 'from': 0.31, 'to': 0.7}]");
  struct run *run = run_begin("event", c.mech, 1, c.q, c.u);
  run_steps(run, 1);
  const double T = 0.7 - 0.31;
  CHECK_NEAR(run->state.u[0], 1.5 * T, 1e-14);
  CHECK_NEAR(run->state.q[0], 0.75 * T * T + 1.5 * T * 0.3, 1e-14);
  CHECK(run->internal_steps <= 12);
}
