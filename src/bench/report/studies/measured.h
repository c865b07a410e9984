/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of the study `what-is-measured` share (measured.c). Internal to it.
 */
#ifndef BENCH_REPORT_STUDIES_MEASURED_H
#define BENCH_REPORT_STUDIES_MEASURED_H

#include <stdio.h>

#include "bench/report/kit/study.h"
#include "la/ensemble/bootstrap.h"

enum { MEASURED_LEVELS = 64, LAW = 0, SCHEME, TOLERANCE, STEP, SCENE, MEMBER, FACTORS };
extern const char *const measured_factors[FACTORS];
/* Numbers of a member, by their place in bench_ensemble_numbers. */
enum { LINF = 0, MASS = 1, ITERATIONS = 7, FLIGHT = 8, IMPACT = 9, AFTER = 11 };
#define MEASURED_FLOOR 1e-14 /* round-off of closed forms [kg^1/2 m], [m] */

/* The levels of a factor, as text, in the order they stand in the tables. */
struct levels {
  int n;
  const char *name[MEASURED_LEVELS];
};

struct cell {
  const struct report_record *record;
  const char *scene, *law, *scheme;
  double tolerance, dt;
  int at[FACTORS]; /* level of each factor but the member */
  int members;
  int is_cold;    /* solves start from nothing */
  double *time;   /* members, of the steps [s]; NaN: not told */
  double *number; /* members x BENCH_ENSEMBLE_NUMBERS, row by row; NaN: none */
};

struct measured {
  struct report *report;
  struct base_arena *arena;
  int n;
  struct cell *cell;
  struct levels law, scheme, tolerance, scene;
  int steps, members;
  int *cold;  /* as where, of cells with cold starts */
  int *where; /* cells by law, scheme, tolerance, step, scene; -1: none */
};

/* The cell of a combination, with warm starts or by a list of s; -1: none was run. */
int measured_cell_of(const struct measured *s, const int *where, int law, int scheme, int tolerance,
                     int step, int scene);
int measured_cell(const struct measured *s, int law, int scheme, int tolerance, int step,
                  int scene);
/* A number of a member of a cell; NaN where there is none. */
double measured_number(const struct measured *s, int cell, int member, int number);
/* The same of all members, x: s->members, infinite where there is none. */
void measured_numbers(const struct measured *s, int cell, int number, double *x);
/* Error over the system's length of all members, x: s->members, and work: steps and iterations. */
void measured_errors(const struct measured *s, int cell, double *x);
void measured_works(const struct measured *s, int cell, double *x);
/* The combination all others are held against: exact law, gap level, tightest tolerance. */
void measured_reference(const struct measured *s, int at[3]);
/* ",value,lo,hi" */
void measured_interval(FILE *csv, const struct la_interval *x);

/* measured_shares.c: shares of the variance, into the figure and into csv. */
int measured_shares(struct report_sheet *sheet, const struct measured *s, FILE *csv);
/* measured_terms.c: curves of one factor; the tables of laws, and of cost and error on equal terms.
 */
int measured_curves(struct report_sheet *sheet, const struct measured *s, int factor,
                    const struct levels *levels, const char *variable);
int measured_laws(const struct measured *s, FILE *csv);
int measured_terms(const struct measured *s, FILE *csv);
/* measured_axes.c: cost beside error, n_dir and cold starts. */
int measured_axes(const struct measured *s, FILE *csv);
/* measured_solves.c: report/what-is-measured-solves.csv, of the one-step problems of the suite, if
 * it has any. */
int measured_solves(struct report *report);
/* measured_sources.c: what is made in flight, at impacts and after. */
int measured_sources(const struct measured *s, FILE *csv);

#endif
