/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure is a file (figures/<id>.json): its runs, tables for gnuplot made from their records, and
 * values with claims that can fail. Numbers that no expression gives are computed by C functions,
 * which a case lists by name. Their input is the records as plain numbers.
 */
#ifndef CASES_FIGURE_FIGURE_H
#define CASES_FIGURE_FIGURE_H

#include "base/memory/arena.h"

struct cJSON;
struct case_parameters;

#define CASE_TEXT 160

/* The text for {name} in the labels and tables of a run, and the number for {#name}: a word of a
 * list in the "over" of the run's cell. */
struct case_name {
  const char *name, *text;
  int number; /* of the word in its list, from 0 */
  int list;   /* names of one list go together */
};
/* One run of a figure. */
struct case_run {
  const char *label; /* unique within the figure */
  const char *of;    /* the same with its {names}: runs of one cell share it */
  const char *formulation;
  double dt, t_end; /* [s]; 0: default */
  double sample;    /* [s]; > 0: trajectory in the record */
  /* Name of a stored record, for runs of hours or with times of another program, which no suite
   * repeats: records/<record>.json of the case, with its command, date and program. "": the run is
   * made. */
  const char *record;
  int cell; /* of the figure, that it is of */
  int n_names;
  const struct case_name *names; /* n_names */
};
/* A text with its {names} replaced by their words in a run; unknown names are unchanged. */
void case_run_text(const struct case_run *run, const char *text, char out[CASE_TEXT]);

/* A finished run, from its record. */
struct case_series {
  const struct case_run *run;
  int status; /* base_status */
  const char *reason;
  int n, nq, nu;        /* samples; 0 without trajectory */
  const double *t;      /* n */
  const double *q;      /* n x nq, row-major: sample k at q + k nq, in the order of final.q_names */
  const double *u;      /* n x nu */
  const double *energy; /* n */
  /* Contacts that carried in the step before sample k: numbers first[k] to first[k + 1] - 1; NULL:
   * not recorded. */
  const int *first;      /* n + 1 */
  const long *contact;   /* first[n], ids */
  const double *impulse; /* dim of each, normal first [N s] */
  int dim;
  const struct cJSON *record; /* everything else: case_number(s, "errors.q_final") */
};
double case_number(const struct case_series *s, const char *path); /* NaN when missing or null */
/* Did the run reach its end? Figures also use runs whose step exceeds the stability limit estimated
 * by the formulation. */
int case_series_ended(const struct case_series *s);

/* The claim of a value: it lies in [lo, hi]; and the source of the claim. Both ends must be able to
 * fail, so they are finite. An end may be 0 for a magnitude, whose other end is the tolerance. Two
 * ends of one sign have a ratio of at most CASE_WIDEST; a wider bound could not fail. A value
 * without a claim is a report (case_plot_report). */
struct case_claim {
  double lo, hi;
  const char *expected;  /* statement of theory or our own; NULL: the bounds alone */
  const char *published; /* statement of the source with its place; NULL: none */
  /* Reason of a difference from the published value; NULL: there is no difference. lo and hi then
   * follow from this reason and do not overlap `source`, the source's number within its digits or
   * the range of its words (0 to 0: none). */
  const char *differs;
  double source[2];
  int schematic; /* the source only draws it, without a scale or without its data */
};
#define CASE_WIDEST 100.

/* Verdict of a value. Failed: outside its bounds, not a number, or a claim that cannot fail. */
enum case_verdict {
  CASE_FAILED,
  CASE_REPRODUCED, /* published, and inside */
  CASE_SCHEMATIC,  /* inside, with bounds read off a sketch */
  CASE_DIFFERS,    /* inside, with bounds that exclude the published value for a stated reason */
  CASE_NOT_STATED, /* inside, and nothing is published */
  CASE_REPORTED,   /* nothing claimed */
  CASE_VERDICTS
};
extern const char *const case_verdict_names[CASE_VERDICTS];

/* Fault of a claim, "its bounds are not finite"; NULL: it can fail. */
const char *case_claim_fault(const struct case_claim *claim);
/* A NaN fails, and so does a value whose claim cannot fail. */
enum case_verdict case_claim_judge(const struct case_claim *claim, double x);

/* A judged value. */
struct case_checked {
  const char *what;
  double measured;
  struct case_claim claim; /* its texts may be NULL */
  enum case_verdict verdict;
};

/* Tables and checks of a figure. */
struct case_plot {
  struct base_arena *arena;
  const char *folder;     /* tables are <folder>/<name>.dat; NULL: tables are checked and dropped */
  int n_tables, n_checks; /* checks: reports too */
  int n_failed;           /* of the checks, but for those of times */
  const char **tables;    /* their names */
  struct case_checked *checks;
};
/* An empty plot; creates the folder. BASE_E_IO with a message. */
int case_plot_init(struct case_plot *plot, const char *folder, struct base_arena *arena);
/* Write table <name>.dat: a header line with column names (space-separated, units in brackets),
 * then rows x columns, row-major, %.17g. Blank line between blocks: call with name of an existing
 * table. Measured times and values derived from them have `timing` in their names, in tables and
 * checks. Comparisons of results leave them out. A failed check of a time is shown but does not
 * fail the figure, since it depends on the machine's load. */
int case_is_timing(const char *what);
int case_plot_table(struct case_plot *plot, const char *name, const char *columns, int rows,
                    int cols, const double *values);
/* Judge a value by its claim; the result enters the figure's record, caption and page. Returns the
 * verdict. A NaN fails. */
enum case_verdict case_plot_check(struct case_plot *plot, const char *what, double measured,
                                  struct case_claim claim);
/* A value without a claim; counted apart, and never passed. note: explanation, NULL: none. */
void case_plot_report(struct case_plot *plot, const char *what, double measured, const char *note);

/* ---- functions by name ---- */

/* The larger of two deviations; NaN if either is NaN, so that a missing comparison does not
 * pass. */
double case_worst(double worst, double deviation);

/* Input of functions: the figure's parameters and runs. */
struct case_results {
  const struct case_parameters *p;
  int n;
  const struct case_series *series;
  struct base_arena *arena; /* of lists */
};
/* A number computed from a run that has ended. */
typedef double case_value(const struct case_results *r, const struct case_series *s);
/* Consecutive lists of *n numbers each, one for every word of the function or a single one, of a
 * run that has ended (NULL in a figure without runs). From the arena; NULL with a message. */
typedef const double *case_lists(const struct case_results *r, const struct case_series *s, int *n);
/* A function of several numbers, applied to vectors entry by entry: "rocking_block.period(b, h,
 * phi0)". p: parameters of the figure's case. */
typedef double case_formula(const struct case_parameters *p, const double *x);
/* A function called by name in a case's figures, "granular_chains.steps('pairs')": one of these
 * kinds.
 */
struct case_function {
  const char *name; /* NULL: no more */
  case_formula *formula;
  int n_numbers; /* of the formula */
  case_value *value;
  case_lists *lists;
  const char *const *words; /* of the lists, NULL ends; NULL: there is one, without a word */
};

#endif
