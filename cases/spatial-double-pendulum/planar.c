/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bhalerao-10: the first impacts of the planar pendulum with eps_N = 0.7, as the speeds of P1
 * before and after them. The speed before an impact is the largest of the last samples before the
 * sign change, the speed after it the largest of those that follow, WINDOW each (LASTING for
 * contact springs): a gap-level scheme closes the contact in one step and lets it spring back in
 * the next. Gravity over WINDOW steps moves a speed by WINDOW g dt, the joint about as much: of a
 * speed of 1 m/s, at dt = 1e-3 s, four parts in a hundred; proportional to dt.
 */
#include "cases/spatial-double-pendulum/spatial-double-pendulum.h"

#include <math.h>
#include <string.h>

enum { WINDOW = 4, LASTING = 25, IMPACTS = 5 };
static const double SLOW = 1e-3; /* [m/s], no impact */

static double vertical(const struct case_series *s, int k) {
  return k >= 0 && k < s->n ? s->u[(long)k * s->nu + SPATIAL_DOUBLE_PENDULUM_V_P1 + 2] : 0;
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

static const double *ratios(const struct case_results *r, const struct case_series *s, int *n) {
  double *x = base_arena_doubles(r->arena, IMPACTS);
  *n = find_impacts(s, x);
  return x;
}

const struct case_function spatial_double_pendulum_planar_functions[] = {
    {"ratios", .lists = ratios}, {0}};
