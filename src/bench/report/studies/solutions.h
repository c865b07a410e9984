/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solutions of the one-step problems that a suite solved (suite/suite.h, "problems"), for the
 * studies of solvers: profile, race and convergence.
 */
#ifndef BENCH_REPORT_SOLUTIONS_H
#define BENCH_REPORT_SOLUTIONS_H

#include "bench/report/kit/report.h"

/* Solution of one problem by one solver. */
struct report_solved {
  const char *set, *problem, *law;
  const char *solver; /* as the file's name has it: a registered one, or a guest */
  int rank;           /* of the solver in tables: its number in the registry, then guests */
  int is_solved;      /* by the residual in the solution, to the tolerance that it names */
  double time;        /* [s] */
  double tol;         /* asked for, over the residual of no impulses */
  double residual;    /* reached, over the same [-] */
  double scale;       /* max|b| [m/s]; NaN: not told */
  int nv;             /* 0: it ended without a solution */
  double *v;          /* nv, contact velocities [m/s] */
  int n_checks;       /* of its history; 0: it holds none */
  double *checks;     /* n_checks x (iteration, residual, time of the solver [s]) */
  const char *status, *reason;
};

struct report_solutions {
  struct report *report;
  int n;
  struct report_solved *all; /* by set, law, problem, solver */
};

/* None where the suite solved no problems; solvers that are not registered become the report's
 * guests. BASE_E_INPUT or BASE_E_IO with a message. */
int report_solutions_load(struct report *report, struct report_solutions *p);
/* The solver of a rank. */
const char *report_solver_name(const struct report *report, int rank);
/* Are they of one set and law? */
int report_solutions_same(const struct report_solved *a, const struct report_solved *b);

#endif
