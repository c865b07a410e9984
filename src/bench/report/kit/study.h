/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A study is data: which records it is made of, what its columns are, and whether it is one plot of
 * all cases or a plot a case. A formulation is a table, and gnuplot draws them by
 * scripts/plot/<name>.gp. The list of studies is in studies.c; those whose points are computed from
 * several records have a function of their own in studies/.
 */
#ifndef BENCH_REPORT_STUDY_H
#define BENCH_REPORT_STUDY_H

#include "bench/report/kit/report.h"

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

/* A column: the number at a path of the record, or one computed from it. */
struct report_column {
  const char *title; /* with its unit, in the table's head; NULL: no more columns */
  const char *path;
  double (*value)(const struct report_record *r);
  /* Where slopes over the first column are fitted: what they are called there, and the value (NULL:
   * none) below which something else than the step is seen. */
  const char *slope;
  double (*floor)(const struct report_record *r);
};
enum { REPORT_COLUMNS = 8 };

/* Errors far below those of all time steppers are drawn at one height, and not to scale: what is
 * below `at`, which reaches from lo to hi. at = 0: there are none. */
struct report_strip {
  double at, lo, hi;
};

struct report_study {
  const char *name, *title, *caption;
  /* One plot of all cases, whose first column is the number of the case from 1 on, with a point a
   * formulation, at the step that stands for it; else a plot a case, with a point a step. */
  int of_all_cases, of_searches; /* of the records that sought the largest step */
  int points;                    /* least number of points of a formulation */
  int (*filter)(const struct report_record *r);
  struct report_column columns[REPORT_COLUMNS];
  /* Further columns, behind those, of a record in a row: place of the point within the row. */
  const char *beside;
  void (*place)(const struct report_row *row, int form, double *values);
  /* Where there are several plots of a case each: axes of a further one of all of them as small
   * panels with one legend, of the first two columns (scripts/plot/multiples.gp); NULL: none. */
  const char *x_label, *y_label;
  /* Tell the script more than its tables, `present`, and for all cases `rows` and `labels`. */
  void (*tell)(struct report_sheet *sheet, const struct report_row *row);
  struct report_strip (*strip)(const struct report_row *row); /* NULL: all is drawn to scale */
  /* What n rows show, in front of the caption; NULL: the slopes, where there are some. */
  const char *(*conclude)(const struct report *report, int n, const struct report_row *rows);
  int (*also)(const struct report *report); /* a file beside the plots */
  int (*make)(struct report *report, const struct report_study *study); /* in place of all that */
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

/* Largest steps: place and width of a formulation's point among those of its row, and
 * report/largest-step.csv. */
void report_search_place(const struct report_row *row, int form, double *values);
int report_search_csv(const struct report *report);
int report_search_found(const struct report_record *r);
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
