/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Trials and result of a search (search/search.h), and the block `search` of records: one bisection
 * a condition, the last one's first, over one list of trials.
 */
#ifndef BENCH_SEARCHES_H
#define BENCH_SEARCHES_H

#include "bench/job/asked.h"
#include "bench/outcome/bisect.h"
#include "bench/outcome/condition.h"

struct bench_sought {
  struct bench_condition condition;
  double holds, fails; /* the nearest two found between which the outcome changes; NaN: none */
};

struct bench_search {
  struct bench_search_asked asked;
  struct bench_sought sought[BENCH_UNTIL_MAX]; /* asked.n */
  struct bench_trials trials;                  /* of the parameter, in its unit */
};

/* The conditions, from their texts. BASE_E_INPUT with a message. */
int bench_search_read_conditions(struct bench_search *s);
/* The value to try next by the trials so far; NaN: the search has ended. Sets holds and fails. */
double bench_search_next(struct bench_search *s);
/* Skip parts of a trial that no condition needs: the reference, or velocities as graphs. */
void bench_search_spare(const struct bench_search *s, struct bench_job *job);
/* A trial that ended in a status, with its record. BASE_E_INPUT where that has no such number. */
int bench_search_note(struct bench_search *s, double value, int status, const struct cJSON *record);

/* The block `search` of a record, and its check (BASE_OK without one). */
void bench_record_add_search(struct cJSON *block, const struct bench_search *s);
int bench_record_check_search(const struct cJSON *record, const char *file);

#endif
