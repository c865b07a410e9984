/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run is held against; see reference.c.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/outcome/outcome.h"

/* What the reference is wanted for: the errors at the samples, with energies; the graph of the
 * velocity; the error of the first contact alone. The last is of few times, and no file keeps it.
 */
enum bench_purpose { BENCH_FOR_SAMPLES, BENCH_FOR_GRAPH, BENCH_FOR_CONTACT };
/* Reference at the n given times (ascending, t[0] >= 0): the case's closed form, else `event` where
 * the case names it. kind, bound and until are set; *path ends with the last time up to `until`,
 * and n = 0 with a reason when there is none, also when `event` takes longer than the job's time
 * limit. Rounding of it depends on all the times, so that runs whose errors are to be the same ask
 * for the same. */
void bench_reference(const struct bench_job *job, enum bench_purpose purpose, int n,
                     const double *t, struct base_arena *arena, struct bench_path *path,
                     struct bench_outcome *outcome);

/* The same where the reference is known: of the outcome only is_cut may change. */
void bench_reference_more(const struct bench_job *job, enum bench_purpose purpose, int n,
                          const double *t, struct base_arena *arena, struct bench_path *path,
                          struct bench_outcome *outcome);

/* Energies and works at the n given times by `event`; path: the rest of its arrays too. BASE_OK, or
 * a positive status with a message. */
int bench_reference_energies(const struct bench_job *job, int n, const double *t,
                             struct base_arena *arena, struct bench_path *path,
                             struct bench_outcome *outcome);
#endif
