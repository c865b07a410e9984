/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random one-step problems as rigid bodies make them, for the tests of solvers: A = W^T M^-1 W and
 * b = W^T u of contacts among three bodies and the world. Bodies that cannot move, contacts that
 * occur twice, mu = 0 and states of rest are all in, so that A is rank-deficient, has zero rows,
 * and the problem degenerate, as often as not. b is in the range of W^T: the polyhedral LCP and the
 * cone complementarity problem then always have a solution, and their velocities are those of some
 * motion.
 */
#ifndef TESTS_RANDOM_CONTACTS_H
#define TESTS_RANDOM_CONTACTS_H

#include "base/rng.h"
#include "problem/problem.h"

enum {
  RANDOM_BODIES = 3,
  RANDOM_CONTACTS = 4, /* at most */
  RANDOM_ROWS = 3 * RANDOM_CONTACTS
};

struct random_contacts {
  struct problem p;                    /* points into this struct: not to be copied */
  double a[RANDOM_ROWS * RANDOM_ROWS]; /* column-major [1/kg] */
  double b[RANDOM_ROWS], mu[RANDOM_CONTACTS];
};

/* nc <= RANDOM_CONTACTS contacts of dim 2 or 3, law lcp with n_dir directions; masses spread over
 * `decades` powers of ten, 1e-decades/2 ... 1e+decades/2 kg; mu in 0 ... 2. */
void random_contacts_fill(struct base_rng *rng, int dim, int nc, int n_dir, double decades,
                          struct random_contacts *out);

#endif
