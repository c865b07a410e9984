/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The elimination of bilateral constraints in its parts: bilateral.c the dense one and what both
 * have in common, pattern.c who couples with whom, sparse.c the sparse one.
 * Internal to these.
 */
#ifndef MECH_BILATERAL_PARTS_H
#define MECH_BILATERAL_PARTS_H

#include "la/ldl/ldl.h"
#include "mech/bilateral/bilateral.h"

/* Constraints i = 0 ... ns - 1 between pieces of bodies, and from ns on the bonds that hold pieces
 * of one body together; see sparse.c. */
struct mech_bilateral_pattern {
  int n;        /* ns + bonds */
  int n_pieces; /* one a body, more of bodies with many constraints */
  int *piece;   /* 2 x n, of either side; -1: none */
  double *root; /* nb, sqrt of the number of pieces */
  int *start;   /* n_pieces + 1, into item */
  int *item;    /* 2 i + side of what acts on a piece, ascending */
  int *col_ptr; /* n + 1, lower triangle of G_SS */
  int *row;     /* col_ptr[n] */
  int *pair;    /* for every piece and its items a >= b in order: their entry */
  int *first;   /* nb + 1, the pieces of a body */
};

struct mech_bilateral_sparse {
  struct base_arena *store; /* of the pattern, emptied when that changes */
  struct mech_joints joints;
  int *body; /* 2 x ns, that the pattern is of; NULL: there is none */
  struct mech_bilateral_pattern pattern;
  struct la_ldl *ldl;
  double *B;      /* 2 x n columns nv, L_M^-1 W_S D of either side */
  double *scale;  /* ns, D; 0: without effect */
  double *values; /* entries of the pattern */
  int *left_out;  /* n, dependent or without effect */
};

/* From body: 2 x ns; everything from the arena. */
void mech_bilateral_pattern_build(const struct mech *m, const int *body, struct base_arena *arena,
                                  struct mech_bilateral_pattern *out);

struct mech_bilateral_sparse *mech_bilateral_sparse_alloc(const struct mech *m,
                                                          struct base_arena *arena);
void mech_bilateral_sparse_free(struct mech_bilateral_sparse *s);
int mech_bilateral_sparse_place(struct mech_bilateral *b, const double *q);
int mech_bilateral_sparse_factor(struct mech_bilateral *b);
void mech_bilateral_sparse_leave_out(const struct mech_bilateral *b, int *is_out);
void mech_bilateral_sparse_solve(const struct mech_bilateral *b, int nrhs, double *x);

#endif
