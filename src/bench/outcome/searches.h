/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What searches found: the largest step (search/search.h), the parameter at which an outcome changes
 * (search/threshold.h); the blocks `search` and `threshold` of records.
 */
#ifndef BENCH_SEARCHES_H
#define BENCH_SEARCHES_H

#include "bench/job/job.h"
#include "bench/outcome/bisect.h"
#include "bench/outcome/condition.h"

struct bench_search {
  struct bench_search_range range;
  double length;                           /* of the system */
  double largest_accurate, largest_stable; /* [s]; NaN: no step tried */
  struct bench_trials trials; /* value: dt [s]; measured: errors.q_linf, NaN with limit 0 */
};

/* Does a trial meet the limit that is sought: accuracy, or with limit 0 stability? */
int bench_search_holds(const struct bench_search *search, int status, double q_linf);
/* The step to try next by the trials so far; NaN: the search has ended. Sets both limits. */
double bench_search_next(struct bench_search *search);

/* Nearer to each other doubles cannot be told apart. */
#define BENCH_THRESHOLD_TOLERANCE_MIN 1e-14

struct bench_threshold {
  const char *parameter, *text; /* text: of the condition */
  struct bench_condition condition;
  double lo, hi, tolerance; /* of the parameter, in its unit; tolerance over hi - lo [-] */
  double holds, fails;      /* the nearest two found between which the outcome changes; NaN: none */
  struct bench_trials trials; /* value: of the parameter; measured: at the key of the condition */
};

/* The value to try next by the trials so far; NaN: the search has ended. Sets holds and fails. */
double bench_threshold_next(struct bench_threshold *s);

/* What the blocks `search` and `threshold` hold, and the checks of a record (BASE_OK
 * without one). */
void bench_record_add_search(struct cJSON *block, const struct bench_search *search);
int bench_record_check_search(const struct cJSON *record, const char *file);
void bench_record_add_threshold(struct cJSON *block, const struct bench_threshold *s);
int bench_record_check_threshold(const struct cJSON *record, const char *file);

#endif
