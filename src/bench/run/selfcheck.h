/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench check` of a model.
 */
#ifndef BENCH_SELFCHECK_H
#define BENCH_SELFCHECK_H

#include "base/memory/arena.h"

struct base_words;
struct case_type;
/* Compare the derivatives of a case's or scene's model with finite differences at random states,
 * with parameters set; prints a line per comparison. BASE_FAILED with a message if one is wrong. */
int bench_check_model(const struct case_type *type, const struct base_words *set,
                      struct base_arena *arena);
#endif
