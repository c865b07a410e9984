/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks of records, solutions and questions beyond their keys.
 */
#ifndef BENCH_CHECK_FIELDS_H
#define BENCH_CHECK_FIELDS_H

#include "bench/record/fields.h"

/* check_solution.c: solutions. */
#define BENCH_SOLUTION_SCHEMA "coulombench.solution/1"
extern const struct base_table bench_solution_keys;
int bench_solution_check(const struct cJSON *solution, const char *file);
/* check_question.c: questions to simulators. */
extern const struct base_table bench_question_keys;
int bench_question_check(const struct cJSON *question, const char *file);
struct base_option;
/* An object of options against n > 0 tables of those it may hold (NULL: one without any); `path`
 * and `owner` for messages. */
int bench_options_check(const struct cJSON *object, const char *file, const char *path,
                        const char *owner, int n, const struct base_option *const *tables);
/* The block `solver`: its name, null allowed, and its options with those of the loop and `more`. */
int bench_solver_check(const struct cJSON *object, const char *file,
                       const struct base_option *more);

#endif
