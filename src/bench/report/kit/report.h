/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `coulombench report`: records are loaded (records.c) into frames (frame.c,
 * sources.c), which all other parts read. Figures (figures.c, plot.c) and studies (study.c) are
 * drawn, and one page shows them (page/, text.c). Nothing is computed again: all values come from
 * the records.
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
  const char *name; /* name of its cell; without a cell that of the file */
  const char *case_name;
  int form; /* index in the registry; -1: not known to this program */
  int status;
  int is_of_figure;     /* the studies leave it out */
  const char *expected; /* did it end in a status that its suite expects */
  struct report *report;
  long row; /* of the frame of all records (columns.h) */
};

/* A drawing under way, or done. gnuplot works beside the report. */
struct report_drawing {
  const char *drawn[TERMINALS]; /* files, the first report_terminals */
  const char *complaints;       /* file: what gnuplot said */
  int status;                   /* status of the steps before gnuplot, with its reason */
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
  const struct report *other;      /* the other run of a comparison; NULL: none */
  int is_so_far;                   /* the suite is being run */
  double width_mm;                 /* of drawings in print (terminal.h); 0: they are for screens */
  const struct bench_suite *suite; /* NULL: none of that name */
  int n_records, n_of_figures;     /* all; those that belong to figures */
  struct report_record *records;   /* by name */
  struct report_columns *columns;  /* their columns (columns.h) */
  /* Runs of one case with the same parameters and horizon are of one motion: a row of the matrix, a
   * plot of a study (study.h). NULL: they have not been sorted. */
  const struct frame *motions;
  cJSON *figures; /* array of figure records, in the suite's order */
  cJSON *studies; /* array of {study, id, title, says, caption, status, reason, files} */
  int n_damaged;  /* files of records that are left out */
  int n_damaged_solutions;
  int n_missing; /* cells of the suite without a record */
  int n_to_come; /* figures whose records are not there so far */
  int n_failed;  /* studies that could not be drawn */
  int n_drawing; /* drawings under way, the longest one first */
  int n_hung;    /* drawings that gnuplot did not finish */
  struct report_drawing *drawing;
  struct report_tables *tables;
  struct report_sheet *sheets; /* of studies, being drawn, in order (study.h) */
};

/* Number of its case in the registry. */
int report_case_place(const struct report_record *r);
/* Request the columns of a file's tables of records, and of the studies whose tables it uses. Call
 * it before records are read, because nothing else of a record is stored. BASE_E_INPUT with a
 * message. */
int report_want(struct report *report, const cJSON *file);
/* The same for the requested studies. */
int report_want_studies(struct report *report);
/* Read all records of the folder into rows, and sort them into motions. Other JSON files are passed
 * over with a warning; a damaged one is left out, which is said and counted. */
int report_load(struct report *report);
/* The second part of it: `motions` by the file of sources. */
int report_find_motions(struct report *report);
void report_free(struct report *report);
/* One of several files that are read at the same time. */
struct report_reading {
  const char *path;
  int is_checked;  /* refuse a record with missing or changed fields */
  cJSON *json;     /* owned by the caller; NULL: the file cannot be used */
  const char *why; /* the reason of it */
};
/* Read n files, with a thread for each processor. */
void report_read(struct report *report, int n, struct report_reading *readings);
/* The path of a record, from the arena. */
const char *report_path(const struct report *report, const struct report_record *r);
const struct report_record *report_find(const struct report *report, const char *name);
/* Make an output folder; empties: remove files of an earlier report. BASE_E_IO; BASE_E_INPUT if a
 * link leads out of it (folder.c). */
int report_prepare_folder(const char *path, int empties);
/* Folder of drawings below the output: "figures", in print "figures-85mm". From the arena. */
const char *report_figures_folder(const struct report *report);
/* Print the judged values of a figure or study, a line each, on standard output. */
void report_print_checks(const char *id, const struct case_plot *plot);
/* Add its existing files, drawings and tables, to the record of a figure or study. */
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

/* Begin to draw a script with the common style. With as many drawings under way as processors, wait
 * for the one begun first. variables: further variables of the script, NULL: none. Outputs are
 * <output>/<folder>/<id>.{pdf,svg}, in print PNG too. From the arena. */
struct report_drawing *report_draw_begin(struct report *report, const char *id, const char *title,
                                         const char *script, const struct report_script *variables);
/* Wait for it. BASE_OK, or BASE_FAILED with the program's first complaint; BASE_E_IO when files
 * cannot be written. */
int report_draw_end(struct report *report, struct report_drawing *drawing);

/* Tables and plots of the requested studies (all without a suite). */
int report_studies(struct report *report);

#define REPORT_PAGE "scripts/plot/page.json"
/* report/index.html of a file of its sections; *failed counts findings without the number of their
 * figure. */
int report_write_page(struct report *report, const cJSON *json, int *failed);

/* Pictures and page that compare two runs (page/against.c), and a request of their columns. */
int report_want_against(struct report *report);
int report_write_against(struct report *report);

/* A file of the program's own; NULL with a message. To be freed. */
cJSON *report_data_read(const char *name, struct base_arena *arena);

/* HTML pieces. */
void report_text(FILE *page, const char *text); /* escaped */
/* Width and height of a drawing as attributes, so that a page reserves its place; nothing for a
 * drawing without them, or a missing file. */
void report_image_size(FILE *page, const char *path);
/* <img> with the drawing embedded, so that the page needs no other file. */
int report_image(FILE *page, const char *path, const char *alt);
/* Path of `to` as a link from a page in folder `from`, both absolute; percent-encoded. */
const char *report_link(struct base_arena *arena, const char *from, const char *to);

#endif
