/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elimination of bilateral constraints, the one place for every formulation. In one
 * configuration, with G_SS = W_S^T M^-1 W_S and impulses along W_S that correct given rates,
 *
 *   Lambda_S = -G_SS^-1 rate,   u <- u + M^-1 W_S Lambda_S            (moeller 5.118 to 5.120)
 *
 * Constraints may give way: with a compliance R, W_S^T u + R Lambda_S = 0 in place of W_S^T u = 0,
 * and G_SS + R in place of G_SS.
 *
 * G_SS may be singular (redundant constraints, as of four bars in space): Lambda_S is then one of
 * those possible, zero for constraints that depend on the others, and u does not depend on which.
 * Constraints are scaled to a unit diagonal of G_SS first, whatever their units; one of them
 * depends on others when no more than MECH_BILATERAL_RANK of that one is left of its pivot.
 *
 *   dense    W_S and G_SS as dense matrices, pivoted Cholesky: cubic in the constraints
 *   sparse   W_S by body, G_SS by its sparse factor L D L^T, the order of elimination kept while
 *            the pattern is: linear in the bodies for chains and trees, nearly so for what is made
 *            of them and a few loops. A factor with a pivot below the limit asks a sparse QR
 *            factorisation of L_M^-1 W_S, M = L_M L_M^T, for the dependent columns. See
 *            sparse.c for bodies with many joints, which couple these all.
 *   auto     dense up to MECH_BILATERAL_SMALL constraints and for systems of one block, whose G_SS
 *            is full anyway; else sparse
 *
 * What is decided depends on the configuration alone, never on the ones before.
 */
#ifndef MECH_BILATERAL_H
#define MECH_BILATERAL_H

#include "la/ldl/ldl.h"
#include "mech/mech.h"

/* Of the unit diagonal. Entries of G_SS carry round-off of about nu eps = 1e-14, real constraints
 * of engineering systems lie far above. */
#define MECH_BILATERAL_RANK 1e-11
/* Of W_N^T M^-1 W_N: what A_NN, the same with constraints eliminated, is at least of a contact that
 * they do not keep from moving along its normal. Round-off of the elimination leaves a few 1e-16;
 * there is room for constraints of unlike scales. */
#define MECH_BILATERAL_HELD 1e-12
/* Constraints up to which the dense elimination is the faster one: chains of joints in space break
 * even at 15 to 25 rows. */
enum { MECH_BILATERAL_SMALL = 24 };

enum mech_bilateral_kind { MECH_BILATERAL_AUTO, MECH_BILATERAL_SPARSE, MECH_BILATERAL_DENSE };

struct mech_bilateral_sparse;

struct mech_bilateral {
  const struct mech *m;
  struct base_arena *arena; /* for scratch, marked and released */
  int ns;
  double compliance; /* R of every constraint, set before a build: velocity over impulse */
  const double *L;   /* of the last build */
  int rank;          /* independent constraints; -1: the configuration was not finite */
  int dependent;     /* those that depend on them; constraints without effect count as neither */
  /* dense */
  double *WS;     /* nu x ns */
  double *MWS;    /* nu x ns, M^-1 W_S */
  double *factor; /* ns x ns, pivoted Cholesky of D G_SS D */
  double *scale;  /* ns, the diagonal of D: 1 / sqrt(G_SS,ii); 0 for a constraint without effect */
  int *perm;      /* ns */
  /* sparse */
  struct mech_bilateral_sparse *sparse; /* NULL: dense */
};

/* Of a system, from the arena; ns = 0 gives an object that does nothing. Sparse factors are the
 * library's memory, given back by mech_bilateral_free. */
struct mech_bilateral *mech_bilateral_alloc(const struct mech *m, enum mech_bilateral_kind kind,
                                            struct base_arena *arena);
void mech_bilateral_free(struct mech_bilateral *b); /* takes NULL */

/* W_S at q, without a factor; status as below. */
int mech_bilateral_place(struct mech_bilateral *b, const double *q);
/* W_S and the factor at q; L: factor of M(q) from mech_mass_factor, which must stay while the
 * object is used. BASE_FAILED with a message when the library gives up; a configuration that is not
 * finite is BASE_OK, and what follows from it is NaN. */
int mech_bilateral_build(struct mech_bilateral *b, const double *q, const double *L);
/* Which constraints to leave out so that the others are independent and hold all of them, of the
 * last build; is_out: ns flags, those without effect among them. */
void mech_bilateral_leave_out(const struct mech_bilateral *b, int *is_out);
/* rate: ns = W_S^T u. */
void mech_bilateral_velocity(const struct mech_bilateral *b, const double *u, double *rate);
/* f: nu += W_S lambda. */
void mech_bilateral_force(const struct mech_bilateral *b, const double *lambda, double *f);
/* x: ns x nrhs = G_SS^-1 x, zero for dependent constraints. */
void mech_bilateral_solve(const struct mech_bilateral *b, int nrhs, double *x);
/* Half of that, of velocities u in two blocks of the system alone: with rate = W_S^T u,
 *   rate_i^T G_SS^-1 rate_j = Z_i^T Z_j,
 * Z zero but in the rows of a path, few for chains and trees (la/ldl/ldl.h). Sparse form only, with
 * rank >= 0. path: those rows, ascending, of n; returns how many; block: -1: none. half: Z: n_path
 * x sides row-major from u: 2 blocks nv x sides, sides at most LA_LDL_SIDES. */
struct mech_bilateral_work {
  int n; /* rows of Z */
  struct la_ldl_work ldl;
  int *constraint; /* those that act on the blocks */
  double *rate;    /* theirs, row-major */
};
struct mech_bilateral_work mech_bilateral_work_of(const struct mech_bilateral *b,
                                                  struct base_arena *arena);
int mech_bilateral_path(const struct mech_bilateral *b, const int block[2],
                        struct mech_bilateral_work *work, int *path);
void mech_bilateral_half(const struct mech_bilateral *b, const int block[2], int sides,
                         const double *u, int n_path, const int *path,
                         struct mech_bilateral_work *work, double *Z);
/* X -= M^-1 W_S G_SS^-1 rate; rate: ns x nrhs, overwritten (by -Lambda_S); X: nu x nrhs. */
void mech_bilateral_eliminate(const struct mech_bilateral *b, int nrhs, double *rate, double *X);
/* gamma: ns = gamma_S at u, chi of prescribed motion included, at the clock's time. */
void mech_bilateral_gamma(const struct mech_bilateral *b, const double *q, const double *u,
                          double *gamma);
/* Largest |x_i| over the length of column i of W_S, how far coordinates or velocities are off; a
 * constraint without direction counts by itself. row: which, -1 where all are zero; may be NULL. */
double mech_bilateral_largest(const struct mech_bilateral *b, const double *x, int *row);

/* mech_project with an object at hand, whose order of elimination is kept, of what has drifted by
 * no more than most; u NULL: q alone. BASE_FAILED with a message that names the constraint where it
 * has. */
int mech_project_with(struct mech_bilateral *b, struct mech_drift most, double *q, double *u,
                      struct base_arena *arena);

/* W_S by body: constraint i acts on the blocks body[2 i] and body[2 i + 1] of u, -1: none, through
 * columns of nv numbers. */
struct mech_joints {
  int *body; /* 2 x ns */
  double *W; /* 2 x ns columns nv */
};
/* Room for it. */
struct mech_joints mech_joints_alloc(const struct mech *m, struct base_arena *arena);
/* W_S at q, from the system by body or from its dense matrix. BASE_UNSUPPORTED with a message when
 * a constraint acts on more than two blocks. */
int mech_joints_place(const struct mech *m, const double *q, struct mech_joints *joints,
                      struct base_arena *arena);

#endif
