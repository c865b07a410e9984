/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "over" of a group of cells: lists whose words stand in its texts. There are cells for every
 * combination, the last list varying fastest:
 *
 *   {"label": "{form}-{#dt}", "formulations": ["{form}"], "dt": "{dt}", "set": {"n": "{n}"},
 *    "over": {"form, n": [["moreau", 10], ["ccp", 20]], "dt": [1e-2, 1e-3]}}
 *
 * Entries that become an empty text are left out. {#dt} is the number of the word in its list, from
 * 0. Lists that go together are one, of lists of words. A number in place of a list has the words
 * 0, 1, ... up to it.
 */
#ifndef BENCH_SUITE_OVER_H
#define BENCH_SUITE_OVER_H

#include <cjson/cJSON.h>

#include "base/memory/arena.h"
#include "bench/job/cell.h"

/* Number of combinations: 1 without lists; BASE_E_INPUT with a message. */
int bench_over_count(const cJSON *group, const char *file, int *n);
/* A copy of the group for combination number i, without "over" and with its words in its texts; to
 * be freed. place: gets the words, as values that are swept. */
cJSON *bench_over_take(const cJSON *group, int i, struct base_arena *arena,
                       struct bench_place *place);
/* Append a value that is swept. */
void bench_place_add(struct bench_place *place, const char *key, const char *value,
                     struct base_arena *arena);
/* The list of "over" that a name is of, from 0; -1: of none. */
int bench_over_list(const cJSON *group, const char *name);
/* All texts of an object or list with words in the place of their {names}. */
void bench_over_fill(cJSON *object, const struct bench_place *words, struct base_arena *arena);

#endif
