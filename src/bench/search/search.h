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

/* Carry out the search of a resolved job. The outcome is that of the run at the largest accurate
 * step (without limit: stable step), or at lo when there is none, which its reason then says;
 * job->dt becomes that step and outcome->search is set. When time is over, the status is TIMEOUT
 * and the limits are those found until then. As bench_run. */
int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

#endif
