/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantiles against GSL's on finite samples, against the normal distribution's on a large one (the
 * standard error of quantile p is sqrt(p (1 - p) / n) over the density there), and by hand on
 * samples with failed members.
 */
#include "la/ensemble/quantile.h"

#include "tests/test.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

TEST(are_those_of_gsl) {
  enum { LARGEST = 41 };
  struct base_rng *rng = test_rng(0);
  for (int n = 1; n <= LARGEST; ++n) {
    double x[LARGEST], sorted[LARGEST];
    for (int i = 0; i < n; ++i) {
      x[i] = sorted[i] = floor(base_rng_uniform(rng, -9, 9) * n) / n; /* some are equal */
    }
    gsl_sort(sorted, 1, (size_t)n);
    for (int k = 0; k <= 20; ++k) {
      const double p = k / 20.0;
      const double q = gsl_stats_quantile_from_sorted_data(sorted, 1, (size_t)n, p);
      CHECK_NEAR(la_quantile_sorted(n, sorted, p), q, 1e-14);
      CHECK_NEAR(la_quantile(n, x, p), q, 1e-14);
    }
    CHECK_NEAR(la_median(n, x), gsl_stats_median_from_sorted_data(sorted, 1, (size_t)n), 1e-14);
  }
}

TEST(of_a_large_normal_sample) {
  enum { N = 100000 };
  static const double p[] = {0.001, 0.025, 0.1, 0.25, 0.5, 0.9, 0.975, 0.999};
  double *x = malloc(N * sizeof *x);
  struct base_rng *rng = test_rng(0);
  base_rng_normals(rng, N, x);
  for (int k = 0; k < (int)(sizeof p / sizeof p[0]); ++k) {
    const double z = gsl_cdf_ugaussian_Pinv(p[k]);
    const double error = sqrt(p[k] * (1 - p[k]) / N) / gsl_ran_ugaussian_pdf(z);
    CHECK_NEAR(la_quantile(N, x, p[k]), z, 4.5 * error); /* beyond in 1 of 18,000 samples a p */
  }
  free(x);
}

TEST(count_failed_members_as_infinite) {
  double most[] = {INFINITY, 2, INFINITY, 1}, half[] = {3, INFINITY, 1, INFINITY, 2};
  CHECK(isinf(la_median(4, most)));
  CHECK(la_quantile(4, most, 1.0 / 3) == 2); /* at 2 itself: no part of its infinite neighbour */
  CHECK(isinf(la_quantile(4, most, 0.34)));
  CHECK(la_median(5, half) == 3);
  double all[] = {INFINITY, INFINITY}, both[] = {INFINITY, -INFINITY};
  CHECK(la_median(2, all) == INFINITY);
  CHECK(isnan(la_median(2, both)));
  CHECK(la_quantile(2, both, 0) == -INFINITY && la_quantile(2, both, 1) == INFINITY);
  CHECK(isnan(la_median(0, both)) && isnan(la_quantile_sorted(0, both, 0.5)));
}
