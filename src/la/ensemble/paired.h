/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparison of formulations on the same members of an ensemble. The common effect of a member (its
 * phase, its scene) cancels, so paired differences are much more precise than differences of
 * medians.
 *
 * Errors are not negative. A failed member has an infinite error, or NaN, which counts as infinite:
 * it is worse than any number, and two failures are a tie. No member is dropped.
 */
#ifndef LA_ENSEMBLE_PAIRED_H
#define LA_ENSEMBLE_PAIRED_H

#include "la/ensemble/bootstrap.h"

struct la_paired {
  struct la_interval log_ratio; /* median of log10(a / b); 0 for a tie, infinite for one failure */
  struct la_interval better;    /* share of members in which a < b; ties count half */
  int failed_a, failed_b,
      failed_both; /* members; those of the third are in the first two as well */
};

/* Compare two formulations with the errors a, b: sampling->n. */
struct la_paired la_paired(const struct la_sampling *sampling, const double *a, const double *b,
                           struct base_arena *arena);

/* Rank of one of K formulations: in each member 1 for the least error; formulations with equal
 * errors get the mean of their places. */
struct la_rank {
  struct la_interval mean; /* over members */
  double first;    /* share of resamples in which its mean rank is least; ties are divided */
  int may_be_best; /* not distinguishable from the best, see below */
};

/* rank: K, from the errors: K x n, row by row, n = sampling->n. Formulations that may be the best
 * form a confidence set: with the probability sampling->level it contains the one that would have
 * the least mean rank in a very large ensemble. Formulation k is not in the set if for another one,
 * j,
 *
 *   R_k - R_j > c s_kj,
 *
 * where s_kj is the spread of R_k - R_j over the resamples. The factor c is such that in the share
 * `level` of the resamples no difference of two ranks deviates from its value by more than c s
 * (simultaneous comparison of all pairs: Mogstad, Romano, Shaikh, Wilhelm, Rev. Econ. Stud. 91
 * (2024)). It is widened for few units like the intervals. With too few units for an interval the
 * set has all formulations. Simulation: 1000 ensembles of 6 to 40 members and 2 to 8 equal
 * formulations. A given one was in the set in 95 to 99 %, all of them were in 92 to 97 % from 20
 * members on, and in 74 to 94 % below. */
void la_ranks(const struct la_sampling *sampling, int K, const double *errors,
              struct base_arena *arena, struct la_rank *rank);

#endif
