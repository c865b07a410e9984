/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figure of the tippe top's time of inversion, on series made here: inclinations that pass
 * 3 rad at a given time give that time back; times that converge at first order pass every check,
 * and each check fails for some fault.
 */
#include <stdio.h>

#include "base/json/json.h"
#include "base/status.h"
#include "bench/figure/figure.h"
#include "tests/figure_run.h"
#include "tests/test.h"

enum { NQ = 7, RUNS_MAX = 32, SAMPLES = 81, FINE = 6 }; /* FINE: place of the smallest step */

struct fake {
  struct base_arena *arena;
  struct case_parameters *parameters;
  const struct figure *figure;
  struct case_run runs[RUNS_MAX];
  struct case_series series[RUNS_MAX];
  int n;
};

/* A top that rises evenly, to 3 rad at time T (beyond the horizon: not at all). */
static void fill_series(struct fake *f, struct case_series *s, double T) {
  double *t = base_arena_doubles(f->arena, SAMPLES);
  double *q = base_arena_doubles(f->arena, NQ * SAMPLES);
  for (int k = 0; k < SAMPLES; ++k) {
    t[k] = 1.6 * k / (SAMPLES - 1);
    const double phi = fmin(3.1, 0.1 + 2.9 * t[k] / T);
    q[NQ * k + 3] = cos(0.5 * phi);
    q[NQ * k + 4] = sin(0.5 * phi);
  }
  s->t = t;
  s->q = q;
  s->n = SAMPLES;
  s->nq = NQ;
}

/* A top that leans by 0.1 rad at first and by phi in the end. */
static void lean(struct case_series *s, double phi) {
  for (int k = 0; k < SAMPLES; ++k) {
    const double angle = 0.1 + (phi - 0.1) * k / (SAMPLES - 1);
    ((double *)s->q)[NQ * k + 3] = cos(0.5 * angle);
    ((double *)s->q)[NQ * k + 4] = sin(0.5 * angle);
  }
}

/* Times of both sets, T + C dt^p, E's longer by the part `apart`. */
static void make_fake(struct fake *f, double p, double apart) {
  const struct case_type *type = case_find("tippe-top");
  memset(f, 0, sizeof *f);
  f->arena = test_arena();
  f->parameters = case_parameters_load(type, f->arena);
  struct figure_plan *plan = base_arena_push(f->arena, sizeof *plan);
  *plan = figure_plan_of("tippe-top-inversion", f->arena);
  f->figure = &plan->figure;
  while (f->n < RUNS_MAX && f->n < plan->n) {
    f->runs[f->n] = plan->runs[f->n];
    const struct case_run *run = &f->runs[f->n];
    const int is_E = strstr(plan->set[f->n], "friction_set=E") != NULL;
    const double T =
        run->dt > 5e-4 ? 2 : (is_E ? 1 + apart : 1) * (1.47 - 0.01 * pow(run->dt / 4e-4, p));
    cJSON *record = test_json(cJSON_CreateObject());
    figure_plan_describe(plan, f->n, NQ, record);
    f->series[f->n].run = run;
    f->series[f->n].record = record;
    fill_series(f, &f->series[f->n], T);
    if (strstr(run->label, "n_c") != NULL) {
      lean(&f->series[f->n], strncmp(run->label, "0.7", 3) == 0 ? 0.05 : 2);
    }
    ++f->n;
  }
}

static int make(struct fake *f, struct case_plot *plot) {
  CHECK_INT(case_plot_init(plot, NULL, f->arena), BASE_OK);
  return figure_make(f->figure, f->parameters, f->series, f->n, plot);
}

static const struct case_checked *find_check(const struct case_plot *plot, const char *words) {
  for (int i = 0; i < plot->n_checks; ++i) {
    if (strstr(plot->checks[i].what, words) != NULL) {
      return &plot->checks[i];
    }
  }
  test_fail(__FILE__, __LINE__, "no check '%s'", words);
  return &plot->checks[0];
}

TEST(times_that_converge_at_first_order_pass) {
  struct fake f;
  struct case_plot plot;
  make_fake(&f, 1, 1e-4);
  CHECK_INT(f.n, 2 * (FINE + 1) + 2);
  CHECK_INT(make(&f, &plot), BASE_OK);
  for (int i = 0; i < plot.n_checks; ++i) {
    CHECK_MESSAGE(plot.checks[i].verdict != CASE_FAILED, "%s: %g", plot.checks[i].what,
                  plot.checks[i].measured);
  }
  /* the inclination is linear in time: interpolation is exact but for acos near pi */
  CHECK_NEAR(find_check(&plot, "B_F: time")->measured, 1.47 - 0.01 * f.runs[FINE].dt / 4e-4, 1e-12);
  CHECK_NEAR(find_check(&plot, "E_F: order")->measured, 1, 1e-6);
  CHECK_NEAR(find_check(&plot, "relative difference")->measured, 1e-4, 1e-9);
}

TEST(each_check_can_fail) {
  static const struct {
    double p, apart;
    int late; /* run that inverts after 1.6 s, or leans the wrong way; -1: none */
    const char *words;
  } faults[] = {{1, 0.01, -1, "relative difference"},
                {0.3, 0, -1, "B_F: largest ratio"},
                {0.3, 0, -1, "E_F: largest ratio"},
                {2, 0, -1, "B_F: order"},
                {2, 0, -1, "E_F: order"},
                {1, 0, FINE, "B_F: time"},
                {1, 0, FINE, "B_F: order"},
                {1, 0, 2 * FINE + 1, "E_F: time"},
                {1, 0, 3, "B_F: largest ratio"},
                {1, 0, 2 * (FINE + 1), "at 0.7 of the critical spin"},
                {1, 0, 2 * (FINE + 1) + 1, "at 3 times the critical spin"}};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
    struct fake f;
    struct case_plot plot;
    make_fake(&f, faults[i].p, faults[i].apart);
    if (faults[i].late >= 2 * (FINE + 1)) {
      lean(&f.series[faults[i].late], faults[i].late % 2 == 0 ? 2 : 0.05);
    } else if (faults[i].late >= 0) {
      fill_series(&f, &f.series[faults[i].late], 1.7);
    }
    CHECK_INT(make(&f, &plot), BASE_OK);
    CHECK_MESSAGE(find_check(&plot, faults[i].words)->verdict == CASE_FAILED, "fault %zu: %s", i,
                  faults[i].words);
  }
}

TEST(a_failed_run_fails_what_is_made_of_it) {
  struct fake f;
  struct case_plot plot;
  make_fake(&f, 1, 0);
  f.series[3].status = BASE_FAILED;
  CHECK_INT(make(&f, &plot), BASE_OK);
  CHECK(find_check(&plot, "B_F: largest ratio")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "B_F: order")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "E_F: order")->verdict != CASE_FAILED);
  f.series[FINE].status = BASE_FAILED; /* one that a value is about is named */
  CHECK_REFUSED(make(&f, &plot), BASE_FAILED, f.runs[FINE].label);
}

TEST_MAIN()
