/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What consistent integrators take of a system, as sums of blocks: by body where it offers that
 * (mech_consistent_ops.discrete_bilateral_by_body), so that nothing is quadratic in the number of
 * bodies; else its dense matrices, each as one block, or a row of a block. Indices count blocks of
 * their size.
 */
#ifndef MECH_BY_BODY_H
#define MECH_BY_BODY_H

#include "la/blocks.h"
#include "mech/mech.h"

/* Coordinates and velocities of a block: nq/nb, nv, or all of them. */
static inline int mech_block_nq(const struct mech *m) {
  return m->ops->consistent.discrete_bilateral_by_body != NULL ? m->nq / m->nb : m->nq;
}
static inline int mech_block_nu(const struct mech *m) {
  return m->ops->consistent.discrete_bilateral_by_body != NULL ? m->nv : m->nu;
}
/* Each initialises its result and takes its memory from the arena. */
/* M: nb blocks nv x nv on the diagonal. */
void mech_mass_blocks(const struct mech *m, const double *q, struct la_blocks *M,
                      struct base_arena *arena);
/* H(u), the same. */
void mech_gyro_blocks(const struct mech *m, const double *u, struct la_blocks *H,
                      struct base_arena *arena);
/* H(u, q) of the decomposed kinetic energy by coordinates (mech_ops.gyro): blocks nq/nb x nq/nb on
 * the diagonal, or one. */
void mech_start_gyro_blocks(const struct mech *m, const double *u, const double *q,
                            struct la_blocks *H, struct base_arena *arena);
/* F(q): blocks on the diagonal, in order; the identity without kinematics. */
void mech_kinematics_blocks(const struct mech *m, const double *q, struct la_blocks *F,
                            struct base_arena *arena);
/* W_S(q)^T: rows of one row each, by blocks of velocities. */
void mech_directions_rows(const struct mech *m, const double *q, struct la_blocks *W,
                          struct base_arena *arena);
/* Discrete derivative of g_S, or with u of gamma_S, between a and b: rows, by coordinates. */
void mech_discrete_rows(const struct mech *m, const double *u, const double *a, const double *b,
                        struct la_blocks *D, struct base_arena *arena);
/* D of the damping forces, of a system that has one. */
void mech_damping_blocks(const struct mech *m, const double *u, const double *q, double t,
                         struct la_blocks *D, struct base_arena *arena);
/* d/db [dt DV - DgS^T lambda - Dgamma^T kappa]: what the system offers, by body or dense, else, for
 * kappa = NULL alone, differenced with the length h. */
void mech_stiffness_blocks(const struct mech *m, const struct mech_step *step, double h,
                           struct la_blocks *S, struct base_arena *arena);

#endif
