/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bouncing-ball: a hundred bounces without loss. The energy must stay; what is left of it, and how
 * many bounces there were in the time of a hundred, for every formulation that knows contacts.
 */
#include "cases/bouncing-ball/bouncing-ball.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BOUNCES = 100, FORMS = 13 };
/* keeps: the energy, by construction or to its tolerance (event); Moreau's midpoint rule is exact
 * here, as gravity is constant. */
static const struct {
  const char *name;
  int keeps;
} forms[FORMS] = {{"moreau", 1},
                  {"lcp-st", 0},
                  {"lcp-ap", 0},
                  {"lcp-dca", 0},
                  {"ccp", 0},
                  {"ncp", 0},
                  {"mdp", 0},
                  {"penalty", 0},
                  {"consistent-onestep", 1},
                  {"consistent-twostep", 1},
                  {"consistent-quaternion", 1},
                  {"consistent-quaternion-twostep", 1},
                  {"event", 1}};
static const double CONSERVED = 1e-11; /* of E0 (catalogue) */
/* A contact found a step late, of 1/180 of a period, in every bounce: less than one in 100. */
enum { LATE = 1 };

static void until_the_last(const struct case_parameters *p, const struct case_place *place,
                           struct case_run *run) {
  (void)place;
  run->t_end = BOUNCES * bouncing_ball_period(p);
}

static const struct case_runs bounce_runs[] = {
    {.label = "{form}",
     .formulation = "{form}",
     .set = "eps=1",
     .dt = "{dt}",
     .sample = "0.05",
     .over = {{"form/dt", "moreau/5e-3 lcp-st/5e-3 lcp-ap/5e-3 lcp-dca/5e-3 ccp/5e-3 ncp/5e-3 "
                          "mdp/5e-3 penalty/5e-4 consistent-onestep/5e-3 consistent-twostep/5e-3 "
                          "consistent-quaternion/5e-3 consistent-quaternion-twostep/5e-3 "
                          "event/5e-3"}},
     .fill = until_the_last},
    {0}};

static int bounce_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  double rows[FORMS][5];
  for (int i = 0; i < FORMS; ++i) {
    const struct case_series *s = case_series_ok(series, n, forms[i].name, 3);
    if (s == NULL) {
      return BASE_FAILED;
    }
    const double E0 = case_real(p, "m") * case_real(p, "g") * case_real(p, "h0");
    double path[BOUNCES][2], change = 0, end = 0;
    for (int k = 0; k < BOUNCES; ++k) {
      path[k][0] = k;
      path[k][1] = -HUGE_VAL;
    }
    for (int k = 0; k < s->n; ++k) {
      const double gain = (s->energy[k] - s->energy[0]) / E0;
      const int period = (int)fmin(s->t[k] / bouncing_ball_period(p), BOUNCES - 1);
      path[period][1] = fmax(path[period][1], gain);
      end = gain;
      change = case_worst(change, fabs(gain));
    }
    case_plot_table(plot, forms[i].name, "period largest(E-E0)/E0", BOUNCES, 2, path[0]);
    rows[i][0] = i;
    rows[i][1] = end;
    rows[i][2] = case_number(s, "energy.max_numerical_drift") / E0;
    rows[i][3] = case_number(s, "contacts.onsets");
    rows[i][4] = case_number(s, "errors.q_linf");
    char what[2 * CASE_TEXT];
    snprintf(what, sizeof what, "%s: largest change of the energy over m g h0 in %d bounces",
             forms[i].name, BOUNCES);
    if (forms[i].keeps) {
      case_plot_check(plot, what, change, (struct case_claim){0, CONSERVED, .expected = "0"});
    } else {
      case_plot_report(plot, what, change, NULL);
    }
    snprintf(what, sizeof what, "%s: gain (> 0) or loss at the end over m g h0", forms[i].name);
    case_plot_report(plot, what, rows[i][1], NULL);
    snprintf(what, sizeof what, "%s: bounces in the time of %d", forms[i].name, BOUNCES);
    if (forms[i].keeps) {
      const int late = strcmp(forms[i].name, "event") == 0 ? 0 : LATE;
      case_plot_check(plot, what, rows[i][3],
                      (struct case_claim){BOUNCES - late, BOUNCES + late, .expected = "100"});
    } else {
      case_plot_report(plot, what, rows[i][3], NULL);
    }
  }
  return case_plot_table(plot, "table", "formulation change-at-the-end drift bounces error[m]",
                         FORMS, 5, rows[0]);
}

const struct case_figure bouncing_ball_figures[] = {
    {.id = "bouncing-ball",
     .title = "A hundred bounces without loss",
     .caption = "Energy over a hundred bounces with eps = 1: kept by the consistent schemes; what "
                "the others make of it.",
     .runs = bounce_runs,
     .make = bounce_make},
    {.id = NULL}};
