/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of two balls on ropes (yu, figs 10 to 12): the CCP by semi-implicit Euler against the
 * penalty method, and both against the closed form (two-balls.c).
 *
 *   yu-10  height of the ball; differences for several K and D. D follows from the least
 *          restitution eps_min that the damping is made for (D rises as eps_min falls). The source
 *          integrates by RK4 with fixed steps; the convergence in K is measured with adaptive
 *          steps, so that only the model is left.
 *   yu-11  energies by the CCP: an instant loss. yu-12  by penalty: a continuous one, the shorter
 *          the larger K, and the fixed step that RK4 then needs.
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/series.h"
#include "cases/granular-chains/granular-chains.h"

#include <math.h>

enum { COLUMNS = 3, NQ = 6 };

/* Height of a ball by the closed form [m]. */
static double exact_height(const struct case_parameters *p, double t, int ball) {
  const double L = case_real(p, "L");
  const double ceiling = L + case_real(p, "R") + case_real(p, "clearance");
  return ceiling - L * cos(two_balls_angle(p, t, ball));
}

static double largest_error(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    for (int ball = 0; ball < 2; ++ball) {
      const double y = s->q[(long)NQ * k + (long)COLUMNS * ball + 1];
      worst = case_worst(worst, fabs(y - exact_height(r->p, s->t[k], ball)));
    }
  }
  return worst;
}

/* Of the released ball, at a sample [m]. */
static double height_error(const struct case_results *r, const struct case_series *s, int k) {
  return s->q[(long)NQ * k + 1] - exact_height(r->p, s->t[k], 0);
}

static double less_ccp(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *ccp = r->against;
  return k < ccp->n ? s->q[(long)NQ * k + 1] - ccp->q[(long)NQ * k + 1] : NAN;
}

/* ---- yu-10 ---- */

static const struct case_runs yu10_runs[] = {
    {.label = "ccp-{#dt}",
     .formulation = "ccp",
     .dt = "{dt}",
     .t_end = "2",
     .sample = "{sample}", /* a multiple of all steps; one is shown */
     .over = {{"dt/sample", "4e-3/2e-2 2e-3/2e-2 1e-3/5e-3 5e-4/2e-2"}}},
    {.label = "rkf45-{#K}-{#eps_min}",
     .formulation = "penalty",
     .opt = "K={K} eps_min={eps_min} tangential=spring stepper=rkf45",
     .dt = "5e-3",
     .t_end = "2",
     .sample = "5e-3",
     .over = {{"K", "1e4 1e5 1e6 1e7"}, {"eps_min", "1e-3 1e-5"}}},
    {.label = "rk4-1-0", /* as the source integrates */
     .formulation = "penalty",
     .opt = "K=1e5 eps_min=1e-3 tangential=spring stepper=rk4",
     .dt = "1e-5",
     .t_end = "2",
     .sample = "5e-3"},
    {0}};

#define HEIGHT(NAME, RUNS)                                                                         \
  {                                                                                                \
    .name = NAME, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"y[m]", "q[1]"},                                                                            \
      {"y-y_exact[m]", .value = height_error},                                                     \
      {"y-y_ccp[m]", .value = less_ccp, .against = "ccp-2"}                                        \
    }                                                                                              \
  }
#define BY_STIFFNESS "rkf45-{#K}-{#eps_min}"
static const struct case_table yu10_tables[] = {
    HEIGHT("ccp", "ccp-2"),
    HEIGHT("penalty-{#K}-{#eps_min}", BY_STIFFNESS),
    HEIGHT("rk4", "rk4-1-0"),
    {.name = "stiffness",
     .runs = BY_STIFFNESS,
     .where = {{"eps_min", "1e-3"}},
     .along = "K",
     .columns = {{"K[N/m]", "{K}"},
                 {"error(D_1)[m]", .value = largest_error},
                 {"error(D_2)[m]", .value = largest_error, .of = "rkf45-{#K}-1"}}},
    {0}};

static const struct case_check yu10_checks[] = {
    {.what = "ccp: order of the largest error in y against dt",
     .runs = "ccp-{#dt}",
     .value = largest_error,
     .along = "dt",
     .claim = {0.9, 1.1, .expected = "1"}},
    /* Contact lasts as K^-1/2 long, ropes stretch as K^-1: the order lies between, while D is large
     * enough not to be seen. */
    {.what = "penalty: order of the largest error in y against 1/K, larger D",
     .runs = BY_STIFFNESS,
     .where = {{"eps_min", "1e-5"}},
     .value = largest_error,
     .along = "K",
     .by = "{K}",
     .scale = -1,
     .claim = {.lo = 0.45, .hi = 1.05}},
    {.what = "penalty: largest error in y, K = 1e7 N/m, larger D [m]",
     .runs = "rkf45-3-1",
     .value = largest_error,
     .claim = {.lo = 0, .hi = 1e-5}},
    {.what = "penalty: the same with the smaller D over that",
     .runs = "rkf45-3-0",
     .over = "rkf45-3-1",
     .value = largest_error,
     .claim = {10, 1000, .expected = "D matters: sqrt(1e5) of the damping, in part"}},
    {.what = "penalty by RK4, dt = 1e-5 s, K = 1e5 N/m: largest error in y [m]",
     .runs = "rk4-1-0",
     .value = largest_error,
     .claim = {.lo = 0, .hi = 1e-3}},
    {0}};

static const struct case_panel yu10_panels[] = {
    {.x = "t [s]",
     .y = "y [m]",
     .x_range = {0, 2},
     .key = "right top",
     .curves = {{"penalty, K = 1e5 N/m, RK4, dt = 1e-5 s", "rk4", 1, 2, .look = "penalty",
                 .width = 4},
                {"ccp, dt = 1e-3 s", "ccp", 1, 2, .look = "ccp"}}},
    {.x = "t [s]",
     .y = "|y - y_{exact}| [m]",
     .log = "y",
     .x_range = {0, 2},
     .y_range = {1e-8, 1e-2},
     .least = 1e-8,
     .key = "foot",
     .curves = {{"ccp", "ccp", 1, 3, .look = "ccp"},
                {"K = 1e4 N/m", "penalty-0-1", 1, 3, .look = "#56b4e9", .width = 1.5},
                {"K = 1e5 N/m", "penalty-1-1", 1, 3, .look = "#882255", .width = 1.5},
                {"K = 1e6 N/m", "penalty-2-1", 1, 3, .look = "#e69f00", .width = 1.5},
                {"K = 1e7 N/m", "penalty-3-1", 1, 3, .look = "#cc79a7", .width = 1.5}}},
    {.x = "K [N/m]",
     .y = "largest error in y [m]",
     .log = "xy",
     .x_range = {7e3, 1.5e7},
     .y_range = {1e-6, 1e-1},
     .key = "right top",
     .curves = {{"penalty, smaller D", "stiffness", 1, 2, .look = "#999933",
                 .with = CASE_LINESPOINTS},
                {"penalty, larger D", "stiffness", 1, 3, .look = "penalty",
                 .with = CASE_LINESPOINTS},
                {"K^{-1/2}", .scale = 0.05, .power = -0.5, .look = "limit"}}},
    {0}};

/* ---- yu-11, yu-12 ---- */

static double kinetic(const struct case_results *r, const struct case_series *s, int k) {
  return granular_chains_kinetic(r->p, s->u + (long)NQ * k);
}

static double potential(const struct case_results *r, const struct case_series *s, int k) {
  return granular_chains_potential(r->p, s->q + (long)NQ * k);
}

static double total(const struct case_results *r, const struct case_series *s, int k) {
  return kinetic(r, s, k) + potential(r, s, k);
}

#define ENERGY_TABLE(NAME, RUNS)                                                                   \
  {                                                                                                \
    .name = NAME, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"T[J]", .value = kinetic},                                                                  \
      {"V[J]", .value = potential},                                                                \
      {"E[J]", .value = total}                                                                     \
    }                                                                                              \
  }

/* Half the kinetic energy of the impact [J]. */
static double exact_loss(const struct case_parameters *p) {
  const double drop = 1 - cos(two_balls_angle(p, 0, 0));
  return 0.5 * case_real(p, "m") * case_real(p, "g") * case_real(p, "L") * drop;
}

static const struct case_runs yu11_runs[] = {
    {.label = "ccp", .formulation = "ccp", .dt = "1e-3", .t_end = "2", .sample = "1e-3"}, {0}};

static const struct case_table yu11_tables[] = {ENERGY_TABLE("ccp", "ccp"), {0}};

/* Largest drop of the total energy within one step [J], and the time it ends [s]. */
static double largest_drop(const struct case_results *r, const struct case_series *s, double *at) {
  double drop = 0, before = total(r, s, 0);
  for (int l = 1; l < s->n; ++l) {
    const double now = total(r, s, l);
    if (before - now > drop) {
      drop = before - now;
      *at = s->t[l];
    }
    before = now;
  }
  return drop;
}

static double relative_drop(const struct case_results *r, const struct case_series *s, int k) {
  double at;
  (void)k;
  return largest_drop(r, s, &at) / exact_loss(r->p);
}

static double time_of_drop(const struct case_results *r, const struct case_series *s, int k) {
  double at = NAN;
  (void)k;
  largest_drop(r, s, &at);
  return at;
}

static void about_the_impact(const struct case_results *r, const struct case_series *s, double *lo,
                             double *hi) {
  *lo = two_balls_impact(r->p) - 2 * s->run->dt;
  *hi = two_balls_impact(r->p) + 2 * s->run->dt;
}

static const struct case_check yu11_checks[] = {
    {.what = "loss within one step over half the kinetic energy",
     .runs = "ccp",
     .value = relative_drop, /* what a step of gravity and of the swing changes meanwhile */
     .claim = {1 - 0.02, 1 + 0.02, .expected = "1 (closed form)",
               .published = "changes instantly (yu, fig. 11)"}},
    {.what = "that step ends at [s]",
     .runs = "ccp",
     .value = time_of_drop,
     .bounds = about_the_impact,
     .claim = {.expected = "0.5216 (closed form), to a step"}},
    {.what = "largest rise of the energy in a step [J]",
     .runs = "ccp",
     .path = "energy.max_increase",
     .claim = {.lo = 0, .hi = 1e-4}},
    {0}};

/* Fixed steps of RK4 of a tenth of a radian at m = 1 kg: 0.01/sqrt(K). */
static void fill_step(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  (void)p;
  run->dt = 0.01 / sqrt(case_place_real(place, "K"));
  run->sample = fmax(run->sample, run->dt);
}

static const struct case_runs yu12_runs[] = {
    {.label = "rkf45-1-0",
     .formulation = "penalty",
     .opt = "K=1e5 eps_min=1e-3 tangential=spring stepper=rkf45",
     .dt = "5e-3",
     .t_end = "2",
     .sample = "5e-3"},
    {.label = "rk4-{#K}-0",
     .formulation = "penalty",
     .opt = "K={K} eps_min=1e-3 tangential=spring stepper=rk4",
     .t_end = "0.6", /* past the impact */
     .sample = "2e-5",
     .over = {{"K", "1e4 1e5 1e6"}},
     .fill = fill_step},
    {0}};

/* Time in which the energy goes from 10 % to 90 % of the loss [s]. */
static double loss_duration(const struct case_results *r, const struct case_series *s, int k) {
  const double loss = exact_loss(r->p), first = total(r, s, 0);
  double begin = NAN, end = NAN;
  for (k = 0; k < s->n; ++k) {
    const double lost = (first - total(r, s, k)) / loss;
    begin = isnan(begin) && lost > 0.1 ? s->t[k] : begin;
    end = isnan(end) && lost > 0.9 ? s->t[k] : end;
  }
  return end - begin;
}

static const struct case_table yu12_tables[] = {
    ENERGY_TABLE("whole", "rkf45-1-0"),
    ENERGY_TABLE("impact-{#K}", "rk4-{#K}-0"),
    {.name = "steps",
     .runs = "rk4-{#K}-0",
     .along = "K",
     .columns = {{"K[N/m]", "{K}"},
                 {"dt[s]", "dt"},
                 {"stable_dt[s]", "formulation.stable_dt"},
                 {"duration[s]", .value = loss_duration}}},
    {0}};

static const struct case_check yu12_checks[] = {
    {.what = "order of the step that RK4 needs against 1/K",
     .runs = "rk4-{#K}-0",
     .path = "formulation.stable_dt",
     .along = "K",
     .by = "{K}",
     .scale = -1,
     .claim = {0.49, 0.51, .expected = "1/2"}},
    {.what = "longest stable step at K = 1e6 N/m over the CCP's 1e-3 s",
     .runs = "rk4-2-0",
     .path = "formulation.stable_dt",
     .scale = 1e3,
     .claim = {0, 0.1, .expected = "below 1"}},
    {.what = "loss from 10 % to 90 % lasts, K = 1e4 N/m [s]",
     .runs = "rk4-0-0",
     .value = loss_duration,
     .claim = {1e-4, 1e-3, .published = "changes continuously (yu, fig. 12)"}},
    {.what = "the same, K = 1e6 over K = 1e4 N/m",
     .runs = "rk4-2-0",
     .over = "rk4-0-0",
     .value = loss_duration,
     .claim = {0.03, 0.2, .expected = "0.1, as K^-1/2"}},
    {0}};

static const struct case_panel yu11_panels[] = {{.x = "t [s]",
                                                 .y = "energy [J]",
                                                 .x_range = {0, 2},
                                                 .key = "right center",
                                                 .curves = GRANULAR_CHAINS_ENERGIES("ccp")},
                                                {0}};

static const struct case_panel yu12_panels[] = {
    {.x = "t [s]",
     .y = "energy [J]",
     .x_range = {0, 2},
     .key = "right center",
     .curves = GRANULAR_CHAINS_ENERGIES("whole")},
    {.x = "t, around the impact [s]",
     .y = "total energy [J]",
     .x_range = {0.51, 0.56},
     .y_range = {7, 9},
     .key = "right top",
     .curves = {{"K = 1e4 N/m", "impact-0", 1, 4, .look = "#56b4e9"},
                {"K = 1e5 N/m", "impact-1", 1, 4, .look = "#009e73"},
                {"K = 1e6 N/m", "impact-2", 1, 4, .look = "#e69f00"}}},
    {.x = "K [N/m]",
     .y = "time [s]",
     .log = "xy",
     .x_range = {7e3, 1.5e6},
     .y_range = {1e-6, 2e-3},
     .key = "left bottom",
     .curves = {{"loss lasts", "steps", 1, 4, .look = "#000000", .with = CASE_LINESPOINTS},
                {"stable step", "steps", 1, 3, .look = "penalty", .with = CASE_LINESPOINTS},
                {"step taken", "steps", 1, 2, .look = "#0072b2", .with = CASE_LINESPOINTS}}},
    {0}};

const struct case_figure two_balls_figures[] = {
    {.id = "yu-10",
     .title = "Two balls: height of the ball, CCP against penalty",
     .caption = "Height of the released ball by the CCP (semi-implicit Euler, dt = 1e-3 s) and by "
                "the penalty method, its error against the closed form for several K and D, and "
                "the largest error against K. The smaller D is that of a restitution of 1e-3, the "
                "larger of 1e-5.",
     .runs = yu10_runs,
     .panels = yu10_panels,
     .tables = yu10_tables,
     .checks = yu10_checks},
    {.id = "yu-11",
     .title = "Two balls: energies by the CCP",
     .caption = "Kinetic and potential energy and their sum by the CCP at dt = 1e-3 s: the impact "
                "takes half the kinetic energy within one step.",
     .runs = yu11_runs,
     .panels = yu11_panels,
     .tables = yu11_tables,
     .checks = yu11_checks},
    {.id = "yu-12",
     .title = "Two balls: energies by the penalty method",
     .caption = "Energies by the penalty method (left, K = 1e5 N/m), the sum around the impact for "
                "several K, and the step that RK4 needs.",
     .runs = yu12_runs,
     .tables = yu12_tables,
     .checks = yu12_checks,
     .panels = yu12_panels},
    {.id = "penalty-front-balls",
     .title = "Two balls: penalty against impulses",
     .caption = "Largest error of penalty against the stiffness, and of both families against time "
                "and work of a run past the impact.",
     .runs = two_balls_front_runs,
     .tables = two_balls_front_tables,
     .checks = two_balls_front_checks,
     .panels = two_balls_front_panels},
    {.id = NULL}};
