/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a figure's file (bench/suite/figures.h) makes of its runs:
 *
 *   { ...,
 *     "define": {"gap": "q.y - R"},
 *     "tables": { "NAME": {"of": "twostep", "columns": {"t[s]": "t", "x1[m]": "q.x1"}}, ... },
 *     "values": [ {"name": "...", "of": "twostep", "value": "errors.q_linf", "bounds": [0, 1e-3],
 *                  "expected": "...", "published": "...", "differs": "...", "source": [a, b],
 *                  "schematic": true, "note": "..."}, ... ],
 *     "panels": [ {"x": {"title": "t [s]", "domain": [0, 1]}, "y": {"title": "...", "scale":
 *     "log"},
 *                  "key": "right top",
 *                  "layer": [ {"mark": "line", "table": "NAME", "x": 1, "y": "x1",
 *                              "color": "moreau", "title": "...", "width": 2}, ... ]}, ... ],
 *     "abreast": 2, "square": true, "script": "own" }
 *
 * "rocking_block.period(b, h, phi0)" calls a function that the case lists (cases/figure/figure.h).
 */
#ifndef BENCH_FIGURE_FILE_H
#define BENCH_FIGURE_FILE_H

#include "bench/figure/values.h"
#include "bench/suite/figures.h"

/* A table: one for each run that "of" matches, or without it of no run. Its columns are expressions
 * (values.h). */
struct figure_table {
  const char *place, *name; /* place: for messages, "FILE: tables.NAME" */
  const cJSON *of;          /* NULL: of no run */
  int n_columns;
  const char **titles; /* of the columns, with units */
  const struct frame_expression **columns;
};

enum figure_mark {
  FIGURE_LINES,
  FIGURE_DASHED,
  FIGURE_LINESPOINTS,
  FIGURE_POINTS,
  FIGURE_IMPULSES,
  FIGURE_BARS,
  FIGURE_VERTICAL,
  FIGURE_BANDS,
  FIGURE_ERRORBARS,
  FIGURE_XBARS,
  FIGURE_TEXTS,
  FIGURE_RECTS,
  FIGURE_FRAMES,
  FIGURE_LEVEL
};
/* A curve: two columns of a table, from 1 on; without a table the power law scale x^power, or at
 * x = scale a vertical line. Impulses have points at their ends, bars the number in column `note`
 * above them. With `over` there is one for each of its words, which takes the place of {} in title,
 * table and look, and y goes on by `next` columns from word to word. A level is a horizontal line
 * at y of a table of one row; a text is the number in column `note`, or the word of that number,
 * then in the middle. A rect fills the cell around x and y, one wide and high, a frame goes round
 * it. */
struct figure_curve {
  const char *title, *table; /* title: in the key; NULL: not there */
  int x, y;
  double scale; /* of y */
  /* A formulation's or solver's name, "reference", "limit", "mark"; a colour of scripts/plot/
   * style.gp that none of them has, "violet" (red, leaf, brown, turquoise, gold); "colour of ccp",
   * without its dashes and points; or a shade "#eda06a", which is not the colour of any of them. */
  const char *look;
  double width; /* of the line; 0: 2 */
  enum figure_mark with;
  double power; /* 0: a constant */
  const char *over;
  int next;
  int note;       /* 0: that of y */
  int y2;         /* of bands and error bars, which go from y to there */
  int x2;         /* of error bars across, from x to there */
  double x_scale; /* below 0: the side of negative x of a logarithmic axis */
  int is_stepped; /* of lines: level up to the next point */
  int every;      /* of linespoints: a point at so many rows; 0: at each */
  int n_words;    /* of texts that are no numbers: `note` is from 1 on; 0: it is a number */
  const char **words;
  int is_plain; /* the title is data, not gnuplot's enhanced text */
};
/* Drawn by scripts/plot/panels.gp. */
struct figure_panel {
  const char *head;  /* above it; NULL: none */
  const char *x, *y; /* labels with units, gnuplot's enhanced text; NULL: none */
  const char *log;   /* "x", "y" or "xy"; NULL: none */
  const char *names; /* of x = 0, 1, 2, ..., words or 'quoted'; NULL: x is a number */
  int n_rows;        /* of names of y = 1, 2, ..., downward; 0: y is a number */
  const char **row_names;
  int n_cols; /* of names of x = 1, 2, ..., above the panel; 0: there are none */
  const char **col_names;
  double x_range[2], y_range[2]; /* equal: from the data */
  double least;                  /* above 0: |y| is drawn, and what is below this at it */
  /* Corner, "right top", ..., "foot": below all panels, or "ends": each name at the right end of
   * its curve (where panels are small or narrow, as "foot"); NULL: none. */
  const char *key;
  int n_curves;
  struct figure_curve *curves;
};

struct figure {
  const struct bench_figure *file;
  int n_runs;
  struct bench_figure_run *runs;
  struct frame_definitions define;
  int n_tables, n_values, n_panels;
  struct figure_table *tables;
  struct bench_value *values;
  /* What is drawn: from left to right and downward, `abreast` in a row, the last of which fills its
   * width with what is left, as high as they are wide where `square`. Without panels a script draws
   * it, one of scripts/plot/ or (NULL) the case's own figures/<id>.gp. */
  struct figure_panel *panels;
  const char *script;
  int abreast, square;
};

/* The function that so many characters "case.name" are of; NULL: there is none. */
const struct case_function *figure_function(const char *text, size_t length);
/* A formula of n arguments, of the parameters p; a vector is from the arena (formula.c).
 * FRAME_REFUSED with a message. */
enum frame_answer figure_formula(const struct case_function *f, const char *name,
                                 const struct case_parameters *p, struct base_arena *arena, int n,
                                 const struct frame_value *x, struct frame_value *value);
/* All of it. BASE_E_INPUT with "FILE: values[2].bounds: reason". */
int figure_read(const struct bench_figure *file, struct base_arena *arena, struct figure *figure);
/* Are all figures and studies of a suite such files? */
int bench_suite_check_figures(const struct bench_suite *suite, struct base_arena *arena);
/* Its panels alone (read_panels.c). */
int figure_read_panels(const struct bench_figure *file, struct base_arena *arena,
                       struct figure *figure);

/* Its values and tables, from its n finished runs. A run that did not end ok has no numbers;
 * BASE_FAILED with a message that names it where its samples are a table or a value is made from
 * it, or where a run is missing. */
int figure_make(const struct figure *figure, const struct case_parameters *p,
                const struct case_series *series, int n, struct case_plot *plot);

#endif
