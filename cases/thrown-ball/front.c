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

enum { CCP = 1, SCHEMES = 6 };
static const int scheme_order[SCHEMES] = {2, 0, 1, 1, 1, 2}; /* in dt */
static const double PHASE = 0.3;  /* of the begin of rolling in its step, the same in all */
static const double ORDER = 0.15; /* half-width of the interval of an order */
static const double NEAR = 0.02;  /* relative, of a limit at the shortest step */

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

const struct case_runs thrown_ball_front_runs[] = {
    {.label = "{scheme}-{#step}",
     .formulation = "{scheme}",
     .set = "body=planar",
     .t_end = "0.5",
     .over = {{"scheme", "moreau ccp ncp lcp-st mdp consistent-twostep"},
              {"step", "29 97 291 971 2913"}},
     .fill = fill_scheme},
    {.label = "{spring}-{#K}",
     .formulation = "penalty",
     .set = "body=planar",
     .t_end = "0.5",
     .over = {{"spring", CASE_FRONT_SPRINGS}, {"K", "1e6 1e7 1e8"}},
     .fill = fill_spring},
    {0}};

static void check_front(const struct case_parameters *p, const struct case_front *front,
                        struct case_plot *plot) {
  const struct thrown_ball b = thrown_ball_of(p);
  const double v_T = b.v0 / (1 + (1 + 1 / b.k) * b.mu * b.mu), up = b.mu * v_T;
  for (int i = 0; i < front->n_schemes; ++i) {
    if (i != CCP) {
      case_front_check_scheme(front, i, scheme_order[i], ORDER, plot);
    }
  }
  for (int i = 0; i < CASE_SPRINGS; ++i) {
    const double order = i == CASE_HERTZ ? -2.0 / 3 : -1;
    case_front_check_spring(front, i, order - ORDER, order + ORDER, i == CASE_HERTZ ? "-2/3" : "-1",
                            plot);
  }
  case_plot_check(
      plot, "ccp: error at the shortest step over mu (mu v_T)^2/(2 g k R), a lift-off's",
      front->error[(CCP + 1) * front->n_steps - 1] * 2 * b.g * b.k * b.R / (b.mu * up * up),
      (struct case_claim){1 - NEAR, 1 + NEAR, .expected = "1 at any dt"});
  const int rk4 = case_front_row(front, CASE_RK4), n = front->n_K;
  case_plot_check(plot, "penalty, rk4: order of the error in the number of steps",
                  case_order(n, front->internal + rk4, front->error + rk4, n),
                  (struct case_claim){-2 - 2 * ORDER, -2 + 2 * ORDER, .expected = "-2"});
}

int thrown_ball_front_make(const struct case_parameters *p, const struct case_series *series, int n,
                           struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  struct case_front front;
  const int status = case_front_make(thrown_ball_front_runs, series, n, arena, plot, &front);
  if (status == BASE_OK) {
    check_front(p, &front, plot);
  }
  base_arena_free(arena);
  return status;
}
