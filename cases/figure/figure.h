/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure is a file (figures/<id>.json): the runs that it needs, and what is made of their
 * records, tables for gnuplot and values with claims that can fail. C is left where numbers are
 * computed that no expression gives: a case lists such functions by name. They see records alone,
 * as plain numbers: nothing here knows how they came about.
 */
#ifndef CASES_FIGURE_FIGURE_H
#define CASES_FIGURE_FIGURE_H

#include "base/memory/arena.h"

struct cJSON;
struct case_parameters;

#define CASE_TEXT 160

/* What {name} stands for in the labels and tables of a run, {#name} for its number: a word of one
 * of the lists that the run's cell goes through. */
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
  /* Of hours, or with times of another program: no suite runs it. Its record is kept with the case,
   * records/<record>.json, and says itself what was run, when and by which program. "": it is
   * run. */
  const char *record;
  int cell; /* of the figure, that it is of */
  int n_names;
  const struct case_name *names; /* n_names */
};
/* A text with what stands for its {names} in a run; a name that it does not have stays. */
void case_run_text(const struct case_run *run, const char *text, char out[CASE_TEXT]);

/* A finished run, as its record tells it. */
struct case_series {
  const struct case_run *run;
  int status; /* base_status */
  const char *reason;
  int n, nq, nu;        /* samples; 0 without trajectory */
  const double *t;      /* n */
  const double *q;      /* n x nq, row-major: sample k at q + k nq, in the order of final.q_names */
  const double *u;      /* n x nu */
  const double *energy; /* n */
  /* Contacts that carried in the step before sample k: from number first[k] to first[k + 1], less
   * one; NULL: the record does not tell. */
  const int *first;      /* n + 1 */
  const long *contact;   /* first[n], ids */
  const double *impulse; /* dim of each, normal first [N s] */
  int dim;
  const struct cJSON *record; /* everything else: case_number(s, "errors.q_final") */
};
double case_number(const struct case_series *s, const char *path); /* NaN when missing or null */
/* Did the run get to its end? A figure judges it by what it shows, also where the step is beyond
 * the limit that the formulation estimates. */
int case_series_ended(const struct case_series *s);

/* What is claimed of a value: that it lies in [lo, hi], and what that stands against. Both ends
 * must be able to fail. They are finite; an end that is zero is one of a magnitude, whose other end
 * is the tolerance; two ends of one sign are at most CASE_WIDEST apart as a ratio, beyond which one
 * of them is infinity under another name. A value of which nothing is claimed is a report
 * (case_plot_report). */
struct case_claim {
  double lo, hi;
  const char *expected;  /* what theory or we say, in words; NULL: the bounds say it */
  const char *published; /* what the source prints, and where; NULL: it does not state it */
  /* Why ours is not what is published, where it is not; NULL: it is. lo and hi are what that reason
   * lets us expect, and have no point in common with `source`: the source's number within its
   * digits, or what its words mean (0 to 0: none is given). */
  const char *differs;
  double source[2];
  int schematic; /* the source draws it only, without a scale or without saying what it computed */
};
#define CASE_WIDEST 100.

/* How a value ends. Failed: outside its bounds, no number, or nothing that can fail is claimed. */
enum case_verdict {
  CASE_FAILED,
  CASE_REPRODUCED, /* published, and inside */
  CASE_SCHEMATIC,  /* inside what can be read off a sketch */
  CASE_DIFFERS,    /* inside what the reason given leaves, which is not what is published */
  CASE_NOT_STATED, /* inside, and nothing is published */
  CASE_REPORTED,   /* nothing claimed */
  CASE_VERDICTS
};
extern const char *const case_verdict_names[CASE_VERDICTS];

/* Why a claim is none, "its bounds are not finite"; NULL: it can fail. */
const char *case_claim_fault(const struct case_claim *claim);
/* A NaN fails, and so does every value of which nothing that can fail is claimed. */
enum case_verdict case_claim_judge(const struct case_claim *claim, double x);

/* What has become of a value. */
struct case_checked {
  const char *what;
  double measured;
  struct case_claim claim; /* its texts may be NULL */
  enum case_verdict verdict;
};

/* Where a figure's tables and checks go. */
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
 * table. Measured times, and what is made of them, have `timing` in their name here
 * and in checks: they are left out where results are compared, and a check of theirs that fails is
 * shown and fails no figure, since the machine's load decides it too. */
int case_is_timing(const char *what);
int case_plot_table(struct case_plot *plot, const char *name, const char *columns, int rows,
                    int cols, const double *values);
/* Judge a value by what is claimed of it; goes into the figure's record, caption and page. Returns
 * the verdict. A value that is no number fails. */
enum case_verdict case_plot_check(struct case_plot *plot, const char *what, double measured,
                                  struct case_claim claim);
/* A value of which nothing is claimed; counted apart, and never passed. note: what to know about
 * it, NULL: nothing. */
void case_plot_report(struct case_plot *plot, const char *what, double measured, const char *note);

/* ---- functions by name ---- */

/* The larger of two deviations; not a number when either is not: what cannot be compared is not
 * well. */
double case_worst(double worst, double deviation);

/* What numbers are computed from: the figure's parameters and runs. */
struct case_results {
  const struct case_parameters *p;
  int n;
  const struct case_series *series;
  struct base_arena *arena; /* of lists */
};
/* A number computed from a run that has ended. */
typedef double case_value(const struct case_results *r, const struct case_series *s);
/* Lists of *n numbers each, one for every word of its function or just one, one behind the other, of
 * a run that has ended (NULL in a figure without runs). From the arena; NULL with a message. */
typedef const double *case_lists(const struct case_results *r, const struct case_series *s, int *n);
/* A number made of so many others, of vectors entry by entry: "rocking_block.period(b, h, phi0)".
 * p: parameters of the figure's case. */
typedef double case_formula(const struct case_parameters *p, const double *x);
/* What the files of a case's figures call by name, "granular_chains.steps('pairs')": one of these.
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
