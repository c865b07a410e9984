/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the overbalanced wheel (moeller 6.3), by the consistent two-step integrator:
 *
 *   moeller-6.9        total energy for eps = 1 and eps = 0 (energy.c)
 *   moeller-6.10, 12   phase plane of the wheel's angle over 10 s, eps = 0 and 1
 *   moeller-6.11, 13   traces of the masses with the wheel's outline, eps = 0 and 1
 *   moeller-2.5        projected iterations on one-step problems of Moreau's rule (iterations.c)
 *
 * The former at the source's step, 1e-4 s, over its 10 s. Energy and rods are exact to rounding for any
 * step (1e-3 s beside it), and the motion for eps = 1 is chaotic for every one.
 */
#include "cases/overbalanced-wheel/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

#define ROUNDING 1e-12 /* of the rods over a run */

static const struct case_runs inelastic_runs[] = {WHEEL("inelastic", "0", "1e-4", "10", "5e-3"),
                                                  {0}};
static const struct case_runs elastic_runs[] = {WHEEL("elastic", "1", "1e-4", "10", "5e-3"), {0}};
static const struct case_runs inelastic_trace_runs[] = {
    WHEEL("inelastic", "0", "1e-4", "10", "1e-2"), {0}};
static const struct case_runs elastic_trace_runs[] = {WHEEL("elastic", "1", "1e-4", "10", "1e-2"),
                                                      {0}};

/* ---- moeller-6.10 and 6.12: the wheel's angle ---- */

/* Times from t_begin on at which phidot changes sign; *first: the first, infinite without. */
static int reversals(const struct case_series *s, double t_begin, double *first) {
  int count = 0;
  *first = INFINITY;
  for (int k = 1; k < s->n; ++k) {
    if (s->t[k] >= t_begin &&
        s->u[(size_t)k * (size_t)s->nu] * s->u[(size_t)(k - 1) * (size_t)s->nu] < 0) {
      *first = count++ == 0 ? s->t[k] : *first;
    }
  }
  return count;
}

static double first_reversal(const struct case_results *r, const struct case_series *s, int k) {
  double first;
  (void)r, (void)k;
  reversals(s, 0, &first);
  return first;
}

static double later_reversals(const struct case_results *r, const struct case_series *s, int k) {
  double first;
  (void)r, (void)k;
  return reversals(s, 0.5 * s->run->t_end, &first);
}

/* Largest change of phidot between samples. */
static double largest_jump(const struct case_results *r, const struct case_series *s, int k) {
  double worst = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    worst =
        fmax(worst, fabs(s->u[(size_t)k * (size_t)s->nu] - s->u[(size_t)(k - 1) * (size_t)s->nu]));
  }
  return worst;
}

#define PHASE_TABLE(NAME)                                                                          \
  {                                                                                                \
    .name = NAME, .runs = NAME, .columns = {                                                       \
      {"t[s]", "t"},                                                                               \
      {"phi[rad]", "q[0]"},                                                                        \
      {"phi_dot[rad/s]", "u[0]"}                                                                   \
    }                                                                                              \
  }
static const struct case_table inelastic_tables[] = {PHASE_TABLE("inelastic"), {0}};
static const struct case_table elastic_tables[] = {PHASE_TABLE("elastic"), {0}};

/* What phidot changes by in all, up and down, in the second half, over what it spans there: a swing
 * of the pendulum adds 1, and there are less than four of them in 5 s. */
static double path_over_range(const struct case_results *r, const struct case_series *s, int k) {
  double path = 0, lo = INFINITY, hi = -INFINITY, before = NAN;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double now = s->u[(size_t)k * (size_t)s->nu];
    if (s->t[k] >= 0.5 * s->run->t_end) {
      path += isnan(before) ? 0 : fabs(now - before);
      lo = fmin(lo, now);
      hi = fmax(hi, now);
      before = now;
    }
  }
  return path / (hi - lo);
}

/* Levers that move against the wheel, by more than 0.1 m/s, on average from 1 s on. */
static double moving_levers(const struct case_results *r, const struct case_series *s, int k) {
  static const double MOVES = 0.1, SETTLED = 1; /* [m/s], [s] */
  const int n = (s->nq - 1) / 2;
  int moving = 0, samples = 0;
  (void)r;
  for (k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * (size_t)s->nq, *u = s->u + (size_t)k * (size_t)s->nu;
    samples += s->t[k] >= SETTLED;
    for (int i = 1; i <= n && s->t[k] >= SETTLED; ++i) {
      moving += hypot(u[i] + u[0] * q[i + n], u[i + n] - u[0] * q[i]) > MOVES;
    }
  }
  return (double)moving / samples;
}

static const struct case_check inelastic_checks[] = {
    {.what = "first reversal of the wheel [s]",
     .runs = "inelastic",
     .value = first_reversal,
     .claim = {0, 2.5, .published = "quickly a pendular motion (moeller 6.3), of 10 s"}},
    {.what = "reversals in the second half",
     .runs = "inelastic",
     .value = later_reversals,
     .claim = {2, 4, .published = "pendular motion (moeller 6.3)"}},
    {.what = "largest jump of the angular velocity [rad/s]",
     .runs = "inelastic",
     .value = largest_jump,
     .claim = {0.2, 1, .published = "large vertical jumps (moeller 6.3)"}},
    {.what = "path of the angular velocity over its range, last 5 s",
     .runs = "inelastic",
     .value = path_over_range,
     .claim = {1, 4, .expected = "a swing or two", .published = "pendular motion (moeller 6.3)"}},
    {0}};
static const struct case_check elastic_checks[] = {
    {.what = "path of the angular velocity over its range, last 5 s",
     .runs = "elastic",
     .value = path_over_range,
     .claim = {10, 300, .expected = "below 4 without impacts",
               .published = "dominated by many impacts (moeller 6.3)"}},
    {.what = "contacts closed in 10 s", .runs = "elastic", .path = "contacts.onsets", .report = 1},
    {.what = "largest jump of the angular velocity [rad/s]",
     .runs = "elastic",
     .value = largest_jump,
     .claim = {0.5, 3, .published = "dominated by impacts (moeller 6.3)"}},
    {.what = "levers in motion from 1 s on, of 12",
     .runs = "elastic",
     .value = moving_levers,
     .claim = {9, 12, .expected = "all, but for those that turn around",
               .published = "a motion of all levers, shortly after starting (moeller 6.3)"}},
    {0}};

/* ---- moeller-6.11 and 6.13: traces ---- */

/* The rim, and the levers of the first sample: hinge and mass, one block each. */
static void write_outline(struct case_plot *plot, const struct case_parameters *p,
                          const struct case_series *s) {
  enum { RIM = 181 };
  const double a = case_real(p, "a");
  const int n = (s->nq - 1) / 2;
  double rim[2 * RIM];
  for (int k = 0; k < RIM; ++k) {
    rim[2 * k] = a * cos(2 * M_PI * k / (RIM - 1));
    rim[2 * k + 1] = a * sin(2 * M_PI * k / (RIM - 1));
  }
  case_plot_table(plot, "rim", "x[m] y[m]", RIM, 2, rim);
  for (int i = 0; i < n; ++i) {
    const double b = s->q[0] + 2 * M_PI * i / n;
    const double lever[4] = {a * cos(b), a * sin(b), s->q[1 + i], s->q[1 + n + i]};
    case_plot_table(plot, "levers", "x[m] y[m]", 2, 2, lever);
  }
}

/* x and y of all masses: one block a mass. */
static void write_traces(struct case_plot *plot, const struct case_series *s) {
  struct base_arena *arena = base_arena_alloc();
  const int n = (s->nq - 1) / 2;
  double *rows = base_arena_matrix(arena, 2, s->n);
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < s->n; ++k) {
      const double *q = s->q + (size_t)k * (size_t)s->nq;
      rows[2 * k] = q[1 + i];
      rows[2 * k + 1] = q[1 + n + i];
    }
    case_plot_table(plot, "traces", "x[m] y[m]", s->n, 2, rows);
  }
  base_arena_free(arena);
}

/* Distance of the masses from the hub [m]: the largest of sign times it. */
static double farthest(const struct case_series *s, int sign) {
  const int levers = (s->nq - 1) / 2;
  double most = -INFINITY;
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * (size_t)s->nq;
    for (int i = 0; i < levers; ++i) {
      most = fmax(most, sign * hypot(q[1 + i], q[1 + levers + i]));
    }
  }
  return sign * most;
}

static double smallest_distance(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return farthest(s, -1);
}

static double largest_distance(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return farthest(s, 1);
}

/* A step's motion past the stop moves a mass on its circle about the hinge. */
static double slack_of(const struct case_results *r, const struct case_series *s) {
  const double height = case_real(r->p, "a") + case_real(r->p, "l");
  return s->run->dt * 2 * sqrt(2 * case_real(r->p, "g") * height);
}

static void tangential(const struct case_results *r, const struct case_series *s, double *lo,
                       double *hi) {
  const double distance = hypot(case_real(r->p, "a"), case_real(r->p, "l"));
  *lo = distance - slack_of(r, s);
  *hi = distance + slack_of(r, s);
}

static void radial(const struct case_results *r, const struct case_series *s, double *lo,
                   double *hi) {
  const double distance = case_real(r->p, "a") + case_real(r->p, "l");
  *lo = distance - slack_of(r, s);
  *hi = distance + ROUNDING;
}

/* Both figures have one run. */
#define TRACE_CHECKS(RUN)                                                                          \
  {                                                                                                \
    {.what = "smallest distance of a mass from the hub [m]; tangential lever sqrt(a^2 + l^2)",     \
     .runs = RUN,                                                                                  \
     .value = smallest_distance,                                                                   \
     .bounds = tangential,                                                                         \
     .claim = {.published = "at most tangential (moeller 6.3)"}},                                  \
        {.what = "largest distance of a mass from the hub [m]; radial lever a + l",                \
         .runs = RUN,                                                                              \
         .value = largest_distance,                                                                \
         .bounds = radial,                                                                         \
         .claim = {.published = "at most perpendicular (moeller 6.3)"}},                           \
        {.what = "largest |g_S| of the rods [m^2]",                                                \
         .runs = RUN,                                                                              \
         .path = "constraints.position_max",                                                       \
         .claim = {0, ROUNDING, .expected = "0"}},                                                 \
    {                                                                                              \
      0                                                                                            \
    }                                                                                              \
  }
static const struct case_check inelastic_trace_checks[] = TRACE_CHECKS("inelastic");
static const struct case_check elastic_trace_checks[] = TRACE_CHECKS("elastic");

static int trace_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  const struct case_series *s =
      n > 0 ? case_series_ok(series, n, series[0].run->label, series[0].nq) : NULL;
  if (s == NULL) {
    return BASE_FAILED;
  }
  write_outline(plot, p, s);
  write_traces(plot, s);
  return BASE_OK;
}

#define PHASE_PANELS(TABLE, LOWEST)                                                                \
  {                                                                                                \
    {.x = "φ [rad]",                                                                               \
     .y = "dφ/dt [rad/s]",                                                                         \
     .x_range = {LOWEST, 0.5},                                                                     \
     .curves = {{NULL, TABLE, 2, 3, .look = "consistent-twostep", .width = 1.2}}},                 \
    {                                                                                              \
      0                                                                                            \
    }                                                                                              \
  }
static const struct case_panel inelastic_panels[] = PHASE_PANELS("inelastic", -2);
static const struct case_panel elastic_panels[] = PHASE_PANELS("elastic", -3);

static const struct case_panel trace_panels[] = {
    {.x = "x [m]",
     .y = "y [m]",
     .x_range = {-0.65, 0.65},
     .y_range = {-0.65, 0.65},
     .curves = {{NULL, "traces", 1, 2, .look = "consistent-twostep", .width = 0.6},
                {NULL, "rim", 1, 2, .look = "reference", .width = 3},
                {NULL, "levers", 1, 2, .look = "mark", .with = CASE_LINESPOINTS}}},
    {0}};

const struct case_figure overbalanced_wheel_figures[] = {
    {.id = "moeller-6.9",
     .title = "Overbalanced wheel: total energy",
     .caption = "With eps = 1 the energy stays, to {eps = 1, dt = 1e-4 s} of it, through all "
                "impacts; with eps = 0 it falls in steps, by {eps = 0: loss of energy} J, and "
                "never rises by more than {eps = 0, dt = 1e-4 s} J. {eps = 0: part of the loss "
                "where} of the loss falls to levers that drop on the right side; of what is lost "
                "in the last 5 s, {eps = 0, last 5 s} on the left. Consistent two-step integrator "
                "at the source's dt = 1e-4 s, 10 s.",
     .runs = overbalanced_wheel_energy_runs,
     .panels = overbalanced_wheel_energy_panels,
     .tables = overbalanced_wheel_energy_tables,
     .checks = overbalanced_wheel_energy_checks},
    {.id = "moeller-6.10",
     .title = "Overbalanced wheel: phase plane, eps = 0",
     .caption = "With eps = 0 the wheel is soon a pendulum: it first turns back at {first "
                "reversal} s, and {reversals in the second half} times in the last 5 s. Levers "
                "that drop onto their radial stop make jumps of up to {largest jump} rad/s. Angle "
                "of the wheel for 10 s, dt = 1e-4 s.",
     .runs = inelastic_runs,
     .panels = inelastic_panels,
     .tables = inelastic_tables,
     .checks = inelastic_checks},
    {.id = "moeller-6.11",
     .title = "Overbalanced wheel: traces of the masses, eps = 0",
     .caption =
         "Masses go between {smallest distance} m from the hub, lever on its tangential stop, and "
         "{largest distance} m, lever on its radial one; the rods keep their length to {largest "
         "|g_S|} m^2. Traces over 10 s at dt = 1e-4 s with eps = 0; rim and levers at the start.",
     .runs = inelastic_trace_runs,
     .panels = trace_panels,
     .square = 1,
     .checks = inelastic_trace_checks,
     .make = trace_make},
    {.id = "moeller-6.12",
     .title = "Overbalanced wheel: phase plane, eps = 1",
     .caption = "With eps = 1 impacts rule the motion: contacts close {contacts closed} times in "
                "10 s, {levers in motion} of the levers move at a time, and the wheel's velocity, "
                "which jumps by up to {largest jump} rad/s, goes {path of} times through its range "
                "in the last 5 s. Angle of the wheel for 10 s, dt = 1e-4 s.",
     .runs = elastic_runs,
     .panels = elastic_panels,
     .tables = elastic_tables,
     .checks = elastic_checks},
    {.id = "moeller-6.13",
     .title = "Overbalanced wheel: traces of the masses, eps = 1",
     .caption =
         "With eps = 1 the masses fill the ring between {smallest distance} m and {largest "
         "distance} m from the hub, bouncing between their stops; the rods keep their length to "
         "{largest |g_S|} m^2. Traces over 10 s at dt = 1e-4 s; rim and levers at the start.",
     .runs = elastic_trace_runs,
     .panels = trace_panels,
     .square = 1,
     .checks = elastic_trace_checks,
     .make = trace_make},
    {.id = "moeller-2.5",
     .title = "Projected iterations on the wheel's one-step problems",
     .caption = "Gauss-Seidel's iteration takes {projected Gauss-Seidel: iterations} of the "
                "iterations of Jacobi's, Newton's as many as that, to the last bit; half of "
                "Jacobi's factor takes {projected Jacobi, half} times as many, a quarter "
                "{projected Jacobi, a quarter} times. One-step problems of Moreau's midpoint rule "
                "for 1 s, eps = 0, from zero to a residual of 1e-8.",
     .runs = overbalanced_wheel_iteration_runs,
     .panels = overbalanced_wheel_iteration_panels,
     .tables = overbalanced_wheel_iteration_tables,
     .checks = overbalanced_wheel_iteration_checks},
    {.id = NULL}};
