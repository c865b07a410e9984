/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fronts of cost and error: against all pairs of points, on a power law (a straight line in
 * logarithms, which interpolation meets exactly), beyond what was measured, and over ensembles.
 */
#include "la/ensemble/front.h"

#include "tests/test.h"

TEST(has_the_points_that_none_dominates) {
  enum { N = 30, TIMES = 200 };
  struct base_arena *arena = test_arena();
  struct base_rng *rng = test_rng(0);
  for (int k = 0; k < TIMES; ++k) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    double cost[N], error[N], cost_most = 0;
    int n = 0;
    for (int i = 0; i < N; ++i) { /* few values: many are equal */
      cost[i] = 1 + base_rng_below(rng, 12);
      error[i] = base_rng_below(rng, 6) == 0 ? (double)INFINITY : 1 + base_rng_below(rng, 12);
      cost_most = fmax(cost_most, cost[i]);
    }
    const struct la_front front = la_front(N, cost, error, arena);
    for (int i = 0; i < N; ++i) {
      int is_best = isfinite(error[i]);
      for (int j = 0; j < N; ++j) {
        const int no_worse = cost[j] <= cost[i] && error[j] <= error[i];
        const int is_same = cost[j] == cost[i] && error[j] == error[i];
        is_best = is_best && !(no_worse && (!is_same || j < i));
      }
      int is_on = 0;
      for (int j = 0; j < front.n; ++j) {
        is_on = is_on || (front.cost[j] == cost[i] && front.error[j] == error[i]);
      }
      CHECK(!is_best || is_on);
      n += is_best;
    }
    CHECK_INT(front.n, n);
    CHECK(front.cost_most == cost_most);
    for (int j = 1; j < front.n; ++j) {
      CHECK(front.cost[j - 1] < front.cost[j] && front.error[j - 1] > front.error[j]);
    }
    base_arena_release(arena, mark);
  }
}

TEST(is_read_exactly_on_a_power_law) {
  static const double cost[] = {800, 3, 17, 17, 90};
  double error[5];
  for (int i = 0; i < 5; ++i) {
    error[i] = 0.7 * pow(cost[i], -1.7) * (i == 3 ? 2 : 1); /* one that is dominated */
  }
  const struct la_front front = la_front(5, cost, error, test_arena());
  CHECK_INT(front.n, 4);
  for (double c = 3; c <= 800; c *= 1.13) {
    const double e = 0.7 * pow(c, -1.7);
    const struct la_reading at_cost = la_front_error(&front, c);
    const struct la_reading at_error = la_front_cost(&front, e * (1 - 1e-12));
    CHECK(at_cost.beyond == 0 && at_error.beyond == 0);
    CHECK_NEAR(at_cost.value, e, 1e-12 * e);
    CHECK_NEAR(at_error.value, c, 1e-11 * c);
  }
}

static void check_reading(struct la_reading r, double value, int beyond, double bound) {
  CHECK_MESSAGE(r.value == value && r.beyond == beyond && r.bound == bound,
                "read %g, beyond %d, bound %g; expected %g, %d, %g", r.value, r.beyond, r.bound,
                value, beyond, bound);
}

/* An error that stays from cost 4 on, a point that failed between, one with no cost at all. */
TEST(is_not_extrapolated) {
  struct base_arena *arena = test_arena();
  static const double cost[] = {1, 2, 3, 4, 8, 100, INFINITY};
  static const double error[] = {INFINITY, 1e-1, INFINITY, 1e-3, 1e-3, 2e-3, 1e-9};
  const struct la_front front = la_front(7, cost, error, arena);
  CHECK_INT(front.n, 2);
  check_reading(la_front_cost(&front, 0.2), 0, -1, 2);
  check_reading(la_front_cost(&front, 1e-1), 2, 0, 2);
  check_reading(la_front_cost(&front, 1e-3), 4, 0, 4);
  check_reading(la_front_cost(&front, 0.999e-3), INFINITY, 1, 100);
  check_reading(la_front_error(&front, 1.9), INFINITY, 1, 1e-1);
  check_reading(la_front_error(&front, 2), 1e-1, 0, 1e-1);
  check_reading(la_front_error(&front, 4), 1e-3, 0, 1e-3);
  check_reading(la_front_error(&front, 100), 1e-3, 0, 1e-3);
  check_reading(la_front_error(&front, 101), 0, -1, 1e-3);
  CHECK_NEAR(la_front_cost(&front, 1e-2).value, sqrt(8), 1e-14);
  CHECK_NEAR(la_front_error(&front, sqrt(8)).value, 1e-2, 1e-16);

  const struct la_front none = la_front(1, cost, error, arena);
  check_reading(la_front_cost(&none, 1), INFINITY, 1, 1);
  check_reading(la_front_error(&none, 1), INFINITY, 1, INFINITY);
  const struct la_front empty = la_front(0, cost, error, arena);
  check_reading(la_front_cost(&empty, 1), INFINITY, 1, 0);
}

/* What an exact point brings begins at its own cost. */
TEST(has_no_line_to_an_error_of_zero) {
  static const double cost[] = {1, 10, 20}, error[] = {1, 0.1, 0};
  const struct la_front front = la_front(3, cost, error, test_arena());
  check_reading(la_front_cost(&front, 0.05), 20, 0, 20);
  check_reading(la_front_error(&front, 19), 0.1, 0, 0.1);
  check_reading(la_front_error(&front, 20), 0, 0, 0);
}

/* error = s c^-1 with log s normal over the members, of median 1: cost at an error e is 1 / e times
 * the median of s. The interval holds that in 95 of 100 ensembles, and scales with 1 / e. */
TEST(over_an_ensemble_has_intervals) {
  enum { POINTS = 6, N = 40, TIMES = 200 };
  struct base_rng *rng = test_rng(0);
  static double cost[POINTS][N], error[POINTS][N];
  static const double errors[] = {0.02, 0.2, 2, 1e-6}, costs[] = {10};
  int held = 0;
  for (int k = 0; k < TIMES; ++k) {
    for (int i = 0; i < N; ++i) {
      const double s = exp(base_rng_normal(rng));
      for (int p = 0; p < POINTS; ++p) {
        cost[p][i] = pow(4, p);
        error[p][i] = s / cost[p][i];
      }
    }
    const struct la_front_ensemble ensemble = {POINTS, cost[0], error[0]};
    struct la_sampling sampling = la_sampling_default(N);
    sampling.resamples = 300;
    sampling.seed = (unsigned long)k;
    struct la_interval at[5];
    la_front_intervals(&ensemble, &sampling, 4, errors, 1, costs, test_arena(), at);
    held += at[0].lo <= 50 && 50 <= at[0].hi;
    CHECK_NEAR(at[0].lo, 10 * at[1].lo, 1e-10 * at[0].lo);
    CHECK_NEAR(at[0].hi, 10 * at[1].hi, 1e-10 * at[0].hi);
    CHECK_NEAR(at[4].value, at[1].value * 0.2 / 10, 1e-12);
    CHECK(at[2].lo == 0 && at[2].value == 0); /* any member reaches it for less */
    CHECK(at[3].lo == INFINITY && at[3].infinite == 300);
  }
  CHECK_NEAR(held, 0.95 * TIMES, 3.5 * sqrt(0.95 * 0.05 * TIMES));
}
