/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a suite's file may hold, as a table of keys (base/json/keys.h). What a value has to be
 * beyond its type (that a case exists, an option is one of the solver's) is for those that read it,
 * who take it from a file that has been checked.
 */
#ifndef BENCH_SUITE_KEYS_H
#define BENCH_SUITE_KEYS_H

#include "base/json/keys.h"

extern const struct base_table bench_suite_keys, bench_cell_keys; /* of the file, of a cell */

#endif
