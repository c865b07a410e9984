/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `coulombench solve`: a one-step problem to its solution.
 */
#ifndef BENCH_SOLVE_H
#define BENCH_SOLVE_H

#include "base/memory/arena.h"
#include "base/text.h"

/* A one-step problem from a file to a solution (schema coulombench.solution/1). */
struct bench_place;
struct bench_solve_request {
  const struct bench_place *place; /* of a suite (job/cell.h); NULL: of none */
  const char *problem, *solver, *warm, *output;
  const char *law;       /* another law than the file's, or NULL */
  struct base_words opt; /* "key=value" */
};
int bench_solve(const struct bench_solve_request *request, int *status);
/* Do the solver and the options exist? BASE_E_INPUT with a message. */
int bench_solve_check(const struct bench_solve_request *request);
/* The command that repeats it, from the arena. */
const char *bench_solve_command(const struct bench_solve_request *request,
                                struct base_arena *arena);
/* Key of its result (job/key.h), and its time limit [s], without solving. BASE_E_INPUT or BASE_E_IO
 * with a message and the key "". */
int bench_solve_key(const struct bench_solve_request *request, struct base_arena *arena,
                    const char **key, double *time_limit);
/* The solution record of a solve whose process ended before it could write one. */
int bench_solve_died(const struct bench_solve_request *request, int status, const char *reason);

#endif
