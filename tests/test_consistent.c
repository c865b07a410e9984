/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The consistent integrators consistent-onestep (moeller 5.95) and consistent-twostep (5.106,
 * 5.107, 5.126) on small models: energy, constraints on both levels, the order
 * measured against an independent reference, friction against closed forms, the energy budget, and
 * the refusals.
 */
#include "tests/test.h"

#include "form/consistent/consistent.h"
#include "la/dense.h"
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/polar_model.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>

static const struct {
  const char *form, *W;
} integrators[] = {{"consistent-onestep", "partial"},
                   {"consistent-onestep", "discrete"},
                   {"consistent-twostep", "partial"},
                   {"consistent-twostep", "discrete"}};
enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

static struct run *begin(int i, const struct mech *m, double dt, const double *q, const double *u) {
  struct run *run = run_begin(integrators[i].form, m, dt, q, u);
  run_set(run, "W=%s", integrators[i].W);
  return run;
}

static const double zero[4];

/* --- energy and constraints --- */

/* Table 6.1 at a step ten times the explicit limit 2 / sqrt(c / m2) = 1e-4 s. */
TEST(oscillator_energy_never_rises) {
  const struct case_instance o = case_model_build("oscillator", "", test_arena());
  for (int choice = 0; choice < 2; ++choice) {
    struct run *r = begin(2 + choice, o.mech, 1e-3, o.q, o.u);
    int falls = 0;
    for (int k = 0; k < 1000; ++k) {
      const double before = run_energy(r);
      run_watched(r, 1);
      falls += before - run_energy(r) > 1e-6 * r->energy;
    }
    CHECK_OK(r->status);
    CHECK_LE(r->seen.increase, 1e-12 * r->energy);
    CHECK_LE(r->seen.budget, 1e-12 * r->energy);
    CHECK(r->onsets >= 2);
    CHECK(falls >= 1 && falls <= 2 * r->onsets + 1); /* in steps: at impacts only */
    CHECK_LE(run_energy(r), r->energy - 1e-6 * r->energy);
    CHECK_LE(r->newton, 1e-12);
  }
}

/* Between the first contact and lift-off the heavy mass rides on the spring: a harmonic motion with
 * omega = sqrt(c / (m1 + m2)); its lowest point follows from the energy after the impact. */
TEST(oscillator_lowest_point) {
  const double m1 = 10, m2 = 1e-3, c = 4e5, l = 0.1, g = 9.81, dt = 1e-5;
  const double v = sqrt(2 * g * 0.01) * m1 / (m1 + m2);
  const double omega = sqrt(c / (m1 + m2)), sag = g / (omega * omega);
  /* from x = l with velocity -v about the equilibrium l - sag */
  const double lowest = l - sag - hypot(sag, v / omega);
  const struct case_instance o = case_model_build("oscillator", "", test_arena());
  struct run *r = begin(2, o.mech, dt, (double[]){0.11, 0.1 - m2 * g / c}, zero);
  double seen = 1;
  for (int k = 0; k < 6000; ++k) {
    run_steps(r, 1);
    seen = fmin(seen, r->state.q[1]);
  }
  /* the impact is noticed up to a step late, with a speed larger by up to g dt: g dt / omega in the
   * amplitude; twice that for the rest of O(dt) */
  CHECK_NEAR(seen, lowest, 2 * g * dt / omega);
}

/* The double pendulum of table 6.2 as it starts, without derivatives of its own: the general ones
 * serve. */
static struct mech pendulum(const char *set, struct mech_ops *ops) {
  struct mech m = *case_model_build("double-pendulum", set, test_arena()).mech;
  *ops = *m.ops;
  memset(&ops->consistent, 0, sizeof ops->consistent);
  m.ops = ops;
  return m;
}
static const double pendulum_q[4] = {0, 0.5, 0, 1}, pendulum_u[4] = {2.5, 0, 5, 0};

/* Two evaluations a step at least: one to move on from, and one that says how far off it is. */
TEST(evaluations_of_the_equations_count_as_work) {
  struct mech_ops ops;
  const struct mech m = pendulum("", &ops);
  for (int i = 0; i < INTEGRATORS; ++i) {
    struct run *r = begin(i, &m, 0.01, pendulum_q, pendulum_u);
    run_steps(r, 1);
    CHECK(r->last.evaluations >= 2 && r->last.evaluations <= 20);
  }
}

TEST(pendulum_conserves_energy_and_constraints) {
  const double l2 = 0.25, lv = 0.5 * 5;
  struct mech_ops ops;
  const struct mech m = pendulum("", &ops);
  for (int i = 0; i < INTEGRATORS; ++i) {
    struct run *r = begin(i, &m, 0.01, pendulum_q, pendulum_u);
    run_watched(r, 1000);
    CHECK_MESSAGE(r->status == BASE_OK, "%s, W=%s: status %d", integrators[i].form,
                  integrators[i].W, r->status);
    CHECK_LE(r->seen.drift, 1e-11 * r->energy);
    CHECK_LE(r->seen.gS, 1e-11 * l2);
    CHECK_LE(r->seen.gammaS, 1e-11 * lv);
    CHECK_LE(r->newton, 1e-12);
    CHECK(r->onsets > 5);
    /* how far one step can carry a free mass through the wall */
    CHECK_LE(r->seen.penetration, 0.01 * 2 * sqrt(2 * r->energy / 0.2));
    if (i % 2 == 1) {
      CHECK_LE(r->seen.approach, 1e-14);
    }
  }
}

/* With eps_N < 1 energy falls at impacts and nowhere else. */
TEST(pendulum_with_restitution_dissipates_in_impacts_only) {
  struct mech_ops ops;
  const struct mech m = pendulum("eps=0.6", &ops);
  struct run *r = begin(2, &m, 0.005, pendulum_q, pendulum_u);
  run_watched(r, 1000);
  CHECK_OK(r->status);
  CHECK_LE(r->seen.increase, 1e-13 * r->energy);
  CHECK_LE(r->seen.budget, 1e-13 * r->energy);
  CHECK_LE(r->impact, -0.1 * r->energy);
  CHECK_NEAR(run_energy(r) - r->energy, r->impact, 1e-11 * r->energy);
}

static const double polar_q[2] = {1.3, 0.4}, polar_u[2] = {-0.5, 2.1};

TEST(polar_particle_conserves_energy) {
  for (int i = 0; i < INTEGRATORS; ++i) {
    for (int walls = 0; walls < 2; ++walls) {
      struct polar p = POLAR_TABLE;
      p.walls = walls;
      const struct mech m = polar_mech(&p);
      struct run *r = begin(i, &m, 0.01, polar_q, polar_u);
      run_watched(r, 1000);
      CHECK_OK(r->status);
      CHECK_LE(r->seen.drift, 1e-11 * fabs(r->energy));
      CHECK_LE(r->newton, 1e-12);
      CHECK(walls == 0 || r->onsets > 3);
      if (i % 2 == 1 || walls == 0) {
        CHECK_LE(r->seen.approach, 1e-14); /* (5.103) */
      }
    }
  }
}

/* (5.96) keeps no such promise on a curved gap: the same run must show the difference, or the check
 * above says nothing. */
TEST(partial_directions_let_a_curved_gap_close_further) {
  struct polar p = POLAR_TABLE;
  p.walls = 1;
  p.eps = 0;
  const struct mech m = polar_mech(&p);
  double approach[2];
  for (int choice = 0; choice < 2; ++choice) {
    struct run *r = begin(2 + choice, &m, 0.01, polar_q, polar_u);
    run_watched(r, 1000);
    CHECK_OK(r->status);
    CHECK_LE(r->seen.increase, 1e-13 * r->energy);
    approach[choice] = r->seen.approach;
  }
  CHECK(approach[0] > 1e-9);
  CHECK_LE(approach[1], 1e-14);
}

/* --- order --- */

/* The polar particle in Cartesian coordinates: y = (x, y, x', y'). */
static int polar_rates(double t, const double *y, double *dy, void *unused) {
  (void)t, (void)unused;
  const struct polar p = POLAR_TABLE;
  const double r = hypot(y[0], y[1]), k = p.c / p.m * (r - 1) / r;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -k * y[0] - p.g;
  dy[3] = -k * y[1];
  return GSL_SUCCESS;
}

/* Least order seen over two halvings of the step; error: largest component in x, y. */
static double order(int integrator, const struct mech *m, const double *q, const double *u,
                    double t_end, int steps, void (*place)(const double *, double *),
                    const double *exact, int n, double *largest) {
  double last = 0, least = INFINITY;
  *largest = 0;
  for (int k = 0; k < 3; ++k) {
    const int count = steps << k;
    struct run *r = begin(integrator, m, t_end / count, q, u);
    double x[4];
    run_steps(r, count);
    place(r->state.q, x);
    const double error = test_distance(n, x, exact);
    if (k > 0) {
      least = fmin(least, log2(last / error));
      *largest = fmax(*largest, log2(last / error));
    }
    last = error;
  }
  return least;
}

static void place_same(const double *q, double *x) { memcpy(x, q, 4 * sizeof *q); }
static void place_polar(const double *q, double *x) {
  x[0] = q[0] * cos(q[1]);
  x[1] = q[0] * sin(q[1]);
}

TEST(pendulum_is_second_order_without_contacts) {
  struct mech_ops ops;
  const struct mech m = pendulum("wall=no", &ops);
  const double t_end = 0.5;
  double y[8]; /* the place at the end first */
  memcpy(y, pendulum_q, sizeof pendulum_q);
  memcpy(y + 4, pendulum_u, sizeof pendulum_u);
  case_model_integrate(&m, 0, t_end, y, test_arena());
  for (int i = 0; i < INTEGRATORS; ++i) {
    double largest;
    const double least =
        order(i, &m, pendulum_q, pendulum_u, t_end, 100, place_same, y, 4, &largest);
    CHECK(least >= 1.9 && largest <= 2.1);
  }
}

/* Q(q^B) and H(u^B, q^B) at the start of the step in (5.72) make it first order for Q != I. */
TEST(polar_particle_is_first_order) {
  const double *q = polar_q, *u = polar_u, t_end = 0.5;
  double y[4] = {q[0] * cos(q[1]), q[0] * sin(q[1]), u[0] * cos(q[1]) - u[1] * sin(q[1]),
                 u[0] * sin(q[1]) + u[1] * cos(q[1])};
  struct polar p = POLAR_TABLE;
  const struct mech m = polar_mech(&p);
  gsl_odeiv2_system system = {.function = polar_rates, .dimension = 4};
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-13, 1e-13);
  double t = 0;
  CHECK_INT(gsl_odeiv2_driver_apply(driver, &t, t_end, y), GSL_SUCCESS);
  gsl_odeiv2_driver_free(driver);
  for (int i = 0; i < INTEGRATORS; ++i) {
    double largest;
    const double least = order(i, &m, q, u, t_end, 400, place_polar, y, 2, &largest);
    CHECK(least >= 0.9 && largest <= 1.1);
  }
}

/* --- friction, damping, applied forces --- */

TEST(block_slides_to_rest) {
  for (int dim = 2; dim <= 3; ++dim) {
    for (int copies = 1; copies <= 2; ++copies) {
      struct points p = {.n = 1, .dim = dim, .m = {1.7}, .mu = 0.3, .copies = copies};
      p.gravity[dim - 1] = -9.81;
      const struct mech m = points_mech(&p);
      const double v = 2.3, distance = v * v / (2 * p.mu * 9.81), dt = 1e-3;
      const double planar[2] = {2.3, 0}, spatial[3] = {2.3 * 0.6, -2.3 * 0.8, 0};
      struct run *r = begin(2, &m, dt, zero, dim == 2 ? planar : spatial);
      run_watched(r, 1500);
      CHECK_OK(r->status);
      CHECK_LE(r->seen.increase, 1e-14 * r->energy);
      CHECK_LE(r->seen.budget, 1e-14 * r->energy);
      CHECK_NEAR(r->friction, -r->energy, 1e-6 * r->energy);
      CHECK_NEAR(r->impact, 0, 1e-12 * r->energy);
      if (dim == 2) {
        CHECK_NEAR(r->state.q[0], distance, v * dt);
      } else {
        CHECK_NEAR(r->state.q[0], 0.6 * distance, v * dt);
        CHECK_NEAR(r->state.q[1], -0.8 * distance, v * dt);
      }
      CHECK_NEAR(r->state.q[dim - 1], 0, 1e-14);
      CHECK_LE(la_norm_inf(dim, r->state.u), p.mu * 9.81 * dt);
    }
  }
}

/* A push below the friction limit moves nothing; one above accelerates by (push - mu m g) / m. */
TEST(block_sticks_below_the_friction_limit) {
  const double limit = 0.3 * 1.7 * 9.81, t = 0.4;
  for (int above = 0; above < 2; ++above) {
    const double push = (above ? 1.5 : 0.9) * limit;
    struct points p = {
        .n = 1, .dim = 2, .m = {1.7}, .gravity = {0, -9.81}, .mu = 0.3, .push = {push}};
    const struct mech m = points_mech(&p);
    struct run *r = begin(2, &m, 1e-3, zero, zero);
    run_watched(r, 400);
    const double x = above ? 0.5 * (push - limit) / 1.7 * t * t : 0;
    CHECK_OK(r->status);
    CHECK_NEAR(r->state.q[0], x, 1e-12);
    CHECK_NEAR(r->applied, push * x, 1e-12);
    CHECK_NEAR(r->friction, -limit * x, 1e-12);
    CHECK_LE(r->seen.budget, 1e-14);
  }
}

/* An oblique impact with Coulomb friction, eps_N = 0.5: r_N = 1.5 m v, r_T = mu r_N while sliding;
 * two coincident contacts must act as one. */
TEST(block_bounces_with_friction) {
  for (int copies = 1; copies <= 2; ++copies) {
    struct points p = {.n = 1, .dim = 3, .m = {0.9}, .mu = 0.25, .eps_N = 0.5, .copies = copies};
    const struct mech m = points_mech(&p);
    struct run *r = begin(2, &m, 1e-3, zero, (double[]){3, -4, -2});
    run_steps(r, 1);
    const double lost = p.mu * 1.5 * 2; /* of the sliding speed 5 */
    CHECK_NEAR(r->state.u[2], 1, 1e-14);
    CHECK_NEAR(r->state.u[0], 3 * (1 - lost / 5), 1e-13);
    CHECK_NEAR(r->state.u[1], -4 * (1 - lost / 5), 1e-13);
    CHECK_NEAR(r->impact, 0.5 * 0.9 * (1 - 4), 1e-13);
    CHECK_NEAR(r->friction, 0.5 * 0.9 * ((5 - lost) * (5 - lost) - 25), 1e-13);
  }
}

/* Thrown boxes with up to four contacts at a time. With one coefficient for all contacts and both
 * directions Newton's law dissipates, so energy may never rise; without restitution the box ends on
 * one of its sides and stays there. */
TEST(thrown_boxes_never_gain_energy) {
  struct base_rng *rng = test_rng(0);
  for (int trial = 0; trial < 12; ++trial) {
    const double eps = trial % 2 == 0 ? 0 : 0.4;
    struct box p = {.m = 1.3,
                    .J = 0.04,
                    .a = 0.2,
                    .b = 0.1,
                    .g = 9.81,
                    .mu = base_rng_uniform(rng, 0.1, 1),
                    .eps_N = eps,
                    .eps_T = eps,
                    .order = {0, 1, 2, 3}};
    struct mech m = box_mech(&p);
    m.length = p.a;
    const double q[3] = {0, 0.3, base_rng_uniform(rng, -3, 3)};
    const double u[3] = {base_rng_uniform(rng, -2, 2), base_rng_uniform(rng, -2, 0),
                         base_rng_uniform(rng, -6, 6)};
    struct run *r = begin(2 + trial / 2 % 2, &m, 1e-3, q, u);
    run_watched(r, 1200);
    CHECK_MESSAGE(r->status == BASE_OK, "trial %d: status %d, %s", trial, r->status,
                  base_message());
    CHECK_LE(r->seen.increase, 1e-13 * r->energy);
    CHECK_LE(r->seen.budget, 1e-13 * r->energy);
    CHECK_LE(r->friction + r->impact, 0); /* one alone may gain where the other takes more */
    CHECK_LE(r->newton, 1e-12);
    if (eps == 0) {
      const double height = r->state.q[1];
      CHECK_LE(fabs(remainder(r->state.q[2], acos(-1) / 2)), 0.02);
      /* at the height of that side, up to the way of one step before the impact is noticed; the
       * velocity is no measure of rest: sticking holds q^E - q^B, u may alternate (moeller 6.19) */
      CHECK_LE(fmin(fabs(height - p.a), fabs(height - p.b)), 5e-3);
    }
  }
}

/* m x'' + d x' + c x = push, never down to the contact at x = 0: closed form; second order, since D
 * is constant. */
TEST(damped_oscillation_follows_the_closed_form) {
  struct points p = {.n = 1, .dim = 1, .m = {1.7}, .k = 90, .c = 2.1, .push = {12}};
  const struct mech m = points_mech(&p);
  const double a = p.c / (2 * 1.7), w = sqrt(p.k / 1.7 - a * a), t = 1.1, x0 = p.push[0] / p.k;
  const double k = 0.2 - x0;
  const double exact = x0 + k * exp(-a * t) * (cos(w * t) + a / w * sin(w * t));
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = 200 << i;
    struct run *r = begin(2, &m, t / steps, (double[]){0.2}, zero);
    run_watched(r, steps);
    error[i] = r->state.q[0] - exact;
    CHECK_OK(r->status);
    CHECK_INT(r->onsets, 0);
    CHECK_LE(r->seen.budget, 1e-14 * r->energy);
    CHECK_NEAR(r->applied, p.push[0] * (r->state.q[0] - 0.2), 1e-12 * r->energy);
    CHECK_LE(r->damping, 0);
  }
  CHECK_NEAR(log2(error[0] / error[1]), 2, 0.1);
}

/* --- contact inclusions --- */

/* v = A r + b with A = [1 -2; -2 1], b = (-1, -1) has no r: none of the four active sets fits. */
TEST(inclusion_without_solution_is_unconverged) {
  struct points p = {.n = 1, .dim = 2, .m = {1}, .copies = 2};
  struct mech m = points_mech(&p);
  struct form_report report = {0};
  const double A[4] = {1, -2, -2, 1}, b[2] = {-1, -1};
  double x[2] = {0, 0}, v[2];
  m.dim = 1; /* without friction */
  struct run *r = begin(2, &m, 1e-3, zero, zero);
  r->setup.loop.max_iter = 50;
  struct form_consistent *c = r->workspace = r->form->alloc(&r->setup, &r->state);
  form_consistent_collect(c, r->state.q, &r->last);
  const int status = form_consistent_include(c, 0, A, b, x, v, &report);
  CHECK(status == BASE_UNCONVERGED || status == BASE_DIVERGED || status == BASE_FAILED);
}

/* One step of a block with two contacts resting on the plane, sliding, then lifted off it. */
TEST(report_tells_contacts_and_solves) {
  struct points p = {.n = 1, .dim = 2, .m = {1}, .gravity = {0, -9.81}, .mu = 0.2, .copies = 2};
  const struct mech m = points_mech(&p);
  struct run *r = begin(2, &m, 1e-3, (double[]){0, 2e-3}, (double[]){1, -1.5});
  const int contacts[4] = {0, 0, 2, 2}, solves[4] = {0, 0, 2, 2};
  for (int k = 0; k < 4; ++k) {
    run_steps(r, 1);
    CHECK_INT(r->last.contacts, contacts[k]);
    CHECK_INT(r->last.solves, solves[k]);
    CHECK_INT(r->last.unconverged, 0);
    CHECK_INT(r->last.internal_steps, 1);
    CHECK(k < 2 ? r->last.n_carrying == 0 : r->last.n_carrying >= 1);
    CHECK_LE(r->last.residual.relative_max, 1e-13);
  }
  r->state.u[1] = 1; /* separating: closed at the start of the step, but nothing to carry */
  run_steps(r, 1);
  CHECK_INT(r->last.contacts, 2);
  CHECK_INT(r->last.n_carrying, 0);
  CHECK_NEAR(r->state.t, 5e-3, 1e-15);
}

/* --- refusals --- */

static void no_force(const struct mech *m, const double *q, const double *u, double t, double *f) {
  (void)m, (void)q, (void)u, (void)t;
  f[0] = f[1] = 0;
}

TEST(refusals_name_their_reason) {
  const struct case_instance o = case_model_build("oscillator", "", test_arena());
  run_refused(begin(0, o.mech, 1e-3, o.q, o.u), "eps_N = 0");
  struct points p = {.n = 1, .dim = 2, .m = {1}, .mu = 0.3, .eps_N = 1};
  const struct mech block = points_mech(&p);
  run_refused(begin(0, &block, 1e-3, zero, zero), "mu = 0.3");
  struct polar polar = POLAR_TABLE;
  const struct mech other = polar_mech(&polar);
  for (int i = 0; i < INTEGRATORS; i += 2) {
    struct mech_ops ops;
    struct mech m = pendulum("", &ops);
    struct run *r = begin(i, &m, 1e-3, pendulum_q, pendulum_u);
    m.constant_mass = 0;
    run_refused(r, "constant mass matrix");
    m.constant_mass = 1;
    m.nq = 5;
    run_refused(r, "as many velocities");
    m.nq = 4;
    ops.damping = no_force;
    run_refused(r, "5.123");
    ops.damping = NULL;
    ops.kinematics = other.ops->kinematics;
    run_refused(r, "Q(q)");
  }
}

/* Two rods between the same points, the second bent by `bend` about where the run starts: equal, it
 * changes nothing; bent, it depends on the first at the start of a step and not at its end, which
 * no multiplier mends, and which is reported. */
static double bend;

static void twice_bilateral(const struct mech *m, const double *q, double *gS) {
  const double off = q[0] - pendulum_q[0];
  gS[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 0.25);
  if (m->ns > 1) {
    gS[1] = gS[0] + bend * off * off;
  }
}
static void twice_directions(const struct mech *m, const double *q, double *WS) {
  const double off = q[0] - pendulum_q[0];
  const double W[8] = {q[0], q[1], 0, 0, q[0] + 2 * bend * off, q[1], 0, 0};
  memcpy(WS, W, 4 * (size_t)m->ns * sizeof *W);
}

TEST(constraints_that_depend_on_others) {
  struct mech_ops ops;
  struct mech m = pendulum("", &ops);
  struct run *r[3];
  ops.bilateral = twice_bilateral;
  ops.bilateral_directions = twice_directions;
  for (int k = 0; k < 3; ++k) {
    m.ns = k == 0 ? 1 : 2;
    bend = k == 2 ? 100 : 0;
    r[k] = begin(2, &m, 0.01, pendulum_q, pendulum_u);
    for (int step = 0; step < (k == 2 ? 1 : 50); ++step) {
      run_step(r[k], 0.01);
    }
  }
  CHECK_OK(r[1]->status);
  CHECK_LE(test_distance(4, r[1]->state.q, r[0]->state.q), 1e-12);
  CHECK_LE(test_distance(4, r[1]->state.u, r[0]->state.u), 1e-11);
  CHECK_INT(r[2]->status, BASE_UNCONVERGED);
}
