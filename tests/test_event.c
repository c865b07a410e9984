/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The event-driven solution against closed forms, independent integrations, and itself in other
 * coordinates.
 */
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/small_mech.h"
#include "tests/test.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

/* One step to t [s]. */
static void go(struct run *run, double t) {
  run_step(run, t - run->state.t);
  CHECK_MESSAGE(run->status == BASE_OK, "status %d: %s", run->status, base_message());
  run->state.t = t;
}

static struct run *start(const struct mech *m, const double *q, const double *u) {
  return run_begin("event", m, 1, q, u);
}

TEST(bouncing_ball_meets_the_closed_form_to_its_accumulation) {
  struct points p = {.n = 1, .dim = 1, .m = {2}, .eps_N = 0.7, .gravity = {-9.81}};
  const struct mech m = points_mech(&p);
  const double g = 9.81, h0 = 1.3;
  const double q0[1] = {h0}, u0[1] = {0};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q, *u = run->state.u;
  double t = sqrt(2 * h0 / g), v = sqrt(2 * g * h0);
  go(run, 0.9 * t);
  CHECK_NEAR(q[0], h0 - g * 0.81 * t * t / 2, 1e-12);
  for (int k = 0; k < 12; ++k) { /* apex of each bounce */
    v *= p.eps_N;
    go(run, t + v / g);
    CHECK_NEAR(q[0], v * v / (2 * g), 1e-10);
    CHECK_NEAR(u[0], 0, 1e-9);
    t += 2 * v / g;
  }
  const double end = sqrt(2 * h0 / g) * (1 + p.eps_N) / (1 - p.eps_N);
  go(run, end + 0.1);
  CHECK_NEAR(q[0], 0, 1e-12);
  CHECK_NEAR(u[0], 0, 1e-12);
  CHECK_INT(run->last.contacts, 1);
  CHECK_NEAR(run->impact, -2 * g * h0, 1e-9);
}

/* Sliding in space under lateral gravity, by an integration of its own. */
static int slide_rhs(double t, const double y[], double dydt[], void *params) {
  const double *a = params; /* lateral accelerations, friction deceleration */
  const double speed = hypot(y[2], y[3]);
  (void)t;
  dydt[0] = y[2];
  dydt[1] = y[3];
  dydt[2] = a[0] - a[2] * y[2] / speed;
  dydt[3] = a[1] - a[2] * y[3] / speed;
  return GSL_SUCCESS;
}

TEST(oblique_sliding_in_space_agrees_with_another_integration) {
  struct points p = {.n = 1, .dim = 3, .m = {1}, .mu = 0.5, .gravity = {1.2, -0.7, -9.81}};
  const struct mech m = points_mech(&p);
  const double q0[3] = {0, 0, 0}, u0[3] = {0.3, 2.5, 0};
  double y[4] = {0, 0, 0.3, 2.5};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q, *u = run->state.u;
  double a[3] = {1.2, -0.7, 0.5 * 9.81};
  gsl_odeiv2_system system = {slide_rhs, NULL, 4, a};
  gsl_odeiv2_driver *d =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rkf45, 1e-4, 1e-13, 1e-13);
  double t = 0;
  for (int k = 1; k <= 4; ++k) {
    CHECK_INT(gsl_odeiv2_driver_apply(d, &t, 0.1 * k, y), GSL_SUCCESS);
    go(run, 0.1 * k);
    CHECK_NEAR(q[0], y[0], 1e-11);
    CHECK_NEAR(q[1], y[1], 1e-11);
    CHECK_NEAR(u[0], y[2], 1e-11);
    CHECK_NEAR(u[1], y[3], 1e-11);
  }
  go(run, 2); /* |lateral| < mu g: it stops and stays */
  CHECK_NEAR(hypot(u[0], u[1]), 0, 1e-12);
  const double x = q[0];
  go(run, 3);
  CHECK_NEAR(q[0], x, 1e-13);
  gsl_odeiv2_driver_free(d);
}

static const char *const steppers[] = {"rk8pd", "rkf45", "rkck"};
static const char *const tolerances[] = {"1e-2", "1e-4", "1e-5", "1e-7", "1e-8", "1e-10", "1e-12"};
enum { STEPPERS = 3, TOLERANCES = 7 };

/* Sliding to a stop and, pushed by a force that grows, away again: it needs no more than some steps
 * at any tolerance, and the stop is where it is. Away it goes from the edge of the cone, where the
 * direction relaxes at mu g / |v|: a long step of an explicit method multiplies its rounding, by
 * 1e7 at rtol = 1e-4, up to what the tolerance lets pass. */
TEST(sliding_in_space_stops_at_any_tolerance_with_any_stepper) {
  const double g = 9.81, mu = 0.3, v0 = 1.7, stop_at = v0 / (mu * g);
  for (int k = 0; k < STEPPERS * TOLERANCES; ++k) {
    struct points p = {
        .n = 1, .dim = 3, .m = {1}, .mu = mu, .gravity = {0, 0, -g}, .ramp = {-1.2, -1.6, 0}};
    struct mech m = points_mech(&p);
    m.speed = 3; /* [m/s], which the bounds below are for */
    const double rtol = strtod(tolerances[k / STEPPERS], NULL);
    const double q0[3] = {0, 0, 0}, u0[3] = {0.6 * v0, 0.8 * v0, 0};
    struct run *run = start(&m, q0, u0);
    const double *q = run->state.q, *u = run->state.u;
    run_set(run, "rtol=%s stepper=%s", tolerances[k / STEPPERS], steppers[k % STEPPERS]);
    /* v = v0 - mu g t - t^2: it stops, sticks until 2 t = mu g, and slides back */
    const double t1 = 0.5 * (sqrt(mu * mu * g * g + 4 * v0) - mu * g), t2 = 0.5 * mu * g;
    const double s1 = v0 * t1 - mu * g * t1 * t1 / 2 - t1 * t1 * t1 / 3;
    CHECK_LE(t1, fmin(t2, stop_at));
    go(run, t2 - 0.1);
    CHECK_NEAR(q[0], 0.6 * s1, 1e-9 + 1e-3 * rtol);
    CHECK_NEAR(q[1], 0.8 * s1, 1e-9 + 1e-3 * rtol);
    CHECK_NEAR(hypot(u[0], u[1]), 0, 1e-12);
    go(run, t2 + 1); /* v = -(t - t2)^2 */
    CHECK_NEAR(q[0], 0.6 * (s1 - 1.0 / 3), 1e-9 + 3e-3 * rtol);
    CHECK_NEAR(u[1], -0.8, 1e-8 + 1e-3 * rtol);
    CHECK_LE(run->internal_steps, 2000); /* those of the start, at the edge of the cone */
  }
}

TEST(light_inertia_needs_no_more_steps) {
  const double inertia = 1e-9, mu = 0.3;
  for (int k = 0; k < STEPPERS * TOLERANCES; ++k) {
    const struct case_instance c = case_model_scene(
        "'gravity': [0, 0, -9.81], 'reference': {'kind': 'none'}, 'materials': {'m': {'mu': %g}}, "
        "'bodies': [{'name': 'ground', 'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': "
        "[0, 0, 1], 'offset': 0, 'material': 'm'}]}, {'name': 'ball', 'mass': 1, 'inertia': [%g, "
        "%g, %g], 'position': [0, 0, 0.1], 'velocity': [0.8, 0.6, 0], 'shapes': [{'type': "
        "'sphere', 'radius': 0.1, 'material': 'm'}]}]",
        mu, inertia, inertia, inertia);
    struct run *run = start(c.mech, c.q, c.u);
    const double *q = run->state.q, *u = run->state.u;
    run_set(run, "rtol=%s stepper=%s", tolerances[k / STEPPERS], steppers[k % STEPPERS]);
    go(run, 0.5); /* it rolls at 1 / (1 + I / m r^2) of its speed, after a slide of 3e-8 s */
    const double v = 1 / (1 + inertia / 0.01), slide = (1 - v) / (mu * 9.81);
    const double s = 0.5 * (1 + v) * slide + v * (0.5 - slide);
    CHECK_NEAR(q[0], 0.8 * s, 1e-10);
    CHECK_NEAR(q[1], 0.6 * s, 1e-10);
    CHECK_NEAR(hypot(u[3], u[4]), 10 * v, 1e-7);
    CHECK_LE(run->internal_steps, 300);
  }
}

TEST(double_pendulum_is_the_same_in_both_coordinate_choices_and_keeps_its_energy) {
  struct base_arena *arena = test_arena();
  const struct case_instance xy = case_model_build("double-pendulum", "coordinates=xy", arena);
  const struct case_instance angles =
      case_model_build("double-pendulum", "coordinates=angles", arena);
  struct run *a = start(xy.mech, xy.q, xy.u), *b = start(angles.mech, angles.q, angles.u);
  for (int k = 1; k <= 20; ++k) {
    double q[4], u[4];
    go(a, 0.05 * k);
    go(b, 0.05 * k);
    angles.mech->ops->observe(angles.mech, b->state.q, b->state.u, q, u);
    CHECK_LE(test_distance(4, a->state.q, q), 1e-8);
    CHECK_NEAR(run_energy(a) / a->energy, 1, 1e-11);
  }
  CHECK(a->onsets > 0);
  CHECK_INT(a->onsets, b->onsets);
}

TEST(oscillator_converges_with_its_tolerance_and_closes_its_energy_budget) {
  const struct case_instance c = case_model_build("oscillator", "", test_arena());
  double x[2];
  for (int k = 0; k < 2; ++k) {
    struct run *run = start(c.mech, c.q, c.u);
    run_set(run, "rtol=%s", k == 0 ? "1e-12" : "1e-10");
    go(run, 0.25);
    x[k] = run->state.q[0];
    CHECK_NEAR(run_imbalance(run), 0, 1e-9 * fabs(run->energy));
    CHECK(run->onsets > 0);
    CHECK_LE(run->impact, 0);
  }
  CHECK_NEAR(x[0], x[1], 1e-8);
}

TEST(bodies_put_inside_each_other_may_part_freely) {
  const double g = 9.81, depth = 0.1, v = 2;
  struct points p = {.n = 1, .dim = 1, .m = {1}, .gravity = {-g}};
  const struct mech m = points_mech(&p);
  const double q0[1] = {-depth}, u0[1] = {v};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q, *u = run->state.u;
  for (int j = 1; j <= 11; ++j) {
    const double t = 0.9 * v / g * j / 11;
    go(run, t);
    CHECK_NEAR(q[0], -depth + v * t - g * t * t / 2, 1e-12);
    CHECK_INT(run->onsets, 0);
  }
  go(run, 3 * v / g);
  CHECK_INT(run->onsets, 1);
  CHECK_NEAR(q[0], 0, 1e-12);
  CHECK_NEAR(u[0], 0, 1e-12);
}

/* The spring holds the light mass back by a billionth of its length: the contact opens for 2.5 ns,
 * in which it rises less than rounding, and then carries; `event` says that it began inside. */
TEST(a_contact_that_opens_by_less_than_rounding_closes_again) {
  const struct case_instance c = case_model_build("oscillator", "", test_arena());
  const double q[2] = {0.09999440331499998, 0.100000001092398};
  const double u[2] = {-0.44287720105055495, -0.44287720105055495};
  struct run *run = start(c.mech, q, u);
  run_step(run, 3e-5);
  CHECK_REFUSED(run->status, BASE_FAILED, "closed contact 0 has a gap of -5.6e-06 m");
  CHECK_LE(run->internal_steps, 1000);
}
