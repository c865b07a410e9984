/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Norms by inertia; see mass_norm.h. How published coordinates and velocities follow x is measured
 * column by column: they are F x and x, or what `observe` makes of these, whose derivative along
 * F x is taken by central differences of STEP (to 1e-10; as a weight, far more than is needed).
 * Without `observe` the blocks of bodies are looked at one by one.
 */
#include "bench/reference/mass_norm.h"

#include <math.h>

#include "base/status.h"
#include "bench/outcome/path.h"
#include "la/dense.h"

static const double STEP = 1e-5;
/* Pivots of the normal equations below this, over the largest entry: x is not determined. */
static const double SINGULAR = 1e-12;

/* x: n from J: rows x n (column-major, columns `stride` apart) and d: rows. 0 where J does not
 * determine it. */
static int least_squares(int rows, int n, int stride, const double *J, const double *d, double *x,
                         struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *G = base_arena_matrix(arena, n, n);
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      G[j * n + i] = la_dot(rows, J + (size_t)i * (size_t)stride, J + (size_t)j * (size_t)stride);
    }
    x[j] = la_dot(rows, J + (size_t)j * (size_t)stride, d);
    largest = fmax(largest, G[j * n + j]);
  }
  int determined = largest > 0 && la_chol_factor(n, G) == BASE_OK;
  for (int j = 0; determined && j < n; ++j) {
    determined = G[j * n + j] * G[j * n + j] > SINGULAR * largest;
  }
  if (determined) {
    la_chol_solve(n, 1, G, x);
  }
  base_arena_release(arena, mark);
  return determined;
}

/* Column j of what x does to published coordinates (level 0) or velocities (1); blocks: x has it in
 * every block. column: nq_out or nu_out. */
static void differentiate(const struct mech *m, const double *q, int level, int blocks, int j,
                          double *column, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *x = base_arena_doubles(arena, m->nu), *dq = base_arena_doubles(arena, m->nq);
  for (int b = 0; b < blocks; ++b) {
    x[b * (m->nu / blocks) + j] = 1;
  }
  if (level == 0) {
    mech_qdot(m, q, x, dq, arena);
  }
  if (m->ops->observe == NULL) {
    la_copy(level == 0 ? m->nq : m->nu, level == 0 ? dq : x, column);
  } else {
    double *near = base_arena_doubles(arena, m->nq), *none = base_arena_doubles(arena, m->nu);
    double *qo[2], *uo[2];
    for (int s = 0; s < 2; ++s) { /* velocities are linear in u */
      qo[s] = base_arena_doubles(arena, m->nq_out);
      uo[s] = base_arena_doubles(arena, m->nu_out);
      la_copy(m->nq, q, near);
      la_axpy(m->nq, s == 0 ? -STEP : STEP, dq, near);
      bench_observe(m, near, level == 1 && s == 1 ? x : none, qo[s], uo[s]);
    }
    const int n = level == 0 ? m->nq_out : m->nu_out;
    for (int i = 0; i < n; ++i) {
      column[i] = level == 0 ? (qo[1][i] - qo[0][i]) / (2 * STEP) : uo[1][i] - uo[0][i];
    }
  }
  base_arena_release(arena, mark);
}

static double norm_at(const struct mech *m, const double *q, int level, const double *d,
                      struct base_arena *arena) {
  const int own = m->ops->observe == NULL && m->nq_compared == 0;
  const int blocks = own && m->nb > 0 ? m->nb : 1, n = m->nu / blocks;
  const int out = level == 0 ? m->nq_out : m->nu_out;
  const int rows = (level == 0 && m->nq_compared > 0 ? m->nq_compared : out) / blocks;
  if (m->ops->observe != NULL && m->nu > BENCH_MASS_NORM_MAX) {
    return NAN;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *J = base_arena_matrix(arena, out, n), *x = base_arena_doubles(arena, m->nu);
  for (int j = 0; j < n; ++j) {
    differentiate(m, q, level, blocks, j, J + (size_t)j * (size_t)out, arena);
  }
  int determined = 1;
  for (int b = 0; b < blocks && determined; ++b) {
    determined = least_squares(rows, n, out, J + (size_t)b * (size_t)rows,
                               d + (size_t)b * (size_t)rows, x + (size_t)b * (size_t)n, arena);
  }
  const double norm = determined ? sqrt(2 * mech_kinetic(m, q, x, arena)) : NAN;
  base_arena_release(arena, mark);
  return norm;
}

double bench_mass_norm_q(const struct mech *m, const double *q, const double *dq,
                         struct base_arena *arena) {
  return norm_at(m, q, 0, dq, arena);
}

double bench_mass_norm_u(const struct mech *m, const double *q, const double *du,
                         struct base_arena *arena) {
  return norm_at(m, q, 1, du, arena);
}
