/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front-balls: work and precision of penalty and impulses on two balls, past their impact.
 * What springs are off by falls
 *
 *   as K^-1/2   while the balls press into each other, v sqrt(eps m/(2 K)) deep, and while the
 *               ropes, slack at first, creep: at m g/D, D = sqrt(K m/eps), for a time of D/K
 *   as K^-1     where the ropes have taken their stretch, m g/K
 *   not at all  below eps v/2 times the time since the impact, what the damping leaves of a rebound
 *
 * so that a smaller eps moves the floor, and costs steps of sqrt(eps m/K).
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/front.h"

static const double PHASE = 0.3; /* of the impact in its step, the same in all */
static const double EPS = 1e-5;
/* Half-widths of the intervals of orders; those of springs lie from -1/2, Hertz -2/5, to -1. */
#define ORDER 0.1
#define SPRINGS 0.325

static void fill_scheme(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  run->dt = two_balls_impact(p) / (case_place_real(place, "step") + PHASE);
}

static void fill_spring(const struct case_parameters *p, const struct case_place *place,
                        struct case_run *run) {
  const struct case_front_springs springs = {
      .m = 0.5 * case_real(p, "m"), /* of two balls against each other */
      .eps = EPS,
      .options = "tangential=spring",
      .chosen = 5e-3};
  case_front_fill_spring(&springs, place, run);
}

const struct case_runs two_balls_front_runs[] = {
    {.label = "{scheme}-{#step}",
     .formulation = "{scheme}",
     .t_end = "0.8",
     .over = {{"scheme", "moreau ccp ncp lcp-st mdp consistent-twostep"},
              {"step", "52 165 521 1650 5217"}},
     .fill = fill_scheme},
    {.label = "{spring}-{#K}",
     .formulation = "penalty",
     .t_end = "0.8",
     .over = {{"spring", "rk4 verlet rkf45 hertz msbdf"}, {"K", "1e4 1e5 1e6"}},
     .fill = fill_spring},
    {0}};

const struct case_table two_balls_front_tables[] = {
    CASE_FRONT_SCHEMES("{scheme}"), CASE_FRONT_SPRINGS("{spring}"), {0}};

const struct case_check two_balls_front_checks[] = {
    CASE_FRONT_IN_DT("{scheme}", 1, ORDER, "1"),
    CASE_FRONT_IN_K("{spring}", -0.725, SPRINGS, "-1 to -1/2, Hertz -2/5"),
    {0}};

const struct case_panel two_balls_front_panels[] = {
    CASE_FRONT_PANELS("m, rad", "moreau ccp ncp lcp-st mdp consistent-twostep",
                      {"slope -1/2", .scale = 1, .power = -0.5, .look = "limit"}),
    {0}};
