/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bisection by trials; see bisect.h. Every trial counts, in whatever order: a second question asked
 * of the same trials starts from where they leave it.
 */
#include "bench/outcome/bisect.h"

#include <math.h>

#include "base/status.h"

static int is_yes(const struct bench_bisection *b, const struct bench_trials *t, int i) {
  return b->holds(b->question, t->status[i], t->measured[b->number][i]);
}

/* The largest value with the answer of lo that has only such values below it, and the smallest with
 * the other. */
static void bracket(const struct bench_bisection *b, const struct bench_trials *t, double *holds,
                    double *fails) {
  double same = NAN, other = NAN;
  *holds = *fails = NAN;
  if (t->n == 0 || t->status[0] == BASE_TIMEOUT) {
    return;
  }
  const int at_lo = is_yes(b, t, 0);
  for (int i = 1; i < t->n; ++i) {
    if (t->status[i] != BASE_TIMEOUT && is_yes(b, t, i) != at_lo) {
      other = fmin(other, t->value[i]); /* fmin passes over NaN */
    }
  }
  for (int i = 0; i < t->n; ++i) {
    if (t->status[i] != BASE_TIMEOUT && is_yes(b, t, i) == at_lo && !(t->value[i] >= other)) {
      same = fmax(same, t->value[i]);
    }
  }
  *holds = at_lo ? same : other;
  *fails = at_lo ? other : same;
}

double bench_bisect_next(const struct bench_bisection *b, const struct bench_trials *trials,
                         double *holds, double *fails) {
  bracket(b, trials, holds, fails);
  const double yes = *holds, no = *fails, low = fmin(yes, no), high = fmax(yes, no);
  for (int i = 0; i < trials->n; ++i) {
    if (trials->status[i] == BASE_TIMEOUT) {
      return NAN;
    }
  }
  if (trials->n < 2) {
    return trials->n == 0 ? b->lo : b->hi;
  }
  const double middle = b->is_logarithmic ? sqrt(yes) * sqrt(no) : yes + (no - yes) / 2;
  const int is_far =
      b->is_logarithmic ? high / low > b->tolerance : high - low > b->tolerance * (b->hi - b->lo);
  return isnan(middle) || !is_far || middle == yes || middle == no || trials->n == BENCH_TRIALS_MAX
             ? NAN
             : middle;
}
