/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bootstrap intervals for a statistic of an ensemble of n members: where would its value be for a
 * very large ensemble? A resample draws n members with replacement. The spread of the statistic
 * over resamples estimates its spread over ensembles (Efron and Tibshirani, An Introduction to the
 * Bootstrap, 1993).
 *
 * Units. Independent units are drawn: members, or whole clusters of members (all members of a
 * scene), because members of one scene are more alike than members of two. A drawn cluster keeps
 * all its members; drawing again within it would count its spread twice (Davison and Hinkley,
 * Bootstrap Methods and their Application, 1997, 3.8).
 *
 * Ends of the interval: bias-corrected and accelerated (BCa: Efron, J. Am. Stat. Assoc. 82 (1987)),
 *
 *   quantiles Phi(z0 + (z0 + z) / (1 - a (z0 + z))) of the resamples, for n units
 *   z = -+ sqrt(n / (n - 1)) times the quantile (1 + level) / 2 of Student's t of n - 1,
 *   z0 = Phi^-1(share of the resamples below the value),
 *   a = sum d^3 / (6 (sum d^2)^(3/2)), d = mean of the jackknife's values less each of them.
 *
 * They are accurate to second order, plain quantiles to first. Monotone transformations preserve
 * them: the interval of a logarithm is the logarithm of the interval. Efron's z is that of the
 * normal distribution. Student's z, with the root, corrects the spread over few units, which is too
 * small (Hesterberg, Am. Stat. 69 (2015)). Coverage of the true mean of 8, 20, 100 exponential
 * variates by 2000 intervals of 95 %: plain quantiles 84, 90, 93 %, Efron's ends 86, 91, 94 %,
 * these 91, 93, 94 %. Coverage of the true median, in the same order: 92, 94, 95 %; 92, 94, 95 %;
 * 97, 96, 95 %.
 */
#ifndef LA_ENSEMBLE_BOOTSTRAP_H
#define LA_ENSEMBLE_BOOTSTRAP_H

#include "base/memory/arena.h"

struct la_sampling {
  int n;              /* members */
  const int *cluster; /* n: cluster of each, numbers from 0 on; NULL: each is its own */
  int resamples;      /* > 0 */
  double level; /* in (0, 1): probability that the interval contains the value of large ensembles */
  unsigned long seed;
};
struct la_sampling la_sampling_default(int n); /* 2000 resamples, level 0.95, no clusters */

struct la_interval {
  double value;  /* of all members; may be infinite, or NaN where the statistic is not defined */
  double lo, hi; /* NaN: too few units for an interval of this level, see below */
  int infinite;  /* number of resamples with an infinite value, which are included */
  int undefined; /* number of resamples with NaN. They count as below the lower end and as above the
                    upper end, so that they never narrow the interval */
};

/* Computes values: k, the statistics of the members index[0 ... n - 1], which may repeat. If
 * clusters differ in size, n differs from call to call. */
typedef void la_statistic(int n, const int *index, void *data, double *values);

/* Number of units needed for an interval: 1 - log2(1 - level), rounded up (6 units for 95 %). With
 * fewer, all of them are on one side of the true median with a probability above 1 - level. */
int la_bootstrap_fewest(double level);

/* Number of units, members or clusters, that a resample draws. */
int la_bootstrap_units(const struct la_sampling *sampling);
/* The factor of an estimated standard error that replaces the factor z of a known one: Student's
 * quantile times the root above. units > 1 */
double la_bootstrap_widen(double z, int units);

/* interval: k, one for each statistic. replicates: resamples x k, row by row, the values of each
 * resample; may be NULL. Equal seeds give equal results on every machine. */
void la_bootstrap(const struct la_sampling *sampling, int k, la_statistic *statistic, void *data,
                  struct base_arena *arena, struct la_interval *interval, double *replicates);

#endif
