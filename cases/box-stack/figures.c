/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ccp-scaling-stack: solvers of the cone complementarity problem on a tower of n boxes at rest, one
 * step of it. A push at the top is felt below only through every box between, as in a chain of n
 * masses: its condition grows as n^2, as n^4 where it bends. Methods that hand impulses from
 * contact to contact (relaxation, pgs, psor) take as many sweeps; accelerated gradients about n; no
 * first-order method takes linear time. Corners of a face share its load, which makes the problem
 * singular on top.
 */
#include "cases/box-stack/box-stack.h"

#include "base/status.h"
#include "cases/figure/scaling.h"

#include <math.h>
#include <stdio.h>

static const double ROOT_LO = 0.7, ROOT_HI = 1.3; /* of a condition of n^2 */
static const double WHOLE_LO = 2, WHOLE_HI = 4;   /* of the condition itself */
static const double FLAT = 0.4; /* of a method that sees the whole problem in an iteration */

static int stack_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  struct case_scaling_fit fit[CASE_SCALING_SOLVERS];
  (void)p;
  const int status = case_scaling_make(series, n, plot, fit);
  if (status == BASE_OK) {
    case_plot_check(
        plot, "apgd: power of contacts in the number of iterations", fit[CASE_APGD].iterations[0],
        (struct case_claim){ROOT_LO, ROOT_HI, .expected = "1, the root of a condition of n^2"});
    case_plot_check(plot, "ipm: power of contacts in the number of iterations",
                    fit[CASE_IPM].iterations[0], (struct case_claim){0, FLAT, .expected = "0"});
    case_plot_check(plot, "apgd: runs that missed 1e-8", fit[CASE_APGD].missed,
                    (struct case_claim){0, 0, .expected = "0"});
    case_plot_check(plot, "ipm: runs that missed 1e-8", fit[CASE_IPM].missed,
                    (struct case_claim){0, 0, .expected = "0"});
    for (int i = CASE_RELAXATION; i <= CASE_PSOR; ++i) {
      char what[CASE_TEXT];
      snprintf(what, sizeof what, "%s: towers, of 8 boxes and more, that it missed in 5000 sweeps",
               case_scaling_solvers[i]);
      case_plot_check(plot, what, fit[i].missed, (struct case_claim){.lo = 4, .hi = 4});
      snprintf(what, sizeof what, "%s: power of contacts in the number of sweeps, below",
               case_scaling_solvers[i]);
      case_plot_check(
          plot, what, fit[i].iterations[0],
          (struct case_claim){WHOLE_LO, WHOLE_HI, .expected = "2 to 4, the condition itself"});
    }
  }
  return status;
}

const struct case_function box_stack_functions[] = {{"stack_make", .make = stack_make}, {0}};
