/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of the report: files of scripts/plot/studies, and those of users (bench/figure/study.h),
 * with a source of rows of records.
 */
#ifndef BENCH_REPORT_STUDY_H
#define BENCH_REPORT_STUDY_H

#include "bench/figure/study.h"
#include "bench/frame/frame.h"
#include "bench/report/kit/report.h"

/* A source of studies (figure/study.h; data: the report). Rows are
 *
 *   records     all records
 *   runs        records of motions, by the table "motions" of scripts/plot/sources.json
 *   compared    the same with ensembles, whatever the solver
 *   searches    searches for the largest step
 *   quantities  the rows of "compared", repeated for each quantity (columns.h)
 *   before      the records of the run that is compared with
 *   solutions   of one-step problems (solutions.c)
 *   values      of figures: `figure`, `what`, `verdict`, `measured`, `claimed`, `expected`,
 *               `published`, `reason`, as texts
 *   published   statements of the papers and their verdicts (sources.c)
 *   STUDY.TABLE a table of a study, by its id
 *
 * Columns of a run are paths into its record, the columns of sources.json, and computed ones
 * (columns.c): `place` of the record in the report, `form`, `chooses_steps`, `default_tol`, `label`
 * of the cell, `path` of the file, `expected` (is the outcome?), `case_place`,
 * `is_of_figure_alone`, and `friction` of a scene: none, uncoupled or coupled. A run of a motion
 * also has its `row`, from 1 on, the title `motion`, and the number of `motions`, at most 1000 of
 * which are compared, because larger pictures and tables are not readable. The prefix `was.` stands
 * for the record of the same name in the other run. */
figure_source report_source;
#define REPORT_WAS "was."
/* Append the rows of "solutions". */
void report_append_solutions(struct report *report, struct frame *f, char *is_known);
/* Append the rows of a source other than runs. */
int report_other_source(struct report *report, const char *name, struct frame *f, char *is_known);
/* Tables of a study, made once; NULL with a message. */
const struct figure_study *report_study_tables(struct report *report,
                                               const struct bench_figure *study);
/* The number in an existing column. */
double report_real(const struct frame *f, long row, const char *column);

/* Write the tables listed in its file ("csv"), if they have rows, as report/<name>.csv. */
int report_write_tables(const struct report *report, const struct figure_study *made);
/* Rows of a table selected by {"table": NAME, "only": {COLUMN: TEXT}}: those in which each COLUMN
 * has its TEXT; NULL with a message. */
const struct frame *report_rows_of(const struct figure_study *tables, const cJSON *spec);
/* A text with expressions {...} of the columns replaced by their values; NULL with a message. */
const char *report_filled(const struct frame *f, const char *text, const char *file);
/* A list of {"table", "only", "empty"}: the pieces of text in the column `says` of each, one behind
 * the other; `empty` where there is none. NULL with a message. */
const char *report_sentence(const struct figure_study *tables, const cJSON *specs);
/* The studies of the suite, all without one: *n. NULL with a message. */
const struct bench_figure **report_studies_asked(const struct report *report, int *n);
/* A study, all its drawings. */
int report_study_draw(struct report *report, const struct bench_figure *study);

/* Wait for all drawings under way, and note them in the report. */
int report_sheets_conclude(struct report *report);

#endif
