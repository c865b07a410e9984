/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a suite: from groups of its file and from figures.
 */
#ifndef BENCH_CELLS_H
#define BENCH_CELLS_H

#include "bench/suite/suite.h"

/* File systems allow 255 bytes; the temporary file of a record has a longer name. */
enum { BENCH_ID_MAX = 200 };

/* A suite while it is read. */
struct bench_builder {
  struct bench_suite *suite;
  struct base_arena *arena;
  const char *file;
  double time_limit;     /* [s] */
  const cJSON *defaults; /* by formulation; NULL: none */
  int repeat;
  int capacity;                   /* of the suite's cells */
  struct base_arena *store;       /* of these */
  struct base_arena *scratch;     /* of a cell while it is made */
  const struct case_type *opened; /* the last one; NULL: none */
  const char *opened_name;        /* as groups have it */
  int is_outline;                 /* figures and studies alone are read */
  int is_unchecked;               /* cells of figures: names are set, and cells checked, later */
  /* What the group expects, which all values that it sweeps share; NULL: nothing, or not read. */
  const struct bench_expectation *expected;
};

/* Add a cell, after a check of its request. BASE_E_INPUT with a message. */
int bench_cells_add(struct bench_builder *b, const struct bench_cell *cell);
/* Has every cell a name of its own? BASE_E_INPUT with a message. */
int bench_cells_check_names(const struct bench_builder *b);

/* The cells of a group, or, where its case is "others", of one for each registered case that no
 * group of the suite names: cases added later belong to the suite without an edit. BASE_E_INPUT
 * with a message. */
int bench_cells_group(struct bench_builder *b, const cJSON *groups, const cJSON *group);

/* The case of the cells of a group. NULL with a message. */
const struct case_type *bench_cells_case(struct bench_builder *b, const cJSON *group);
/* Replace expressions of the case's parameters by their values (numbers.c). BASE_E_INPUT with a
 * message. */
int bench_cells_work_out(struct bench_builder *b, cJSON *group);
/* What all cells of a group share, into the model of them, which is empty but for `swept`
 * (group.c). BASE_E_INPUT with a message. */
int bench_cells_read(struct bench_builder *b, const cJSON *group, struct bench_cell *model);
/* Append {"key": number | text | true | false} at a key of a group to a list, as "key=value". */
void bench_cells_pairs(const cJSON *group, const char *key, struct base_arena *arena,
                       struct base_words *pairs);
/* Apply the suite's defaults to a formulation's cell, in groups without their own "opt". */
void bench_cells_default(struct bench_builder *b, const cJSON *group, const char *formulation,
                         struct bench_cell *cell);
/* Are the suite's "defaults" of formulations that there are? BASE_E_INPUT with a message. */
int bench_cells_check_defaults(const struct bench_builder *b);
/* Optional numbers of a group or suite; left alone where there are none. */
void bench_cells_real(const cJSON *object, const char *key, double *x);
void bench_cells_count(const cJSON *object, const char *key, int *n);

#endif
