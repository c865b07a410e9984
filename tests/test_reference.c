/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References by event: up to when they are trusted, and errors weighted by inertia, against what is
 * known otherwise.
 */
#include "tests/test.h"
#include "tests/trial.h"

#include "base/json/json.h"
#include "bench/reference/mass_norm.h"
#include "bench/reference/motion.h"
#include "bench/run/run.h"
#include "la/dense.h"

/* set: "key=value key=value" */
static void run(struct trial *t, const char *case_name, const char *set, const char *formulation,
                double dt, double t_end) {
  const struct bench_request request = {
      .case_name = case_name, .formulation = formulation, .dt = dt, .t_end = t_end};
  const int status = trial_run(t, request, set, "", TRIAL_WITH_ERRORS);
  CHECK_MESSAGE(status == BASE_OK, "%s", t->out.reason);
}

/* A crate thrown with a turn about y falls onto a floor. */
static const char crate[] = "tests/scenes/crate.json";

/* Height of the lowest edge of the crate without roll: the two corners of an edge touch at once,
 * and which of them an error lets be the first decides what follows. */
static double edge_height(double t) {
  return 0.35 - 9.81 * t * t / 2 - 0.15 * sin(4 * t) - 0.08 * cos(4 * t);
}

TEST(reference_ends_where_starts_nearby_part) {
  double touch = 0, late = 0.3;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (touch + late);
    *(edge_height(middle) > 0 ? &touch : &late) = middle;
  }
  struct trial steps, event;
  run(&steps, crate, "", "moreau", 0, 0);
  CHECK_TEXT(steps.out.reference.kind, "event");
  CHECK_LE(touch - 0.6 / 256, steps.out.reference.until);
  CHECK_LE(steps.out.reference.until, touch + 0.01);
  CHECK(strstr(steps.out.reference.reason, "no reference after t = ") != NULL);
  CHECK_LE(steps.out.errors.q_linf, 1e-5); /* free flight */
  CHECK(isnan(steps.out.errors.q_final) && isnan(steps.out.errors.u_mass_final));
  CHECK_LE(steps.out.reference.bound, 1e-9);
  run(&event, crate, "", "event", 0, 0);
  CHECK_TEXT(event.out.reference.kind, "self");
  CHECK_NEAR(event.out.reference.until, steps.out.reference.until, 0.01);
  CHECK_LE(event.out.errors.q_linf, event.out.reference.bound);
}

TEST(reference_lasts_where_starts_nearby_stay_together) {
  struct trial corner, sphere;
  run(&corner, crate, "bodies.crate.angular_velocity.0=1.5", "moreau", 0,
      0.25); /* one corner first, by far */
  CHECK_NEAR(corner.out.reference.until, 0.25, 0);
  CHECK_TEXT(corner.out.reference.reason, "");
  CHECK(isfinite(corner.out.errors.q_final));
  run(&sphere, "cases/scenes/rolling-sphere.json", "", "ncp", 0, 0);
  CHECK_NEAR(sphere.out.reference.until, sphere.job.t_end, 0);
  CHECK_LE(sphere.out.reference.bound, 1e-11);
}

/* ---- weighted by inertia ---- */

static struct case_instance build(const char *name, const char *key, const char *value,
                                  struct base_arena *arena) {
  struct case_instance it = {0};
  const struct case_type *type = case_find(name);
  struct case_parameters *parameters = case_parameters_load(type, arena);
  CHECK_OK(case_parameters_set(parameters, key, value));
  CHECK_OK(type->build(parameters, arena, &it));
  return it;
}

/* Published differences that x (nu) makes in a state: of coordinates by a small step along it. */
static void differ(const struct mech *m, const double *q, const double *x, double *dq, double *du,
                   struct base_arena *arena) {
  const double step = 1e-6;
  double *rate = base_arena_doubles(arena, m->nq), *near = base_arena_doubles(arena, m->nq);
  double *none = base_arena_doubles(arena, m->nu), *q0 = base_arena_doubles(arena, m->nq_out);
  double *u0 = base_arena_doubles(arena, m->nu_out), *u1 = base_arena_doubles(arena, m->nu_out);
  mech_qdot(m, q, x, rate, arena);
  la_copy(m->nq, q, near);
  la_axpy(m->nq, step, rate, near);
  bench_observe(m, q, none, q0, u0);
  bench_observe(m, q, x, dq, du);
  la_axpy(m->nu_out, -1, u0, du);
  bench_observe(m, near, none, dq, u1);
  la_axpy(m->nq_out, -1, q0, dq);
  for (int i = 0; i < m->nq_out; ++i) {
    dq[i] /= step;
  }
}

/* Of x the norms are sqrt(x^T M x), by coordinates and by velocities, in every choice of them. */
TEST(norms_by_inertia_are_those_of_the_kinetic_energy) {
  static const char *const cases[][3] = {{"double-pendulum", "coordinates", "angles"},
                                         {"double-pendulum", "coordinates", "xy"},
                                         {"free-top", "body", "quaternion"},
                                         {"oscillator", "eps", "0.3"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    struct base_arena *arena = test_arena();
    const struct case_instance it = build(cases[k][0], cases[k][1], cases[k][2], arena);
    const struct mech *m = it.mech;
    double *x = base_arena_doubles(arena, m->nu), *dq = base_arena_doubles(arena, m->nq_out);
    double *du = base_arena_doubles(arena, m->nu_out);
    for (int i = 0; i < m->nu; ++i) {
      x[i] = 0.3 + 0.17 * i * i - 0.4 * (i % 2);
    }
    differ(m, it.q, x, dq, du, arena);
    const double norm = sqrt(2 * mech_kinetic(m, it.q, x, arena));
    CHECK(norm > 0);
    CHECK_NEAR(bench_mass_norm_u(m, it.q, du, arena) / norm, 1, 1e-9);
    CHECK_NEAR(bench_mass_norm_q(m, it.q, dq, arena) / norm, 1, 1e-5);
  }
}

/* Light and heavy mass on one line: sqrt(sum m_i dq_i^2), from the record's own last state. */
TEST(errors_by_inertia_weight_each_mass) {
  struct trial t, exact;
  run(&t, "oscillator", "", "moreau", 1e-4, 0.05);
  run(&exact, "oscillator", "", "event", 1e-3, 0.05);
  double sum = 0;
  const double mass[] = {case_real(t.job.parameters, "m1"), case_real(t.job.parameters, "m2")};
  for (int i = 0; i < 2; ++i) {
    sum += mass[i] * pow(t.out.q[i] - exact.out.q[i], 2);
  }
  CHECK(sum > 0);
  CHECK_NEAR(t.out.errors.q_mass_final, sqrt(sum), 1e-6 * sqrt(sum));
  CHECK_LE(t.out.errors.q_mass_final, t.out.errors.q_mass_linf);
  CHECK_LE(t.out.errors.q_mass_l2, t.out.errors.q_mass_linf);
  CHECK(t.out.errors.u_mass_final > 0 && t.out.errors.u_mass_l2 > 0);
}

/* The bound in a case's file is that of its own motion, measured by perturbed starts and a tighter
 * tolerance: not less, and not so much more that it says nothing. */
TEST(bounds_of_cases_are_measured_ones) {
  static const char *const names[] = {"two-balls",          "oscillator",
                                      "woodpecker",         "double-pendulum",
                                      "overbalanced-wheel", "spatial-double-pendulum"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    struct base_arena *arena = test_arena();
    const struct bench_request request = {.case_name = names[i], .formulation = "moreau"};
    struct bench_job job;
    const struct bench_integration by = {.job = &job, .deadline = INFINITY, .arena = arena};
    struct bench_motion motion = {.bound = NAN};
    CHECK_MESSAGE(bench_job_resolve(&request, arena, &job) == BASE_OK &&
                      bench_motion_make(&by, NAN, &motion) == BASE_OK,
                  "%s: %s", names[i], base_message());
    const double bound = base_json_real_at(case_parameters_file(job.parameters), "reference.bound");
    CHECK_MESSAGE(bound >= motion.bound && bound <= 10 * motion.bound, "%s: %g, measured %g",
                  names[i], bound, motion.bound);
    bench_motion_free(&motion);
  }
}

/* A drawer of 1.5 kg between rails, pulled with F = 5 N off its axis by e, with the velocity v0:
 * its corners carry N = F e / L, L = 0.4 m, and it slides with (F - 2 mu N) / m while 2 mu N <
 * F. */
static void run_drawer(struct trial *t, int in_space, double mu, double e, double v0,
                       const char *formulation) {
  run(t, in_space ? "tests/scenes/drawer.json" : "tests/scenes/drawer-planar.json",
      base_arena_printf(test_arena(),
                        "materials.m.mu=%.17g forces.0.at.1=%.17g bodies.b.velocity.0=%.17g", mu, e,
                        v0),
      formulation, 0, 0);
}

/* From rest a self-stress between the rails may hold it as well, so that there are two motions;
 * jammed, and pulled along the middle of a floor, there is one. */
TEST(no_reference_where_coulombs_law_has_several_motions) {
  static const struct {
    double mu, e;
    int several;
  } drawers[] = {{0.3, 0.3, 1}, {0.6, 0.3, 1}, {0.9, 0.1, 1}, {1.2, 0.3, 0}, {0.8, 0.4, 0}};
  for (int k = 0; k < 10; ++k) {
    const double mu = drawers[k % 5].mu, e = drawers[k % 5].e;
    struct trial t;
    run_drawer(&t, k / 5, mu, e, 0, "moreau");
    const char *reason = t.out.reference.reason;
    CHECK_MESSAGE((strstr(reason, "several solutions") != NULL) == drawers[k % 5].several,
                  "in space %d, mu %g, e %g: %s", k / 5, mu, e, reason);
  }
}

/* One that moves goes on, in the plane and with eight corners: neither forces nor the impacts of a
 * perturbed start stop it by a self-stress, which nothing asks for. In space that is one motion of
 * several: of the four corners that are pressed those on the left may carry more, as may those on
 * the right, and friction then turns it. */
TEST(a_drawer_that_moves_goes_on_without_self_stress) {
  const double mu = 0.3, e = 0.3, v0 = 0.5, F = 5, m = 1.5, L = 0.4, T = 0.05;
  const double way = v0 * T + 0.5 * (F - 2 * mu * F * e / L) / m * T * T;
  for (int in_space = 0; in_space < 2; ++in_space) {
    struct trial t;
    run_drawer(&t, in_space, mu, e, v0, "event");
    CHECK_NEAR(t.out.q[0], way, 1e-12);
    CHECK((strstr(t.out.reference.reason, "several solutions") != NULL) == in_space);
    CHECK_NEAR(t.out.reference.until, in_space ? 0 : T, 1e-12);
    CHECK_LE(t.out.reference.bound, 1e-6);
  }
}

/* A block in a guide along the floor it stands on, struck by a ball: no impulse moves it across, so
 * that one of any size on the floor may hold it by friction, or none. Off the floor there is one
 * motion. */
TEST(reference_ends_at_an_impact_after_which_there_are_several_motions) {
  for (int k = 0; k < 2; ++k) {
    struct trial t;
    run(&t, "tests/scenes/guide.json", k == 0 ? "" : "bodies.floor.shapes.0.offset=-0.1", "ncp", 0,
        0);
    CHECK_NEAR(t.out.reference.until, k == 0 ? 0.2 : 0.4, 2e-3);
    CHECK_LE(t.out.errors.q_linf, 1e-3);
  }
}
