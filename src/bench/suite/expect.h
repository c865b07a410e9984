/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expected statuses of the cells of a suite. The default is ok, or unsupported if the formulation
 * refuses the system (form.check). A group may declare others:
 *
 *   "expect": ["ok", "unstable"]                           of all its cells
 *   "expect": {"penalty": "unstable", "event": "failed"}   of those of a formulation
 *
 * Each cell must then end in one of these statuses, and each status must occur in at least one
 * cell: an unused permission is an error of the suite.
 */
#ifndef BENCH_EXPECT_H
#define BENCH_EXPECT_H

#include <cjson/cJSON.h>

#include "base/memory/arena.h"

struct bench_cell;
struct bench_suite;

struct bench_expectation {
  const char *of;                              /* formulation; NULL: all that are not named */
  unsigned statuses;                           /* bit of each */
  const char *where;                           /* "cells[3]: oscillator" */
  const struct bench_expectation *next;        /* of the group */
  const struct bench_expectation *next_of_all; /* of the suite */
};

/* Read what a group expects; it goes to the suite's list too. BASE_E_INPUT with a message. */
int bench_expect_read(const cJSON *group, const char *where, const char *file,
                      struct base_arena *arena, struct bench_suite *suite,
                      const struct bench_expectation **list);
/* Expectation of a formulation's cells; NULL: ok. */
const struct bench_expectation *bench_expect_of(const struct bench_expectation *list,
                                                const char *formulation);
/* Is it a status that the cell must not end in? */
int bench_expect_is_bad(const struct bench_cell *cell, int status);
/* Expectations that no cell has met, one line each on standard error; statuses: of every cell. Of a
 * shard nothing is known. Returns their number. */
int bench_expect_unmet(const struct bench_suite *suite, const int *statuses);

#endif
