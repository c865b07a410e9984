/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Infeasibility certificate (Farkas): proof that a planar problem of the exact law has no solution.
 * Internal to problem/.
 */
#ifndef PROBLEM_INFEASIBLE_H
#define PROBLEM_INFEASIBLE_H

#include "problem/problem.h"

struct problem_certificate {
  int cases;    /* combinations of modes, each shown to be impossible */
  int contacts; /* in the largest of them */
  double least; /* sum of scaled impulses and speeds, over max |b| scaled, that any solution would
                   have to exceed: beyond all that is more than rounding of A */
};

/* Is there a proof? 1, or 0: none found, which says nothing. Law ncp (or lcp) in the plane; start:
 * a contact where solutions are missed. */
int problem_certify_infeasible(const struct problem *p, int start, struct base_arena *arena,
                               struct problem_certificate *found);

#endif
