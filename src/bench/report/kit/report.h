/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `coulombench report`: records are loaded (records.c) and become frames (frame.c,
 * sources.c), which all else asks; figures are made and drawn (figures.c, plot.c),
 * the studies too (study.c), and one page shows all of it (page/, text.c). Nothing is computed
 * again: what is shown comes from the records.
 *
 * Files written below <output>:
 *   figures/<id>.pdf .svg .json        a figure and its record (coulombench.figure/2)
 *   figures/<id>/                      its tables, and plot.gp, which draws it again
 *   figures-85mm/                      the same for print (--width 85), without a page
 *   report/index.html                  the page; its first drawings are inside it
 *   report/<name>.csv                  its tables
 */
#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "base/memory/arena.h"
#include <sys/types.h>

#include "bench/figure/figure.h"
#include "bench/figure/file.h"
#include "bench/report/kit/script.h"
#include "bench/report/kit/terminal.h"
#include "bench/suite/suite.h"
#include "bench/table/table.h"

struct report_record {
  const char *file; /* in the folder */
  const char *name; /* of its cell; of a run by hand that of the file */
  const char *case_name;
  int form; /* index in the registry; -1: not known to this program */
  int status;
  int is_of_figure;     /* the studies leave it out */
  const char *expected; /* whether it ended as its suite says */
  struct report *report;
  long row; /* of the frame of all records (columns.h) */
};

/* A drawing under way, or done. gnuplot works beside the report. */
struct report_drawing {
  const char *drawn[TERMINALS]; /* files, the first report_terminals */
  const char *complaints;       /* file: what gnuplot said */
  int status;                   /* of what came before gnuplot, with its reason */
  const char *reason;
  pid_t pid;                   /* 0: not under way */
  double begin;                /* [s] */
  int ended;                   /* how gnuplot ended: see plot.c */
  struct report_drawing *next; /* begun after it and under way */
};

/* Tables of a study that have been made. */
struct report_tables {
  const struct bench_figure *study;
  const struct figure_study *made; /* NULL: under way, or they cannot be made */
  struct report_tables *next;
};

struct report {
  struct base_arena *arena;
  const char *folder, *output;     /* records, results */
  const struct report *other;      /* the run that it is held against; NULL: none */
  int is_so_far;                   /* the suite is being run */
  double width_mm;                 /* of drawings in print (terminal.h); 0: they are for screens */
  const struct bench_suite *suite; /* NULL: none of that name */
  int n_records, n_of_figures;     /* all; those that belong to figures */
  struct report_record *records;   /* by name */
  struct report_columns *columns;  /* what is kept of them (columns.h) */
  /* Runs of one case with the same parameters and horizon are of one motion: a row of the matrix, a
   * plot of a study (study.h). NULL: they have not been sorted. */
  const struct frame *motions;
  cJSON *figures; /* array of figure records, in the suite's order */
  cJSON *studies; /* array of {study, id, title, caption, status, reason, files} */
  int n_damaged;  /* files of records that are left out */
  int n_damaged_solutions;
  int n_missing; /* cells of the suite without a record */
  int n_to_come; /* figures whose records are not there so far */
  int n_failed;  /* studies that could not be drawn */
  int n_drawing; /* drawings under way, the longest one first */
  int n_hung;    /* drawings that gnuplot did not come to an end of */
  struct report_drawing *drawing;
  struct report_tables *tables;
  struct report_sheet *sheets; /* of studies, being drawn, in order (study.h) */
};

/* Where its case stands in the registry. */
int report_case_place(const struct report_record *r);
/* Ask for the columns of a file's tables of records, and of studies whose tables it takes: before
 * records are read, of which nothing else stays. BASE_E_INPUT with a message. */
int report_want(struct report *report, const cJSON *file);
/* The same of the studies that are asked for. */
int report_want_studies(struct report *report);
/* Read all records of the folder into rows, and sort them into motions. Other JSON files are passed
 * over with a warning; a damaged one is left out, which is said and counted. */
int report_load(struct report *report);
/* The second part of it: `motions` by the file of sources. */
int report_find_motions(struct report *report);
void report_free(struct report *report);
/* A file that is read beside others. */
struct report_reading {
  const char *path;
  int is_checked; /* a record is refused that does not hold what it must, or was changed */
  cJSON *json;    /* whoever asked deletes it; NULL: */
  const char *why;
};
/* Read n files, as many at a time as there are processors. */
void report_read(struct report *report, int n, struct report_reading *readings);
/* The path of a record, from the arena. */
const char *report_path(const struct report *report, const struct report_record *r);
const struct report_record *report_find(const struct report *report, const char *name);
/* Make a folder that reports write to; empties: without what an earlier one has left there.
 * BASE_E_IO; BASE_E_INPUT where a link leads out of it (folder.c). */
int report_prepare_folder(const char *path, int empties);
/* Where drawings go below the output: "figures", in print "figures-85mm". From the arena. */
const char *report_figures_folder(const struct report *report);
/* What became of the values of a figure or study, a line each on standard output. */
void report_print_checks(const char *id, const struct case_plot *plot);
/* Add its files that are there, drawings and tables, to the record of a figure or study. */
void report_add_files(cJSON *json, const struct report *report, const char *id,
                      const struct case_plot *plot);
/* Make and draw all figures of the suite, one line a check on standard output; *failed counts. */
int report_figures(struct report *report, int *failed);
/* The same for one figure, from series already loaded: its record. */
cJSON *report_figure(struct report *report, const struct figure *figure, int n,
                     const struct case_series *series);

/* Tell scripts/plot/panels.gp the panels of a figure. folder: of its tables; of curves over several
 * words (ode, bullet, ...) one without any number there stands in the key alone, as "ode: none".
 * NULL: all are drawn. width_mm: in print; 0: on screen. */
void report_panels(struct report_script *script, const struct figure *figure, const char *folder,
                   double width_mm);

/* Begin to draw a script with the common style; when as many drawings are under way as there are
 * processors, the longest one is waited for. variables: what it is told beside, NULL: nothing.
 * Outputs are <output>/<folder>/<id>.{pdf,svg}, in print PNG too. From the arena. */
struct report_drawing *report_draw_begin(struct report *report, const char *id, const char *title,
                                         const char *script, const struct report_script *variables);
/* Wait for it. BASE_OK, or BASE_FAILED with the program's first complaint; BASE_E_IO when files
 * cannot be written. */
int report_draw_end(struct report *report, struct report_drawing *drawing);

/* Tables and plots of the studies asked for (all without a suite). */
int report_studies(struct report *report);

#define REPORT_PAGE "scripts/plot/page.json"
/* report/index.html of a file of its sections; *failed counts findings without the number of their figure. */
int report_write_page(struct report *report, const cJSON *page, int *failed);

/* Pictures and page of a run against another one (page/against.c), and what they ask for. */
int report_want_against(struct report *report);
int report_write_against(struct report *report);

/* A file of the program's own; NULL with a message. To be freed. */
cJSON *report_data_read(const char *name, struct base_arena *arena);

/* HTML pieces. */
void report_text(FILE *page, const char *text); /* escaped */
/* Width and height of a drawing as attributes, so that a page keeps its place free; of one without,
 * or a file that is not there, nothing. */
void report_image_size(FILE *page, const char *path);
/* <img> with the drawing inside, so that the page shows it wherever it is sent. */
int report_image(FILE *page, const char *path, const char *alt);
/* Path of `to` as a link from a page in folder `from`, both absolute; percent-encoded. */
const char *report_link(struct base_arena *arena, const char *from, const char *to);

#endif
