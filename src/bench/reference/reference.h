/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run is held against; see reference.c.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/job/job.h"
#include "bench/outcome/path.h"

/* What a record says of it. */
struct bench_reference {
  const char *kind; /* "analytic", "event", "self", "none" */
  double bound;     /* [m] or [rad]; NaN when unknown */
  double until;     /* errors are taken up to this time [s]; NaN: there is none */
  char reason[200]; /* why there is none, or no bound, or why it ends before t_end */
  int is_cut;       /* for want of time: none, or none that could be bounded */
};
struct bench_reference bench_no_reference(const char *reason);

/* What the reference is wanted for: the errors at the samples, with energies; the graph of the
 * velocity; the error of the first contact alone. The last is of few times, and no file keeps it.
 */
enum bench_purpose { BENCH_FOR_SAMPLES, BENCH_FOR_GRAPH, BENCH_FOR_CONTACT };
/* The reference of a job, whose system is m, at the n given times (ascending, t[0] >= 0): the
 * case's closed form, else `event` where the case names it. *path ends with the last time up to
 * `until`, and n = 0 with a reason when there is none, also when `event` takes longer than the
 * job's time limit. Rounding of it depends on all the times, so that runs whose errors are to be
 * the same ask for the same. */
struct bench_reference bench_reference_at(const struct bench_job *job, const struct mech *m,
                                          enum bench_purpose purpose, int n, const double *t,
                                          struct base_arena *arena, struct bench_path *path);

/* Energies and works at the n given times by `event`; path: the rest of its arrays too. BASE_OK, or
 * a positive status with a message. */
int bench_reference_energies(const struct bench_job *job, const struct mech *m, int n,
                             const double *t, struct base_arena *arena, struct bench_path *path);

/* Before any run: all that decides the motion by `event` which runs of the job are held against,
 * from the arena; NULL: they want none, or it is not known before (searches over a parameter). */
const char *bench_reference_key(const struct bench_job *job, struct base_arena *arena);
/* Make it into the folder job->request->references, unless it is there. BASE_OK, or a positive
 * status with a message where there is none to keep. */
int bench_reference_keep(const struct bench_job *job, struct base_arena *arena);

#endif
