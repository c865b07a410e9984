/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench check` of a model.
 */
#ifndef BENCH_SELFCHECK_H
#define BENCH_SELFCHECK_H

#include "base/memory/arena.h"

struct base_words;
struct case_type;
/* The model of a case or scene against itself by finite differences at random states, with
 * parameters set; prints a line a comparison. BASE_FAILED with a message where one is wrong. */
int bench_check_model(const struct case_type *type, const struct base_words *set,
                      struct base_arena *arena);
#endif
