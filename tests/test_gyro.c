/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gyroscopic forces of impulse stepping: a free body keeps its energy and the length of its angular
 * momentum to round-off for any step; the order; isotropic inertia and principal axes change no
 * bit; what joints and contacts leave of energy and angular momentum.
 */
#include "tests/case_model.h"
#include "tests/test.h"
#include "tests/trial.h"

#include <string.h>

#include "bench/run/run.h"
#include "form/impulse/impulse.h"
#include "la/dense.h"
#include "tests/form_run.h"
#include "tests/scratch.h"

/* Of the free top with I = (0.3, 0.5, 0.7), w_0 = (3, 0, 2.1). */
static const double THETA[3] = {0.3, 0.5, 0.7};
static const double SPIN[3] = {3, 0, 2.1};

struct free_top {
  double energy, momentum; /* largest relative deviation */
  double u[6];
};

static int watch_free_top(const struct mech *m, const struct form_state *state,
                          const struct form_report *report, void *context) {
  struct free_top *top = context;
  double E[2] = {0, 0}, L[2] = {0, 0};
  (void)report;
  for (int i = 0; i < 3; ++i) {
    const double w[2] = {SPIN[i], state->u[3 + i]};
    for (int k = 0; k < 2; ++k) {
      E[k] += THETA[i] * w[k] * w[k];
      L[k] += THETA[i] * THETA[i] * w[k] * w[k];
    }
  }
  top->energy = fmax(top->energy, fabs(E[1] / E[0] - 1));
  top->momentum = fmax(top->momentum, fabs(L[1] / L[0] - 1));
  la_copy(m->nu, state->u, top->u);
  return 0;
}

/* Formulations of the family that take this step explicitly. */
static int is_explicit(const struct form *form) {
  const char *name = form->name;
  return form->step == form_impulse_step && strcmp(name, "moreau-theta") != 0 &&
         strcmp(name, "lcp-dca") != 0; /* of assemblies only */
}

TEST(free_flight_conserves_energy_and_angular_momentum) {
  for (int i = 0; i < form_count(); ++i) {
    if (!is_explicit(form_get(i))) {
      continue;
    }
    for (int large = 0; large < 2; ++large) {
      struct free_top top = {0};
      CHECK_OK(case_model_run("free-top", "body=quaternion", form_get(i)->name, large ? 0.1 : 0.01,
                              30, watch_free_top, &top));
      CHECK_LE(top.energy, 2e-13);
      CHECK_LE(top.momentum, 2e-13);
    }
  }
}

/* Angular velocity at t = 1 s: differences between runs at dt, dt/2 and dt/4. */
TEST(midpoint_rule_has_second_order) {
  struct free_top top[3] = {{0}};
  const double dt[3] = {0.02, 0.01, 0.005};
  for (int k = 0; k < 3; ++k) {
    CHECK_OK(
        case_model_run("free-top", "body=quaternion", "ncp", dt[k], 1, watch_free_top, top + k));
  }
  double coarse = 0, fine = 0;
  for (int i = 3; i < 6; ++i) {
    coarse = fmax(coarse, fabs(top[0].u[i] - top[1].u[i]));
    fine = fmax(fine, fabs(top[1].u[i] - top[2].u[i]));
  }
  CHECK_NEAR(coarse / fine, 4, 0.1);
}

/* final.u of a record of a scene of one free body, by text, with an option. */
static void final_velocity(const char *body, const char *gyro, double u[6]) {
  const char *scene = scratch_scene(
      "gyro",
      "'gravity': [0, 0, -9.81], 'dt': 0.01, 't_end': 1, 'bodies': [{'name': 'b', 'mass': 2, %s}]",
      body);
  const struct bench_request request = {.case_name = scene, .formulation = "ncp"};
  struct trial t;
  trial_run(&t, request, "", gyro, TRIAL_WITHOUT_ERRORS);
  la_copy(6, t.out.u, u);
}

TEST(isotropic_inertia_and_principal_axes_change_no_bit) {
  static const struct {
    const char *body;
    int same;
  } cases[] = {
      {"'inertia': [0.3, 0.3, 0.3], 'angular_velocity': [1.7, -2.3, 3.1]", 1},
      {"'inertia': [0.3, 0.4, 0.5], 'angular_velocity': [0, 2.3, 0]", 1},
      {"'inertia': [0.3, 0.4, 0.5], 'angular_velocity': [1.7, -2.3, 3.1]", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double midpoint[6], explicit[6];
    final_velocity(cases[i].body, "gyro=midpoint", midpoint);
    final_velocity(cases[i].body, "gyro=explicit", explicit);
    CHECK_INT(test_same_bits(midpoint, explicit, 6), cases[i].same);
  }
}

/* With joints or contacts u_m is not the mean of the motion: the energy of a heavy top, its tip
 * held by a joint, errs by what the scheme does. */
struct energy {
  double first, worst;
};

static int watch_energy(const struct mech *m, const struct form_state *state,
                        const struct form_report *report, void *context) {
  struct energy *e = context;
  const double now = mech_energy(m, state->q, state->u, test_arena());
  (void)report;
  e->first = e->worst == 0 && e->first == 0 ? now : e->first;
  e->worst = fmax(e->worst, fabs(now - e->first));
  return 0;
}

TEST(energy_of_a_heavy_top_converges) {
  double gained[2];
  for (int k = 0; k < 2; ++k) {
    struct energy e = {0};
    CHECK_OK(case_model_run("closed-forms", "scene=heavy-top", "moreau", k == 0 ? 1e-3 : 5e-4, 0.5,
                            watch_energy, &e));
    gained[k] = e.worst;
  }
  CHECK_LE(gained[1], 0.6 * gained[0]); /* falls with the step, at least as the first order does */
}

/* Two bodies on a ball joint in free flight; or a body in a spherical shell on a smooth floor, its
 * centre of mass that of the shell or off it. */
enum { JOINTED, CENTRED, OFF_CENTRE, SETTINGS };

static struct case_instance setting(int kind) {
#define TOP(x, z, omega)                                                                           \
  "'inertia': [0.02, 0.03, 0.04], 'position': [" x ", 0, " z "], 'angular_velocity': [" omega "]"
#define SHELL(z, offset)                                                                           \
  "'gravity': [0, 0, -9.81], 'materials': {'m': {'mu': 0}}, 'bodies': [{'name': 'floor', "         \
  "'fixed': true, 'shapes': [{'type': 'halfspace', 'normal': [0, 0, 1], 'material': 'm'}]}, "      \
  "{'name': 'a', 'mass': 2, " TOP("0", z, "4, 0.5, -2") ", 'shapes': [{'type': 'sphere', "         \
                                                        "'radius': 0.1, 'offset': [0, 0, " offset  \
                                                        "], 'material': 'm'}]}]"
  return case_model_scene(
      "%s",
      kind == JOINTED
          ? "'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 2, " TOP(
                "0", "0.1",
                "4, 0.5, -2") "}, {'name': 'b', 'mass': 1, " TOP("0.3", "0.1",
                                                                 "3, 0.5, 1") "}], 'joints': "
                                                                              "[{'type': "
                                                                              "'spherical', "
                                                                              "'bodies': ['a', "
                                                                              "'b'], 'point': "
                                                                              "[0.15, 0.05, 0.1]}]"
      : kind == CENTRED ? SHELL("0.1", "0")
                        : SHELL("0.08", "0.02"));
}

/* L: 3, about the origin. */
static void angular_momentum(const struct mech *m, const double *q, const double *u,
                             struct base_arena *arena, double L[3]) {
  double *turn = base_arena_doubles(arena, 9 * m->nb), *M = base_arena_doubles(arena, m->nu);
  m->ops->bodies.rigid(m, q, turn);
  m->ops->bodies.mass_diagonal(m, q, M);
  L[0] = L[1] = L[2] = 0;
  for (int b = 0; b < m->nb; ++b) {
    const double *x = q + 7L * b, *v = u + 6L * b, *R = turn + 9L * b;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      L[i] += M[6 * b] * (x[j] * v[k] - x[k] * v[j]);
      for (int l = 0; l < 3; ++l) {
        L[i] += R[3 * i + l] * M[6 * b + 3 + l] * v[3 + l];
      }
    }
  }
}

struct kept {
  double energy, momentum; /* largest relative change, of |L|; L_z where gravity has a moment */
};

static struct kept keep(int kind, double dt, double t_end) {
  struct base_arena *arena = test_arena();
  double E = 0, size = 0;
  struct kept kept = {0, 0};
  const struct case_instance c = setting(kind);
  CHECK_OK(mech_project(c.mech, c.q, c.u, arena));
  struct run *run = run_begin("moreau", c.mech, dt, c.q, c.u);
  const int steps = (int)lround(t_end / dt);
  for (int k = 0; k <= steps; ++k) {
    double L[3];
    const double now = run_energy(run);
    angular_momentum(c.mech, run->state.q, run->state.u, arena, L);
    E = k == 0 ? now : E;
    const double length = kind == OFF_CENTRE ? L[2] : la_norm2(3, L);
    size = k == 0 ? length : size;
    kept.energy = fmax(kept.energy, fabs(now / E - 1));
    kept.momentum = fmax(kept.momentum, fabs(length / size - 1));
    if (k < steps) {
      run_step(run, dt);
    }
  }
  CHECK_OK(run->status);
  return kept;
}

/* Impulses with a moment about a centre of mass do not enter u_m: what is lost is of first order,
 * as with moments that act between steps; without one nothing is. */
TEST(what_joints_and_contacts_leave_of_energy_and_angular_momentum) {
  for (int kind = 0; kind < SETTINGS; ++kind) {
    const struct kept coarse = keep(kind, 2e-3, 1), fine = keep(kind, 1e-3, 1);
    if (kind == CENTRED) {
      CHECK_LE(coarse.energy, 1e-13);
      CHECK_LE(coarse.momentum, 1e-13);
      continue;
    }
    CHECK_LE(coarse.energy, 5e-3);
    CHECK_LE(coarse.momentum, 5e-3);
    CHECK_NEAR(coarse.energy / fine.energy, 2, 0.2);
    CHECK_NEAR(coarse.momentum / fine.momentum, 2, 0.2);
  }
}
