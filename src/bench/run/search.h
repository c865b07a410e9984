/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The largest step a formulation bears on a case: a job with a range of steps instead of one. Two
 * limits are sought by bisection, midway in log dt:
 *
 *   true    the run is ok, and errors.q_linf against the case's reference is below limit times the
 *           length of the system
 *   stable  the run reaches t_end: it is ok or unconverged
 *
 * Bisection takes it that what holds at a step holds at every smaller one. This need not be so
 * (resonances; a lucky error): all trials are recorded, and a limit is the largest step tried that
 * has only such steps below it, found to within a factor `ratio` of a step that fails. Between
 * trials anything may happen; outside [lo, hi] nothing is known. A step needs some tens of repeats
 * to show what it does: hi should be a small part of the horizon, and may not exceed it.
 */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include "bench/run/run.h"

struct cJSON;

/* Two bisections down to the smallest ratio in the widest range of doubles: 2 + 2 log2(1500 / 1e-6)
 * trials. */
enum { BENCH_TRIALS_MAX = 80 };

struct bench_search {
  struct bench_search_range range;
  double length;                       /* of the system */
  double largest_true, largest_stable; /* [s]; NaN: no step tried */
  int n;                               /* trials, in the order tried */
  double dt[BENCH_TRIALS_MAX];         /* [s] */
  int status[BENCH_TRIALS_MAX];        /* base_status; TIMEOUT: cut by the time limit */
  double q_linf[BENCH_TRIALS_MAX];     /* [m] or [rad]; NaN: none */
};

/* Limits when a suite or command gives none. */
struct bench_search_range bench_search_default(void);
/* "LO,HI[,LIMIT[,RATIO]]"; BASE_E_INPUT with a message. */
int bench_search_parse(const char *text, struct bench_search_range *range);
/* The same as bench_search_parse reads it, every digit kept. */
const char *bench_search_text(const struct bench_search_range *range, struct base_arena *arena);
/* Is the range of a job one, within its horizon, and has the case a reference where the limit asks
 * for one? BASE_E_INPUT with a message. */
int bench_search_check(const struct bench_job *job);

/* Carry out the search of a resolved job. The outcome is that of the run at the largest true step
 * (without limit: stable step), or at lo when there is none, which its reason then says; job->dt
 * becomes that step and outcome->search is set. When time is over, the status is TIMEOUT and the
 * limits are those found until then. As bench_run. */
int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

/* The block `search` of a record, and its validation (BASE_OK without one). */
void bench_search_add(struct cJSON *record, const struct bench_search *search);
int bench_search_check_record(const struct cJSON *record, const char *file);

#endif
