/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * facets: what the number of friction directions costs and buys. The LCP of a contact has n_dir + 2
 * unknowns (bhalerao 14: normal impulse, an impulse a direction, the sliding speed); its friction
 * points along a vertex of the polygon, up to pi / n_dir off the sliding direction, whatever the
 * step.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>

static const int directions[] = {3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
static const char *const forms[] = {"lcp-st", "lcp-ap"};
enum {
  DIRECTIONS = (int)(sizeof directions / sizeof *directions),
  FORMS = (int)(sizeof forms / sizeof *forms),
  COLUMNS = 2 + 3 * FORMS
};
/* |error| n_dir [m]: friction of 0.2 g, off by up to pi / n_dir, over the horizon, moves a free
 * body by 0.2 g (pi / n_dir) t^2 / 2 = 2.5 m / n_dir. */
static const double REACH = 2.5;
/* From few facets to many the error falls at least so often over the range. */
static const double GAIN = 30;
static const double CONE = 3e-4; /* [m] of the cone itself, 3 m/s times dt */

const struct case_runs spatial_double_pendulum_facets_runs[] = {
    {.label = "ncp", .formulation = "ncp", .dt = "1e-4", .t_end = "0.9"},
    {.label = "{form}-{n_dir}",
     .formulation = "{form}",
     .set = "n_dir={n_dir}",
     .dt = "1e-4",
     .t_end = "0.9",
     .over = {{"form", "lcp-st lcp-ap"}, {"n_dir", "3 4 6 8 12 16 24 32 48 64"}}},
    {0}};

int spatial_double_pendulum_facets_make(const struct case_parameters *p,
                                        const struct case_series *series, int n,
                                        struct case_plot *plot) {
  double rows[DIRECTIONS * COLUMNS];
  (void)p;
  const struct case_series *cone = case_series_find(series, n, "ncp");
  if (cone == NULL) {
    return BASE_FAILED;
  }
  for (int f = 0; f < FORMS; ++f) {
    double reach = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
      char label[CASE_TEXT];
      snprintf(label, sizeof label, "%s-%d", forms[f], directions[i]);
      const struct case_series *s = case_series_find(series, n, label);
      if (s == NULL) {
        return BASE_FAILED;
      }
      double *row = rows + i * COLUMNS, *own = row + 2 + 3 * f;
      row[0] = directions[i];
      row[1] = directions[i] + 2;
      own[0] = case_number(s, "errors.q_linf");
      own[1] = case_number(s, "iterations.mean");
      own[2] = case_number(s, "timing.per_step_s");
      reach = case_worst(reach, own[0] * directions[i]);
    }
    char what[CASE_TEXT];
    snprintf(what, sizeof what, "%s: largest error times n_dir [m]", forms[f]);
    case_plot_check(plot, what, reach, (struct case_claim){.lo = 0, .hi = REACH});
    snprintf(what, sizeof what, "%s: error with 4 directions over that with 64", forms[f]);
    case_plot_check(plot, what,
                    rows[COLUMNS + 2 + 3 * f] / rows[(DIRECTIONS - 1) * COLUMNS + 2 + 3 * f],
                    (struct case_claim){GAIN, 256, .expected = "16 to 16^2"});
  }
  const double error = case_number(cone, "errors.q_linf");
  case_plot_check(plot, "ncp: error with the cone itself [m]", error,
                  (struct case_claim){0, CONE, .expected = "first order in dt"});
  const double line[] = {error, case_number(cone, "timing.per_step_s")};
  const int status = case_plot_table(plot, "cone", "error[m] timing[s]", 1, 2, line);
  return status != BASE_OK
             ? status
             : case_plot_table(plot, "facets",
                               "n_dir[-] unknowns[-] error_st[m] pivots_st[-] timing_st[s] "
                               "error_ap[m] pivots_ap[-] timing_ap[s]",
                               DIRECTIONS, COLUMNS, rows);
}
