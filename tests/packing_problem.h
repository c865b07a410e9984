/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one-step problem of a packing made from a seed, for tests and measurements of speed: bodies
 * on a disturbed cubic lattice over a floor, each touching its nearest neighbours, about to fall by
 * one time step's gravity. Near a real packing in what matters for a sweep: 3.3 contacts a body, of
 * which a part separates, sticks and slides, and contacts ordered body by body.
 */
#ifndef TESTS_PACKING_PROBLEM_H
#define TESTS_PACKING_PROBLEM_H

#include "base/rng.h"
#include "problem/problem.h"

enum packing_bodies {
  PACKING_SPHERES, /* radii 0.8 ... 1.2: isotropic blocks */
  PACKING_BOXES    /* full inertia tensors, contact points off the line of centres */
};

struct packing_problem {
  int side; /* side^3 bodies */
  enum packing_bodies bodies;
  int shuffled; /* bodies numbered in random order: no locality */
};

/* By bodies, with the geometry of rigid ones, law ncp; everything from the arena. */
struct problem packing_problem_build(const struct packing_problem *shape, struct base_rng *rng,
                                     struct base_arena *arena);
/* The same problem with W and M^-1 W written out. */
struct problem packing_problem_written_out(const struct problem *p, struct base_arena *arena);

#endif
