/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mass-ratio: the first step of a heavy box on a light one, both sliding, for ratios of 1 to 1e6:
 * iterations and residual of every solver of every law. The yardstick is the law's residual over
 * max|b|, which knows nothing of the load: 1e-8 of a velocity of 0.5 m/s. At the ratio 1e6 v = A r
 * + b cancels from 1e5 m/s, so that rounding alone leaves some 1e-10. Solvers that got there must
 * agree on the velocities.
 */
#include "cases/heavy-on-light/heavy-on-light.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RATIOS = 7, RUNS = RATIOS * BODY_SOLVERS };
static const double TOLERANCE = 1e-8; /* of the solvers */
/* Velocities of solutions to TOLERANCE, [m/s]: what the residual allows through A's condition. */
static const double AGREES = 1e-7;
/* Those that owe a solution at every ratio: the direct one, the interior point, and what tries
 * several. */
static const char *const owed[][2] = {
    {"lcp-st", "lemke"}, {"ccp", "ipm"}, {"lcp-st", "auto"}, {"ccp", "auto"}, {"ncp", "auto"}};

/* The run of a formulation at a ratio that others are compared with; -1: none got there. */
static int reference_of(const struct case_series *series, const char *form, int ratio) {
  int first = -1;
  for (int i = 0; i < BODY_SOLVERS; ++i) {
    if (strcmp(body_solvers[i].form, form) == 0 && body_ran(&series[i * RATIOS + ratio])) {
      const int direct = strcmp(body_solvers[i].solver, "lemke") == 0 ||
                         strcmp(body_solvers[i].solver, "ipm") == 0;
      first = first < 0 || direct ? i : first;
    }
  }
  return first;
}

/* mdp has one solver, which is compared with none. */
enum { LAWS = 3 };
static const char *const laws[LAWS] = {"lcp-st", "ccp", "ncp"};
static int law_of(const char *form) {
  int law = 0;
  while (law < LAWS && strcmp(form, laws[law]) != 0) {
    ++law;
  }
  return law;
}

static int ratio_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  (void)p;
  if (n != RUNS) {
    return base_fail(BASE_FAILED, "mass-ratio: %d runs of %d", n, RUNS);
  }
  double apart[LAWS] = {0};
  int compared[LAWS] = {0}; /* pairs of solvers */
  for (int i = 0; i < BODY_SOLVERS; ++i) {
    const struct body_solver *solver = &body_solvers[i];
    double rows[RATIOS][4], largest = NAN;
    char text[CASE_TEXT];
    int owes = 0, solved = 0;
    for (int k = 0; k < RATIOS; ++k) {
      const struct case_series *s = &series[i * RATIOS + k];
      rows[k][0] = pow(10, k);
      rows[k][1] = case_number(s, "iterations.max");
      rows[k][2] = case_number(s, "law.relative_b_max");
      rows[k][3] = body_ran(s) && rows[k][2] <= TOLERANCE;
      solved += rows[k][3] > 0;
      largest = rows[k][3] > 0 ? rows[k][0] : largest;
      if (rows[k][3] > 0 && law_of(solver->form) < LAWS) {
        const int other = reference_of(series, solver->form, k);
        const double off = body_apart(s, &series[other * RATIOS + k]);
        const int law = law_of(solver->form);
        apart[law] = case_worst(apart[law], off);
        compared[law] += other != i;
      }
    }
    snprintf(text, sizeof text, "%s-%s", solver->form, solver->solver);
    case_plot_table(plot, text, "ratio iterations residual solved", RATIOS, 4, rows[0]);
    for (size_t k = 0; k < sizeof owed / sizeof *owed; ++k) {
      owes |= strcmp(solver->form, owed[k][0]) == 0 && strcmp(solver->solver, owed[k][1]) == 0;
    }
    snprintf(text, sizeof text, "%s, %s: ratios solved, of %d; the largest %.0e", solver->form,
             solver->solver, RATIOS, largest);
    if (owes) {
      case_plot_check(plot, text, solved, (struct case_claim){RATIOS, RATIOS, .expected = "all"});
    } else {
      case_plot_report(plot, text, solved, NULL);
    }
  }
  for (int law = 0; law < LAWS; ++law) {
    char text[CASE_TEXT];
    snprintf(text, sizeof text, "%s: largest difference of velocities [m/s]", laws[law]);
    case_plot_check(plot, text, compared[law] > 0 ? apart[law] : NAN,
                    (struct case_claim){0, AGREES, .expected = "0"});
  }
  return BASE_OK;
}

const struct case_function heavy_on_light_functions[] = {{"ratio_make", .make = ratio_make}, {0}};
