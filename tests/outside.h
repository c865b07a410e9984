/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-step problems of other people's programs: the files of the folder that COULOMBENCH_PROBLEMS
 * names, in the order of their names.
 *
 *   for (struct outside o = outside_begin("*"); outside_next(&o);) { ... o.p, o.name ... }
 */
#ifndef TESTS_OUTSIDE_H
#define TESTS_OUTSIDE_H

#include <glob.h>

#include "problem/problem.h"

struct outside {
  glob_t files;
  size_t next;
  const char *name;         /* of the file, without ".json" */
  struct base_arena *arena; /* of this problem: gone with the next one */
  struct problem p;
};

/* Files "<pattern>.json"; without the folder the test is skipped, and there must be one. */
struct outside outside_begin(const char *pattern);
/* 0 behind the last one, when all is freed. A file that cannot be read is a failed check. */
int outside_next(struct outside *o);

#endif
