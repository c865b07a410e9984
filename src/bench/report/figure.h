/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure's data: records turned into the series its make() reads, and the tables and checks that
 * make() leaves behind. Defines the struct case_plot that cases know by name only. Drawing is in
 * plot.c; this part needs no plotting program.
 */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include "base/memory/arena.h"
#include "cases/case.h"

#define BENCH_FIGURE_SCHEMA "coulombench.figure/1"

/* One asserted statement: lo <= measured <= hi. */
struct bench_figure_check {
  const char *what, *published;
  double measured, lo, hi;
  int passed;
};

struct case_plot {
  struct base_arena *arena;
  const char *folder; /* tables are <folder>/<name>.dat; NULL: tables are checked and dropped */
  int n_tables, n_checks, n_failed;
  const char **tables; /* their names */
  struct bench_figure_check *checks;
  int tables_capacity, checks_capacity;
};

/* An empty plot; creates the folder. BASE_E_IO with a message. */
int bench_plot_init(struct case_plot *plot, const char *folder, struct base_arena *arena);

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
