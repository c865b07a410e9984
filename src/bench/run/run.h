/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carrying out one job: the loop over steps, with everything a record reports measured from outside
 * the formulation (errors, energy budget, constraints, the law's residual, iterations, time).
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/job/job.h"
#include "bench/outcome/outcome.h"

/* Run a resolved job, as often as it asks for; everything allocated comes from the arena. BASE_OK
 * whenever there is an outcome to record (whatever its status); negative when the case itself could
 * not be built. */
int bench_run(const struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);
/* The same once, its times those of this run. */
int bench_run_once(const struct bench_job *job, struct base_arena *arena,
                   struct bench_outcome *outcome);

/* The time at which step k = 1, 2, ... ends [s], but for the last one. */
static inline double bench_step_end(const struct bench_job *job, long k) {
  return ((double)k - (1 - job->variation.phase)) * job->dt;
}

/* Is the outcome of use? outcome->quality from all else that was measured (quality.c). */
void bench_quality_judge(struct bench_outcome *outcome);

/* Set everything measured to "no value": for runs that never took place, whose zeros would read
 * like perfect results. The initial energy and the counts stay. */
void bench_outcome_void(struct bench_outcome *out);
/* The outcome of a run that ended before it had any. */
void bench_outcome_end_early(struct bench_outcome *out, int status, const char *reason);

#endif
