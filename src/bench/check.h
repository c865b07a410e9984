/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench check`: any file of the program by its own schema.
 */
#ifndef BENCH_CHECK_H
#define BENCH_CHECK_H

struct base_words;
struct cJSON;

/* Validate a file by its own schema: result, suite, case, problem, solution, figure. Prints one
 * line. A case by its name, and after its file a scene: its model too, with "key=value" pairs set,
 * by bench_check_model. */
int bench_check(const char *path, const struct base_words *set);
/* The same of a file that has been read, without the line. */
int bench_check_value(const char *path, const struct cJSON *file);
#endif
