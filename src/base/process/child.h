/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Another program, run to its end in a process of its own: bytes on its standard input, what it
 * says on standard output, and the reason where it says nothing of use. Whatever it does (crash,
 * hang, print without end) stays its own affair.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stddef.h>

#include "base/memory/arena.h"

struct base_child {
  const char *const *argv; /* program and arguments, NULL at the end; looked for along PATH */
  const char *input;       /* input_size bytes for its standard input */
  size_t input_size;
  size_t output_most; /* bytes of output beyond which it is ended */
  double deadline;    /* by base_clock_now, when it is ended; 0: none */
  double limit;       /* time it may take [s] from when it first reads its input, or else from its
                         start; may be infinite */
};

struct base_child_end {
  char *output; /* size bytes and a NUL, from the arena */
  size_t size;
  const char *says; /* last line of its standard error, from the arena; "": none */
  double wall;      /* from its start to its end [s] */
  double cpu;       /* that the processors spent on it and on what it waited for [s] */
};

/* Run it, and end all that it has started, also when we are killed meanwhile (supervisor.h).
 * BASE_OK after exit status 0. With a message that begins with `name`: BASE_FAILED where it could
 * not be started, ended otherwise (with the last line of its standard error), printed too much, or
 * was waiting when its time was over; BASE_TIMEOUT where it was computing by then. The times are
 * set in any case. One thread at a time. */
int base_child_run(const struct base_child *child, const char *name, struct base_arena *arena,
                   struct base_child_end *end);

#endif
