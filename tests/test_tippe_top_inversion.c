/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figure of the tippe top's time of inversion, on series made here: inclinations that pass
 * 3 rad at a given time give that time back; times that converge at first order pass every check,
 * and each check fails for some fault.
 */
#include <stdio.h>

#include "base/json/json.h"
#include "bench/figure/figure.h"
#include "tests/figure_run.h"
#include "tests/test.h"

enum { NQ = 7, SAMPLES = 81, FINE = 6 }; /* FINE: place of the smallest step */

/* A top that rises evenly, to 3 rad at time T (beyond the horizon: not at all). */
static void fill_series(struct figure_fake *f, struct case_series *s, double T) {
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
static void make_fake(struct figure_fake *f, double p, double apart) {
  *f = figure_fake_of("tippe-top-inversion");
  for (int i = 0; i < f->n; ++i) {
    const struct case_run *run = f->series[i].run;
    const int is_E = strstr(f->plan.set[i], "friction_set=E") != NULL;
    const double T =
        run->dt > 5e-4 ? 2 : (is_E ? 1 + apart : 1) * (1.47 - 0.01 * pow(run->dt / 4e-4, p));
    f->series[i].record = f->record[i] = test_json(cJSON_CreateObject());
    figure_plan_describe(&f->plan, i, NQ, f->record[i]);
    fill_series(f, &f->series[i], T);
    if (strstr(run->label, "n_c") != NULL) {
      lean(&f->series[i], strncmp(run->label, "0.7", 3) == 0 ? 0.05 : 2);
    }
  }
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
  struct figure_fake f;
  struct case_plot plot;
  make_fake(&f, 1, 1e-4);
  CHECK_INT(f.n, 2 * (FINE + 1) + 2);
  CHECK_OK(figure_fake_make(&f, &plot));
  for (int i = 0; i < plot.n_checks; ++i) {
    CHECK_MESSAGE(plot.checks[i].verdict != CASE_FAILED, "%s: %g", plot.checks[i].what,
                  plot.checks[i].measured);
  }
  /* the inclination is linear in time: interpolation is exact but for acos near pi */
  CHECK_NEAR(find_check(&plot, "B_F: time")->measured, 1.47 - 0.01 * f.plan.runs[FINE].dt / 4e-4,
             1e-12);
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
    struct figure_fake f;
    struct case_plot plot;
    make_fake(&f, faults[i].p, faults[i].apart);
    if (faults[i].late >= 2 * (FINE + 1)) {
      lean(&f.series[faults[i].late], faults[i].late % 2 == 0 ? 2 : 0.05);
    } else if (faults[i].late >= 0) {
      fill_series(&f, &f.series[faults[i].late], 1.7);
    }
    CHECK_OK(figure_fake_make(&f, &plot));
    CHECK_MESSAGE(find_check(&plot, faults[i].words)->verdict == CASE_FAILED, "fault %zu: %s", i,
                  faults[i].words);
  }
}

TEST(a_failed_run_fails_what_is_made_of_it) {
  struct figure_fake f;
  struct case_plot plot;
  make_fake(&f, 1, 0);
  f.series[3].status = BASE_FAILED;
  CHECK_OK(figure_fake_make(&f, &plot));
  CHECK(find_check(&plot, "B_F: largest ratio")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "B_F: order")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "E_F: order")->verdict != CASE_FAILED);
  f.series[FINE].status = BASE_FAILED; /* one that a value is about is named */
  CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, f.plan.runs[FINE].label);
}
