/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --dump-problems N[:DIR]`: every N-th one-step problem of a run as a file of its own.
 */
#ifndef BENCH_DUMP_H
#define BENCH_DUMP_H

/* "N" or "N:DIR": *every > 0 and the folder ("." without), which points into text. */
int bench_dump_parse(const char *text, int *every, const char **folder);
/* "json" or "fclib": how the names of the files end. */
int bench_dump_format(const char *text, const char **ending);

#endif
