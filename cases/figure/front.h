/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-precision fronts of two families on one case: impulse formulations over the step, and
 * penalty over the stiffness K. A spring's fixed step goes with K as its stability asks,
 *
 *   dt = part 2.785 sqrt(eps m/K),
 *
 * since damping D = 2 zeta sqrt(K m) for a small restitution eps has zeta = 1/(2 sqrt(eps))
 * (src/form/penalty/restitution.c), and RK4 ends at dt D/m = 2.785. Error: errors.q_linf of the
 * record. Work: evaluations of forces and sweeps or pivots of the solver, as far as records tell;
 * and time, as data alone.
 *
 * Ways to integrate springs, by their name: explicit with fixed steps (rk4, verlet) and chosen ones
 * (rkf45, and hertz with that law), and implicit (msbdf). Labels of runs begin with the name of the
 * formulation or spring, and a dash.
 */
#ifndef CASES_FIGURE_FRONT_H
#define CASES_FIGURE_FRONT_H

#include "cases/figure/figure.h"

struct case_front_springs {
  double m, eps;       /* mass behind a contact [kg]; restitution of the damping [-] */
  const char *options; /* of the formulation, for all */
  double chosen;       /* dt of adaptive steppers: where their end is [s] */
};
/* The step and the options of a spring, whose runs have a list K. */
void case_front_fill_spring(const struct case_front_springs *all, const struct case_place *place,
                            struct case_run *run);

/* Evaluations and sweeps of a run; NaN where records do not tell. */
case_value case_front_work;

/* Tables of the runs NAME-{#LIST}: dt or K, error, time, work, steps. */
#define CASE_FRONT_TABLE(NAME, LIST, X, X_PATH)                                                    \
  {                                                                                                \
    .name = NAME, .runs = NAME "-{#" LIST "}", .along = LIST, .columns = {                         \
      {X, X_PATH},                                                                                 \
      {"error[m]", "errors.q_linf"},                                                               \
      {"timing[s]", "timing.steps_s"},                                                             \
      {"work", .value = case_front_work},                                                          \
      {"steps", "iterations.internal_steps"}                                                       \
    }                                                                                              \
  }
#define CASE_FRONT_SCHEMES(NAME) CASE_FRONT_TABLE(NAME, "step", "dt[s]", "dt")
#define CASE_FRONT_SPRINGS(NAME) CASE_FRONT_TABLE(NAME, "K", "K[N/m^n]", "formulation.options.K")

/* The order of the error of such runs, ORDER and how far it may be off. */
#define CASE_FRONT_ORDER(WHAT, NAME, LIST, BY, ORDER, MISS, EXPECTED)                              \
  {                                                                                                \
    .what = WHAT " of the largest error", .runs = NAME "-{#" LIST "}", .path = "errors.q_linf",    \
    .along = LIST, .by = BY, .claim = {                                                            \
      (ORDER) - (MISS),                                                                            \
      (ORDER) + (MISS),                                                                            \
      .expected = EXPECTED                                                                         \
    }                                                                                              \
  }
#define CASE_FRONT_IN_DT(NAME, ORDER, MISS, EXPECTED)                                              \
  CASE_FRONT_ORDER(NAME ": order in dt", NAME, "step", "dt", ORDER, MISS, EXPECTED)
#define CASE_FRONT_IN_K(NAME, ORDER, MISS, EXPECTED)                                               \
  CASE_FRONT_ORDER("penalty, " NAME ": order in K", NAME, "K", "formulation.options.K", ORDER,     \
                   MISS, EXPECTED)

/* Error over time (column 3) or work (4) of all, for panels. */
#define CASE_FRONT_LOOKS_SPRINGS(X, Y, TITLES)                                                     \
  {TITLES("penalty, rk4"), "rk4", X, Y, .look = "violet", .with = CASE_LINESPOINTS},               \
      {TITLES("penalty, verlet"), "verlet", X, Y, .look = "colour of penalty",                     \
       .with = CASE_LINESPOINTS},                                                                  \
      {TITLES("penalty, rkf45"), "rkf45", X, Y, .look = "#44aa99", .with = CASE_LINESPOINTS}, {    \
    TITLES("Hertz, rkf45"), "hertz", X, Y, .look = "brown", .with = CASE_LINESPOINTS               \
  }
#define CASE_FRONT_TITLE(TEXT) TEXT
#define CASE_FRONT_NO_TITLE(TEXT) NULL
/* The three panels of a front: error over K, over time and over work of springs and SCHEMES. */
#define CASE_FRONT_PANELS(UNIT, SCHEMES, ...)                                                      \
  {.x = "K [N/m, N/m^{3/2}]",                                                                      \
   .y = "largest error [" UNIT "]",                                                                \
   .log = "xy",                                                                                    \
   .curves = {CASE_FRONT_LOOKS_SPRINGS(1, 2, CASE_FRONT_NO_TITLE),                                 \
              {NULL, "msbdf", 1, 2, .look = "red", .with = CASE_LINESPOINTS},                      \
              __VA_ARGS__},                                                                        \
   .key = "left bottom"},                                                                          \
      {.x = "time [s]",                                                                            \
       .y = "largest error [" UNIT "]",                                                            \
       .log = "xy",                                                                                \
       .key = "foot",                                                                              \
       .curves = {CASE_FRONT_LOOKS_SPRINGS(3, 2, CASE_FRONT_TITLE),                                \
                  {"penalty, msbdf (implicit)", "msbdf", 3, 2, .look = "red",                      \
                   .with = CASE_LINESPOINTS},                                                      \
                  {"{}", "{}", 3, 2, .look = "{}", .with = CASE_LINESPOINTS, .over = SCHEMES}}},   \
  {                                                                                                \
    .x = "evaluations + sweeps [-]", .y = "largest error [" UNIT "]", .log = "xy", .curves = {     \
      CASE_FRONT_LOOKS_SPRINGS(4, 2, CASE_FRONT_NO_TITLE),                                         \
      {NULL, "{}", 4, 2, .look = "{}", .with = CASE_LINESPOINTS, .over = SCHEMES}                  \
    }                                                                                              \
  }

#endif
