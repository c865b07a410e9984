/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix of Newton's method for the equations of equations.c, nx x nx with the rows (R1, R2,
 * R3, R4); p the bracket of R1, and F' a the change of F a with q^M, at the midpoint scheme alone:
 *
 *          dq                      u^E                         lambda_S    kappa
 *   R1     F^T dp/dq + F'^T p /2   M + dt/2 (H(um) + d[H us])  -F^T DgS^T  -F^T Dgamma^T
 *                                    + dt F^T dDT/du                         - H(um) M^-1 W_S
 *   R2     1 - dt/2 F' us          -dt/2 F                     0           F M^-1 W_S
 *   R3     dg_S/dq(q^E)            0                           0           0
 *   R4     dgamma_S/dq(q^E)        W_S(q^E)^T                  0           0
 *
 * Left out: how Dgamma^T kappa changes with q^E and u^E, and how W does where the system does not
 * say it, dt times smaller than what stands beside them. Solutions do not depend on the matrix. All
 * of it comes by body where the system offers that: then it is as sparse as the joints are few.
 */
#include "form/consistent/equations.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

/* Forward differences, relative to the size of what is moved: for the matrix only. */
static const double DIFFERENCE = 1e-7;

/* A += alpha B, B's first row and column at (row, col). */
static void add_blocks(struct la_system *A, int row, int col, double alpha,
                       const struct la_blocks *B) {
  for (int k = 0; k < B->n; ++k) {
    const double *block = la_blocks_at(B, k);
    for (int j = 0; j < B->cols; ++j) {
      for (int i = 0; i < B->rows; ++i) {
        const double value = alpha * block[(long)j * B->rows + i];
        if (value != 0) {
          la_system_add(A, row + B->row[k] * B->rows + i, col + B->col[k] * B->cols + j, value);
        }
      }
    }
  }
}

static void add_diagonal(struct la_system *A, int row, int col, int n, double value) {
  for (int i = 0; i < n; ++i) {
    la_system_add(A, row + i, col + i, value);
  }
}

static double difference_step(const struct mech *m) {
  return DIFFERENCE * fmin(m->length > 0 ? m->length : 1, 1);
}

static void add_all(const struct la_blocks *from, struct la_blocks *S) {
  for (int k = 0; k < from->n; ++k) {
    la_copy((long)S->rows * S->cols, la_blocks_at(from, k),
            la_blocks_push(S, from->row[k], from->col[k]));
  }
}

/* How dt DT changes with q^E, into S, and with u^E, times F^T, into the system. Both of one block.
 */
static void put_kinetic(struct form_consistent_equations *o, const double *u, struct la_blocks *S) {
  const struct mech *m = o->c->mech;
  const int n = o->nq;
  const double h = difference_step(m), h_u = DIFFERENCE * fmax(la_norm_inf(o->nu, u), m->speed);
  double *q = base_arena_doubles(o->arena, n), *v = base_arena_doubles(o->arena, o->nu);
  double *change = base_arena_doubles(o->arena, n), *column = base_arena_doubles(o->arena, o->nu);
  double *block = la_blocks_push(S, 0, 0);
  la_copy(n, o->qE, q);
  la_copy(o->nu, u, v);
  for (int j = 0; j < n; ++j) {
    q[j] += h;
    mech_discrete_kinetic(m, u, o->qB, q, change, o->arena);
    q[j] = o->qE[j];
    for (int i = 0; i < n; ++i) {
      block[(long)j * n + i] = o->dt * (change[i] - o->DT[i]) / h;
    }
  }
  for (int j = 0; j < o->nu; ++j) {
    v[j] += h_u;
    mech_discrete_kinetic(m, v, o->qB, o->qE, change, o->arena);
    v[j] = u[j];
    la_axpy(n, -1, o->DT, change);
    memset(column, 0, (size_t)o->nu * sizeof *column);
    la_blocks_apply_t(&o->F, o->dt / h_u, change, column);
    for (int i = 0; i < o->nu; ++i) {
      la_system_add(o->c->system, i, o->nq + j, column[i]);
    }
  }
}

/* -lambda_N dDgN/dq of all contacts, of systems of one block that offer it. */
static void put_gap_slopes(struct form_consistent_equations *o, const double *lambda,
                           struct la_blocks *S) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  double *slope = base_arena_matrix(o->arena, o->nq, o->nq);
  for (int i = 0; i < c->closed.n; ++i) {
    m->ops->consistent.discrete_gap_slope(m, c->closed.id[i], o->qB, o->qE, slope);
    la_axpy((long)o->nq * o->nq, -lambda[i * m->dim], slope, la_blocks_push(S, 0, 0));
  }
}

/* F'^T p / 2 into c->slope, -dt/2 F' us into the system. F is block-diagonal. */
static void put_turning(struct form_consistent_equations *o) {
  struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  struct base_arena *arena = o->arena;
  const double h = difference_step(m);
  const int nq = o->F.rows, nu = o->F.cols, blocks = o->F.n, first = c->slope.n;
  struct la_blocks F;
  for (int b = 0; b < blocks; ++b) {
    la_blocks_push(&c->slope, b, b);
  }
  double *q = base_arena_doubles(arena, o->nq), *column = base_arena_doubles(arena, nq);
  la_copy(o->nq, o->qM, q);
  for (int l = 0; l < nq; ++l) { /* coordinate l of all blocks at once */
    for (int b = 0; b < blocks; ++b) {
      q[(long)b * nq + l] += h;
    }
    const struct base_arena_mark mark = base_arena_mark(arena);
    mech_kinematics_blocks(m, q, &F, arena);
    for (int b = 0; b < blocks; ++b) {
      double *change = la_blocks_at(&F, b);
      la_axpy(nq * nu, -1, la_blocks_at(&o->F, b), change);
      la_gemv_t(nq, nu, 0.5 / h, change, o->p + (long)b * nq, 0,
                la_blocks_at(&c->slope, first + b) + (long)l * nu);
      la_gemv(nq, nu, -0.5 * o->dt / h, change, o->us + (long)b * nu, 0, column);
      for (int i = 0; i < nq; ++i) {
        if (column[i] != 0) {
          la_system_add(c->system, o->nu + b * nq + i, b * nq + l, column[i]);
        }
      }
      q[(long)b * nq + l] = o->qM[(long)b * nq + l];
    }
    base_arena_release(arena, mark);
  }
}

/* Columns of dq of R1 into c->slope, and of R2. */
static void put_coordinates(struct form_consistent_equations *o, const double *x,
                            const double *lambda) {
  struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->F.rows, nu = o->F.cols;
  struct la_blocks S;
  base_arena_empty(c->store);
  la_blocks_init(&c->slope, nu, nq, c->store);
  const struct mech_step step = {
      .a = o->qB, .b = o->qE, .u = x + o->nq, .dt = o->dt, .lambda = x + o->nq + o->nu};
  mech_stiffness_blocks(m, &step, difference_step(m), &S, o->arena);
  add_all(&o->D, &S);
  add_all(&o->G, &S);
  if (o->DT != NULL) {
    put_kinetic(o, x + o->nq, &S);
  }
  if (c->scheme.discrete_gap && m->ops->consistent.discrete_gap_slope != NULL && S.rows == o->nq) {
    put_gap_slopes(o, lambda, &S);
  }
  for (int k = 0; k < S.n; ++k) { /* F^T S */
    la_gemm_t(nu, nq, nq, 1, la_blocks_at(&o->F, S.row[k]), la_blocks_at(&S, k), 0,
              la_blocks_push(&c->slope, S.row[k], S.col[k]));
  }
  if (c->scheme.midpoint && m->ops->kinematics != NULL) {
    put_turning(o);
  }
}

/* Columns of u^E. H is linear. */
static void put_velocities(const struct form_consistent_equations *o) {
  struct la_system *A = o->c->system;
  const struct mech *m = o->c->mech;
  const int nq = o->nq, nu = o->nu, nv = m->nv;
  add_blocks(A, 0, nq, 1, &o->c->mass);
  add_blocks(A, nu, nq, -0.5 * o->dt, &o->F);
  if (o->nr > 0) {
    add_blocks(A, nu + nq + o->ns, nq, 1, &o->WSE);
  }
  if (!o->has_gyro) {
    return;
  }
  add_blocks(A, 0, nq, 0.5 * o->dt, &o->H);
  double *unit = base_arena_doubles(o->arena, nu), *column = base_arena_doubles(o->arena, nu);
  for (int l = 0; l < nv; ++l) { /* velocity l of all blocks at once */
    struct la_blocks H;
    const struct base_arena_mark mark = base_arena_mark(o->arena);
    for (int j = 0; j < nu; ++j) {
      unit[j] = j % nv == l;
      column[j] = 0;
    }
    mech_gyro_blocks(m, unit, &H, o->arena);
    la_blocks_apply(&H, 0.5 * o->dt, o->us, column);
    for (int j = 0; j < nu; ++j) {
      if (column[j] != 0) {
        la_system_add(A, j, nq + j / nv * nv + l, column[j]);
      }
    }
    base_arena_release(o->arena, mark);
  }
}

/* -F^T D^T of the rows D in the columns from col on. */
static void put_forces_of(const struct form_consistent_equations *o, const struct la_blocks *D,
                          int col) {
  const int nq = o->F.rows, nu = o->F.cols;
  double *column = base_arena_doubles(o->arena, nu);
  for (int k = 0; k < D->n; ++k) {
    la_gemv_t(nq, nu, -1, la_blocks_at(&o->F, D->col[k]), la_blocks_at(D, k), 0, column);
    for (int i = 0; i < nu; ++i) {
      if (column[i] != 0) {
        la_system_add(o->c->system, D->col[k] * nu + i, col + D->row[k], column[i]);
      }
    }
  }
}

/* Columns of lambda_S and kappa, and the rows R3 and R4 by dq. */
static void put_multipliers(const struct form_consistent_equations *o, const double *x) {
  struct la_system *A = o->c->system;
  const struct mech *m = o->c->mech;
  struct base_arena *arena = o->arena;
  const int nq = o->nq, nu = o->nu, ns = o->ns, kappa = nq + nu + ns;
  struct la_blocks rows;
  put_forces_of(o, &o->DgS, nq + nu);
  mech_discrete_rows(m, NULL, o->qE, o->qE, &rows, arena); /* a = b: derivatives */
  add_blocks(A, nu + nq, 0, 1, &rows);
  if (o->nr == 0) {
    return;
  }
  put_forces_of(o, &o->Dgamma, kappa);
  mech_discrete_rows(m, x + nq, o->qE, o->qE, &rows, arena);
  add_blocks(A, nu + nq + ns, 0, 1, &rows);
  const int size = o->F.cols, height = o->F.rows, nv = m->nv;
  double *column = base_arena_doubles(arena, height + size);
  for (int k = 0; k < o->MWS.n; ++k) {
    const double *w = la_blocks_at(&o->MWS, k);
    const int block = o->MWS.col[k], at = kappa + o->MWS.row[k];
    la_gemv(height, size, 1, la_blocks_at(&o->F, block), w, 0, column);
    for (int i = 0; i < height; ++i) {
      if (column[i] != 0) {
        la_system_add(A, nu + block * height + i, at, column[i]);
      }
    }
    for (int b = 0; b < size / nv && o->has_gyro; ++b) { /* H has blocks of its own */
      const int own = block * (size / nv) + b;
      la_gemv(nv, nv, -1, la_blocks_at(&o->H, own), w + b * nv, 0, column);
      for (int i = 0; i < nv; ++i) {
        if (column[i] != 0) {
          la_system_add(A, own * nv + i, at, column[i]);
        }
      }
    }
  }
}

/* Constraints that others imply: their equations and multipliers go. */
static void leave_out(const struct form_consistent_equations *o) {
  struct form_consistent *c = o->c;
  int *is_out = base_arena_ints(o->arena, o->nx), count = 0;
  for (int i = 0; i < o->ns; ++i) {
    c->J_left_out[i] = c->left_out[i];
    count += c->left_out[i];
  }
  for (int i = 0; i < o->ns + o->nr && count > 0; ++i) {
    is_out[o->nq + o->nu + i] = c->left_out[i % o->ns];
  }
  if (count > 0) {
    la_system_leave_out(c->system, is_out);
  }
}

int form_consistent_renew(struct form_consistent_equations *o, const double *x,
                          const double *lambda) {
  struct form_consistent *c = o->c;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  la_system_begin(c->system);
  put_coordinates(o, x, lambda);
  add_blocks(c->system, 0, 0, 1, &c->slope);
  add_diagonal(c->system, o->nu, 0, o->nq, 1);
  put_velocities(o);
  if (o->ns > 0) {
    put_multipliers(o, x);
    leave_out(o);
  }
  base_arena_release(o->arena, mark);
  if (la_system_factor(c->system) != BASE_OK) {
    c->J_dt = 0;
    base_message_prefix("the equations of motion cannot be solved: ");
    return BASE_FAILED;
  }
  c->J_dt = o->dt;
  return BASE_OK;
}
