/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records: the results of a run as JSON. schema coulombench.result/2 (fields.h); the blocks
 * `timing` and `provenance` vary between runs, all others are the same byte for byte.
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "bench/run/outcome.h"

struct cJSON;

#define BENCH_RESULT_SCHEMA "coulombench.result/2"

/* Options of a solve by itself, beside those of solver and loop: history. */
extern const struct base_option bench_solve_options[];
/* The record of a finished job; to be freed by cJSON_Delete. */
struct cJSON *bench_record(const struct bench_job *job, const struct bench_outcome *outcome);
/* The same with only the fields that all runs of the job share: no times, nothing of the machine,
 * nothing from the reference. */
struct cJSON *bench_record_of_repeat(const struct bench_job *job,
                                     const struct bench_outcome *outcome);
/* Is a parsed file a record, but of another version of the schema? */
int bench_record_is_of_other_version(const struct cJSON *record);
/* Is a parsed file a record of this version? BASE_E_INPUT with one line. */
int bench_record_expect(const struct cJSON *record, const char *file);
/* summary.c: a record in ten lines on standard output. */
void bench_record_summary(const struct cJSON *record);
/* Check that a parsed record is complete and well-formed: BASE_E_INPUT with "file: key ...:
 * reason". */
int bench_record_check(const struct cJSON *record, const char *file);

/* All checks of the command `check`: this one, that its inputs are valid, and that the record is
 * unchanged. */
int bench_record_check_whole(const struct cJSON *record, const char *file);

#endif
