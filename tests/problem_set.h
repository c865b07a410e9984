/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one-step problems of tests/problems, made from nothing but a seed: 1 to 1000 contacts in the
 * plane and in space, with as many or more rows than degrees of freedom, boxes in stacks, bodies
 * that touch at random, balls, points.
 */
#ifndef TESTS_PROBLEM_SET_H
#define TESTS_PROBLEM_SET_H

#include "problem/problem.h"

int problem_set_count(void);
/* A stack at rest, b and name not filled in; mu of every contact. */
struct problem problem_set_stack(int dim, int boxes, double heavier, double mu_all,
                                 struct base_arena *arena);
/* Number k, law ncp, kind BODIES; its name is that of its file without ".json". */
struct problem problem_set_build(int k, struct base_arena *arena);

#endif
