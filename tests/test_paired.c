/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paired comparisons and ranks: a known shift between two formulations is found although members
 * differ by far more; competitors without a difference are not told apart, others are; failures and
 * ties by hand.
 */
#include "la/ensemble/paired.h"

#include "tests/test.h"

#include <gsl/gsl_cdf.h>

/* Is `count` of n within 3.5 standard deviations of what the chance p lets expect? */
static void check_count(int count, int n, double p) {
  CHECK_NEAR(count, n * p, 3.5 * sqrt(n * p * (1 - p)));
}

/* Members' errors spread over 4 decades; a is 10^-0.1 of b but for a noise of 0.2 decades. */
TEST(shift_between_two_is_found) {
  enum { N = 32, TIMES = 300 };
  const double shift = -0.1, noise = 0.2;
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  int held = 0, held_better = 0;
  for (int k = 0; k < TIMES; ++k) {
    double a[N], b[N];
    for (int i = 0; i < N; ++i) {
      b[i] = pow(10, base_rng_uniform(rng, -6, -2));
      a[i] = b[i] * pow(10, shift + noise * base_rng_normal(rng));
    }
    struct la_sampling sampling = la_sampling_default(N);
    sampling.resamples = 500;
    sampling.seed = (unsigned long)k;
    const struct la_paired p = la_paired(&sampling, a, b, arena);
    const double better = gsl_cdf_ugaussian_P(-shift / noise);
    held += p.log_ratio.lo <= shift && shift <= p.log_ratio.hi;
    held_better += p.better.lo <= better && better <= p.better.hi;
    CHECK(p.log_ratio.hi - p.log_ratio.lo < 0.5);
    CHECK_INT(p.failed_a + p.failed_b + p.failed_both, 0);
    const struct la_paired other = la_paired(&sampling, b, a, arena);
    CHECK_NEAR(other.log_ratio.value, -p.log_ratio.value, 1e-14);
    CHECK_NEAR(other.better.value, 1 - p.better.value, 1e-14);
  }
  check_count(held, TIMES, 0.95);
  check_count(held_better, TIMES, 0.95);
}

TEST(failures_and_ties_count) {
  static const double a[] = {1, 1, NAN, INFINITY, 0, 10, 2, 0};
  static const double b[] = {10, 1, 1, NAN, 1, 1, 1, 0};
  struct base_arena *arena = test_arena();
  const struct la_sampling sampling = la_sampling_default(8);
  const struct la_paired p = la_paired(&sampling, a, b, arena);
  /* logarithms -1 0 inf 0 -inf 1 log 2 0, better 2 and 3 ties of 8 */
  CHECK(p.log_ratio.value == 0);
  CHECK(p.better.value == 3.5 / 8);
  CHECK(p.failed_a == 2 && p.failed_b == 1 && p.failed_both == 1);
  CHECK(p.log_ratio.lo < 0 && p.log_ratio.hi > 0);

  static const double bad[] = {NAN, INFINITY, INFINITY, INFINITY, 1, 1, 1, 1};
  static const double good[] = {1, 1, 1, 1, 1, 1, 1, 1};
  const struct la_paired one = la_paired(&sampling, bad, good, arena);
  CHECK(one.log_ratio.value == INFINITY && one.better.value == 0.25);
  CHECK(one.log_ratio.infinite > 0 && one.log_ratio.hi == INFINITY && one.log_ratio.lo == 0);
}

TEST(ranks_by_hand) {
  static const double errors[4][6] = {{1, 1, 1, 1, 1, 1},
                                      {2, 2, 2, 2, 2, 2},
                                      {2, 3, 2, 3, 2, 3},
                                      {INFINITY, NAN, 9, 9, INFINITY, 9}};
  struct base_arena *arena = test_arena();
  struct la_sampling sampling = la_sampling_default(6);
  struct la_rank rank[4];
  la_ranks(&sampling, 4, errors[0], arena, rank);
  CHECK_NEAR(rank[0].mean.value, 1, 1e-15);
  CHECK_NEAR(rank[1].mean.value, (3 * 2.5 + 3 * 2) / 6, 1e-15);
  CHECK_NEAR(rank[2].mean.value, (3 * 2.5 + 3 * 3) / 6, 1e-15);
  CHECK_NEAR(rank[3].mean.value, 4, 1e-15);
  CHECK_NEAR(rank[0].first, 1, 1e-12);
  CHECK(rank[0].mean.lo == 1 && rank[0].mean.hi == 1);
  CHECK(rank[0].may_be_best && !rank[1].may_be_best && !rank[2].may_be_best);
  /* of five members alike in favour of one there is nothing to be said */
  sampling.n = 5;
  static const double few[2][5] = {{1, 1, 1, 1, 1}, {2, 2, 2, 2, 2}};
  la_ranks(&sampling, 2, few[0], arena, rank);
  CHECK(rank[0].may_be_best && rank[1].may_be_best && isnan(rank[1].mean.lo));
  /* all the same */
  sampling.n = 6;
  static const double same[3][6] = {{0}};
  la_ranks(&sampling, 3, same[0], arena, rank);
  for (int k = 0; k < 3; ++k) {
    CHECK(rank[k].mean.value == 2 && rank[k].may_be_best);
    CHECK_NEAR(rank[k].first, 1.0 / 3, 1e-12);
  }
}

enum { K = 5, MEMBERS = 24, TIMES = 300 };

/* Errors of K competitors over members, the last of them better by a shift in units of the noise;
 * clusters: of two members with the same noise. */
static void draw_errors(struct base_rng *rng, double shift, int has_clusters,
                        double errors[K][MEMBERS]) {
  for (int i = 0; i < MEMBERS; ++i) {
    const double common = 3 * base_rng_normal(rng);
    for (int k = 0; k < K; ++k) {
      const double own = base_rng_normal(rng) - (k == K - 1 ? shift : 0);
      errors[k][i] = has_clusters && i % 2 ? errors[k][i - 1] * 2 : exp(common + own);
    }
  }
}

TEST(equal_competitors_are_not_told_apart) {
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  double errors[K][MEMBERS];
  int cluster[MEMBERS];
  for (int i = 0; i < MEMBERS; ++i) {
    cluster[i] = i / 2;
  }
  for (int has_clusters = 0; has_clusters < 2; ++has_clusters) {
    int kept = 0, all = 0, all_single = 0, held = 0;
    for (int t = 0; t < TIMES; ++t) {
      struct la_sampling sampling = la_sampling_default(MEMBERS);
      sampling.resamples = 300;
      sampling.seed = (unsigned long)t;
      struct la_rank rank[K];
      draw_errors(rng, 0, has_clusters, errors);
      la_ranks(&sampling, K, errors[0], arena, rank);
      all_single += rank[0].may_be_best && rank[1].may_be_best && rank[2].may_be_best &&
                    rank[3].may_be_best && rank[4].may_be_best;
      sampling.cluster = has_clusters ? cluster : NULL;
      la_ranks(&sampling, K, errors[0], arena, rank);
      int together = 1;
      double first = 0;
      for (int k = 0; k < K; ++k) {
        together = together && rank[k].may_be_best;
        first += rank[k].first;
      }
      CHECK_NEAR(first, 1, 1e-12);
      all += together;
      kept += rank[0].may_be_best; /* any of them is the best */
      held += rank[0].mean.lo <= (K + 1) / 2.0 && (K + 1) / 2.0 <= rank[0].mean.hi;
    }
    CHECK(kept >= 0.95 * TIMES - 3.5 * sqrt(0.95 * 0.05 * TIMES));
    CHECK(all >= 0.92 * TIMES - 3.5 * sqrt(0.92 * 0.08 * TIMES));
    check_count(held, TIMES, 0.955);
    CHECK(all_single < 0.8 * TIMES || !has_clusters);
  }
}

TEST(better_ones_are) {
  struct base_rng *rng = test_rng(0);
  double errors[K][MEMBERS];
  int alone = 0;
  for (int t = 0; t < TIMES; ++t) {
    struct la_sampling sampling = la_sampling_default(MEMBERS);
    sampling.resamples = 300;
    struct la_rank rank[K];
    draw_errors(rng, 2, 0, errors);
    la_ranks(&sampling, K, errors[0], test_arena(), rank);
    CHECK(rank[K - 1].may_be_best);
    int others = 0;
    for (int k = 0; k < K - 1; ++k) {
      others += rank[k].may_be_best;
    }
    alone += others == 0;
  }
  CHECK(alone > 0.95 * TIMES);
}
