/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of the table.
 */
#ifndef CASES_TABLE_H
#define CASES_TABLE_H

#include "cases/case.h"

/* Ranks of N = P^T M^-1 P, P the contacts that touch at the start, then the joints. Below 0: not
 * found. */
struct table_ranks {
  int size, normal_size; /* of N, of its normal rows and columns */
  int of_N, of_normals, of_joints, of_P;
  double gap[2]; /* eigenvalues of N either side of the cut, over the largest: the smallest counted,
                    the largest that is not */
};
int table_ranks_of(const struct case_instance *instance, struct table_ranks *out);

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

#endif
