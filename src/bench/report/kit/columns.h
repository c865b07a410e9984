/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All records of a report as the rows of one frame, filled as they are read. A row has the columns
 * that tables of studies and of the page use; nothing else of a record stays in memory. Columns are
 * paths into the record, and expressions of scripts/plot/sources.json:
 *
 *   "columns": {"drift": "energy.max_numerical_drift / energy_scale"}   by name, of every record
 *   "units": {"energy_scale": "J"}, "why": {"drift": "..."}             of these; for people
 *   "quantities": [{"path": "errors.q_linf", "says": {"quantity": "error", "is_log": 1},
 *                   "columns": {"scale": "quality.scales.length"}}]
 *   "of_each_quantity": {"number": "{path} / scale"}
 *
 * Values are expressions (bench/frame/README.md) of these columns and of paths into the record.
 * Quantities are the numbers of the overview, by which formulations are compared. A row of the
 * source "quantities" (study.h) belongs to one of them. It has the texts of "says", the quantity's
 * own columns, and those of "of_each_quantity", in which {path} is the path of its number.
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
/* Entry of "says" of a quantity (-1: of none) at a name; NULL: none. */
const cJSON *report_says(const struct report_columns *columns, int quantity, const char *name);

/* Append a row: of a record that has been read, at r->row. */
void report_row_add(struct report *report, const cJSON *json, struct report_record *r);
/* Number of a requested column of a quantity (-1: of none); -1: not requested. */
int report_column(const struct report_columns *columns, int quantity, const char *name);
/* Does any record have it? */
int report_column_is_known(const struct report_columns *columns, int column);
const struct frame_value *report_row_at(const struct report_columns *columns, long row, int column);
/* Its unit; `otherwise` if none is declared. */
const char *report_column_unit(const struct report_columns *columns, const char *name,
                               const char *otherwise);

#endif
