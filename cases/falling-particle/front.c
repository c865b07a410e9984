/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front: penalty against the rigid limit, and both families by their work. Derived for a
 * contact of mass m met at the speed s, omega = sqrt(K/m), viscous damping for the restitution
 * eps = exp(-2 zeta arccos(zeta)/sqrt(1 - zeta^2)) (src/form/penalty/restitution.c):
 *
 *   depth  g = s exp(-zeta omega t) sin(w t)/w is deepest at w t = arccos zeta, where it is
 *          (s/omega) exp(-zeta arccos(zeta)/sqrt(1 - zeta^2)) = s sqrt(eps m/K)
 *   rest   m g/K
 *   step   RK4: dt D/m < 2.785 for large D = 2 zeta sqrt(K m), that is dt < 2.785 sqrt(eps m/K),
 *          where the depth is s dt/2.785: an explicit stepper at its limit is as far off as an
 *          impulse scheme of this step is, by a part of s dt
 *
 * The error so falls as K^-1/2 while the particle is deep, as K^-1 at rest, as (s^2 m/K)^(2/5) for
 * Hertz; K made for an allowed depth, with as many parts as it asks for (src/form/penalty/rule.c,
 * parts.c), is on that front, with the depth as error and its inverse as work; the work of explicit
 * steppers rises as K^1/2, that of implicit ones hardly. The limit of the step is measured as well:
 * a particle laid on the ground comes to rest at m g/K below it, or does not.
 */
#include "cases/falling-particle/figures.h"

#include "cases/body_kit.h"
#include "cases/figure/front.h"
#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PHASE = 0.3; /* of the impact in its step, as in yu-8 */
static const double EPS = 1e-3;  /* rebounds by eps^2 y0 = 1e-6 m */

/* Runs of the depth, at well-resolved steps, and of the limit of the step. */
enum { LIMITS = 3, FACTORS = 4 };
static const double RESOLVED = 0.01; /* of the stable step */
static const double LIMIT_STEPS = 1e4;

#define ORDER 0.1 /* half-width of the interval of an order */
#define NEAR 0.02 /* relative */

static double impact_speed(const struct case_parameters *p) {
  const double vy = case_real(p, "vy0");
  return sqrt(vy * vy + 2 * case_real(p, "g") * case_real(p, "y0"));
}

static void fill_scheme(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const double impact = (case_real(p, "vy0") + impact_speed(p)) / case_real(p, "g");
  run->dt = impact / (case_place_real(place, "step") + PHASE);
}

static void fill_spring(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const struct case_front_springs springs = {
      .m = case_real(p, "m"), .eps = EPS, .options = "", .chosen = 5e-3};
  case_front_fill_spring(&springs, place, run);
}

/* From a little above the ground at the speed of the fall until the spring turns back. */
static void fill_depth(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const double turn = sqrt(case_real(p, "m") / case_place_real(place, "K")); /* 1/omega */
  const double s = impact_speed(p);
  snprintf(run->set, sizeof run->set, "y0=%.17g vy0=%.17g vx0=0", 0.1 * turn * s, -s);
  run->dt = RESOLVED * sqrt(case_place_real(place, "eps")) * turn;
  run->t_end = 2 * turn;
}

/* Steps on either side of where trials found the limit, in units of 1/omega: for small eps 2.785
 * and 2 over 2 zeta. */
static void fill_limit(const struct case_parameters *p, const struct case_place *place,
                       struct case_run *run) {
  const double turn = sqrt(case_real(p, "m") / case_place_real(place, "K"));
  run->dt = case_place_real(place, "factor") * case_place_real(place, "found") * turn;
  run->t_end = LIMIT_STEPS * run->dt;
}

/* Stiffness and parts of steps made for an allowed depth: of the step itself nothing depends. */
static void fill_rule(const struct case_parameters *p, const struct case_place *place,
                      struct case_run *run) {
  (void)p, (void)place;
  run->dt = 5e-3;
}

#define LIMIT_RUNS "limit-{#stepper}-{#K}-{#factor}"
#define SPRINGS(LIST, NAMES)                                                                       \
  {                                                                                                \
    .label = "{" LIST "}-{#K}", .formulation = "penalty",                                          \
    .over = {{LIST, NAMES}, {"K", "1e4 1e5 1e6 1e7"}}, .fill = fill_spring                         \
  }
const struct case_runs falling_particle_front_runs[] = {
    {.label = "{scheme}-{#step}",
     .formulation = "{scheme}",
     .over = {{"scheme", "moreau ccp ncp lcp-st mdp"}, {"step", "14 45 143 451 1428 4515"}},
     .fill = fill_scheme},
    SPRINGS("fixed", "rk4 verlet"),
    SPRINGS("chosen", "rkf45"),
    SPRINGS("nonlinear", "hertz"),
    SPRINGS("implicit", "msbdf"),
    {.label = "rule-{#depth}",
     .formulation = "penalty",
     .opt = "depth={depth} eps_min=1e-3",
     .over = {{"depth", "1e-3 3e-4 1e-4"}},
     .fill = fill_rule},
    {.label = "depth-{#eps}-{#K}",
     .formulation = "penalty",
     .opt = "K={K} substeps=1 eps_min={eps}",
     .over = {{"eps", "1e-3 0.1 0.5"}, {"K", "1e6 1e8"}},
     .fill = fill_depth},
    {.label = LIMIT_RUNS,
     .formulation = "penalty",
     .set = "y0=0 vy0=0 vx0=0 mu=0",
     .opt = "K={K} substeps=1 eps_min={eps} stepper={stepper}",
     .over = {{"stepper/eps/damping/found",
               "rk4/0.001/0/0.0887 rk4/0.1/1/1.405 verlet/0.001/0/0.0636 verlet/0.1/1/0.804"},
              {"K", "1e4 1e6 1e8"},
              {"factor", "0.95 0.98 1.02 1.05"}},
     .fill = fill_limit},
    {0}};

/* ---- depth and rest ---- */

static double stiffness_of(const struct case_series *s) {
  return case_number(s, "formulation.options.K");
}

/* s sqrt(eps m/K) [m] */
static double depth_formula(const struct case_results *r, const struct case_series *s, int k) {
  const double eps = case_number(s, "formulation.options.eps_min");
  (void)k;
  return impact_speed(r->p) * sqrt(eps * case_real(r->p, "m") / stiffness_of(s));
}

static double depth_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(case_number(s, "constraints.penetration_max") / depth_formula(r, s, k) - 1);
}

/* m g/K [m] */
static double rest_formula(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return case_real(r->p, "m") * case_real(r->p, "g") / stiffness_of(s);
}

static double rest_error(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(-body_final(s, "q", 1) / rest_formula(r, s, k) - 1);
}

/* ---- limit of the step ---- */

/* At rest m g/K below the ground? A contact that only pushes turns a small growing oscillation into
 * a lasting one, of speeds g dt. */
static int settles(const struct case_results *r, const struct case_series *s) {
  const double g = case_real(r->p, "g");
  const double sink = case_real(r->p, "m") * g / case_word(r, s, "K");
  return body_ran(s) && fabs(body_final(s, "q", 1) / sink + 1) < NEAR &&
         fabs(body_final(s, "u", 1)) < NEAR * g * s->run->dt;
}

/* The longest step that settles, and the shortest that does not, of the factors from this run on
 * [s]. */
static double longest_step(const struct case_results *r, const struct case_series *s, int k) {
  double holds = 0;
  for (k = 0; k < FACTORS; ++k) {
    holds = settles(r, s + k) ? fmax(holds, s[k].run->dt) : holds;
  }
  return holds;
}

static double too_long_step(const struct case_results *r, const struct case_series *s, int k) {
  double fails = INFINITY;
  for (k = 0; k < FACTORS; ++k) {
    fails = settles(r, s + k) ? fails : fmin(fails, s[k].run->dt);
  }
  return fails;
}

static double longest_over_estimate(const struct case_results *r, const struct case_series *s,
                                    int k) {
  return longest_step(r, s, k) / case_number(s, "formulation.stable_dt");
}

static double estimate_over_too_long(const struct case_results *r, const struct case_series *s,
                                     int k) {
  return case_number(s, "formulation.stable_dt") / too_long_step(r, s, k);
}

/* ---- tables and checks ---- */

const struct case_table falling_particle_front_tables[] = {
    CASE_FRONT_SCHEMES("{scheme}"),
    CASE_FRONT_SPRINGS("{fixed}"),
    CASE_FRONT_SPRINGS("{chosen}"),
    CASE_FRONT_SPRINGS("{nonlinear}"),
    CASE_FRONT_SPRINGS("{implicit}"),
    {.name = "rule",
     .runs = "rule-{#depth}",
     .along = "depth",
     .columns = {{"K[N/m]", "formulation.stiffness"},
                 {"error[m]", "errors.q_linf"},
                 {"parts", "iterations.internal_steps"},
                 {"depth[-]", "formulation.options.depth"}}},
    {.name = "formula",
     .runs = "{chosen}-{#K}",
     .along = "K",
     .columns = {{"K[N/m]", "formulation.options.K"},
                 {"s*sqrt(eps*m/K)[m]", .value = depth_formula},
                 {"m*g/K[m]", .value = rest_formula}}},
    {.name = "depth-{#eps}",
     .runs = "depth-{#eps}-{#K}",
     .along = "K",
     .columns = {{"K[N/m]", "formulation.options.K"},
                 {"eps[-]", "formulation.options.eps_min"},
                 {"depth[m]", "constraints.penetration_max"},
                 {"formula[m]", .value = depth_formula}}},
    {.name = "limit-{stepper}-{damping}",
     .runs = LIMIT_RUNS,
     .where = {{"factor", "0.95"}},
     .along = "K",
     .columns = {{"K[N/m]", "{K}"},
                 {"stable_dt[s]", "formulation.stable_dt"},
                 {"settles[s]", .value = longest_step},
                 {"does_not[s]", .value = too_long_step}}},
    {0}};

#define STEPS(NAME, ORDER_IN_K, EXPECTED)                                                          \
  {                                                                                                \
    .what = "penalty, " NAME ": order in K of the number of steps", .runs = NAME "-{#K}",          \
    .path = "iterations.internal_steps", .along = "K", .by = "formulation.options.K", .claim = {   \
      (ORDER_IN_K)-ORDER,                                                                          \
      (ORDER_IN_K) + ORDER,                                                                        \
      .expected = EXPECTED                                                                         \
    }                                                                                              \
  }
#define LIMIT .runs = LIMIT_RUNS, .where = {{"factor", "0.95"}}, .along = "K"
const struct case_check falling_particle_front_checks[] = {
    CASE_FRONT_IN_DT("{scheme}", 1, ORDER, "1"),
    CASE_FRONT_IN_K("{fixed}", -0.5, ORDER, "-1/2"),
    CASE_FRONT_IN_K("{chosen}", -0.5, ORDER, "-1/2"),
    CASE_FRONT_IN_K("{nonlinear}", -0.4, ORDER, "-2/5"),
    CASE_FRONT_IN_K("{implicit}", -0.5, ORDER, "-1/2"),
    STEPS("{fixed}", 0.5, "1/2: explicit"),
    STEPS("{chosen}", 0.5, "1/2: explicit"),
    STEPS("{implicit}", 0, "0: implicit"),
    {.what = "penalty, {chosen}: depth at rest against m g/K, relative",
     .runs = "{chosen}-{#K}",
     .value = rest_error,
     .along = "K",
     .reduce = CASE_WORST,
     .claim = {0, NEAR, .expected = "0"}},
    {.what = "penalty, eps = {eps}: deepest point against s sqrt(eps m/K), relative",
     .runs = "depth-{#eps}-{#K}",
     .value = depth_error,
     .along = "K",
     .reduce = CASE_WORST,
     .claim = {0, NEAR, .expected = "0 (closed form)"}},
    {.what = "penalty, K by an allowed depth: order in it of the error",
     .runs = "rule-{#depth}",
     .path = "errors.q_linf",
     .along = "depth",
     .by = "formulation.options.depth",
     .claim = {1 - ORDER, 1 + ORDER, .expected = "1"}},
    {.what = "penalty, K by an allowed depth: order in it of the number of parts",
     .runs = "rule-{#depth}",
     .path = "iterations.internal_steps",
     .along = "depth",
     .by = "formulation.options.depth",
     .claim = {-1 - ORDER, -1 + ORDER, .expected = "-1: the impact decides"}},
    {LIMIT, .what = "{stepper}, eps = {eps}: longest step that settles over the estimate",
     .value = longest_over_estimate, .reduce = CASE_WORST,
     .claim = {1 - 2 * NEAR, 1, .expected = "just below 1"}},
    {LIMIT, .what = "{stepper}, eps = {eps}: estimate over the shortest step that does not",
     .value = estimate_over_too_long, .reduce = CASE_WORST,
     .claim = {1 - 2 * NEAR, 1, .expected = "just below 1"}},
    {LIMIT, .what = "{stepper}, eps = {eps}: order in K of the longest step", .value = longest_step,
     .by = "{K}", .claim = {-0.5 - NEAR, -0.5 + NEAR, .expected = "-1/2"}},
    {0}};

#define STABLE(NAME, TABLE, COLOUR)                                                                \
  {NULL, TABLE, 1, 2, .look = COLOUR, .width = 1.5}, {                                             \
    NAME, TABLE, 1, 3, .look = COLOUR, .with = CASE_POINTS                                         \
  }
const struct case_panel falling_particle_front_panels[] = {
    CASE_FRONT_PANELS("m", "moreau ccp ncp lcp-st mdp",
                      {"s (eps m/K)^{1/2}", "formula", 1, 2, .look = "reference", .width = 2},
                      {"m g/K", "formula", 1, 3, .look = "limit"},
                      {"K by depth", "rule", 1, 2, .look = "#000000", .with = CASE_POINTS}),
    {.x = "K [N/m]",
     .y = "longest stable step [s]",
     .log = "xy",
     .x_range = {5e3, 2e8},
     .y_range = {1e-10, 1e-1},
     .key = "left bottom",
     .curves = {STABLE("rk4, eps = 1e-3", "limit-rk4-0", "#a9d9f4"),
                STABLE("verlet, eps = 1e-3", "limit-verlet-0", "colour of penalty"),
                STABLE("rk4, eps = 0.1", "limit-rk4-1", "#2a7fb0"),
                STABLE("verlet, eps = 0.1", "limit-verlet-1", "#114a6b")}},
    {0}};
