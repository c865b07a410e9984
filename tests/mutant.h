/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems with a fault planted, for the tests of mech_check: one operation whose result is changed.
 */
#ifndef TESTS_MUTANT_H
#define TESTS_MUTANT_H

#include "mech/mech.h"

/* Operations by name and by their place in struct mech_ops. */
#define MUTANT_OPERATIONS(X)                                                                       \
  X(mass, mass)                                                                                    \
  X(mass_with_q, mass) /* the change times q_0 */                                                  \
  X(force, force)                                                                                  \
  X(potential, potential)                                                                          \
  X(gradient, potential_gradient)                                                                  \
  X(bilateral, bilateral)                                                                          \
  X(directions, bilateral_directions)                                                              \
  X(bias, bilateral_bias)                                                                          \
  X(gaps, contacts)                                                                                \
  X(ids, contacts) /* all the first one's */                                                       \
  X(W, contacts)                                                                                   \
  X(contact_bias, contacts)                                                                        \
  X(arms, contacts)                                                                                \
  X(arms_along, contacts) /* along the normal: no part in W_N */                                   \
  X(tangents, contacts)                                                                            \
  X(decomposition, consistent.decomposition)                                                       \
  X(gyro, consistent.gyro)                                                                         \
  X(damping_matrix, consistent.damping_matrix)                                                     \
  X(velocity_gyro, consistent.velocity_gyro)                                                       \
  X(coordinate_gyro, consistent.coordinate_gyro)                                                   \
  X(discrete_kinetic, consistent.discrete_kinetic)                                                 \
  X(discrete_potential, consistent.discrete_potential)                                             \
  X(discrete_bilateral, consistent.discrete_bilateral)                                             \
  X(discrete_rate, consistent.discrete_rate)                                                       \
  X(discrete_rate_by_body, consistent.discrete_rate_by_body)                                       \
  X(discrete_gap, consistent.discrete_gap)                                                         \
  X(discrete_stiffness, consistent.discrete_stiffness)                                             \
  X(discrete_gap_slope, consistent.discrete_gap_slope)
#define MUTANT_NAME(name, member) MUTANT_##name,
enum mutant_operation { MUTANT_NONE, MUTANT_OPERATIONS(MUTANT_NAME) MUTANT_declared_diagonal };

struct mutation {
  enum mutant_operation what;
  const char *says; /* what the check must say of it */
  int at, n;        /* of the entries of the result that are changed; n = 0: one */
  double part, by;  /* each gets this part of itself and this number more */
};

/* The system passes its check at q, u to `tol`, and with each of the n mutations it does not. */
void mutants_are_found(const struct mech *m, const double *q, const double *u, double tol,
                       const struct mutation *mutations, int n);

#endif
