/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints: the complete state of a run, which continues from it as if uninterrupted, to the
 * last bit. Every part of the run with memory between steps saves it (base/bytes/blob.h): the
 * state, the formulation (form.checkpoint), the system (mech_ops.checkpoint) and the listeners
 * (pass). If a part has memory and no such function, checkpoints are refused.
 *
 * A checkpoint is of one command and of one key (bench/job/key.h), and --restart takes no other:
 * neither an edited file of the case nor another build. Its state of the system alone (coordinates,
 * velocities, what the system keeps besides) can be the initial one of another run, --start: any
 * step, formulation, options and parameters that leave the number of coordinates as it is, time
 * from zero. Warm-start impulses, springs and sums of observables are not included.
 */
#ifndef BENCH_CHECKPOINT_H
#define BENCH_CHECKPOINT_H

#include "bench/run/run.h"

/* BASE_OK, or BASE_E_INPUT with a message: this run has no checkpoints. */
int bench_checkpoint_check(const struct bench_job *job, const struct mech *m,
                           const struct case_observer *observer);

#endif
