/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the tippe top on series made here: right ones pass every check, and each check
 * fails for some fault.
 */
#include "base/json/json.h"
#include "bench/figure/figure.h"
#include "tests/figure_run.h"
#include "tests/test.h"

#include <stdio.h>

enum { NQ = 7, NU = 6, SAMPLES = 801, CHECKS_MAX = 32 };

static const double END = 8, J1 = 8e-7, J3 = 7e-7; /* [s], [kg m^2] */

/* Upright at first, inverted at 1.5 s, and on its side in the end. */
static double angle(double t) {
  return t < 1.5 ? 0.1 + 2.04 * t : t < 4.4 ? 3.1 : fmax(1.7, 3.1 - (t - 4.4));
}

/* Samples of a motion that stands on whichever sphere is lower, and what the record says of it. */
static void fill_series(struct figure_fake *f, int i) {
  struct case_series *s = &f->series[i];
  double *t = base_arena_doubles(f->arena, SAMPLES),
         *q = base_arena_doubles(f->arena, NQ * SAMPLES);
  double *u = base_arena_doubles(f->arena, NU * SAMPLES),
         *E = base_arena_doubles(f->arena, SAMPLES);
  const int is_partial = strstr(s->run->label, "partial") != NULL; /* closed gaps shrink */
  for (int k = 0; k < SAMPLES; ++k) {
    t[k] = END * k / (SAMPLES - 1);
    const double phi = angle(t[k]);
    q[NQ * k + 2] = fmax(0.015 - 0.003 * cos(phi), 0.005 - 0.016 * cos(phi)) -
                    (is_partial ? 2e-3 * t[k] / END : 0);
    q[NQ * k + 3] = cos(0.5 * phi);
    q[NQ * k + 4] = sin(0.5 * phi);
    u[NU * k + 3] = 30;
    u[NU * k + 5] = 100;
    E[k] = 0.012 - 1e-3 * t[k];
  }
  const double dt = s->run->dt, h = (J1 - J3) * 30 * 100;
  /* the plain iterations (the first two runs of tippe-top-cost) are slow */
  const double slow = strcmp(f->plan.file->id, "tippe-top-cost") == 0 && i < 2 ? 8 : 1;
  const double sinking = strncmp(s->run->label, "onestep", 7) == 0 ? 35 /* [m/s] */
                         : strcmp(s->run->label, "shifted") == 0   ? 0
                                                                   : 2;
  /* bare iterations: 500 a step, or 125, each as long as the set makes it */
  const int bare = strncmp(s->run->label, "bare-", 5) == 0;
  const double each = !bare                     ? 1
                      : s->run->label[5] == 'B' ? 7
                      : s->run->label[5] == 'E' ? 4.7
                                                : 1; /* over that of the ball */
  const double total = bare && strstr(s->run->label, "-1") != NULL ? 500 : 125;
  char text[700];
  snprintf(text, sizeof text,
           "{\"energy\": {\"max_increase\": %.17g}, \"constraints\": {\"penetration_max\": %.17g}, "
           "\"iterations\": {\"mean\": %g, \"total\": %g}, \"timing\": {\"per_step_s\": %g, "
           "\"steps_s\": %g}, \"observables\": {\"B_us\": 10, \"E_us\": 2.5, \"S_us\": 1, "
           "\"B_differences_us\": 11}}",
           is_partial ? 0 : 0.5 * dt * dt * h * h / J1, sinking * dt, 3 * slow, total, 3e-6 * slow,
           5e-8 * each * total);
  s->t = t;
  s->q = q;
  s->u = u;
  s->energy = E;
  s->n = SAMPLES;
  s->nq = NQ;
  s->nu = NU;
  s->record = f->record[i] = test_json(cJSON_Parse(text));
  figure_plan_describe(&f->plan, i, NQ, f->record[i]);
}

static void make_fake(struct figure_fake *f, const char *id) {
  *f = figure_fake_of(id);
  for (int i = 0; i < f->n; ++i) {
    fill_series(f, i);
  }
}

/* ---- Faults of one run ----------------------------------------------------------------------- */

/* Series are read-only to figures; here they are spoilt. */
static double *samples(const double *x) {
  double *y;
  memcpy(&y, &x, sizeof y);
  return y;
}

static void set_number(const struct case_series *s, const char *block, const char *key, double x) {
  const cJSON *object = cJSON_GetObjectItem(s->record, block);
  cJSON_SetNumberValue(cJSON_GetObjectItem(object, key), x);
}

static void set_attitude(struct case_series *s, double from, double to, double phi) {
  for (int k = 0; k < SAMPLES; ++k) {
    if (s->t[k] >= from && s->t[k] <= to) {
      samples(s->q)[NQ * k + 3] = cos(0.5 * phi);
      samples(s->q)[NQ * k + 4] = sin(0.5 * phi);
    }
  }
}

static void never_inverts(struct case_series *s) { set_attitude(s, 0, END, 0.1); }
static void inverts_late(struct case_series *s) { set_attitude(s, 0, 2, 0.5); }
static void stays_inverted(struct case_series *s) { set_attitude(s, 2, END, 3.1); }
static void energy_rises(struct case_series *s) { samples(s->energy)[400] += 1e-3; }
static void sinks(struct case_series *s) {
  for (int k = 0; k < SAMPLES; ++k) {
    samples(s->q)[NQ * k + 2] -= k > 0 ? 0.005 : 0;
  }
}
static void stretches(struct case_series *s) {
  samples(s->q)[NQ * 300 + 3] *= 1 + 1e-12;
  samples(s->q)[NQ * 300 + 4] *= 1 + 1e-12;
}
static void gains_more(struct case_series *s) { set_number(s, "energy", "max_increase", 1e-3); }
static void gains_nothing(struct case_series *s) { set_number(s, "energy", "max_increase", 0); }
static void does_not_drift(struct case_series *s) {
  set_number(s, "constraints", "penetration_max", 1e-12);
}
static void drifts(struct case_series *s) { set_number(s, "constraints", "penetration_max", 0.1); }
static void is_slow(struct case_series *s) {
  set_number(s, "iterations", "mean", 100);
  set_number(s, "timing", "per_step_s", 1e-3);
}
static void is_not_timed(struct case_series *s) { set_number(s, "timing", "steps_s", NAN); }
static void is_slow_in_octave(struct case_series *s) {
  set_number(s, "observables", "B_us", 100);
  set_number(s, "observables", "E_us", 100);
}
static void goes_elsewhere(struct case_series *s) { samples(s->q)[NQ * (SAMPLES - 1)] += 1e-3; }

static void (*const faults[])(struct case_series *) = {
    never_inverts, inverts_late, stays_inverted, energy_rises,     sinks,
    stretches,     gains_more,   gains_nothing,  does_not_drift,   drifts,
    is_slow,       is_not_timed, goes_elsewhere, is_slow_in_octave};
enum { FAULTS = sizeof faults / sizeof *faults };

static void every_check_can_fail(const char *id) {
  int failed[CHECKS_MAX] = {0}, n_checks = 0;
  struct figure_fake f;
  struct case_plot plot;
  make_fake(&f, id);
  CHECK(f.n > 0);
  CHECK_OK(figure_fake_make(&f, &plot));
  n_checks = plot.n_checks;
  CHECK(n_checks > 0 && n_checks <= CHECKS_MAX);
  for (int i = 0; i < n_checks; ++i) {
    CHECK_MESSAGE(plot.checks[i].verdict != CASE_FAILED, "%s: %s: %g", id, plot.checks[i].what,
                  plot.checks[i].measured);
  }
  for (int fault = 0; fault < FAULTS; ++fault) {
    for (int run = 0; run < f.n; ++run) {
      struct figure_fake wrong;
      make_fake(&wrong, id);
      faults[fault](&wrong.series[run]);
      struct case_plot seen;
      CHECK_OK(figure_fake_make(&wrong, &seen));
      for (int i = 0; i < n_checks && i < seen.n_checks; ++i) {
        failed[i] += seen.checks[i].verdict == CASE_FAILED;
      }
    }
  }
  for (int i = 0; i < n_checks; ++i) {
    CHECK_MESSAGE(failed[i] > 0 || plot.checks[i].verdict == CASE_REPORTED,
                  "%s: no fault makes this check fail: %s", id, plot.checks[i].what);
  }
  f.series[0].status = BASE_FAILED; /* a failed run is named */
  CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, f.plan.runs[0].label);
}

TEST(moeller_6_23) { every_check_can_fail("moeller-6.23"); }
TEST(quaternions) { every_check_can_fail("tippe-top-quaternions"); }
TEST(moeller_6_24) { every_check_can_fail("moeller-6.24"); }
TEST(moeller_6_25) { every_check_can_fail("moeller-6.25"); }
TEST(tippe_top_cost) { every_check_can_fail("tippe-top-cost"); }
