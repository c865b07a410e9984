/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * facets: what the number of friction directions costs and buys. The LCP of a contact has n_dir + 2
 * unknowns (bhalerao 14: normal impulse, an impulse a direction, the sliding speed); its friction
 * points along a vertex of the polygon, up to pi / n_dir off the sliding direction, whatever the
 * step.
 */
#include "cases/spatial-double-pendulum/figures.h"

/* |error| n_dir [m]: friction of 0.2 g, off by up to pi / n_dir, over the horizon, moves a free
 * body by 0.2 g (pi / n_dir) t^2 / 2 = 2.5 m / n_dir. */
#define REACH 2.5
#define CONE 3e-4 /* [m] of the cone itself, 3 m/s times dt */

const struct case_runs spatial_double_pendulum_facets_runs[] = {
    {.label = "ncp", .formulation = "ncp", .dt = "1e-4", .t_end = "0.9"},
    {.label = "{form}-{n_dir}",
     .formulation = "{form}",
     .set = "n_dir={n_dir}",
     .dt = "1e-4",
     .t_end = "0.9",
     .over = {{"form", "lcp-st lcp-ap"}, {"n_dir", "3 4 6 8 12 16 24 32 48 64"}}},
    {0}};

static double unknowns(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_word(r, s, "n_dir") + 2;
}

static double error_times_facets(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_number(s, "errors.q_linf") * case_word(r, s, "n_dir");
}

/* Error, pivots and time a step of one formulation. */
#define COSTS(NAME, FORM)                                                                          \
  {"error_" NAME "[m]", "errors.q_linf", .of = FORM "-{n_dir}"},                                   \
      {"pivots_" NAME "[-]", "iterations.mean", .of = FORM "-{n_dir}"}, {                          \
    "timing_" NAME "[s]", "timing.per_step_s", .of = FORM "-{n_dir}"                               \
  }
const struct case_table spatial_double_pendulum_facets_tables[] = {
    {.name = "cone",
     .runs = "ncp",
     .along = "",
     .columns = {{"error[m]", "errors.q_linf"}, {"timing[s]", "timing.per_step_s"}}},
    {.name = "facets",
     .runs = "{form}-{n_dir}",
     .where = {{"form", "lcp-st"}},
     .along = "n_dir",
     .columns = {{"n_dir[-]", "{n_dir}"},
                 {"unknowns[-]", .value = unknowns},
                 COSTS("st", "lcp-st"),
                 COSTS("ap", "lcp-ap")}},
    {0}};

const struct case_check spatial_double_pendulum_facets_checks[] = {
    {.what = "{form}: largest error times n_dir [m]",
     .runs = "{form}-{n_dir}",
     .value = error_times_facets,
     .along = "n_dir",
     .reduce = CASE_WORST,
     .claim = {.lo = 0, .hi = REACH}},
    {.what = "{form}: error with 4 directions over that with 64",
     .runs = "{form}-{n_dir}",
     .where = {{"n_dir", "4"}},
     .over = "{form}-64",
     .path = "errors.q_linf",
     .claim = {16, 256, .expected = "16 to 16^2"}},
    {.what = "ncp: error with the cone itself [m]",
     .runs = "ncp",
     .path = "errors.q_linf",
     .claim = {0, CONE, .expected = "first order in dt"}},
    {0}};

#define COST_CURVES(ST, AP, TITLES)                                                                \
  {TITLES("lcp-st"), "facets", 1, ST, .look = "lcp-st", .with = CASE_LINESPOINTS}, {               \
    TITLES("lcp-ap"), "facets", 1, AP, .look = "lcp-ap", .with = CASE_LINESPOINTS                  \
  }
#define TITLE(TEXT) TEXT
#define NO_TITLE(TEXT) NULL
#define PIVOTS(TEXT) "pivots, " TEXT
const struct case_panel spatial_double_pendulum_facets_panels[] = {
    {.x = "friction directions",
     .y = "error [m]",
     .log = "xy",
     .x_range = {2.7, 72},
     .key = "right top",
     .curves = {COST_CURVES(3, 6, TITLE),
                {"ncp", "cone", 1, 1, .look = "ncp", .with = CASE_LEVEL}}},
    {.x = "friction directions",
     .y = "per contact",
     .log = "xy",
     .x_range = {2.7, 72},
     .y_range = {0.5, 1000},
     .key = "left top",
     .curves = {{"unknowns", "facets", 1, 2, .look = "mark", .with = CASE_LINESPOINTS},
                COST_CURVES(4, 7, PIVOTS)}},
    {.x = "friction directions",
     .y = "time a step [s]",
     .log = "xy",
     .x_range = {2.7, 72},
     .curves = {COST_CURVES(5, 8, NO_TITLE),
                {NULL, "cone", 1, 2, .look = "ncp", .with = CASE_LEVEL}}},
    {0}};
