/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A solver is a constant object: a name, what it accepts, its option table, and three functions.
 * problem_solve() owns stopping, timing and history; a solver only starts and iterates. It does not
 * grade itself: the loop evaluates contact_residual(). Adding one: a file in solvers/ that defines
 * `const struct problem_solver problem_solver_<name>` and one line in solvers/registry.h.
 */
#ifndef PROBLEM_SOLVER_H
#define PROBLEM_SOLVER_H

#include "base/look.h"
#include "base/options.h"
#include "contact/optimality.h"
#include "problem/problem.h"

#define PROBLEM_DONE                                                                               \
  (-1000) /* from iterate: a direct method has finished; nothing left to improve */

struct problem_loop;
struct problem_answer;

struct problem_solver {
  const char *name; /* on the command line: the identifier with dashes for underscores */
  struct base_look look;
  const char *summary; /* one line */
  const char *source;  /* tag and equations, or a reference */
  unsigned laws;       /* CONTACT_LAW_BIT of each law accepted, with friction or without */
  const struct base_option *options; /* NULL: none */
  size_t options_size;
  /* Can this problem be taken? BASE_OK, or BASE_UNSUPPORTED with a message. NULL: laws decide
   * alone. */
  int (*check)(const struct problem *p, const void *options);
  /* Workspace from the arena; everything that can be computed once. */
  void *(*alloc)(const struct problem *p, const void *options, struct base_arena *arena);
  /* Begin at r (dim nc; zero or a warm start; the solver may change it). BASE_OK or a positive
   * status. */
  int (*start)(void *workspace, double *r);
  /* One iteration (a sweep, a pivot, a Newton step) on r. BASE_OK: go on; PROBLEM_DONE; or a
   * positive status with a message (e.g. BASE_FAILED after a ray termination). */
  int (*iterate)(void *workspace, double *r);
  /* Largest trace(A_ii) / dim |dr_i| of the last iteration [m/s], if it is cheap. The loop then
   * computes residuals only after this value has fallen by the factor required of the residual.
   * NULL: not known; every iteration may be checked. */
  double (*change)(const void *workspace);
  /* Release what does not live in the arena (library factors); NULL when there is nothing. */
  void (*free)(void *workspace);
  /* One short line for the record after the last iterate: the method chosen, outer iterations.
   * NULL: nothing. */
  void (*describe)(const void *workspace, char *text, size_t size);
  /* Replaces alloc, start and iterate for a program in its own process (solvers/peers/): one whole
   * solve of p to the settings' tolerance, within their deadline and time limit. The limit excludes
   * the start of the process (base/process/child.h). r: dim nc, start -> answer. `self` is this
   * solver. BASE_OK, or a positive status with a message; *answer is filled in as far as known. */
  int (*solve)(const struct problem_solver *self, const struct problem *p,
               const struct problem_loop *settings, double *r, struct base_arena *arena,
               struct problem_answer *answer);
  /* Of a solver that calls others: the one of the last iterate; round: its round, 1 ... . NULL: it
   * calls none. */
  const struct problem_solver *(*chosen)(const void *workspace, int *round);
};

/* All checks of a solve in their order. The caller provides an arena for them alone. */
struct problem_history {
  struct base_arena *arena;
  int n, room;
  struct problem_check {
    int iteration;
    double residual; /* relative_free [-] */
    double seconds;  /* of the solver so far, checks apart [s] */
  } * checks;        /* n */
};

/* Stopping, the same for every solver. */
struct problem_loop {
  double tol;        /* on contact_residual.relative_free [-] */
  int max_iter;      /* of the solver; as many again of its relief */
  int check_every;   /* iterations between residual checks, at least */
  int relief;        /* auto goes on where the solver ends without a solution or is too slow */
  double time_limit; /* [s] */
  double deadline;   /* of the work the solve is part of (base/clock.h); 0: none; no option */
  int is_timed;      /* the times of the result are taken; no option */
  struct problem_history *history; /* NULL: not wanted; no option */
};
extern const struct base_option problem_loop_options[]; /* table of the above */
struct problem_loop problem_loop_default(void);         /* tol 1e-10, 10000, 1, no, inf */

/* Statements of a program in its own process beside its reactions, and its cost. */
struct problem_answer {
  int iterations; /* as it states, 0: it does not */
  double stated;  /* time of the solve alone, as it states [s]; NaN: it does not */
  double wall;    /* of the process, from its start to its end [s]; NaN: there was none */
  double cpu;     /* of the processors for it [s] */
  char says[120]; /* one short line about itself; "": none */
};

struct problem_result {
  int status;       /* BASE_OK, UNCONVERGED, FAILED, DIVERGED, UNSUPPORTED, TIMEOUT */
  char reason[200]; /* "" when ok */
  char chosen[120]; /* the solver's line (describe); "": none */
  const struct problem_solver *by; /* the solver of the last iterate if there is a choice (chosen)
                                      or a relief; NULL: no choice, or not needed */
  int round;                       /* round of `by`, 1 for a solver without rounds; else 0 */
  int iterations;
  struct contact_residual residual;
  double seconds; /* of alloc + start + iterate, checks apart, by base_clock_work; of a process of
                     its own the time it states, else the processors' for it; NaN: not timed */
  double check_seconds;         /* NaN: not timed */
  struct problem_answer answer; /* of a solver in a process of its own; its times NaN: of none */
  struct contact_optimality optimality; /* NaN for laws that are not convex */
};

/* Solve p with r (dim nc) as start; v: dim nc gets A r + b, NULL: it is not wanted. The best
 * iterate seen is returned when the tolerance is not met. With a history every check is made, also
 * for solvers with `change`. */
void problem_solve(const struct problem *p, const struct problem_solver *solver,
                   const void *options, const struct problem_loop *loop, double *r, double *v,
                   struct base_arena *arena, struct problem_result *result);

/* Registry. */
int problem_solver_count(void);
const struct problem_solver *problem_solver_get(int i);
/* By name, "exec:COMMAND" included; NULL with a message that lists near names. */
const struct problem_solver *problem_solver_find(const char *name);

/* Does the solver take a law of contacts with dim components (1: without friction), each with a
 * friction set of its own or with mu alone? One contact stands for all, since some solvers take a
 * law in some dimensions only and say so in their check. BASE_OK, or BASE_UNSUPPORTED with a
 * message. */
int problem_solver_check(const struct problem_solver *solver, const void *options,
                         enum contact_law law, int dim, int has_sets);
/* Its default options, and what "key=value key=value" sets of them. */
void *problem_solver_options(const struct problem_solver *solver, const char *text,
                             struct base_arena *arena);
/* The laws that it takes with its default options, as bits. */
unsigned problem_solver_laws(const struct problem_solver *solver, int dim);

#endif
