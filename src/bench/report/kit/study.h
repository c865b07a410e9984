/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study is data: a query of the report's rows, what its columns are, and whether it is one plot of
 * all cases or a plot a case. A formulation is a table, and gnuplot draws them by
 * scripts/plot/<name>.gp. Those whose points no query gives have a function of their own in
 * studies/.
 */
#ifndef BENCH_REPORT_STUDY_H
#define BENCH_REPORT_STUDY_H

#include "bench/frame/frame.h"
#include "bench/report/kit/report.h"

struct report_study;

/* A plot of a study, being made: its tables, and what the script is told beside. */
struct report_sheet {
  struct report *report;
  const char *study, *id, *title, *caption;
  const char *drawn_by; /* of scripts/plot; NULL: <study>.gp */
  struct report_script script;
  struct case_plot plot;
  struct report_drawing *drawing;
  struct report_sheet *next;
};

/* Errors far below those of all time steppers are drawn at one height, and not to scale: what is
 * below `at`, which reaches from lo to hi. at = 0: there are none. */
struct report_strip {
  double at, lo, hi;
};

/* The rows of a report as a frame (frame/frame.h): `row`, from 1 on, `record`, its place among the
 * report's, `form`, `dt`, `finished`, `chooses_steps`, `is_reference`, `error` over the system's
 * length, `floor` of errors.q_linf, relative `drift`, `work` (steps, iterations of the solver and
 * evaluations of forces together), `time_lo` and `time_hi` (report_time_bound), and numbers of the record by their paths (frame.c). From the arena. */
struct frame *report_frame(const struct report *report, int n, const struct report_row *rows);
/* Carry out transforms of the program's own; NULL with a message. */
struct frame *report_query(struct frame *f, const char *transforms);
/* The record of a row and formulation that stands for all its steps: the smallest error among
 * those that finished, else the smallest dt. */
struct frame *report_best(struct frame *f);
/* The number at a column that there is. */
double report_real(const struct frame *f, long row, const char *column);

/* What no query gives of a study; all may be NULL. */
struct report_hooks {
  const char *name; /* of the study */
  /* Add columns to its points. */
  int (*add)(struct frame *points);
  /* Tell the script more than its tables, `present`, and for all cases `rows` and `labels`; of a
   * plot's runs and of its points. */
  int (*tell)(struct report_sheet *sheet, struct frame *all, struct frame *points);
  struct report_strip (*strip)(const struct frame *points); /* NULL: all is drawn to scale */
  /* What n rows show, in front of the caption; NULL: the slopes, where there are some. */
  const char *(*conclude)(const struct report *report, int n, const struct report_row *rows);
  int (*also)(const struct report *report); /* a file beside the plots */
  int (*make)(struct report *report, const struct report_study *study); /* in place of all that */
};

/* A study of scripts/plot/studies.json, where each has name, title and caption, and
 *
 *   all_cases    true: one plot of all rows with a point a formulation, whose first column is `row`;
 *                else a plot a row, with a point a record
 *   stands       "best", "search": which record stands for a formulation in a row of all cases, the
 *                best one (report_best), or the first of the searches for the largest step
 *   transform    of the frame of rows to the points of all formulations
 *   points       least number of points of a formulation
 *   columns      [[title with its unit, column of the frame], ...] of the tables, a table a
 *                formulation
 *   slopes       [[what it is called, column], ...] whose slopes over dt are fitted
 *   x, y         where there are several plots of a row each: axes of a further one of all of them
 *                as small panels with one legend, of the first two columns (multiples.gp) */
struct report_study {
  const char *name, *title, *caption;
  const cJSON *json;
  const struct report_hooks *with;
};

/* All plots of a study. */
int report_study_draw(struct report *report, const struct report_study *study);

/* A plot of it; row: NULL for one of all cases. */
int report_sheet_begin(struct report_sheet *sheet, struct report *report,
                       const struct report_study *study, const struct report_row *row);
/* A sentence in front of a study's caption; the caption alone where it is "". */
const char *report_study_caption(const struct report *report, const struct report_study *study,
                                 const char *sentence);
/* Begin to draw it, its tables written; nothing without tables. */
int report_sheet_finish(struct report_sheet *sheet);
/* Wait for all that were begun, and note them in the report. */
int report_sheets_conclude(struct report *report);

/* Below it an error [of q] is one of the reference or of rounding. */
double report_error_floor(const struct report_record *r);
/* Only runs that reached the horizon have errors to show (status ok or unconverged). */
int report_has_errors(const struct report_record *r);

/* Largest steps: columns `place` and `width` of a formulation's point among those of its row, and
 * report/largest-step.csv. */
int report_search_place(struct frame *points);
int report_search_csv(const struct report *report);
/* Performance profiles of the solvers over the problems the suite solved; report/profile.csv and
 * report/profile-missed.csv. */
int report_profile_make(struct report *report, const struct report_study *study);
/* Times of our solvers against those of others, a problem a point; report/race.csv. */
int report_race_make(struct report *report, const struct report_study *study);
/* Residual against iterations and time of one-step problems, a plot a problem and law. */
int report_convergence_make(struct report *report, const struct report_study *study);
/* Shares of law, scheme, solver and step in the spread of errors, of the ensembles of formulation
 * impulse; report/what-is-measured.csv and report/what-is-measured-laws.csv. */
int report_measured_make(struct report *report, const struct report_study *study);
/* The overview, a picture a quantity; report/overview.csv (overview/overview.h). */
int report_overview_make(struct report *report, const struct report_study *study);
/* Shares of cases solved against time and work; report/data-profile.csv. */
int report_data_profile_make(struct report *report, const struct report_study *study);
/* Cost against the number of bodies, of runs labelled for it; report/scaling.csv. */
int report_scaling_make(struct report *report, const struct report_study *study);
/* What tolerances change beside what steps do, of runs labelled for it; report/tolerance.csv. */
int report_tolerance_make(struct report *report, const struct report_study *study);
/* A number of records against a parameter, as the suite asks for; report/parameter.csv. */
int report_parameter_make(struct report *report, const struct report_study *study);

#endif
