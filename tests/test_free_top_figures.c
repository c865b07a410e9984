/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the free top on series made here, without runs: right ones pass every check, and
 * each check fails for the fault that it is there to find.
 */
#include "base/json/json.h"
#include "bench/figure/figure.h"
#include "cases/free-top/free-top.h"
#include "tests/figure_run.h"
#include "tests/test.h"

#include <stdio.h>

enum { N_OUT = 12, SHEAR = 11 };

static int first_order(const char *formulation) {
  return strcmp(formulation, "consistent-coordinate") == 0 ||
         strcmp(formulation, "consistent-decomposed") == 0 ||
         strcmp(formulation, "consistent-onestep") == 0 ||
         strcmp(formulation, "consistent-twostep") == 0;
}

/* The shear that (5.31) leaves in its first step, dt^2/4 omega_1 omega_2', over dt^2. */
static double first_shear(const struct case_parameters *p) {
  const double w1 = case_real(p, "w1_0"), w3 = case_real(p, "w3_0");
  return 0.25 * fabs(w1 * (case_real(p, "I3") - case_real(p, "I1")) / case_real(p, "I2") * w3 * w1);
}

/* The exact rotation, with a shear rate that alternates by dt^2 for (5.31), and errors of order. */
static void fill_series(struct figure_fake *f, int i) {
  struct case_series *s = &f->series[i];
  const struct case_run *run = &f->plan.runs[i];
  const double dt = run->dt, sample = run->sample > 0 ? run->sample : dt;
  const int n = (int)lrint(run->t_end / sample) + 1;
  double *t = base_arena_doubles(f->arena, n), *E = base_arena_doubles(f->arena, n);
  double *q = base_arena_doubles(f->arena, N_OUT * n), *u = base_arena_doubles(f->arena, N_OUT * n);
  const struct case_type *type = case_find("free-top");
  const int shears = strcmp(run->formulation, "consistent-constant") == 0;
  for (int k = 0; k < n; ++k) {
    t[k] = k * sample;
    type->reference(f->parameters, t[k], q + N_OUT * k, u + N_OUT * k);
    u[N_OUT * k + SHEAR] =
        shears && k % 2 == 1 ? -first_shear(f->parameters) * dt * dt * cos(t[k]) : 0;
    E[k] = 5.5;
  }
  char text[300];
  snprintf(text, sizeof text,
           "{\"energy\": {\"max_numerical_drift\": 1e-14, \"initial\": 5.5}, \"errors\": "
           "{\"q_linf\": %.17g}}",
           first_order(run->formulation) ? 5 * dt : 3 * dt * dt);
  *s = (struct case_series){.run = run,
                            .status = BASE_OK,
                            .reason = "",
                            .n = n,
                            .nq = N_OUT,
                            .nu = N_OUT,
                            .t = t,
                            .q = q,
                            .u = u,
                            .energy = E};
  s->record = f->record[i] = test_json(cJSON_Parse(text));
  figure_plan_describe(&f->plan, i, N_OUT, f->record[i]);
}

static void make_fake(struct figure_fake *f, const char *id) {
  *f = figure_fake_of(id);
  for (int i = 0; i < f->n; ++i) {
    fill_series(f, i);
  }
}

static int series_of(const struct figure_fake *f, const char *label) {
  int i = 0;
  while (strcmp(f->plan.runs[i].label, label) != 0) {
    ++i;
  }
  return i;
}

/* Make the figure; the number of checks that fail must be `failing`, and the first of them be about
 * `what`. */
static void make(struct figure_fake *f, int failing, const char *what) {
  struct case_plot plot;
  CHECK_OK(figure_fake_make(f, &plot));
  CHECK_INT(plot.n_failed, failing);
  CHECK(plot.n_checks > 4);
  for (int i = 0; i < plot.n_checks; ++i) {
    if (plot.checks[i].verdict == CASE_FAILED) {
      CHECK_MESSAGE(strstr(plot.checks[i].what, what) != NULL, "'%s' fails, not '%s'",
                    plot.checks[i].what, what);
      break;
    }
  }
}

static double *number(struct figure_fake *f, const char *label, const char *path) {
  return &((cJSON *)base_json_at(f->record[series_of(f, label)], path))->valuedouble;
}

TEST(right_series_pass) {
  struct figure_fake f;
  make_fake(&f, "moeller-rigid");
  make(&f, 0, "");
  make_fake(&f, "moeller-5.2");
  make(&f, 0, "");
}

TEST(rigid_checks_can_fail) {
  static const char *const names[] = {"consistent-constant",   "consistent-constant-gear",
                                      "consistent-coordinate", "consistent-decomposed",
                                      "consistent-onestep",    "consistent-twostep",
                                      "consistent-quaternion", "consistent-quaternion-twostep"};
  for (int i = 0; i < 8; ++i) {
    char label[80];
    struct figure_fake f;
    make_fake(&f, "moeller-rigid");
    *number(&f, names[i], "energy.max_numerical_drift") = 1e-10;
    make(&f, 1, "drift of the energy");
    make_fake(&f, "moeller-rigid");
    ((double *)f.series[series_of(&f, names[i])].q)[N_OUT * 77 + 5] += 1e-12;
    make(&f, 1, "|d_i . d_j - delta_ij|");
    make_fake(&f, "moeller-rigid");
    ((double *)f.series[series_of(&f, names[i])].q)[N_OUT * 77 + 5] = NAN;
    make(&f, 1, "|d_i . d_j - delta_ij|");
    make_fake(&f, "moeller-rigid");
    snprintf(label, sizeof label, "%s-0.0025", names[i]);
    *number(&f, label, "errors.q_linf") *= 2;
    make(&f, 1, "order of the error");
  }
}

TEST(rates_checks_can_fail) {
  struct figure_fake f;
  make_fake(&f, "moeller-5.2");
  double *u = (double *)f.series[series_of(&f, "constant")].u;
  for (int k = 0; k < 101; ++k) {
    u[N_OUT * k + SHEAR] = -1e-4 * first_shear(f.parameters) * (1 - exp(-0.1 * k)) /
                           (1 - exp(-10)); /* no turn in it */
  }
  make(&f, 1, "turns around");
  make_fake(&f, "moeller-5.2");
  u = (double *)f.series[series_of(&f, "half")].u;
  for (int k = 0; k < 201; ++k) {
    u[N_OUT * k + SHEAR] *= 2; /* first order */
  }
  make(&f, 1, "order of |e12|");
  make_fake(&f, "moeller-5.2");
  ((double *)f.series[series_of(&f, "long")].u)[N_OUT * 4000 + SHEAR] = 1e-3;
  make(&f, 1, "over that of the first");
  make_fake(&f, "moeller-5.2");
  ((double *)f.series[series_of(&f, "gear")].u)[N_OUT * 50 + SHEAR] = 1e-12;
  make(&f, 1, "(5.49)");
  make_fake(&f, "moeller-5.2");
  static const char *const all[] = {"constant", "half", "long"};
  for (int i = 0; i < 3; ++i) { /* too small to be seen */
    const struct case_series *s = &f.series[series_of(&f, all[i])];
    for (int k = 0; k < s->n; ++k) {
      ((double *)s->u)[N_OUT * k + SHEAR] *= 1e-3;
    }
  }
  make(&f, 1, "largest |e12| in 1 s");
}

TEST(a_run_that_is_not_ok_is_named) {
  struct figure_fake f;
  struct case_plot plot;
  make_fake(&f, "moeller-rigid");
  f.series[series_of(&f, "consistent-quaternion")].status = BASE_UNCONVERGED;
  CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, "consistent-quaternion");
}
