/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of friction sets and of iterations on them.
 *
 *   moeller-3.11    cross-sections of B_F and of its approximations E_F and Z_F
 * tippe-top-cost  what a step of the tippe top costs with B_F, E_F, and E_F as the ball S_F: plain
 *                   iteration for the first two (transform=0), which is what the source compares
 *
 * Times are measured and differ from run to run; iterations do not.
 */
#include "cases/tippe-top/tippe-top.h"

#include "base/status.h"
#include "cases/figure/series.h"
#include "contact/contensou.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- moeller-3.11 ---- */

enum { ACROSS = 200 }; /* points of a quarter */

/* Volume of a body of revolution in units of mu r_N (twice) and R_bar mu r_N, by the trapezoidal
 * rule. */
static double volume(int n, double (*section)[2]) {
  double sum = 0;
  for (int k = 1; k < n; ++k) {
    const double f = 0.5 * (section[k][0] + section[k - 1][0]);
    sum += 2 * M_PI * f * f * (section[k - 1][1] - section[k][1]);
  }
  return sum;
}

int tippe_top_sets_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot) {
  static double B[ACROSS + 1][2], rows[4 * ACROSS + 1][6];
  double longest = 0, shortest = 1, beyond = 0; /* of Z_F beyond B_F, along a ray */
  (void)p, (void)series, (void)n;
  for (int k = 0; k <= ACROSS; ++k) {
    contact_contensou_boundary(tan(0.5 * M_PI * k / ACROSS), &B[k][0], &B[k][1]);
    const double length = hypot(B[k][0], B[k][1]);
    if (k > 0 && k < ACROSS) {
      longest = fmax(longest, length);
    }
    shortest = fmin(shortest, length);
    beyond = fmax(beyond, length * (1 / fmax(B[k][0], B[k][1]) - 1));
  }
  contact_contensou_boundary(INFINITY, &B[ACROSS][0], &B[ACROSS][1]);
  for (int k = 0; k <= 4 * ACROSS; ++k) {
    const int quarter = k / ACROSS % 4, along = k % ACROSS;
    const int j = quarter % 2 == 0 ? along : ACROSS - along;
    const double sign_T = quarter < 2 ? 1 : -1, sign_tau = quarter == 0 || quarter == 3 ? 1 : -1;
    const double angle = 0.5 * M_PI * j / ACROSS, t = 2.0 * j / ACROSS;
    const double row[6] = {sign_T * B[j][0],      sign_tau * B[j][1],  sign_T * sin(angle),
                           sign_tau * cos(angle), sign_T * fmin(1, t), sign_tau * fmin(1, 2 - t)};
    memcpy(rows[k], row, sizeof row);
  }
  case_plot_table(plot, "sets", "B_T[-] B_tau[-] E_T[-] E_tau[-] Z_T[-] Z_tau[-]", 4 * ACROSS + 1,
                  6, rows[0]);
  double b_T, b_tau;
  contact_contensou_boundary(1, &b_T, &b_tau);
  case_plot_check(plot, "force of B_F where its two formulas meet, u = 1, over mu r_N", b_T,
                  (struct case_claim){9 * M_PI / 32 - 1e-15, 9 * M_PI / 32 + 1e-15,
                                      .published = "9 pi/32 (moeller 3.118)"});
  case_plot_check(
      plot, "torque there, over R_bar mu r_N", b_tau,
      (struct case_claim){0.375 - 1e-15, 0.375 + 1e-15, .published = "3/8 (moeller 3.119)"});
  case_plot_check(plot, "B_F inside E_F: greatest radius of B_F over that of E_F", longest,
                  (struct case_claim){1 - 1e-4, 1, .expected = "they touch at the ends",
                                      .published = "inside, as drawn (moeller fig. 3.11)",
                                      .schematic = 1});
  case_plot_check(plot, "the same, least", shortest, (struct case_claim){.lo = 0.935, .hi = 0.945});
  case_plot_check(plot, "E_F over Z_F: how far they are beyond B_F along a ray, at most",
                  (1 - shortest) / beyond,
                  (struct case_claim){0.05, 0.3, .expected = "0.06 over nearly 2^1/2 - 0.94",
                                      .published = "a better approximation (moeller 3.7.5)"});
  case_plot_check(plot, "volume of B_F over that of E_F", volume(ACROSS + 1, B) / (4 * M_PI / 3),
                  (struct case_claim){.lo = 0.9, .hi = 0.905});
  return BASE_OK;
}

/* ---- tippe-top-cost ---- */

/* Of the coordinates, from the run that it is set against. */
static double set_difference(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = r->against;
  double worst = 0;
  for (k = 0; k < 7 * s->n && s->n == other->n; ++k) {
    worst = case_worst(worst, fabs(s->q[k] - other->q[k]));
  }
  return worst;
}

static double variant(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return (double)(s - r->series);
}

static double step_time(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return 1e6 * case_number(s, "timing.per_step_s");
}

/* Processor time of an iteration, from a run of more of them and one of fewer [s]. */
static double slope(const struct case_series *more, const struct case_series *fewer) {
  return (case_number(more, "timing.steps_s") - case_number(fewer, "timing.steps_s")) /
         (case_number(more, "iterations.total") - case_number(fewer, "iterations.total"));
}

static double bare_time(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return 1e6 * slope(s, case_result(r, s, "bare-{set}-0"));
}

static double bare_over_ball(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *ball[2] = {case_result(r, NULL, "bare-S-1"),
                                       case_result(r, NULL, "bare-S-0")};
  return bare_time(r, s, k) / (1e6 * slope(ball[0], ball[1]));
}

/* In Octave, times the iteration with the ball. */
static double octave_ellipsoid(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "observables.E_us") / case_number(s, "observables.S_us");
}

static double octave_contensou(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "observables.B_us") / case_number(s, "observables.S_us");
}

static double octave_differences(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "observables.B_differences_us") / case_number(s, "observables.S_us");
}

static double bare_variant(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_word(r, s, "#set");
}

const struct case_function tippe_top_sets_functions[] = {
    {"sets_make", .make = tippe_top_sets_make},
    {"variant", .value = variant},
    {"step_time", .value = step_time},
    {"bare_variant", .value = bare_variant},
    {"bare_time", .value = bare_time},
    {"octave_contensou", .value = octave_contensou},
    {"octave_ellipsoid", .value = octave_ellipsoid},
    {"octave_differences", .value = octave_differences},
    {"bare_over_ball", .value = bare_over_ball},
    {"set_difference", .value = set_difference},
    {0}};
