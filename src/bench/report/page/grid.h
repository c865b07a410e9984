/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of the page, and sentences, from frames. JSON declares the columns and their display
 * (scripts/plot/page.json; "show" of a study's file):
 *
 *   {"table": "failures", "class": "failures", "groupby": ["subject", "status"],
 *    "columns": [{"title": "case", "text": "subject", "head": true},
 *                {"title": "status", "text": "status", "badge": true},
 *                {"title": "steps [s]", "text": "dt", "href": "path", "each": true}],
 *    "across": {"field": "solver.name", "sort": "place"}, "cell": {"text": "shown", ...},
 *    "absent": "-", "under": "group", "fold": "paper", "summary": "counts", "only": {"a": "b"}}
 *
 * A line of the table is a row of the frame, or, with "groupby", rows that follow each other and
 * agree in these columns. Entries of "columns" stand first: `text` (a column; numbers to six
 * digits), `below` (a second one, small), `href` (a file, or a place of the page, #...), `class` (a
 * column) or `look` (a class), `badge` (coloured as its text says), `head` (a heading of the line),
 * `span` (equal ones of lines that follow each other are one), `each` (of all rows of the line, not
 * of the first one alone; `empty` where none has a text). With "across" there is a further column
 * for each value of `field`, by rising `sort`, with the line's rows of that value: "cell", of the
 * first row for which `shown` is above 0, or "absent" where there is none. `data` of "cell",
 * "across" and of the table itself (of lines) lists columns that go into an attribute data-of, a
 * list a row, as JSON.
 *
 * "under": a column whose change begins a part of the table, under it as a heading. "fold": there
 * is a table for each value of that column, folded behind `summary`, with `before` in front.
 * "only": rows in which columns are such texts.
 */
#ifndef BENCH_REPORT_GRID_H
#define BENCH_REPORT_GRID_H

#include "bench/figure/study.h"
#include "bench/report/page/page.h"

/* Print the table declared by spec, from one of `tables`. Missing columns are left out and named in
 * the message: BASE_E_INPUT. */
int report_put_grid(const struct report_page *p, const struct figure_study *tables,
                    const cJSON *spec);
#endif
