/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cost against error on equal terms: the lower-left (Pareto) front of the points (cost, error) of
 * one formulation at several steps, substeps or tolerances, that is the points for which no other
 * is both as cheap and as accurate; then the cost at a given error and the error at a given cost,
 * on the straight lines between neighbours of the front in log cost and log error.
 *
 * Nothing is extrapolated: outside the measured range the answer is "beyond", with the end of the
 * range as a bound. Towards larger costs the front is continued at its level up to the most
 * expensive point, which is no better.
 */
#ifndef LA_ENSEMBLE_FRONT_H
#define LA_ENSEMBLE_FRONT_H

#include "base/memory/arena.h"
#include "la/ensemble/bootstrap.h"

struct la_front {
  int n;
  double *cost;     /* n, ascending */
  double *error;    /* n, strictly descending */
  double cost_most; /* of all points; 0: there is none */
};

/* cost, error: n, not negative. A point that failed has an infinite error, or an infinite cost: it
 * is not on the front. A cost of 0 or NaN is not allowed. An error may be 0: no line leads there,
 * and what lies between counts with the worse of its neighbours. The front is in the arena. */
struct la_front la_front(int n, const double *cost, const double *error, struct base_arena *arena);

struct la_reading {
  double value; /* 0 and infinity where it is beyond: in order with the values inside */
  int beyond;   /* -1: below the measured range, 1: above it, 0: inside */
  double bound; /* beyond: the end of the range, value <= or >= bound; inside: the value */
};
/* The least cost at which the error is reached; above: no point reaches it, up to the bound. error
 * > 0. */
struct la_reading la_front_cost(const struct la_front *front, double error);
/* The error at this cost; above: no point is so cheap (with an empty front the bound is infinite).
 * cost > 0. */
struct la_reading la_front_error(const struct la_front *front, double cost);

/* An ensemble's front: that of the points (median cost, median error) over the members. */
struct la_front_ensemble {
  int points;
  const double *cost, *error; /* points x members, row by row; as for la_front */
};
/* Costs at errors: n_errors, then errors at costs: n_costs, both intervals over members of what the
 * front gives; the values 0 and infinity mean beyond, as in a reading. interval:
 * n_errors + n_costs. */
void la_front_intervals(const struct la_front_ensemble *ensemble,
                        const struct la_sampling *sampling, int n_errors, const double *errors,
                        int n_costs, const double *costs, struct base_arena *arena,
                        struct la_interval *interval);

#endif
