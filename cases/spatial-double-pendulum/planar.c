/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The planar pendulum: bhalerao-9, stick and slide of P1 with mu = 0.2, and bhalerao-10, rebounds
 * with eps_N = 0.7.
 *
 * Sticking is read from event: P1 slower than STICKS at a sample and its neighbours. What is
 * checked there is the distance of P1 from the plane, for schemes on gap level, and how much it
 * moves, for those that hold P1 where it touched; the former err by dt^2 and meet 1e-9 m at dt =
 * 2e-5 s, or at the step of all with their gaps corrected.
 *
 * The speed before an impact is the largest of the last samples before the sign change, the speed
 * after it the largest of those that follow, WINDOW each (LASTING for contact springs): a gap-level
 * scheme closes the contact in one step and lets it spring back in the next.
 */
#include "cases/spatial-double-pendulum/figures.h"

#include <math.h>
#include <string.h>

/* ---- bhalerao-9 ---- */

static const double TOUCH = 0.16;   /* [s], after the impact */
static const double STICKS = 1e-10; /* [m/s] */

static double speed(const struct case_series *s, int k) {
  return hypot(spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1),
               spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 1));
}

/* 1 where P1 sticks, at sample k of event. */
static int sticks(const struct case_series *event, int k) {
  int yes = event->t[k] > TOUCH;
  for (int j = k - 1; j <= k + 1; ++j) {
    yes = yes && j >= 0 && j < event->n && speed(event, j) < STICKS;
  }
  return yes;
}

static double height(const struct case_series *s, int k) {
  return spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1 + 2);
}

/* Largest |z|, or largest change of z within a phase, while the run it is set against sticks. */
static double while_sticking(const struct case_results *r, const struct case_series *s, int gap) {
  const struct case_series *event = r->against;
  double worst = 0, z0 = 0;
  int seen = 0;
  for (int k = 0; k < event->n && event->n == s->n; ++k) {
    if (!sticks(event, k)) {
      continue;
    }
    ++seen;
    z0 = k == 0 || !sticks(event, k - 1) ? height(s, k) : z0;
    worst = case_worst(worst, fabs(gap ? height(s, k) : height(s, k) - z0));
  }
  return seen > 0 ? worst : NAN;
}

static double gap_sticking(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return while_sticking(r, s, 1);
}

static double change_sticking(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return while_sticking(r, s, 0);
}

/* Largest |z| once it has touched. */
static double largest_height(const struct case_results *r, const struct case_series *s, int k) {
  double worst = s->n > 0 ? 0 : NAN;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    worst = s->t[k] > TOUCH ? case_worst(worst, fabs(height(s, k))) : worst;
  }
  return worst;
}

static double count_sticking(const struct case_results *r, const struct case_series *s, int k) {
  int phases = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    phases += sticks(s, k) && !sticks(s, k - 1);
  }
  return phases;
}

static double count_sliding(const struct case_results *r, const struct case_series *s, int k) {
  int phases = 0;
  (void)r;
  for (k = 1; k < s->n; ++k) {
    phases += !sticks(s, k) && sticks(s, k - 1);
  }
  return phases;
}

static double x_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return spatial_double_pendulum_q(s, k, SPATIAL_DOUBLE_PENDULUM_P1);
}

static double z_of(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return height(s, k);
}

static double event_sticks(const struct case_results *r, const struct case_series *s, int k) {
  (void)s;
  return sticks(r->against, k);
}

/* ---- bhalerao-10 ---- */

enum { WINDOW = 4, LASTING = 25, IMPACTS = 5 };
static const double SLOW = 1e-3; /* [m/s], no impact */
static const double EPS = 0.7;   /* of the source */
/* Gravity over WINDOW steps moves a speed by WINDOW g dt, the joint about as much: of a speed of
 * 1 m/s, at dt = 1e-3 s, four parts in a hundred; proportional to dt. */
static const double RATIO_MISS = 40; /* [1/s] */

static double vertical(const struct case_series *s, int k) {
  return k >= 0 && k < s->n ? spatial_double_pendulum_u(s, k, SPATIAL_DOUBLE_PENDULUM_V_P1 + 2) : 0;
}

/* The first impacts: speed after over speed before; IMPACTS. Returns their number. */
static int find_impacts(const struct case_series *s, double *ratios) {
  const int window = strcmp(s->run->formulation, "penalty") == 0 ? LASTING : WINDOW;
  int found = 0;
  for (int k = 1; k < s->n && found < IMPACTS; ++k) {
    if (!(vertical(s, k) > SLOW && vertical(s, k - 1) <= SLOW)) {
      continue;
    }
    double before = 0, after = 0;
    for (int j = 0; j < window; ++j) {
      before = fmin(before, vertical(s, k - 1 - j));
      after = fmax(after, vertical(s, k + j));
    }
    if (-before > SLOW) {
      ratios[found++] = after / -before;
    }
  }
  return found;
}

static double is_impact(const struct case_results *r, const struct case_series *s, int k) {
  double ratios[IMPACTS];
  (void)r;
  return k < find_impacts(s, ratios);
}

static void impact_row(const struct case_results *r, const struct case_series *s, int k,
                       double *out) {
  double ratios[IMPACTS];
  (void)r;
  find_impacts(s, ratios);
  out[0] = k + 1;
  out[1] = ratios[k];
}

static double vertical_speed(const struct case_results *r, const struct case_series *s, int k) {
  (void)r;
  return vertical(s, k);
}

static double ratio_error(const struct case_results *r, const struct case_series *s, int k) {
  double ratios[IMPACTS], worst = 0;
  const int found = find_impacts(s, ratios);
  (void)r;
  for (k = 0; k < found; ++k) {
    worst = case_worst(worst, fabs(ratios[k] - EPS));
  }
  return found == IMPACTS ? worst : NAN;
}

static void a_few_steps(const struct case_results *r, const struct case_series *s, double *lo,
                        double *hi) {
  (void)r;
  *lo = 0;
  *hi = RATIO_MISS * s->run->dt;
}

const struct case_function spatial_double_pendulum_planar_functions[] = {
    {"x_of", .value = x_of},
    {"z_of", .value = z_of},
    {"event_sticks", .value = event_sticks},
    {"count_sticking", .value = count_sticking},
    {"count_sliding", .value = count_sliding},
    {"largest_height", .value = largest_height},
    {"gap_sticking", .value = gap_sticking},
    {"change_sticking", .value = change_sticking},
    {"vertical_speed", .value = vertical_speed},
    {"impact_row", .row = impact_row},
    {"is_impact", .value = is_impact},
    {"ratio_error", .value = ratio_error},
    {"a_few_steps", .bounds = a_few_steps},
    {0}};
