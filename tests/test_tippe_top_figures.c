/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The figures of the tippe top on series made here: right ones pass every check, and each check
 * fails for some fault. Inclinations that pass 3 rad at a given time give that time of inversion
 * back.
 */
#include "tests/figure_fake.h"
#include "tests/test.h"

#include <stdio.h>

enum {
  NQ = 7,
  NU = 6,
  SAMPLES = 801,
  RISING = 81,
  FINE = 6
}; /* FINE: place of the smallest step */

static const double END = 8, J1 = 8e-7, J3 = 7e-7; /* [s], [kg m^2] */

static void set_angle(struct figure_fake *f, int i, int sample, double phi) {
  figure_fake_q(f, i, sample)[3] = cos(0.5 * phi);
  figure_fake_q(f, i, sample)[4] = sin(0.5 * phi);
}

/* Upright at first, inverted at 1.5 s, and on its side in the end. */
static double angle(double t) {
  return t < 1.5 ? 0.1 + 2.04 * t : t < 4.4 ? 3.1 : fmax(1.7, 3.1 - (t - 4.4));
}

/* Samples of a motion that stands on whichever sphere is lower, and what the record says of it. */
static void fill(struct figure_fake *f, int i) {
  const char *label = f->plan.runs[i].label;
  const double dt = f->plan.runs[i].dt, h = (J1 - J3) * 30 * 100;
  const int is_partial = strstr(label, "partial") != NULL; /* closed gaps shrink */
  /* the plain iterations (the first two runs of tippe-top-cost) are slow */
  const double slow = strcmp(f->plan.file->id, "tippe-top-cost") == 0 && i < 2 ? 8 : 1;
  const double sinking = strncmp(label, "onestep", 7) == 0 ? 35 /* [m/s] */
                         : strcmp(label, "shifted") == 0   ? 0
                                                           : 2;
  /* bare iterations: 500 a step, or 125, each as long as the set makes it, over that of the ball */
  const int bare = strncmp(label, "bare-", 5) == 0;
  const double each = !bare || label[5] == 'S' ? 1
                      : label[5] == 'B'        ? 7
                      : label[5] == 'E'        ? 4.7
                                               : 1;
  const double total = bare && strstr(label, "-1") != NULL ? 500 : 125;
  char record[700];
  snprintf(record, sizeof record,
           "{'energy': {'max_increase': %.17g}, 'constraints': {'penetration_max': %.17g}, "
           "'iterations': {'mean': %g, 'total': %g}, 'timing': {'per_step_s': %g, 'steps_s': %g}, "
           "'observables': {'B_us': 10, 'E_us': 2.5, 'S_us': 1, 'B_differences_us': 11}}",
           is_partial ? 0 : 0.5 * dt * dt * h * h / J1, sinking * dt, 3 * slow, total, 3e-6 * slow,
           5e-8 * each * total);
  const struct case_series *s =
      figure_fake_samples(f, i, SAMPLES, END / (SAMPLES - 1), NQ, NU, record);
  for (int k = 0; k < SAMPLES; ++k) {
    const double t = s->t[k], phi = angle(t);
    set_angle(f, i, k, phi);
    figure_fake_q(f, i, k)[2] = fmax(0.015 - 0.003 * cos(phi), 0.005 - 0.016 * cos(phi)) -
                                (is_partial ? 2e-3 * t / END : 0);
    figure_fake_u(f, i, k)[3] = 30;
    figure_fake_u(f, i, k)[5] = 100;
    figure_fake_energy(f, i)[k] = 0.012 - 1e-3 * t;
  }
}

/* ---- faults of one run ---- */

static void set_attitude(struct figure_fake *f, int i, double from, double to, double phi) {
  for (int k = 0; k < SAMPLES; ++k) {
    if (f->series[i].t[k] >= from && f->series[i].t[k] <= to) {
      set_angle(f, i, k, phi);
    }
  }
}
static void never_inverts(struct figure_fake *f, int i) { set_attitude(f, i, 0, END, 0.1); }
static void inverts_late(struct figure_fake *f, int i) { set_attitude(f, i, 0, 2, 0.5); }
static void stays_inverted(struct figure_fake *f, int i) { set_attitude(f, i, 2, END, 3.1); }
static void energy_rises(struct figure_fake *f, int i) { figure_fake_energy(f, i)[400] += 1e-3; }
static void sinks(struct figure_fake *f, int i) {
  for (int k = 1; k < SAMPLES; ++k) {
    figure_fake_q(f, i, k)[2] -= 0.005;
  }
}
static void stretches(struct figure_fake *f, int i) {
  figure_fake_q(f, i, 300)[3] *= 1 + 1e-12;
  figure_fake_q(f, i, 300)[4] *= 1 + 1e-12;
}
static void gains_more(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "energy.max_increase") = 1e-3;
}
static void gains_nothing(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "energy.max_increase") = 0;
}
static void does_not_drift(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "constraints.penetration_max") = 1e-12;
}
static void drifts(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "constraints.penetration_max") = 0.1;
}
static void is_slow(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "iterations.mean") = 100;
  *figure_fake_number(f, i, "timing.per_step_s") = 1e-3;
}
static void is_not_timed(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "timing.steps_s") = NAN;
}
static void is_slow_in_octave(struct figure_fake *f, int i) {
  *figure_fake_number(f, i, "observables.B_us") = 100;
  *figure_fake_number(f, i, "observables.E_us") = 100;
}
static void goes_elsewhere(struct figure_fake *f, int i) {
  figure_fake_q(f, i, SAMPLES - 1)[0] += 1e-3;
}

static figure_fake_change *const faults[] = {
    never_inverts, inverts_late, stays_inverted, energy_rises,      sinks,
    stretches,     gains_more,   gains_nothing,  does_not_drift,    drifts,
    is_slow,       is_not_timed, goes_elsewhere, is_slow_in_octave, NULL};

#define FIGURE(name, id)                                                                           \
  TEST(name) { figure_fake_every_check_can_fail(id, fill, faults, 100); }
FIGURE(moeller_6_23, "moeller-6.23")
FIGURE(quaternions, "tippe-top-quaternions")
FIGURE(moeller_6_24, "moeller-6.24")
FIGURE(moeller_6_25, "moeller-6.25")
FIGURE(tippe_top_cost, "tippe-top-cost")

/* ---- the time of inversion ---- */

static void lean(struct figure_fake *f, int i, double phi) {
  for (int k = 0; k < RISING; ++k) {
    set_angle(f, i, k, 0.1 + (phi - 0.1) * k / (RISING - 1));
  }
}

/* Two runs lean in the end by less and by more than at first, at spins below and above the critical
 * one. In the others a top rises evenly, to 3 rad at T + C dt^p, with E later by the part `apart`,
 * and in the coarsest step beyond the horizon: not at all. */
static void rise(struct figure_fake *f, int i, double T, double p, double apart, int exchanged) {
  const struct case_run *run = &f->plan.runs[i];
  if (strstr(run->label, "n_c") != NULL) {
    lean(f, i, (strncmp(run->label, "0.7", 3) == 0) != exchanged ? 0.05 : 2);
    return;
  }
  const int is_E = strstr(f->plan.set[i], "friction_set=E") != NULL;
  const double at =
      run->dt > 5e-4 ? 2 : (is_E ? 1 + apart : 1) * (T - 0.01 * pow(run->dt / 4e-4, p));
  for (int k = 0; k < RISING; ++k) {
    set_angle(f, i, k, fmin(3.1, 0.1 + 2.9 * f->series[i].t[k] / at));
  }
}

static void fill_rising(struct figure_fake *f, int i) {
  figure_fake_samples(f, i, RISING, 1.6 / (RISING - 1), NQ, NU, "{}");
  rise(f, i, 1.47, 1, 1e-4, 0);
}
static void is_late(struct figure_fake *f, int i) { rise(f, i, 1.71, 1, 0, 1); }
static void differs(struct figure_fake *f, int i) { rise(f, i, 1.47, 1, 0.01, 0); }
static void has_order_0_3(struct figure_fake *f, int i) { rise(f, i, 1.47, 0.3, 0, 0); }
static void has_order_2(struct figure_fake *f, int i) { rise(f, i, 1.47, 2, 0, 0); }

static figure_fake_change *const faults_of_time[] = {is_late, differs, has_order_0_3, has_order_2,
                                                     NULL};

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
  figure_fake_every_check_can_fail("tippe-top-inversion", fill_rising, faults_of_time, 100);
  const struct figure_fake f = figure_fake_of("tippe-top-inversion", fill_rising);
  struct case_plot plot;
  CHECK_INT(f.n, 2 * (FINE + 1) + 2);
  CHECK_OK(figure_fake_make(&f, &plot));
  /* the inclination is linear in time: interpolation is exact but for acos near pi */
  CHECK_NEAR(find_check(&plot, "B_F: time")->measured, 1.47 - 0.01 * f.plan.runs[FINE].dt / 4e-4,
             1e-12);
  CHECK_NEAR(find_check(&plot, "E_F: order")->measured, 1, 1e-6);
  CHECK_NEAR(find_check(&plot, "relative difference")->measured, 1e-4, 1e-9);
}

TEST(a_failed_run_fails_what_is_made_of_it) {
  struct figure_fake f = figure_fake_of("tippe-top-inversion", fill_rising);
  struct case_plot plot;
  f.series[3].status = BASE_FAILED;
  CHECK_OK(figure_fake_make(&f, &plot));
  CHECK(find_check(&plot, "B_F: largest ratio")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "B_F: order")->verdict == CASE_FAILED);
  CHECK(find_check(&plot, "E_F: order")->verdict != CASE_FAILED);
  f.series[FINE].status = BASE_FAILED; /* one that a value is about is named */
  CHECK_REFUSED(figure_fake_make(&f, &plot), BASE_FAILED, f.plan.runs[FINE].label);
}
