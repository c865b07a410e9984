/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices of a system as sums of blocks; see by_body.h.
 */
#include "mech/by_body.h"

#include <string.h>

#include "la/dense.h"

static int is_by_body(const struct mech *m) {
  return m->ops->consistent.discrete_bilateral_by_body != NULL;
}

/* Blocks on the diagonal from an array of them. */
static void put_diagonal(const struct mech *m, const double *from, struct la_blocks *A,
                         struct base_arena *arena) {
  const int size = m->nv * m->nv;
  la_blocks_init(A, m->nv, m->nv, arena);
  for (int b = 0; b < m->nb; ++b) {
    la_copy(size, from + (long)b * size, la_blocks_push(A, b, b));
  }
}

void mech_mass_blocks(const struct mech *m, const double *q, struct la_blocks *M,
                      struct base_arena *arena) {
  double *blocks = base_arena_matrix(arena, m->nv, m->nb * m->nv);
  m->ops->mass(m, q, blocks);
  put_diagonal(m, blocks, M, arena);
}

void mech_gyro_blocks(const struct mech *m, const double *u, struct la_blocks *H,
                      struct base_arena *arena) {
  la_blocks_init(H, m->nv, m->nv, arena);
  for (int b = 0; b < m->nb; ++b) {
    m->ops->consistent.velocity_gyro(m, b, u + (long)b * m->nv, la_blocks_push(H, b, b));
  }
}

void mech_start_gyro_blocks(const struct mech *m, const double *u, const double *q,
                            struct la_blocks *H, struct base_arena *arena) {
  la_blocks_init(H, mech_block_nq(m), mech_block_nq(m), arena);
  if (is_by_body(m)) {
    m->ops->consistent.gyro_by_body(m, u, q, H);
  } else {
    m->ops->consistent.gyro(m, u, q, la_blocks_push(H, 0, 0));
  }
}

/* Of many bodies, by one unit velocity after the other of all of them at once. */
static void kinematics_by_body(const struct mech *m, const double *q, struct la_blocks *F,
                               struct base_arena *arena) {
  const int nq = m->nq / m->nb, nv = m->nv;
  double *unit = base_arena_doubles(arena, m->nu), *qdot = base_arena_doubles(arena, m->nq);
  la_blocks_init(F, nq, nv, arena);
  for (int b = 0; b < m->nb; ++b) {
    la_blocks_push(F, b, b);
  }
  for (int l = 0; l < nv; ++l) {
    for (int b = 0; b < m->nb; ++b) {
      unit[(long)b * nv + l] = 1;
    }
    mech_qdot(m, q, unit, qdot, arena);
    for (int b = 0; b < m->nb; ++b) {
      unit[(long)b * nv + l] = 0;
      la_copy(nq, qdot + (long)b * nq, la_blocks_at(F, b) + (long)l * nq);
    }
  }
}

void mech_kinematics_blocks(const struct mech *m, const double *q, struct la_blocks *F,
                            struct base_arena *arena) {
  if (is_by_body(m)) {
    kinematics_by_body(m, q, F, arena);
    return;
  }
  la_blocks_init(F, m->nq, m->nu, arena);
  double *block = la_blocks_push(F, 0, 0);
  if (m->ops->kinematics != NULL) {
    m->ops->kinematics(m, q, block);
    return;
  }
  for (int j = 0; j < m->nu; ++j) {
    block[(long)j * m->nq + j] = 1;
  }
}

/* Rows of two columns of n numbers each. */
static void put_rows(int ns, int n, const int *body, const double *columns, struct la_blocks *A,
                     struct base_arena *arena) {
  la_blocks_init(A, 1, n, arena);
  for (int k = 0; k < 2 * ns; ++k) {
    if (body[k] >= 0) {
      la_copy(n, columns + (long)k * n, la_blocks_push(A, k / 2, body[k]));
    }
  }
}

void mech_directions_rows(const struct mech *m, const double *q, struct la_blocks *W,
                          struct base_arena *arena) {
  if (is_by_body(m) && m->ops->bodies.bilateral_by_body != NULL) {
    int *body = base_arena_ints(arena, 2 * m->ns);
    double *columns = base_arena_doubles(arena, 2 * m->ns * m->nv);
    m->ops->bodies.bilateral_by_body(m, q, body, columns);
    put_rows(m->ns, m->nv, body, columns, W, arena);
    return;
  }
  double *WS = base_arena_matrix(arena, m->nu, m->ns);
  mech_bilateral_directions(m, q, WS, arena);
  la_blocks_init(W, 1, m->nu, arena);
  for (int i = 0; i < m->ns; ++i) {
    la_copy(m->nu, WS + (long)i * m->nu, la_blocks_push(W, i, 0));
  }
}

void mech_discrete_rows(const struct mech *m, const double *u, const double *a, const double *b,
                        struct la_blocks *D, struct base_arena *arena) {
  if (is_by_body(m)) {
    const int nq = m->nq / m->nb;
    int *body = base_arena_ints(arena, 2 * m->ns);
    double *columns = base_arena_doubles(arena, 2 * m->ns * nq);
    if (u != NULL) {
      m->ops->consistent.discrete_rate_by_body(m, u, a, b, body, columns);
    } else {
      m->ops->consistent.discrete_bilateral_by_body(m, a, b, body, columns);
    }
    put_rows(m->ns, nq, body, columns, D, arena);
    return;
  }
  double *dense = base_arena_matrix(arena, m->ns, m->nq);
  if (u != NULL) {
    mech_discrete_rate(m, u, a, b, dense, arena);
  } else {
    mech_discrete_bilateral(m, a, b, dense, arena);
  }
  la_blocks_init(D, 1, m->nq, arena);
  for (int i = 0; i < m->ns; ++i) {
    double *row = la_blocks_push(D, i, 0);
    for (int j = 0; j < m->nq; ++j) {
      row[j] = dense[(long)j * m->ns + i];
    }
  }
}

void mech_damping_blocks(const struct mech *m, const double *u, const double *q, double t,
                         struct la_blocks *D, struct base_arena *arena) {
  la_blocks_init(D, mech_block_nq(m), mech_block_nq(m), arena);
  if (is_by_body(m)) {
    m->ops->consistent.damping_by_body(m, u, q, t, D);
  } else {
    m->ops->consistent.damping_matrix(m, u, q, t, la_blocks_push(D, 0, 0));
  }
}

/* P: nq = dt DV - DgS^T lambda, of the step with the end b. */
static void gradient_at(const struct mech *m, const struct mech_step *step, const double *b,
                        double *P, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  mech_discrete_potential(m, step->a, b, P, arena);
  for (int j = 0; j < m->nq; ++j) {
    P[j] *= step->dt;
  }
  if (m->ns > 0) {
    struct la_blocks D;
    mech_discrete_rows(m, NULL, step->a, b, &D, arena);
    la_blocks_apply_t(&D, -1, step->lambda, P);
  }
  base_arena_release(arena, mark);
}

void mech_stiffness_blocks(const struct mech *m, const struct mech_step *step, double h,
                           struct la_blocks *S, struct base_arena *arena) {
  const int nq = m->nq;
  la_blocks_init(S, mech_block_nq(m), mech_block_nq(m), arena);
  if (is_by_body(m)) {
    m->ops->consistent.discrete_stiffness_by_body(m, step, S);
    return;
  }
  double *dense = la_blocks_push(S, 0, 0);
  if (m->ops->consistent.discrete_stiffness != NULL) {
    m->ops->consistent.discrete_stiffness(m, step, dense);
    return;
  }
  double *x = base_arena_doubles(arena, nq), *P = base_arena_doubles(arena, nq);
  gradient_at(m, step, step->b, P, arena);
  la_copy(nq, step->b, x);
  for (int j = 0; j < nq; ++j) {
    double *column = dense + (long)j * nq;
    x[j] = step->b[j] + h;
    gradient_at(m, step, x, column, arena);
    for (int i = 0; i < nq; ++i) {
      column[i] = (column[i] - P[i]) / h;
    }
    x[j] = step->b[j];
  }
}
