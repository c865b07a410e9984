/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * External solvers, each solve in its own process: a program reads the problem as JSON on standard
 * input and prints the solution as JSON.
 *
 *   in   coulombench.problem/1 (problem/io.c), with the block
 *        solve: {tol, max_iter, time_limit [s], r[]}: the tolerance on the residual over that of no
 *        impulses, what else the loop allows (time_limit: where there is one), and the start
 *   out  {r[dim contacts]} (kind lcp: z[n]); optional iterations; timing.solve_s, the time of the
 *        solve alone; solver.says, a line; status, other than ok, with reason. Every
 *        coulombench.solution/1 is such an answer; other keys are passed over
 *
 *   peers.c    the conversation, and exec:COMMAND, anybody's program, by the shell
 *   siconos.c  the solvers of Siconos, by the program coulombench-siconos (src/siconos.c)
 */
#ifndef PEERS_PEERS_H
#define PEERS_PEERS_H

#include <stdint.h>

#include "problem/solver.h"

/* One solve by a program; argv: ends with NULL; name: its name in messages. As
 * problem_solver.solve. */
int peer_ask(const char *const *argv, const char *name, const struct problem *p,
             const struct problem_loop *settings, double *r, struct base_arena *arena,
             struct problem_answer *answer);

/* Add to a hash (base/bytes/hash.h) the files that determine the answers of an external solver:
 * every file named by a word of its command, also along PATH or in a folder named by another word;
 * for Siconos the program and the library. Files that a program loads by itself are not included.
 * Other solvers leave the hash unchanged. */
uint64_t peer_hash(const struct problem_solver *solver, uint64_t hash);

/* The solver of a name exec:COMMAND (base/process/command.h), the same each time; NULL with a
 * message where the command is empty. */
const struct problem_solver *peer_of_command(const char *name);

/* Given this word in place of a method, coulombench-siconos prints the paths of Siconos'
 * libraries. */
#define PEER_SICONOS_LIBRARIES "libraries"
/* Path of coulombench-siconos, from the arena; NULL where this build has none. */
const char *peer_siconos_program(struct base_arena *arena);

#endif
