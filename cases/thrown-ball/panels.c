/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How negrut-liftoff and relaxation-cost are drawn. Above: gap, normal force and speeds over time,
 * and errors of every formulation over the step. Below: distances from ncp over time and over the
 * step, then way and speed that the relaxation gains over mu and over v0.
 */
#include "cases/thrown-ball/thrown-ball.h"

#define STEPS_PANEL(LABEL, COLUMN, KEY, TITLE)                                                     \
  {                                                                                                \
    .x = "dt [ms]", .y = LABEL, .log = "xy", .x_range = {0.4, 5}, .y_range = {1e-15, 0.1},         \
    .least = 1e-15, .key = KEY, .curves = {                                                        \
      {TITLE, "steps-{}", 1, COLUMN, .look = "{}", .with = CASE_LINESPOINTS, .x_scale = 1e3,       \
       .over = "moreau lcp-st lcp-ap lcp-dca ccp ncp mdp penalty consistent-twostep "              \
               "consistent-quaternion consistent-quaternion-twostep event"}                        \
    }                                                                                              \
  }
const struct case_panel thrown_ball_liftoff_panels[] = {
    {.x = "t [s]",
     .y = "gap [mm]",
     .x_range = {0, 0.5},
     .y_range = {-0.02, 0.7},
     .key = "right top",
     .curves = {{"μ dt |v_T|", "ccp-laid-0.001", 1, 3, 1e3, "reference", 5},
                {"ccp, laid at μ dt v_0", "ccp-laid-0.001", 1, 2, 1e3, "ccp"},
                {"ncp", "ncp-laid-0.001", 1, 2, 1e3, "ncp"}}},
    {.x = "t [s]",
     .y = "gap [mm]",
     .x_range = {0, 0.5},
     .y_range = {-0.4, 10},
     .key = "right top",
     .curves = {{"ccp, thrown from gap 0", "ccp-thrown", 1, 2, 1e3, "ccp"},
                {"ncp", "ncp-laid-0.001", 1, 2, 1e3, "ncp"}}},
    {.x = "t [s]",
     .y = "N/(m g) [-]",
     .x_range = {0, 0.5},
     .y_range = {-0.1, 2},
     .key = "right bottom",
     .curves = {{"ccp, laid", "ccp-laid-0.001", 1, 4, .look = "ccp"},
                {"ccp, thrown", "ccp-thrown", 1, 4, .look = "ccp", .with = CASE_DASHED},
                {"ncp", "ncp-laid-0.001", 1, 4, .look = "ncp"}}},
    {.x = "t [s]",
     .y = "speed [m/s]",
     .x_range = {0, 0.5},
     .y_range = {0, 2.1},
     .key = "right bottom",
     .curves = {{"{}: v", "speed-{}", 1, 2, .look = "{}", .over = "ccp ncp"},
                {"{}: R ω", "speed-{}", 1, 3, .look = "{}", .with = CASE_DASHED, .over = "ccp ncp"},
                {"closed form", "exact", 1, 2, .look = "mark", .with = CASE_POINTS}}},
    STEPS_PANEL("v_{end}/(5/7 v_0) - 1 [-]", 2, "foot", "{}"),
    STEPS_PANEL("error of t_{roll} [s]", 3, NULL, NULL),
    {0}};

#define VARIANT(TITLE, TABLE, LOOK, LINES, SCALE)                                                  \
  { TITLE, TABLE, 1, 2, .look = LOOK, .with = LINES, .x_scale = SCALE }
#define GAINED(TABLE, LABEL, LO, HI, Y, KEY)                                                       \
  {                                                                                                \
    .x = LABEL, .y = Y, .log = "xy", .x_range = {LO, HI}, .y_range = {2e-7, 0.1}, .key = KEY,      \
    .curves = {                                                                                    \
      {"speed in the end [m/s]", TABLE, 1, 4, .look = "ccp", .with = CASE_POINTS},                 \
      {"k μ v_0^2 dt/(4 R (1 + k)^2)", TABLE, 1, 5, .look = "reference"},                          \
      {"way until it rolls [m]", TABLE, 1, 2, .look = "mark", .with = CASE_POINTS},                \
      {"μ^2 v_0 dt", TABLE, 1, 3, .look = "limit", .with = CASE_DASHED, .width = 1.2}              \
    }                                                                                              \
  }
const struct case_panel thrown_ball_relaxation_panels[] = {
    {.x = "t [s]",
     .y = "distance from ncp [m]",
     .head = "dt = 1 ms",
     .log = "y",
     .x_range = {0, 0.5},
     .y_range = {5e-7, 5e-2},
     .curves = {VARIANT(NULL, "time-thrown", "colour of ccp", CASE_LINES, 1),
                VARIANT(NULL, "time-unstabilised", "#953f00", CASE_DASHED, 1),
                VARIANT(NULL, "time-ccp", "#eda06a", CASE_LINES, 1),
                VARIANT(NULL, "time-lcp-8", "colour of lcp-st", CASE_LINES, 1),
                VARIANT(NULL, "time-lcp-32", "#8a5f00", CASE_LINES, 1)}},
    {.x = "dt [ms]",
     .y = "largest distance [m]",
     .log = "xy",
     .x_range = {0.2, 5},
     .y_range = {5e-7, 5e-2},
     .key = "foot",
     .curves = {VARIANT("ccp, from gap 0", "far-thrown", "colour of ccp", CASE_LINESPOINTS, 1e3),
                VARIANT("the same, unstabilised", "far-unstabilised", "#953f00", CASE_LINESPOINTS,
                        1e3),
                VARIANT("ccp, laid down", "far-ccp", "#eda06a", CASE_LINESPOINTS, 1e3),
                VARIANT("lcp-st, n_{dir} = 8", "far-lcp-8", "colour of lcp-st", CASE_LINESPOINTS,
                        1e3),
                VARIANT("lcp-st, n_{dir} = 32", "far-lcp-32", "#8a5f00", CASE_LINESPOINTS, 1e3),
                {"way until it rolls [m]", "dt", 1, 2, .look = "mark", .with = CASE_POINTS,
                 .x_scale = 1e3},
                {"μ^2 v_0 dt", "dt", 1, 3, .look = "limit", .with = CASE_DASHED, .width = 1.2,
                 .x_scale = 1e3}}},
    GAINED("mu", "μ [-]", 0.04, 1, "gained by ccp [m, m/s]", "foot"),
    GAINED("v0", "v_0 [m/s]", 0.4, 10, NULL, NULL),
    {0}};
