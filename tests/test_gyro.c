/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gyroscopic forces of impulse stepping: a free body keeps its energy and the length of its angular
 * momentum to round-off for any step; the order; isotropic inertia and principal axes change no
 * bit; with a joint the energy errs by the order of the scheme.
 */
#include "tests/case_model.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "bench/run/run.h"
#include "form/impulse/impulse.h"
#include "la/dense.h"
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
      CHECK_INT(case_model_run("free-top", "body=quaternion", form_get(i)->name, large ? 0.1 : 0.01,
                               30, watch_free_top, &top),
                BASE_OK);
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
    CHECK_INT(
        case_model_run("free-top", "body=quaternion", "ncp", dt[k], 1, watch_free_top, top + k),
        BASE_OK);
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
  struct base_arena *arena = base_arena_alloc();
  const char *scene = scratch_path("gyro.json");
  FILE *file = fopen(scene, "w");
  fprintf(file,
          "{\"schema\": \"coulombench.scene/1\", \"name\": \"gyro\", \"gravity\": [0, 0, -9.81], "
          "\"dt\": 0.01, \"t_end\": 1, \"bodies\": [{\"name\": \"b\", \"mass\": 2, %s}]}",
          body);
  fclose(file);
  struct bench_request request = {.case_name = scene, .formulation = "ncp"};
  request.opt[request.n_opt++] = base_arena_printf(arena, "gyro=%s", gyro);
  struct bench_job job;
  struct bench_outcome out;
  CHECK_INT(bench_job_resolve(&request, arena, &job), BASE_OK);
  CHECK_INT(bench_run(&job, arena, &out), BASE_OK);
  la_copy(6, out.u, u);
  base_arena_free(arena);
}

TEST(isotropic_inertia_and_principal_axes_change_no_bit) {
  static const struct {
    const char *body;
    int same;
  } cases[] = {
      {"\"inertia\": [0.3, 0.3, 0.3], \"angular_velocity\": [1.7, -2.3, 3.1]", 1},
      {"\"inertia\": [0.3, 0.4, 0.5], \"angular_velocity\": [0, 2.3, 0]", 1},
      {"\"inertia\": [0.3, 0.4, 0.5], \"angular_velocity\": [1.7, -2.3, 3.1]", 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double midpoint[6], explicit[6];
    final_velocity(cases[i].body, "midpoint", midpoint);
    final_velocity(cases[i].body, "explicit", explicit);
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
  struct base_arena *arena = base_arena_alloc();
  const double now = mech_energy(m, state->q, state->u, arena);
  (void)report;
  e->first = e->worst == 0 && e->first == 0 ? now : e->first;
  e->worst = fmax(e->worst, fabs(now - e->first));
  base_arena_free(arena);
  return 0;
}

TEST(energy_of_a_heavy_top_converges) {
  double gained[2];
  for (int k = 0; k < 2; ++k) {
    struct energy e = {0};
    CHECK_INT(case_model_run("closed-forms", "scene=heavy-top", "moreau", k == 0 ? 1e-3 : 5e-4, 0.5,
                             watch_energy, &e),
              BASE_OK);
    gained[k] = e.worst;
  }
  CHECK_LE(gained[1], 0.6 * gained[0]); /* falls with the step, at least as the first order does */
}

TEST_MAIN()
