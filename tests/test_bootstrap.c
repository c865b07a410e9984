/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bootstrap intervals against known distributions: how many of a few hundred of them hold the true
 * value, within 3.5 standard deviations of the binomial count; ends against Edgeworth's expansion;
 * resamples that are infinite or undefined against their exact chance.
 */
#include "la/ensemble/bootstrap.h"

#include "la/ensemble/quantile.h"
#include "tests/test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <stdlib.h>

enum { MOST = 2000 };
struct sample {
  double x[MOST], scratch[MOST];
  int calls;
};

static void median_of(int n, const int *index, void *data, double *values) {
  struct sample *s = data;
  for (int i = 0; i < n; ++i) {
    s->scratch[i] = s->x[index[i]];
  }
  values[0] = la_median(n, s->scratch);
}

/* The mean and its exponential function. */
static void mean_of(int n, const int *index, void *data, double *values) {
  struct sample *s = data;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += s->x[index[i]];
  }
  values[0] = sum / n;
  values[1] = exp(sum / n);
  ++s->calls;
}

static double exponential(struct base_rng *rng) { return -log(1 - base_rng_uniform(rng, 0, 1)); }

static int holds(const struct la_interval *interval, double x) {
  return interval->lo <= x && x <= interval->hi;
}

/* Is `count` of n within 3.5 standard deviations of what the chance p lets expect? */
static void check_count(int count, int n, double p) {
  CHECK_NEAR(count, n * p, 3.5 * sqrt(n * p * (1 - p)));
}

TEST(hold_the_median_of_an_exponential) {
  enum { N = 60, TIMES = 200 };
  struct base_rng *rng = test_rng(0);
  static struct sample sample;
  static const double levels[] = {0.8, 0.95};
  for (int l = 0; l < 2; ++l) {
    int held = 0;
    for (int k = 0; k < TIMES; ++k) {
      for (int i = 0; i < N; ++i) {
        sample.x[i] = exponential(rng);
      }
      struct la_sampling sampling = la_sampling_default(N);
      sampling.resamples = 500;
      sampling.level = levels[l];
      sampling.seed = (unsigned long)k;
      struct la_interval interval;
      la_bootstrap(&sampling, 1, median_of, &sample, test_arena(), &interval, NULL);
      held += holds(&interval, log(2));
    }
    check_count(held, TIMES, levels[l]);
  }
}

/* Members of a cluster share most of their value. Drawn one by one they seem to know much more of
 * the mean than they do. */
TEST(of_clusters_hold_the_mean) {
  enum { CLUSTERS = 20, EACH = 10, TIMES = 300 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  static struct sample sample;
  int held = 0, held_single = 0, cluster[CLUSTERS * EACH];
  for (int k = 0; k < TIMES; ++k) {
    for (int c = 0; c < CLUSTERS; ++c) {
      const double common = base_rng_normal(rng);
      for (int i = 0; i < EACH; ++i) {
        const int member = i * CLUSTERS + c;
        cluster[member] = c;
        sample.x[member] = common + 0.7 * base_rng_normal(rng);
      }
    }
    struct la_sampling sampling = la_sampling_default(CLUSTERS * EACH);
    sampling.resamples = 400;
    sampling.seed = (unsigned long)k;
    struct la_interval interval[2];
    la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, NULL);
    held_single += holds(&interval[0], 0);
    sampling.cluster = cluster;
    la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, NULL);
    held += holds(&interval[0], 0);
  }
  check_count(held, TIMES, 0.94); /* of so few units and resamples; 0.947 with 100 units */
  CHECK(held_single < 0.7 * TIMES);
}

/* With the normal distribution's z and without the root 90 % would hold it. */
TEST(of_few_units_hold_the_mean) {
  enum { N = 8, TIMES = 800 };
  CHECK_NEAR(la_bootstrap_widen(1.959964, 20), 2.093024 * sqrt(20.0 / 19), 1e-6);
  CHECK_NEAR(la_bootstrap_widen(-1.959964, 8), -2.364624 * sqrt(8.0 / 7), 1e-6);
  struct base_rng *rng = test_rng(0);
  static struct sample sample;
  int held = 0;
  for (int k = 0; k < TIMES; ++k) {
    base_rng_normals(rng, N, sample.x);
    struct la_sampling sampling = la_sampling_default(N);
    sampling.resamples = 1000;
    sampling.seed = (unsigned long)k;
    struct la_interval interval[2];
    la_bootstrap(&sampling, 2, mean_of, &sample, test_arena(), interval, NULL);
    held += holds(&interval[0], 0);
  }
  check_count(held, TIMES, 0.943);
}

/* By the equations: of a mean the jackknife's values are off theirs by (x_i - mean) / (n - 1). */
TEST(ends_are_the_quantiles_defined) {
  enum { N = 20, RESAMPLES = 999 };
  struct base_arena *arena = test_arena();
  static struct sample sample;
  double mean = 0, square = 0, cube = 0, below = 0;
  for (int i = 0; i < N; ++i) {
    sample.x[i] = i * i * i;
    mean += sample.x[i] / N;
  }
  for (int i = 0; i < N; ++i) {
    square += pow(sample.x[i] - mean, 2);
    cube += pow(sample.x[i] - mean, 3);
  }
  struct la_sampling sampling = la_sampling_default(N);
  sampling.resamples = RESAMPLES;
  sampling.level = 0.9;
  struct la_interval interval[2];
  double *replicates = base_arena_matrix(arena, RESAMPLES, 2);
  double *means = base_arena_doubles(arena, RESAMPLES);
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, replicates);
  for (int b = 0; b < RESAMPLES; ++b) {
    means[b] = replicates[2 * b];
    below += means[b] < mean;
  }
  const double z0 = gsl_cdf_ugaussian_Pinv((below + 0.5) / (RESAMPLES + 1));
  const double a = cube / (6 * pow(square, 1.5)), z = 1.7291328 * sqrt(20.0 / 19); /* t of 19 */
  const double p = gsl_cdf_ugaussian_P(z0 + (z0 - z) / (1 - a * (z0 - z)));
  const double q = gsl_cdf_ugaussian_P(z0 + (z0 + z) / (1 - a * (z0 + z)));
  CHECK(z0 > 0.02 && a > 0.02);
  CHECK_NEAR(interval[0].lo, la_quantile(RESAMPLES, means, p), 1e-4 * mean);
  CHECK_NEAR(interval[0].hi, la_quantile(RESAMPLES, means, q), 1e-4 * mean);
}

/* The ends of BCa for a mean are m + s / sqrt(n) (-+z + (2 z^2 + 1) skewness / (6 sqrt(n))) up to
 * O(1 / n) of s / sqrt(n) (Hall, The Bootstrap and Edgeworth Expansion, 1992, 3.10). Plain
 * quantiles have z^2 - 1 for 2 z^2 + 1, those with a = 0 have z^2 + 1: in units of the skewness /
 * sqrt(n) 0.47 and 0.81 for 1.45. */
TEST(ends_are_those_of_an_expansion) {
  enum { N = 500, RESAMPLES = 60000 };
  struct base_arena *arena = test_arena();
  static struct sample sample;
  double mean = 0, square = 0, cube = 0;
  for (int i = 0; i < N; ++i) {
    sample.x[i] = -log(1 - (i + 0.5) / N); /* quantiles of the exponential distribution */
    mean += sample.x[i] / N;
  }
  for (int i = 0; i < N; ++i) {
    const double d = sample.x[i] - mean;
    square += d * d / N;
    cube += d * d * d / N;
  }
  struct la_sampling sampling = la_sampling_default(N);
  sampling.resamples = RESAMPLES;
  struct la_interval interval[2];
  double *replicates = base_arena_matrix(arena, RESAMPLES, 2);
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, replicates);
  const double z = 1.959964, skewness = cube / (square * sqrt(square)), s = sqrt(square / N);
  const double middle = (2 * z * z + 1) * skewness / (6 * sqrt(N));
  const double noise = sqrt(0.025 * 0.975 / RESAMPLES) / gsl_ran_ugaussian_pdf(z); /* of an end */
  /* of the middle; the share of resamples below the value, 1/2, is known up to 1 / (2 sqrt(n)) */
  const double noise_z0 = 0.5 / sqrt(RESAMPLES) / gsl_ran_ugaussian_pdf(0);
  const double noise_middle = sqrt(noise * noise / 2 + 4 * noise_z0 * noise_z0);
  CHECK_NEAR((interval[0].lo + interval[0].hi) / 2, mean + s * middle, 4 * s * noise_middle);
  CHECK(4 * noise_middle < 0.6 * skewness / sqrt(N)); /* tells it from 0.81 */
  CHECK_NEAR(interval[0].hi - interval[0].lo, 2 * z * s,
             4 * s * noise * sqrt(2) + 10.0 / N * 2 * z * s);
  /* with transformations they go along, but for the interpolation between resamples */
  CHECK_NEAR(log(interval[1].lo), interval[0].lo, 1e-2 * s);
  CHECK_NEAR(log(interval[1].hi), interval[0].hi, 1e-2 * s);
  double drawn = 0;
  for (int b = 0; b < RESAMPLES; ++b) {
    drawn += replicates[2 * b] / RESAMPLES;
  }
  CHECK_NEAR(drawn, mean, 4.5 * s / sqrt(RESAMPLES));
  CHECK_INT(sample.calls, 1 + RESAMPLES + 400); /* the jackknife in groups */
}

TEST(are_the_same_for_the_same_seed) {
  enum { N = 17 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  static struct sample sample;
  for (int i = 0; i < N; ++i) {
    sample.x[i] = exponential(rng);
  }
  struct la_sampling sampling = la_sampling_default(N);
  struct la_interval one[2], other[2];
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, one, NULL);
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, other, NULL);
  CHECK(one[0].lo == other[0].lo && one[0].hi == other[0].hi);
  sampling.seed = 2;
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, other, NULL);
  CHECK(one[0].lo != other[0].lo && one[0].value == other[0].value);
  /* members in another order are the same ensemble, drawn otherwise; clusters of one are members */
  int cluster[N];
  for (int i = 0; i < N; ++i) {
    cluster[i] = i;
  }
  sampling.cluster = cluster;
  la_bootstrap(&sampling, 2, mean_of, &sample, arena, one, NULL);
  CHECK(one[0].lo == other[0].lo && one[0].hi == other[0].hi);
}

/* Of 11 members 5 failed: a resample's median is infinite when it draws 6 or more of them. */
TEST(count_infinite_resamples) {
  enum { N = 11, FAILED = 5, RESAMPLES = 4000 };
  static struct sample sample;
  double chance = 0;
  for (int i = 0; i < N; ++i) {
    sample.x[i] = i < FAILED ? (double)INFINITY : i;
    chance += i >= N / 2 ? gsl_ran_binomial_pdf((unsigned)i + 1, (double)FAILED / N, N) : 0;
  }
  struct la_sampling sampling = la_sampling_default(N);
  sampling.resamples = RESAMPLES;
  struct la_interval interval;
  la_bootstrap(&sampling, 1, median_of, &sample, test_arena(), &interval, NULL);
  CHECK(interval.value == 10 && interval.hi == INFINITY && isfinite(interval.lo));
  check_count(interval.infinite, RESAMPLES, chance);
  CHECK_INT(interval.undefined, 0);
}

/* Not defined where member 0 is not drawn, with the chance (1 - 1/n)^n. */
static void mean_with_first(int n, const int *index, void *data, double *values) {
  const struct sample *s = data;
  double sum = 0;
  int has_first = 0;
  for (int i = 0; i < n; ++i) {
    sum += s->x[index[i]];
    has_first = has_first || index[i] == 0;
  }
  values[0] = has_first ? sum / n : NAN;
}

TEST(never_narrow_by_undefined_resamples) {
  enum { N = 12, RESAMPLES = 4000 };
  static struct sample sample;
  for (int i = 0; i < N; ++i) {
    sample.x[i] = i;
  }
  struct la_sampling sampling = la_sampling_default(N);
  sampling.resamples = RESAMPLES;
  struct la_interval interval;
  la_bootstrap(&sampling, 1, mean_with_first, &sample, test_arena(), &interval, NULL);
  check_count(interval.undefined, RESAMPLES, pow(1 - 1.0 / N, N));
  CHECK(interval.lo == -INFINITY && interval.hi == INFINITY && interval.value == 5.5);
}

TEST(need_enough_units) {
  CHECK_INT(la_bootstrap_fewest(0.95), 6); /* 2 / 2^6 <= 0.05 < 2 / 2^5 */
  CHECK_INT(la_bootstrap_fewest(0.9), 5);
  CHECK_INT(la_bootstrap_fewest(0.5), 2);
  struct base_arena *arena = test_arena();
  static struct sample sample = {.x = {1, 2, 3, 4, 5, 6}};
  static const int pairs[] = {0, 0, 1, 1, 2, 2};
  for (int n = 1; n <= 6; ++n) {
    struct la_sampling sampling = la_sampling_default(n);
    struct la_interval interval[2];
    la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, NULL);
    CHECK_NEAR(interval[0].value, (n + 1) / 2.0, 1e-15);
    CHECK(isnan(interval[0].lo) == (n < 6) && isnan(interval[0].hi) == (n < 6));
    sampling.cluster = pairs;
    la_bootstrap(&sampling, 2, mean_of, &sample, arena, interval, NULL);
    CHECK(isnan(interval[0].lo) && isnan(interval[0].hi));
  }
}
