/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bootstrap intervals; see bootstrap.h. Where there are more than JACKKNIFE_MOST units, the
 * jackknife leaves out groups of them: sum d^3 and sum d^2 over groups are to first order those
 * over units. Where a jackknife's value is not finite, a = 0 (BC).
 */
#include "la/ensemble/bootstrap.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "la/ensemble/quantile.h"
#include "la/statistics.h"

enum { JACKKNIFE_MOST = 400 };

/* Members by units: those of unit i are member[start[i]] ... member[start[i + 1] - 1]. */
struct units {
  int n, largest;
  int *start, *member;
};

struct la_sampling la_sampling_default(int n) {
  return (struct la_sampling){.n = n, .resamples = 2000, .level = 0.95, .seed = 1};
}

int la_bootstrap_fewest(double level) { return 1 + (int)ceil(-log2(1 - level)); }

int la_bootstrap_units(const struct la_sampling *s) {
  int units = s->cluster == NULL ? s->n : 0;
  for (int i = 0; s->cluster != NULL && i < s->n; ++i) {
    assert(s->cluster[i] >= 0);
    units = units > s->cluster[i] ? units : s->cluster[i] + 1;
  }
  return units;
}

double la_bootstrap_widen(double z, int units) {
  const double t = la_student_quantile(gsl_cdf_ugaussian_P(-fabs(z)), units - 1);
  return copysign(sqrt(units / (units - 1.0)) * t, z);
}

static struct units units_of(const struct la_sampling *s, struct base_arena *arena) {
  struct units units = {.n = la_bootstrap_units(s)};
  units.start = base_arena_ints(arena, units.n + 1);
  units.member = base_arena_ints(arena, s->n);
  int *next = base_arena_ints(arena, units.n);
  for (int i = 0; i < s->n; ++i) {
    ++units.start[1 + (s->cluster != NULL ? s->cluster[i] : i)];
  }
  for (int i = 0; i < units.n; ++i) {
    units.largest = units.largest > units.start[i + 1] ? units.largest : units.start[i + 1];
    units.start[i + 1] += units.start[i];
    next[i] = units.start[i];
  }
  for (int i = 0; i < s->n; ++i) {
    units.member[next[s->cluster != NULL ? s->cluster[i] : i]++] = i;
  }
  return units;
}

/* Members of a unit behind the first n of index; how many there are then. */
static int append_unit(const struct units *units, int unit, int n, int *index) {
  const int size = units->start[unit + 1] - units->start[unit];
  memcpy(index + n, units->member + units->start[unit], (size_t)size * sizeof *index);
  return n + size;
}

/* Acceleration a: k. */
static void accelerate(const struct units *units, int k, la_statistic *statistic, void *data,
                       struct base_arena *arena, int *index, double *a) {
  const int groups = units->n < JACKKNIFE_MOST ? units->n : JACKKNIFE_MOST;
  double *values = base_arena_matrix(arena, groups, k);
  for (int g = 0; g < groups; ++g) {
    int n = 0;
    for (int i = 0; i < units->n; ++i) {
      n = (int)((long)i * groups / units->n) != g ? append_unit(units, i, n, index) : n;
    }
    statistic(n, index, data, values + (size_t)g * (size_t)k);
  }
  for (int j = 0; j < k; ++j) {
    double mean = 0, square = 0, cube = 0;
    for (int g = 0; g < groups; ++g) {
      mean += values[(size_t)g * (size_t)k + (size_t)j] / groups;
    }
    for (int g = 0; g < groups; ++g) {
      const double d = mean - values[(size_t)g * (size_t)k + (size_t)j];
      square += d * d;
      cube += d * d * d;
    }
    a[j] = square > 0 && isfinite(cube) ? cube / (6 * square * sqrt(square)) : 0;
  }
}

/* Which quantile of the resamples is the end that plain quantiles have at Phi(z). */
static double end_of(double z0, double a, double z) {
  const double w = z0 + z, scale = 1 - a * w;
  return scale > 0 ? gsl_cdf_ugaussian_P(z0 + w / scale) : w > 0 ? 1 : 0;
}

/* Quantile p of values: n, every k-th number, with something instead of NaN. x: n, scratch. */
static double quantile_with(int n, const double *values, int k, double instead, double p,
                            double *x) {
  for (int b = 0; b < n; ++b) {
    const double value = values[(size_t)b * (size_t)k];
    x[b] = isnan(value) ? instead : value;
  }
  return la_quantile(n, x, p);
}

/* The ends from values: resamples, every k-th number. */
static void set_ends(const struct la_sampling *s, int units, const double *values, int k, double a,
                     double *scratch, struct la_interval *interval) {
  double below = 0;
  for (int b = 0; b < s->resamples; ++b) {
    const double value = values[(size_t)b * (size_t)k];
    interval->infinite += isinf(value) != 0;
    interval->undefined += isnan(value) != 0;
    /* what is not defined is on neither side */
    below += value < interval->value ? 1 : value > interval->value ? 0 : 0.5;
  }
  if (units < la_bootstrap_fewest(s->level)) {
    return;
  }
  /* a share of 0 or 1 says no more than that it is within half a resample of it */
  const double z0 = gsl_cdf_ugaussian_Pinv((below + 0.5) / (s->resamples + 1));
  const double z = la_bootstrap_widen(gsl_cdf_ugaussian_Pinv((1 + s->level) / 2), units);
  const double p = end_of(z0, a, -z), q = end_of(z0, a, z);
  interval->lo = quantile_with(s->resamples, values, k, -INFINITY, p, scratch);
  interval->hi = quantile_with(s->resamples, values, k, INFINITY, q, scratch);
}

void la_bootstrap(const struct la_sampling *sampling, int k, la_statistic *statistic, void *data,
                  struct base_arena *arena, struct la_interval *interval, double *replicates) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct units units = units_of(sampling, arena);
  const int resamples = sampling->resamples;
  const size_t longest = (size_t)units.n * (size_t)units.largest;
  int *index = base_arena_array(arena, longest + 1, 1, sizeof *index);
  double *values = replicates != NULL ? replicates : base_arena_matrix(arena, resamples, k);
  double *whole = base_arena_doubles(arena, k), *a = base_arena_doubles(arena, k);
  double *scratch = base_arena_doubles(arena, resamples);
  struct base_rng *rng = base_rng_alloc(sampling->seed);

  statistic(sampling->n, units.member, data, whole);
  for (int b = 0; b < resamples; ++b) {
    int n = 0;
    for (int i = 0; i < units.n; ++i) {
      n = append_unit(&units, base_rng_below(rng, units.n), n, index);
    }
    statistic(n, index, data, values + (size_t)b * (size_t)k);
  }
  if (units.n >= la_bootstrap_fewest(sampling->level)) {
    accelerate(&units, k, statistic, data, arena, index, a);
  }
  for (int j = 0; j < k; ++j) {
    interval[j] = (struct la_interval){.value = whole[j], .lo = NAN, .hi = NAN};
    set_ends(sampling, units.n, values + j, k, a[j], scratch, &interval[j]);
  }
  base_rng_free(rng);
  base_arena_release(arena, mark);
}
