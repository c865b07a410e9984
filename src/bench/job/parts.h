/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of bench_job_resolve(): job.c calls options.c and check.c, each once what it needs of
 * the job is known. All return BASE_OK, or BASE_E_INPUT with one line naming what is wrong.
 * Internal to bench/job/.
 */
#ifndef BENCH_JOB_PARTS_H
#define BENCH_JOB_PARTS_H

#include "bench/job/job.h"

/* The solver a job of this case and formulation has unless another one is asked for. */
const char *bench_job_default_solver(const struct bench_job *job);

/* options.c, once formulation, solver and parameters are known: the case's options for this
 * formulation, then those of the request, which override them. */
int bench_job_set_case_options(struct bench_job *job, struct base_arena *arena);
int bench_job_set_options(const struct bench_request *request, struct bench_job *job);

/* check.c: the request alone; */
int bench_job_check_repeat(const struct bench_request *request);
int bench_job_check_checkpoint(const struct bench_request *request);
/* with step, horizon, sampling and time limit known; */
int bench_job_check_times(const struct bench_request *request, const struct bench_job *job);
/* the size of the trajectory, `width` coordinates and velocities a sample; */
int bench_job_check_samples(const struct bench_job *job, int width);
/* with all but these known. */
int bench_job_check_search(const struct bench_request *request, const struct bench_job *job);
int bench_job_check_ensemble(const struct bench_request *request, const struct bench_job *job);

#endif
