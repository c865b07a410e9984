/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs another program to its end in a separate process: gives it bytes on standard input, collects
 * its standard output, and reports the reason if it fails. A crash, a hang or endless output of the
 * program does not affect ours.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>

#include "base/memory/arena.h"

struct base_child {
  const char *const *argv; /* program and arguments, NULL at the end; looked for along PATH */
  const char *input;       /* input_size bytes for its standard input */
  size_t input_size;
  size_t output_most; /* it is ended if its output exceeds this [bytes] */
  double deadline;    /* it is ended at this time of base_clock_now; 0: none */
  double limit;       /* on its time [s] from its first read of the input, or else from its start;
                         may be infinite */
};

struct base_child_end {
  char *output; /* size bytes and a NUL, from the arena */
  size_t size;
  const char *says; /* last line of its standard error, from the arena, or "" */
  double wall;      /* from its start to its end [s] */
  double cpu;       /* processor time of it and of the children it waited for [s] */
};

/* Run the program; then end all processes that it has started, also if we are killed meanwhile
 * (supervisor.h). BASE_OK after exit status 0. BASE_FAILED if it could not be started, ended
 * otherwise (with the last line of its standard error), printed too much, or was idle when its time
 * was over; BASE_TIMEOUT if it was computing then. Messages begin with `name`. end->wall and
 * end->cpu are always set. To be called by one thread at a time. */
int base_child_run(const struct base_child *child, const char *name, struct base_arena *arena,
                   struct base_child_end *end);

#endif
