/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * mass-ratio: the first step of a heavy box on a light one, both sliding, for ratios of 1 to 1e6:
 * iterations and residual of every solver of every law, also of those that gave up, whose records
 * have no numbers elsewhere. The yardstick is the law's residual over max|b|, which knows nothing
 * of the load: 1e-8 of a velocity of 0.5 m/s. At the ratio 1e6 v = A r + b cancels from 1e5 m/s, so
 * that rounding alone leaves some 1e-10.
 */
#include "cases/heavy-on-light/heavy-on-light.h"

#include "base/status.h"

#include <math.h>

enum { RATIOS = 7 };
static const double TOLERANCE = 1e-8; /* of the solvers */

/* A table a solver, of its runs at all ratios. */
static int rows(const struct case_parameters *p, const struct case_series *series, int n,
                struct case_plot *plot) {
  int status = BASE_OK;
  (void)p;
  for (int i = 0; i + RATIOS <= n && status == BASE_OK; i += RATIOS) {
    double row[RATIOS][4];
    char name[CASE_TEXT];
    case_run_text(series[i].run, "{form}-{solver}", name);
    for (int k = 0; k < RATIOS; ++k) {
      const struct case_series *s = &series[i + k];
      row[k][0] = pow(10, k);
      row[k][1] = case_number(s, "iterations.max");
      row[k][2] = case_number(s, "law.relative_b_max");
      row[k][3] = case_series_ended(s) && row[k][2] <= TOLERANCE;
    }
    status = case_plot_table(plot, name, "ratio iterations residual solved", RATIOS, 4, row[0]);
  }
  return status;
}

const struct case_function heavy_on_light_functions[] = {{"rows", .make = rows}, {0}};
