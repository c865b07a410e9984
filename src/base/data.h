/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The folder of the program's data (case parameters, suites, plot scripts): that of the environment
 * variable COULOMBENCH_DATA; else the nearest folder above the executable that contains cases/ and
 * scripts/ (a source tree); else <prefix>/share/coulombench of an installation. Files that are not
 * there are looked for in the folder of `make EXTRA=DIR`.
 */
#ifndef BASE_DATA_H
#define BASE_DATA_H

#include "base/memory/arena.h"

const char *base_data_folder(void); /* NULL with a message if there is none */
/* Absolute path of a file below the folder or below EXTRA, from the arena; NULL with a message if
 * there is no such file. */
const char *base_data_path(struct base_arena *arena, const char *relative);
/* Absolute path of another program of this project, from the arena. It is looked for in the folder
 * of the running executable and in the two above it (tests are below the program). NULL if there is
 * none. */
const char *base_program_path(const char *name, struct base_arena *arena);

#endif
