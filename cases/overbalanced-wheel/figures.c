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

const struct case_function overbalanced_wheel_functions[] = {
    {"first_reversal", .value = first_reversal},
    {"later_reversals", .value = later_reversals},
    {"largest_jump", .value = largest_jump},
    {"path_over_range", .value = path_over_range},
    {"smallest_distance", .value = smallest_distance},
    {"tangential", .bounds = tangential},
    {"largest_distance", .value = largest_distance},
    {"radial", .bounds = radial},
    {"trace_make", .make = trace_make},
    {"moving_levers", .value = moving_levers},
    {0}};
