/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smooth consistent integrators (moeller 5.31, 5.49, 5.58, 5.72) and the quaternion ones
 * (5.141, 5.157 with 5.158): energy, constraints on both levels, unit quaternions, momentum, order
 * against an independent integration, drift of closed contacts, and what they refuse. The free
 * asymmetric top is run by each in the description of the body that it is made for.
 */
#include "tests/integrator_run.h"
#include "tests/test.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/rigid/rigid_body.h"
#include "tests/consistent_models.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

extern const struct form form_consistent_constant, form_consistent_constant_gear,
    form_consistent_coordinate, form_consistent_decomposed, form_consistent_twostep,
    form_consistent_quaternion, form_consistent_quaternion_twostep;

static const struct {
  const char *name;
  const struct form *form;
  enum mech_rigid_body_kind kind;
  int unknowns, order;
  int rates; /* keeps gamma_S at round-off */
} schemes[] = {
    {"constant", &form_consistent_constant, MECH_RIGID_BODY_AFFINE, 30, 2, 0},
    {"constant-gear", &form_consistent_constant_gear, MECH_RIGID_BODY_AFFINE, 36, 2, 1},
    {"coordinate", &form_consistent_coordinate, MECH_RIGID_BODY_SCALABLE, 16, 1, 1},
    {"decomposed", &form_consistent_decomposed, MECH_RIGID_BODY_SCALABLE, 16, 1, 1},
    {"decomposed, affine", &form_consistent_decomposed, MECH_RIGID_BODY_AFFINE, 36, 2, 1},
    {"quaternion", &form_consistent_quaternion, MECH_RIGID_BODY_QUATERNION, 7 + 6, 2, 1},
    {"quaternion-twostep", &form_consistent_quaternion_twostep, MECH_RIGID_BODY_QUATERNION, 7 + 6,
     2, 1}};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

static const double THETA[3] = {0.31, 0.47, 0.63};
static const double OMEGA[3] = {0.4, 3, 0.2}; /* near the unstable axis: it tumbles */

static struct mech_rigid_body top(enum mech_rigid_body_kind kind, double gravity) {
  return (struct mech_rigid_body){.kind = kind,
                                  .mass = 1.7,
                                  .Theta = {THETA[0], THETA[1], THETA[2]},
                                  .gravity = gravity,
                                  .length = 1,
                                  .speed = 3};
}

static struct integrator_run run_of(int scheme, double gravity, double dt, int steps,
                                    struct base_arena *arena) {
  const struct mech_rigid_body body = top(schemes[scheme].kind, gravity);
  struct integrator_run r = {.form = schemes[scheme].form,
                             .m = mech_rigid_body_build(&body, arena),
                             .dt = dt,
                             .steps = steps};
  mech_rigid_body_state(r.m, (const double[]){0, 0, 0}, (const double[]){1, 0, 0, 0},
                        (const double[]){0.3, 0.1, 5}, OMEGA, r.q, r.u);
  return r;
}

/* --- conservation --- */

TEST(energy_and_constraints_of_a_tumbling_top) {
  for (int i = 0; i < SCHEMES; ++i) {
    for (int heavy = 0; heavy < 2; ++heavy) {
      struct base_arena *arena = base_arena_alloc();
      struct integrator_run r = run_of(i, heavy ? 9.81 : 0, 0.01, 500, arena);
      integrator_go(&r);
      CHECK_MESSAGE(!r.refused && r.status == BASE_OK, "%s: %s", schemes[i].name, base_message());
      CHECK_MESSAGE(r.drift <= 1e-11 * r.E0, "%s: energy drifts by %.3g of itself", schemes[i].name,
                    r.drift / r.E0);
      /* of the rounding of q: the heavy one falls 97 m */
      const double q = fmax(1, la_norm_inf(3, r.q));
      CHECK_MESSAGE(r.gS <= 2e-15 * q, "%s: g_S = %.3g", schemes[i].name, r.gS);
      CHECK_MESSAGE(!schemes[i].rates || r.gammaS <= 1e-13, "%s: gamma_S = %.3g", schemes[i].name,
                    r.gammaS);
      CHECK_LE(r.newton, 1e-14);
      CHECK_INT(r.unknowns, schemes[i].unknowns);
      if (schemes[i].kind != MECH_RIGID_BODY_AFFINE) {
        CHECK_NEAR(la_norm2(4, r.q + 3), 1, 1e-14); /* (5.147) for those without g_S */
      }
      base_arena_free(arena);
    }
  }
}

/* |A| does not wander off with the number of steps either, at a step of half a radian. */
TEST(unit_quaternions_stay_unit) {
  struct base_arena *arena = test_arena();
  struct integrator_run r = run_of(SCHEMES - 1, 0, 0.15, 8000, arena);
  integrator_go(&r);
  CHECK_INT(r.status, BASE_OK);
  CHECK_NEAR(la_norm2(4, r.q + 3), 1, 1e-14);
  CHECK_LE(r.drift, 1e-11 * r.E0);
}

/* (5.31) is a midpoint rule for directors, g_S quadratic: sum d_i x E_i d_i' is kept exactly. The
 * quaternion schemes keep |Theta omega| exactly (the midpoint rule of Euler's equations) but turn
 * the body by 4 atan(dt |omega| / 4) about it: its direction errs at second order. */
TEST(momentum) {
  struct base_arena *arena = test_arena();
  struct integrator_run r = run_of(0, 0, 0.01, 500, arena);
  integrator_go(&r);
  CHECK_LE(r.L_drift, 1e-12);
  double drift[2];
  for (int fine = 0; fine < 2; ++fine) {
    r = run_of(5, 0, 0.01 / (1 + fine), 500 * (1 + fine), arena);
    integrator_go(&r);
    drift[fine] = r.L_drift;
    double size = 0, start = 0;
    for (int k = 0; k < 3; ++k) {
      size += THETA[k] * r.u[3 + k] * THETA[k] * r.u[3 + k];
      start += THETA[k] * OMEGA[k] * THETA[k] * OMEGA[k];
    }
    CHECK_NEAR(sqrt(size), sqrt(start), 1e-13);
    CHECK_NEAR(r.u[0], 0.3, 1e-14);
  }
  CHECK_LE(drift[1], 1e-3);
  CHECK_NEAR(log2(drift[0] / drift[1]), 2, 0.1);
}

/* The other schemes do not keep the momentum: (5.49) loses it through kappa, of third order. */
TEST(momentum_of_the_other_schemes) {
  static const struct {
    int scheme;
    double order;
  } expected[] = {{1, 3}, {2, 1}, {3, 1}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    double drift[2];
    for (int fine = 0; fine < 2; ++fine) {
      struct base_arena *arena = base_arena_alloc();
      const int steps = 500 << fine;
      struct integrator_run r = run_of(expected[i].scheme, 0, 5.0 / steps, steps, arena);
      integrator_go(&r);
      CHECK_NEAR(r.u[2], 5, 1e-12); /* linear momentum all the same */
      drift[fine] = r.L_drift;
      base_arena_free(arena);
    }
    const double order = log2(drift[0] / drift[1]);
    CHECK_MESSAGE(fabs(order - expected[i].order) <= 0.1, "%s: order %.3f",
                  schemes[expected[i].scheme].name, order);
  }
}

/* --- velocities about the constraints (5.40) --- */

TEST(rates_of_the_constant_scheme_alternate) {
  struct base_arena *arena = test_arena();
  double violation[2];
  for (int fine = 0; fine < 2; ++fine) {
    const int steps = 400 * (1 + fine);
    struct integrator_run r = run_of(0, 0, 0.01 / (1 + fine), steps, arena);
    integrator_go(&r);
    violation[fine] = r.gammaS;
    CHECK(r.turns >= 0.99 * (steps - 2)); /* up and down in every step */
  }
  CHECK_LE(1e-6, violation[1]);
  CHECK_NEAR(log2(violation[0] / violation[1]), 2, 0.15); /* amplitude of second order */
  struct integrator_run r = run_of(1, 0, 0.01, 400, arena);
  integrator_go(&r);
  CHECK_LE(r.gammaS, 1e-9 * violation[0]);
}

/* --- order, against rk8pd on Euler's equations and Adot = A (0, omega) / 2 --- */

static int euler_equations(double t, const double *y, double *dy, void *data) {
  const double *A = y, *w = y + 4;
  (void)t, (void)data;
  dy[0] = -0.5 * (A[1] * w[0] + A[2] * w[1] + A[3] * w[2]);
  dy[1] = 0.5 * (A[0] * w[0] + A[2] * w[2] - A[3] * w[1]);
  dy[2] = 0.5 * (A[0] * w[1] + A[3] * w[0] - A[1] * w[2]);
  dy[3] = 0.5 * (A[0] * w[2] + A[1] * w[1] - A[2] * w[0]);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    dy[4 + i] = (THETA[j] - THETA[k]) * w[j] * w[k] / THETA[i];
  }
  return GSL_SUCCESS;
}

static void reference(double t_end, double y[7]) {
  gsl_odeiv2_system system = {euler_equations, NULL, 7, NULL};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
  double t = 0;
  CHECK_INT(gsl_odeiv2_driver_apply(driver, &t, t_end, y), GSL_SUCCESS);
  gsl_odeiv2_driver_free(driver);
}

TEST(order_of_convergence) {
  const double t_end = 1;
  double y[7] = {1, 0, 0, 0, OMEGA[0], OMEGA[1], OMEGA[2]};
  double q_ref[12], u_ref[12], q_out[12], u_out[12];
  struct base_arena *arena = test_arena();
  const struct mech_rigid_body body = top(MECH_RIGID_BODY_QUATERNION, 0);
  const struct mech *m = mech_rigid_body_build(&body, arena);
  double q[7], u[6];
  reference(t_end, y);
  mech_rigid_body_state(m, (const double[]){0.3, 0.1, 5}, y, (const double[]){0.3, 0.1, 5}, y + 4,
                        q, u);
  m->ops->observe(m, q, u, q_ref, u_ref);
  for (int i = 0; i < SCHEMES; ++i) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      const int steps = 100 << k;
      struct integrator_run r = run_of(i, 0, t_end / steps, steps, arena);
      integrator_go(&r);
      r.m->ops->observe(r.m, r.q, r.u, q_out, u_out);
      error[k] = 0;
      for (int j = 0; j < 12; ++j) {
        error[k] = fmax(error[k], fabs(q_out[j] - q_ref[j]));
      }
      for (int j = 3; j < 6; ++j) { /* omega; the strain of (5.31) is tested above */
        error[k] = fmax(error[k], fabs(u_out[j] - u_ref[j]));
      }
    }
    const double order = log2(error[1] / error[2]);
    CHECK_MESSAGE(fabs(order - schemes[i].order) <= 0.15, "%s: order %.3f, errors %.3g %.3g %.3g",
                  schemes[i].name, order, error[0], error[1], error[2]);
    CHECK_LE(error[2], schemes[i].order == 2 ? 3e-4 : 0.1);
  }
}

/* --- coordinate-dependent mass without closed forms for G and DT/Dq --- */

/* Two rods of unit mass and length with the masses at their ends, in angles from the vertical. */
static void rods_mass(const struct mech *m, const double *q, double *M) {
  (void)m;
  M[0] = 2;
  M[1] = M[2] = cos(q[0] - q[1]);
  M[3] = 1;
}
static double rods_potential(const struct mech *m, const double *q) {
  (void)m;
  return 9.81 * (3 - 2 * cos(q[0]) - cos(q[1]));
}
static void rods_gradient(const struct mech *m, const double *q, double *dV) {
  (void)m;
  dV[0] = 9.81 * 2 * sin(q[0]);
  dV[1] = 9.81 * sin(q[1]);
}
static const struct mech_ops rods_ops = {
    .mass = rods_mass, .potential = rods_potential, .potential_gradient = rods_gradient};
static const struct mech rods = {.name = "rods",
                                 .ops = &rods_ops,
                                 .nq = 2,
                                 .nu = 2,
                                 .dim = 1,
                                 .nb = 1,
                                 .nv = 2,
                                 .length = 1,
                                 .speed = 3};

static int rods_equations(double t, const double *y, double *dy, void *data) {
  const double c = cos(y[0] - y[1]), s = sin(y[0] - y[1]);
  const double f[2] = {-s * y[3] * y[3] - 2 * 9.81 * sin(y[0]), s * y[2] * y[2] - 9.81 * sin(y[1])};
  (void)t, (void)data;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (f[0] - c * f[1]) / (2 - c * c);
  dy[3] = (2 * f[1] - c * f[0]) / (2 - c * c);
  return GSL_SUCCESS;
}

TEST(double_pendulum_in_angles) {
  double y[4] = {0.5, 1, 0, 0}, t = 0, error[2];
  gsl_odeiv2_system system = {rods_equations, NULL, 4, NULL};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
  CHECK_INT(gsl_odeiv2_driver_apply(driver, &t, 1, y), GSL_SUCCESS);
  gsl_odeiv2_driver_free(driver);
  for (int fine = 0; fine < 2; ++fine) {
    const int steps = 400 << fine;
    struct integrator_run r = {.form = &form_consistent_coordinate,
                               .m = &rods,
                               .dt = 1.0 / steps,
                               .steps = steps,
                               .q = {0.5, 1}};
    integrator_go(&r);
    CHECK_INT(r.status, BASE_OK);
    CHECK_LE(r.drift, 1e-11 * r.E0);
    error[fine] = fmax(fabs(r.q[0] - y[0]), fabs(r.q[1] - y[1]));
  }
  CHECK_LE(error[1], 0.05);
  CHECK_NEAR(log2(error[0] / error[1]), 1, 0.15);
}

/* Q of polar coordinates: M_q = diag(m, m r^2) by mech_by_coordinates, damped: 5.123 in it. */
TEST(decomposed_system_by_its_coordinates) {
  struct consistent_parameters p = consistent_polar_table;
  struct mech m = consistent_polar;
  m.data = &p;
  struct integrator_run r = {.form = &form_consistent_coordinate,
                             .m = &m,
                             .dt = 0.01,
                             .steps = 500,
                             .q = {1.2, 1},
                             .u = {0.1, 1.5}};
  integrator_go(&r);
  CHECK_MESSAGE(!r.refused, "%s", base_message());
  CHECK_INT(r.status, BASE_OK);
  CHECK_LE(r.drift, 1e-11 * r.E0);
}

/* --- contacts of the quaternion schemes --- */

/* A symmetric top on its tip over z = 0, spinning about its axis, leaning by an angle. */
static struct integrator_run tip(const struct form *form, const char *options, double lean,
                                 double height, double mu, double eps, struct base_arena *arena) {
  const struct mech_rigid_body body = {.kind = MECH_RIGID_BODY_QUATERNION,
                                       .mass = 1.7,
                                       .Theta = {0.031, 0.031, 0.02},
                                       .gravity = 9.81,
                                       .contact = 1,
                                       .point = {0, 0, -0.1},
                                       .mu = mu,
                                       .eps_N = eps,
                                       .length = 1,
                                       .speed = 3};
  struct integrator_run r = {.form = form,
                             .m = mech_rigid_body_build(&body, arena),
                             .options = options,
                             .dt = 1e-3,
                             .steps = 1000};
  const double A[4] = {cos(lean / 2), sin(lean / 2), 0, 0};
  mech_rigid_body_state(r.m, (const double[]){0, 0, 0.1 * cos(lean) + height}, A,
                        (const double[]){0, 0, 0}, (const double[]){0, 0, 60}, r.q, r.u);
  return r;
}

/* (5.141) with eps = 0 holds u_N = -g dt / 2, so the gap falls by that times t; (5.157, 5.158) lets
 * it fall in the first step only, by g dt^2 / 2. */
TEST(gap_of_a_resting_body) {
  struct base_arena *arena = test_arena();
  const double g = 9.81, dt = 1e-3;
  struct integrator_run r = tip(&form_consistent_quaternion, "", 0, 0, 0, 0, arena);
  integrator_go(&r);
  CHECK_INT(r.status, BASE_OK);
  CHECK_NEAR(r.gap, -g * dt / 2, 1e-5);
  CHECK_NEAR(r.E1 - r.E0, 1.7 * (g * r.gap + g * g * dt * dt / 8), 1e-9);
  r = tip(&form_consistent_quaternion_twostep, "", 0, 0, 0, 0, arena);
  integrator_go(&r);
  CHECK_INT(r.status, BASE_OK);
  CHECK_LE(-r.gap, g * dt * dt);
  CHECK_LE(r.approach, 1e-15);
}

/* A leaning top, let fall onto its tip, precesses with friction: closed gaps keep with directions
 * from the discrete derivative (5.144) and not with those of q^B; in one step with eps = 1 alike.
 */
TEST(gap_of_a_leaning_body) {
  static const struct {
    const struct form *form;
    const char *options;
    double height, mu, eps;
    int keeps;
  } runs[] = {{&form_consistent_quaternion_twostep, "W=discrete", 1e-4, 0.3, 0, 1},
              {&form_consistent_quaternion_twostep, "W=partial", 1e-4, 0.3, 0, 0},
              {&form_consistent_quaternion_twostep, "W=discrete", 0.05, 0, 0.5, 1},
              {&form_consistent_quaternion, "W=discrete", 0.05, 0, 1, 1},
              {&form_consistent_quaternion, "W=partial", 0.05, 0, 1, 0},
              {&form_consistent_quaternion, "W=discrete", 1e-4, 0.3, 0, 0}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct base_arena *arena = base_arena_alloc();
    struct integrator_run r =
        tip(runs[i].form, runs[i].options, 0.2, runs[i].height, runs[i].mu, runs[i].eps, arena);
    integrator_go(&r);
    CHECK_INT(r.status, BASE_OK);
    CHECK_MESSAGE(runs[i].keeps == (r.approach <= 1e-15), "run %zu: closed gaps shrink by %.3g", i,
                  r.approach);
    CHECK_LE(r.increase, 1e-13 * r.E0);
    CHECK_LE(r.budget, 1e-13 * r.E0);
    CHECK_LE(r.friction, 0);
    CHECK_NEAR(la_norm2(4, r.q + 3), 1, 1e-14);
    if (runs[i].eps == 1) {
      CHECK_LE(r.drift, 1e-11 * r.E0); /* frictionless and elastic: nothing is lost */
    } else {
      CHECK_LE(r.impact, -1e-6);
    }
    base_arena_free(arena);
  }
}

/* Two descriptions, two schemes, one motion as dt falls: both are of second order while the contact
 * lasts. */
TEST(affine_body_agrees_on_contact) {
  double difference[2] = {0, 0};
  for (int fine = 0; fine < 2; ++fine) {
    struct base_arena *arena = base_arena_alloc();
    struct integrator_run a =
        tip(&form_consistent_quaternion_twostep, "W=discrete", 0.2, 0, 0.3, 0, arena);
    struct mech_rigid_body body = *(const struct mech_rigid_body *)a.m->data;
    double q[2][12], u[2][12];
    body.kind = MECH_RIGID_BODY_AFFINE;
    a.dt = 5e-4 / (1 + fine);
    a.steps = 400 << fine;
    struct integrator_run b = a;
    b.form = &form_consistent_twostep;
    b.m = mech_rigid_body_build(&body, arena);
    mech_rigid_body_state(b.m, a.q, a.q + 3, a.u, a.u + 3, b.q, b.u);
    integrator_go(&a);
    integrator_go(&b);
    a.m->ops->observe(a.m, a.q, a.u, q[0], u[0]);
    b.m->ops->observe(b.m, b.q, b.u, q[1], u[1]);
    for (int j = 0; j < 12; ++j) {
      difference[fine] = fmax(difference[fine], fabs(q[0][j] - q[1][j]));
    }
    base_arena_free(arena);
  }
  CHECK_LE(difference[0], 1e-3);
  CHECK_NEAR(log2(difference[0] / difference[1]), 2, 0.2);
}

/* --- refusals --- */

static void refuses(const struct form *form, const struct mech *m, const char *reason) {
  struct integrator_run r = {.form = form, .m = m, .dt = 0.01, .steps = 1};
  for (int j = 3; j < m->nq; ++j) {
    r.q[j] = 1;
  }
  integrator_go(&r);
  CHECK_MESSAGE(r.refused, "%s runs %s", form->source, m->name);
  CHECK_MESSAGE(strstr(base_message(), reason) != NULL, "'%s' does not say '%s'", base_message(),
                reason);
}

TEST(refusals_say_why) {
  struct base_arena *arena = test_arena();
  const struct mech *bodies[3];
  for (int kind = 0; kind < 3; ++kind) {
    const struct mech_rigid_body body = top((enum mech_rigid_body_kind)kind, 0);
    bodies[kind] = mech_rigid_body_build(&body, arena);
  }
  struct mech_rigid_body touching = top(MECH_RIGID_BODY_AFFINE, 0);
  touching.contact = 1;
  const struct mech *affine = mech_rigid_body_build(&touching, arena);
  touching.kind = MECH_RIGID_BODY_SCALABLE;
  const struct mech *scalable = mech_rigid_body_build(&touching, arena);
  refuses(&form_consistent_constant, bodies[MECH_RIGID_BODY_SCALABLE], "u = qdot");
  refuses(&form_consistent_constant_gear, bodies[MECH_RIGID_BODY_QUATERNION], "u = qdot");
  refuses(&form_consistent_constant, &rods, "constant mass matrix");
  refuses(&form_consistent_decomposed, &rods, "constant mass matrix");
  refuses(&form_consistent_decomposed, bodies[MECH_RIGID_BODY_QUATERNION], "as many velocities");
  refuses(&form_consistent_coordinate, bodies[MECH_RIGID_BODY_QUATERNION], "as many velocities");
  refuses(&form_consistent_quaternion, bodies[MECH_RIGID_BODY_SCALABLE], "as a matrix");
  refuses(&form_consistent_quaternion_twostep, &rods, "constant mass matrix");
  refuses(&form_consistent_quaternion, &consistent_polar, "gyroscopic forces as a matrix");
  refuses(&form_consistent_constant, affine, "without contacts (moeller 5.31)");
  refuses(&form_consistent_constant_gear, affine, "without contacts (moeller 5.49)");
  refuses(&form_consistent_coordinate, scalable, "without contacts (moeller 5.58)");
  refuses(&form_consistent_decomposed, scalable, "without contacts (moeller 5.72)");
}

TEST_MAIN()
