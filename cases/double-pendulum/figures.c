/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the double pendulum (moeller 6.2), all at the source's dt = 0.01 s: the consistent
 * two-step integrator (5.106, 5.107) in positions with multipliers on both levels, and Moreau's
 * midpoint rule in the two rod angles; event-driven integration is added as the reference.
 *
 *   moeller-6.5  rod angles, alpha_1 = atan2(x1, y1), alpha_2 = atan2(x2 - x1, y2 - y1), followed
 *                over whole turns; both schemes are also run at a hundredth of the step to show
 *                that they converge to the same solution
 *   moeller-6.6  total energy over E_0; also the one-step integrator (5.95)
 *
 * The motion is chaotic: what separates the curves after the first impact, 0.93 s, grows some
 * hundred times in 3 s, so that angles are compared before it, and errors over 2 s.
 */
#include "cases/double-pendulum/figures.h"

#include "cases/figure/series.h"

#include <math.h>

static const double STEP = 0.01;         /* [s] */
static const double SMOOTH = 0.9;        /* [s], before the first impact */
static const double SECOND_IMPACT = 1.1; /* [s], the second comes at 1.16 s */
static const double COMPARED = 2;        /* [s] */

/* ---- rod angles ---- */

/* Angle of rod 0 or 1 of sample k, from the positions of the masses: within half a turn of `near`.
 */
static double rod_angle(const struct case_series *s, int k, int rod, double near) {
  const double *q = s->q + 4 * (size_t)k;
  const double a = rod == 0 ? atan2(q[0], q[1]) : atan2(q[2] - q[0], q[3] - q[1]);
  return k == 0 ? a : a - 2 * M_PI * rint((a - near) / (2 * M_PI));
}

/* The same, followed from the start over whole turns. */
static double rod_angle_at(const struct case_series *s, int k, int rod) {
  double a = 0;
  for (int j = 0; j <= k; ++j) {
    a = rod_angle(s, j, rod, a);
  }
  return a;
}

static double alpha_1(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rod_angle_at(s, k, 0);
}

static double alpha_2(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return rod_angle_at(s, k, 1);
}

/* Largest difference of either angle from the run that it is set against over the samples up to
 * t_end; NaN unless both have them all, at the same times. */
static double angle_distance(const struct case_series *a, const struct case_series *b,
                             double t_end) {
  const double slack = 0.5 * STEP;
  double worst = a->t[a->n - 1] > t_end - slack && b->t[b->n - 1] > t_end - slack ? 0 : NAN;
  for (int rod = 0; rod < 2; ++rod) {
    double alpha = 0, beta = 0;
    for (int k = 0; k < a->n && k < b->n && a->t[k] < t_end + slack; ++k) {
      alpha = rod_angle(a, k, rod, alpha);
      beta = rod_angle(b, k, rod, beta);
      worst = case_worst(worst, fabs(a->t[k] - b->t[k]) < slack ? fabs(alpha - beta) : NAN);
    }
  }
  return worst;
}

static double before_impact(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return angle_distance(s, r->against, SMOOTH);
}

/* Until the second impact: the largest difference of either angle over dt times the largest jump of
 * either rate, which is what a rod that stands still for the step of an impact lags behind. */
static double lag_after_impact(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = r->against;
  double jump = 0;
  for (int rod = 0; rod < 2; ++rod) {
    double before = 0, now = 0;
    for (k = 0; k < other->n && other->t[k] < SECOND_IMPACT; ++k) {
      const double next = rod_angle(other, k, rod, now);
      jump = k > 1 ? fmax(jump, fabs(next - 2 * now + before)) : jump;
      before = now;
      now = next;
    }
  }
  return angle_distance(s, other, SECOND_IMPACT) / jump;
}

static double over_two_seconds(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return angle_distance(s, r->against, COMPARED);
}

/* ---- moeller-6.5 ---- */

static const struct case_runs fig65_runs[] = {
    {.label = "twostep", .formulation = "consistent-twostep", .dt = "0.01", .sample = "0.01"},
    {.label = "moreau",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "0.01",
     .sample = "0.01"},
    {.label = "event", .formulation = "event", .dt = "0.01", .sample = "0.01"},
    {.label = "twostep-fine",
     .formulation = "consistent-twostep",
     .dt = "1e-4",
     .t_end = "2",
     .sample = "0.01"},
    {.label = "moreau-fine",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "1e-4",
     .t_end = "2",
     .sample = "0.01"},
    {0}};

/* Close: a hundredth of what alpha_2 spans. Converging: a hundredth of the step must remove nine
 * tenths of an error of first order, which leaves room for chaos. */
#define CLOSE 0.05
#define SECOND_ORDER (20 * 1e-4) /* of the two-step scheme before an impact: 20 dt^2, dt in [s] */
#define CONVERGES 0.04
static const struct case_check fig65_checks[] = {
    {.what = "two-step against Moreau, until the first impact: largest angle [rad]",
     .runs = "twostep",
     .against = "moreau",
     .value = before_impact,
     .claim = {0, 0.4 * CLOSE, .expected = "close"}},
    {.what = "two-step against event, until the first impact: largest angle [rad]",
     .runs = "twostep",
     .against = "event",
     .value = before_impact,
     .claim = {0, SECOND_ORDER, .expected = "of second order"}},
    {.what = "two-step over 2 s: error at dt = 1e-4 s over that at 0.01 s",
     .runs = "twostep-fine",
     .over = "twostep",
     .against = "event",
     .value = over_two_seconds,
     .claim = {0, CONVERGES, .expected = "0.01",
               .published = "both converge towards the exact solution (moeller 6.2)"}},
    {.what = "Moreau over 2 s: error at dt = 1e-4 s over that at 0.01 s",
     .runs = "moreau-fine",
     .over = "moreau",
     .against = "event",
     .value = over_two_seconds,
     .claim = {0, CONVERGES, .expected = "0.01",
               .published = "both converge towards the exact solution (moeller 6.2)"}},
    {.what = "two-step against Moreau at dt = 1e-4 s, 2 s: largest angle [rad]",
     .runs = "twostep-fine",
     .against = "moreau-fine",
     .value = over_two_seconds,
     .claim = {0, CLOSE, .expected = "the same solution"}},
    {0}};

#define ANGLE_TABLE(RUNS)                                                                          \
  {                                                                                                \
    .name = RUNS, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"alpha1[rad]", .value = alpha_1},                                                           \
      {"alpha2[rad]", .value = alpha_2}                                                            \
    }                                                                                              \
  }
static const struct case_table fig65_tables[] = {
    ANGLE_TABLE("twostep"), ANGLE_TABLE("moreau"), ANGLE_TABLE("event"), {0}};

/* ---- moeller-6.6 ---- */

static const struct case_runs fig66_runs[] = {
    {.label = "{label}",
     .formulation = "{form}",
     .dt = "0.01",
     .sample = "0.01",
     .over = {{"label/form", "twostep/consistent-twostep onestep/consistent-onestep"}}},
    {.label = "moreau",
     .formulation = "moreau",
     .set = "coordinates=angles",
     .dt = "0.01",
     .sample = "0.01"},
    {0}};

static double energy_ratio(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return s->energy[k] / s->energy[0];
}

static double energy_change(const struct case_results *r, const struct case_series *s, int k) {
  return fabs(energy_ratio(r, s, k) - 1);
}

#define ENERGY_TABLE(RUNS)                                                                         \
  {                                                                                                \
    .name = RUNS, .runs = RUNS, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"E/E0[-]", .value = energy_ratio},                                                          \
      {"|E/E0-1|[-]", .value = energy_change}                                                      \
    }                                                                                              \
  }
static const struct case_table fig66_tables[] = {
    ENERGY_TABLE("{label}"), ENERGY_TABLE("moreau"), {0}};

/* Of the consistent schemes (catalogue). */
#define CONSERVED 1e-11
#define KEPT(NAME, RUN)                                                                            \
  {.what = NAME ": largest |E/E_0 - 1|",                                                           \
   .runs = RUN,                                                                                    \
   .value = case_value_energy_deviation,                                                           \
   .claim = {0, CONSERVED, .published = "up to the numerical precision (moeller 6.2)"}},           \
      {.what = NAME ": largest |g_S| [m^2]",                                                       \
       .runs = RUN,                                                                                \
       .path = "constraints.position_max",                                                         \
       .claim = {0, CONSERVED, .expected = "0"}},                                                  \
  {                                                                                                \
    .what = NAME ": largest |gamma_S| [m^2/s]", .runs = RUN, .path = "constraints.velocity_max",   \
    .claim = {                                                                                     \
      0,                                                                                           \
      CONSERVED,                                                                                   \
      .expected = "0"                                                                              \
    }                                                                                              \
  }
static const struct case_check fig66_checks[] = {
    KEPT("two-step", "twostep"),
    KEPT("one-step (5.95)", "onestep"),
    {.what = "Moreau: largest |E/E_0 - 1|",
     .runs = "moreau",
     .value = case_value_energy_deviation,
     /* shows in the figure, and stays within its axis */
     .claim = {0.05, 0.35, .published = "significant deviation (moeller 6.2)"}},
    /* The two schemes are the same without contacts, to Newton's tolerance on either. */
    {.what = "one-step against two-step until the first impact: largest angle [rad]",
     .runs = "onestep",
     .against = "twostep",
     .value = before_impact,
     .claim = {0, 1e-9, .published = "very similar (moeller 6.2)"}},
    {.what = "one-step against two-step until the second impact: largest angle over dt times the "
             "jump of its rate",
     .runs = "onestep",
     .against = "twostep",
     .value = lag_after_impact,
     .claim = {0.1, 1.5,
               .expected = "below 1: by (5.95) a closed gap stays for the step of its impact",
               .published = "but not identical (moeller 6.2)"}},
    {0}};

#define ANGLE_CURVES(COLUMN, EVENT, TWOSTEP, MOREAU)                                               \
  {                                                                                                \
    {EVENT, "event", 1, COLUMN, .look = "reference", .width = 4},                                  \
        {TWOSTEP, "twostep", 1, COLUMN, .look = "consistent-twostep"}, {                           \
      MOREAU, "moreau", 1, COLUMN, .look = "moreau", .with = CASE_DASHED                           \
    }                                                                                              \
  }
static const struct case_panel fig65_panels[] = {
    {.x = "t [s]",
     .y = "α_1 [rad]",
     .x_range = {0, 4},
     .y_range = {-0.5, 2.6},
     .key = "right top",
     .curves = ANGLE_CURVES(2, "event", "two-step", "moreau")},
    {.x = "t [s]",
     .y = "α_2 [rad]",
     .x_range = {0, 4},
     .y_range = {-1.5, 4},
     .curves = ANGLE_CURVES(3, NULL, NULL, NULL)},
    {0}};

#define ENERGY_CURVES(COLUMN, MOREAU, ONESTEP, TWOSTEP)                                            \
  {MOREAU, "moreau", 1, COLUMN, .look = "moreau"},                                                 \
      {ONESTEP, "onestep", 1, COLUMN, .look = "consistent-onestep", .width = 4}, {                 \
    TWOSTEP, "twostep", 1, COLUMN, .look = "consistent-twostep"                                    \
  }
static const struct case_panel fig66_panels[] = {
    {.x = "t [s]",
     .y = "E/E_0 [-]",
     .x_range = {0, 4},
     .y_range = {0.65, 1.35},
     .key = "right top",
     .curves = {ENERGY_CURVES(2, "moreau", "one-step", "two-step")}},
    {.head = "rounding below 1e-15 is drawn at it",
     .x = "t [s]",
     .y = "|E/E_0 - 1| [-]",
     .log = "y",
     .x_range = {0, 4},
     .y_range = {1e-16, 10},
     .least = 1e-15,
     .key = "right center",
     .curves = {ENERGY_CURVES(3, NULL, NULL, NULL),
                {"bound of the checks, 10^{-11}", .scale = CONSERVED, .look = "limit",
                 .width = 1.2}}},
    {0}};

const struct case_figure double_pendulum_figures[] = {
    {.id = "moeller-6.5",
     .title = "Double pendulum: rod angles",
     .caption = "The two integrators agree until the first impact (angles apart by {two-step "
                "against Moreau, until} rad) and then part, as the motion is chaotic; at dt = 1e-4 "
                "s they are one solution over 2 s, apart by {two-step against Moreau at} rad. Rod "
                "angles at dt = 0.01 s by the consistent two-step integrator in positions and by "
                "Moreau's midpoint rule in angles, with event-driven integration for comparison.",
     .runs = fig65_runs,
     .panels = fig65_panels,
     .tables = fig65_tables,
     .checks = fig65_checks},
    {.id = "moeller-6.6",
     .title = "Double pendulum: total energy",
     .caption = "Moreau's midpoint rule is off by up to {Moreau: largest |E} of the energy, both "
                "consistent integrators by {two-step: largest |E} and {one-step (5.95): largest "
                "|E}, and they keep the lengths of the rods on position and velocity level to "
                "rounding. Energy over its initial value at dt = 0.01 s.",
     .runs = fig66_runs,
     .panels = fig66_panels,
     .tables = fig66_tables,
     .checks = fig66_checks},
    {.id = "moeller-5.31",
     .title = "Double pendulum: rates of the rods",
     .caption = "The integrator that keeps the lengths of the rods alone (5.31) lets their rates "
                "swing from step to step, here up to {(5.31): alternating part} times as far after "
                "40 s as at the start, while it keeps the energy; with the rates kept too (5.49) "
                "they are {(5.49): largest |gamma_S|} m^2/s. Spinning double pendulum without "
                "wall, dt = 0.0125 s.",
     .runs = double_pendulum_oscillation_runs,
     .panels = double_pendulum_oscillation_panels,
     .tables = double_pendulum_oscillation_tables,
     .checks = double_pendulum_oscillation_checks},
    {.id = NULL}};
