/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sub-commands behind the command line. All return a base_status; a negative one left its
 * message behind.
 *
 *   run/      one job: steps, and what is measured on the way; one-step problems
 *   reference/  what a run is held against, and its errors
 *   search/   the largest step, the parameter at which an outcome changes, by one bisection
 *   suite/    which jobs belong together, and carrying them out; what has its result already
 *   record/   what a run leaves behind, as JSON, and whether a file is one
 *   compare/  two records or folders of them held against each other
 *   table/    tables of records, as Markdown, CSV, LaTeX, JSON
 *   report/   figures, studies and the page, from records alone
 *   papers/   what the papers state beside what the figures measured
 *   export/   frames for ParaView
 */
#ifndef BENCH_COMMANDS_H
#define BENCH_COMMANDS_H

#include "base/memory/arena.h"

struct cJSON;

/* What: "cases", "formulations", "solvers", "figures", or NULL for all; as lines, as one JSON
 * object, or as tables in Markdown. */
enum bench_list_format { BENCH_LIST_LINES, BENCH_LIST_JSON, BENCH_LIST_MARKDOWN };
int bench_list(const char *what, enum bench_list_format format);
/* Everything known about one name: a case, formulation, solver or figure; as JSON these alone. */
int bench_describe(const char *name, int as_json);
/* A scene from its file. */
int bench_describe_scene(const char *path);

/* A one-step problem from a file to a solution (schema coulombench.solution/1). */
struct bench_place;
struct bench_solve_request {
  const struct bench_place *place; /* of a suite (record/cell.h); NULL: of none */
  const char *problem, *solver, *warm, *output;
  const char *law; /* another law than the file's, or NULL */
  int n_opt;
  const char **opt;
};
int bench_solve(const struct bench_solve_request *request, int *status);
/* Are there such a solver and such options? BASE_E_INPUT with a message. */
int bench_solve_check(const struct bench_solve_request *request);
/* The command that repeats it, from the arena. */
const char *bench_solve_command(const struct bench_solve_request *request,
                                struct base_arena *arena);
/* What decides its result (suite/key.h), and its time limit [s]: found without solving.
 * BASE_E_INPUT or BASE_E_IO with a message and the key "". */
int bench_solve_key(const struct bench_solve_request *request, struct base_arena *arena,
                    const char **key, double *time_limit);
/* The solution record of a solve whose process ended before it could write one. */
int bench_solve_died(const struct bench_solve_request *request, int status, const char *reason);

struct case_type;
/* The model of a case or scene against itself by finite differences at random states, with
 * parameters set; prints a line a comparison. BASE_FAILED with a message where one is wrong. */
int bench_check_model(const struct case_type *type, int n_set, const char *const *set,
                      struct base_arena *arena);
/* Validate a file by its own schema: result, suite, case, problem, solution, figure. Prints one
 * line. A case by its name, and after its file a scene: its model too, with "key=value" pairs set,
 * by bench_check_model. */
int bench_check(const char *path, int n_set, const char *const *set);
/* The same of a file that has been read, without the line. */
int bench_check_value(const char *path, const struct cJSON *file);
enum { BENCH_COMPARE_NOISE_MAX = 8 };
struct bench_compare_request {
  const char *a, *b; /* two records, or two folders of records */
  double tol;        /* largest difference over its scale that counts as same; < 0: none */
  int n_noise;       /* folders (records) that differ from a by rounding alone, */
  const char *noise[BENCH_COMPARE_NOISE_MAX];
  double factor; /* and how many times that difference is allowed */
  int n_ignored; /* paths left out */
  const char *const *ignored;
  int verbose; /* every record and every differing entry */
};
/* Verdict, counts and a row a record on standard output; *is_same: all records to the byte, or
 * within what the request allows. */
int bench_compare(const struct bench_compare_request *request, int *is_same);
/* Blocks of a record, and what differences in them are measured by. */
void bench_describe_compare(void);

struct bench_report_request {
  const char *folder; /* of records */
  const char *suite;  /* NULL: the one that they were made by */
  const char *output; /* folder for figures/ and report/ */
  double width_mm;    /* of figures for print, in figures-<width>mm/ and without page; 0: neither */
  int is_so_far;      /* the suite is still being run: figures without their records are to come */
};
/* Figures, tables and the page from the records in a folder; *failed gets the number of figures
 * whose check or drawing failed, of studies whose drawing did, and of records that are damaged. */
int bench_report(const struct bench_report_request *request, int *failed);
/* Every numbered figure and table and every claim of the papers (paper: a tag; NULL: all of them)
 * beside the values of the figures' records in <folder>/figures; *faults gets the number of values
 * that failed, are missing or were not run. */
int bench_papers(const char *folder, const char *paper, int *faults);
/* What changed from another folder's records to these: the overview as ratios, changed statuses. */
int bench_report_against(const char *folder, const char *other, const char *output, int *failed);

#endif
