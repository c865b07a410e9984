/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The smooth consistent integrators (moeller 5.31, 5.49, 5.58, 5.72) and the quaternion ones
 * (5.141, 5.157 with 5.158): energy, constraints on both levels, unit quaternions, momentum, order
 * against an independent integration, drift of closed contacts, and what they refuse. The free
 * asymmetric top is run by each in the description of the body that it is made for.
 */
#include "tests/test.h"

#include "form/consistent/consistent.h"
#include "la/dense.h"
#include "mech/rigid/rigid_body.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/polar_model.h"

static const struct {
  const char *name, *form;
  enum mech_rigid_body_kind kind;
  int unknowns, order;
  int rates; /* keeps gamma_S at round-off */
} schemes[] = {{"constant", "consistent-constant", MECH_RIGID_BODY_AFFINE, 30, 2, 0},
               {"constant-gear", "consistent-constant-gear", MECH_RIGID_BODY_AFFINE, 36, 2, 1},
               {"coordinate", "consistent-coordinate", MECH_RIGID_BODY_SCALABLE, 16, 1, 1},
               {"decomposed", "consistent-decomposed", MECH_RIGID_BODY_SCALABLE, 16, 1, 1},
               {"decomposed, affine", "consistent-decomposed", MECH_RIGID_BODY_AFFINE, 36, 2, 1},
               {"quaternion", "consistent-quaternion", MECH_RIGID_BODY_QUATERNION, 7 + 6, 2, 1},
               {"quaternion-twostep", "consistent-quaternion-twostep", MECH_RIGID_BODY_QUATERNION,
                7 + 6, 2, 1}};
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

static struct run *begin(int scheme, double gravity, double dt) {
  const struct mech_rigid_body body = top(schemes[scheme].kind, gravity);
  const struct mech *m = mech_rigid_body_build(&body, test_arena());
  double q[12], u[12];
  mech_rigid_body_state(m, (const double[]){0, 0, 0}, (const double[]){1, 0, 0, 0},
                        (const double[]){0.3, 0.1, 5}, OMEGA, q, u);
  return run_begin(schemes[scheme].form, m, dt, q, u);
}

/* --- conservation --- */

TEST(energy_and_constraints_of_a_tumbling_top) {
  for (int i = 0; i < SCHEMES; ++i) {
    for (int heavy = 0; heavy < 2; ++heavy) {
      struct run *r = begin(i, heavy ? 9.81 : 0, 0.01);
      run_watched(r, 500);
      CHECK_MESSAGE(r->status == BASE_OK, "%s: %s", schemes[i].name, base_message());
      CHECK_MESSAGE(r->seen.drift <= 1e-11 * r->energy, "%s: energy drifts by %.3g of itself",
                    schemes[i].name, r->seen.drift / r->energy);
      /* of the rounding of q: the heavy one falls 97 m */
      const double q = fmax(1, la_norm_inf(3, r->state.q));
      CHECK_MESSAGE(r->seen.gS <= 2e-15 * q, "%s: g_S = %.3g", schemes[i].name, r->seen.gS);
      CHECK_MESSAGE(!schemes[i].rates || r->seen.gammaS <= 1e-13, "%s: gamma_S = %.3g",
                    schemes[i].name, r->seen.gammaS);
      CHECK_LE(r->newton, 1e-14);
      CHECK_INT(((const struct form_consistent *)r->workspace)->unknowns, schemes[i].unknowns);
      if (schemes[i].kind != MECH_RIGID_BODY_AFFINE) {
        CHECK_NEAR(la_norm2(4, r->state.q + 3), 1, 1e-14); /* (5.147) for those without g_S */
      }
    }
  }
}

/* |A| does not wander off with the number of steps either, at a step of half a radian. */
TEST(unit_quaternions_stay_unit) {
  struct run *r = begin(SCHEMES - 1, 0, 0.15);
  run_watched(r, 8000);
  CHECK_OK(r->status);
  CHECK_NEAR(la_norm2(4, r->state.q + 3), 1, 1e-14);
  CHECK_LE(r->seen.drift, 1e-11 * r->energy);
}

/* Momentum of a rigid body about the origin, in the world [N m s]. */
static void momentum_of(const struct mech *m, const double *q, const double *u, double L[3]) {
  const struct mech_rigid_body *body = m->data;
  double q_out[MECH_RIGID_BODY_Q_OUT], u_out[MECH_RIGID_BODY_U_OUT];
  if (body->kind == MECH_RIGID_BODY_AFFINE) { /* sum of d_i x E_i d_i' */
    const double half = 0.5 * (body->Theta[0] + body->Theta[1] + body->Theta[2]);
    for (int k = 0; k < 3; ++k) {
      const int a = (k + 1) % 3, b = (k + 2) % 3;
      L[k] = body->mass * (q[a] * u[b] - q[b] * u[a]);
      for (int i = 0; i < 3; ++i) {
        const double *d = q + 3 + 3 * i, *rate = u + 3 + 3 * i;
        L[k] += (half - body->Theta[i]) * (d[a] * rate[b] - d[b] * rate[a]);
      }
    }
    return;
  }
  m->ops->observe(m, q, u, q_out, u_out);
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    L[k] = body->mass * (q_out[a] * u_out[b] - q_out[b] * u_out[a]);
    for (int i = 0; i < 3; ++i) {
      L[k] += q_out[3 + 3 * i + k] * body->Theta[i] * u_out[3 + i];
    }
  }
}

/* Largest change of a component in n steps. */
static double momentum_drift(struct run *r, int n) {
  double start[3], L[3], drift = 0;
  momentum_of(r->setup.mech, r->state.q, r->state.u, start);
  for (int k = 0; k < n; ++k) {
    run_steps(r, 1);
    momentum_of(r->setup.mech, r->state.q, r->state.u, L);
    drift = fmax(drift, test_distance(3, L, start));
  }
  return drift;
}

/* (5.31) is a midpoint rule for directors, g_S quadratic: sum d_i x E_i d_i' is kept exactly. The
 * quaternion schemes keep |Theta omega| exactly (the midpoint rule of Euler's equations) but turn
 * the body by 4 atan(dt |omega| / 4) about it: its direction errs at second order. */
TEST(momentum) {
  CHECK_LE(momentum_drift(begin(0, 0, 0.01), 500), 1e-12);
  double drift[2];
  for (int fine = 0; fine < 2; ++fine) {
    struct run *r = begin(5, 0, 0.01 / (1 + fine));
    drift[fine] = momentum_drift(r, 500 * (1 + fine));
    double size = 0, start = 0;
    for (int k = 0; k < 3; ++k) {
      size += THETA[k] * r->state.u[3 + k] * THETA[k] * r->state.u[3 + k];
      start += THETA[k] * OMEGA[k] * THETA[k] * OMEGA[k];
    }
    CHECK_NEAR(sqrt(size), sqrt(start), 1e-13);
    CHECK_NEAR(r->state.u[0], 0.3, 1e-14);
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
      const int steps = 500 << fine;
      struct run *r = begin(expected[i].scheme, 0, 5.0 / steps);
      drift[fine] = momentum_drift(r, steps);
      CHECK_NEAR(r->state.u[2], 5, 1e-12); /* linear momentum all the same */
    }
    const double order = log2(drift[0] / drift[1]);
    CHECK_MESSAGE(fabs(order - expected[i].order) <= 0.1, "%s: order %.3f",
                  schemes[expected[i].scheme].name, order);
  }
}

/* --- velocities about the constraints (5.40) --- */

TEST(rates_of_the_constant_scheme_alternate) {
  double violation[2];
  for (int fine = 0; fine < 2; ++fine) {
    const int steps = 400 * (1 + fine);
    struct run *r = begin(0, 0, 0.01 / (1 + fine));
    double WS[12 * 6], gamma[6], last[2] = {0};
    int turns = 0; /* of the first component */
    for (int k = 0; k < steps; ++k) {
      run_watched(r, 1);
      mech_bilateral_directions(r->setup.mech, r->state.q, WS, r->arena);
      la_gemv_t(12, 6, 1, WS, r->state.u, 0, gamma);
      turns += k > 1 && (gamma[0] - last[0]) * (last[0] - last[1]) < 0;
      last[1] = last[0];
      last[0] = gamma[0];
    }
    violation[fine] = r->seen.gammaS;
    CHECK(turns >= 0.99 * (steps - 2)); /* up and down in every step */
  }
  CHECK_LE(1e-6, violation[1]);
  CHECK_NEAR(log2(violation[0] / violation[1]), 2, 0.15); /* amplitude of second order */
  struct run *r = begin(1, 0, 0.01);
  run_watched(r, 400);
  CHECK_LE(r->seen.gammaS, 1e-9 * violation[0]);
}

/* --- order, against event-driven integration --- */

TEST(order_of_convergence) {
  const double t_end = 1;
  double q_ref[12], u_ref[12], q_out[12], u_out[12];
  struct run *truth = begin(SCHEMES - 1, 0, t_end);
  truth = run_begin("event", truth->setup.mech, t_end, truth->state.q, truth->state.u);
  run_steps(truth, 1);
  truth->setup.mech->ops->observe(truth->setup.mech, truth->state.q, truth->state.u, q_ref, u_ref);
  for (int i = 0; i < SCHEMES; ++i) {
    double error[3];
    for (int k = 0; k < 3; ++k) {
      const int steps = 100 << k;
      struct run *r = begin(i, 0, t_end / steps);
      run_steps(r, steps);
      r->setup.mech->ops->observe(r->setup.mech, r->state.q, r->state.u, q_out, u_out);
      /* omega; the strain of (5.31) is tested above */
      error[k] = fmax(test_distance(12, q_out, q_ref), test_distance(3, u_out + 3, u_ref + 3));
    }
    const double order = log2(error[1] / error[2]);
    CHECK_MESSAGE(fabs(order - schemes[i].order) <= 0.15, "%s: order %.3f, errors %.3g %.3g %.3g",
                  schemes[i].name, order, error[0], error[1], error[2]);
    CHECK_LE(error[2], schemes[i].order == 2 ? 3e-4 : 0.1);
  }
}

/* --- coordinate-dependent mass without closed forms for G and DT/Dq --- */

/* The double pendulum in angles, two rods of 1 m with masses of 1 kg, without its own discrete
 * derivatives. */
static struct mech rods(struct mech_ops *ops) {
  struct mech m =
      *case_model_build("double-pendulum", "coordinates=angles wall=no m=1 l=1 y1_0=1 y2_0=2",
                        test_arena())
           .mech;
  *ops = *m.ops;
  memset(&ops->consistent, 0, sizeof ops->consistent);
  m.ops = ops;
  return m;
}

TEST(double_pendulum_in_angles) {
  double y[4] = {0.5, 1, 0, 0}, error[2];
  struct mech_ops ops;
  const struct mech m = rods(&ops);
  case_model_integrate(&m, 0, 1, y, test_arena());
  for (int fine = 0; fine < 2; ++fine) {
    const int steps = 400 << fine;
    struct run *r = run_begin("consistent-coordinate", &m, 1.0 / steps, (const double[]){0.5, 1},
                              (const double[]){0, 0});
    run_watched(r, steps);
    CHECK_OK(r->status);
    CHECK_LE(r->seen.drift, 1e-11 * r->energy);
    error[fine] = test_distance(2, r->state.q, y);
  }
  CHECK_LE(error[1], 0.05);
  CHECK_NEAR(log2(error[0] / error[1]), 1, 0.15);
}

/* Q of polar coordinates: M_q = diag(m, m r^2) by mech_by_coordinates, damped: 5.123 in it. */
TEST(decomposed_system_by_its_coordinates) {
  struct polar p = POLAR_TABLE;
  const struct mech m = polar_mech(&p);
  struct run *r = run_begin("consistent-coordinate", &m, 0.01, (const double[]){1.2, 1},
                            (const double[]){0.1, 1.5});
  run_watched(r, 500);
  CHECK_OK(r->status);
  CHECK_LE(r->seen.drift, 1e-11 * r->energy);
}

/* --- contacts of the quaternion schemes --- */

/* A symmetric top on its tip over z = 0, spinning about its axis, leaning by an angle. */
static struct run *tip(const char *form, const char *options, double lean, double height, double mu,
                       double eps, double dt) {
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
  const struct mech *m = mech_rigid_body_build(&body, test_arena());
  const double A[4] = {cos(lean / 2), sin(lean / 2), 0, 0};
  double q[7], u[6];
  mech_rigid_body_state(m, (const double[]){0, 0, 0.1 * cos(lean) + height}, A,
                        (const double[]){0, 0, 0}, (const double[]){0, 0, 60}, q, u);
  struct run *r = run_begin(form, m, dt, q, u);
  run_set(r, "%s", options);
  return r;
}

/* (5.141) with eps = 0 holds u_N = -g dt / 2, so the gap falls by that times t; (5.157, 5.158) lets
 * it fall in the first step only, by g dt^2 / 2. */
TEST(gap_of_a_resting_body) {
  const double g = 9.81, dt = 1e-3;
  struct run *r = tip("consistent-quaternion", "", 0, 0, 0, 0, dt);
  run_watched(r, 1000);
  CHECK_OK(r->status);
  CHECK_NEAR(r->seen.gap, -g * dt / 2, 1e-5);
  CHECK_NEAR(run_energy(r) - r->energy, 1.7 * (g * r->seen.gap + g * g * dt * dt / 8), 1e-9);
  r = tip("consistent-quaternion-twostep", "", 0, 0, 0, 0, dt);
  run_watched(r, 1000);
  CHECK_OK(r->status);
  CHECK_LE(-r->seen.gap, g * dt * dt);
  CHECK_LE(r->seen.approach, 1e-15);
}

/* A leaning top, let fall onto its tip, precesses with friction: closed gaps keep with directions
 * from the discrete derivative (5.144) and not with those of q^B; in one step with eps = 1 alike.
 */
TEST(gap_of_a_leaning_body) {
  static const struct {
    const char *form, *options;
    double height, mu, eps;
    int keeps;
  } runs[] = {{"consistent-quaternion-twostep", "W=discrete", 1e-4, 0.3, 0, 1},
              {"consistent-quaternion-twostep", "W=partial", 1e-4, 0.3, 0, 0},
              {"consistent-quaternion-twostep", "W=discrete", 0.05, 0, 0.5, 1},
              {"consistent-quaternion", "W=discrete", 0.05, 0, 1, 1},
              {"consistent-quaternion", "W=partial", 0.05, 0, 1, 0},
              {"consistent-quaternion", "W=discrete", 1e-4, 0.3, 0, 0}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
    struct run *r =
        tip(runs[i].form, runs[i].options, 0.2, runs[i].height, runs[i].mu, runs[i].eps, 1e-3);
    run_watched(r, 1000);
    CHECK_OK(r->status);
    CHECK_MESSAGE(runs[i].keeps == (r->seen.approach <= 1e-15),
                  "run %zu: closed gaps shrink by %.3g", i, r->seen.approach);
    CHECK_LE(r->seen.increase, 1e-13 * r->energy);
    CHECK_LE(r->seen.budget, 1e-13 * r->energy);
    CHECK_LE(r->friction, 0);
    CHECK_NEAR(la_norm2(4, r->state.q + 3), 1, 1e-14);
    if (runs[i].eps == 1) {
      CHECK_LE(r->seen.drift, 1e-11 * r->energy); /* frictionless and elastic: nothing is lost */
    } else {
      CHECK_LE(r->impact, -1e-6);
    }
  }
}

/* Two descriptions, two schemes, one motion as dt falls: both are of second order while the contact
 * lasts. */
TEST(affine_body_agrees_on_contact) {
  double difference[2] = {0, 0};
  for (int fine = 0; fine < 2; ++fine) {
    const double dt = 5e-4 / (1 + fine);
    struct run *a = tip("consistent-quaternion-twostep", "W=discrete", 0.2, 0, 0.3, 0, dt);
    struct mech_rigid_body body = *(const struct mech_rigid_body *)a->setup.mech->data;
    double q[2][12], u[2][12];
    body.kind = MECH_RIGID_BODY_AFFINE;
    const struct mech *m = mech_rigid_body_build(&body, test_arena());
    mech_rigid_body_state(m, a->state.q, a->state.q + 3, a->state.u, a->state.u + 3, q[1], u[1]);
    struct run *b = run_begin("consistent-twostep", m, dt, q[1], u[1]);
    run_set(b, "W=discrete");
    run_steps(a, 400 << fine);
    run_steps(b, 400 << fine);
    a->setup.mech->ops->observe(a->setup.mech, a->state.q, a->state.u, q[0], u[0]);
    m->ops->observe(m, b->state.q, b->state.u, q[1], u[1]);
    difference[fine] = test_distance(12, q[0], q[1]);
  }
  CHECK_LE(difference[0], 1e-3);
  CHECK_NEAR(log2(difference[0] / difference[1]), 2, 0.2);
}

/* --- refusals --- */

static void refuses(const char *form, const struct mech *m, const char *reason) {
  double q[12] = {0}, u[12] = {0};
  for (int j = 3; j < m->nq; ++j) {
    q[j] = 1;
  }
  run_refused(run_begin(form, m, 0.01, q, u), reason);
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
  struct mech_ops ops;
  const struct mech no_constant_mass = rods(&ops);
  struct polar p = POLAR_TABLE;
  const struct mech gyroscopic = polar_mech(&p);
  refuses("consistent-constant", bodies[MECH_RIGID_BODY_SCALABLE], "u = qdot");
  refuses("consistent-constant-gear", bodies[MECH_RIGID_BODY_QUATERNION], "u = qdot");
  refuses("consistent-constant", &no_constant_mass, "constant mass matrix");
  refuses("consistent-decomposed", &no_constant_mass, "constant mass matrix");
  refuses("consistent-decomposed", bodies[MECH_RIGID_BODY_QUATERNION], "as many velocities");
  refuses("consistent-coordinate", bodies[MECH_RIGID_BODY_QUATERNION], "as many velocities");
  refuses("consistent-quaternion", bodies[MECH_RIGID_BODY_SCALABLE], "as a matrix");
  refuses("consistent-quaternion-twostep", &no_constant_mass, "constant mass matrix");
  refuses("consistent-quaternion", &gyroscopic, "gyroscopic forces as a matrix");
  refuses("consistent-constant", affine, "without contacts (moeller 5.31)");
  refuses("consistent-constant-gear", affine, "without contacts (moeller 5.49)");
  refuses("consistent-coordinate", scalable, "without contacts (moeller 5.58)");
  refuses("consistent-decomposed", scalable, "without contacts (moeller 5.72)");
}
