/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One-step problems from random bodies, for tests: contacts between pairs of bodies or a body and
 * the world, random normals and lever arms, full inertia tensors, so that contact blocks are
 * neither diagonal nor isotropic.
 */
#ifndef TESTS_RANDOM_PROBLEM_H
#define TESTS_RANDOM_PROBLEM_H

#include "base/rng.h"
#include "problem/problem.h"

struct random_problem {
  int dim, nv; /* (3,6), (2,3), (1,6), (1,3); nv = dim: point masses */
  int nb, nc;
  int chain;      /* contact i between body i mod nb and the one before it (first: the world); with
                     nc <= nb A is positive definite. 0: random pairs */
  int isotropic;  /* inertia a multiple of 1 (spheres) */
  int central;    /* lever arms along the normal */
  double mu_max;  /* mu uniform in [0, mu_max] */
  double loading; /* normal components of b: uniform in [-1, 1] minus this */
};

/* A: dim x dim, the sum of dim + 1 matrices w g g^T, w over so many powers of ten to either
 * side. */
void random_block(struct base_rng *rng, int dim, double decades, double *A);
/* n numbers of a unit vector in any direction. */
void random_unit(struct base_rng *rng, int n, double *x);

/* BODIES, law ncp. */
struct problem random_problem_build(const struct random_problem *shape, struct base_rng *rng,
                                    struct base_arena *arena);
/* Bodies in space (nv 6) by frames, lever arms, axes and moments, *written: with W and M^-1 W, by
 * formulas of their own. A contact is one of a body with itself, the last body does not turn. */
struct problem random_problem_rigid(const struct random_problem *shape, struct base_rng *rng,
                                    struct base_arena *arena, struct problem *written);
/* The same with A as DENSE, formed here by plain sums over the whole W and M^-1 W, not by
 * problem/operator/operator.c. */
struct problem random_problem_dense(const struct problem *p, struct base_arena *arena);

#endif
