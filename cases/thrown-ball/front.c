/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * penalty-front-sliding: work and precision of penalty and impulses where nothing strikes: a ball
 * thrown from the plane, gap 0. Its contact sinks by m g/K, and since x + mu z keeps while it
 * slides (relaxation.c), the way is off by mu m g/K and what turns by as much over k R;
 * the tangential spring, of stiffness (2/7) K, by the stretch mu m g/(2/7 K) that it has when the
 * ball begins to roll. All are of order 1/K, and the stable step of K^-1/2: explicit steppers gain
 * two digits for ten times the work, semi-implicit Euler one, and the relaxation none: it hops by
 * h = (mu v_T)^2/(2 g) at any step, so that the way is mu h behind and the angle mu h/(k R).
 * Midpoint rules are exact while the ball slides, and while it rolls; what is left is the step in
 * which it begins to, of order dt^2.
 */
#include "cases/thrown-ball/thrown-ball.h"

#include "base/memory/arena.h"
#include "base/status.h"
#include "cases/figure/front.h"
#include "cases/figure/series.h"

enum { SCHEMES = 6, STEPS = 5, STIFFNESSES = 3 };
static const char *const schemes[SCHEMES] = {"moreau", "ccp", "ncp",
                                             "lcp-st", "mdp", "consistent-twostep"};
static const int scheme_order[SCHEMES] = {2, 0, 1, 1, 1, 2}; /* in dt */
enum { CCP = 1 };
/* Steps until it rolls; that falls on the same part of a step in all. */
static const int until_rolling[STEPS] = {29, 97, 291, 971, 2913};
static const double PHASE = 0.3;
static const double stiffness[STIFFNESSES] = {1e6, 1e7, 1e8}; /* [N/m] */
static const double ORDER = 0.15; /* half-width of the interval of an order */
static const double NEAR = 0.02;  /* relative, of a limit at the shortest step */

static struct case_front front_of(const struct case_parameters *p, double steps[STEPS]) {
  for (int k = 0; k < STEPS; ++k) {
    steps[k] = thrown_ball_of(p).t_roll / (until_rolling[k] + PHASE);
  }
  return (struct case_front){.set = "body=planar",
                             .t_end = 0.5,
                             .n_schemes = SCHEMES,
                             .n_steps = STEPS,
                             .schemes = schemes,
                             .steps = steps,
                             .n_K = STIFFNESSES,
                             .K = stiffness,
                             .m = case_real(p, "m"),
                             .eps = 1e-3,
                             .penalty = "tangential=spring",
                             .chosen = 5e-3};
}

int thrown_ball_front_plan(const struct case_parameters *p, int i, struct case_run *run) {
  double steps[STEPS];
  const struct case_front front = front_of(p, steps);
  return case_front_plan(&front, i, run);
}

int thrown_ball_front_make(const struct case_parameters *p, const struct case_series *series, int n,
                           struct case_plot *plot) {
  double steps[STEPS];
  const struct case_front front = front_of(p, steps);
  struct base_arena *arena = base_arena_alloc();
  struct case_front_result result;
  const int status = case_front_make(&front, series, n, arena, plot, &result);
  for (int i = 0; i < SCHEMES && status == BASE_OK; ++i) {
    if (i != CCP) {
      case_front_check_scheme(&front, &result, i, scheme_order[i] - ORDER, scheme_order[i] + ORDER,
                              plot);
    }
  }
  for (int i = 0; i < CASE_SPRINGS && status == BASE_OK; ++i) {
    const double order = i == CASE_HERTZ ? -2.0 / 3 : -1;
    case_front_check_spring(&front, &result, i, order - ORDER, order + ORDER,
                            i == CASE_HERTZ ? "-2/3" : "-1", plot);
  }
  if (status == BASE_OK) {
    const struct thrown_ball b = thrown_ball_of(p);
    const double v_T = b.v0 / (1 + (1 + 1 / b.k) * b.mu * b.mu), up = b.mu * v_T;
    case_plot_check(plot, "ccp: error at the shortest step over mu (mu v_T)^2/(2 g k R), a hop's",
                    result.error[CCP * STEPS + STEPS - 1] * 2 * b.g * b.k * b.R / (b.mu * up * up),
                    1 - NEAR, 1 + NEAR, "1 at any dt");
    const int rk4 = case_front_row(&front, CASE_RK4);
    case_plot_check(plot, "penalty, rk4: order of the error in the number of steps",
                    case_order(STIFFNESSES, result.internal + rk4, result.error + rk4, STIFFNESSES),
                    -2 - 2 * ORDER, -2 + 2 * ORDER, "-2");
  }
  base_arena_free(arena);
  return status;
}
