/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records: what a run leaves behind, as JSON. schema coulombench.result/1; the blocks `timing` and
 * `provenance` vary between runs, all the rest is the same byte for byte.
 */
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "bench/run/run.h"

struct cJSON;
struct bench_search;
struct bench_threshold;

#define BENCH_RESULT_SCHEMA "coulombench.result/1"

/* The blocks case, formulation and solver of a job, as far as they say what was asked for. */
void bench_record_begin(struct cJSON *record, const struct bench_job *job);
/* All options of a solver, and with them those of the loop around it; to be freed. */
struct cJSON *bench_record_options(const struct problem_solver *solver, const void *options,
                                   const struct problem_loop *loop);
/* The record of a finished job; to be freed by cJSON_Delete. */
struct cJSON *bench_record(const struct bench_job *job, const struct bench_outcome *outcome);
/* Check that a parsed record is complete and well-formed: BASE_E_INPUT with "file: key ...:
 * reason". */
int bench_record_check(const struct cJSON *record, const char *file);

/* searches.c: the blocks `search` and `threshold`, and their checks (BASE_OK without one). */
void bench_record_add_search(struct cJSON *record, const struct bench_search *search);
int bench_record_check_search(const struct cJSON *record, const char *file);
void bench_record_add_threshold(struct cJSON *record, const struct bench_threshold *s);
int bench_record_check_threshold(const struct cJSON *record, const char *file);

#endif
