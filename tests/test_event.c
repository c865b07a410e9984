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

TEST(elastic_ball_keeps_its_energy_over_a_hundred_bounces) {
  struct points p = {.n = 1, .dim = 1, .m = {1}, .eps_N = 1, .gravity = {-9.81}};
  const struct mech m = points_mech(&p);
  const double q0[1] = {1}, u0[1] = {0};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q;
  const double period = 2 * sqrt(2 / 9.81);
  for (int k = 1; k <= 300; ++k) { /* an impact in every second of three steps */
    go(run, k * period / 3);
  }
  CHECK_NEAR(q[0], 1, 1e-9);
  CHECK_INT(run->onsets, 100);
  CHECK_NEAR(run->impact, 0, 1e-10);
}

/* Block on an incline: gravity has a component along the plane. */
static void incline(double slope, double mu, double v0, int copies, double t_end, double *x,
                    double *v) {
  struct points p = {.n = 1,
                     .dim = 2,
                     .m = {1.5},
                     .mu = mu,
                     .copies = copies,
                     .gravity = {9.81 * sin(slope), -9.81 * cos(slope)}};
  const struct mech m = points_mech(&p);
  const double q0[2] = {0, 0}, u0[2] = {v0, 0};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q, *u = run->state.u;
  const double E0 = 0.5 * p.m[0] * v0 * v0;
  go(run, t_end);
  *x = q[0];
  *v = u[0];
  CHECK_NEAR(q[1], 0, 1e-13);
  const double E = 0.5 * p.m[0] * u[0] * u[0] - 1.5 * p.gravity[0] * q[0];
  CHECK_NEAR(E - E0, run->friction, 1e-10);
  CHECK_NEAR(run->impact, 0, 1e-14);
}

TEST(block_on_an_incline_sticks_slides_and_turns_as_theory_says) {
  const double g = 9.81, slope = 0.4, t = 1.7;
  double x, v;
  incline(slope, 0.5, 0, 1, t, &x, &v); /* tan 0.4 = 0.4228 < 0.5 */
  CHECK_NEAR(x, 0, 1e-14);
  CHECK_NEAR(v, 0, 1e-14);
  incline(slope, 0.3, 0, 1, t, &x, &v);
  const double down = g * (sin(slope) - 0.3 * cos(slope));
  CHECK_NEAR(v, down * t, 1e-11);
  CHECK_NEAR(x, down * t * t / 2, 1e-11);
  /* thrown uphill: stops, then slides down again, or stays */
  const double up = g * (sin(slope) + 0.3 * cos(slope)), t1 = 3 / up;
  incline(slope, 0.3, -3, 1, t, &x, &v);
  CHECK_NEAR(v, down * (t - t1), 1e-10);
  CHECK_NEAR(x, -3 * t1 / 2 + down * (t - t1) * (t - t1) / 2, 1e-10);
  incline(slope, 0.6, -3, 1, t, &x, &v);
  CHECK_NEAR(x, -4.5 / (g * (sin(slope) + 0.6 * cos(slope))), 1e-10);
  CHECK_NEAR(v, 0, 1e-13);
  /* the same contact twice changes nothing */
  incline(slope, 0.6, -3, 2, t, &x, &v);
  CHECK_NEAR(x, -4.5 / (g * (sin(slope) + 0.6 * cos(slope))), 1e-10);
}

TEST(a_growing_push_starts_the_block_when_it_beats_friction) {
  struct points p = {.n = 1, .dim = 2, .m = {2}, .mu = 0.4, .gravity = {0, -9.81}, .ramp = {5, 0}};
  const struct mech m = points_mech(&p);
  const double q0[2] = {0, 0}, u0[2] = {0, 0};
  struct run *run = start(&m, q0, u0);
  const double *q = run->state.q, *u = run->state.u;
  const double t_slip = 0.4 * 2 * 9.81 / 5;
  go(run, t_slip - 1e-6);
  CHECK_NEAR(u[0], 0, 1e-15);
  go(run, t_slip + 1);
  CHECK_NEAR(u[0], 5.0 / 2 / 2, 1e-9);
  CHECK_NEAR(q[0], 5.0 / 6 / 2, 1e-9);
  const double E = 0.5 * p.m[0] * u[0] * u[0];
  CHECK_NEAR(E, run->friction + run->applied, 1e-10);
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

/* ---- bodies of mass 1 with a light inertia, on a plane with friction 0.3 ---- */

static void light_mass(const struct mech *m, const double *q, double *M) {
  const double *inertia = m->data;
  (void)q;
  memset(M, 0, (size_t)(m->nu * m->nu) * sizeof *M);
  for (int i = 0; i < m->nu; ++i) {
    M[i * m->nu + i] = i < 3 ? 1 : *inertia;
  }
}

static void light_force(const struct mech *m, const double *q, const double *u, double t,
                        double *h) {
  (void)q, (void)u, (void)t;
  for (int i = 0; i < m->nu; ++i) {
    h[i] = i == 2 ? -9.81 : 0;
  }
}

/* W of the contact with v_N = v_z, v_T = (v_x, v_y) of a body that does not turn; NULL: out of
 * reach. */
static double *light_contact(const struct mech *m, const double *q, double reach,
                             struct mech_contacts *out) {
  if (q[2] > reach) {
    return NULL;
  }
  const int i = mech_contacts_push(out);
  out->gN[i] = q[2];
  out->mu[i] = 0.3;
  out->body[2 * i] = 0;
  out->body[2 * i + 1] = -1;
  double *W = mech_contacts_block(out, i, 0);
  W[2] = W[m->nu] = W[2 * m->nu + 1] = 1;
  return W;
}

/* n coordinates whose rates are the velocities. */
static struct mech light_body(const char *name, const struct mech_ops *ops, double *inertia, int n,
                              const char *const *coordinates) {
  struct mech model = small_mech(name, ops, inertia, n, 3);
  model.q_names = coordinates;
  model.u_names = coordinates;
  model.length = 0.1;
  return model;
}

/* A ball of radius 0.1 without spin about the normal; u: velocity, w_x, w_y. */
static void ball_contacts(const struct mech *m, const double *q, const double *u, double reach,
                          struct mech_contacts *out) {
  double *W = light_contact(m, q, reach, out);
  (void)u;
  if (W != NULL) { /* v_x - r w_y, v_y + r w_x */
    W[m->nu + 4] = -0.1;
    W[2 * m->nu + 3] = 0.1;
  }
}

static const struct mech_ops ball_ops = {
    .mass = light_mass, .force = light_force, .contacts = ball_contacts};

TEST(light_inertia_needs_no_more_steps) {
  static const char *const ball_names[] = {"x", "y", "z", "a", "b"};
  for (int k = 0; k < STEPPERS * TOLERANCES; ++k) {
    double inertia = 1e-9;
    const struct mech m = light_body("ball", &ball_ops, &inertia, 5, ball_names);
    const double q0[5] = {0}, u0[5] = {0.8, 0.6};
    struct run *run = start(&m, q0, u0);
    const double *q = run->state.q, *u = run->state.u;
    run_set(run, "rtol=%s stepper=%s", tolerances[k / STEPPERS], steppers[k % STEPPERS]);
    go(run, 0.5); /* it rolls at 1 / (1 + I / m r^2) of its speed, after a slide of 3e-8 s */
    const double v = 1 / (1 + inertia / 0.01), slide = (1 - v) / (0.3 * 9.81);
    const double s = 0.5 * (1 + v) * slide + v * (0.5 - slide);
    CHECK_NEAR(q[0], 0.8 * s, 1e-10);
    CHECK_NEAR(q[1], 0.6 * s, 1e-10);
    CHECK_NEAR(u[4], 8 * v, 1e-7);
    CHECK_LE(run->internal_steps, 300);
  }
}

/* A rod of mass 1 along y that rolls about its axis and slides along it; u: velocity, w_y. */
static void rod_contacts(const struct mech *m, const double *q, const double *u, double reach,
                         struct mech_contacts *out) {
  double *W = light_contact(m, q, reach, out);
  (void)u;
  if (W != NULL) {
    W[m->nu + 3] = -0.02; /* v_x - r w_y */
  }
}

static const struct mech_ops rod_ops = {
    .mass = light_mass, .force = light_force, .contacts = rod_contacts};

/* The spin follows the rolling within 1e-7 s for as long as the rod slides: an explicit method
 * needs a step for each of these. */
TEST(stiff_friction_needs_no_explicit_steps) {
  static const char *const rod_names[] = {"x", "y", "z", "a"};
  static const char *const settings[][2] = {
      {"rkf45", "1e-6"}, {"rk8pd", "1e-9"}, {"rk8pd", "1e-12"}};
  for (int k = 0; k < 3; ++k) {
    double inertia = 1e-9;
    const struct mech m = light_body("rod", &rod_ops, &inertia, 4, rod_names);
    const double q0[4] = {0}, u0[4] = {0.5, 0.2};
    struct run *run = start(&m, q0, u0);
    const double *q = run->state.q, *u = run->state.u;
    run_set(run, "rtol=%s stepper=%s", settings[k][1], settings[k][0]);
    go(run, 0.2);
    const double rolls = 0.5 / (1 + inertia / (0.02 * 0.02)); /* to I / m r^2 = 2.5e-6 */
    CHECK_NEAR(u[0], rolls, 1e-9);
    CHECK_NEAR(u[3], rolls / 0.02, 1e-7);
    CHECK_NEAR(q[0], 0.2 * rolls, 1e-6);
    CHECK_NEAR(q[1], 0.2 * 0.2 / (2 * 0.3 * 9.81), 1e-6);
    CHECK_NEAR(u[1], 0, 1e-10);
    CHECK_LE(run->internal_steps, 3000);
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
