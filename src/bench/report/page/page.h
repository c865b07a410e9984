/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the report pages share: page.c (the page, overview, records' origin),
 * answers.c (what is asked first), failures.c, table.c (the working table), solvers.c,
 * published.c, chapters.c (questions and findings), gallery.c (the studies), figures.c, and
 * against.c (the page that compares two runs).
 */
#ifndef BENCH_REPORT_PAGE_H
#define BENCH_REPORT_PAGE_H

#include "bench/report/kit/report.h"

struct report_page {
  const struct report *report;
  struct base_arena *arena;
  FILE *out;
  const char *folder;    /* the page's own */
  const cJSON *chapters; /* scripts/plot/chapters.json */
  cJSON *placed;         /* names of the figures that stand on the page so far */
};

/* Markup as it is. */
void report_put(const struct report_page *p, const char *markup);
/* <tag attributes>text</tag>. */
void report_put_element(const struct report_page *p, const char *tag, const char *text);
/* A status in its colour. */
void report_put_badge(const struct report_page *p, const char *status);
/* Links to a record, and to a file below the output folder. */
const char *report_record_link(const struct report_page *p, const struct report_record *r);
const char *report_output_link(const struct report_page *p, const char *path);
/* The drawing <output>/figures/<id>.svg, loaded when it comes into view. */
void report_put_picture(const struct report_page *p, const char *id, const char *title);
/* Links to the drawings and tables of a figure or study. */
void report_put_downloads(const struct report_page *p, const char *id, const cJSON *tables);
/* is_inline: the drawing is part of the page. */
void report_put_study(const struct report_page *p, const cJSON *study, int is_inline);
/* A figure, where it does not stand on the page already. */
void report_put_figure(const struct report_page *p, const cJSON *figure);
int report_is_placed(const struct report_page *p, const cJSON *figure);

/* A page up to its heading. */
int report_put_start(const struct report_page *p, const char *title);
/* The parts of the page. */
void report_put_answers(const struct report_page *p);
/* Does the run stand among the failures? */
int report_is_failure(const struct report_record *r);
void report_put_failures(const struct report_page *p);
void report_put_table(const struct report_page *p);
void report_put_solvers(const struct report_page *p);
/* And report/papers.csv. BASE_E_INPUT or BASE_E_IO with a message. */
int report_put_published(const struct report_page *p);
/* How many findings want a number that their figure has not (chapters.c). */
int report_put_chapters(const struct report_page *p);
/* Does a study stand in the overview? */
int report_is_of_overview(const char *study);
void report_put_studies(const struct report_page *p);
/* All figures: links to those of the chapters, which come first, and the others. */
void report_put_figures(const struct report_page *p);

#endif
