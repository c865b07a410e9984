/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the program's data live (case parameters, suites, plot scripts): the folder of the
 * environment variable COULOMBENCH_DATA; else the nearest folder above the executable that holds
 * cases/ and scripts/ (a source tree); else <prefix>/share/coulombench of an installation. What is
 * not there may be in the folder of `make EXTRA=DIR`.
 */
#ifndef BASE_DATA_H
#define BASE_DATA_H

#include "base/memory/arena.h"

const char *base_data_folder(void); /* NULL with a message when there is none */
/* Absolute path of a file below it or EXTRA, from the arena; NULL with a message when there is no
 * such file.
 */
const char *base_data_path(struct base_arena *arena, const char *relative);
/* Absolute path of another program of ours, from the arena: in the folder of the running executable
 * or one of the two above it (tests stand below the program). NULL where there is none. */
const char *base_program_path(const char *name, struct base_arena *arena);

#endif
