/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Statements of the papers beside measured values. cases/papers/<tag>.json (coulombench.paper/1)
 * lists every numbered figure and table of a paper, the claims of its text that can fail, and
 * errata, in its order; each names our figure with its checks, or the reason why there is none.
 * Measured values and verdicts are those of the figures' records (coulombench.figure/2): this file
 * judges nothing.
 *
 *   {"schema": "coulombench.paper/1", "paper": "yu", "reference": "authors, title, journal ...",
 *    "items": [{"item": "figure 8", "section": "4.1", "says": "...", "figure": "yu-8"},
 *              {"item": "figure 14", "section": "4.3", "says": "...", "figure": "yu-14",
 *               "checks": ["energy", "contacts: largest"]},
 *              {"item": "figure 1", "section": "2", "says": "...", "none": "explains notation"},
 *              {"item": "claim 3", "section": "5", "says": "...", "unchecked": "needs ..."}]}
 *
 * `checks` are the beginnings of the texts of the checks; without it all of the figure's belong.
 */
#ifndef BENCH_PAPERS_H
#define BENCH_PAPERS_H

#include <stdio.h>

#include "base/memory/arena.h"

struct cJSON;

#define BENCH_PAPER_SCHEMA "coulombench.paper/1"

/* The files of all papers, by tag, from the data folder: an array for cJSON_Delete. BASE_E_INPUT
 * with "file: key ...: reason". */
int bench_papers_load(struct base_arena *arena, struct cJSON **papers);
/* Validate a file: checks keys and types, and that each item occurs once, in one of the three
 * forms, with an existing figure. BASE_E_INPUT with a message. */
int bench_paper_check(const struct cJSON *file, const char *path);
/* The rows of a paper, in its order, from an array of figure records; an array to be deleted. A row
 * is a value that belongs to an item, or the reason why there is none:
 *
 *   paper, reference, item, section, says, figure   of the file
 *   verdict      that of the figure's record: "reproduced", "schematic", "differs", "not stated",
 *                "failed", "reported"; or "not run": there is no record; "missing": the figure has
 *                no such value; "no result"; "not checked"
 *   quantity     name of the value, or ""
 *   measured     the value, or null; `shown`: the same as text with its digits
 *   published    the source's number or words and their place, or ""
 *   difference   of measured from published [%]; null if published is not one number
 *   reason       of a difference, or of a missing value; or "" */
struct cJSON *bench_paper_rows(const struct cJSON *paper, const struct cJSON *figures,
                               struct base_arena *arena);
/* "12 figures, 2 tables, 5 claims". */
const char *bench_paper_kinds(const struct cJSON *paper, struct base_arena *arena);
/* "7 reproduced, 1 differs, 2 no result". The number of values that failed, are missing or were not
 * run is added to *faults. */
const char *bench_paper_counts(const struct cJSON *rows, struct base_arena *arena, int *faults);

/* Every numbered figure and table and every claim of the papers (paper: a tag; NULL: all of them)
 * beside the values of the figures' records in <folder>/figures; *faults gets the number of values
 * that failed, are missing or were not run. */
int bench_papers(const char *folder, const char *paper, int *faults);

#endif
