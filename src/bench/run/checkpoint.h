/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checkpoints: everything a run needs to go on as if it had never stopped, to the last bit. Every
 * part of the run that remembers past steps passes its memory (base/blob.h): the state, and by a
 * function `checkpoint` each the formulation, the system and the case's observer; then what is
 * measured. A part with a memory and without that function makes checkpoints refused.
 */
#ifndef BENCH_CHECKPOINT_H
#define BENCH_CHECKPOINT_H

#include "base/blob.h"
#include "bench/run/measure.h"

/* BASE_OK, or BASE_E_INPUT with a message: this run has no checkpoints. */
int bench_checkpoint_check(const struct bench_job *job, const struct mech *m,
                           const struct case_observer *observer);
/* Who the checkpoint is for: the command, and sizes. */
void bench_checkpoint_identity(struct base_blob *blob, const struct bench_job *job,
                               const struct mech *m);
/* What accumulates in an outcome: new accumulators belong here. */
void bench_checkpoint_outcome(struct base_blob *blob, struct bench_outcome *out);
void bench_checkpoint_measure(struct base_blob *blob, struct bench_measure *measure);
/* capacity: samples there is room for. */
void bench_checkpoint_path(struct base_blob *blob, struct bench_path *path, long capacity);

#endif
