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

#include "bench/record/condition.h"
#include "bench/run/run.h"
#include "bench/search/bisect.h"

struct cJSON;

/* Nearer to each other doubles cannot be told apart. */
#define BENCH_THRESHOLD_TOLERANCE_MIN 1e-14

struct bench_threshold {
  const char *parameter, *text; /* text: of the condition */
  struct bench_condition condition;
  double lo, hi, tolerance; /* of the parameter, in its unit; tolerance over hi - lo [-] */
  double holds, fails;      /* the nearest two found between which the outcome changes; NaN: none */
  struct bench_trials trials; /* value: of the parameter; measured: at the key of the condition */
};

/* Is it the step that is sought? */
int bench_threshold_is_step(const struct bench_request *request);

/* Carry out the search of a request with `search` and `until`. The outcome is that of the run where
 * the condition holds, next to where it fails; where it does not change, of the run at LO, with a
 * reason. BASE_OK whenever there is an outcome to record. */
int bench_threshold(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome);

/* The value to try next by the trials so far; NaN: the search has ended. Sets holds and fails. */
double bench_threshold_next(struct bench_threshold *s);

#endif
