/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure without runs is a study: of the records of the folder that is reported, as a frame.
 *
 *   "tables": { "points": {"from": "runs", "columns": ["motion", "formulation.name", "dt",
 *   "drift"],
 *                          "transform": [{"filter": "drift > 0"}, ...]},
 *               "fits":   {"from": "points", "transform": [{"aggregate": [...], ...}]} },
 *   "panels": [ {"facet": "motion", "x": {...}, "y": {...}, "key": "foot", "layer": [
 *     {"mark": "linespoint", "table": "points", "x": "dt", "y": "drift", "color":
 *     "formulation.name"}]} ]
 *
 * "from" is a source of rows, all records ("records") without it, or a table before this one.
 * "columns" are paths into records and what the source computes (bench/report/kit/study.h),
 * "transform" what is made of them (bench/frame/transform.c). Where "color" is a column, there is a
 * curve for each of its values; where "detail" is one, for each of that, in the color of its rows;
 * where "title" is one, it names the curve in the key. With "names": COLUMN of an axis its numbers
 * have these names, each where it is first, those of x above the panel. A "rect" fills the cell
 * around x and y, a "frame" goes round it, and a "text" whose "note" is a column of texts stands in
 * it: so a panel is a table.
 *
 * An axis without a title is called after its column in the first layer, with its unit. Its "scale"
 * is "log", "linear" or "auto": log where all its numbers are positive and span more than a factor
 * of 30. Where it is "shared" it goes as far as the data of all facets, in each; a logarithmic one
 * without "domain" as far as those of the panel. A panel whose
 * tables have no rows is left out.
 *
 * "values" are expressions of the columns of a table, vectors over its rows, with bounds or
 * without:
 *
 *   {"name": "share kept", "table": "points", "value": "count(drift < 1e-9) / size(drift)"}
 *
 * "csv": {"FILE": TABLE} writes tables as report/FILE.csv. "says": {"all": [TABLE, ...], "each":
 * [TABLE, ...]} puts sentences before the caption: the pieces of text in the column `says`, one
 * behind the other, of all rows in the drawing of all, and, of "each", whose tables have the column
 * of the facet, of those of a facet in its drawing.
 *
 * "show" are tables of the page beside the drawings (bench/report/page/grid.h).
 *
 * With "facet" there is a drawing for each value of that column in the table of the panel's first
 * layer, with all panels, and where there are several values, FIGURE_FACETS_MOST at most, one of
 * them all, the first panel of each abreast ("abreast": 0 for none of all). With "column" there is
 * in such a drawing a panel for each value of that column, and no drawing of all facets.
 */
#ifndef BENCH_FIGURE_STUDY_H
#define BENCH_FIGURE_STUDY_H

#include "bench/figure/file.h"
#include "bench/frame/frame.h"

/* Append the rows of a source to a frame that has the columns of a table already; of rows that the
 * first filter of its transforms takes away none need be there. BASE_E_INPUT with a message where
 * there is no such source or column. */
typedef int figure_source(void *data, const cJSON *table, struct frame *f);
/* The source, or the table, that a table is made from. */
const char *figure_study_from(const cJSON *table);
/* A frame without rows that has the columns of a table of a source. place: of the table, kept. */
struct frame *figure_study_columns(const cJSON *table, const char *place, struct base_arena *arena);

enum { FIGURE_FACETS_MOST = 64 };
struct figure_study {
  const struct figure *figure;
  struct base_arena *arena;
  int n_tables;
  const char **names;
  struct frame **frames; /* n_tables */
  int n_facets;          /* 0: there are none */
  const struct frame_value *facets;
};

/* Its tables. BASE_E_INPUT with a message. */
int figure_study_load(const struct figure *study, figure_source *source, void *data,
                      struct base_arena *arena, struct figure_study *made);
/* A table by its name; NULL with a message. */
struct frame *figure_study_table(const struct figure_study *study, const char *name);
/* The sentence of a drawing, "" where there is nothing to say; facet as below. NULL with a
 * message. */
const char *figure_study_says(const struct figure_study *study, int facet);
/* Its values, judged, into the plot. BASE_E_INPUT with a message. */
int figure_study_judge(const struct figure_study *study, struct case_plot *plot);
/* What the data say of the axes of a panel: titles, scales and ranges (study_axes.c). shown: the
 * rows of each layer in the panel. */
void figure_study_axes(const struct figure_study *study, const cJSON *panel,
                       const struct frame *const *shown, struct figure_panel *p);
/* The first panel that is divided by a column, by = "facet" or "column"; NULL: there is none. */
const cJSON *figure_study_divided(const struct figure_study *study, const char *by);
/* A drawing: the tables of its curves, and in *drawn its panels. facet: number of a value; -1: all.
 * Without rows there are no tables. */
int figure_study_draw(const struct figure_study *study, int facet, struct case_plot *plot,
                      struct figure *drawn);

#endif
