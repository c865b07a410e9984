/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparison of costs at equal error, and of errors at equal cost. One formulation at several
 * steps, substeps or tolerances gives points (cost, error). Its (Pareto) front consists of the
 * points for which no other point is both as cheap and as accurate. Costs and errors between
 * neighbours of the front are interpolated linearly in log cost and log error.
 *
 * Nothing is extrapolated: outside the measured range the result is "beyond", with the end of the
 * range as a bound. Behind its last point the front has constant error up to the largest cost of
 * all points.
 */
#ifndef LA_ENSEMBLE_FRONT_H
#define LA_ENSEMBLE_FRONT_H

#include "base/memory/arena.h"
#include "la/ensemble/bootstrap.h"

struct la_front {
  int n;
  double *cost;     /* n, ascending */
  double *error;    /* n, strictly descending */
  double cost_most; /* largest cost of all points; 0: there are no points */
};

/* The front of the points cost, error: n, not negative, in the arena. A failed point has an
 * infinite error or cost and is not on the front. Costs must not be 0 or NaN. An error may be 0:
 * there is no interpolation towards it, and values in between are those of the worse neighbour. */
struct la_front la_front(int n, const double *cost, const double *error, struct base_arena *arena);

struct la_reading {
  double value; /* beyond: 0 below and infinity above the range, so that values stay in order */
  int beyond;   /* -1: below the measured range, 1: above it, 0: inside */
  double bound; /* beyond: the end of the range, value <= or >= bound; inside: the value */
};
/* The least cost at which an error > 0 is reached; "above" means that no point up to the bound
 * reaches it. */
struct la_reading la_front_cost(const struct la_front *front, double error);
/* The error at a cost > 0; "above" means that no point is so cheap (for an empty front the bound is
 * infinite). */
struct la_reading la_front_error(const struct la_front *front, double cost);

/* An ensemble's front: that of the points (median cost, median error) over the members. */
struct la_front_ensemble {
  int points;
  const double *cost, *error; /* points x members, row by row; as for la_front */
};
/* Intervals over members of the costs at errors: n_errors and the errors at costs: n_costs.
 * interval: n_errors + n_costs, in this order; the values 0 and infinity mean beyond, as in a
 * reading. */
void la_front_intervals(const struct la_front_ensemble *ensemble,
                        const struct la_sampling *sampling, int n_errors, const double *errors,
                        int n_costs, const double *costs, struct base_arena *arena,
                        struct la_interval *interval);

#endif
