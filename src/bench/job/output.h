/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where results go: found out before anything is computed, and written in one piece whatever
 * happens meanwhile.
 */
#ifndef BENCH_OUTPUT_H
#define BENCH_OUTPUT_H

struct cJSON;

/* Could a file be written there ("-": standard output)? BASE_E_IO with a message; nothing is left
 * behind. A disk may still fill up later. BASE_E_INPUT where it is the file `input`, which is read
 * (NULL: none is). */
int bench_output_check(const char *path, const char *input);
/* base_json_write with interrupts held back until it is done, so that a partial file is not left
 * behind by ^C. */
int bench_output_write(const char *path, const struct cJSON *value);
/* Remove what a process that was killed while it wrote may have left beside the file. */
void bench_output_clean(const char *path);

#endif
