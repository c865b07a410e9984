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
#include "mech/bilateral.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <math.h>
#include <string.h>

static double diagonal_kinetic(const struct mech *m, const double *q, const double *u,
                               struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *d = base_arena_doubles(arena, m->nu), T = 0;
  m->ops->mass_diagonal(m, q, d);
  for (int i = 0; i < m->nu; ++i) {
    T += 0.5 * (u[i] * d[i]) * u[i];
  }
  base_arena_release(arena, mark);
  return T;
}

double mech_kinetic(const struct mech *m, const double *q, const double *u,
                    struct base_arena *arena) {
  if (m->ops->mass_diagonal != NULL) {
    return diagonal_kinetic(m, q, u, arena);
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
  if (m->ops->qdot != NULL) {
    m->ops->qdot(m, q, u, qdot);
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
  if (m->ops->bilateral_by_body == NULL) {
    m->ops->bilateral_directions(m, q, WS);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct mech_joints joints = mech_joints_alloc(m, arena);
  m->ops->bilateral_by_body(m, q, joints.body, joints.W);
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
  if (m->ops->bilateral_drift != NULL) {
    m->ops->bilateral_drift(m, q, gamma);
    la_gemv_t(m->nu, m->ns, 1, WS, u, 1, gamma);
  } else {
    la_gemv_t(m->nu, m->ns, 1, WS, u, 0, gamma);
  }
}

/* Factor of a diagonal block: the roots; BASE_FAILED when an entry is not positive. */
static int diagonal_factor(int n, double *L) {
  for (int i = 0; i < n; ++i) {
    double *entry = L + (long)i * (n + 1);
    if (!(*entry > 0)) {
      return BASE_FAILED;
    }
    *entry = sqrt(*entry);
  }
  return BASE_OK;
}

int mech_mass_factor(const struct mech *m, const double *q, double *L) {
  const int nv = m->nv;
  m->ops->mass(m, q, L);
  for (int b = 0; b < m->nb; ++b) {
    double *block = L + (long)b * nv * nv;
    const int status = m->diagonal_mass ? diagonal_factor(nv, block) : la_chol_factor(nv, block);
    if (status != BASE_OK) {
      return base_fail(BASE_FAILED, "%s: mass matrix is not positive definite (block %d of %d)",
                       m->name, b, m->nb);
    }
  }
  return BASE_OK;
}

/* Forward and backward substitution in place: a block has few rows, and right-hand sides of one
 * block are rows apart by nu, which a library call would want copied. */
static void block_solve(int n, const double *L, double *x) {
  for (int i = 0; i < n; ++i) {
    double sum = x[i];
    for (int j = 0; j < i; ++j) {
      sum -= L[(long)j * n + i] * x[j];
    }
    x[i] = sum / L[(long)i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    double sum = x[i];
    for (int j = i + 1; j < n; ++j) {
      sum -= L[(long)i * n + j] * x[j];
    }
    x[i] = sum / L[(long)i * n + i];
  }
}

static void diagonal_solve(int n, const double *L, double *x) {
  for (int i = 0; i < n; ++i) {
    const double root = L[(long)i * (n + 1)];
    x[i] = x[i] / root / root; /* as block_solve does, to the last bit */
  }
}

void mech_mass_solve(const struct mech *m, const double *L, int nrhs, double *X) {
  const int nv = m->nv;
  for (int k = 0; k < nrhs; ++k) {
    double *x = X + (long)k * m->nu;
    for (int b = 0; b < m->nb; ++b) {
      const double *block = L + (long)b * nv * nv;
      if (m->diagonal_mass) {
        diagonal_solve(nv, block, x + (long)b * nv);
      } else {
        block_solve(nv, block, x + (long)b * nv);
      }
    }
  }
}

void mech_mass_half_solve(const struct mech *m, const double *L, int block, double *x) {
  const int n = m->nv;
  const double *Lb = L + (long)block * n * n;
  for (int i = 0; i < n; ++i) {
    double sum = x[i];
    for (int j = 0; j < i && !m->diagonal_mass; ++j) {
      sum -= Lb[j * n + i] * x[j];
    }
    x[i] = sum / Lb[(long)i * (n + 1)];
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
  for (int i = 0; i < m->ns; ++i) {
    bias[i] = 0;
  }
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
