/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Problems in the formats of other collections, converted to ours: sparse matrices entry by entry,
 * and equations beside those of the contacts, which are eliminated by sparse factors.
 *
 *   v = (W + sign B^T K^-1 B) r + q + sign B^T K^-1 g
 *
 * FCLIB's global problem, M u = H r + G l + f, G^T u + b = 0, v = H^T u + w, is W = 0, q = w,
 * K = [M, -G; G^T, 0], B = [H; 0], g = [f; -b], sign 1; its local one with constraints,
 * V^T r + R l + s = 0, v = W r + V l + q, is K = R, B = V^T, g = s, sign -1.
 */
#ifndef PROBLEM_FOREIGN_H
#define PROBLEM_FOREIGN_H

#include "problem/problem.h"

/* m x n, `count` entries (row, col, x), summed where they meet. */
struct problem_entries {
  int m, n, count;
  const int *row, *col;
  const double *x;
};

struct problem_foreign {
  int dim, nc;
  const double *mu;            /* nc */
  const double *q;             /* dim nc */
  struct problem_entries W;    /* dim nc x dim nc */
  int sign;                    /* 0: W and q only */
  struct problem_entries K, B; /* N x N, N x dim nc */
  const double *g;             /* N */
};

enum { PROBLEM_DENSE_MAX = 46340 }; /* its square stays within int */

/* A raw LCP, w = M z + b. M: n x n column-major; both are kept by reference. */
struct problem problem_of_lcp(int n, const double *M, const double *b, struct base_arena *arena);

/* Under law ncp, block rows on the arena. Indices, sizes and numbers are checked here: BASE_E_INPUT
 * with "file: reason". */
int problem_from_foreign(const char *file, const struct problem_foreign *f,
                         struct base_arena *arena, struct problem *p);

/* Siconos' text form (frictionContact_printInFile, globalFrictionContact_printInFile,
 * linearComplementarity_printInFile) as it stands in text; BASE_E_INPUT with "file: reason". */
int problem_read_siconos(const char *file, const char *text, struct base_arena *arena,
                         struct problem *p);
/* As problem_read, with a time limit in seconds. Files of FCLIB (HDF5) are read by the program
 * coulombench-fclib (src/fclib.c); BASE_TIMEOUT if that takes longer. */
int problem_read_within(const char *path, double seconds, struct base_arena *arena,
                        struct problem *p);
/* The bytes of a file of FCLIB, the arena's. BASE_E_INPUT with "file: reason", also where this
 * build has no coulombench-fclib. */
int problem_print_fclib(const char *file, const struct problem *p, struct base_arena *arena,
                        const char **bytes, size_t *size);

#endif
