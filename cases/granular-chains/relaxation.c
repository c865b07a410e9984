/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * relaxation-chains: what the convex relaxation costs where several contacts act at once. Two short
 * branches whose ends come down on the ground land, slide, swing through and strike each other, as
 * `event` knows to follow. Distances are those of the centres,
 *
 *   d(t)^2 = sum_i |x_i(t) - x'_i(t)|^2/n,   d = root mean square of d(t) over the samples.
 *
 * What the relaxation adds where a landing is computed by the scheme itself (falling-particle,
 * ccp-hop) is a gap of mu dt |v_T| and what follows from it, of first order like all else here; but
 * it comes on top of the error of exact friction. Planar friction has two directions: lcp-st and
 * mdp solve the problem of ncp, and must be where it is.
 */
#include "cases/granular-chains/granular-chains.h"

#include "cases/figure/series.h"

#include <math.h>

enum { COLUMNS = 3, DISCS = 4, NQ = COLUMNS * DISCS, STEPS = 6 };

/* d(t) at sample l; NaN where the samples differ [m]. */
static double distance_at(const struct case_series *a, const struct case_series *b, int l) {
  if (a->n != b->n || a->nq != NQ || b->nq != NQ) {
    return NAN;
  }
  const double *x = a->q + (long)NQ * l, *y = b->q + (long)NQ * l;
  double sum = 0;
  for (int i = 0; i < DISCS; ++i) {
    for (int j = 0; j < 2; ++j) { /* x and y, not the angle */
      const double d = x[COLUMNS * i + j] - y[COLUMNS * i + j];
      sum += d * d;
    }
  }
  return sqrt(sum / DISCS);
}

static double distance(const struct case_results *r, const struct case_series *s, int k) {
  return distance_at(s, r->against, k);
}

/* d [m]; NaN without samples. */
static double mean_of(const struct case_series *a, const struct case_series *b) {
  double sum = 0;
  for (int l = 0; l < a->n; ++l) {
    const double d = distance_at(a, b, l);
    sum += d * d;
  }
  return sqrt(sum / a->n);
}

static double mean_distance(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return mean_of(s, r->against);
}

/* Of mdp and lcp-st with the step of this run, from the run it is set against: the larger [m]. */
static double others_distance(const struct case_results *r, const struct case_series *s, int k) {
  const struct case_series *mdp = case_result(r, s, "mdp-{#dt}");
  const struct case_series *lcp = case_result(r, s, "lcp-st-{#dt}");
  (void)k;
  return case_worst(mean_of(mdp, r->against), mean_of(lcp, r->against));
}

/* Of ccp from ncp over that of ncp from the run that this one is set against: the geometric mean
 * over all steps, of which this run has the first. */
static double part_of_the_error(const struct case_results *r, const struct case_series *s, int k) {
  double sum = 0;
  for (k = 0; k < STEPS; ++k) {
    const struct case_series *ncp = case_result(r, s + k, "ncp-{#dt}");
    sum += log(mean_of(s + k, ncp) / mean_of(ncp, r->against)) / STEPS;
  }
  return exp(sum);
}

const struct case_function granular_chains_relaxation_functions[] = {
    {"distance", .value = distance},
    {"mean_distance", .value = mean_distance},
    {"others_distance", .value = others_distance},
    {"part_of_the_error", .value = part_of_the_error},
    {0}};
