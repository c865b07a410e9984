/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ccp-scaling: solvers of the cone complementarity problem on a loose flow, spheres that fall from
 * a lattice without gaps and run into each other. Tasora and Anitescu's claim for their method
 * (psor), which negrut refers to, is a time linear in the number of contacts. It is the product of
 * iterations, nc^p_i, and their cost, nc^p_c: p_c is 1 for first-order methods, more where a matrix
 * is factorised (ipm, admm), and linear time asks for p_i = 0. Iterations are checked; times are
 * drawn with their powers, as they come out on a machine that may have other things to do.
 */
#include "cases/packing/packing.h"

#include "base/status.h"
#include "cases/figure/scaling.h"

#include <stdio.h>

static const struct case_runs scaling_runs[] = {
    CASE_SCALING_RUNS("10 30 100 300 1000 3000", "gap=0", "1e-2", "3e-2"), {0}};
/* Iterations may grow by this power while the time is still called nearly linear. */
static const double NEARLY = 0.5;

static int scaling_make(const struct case_parameters *p, const struct case_series *series, int n,
                        struct case_plot *plot) {
  struct case_scaling_fit fit[CASE_SCALING_SOLVERS];
  (void)p;
  const int status = case_scaling_make(scaling_runs, series, n, plot, fit);
  for (int i = 0; i < CASE_SCALING_SOLVERS && status == BASE_OK; ++i) {
    char what[CASE_TEXT];
    snprintf(what, sizeof what, "%s: power of contacts in the number of iterations",
             case_scaling_solvers[i]);
    case_plot_check(plot, what, fit[i].iterations[0],
                    (struct case_claim){0, NEARLY, .expected = "0 in linear time"});
    snprintf(what, sizeof what, "%s: runs that missed 1e-8", case_scaling_solvers[i]);
    case_plot_check(plot, what, fit[i].missed, (struct case_claim){0, 0, .expected = "0"});
  }
  return status;
}

const struct case_figure packing_figures[] = {
    {.id = "ccp-scaling",
     .title = "Solvers of the CCP on falling spheres",
     .caption = "Iterations a solve to 1e-8, and time an iteration and a step, over the number of "
                "contacts, for spheres that fall from a lattice.",
     .runs = scaling_runs,
     .script = "ccp-scaling",
     .is_timed = 1,
     .make = scaling_make},
    {.id = NULL}};
