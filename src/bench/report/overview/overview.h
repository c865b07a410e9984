/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The overview: cases by formulations at equal terms, made from records alone. A row is a case with
 * its parameters and horizon, whatever the solver; its step is the shortest that the most of its
 * formulations were run at, and all its cells are of that step. A cell is a number, or says why it
 * is none. Drawn by draw.c (study `overview`), shown as a table by the page (table.c).
 *
 * Which cells are not distinguishable from the best of the row is the frame's `best`
 * (frame/best.c), asked at all steps of the row: a neighbouring step, the members of ensembles as
 * pairs, and the noise of times (report_time_bound) decide. Runs judged useless, and references,
 * are never framed.
 */
#ifndef BENCH_REPORT_OVERVIEW_H
#define BENCH_REPORT_OVERVIEW_H

#include "bench/frame/frame.h"
#include "bench/report/kit/report.h"

enum overview_quantity {
  OVERVIEW_ERROR,       /* errors.q_linf over the system's length [-] */
  OVERVIEW_DRIFT,       /* numerical energy drift over the largest energy [-] */
  OVERVIEW_PENETRATION, /* over the length [-] */
  OVERVIEW_ITERATIONS,  /* a step */
  OVERVIEW_TIME,        /* of all steps [s] */
  OVERVIEW_QUANTITIES
};
struct overview_measure {
  const char *name, *title;
  const char *shown; /* what the number in a cell is */
  int is_log;        /* the decimal logarithm, with one digit; else two digits of the number */
  int is_over_least; /* over the least of the formulations of the row */
  double lo, hi;     /* decimal logarithms of what is shown in the first and the last colour */
};
extern const struct overview_measure overview_measures[OVERVIEW_QUANTITIES];

/* What a row's motion is made of, from the medians of its runs (group.c). */
enum overview_group {
  OVERVIEW_SMOOTH,
  OVERVIEW_IMPACT,
  OVERVIEW_SLIDING,
  OVERVIEW_REST,
  OVERVIEW_MANY,
  OVERVIEW_GROUPS
};
extern const char *const overview_group_names[OVERVIEW_GROUPS];
extern const char *const overview_group_meanings[OVERVIEW_GROUPS];

/* What stands in a cell. */
enum overview_kind {
  OVERVIEW_NUMBER,
  OVERVIEW_ROUNDING, /* below what the reference, or a double, resolves */
  OVERVIEW_OWN,      /* the row's reference was made by it */
  OVERVIEW_UNKNOWN,  /* there is no reference, or it has no such quantity */
  OVERVIEW_FAILED,   /* the letter of its status */
  OVERVIEW_UNSUPPORTED,
  OVERVIEW_ABSENT, /* not run at the row's step */
  OVERVIEW_SAME,   /* against another run: no change, or none beyond the spread of the times */
  OVERVIEW_CURED   /* against another run: it had failed there */
};
struct overview_cell {
  const struct report_record *record; /* NULL: absent */
  enum overview_kind kind[OVERVIEW_QUANTITIES];
  double value[OVERVIEW_QUANTITIES];
  /* 10 and 90 % of the members of an ensemble, else NaN. */
  double p10[OVERVIEW_QUANTITIES], p90[OVERVIEW_QUANTITIES];
  int is_best[OVERVIEW_QUANTITIES]; /* not distinguishable from the best */
};
/* OVERVIEW_RATIO: size of the logarithm of a ratio in the last colour. */
enum { OVERVIEW_COLOURS = 13, OVERVIEW_RATIO = 1 };
struct overview_row {
  const char *title;
  enum overview_group group;
  int is_ratio;          /* values are over those of another run */
  double dt, t_end;      /* [s] */
  const char *reference; /* its kind: "analytic" */
  int n;
  const struct report_record **records; /* all of its runs, by formulation, then dt falling */
  struct overview_cell *cells;          /* by formulation */
  double least[OVERVIEW_QUANTITIES];    /* of the best; NaN: none */
};
/* A formulation is shown where a row of more than smooth motion can be run with it (main), among
 * the references, where it takes its steps itself, or else in a table of its own. */
enum overview_place { OVERVIEW_NOWHERE, OVERVIEW_MAIN, OVERVIEW_REFERENCE, OVERVIEW_SMOOTH_ONLY };
struct overview {
  int n;
  struct overview_row *rows;  /* by group, then as in the registry of cases */
  enum overview_place *place; /* by formulation */
  const char *against;        /* the other run's folder; NULL: values are of this one */
  char *is_best;              /* n_records of the report x OVERVIEW_QUANTITIES: at its own step */
};

/* From the rows of a report; memory from its arena. NULL with a message. */
struct overview *overview_make(const struct report *report);
/* The ratios of a report's overview to the same runs, by the names of their records, of another
 * one: rows and cells at the same steps. Values are compared no closer than their floors; times
 * only where both were taken several times, and changed only where their quartiles lie apart. */
struct overview *overview_against(const struct report *report, const struct report *other);
/* "D" diverged, "U" unstable, ...; "" of a status that is no failure. */
const char *overview_letter(int status);
/* The value of a run; NaN where there is none. */
double overview_value(const struct report_record *r, enum overview_quantity quantity);
/* Below it a value is one of rounding or of the reference. */
double overview_floor(const struct report_record *r, enum overview_quantity quantity);
/* The same of each member, in their order; NULL: it is no ensemble that has it. */
const struct frame_list *overview_members(const struct report_record *r,
                                          enum overview_quantity quantity,
                                          struct base_arena *arena);
/* A number of an ensemble's summary (median, lo, hi, p10, p90) on the scale of the value; NaN. */
double overview_of_members(const struct report_record *r, enum overview_quantity quantity,
                           const char *which);
/* Of a row's runs of a formulation at a step the one that stands for them; NULL: there is none. */
const struct report_record *overview_pick(const struct overview_row *row, int form, double dt);
/* Marks the runs not distinguishable from the best of their rows and steps. */
int overview_frame(const struct report *report, struct overview *overview);
/* The same row at another of its steps; from the arena. */
struct overview_row overview_at(const struct report *report, const struct overview *overview,
                                const struct overview_row *row, double dt);
enum overview_group overview_group_of(const struct report *report, int n,
                                      const struct report_record *const *records);
/* The number that a cell shows, for values of kind NUMBER, and the number of its colour, from 0. */
double overview_shown(const struct overview_row *row, enum overview_quantity quantity,
                      double value);
int overview_colour(const struct overview_row *row, enum overview_quantity quantity, double value);
/* Which formulations are framed in the most rows, references left out: "Best, or level with the
 * best: moreau in 11 of 41 cases, ..."; "": none is. From the arena. */
const char *overview_conclusion(const struct report *report, const struct overview *overview,
                                enum overview_quantity quantity);
/* How cells are read and framed, for captions: numbers, letters, the rule. From the arena. */
const char *overview_caption(const struct report *report, const struct overview *overview,
                             enum overview_quantity quantity);
/* report/overview.csv */
int overview_write_csv(const struct report *report);
/* Does a formulation have a cell in the row that is more than unsupported? */
int overview_is_supported(const struct overview_row *row, int form);

#endif
