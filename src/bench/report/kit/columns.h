/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All records of a report as the rows of one frame, which is filled while they are read, one after
 * the other: of each record those columns that tables of studies and of the page ask for, and no
 * more of it stays in memory. Columns are paths into the record, and what scripts/plot/sources.json
 * makes of them:
 *
 *   "columns": {"drift": "energy.max_numerical_drift / energy_scale"}   by name, of every record
 *   "units": {"energy_scale": "J"}, "why": {"drift": "..."}             of these; for people
 *   "quantities": [{"path": "errors.q_linf", "says": {"quantity": "error", "is_log": 1},
 *                   "columns": {"scale": "quality.scales.length"}}]
 *   "of_each_quantity": {"number": "{path} / scale"}
 *
 * Values are expressions (bench/frame/README.md) of these columns and of paths into the record.
 * Quantities are the numbers by which formulations are compared, as the overview shows them, and
 * the rows of the source "quantities" (study.h) are of one each. It has what is said of it, and
 * columns of its own before those of each quantity, in which {path} is that of its number.
 */
#ifndef BENCH_REPORT_COLUMNS_H
#define BENCH_REPORT_COLUMNS_H

#include "bench/frame/expression.h"
#include "bench/report/kit/report.h"

#define REPORT_SOURCES "scripts/plot/sources.json"
/* sources.json; NULL with a message. It stays with the report. */
const cJSON *report_sources(struct report *report);
/* How many quantities there are. */
int report_quantities(const struct report_columns *columns);
/* What is said of a quantity (-1: of none) under a name; NULL: nothing. */
const cJSON *report_says(const struct report_columns *columns, int quantity, const char *name);

/* Append a row: of a record that has been read, at r->row. */
void report_row_add(struct report *report, const cJSON *json, struct report_record *r);
/* A column of a quantity (-1: of none) among those asked for; -1: nobody asked for it. */
int report_column(const struct report_columns *columns, int quantity, const char *name);
/* Is it there of any record? */
int report_column_is_known(const struct report_columns *columns, int column);
const struct frame_value *report_row_at(const struct report_columns *columns, long row, int column);
/* Its unit; `otherwise` where none is said. */
const char *report_column_unit(const struct report_columns *columns, const char *name,
                               const char *otherwise);

#endif
