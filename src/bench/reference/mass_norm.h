/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Differences of states weighted by inertia, in place of metres and radians alike: of velocities
 * sqrt(du^T M du) [J^1/2], of coordinates sqrt(x^T M x) [kg^1/2 m] with the displacement x in the
 * units of u that leads from one to the other, dq = F x to first order. Both are the same in all
 * coordinates of one system.
 */
#ifndef BENCH_MASS_NORM_H
#define BENCH_MASS_NORM_H

#include "base/memory/arena.h"
#include "mech/mech.h"

/* q: nq, a state of the system itself, near both; dq: nq_out and du: nu_out, differences in
 * published names; only the first nq_compared of dq count (0: all). Least squares if these are more
 * than the entries of u; NaN if they do not determine x, or where a system with published names of
 * its own has more than BENCH_MASS_NORM_MAX velocities. */
enum { BENCH_MASS_NORM_MAX = 64 };
double bench_mass_norm_q(const struct mech *m, const double *q, const double *dq,
                         struct base_arena *arena);
double bench_mass_norm_u(const struct mech *m, const double *q, const double *du,
                         struct base_arena *arena);

#endif
