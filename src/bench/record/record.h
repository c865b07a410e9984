/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records: what a run leaves behind, as JSON. schema coulombench.result/2 (fields.h); the blocks
 * `timing` and `provenance` vary between runs, all the rest is the same byte for byte.
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "bench/run/run.h"

struct cJSON;
struct bench_search;
struct bench_threshold;

#define BENCH_RESULT_SCHEMA "coulombench.result/2"

/* The blocks case, formulation and solver of a job, as far as they say what was asked for. */
void bench_record_begin(struct cJSON *record, const struct bench_job *job);
/* All options of a solver, and with them those of the loop around it; to be freed. */
struct cJSON *bench_record_options(const struct problem_solver *solver, const void *options,
                                   const struct problem_loop *loop);
/* Options of a solve by itself beside those: history. */
extern const struct base_option bench_solve_options[];
/* The record of a finished job; to be freed by cJSON_Delete. */
struct cJSON *bench_record(const struct bench_job *job, const struct bench_outcome *outcome);
/* The same of what all runs of the job have in common alone: no times, nothing of the machine, and
 * nothing that the reference decides. */
struct cJSON *bench_record_of_repeat(const struct bench_job *job,
                                     const struct bench_outcome *outcome);
/* The value at a dotted path; below final.q and final.u by the name of a component (final.u.vx, of
 * scenes final.q.ball.x). NULL: there is none. */
const struct cJSON *bench_record_at(const struct cJSON *record, const char *path);
/* Is a parsed file a record, but of another version of the schema? */
int bench_record_is_of_other_version(const struct cJSON *record);
/* Is a parsed file a record of this version? BASE_E_INPUT with one line. */
int bench_record_expect(const struct cJSON *record, const char *file);
/* summary.c: a record in ten lines on standard output. */
void bench_record_summary(const struct cJSON *record);
/* `describe coulombench.result/2`: the JSON Schema; to be freed. */
struct cJSON *bench_record_schema(void);
/* Check that a parsed record is complete and well-formed: BASE_E_INPUT with "file: key ...:
 * reason". */
int bench_record_check(const struct cJSON *record, const char *file);

/* searches.c: what the blocks `search` and `threshold` hold, and the checks of a record (BASE_OK
 * without one). */
void bench_record_add_search(struct cJSON *block, const struct bench_search *search);
int bench_record_check_search(const struct cJSON *record, const char *file);
void bench_record_add_threshold(struct cJSON *block, const struct bench_threshold *s);
int bench_record_check_threshold(const struct cJSON *record, const char *file);

#endif
