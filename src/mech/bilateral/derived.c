/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quantities every system has by its contract: kinetic and total energy T = u^T M u / 2, E = T + V,
 * the rates qdot = F(q) u, the factored mass matrix, and the bias d(W_S^T)/dt u of the bilateral
 * constraints. Mass matrices are handled block by block (moeller 5.1), linear in the number of
 * bodies.
 *
 * Where a system offers W_S, or F, as a dense matrix only, mech_bilateral_bias and mech_qdot are
 * quadratic in the number of bodies.
 */
#include "mech/bilateral/bilateral.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <math.h>
#include <string.h>

double mech_kinetic(const struct mech *m, const double *q, const double *u,
                    struct base_arena *arena) {
  if (m->ops->bodies.kinetic != NULL) {
    return m->ops->bodies.kinetic(m, u);
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int nv = m->nv;
  double *M = base_arena_matrix(arena, nv, m->nb * nv);
  m->ops->mass(m, q, M);
  double T = 0;
  for (int b = 0; b < m->nb; ++b) {
    const double *Mb = M + (long)b * nv * nv;
    const double *ub = u + (long)b * nv;
    for (int j = 0; j < nv; ++j) {
      double sum = 0;
      for (int i = 0; i < nv; ++i) {
        sum += ub[i] * Mb[j * nv + i];
      }
      T += 0.5 * sum * ub[j];
    }
  }
  base_arena_release(arena, mark);
  return T;
}

double mech_energy(const struct mech *m, const double *q, const double *u,
                   struct base_arena *arena) {
  const double V = m->ops->potential != NULL ? m->ops->potential(m, q) : 0.0;
  return mech_kinetic(m, q, u, arena) + V;
}

void mech_qdot(const struct mech *m, const double *q, const double *u, double *qdot,
               struct base_arena *arena) {
  if (m->ops->bodies.qdot != NULL) {
    m->ops->bodies.qdot(m, q, u, qdot);
    return;
  }
  if (m->ops->kinematics == NULL) {
    la_copy(m->nu, u, qdot);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *F = base_arena_matrix(arena, m->nq, m->nu);
  m->ops->kinematics(m, q, F);
  la_gemv(m->nq, m->nu, 1, F, u, 0, qdot);
  base_arena_release(arena, mark);
}

void mech_bilateral_directions(const struct mech *m, const double *q, double *WS,
                               struct base_arena *arena) {
  if (m->ops->bodies.bilateral_by_body == NULL) {
    m->ops->bilateral_directions(m, q, WS);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct mech_joints joints = mech_joints_alloc(m, arena);
  m->ops->bodies.bilateral_by_body(m, q, joints.body, joints.W);
  memset(WS, 0, (size_t)m->nu * (size_t)m->ns * sizeof *WS);
  for (int k = 0; k < 2 * m->ns; ++k) {
    if (joints.body[k] >= 0) {
      la_axpy(m->nv, 1, joints.W + (long)k * m->nv,
              WS + (long)(k / 2) * m->nu + (long)joints.body[k] * m->nv);
    }
  }
  base_arena_release(arena, mark);
}

void mech_bilateral_rate(const struct mech *m, const double *q, const double *WS, const double *u,
                         double *gamma) {
  if (m->ns == 0) {
    return;
  }
  if (m->ops->driven.bilateral_drift != NULL) {
    m->ops->driven.bilateral_drift(m, q, gamma);
    la_gemv_t(m->nu, m->ns, 1, WS, u, 1, gamma);
  } else {
    la_gemv_t(m->nu, m->ns, 1, WS, u, 0, gamma);
  }
}

size_t mech_mass_size(const struct mech *m) {
  const size_t nv = m->diagonal_mass && m->ops->bodies.mass_diagonal != NULL ? 1 : (size_t)m->nv;
  return (size_t)m->nu * nv;
}

/* d: nu, the diagonal of M, with room for its blocks where the system knows these alone. Returns
 * the first block that is not positive definite, or -1. */
static int diagonal_factor(const struct mech *m, const double *q, double *d) {
  const int nv = m->nv;
  if (m->ops->bodies.mass_diagonal != NULL) {
    m->ops->bodies.mass_diagonal(m, q, d);
  } else {
    m->ops->mass(m, q, d);
    for (int j = 0; j < m->nu; ++j) { /* no number is needed again once its place is taken */
      d[j] = d[(size_t)j * (size_t)nv + (size_t)(j % nv)];
    }
  }
  for (int j = 0; j < m->nu; ++j) {
    if (!(d[j] > 0)) {
      return j / nv;
    }
  }
  return -1;
}

static int block_factor(const struct mech *m, const double *q, double *L) {
  const size_t size = (size_t)m->nv * (size_t)m->nv;
  m->ops->mass(m, q, L);
  for (int b = 0; b < m->nb; ++b) {
    if (la_chol_factor(m->nv, L + (size_t)b * size) != BASE_OK) {
      return b;
    }
  }
  return -1;
}

int mech_mass_factor(const struct mech *m, const double *q, double *L) {
  const int bad = m->diagonal_mass ? diagonal_factor(m, q, L) : block_factor(m, q, L);
  if (bad >= 0) {
    return base_fail(BASE_FAILED, "%s: mass matrix is not positive definite (block %d of %d)",
                     m->name, bad, m->nb);
  }
  return BASE_OK;
}

/* x = G G^T x in place, from the last row up once G^T x is there from the first row down. */
static void block_apply(int n, const double *L, double *x) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = i; j < n; ++j) {
      sum += L[(long)i * n + j] * x[j];
    }
    x[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = 0;
    for (int j = 0; j <= i; ++j) {
      sum += L[(long)j * n + i] * x[j];
    }
    x[i] = sum;
  }
}

void mech_mass_apply(const struct mech *m, const double *L, double *x) {
  const size_t nv = (size_t)m->nv;
  for (size_t b = 0; b < (size_t)m->nb; ++b) {
    if (m->diagonal_mass) {
      for (size_t i = b * nv; i < (b + 1) * nv; ++i) {
        x[i] *= L[i];
      }
    } else {
      block_apply(m->nv, L + b * nv * nv, x + b * nv);
    }
  }
}

/* Forward and backward substitution in place: a block has few rows, and right-hand sides of one
 * block are rows apart by nu, which a library call would want copied. */
static void block_half_solve(int n, const double *L, double *x) {
  for (int j = 0; j < n; ++j) {
    const double *column = L + (long)j * n;
    x[j] /= column[j];
    for (int i = j + 1; i < n; ++i) {
      x[i] -= column[i] * x[j];
    }
  }
}

static void block_solve(int n, const double *L, double *x) {
  block_half_solve(n, L, x);
  for (int i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < n; ++j) {
      sum -= L[(long)i * n + j] * x[j];
    }
    x[i] = sum / L[(long)i * n + i];
  }
}

void mech_mass_solve_block(const struct mech *m, const double *L, int b, int nrhs, double *X) {
  const size_t nv = (size_t)m->nv, first = (size_t)b * nv;
  for (size_t k = 0; k < (size_t)nrhs; ++k) {
    if (!m->diagonal_mass) {
      block_solve(m->nv, L + first * nv, X + k * nv);
      continue;
    }
    for (size_t i = 0; i < nv; ++i) {
      X[k * nv + i] /= L[first + i];
    }
  }
}

void mech_mass_solve(const struct mech *m, const double *L, int nrhs, double *X) {
  for (int k = 0; k < nrhs; ++k) {
    double *x = X + (size_t)k * (size_t)m->nu;
    if (m->diagonal_mass) {
      la_divide(m->nu, L, x);
    }
    for (int b = 0; !m->diagonal_mass && b < m->nb; ++b) {
      mech_mass_solve_block(m, L, b, 1, x + (size_t)b * (size_t)m->nv);
    }
  }
}

void mech_mass_half_solve(const struct mech *m, const double *L, int b, double *x) {
  const int n = m->nv;
  if (!m->diagonal_mass) {
    block_half_solve(n, L + (size_t)b * (size_t)n * (size_t)n, x);
    return;
  }
  for (int i = 0; i < n; ++i) {
    x[i] /= sqrt(L[(size_t)b * (size_t)n + (size_t)i]);
  }
}

void mech_bilateral_bias(const struct mech *m, const double *q, const double *u, double *bias,
                         struct base_arena *arena) {
  if (m->ns == 0) {
    return;
  }
  if (m->ops->bilateral_bias != NULL) {
    m->ops->bilateral_bias(m, q, u, bias);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *qdot = base_arena_doubles(arena, m->nq);
  double *x = base_arena_doubles(arena, m->nq);
  double *WS = base_arena_matrix(arena, m->nu, m->ns);
  mech_qdot(m, q, u, qdot, arena);
  const double rate = mech_largest(m->nq, qdot);
  la_zero(m->ns, bias);
  if (rate > 0) {
    const double s = mech_difference_step(m) / rate; /* [s] */
    for (int k = 0; k < MECH_STENCIL; ++k) {
      la_copy(m->nq, q, x);
      la_axpy(m->nq, mech_stencil_at[k] * s, qdot, x);
      mech_bilateral_directions(m, x, WS, arena);
      la_gemv_t(m->nu, m->ns, mech_stencil_weight[k] / s, WS, u, 1, bias);
    }
  }
  base_arena_release(arena, mark);
}
