/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each formulation answers over mu and theta (preclik 4.2): the velocity of the end after one
 * step so short that gravity does next to nothing, or after the time that a stiff spring takes. The
 * answers told apart, by the velocity before, (0, -v0):
 *
 *   slides      the velocity is what it was
 *   sticks      the end stands still: the impact of the paradox
 *   lifts off   it moves up
 *   turns back  it moves the other way
 *   none        the run failed; the formulation has no answer
 *
 * Below mu_* an impact-free contact slides on; from mu_* on it sticks. Friction slows a sliding end
 * by mu dt times the normal acceleration, which is large near mu_*; SLID allows for it.
 */
#include "cases/painleve-rod/painleve-rod.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const painleve_map_forms[PAINLEVE_MAP_FORMS] = {
    "moreau", "lcp-ap", "ncp", "mdp", "ccp", "consistent-twostep", "penalty", "event"};
enum { SIDE = PAINLEVE_MAP_SIDE };

static const double SLID = 0.05, STILL = 0.01, LIFTED = 0.003; /* parts of v0 */

enum answer { SLIDES, STICKS, LIFTS_OFF, TURNS_BACK, NO_ANSWER };

static double theta_of(int j) { return 0.5 * M_PI * (j + 0.5) / SIDE; } /* [rad] */
static double mu_of(int k) { return 0.25 * (k + 1); }

/* row: theta [deg], mu, answer, v_T / v0, v_N / v0. */
static enum answer answer_of(const struct case_parameters *p, const struct case_series *s,
                             double row[5]) {
  const double v0 = case_real(p, "v0");
  double v[2] = {NAN, NAN};
  enum answer answer = NO_ANSWER;
  if (s->status == BASE_OK && s->n > 1 && s->nq == 3) {
    painleve_rod_end(case_real(p, "l"), s->q + (size_t)(s->n - 1) * 3,
                     s->u + (size_t)(s->n - 1) * 3, v);
    answer = v[0] > LIFTED * v0         ? LIFTS_OFF
             : v[1] > STILL * v0        ? TURNS_BACK
             : fabs(v[1]) <= STILL * v0 ? STICKS
                                        : SLIDES;
  }
  row[2] = answer;
  row[3] = v[1] / v0;
  row[4] = v[0] / v0;
  return answer;
}

/* Is this what the formulation owes at a point below (or above) mu_*? */
static int is_due(const char *form, enum answer answer, int above, double v_T) {
  if (strcmp(form, "event") == 0 && above) {
    return answer == NO_ANSWER; /* integrates forces, of which there is none */
  }
  if (strcmp(form, "consistent-twostep") == 0 && above) {
    return answer == TURNS_BACK; /* what sticks is the mean of the velocities before and after */
  }
  if (strcmp(form, "ccp") == 0 && !above) {
    return answer == LIFTS_OFF; /* v_N >= mu |v_T| leaves no other way */
  }
  return above ? answer == STICKS : answer == SLIDES && v_T <= -1 + SLID;
}

/* Worst difference of the records' impulse from the closed form, at and above mu_* (or below). */
static double impulse_error(const struct case_parameters *p, const struct case_series *series,
                            int above) {
  const double unit = case_real(p, "m") * case_real(p, "v0") / 8;
  double worst = 0;
  for (int i = 0; i < PAINLEVE_MAP_RUNS; ++i) {
    const double theta = theta_of(i / SIDE % SIDE);
    if ((mu_of(i % SIDE) >= painleve_rod_limit(theta)) == above) {
      const double N = above ? unit * 3 * sin(2 * theta) : 0;
      const double T = above ? unit * (5 + 3 * cos(2 * theta)) : 0;
      worst = case_worst(worst, painleve_rod_impulse(&series[i], 0, N));
      worst = case_worst(worst, painleve_rod_impulse(&series[i], 1, T));
    }
  }
  return worst / unit;
}

int painleve_rod_map_make(const struct case_parameters *p, const struct case_series *series,
                          struct case_plot *plot) {
  for (int form = 0; form < PAINLEVE_MAP_FORMS; ++form) {
    double rows[SIDE * SIDE][5];
    int others = 0;
    char text[CASE_TEXT];
    for (int i = 0; i < SIDE * SIDE; ++i) {
      const double theta = theta_of(i / SIDE), mu = mu_of(i % SIDE);
      rows[i][0] = theta * 180 / M_PI;
      rows[i][1] = mu;
      const enum answer answer = answer_of(p, &series[form * SIDE * SIDE + i], rows[i]);
      const int above = mu >= painleve_rod_limit(theta);
      others += !is_due(painleve_map_forms[form], answer, above, rows[i][3]);
    }
    snprintf(text, sizeof text, "map-%s", painleve_map_forms[form]);
    case_plot_table(plot, text, "theta[deg] mu[-] answer v_T/v0 v_N/v0", SIDE * SIDE, 5, rows[0]);
    if (strcmp(painleve_map_forms[form], "penalty") != 0) {
      snprintf(text, sizeof text, "%s: points of the map with another answer than expected",
               painleve_map_forms[form]);
      case_plot_check(plot, text, others, (struct case_claim){.lo = 0, .hi = 0});
    }
  }
  case_plot_check(
      plot, "impulse against (m v0/8)(3 sin 2 theta, 5 + 3 cos 2 theta), relative",
      impulse_error(p, series, 1),
      (struct case_claim){0, 1e-12, .expected = "0", .published = "that impulse (preclik 4.2)"});
  case_plot_check(plot, "the same against zero below mu_*", impulse_error(p, series, 0),
                  (struct case_claim){0, 0, .published = "0 (preclik 4.2)"});
  return BASE_OK;
}
