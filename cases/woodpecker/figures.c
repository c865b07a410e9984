/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * moeller-6.16: solutions are compared as their curves are drawn (case_drawn_distance).
 */
#include "cases/woodpecker/figures.h"

#include "cases/figure/series.h"

#include <math.h>

enum { N = 3 }; /* coordinates, and velocities */

/* Component c of q, then u, at every sample. */
static const double *component(const struct case_series *s, int c, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, s->n);
  for (int k = 0; k < s->n; ++k) {
    x[k] = c < N ? s->q[N * k + c] : s->u[N * k + c - N];
  }
  return x;
}

/* The largest of all components from the run beside, a fraction of the panel. */
static double drawn_distance(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *other = r->against;
  struct base_arena *arena = base_arena_alloc();
  double worst = s->n == other->n ? 0 : NAN;
  (void)k;
  for (int c = 0; c < 2 * N && s->n == other->n; ++c) {
    const double *a = component(s, c, arena), *b = component(other, c, arena);
    worst = case_worst(worst, case_drawn_distance(s->n, s->t, a, b));
  }
  base_arena_free(arena);
  return worst;
}

const struct case_function woodpecker_functions[] = {{"drawn_distance", .value = drawn_distance},
                                                     {0}};
