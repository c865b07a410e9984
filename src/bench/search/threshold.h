/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an outcome changes with a parameter of a case: runs with PARAM between LO and HI, bisected
 * by whether a condition on their records holds, as far as one from the other by TOL (HI - LO).
 *
 *   --search PARAM=LO,HI[,TOL] --until CONDITION
 *   CONDITION: KEY<X  KEY>X  |KEY|<X  |KEY|>X  status=STATUS
 *
 * PARAM is a parameter of the case, or dt, the step [s]. (search.h seeks steps by two conditions of
 * its own, and to a factor.)
 *
 * KEY is a path into the record (energy.budget.friction, final.u.vx: by the name of a component). A
 * number that a record does not have, as of a run that diverged, fulfils nothing. Bisection takes
 * it that the outcome changes once; all trials are recorded.
 */
#ifndef BENCH_THRESHOLD_H
#define BENCH_THRESHOLD_H

#include "bench/run/run.h"

/* Carry out the search of a request with `search` and `until`. The outcome is that of the run where
 * the condition holds, next to where it fails; where it does not change, of the run at LO, with a
 * reason. BASE_OK whenever there is an outcome to record. */
int bench_threshold(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome);

#endif
