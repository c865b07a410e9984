/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between records and figures (cases/figure/figure.h): records turned into the series that a figure
 * reads, and the values of a figure into JSON and back. Drawing is in plot.c; this part needs no
 * plotting program.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include "base/memory/arena.h"
#include "cases/case.h"

#define BENCH_FIGURE_SCHEMA "coulombench.figure/2"

/* The series of a record (which it keeps pointing into); run may be NULL. Values that are null in
 * the record are NaN. BASE_E_INPUT with "file: key ...: reason" where the trajectory is not
 * well-formed. */
int bench_series_from_record(const struct cJSON *record, const char *file,
                             const struct case_run *run, struct base_arena *arena,
                             struct case_series *series);

/* Add what became of a figure's values to its record: verdicts{}, checks[] and reports[] (figure.c
 * names their keys). */
void bench_plot_to_json(const struct case_plot *plot, struct cJSON *figure);
/* Is it the record of a figure? Its keys and their types, numbers that are finite, and every
 * verdict judged again. BASE_E_INPUT with "file: key ...: reason". */
int bench_figure_check(const struct cJSON *figure, const char *file);

#endif
