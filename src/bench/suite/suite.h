/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites: which runs, figures and studies belong together. A JSON file, schema coulombench.suite/1:
 *
 *   { "schema": "coulombench.suite/1", "name": "quick", "title": "...", "time_limit": 30,
 *     "repeat": 3,
 *     "cells": [ { "case": "oscillator", "formulations": "all" | ["ccp", ...], "solver": "apgd",
 *                  "dt": [1e-3, 1e-4], "t_end": 1, "sample": 0.01, "set": {"m1": 5},
 *                  "opt": {"n_dir": 16}, "label": "heavy", "study": "scaling", "expect":
 *                  ["diverged"], "threads": [1, 2], "repeat": 5,
 *                  "ensemble": {"phase": 32, "rotation": 16, "start": 1e-9, "seed": 1} },
 *                { "case": "oscillator", "search": "dt=1e-6,1e-1", "until": "stable",
 *                  "t_end": 0.1 },
 *                { "problems": "tests/problems" | "$COULOMBENCH_PROBLEMS", "label": "own",
 *                  "laws": ["ncp", "ccp"], "solvers": "all" | ["pgs", ...], "time_limit": 5,
 *                  "opt": {"tol": 1e-8, "max_iter": 20000} } ],
 *     "figures": "all" | "none" | ["yu-6", "mine/figure.json", ...],
 *     "studies": ["overview", "data-profile", "energy", "energy-step", "order",
 *                 "work-precision", "largest-step", "profile", "race", "convergence", "scaling",
 *                 "tolerance", "what-is-measured", {"study": "parameter", "x": "mu", "y":
 *                 "errors.q_linf"}, "mine/study.json"] }
 *
 * All keys of a cell but "case" may be left out; the product of formulations and steps is run
 * ("all" with a solver: all that take one), and with "threads" once for each number of threads, of
 * which a cell takes as many jobs as it has. Values of "set" and "opt", and "solver", may be lists
 * too: each of one with each of the others makes cells, named by key and value
 * (oscillator--ccp--mu-0.3--tol-1e-08). Numbers there, dt, t_end and sample may be expressions of
 * the case's parameters (numbers.c): "set": {"phi0": "pi / 2 - 0.1"}, "dt": "2 / sqrt(c / m2)".
 * "ensemble" makes each cell many runs (ensemble/ensemble.h). "repeat" says how often times are
 * taken (0: of one run), of a cell, or of the suite for those of its cells that do not say, but for
 * searches and for figures that show no times. A cell with "search" and "until" (one, or a list of
 * two) seeks a parameter or the step as on the command line (search/search.h);
 * "LO,HI[,LIMIT[,TOL]]" without "until" the largest step in place of "dt". "defaults" of the suite,
 * {"penalty": {"opt": {"substeps": 0}}}, are of a formulation's cells in groups without an "opt" of
 * their own. "expect" says in which statuses the cells are to end (expect.h). Cells with "study"
 * are made for that study and stand in no other. Names and labels become parts of the names of
 * files: letters and digits of ASCII and "-+._" stand there, '_' for all else (base_name_clean).
 *
 * A solver is a name of `coulombench list solvers`, the text "exec:COMMAND", or the same with a
 * name for tables and curves: {"exec": "COMMAND", "label": "mine"}. "all" among "solvers", or in
 * their place, are the program's own; those of others, siconos-... and commands, are named.
 *
 * A cell with "problems" solves every one-step problem of a folder (problem/problem.h; *.json,
 * FCLIB's *.hdf5 and *.h5, Siconos' *.dat), or the one of a file, under each law with every solver
 * that takes it; a file without contacts, a raw LCP, where "laws" lists "raw". Solutions go to
 * <folder>/solve/. Folder or file is sought beside the suite, then below the folder of the
 * program's data. One named by an environment variable that is not set gives no cells, said on
 * standard error.
 *
 * "extends": "quick" adds the cells and studies of that suite of the program's, with this one's
 * limits. A suite is given by file name, or by a plain name for cases/suites/<name>.json.
 */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <cjson/cJSON.h>

#include "bench/job/cell.h"
#include "bench/job/job.h"
#include "bench/solve/solve.h"
#include "bench/suite/expect.h"

#define BENCH_SUITE_SCHEMA "coulombench.suite/1"

struct bench_cell {
  struct bench_place
      place;             /* its id names the record: <id>.json; names are through base_name_clean */
  const char *case_name; /* of the case or scene; cells of figures: NULL */
  const char *given_label; /* as it stands in the file */
  struct bench_request request;
  const struct bench_expectation *expected; /* NULL: ok */
  int is_unsupported; /* the formulation declares that it cannot run the system */
  double work;        /* estimate, of runs alone (job/job.h) */
  int is_free;        /* any status will do: whoever reads the record judges it */
  const struct bench_solve_request *solve; /* a one-step problem in the place of a run, or NULL */
  double solve_limit;                      /* [s] */
};

struct bench_figure;

struct bench_suite {
  const char *name, *title, *path;
  int n;
  struct bench_cell *cells;
  const struct bench_expectation *expectations; /* of all groups; NULL: none */
  int is_shard;                                 /* other cells are elsewhere */
  double cost;                                  /* of all, as measured [s of a processor]; 0: ? */
  int n_figures;
  const struct bench_figure **figures; /* in the order of the cases (figures.h) */
  int n_left_out;
  const struct bench_figure **left_out; /* of all figures those that the suite leaves out by name */
  int n_studies;
  const struct bench_figure **studies; /* figures of the records (figures.h) */
};

/* Load, expand and check, down to every option of every cell; memory from the arena. BASE_E_INPUT
 * with a message. */
int bench_suite_load(const char *name, struct base_arena *arena, struct bench_suite *suite);

/* Copy a suite's file into the folder of its records, from where `report` knows what they were made
 * for. BASE_E_IO with a message. */
#define BENCH_SUITE_KEPT "suite.json"
int bench_suite_keep(const struct bench_suite *suite, const char *folder, struct base_arena *arena);
/* That copy; *found = 0: there is none. What its cells name by places relative to the suite's own
 * file may not be found from here: figures and studies alone are then read, which is said. */
int bench_suite_load_kept(const char *folder, struct base_arena *arena, struct bench_suite *suite,
                          int *found);

/* About how long a cell takes [s of a processor]: its process, and of runs a velocity of a step,
 * from records of the suites (2e-6 to 1e-5 s of most formulations; solves are not known
 * beforehand). */
double bench_cell_seconds(const struct bench_cell *cell);
/* Keep part i of n of the cells (1 <= i <= n), parts that take about the same time, so that n
 * machines share a suite. */
int bench_suite_shard(struct bench_suite *suite, int i, int n, struct base_arena *arena);

/* The folder a suite's file is in, from the arena; NULL: its name has none. */
const char *bench_suite_folder(const char *path, struct base_arena *arena);

/* Read the label of a group, if it has one, into a cell. */
void bench_suite_label(const cJSON *group, struct base_arena *arena, struct bench_cell *cell);

/* A solver as groups name it: *name for requests and *shown for ids, from the arena. BASE_E_INPUT
 * with a message where there is none such. */
int bench_suite_solver(const cJSON *item, const char *file, const char *key,
                       struct base_arena *arena, const char **name, const char **shown);

/* Cells of a group with "problems" (problems.c), given to add one by one. BASE_E_INPUT with a
 * message. */
int bench_suite_problems(const cJSON *group, const char *file, struct base_arena *arena,
                         int (*add)(void *to, const struct bench_cell *cell), void *to);

#endif
