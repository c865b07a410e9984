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

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/figure/front.h"
#include "cases/figure/series.h"

static const double PHASE = 0.3; /* of the impact in its step, the same in all */
static const double EPS = 1e-5;
static const double ORDER = 0.1; /* half-width of the interval of an order */
static const double SPRINGS_LO = -1.05, SPRINGS_HI = -0.4; /* -1/2, Hertz -2/5, and slopes of -1 */

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
     .over = {{"spring", CASE_FRONT_SPRINGS}, {"K", "1e4 1e5 1e6"}},
     .fill = fill_spring},
    {0}};

int two_balls_front_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  struct case_front front;
  (void)p;
  const int status = case_front_make(two_balls_front_runs, series, n, arena, plot, &front);
  for (int i = 0; status == BASE_OK && i < front.n_schemes; ++i) {
    case_front_check_scheme(&front, i, 1, ORDER, plot);
  }
  for (int i = 0; status == BASE_OK && i < CASE_SPRINGS; ++i) {
    case_front_check_spring(&front, i, SPRINGS_LO, SPRINGS_HI, "-1 to -1/2", plot);
  }
  base_arena_free(arena);
  return status;
}
