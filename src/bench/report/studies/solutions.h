/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The solutions of the one-step problems that a suite solved (suite/suite.h, "problems"), for what
 * is measured of solvers.
 */
#ifndef BENCH_REPORT_SOLUTIONS_H
#define BENCH_REPORT_SOLUTIONS_H

#include "bench/report/kit/report.h"

/* Solution of one problem by one solver. */
struct report_solved {
  const char *set, *problem, *law;
  const char *solver; /* as the file's name has it: a registered one, or a guest */
  double tol;         /* asked for, over the residual of no impulses */
  double residual;    /* reached, over the same [-] */
  double scale;       /* max|b| [m/s]; NaN: not told */
  int nv;             /* 0: it ended without a solution */
  double *v;          /* nv, contact velocities [m/s] */
  const char *status;
};

struct report_solutions {
  struct report *report;
  int n;
  struct report_solved *all; /* by set, law, problem, solver */
};

/* None where the suite solved no problems. BASE_E_INPUT or BASE_E_IO with a message. */
int report_solutions_load(struct report *report, struct report_solutions *p);

#endif
