/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paired comparisons and ranks; see paired.h.
 */
#include "la/ensemble/paired.h"

#include <math.h>

#include "la/ensemble/quantile.h"

static double as_error(double x) { return isnan(x) ? (double)INFINITY : x; }

/* ---- two ---- */

struct pairs {
  double *log_ratio, *better; /* n each */
  struct base_arena *arena;
};

static void summarise_pairs(int n, const int *index, void *data, double *values) {
  const struct pairs *pairs = data;
  const struct base_arena_mark mark = base_arena_mark(pairs->arena);
  double *log_ratio = base_arena_room(pairs->arena, (size_t)n * sizeof *log_ratio);
  double better = 0;
  for (int i = 0; i < n; ++i) {
    log_ratio[i] = pairs->log_ratio[index[i]];
    better += pairs->better[index[i]];
  }
  values[0] = la_median(n, log_ratio);
  values[1] = better / n;
  base_arena_release(pairs->arena, mark);
}

struct la_paired la_paired(const struct la_sampling *sampling, const double *a, const double *b,
                           struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = sampling->n;
  struct la_paired paired = {0};
  struct pairs pairs = {.log_ratio = base_arena_doubles(arena, n),
                        .better = base_arena_doubles(arena, n),
                        .arena = arena};
  for (int i = 0; i < n; ++i) {
    const double x = as_error(a[i]), y = as_error(b[i]);
    pairs.log_ratio[i] = x == y ? 0 : log10(x) - log10(y);
    pairs.better[i] = x < y ? 1 : x > y ? 0 : 0.5;
    paired.failed_a += isinf(x) != 0;
    paired.failed_b += isinf(y) != 0;
    paired.failed_both += isinf(x) && isinf(y);
  }
  struct la_interval interval[2];
  la_bootstrap(sampling, 2, summarise_pairs, &pairs, arena, interval, NULL);
  paired.log_ratio = interval[0];
  paired.better = interval[1];
  base_arena_release(arena, mark);
  return paired;
}

/* ---- many ---- */

#define SAME_RANK 1e-12 /* differences of mean ranks below it are rounding */

struct places {
  int K;
  double *place; /* n x K */
};

static void mean_places(int n, const int *index, void *data, double *values) {
  const struct places *places = data;
  for (int k = 0; k < places->K; ++k) {
    values[k] = 0;
  }
  for (int i = 0; i < n; ++i) {
    const double *place = places->place + (size_t)index[i] * (size_t)places->K;
    for (int k = 0; k < places->K; ++k) {
      values[k] += place[k];
    }
  }
  for (int k = 0; k < places->K; ++k) {
    values[k] /= n;
  }
}

/* place: n x K */
static void find_places(int n, int K, const double *errors, double *place) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < K; ++k) {
      const double own = as_error(errors[(size_t)k * (size_t)n + (size_t)i]);
      double better = 0;
      for (int j = 0; j < K; ++j) {
        const double other = as_error(errors[(size_t)j * (size_t)n + (size_t)i]);
        better += j == k ? 0 : other < own ? 1 : other == own ? 0.5 : 0;
      }
      place[(size_t)i * (size_t)K + (size_t)k] = 1 + better;
    }
  }
}

/* means: resamples x K */
static void count_first(int resamples, int K, const double *means, struct la_rank *rank) {
  for (int b = 0; b < resamples; ++b) {
    const double *mean = means + (size_t)b * (size_t)K;
    double least = INFINITY;
    int alike = 0;
    for (int k = 0; k < K; ++k) {
      alike = mean[k] < least ? 1 : alike + (mean[k] == least);
      least = fmin(least, mean[k]);
    }
    for (int k = 0; k < K; ++k) {
      rank[k].first += mean[k] == least ? 1.0 / alike / resamples : 0;
    }
  }
}

/* s: K x K, spread of the differences of mean ranks over the resamples. */
static void find_spreads(int resamples, int K, const double *means, const struct la_rank *rank,
                         double *s) {
  for (int k = 0; k < K; ++k) {
    for (int j = 0; j < K; ++j) {
      double square = 0;
      for (int b = 0; b < resamples; ++b) {
        const double *mean = means + (size_t)b * (size_t)K;
        const double d = mean[k] - mean[j] - (rank[k].mean.value - rank[j].mean.value);
        square += d * d;
      }
      s[k * K + j] = sqrt(square / resamples);
    }
  }
}

/* c of paired.h; s: K x K. */
static double critical_value(const struct la_sampling *sampling, int units, int K,
                             const double *means, const struct la_rank *rank, const double *s,
                             struct base_arena *arena) {
  double *largest = base_arena_doubles(arena, sampling->resamples);
  for (int b = 0; b < sampling->resamples; ++b) {
    const double *mean = means + (size_t)b * (size_t)K;
    for (int k = 0; k < K; ++k) {
      for (int j = 0; j < K; ++j) {
        const double d = mean[k] - mean[j] - (rank[k].mean.value - rank[j].mean.value);
        largest[b] = s[k * K + j] > SAME_RANK ? fmax(largest[b], d / s[k * K + j]) : largest[b];
      }
    }
  }
  return la_bootstrap_widen(la_quantile(sampling->resamples, largest, sampling->level), units);
}

void la_ranks(const struct la_sampling *sampling, int K, const double *errors,
              struct base_arena *arena, struct la_rank *rank) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = sampling->n, resamples = sampling->resamples;
  struct places places = {.K = K, .place = base_arena_matrix(arena, n, K)};
  struct la_interval *mean = base_arena_array(arena, (size_t)K, 1, sizeof *mean);
  double *means = base_arena_matrix(arena, resamples, K), *s = base_arena_matrix(arena, K, K);
  find_places(n, K, errors, places.place);
  la_bootstrap(sampling, K, mean_places, &places, arena, mean, means);
  for (int k = 0; k < K; ++k) {
    rank[k] = (struct la_rank){.mean = mean[k], .may_be_best = 1};
  }
  count_first(resamples, K, means, rank);
  const int units = la_bootstrap_units(sampling);
  if (units >= la_bootstrap_fewest(sampling->level)) {
    find_spreads(resamples, K, means, rank, s);
    const double c = critical_value(sampling, units, K, means, rank, s, arena);
    for (int k = 0; k < K; ++k) {
      for (int j = 0; j < K; ++j) {
        const double worse_by = rank[k].mean.value - rank[j].mean.value;
        rank[k].may_be_best = rank[k].may_be_best && worse_by <= c * s[k * K + j] + SAME_RANK;
      }
    }
  }
  base_arena_release(arena, mark);
}
