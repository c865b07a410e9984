/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What files of suites and figures may hold, as tables of keys (base/json/keys.h). What a value has
 * to be beyond its type (that a case exists, an option is one of the solver's) is for those that
 * read it, who take it from a file that has been checked.
 */
#ifndef BENCH_SUITE_KEYS_H
#define BENCH_SUITE_KEYS_H

#include "base/json/keys.h"

extern const struct base_table bench_suite_keys;  /* of a suite's file (keys.c) */
extern const struct base_table bench_cell_keys;   /* of a cell of it */
extern const struct base_table bench_run_keys;    /* of a figure's run */
extern const struct base_table bench_figure_keys; /* of a figure's file (figure_keys.c) */
extern const struct base_table bench_show_keys;   /* of a table that the page shows */

#endif
