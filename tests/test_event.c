/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The event-driven solution against closed forms, independent integrations, and itself in other
 * coordinates.
 */
#include "tests/small_mech.h"
#include "tests/test.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"
#include "cases/case.h"
#include "form/event/event.h"
#include "form/form.h"
#include "la/dense.h"

/* A particle of mass m on the plane x_last = 0 in dim dimensions, under a constant force and one
 * that grows with time. */
struct particle {
  int dim;
  double m, mu, eps_N, eps_T;
  double force[3], ramp[3]; /* f = force (from a potential) + ramp t (applied) [N], [N/s] */
  int copies;               /* of the contact: redundant ones */
};

static void particle_mass(const struct mech *m, const double *q, double *M) {
  const struct particle *p = m->data;
  (void)q;
  for (int i = 0; i < m->nu * m->nu; ++i) {
    M[i] = i % (m->nu + 1) == 0 ? p->m : 0;
  }
}

static void particle_force(const struct mech *m, const double *q, const double *u, double t,
                           double *h) {
  const struct particle *p = m->data;
  (void)q;
  (void)u;
  for (int i = 0; i < m->nu; ++i) {
    h[i] = p->force[i] + p->ramp[i] * t;
  }
}

static double particle_potential(const struct mech *m, const double *q) {
  const struct particle *p = m->data;
  return -la_dot(m->nq, p->force, q);
}

static void particle_applied(const struct mech *m, const double *q, const double *u, double t,
                             double *f) {
  const struct particle *p = m->data;
  (void)q;
  (void)u;
  for (int i = 0; i < m->nu; ++i) {
    f[i] = p->ramp[i] * t;
  }
}

static void particle_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct particle *p = m->data;
  (void)u;
  for (int k = 0; k < p->copies && q[m->nq - 1] <= reach; ++k) {
    const int i = mech_contacts_push(out);
    out->id[i] = k;
    out->gN[i] = q[m->nq - 1];
    out->mu[i] = p->mu;
    out->eps_N[i] = p->eps_N;
    out->eps_T[i] = p->eps_T;
    out->body[2 * i] = 0;
    out->body[2 * i + 1] = -1;
    double *W = mech_contacts_block(out, i, 0);
    W[m->nu - 1] = 1;
    for (int d = 1; d < m->dim; ++d) {
      W[d * m->nu + d - 1] = 1;
    }
  }
}

static const struct mech_ops particle_ops = {.mass = particle_mass,
                                             .force = particle_force,
                                             .potential = particle_potential,
                                             .applied = particle_applied,
                                             .contacts = particle_contacts};
static const char *const names[] = {"x", "y", "z"};

static struct mech particle_mech(struct particle *p, int dim_contact) {
  struct mech model = small_mech("particle", &particle_ops, p, p->dim, dim_contact);
  model.q_names = names;
  model.u_names = names;
  model.speed = 3;
  return model;
}

struct run {
  struct base_arena *arena;
  void *workspace, *options;
  struct form_state state;
  struct form_report sum;
  struct form_carried carried; /* in the last step */
  int onsets;
};

/* With a value of `event`'s options rtol and stepper (NULL: the default). */
static struct run start_with(const struct mech *m, double *q, double *u, const char *rtol,
                             const char *stepper) {
  struct run run = {.arena = test_arena()};
  const struct form *form = form_find("event");
  run.options = base_arena_push(run.arena, form->options_size);
  base_options_default(form->options, run.options);
  form_carried_init(&run.carried, run.arena);
  if (rtol != NULL) {
    CHECK_INT(base_options_set(form->options, run.options, "event", "rtol", rtol), BASE_OK);
  }
  if (stepper != NULL) {
    CHECK_INT(base_options_set(form->options, run.options, "event", "stepper", stepper), BASE_OK);
  }
  run.state = (struct form_state){.t = 0, .q = q, .u = u};
  const struct form_setup setup = {.mech = m, .options = run.options, .dt = 1, .arena = run.arena};
  run.workspace = form->alloc(&setup, &run.state);
  CHECK(run.workspace != NULL);
  return run;
}

static struct run start(const struct mech *m, double *q, double *u) {
  return start_with(m, q, u, NULL, NULL);
}

static void go(struct run *run, double t) {
  struct form_report report = {0};
  const int status =
      form_find("event")->step(run->workspace, &run->state, t - run->state.t, &report);
  CHECK_MESSAGE(status == BASE_OK, "status %d: %s", status, base_message());
  run->state.t = t;
  run->sum.work.friction += report.work.friction;
  run->sum.work.impact += report.work.impact;
  run->sum.work.applied += report.work.applied;
  run->onsets += form_carried_onsets(&run->carried, &report);
  run->sum.solves += report.solves;
  run->sum.internal_steps += report.internal_steps;
  run->sum.contacts = report.contacts;
  run->sum.residual.absolute = fmax(run->sum.residual.absolute, report.residual.absolute);
}

static void stop(struct run *run) {
  form_find("event")->free(run->workspace);
}

TEST(bouncing_ball_meets_the_closed_form_to_its_accumulation) {
  struct particle p = {.dim = 1, .m = 2, .eps_N = 0.7, .force = {-2 * 9.81}, .copies = 1};
  const struct mech m = particle_mech(&p, 1);
  const double g = 9.81, h0 = 1.3;
  double q[1] = {h0}, u[1] = {0};
  struct run run = start(&m, q, u);
  double t = sqrt(2 * h0 / g), v = sqrt(2 * g * h0);
  go(&run, 0.9 * t);
  CHECK_NEAR(q[0], h0 - g * 0.81 * t * t / 2, 1e-12);
  for (int k = 0; k < 12; ++k) { /* apex of each bounce */
    v *= p.eps_N;
    go(&run, t + v / g);
    CHECK_NEAR(q[0], v * v / (2 * g), 1e-10);
    CHECK_NEAR(u[0], 0, 1e-9);
    t += 2 * v / g;
  }
  const double end = sqrt(2 * h0 / g) * (1 + p.eps_N) / (1 - p.eps_N);
  go(&run, end + 0.1);
  CHECK_NEAR(q[0], 0, 1e-12);
  CHECK_NEAR(u[0], 0, 1e-12);
  CHECK_INT(run.sum.contacts, 1);
  CHECK_NEAR(run.sum.work.impact, -p.m * g * h0, 1e-9);
  stop(&run);
}

TEST(elastic_ball_keeps_its_energy_over_a_hundred_bounces) {
  struct particle p = {.dim = 1, .m = 1, .eps_N = 1, .force = {-9.81}, .copies = 1};
  const struct mech m = particle_mech(&p, 1);
  double q[1] = {1}, u[1] = {0};
  struct run run = start(&m, q, u);
  const double period = 2 * sqrt(2 / 9.81);
  for (int k = 1; k <= 300; ++k) { /* an impact in every second of three steps */
    go(&run, k * period / 3);
  }
  CHECK_NEAR(q[0], 1, 1e-9);
  CHECK_INT(run.onsets, 100);
  CHECK_NEAR(run.sum.work.impact, 0, 1e-10);
  stop(&run);
}

/* Block on an incline: gravity has a component along the plane. */
static void incline(double slope, double mu, double v0, int copies, double t_end, double *x,
                    double *v) {
  struct particle p = {.dim = 2,
                       .m = 1.5,
                       .mu = mu,
                       .copies = copies,
                       .force = {1.5 * 9.81 * sin(slope), -1.5 * 9.81 * cos(slope)}};
  const struct mech m = particle_mech(&p, 2);
  double q[2] = {0, 0}, u[2] = {v0, 0};
  struct run run = start(&m, q, u);
  const double E0 = 0.5 * p.m * v0 * v0;
  go(&run, t_end);
  *x = q[0];
  *v = u[0];
  CHECK_NEAR(q[1], 0, 1e-13);
  const double E = 0.5 * p.m * u[0] * u[0] - p.force[0] * q[0];
  CHECK_NEAR(E - E0, run.sum.work.friction, 1e-10);
  CHECK_NEAR(run.sum.work.impact, 0, 1e-14);
  stop(&run);
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
  struct particle p = {
      .dim = 2, .m = 2, .mu = 0.4, .copies = 1, .force = {0, -2 * 9.81}, .ramp = {5, 0}};
  const struct mech m = particle_mech(&p, 2);
  double q[2] = {0, 0}, u[2] = {0, 0};
  struct run run = start(&m, q, u);
  const double t_slip = 0.4 * 2 * 9.81 / 5;
  go(&run, t_slip - 1e-6);
  CHECK_NEAR(u[0], 0, 1e-15);
  go(&run, t_slip + 1);
  CHECK_NEAR(u[0], 5.0 / 2 / 2, 1e-9);
  CHECK_NEAR(q[0], 5.0 / 6 / 2, 1e-9);
  const double E = 0.5 * p.m * u[0] * u[0];
  CHECK_NEAR(E, run.sum.work.friction + run.sum.work.applied, 1e-10);
  stop(&run);
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
  struct particle p = {.dim = 3, .m = 1, .mu = 0.5, .copies = 1, .force = {1.2, -0.7, -9.81}};
  const struct mech m = particle_mech(&p, 3);
  double q[3] = {0, 0, 0}, u[3] = {0.3, 2.5, 0}, y[4] = {0, 0, 0.3, 2.5};
  struct run run = start(&m, q, u);
  double a[3] = {1.2, -0.7, 0.5 * 9.81};
  gsl_odeiv2_system system = {slide_rhs, NULL, 4, a};
  gsl_odeiv2_driver *d =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rkf45, 1e-4, 1e-13, 1e-13);
  double t = 0;
  for (int k = 1; k <= 4; ++k) {
    CHECK_INT(gsl_odeiv2_driver_apply(d, &t, 0.1 * k, y), GSL_SUCCESS);
    go(&run, 0.1 * k);
    CHECK_NEAR(q[0], y[0], 1e-11);
    CHECK_NEAR(q[1], y[1], 1e-11);
    CHECK_NEAR(u[0], y[2], 1e-11);
    CHECK_NEAR(u[1], y[3], 1e-11);
  }
  go(&run, 2); /* |lateral| < mu g: it stops and stays */
  CHECK_NEAR(hypot(u[0], u[1]), 0, 1e-12);
  const double x = q[0];
  go(&run, 3);
  CHECK_NEAR(q[0], x, 1e-13);
  gsl_odeiv2_driver_free(d);
  stop(&run);
}

static const char *const steppers[] = {"rk8pd", "rkf45", "rkck"};
static const char *const tolerances[] = {"1e-2", "1e-4", "1e-5", "1e-7", "1e-8", "1e-10", "1e-12"};
enum { STEPPERS = 3, TOLERANCES = 7 };

/* Sliding to a stop and, pushed by a force that grows, away again: it needs no more than some steps
 * at any tolerance, and the stop is where it is. Away it goes from the edge of the cone, where the
 * direction relaxes at mu g / |v|: a long step of an explicit method multiplies its rounding, by 1e7
 * at rtol = 1e-4, up to what the tolerance lets pass. */
TEST(sliding_in_space_stops_at_any_tolerance_with_any_stepper) {
  const double g = 9.81, mu = 0.3, v0 = 1.7, stop_at = v0 / (mu * g);
  for (int k = 0; k < STEPPERS * TOLERANCES; ++k) {
    struct particle p = {
        .dim = 3, .m = 1, .mu = mu, .copies = 1, .force = {0, 0, -g}, .ramp = {-1.2, -1.6, 0}};
    const struct mech m = particle_mech(&p, 3);
    const double rtol = strtod(tolerances[k / STEPPERS], NULL);
    double q[3] = {0, 0, 0}, u[3] = {0.6 * v0, 0.8 * v0, 0};
    struct run run = start_with(&m, q, u, tolerances[k / STEPPERS], steppers[k % STEPPERS]);
    /* v = v0 - mu g t - t^2: it stops, sticks until 2 t = mu g, and slides back */
    const double t1 = 0.5 * (sqrt(mu * mu * g * g + 4 * v0) - mu * g), t2 = 0.5 * mu * g;
    const double s1 = v0 * t1 - mu * g * t1 * t1 / 2 - t1 * t1 * t1 / 3;
    CHECK_LE(t1, fmin(t2, stop_at));
    go(&run, t2 - 0.1);
    CHECK_NEAR(q[0], 0.6 * s1, 1e-9 + 1e-3 * rtol);
    CHECK_NEAR(q[1], 0.8 * s1, 1e-9 + 1e-3 * rtol);
    CHECK_NEAR(hypot(u[0], u[1]), 0, 1e-12);
    go(&run, t2 + 1); /* v = -(t - t2)^2 */
    CHECK_NEAR(q[0], 0.6 * (s1 - 1.0 / 3), 1e-9 + 3e-3 * rtol);
    CHECK_NEAR(u[1], -0.8, 1e-8 + 1e-3 * rtol);
    CHECK_LE(run.sum.internal_steps, 2000); /* those of the start, at the edge of the cone */
    stop(&run);
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
    double q[5] = {0}, u[5] = {0.8, 0.6};
    struct run run = start_with(&m, q, u, tolerances[k / STEPPERS], steppers[k % STEPPERS]);
    go(&run, 0.5); /* it rolls at 1 / (1 + I / m r^2) of its speed, after a slide of 3e-8 s */
    const double v = 1 / (1 + inertia / 0.01), slide = (1 - v) / (0.3 * 9.81);
    const double s = 0.5 * (1 + v) * slide + v * (0.5 - slide);
    CHECK_NEAR(q[0], 0.8 * s, 1e-10);
    CHECK_NEAR(q[1], 0.6 * s, 1e-10);
    CHECK_NEAR(u[4], 8 * v, 1e-7);
    CHECK_LE(run.sum.internal_steps, 300);
    stop(&run);
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
    double q[4] = {0}, u[4] = {0.5, 0.2};
    struct run run = start_with(&m, q, u, settings[k][1], settings[k][0]);
    go(&run, 0.2);
    const double rolls = 0.5 / (1 + inertia / (0.02 * 0.02)); /* to I / m r^2 = 2.5e-6 */
    CHECK_NEAR(u[0], rolls, 1e-9);
    CHECK_NEAR(u[3], rolls / 0.02, 1e-7);
    CHECK_NEAR(q[0], 0.2 * rolls, 1e-6);
    CHECK_NEAR(q[1], 0.2 * 0.2 / (2 * 0.3 * 9.81), 1e-6);
    CHECK_NEAR(u[1], 0, 1e-10);
    CHECK_LE(run.sum.internal_steps, 3000);
    stop(&run);
  }
}

struct instance {
  struct base_arena *arena;
  struct case_instance it;
  const struct case_type *type;
  struct case_parameters *parameters;
};

static struct instance build(const char *name, const char *key, const char *value) {
  struct instance i = {.arena = test_arena(), .type = case_find(name)};
  i.parameters = case_parameters_load(i.type, i.arena);
  if (key != NULL) {
    CHECK_INT(case_parameters_set(i.parameters, key, value), BASE_OK);
  }
  CHECK_INT(i.type->build(i.parameters, i.arena, &i.it), BASE_OK);
  return i;
}

TEST(falling_particle_meets_its_closed_form_to_1e_10) {
  struct instance i = build("falling-particle", NULL, NULL);
  struct run run = start(i.it.mech, i.it.q, i.it.u);
  double q[2], u[2];
  for (int k = 1; k <= 150; ++k) {
    go(&run, 0.01 * k);
    i.type->reference(i.parameters, 0.01 * k, q, u);
    CHECK_NEAR(i.it.q[0], q[0], 1e-10);
    CHECK_NEAR(i.it.q[1], q[1], 1e-10);
    CHECK_NEAR(i.it.u[0], u[0], 1e-10);
    CHECK_NEAR(i.it.u[1], u[1], 1e-10);
  }
  CHECK_NEAR(i.it.q[0], 1.2193680, 5e-8); /* x_f of the catalogue's digits */
  CHECK_LE(run.sum.residual.absolute, 1e-13);
  stop(&run);
}

TEST(double_pendulum_is_the_same_in_both_coordinate_choices_and_keeps_its_energy) {
  struct instance xy = build("double-pendulum", "coordinates", "xy");
  struct instance angles = build("double-pendulum", "coordinates", "angles");
  struct run a = start(xy.it.mech, xy.it.q, xy.it.u);
  struct run b = start(angles.it.mech, angles.it.q, angles.it.u);
  const double E0 = mech_energy(xy.it.mech, xy.it.q, xy.it.u, xy.arena);
  for (int k = 1; k <= 20; ++k) {
    double q[4], u[4];
    go(&a, 0.05 * k);
    go(&b, 0.05 * k);
    angles.it.mech->ops->observe(angles.it.mech, angles.it.q, angles.it.u, q, u);
    for (int j = 0; j < 4; ++j) {
      CHECK_NEAR(xy.it.q[j], q[j], 1e-8);
    }
    CHECK_NEAR(mech_energy(xy.it.mech, xy.it.q, xy.it.u, xy.arena) / E0, 1, 1e-11);
  }
  CHECK(a.onsets > 0);
  CHECK_INT(a.onsets, b.onsets);
  stop(&a);
  stop(&b);
}

TEST(oscillator_converges_with_its_tolerance_and_closes_its_energy_budget) {
  double x[2];
  for (int k = 0; k < 2; ++k) {
    struct instance i = build("oscillator", NULL, NULL);
    struct run run = start_with(i.it.mech, i.it.q, i.it.u, k == 0 ? "1e-12" : "1e-10", NULL);
    const double E0 = mech_energy(i.it.mech, i.it.q, i.it.u, i.arena);
    go(&run, 0.25);
    x[k] = i.it.q[0];
    const double E = mech_energy(i.it.mech, i.it.q, i.it.u, i.arena);
    CHECK_NEAR(E - E0, run.sum.work.impact + run.sum.work.friction, 1e-9 * fabs(E0));
    CHECK(run.onsets > 0);
    CHECK_LE(run.sum.work.impact, 0);
    stop(&run);
  }
  CHECK_NEAR(x[0], x[1], 1e-8);
}

TEST(bodies_put_inside_each_other_may_part_freely) {
  const double g = 9.81, depth = 0.1, v = 2;
  struct particle p = {.dim = 1, .m = 1, .force = {-g}, .copies = 1};
  const struct mech m = particle_mech(&p, 1);
  double q[1] = {-depth}, u[1] = {v};
  struct run run = start(&m, q, u);
  for (int j = 1; j <= 11; ++j) {
    const double t = 0.9 * v / g * j / 11;
    go(&run, t);
    CHECK_NEAR(q[0], -depth + v * t - g * t * t / 2, 1e-12);
    CHECK_INT(run.onsets, 0);
  }
  go(&run, 3 * v / g);
  CHECK_INT(run.onsets, 1);
  CHECK_NEAR(q[0], 0, 1e-12);
  CHECK_NEAR(u[0], 0, 1e-12);
  stop(&run);
}

/* The spring holds the light mass back by a billionth of its length: the contact opens for 2.5 ns,
 * in which it rises less than rounding, and then carries; `event` says that it began inside. */
TEST(a_contact_that_opens_by_less_than_rounding_closes_again) {
  struct instance i = build("oscillator", NULL, NULL);
  i.it.q[0] = 0.09999440331499998, i.it.q[1] = 0.100000001092398;
  i.it.u[0] = i.it.u[1] = -0.44287720105055495;
  struct run run = start(i.it.mech, i.it.q, i.it.u);
  struct form_report report = {0};
  CHECK_INT(form_find("event")->step(run.workspace, &run.state, 3e-5, &report), BASE_FAILED);
  CHECK(strstr(base_message(), "closed contact 0 has a gap of -5.6e-06 m") != NULL);
  CHECK_LE(report.internal_steps, 1000);
  stop(&run);
}

/* Choice of modes against the conditions themselves on random problems. */
TEST(modes_chosen_satisfy_coulombs_law) {
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 3000; ++trial) {
    enum { DIM = 2, N = 2, SIZE = DIM * N };
    double B[SIZE * SIZE], A[SIZE * SIZE], b[SIZE], mu[N], direction[N], r[SIZE], w[SIZE];
    int fixed[N] = {0};
    unsigned allowed[N] = {EVENT_ANY, EVENT_ANY};
    enum event_mode mode[N];
    for (int k = 0; k < SIZE * SIZE + SIZE + N; ++k) {
      seed = seed * 6364136223846793005UL + 1442695040888963407UL;
      const double x = (double)(seed >> 11) / 4503599627370496.0 - 1;
      *(k < SIZE * SIZE          ? &B[k]
        : k < SIZE * SIZE + SIZE ? &b[k - SIZE * SIZE]
                                 : &mu[k - SIZE * SIZE - SIZE]) = x;
    }
    mu[0] = 0.15 * fabs(mu[0]); /* small friction: a solution exists and is unique */
    mu[1] = 0.15 * fabs(mu[1]);
    la_gemm_t(SIZE, SIZE, SIZE, 1, B, B, 0, A);
    for (int k = 0; k < SIZE; ++k) {
      A[k * SIZE + k] += 0.5;
    }
    struct event_choice c = {.dim = DIM,
                             .n = N,
                             .A = A,
                             .b = b,
                             .mu = mu,
                             .fixed = fixed,
                             .allowed = allowed,
                             .direction = direction,
                             .mode = mode,
                             .r = r};
    CHECK_INT(event_choose(&c, arena), BASE_OK);
    la_copy(SIZE, b, w);
    la_gemv(SIZE, SIZE, 1, A, r, 1, w);
    for (int i = 0; i < N; ++i) {
      const double rN = r[DIM * i], rT = r[DIM * i + 1], wN = w[DIM * i], wT = w[DIM * i + 1];
      CHECK_NEAR(fmin(rN, wN), 0, 1e-10);
      CHECK_LE(fabs(rT), mu[i] * rN + 1e-10);
      CHECK_NEAR(mu[i] * rN * fabs(wT) + rT * wT, 0, 1e-10);
    }
  }
}

/* Modes of n frictionless contacts; forces r and accelerations w = A r + b that come with them. */
static void choose_frictionless(int n, const double *A, const double *b, double *r, double *w,
                                enum event_mode *mode, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  unsigned *allowed = base_arena_push(arena, (size_t)n * sizeof *allowed);
  for (int i = 0; i < n; ++i) {
    allowed[i] = EVENT_ANY;
  }
  struct event_choice choice = {.dim = 1,
                                .n = n,
                                .A = A,
                                .b = b,
                                .mu = base_arena_doubles(arena, n),
                                .fixed = base_arena_ints(arena, n),
                                .allowed = allowed,
                                .mode = mode,
                                .r = r};
  CHECK_INT(event_choose(&choice, arena), BASE_OK);
  la_copy(n, b, w);
  la_gemv(n, n, 1, A, r, 1, w);
  base_arena_release(arena, mark);
}

/* More contacts than can be enumerated, redundant ones among them (A has half its rank). */
TEST(many_frictionless_contacts_satisfy_complementarity) {
  enum { N = 20, RANK = 10 };
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 200; ++trial) {
    double B[RANK * N], c[RANK], A[N * N], b[N], r[N], w[N];
    enum event_mode mode[N];
    for (int k = 0; k < RANK * N + RANK; ++k) {
      seed = seed * 6364136223846793005UL + 1442695040888963407UL;
      *(k < RANK * N ? &B[k] : &c[k - RANK * N]) = (double)(seed >> 11) / 4503599627370496.0 - 1;
    }
    la_gemm_t(N, N, RANK, 1, B, B, 0, A);
    la_gemv_t(RANK, N, 1, B, c, 0, b); /* b in the range of A: a solution exists */
    choose_frictionless(N, A, b, r, w, mode, arena);
    for (int i = 0; i < N; ++i) {
      CHECK_NEAR(fmin(r[i], w[i]), 0, 1e-10);
    }
  }
}

/* Nine frictionless contacts, their directions alike but for 1e-4: sweeps over contacts would crawl
 * (A has eigenvalues 9 and 1e-8); combinations of open and closed are few enough to try them all.
 */
TEST(nearly_parallel_frictionless_contacts_are_decided_exactly) {
  enum { N = 9 };
  struct base_arena *arena = test_arena();
  unsigned long seed = test_seed();
  for (int trial = 0; trial < 5; ++trial) {
    double B[N * N], c[N], A[N * N], b[N], r[N], w[N];
    enum event_mode mode[N];
    for (int k = 0; k < N * N + N; ++k) {
      seed = seed * 6364136223846793005UL + 1442695040888963407UL;
      const double x = (double)(seed >> 11) / 4503599627370496.0 - 1;
      *(k < N * N ? &B[k] : &c[k - N * N]) = k < N * N ? (k % N == 0) + 1e-4 * x : x;
    }
    la_gemm_t(N, N, N, 1, B, B, 0, A);
    la_gemv_t(N, N, 1, B, c, 0, b);
    choose_frictionless(N, A, b, r, w, mode, arena);
    for (int i = 0; i < N; ++i) { /* forces of up to 1e4 |b| leave round-off of that size */
      CHECK_LE(-1e-9, r[i]);
      CHECK_LE(-1e-11, w[i]);
      CHECK_LE(fabs(mode[i] == EVENT_OPEN ? r[i] : w[i]), mode[i] == EVENT_OPEN ? 0 : 1e-11);
    }
  }
}

TEST_MAIN()
