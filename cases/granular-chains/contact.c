/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chains-contact: when two discs first meet, by every formulation at several steps. Up to then the
 * motion is not chaotic and may be compared. The time is the root of the parabola through the
 * smallest gap of two discs at the last three samples from which a step cannot close it, an error
 * of O(dt^3) on top of the formulation's own.
 */
#include "cases/granular-chains/granular-chains.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 3, NAMES = 8, STEPS = 4, PENALTY = 7 };
static const char *const names[NAMES] = {
    "lcp-st", "ccp", "ncp", "mdp", "moreau", "lcp-ap", "consistent-twostep", "penalty"};
static const double dt[STEPS] = {4e-3, 2e-3, 1e-3, 5e-4}; /* [s] */
static const double HORIZON = 0.53;                       /* [s], past the first contact */
/* |t - t_event| <= SPREAD dt for the impulse-based formulations. The error scatters with the place
 * of the contact within a step: no order is fitted. */
static const double SPREAD = 1;
static const double PENALTY_ERROR = 2e-3; /* [s], ropes of K = 1e5 N/m give */

const struct case_runs granular_chains_contact_runs[] = {
    {.label = "{form}-{#dt}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "0.53", /* past the first contact */
     .sample = "{dt}",
     .over = {{"form", "lcp-st ccp ncp mdp moreau lcp-ap consistent-twostep penalty"},
              {"dt", "4e-3 2e-3 1e-3 5e-4"}}},
    {.label = "event", .formulation = "event", .dt = "1e-3", .t_end = "0.53", .sample = "1e-3"},
    {0}};

/* Smallest gap of two discs [m]. */
static double least_gap(int discs, double R, const double *q) {
  double least = INFINITY;
  for (int i = 0; i < discs; ++i) {
    for (int j = i + 1; j < discs; ++j) {
      const double *a = q + (long)COLUMNS * i, *b = q + (long)COLUMNS * j;
      least = fmin(least, hypot(b[0] - a[0], b[1] - a[1]) - 2 * R);
    }
  }
  return least;
}

/* NaN where the discs do not meet. */
static double first_contact(const struct case_parameters *p, const struct case_series *s) {
  const int discs = 2 * (int)case_real(p, "n");
  const double R = case_real(p, "R");
  double g[3] = {0, 0, 0};
  for (int l = 0; l < s->n; ++l) {
    g[0] = g[1];
    g[1] = g[2];
    g[2] = least_gap(discs, R, s->q + (long)l * s->nq);
    /* slope and curvature per step at the last sample; the next step comes within half of one */
    const double slope = 0.5 * (3 * g[2] - 4 * g[1] + g[0]), bend = g[2] - 2 * g[1] + g[0];
    if (l >= 2 && slope < 0 && g[2] + 1.5 * slope <= 0) {
      const double root = -2 * g[2] / (slope - sqrt(fmax(slope * slope - 2 * bend * g[2], 0)));
      return s->t[l] + root * (s->t[l] - s->t[l - 1]);
    }
  }
  return NAN;
}

static int write_times(const struct case_parameters *p, const struct case_series *series, int n,
                       int name, double truth, double *error, struct case_plot *plot) {
  double rows[3 * STEPS];
  for (int k = 0; k < STEPS; ++k) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "%s-%d", names[name], k);
    const struct case_series *s = case_series_find(series, n, label);
    if (s == NULL) {
      return BASE_FAILED;
    }
    const double t = s->status == BASE_OK ? first_contact(p, s) : NAN;
    error[k] = fabs(t - truth);
    rows[3 * k] = dt[k];
    rows[3 * k + 1] = t;
    rows[3 * k + 2] = error[k];
  }
  return case_plot_table(plot, names[name], "dt[s] t_c[s] |t_c-t_event|[s]", STEPS, 3, rows);
}

int granular_chains_contact_make(const struct case_parameters *p, const struct case_series *series,
                                 int n, struct case_plot *plot) {
  const int discs = 2 * (int)case_real(p, "n");
  const struct case_series *event = case_series_ok(series, n, "event", COLUMNS * discs);
  if (event == NULL) {
    return BASE_FAILED;
  }
  const double truth = first_contact(p, event);
  case_plot_check(plot, "event: first contact [s]", truth, 0, HORIZON, "");
  for (int i = 0; i < NAMES; ++i) {
    char what[CASE_TEXT];
    double error[STEPS], ratio = 0;
    const int status = write_times(p, series, n, i, truth, error, plot);
    if (status != BASE_OK) {
      return status;
    }
    for (int k = 0; k < STEPS; ++k) {
      ratio = case_worst(ratio, error[k] / dt[k]);
    }
    if (i < PENALTY) {
      snprintf(what, sizeof what, "%s: largest |t_c - t_event|/dt", names[i]);
      case_plot_check(plot, what, ratio, 0, SPREAD, "O(dt)");
    } else {
      case_plot_check(plot, "penalty, K = 1e5 N/m: |t_c - t_event|, shortest step [s]",
                      error[STEPS - 1], 0, PENALTY_ERROR, "");
    }
  }
  return BASE_OK;
}
