/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system by its coordinates alone (moeller 3.4): u = qdot and a mass matrix that depends on q,
 *
 *   M_q = Q^T M Q,   W_q = Q^T W,   h_q = Q^T (h - M Qdot qdot),
 *
 * for systems with a decomposed mass matrix, and what the integrator for such systems asks for:
 *
 *   G_ij = sum_k (dM_ik/dq_j - dM_jk/dq_i) qdot_k                                   (5.54)
 *   DT/Dq (qdot, a, b), the discrete derivative of T = qdot^T M_q qdot / 2 by q     (5.58)
 *
 * Where the system has no closed forms, G comes from differences of M_q, antisymmetrised, so that
 * it is skew exactly, and DT/Dq from Gonzalez' formula (5.19) with the gradient differenced: (5.15)
 * holds to round-off. Energy rests on these two properties alone.
 */
#include "mech/mech.h"

#include "la/dense.h"
#include "mech/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct by_coordinates {
  const struct mech *whole;
  struct base_arena *arena;
  struct mech_ops ops;
};

static const struct by_coordinates *coordinates_of(const struct mech *m) { return m->data; }

/* Q: nq x nq from the arena. */
static double *whole_Q(const struct mech *whole, const double *q, struct base_arena *arena) {
  double *Q = base_arena_matrix(arena, whole->nq, whole->nq);
  whole->ops->consistent.decomposition(whole, q, Q);
  return Q;
}

/* u: nq = Q qdot, from the arena. */
static double *whole_u(const struct mech *whole, const double *q, const double *qdot,
                       struct base_arena *arena) {
  double *u = base_arena_doubles(arena, whole->nq);
  la_gemv(whole->nq, whole->nq, 1, whole_Q(whole, q, arena), qdot, 0, u);
  return u;
}

/* M: nq x nq dense, of the whole system's blocks. */
static double *whole_mass(const struct mech *whole, const double *q, struct base_arena *arena) {
  const int nq = whole->nq, nv = whole->nv;
  double *blocks = base_arena_matrix(arena, nv, whole->nb * nv);
  double *M = base_arena_matrix(arena, nq, nq);
  whole->ops->mass(whole, q, blocks);
  for (int b = 0; b < whole->nb; ++b) {
    for (int j = 0; j < nv; ++j) {
      la_copy(nv, blocks + ((long)b * nv + j) * nv, M + (long)(b * nv + j) * nq + b * nv);
    }
  }
  return M;
}

static void coordinate_mass(const struct mech *m, const double *q, double *M) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = m->nq;
  const double *Q = whole_Q(whole, q, arena), *inner = whole_mass(whole, q, arena);
  double *MQ = base_arena_matrix(arena, n, n);
  la_gemm(n, n, n, 1, inner, Q, 0, MQ);
  la_gemm_t(n, n, n, 1, Q, MQ, 0, M);
  for (int j = 0; j < n; ++j) { /* symmetric to the last bit */
    for (int i = 0; i < j; ++i) {
      M[(long)j * n + i] = M[(long)i * n + j] = 0.5 * (M[(long)j * n + i] + M[(long)i * n + j]);
    }
  }
  base_arena_release(arena, mark);
}

static void coordinate_force(const struct mech *m, const double *q, const double *qdot, double t,
                             double *h) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = m->nq;
  const double rate = mech_largest(n, qdot), s = rate > 0 ? mech_difference_step(m) / rate : 0;
  double *x = base_arena_doubles(arena, n), *turn = base_arena_doubles(arena, n); /* Qdot qdot */
  double *f = base_arena_doubles(arena, n);
  for (int k = 0; k < MECH_STENCIL && s > 0; ++k) {
    la_copy(n, q, x);
    la_axpy(n, mech_stencil_at[k] * s, qdot, x);
    la_axpy(n, mech_stencil_weight[k] / s, whole_u(whole, x, qdot, arena), turn);
  }
  whole->ops->force(whole, q, whole_u(whole, q, qdot, arena), t, f);
  la_gemv(n, n, -1, whole_mass(whole, q, arena), turn, 1, f);
  la_gemv_t(n, n, 1, whole_Q(whole, q, arena), f, 0, h);
  base_arena_release(arena, mark);
}

static double coordinate_potential(const struct mech *m, const double *q) {
  return coordinates_of(m)->whole->ops->potential(coordinates_of(m)->whole, q);
}

static void coordinate_potential_gradient(const struct mech *m, const double *q, double *dV) {
  coordinates_of(m)->whole->ops->potential_gradient(coordinates_of(m)->whole, q, dV);
}

static void coordinate_damping(const struct mech *m, const double *q, const double *qdot, double t,
                               double *f) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *inner = base_arena_doubles(arena, m->nq);
  whole->ops->damping(whole, q, whole_u(whole, q, qdot, arena), t, inner);
  la_gemv_t(m->nq, m->nq, 1, whole_Q(whole, q, arena), inner, 0, f);
  base_arena_release(arena, mark);
}

static void coordinate_applied(const struct mech *m, const double *q, const double *qdot, double t,
                               double *f) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *inner = base_arena_doubles(arena, m->nq);
  whole->ops->applied(whole, q, whole_u(whole, q, qdot, arena), t, inner);
  la_gemv_t(m->nq, m->nq, 1, whole_Q(whole, q, arena), inner, 0, f);
  base_arena_release(arena, mark);
}

static void coordinate_damping_matrix(const struct mech *m, const double *qdot, const double *q,
                                      double t, double *D) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  whole->ops->consistent.damping_matrix(whole, whole_u(whole, q, qdot, arena), q, t, D);
  base_arena_release(arena, mark);
}

static void coordinate_bilateral(const struct mech *m, const double *q, double *gS) {
  coordinates_of(m)->whole->ops->bilateral(coordinates_of(m)->whole, q, gS);
}

static void coordinate_directions(const struct mech *m, const double *q, double *WS) {
  const struct mech *whole = coordinates_of(m)->whole;
  struct base_arena *arena = coordinates_of(m)->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *inner = base_arena_matrix(arena, m->nq, m->ns);
  mech_bilateral_directions(whole, q, inner, arena);
  la_gemm_t(m->nq, m->ns, m->nq, 1, whole_Q(whole, q, arena), inner, 0, WS);
  base_arena_release(arena, mark);
}

static void coordinate_discrete_potential(const struct mech *m, const double *a, const double *b,
                                          double *DV) {
  coordinates_of(m)->whole->ops->consistent.discrete_potential(coordinates_of(m)->whole, a, b, DV);
}

static void coordinate_discrete_bilateral(const struct mech *m, const double *a, const double *b,
                                          double *DgS) {
  coordinates_of(m)->whole->ops->consistent.discrete_bilateral(coordinates_of(m)->whole, a, b, DgS);
}

static void whole_coordinate_gyro(const struct mech *m, const double *qdot, const double *q,
                                  double *G) {
  coordinates_of(m)->whole->ops->consistent.coordinate_gyro(coordinates_of(m)->whole, qdot, q, G);
}

static void whole_discrete_kinetic(const struct mech *m, const double *qdot, const double *a,
                                   const double *b, double *DT) {
  coordinates_of(m)->whole->ops->consistent.discrete_kinetic(coordinates_of(m)->whole, qdot, a, b,
                                                             DT);
}

const struct mech *mech_by_coordinates(const struct mech *m, struct base_arena *arena) {
  const struct mech_ops *ops = m->ops;
  if (ops->kinematics == NULL) {
    return m;
  }
  struct by_coordinates *data = base_arena_push(arena, sizeof *data);
  struct mech *view = base_arena_push(arena, sizeof *view);
  *data = (struct by_coordinates){.whole = m, .arena = arena};
  data->ops = (struct mech_ops){
      .mass = coordinate_mass,
      .force = coordinate_force,
      .potential = ops->potential != NULL ? coordinate_potential : NULL,
      .potential_gradient = ops->potential_gradient != NULL ? coordinate_potential_gradient : NULL,
      .damping = ops->damping != NULL ? coordinate_damping : NULL,
      .applied = ops->applied != NULL ? coordinate_applied : NULL,
      .consistent.damping_matrix =
          ops->consistent.damping_matrix != NULL ? coordinate_damping_matrix : NULL,
      .bilateral = coordinate_bilateral,
      .bilateral_directions = coordinate_directions,
      .consistent.discrete_potential =
          ops->consistent.discrete_potential != NULL ? coordinate_discrete_potential : NULL,
      .consistent.discrete_bilateral =
          ops->consistent.discrete_bilateral != NULL ? coordinate_discrete_bilateral : NULL,
      .consistent.coordinate_gyro =
          ops->consistent.coordinate_gyro != NULL ? whole_coordinate_gyro : NULL,
      .consistent.discrete_kinetic =
          ops->consistent.discrete_kinetic != NULL ? whole_discrete_kinetic : NULL};
  *view = (struct mech){.name = m->name,
                        .ops = &data->ops,
                        .data = data,
                        .nq = m->nq,
                        .nu = m->nq,
                        .ns = m->ns,
                        .dim = m->dim,
                        .nb = 1,
                        .nv = m->nq,
                        .nq_out = m->nq,
                        .nu_out = m->nq,
                        .length = m->length,
                        .speed = m->speed};
  return view;
}

/* --- G and DT/Dq --- */

void mech_coordinate_gyro(const struct mech *m, const double *qdot, const double *q, double *G,
                          struct base_arena *arena) {
  if (m->ops->consistent.coordinate_gyro != NULL) {
    m->ops->consistent.coordinate_gyro(m, qdot, q, G);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = m->nq;
  const double s = mech_difference_step(m);
  double *J = base_arena_matrix(arena, n, n), *x = base_arena_doubles(arena, n);
  la_copy(n, q, x);
  for (int j = 0; j < n && !m->constant_mass; ++j) { /* J: d(M qdot)/dq */
    for (int k = 0; k < MECH_STENCIL; ++k) {
      const struct base_arena_mark inner = base_arena_mark(arena);
      x[j] = q[j] + mech_stencil_at[k] * s;
      la_gemv(n, n, mech_stencil_weight[k] / s, whole_mass(m, x, arena), qdot, 1, J + (long)j * n);
      base_arena_release(arena, inner);
    }
    x[j] = q[j];
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      G[(long)j * n + i] = J[(long)j * n + i] - J[(long)i * n + j];
    }
  }
  base_arena_release(arena, mark);
}

void mech_discrete_kinetic(const struct mech *m, const double *qdot, const double *a,
                           const double *b, double *DT, struct base_arena *arena) {
  if (m->ops->consistent.discrete_kinetic != NULL) {
    m->ops->consistent.discrete_kinetic(m, qdot, a, b, DT);
    return;
  }
  memset(DT, 0, (size_t)m->nq * sizeof *DT);
  if (m->constant_mass) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = m->nq;
  const double s = mech_difference_step(m);
  double *x = base_arena_doubles(arena, n), along = 0, square = 0;
  for (int j = 0; j < n; ++j) {
    x[j] = 0.5 * (a[j] + b[j]);
  }
  for (int j = 0; j < n; ++j) {
    const double z = x[j];
    for (int k = 0; k < MECH_STENCIL; ++k) {
      x[j] = z + mech_stencil_at[k] * s;
      DT[j] += mech_stencil_weight[k] / s * mech_kinetic(m, x, qdot, arena);
    }
    x[j] = z;
    along += DT[j] * (b[j] - a[j]);
    square += (b[j] - a[j]) * (b[j] - a[j]);
  }
  const double Ta = mech_kinetic(m, a, qdot, arena), Tb = mech_kinetic(m, b, qdot, arena);
  const double bracket = Tb - Ta - along;
  if (fabs(bracket) > DBL_EPSILON * (Ta + Tb)) { /* else rounding, see discrete.c */
    for (int j = 0; j < n; ++j) {
      DT[j] += bracket / square * (b[j] - a[j]);
    }
  }
  base_arena_release(arena, mark);
}
