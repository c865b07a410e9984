/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Energies of two balls on ropes (yu, figs 11 and 12).
 *
 *   yu-11  by the CCP: an instant loss, within one step
 *   yu-12  by penalty: a continuous one, the shorter the larger K, and the fixed step that RK4 then
 *          needs. It is sought by bisection, as the longest step at which the largest error stays
 *          below MARGIN times the depth s sqrt(eps m/(2 K)) to which the balls press into each
 *          other: about twice what the springs themselves are off by. Beside it stands the stable
 *          step that the formulation estimates from its springs, 2.785 sqrt(eps m/K) where eps is
 *          small (falling-particle, penalty-front). Beyond that contacts, which only push, keep a
 *          growing oscillation finite: runs get to their end, ten times as far off.
 *
 * The damper stops the balls' relative velocity as exp(-t/T), T = sqrt(eps m/(2 K)), and the energy
 * of it as the square: from 10 % to 90 % of the loss it takes T log(9)/2.
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/series.h"
#include "cases/granular-chains/granular-chains.h"

#include <math.h>
#include <stdio.h>

enum { NQ = 6 };
#define SPRINGS "K={K} substeps=1 eps_min=1e-3 tangential=spring stepper=rk4"
static const double EPS = 1e-3; /* restitution that the damping is made for */
#define IMPACT "impact-{#K}"
static const double MARGIN = 4; /* of the depth */

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

const struct case_runs two_balls_yu11_runs[] = {
    {.label = "ccp", .formulation = "ccp", .dt = "1e-3", .t_end = "2", .sample = "1e-3"}, {0}};

const struct case_table two_balls_yu11_tables[] = {ENERGY_TABLE("ccp", "ccp"), {0}};

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

const struct case_check two_balls_yu11_checks[] = {
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

/* Steps in which the speed of the impact is a depth sqrt(eps m/(2 K)): from far below the stable
 * one to beyond it. */
static void fill_search(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const double K = case_place_real(place, "K"), m = case_real(p, "m"), L = case_real(p, "L");
  const double time = sqrt(EPS * 0.5 * m / K); /* [s] */
  const double speed = sqrt(2 * case_real(p, "g") * L * (1 - cos(two_balls_angle(p, 0, 0))));
  snprintf(run->search, sizeof run->search, "dt=%.17g,%.17g,1e-3", 0.5 * time, 8 * time);
  snprintf(run->until, sizeof run->until, "errors.q_linf<%.17g", MARGIN * speed * time);
}

const struct case_runs two_balls_yu12_runs[] = {
    {.label = "rkf45-1-0",
     .formulation = "penalty",
     .opt = "K=1e5 eps_min=1e-3 tangential=spring stepper=rkf45",
     .dt = "5e-3",
     .t_end = "2",
     .sample = "5e-3"},
    {.label = IMPACT,
     .formulation = "penalty",
     .opt = SPRINGS,
     .dt = "{dt}",
     .t_end = "0.53", /* past the impact */
     .sample = "2e-5",
     .over = {{"K/dt", "1e4/2e-5 1e5/2e-5 1e6/1e-5"}}},
    {.label = "needs-{#K}",
     .formulation = "penalty",
     .opt = SPRINGS,
     .t_end = "0.6",
     .over = {{"K", "1e4 1e5 1e6"}},
     .fill = fill_search},
    {0}};

/* When this part of the loss is reached, linear between samples [s]. */
static double time_of_loss(const struct case_results *r, const struct case_series *s, double part) {
  const double target = total(r, s, 0) - part * exact_loss(r->p);
  for (int k = 1; k < s->n; ++k) {
    const double before = total(r, s, k - 1), now = total(r, s, k);
    if (now <= target) {
      return s->t[k] - (s->t[k] - s->t[k - 1]) * (target - now) / (before - now);
    }
  }
  return NAN;
}

/* Time in which the energy goes from 10 % to 90 % of the loss [s]. */
static double loss_duration(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return time_of_loss(r, s, 0.9) - time_of_loss(r, s, 0.1);
}

/* Of a sample, from the impact of the closed form [ms]. */
static double since_impact(const struct case_results *r, const struct case_series *s, int k) {
  return 1e3 * (s->t[k] - two_balls_impact(r->p));
}

static double is_near_impact(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(since_impact(r, s, k)) <= 2;
}

/* The step found, over the stable one by the formulation's estimate there. */
static double needed_over_stable(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return case_number(s, "search.holds") / case_number(s, "formulation.stable_dt");
}

const struct case_table two_balls_yu12_tables[] = {
    ENERGY_TABLE("whole", "rkf45-1-0"),
    {.name = "impact-{#K}",
     .runs = IMPACT,
     .keep = is_near_impact,
     .columns = {{"t-t_i[ms]", .value = since_impact}, {"E[J]", .value = total}}},
    {.name = "duration",
     .runs = IMPACT,
     .where = {{"K", "1e4 1e5"}}, /* 1e6: a sample */
     .along = "K",
     .columns = {{"K[N/m]", "{K}"}, {"duration[s]", .value = loss_duration}}},
    {.name = "steps",
     .runs = "needs-{#K}",
     .along = "K",
     .columns = {{"K[N/m]", "{K}"},
                 {"needed_dt[s]", "search.holds"},
                 {"too_long_dt[s]", "search.fails"},
                 {"stable_dt[s]", "formulation.stable_dt"}}},
    {0}};

const struct case_check two_balls_yu12_checks[] = {
    {.what = "order of the step that RK4 needs against 1/K",
     .runs = "needs-{#K}",
     .path = "search.holds",
     .along = "K",
     .by = "{K}",
     .scale = -1,
     .claim = {0.47, 0.53, .expected = "1/2"}},
    {.what = "that step at K = 1e6 N/m over the CCP's 1e-3 s",
     .runs = "needs-2",
     .path = "search.holds",
     .scale = 1e3,
     .claim = {0.03, 0.06,
               .expected =
                   "2.785 sqrt(eps m/K) = 0.088 ms for m = 1 kg, a contact and a rope at once",
               .published = "small steps (yu, introduction)", .schematic = 1}},
    {.what = "K = {K} N/m: the step needed over the stable one, estimated",
     .runs = "needs-{#K}",
     .value = needed_over_stable,
     .claim = {0.85, 1.02, .expected = "1: up to its limit RK4 is as good as the springs"}},
    {.what = "loss from 10 % to 90 % lasts, K = 1e4 N/m [s]",
     .runs = "impact-0",
     .value = loss_duration,
     .claim = {2.2e-4, 2.7e-4, .expected = "0.246 ms, log(9)/2 sqrt(eps m/(2 K))",
               .published = "changes continuously (yu, fig. 12)"}},
    {.what = "the same, K = 1e5 over K = 1e4 N/m",
     .runs = "impact-1",
     .over = "impact-0",
     .value = loss_duration,
     .claim = {0.28, 0.36, .expected = "0.316, as K^-1/2"}},
    {0}};

const struct case_panel two_balls_yu11_panels[] = {{.x = "t [s]",
                                                    .y = "energy [J]",
                                                    .x_range = {0, 2},
                                                    .key = "right center",
                                                    .curves = GRANULAR_CHAINS_ENERGIES("ccp")},
                                                   {0}};

const struct case_panel two_balls_yu12_panels[] = {
    {.x = "t [s]",
     .y = "energy [J]",
     .x_range = {0, 2},
     .key = "right center",
     .curves = GRANULAR_CHAINS_ENERGIES("whole")},
    {.x = "t - t_i, around the impact [ms]",
     .y = "total energy [J]",
     .x_range = {-1, 1},
     .y_range = {7.2, 8.9},
     .key = "right top",
     .curves = {{"K = 1e4 N/m", "impact-0", 1, 2, .look = "#a9d9f4"},
                {"K = 1e5 N/m", "impact-1", 1, 2, .look = "colour of penalty"},
                {"K = 1e6 N/m", "impact-2", 1, 2, .look = "#2a7fb0"}}},
    {.x = "K [N/m]",
     .y = "time [s]",
     .log = "xy",
     .x_range = {7e3, 1.5e6},
     .y_range = {1e-5, 2e-3},
     .key = "left bottom",
     .curves = {{"loss lasts", "duration", 1, 2, .look = "#000000", .with = CASE_LINESPOINTS},
                {"longest step within the springs' error", "steps", 1, 2, .look = "penalty",
                 .with = CASE_LINESPOINTS},
                {"stable step, estimated", "steps", 1, 4, .look = "violet", .with = CASE_DASHED}}},
    {0}};
