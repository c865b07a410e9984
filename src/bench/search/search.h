/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Search for the value of a case's parameter, or of the step, at which an outcome changes:
 * bisection of PARAM between LO and HI by a condition on the records of the runs
 * (outcome/searches.h).
 *
 *   --search PARAM=LO,HI[,TOL] --until CONDITION [--until CONDITION]
 *   CONDITION: KEY<X  KEY>X  |KEY|<X  |KEY|>X  status=STATUS  stable
 *
 * PARAM is a parameter of the case, bisected midway down to TOL (HI - LO), or dt, the step [s],
 * bisected midway in its logarithm down to a factor 1 + TOL. KEY is a path into the record
 * (energy.budget.friction, final.u.vx: by the name of a component). A missing number, as of a run
 * that diverged, fulfils no condition. Two conditions share their trials.
 *
 * Bisection assumes that the outcome changes once. This may be wrong (resonances, errors that
 * cancel), so all trials are recorded. Nothing is known between trials and outside [LO, HI]. The
 * effect of a step shows only after some tens of steps: HI should be a small part of the horizon,
 * and may not exceed it.
 */
#ifndef BENCH_SEARCH_H
#define BENCH_SEARCH_H

#include "bench/run/run.h"

/* Carry out the search of a resolved job; *job becomes the job of the recorded run. That run is the
 * one nearest to the change at which the last condition holds. Without a change it is the run at
 * HI, or at LO if the condition fails there, with a reason. All trials share the time limit, and
 * the recorded run has it again. After the limit the status is TIMEOUT, and the result so far is
 * recorded. BASE_OK if there is an outcome to record. */
int bench_search(struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

#endif
