/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an outcome changes with a parameter of a case, or with the step: runs with PARAM between LO
 * and HI, bisected by whether a condition on their records holds (outcome/searches.h).
 *
 *   --search PARAM=LO,HI[,TOL] --until CONDITION [--until CONDITION]
 *   CONDITION: KEY<X  KEY>X  |KEY|<X  |KEY|>X  status=STATUS  stable
 *
 * PARAM is a parameter of the case, bisected midway down to TOL (HI - LO), or dt, the step [s],
 * bisected midway in its logarithm down to a factor 1 + TOL. KEY is a path into the record
 * (energy.budget.friction, final.u.vx: by the name of a component). A number that a record does not
 * have, as of a run that diverged, fulfils nothing. Two conditions are sought from the same trials.
 *
 * Bisection takes it that the outcome changes once. This need not be so (resonances; a lucky
 * error): all trials are recorded. Between trials anything may happen; outside [LO, HI] nothing is
 * known. A step needs some tens of repeats to show what it does: HI should be a small part of the
 * horizon, and may not exceed it.
 */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include "bench/run/run.h"

/* Carry out the search of a resolved job, of which *job becomes that of the run found. The outcome
 * is that of the run where the last condition holds, next to where it fails; where it does not
 * change, of the run at HI, or at LO where it fails, with a reason. All trials share the time
 * limit, and the run for the record has it once more; when time is over, the status is TIMEOUT and
 * what was found until then is told. BASE_OK whenever there is an outcome to record. */
int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

#endif
