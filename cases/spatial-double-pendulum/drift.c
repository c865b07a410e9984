/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-7: drift of the centre of mass in x and y with mu = 0, where no force acts along them.
 *
 * The source's coordinates are P1 and relative Euler-123 angles (bodies=relative), which its scheme
 * moves by q^{l+1} = q^l + dt F(q^l) u^{l+1}: the centre of mass follows from them, and each step
 * leaves it O(dt^2) off, so that the slope of its drift is proportional to dt. Before the impact
 * the pendulum falls as one body and nothing drifts. Bodies in coordinates of their own, to which a
 * joint gives opposite impulses, do not drift whatever the step.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>

static const double TOUCH = 0.46; /* [s], after the impact */
/* Round-off of sums over a thousand steps [m]. */
#define ROUND_OFF 2e-13
/* What a halving may miss a ratio of two by (the target of this figure). */
static const double MISS = 0.1;

/* Up to 1 s: the angles of B get to the end of their chart at 1.3 s. */
#define RELATIVE "relative-{form}-{dt}"
const struct case_runs spatial_double_pendulum_drift_runs[] = {
    {.label = RELATIVE,
     .formulation = "{form}",
     .set = SPATIAL_DOUBLE_PENDULUM_DROP " bodies=relative",
     .dt = "{dt}",
     .t_end = "1",
     .sample = "{dt}",
     .over = {{"form", "lcp-st lcp-ap ncp"}, {"dt", "0.004 0.002 0.001 0.0005"}}},
    {.label = "relative-event",
     .formulation = "event",
     .set = SPATIAL_DOUBLE_PENDULUM_DROP " bodies=relative",
     .dt = "0.01",
     .t_end = "1",
     .sample = "0.01"},
    SPATIAL_DOUBLE_PENDULUM_RUNS(SPATIAL_DOUBLE_PENDULUM_DROP, "1e-3", "1", "0.01"),
    {0}};

/* Of the centre of mass along an axis (0, 1) at a sample [m]. */
static double drift_along(const struct case_series *s, int k, int axis) {
  const int j = SPATIAL_DOUBLE_PENDULUM_CENTRE + axis;
  return spatial_double_pendulum_q(s, k, j) - spatial_double_pendulum_q(s, 0, j);
}

static double drift_x(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return drift_along(s, k, 0);
}

static double drift_y(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return drift_along(s, k, 1);
}

/* Least-squares slope after the impact [m/s]. */
static double slope(const struct case_series *s, int axis) {
  double n = 0, st = 0, sx = 0, stt = 0, stx = 0;
  for (int k = 0; k < s->n; ++k) {
    const double t = s->t[k], x = drift_along(s, k, axis);
    if (t > TOUCH) {
      n += 1, st += t, sx += x, stt += t * t, stx += t * x;
    }
  }
  return (n * stx - st * sx) / (n * stt - st * st);
}

static double slope_x(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return slope(s, 0);
}

static double slope_y(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return slope(s, 1);
}

/* The larger of x and y. */
static double drift(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return case_worst(fabs(drift_along(s, k, 0)), fabs(drift_along(s, k, 1)));
}

static double largest_drift(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, drift(r, s, k));
  }
  return worst;
}

/* The same before the impact. */
static double drift_in_flight(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n && s->t[k] < 0.44; ++k) {
    worst = case_worst(worst, drift(r, s, k));
  }
  return worst;
}

const struct case_table spatial_double_pendulum_drift_tables[] = {
    {.name = RELATIVE,
     .runs = RELATIVE,
     .columns = {{"t[s]", "t"}, {"x[m]", .value = drift_x}, {"y[m]", .value = drift_y}}},
    {.name = "{form}", .runs = "{form}", .columns = {{"t[s]", "t"}, {"drift[m]", .value = drift}}},
    {0}};

#define HALVED(AXIS, VALUE, LONG, SHORT)                                                           \
  {                                                                                                \
    .what = "{form}, " AXIS ": slope at dt = " LONG " s over that at " SHORT " s",                 \
    .runs = RELATIVE, .where = {{"dt", LONG}}, .value = VALUE, .over = "relative-{form}-" SHORT,   \
    .claim = {                                                                                     \
      2 - MISS,                                                                                    \
      2 + MISS,                                                                                    \
      .expected = "2",                                                                             \
      .published = "the slope is proportional to the step (bhalerao 5.1, fig. 7)"                  \
    }                                                                                              \
  }
const struct case_check spatial_double_pendulum_drift_checks[] = {
    HALVED("x", slope_x, "0.004", "0.002"),
    HALVED("y", slope_y, "0.004", "0.002"),
    HALVED("x", slope_x, "0.002", "0.001"),
    HALVED("y", slope_y, "0.002", "0.001"),
    HALVED("x", slope_x, "0.001", "0.0005"),
    HALVED("y", slope_y, "0.001", "0.0005"),
    {.what = "{form}: largest drift before the impact, relative angles [m]",
     .runs = RELATIVE,
     .value = drift_in_flight,
     .along = "dt",
     .reduce = CASE_WORST,
     .claim = {0, ROUND_OFF, .expected = "0: one body falls",
               .published = "significantly lower while separate (bhalerao 5.1)"}},
    {.what = "event: largest drift, relative angles [m]",
     .runs = "relative-event",
     .value = largest_drift,
     .claim = {0, 1e-11, .expected = "0: its tolerance"}},
    {.what = "{form}: largest drift of the centre of mass [m]",
     .runs = "{form}",
     .value = largest_drift,
     .claim = {0, ROUND_OFF, .expected = "0: momentum"}},
    {0}};

#define DRIFT_OF(AXIS, COLUMN, COLOUR)                                                             \
  {AXIS ", dt = 4 ms, and thinner 2, 1 and 0.5 ms",                                                \
   "relative-lcp-st-0.004",                                                                        \
   1,                                                                                              \
   COLUMN,                                                                                         \
   1e3,                                                                                            \
   COLOUR,                                                                                         \
   3},                                                                                             \
      {NULL, "relative-lcp-st-0.002", 1, COLUMN, 1e3, COLOUR, 2},                                  \
      {NULL, "relative-lcp-st-0.001", 1, COLUMN, 1e3, COLOUR, 1.2}, {                              \
    NULL, "relative-lcp-st-0.0005", 1, COLUMN, 1e3, COLOUR, 0.6                                    \
  }
const struct case_panel spatial_double_pendulum_drift_panels[] = {
    {.x = "t [s]",
     .y = "drift, relative angles [mm]",
     .x_range = {0, 1},
     .key = "left bottom",
     .curves = {DRIFT_OF("x", 2, "violet"), DRIFT_OF("y", 3, "red")}},
    {.x = "t [s]",
     .y = "drift, own coordinates [m]",
     .log = "y",
     .x_range = {0, 1},
     .y_range = {1e-17, 1e-13},
     .least = 1e-17,
     .key = "foot",
     .curves = {{"{}", "{}", 1, 2, .look = "{}", .width = 1.5,
                 .over = SPATIAL_DOUBLE_PENDULUM_NAMES}}},
    {0}};
