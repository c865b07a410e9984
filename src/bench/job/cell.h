/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cell and suite of a record: its block `cell`. Report, table and studies group records by this
 * block, not by names of files.
 */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "base/memory/arena.h"

struct cJSON;

/* The cell's value of a list in the suite's file. */
struct bench_swept {
  const char *key, *value;
};

struct bench_place {
  const char *suite, *id; /* the cell's own name, also that of its file */
  /* NULL: none */
  const char *label, *study, *figure; /* as the suite says */
  const char *solver;                 /* the suite's name of the solver */
  int n_swept;
  const struct bench_swept *swept;
};

/* The block as JSON. */
struct cJSON *bench_place_json(const struct bench_place *place);

#endif
