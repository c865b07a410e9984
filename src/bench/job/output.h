/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of results: their paths are checked before any computation, and they are written completely
 * or not at all.
 */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

struct cJSON;

/* Can a file be written at a path ("-": standard output)? BASE_E_IO with a message; no file
 * remains. A disk may still fill up later. BASE_E_INPUT if it is the file `input`, which is read
 * (NULL: none). */
int bench_output_check(const char *path, const char *input);
/* base_json_write with interrupts deferred until it is done, so that ^C leaves no partial file. */
int bench_output_write(const char *path, const struct cJSON *value);
/* Remove temporary files beside the file of a process that was killed while it wrote. */
void bench_output_clean(const char *path);

#endif
