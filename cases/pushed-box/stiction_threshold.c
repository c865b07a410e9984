/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stiction-threshold: the smallest push that moves the box, between decades of pushes on either
 * side of what is expected: limit (1 -+ 10^-k). The limit is mu m g, and for a polyhedral cone
 * pushed along the normal of an edge cos(pi/n) times that (pushed-box.c). The box moves when its
 * speed rises from the middle of the horizon to the end by more than MOVES of what mu g gives in
 * that time; a push of limit (1 + 10^-k) gives it 10^-k. (A speed alone is none:
 * consistent-quaternion holds the mean of the velocities before and after a step, and keeps half a
 * step of the push.)
 *
 * Near the limit sweeps need thousands of iterations; Newton's method and the interior point do
 * not. The two-step scheme with quaternions and event-driven integration get the box of the plane:
 * with four feet the first finds contacts that cannot move, and the second follows the direction of
 * sliding in steps as short as the push is near the limit.
 *
 * Penalty forces have no sharp limit: regularised friction creeps under any push, and springs that
 * are pushed all of a sudden swing. Nor has mdp on redundant contacts: their friction forces need
 * not be parallel, and what is across the push is lost. What they do is in the figure.
 */
#include "cases/pushed-box/pushed-box.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SUBJECTS = 14, DECADES = 7, PUSHES = 2 * DECADES, RUNS = SUBJECTS * PUSHES };
static const struct {
  const char *label, *form, *solver, *body, *opt;
  int n_dir; /* pushed along the normal of an edge of this polygon; 0: along x */
  int sharp; /* owes the threshold */
} subjects[SUBJECTS] = {
    {"moreau", "moreau", "prox", "quaternion", "tol=1e-13", 0, 1},
    {"lcp-st", "lcp-st", "", "quaternion", "", 0, 1},
    {"lcp-ap", "lcp-ap", "", "quaternion", "", 0, 1},
    {"lcp-dca", "lcp-dca", "", "quaternion", "", 0, 1},
    {"lcp-st-edge", "lcp-st", "", "quaternion", "n_dir=8", 8, 1},
    {"ccp", "ccp", "ipm", "quaternion", "tol=1e-12", 0, 1},
    {"ncp", "ncp", "prox", "quaternion", "tol=1e-13", 0, 1},
    {"mdp", "mdp", "", "quaternion", "tol=1e-13", 0, 0},
    {"penalty", "penalty", "", "quaternion", "", 0, 0},
    {"penalty-spring", "penalty", "", "quaternion", "tangential=spring", 0, 0},
    {"consistent-twostep", "consistent-twostep", "prox", "planar", "tol=1e-13", 0, 1},
    {"consistent-quaternion", "consistent-quaternion", "prox", "quaternion", "tol=1e-13", 0, 1},
    {"consistent-quaternion-twostep", "consistent-quaternion-twostep", "prox", "planar",
     "tol=1e-13", 0, 1},
    {"event", "event", "", "planar", "", 0, 1}};
static const double END = 0.02, PENALTY_STEP = 1e-4; /* [s] */
static const double MOVES = 2e-8;                    /* of mu g t, t half the horizon */
static const double SHARP = 1e-6;                    /* of mu m g (catalogue) */

static double limit_of(int subject) {
  return subjects[subject].n_dir > 0 ? cos(M_PI / subjects[subject].n_dir) : 1;
}

/* Pushes ascend: limit (1 - 0.1), ..., limit (1 - 1e-7), limit (1 + 1e-7), ... */
static double excess_of(int push) {
  return push < DECADES ? -pow(10, -1 - push) : pow(10, push - 2 * DECADES);
}

static void fill_push(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  const int k = place->at[0], n = subjects[k].n_dir;
  (void)p;
  snprintf(run->label, sizeof run->label, "%s-%02d", subjects[k].label, place->at[1]);
  snprintf(run->formulation, sizeof run->formulation, "%s", subjects[k].form);
  snprintf(run->solver, sizeof run->solver, "%s", subjects[k].solver);
  snprintf(run->set, sizeof run->set, "push=%.17g angle=%.17g body=%s",
           limit_of(k) * (1 + excess_of(place->at[1])), n > 0 ? M_PI / n : 0, subjects[k].body);
  snprintf(run->opt, sizeof run->opt, "%s", subjects[k].opt);
  run->dt = strcmp(subjects[k].form, "penalty") == 0 ? PENALTY_STEP : run->dt;
}

const struct case_runs stiction_runs[] = {
    {.label = "",
     .dt = "1e-3",
     .t_end = "0.02",
     .sample = "0.01",
     .over = {{.names = "subject", .count = SUBJECTS}, {.names = "push", .count = PUSHES}},
     .fill = fill_push},
    {0}};

/* How much faster the box is at the end than half-way, over mu g t; NaN when it did not get there.
 */
static double rise_of(const struct case_parameters *p, const struct case_series *s) {
  const double unit = 0.5 * END * case_real(p, "mu") * case_real(p, "g");
  if (!body_ran(s) || s->n != 3) {
    return NAN;
  }
  const double *half = s->u + s->nu, *end = half + s->nu;
  const double y = s->nu > 3 ? 1 : 0; /* in the plane the second component is up */
  return (hypot(end[0], y * end[1]) - hypot(half[0], y * half[1])) / unit;
}

int stiction_make(const struct case_parameters *p, const struct case_series *series, int n,
                  struct case_plot *plot) {
  if (n != RUNS) {
    return base_fail(BASE_FAILED, "stiction-threshold: %d runs of %d", n, RUNS);
  }
  double table[SUBJECTS][4];
  for (int k = 0; k < SUBJECTS; ++k) {
    double rows[PUSHES][2], stays = 0, moves = INFINITY;
    char what[CASE_TEXT];
    int ran = 1;
    for (int i = 0; i < PUSHES; ++i) {
      const struct case_series *s = &series[k * PUSHES + i];
      const double push = limit_of(k) * (1 + excess_of(i));
      rows[i][0] = excess_of(i);
      rows[i][1] = rise_of(p, s);
      ran &= !isnan(rows[i][1]);
      if (rows[i][1] > MOVES) {
        moves = fmin(moves, push);
      }
    }
    for (int i = 0; i < PUSHES; ++i) { /* the largest push below all that moved it */
      const double push = limit_of(k) * (1 + excess_of(i));
      stays = push < moves && push > stays ? push : stays;
    }
    case_plot_table(plot, subjects[k].label, "push/limit-1 rise/(mu*g*t)", PUSHES, 2, rows[0]);
    table[k][0] = k;
    table[k][1] = limit_of(k);
    table[k][2] = ran ? stays : NAN;
    table[k][3] = ran ? moves : NAN;
    const double limit = limit_of(k);
    const char *expected = subjects[k].n_dir > 0 ? "cos(pi/8)" : "1";
    const struct case_claim claims[2] = {{limit - SHARP, limit, .expected = expected},
                                         {limit, limit + SHARP, .expected = expected}};
    for (int side = 0; side < 2; ++side) {
      snprintf(what, sizeof what, "%s: %s, over mu m g", subjects[k].label,
               side == 0 ? "largest push that leaves the box at rest"
                         : "smallest push that moves it");
      if (subjects[k].sharp) {
        case_plot_check(plot, what, table[k][2 + side], claims[side]);
      } else {
        case_plot_report(plot, what, table[k][2 + side], "it has no sharp limit");
      }
    }
  }
  return case_plot_table(plot, "threshold", "subject expected stays moves", SUBJECTS, 4, table[0]);
}
