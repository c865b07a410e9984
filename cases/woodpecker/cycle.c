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

const struct case_function woodpecker_cycle_functions[] = {
    {"last_period", .value = woodpecker_last_period},
    {"period", .value = period},
    {"drop", .value = drop},
    {"lowest_phi", .value = lowest_phi},
    {"unsteady", .value = unsteady},
    {0}};
