/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where an outcome changes with a parameter of a case: runs with PARAM between LO and HI, bisected
 * by whether a condition on their records holds, as far as one from the other by TOL (HI - LO).
 *
 *   --search PARAM=LO,HI[,TOL] --until CONDITION
 *   CONDITION: KEY<X  KEY>X  |KEY|<X  |KEY|>X  status=STATUS
 *
 * KEY is a path into the record (energy.budget.friction, final.u.vx: by the name of a component). A
 * number that a record does not have, as of a run that diverged, fulfils nothing. Bisection takes
 * it that the outcome changes once; all trials are recorded.
 */
#ifndef BENCH_THRESHOLD_H
#define BENCH_THRESHOLD_H

#include "bench/run/run.h"

struct cJSON;

/* LO, HI and bisections down to the smallest TOL. */
enum { BENCH_THRESHOLD_TRIALS = 64 };

struct bench_threshold {
  const char *parameter, *condition;
  double lo, hi, tolerance; /* of the parameter, in its unit; tolerance over hi - lo [-] */
  double holds, fails;      /* the nearest two found between which the outcome changes; NaN: none */
  int n;                    /* trials, in the order tried */
  double value[BENCH_THRESHOLD_TRIALS];
  int status[BENCH_THRESHOLD_TRIALS];      /* base_status; TIMEOUT: cut by the time limit */
  double measured[BENCH_THRESHOLD_TRIALS]; /* what the condition is about; NaN: none, or status */
  int held[BENCH_THRESHOLD_TRIALS];
};

/* Carry out the search of a request with `search` and `until`. The outcome is that of the run where
 * the condition holds, next to where it fails; where it does not change, of the run at LO, with a
 * reason. BASE_OK whenever there is an outcome to record. */
int bench_threshold(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome);

/* The block `threshold` of a record, and its check: is it what its trials say? A record without one
 * is fine. */
void bench_threshold_add(struct cJSON *record, const struct bench_threshold *s);
int bench_threshold_check_record(const struct cJSON *record, const char *file);

#endif
