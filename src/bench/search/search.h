/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The largest step up to which a formulation remains accurate, or stable, on a case: a job with a
 * range of steps instead of one. Two limits are sought by bisection (bisect.h), midway in log dt:
 *
 *   accurate  the run is ok, and errors.q_linf against the case's reference is below limit times
 *             the length of the system
 *   stable    the run reaches t_end: it is ok or unconverged
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
#include "bench/search/bisect.h"

struct bench_search {
  struct bench_search_range range;
  double length;                           /* of the system */
  double largest_accurate, largest_stable; /* [s]; NaN: no step tried */
  struct bench_trials trials; /* value: dt [s]; measured: errors.q_linf, NaN with limit 0 */
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

/* Carry out the search of a resolved job. The outcome is that of the run at the largest accurate
 * step (without limit: stable step), or at lo when there is none, which its reason then says;
 * job->dt becomes that step and outcome->search is set. When time is over, the status is TIMEOUT
 * and the limits are those found until then. As bench_run. */
int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

/* The step to try next by the trials so far; NaN: the search has ended. Sets both limits. */
double bench_search_next(struct bench_search *search);

#endif
