/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run with repeated timings.
 */
#ifndef BENCH_REPEAT_H
#define BENCH_REPEAT_H

#include "bench/run/run.h"

/* Run a job as often as its request says, as bench_run. */
int bench_run_repeatedly(const struct bench_job *job, struct base_arena *arena,
                         struct bench_outcome *outcome);

#endif
