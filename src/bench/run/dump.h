/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `run --dump-problems N[:DIR]`: every N-th one-step problem of a run as a file of its own.
 */
#ifndef BENCH_DUMP_H
#define BENCH_DUMP_H

#include "form/form.h"

struct bench_job;
struct bench_dump {
  const struct bench_job *job;
  struct base_arena *arena;
  long posed, written;
  int status; /* of the first file that could not be written */
};

/* "N" or "N:DIR": *every > 0 and the folder ("." without), which points into text. */
int bench_dump_parse(const char *text, int *every, const char **folder);
/* What a formulation gives its problems to; {0} where the job asks for none. *dump: outlives it. */
struct form_sink bench_dump_start(struct bench_dump *dump, const struct bench_job *job,
                                  struct base_arena *arena);

#endif
