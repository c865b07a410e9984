/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench report`.
 */
#ifndef BENCH_REPORT_REQUEST_H
#define BENCH_REPORT_REQUEST_H

struct bench_report_request {
  const char *folder; /* of records */
  const char *suite;  /* NULL: that of the records */
  const char *output; /* folder for figures/ and report/ */
  double width_mm;    /* of figures for print, in figures-<width>mm/, without a page; 0: on
                         screen */
  int is_so_far;      /* the suite is still being run: figures without their records are to come */
};
struct bench_figure_request {
  const char *name;   /* id or file of a figure */
  const char *folder; /* of records, for a figure without runs; NULL: the figure has runs */
  const char *output; /* folder; NULL: results/<id> */
  int jobs;
};
/* Make the runs of a figure, draw it and print its values; *failed: as of a report. */
int bench_figure_make(const struct bench_figure_request *request, int *failed);

/* Figures, tables and the page from the records in a folder; *failed gets the number of figures
 * whose check or drawing failed, of studies whose drawing did, and of records that are damaged. */
int bench_report(const struct bench_report_request *request, int *failed);
/* Changes from another folder's records to these: the overview as ratios, changed statuses. */
int bench_report_against(const char *folder, const char *other, const char *output, int *failed);

#endif
