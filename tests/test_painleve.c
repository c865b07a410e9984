/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Painleve's rod: its matrix, its impulse and mu_* against the closed forms of the source, the
 * minimum by GSL; the sliding force below mu_* against a short step; the rod after the impact; the
 * figure against a reversed map.
 */
#include "bench/outcome/one_contact.h"
#include "bench/run/listener.h"
#include "cases/painleve-rod/painleve-rod.h"
#include "tests/case_model.h"
#include "tests/figure_run.h"
#include "tests/test.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <stdio.h>

/* A, b and the impulse over theta, mu and the other parameters; at mu = mu_* too. */
TEST(impulse_is_the_closed_form_from_mu_star_on_and_zero_below) {
  static const double parts[] = {0.2, 0.9, 1 - 1e-9, 1, 1 + 1e-9, 1.3, 5};
  struct base_rng *rng = test_rng(0);
  for (int draw = 0; draw < 400; ++draw) {
    struct base_arena *arena = test_arena();
    const double theta = base_rng_uniform(rng, 0.05, 1.5), s = sin(theta), c = cos(theta);
    const double m = pow(10, base_rng_uniform(rng, -3, 3)), l = base_rng_uniform(rng, 0.1, 9);
    const double v0 = pow(10, base_rng_uniform(rng, -3, 3)), unit = m * v0 / 8;
    for (int k = 0; k < 7; ++k) {
      const double mu = parts[k] * painleve_rod_limit(theta);
      char set[200];
      snprintf(set, sizeof set, "theta0=%.17g mu=%.17g m=%.17g l=%.17g v0=%.17g omega0=%d", theta,
               mu, m, l, v0, draw % 2);
      const struct case_instance i = case_model_build("painleve-rod", set, arena);
      const struct bench_one_contact *p = bench_one_contact_of(i.mech, i.q, i.u, arena);
      CHECK(p != NULL && p->dim == 2);
      const double A[4] = {1 + 3 * c * c, -3 * s * c, -3 * s * c, 1 + 3 * s * s};
      for (int j = 0; j < 4; ++j) {
        CHECK_NEAR(m * p->A[j], A[j], 1e-14);
      }
      const int above = parts[k] >= 1;
      CHECK_NEAR(p->max_dissipation.r[0] / unit, above ? 3 * sin(2 * theta) : 0, 1e-12);
      CHECK_NEAR(p->max_dissipation.r[1] / unit, above ? 5 + 3 * cos(2 * theta) : 0, 1e-12);
      CHECK_INT(p->n_coulomb, above ? 2 : 1); /* zero, and sticking */
    }
  }
}

/* In space, by the body's own assembly, its two tangents in any order: 1 + 3 sin^2 along the rod's
 * shadow, 4 across it. The source prints 1 + 3 cos^2 2 theta there. */
TEST(rod_in_space_has_four_across) {
  for (int k = 1; k < 15; ++k) {
    struct base_arena *arena = test_arena();
    const double theta = 0.1 * k, s = sin(theta), c = cos(theta);
    struct case_instance i = {0};
    CHECK_OK(painleve_rod_in_space(theta, arena, &i));
    i.q[2] -= 1e-15; /* closed, whatever the rounding of its place */
    const struct bench_one_contact *p = bench_one_contact_of(i.mech, i.q, i.u, arena);
    CHECK_MESSAGE(p != NULL && p->dim == 3, "%s", base_message());
    if (p != NULL) {
      const int o = fabs(p->A[1]) > fabs(p->A[2]) ? 2 : 1, t = 3 - o;
      CHECK_NEAR(p->A[0], 1 + 3 * c * c, 1e-12);
      CHECK_NEAR(fabs(p->A[t]), 3 * s * c, 1e-12);
      CHECK_NEAR(p->A[4 * t], 1 + 3 * s * s, 1e-12);
      CHECK_NEAR(p->A[4 * o], 4, 1e-12);
      CHECK_NEAR(p->A[3 * o + t], 0, 1e-12);
    }
  }
}

static double limit_of(double theta, void *unused) {
  (void)unused;
  return painleve_rod_limit(theta);
}

TEST(least_limit_is_four_thirds) {
  gsl_min_fminimizer *s = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
  gsl_function f = {.function = limit_of};
  CHECK_INT(gsl_min_fminimizer_set(s, &f, 1, 0.2, 1.5), GSL_SUCCESS);
  for (int k = 0; k < 60; ++k) {
    gsl_min_fminimizer_iterate(s);
  }
  CHECK_NEAR(gsl_min_fminimizer_f_minimum(s), 4.0 / 3, 1e-14);
  CHECK_NEAR(gsl_min_fminimizer_x_minimum(s), 0.5 * acos(-0.6), 1e-7);
  gsl_min_fminimizer_free(s);
}

/* Velocity after one step, less the one before: du, nu. */
static int keep_velocity(const struct mech *m, const struct form_state *state,
                         const struct form_report *report, void *context) {
  (void)report;
  memcpy(context, state->u, (size_t)m->nu * sizeof(double));
  return 0;
}

/* Below mu_* the normal force is m g/(1 + 3 cos (cos - mu sin)), and friction mu times it. */
TEST(sliding_force_below_the_limit) {
  const double dt = 1e-7, g = 9.81;
  static const char *const forms[] = {"moreau", "lcp-ap", "ncp", "mdp", "event"};
  for (int k = 0; k < 5; ++k) {
    for (int j = 1; j < 9; ++j) {
      const double theta = 0.17 * j, mu = 0.8 * painleve_rod_limit(theta);
      const double force = g / (1 + 3 * cos(theta) * (cos(theta) - mu * sin(theta)));
      char set[100];
      double u[3] = {0};
      snprintf(set, sizeof set, "theta0=%.17g mu=%.17g", theta, mu);
      CHECK_OK(case_model_run("painleve-rod", set, forms[k], dt, dt, keep_velocity, u));
      CHECK_NEAR(u[1] / dt + g, force, 1e-4 * force);
      CHECK_NEAR((u[0] + 1) / dt, mu * force, 1e-4 * mu * force);
    }
  }
}

/* After the impact the rod turns about its end with (3/2)(v0/l) sin theta. */
TEST(jammed_rod_turns_about_its_end) {
  static const char *const forms[] = {"moreau", "lcp-st", "lcp-ap", "ncp", "mdp", "ccp"};
  for (int k = 0; k < 6; ++k) {
    double u[3] = {0};
    CHECK_OK(case_model_run("painleve-rod", "l=2 v0=3", forms[k], 1e-9, 1e-9, keep_velocity, u));
    const double omega = 1.5 * 3 / 2 * sin(1.0);
    CHECK_NEAR(u[2], omega, 1e-7);
    CHECK_NEAR(u[0], -sin(1.0) * omega, 1e-7);
    CHECK_NEAR(u[1], cos(1.0) * omega, 1e-7);
  }
}

/* With nothing that presses the end down, no impulse at all obeys Coulomb's law as well; maximum
 * dissipation has the impact alone. */
TEST(maximum_dissipation_jams_without_gravity) {
  double u[3] = {0};
  CHECK_OK(case_model_run("painleve-rod", "g=0", "mdp", 1e-6, 1e-6, keep_velocity, u));
  CHECK_NEAR(u[0] + 1, (5 + 3 * cos(2.0)) / 8, 1e-12);
  CHECK_NEAR(u[1], 3 * sin(2.0) / 8, 1e-12);
}

/* The motion and the impact of one run as those of the other, mirrored in mu and theta. */
static void exchange(struct case_series *a, struct case_series *b) {
  const struct case_series kept = *a;
  cJSON *of_a = (cJSON *)a->record, *of_b = (cJSON *)b->record;
  cJSON *contact = cJSON_DetachItemFromObject(of_a, "contact");
  a->q = b->q;
  a->u = b->u;
  b->q = kept.q;
  b->u = kept.u;
  cJSON_AddItemToObject(of_a, "contact", cJSON_DetachItemFromObject(of_b, "contact"));
  cJSON_AddItemToObject(of_b, "contact", contact);
}

TEST(figure_passes_and_finds_maps_that_are_exchanged) {
  enum { SIDE = 12, SIZE = SIDE * SIDE };
  struct figure_run run = figure_run_of("preclik-painleve");
  struct case_plot plot;
  figure_run_passes(&run);
  CHECK(strcmp(run.series[SIZE - 1].run->label, "map-moreau-11-11") == 0);
  for (int i = 0; i < SIZE / 2; ++i) {
    exchange(&run.series[i], &run.series[SIZE - 1 - i]);
  }
  CHECK_OK(figure_run_judge(&run, &plot));
  CHECK_INT(plot.n_failed, 3); /* the map of the first formulation, and both of the impulse */
  figure_run_free(&run);
}
