/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures as suites see them: which there are, and the runs that they need. A figure is a file,
 * schema coulombench.figure/1 (bench/figure/file.h has what is made of the runs):
 *
 *   { "schema": "coulombench.figure/1", "id": "moeller-6.3", "title": "...", "caption": "...",
 *     "case": "oscillator", "timed": true,
 *     "runs": [ {"label": "{form}-{#dt}", "formulations": ["{form}"], "dt": "{dt}", "t_end": 1,
 *                "over": {"form": ["moreau", "event"], "dt": [1e-3, 1e-4]}},
 *               {"label": "long", "record": "long"} ] | "moeller-6.2",
 *     ... }
 *
 * Runs are cells of suites (suite.h), whose case is the figure's unless they say another. A label
 * names each run of its cell: what "over" lists stands there by its names, and what else the cell
 * sweeps as {formulation}, {solver}, {dt} and {KEY} of a parameter or option. A run with "record"
 * is kept with the case, records/<record>.json, and no suite runs it. In place of runs, the id of
 * another figure of the case, whose runs and records these are. A figure without runs is a study:
 * of the records of the folder that is reported.
 *
 * Figures are found by place: cases/<case>/figures/<id>.json, studies:
 * scripts/plot/studies/<id>.json, and any other file by its path.
 */
#ifndef BENCH_SUITE_FIGURES_H
#define BENCH_SUITE_FIGURES_H

#include "bench/suite/suite.h"

#define BENCH_FIGURE_FILE_SCHEMA "coulombench.figure/1"

struct bench_figure {
  const char *id, *title, *caption;
  const char *path;             /* of its file */
  const cJSON *json;            /* the file, which stays */
  const struct case_type *type; /* NULL: none is named */
  const char *owner;            /* id that the records of its runs have */
  const cJSON *runs;            /* its cells; NULL: it is a study */
  int is_timed;                 /* it shows times: its runs are repeated as a suite says */
  const char *words;            /* in the gaps of a study, "-<y>-<x>"; NULL: it has none */
};

/* The figures of all cases, in the order of these and of their ids. NULL with a message when one of
 * the files is none. */
const struct bench_figure *bench_figures(int *n);
/* The same of the program's studies. */
const struct bench_figure *bench_studies(int *n);
/* A figure or study by its id or, where it ends with .json, its path (beside: a folder that it is
 * relative to; NULL: none). NULL with a message. */
const struct bench_figure *bench_figure_find(const char *name, const char *beside);
/* The same where a suite wants a study, or a figure with runs. */
const struct bench_figure *bench_figure_find_for(const char *name, const char *beside,
                                                 int is_study);
/* Are there gaps in a study, {x} or {y}, for words that a suite gives? */
int bench_study_has_gaps(const struct bench_figure *study);
/* What a suite asks for: the study, or with words, {"x": ..., "y": ...}, that with these in its
 * gaps, called "NAME-y-x". NULL with a message where it has gaps and gets no words, or the other
 * way round. */
const struct bench_figure *bench_study_asked(const struct bench_figure *study, const cJSON *words);

/* Is its file one of those, not one of a path? */
int bench_figure_is_known(const struct bench_figure *figure);
/* Folder of the copies of such files, beside the copy of a suite that names them. */
#define BENCH_SUITE_FILES "suite-files"

/* A run of a figure, and the cell that makes it. */
struct bench_figure_run {
  struct case_run run;
  struct bench_cell cell; /* of one that is kept: only its id, the path of the record */
};
/* Its n runs in their order; whether they can be run is not checked. limit [s] and repeat: of the
 * suite. BASE_E_INPUT with a message. */
int bench_figure_runs(const struct bench_figure *figure, double limit, int repeat,
                      struct base_arena *arena, int *n, struct bench_figure_run **runs);

#endif
