/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measurements of speed, `make perf`. One is a constant object and a line in registry.h; perf.c
 * repeats, times, writes the record and compares it. Nothing here is asserted by `make test`: times
 * are data.
 */
#ifndef TESTS_PERF_PERF_H
#define TESTS_PERF_PERF_H

#include <stddef.h>

struct perf_memory {
  double problem, solver; /* of a one-step problem, bytes a contact; 0: not stated */
  double body, contact;   /* of a whole run, all told, bytes each; 0: not stated */
  double moved;           /* bytes a unit that no cache spares, see sweeps.c; 0: not stated */
};

struct perf {
  const char *unit;    /* what run() counts: "contact and sweep", "step" */
  int threads;         /* what base_threads() is to be */
  const void *setting; /* passed to start */
  /* Everything that is not timed: the problem, the workspace. */
  void *(*start)(const void *setting, struct perf_memory *memory);
  /* Back to the same beginning, before each run; not timed. */
  void (*reset)(void *work);
  /* Timed; returns how many units were done, the same each time. */
  double (*run)(void *work);
  void (*end)(void *work);
};

/* Bandwidth of the memory with so many threads [bytes/s] (triad.c); NaN: not to be had. */
double perf_triad(int threads);

#endif
