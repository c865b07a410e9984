/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front-sliding: work and precision of penalty and impulses where nothing strikes: a ball
 * thrown from the plane, gap 0. Its contact sinks by m g/K, and since x + mu z keeps while it
 * slides (relaxation.c), the way is off by mu m g/K and what turns by as much over k R;
 * the tangential spring, of stiffness (2/7) K, by the stretch mu m g/(2/7 K) that it has when the
 * ball begins to roll. All are of order 1/K, and the stable step of K^-1/2: explicit steppers gain
 * two digits for ten times the work, semi-implicit Euler one, and the relaxation none: it lifts off
 * by h = (mu v_T)^2/(2 g) at any step, so that the way is mu h behind and the angle mu h/(k R).
 * Midpoint rules are exact while the ball slides, and while it rolls; what is left is the step in
 * which it begins to, of order dt^2.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "cases/figure/front.h"

static const double PHASE = 0.3; /* of the begin of rolling in its step, the same in all */
#define ORDER 0.15               /* half-width of the interval of an order */
#define NEAR 0.02                /* relative, of a limit at the shortest step */

static void fill_scheme(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  run->dt = thrown_ball_of(p).t_roll / (case_place_real(place, "step") + PHASE);
}

static void fill_spring(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const struct case_front_springs springs = {
      .m = case_real(p, "m"), .eps = 1e-3, .options = "tangential=spring", .chosen = 5e-3};
  case_front_fill_spring(&springs, place, run);
}

#define SCHEMES(LIST, FORMS)                                                                       \
  {                                                                                                \
    .label = "{" LIST "}-{#step}", .formulation = "{" LIST "}", .set = "body=planar",              \
    .t_end = "0.5", .over = {{LIST, FORMS}, {"step", "29 97 291 971 2913"}}, .fill = fill_scheme   \
  }
#define SPRINGS(LIST, NAMES)                                                                       \
  {                                                                                                \
    .label = "{" LIST "}-{#K}", .formulation = "penalty", .set = "body=planar", .t_end = "0.5",    \
    .over = {{LIST, NAMES}, {"K", "1e6 1e7 1e8"}}, .fill = fill_spring                             \
  }
const struct case_runs thrown_ball_front_runs[] = {SCHEMES("midpoint", "moreau consistent-twostep"),
                                                   SCHEMES("euler", "ncp lcp-st mdp"),
                                                   SCHEMES("relaxed", "ccp"),
                                                   SPRINGS("fixed", "rk4 verlet"),
                                                   SPRINGS("chosen", "rkf45 msbdf"),
                                                   SPRINGS("nonlinear", "hertz"),
                                                   {0}};

const struct case_table thrown_ball_front_tables[] = {CASE_FRONT_SCHEMES("{midpoint}"),
                                                      CASE_FRONT_SCHEMES("{euler}"),
                                                      CASE_FRONT_SCHEMES("{relaxed}"),
                                                      CASE_FRONT_SPRINGS("{fixed}"),
                                                      CASE_FRONT_SPRINGS("{chosen}"),
                                                      CASE_FRONT_SPRINGS("{nonlinear}"),
                                                      {0}};

/* Of a run, the error over that of a lift-off. */
static double over_liftoff(const struct case_results *r, const struct case_series *s, int k) {
  const struct thrown_ball b = thrown_ball_of(r->p);
  const double up = b.mu * b.v0 / (1 + (1 + 1 / b.k) * b.mu * b.mu);
  (void)k;
  return case_number(s, "errors.q_linf") * 2 * b.g * b.k * b.R / (b.mu * up * up);
}

const struct case_check thrown_ball_front_checks[] = {
    CASE_FRONT_IN_DT("{midpoint}", 2, ORDER, "2"),
    CASE_FRONT_IN_DT("{euler}", 1, ORDER, "1"),
    CASE_FRONT_IN_K("{fixed}", -1, ORDER, "-1"),
    CASE_FRONT_IN_K("{chosen}", -1, ORDER, "-1"),
    CASE_FRONT_IN_K("{nonlinear}", -2.0 / 3, ORDER, "-2/3"),
    {.what = "ccp: error at the shortest step over mu (mu v_T)^2/(2 g k R), a lift-off's",
     .runs = "ccp-4",
     .value = over_liftoff,
     .claim = {1 - NEAR, 1 + NEAR, .expected = "1 at any dt"}},
    {.what = "penalty, {fixed}: order of the error in the number of steps",
     .runs = "{fixed}-{#K}",
     .path = "errors.q_linf",
     .along = "K",
     .by = "iterations.internal_steps",
     .claim = {-2 - 2 * ORDER, -2 + 2 * ORDER, .expected = "-2"}},
    {0}};

const struct case_panel thrown_ball_front_panels[] = {
    CASE_FRONT_PANELS("m, rad", "moreau ccp ncp lcp-st mdp consistent-twostep",
                      {"slope -1", .scale = 1e3, .power = -1, .look = "limit"}),
    {0}};
