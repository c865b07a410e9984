/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures of the woodpecker (moeller 6.4):
 *
 *   moeller-6.16      solution at dt = 1e-5 s, consistent two-step and Moreau; event as reference
 *   moeller-6.17, 18  phase planes of sleeve and woodpecker over three periods, contact limits
 *   moeller-6.19      two-step at dt = 1e-3 s: ydot oscillates while the sleeve sticks
 *   moeller-6.20      energies of both at dt = 1e-3 s from sticking to sliding (both: coarse.c)
 *   woodpecker-cycle  period, drop and lowest phi against dt (ours; cycle.c)
 *
 * Curves are compared as they are drawn (case_drawn_distance).
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

/* ---- moeller-6.16 ---- */

/* Largest distance of a's curve from b's, both ways, as a fraction of the panel. */
static double drawn_distance(const struct case_series *a, const struct case_series *b,
                             enum woodpecker_component c) {
  struct base_arena *arena = base_arena_alloc();
  double *y_a = base_arena_doubles(arena, a->n), *y_b = base_arena_doubles(arena, b->n);
  for (int k = 0; k < a->n; ++k) {
    y_a[k] = woodpecker_value(a, k, c);
  }
  for (int k = 0; k < b->n; ++k) {
    y_b[k] = woodpecker_value(b, k, c);
  }
  const double worst = a->n == b->n ? case_drawn_distance(a->n, a->t, y_a, y_b) : NAN;
  base_arena_free(arena);
  return worst;
}

/* The largest over all components, from the run that it is set against. */
static double drawn_distance_all(const struct case_results *r, const struct case_series *a, int k) {
  double worst = 0;
  (void)k;
  for (int c = 0; c < WOODPECKER_COMPONENTS; ++c) {
    worst = case_worst(worst, drawn_distance(a, r->against, (enum woodpecker_component)c));
  }
  return worst;
}

/* ---- moeller-6.17, moeller-6.18: phase planes ---- */

/* Angle at which gap i closes [rad]. */
static double limit(const struct case_parameters *p, int beak) {
  return beak ? (case_real(p, "l_M") + case_real(p, "l_G") - case_real(p, "l_S") -
                 case_real(p, "r_O")) /
                    case_real(p, "h_S")
              : (case_real(p, "r_M") - case_real(p, "r_O")) / case_real(p, "h_M");
}

double woodpecker_extreme(const struct case_series *s, enum woodpecker_component c, int sign) {
  double worst = -INFINITY;
  for (int k = 0; k < s->n; ++k) {
    worst = fmax(worst, sign * woodpecker_value(s, k, c));
  }
  return sign * worst;
}

/* Impacts are found within a step: an angle can pass its limit by what it moves in one of 1e-5 s,
 * at up to 33 rad/s (alpha) and 18 rad/s (phi). */
static const double ALPHA_PASSES = 33e-5, PHI_PASSES = 18e-5; /* [rad] */

/* A sample lies this close to a stop that is touched for a while [rad]; the beak strikes with 17
 * rad/s, and a sample lies within 17 times their distance of it. */
static const double LIMIT_NEAR = 1e-4, BEAK_NEAR = 4e-4;

static double largest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return woodpecker_extreme(s, WOODPECKER_ALPHA, 1);
}

static double smallest_alpha(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return woodpecker_extreme(s, WOODPECKER_ALPHA, -1);
}

static double largest_phi(const struct case_results *r, const struct case_series *s, int k) {
  (void)r, (void)k;
  return woodpecker_extreme(s, WOODPECKER_PHI, 1);
}

static void touches_above(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  *lo = limit(r->p, 0) - LIMIT_NEAR;
  *hi = limit(r->p, 0) + ALPHA_PASSES;
  (void)s;
}

static void touches_below(const struct case_results *r, const struct case_series *s, double *lo,
                          double *hi) {
  touches_above(r, s, hi, lo);
  *lo = -*lo;
  *hi = -*hi;
}

static void beak_touches(const struct case_results *r, const struct case_series *s, double *lo,
                         double *hi) {
  *lo = limit(r->p, 1) - BEAK_NEAR;
  *hi = limit(r->p, 1) + PHI_PASSES;
  (void)s;
}

/* ---- panels ---- */

const struct case_function woodpecker_functions[] = {
    {"drawn_distance_all", .value = drawn_distance_all},
    {"largest_alpha", .value = largest_alpha},
    {"touches_above", .bounds = touches_above},
    {"smallest_alpha", .value = smallest_alpha},
    {"touches_below", .bounds = touches_below},
    {"largest_phi", .value = largest_phi},
    {"beak_touches", .bounds = beak_touches},
    {0}};
