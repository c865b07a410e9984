/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the tests of solvers: one call that solves a one-step problem by a solver's name, with its
 * options as a user writes them.
 */
#ifndef TESTS_SOLVE_WITH_H
#define TESTS_SOLVE_WITH_H

#include "problem/solver.h"

/* A: dim nc x dim nc column-major, b: dim nc; both, and mu: nc (NULL for dim 1), are kept. */
struct problem dense_problem(enum contact_law law, int dim, int nc, const double *mu,
                             const double *a, const double *b);
/* Solve from r with options "key=value key=value", residual looked at in every iteration; r, v: the
 * solution (v may be NULL). An option that is refused fails the test that runs. */
struct problem_result solve_with(const struct problem *p, const char *name, const char *options,
                                 double tol, int max_iter, double *r, double *v);
/* The same without the loop, which returns the best iterate. The workspace of a solver that has
 * started at r; */
void *solver_begin(const struct problem *p, const char *name, const char *options, double *r);
/* and its status after up to `most` iterations from r, *count of which were made (NULL: not
 * wanted). */
int solver_run(const struct problem *p, const char *name, const char *options, int most, double *r,
               int *count);
/* r^T A r / 2 + b^T r. */
double problem_objective(const struct problem *p, const double *r, struct base_arena *arena);

#endif
