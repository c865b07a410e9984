/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys of files of suites and figures, as tables (base/json/keys.h). Files are checked by these
 * tables first. Further requirements (a case exists, an option belongs to the solver) are checked
 * by the code that reads a value.
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
