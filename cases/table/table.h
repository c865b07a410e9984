/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the table.
 */
#ifndef CASES_TABLE_H
#define CASES_TABLE_H

#include "cases/case.h"

/* A = W^T M^-1 W of the contacts that touch at the start. */
struct table_rank {
  int size, rank, null_space;
  int normal_size, normal_rank; /* of its normal rows and columns */
  double gap[2]; /* eigenvalues either side of the cut, over the largest: the smallest counted, the
                    largest that is not */
};
/* Eigenvalues and pivoted Cholesky must find the same rank; BASE_FAILED with a message when they do
 * not. */
int table_rank_of(const struct case_instance *instance, struct table_rank *out);

/* The two solutions of a table's step that lie farthest from each other (multipliers.c). */
struct table_others {
  double share;     /* largest difference of a leg's share of the load [-] */
  double residual;  /* of the law at both, over max|b| [-] */
  double apart;     /* their velocities [m/s] */
  double objective; /* their values of (11), relative [-] */
};
/* Beside r; all by legs in their order, and column-major. */
struct table_others table_other_solutions(const double A[144], const double b[12],
                                          const double mu[4], const double r[12]);

extern const struct case_type case_table;
/* What the files of its figures call by name. */
extern const struct case_function table_functions[];
extern const struct case_function table_joints_functions[];

#endif
