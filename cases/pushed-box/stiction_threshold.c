/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stiction-threshold: the smallest push that moves the box, between decades of pushes on either
 * side of what is expected: limit (1 -+ 10^-k). The limit is mu m g, and for a polyhedral cone
 * pushed along the normal of an edge cos(pi/n) times that (pushed-box.c). The box moves when its
 * speed rises from the middle of the horizon to the end by more than MOVES of what mu g gives in
 * that time; a push of limit (1 + 10^-k) gives it 10^-k. (A speed alone is none:
 * consistent-quaternion holds the mean of the velocities before and after a step, and keeps half a
 * step of the push.)
 *
 * Near the limit sweeps need thousands of iterations; Newton's method and the interior point do
 * not. The two-step scheme with quaternions and event-driven integration get the box of the plane:
 * with four feet the first finds contacts that cannot move, and the second follows the direction of
 * sliding in steps as short as the push is near the limit.
 *
 * Penalty forces have no sharp limit: regularised friction creeps under any push, and springs that
 * are pushed all of a sudden swing. Nor has mdp on redundant contacts: their friction forces need
 * not be parallel, and what is across the push is lost. What they do is in the figure.
 */
#include "cases/pushed-box/pushed-box.h"

#include "cases/figure/series.h"

#include <math.h>
#include <stdio.h>

enum { DECADES = 7, PUSHES = 2 * DECADES };

static const double END = 0.02;   /* [s] */
static const double MOVES = 2e-8; /* of mu g t, t half the horizon */

static double limit_of(double n_dir) { return n_dir > 0 ? cos(M_PI / n_dir) : 1; }

/* How much faster the box is at the end than half-way, over mu g t. */
static double rise(const struct case_results *r, const struct case_series *s, int k) {
  const double unit = 0.5 * END * case_real(r->p, "mu") * case_real(r->p, "g");
  (void)k;
  if (!case_series_ended(s) || s->n != 3) {
    return NAN;
  }
  const double *half = s->u + s->nu, *end = half + s->nu;
  const double y = s->nu > 3 ? 1 : 0; /* in the plane the second component is up */
  return (hypot(end[0], y * end[1]) - hypot(half[0], y * half[1])) / unit;
}

/* Of all pushes of a subject, of which this run is the first: the smallest that moves the box;
 * NaN where one has no rise. */
static double moves(const struct case_results *r, const struct case_series *s, int k) {
  double smallest = INFINITY;
  for (k = PUSHES - 1; k >= 0; --k) {
    const double risen = rise(r, s + k, -1);
    if (isnan(risen)) {
      return NAN;
    }
    smallest = risen > MOVES ? case_number(s + k, "case.parameters.push") : smallest;
  }
  return smallest;
}

/* The largest push below that. */
static double stays(const struct case_results *r, const struct case_series *s, int k) {
  const double smallest = moves(r, s, -1);
  double largest = 0;
  for (k = 0; k < PUSHES; ++k) {
    const double push = case_number(s + k, "case.parameters.push");
    largest = push < smallest ? push : largest;
  }
  return isnan(smallest) ? NAN : largest;
}

static double limit(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return limit_of(case_word(r, s, "n_dir"));
}

const struct case_function pushed_box_stiction_threshold_functions[] = {{"rise", .value = rise},
                                                                        {"limit", .value = limit},
                                                                        {"stays", .value = stays},
                                                                        {"moves", .value = moves},
                                                                        {0}};
