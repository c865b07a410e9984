/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which cell of which suite a record is of: its block `cell`. Whatever groups records (report,
 * table, studies) reads it from there. Names of files are for people.
 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "base/memory/arena.h"

struct cJSON;

/* A value of a list in the suite's file, at which the cell stands. */
struct bench_swept {
  const char *key, *value;
};

struct bench_place {
  const char *suite, *id; /* the cell's own name, also that of its file */
  /* NULL: none */
  const char *label, *study, *figure; /* as the suite says */
  const char *solver;                 /* what it calls the solver it asks for */
  int n_swept;
  const struct bench_swept *swept;
};

/* The block as JSON. */
struct cJSON *bench_place_json(const struct bench_place *place);

#endif
