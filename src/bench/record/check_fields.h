/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checking parsed files by tables of fields: records, solutions, figures.
 */
#ifndef BENCH_CHECK_FIELDS_H
#define BENCH_CHECK_FIELDS_H

#include "bench/record/fields.h"

/* Has the object all the n fields, each of its type and range, and no other key? BASE_E_INPUT with
 * "file: key ...: reason". */
int bench_fields_check(const struct cJSON *object, const char *file,
                       const struct bench_field *fields, int n);

#define BENCH_FIELD_COUNT_TEXT "a whole number, not negative"
int bench_field_is_count(const struct cJSON *item);

/* What `check` asks of a record beyond bench_record_check, which reports ask: are case, parameters,
 * formulation, law, solver and options ones there are? check_asked.c. */
int bench_record_check_asked(const struct cJSON *record, const char *file);
/* check_solution.c: solutions (coulombench.solution/1). */
int bench_solution_check(const struct cJSON *solution, const char *file);
struct base_option;
/* An object of options against n > 0 tables of those it may hold (NULL: one without any); `path`
 * and `owner` for messages. */
int bench_options_check(const struct cJSON *object, const char *file, const char *path,
                        const char *owner, int n, const struct base_option *const *tables);
/* The block `solver`: its name, null allowed, and its options with those of the loop and `more`. */
int bench_solver_check(const struct cJSON *object, const char *file,
                       const struct base_option *more);

#endif
