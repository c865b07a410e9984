/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job (carry_out.c), and a suite of them (bench.c): one process a cell, several at a time, so
 * that a crash, a stuck step or a lack of memory affects one cell only and is recorded. Records are
 * the same byte for byte (but for timing and provenance) whatever the number of processes.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "bench/run/run.h"
#include "bench/suite/suite.h"

struct bench_options {
  int jobs;           /* processes at a time */
  int references;     /* compute references alone, for the cells selected by
                         bench_suite_references */
  int resume;         /* skip cells with a record of their key, see resume.h */
  const char *folder; /* folder of records */
};

/* Run all cells. BASE_OK when every cell has its record; *bad gets the number of cells that ended
 * in a status nobody expected. BASE_E_IO and the like with a message when records cannot be
 * written. */
int bench_suite_run(const struct bench_suite *suite, const struct bench_options *options,
                    struct base_arena *arena, int *bad);

/* Print the numbers of cells and figures of a suite, and their estimated time if known. */
void bench_suite_announce(const struct bench_suite *suite, int jobs);
/* Print every cell that would be run, with the command that repeats it, and run none (plan.c); *n: how
 * many. BASE_E_INPUT with a message. */
int bench_suite_list(const struct bench_suite *suite, const struct bench_options *options,
                     struct base_arena *arena, int *n);

/* Print how many cells have no result yet, and what they take: time, memory, disk; where records are
 * there, as these did. */
int bench_suite_estimate(const struct bench_suite *suite, const struct bench_options *options,
                         struct base_arena *arena);

/* Reduce the cells to one for each shared reference by `event` (plan.c). References of an
 * ensemble's rotations and of searches over a parameter are computed by their own cells.
 * BASE_E_INPUT with a message. */
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
