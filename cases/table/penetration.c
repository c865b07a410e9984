/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-penetration: what the stabilisation term Phi/dt of (5d) does to a body that is, or comes,
 * below the plane (negrut, after 6), without friction: where it slides nothing lifts it then.
 *
 *   start    DEPTH below the plane, at rest. One step takes the body out, so that it leaves at
 *            u = DEPTH/dt and climbs
 *
 *              sum_j dt (u - j g dt),  j = 1, 2, ... as long as positive,  about u^2/(2 g):
 *
 *            a hundred times as high at a tenth of the step. An upper bound v_max on the velocity
 *            that corrects keeps the climb below v_max^2/(2 g) whatever the step.
 *   landing  at the speed s, with contacts active from a gap of delta_K on. With delta_K = 0 the
 *            body is deep by p <= s dt before it is seen, and is thrown out at p/dt, which is any
 *            part of s, as the phase of the impact has it, and does not vanish with dt. From
 *            delta_K = s dt on it lands, and there is no penetration.
 */
#include "cases/table/table.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { PHASES = 8 };
static const double DEPTH = 0.01;                 /* [m], as in the runs' set */
#define CAP 0.1                                   /* [m/s], as in the runs' opt */
static const double HEIGHT = 0.2, MARGIN = 1.005; /* of the fall [m]; of delta_K over s dt */
/* Of closed forms, relative: the solver's tolerance; and rounding of heights [m]. */
#define RELATIVE 1e-8
#define NOTHING 1e-10

/* The fall is shifted by parts of the way of a step. */
static void fill_landing(const struct case_parameters *p, const struct case_place *place,
                         struct case_run *run) {
  const double speed = sqrt(2 * case_real(p, "g") * HEIGHT), way = speed * run->dt;
  snprintf(run->set, sizeof run->set, "mu=0 v0=1 gap=%.17g",
           HEIGHT + way * case_place_real(place, "phase") / PHASES);
  if (case_place_real(place, "near") > 0) { /* the fastest, a step later */
    snprintf(run->opt, sizeof run->opt, "delta=%.17g",
             MARGIN * (speed + 2 * case_real(p, "g") * run->dt) * run->dt);
  }
}

#define START "{cap}-{#dt}"
#define LANDING "{kind}-{#dt}-{phase}"
const struct case_runs table_penetration_runs[] = {
    {.label = START,
     .formulation = "ccp",
     .solver = "ssn",
     .set = "mu=0 v0=0 gap=-0.01",
     .opt = "{opt}",
     .dt = "{dt}",
     .t_end = "1.1",
     .sample = "{dt}",
     .over = {{"cap/opt", "free/v_max=inf capped/v_max=0.1"}, {"dt", "1e-2 5e-3 2e-3 1e-3"}}},
    {.label = LANDING,
     .formulation = "ccp",
     .solver = "ssn",
     .opt = "delta=0",
     .dt = "{dt}",
     .t_end = "0.5",
     .sample = "{dt}",
     .over = {{"kind/near", "late/0 early/1"},
              {"dt", "1e-2 5e-3 2e-3 1e-3"},
              {.names = "phase", .count = PHASES}},
     .fill = fill_landing},
    {0}};

/* Of the feet above the plane at sample k [m]. */
static double foot(const struct case_results *r, const struct case_series *s, int k) {
  return s->q[(long)s->nq * k + 2] - case_real(r->p, "h");
}

/* Largest height of the feet after the lowest [m]. */
static double climb(const struct case_results *r, const struct case_series *s, int k) {
  double lowest = s->n > 0 ? foot(r, s, 0) : NAN, highest = lowest;
  for (k = 1; k < s->n; ++k) {
    const double now = foot(r, s, k);
    highest = now < lowest ? now : case_worst(highest, now);
    lowest = fmin(lowest, now);
  }
  return highest;
}

static double climb_exact(const struct case_results *r, const struct case_series *s, int k) {
  const double g = case_real(r->p, "g"), dt = s->run->dt;
  double sum = 0;
  (void)k;
  for (double u = DEPTH / dt - g * dt; u > 0; u -= g * dt) {
    sum += dt * u;
  }
  return sum;
}

static double climb_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(climb(r, s, k) / climb_exact(r, s, k) - 1);
}

static double climb_over_cap(const struct case_results *r, const struct case_series *s, int k) {
  return climb(r, s, k) / (CAP * CAP / (2 * case_real(r->p, "g")));
}

/* Fastest rise of the feet in a step, over the speed of the impact. */
static double thrown(const struct case_results *r, const struct case_series *s, int k) {
  double fastest = 0;
  for (k = 1; k < s->n; ++k) {
    fastest = case_worst(fastest, foot(r, s, k) - foot(r, s, k - 1));
  }
  return fastest / s->run->dt / sqrt(2 * case_real(r->p, "g") * HEIGHT);
}

/* The largest of all phases at a step, of which this run has the first. */
static double worst_thrown(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < PHASES; ++k) {
    worst = case_worst(worst, thrown(r, s + k, -1));
  }
  return worst;
}

static double worst_depth(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  (void)r;
  for (k = 0; k < PHASES; ++k) {
    worst = case_worst(worst, case_number(s + k, "constraints.penetration_max"));
  }
  return worst;
}

/* The largest depth over the way of a step at the speed of the impact. */
static double depth_over_way(const struct case_results *r, const struct case_series *s, int k) {
  return worst_depth(r, s, k) / (sqrt(2 * case_real(r->p, "g") * HEIGHT) * s->run->dt);
}

#define PATH(NAME, RUN)                                                                            \
  {                                                                                                \
    .name = NAME, .runs = RUN, .columns = { {"t[s]", "t"}, {"foot[m]", .value = foot} }            \
  }
const struct case_table table_penetration_tables[] = {
    PATH("path-" START, START),
    {.name = "climb-{cap}",
     .runs = START,
     .along = "dt",
     .columns = {{"dt[s]", "dt"},
                 {"climb[m]", .value = climb},
                 {"formula[m]", .value = climb_exact}}},
    {.name = "landing-{kind}",
     .runs = LANDING,
     .where = {{"phase", "0"}},
     .along = "dt",
     .columns = {{"dt[s]", "dt"},
                 {"depth[m]", .value = worst_depth},
                 {"thrown[-]", .value = worst_thrown}}},
    PATH("fall-{kind}-{#dt}-{phase}", LANDING),
    {0}};

#define LARGE_FORCES "can lead to large normal forces at small steps (negrut, after 6)"
const struct case_check table_penetration_checks[] = {
    {.what = "start below, no bound: climb against the closed form, worst relative difference",
     .runs = START,
     .where = {{"cap", "free"}},
     .value = climb_error,
     .along = "dt",
     .reduce = CASE_WORST,
     .claim = {0, RELATIVE, .expected = "0"}},
    {.what = "start below, no bound: order of the climb in dt",
     .runs = START,
     .where = {{"cap", "free"}},
     .value = climb,
     .along = "dt",
     .claim = {-2.1, -1.9, .expected = "-2", .published = LARGE_FORCES}},
    {.what = "start below, v_max = 0.1 m/s: largest climb over v_max^2/(2 g)",
     .runs = START,
     .where = {{"cap", "capped"}},
     .value = climb_over_cap,
     .along = "dt",
     .reduce = CASE_WORST,
     .claim = {0, 1, .expected = "below 1",
               .published = "a bound caps the force (negrut, after 6)"}},
    {.what = "landing, delta_K = 0: largest depth over s dt, dt = 1 ms",
     .runs = "late-3-0",
     .value = depth_over_way,
     .claim = {0.8, 1.01, .expected = "1", .published = "large penetration (negrut, after 6)"}},
    {.what = "landing, delta_K = 0: largest speed of the rebound over s, least of the steps",
     .runs = LANDING,
     .where = {{"kind", "late"}, {"phase", "0"}},
     .value = worst_thrown,
     .along = "dt",
     .reduce = CASE_LEAST,
     .claim = {0.7, 1.1, .expected = "about 1, whatever the step", .published = LARGE_FORCES}},
    {.what = "landing, delta_K > s dt: largest depth [m]",
     .runs = LANDING,
     .where = {{"kind", "early"}},
     .path = "constraints.penetration_max",
     .along = "*",
     .reduce = CASE_WORST,
     .claim = {0, NOTHING, .expected = "0",
               .published = "mitigated by delta_K > 0 (negrut, after 6)"}},
    {.what = "landing, delta_K > s dt: largest speed of the rebound over s",
     .runs = LANDING,
     .where = {{"kind", "early"}},
     .value = thrown,
     .along = "*",
     .reduce = CASE_WORST,
     .claim = {0, NOTHING, .expected = "0"}},
    {0}};

const struct case_panel table_penetration_panels[] = {
    {.head = "start 1 cm below",
     .x = "t [s]",
     .y = "feet [m]",
     .x_range = {0, 0.5},
     .y_range = {-0.02, 0.25},
     .key = "right top",
     .curves = {{"dt = 10 ms", "path-free-0", 1, 2, .look = "#eda06a"},
                {"5 ms", "path-free-1", 1, 2, .look = "colour of ccp"},
                {"2 ms", "path-free-2", 1, 2, .look = "#953f00"},
                {"2 ms, v_{max} = 0.1 m/s", "path-capped-2", 1, 2, .look = "violet"}}},
    {.x = "dt [s]",
     .y = "climb [m]",
     .log = "xy",
     .x_range = {8e-4, 1.3e-2},
     .y_range = {1e-5, 10},
     .least = 1e-5,
     .key = "right top",
     .curves = {{"(depth/dt)^2/(2 g)", "climb-free", 1, 3, .look = "reference", .width = 4},
                {"no bound", "climb-free", 1, 2, .look = "ccp", .with = CASE_LINESPOINTS},
                {"v_{max} = 0.1 m/s", "climb-capped", 1, 2, .look = "violet",
                 .with = CASE_LINESPOINTS}}},
    {.head = "fall from 0.2 m, dt = 5 ms",
     .x = "t [s]",
     .y = "feet [m]",
     .x_range = {0, 0.5},
     .y_range = {-0.02, 0.25},
     .key = "right top",
     .curves = {{"δ_K = 0, by phase", "fall-late-1-0", 1, 2, .look = "#eda06a"},
                {NULL, "fall-late-1-2", 1, 2, .look = "colour of ccp"},
                {NULL, "fall-late-1-4", 1, 2, .look = "#953f00"},
                {NULL, "fall-late-1-6", 1, 2, .look = "#4a1f00"},
                {"δ_K > s dt", "fall-early-1-0", 1, 2, .look = "violet"}}},
    {.x = "dt [s]",
     .y = "largest rebound over s [-]",
     .log = "x",
     .x_range = {8e-4, 1.3e-2},
     .y_range = {-0.05, 1.2},
     .key = "right center",
     .curves = {{"δ_K = 0", "landing-late", 1, 3, .look = "ccp", .with = CASE_LINESPOINTS},
                {"δ_K > s dt", "landing-early", 1, 3, .look = "violet", .with = CASE_LINESPOINTS}}},
    {0}};
