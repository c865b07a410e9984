/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Equilibration of the polyhedral LCP, for solvers whose pivots, steps or merit functions compare
 * its rows: with R, C positive diagonal matrices and s > 0,
 *
 *   w' = R w / s,   z' = C^-1 z / s,   M' = R M C,   q' = R q / s
 *
 * is the same complementarity problem. R, C and s are powers of two, so that not a digit is lost;
 * the largest entries of rows and columns of M' and max |q'| come near one. Units: see lcp.c.
 */
#include "problem/problem.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

enum { SWEEPS = 4 }; /* more change nothing that powers of two could show */

/* The power of two next above x. */
static double power_of_two(double x) {
  int e;
  frexp(x, &e);
  return ldexp(1, e);
}

void problem_lcp_scale_alloc(struct problem_lcp_scale *scale, int n, struct base_arena *arena) {
  scale->row = base_arena_doubles(arena, n);
  scale->col = base_arena_doubles(arena, n);
  scale->q = 1;
}

/* Impulses into velocities: r' = a r with a power of two a near the largest entry of A, so that A
 * stands beside mu and the ones of the friction rows as a number of their size. Without it the unit
 * of mass decides which entries are large, and with masses of 1e12 kg A is lost beside the ones. */
static void set_units(const struct contact_model *model, struct problem_lcp *lcp,
                      struct problem_lcp_scale *scale) {
  const int n = lcp->n, forces = model->dim > 1 ? model->nc * (1 + lcp->k) : 0;
  double largest = 0;
  for (int j = 0; j < forces; ++j) {
    largest = fmax(largest, la_norm_inf(forces, lcp->M + (size_t)j * (size_t)n));
  }
  const double a = largest > 0 && isfinite(largest) ? power_of_two(largest) : 1;
  for (int i = 0; i < n; ++i) {
    scale->row[i] = i < forces || forces == 0 ? 1 : a;
    scale->col[i] = i < forces ? 1 / a : 1;
  }
  for (int j = 0; j < forces; ++j) {
    for (int i = 0; i < forces; ++i) {
      lcp->M[(size_t)j * (size_t)n + (size_t)i] /= a;
    }
  }
}

/* One sweep: rows and columns over the root of their largest entry; zero ones stay. row, col: n,
 * scratch. */
static void sweep(struct problem_lcp *lcp, struct problem_lcp_scale *scale, double *row,
                  double *col) {
  const int n = lcp->n;
  memset(row, 0, (size_t)n * sizeof *row);
  memset(col, 0, (size_t)n * sizeof *col);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const double m = fabs(lcp->M[(size_t)j * (size_t)n + (size_t)i]);
      row[i] = m > row[i] ? m : row[i];
      col[j] = m > col[j] ? m : col[j];
    }
  }
  for (int i = 0; i < n; ++i) {
    row[i] = row[i] > 0 ? 1 / power_of_two(sqrt(row[i])) : 1;
    col[i] = col[i] > 0 ? 1 / power_of_two(sqrt(col[i])) : 1;
    scale->row[i] *= row[i];
    scale->col[i] *= col[i];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      lcp->M[(size_t)j * (size_t)n + (size_t)i] *= row[i] * col[j];
    }
  }
}

void problem_lcp_equilibrate(const struct contact_model *model, struct problem_lcp *lcp,
                             struct problem_lcp_scale *scale, struct base_arena *arena) {
  const int n = lcp->n;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *row = base_arena_doubles(arena, n), *col = base_arena_doubles(arena, n);
  set_units(model, lcp, scale);
  for (int k = 0; k < SWEEPS; ++k) {
    sweep(lcp, scale, row, col);
  }
  for (int i = 0; i < n; ++i) {
    lcp->q[i] *= scale->row[i];
  }
  const double q_max = la_norm_inf(n, lcp->q);
  scale->q = q_max > 0 && isfinite(q_max) ? power_of_two(q_max) : 1;
  for (int i = 0; i < n; ++i) {
    lcp->q[i] /= scale->q;
  }
  base_arena_release(arena, mark);
}
