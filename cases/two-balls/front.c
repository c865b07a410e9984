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

enum { SCHEMES = 6, STEPS = 5, STIFFNESSES = 3 };
static const char *const schemes[SCHEMES] = {"moreau", "ccp", "ncp",
                                             "lcp-st", "mdp", "consistent-twostep"};
/* Steps until the impact, which falls on the same part of a step in all. */
static const int until_impact[STEPS] = {52, 165, 521, 1650, 5217};
static const double PHASE = 0.3;
static const double stiffness[STIFFNESSES] = {1e4, 1e5, 1e6}; /* [N/m] */
static const double EPS = 1e-5;
static const double ORDER = 0.1; /* half-width of the interval of an order */
static const double SPRINGS_LO = -1.05, SPRINGS_HI = -0.4; /* -1/2, Hertz -2/5, and slopes of -1 */

static struct case_front front_of(const struct case_parameters *p, double steps[STEPS]) {
  for (int k = 0; k < STEPS; ++k) {
    steps[k] = two_balls_impact(p) / (until_impact[k] + PHASE);
  }
  return (struct case_front){.set = "",
                             .t_end = 0.8,
                             .n_schemes = SCHEMES,
                             .n_steps = STEPS,
                             .schemes = schemes,
                             .steps = steps,
                             .n_K = STIFFNESSES,
                             .K = stiffness,
                             .m = 0.5 * case_real(p, "m"), /* of two balls against each other */
                             .eps = EPS,
                             .penalty = "tangential=spring",
                             .chosen = 5e-3};
}

int two_balls_front_plan(const struct case_parameters *p, int i, struct case_run *run) {
  double steps[STEPS];
  const struct case_front front = front_of(p, steps);
  return case_front_plan(&front, i, run);
}

int two_balls_front_make(const struct case_parameters *p, const struct case_series *series, int n,
                         struct case_plot *plot) {
  double steps[STEPS];
  const struct case_front front = front_of(p, steps);
  struct base_arena *arena = base_arena_alloc();
  struct case_front_result result;
  const int status = case_front_make(&front, series, n, arena, plot, &result);
  for (int i = 0; i < SCHEMES && status == BASE_OK; ++i) {
    case_front_check_scheme(&front, &result, i, 1 - ORDER, 1 + ORDER, plot);
  }
  for (int i = 0; i < CASE_SPRINGS && status == BASE_OK; ++i) {
    case_front_check_spring(&front, &result, i, SPRINGS_LO, SPRINGS_HI, "-1 to -1/2", plot);
  }
  base_arena_free(arena);
  return status;
}
