/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-7: drift of the centre of mass in x and y with mu = 0.
 *
 * The source integrates P1 and relative Euler-123 angles, qdot = N(q) u, to first order; the centre
 * of mass follows from these and drifts although momentum does not. The same update on the
 * velocities of a run,
 *
 *   P1 <- P1 + dt v_P1,   qa <- qa + dt N(qa) omega_A,   qb <- qb + dt N(qb) (omega_B - R_b^T
 * omega_A) omega = (c2 c3 q1' + s3 q2', -c2 s3 q1' + c3 q2', s2 q1' + q3')  in the body's frame,
 *
 * shows the slope proportional to dt. Before the impact the pendulum falls as one body and nothing
 * drifts.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOUCH = 0.46; /* [s], after the impact */
static const double LENGTH = 1;   /* of the rods [m] */
/* Round-off of sums over a thousand steps [m]. */
#define ROUND_OFF 2e-13
/* What a halving may miss a ratio of two by (the target of this figure). */
static const double MISS = 0.1;

static const double steps[] = {4e-3, 2e-3, 1e-3, 5e-4}; /* [s] */
enum { STEPS = (int)(sizeof steps / sizeof *steps) };

/* Up to 1 s: the angles of B get to the end of their chart at 1.3 s. */
const struct case_runs spatial_double_pendulum_drift_runs[] = {
    {.label = "velocities-{dt}",
     .formulation = "lcp-st",
     .set = SPATIAL_DOUBLE_PENDULUM_DROP,
     .dt = "{dt}",
     .t_end = "1",
     .sample = "{dt}",
     .over = {{"dt", "0.004 0.002 0.001 0.0005"}}},
    SPATIAL_DOUBLE_PENDULUM_RUNS(SPATIAL_DOUBLE_PENDULUM_DROP, "1e-3", "1", "0.01"),
    {0}};

/* Third column of R(q), the rod. */
static void rod(const double q[3], double e[3]) {
  e[0] = sin(q[1]);
  e[1] = -sin(q[0]) * cos(q[1]);
  e[2] = cos(q[0]) * cos(q[1]);
}

/* y = R(q) x, or with `back` R(q)^T x. */
static void turn(const double q[3], int back, const double x[3], double y[3]) {
  memcpy(y, x, 3 * sizeof *y);
  for (int n = 0; n < 3; ++n) {
    const int axis = back ? n : 2 - n, j = (axis + 1) % 3, k = (axis + 2) % 3;
    const double c = cos(q[axis]), s = back ? -sin(q[axis]) : sin(q[axis]);
    const double yj = c * y[j] - s * y[k], yk = s * y[j] + c * y[k];
    y[j] = yj;
    y[k] = yk;
  }
}

/* q += dt N(q) omega. */
static void advance(double dt, const double omega[3], double q[3]) {
  const double c3 = cos(q[2]), s3 = sin(q[2]);
  const double first = (omega[0] * c3 - omega[1] * s3) / cos(q[1]);
  const double second = omega[0] * s3 + omega[1] * c3;
  const double third = omega[2] - sin(q[1]) * first;
  q[0] += dt * first;
  q[1] += dt * second;
  q[2] += dt * third;
}

/* Place of the centre of mass after every sample, x and y less those at the start: rows of t, x, y,
 * s->n of them. */
static void follow(const struct case_series *s, const struct case_parameters *p, double *rows) {
  double P1[3], start[2] = {0},
                qa[3] = {case_real(p, "qa1"), case_real(p, "qa2"), case_real(p, "qa3")},
                qb[3] = {case_real(p, "qb1"), case_real(p, "qb2"), case_real(p, "qb3")};
  for (int j = 0; j < 3; ++j) {
    P1[j] = spatial_double_pendulum_q(s, 0, SPATIAL_DOUBLE_PENDULUM_P1 + j);
  }
  for (int k = 0; k < s->n; ++k) {
    double a[3], b[3], e[3];
    if (k > 0) {
      const double dt = s->t[k] - s->t[k - 1];
      const double *u = s->u + (size_t)k * (size_t)s->nu;
      double carried[3], relative[3];
      turn(qb, 1, u + 3, carried);
      for (int j = 0; j < 3; ++j) {
        P1[j] += dt * u[SPATIAL_DOUBLE_PENDULUM_V_P1 + j];
        relative[j] = u[9 + j] - carried[j];
      }
      advance(dt, u + 3, qa);
      advance(dt, relative, qb);
    }
    rod(qa, a);
    rod(qb, e);
    turn(qa, 0, e, b);
    rows[3 * k] = s->t[k];
    for (int j = 0; j < 2; ++j) {
      const double at = P1[j] + 0.75 * LENGTH * a[j] + 0.25 * LENGTH * b[j];
      start[j] = k == 0 ? at : start[j];
      rows[3 * k + 1 + j] = at - start[j];
    }
  }
}

/* Least-squares slope of column j of n rows of three, after the impact. */
static double slope(int n, const double *rows, int j) {
  double s = 0, st = 0, sx = 0, stt = 0, stx = 0;
  for (int k = 0; k < n; ++k) {
    const double t = rows[3 * k], x = rows[3 * k + j];
    if (t > TOUCH) {
      s += 1, st += t, sx += x, stt += t * t, stx += t * x;
    }
  }
  return (s * stx - st * sx) / (s * stt - st * st);
}

int spatial_double_pendulum_drift_make(const struct case_parameters *p,
                                       const struct case_series *series, int n,
                                       struct case_plot *plot) {
  double slopes[STEPS][2];
  int status = BASE_OK;
  for (int i = 0; i < STEPS && status == BASE_OK; ++i) {
    char label[CASE_TEXT];
    snprintf(label, sizeof label, "velocities-%g", steps[i]);
    const struct case_series *s = case_series_ok(series, n, label, SPATIAL_DOUBLE_PENDULUM_Q);
    if (s == NULL) {
      return BASE_FAILED;
    }
    struct base_arena *arena = base_arena_alloc();
    double *rows = base_arena_matrix(arena, 3, s->n);
    follow(s, p, rows);
    for (int j = 0; j < 2; ++j) {
      slopes[i][j] = slope(s->n, rows, 1 + j);
      if (i > 0) {
        char what[CASE_TEXT];
        snprintf(what, sizeof what, "%s: slope at dt = %g s over that at %g s", j == 0 ? "x" : "y",
                 steps[i - 1], steps[i]);
        case_plot_check(
            plot, what, slopes[i - 1][j] / slopes[i][j],
            (struct case_claim){
                2 - MISS, 2 + MISS, .expected = "2",
                .published = "the slope is proportional to the step (bhalerao 5.1, fig. 7)"});
      }
    }
    status = case_plot_table(plot, label, "t[s] x[m] y[m]", s->n, 3, rows);
    base_arena_free(arena);
  }
  return status;
}

/* Of the centre of mass at a sample, the larger of x and y [m]. */
static double drift(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  (void)r;
  for (int j = SPATIAL_DOUBLE_PENDULUM_CENTRE; j < SPATIAL_DOUBLE_PENDULUM_CENTRE + 2; ++j) {
    worst = case_worst(
        worst, fabs(spatial_double_pendulum_q(s, k, j) - spatial_double_pendulum_q(s, 0, j)));
  }
  return worst;
}

static double largest_drift(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  for (k = 0; k < s->n; ++k) {
    worst = case_worst(worst, drift(r, s, k));
  }
  return worst;
}

const struct case_table spatial_double_pendulum_drift_tables[] = {
    {.name = "{form}", .runs = "{form}", .columns = {{"t[s]", "t"}, {"drift[m]", .value = drift}}},
    {0}};

const struct case_check spatial_double_pendulum_drift_checks[] = {
    {.what = "{form}: largest drift of the centre of mass [m]",
     .runs = "{form}",
     .value = largest_drift,
     .claim = {0, ROUND_OFF, .expected = "0: momentum"}},
    {0}};

#define DRIFT_OF(AXIS, COLUMN, COLOUR)                                                             \
  {                                                                                                \
      AXIS ", dt = 4 ms, and thinner 2, 1 and 0.5 ms",                                             \
      "velocities-0.004",                                                                          \
      1,                                                                                           \
      COLUMN,                                                                                      \
      1e3,                                                                                         \
      COLOUR,                                                                                      \
      3},                                                                                          \
      {NULL, "velocities-0.002", 1, COLUMN, 1e3, COLOUR, 2},                                       \
      {NULL, "velocities-0.001", 1, COLUMN, 1e3, COLOUR, 1.2}, {                                   \
    NULL, "velocities-0.0005", 1, COLUMN, 1e3, COLOUR, 0.6                                         \
  }
const struct case_panel spatial_double_pendulum_drift_panels[] = {
    {.x = "t [s]",
     .y = "drift from P_1, angles [mm]",
     .x_range = {0, 1},
     .y_range = {-2.6, 1.5},
     .key = "left bottom",
     .curves = {DRIFT_OF("x", 2, "#0072b2"), DRIFT_OF("y", 3, "#d55e00")}},
    {.x = "t [s]",
     .y = "drift of the centre [m]",
     .log = "y",
     .x_range = {0, 1},
     .y_range = {1e-17, 1e-13},
     .least = 1e-17,
     .key = "foot",
     .curves = {{"{}", "{}", 1, 2, .look = "{}", .width = 1.5,
                 .over = SPATIAL_DOUBLE_PENDULUM_NAMES}}},
    {0}};
