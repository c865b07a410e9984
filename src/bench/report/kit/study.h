/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of the report: files of scripts/plot/studies, and those of users (bench/figure/study.h),
 * with a source of rows of records. Those whose points no query gives say "make": a function of
 * studies/ and overview/, which writes tables for scripts/plot/<id>.gp.
 */
#ifndef BENCH_REPORT_STUDY_H
#define BENCH_REPORT_STUDY_H

#include "bench/figure/study.h"
#include "bench/frame/frame.h"
#include "bench/report/kit/report.h"

/* A plot of a study, being made: its tables, and what the script is told beside. */
struct report_sheet {
  struct report *report;
  const struct bench_figure *study;
  const char *id, *title, *caption;
  const char *drawn_by; /* of scripts/plot; NULL: <study>.gp */
  struct report_script script;
  struct case_plot plot;
  struct report_drawing *drawing;
  struct report_sheet *next;
};

/* The rows of a report as a frame (frame/frame.h): `row`, from 1 on, and its title `motion`, `place` of the record
 * among the report's, `form`, `dt`, `finished`, `chooses_steps`, `is_reference`, `error` over
 * the system's length, `floor` of errors.q_linf, relative `drift`, `work` (steps, iterations of the
 * solver and evaluations of forces together), `time_lo` and `time_hi` (report_time_bound), and
 * numbers of the record by their paths (frame.c). From the arena. */
struct frame *report_frame(const struct report *report, int n, const struct report_row *rows);
/* Append a record: what it has under the names of the columns. */
void report_append(const struct report *report, const struct report_record *r, struct frame *f);
/* A source of studies (figure/study.h; data: the report): "records", all of them; "runs", those of its
 * rows; "compared", with ensembles and whatever the solver; "searches", those of searches;
 * "quantities", those of "compared", each once for each quantity (quantities.h); "before", the records
 * of the run that it is held against. Columns are those above, `label` and `study` of the cell, `path`
 * of the file, whether the outcome is `expected`, `case_place`, `energy_scale`, and paths into records;
 * with `was.` before them, those of the record of the same name in the other run. Further: "solutions" of
 * one-step problems (solutions.c); "values" of figures (`figure`, `what`, `verdict`, `measured`, `claimed`, `expected`, `published`, `reason`, as
 * texts), what papers state ("published": sources.c), and "STUDY.TABLE", a table of a study by its id. */
figure_source report_source;
/* Append the rows of "solutions". */
void report_append_solutions(struct report *report, struct frame *f, char *is_known);
/* Those that are no runs. */
int report_other_source(struct report *report, const char *name, struct frame *f, char *is_known);
/* Tables of a study, made once; NULL with a message. */
const struct figure_study *report_study_tables(struct report *report,
                                               const struct bench_figure *study);
/* Carry out transforms of the program's own; NULL with a message. */
struct frame *report_query(struct frame *f, const char *transforms);
/* The record of a row and formulation that stands for all its steps: the smallest error among
 * those that finished, else the smallest dt. */
struct frame *report_best(struct frame *f);
/* The number at a column that there is. */
double report_real(const struct frame *f, long row, const char *column);

/* The tables that its file keeps ("csv"), where they have rows, as report/<name>.csv. */
int report_write_tables(const struct report *report, const struct figure_study *made);
/* Rows of a frame in which a column has a value. */
const struct frame *report_rows_with(const struct frame *f, int column,
                                     const struct frame_value *value);
/* Rows of the table that {"table": NAME, "only": {COLUMN: TEXT}} is about: those in which the columns are
 * such texts; NULL with a message. */
const struct frame *report_rows_of(const struct figure_study *tables, const cJSON *spec);
/* A text with what expressions {...} of the columns come to; NULL with a message. */
const char *report_filled(const struct frame *f, const char *text, const char *file);
/* {"table", "only", "text", "before", "after", "empty"}: the texts of a column, with commas, between the
 * two others; `empty` where there is none. NULL with a message. */
const char *report_sentence(const struct figure_study *tables, const cJSON *spec);
/* A study, all its drawings. */
int report_study_draw(struct report *report, const struct bench_figure *study);

/* A drawing of it; row: NULL for one of all. */
int report_sheet_begin(struct report_sheet *sheet, struct report *report,
                       const struct bench_figure *study, const struct report_row *row);
/* A sentence in front of a study's caption; the caption alone where it is "". */
const char *report_study_caption(const struct report *report, const struct bench_figure *study,
                                 const char *sentence);
/* Begin to draw it, its tables written; nothing without tables. */
int report_sheet_finish(struct report_sheet *sheet);
/* Wait for all that were begun, and note them in the report. */
int report_sheets_conclude(struct report *report);

/* Below it an error [of q] is one of the reference or of rounding. */
double report_error_floor(const struct report_record *r);
/* Only runs that reached the horizon have errors to show (status ok or unconverged). */
int report_has_errors(const struct report_record *r);

/* The overview, a picture a quantity; report/overview.csv (overview/overview.h). */
int report_overview_make(struct report *report, const struct bench_figure *study);

#endif
