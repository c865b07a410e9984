/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the overbalanced wheel (moeller 6.3), all by the consistent two-step integrator:
 *
 *   moeller-6.9        total energy for eps = 1 and eps = 0
 *   moeller-6.10, 12   phase plane of the wheel's angle over 10 s, eps = 0 and 1
 *   moeller-6.11, 13   traces of the masses with the wheel's outline, eps = 0 and 1
 *
 * The source's step is 1e-4 s; here the energy for eps = 1 is followed at it for all 10 s, that for
 * eps = 0, whose levers stay closed and take their time, for the first 0.5 s, which holds the first
 * impacts. The rest is at 1e-3 s: energy and rods are exact to rounding for any step, and the
 * motion for eps = 1 is chaotic for every one.
 */
#include "cases/overbalanced-wheel/figures.h"

#include "base/status.h"
#include "cases/figure/series.h"

#include <math.h>

static const double LONG_STEP = 1e-3, LONG_END = 10; /* [s] */
static const double CONSERVED = 1e-10;               /* of the energy, relative (catalogue) */
static const double ROUNDING = 1e-12;                /* of energy and rods over a run */

/* nq of the run, from its parameters. */
static int coordinates(const struct case_parameters *p) { return 1 + 2 * (int)case_real(p, "n"); }

/* t and columns first, second of q or u next to each other. */
static void write_columns(struct case_plot *plot, const char *name, const char *columns,
                          const struct case_series *s, const double *first, int first_stride,
                          const double *second, int second_stride) {
  struct base_arena *arena = base_arena_alloc();
  double *rows = base_arena_matrix(arena, 3, s->n);
  for (int k = 0; k < s->n; ++k) {
    rows[3 * k] = s->t[k];
    rows[3 * k + 1] = first[(size_t)k * (size_t)first_stride];
    rows[3 * k + 2] = second[(size_t)k * (size_t)second_stride];
  }
  case_plot_table(plot, name, columns, s->n, 3, rows);
  base_arena_free(arena);
}

/* ---- moeller-6.9 ---- */

#define WHEEL(NAME, EPS, DT, T_END, SAMPLE)                                                        \
  {                                                                                                \
    .label = NAME, .formulation = "consistent-twostep", .set = "eps=" EPS, .dt = DT,               \
    .t_end = T_END, .sample = SAMPLE                                                               \
  }
static const struct case_runs energy_runs[] = {WHEEL("elastic", "1", "1e-3", "10", "5e-3"),
                                               WHEEL("inelastic", "0", "1e-3", "10", "5e-3"),
                                               WHEEL("elastic-fine", "1", "1e-4", "10", "5e-3"),
                                               WHEEL("inelastic-fine", "0", "1e-4", "0.5", "5e-3"),
                                               {0}};
static const struct case_runs inelastic_runs[] = {WHEEL("inelastic", "0", "1e-3", "10", "5e-3"),
                                                  {0}};
static const struct case_runs elastic_runs[] = {WHEEL("elastic", "1", "1e-3", "10", "5e-3"), {0}};
static const struct case_runs inelastic_trace_runs[] = {
    WHEEL("inelastic", "0", "1e-3", "10", "1e-2"), {0}};
static const struct case_runs elastic_trace_runs[] = {WHEEL("elastic", "1", "1e-3", "10", "1e-2"),
                                                      {0}};

/* The part of the whole loss that the largest losses, one a sample in ten, make up: near 1 for a
 * staircase, near 0.1 for a ramp. */
static double in_steps(const struct case_series *s, struct base_arena *arena) {
  double *loss = base_arena_doubles(arena, s->n), part = 0;
  for (int k = 0; k + 1 < s->n; ++k) {
    loss[k] = s->energy[k] - s->energy[k + 1];
  }
  for (int round = 0; round < s->n / 10; ++round) {
    int largest = 0;
    for (int k = 1; k + 1 < s->n; ++k) {
      largest = loss[k] > loss[largest] ? k : largest;
    }
    part += loss[largest];
    loss[largest] = 0;
  }
  return part / (s->energy[0] - s->energy[s->n - 1]);
}

static int energy_make(const struct case_parameters *p, const struct case_series *series, int n,
                       struct case_plot *plot) {
  const int nq = coordinates(p);
  const struct case_series *elastic = case_series_ok(series, n, "elastic", nq);
  const struct case_series *inelastic = case_series_ok(series, n, "inelastic", nq);
  const struct case_series *elastic_fine = case_series_ok(series, n, "elastic-fine", nq);
  const struct case_series *inelastic_fine = case_series_ok(series, n, "inelastic-fine", nq);
  if (elastic == NULL || inelastic == NULL || elastic_fine == NULL || inelastic_fine == NULL) {
    return BASE_FAILED;
  }
  case_plot_check(plot, "eps = 1, dt = 1e-4 s, 10 s: largest |E/E_0 - 1|",
                  case_energy_deviation(elastic_fine), 0, CONSERVED, "constant");
  case_plot_check(plot, "eps = 1, dt = 1e-3 s, 10 s: largest |E/E_0 - 1|",
                  case_energy_deviation(elastic), 0, CONSERVED, "constant");
  case_plot_check(plot, "eps = 0, dt = 1e-4 s: largest rise of E in a step [J]",
                  case_number(inelastic_fine, "energy.max_increase"), 0, ROUNDING, "never rises");
  case_plot_check(plot, "eps = 0, dt = 1e-3 s, 10 s: largest rise of E in a step [J]",
                  case_number(inelastic, "energy.max_increase"), 0, ROUNDING, "never rises");
  case_plot_check(plot, "eps = 0: loss of energy over 10 s [J]",
                  inelastic->energy[0] - inelastic->energy[inelastic->n - 1], 0.5, INFINITY,
                  "decreasing");
  struct base_arena *arena = base_arena_alloc();
  case_plot_check(plot, "eps = 0: part of the loss in the tenth of the time with most of it",
                  in_steps(inelastic, arena), 0.8, 1, "stepwise");
  base_arena_free(arena);
  write_columns(plot, "elastic", "t[s] E[J] phi[rad]", elastic_fine, elastic_fine->energy, 1,
                elastic_fine->q, nq);
  write_columns(plot, "inelastic", "t[s] E[J] phi[rad]", inelastic, inelastic->energy, 1,
                inelastic->q, nq);
  return BASE_OK;
}

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

/* Largest change of phidot between samples. */
static double largest_jump(const struct case_series *s) {
  double worst = 0;
  for (int k = 1; k < s->n; ++k) {
    worst =
        fmax(worst, fabs(s->u[(size_t)k * (size_t)s->nu] - s->u[(size_t)(k - 1) * (size_t)s->nu]));
  }
  return worst;
}

static int inelastic_phase_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot) {
  const int nq = coordinates(p);
  const struct case_series *s = case_series_ok(series, n, "inelastic", nq);
  if (s == NULL) {
    return BASE_FAILED;
  }
  double first, later;
  reversals(s, 0, &first);
  case_plot_check(plot, "first reversal of the wheel [s]", first, 0, 0.5 * LONG_END,
                  "quickly pendular");
  case_plot_check(plot, "reversals in the second half", reversals(s, 0.5 * LONG_END, &later), 2,
                  INFINITY, "pendular motion");
  case_plot_check(plot, "largest jump of the angular velocity [rad/s]", largest_jump(s), 0.2,
                  INFINITY, "large vertical jumps");
  write_columns(plot, "inelastic", "t[s] phi[rad] phi_dot[rad/s]", s, s->q, nq, s->u, nq);
  return BASE_OK;
}

static int elastic_phase_make(const struct case_parameters *p, const struct case_series *series,
                              int n, struct case_plot *plot) {
  const int nq = coordinates(p);
  const struct case_series *s = case_series_ok(series, n, "elastic", nq);
  if (s == NULL) {
    return BASE_FAILED;
  }
  case_plot_check(plot, "contacts closed in 10 s", case_number(s, "contacts.onsets"), 1000,
                  INFINITY, "many impacts");
  case_plot_check(plot, "largest jump of the angular velocity [rad/s]", largest_jump(s), 0.2,
                  INFINITY, "dominated by impacts");
  write_columns(plot, "elastic", "t[s] phi[rad] phi_dot[rad/s]", s, s->q, nq, s->u, nq);
  return BASE_OK;
}

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

static int trace_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot, const char *label) {
  const struct case_series *s = case_series_ok(series, n, label, coordinates(p));
  if (s == NULL) {
    return BASE_FAILED;
  }
  const double a = case_real(p, "a"), l = case_real(p, "l");
  const int levers = (s->nq - 1) / 2;
  double nearest = INFINITY, farthest = 0;
  for (int k = 0; k < s->n; ++k) {
    const double *q = s->q + (size_t)k * (size_t)s->nq;
    for (int i = 0; i < levers; ++i) {
      const double r = hypot(q[1 + i], q[1 + levers + i]);
      nearest = fmin(nearest, r);
      farthest = fmax(farthest, r);
    }
  }
  /* a step's motion past the stop moves a mass on its circle about the hinge */
  const double slack = LONG_STEP * 2 * sqrt(2 * case_real(p, "g") * (a + l));
  case_plot_check(plot,
                  "smallest distance of a mass from the hub [m]; tangential lever sqrt(a^2 + "
                  "l^2)",
                  nearest, hypot(a, l) - slack, hypot(a, l) + slack, "");
  case_plot_check(plot, "largest distance of a mass from the hub [m]; radial lever a + l", farthest,
                  a + l - slack, a + l + ROUNDING, "");
  case_plot_check(plot, "largest |g_S| of the rods [m^2]",
                  case_number(s, "constraints.position_max"), 0, ROUNDING, "0");
  write_outline(plot, p, s);
  write_traces(plot, s);
  return BASE_OK;
}

static int inelastic_trace_make(const struct case_parameters *p, const struct case_series *series,
                                int n, struct case_plot *plot) {
  return trace_make(p, series, n, plot, "inelastic");
}

static int elastic_trace_make(const struct case_parameters *p, const struct case_series *series,
                              int n, struct case_plot *plot) {
  return trace_make(p, series, n, plot, "elastic");
}

const struct case_figure overbalanced_wheel_figures[] = {
    {.id = "moeller-6.9",
     .title = "Overbalanced wheel: total energy",
     .caption =
         "Consistent two-step integrator: constant for eps = 1, at the source's dt = 1e-4 s; "
         "stepwise falling for eps = 0, at 1e-3 s (1e-4 s checked for 0.5 s).",
     .runs = energy_runs,
     .make = energy_make},
    {.id = "moeller-6.10",
     .title = "Overbalanced wheel: phase plane, eps = 0",
     .caption = "The angle of the wheel for 10 s, dt = 1e-3 s. Levers that drop onto their radial "
                "stop make the jumps; the wheel soon swings as a pendulum.",
     .runs = inelastic_runs,
     .make = inelastic_phase_make},
    {.id = "moeller-6.11",
     .title = "Overbalanced wheel: traces of the masses, eps = 0",
     .caption = "10 s at dt = 1e-3 s; rim and levers at the start.",
     .runs = inelastic_trace_runs,
     .make = inelastic_trace_make},
    {.id = "moeller-6.12",
     .title = "Overbalanced wheel: phase plane, eps = 1",
     .caption = "The angle of the wheel for 10 s, dt = 1e-3 s, dominated by impacts.",
     .runs = elastic_runs,
     .make = elastic_phase_make},
    {.id = "moeller-6.13",
     .title = "Overbalanced wheel: traces of the masses, eps = 1",
     .caption = "10 s at dt = 1e-3 s; rim and levers at the start.",
     .runs = elastic_trace_runs,
     .make = elastic_trace_make},
    {.id = NULL}};
