/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Carrying out one job (carry_out.c), and a suite of them (bench.c): one process a cell, as many at
 * a time as asked for, so that a crash, a stuck step or a lack of memory costs one cell and is
 * recorded as such. Records are the same byte for byte (but for timing and provenance) whatever the
 * number of processes.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench/run/run.h"
#include "bench/suite/suite.h"

struct bench_options {
  int jobs;           /* processes at a time */
  int references;     /* make references alone, of cells that bench_suite_references has left */
  int resume;         /* keep the records that have the cell's key, see resume.h */
  const char *folder; /* where records go */
};

/* Run all cells. BASE_OK when every cell has its record; *bad gets the number of cells that ended
 * in a status nobody expected. BASE_E_IO and the like with a message when records cannot be
 * written. */
int bench_suite_run(const struct bench_suite *suite, const struct bench_options *options,
                    struct base_arena *arena, int *bad);

/* Say how many cells and figures a suite has, and about how long they take, where that is known. */
void bench_suite_announce(const struct bench_suite *suite, int jobs);
/* Print every cell that would be run, with the command that repeats it, and run none (plan.c); *n: how
 * many. BASE_E_INPUT with a message. */
int bench_suite_list(const struct bench_suite *suite, const struct bench_options *options,
                     struct base_arena *arena, int *n);

/* Print how many cells have no result yet, and what they take: time, memory, disk; where records are
 * there, as these did. */
int bench_suite_estimate(const struct bench_suite *suite, const struct bench_options *options,
                         struct base_arena *arena);

/* Leave of the cells one for each reference by `event` that they share (plan.c). Not those of the
 * rotations of an ensemble and of searches over a parameter, which their cells make. BASE_E_INPUT
 * with a message. */
int bench_suite_references(struct bench_suite *suite, struct base_arena *arena);
/* Make the reference of a run into request->references, unless it is there; *status: BASE_OK, or
 * why there is none, with a message. Negative as for runs. */
int bench_suite_keep_reference(const struct bench_request *request, int *status);

/* Run a resolved job, or the search or ensemble it asks for, which change it. As bench_run. */
int bench_carry_out(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome);

/* One job to one record file ("-": standard output; NULL: to ten lines there), refused before it is
 * run where that cannot be written; *status gets the outcome's, and the message what is to be said
 * about it; *reference (may be NULL) the time that its reference took [s]. */
int bench_run_to_file(const struct bench_request *request, const char *path, int *status,
                      double *reference);

#endif
