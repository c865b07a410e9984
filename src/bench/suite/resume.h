/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Resuming a suite: the cells that have their result already.
 */
#ifndef BENCH_RESUME_H
#define BENCH_RESUME_H

#include "bench/suite/suite.h"

/* NULL where the record at path is whole and has the key the cell asks for (key.h): it is kept, and
 * *status is its. Else why the cell has to be made, in a few words: the first reason. A process
 * that died before it had a result says more about the machine than about the method: its cell is
 * made again. Scratch from the arena. */
const char *bench_resume_reason(const struct bench_cell *cell, const char *path,
                                struct base_arena *arena, int *status);

#endif
