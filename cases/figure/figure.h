/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A figure is data: the runs that it needs, and what is made of their records, tables for gnuplot
 * and checks that can fail. C is left where something is computed. Figures see records alone, as
 * plain numbers: nothing here knows how they came about.
 */
#ifndef CASES_FIGURE_FIGURE_H
#define CASES_FIGURE_FIGURE_H

#include "base/memory/arena.h"

struct cJSON;
struct case_parameters;

#define CASE_TEXT 160

/* One run of a figure. Empty text: the default. */
struct case_run {
  char label[CASE_TEXT]; /* unique within the figure */
  char formulation[CASE_TEXT];
  char solver[CASE_TEXT];
  char set[CASE_TEXT]; /* "key=value key=value": case parameters */
  char opt[CASE_TEXT]; /* "key=value key=value": options of formulation and solver */
  /* "PARAM=LO,HI[,TOL]" and "KEY<X": the run where the condition on its record changes with a
   * parameter, or with the step, dt; the record tells where, in `threshold`. */
  char search[CASE_TEXT], until[CASE_TEXT];
  double dt, t_end, sample; /* [s]; 0: default; sample > 0: trajectory in the record */
  /* Of hours, or with times of another program: no suite runs it. Its record is kept with the case,
   * records/<record>.json, and says itself what was run, when and by which program; solver and what
   * follows are empty then. */
  char record[CASE_TEXT];
};

/* Runs of a figure: what one would type for one of them, with {name} where it differs from the
 * others. `over` lists what stands there, and there is a run for every combination, the last list
 * varying fastest:
 *
 *   {.label = "{form}-{#dt}", .formulation = "{form}", .dt = "{dt}", .t_end = "2",
 *    .over = {{"form", "moreau ccp"}, {"dt", "1e-2 1e-3 1e-4"}}}
 *
 * {#dt} is the number of the word in its list, from 0. Lists that go together are one, of words
 * with parts: {"form/dt", "moreau/1e-2 penalty/1e-4"}; a part that is empty, or missing at the end
 * of a word, is no text. A list with a count in place of words is 0, 1, ... count - 1. What has to
 * be computed is filled in by `fill`, behind the texts. */
struct case_list {
  const char *names, *words;
  int count; /* without words */
};
enum { CASE_LISTS = 3 };
struct case_runs;
/* A combination: the number of the word in each list. */
struct case_place {
  const struct case_runs *runs;
  int at[CASE_LISTS];
};
struct case_runs {
  const char *label, *formulation, *solver, *set, *opt; /* NULL: "" */
  const char *search, *until;                           /* NULL: no search */
  const char *dt, *t_end, *sample;                      /* [s]; NULL: the default */
  const char *record;                                   /* NULL: it is run */
  struct case_list over[CASE_LISTS];
  void (*fill)(const struct case_parameters *p, const struct case_place *place,
               struct case_run *run);
};
/* Number of words of a list; 0: there is no such list. */
int case_list_size(const struct case_list *list);
/* Number of runs of one description, and the combination of its run number i. */
int case_runs_count(const struct case_runs *runs);
struct case_place case_runs_place(const struct case_runs *runs, int i);
/* A text with what stands for its {names}. */
void case_place_expand(const struct case_place *place, const char *text, char out[CASE_TEXT]);
/* What stands for a name, "form" or "#dt", in a combination; and as a number. */
void case_place_text(const struct case_place *place, const char *name, char out[CASE_TEXT]);
double case_place_real(const struct case_place *place, const char *name);

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

/* What is claimed of a value: that it lies in [lo, hi], and what that stands against. Both ends must
 * be able to fail. They are finite; an end that is zero is one of a magnitude, whose other end is
 * the tolerance; two ends of one sign are at most CASE_WIDEST apart as a ratio, beyond which one of
 * them is infinity under another name. A value of which nothing is claimed is a report
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
#define CASE_WIDEST 1000.

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
  const char *folder; /* tables are <folder>/<name>.dat; NULL: tables are checked and dropped */
  int n_tables, n_checks, n_failed; /* checks: reports too */
  const char **tables;              /* their names */
  struct case_checked *checks;
  int tables_capacity, checks_capacity;
};
/* An empty plot; creates the folder. BASE_E_IO with a message. */
int case_plot_init(struct case_plot *plot, const char *folder, struct base_arena *arena);
/* Write table <name>.dat: a header line with column names (space-separated, units in brackets),
 * then rows x columns, row-major, %.17g. Blank line between blocks: call with name of an existing
 * table. Measured times, and what is made of them, have `timing` in their name here
 * and in checks: they are left out where results are compared. */
int case_plot_table(struct case_plot *plot, const char *name, const char *columns, int rows,
                    int cols, const double *values);
/* Judge a value by what is claimed of it; goes into the figure's record, caption and page. Returns
 * the verdict. A value that is no number fails. */
enum case_verdict case_plot_check(struct case_plot *plot, const char *what, double measured,
                                  struct case_claim claim);
/* A value of which nothing is claimed; counted apart, and never passed. note: what to know about
 * it, NULL: nothing. */
void case_plot_report(struct case_plot *plot, const char *what, double measured, const char *note);

/* ---- tables and checks ---- */

/* What values are computed from: the figure's parameters and runs, and the run that a check sets
 * another one against. */
struct case_results {
  const struct case_parameters *p;
  const struct case_figure *figure;
  int n;
  const struct case_series *series;
  const struct case_series *against; /* NULL: the check names none */
};
/* The run with this label, in which {names} are those of run s (NULL: there are none); NULL with a
 * message when there is none. */
const struct case_series *case_result(const struct case_results *r, const struct case_series *s,
                                      const char *label);
/* The word that a list has for run s, as a number; {#name}: its number. */
double case_word(const struct case_results *r, const struct case_series *s, const char *name);
/* A number computed from a run that ended ok: of sample k, or of all of it (k = -1). */
typedef double case_value(const struct case_results *r, const struct case_series *s, int k);

/* A column: of samples "t", "energy", "q[1]", "u[0]"; of runs "dt" or a path of the record; of both
 * "{name}", what stands for it; or what is computed. */
struct case_column {
  const char *title, *path; /* title: with its unit; NULL: no more columns */
  case_value *value;
  /* Labels, with the {names} of the row's run: of the run whose number this is, in its place, and
   * of one that is handed to `value` beside. NULL: none. */
  const char *of, *against;
};
enum { CASE_COLUMNS = 12, CASE_WHERE = 2 };
/* Tables of the runs of one description, which `runs` names by its label: rows are the samples of a
 * run, or the runs along one of the lists ("": a row for every run). There is one for each
 * combination of the other lists, which the name tells: {form}. */
struct case_table {
  const char *name, *runs, *along;
  struct case_list where[CASE_WHERE]; /* only runs with these words of these lists */
  struct case_column columns[CASE_COLUMNS];
  case_value *keep; /* 0 for rows, k from 0, that are left out; NULL: none are */
  /* Fills a whole row of a sample, or, with `rows`, number k of so many, of a run or (`runs` NULL)
   * of none, s being NULL. Columns have titles alone then. */
  void (*row)(const struct case_results *r, const struct case_series *s, int k, double *out);
  int rows;
};

/* Checks of the runs of one description, or of the one run that `runs` names: one for each
 * combination of the lists but those in `along`. */
struct case_check {
  const char *what, *runs;            /* what: with {names} */
  struct case_list where[CASE_WHERE]; /* only runs with these words of these lists */
  const char *path;                   /* of the record; NULL: */
  case_value *value;                  /* computed */
  const char *against; /* label, with {names}, of the run that is handed to `value` beside */
  const char *over;    /* the same of a run whose value it is divided by */
  double scale;        /* the value is multiplied by it; 0: by 1 */
  /* Lists ("n k", "*": all of them), whose values are reduced to their order, the largest or
   * least. */
  const char *along;
  enum { CASE_ORDER, CASE_WORST, CASE_LEAST } reduce;
  const char *by; /* the order in this, as of a column; NULL: in dt */
  struct case_claim claim;
  /* Computed in place of the claim's lo and hi; NULL: these. */
  void (*bounds)(const struct case_results *r, const struct case_series *s, double *lo, double *hi);
  int report; /* nothing is claimed; claim.expected is its note */
};

/* ---- panels ---- */

/* A curve: two columns of a table, from 1 on; without a table the power law scale x^power, or at
 * x = scale a vertical line. Impulses have points at their ends, bars the number in column `note`
 * above them. With `over` there is one for each of its words, which takes the place of {} in title,
 * table and look, and y goes on by `next` columns from word to word. A level is a horizontal line
 * at y of a table of one row. */
struct case_curve {
  const char *title, *table; /* title: in the key; NULL: not there */
  int x, y;
  double scale; /* of y; 0: 1 */
  /* A formulation's or solver's name, "reference", "limit", "mark"; a colour of scripts/plot/
   * style.gp that none of them has, "violet" (red, leaf, brown, turquoise, gold); "colour of ccp",
   * without its dashes and points; or a shade "#eda06a", which is not the colour of any of them. */
  const char *look;
  double width; /* of the line; 0: 2 */
  enum {
    CASE_LINES,
    CASE_DASHED,
    CASE_LINESPOINTS,
    CASE_POINTS,
    CASE_IMPULSES,
    CASE_BARS,
    CASE_VERTICAL,
    CASE_LEVEL
  } with;
  double power; /* 0: a constant */
  const char *over;
  int next;
  int note;       /* 0: that of y */
  double x_scale; /* 0: 1; below 0: the side of negative x of a logarithmic axis */
};
enum { CASE_CURVES = 16 };
/* Drawn by scripts/plot/panels.gp. */
struct case_panel {
  const char *head;              /* above it; NULL: none */
  const char *x, *y;             /* labels with units, gnuplot's enhanced text; NULL: none */
  const char *log;               /* "x", "y" or "xy"; NULL: none */
  const char *names;             /* of x = 0, 1, 2, ..., words or 'quoted'; NULL: x is a number */
  double x_range[2], y_range[2]; /* equal: from the data */
  double least;                  /* above 0: |y| is drawn, and what is below this at it */
  /* Corner, "right top", ..., or "foot": below all panels; NULL: none. */
  const char *key;
  struct case_curve curves[CASE_CURVES]; /* the first has a table; look NULL: no more */
};

struct case_figure {
  const char *id; /* as in the catalogue: "yu-8" */
  const char *title;
  /* What the figure shows to be so, then what is drawn. {beginning of a check's text} stands for
   * the number measured there; no measured number is written out. */
  const char *caption;
  const struct case_runs *runs;    /* ends with label NULL; NULL: it needs none. Figures of a case
                                      that name the same ones share their records */
  const struct case_table *tables; /* ends with name NULL; NULL: none */
  const struct case_check *checks; /* ends with what NULL; NULL: none */
  /* What is drawn, ended by a panel without curves: from left to right and downward, `abreast` (0:
   * 1) in a row, the last of which fills its width with what is left, as high as they are wide
   * where `square`. Without panels a script draws it, one of scripts/plot/ or (NULL) the case's own
   * figures/<id>.gp. */
  const char *script;
  const struct case_panel *panels;
  int abreast, square;
  int is_timed; /* it shows times: its runs are repeated as a suite says */
  /* Tables and checks that are computed otherwise, behind those, from the n finished runs in their
   * order; BASE_OK or BASE_FAILED with a message. NULL: none. */
  int (*make)(const struct case_parameters *p, const struct case_series *series, int n,
              struct case_plot *plot);
};
/* Run number i of a figure; 0 when there is none of that number. */
int case_figure_run(const struct case_figure *figure, const struct case_parameters *p, int i,
                    struct case_run *run);
/* Its checks and tables, from its n finished runs. A run that did not end ok has no numbers;
 * BASE_FAILED with a message that names it where its samples are a table or a check is made from
 * it, or where a run is missing. */
int case_figure_make(const struct case_figure *figure, const struct case_parameters *p,
                     const struct case_series *series, int n, struct case_plot *plot);

#endif
