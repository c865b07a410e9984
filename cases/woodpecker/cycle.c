/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * woodpecker-cycle: period, drop and lowest phi of the limit cycle against dt. A period ends when
 * phidot passes zero upwards while the woodpecker hangs down. With one impact a step (ncp,
 * restitution=newton) gap level lands the sleeve in two halves, gap / dt and the rest, and friction
 * turns around between them: what comes out depends on where in a step the landing falls, for any
 * dt. With successive impacts in a step it is over within one.
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

/* Times when phidot passes zero upwards while the woodpecker hangs down, with y and phi there. */
struct turns {
  int n;
  double t[16], y[16], phi[16];
};
enum { TURNS_MAX = 16 };

static struct turns find_turns(const struct case_series *s) {
  static const double HANGS = -0.4; /* [rad]: below, phidot changes sign once a period */
  struct turns w = {0};
  for (int k = 0; k + 1 < s->n && w.n < TURNS_MAX; ++k) {
    const double a = woodpecker_value(s, k, WOODPECKER_PHI_DOT),
                 b = woodpecker_value(s, k + 1, WOODPECKER_PHI_DOT);
    if (a < 0 && b >= 0 && woodpecker_value(s, k, WOODPECKER_PHI) < HANGS) {
      const double part = a / (a - b);
      w.t[w.n] = s->t[k] + part * (s->t[k + 1] - s->t[k]);
      w.y[w.n] =
          woodpecker_value(s, k, WOODPECKER_Y) +
          part * (woodpecker_value(s, k + 1, WOODPECKER_Y) - woodpecker_value(s, k, WOODPECKER_Y));
      w.phi[w.n++] =
          fmin(woodpecker_value(s, k, WOODPECKER_PHI), woodpecker_value(s, k + 1, WOODPECKER_PHI));
    }
  }
  return w;
}

/* Mean of the last n periods (or drops), even: deviations from the cycle alternate. */
static double last_mean(const struct turns *w, const double *x, int n) {
  return w->n > n ? (x[w->n - 1] - x[w->n - 1 - n]) / n : NAN;
}

double woodpecker_last_period(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns turns = find_turns(s);
  (void)r, (void)k;
  return last_mean(&turns, turns.t, 2);
}

/* What the periods of a converged scheme still vary by, relative. */
#define CYCLE_STEADY 2e-3

const struct case_runs woodpecker_cycle_runs[] = {
    {.label = "event", .formulation = "event", .dt = "1e-4", .t_end = "1.05", .sample = "1e-4"},
    {.label = "{form} {dt}",
     .formulation = "{form}",
     .dt = "{dt}",
     .t_end = "1.05", /* seven periods */
     .sample = "1e-4",
     .over = {{"form", "moreau lcp-ap ncp consistent-twostep"}, {"dt", "0.0001 3e-05 1e-05"}}},
    {.label = "newton {dt}",
     .formulation = "ncp",
     .opt = "restitution=newton",
     .dt = "{dt}",
     .t_end = "1.05",
     .sample = "1e-4",
     .over = {{"dt", "0.0001 3e-05 1e-05"}}},
    {0}};

/* Means over the last four periods [s], [m]. */
static double period(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return last_mean(&w, w.t, 4);
}

static double drop(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return -last_mean(&w, w.y, 4);
}

/* Of the last two periods [rad]. */
static double lowest_phi(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  (void)r, (void)k;
  return w.n >= 2 ? 0.5 * (w.phi[w.n - 1] + w.phi[w.n - 2]) : NAN;
}

/* Largest deviation of a mean over two periods from the period of `event`, relative. */
static double unsteady(const struct case_results *r, const struct case_series *s, int k) {
  const struct turns w = find_turns(s);
  const double exact = period(r, r->against, k);
  double worst = w.n >= 7 ? 0 : NAN;
  for (int i = 0; i + 2 < w.n; ++i) {
    worst = case_worst(worst, fabs((w.t[i + 2] - w.t[i]) / 2 / exact - 1));
  }
  return worst;
}

#define CYCLE_COLUMNS                                                                              \
  {                                                                                                \
    {"dt[s]", "dt"}, {"period[s]", .value = period}, {"drop[m]", .value = drop}, {                 \
      "phi_min[rad]", .value = lowest_phi                                                          \
    }                                                                                              \
  }
const struct case_table woodpecker_cycle_tables[] = {
    {.name = "event", .runs = "event", .along = "", .columns = CYCLE_COLUMNS},
    {.name = "{form}", .runs = "{form} {dt}", .along = "dt", .columns = CYCLE_COLUMNS},
    {.name = "newton", .runs = "newton {dt}", .along = "dt", .columns = CYCLE_COLUMNS},
    {0}};

const struct case_check woodpecker_cycle_checks[] = {
    {.what = "event: period [s]",
     .runs = "event",
     .value = period,
     .claim = {0.1455, 0.1465, .expected = "0.146, of the periodic solution"}},
    {.what = "event: drop a period [m]",
     .runs = "event",
     .value = drop,
     .claim = {.lo = 0.019, .hi = 0.02}},
    {.what = "event: lowest phi [rad]",
     .runs = "event",
     .value = lowest_phi,
     .claim = {.lo = -0.535, .hi = -0.525}},
    {.what = "{form} at dt = 1e-5 s: two periods off those of event by at most",
     .runs = "{form} {dt}",
     .where = {{"dt", "1e-05"}},
     .value = unsteady,
     .against = "event",
     .claim = {0, CYCLE_STEADY, .expected = "converged"}},
    {.what = "ncp, one impact a step, at dt = 1e-5 s: the same",
     .runs = "newton 1e-05",
     .value = unsteady,
     .against = "event",
     .claim = {CYCLE_STEADY, 0.1, .expected = "not converged"}},
    {0}};

#define CYCLE_PANEL(Y_LABEL, COLUMN, SCALE, KEY, EVENT, FORM, NEWTON)                              \
  {                                                                                                \
    .x = "dt [s]", .head = Y_LABEL, .log = "x", .x_range = {8e-6, 1.25e-4}, .key = KEY,            \
    .curves = {                                                                                    \
      {EVENT, "event", 1, COLUMN, SCALE, "reference", 3, .with = CASE_LEVEL},                      \
      {FORM, "{}", 1, COLUMN, SCALE, "{}", .with = CASE_LINESPOINTS,                               \
       .over = "moreau lcp-ap ncp consistent-twostep"},                                            \
      {NEWTON, "newton", 1, COLUMN, SCALE, "red", .with = CASE_LINESPOINTS}                        \
    }                                                                                              \
  }
const struct case_panel woodpecker_cycle_panels[] = {
    CYCLE_PANEL("period [ms]", 2, 1e3, "foot", "event", "{}", "ncp, one impact a step"),
    CYCLE_PANEL("drop [mm]", 3, 1e3, NULL, NULL, NULL, NULL),
    CYCLE_PANEL("lowest φ [mrad]", 4, 1e3, NULL, NULL, NULL, NULL),
    {0}};
