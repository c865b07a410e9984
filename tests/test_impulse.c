/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The six impulse formulations against closed forms: one impact, the convex relaxation's float,
 * energy budgets whose numerical part is known by hand,
 * drift of bilateral constraints, polyhedral direction errors, restitution; and what must not
 * matter: redundant constraints, the order of contacts.
 */
#include "tests/case_model.h"
#include "tests/form_run.h"
#include "tests/impulse_model.h"
#include "tests/polar_model.h"
#include "tests/test.h"

#include <stdio.h>

#include "form/impulse/impulse.h"
#include "la/dense.h"

static const char *const FORMS[] = {"moreau", "lcp-st", "lcp-ap", "ccp", "ncp", "mdp"};
enum { FORM_COUNT = sizeof FORMS / sizeof FORMS[0] };

static const double G = 9.81;

static struct points particle(int dim, double mu) {
  struct points p = {.n = 1, .dim = dim, .mu = mu};
  p.m[0] = 1.3;
  p.gravity[dim - 1] = -G;
  return p;
}

/* Started near the floating height: from the ground itself the relaxation would hop first. */
TEST(ccp_floats_while_sliding_and_ncp_does_not) {
  const double dt = 1e-3, mu = 0.2;
  struct points p = particle(2, mu);
  const struct mech m = points_mech(&p);
  struct run *ccp = run_begin("ccp", &m, dt, (double[]){0, 2 * mu * dt}, (double[]){2, 0});
  struct run *ncp = run_begin("ncp", &m, dt, (double[]){0, 0}, (double[]){2, 0});
  for (int k = 0; k < 100; ++k) {
    run_step(ccp, dt);
    run_step(ncp, dt);
    const double float_gap = dt * mu * fabs(ccp->state.u[0]);
    CHECK_NEAR(ccp->state.q[1], float_gap, 1e-9 * float_gap);
    CHECK_NEAR(ncp->state.q[1], 0, 1e-15);
    CHECK_NEAR(ncp->state.u[0], 2 - mu * G * dt * (k + 1), 1e-11);
  }
  CHECK_OK(ccp->status);
  CHECK_OK(ncp->status);
  CHECK(ccp->state.u[0] > 1.5);
}

/* One step onto the ground: gamma_n = m (-b_n + mu |b_t|) / (1 + mu^2) (ccp), -m b_n (the others).
 * From the ground with slip the relaxation so leaves with mu |v_T^+|, whatever dt is. */
TEST(impact_step_has_its_closed_form) {
  const double mu = 0.3, speed = 2;
  struct points p = particle(3, mu);
  const struct mech m = points_mech(&p);
  for (int k = 0; k < 3 * (FORM_COUNT - 3); ++k) {
    const int f = 3 + k / 3, lands = k % 3 == 0;
    const double dt = k % 3 < 2 ? 1e-2 : 1e-5, gap = lands ? 0.004 : 0;
    const double v[3] = {1.2, -1.6, lands ? -3 : 0}, bn = gap / dt + v[2] - G * dt;
    struct run *run = run_begin(FORMS[f], &m, dt, (double[]){0, 0, gap}, v);
    run_step(run, dt);
    const int relaxed = strcmp(FORMS[f], "ccp") == 0;
    const double gamma = relaxed ? p.m[0] * (-bn + mu * speed) / (1 + mu * mu) : -p.m[0] * bn;
    const double after = relaxed ? (speed + mu * bn) / (1 + mu * mu) : speed + mu * bn;
    CHECK_NEAR(p.m[0] * (run->state.u[2] - v[2] + G * dt), gamma, 1e-11);
    CHECK_NEAR(run->state.u[0], after * v[0] / speed, 1e-11);
    CHECK_NEAR(run->state.u[1], after * v[1] / speed, 1e-11);
    CHECK_INT(run->begun, 1);
    CHECK_INT(run->last.n_carrying, 1);
  }
}

/* Semi-implicit Euler in uniform gravity makes dt m g (u_y^E - u_y^B) / 2 a step out of nothing
 * (free flight: - m g^2 dt^2 / 2); the midpoint rule nothing. All else is booked. */
TEST(energy_budget_closes_with_the_integrators_own_error) {
  const double dt = 2e-3;
  for (int f = 0; f < FORM_COUNT; ++f) {
    struct points p = particle(3, 0.25);
    p.eps_N = 0.5;
    p.c = 0.3;
    p.push[0] = 0.7;
    const struct mech m = points_mech(&p);
    struct run *run = run_begin(FORMS[f], &m, dt, (double[]){0, 0, 0.2}, (double[]){1, 0.5, 0});
    const double start = mech_energy(&m, run->state.q, run->state.u, run->arena);
    run_until(run, 0.7);
    const double end = mech_energy(&m, run->state.q, run->state.u, run->arena);
    const double own = f == 0 ? 0 : 0.5 * dt * p.m[0] * G * run->state.u[2];
    CHECK_NEAR(end - start - run->friction - run->impact - run->damping - run->applied, own, 1e-11);
    CHECK(run->friction < -0.05 && run->impact < -0.5 && run->damping < -0.05 &&
          run->applied > 0.1);
  }
}

/* A free point of mass 2 in polar coordinates q = (r, phi), as u = (r', r phi') with F(q), or as
 * u = (r', phi') with M(q): it goes straight on. */
static double polar_error(const char *form, int quasi, double dt) {
  struct polar p = {.m = 2, .rates = !quasi};
  const struct mech m = polar_free_mech(&p);
  /* from (2, 0) with velocity (-1, 1): at (1, 1) at t = 1 */
  struct run *run = run_begin(form, &m, dt, (double[]){2, 0}, (double[]){-1, quasi ? 1 : 0.5});
  run_until(run, 1);
  CHECK_OK(run->status);
  const double error =
      hypot(run->state.q[0] * cos(run->state.q[1]) - 1, run->state.q[0] * sin(run->state.q[1]) - 1);
  return error;
}

TEST(mass_and_kinematics_may_depend_on_the_position) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    for (int quasi = 0; quasi < 2; ++quasi) {
      const double coarse = polar_error(FORMS[f], quasi, 1.0 / 50);
      const double fine = polar_error(FORMS[f], quasi, 1.0 / 800);
      const double order = log(coarse / fine) / log(16);
      CHECK_MESSAGE(fabs(order - 1) < 0.15, "%s, quasi %d: order %.3f (%.3g, %.3g)", FORMS[f],
                    quasi, order, coarse, fine);
    }
  }
}

static double pendulum_drift(const char *form, double dt) {
  struct points p = {.n = 1, .dim = 2, .rods = 1, .rod = {{-1, 0}}, .length = {1}};
  p.m[0] = 0.7;
  p.gravity[1] = -G;
  const struct mech m = points_mech(&p);
  double worst = 0;
  struct run *run = run_begin(form, &m, dt, (double[]){0, 1}, (double[]){2, 0});
  while (run->state.t < 0.5) {
    run_step(run, dt);
    worst = fmax(worst, fabs(hypot(run->state.q[0], run->state.q[1]) - 1));
  }
  return worst;
}

/* g_S/dt leaves the curvature of one step, (dt v)^2 / 2; without it the drift adds up to O(dt). */
TEST(bilateral_drift_has_its_order) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    const int velocity_level = f == 0 || f == 2;
    const double coarse = pendulum_drift(FORMS[f], 4e-3), fine = pendulum_drift(FORMS[f], 1e-3);
    const double order = log(coarse / fine) / log(4);
    CHECK_MESSAGE(fabs(order - (velocity_level ? 1 : 2)) < 0.15, "%s: order %.3f (%.3g, %.3g)",
                  FORMS[f], order, coarse, fine);
  }
}

/* Three points, rods between them, thrown onto the ground; each rod `copies` times. */
static void thrown_triangle(const char *form, int copies, double *q, double *u) {
  struct points p = {.n = 3, .dim = 2, .mu = 0.3, .rods = 3 * copies};
  const double start[] = {0, 0.1, 1, 0.4, 0.4, 0.9};
  p.gravity[1] = -G;
  for (int k = 0; k < 3; ++k) {
    p.m[k] = 0.5 + k;
    for (int c = 0; c < copies; ++c) {
      const int i = 3 * c + k, to = (k + 1) % 3;
      p.rod[i][0] = k;
      p.rod[i][1] = to;
      p.length[i] = hypot(start[2 * to] - start[2 * k], start[2 * to + 1] - start[2 * k + 1]);
    }
  }
  const struct mech m = points_mech(&p);
  struct run *run = run_begin(form, &m, 1e-3, start, (double[]){1, -1, 1, -1, 1, -1});
  run_until(run, 0.3);
  CHECK_OK(run->status);
  CHECK(run->onsets >= 1);
  la_copy(6, run->state.q, q);
  la_copy(6, run->state.u, u);
}

TEST(redundant_bilateral_constraints_change_nothing) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    double q1[6], u1[6], q2[6], u2[6];
    thrown_triangle(FORMS[f], 1, q1, u1);
    thrown_triangle(FORMS[f], 2, q2, u2);
    for (int i = 0; i < 6; ++i) {
      CHECK_NEAR(u1[i], u2[i], 1e-9);
      CHECK_NEAR(q1[i], q2[i], 1e-9);
    }
  }
}

static void tumble(const char *form, const int order[4], double out[6]) {
  struct box p = {.m = 2, .J = 0.3, .a = 0.4, .b = 0.25, .mu = 0.3, .g = G};
  memcpy(p.order, order, sizeof p.order);
  const struct mech m = box_mech(&p);
  struct run *run = run_begin(form, &m, 2e-3, (double[]){0, 0.5, 0.2}, (double[]){1, 0, -2});
  run_until(run, 1);
  CHECK_OK(run->status);
  CHECK(run->onsets >= 2);
  la_copy(3, run->state.q, out);
  la_copy(3, run->state.u, out + 3);
}

TEST(order_of_contacts_does_not_matter) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    double a[6], b[6];
    tumble(FORMS[f], (int[]){0, 1, 2, 3}, a);
    tumble(FORMS[f], (int[]){3, 1, 0, 2}, b);
    for (int i = 0; i < 6; ++i) {
      CHECK_MESSAGE(fabs(a[i] - b[i]) <= 1e-9, "%s: %d: %.12g, %.12g", FORMS[f], i, a[i], b[i]);
    }
  }
}

/* A box at rest with eps > 0 stays at rest: no jitter from restitution. */
TEST(resting_contact_with_restitution_stays) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    struct points p = particle(2, 0.3);
    p.eps_N = 0.8;
    const struct mech m = points_mech(&p);
    struct run *run = run_begin(FORMS[f], &m, 1e-3, (double[]){0, 0}, (double[]){0, 0});
    run_until(run, 0.2);
    CHECK_NEAR(run->state.u[1], 0, 1e-13);
    CHECK_NEAR(run->state.q[1], 0, 1e-13);
  }
}

/* An oblique impact of a point, v = (v_T, v_N): by Newton's law in both directions
 *
 *   r_N = (1 + eps_N) m |v_N|,  r_T = min((1 + eps_T) m v_T, mu r_N)
 *
 * the relaxation projects that r for mu = infinity onto its cone. */
static void oblique_impact(const struct points *p, int relaxed, double v_T, double v_N,
                           double out[2]) {
  double r_N = (1 + p->eps_N) * fabs(v_N), r_T = (1 + p->eps_T) * v_T;
  if (r_T > p->mu * r_N) {
    r_N = relaxed ? (r_N + p->mu * r_T) / (1 + p->mu * p->mu) : r_N;
    r_T = p->mu * r_N;
  }
  out[0] = v_T - r_T;
  out[1] = v_N + r_N;
}

TEST(tangential_restitution_is_newtons_or_refused) {
  const double dt = 1e-3, v_T = 2, v_N = -3, mus[] = {2, 0.3};
  for (int i = 0; i < form_count(); ++i) {
    const struct form *form = form_get(i);
    if (form->step != form_impulse_step || strcmp(form->name, "lcp-dca") == 0) {
      continue;
    }
    for (int sliding = 0; sliding < 2; ++sliding) {
      struct points p = particle(3, mus[sliding]);
      p.eps_T = 0.4;
      p.eps_N = 0.25;
      p.gravity[2] = 0;
      const struct mech m = points_mech(&p);
      struct run *run =
          run_begin(form->name, &m, dt, (double[]){0, 0, -0.4 * v_N * dt}, (double[]){v_T, 0, v_N});
      for (int k = 0; k < 5 && run->status == BASE_OK; ++k) {
        run_step(run, dt);
      }
      if (strcmp(form->name, "mdp") == 0 || strcmp(form->name, "sap") == 0 ||
          strcmp(form->name, "mujoco-soft") == 0 || strcmp(form->name, "tgs-soft") == 0 ||
          strcmp(form->name, "avbd") == 0) {
        CHECK_REFUSED(run->status, BASE_UNSUPPORTED, "eps_T = 0.4");
      } else {
        double exact[2];
        oblique_impact(&p, strcmp(form->name, "ccp") == 0, v_T, v_N, exact);
        CHECK_OK(run->status);
        CHECK_MESSAGE(fabs(run->state.u[0] - exact[0]) <= 1e-11, "%s, mu %g: v_T %g, not %g",
                      form->name, p.mu, run->state.u[0], exact[0]);
        CHECK_NEAR(run->state.u[1], 0, 1e-11);
        CHECK_NEAR(run->state.u[2], exact[1], 1e-11);
      }
    }
  }
}

TEST(penetration_is_corrected_as_the_options_say) {
  const double dt = 1e-2;
  for (int f = 3; f < FORM_COUNT; ++f) {
    struct points p = particle(2, 0.3);
    const struct mech m = points_mech(&p);
    const double q[] = {0, -0.01}, u[] = {0, 0};
    struct run *all = run_begin(FORMS[f], &m, dt, q, u);
    struct run *part = run_begin(FORMS[f], &m, dt, q, u);
    struct run *capped = run_begin(FORMS[f], &m, dt, q, u);
    struct run *off = run_begin("impulse", &m, dt, q, u);
    run_set(off, "law=%s scheme=velocity", FORMS[f]);
    run_set(part, "erp=0.2");
    run_set(capped, "v_max=0.3");
    run_step(all, dt);
    run_step(part, dt);
    run_step(capped, dt);
    run_step(off, dt);
    CHECK_NEAR(all->state.q[1], 0, 1e-12);
    CHECK_NEAR(part->state.q[1], -0.008, 1e-12);
    CHECK_NEAR(capped->state.q[1], -0.007, 1e-12);
    CHECK_NEAR(off->state.q[1], -0.01, 1e-12);
  }
}

/* Friction is mu N at any speed: a tolerance relative to how fast a contact slides leaves out, or
 * repeats, impulses of whole steps where that is much more than what a step changes, dt g. */
TEST(friction_does_not_depend_on_how_fast_a_contact_slides) {
  static const char *const forms[] = {"moreau", "moreau-theta", "lcp-st", "lcp-ap", "ncp", "mdp"};
  static const double speeds[] = {1, 100, 1000, -30000};
  const double mu = 0.4, dt = 1e-5, steps = 100;
  for (int f = 0; f < 6; ++f) {
    for (int k = 0; k < 4; ++k) {
      struct points p = particle(3, mu);
      const struct mech m = points_mech(&p);
      struct run *run =
          run_begin(forms[f], &m, dt, (double[]){0, 0, 0}, (double[]){speeds[k], 0, 0});
      run->setup.loop.tol = 1e-6;
      run->setup.warm_start = 1;
      for (int i = 0; i < steps; ++i) {
        run_step(run, dt);
      }
      const double loss = copysign(1, speeds[k]) * (speeds[k] - run->state.u[0]);
      CHECK_OK(run->status);
      CHECK_NEAR(loss / (mu * G * steps * dt), 1, 2e-6);
    }
  }
}

/* A light point kicked towards a wall that only the kick makes reachable: the first problem leaves
 * the wall out, the second one must not. Heavy 3 kg at 1 m/s, eps = 1: light 1 kg would leave with
 * 1.5 m/s, the wall is 1.2 dt away, so it goes with 1.2 m/s and the heavy one with 0.2 m/s. */
TEST(contact_reached_only_by_an_impulse_is_found) {
  const double dt = 1e-3;
  struct line p = {.n = 2, .m = {3, 1}, .eps = 1, .wall = 1.2e-3};
  const struct mech m = line_mech(&p);
  for (int f = 3; f < FORM_COUNT; ++f) {
    struct run *run = run_begin(FORMS[f], &m, dt, (double[]){0, 0}, (double[]){1, 0});
    run_step(run, dt);
    CHECK_INT(run->last.solves, 2);
    CHECK_INT(run->last.contacts, 2);
    CHECK_NEAR(run->state.u[1], 1.2, 1e-12);
    CHECK_NEAR(run->state.u[0], 0.2, 1e-12);
  }
}

TEST(an_unconverged_solve_is_told_and_the_state_advances) {
  struct box p = {.m = 2, .J = 0.3, .a = 0.4, .b = 0.25, .mu = 0.3, .g = G, .order = {0, 1, 2, 3}};
  const struct mech m = box_mech(&p);
  struct run *run = run_begin("ncp", &m, 2e-3, (double[]){0, 0.25, 0}, (double[]){2, 0, 0});
  run->setup.loop.max_iter = 1;
  run_step(run, 2e-3);
  CHECK_INT(run->status, BASE_UNCONVERGED);
  CHECK_INT(run->last.unconverged, 1);
  CHECK_NEAR(run->state.t, 2e-3, 1e-15);
  CHECK(run->state.q[0] > 0);
  CHECK(run->last.residual.relative_free > 1e-13);
}

/* One step of a mass on a spring, far from the ground: who takes the force where. */
TEST(forces_are_taken_where_the_source_says) {
  const double dt = 0.1, k = 7, q = 2, u = 3;
  for (int f = 0; f < FORM_COUNT; ++f) {
    struct points p = particle(2, 0.3);
    p.gravity[1] = 0;
    p.k = k;
    const struct mech m = points_mech(&p);
    struct run *run = run_begin(FORMS[f], &m, dt, (double[]){0, q}, (double[]){0, u});
    run_step(run, dt);
    const int midway = f < 2; /* moreau (5.4), lcp-st (13a) */
    const double after = u - dt * k / p.m[0] * (midway ? q + 0.5 * dt * u : q);
    CHECK_NEAR(run->state.u[1], after, 1e-13);
    CHECK_NEAR(run->state.q[1], q + dt * (f == 0 ? 0.5 * (u + after) : after), 1e-13);
  }
}

/* Of three points the middle one touches and slides, the last one falls from far. */
TEST(reports_name_contacts_by_id) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    struct points p = {.n = 3, .dim = 2, .mu = 0.3, .m = {1, 2, 3}, .gravity = {0, -G}};
    p.reversed = 1; /* ids 2, 1, 0 */
    const struct mech m = points_mech(&p);
    struct run *run =
        run_begin(FORMS[f], &m, 1e-3, (double[]){0, 0, 1, 5, 2, 9}, (double[]){1, 0, 0, 0, 0, 0});
    run_step(run, 1e-3);
    CHECK_INT(run->last.n_carrying, 1);
    CHECK_INT(run->last.carrying[0], 2);
    CHECK_INT(run->last.contacts, 1);
    CHECK_INT(run->begun, 1);
    run_step(run, 1e-3);
    CHECK_INT(run->begun, 0);
    CHECK(run->last.residual.at == 2 || run->last.residual.at == -1);
  }
}

/* What the relaxation gives up shows in the diagnostics: v_N = mu |v_T| beside r_N > 0. */
TEST(diagnostics_tell_the_relaxation_from_coulomb) {
  const double mu = 0.3, dt = 1e-3;
  struct points p = particle(3, mu);
  const struct mech m = points_mech(&p);
  for (int f = 3; f < FORM_COUNT; ++f) {
    const double v[] = {3, 4, -8};
    struct run *run = run_begin(FORMS[f], &m, dt, (double[]){0, 0, 0}, v);
    run_step(run, dt);
    const double slip = hypot(run->state.u[0], run->state.u[1]);
    const double signorini = strcmp(FORMS[f], "ccp") == 0 ? mu * slip : 0;
    CHECK_NEAR(run->last.diagnostics.signorini, signorini, 1e-11);
    CHECK_NEAR(run->last.diagnostics.cone, 0, 1e-11);
    CHECK_NEAR(run->last.diagnostics.dissipation_shortfall, 0, 1e-10);
    CHECK(slip > 1);
  }
}

TEST(steps_leave_nothing_in_the_arena) {
  for (int f = 0; f < FORM_COUNT; ++f) {
    struct box p = {
        .m = 2, .J = 0.3, .a = 0.4, .b = 0.25, .mu = 0.3, .g = G, .order = {0, 1, 2, 3}};
    const struct mech m = box_mech(&p);
    struct run *run = run_begin(FORMS[f], &m, 1e-3, (double[]){0, 0.25, 0}, (double[]){2, 0, 0});
    run_until(run, 0.25);
    const size_t peak = base_arena_peak(run->arena);
    run_until(run, 0.5);
    CHECK_INT(base_arena_peak(run->arena), peak);
  }
}

TEST(a_state_that_blew_up_is_diverged) {
  struct points p = particle(2, 0.3);
  const struct mech m = points_mech(&p);
  struct run *run = run_begin("ncp", &m, 1e-3, (double[]){0, 1}, (double[]){NAN, 0});
  run_step(run, 1e-3);
  CHECK_INT(run->status, BASE_DIVERGED);
  struct points stiff = particle(2, 0.3);
  stiff.k = 1e308;
  const struct mech m2 = points_mech(&stiff);
  run = run_begin("ncp", &m2, 1, (double[]){0, 1}, (double[]){0, 0});
  run_step(run, 1e3);
  CHECK_INT(run->status, BASE_DIVERGED);
}

TEST(what_cannot_be_expressed_is_refused_with_a_reason) {
  struct points p = particle(3, 0.3);
  struct mech m = points_mech(&p);
  struct run *run = run_begin("moreau", &m, 1e-3, (double[]){0, 0, 0}, (double[]){0, 0, 0});
  CHECK_OK(run->form->check(&run->setup));
  m.dim = 4;
  CHECK_REFUSED(run->form->check(&run->setup), BASE_UNSUPPORTED, "spin");
  m.dim = 3;
  run->setup.solver = problem_solver_find("lemke");
  CHECK_INT(run->form->check(&run->setup), BASE_UNSUPPORTED);
  CHECK(strstr(base_message(), "lemke") != NULL && strstr(base_message(), "ncp") != NULL);
  struct problem_solver other = *run->setup.solver;
  other.laws = CONTACT_LAW_BIT(CONTACT_LAW_LCP);
  run->setup.solver = &other;
  CHECK_REFUSED(run->form->check(&run->setup), BASE_UNSUPPORTED, "ncp");
}
