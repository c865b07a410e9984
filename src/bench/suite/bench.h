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
  int references;     /* compute only references, for the cells selected by
                         bench_suite_references */
  int resume;         /* skip cells with a record of their key, see resume.h */
  const char *folder; /* folder of records */
};

/* Run all cells. BASE_OK if every cell has its record; *bad: the number of cells with an unexpected
 * status. BASE_E_IO and the like with a message if records cannot be written. */
int bench_suite_run(const struct bench_suite *suite, const struct bench_options *options,
                    struct base_arena *arena, int *bad);

/* Print the numbers of cells and figures of a suite, and their estimated time if known. */
void bench_suite_announce(const struct bench_suite *suite, int jobs);
/* Print the cells that would be run, each with its command, without running them (plan.c); *n:
 * their number. BASE_E_INPUT with a message. */
int bench_suite_list(const struct bench_suite *suite, const struct bench_options *options,
                     struct base_arena *arena, int *n);

/* Print the number of cells without a result and an estimate of their time, memory and disk space,
 * from records of the suite if there are any. */
int bench_suite_estimate(const struct bench_suite *suite, const struct bench_options *options,
                         struct base_arena *arena);

/* Reduce the cells to one for each shared reference by `event` (plan.c). References of an
 * ensemble's rotations and of searches over a parameter are computed by their own cells.
 * BASE_E_INPUT with a message. */
int bench_suite_references(struct bench_suite *suite, struct base_arena *arena);
/* Compute the reference of a run into request->references, unless it is there. *status: BASE_OK, or
 * the reason why there is none, with a message. Returns errors as bench_run. */
int bench_suite_keep_reference(const struct bench_request *request, int *status);

/* Run a resolved job, or the search or ensemble that it requests, which change the job. Returns as
 * bench_run. */
int bench_carry_out(const struct bench_request *request, struct base_arena *arena,
                    struct bench_job *job, struct bench_outcome *outcome);

/* Run one job and write its record to a file ("-": standard output; NULL: print a summary). If the
 * file cannot be written, the job is refused before it is run. *status: that of the outcome, with a
 * message; *reference: the time of its reference [s]; may be NULL. */
int bench_run_to_file(const struct bench_request *request, const char *path, int *status,
                      double *reference);

#endif
