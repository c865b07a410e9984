/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What studies know of a record beside the paths into it, as scripts/plot/sources.json says it:
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
/* Into report->columns, once. BASE_E_INPUT with a message. */
int report_columns_load(struct report *report);
/* How many quantities there are. */
int report_quantities(const struct report_columns *columns);
/* What a column of a quantity (-1: of none) comes to in the scope of a record; 0: there is none. */
int report_column(struct report_columns *columns, int quantity, const char *name,
                  const struct frame_scope *scope, struct frame_value *value);
/* Its unit; `otherwise` where none is said. */
const char *report_column_unit(const struct report_columns *columns, const char *name,
                               const char *otherwise);

#endif
