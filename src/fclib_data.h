/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers of an HDF5 file that may be damaged or made to harm (of coulombench-fclib).
 */
#ifndef FCLIB_DATA_H
#define FCLIB_DATA_H

#include <hdf5.h>

#include "base/memory/arena.h"

struct fclib_file {
  hid_t id;
  size_t size; /* bytes */
  struct base_arena *arena;
};

/* The file with these bytes, which stay in use; BASE_E_INPUT with a message. */
int fclib_open(struct fclib_file *f, char *bytes, size_t size, struct base_arena *arena);

/* Is there something at the path? A link that leads elsewhere counts: reading refuses it. */
int fclib_has(const struct fclib_file *f, const char *path);

/* How many reals a data set holds; negative with a message where they cannot be read. */
int fclib_count(const struct fclib_file *f, const char *path);

/* Numbers of a data set, on the arena: all of them, which are to be n.
 * Nothing of its size is asked for before it is known that the file holds it. NULL with a message.
 */
double *fclib_reals(const struct fclib_file *f, const char *path, int n);
int *fclib_ints(const struct fclib_file *f, const char *path, int n);
/* The first n of at least as many. */
double *fclib_first_reals(const struct fclib_file *f, const char *path, int n);
int *fclib_first_ints(const struct fclib_file *f, const char *path, int n);
/* A single number, from `least` on. BASE_E_INPUT with a message. */
int fclib_int(const struct fclib_file *f, const char *path, int least, int *x);

#endif
