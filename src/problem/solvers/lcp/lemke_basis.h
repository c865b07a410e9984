/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bases of w - M z - d z0 = q and how to pivot on them: the linear algebra of Lemke's method.
 *
 * A basis is told by its columns C, the basic ones of z and z0, and its rows R, those of nonbasic
 * w: m of each. All else of it is a unit matrix, so that K = G_RC^-1 with G = [M d] is all that has
 * to be kept, m being about a fifth of n on contacts:
 *
 *   x_C = -K q_R,   x_w = q + G_C x_C                                   values
 *   t_C = K g_R,    t_w = G_C t_C - g       for an entering z, g = its column of G
 *   t_C = -K e_k,   t_w = G_C t_C           for an entering w_k
 *
 * x falls by t for each unit of the entering variable. Vectors over basic variables have 2 n
 * entries: [c] belongs to C[c], [n + i] to w_i where that is basic. K is a preconditioner only:
 * values and columns are refined against G with residuals in extended precision.
 */
#ifndef PROBLEM_SOLVERS_LEMKE_BASIS_H
#define PROBLEM_SOLVERS_LEMKE_BASIS_H

#include "base/memory/arena.h"

/* Variables: w_i = i, z_i = n + i, z0 = 2 n. */
struct lemke_basis {
  int n, m;
  double *G; /* n x (n + 1) row-major, [M d] for the caller to fill; columns change places, so that
                the basic ones come first and are read in one go: lemke_basis_entry */
  double *q; /* n, the caller's to fill */
  int *C;    /* n + 1: variable less n (z_j: j, z0: n) of each column of G, m basic ones first */
  int *at;   /* n + 1: column of each variable, less than m where it is basic */
  int *R;    /* m: rows */
  int *row_slot; /* n: place of a row in R, -1 where its w is basic */
  double *K;     /* m x m, leading dimension n */
  double *x, *t; /* 2 n, values and entering column */
  int *first;    /* n, the basis to begin with, whose columns order the ratio tests */
  double *B;     /* n x n, scratch */
  double *y;     /* n, scratch */
  double *lex;   /* n, over C: a column of the ordering, and scratch */
  int *piv;      /* n */
  int *tied;     /* n, candidates of a ratio test */
  int since_refresh;
};

/* Entry of G in row i and the column of a variable (z_j: j, z0: n). */
static inline double *lemke_basis_entry(const struct lemke_basis *s, int i, int variable) {
  return s->G + (size_t)i * (size_t)(s->n + 1) + (size_t)s->at[variable];
}

void lemke_basis_alloc(struct lemke_basis *s, int n, struct base_arena *arena);
/* Begin with z_j basic for j in set: count, all other variables of it w. BASE_FAILED with a message
 * when that is no basis (singular, or nearly so). */
int lemke_basis_begin(struct lemke_basis *s, int count, const int *set);
/* K and x afresh from G and q. BASE_FAILED with a message: singular. */
int lemke_basis_refresh(struct lemke_basis *s);
/* t of the entering variable, and x, refined. */
void lemke_basis_column(struct lemke_basis *s, int entering);
/* Candidate (index into x and t) that leaves for t in lexicographic order; z0 where it may. -1: a
 * ray. Entries up to pivot_tol times the largest of t count as zero. */
int lemke_basis_leaving(struct lemke_basis *s, double pivot_tol);
/* Largest |y_i| over basic variables, y: 2 n, x or t. */
double lemke_basis_largest(const struct lemke_basis *s, const double *y);
/* Candidate that leaves when z0 enters the beginning basis, its column being that of d = B 1 or of
 * any d > 0 in a basis of w alone: the lexicographically least of x_i / -t_i. */
int lemke_basis_leaving_first(const struct lemke_basis *s);
/* Exchange; returns the variable that left. */
int lemke_basis_pivot(struct lemke_basis *s, int entering, int leaving);

#endif
