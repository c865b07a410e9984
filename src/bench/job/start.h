/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a job to the model that it runs: the case's, with its initial state or that of a checkpoint.
 */
#ifndef BENCH_START_H
#define BENCH_START_H

#include "base/bytes/blob.h"
#include "bench/job/job.h"

/* BASE_E_INPUT with a message where the initial state has bodies in each other or constraints apart
 * (start.c). */
int bench_start_check(const struct bench_job *job, const struct case_instance *start,
                      struct base_arena *arena);

/* The case's model and initial state, or with job->request->start that of a checkpoint
 * (checkpoint.c). BASE_E_INPUT or BASE_E_IO with a message. */
int bench_job_build(const struct bench_job *job, struct base_arena *arena,
                    struct case_instance *out);

/* Move a state at random by `part` of the system's length and speed: q: nq, u: nu (start.c). */
void bench_start_perturb(const struct mech *m, double part, unsigned long seed, double *q,
                         double *u, struct base_arena *arena);

/* What a formulation is set up with, for a model of the job. */
struct form_setup bench_job_setup(const struct bench_job *job, const struct mech *m,
                                  struct base_arena *arena);
/* Does the formulation say, from its setup alone, that it can run the system? BASE_OK, or
 * BASE_UNSUPPORTED with the reason. */
int bench_job_check_setup(const struct bench_job *job, const struct form_setup *setup);
/* Does the formulation with its solver declare, before any step, that it can run the system from
 * its start (form.check, form.alloc)? BASE_OK, or BASE_UNSUPPORTED with the reason; of systems so
 * large that a workspace costs something only what check says. */
int bench_run_check(const struct bench_job *job, const struct case_instance *start,
                    struct base_arena *arena);

/* Schema of checkpoints, and what of them is the state of the system, whichever run it is of;
 * taken: steps so far, at most `most`. */
#define BENCH_CHECKPOINT_SCHEMA "coulombench.checkpoint/5"
void bench_state_pass(const struct mech *m, struct form_state *state, long *taken, long most,
                      struct base_blob *blob);
/* BASE_E_INPUT with a message where bodies come and go and a state cannot be kept. */
int bench_state_check(const struct mech *m);

#endif
