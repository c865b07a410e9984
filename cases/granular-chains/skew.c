/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * chains-skew: the chains from a start without mirror symmetry, the left branch at 60 and the right
 * one at 45 degrees. Between mirror images nothing slides, and the friction of yu-14 does no work;
 * here it does. Its work by the impulses of the record (impulse.c) must be that of the record's
 * budget, and up to 0.55 s, through the first contacts, it is set against the event-driven
 * solution's: friction takes half a percent of what the impacts take, and is the more delicate.
 */
#include "cases/granular-chains/granular-chains.h"

#include "cases/figure/series.h"

#include <math.h>

static int write_works(const struct granular_chains_run *run, struct case_plot *plot) {
  enum { COLS = 6 };
  const struct case_series *s = run->ccp;
  const struct granular_chains_steps *steps = &run->steps;
  double *rows = base_arena_matrix(run->arena, steps->n, COLS);
  for (int l = 0; l < steps->n; ++l) {
    double *row = rows + (long)COLS * l;
    row[0] = s->t[l + 1];
    row[1] = granular_chains_kinetic(run->p, s->u + (long)(l + 1) * s->nu);
    row[2] = granular_chains_potential(run->p, s->q + (long)(l + 1) * s->nq);
    row[3] = steps->energy[l + 1];
    row[4] = -steps->friction_so_far[l];
    row[5] = -steps->impact_so_far[l];
  }
  return case_plot_table(plot, "works", "t[s] T[J] V[J] E[J] by_friction[J] by_impacts[J]",
                         steps->n, COLS, rows);
}

static int skew_of(const struct granular_chains_run *run, struct case_plot *plot) {
  const struct granular_chains_steps *steps = &run->steps;
  const double friction = case_number(run->ccp, "energy.budget.friction");
  const double impact = case_number(run->ccp, "energy.budget.impact");
  const int status = write_works(run, plot);
  case_plot_check(
      plot, "friction by the impulses less the record's [J]", steps->friction - friction,
      (struct case_claim){-GRANULAR_CHAINS_BUDGET, GRANULAR_CHAINS_BUDGET, .expected = "0"});
  case_plot_check(
      plot, "impacts by the impulses less the record's [J]", steps->impact - impact,
      (struct case_claim){-GRANULAR_CHAINS_BUDGET, GRANULAR_CHAINS_BUDGET, .expected = "0"});
  case_plot_check(plot, "largest |r_T| - mu r_N of any contact over the largest impulse",
                  steps->off_cone, (struct case_claim){0, GRANULAR_CHAINS_CONE, .expected = "0"});
  case_plot_check(plot, "momentum not explained by impulses, relative", steps->residual,
                  (struct case_claim){0, GRANULAR_CHAINS_MOMENTUM, .expected = "0"});
  return status;
}

static int skew_make(const struct case_parameters *p, const struct case_series *series, int n,
                     struct case_plot *plot) {
  return granular_chains_make(p, series, n, skew_of, plot);
}

const struct case_function granular_chains_skew_functions[] = {{"skew_make", .make = skew_make},
                                                               {0}};
