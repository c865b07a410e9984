/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * References of runs; see reference.c.
 */
#ifndef BENCH_REFERENCE_H
#define BENCH_REFERENCE_H

#include "bench/job/job.h"
#include "bench/outcome/path.h"

/* Its data in a record. */
struct bench_reference {
  const char *kind; /* "analytic", "event", "self", "none" */
  double bound;     /* [m] or [rad]; NaN when unknown */
  double until;     /* errors are taken up to this time [s]; NaN: there is none */
  char reason[200]; /* reason of a missing reference or bound, or of an end before t_end */
  int is_cut;       /* the time was too short for it, or for its bound */
};
struct bench_reference bench_no_reference(const char *reason);

/* Purpose of the reference: the errors at the samples, with energies; the graph of the velocity;
 * the error of the first contact alone. The last needs few times and is not stored.
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

/* Before any run: all inputs of the motion by `event` that is the reference of the job's runs, from
 * the arena; NULL: there is none, or it is not known yet (searches over a parameter). */
const char *bench_reference_key(const struct bench_job *job, struct base_arena *arena);
/* Compute and store it in the folder job->request->references, unless it exists. BASE_OK, or a
 * positive status with a message if there is none to store. */
int bench_reference_keep(const struct bench_job *job, struct base_arena *arena);

#endif
