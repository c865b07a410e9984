/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the report pages: page.c (the page, its sections), grid.c (tables of
 * frames), chapters.c (questions and findings), gallery.c (the studies), figures.c, and against.c
 * (the page that compares two runs).
 */
#ifndef BENCH_REPORT_PAGE_H
#define BENCH_REPORT_PAGE_H

#include "bench/report/kit/study.h"

struct report_page {
  struct report *report;
  struct base_arena *arena;
  FILE *out;
  const char *folder;         /* the page's own */
  const cJSON *json;          /* scripts/plot/page.json, or another one */
  struct figure_study tables; /* of it */
  const cJSON *chapters;      /* scripts/plot/chapters.json */
  cJSON *placed;              /* names of the figures that stand on the page so far */
};

/* Markup: %s is a text, which is escaped, %d a number. */
void report_put(const struct report_page *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A status in its colour. */
void report_put_badge(const struct report_page *p, const char *status);
/* A link to a file below the output folder. */
const char *report_output_link(const struct report_page *p, const char *path);
/* The drawing <output>/figures/<id>.svg, loaded when it comes into view. */
void report_put_picture(const struct report_page *p, const char *id, const char *title);
/* Links to the files of a figure or study, its drawings and tables. */
void report_put_downloads(const struct report_page *p, const cJSON *files);
/* is_inline: the drawing is part of the page. is_explained: what it shows is told with another drawing
 * of the study, and here only its finding. */
void report_put_study(const struct report_page *p, const cJSON *study, int is_inline,
                      int is_explained);
/* A figure, where it does not stand on the page already. */
int report_put_figure(const struct report_page *p, const cJSON *figure);
int report_is_placed(const struct report_page *p, const cJSON *figure);

/* A page up to its heading. */
int report_put_start(const struct report_page *p, const char *title, const char *heading);
/* A page of a file of scripts/plot (json, called so), its tables made, and its text into
 * report/index.html. */
int report_page_begin(struct report_page *page, struct report *report, const char *name,
                      const cJSON *json);
typedef int report_put_page(const struct report_page *page, void *data);
int report_page_write(struct report_page *page, report_put_page *put, void *data);
/* A section of its file; *failed counts findings without the number of their figure. */
int report_put_section(const struct report_page *p, const cJSON *section, int *failed);
/* An attribute data-of: all rows of a frame, a list each. */
void report_put_data(const struct report_page *p, const struct frame *f);
/* Those of a list of tables (grid.h) that have rows. BASE_E_INPUT with a message. */
int report_put_shows(const struct report_page *p, const struct figure_study *tables,
                     const cJSON *shows);
/* The parts of the page. */
/* Print the chapters; returns the number of findings whose figure lacks a number (chapters.c). */
int report_put_chapters(const struct report_page *p);
/* Is a study part of the overview? */
int report_is_of_overview(const char *study);
int report_put_studies(const struct report_page *p);
/* The cases of the records, a sketch each; formulations and solvers, a line each (cases.c). */
void report_put_cases(const struct report_page *p);
void report_put_glossary(const struct report_page *p);
/* All figures: links to those of the chapters, which come first, and the others. */
int report_put_figures(const struct report_page *p);

#endif
