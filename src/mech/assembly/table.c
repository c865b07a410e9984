/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values over time: the natural cubic spline through the samples,
 *
 *   s(t) = A y_k + B y_{k+1} + h^2/6 [(A^3 - A) s''_k + (B^3 - B) s''_{k+1}],
 *   A = (t_{k+1} - t)/h,  B = (t - t_k)/h,  h = t_{k+1} - t_k,
 *
 * with s' continuous and s'' = 0 at the ends (la/spline.h).
 * Constant outside the samples: there the rate jumps, unless the samples begin and end at rest.
 * Right at a jump it is that after it: of the spline at the first sample, zero at the last.
 */
#include "mech/assembly/parts.h"

#include "la/spline.h"

#include <math.h>
#include <string.h>

struct mech_spline mech_spline_build(const struct mech_table *table, struct base_arena *arena) {
  if (table->n <= 0) {
    return (struct mech_spline){.n = 0};
  }
  const size_t size = (size_t)table->n * sizeof(double);
  double *t = base_arena_doubles(arena, table->n), *value = base_arena_doubles(arena, table->n);
  double *second = base_arena_doubles(arena, table->n);
  memcpy(value, table->value, size);
  if (table->t != NULL) {
    memcpy(t, table->t, size);
  }
  la_spline_natural(table->n, t, value, second);
  return (struct mech_spline){.n = table->n, .t = t, .value = value, .second = second};
}

void mech_spline_at(const struct mech_spline *s, double t, double out[3]) {
  const int n = s->n;
  out[0] = out[1] = out[2] = 0;
  if (n == 0) {
    return;
  }
  if (n == 1 || t < s->t[0] || t >= s->t[n - 1]) {
    out[0] = s->value[n > 1 && t >= s->t[n - 1] ? n - 1 : 0];
    return;
  }
  int lo = 0, hi = n - 1; /* t_lo <= t < t_hi */
  while (hi - lo > 1) {
    const int middle = lo + (hi - lo) / 2;
    *(t < s->t[middle] ? &hi : &lo) = middle;
  }
  const double h = s->t[hi] - s->t[lo], A = (s->t[hi] - t) / h, B = (t - s->t[lo]) / h;
  const double ya = s->value[lo], yb = s->value[hi], a = s->second[lo], b = s->second[hi];
  out[0] = A * ya + B * yb + h * h / 6 * ((A * A * A - A) * a + (B * B * B - B) * b);
  out[1] = (yb - ya) / h + h / 6 * ((3 * B * B - 1) * b - (3 * A * A - 1) * a);
  out[2] = A * a + B * b;
}

double mech_spline_break(const struct mech_spline *s, double t) {
  int after = 0, end = s->n > 1 ? s->n : 0; /* a constant has none */
  while (after < end) {
    const int middle = after + (end - after) / 2;
    if (s->t[middle] > t) {
      end = middle;
    } else {
      after = middle + 1;
    }
  }
  return s->n > 1 && after < s->n ? s->t[after] : INFINITY;
}
