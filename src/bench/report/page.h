/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the two files of the report page share: page.c (the page, matrix, records, origin)
 * and gallery.c (studies and figures).
 */
#ifndef BENCH_REPORT_PAGE_H
#define BENCH_REPORT_PAGE_H

#include "bench/report/report.h"

struct report_page {
  const struct report *report;
  struct base_arena *arena;
  FILE *out;
  const char *folder; /* the page's own */
};

/* Markup as it is. */
void report_put(const struct report_page *p, const char *markup);
/* <tag attributes>text</tag>. */
void report_put_element(const struct report_page *p, const char *tag, const char *text);
/* A status in its colour. */
void report_put_badge(const struct report_page *p, const char *status);

void report_put_studies(const struct report_page *p);
void report_put_figures(const struct report_page *p);

#endif
