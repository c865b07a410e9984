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
/* A source of studies (figure/study.h; data: the report): "records", all of them; "runs", those of its rows;
 * "compared", those that the overview compares, where `row` is one for all solvers; "searches", those of searches; "solutions", of one-step problems.
 * Columns are those above (of solutions those of solutions.c), and paths into records. */
figure_source report_source;
/* Append the rows of "solutions" (solutions.c). */
void report_append_solutions(struct report *report, struct frame *f, char *is_known);
/* Carry out transforms of the program's own; NULL with a message. */
struct frame *report_query(struct frame *f, const char *transforms);
/* The record of a row and formulation that stands for all its steps: the smallest error among
 * those that finished, else the smallest dt. */
struct frame *report_best(struct frame *f);
/* The number at a column that there is. */
double report_real(const struct frame *f, long row, const char *column);

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
