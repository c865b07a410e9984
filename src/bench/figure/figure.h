/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between records and figures (cases/figure/figure.h): records turned into the series that a figure
 * reads, and the values of a figure into JSON and back. Drawing is in plot.c; this part needs no
 * plotting program.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdio.h>

#include "base/memory/arena.h"
#include "cases/case.h"

#define BENCH_FIGURE_SCHEMA "coulombench.figure/2"

/* The series of a record (which it keeps pointing into); run may be NULL. Values that are null in
 * the record are NaN. BASE_E_INPUT with "file: key ...: reason" where the trajectory is not
 * well-formed. */
int bench_series_from_record(const struct cJSON *record, const char *file,
                             const struct case_run *run, struct base_arena *arena,
                             struct case_series *series);

/* Add the judged values of a figure to its record: verdicts{}, checks[] and reports[] (figure.c
 * names their keys). */
void bench_plot_to_json(const struct case_plot *plot, struct cJSON *figure);
/* Is it the record of a figure? Its keys and their types, numbers that are finite, and every
 * verdict judged again. BASE_E_INPUT with "file: key ...: reason". */
int bench_figure_check(const struct cJSON *figure, const char *file);

/* Number of digits, in [6, 15], that distinguishes x from its bounds: 0.4515236 in [0.4515235,
 * 0.4515237] needs seven. */
int bench_figure_digits(double lo, double hi);

/* The figure record of an id in a list of them; NULL: it is not there. */
const struct cJSON *bench_figure_of(const struct cJSON *figures, const char *id, size_t length);
/* A sentence whose gaps {check} are filled with what a figure measured, or, `figure` being NULL,
 * gaps {figure: check} with what one of `figures` did (fill.c). *missing: the first gap that has no
 * number, and is a dash in the text; NULL: none. From the arena. */
const char *bench_figure_fill(struct base_arena *arena, const char *text,
                              const struct cJSON *figures, const struct cJSON *figure,
                              const char **missing);
/* The same of the values of a plot. */
const char *bench_figure_fill_from(struct base_arena *arena, const char *text,
                                   const struct case_plot *plot, const char **missing);

#endif
