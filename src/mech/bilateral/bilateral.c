/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bilateral constraints: W_S by body and dense, the dense elimination, and the choice between that
 * and the sparse one; see bilateral.h.
 */
#include "mech/bilateral/parts.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

/* ---- W_S by body ---- */

struct mech_joints mech_joints_alloc(const struct mech *m, struct base_arena *arena) {
  const size_t columns = 2 * (size_t)m->ns;
  return (struct mech_joints){.body = base_arena_push(arena, columns * sizeof(int)),
                              .W =
                                  base_arena_push(arena, columns * (size_t)m->nv * sizeof(double))};
}

/* The blocks of a dense column that are not zero. */
static int split_column(const struct mech *m, const double *column, int i,
                        struct mech_joints *joints) {
  int found = 0;
  for (int b = 0; b < m->nb; ++b) {
    const double *block = column + (long)b * m->nv;
    if (m->nb > 1 && la_norm_inf(m->nv, block) == 0) {
      continue;
    }
    if (found == 2) {
      return base_fail(BASE_UNSUPPORTED,
                       "%s: bilateral constraint %d acts on more than two blocks of velocities; "
                       "the sparse elimination knows pairs",
                       m->name, i);
    }
    joints->body[2 * i + found] = b;
    la_copy(m->nv, block, joints->W + (2L * i + found) * m->nv);
    ++found;
  }
  return BASE_OK;
}

int mech_joints_place(const struct mech *m, const double *q, struct mech_joints *joints,
                      struct base_arena *arena) {
  if (m->ops->bodies.bilateral_by_body != NULL) {
    m->ops->bodies.bilateral_by_body(m, q, joints->body, joints->W);
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *WS = base_arena_push(arena, (size_t)m->nu * (size_t)m->ns * sizeof *WS);
  int status = BASE_OK;
  memset(joints->body, -1, 2 * (size_t)m->ns * sizeof *joints->body);
  memset(joints->W, 0, 2 * (size_t)m->ns * (size_t)m->nv * sizeof *joints->W);
  m->ops->bilateral_directions(m, q, WS);
  for (int i = 0; i < m->ns && status == BASE_OK; ++i) {
    status = split_column(m, WS + (long)i * m->nu, i, joints);
  }
  base_arena_release(arena, mark);
  return status;
}

/* ---- the object ---- */

static int is_dense(const struct mech *m, enum mech_bilateral_kind kind) {
  const int small = m->ns <= MECH_BILATERAL_SMALL || m->nb == 1;
  return kind == MECH_BILATERAL_DENSE ||
         (kind == MECH_BILATERAL_AUTO && (small || m->ops->bodies.bilateral_by_body == NULL));
}

struct mech_bilateral *mech_bilateral_alloc(const struct mech *m, enum mech_bilateral_kind kind,
                                            struct base_arena *arena) {
  struct mech_bilateral *b = base_arena_push(arena, sizeof *b);
  const size_t ns = (size_t)m->ns, nu = (size_t)m->nu, real = sizeof(double);
  *b = (struct mech_bilateral){.m = m, .arena = base_arena_child(arena), .ns = m->ns};
  if (m->ns == 0) {
    return b;
  }
  if (!is_dense(m, kind)) {
    b->sparse = mech_bilateral_sparse_alloc(m, arena);
    return b;
  }
  b->WS = base_arena_push(arena, nu * ns * real);
  b->MWS = base_arena_push(arena, nu * ns * real);
  b->factor = base_arena_push(arena, ns * ns * real);
  b->scale = base_arena_push(arena, ns * real);
  b->perm = base_arena_push(arena, ns * sizeof *b->perm);
  return b;
}

void mech_bilateral_free(struct mech_bilateral *b) {
  if (b != NULL && b->sparse != NULL) {
    mech_bilateral_sparse_free(b->sparse);
  }
}

int mech_bilateral_place(struct mech_bilateral *b, const double *q) {
  if (b->ns == 0) {
    return BASE_OK;
  }
  if (b->sparse != NULL) {
    return mech_bilateral_sparse_place(b, q);
  }
  mech_bilateral_directions(b->m, q, b->WS, b->arena);
  return BASE_OK;
}

/* ---- dense ---- */

static void dense_factor(struct mech_bilateral *b) {
  const int ns = b->ns, nu = b->m->nu;
  int without = 0;
  la_copy((long)nu * ns, b->WS, b->MWS);
  mech_mass_solve(b->m, b->L, ns, b->MWS);
  la_gemm_t(ns, ns, nu, 1, b->WS, b->MWS, 0, b->factor);
  for (int i = 0; i < ns; ++i) {
    double *diagonal = &b->factor[(size_t)i * (size_t)ns + (size_t)i];
    const double g = *diagonal;
    *diagonal += g > 0 ? b->compliance : 0;
    b->scale[i] = g > 0 ? 1 / sqrt(g) : 0;
    without += g == 0;
  }
  for (int j = 0; j < ns; ++j) {
    for (int i = 0; i < ns; ++i) {
      b->factor[(size_t)j * (size_t)ns + (size_t)i] *= b->scale[i] * b->scale[j];
    }
  }
  b->rank = la_pchol_factor(ns, b->factor, b->perm, MECH_BILATERAL_RANK);
  b->rank = b->rank < 0 ? -1 : b->rank;
  b->dependent = b->rank < 0 ? 0 : ns - without - b->rank;
}

static void scale_rows(const struct mech_bilateral *b, int nrhs, double *x) {
  for (int k = 0; k < nrhs; ++k) {
    for (int i = 0; i < b->ns; ++i) {
      x[(size_t)k * (size_t)b->ns + (size_t)i] *= b->scale[i];
    }
  }
}

int mech_bilateral_build(struct mech_bilateral *b, const double *q, const double *L) {
  const int status = mech_bilateral_place(b, q);
  b->L = L;
  if (status != BASE_OK || b->ns == 0) {
    return status;
  }
  if (b->sparse != NULL) {
    return mech_bilateral_sparse_factor(b);
  }
  dense_factor(b);
  return BASE_OK;
}

/* ---- both ---- */

void mech_bilateral_leave_out(const struct mech_bilateral *b, int *is_out) {
  if (b->sparse != NULL) {
    mech_bilateral_sparse_leave_out(b, is_out);
    return;
  }
  for (int k = 0; k < b->ns; ++k) {
    is_out[b->perm[k]] = b->rank >= 0 && k >= b->rank;
  }
}

void mech_bilateral_velocity(const struct mech_bilateral *b, const double *u, double *rate) {
  if (b->sparse == NULL) {
    la_gemv_t(b->m->nu, b->ns, 1, b->WS, u, 0, rate);
    return;
  }
  const struct mech_joints *joints = &b->sparse->joints;
  const int nv = b->m->nv;
  for (int i = 0; i < b->ns; ++i) {
    rate[i] = 0;
    for (int k = 2 * i; k < 2 * i + 2; ++k) {
      if (joints->body[k] >= 0) {
        rate[i] += la_dot(nv, joints->W + (long)k * nv, u + (long)joints->body[k] * nv);
      }
    }
  }
}

void mech_bilateral_force(const struct mech_bilateral *b, const double *lambda, double *f) {
  if (b->sparse == NULL) {
    la_gemv(b->m->nu, b->ns, 1, b->WS, lambda, 1, f);
    return;
  }
  const struct mech_joints *joints = &b->sparse->joints;
  const int nv = b->m->nv;
  for (int k = 0; k < 2 * b->ns; ++k) {
    if (joints->body[k] >= 0) {
      la_axpy(nv, lambda[k / 2], joints->W + (long)k * nv, f + (long)joints->body[k] * nv);
    }
  }
}

void mech_bilateral_solve(const struct mech_bilateral *b, int nrhs, double *x) {
  if (b->ns == 0 || nrhs == 0) {
    return;
  }
  if (b->sparse != NULL) {
    mech_bilateral_sparse_solve(b, nrhs, x);
    return;
  }
  scale_rows(b, nrhs, x);
  la_pchol_solve(b->ns, b->rank, nrhs, b->factor, b->perm, x, b->arena);
  scale_rows(b, nrhs, x);
}

/* One column of the sparse form, in two passes: the first leaves rates of the round-off of
 * Lambda_S, which is large where constraints nearly depend on each other; the second takes them
 * away. */
static void eliminate_refined(const struct mech_bilateral *b, double *rate, double *x) {
  enum { PASSES = 2 };
  const int nu = b->m->nu, ns = b->ns;
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  double *f = base_arena_push(b->arena, (size_t)nu * sizeof *f);
  double *lambda = base_arena_doubles(b->arena, ns), *left = base_arena_doubles(b->arena, ns);
  la_copy(ns, rate, left);
  for (int pass = 1; pass <= PASSES; ++pass) {
    mech_bilateral_solve(b, 1, left);
    la_axpy(ns, 1, left, lambda);
    memset(f, 0, (size_t)nu * sizeof *f);
    mech_bilateral_force(b, left, f);
    mech_mass_solve(b->m, b->L, 1, f);
    la_axpy(nu, -1, f, x);
    if (pass < PASSES) {
      mech_bilateral_velocity(b, f, left);
      for (int i = 0; i < ns; ++i) {
        left[i] = rate[i] - left[i] - b->compliance * lambda[i];
      }
    }
  }
  la_copy(ns, lambda, rate);
  base_arena_release(b->arena, mark);
}

void mech_bilateral_eliminate(const struct mech_bilateral *b, int nrhs, double *rate, double *X) {
  if (b->ns == 0 || nrhs == 0) {
    return;
  }
  const int nu = b->m->nu;
  if (b->sparse == NULL) {
    mech_bilateral_solve(b, nrhs, rate);
    la_gemm(nu, nrhs, b->ns, -1, b->MWS, rate, 1, X);
    return;
  }
  for (int k = 0; k < nrhs; ++k) {
    eliminate_refined(b, rate + (long)k * b->ns, X + (long)k * nu);
  }
}

/* Length of column i of W_S. */
static double length_of(const struct mech_bilateral *b, int i) {
  const int nv = b->m->nv;
  if (b->sparse == NULL) {
    return la_norm2(b->m->nu, b->WS + (long)i * b->m->nu);
  }
  return la_norm2(2 * nv, b->sparse->joints.W + 2L * i * nv);
}

void mech_bilateral_gamma(const struct mech_bilateral *b, const double *q, const double *u,
                          double *gamma) {
  mech_bilateral_velocity(b, u, gamma);
  if (b->m->ops->driven.bilateral_drift != NULL) {
    const struct base_arena_mark mark = base_arena_mark(b->arena);
    double *chi = base_arena_doubles(b->arena, b->ns);
    b->m->ops->driven.bilateral_drift(b->m, q, chi);
    la_axpy(b->ns, 1, chi, gamma);
    base_arena_release(b->arena, mark);
  }
}

double mech_bilateral_largest(const struct mech_bilateral *b, const double *x, int *row) {
  double worst = 0;
  int at = -1;
  for (int i = 0; i < b->ns; ++i) {
    const double w = length_of(b, i), missed = fabs(x[i]) / (w > 0 ? w : 1);
    if (!(missed <= worst) && !isnan(worst)) { /* no number: the worst there is */
      worst = missed;
      at = i;
    }
  }
  if (row != NULL) {
    *row = at;
  }
  return worst;
}
