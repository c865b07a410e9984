/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job: the loop over steps. All values of a record are measured from outside the formulation
 * (errors, energy budget, constraints, the law's residual, iterations, time).
 */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/job/job.h"
#include "bench/run/outcome.h"

/* Run a resolved job once; everything allocated comes from the arena. BASE_OK whenever there is an
 * outcome to record (whatever its status); negative when the case itself could not be built. */
int bench_run(const struct bench_job *job, struct base_arena *arena, struct bench_outcome *outcome);

/* The time at which step k = 1, 2, ... ends [s], but for the last one. */
static inline double bench_step_end(const struct bench_job *job, long k) {
  return ((double)k - (1 - job->variation.phase)) * job->dt;
}

#endif
