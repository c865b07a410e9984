/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between records and figures (cases/figure/figure.h): records turned into the series that a figure
 * reads, and its checks into JSON. Drawing is in plot.c; this part needs no plotting program.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include "base/memory/arena.h"
#include "cases/case.h"

#define BENCH_FIGURE_SCHEMA "coulombench.figure/1"

/* The series of a record (which it keeps pointing into); run may be NULL. Values that are null in
 * the record are NaN. BASE_E_INPUT with "file: key ...: reason" where the trajectory is not
 * well-formed. */
int bench_series_from_record(const struct cJSON *record, const char *file,
                             const struct case_run *run, struct base_arena *arena,
                             struct case_series *series);

/* The checks as a JSON array [{what, measured, lo, hi, published, passed}]; infinite bounds are
 * null. */
struct cJSON *bench_plot_checks_to_json(const struct case_plot *plot);

#endif
