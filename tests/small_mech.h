/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Models of tests in few coordinates: one block of u, coordinates that are published as they are.
 */
#ifndef TESTS_SMALL_MECH_H
#define TESTS_SMALL_MECH_H

#include "mech/mech.h"

/* nq = nu = n, M constant, length 1 m, speed 1 m/s; what differs is set by the caller. */
static inline struct mech small_mech(const char *name, const struct mech_ops *ops, void *data,
                                     int n, int dim) {
  return (struct mech){.name = name,
                       .ops = ops,
                       .data = data,
                       .nq = n,
                       .nu = n,
                       .dim = dim,
                       .nb = 1,
                       .nv = n,
                       .constant_mass = 1,
                       .nq_out = n,
                       .nu_out = n,
                       .length = 1,
                       .speed = 1};
}

#endif
