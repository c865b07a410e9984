/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In which statuses the cells of a suite are to end. A cell of which nothing is said is expected to
 * be ok, and unsupported where the formulation declares that it cannot run the system (form.check).
 * A group says what else:
 *
 *   "expect": ["ok", "unstable"]                           of all its cells
 *   "expect": {"penalty": "unstable", "event": "failed"}   of those of a formulation
 *
 * Each cell must then end in one of these, and each of these must come true in one of the cells at
 * least: a permission that nothing needs is an error of the suite.
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
/* What the cells of a formulation are to end in; NULL: ok. */
const struct bench_expectation *bench_expect_of(const struct bench_expectation *list,
                                                const char *formulation);
/* A status that the cell should not have ended in. */
int bench_expect_is_bad(const struct bench_cell *cell, int status);
/* Expectations that no cell has met, one line each on standard error; statuses: of every cell. Of a
 * shard nothing is known. Returns their number. */
int bench_expect_unmet(const struct bench_suite *suite, const int *statuses);

#endif
