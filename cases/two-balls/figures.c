/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of two balls on ropes (yu, figs 10 to 12): the CCP by semi-implicit Euler against the
 * penalty method, and both against the closed form (two-balls.c).
 *
 *   yu-10  height of the ball; differences for several K and D. D follows from the least
 *          restitution eps_min that the damping is made for (D rises as eps_min falls). The source
 *          integrates by RK4 with fixed steps; the convergence in K is measured with adaptive
 *          steps, so that only the model is left.
 *
 * Both errors are known up to the impact. Semi-implicit Euler from rest is the leapfrog scheme, of
 * second order, with a first half step that is a whole one: its start has the velocity a dt/2, so
 * that it is ahead by half a step, y - y_exact = v_y dt/2 (v solves the linearised equation). A
 * rope of stiffness K gives by T/K, T = m g (3 cos theta - 2 cos alpha).
 *
 * yu-11 and yu-12 stand in energies.c.
 */
#include "cases/two-balls/two-balls.h"

#include "cases/figure/series.h"

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

/* Height of the released ball by a run at sample k of another; NaN where it has none then. */
static double height_at(const struct case_series *s, double t) {
  const int k = s->n > 1 ? (int)lround(t / s->t[1]) : 0;
  return k < s->n && fabs(s->t[k] - t) < 1e-9 ? s->q[(long)NQ * k + 1] : NAN;
}

/* Largest distance of the heights of the released ball from those of the run beside [m]. */
static double largest_difference(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, fabs(s->q[(long)NQ * k + 1] - height_at(r->against, s->t[k])));
  }
  return worst;
}

/* The same over half a step of the fastest sinking before the impact. */
static double difference_over_half_a_step(const struct case_results *r, const struct case_series *s,
                                          int k) {
  const double h = 1e-3 * two_balls_impact(r->p);
  double fastest = 0;
  for (k = 1; k < 1000; ++k) {
    const double way =
        exact_height(r->p, k * h + 0.5 * h, 0) - exact_height(r->p, k * h - 0.5 * h, 0);
    fastest = fmax(fastest, fabs(way) / h);
  }
  return largest_difference(r, s, -1) / (0.5 * s->run->dt * fastest);
}

/* How far the released ball hangs too low at the last sample before the impact, at the lowest
 * point [m]. */
static double stretch(const struct case_results *r, const struct case_series *s, int k) {
  double last = NAN;
  for (k = 0; k < s->n && s->t[k] < two_balls_impact(r->p); ++k) {
    last = -height_error(r, s, k);
  }
  return last;
}

/* Over T/K of a rope at the lowest point. */
static double stretch_over_tension(const struct case_results *r, const struct case_series *s,
                                   int k) {
  const double tension =
      case_real(r->p, "m") * case_real(r->p, "g") * (3 - 2 * cos(two_balls_angle(r->p, 0, 0)));
  return stretch(r, s, k) / (tension / case_number(s, "formulation.options.K"));
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
     .opt = "K=1e5 substeps=1 eps_min=1e-3 tangential=spring stepper=rk4",
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
    {.what = "ccp less penalty (K = 1e7 N/m, larger D): order of the largest difference in y in dt",
     .runs = "ccp-{#dt}",
     .value = largest_difference,
     .against = "rkf45-3-1",
     .along = "dt",
     .claim = {0.95, 1.05, .expected = "1"}},
    {.what = "the same at dt = 1e-3 s over max |v_y| dt/2",
     .runs = "ccp-2",
     .value = difference_over_half_a_step,
     .against = "rkf45-3-1",
     .claim = {0.97, 1.03, .expected = "1: the CCP's Euler is half a step ahead"}},
    {.what = "ccp less penalty by RK4 (K = 1e5 N/m), dt = 1e-3 s: largest difference in y [m]",
     .runs = "ccp-2",
     .value = largest_difference,
     .against = "rk4-1-0",
     .claim = {2e-4, 8e-4, .expected = "0.44 mm of the CCP, and up to 0.24 mm of the springs",
               .published = "drawn as a difference, without numbers in the text (yu, fig. 10)",
               .schematic = 1}},
    {.what = "penalty: order of the stretch before the impact against 1/K, smaller D, from 1e5 N/m",
     .runs = BY_STIFFNESS,
     .where = {{"K", "1e5 1e6 1e7"}, {"eps_min", "1e-3"}},
     .value = stretch,
     .along = "K",
     .by = "{K}",
     .scale = -1,
     .claim = {0.95, 1.05, .expected = "1"}},
    {.what = "penalty: that stretch over T/K, K = 1e7 N/m",
     .runs = "rkf45-3-0",
     .value = stretch_over_tension,
     .claim = {0.98, 1.02, .expected = "1"}},
    /* The balls press into each other as K^-1/2, ropes stretch as K^-1, and creep there for a time
     * D/K: the order lies between. */
    {.what = "penalty: order of the largest error in y against 1/K, larger D",
     .runs = BY_STIFFNESS,
     .where = {{"eps_min", "1e-5"}},
     .value = largest_error,
     .along = "K",
     .by = "{K}",
     .scale = -1,
     .claim = {0.5, 1, .expected = "1/2 of the impact to 1 of the ropes"}},
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
                {"K = 1e4 N/m", "penalty-0-1", 1, 3, .look = "#a9d9f4", .width = 1.5},
                {"K = 1e5 N/m", "penalty-1-1", 1, 3, .look = "colour of penalty", .width = 1.5},
                {"K = 1e6 N/m", "penalty-2-1", 1, 3, .look = "#2a7fb0", .width = 1.5},
                {"K = 1e7 N/m", "penalty-3-1", 1, 3, .look = "#114a6b", .width = 1.5}}},
    {.x = "K [N/m]",
     .y = "largest error in y [m]",
     .log = "xy",
     .x_range = {7e3, 1.5e7},
     .y_range = {1e-6, 1e-1},
     .key = "right top",
     .curves = {{"penalty, smaller D", "stiffness", 1, 2, .look = "#114a6b",
                 .with = CASE_LINESPOINTS},
                {"penalty, larger D", "stiffness", 1, 3, .look = "penalty",
                 .with = CASE_LINESPOINTS},
                {"K^{-1/2}", .scale = 0.05, .power = -0.5, .look = "limit"}}},
    {0}};

const struct case_figure two_balls_figures[] = {
    {.id = "yu-10",
     .title = "Two balls: height of the ball, CCP against penalty",
     .caption =
         "CCP and penalty differ by half a step of the CCP: the difference is {the same at dt = "
         "1e-3 s over} times max |v_y| dt/2, of order {ccp less penalty (K = 1e7 N/m, larger D): "
         "order} in dt; the error of penalty goes with 1/K to the power {penalty: order of the "
         "largest error in y against 1/K}; its damping matters, with the smaller D it is {penalty: "
         "the same with the smaller D} times as large. Height of the released ball by the CCP "
         "(semi-implicit Euler, dt = 1e-3 s) and by the penalty method, its error against the "
         "closed form for several K and D, and the largest error against K. The smaller D is that "
         "of a restitution of 1e-3, the larger of 1e-5. Up to the impact both errors are known: "
         "half a step of the CCP, and the stretch of the rope.",
     .runs = yu10_runs,
     .panels = yu10_panels,
     .tables = yu10_tables,
     .checks = yu10_checks},
    {.id = "yu-11",
     .title = "Two balls: energies by the CCP",
     .caption = "The impact takes {loss within one step} of half the kinetic energy within one "
                "step, which ends at {that step ends at} s. Kinetic and potential energy and their "
                "sum by the CCP at dt = 1e-3 s.",
     .runs = two_balls_yu11_runs,
     .panels = two_balls_yu11_panels,
     .tables = two_balls_yu11_tables,
     .checks = two_balls_yu11_checks},
    {.id = "yu-12",
     .title = "Two balls: energies by the penalty method",
     .caption = "Penalty loses the energy of the impact over {loss from 10 % to 90 % lasts, K = "
                "1e4} s at K = 1e4 N/m and over {the same, K = 1e5} of that at ten times the "
                "stiffness, and at K = 1e6 N/m needs steps of {that step at K = 1e6 N/m} of the "
                "CCP's, which go with 1/K to the power {order of the step}. Energies at K = 1e5 "
                "N/m (samples of 5 ms), the sum around the impact for several K, how long the loss "
                "lasts, and the longest step of RK4 that is as accurate as the springs, by search.",
     .runs = two_balls_yu12_runs,
     .tables = two_balls_yu12_tables,
     .checks = two_balls_yu12_checks,
     .panels = two_balls_yu12_panels},
    {.id = "penalty-front-balls",
     .title = "Two balls: penalty against impulses",
     .caption = "The error of penalty goes with its stiffness K to the power {penalty, rk4: order "
                "in K} (rk4) and {penalty, hertz: order in K} (hertz), that of time steppers with "
                "the step to the power {moreau: order in dt} (moreau) and {ccp: order in dt} "
                "(ccp). Largest error of penalty against the stiffness, and of both families "
                "against time and work of a run past the impact.",
     .runs = two_balls_front_runs,
     .tables = two_balls_front_tables,
     .checks = two_balls_front_checks,
     .panels = two_balls_front_panels},
    {.id = NULL}};
