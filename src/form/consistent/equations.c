/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion over a step with given velocity u^C at its start (moeller 5.72;
 * 5.95, 5.107 with contacts, 5.126 with damping):
 *
 *   R1 = Q^T M (u^E - u^C) + (H + D) dq + dt DV^T - DgS^T lambda_S - Dgamma^T kappa - W lambda
 *        - dt Q^T f
 *   R2 = -M Q dq + dt/2 M (u^C + u^E) - W_S(q^B) kappa
 *   R3 = g_S(q^E),   R4 = W_S(q^E)^T u^E
 *
 * Q, H, D and the applied forces f at the start of the step; DV, DgS, Dgamma are discrete
 * derivatives between q^B and q^E; with a mass matrix M(q) by qdot (5.58) M is that of the start, Q
 * the identity, H the matrix G (5.54) and R1 has dt DT/Dq(u^E, q^B, q^E)^T too; W in q-space (Q^T W
 * of the mech contract), its normal columns from q^B or discrete. dq is the unknown, not q^E: it
 * keeps its digits when steps are short.
 *
 * Q and H at the start instead of the middle of the step make the scheme first order unless Q = I.
 */
#include "form/consistent/equations.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>

/* Difference step over the problem's length: forward differences, for the Jacobian only. */
#define FORM_CONSISTENT_STEP 1e-6

static void prepare_directions(struct form_consistent_equations *o, const double *Q) {
  const struct form_consistent *c = o->c;
  form_consistent_directions(c, o->W);
  if (Q != NULL && o->nk > 0) {
    double *w = base_arena_matrix(o->arena, o->nq, o->nk);
    la_copy((long)o->nq * o->nk, o->W, w);
    la_gemm_t(o->nq, o->nk, o->nq, 1, Q, w, 0, o->W);
  }
}

/* All that stays constant over the step. */
int form_consistent_prepare(struct form_consistent_equations *o, double t) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->nq = c->nq;
  struct base_arena *arena = o->arena;
  double *Q = NULL;
  o->ns = c->ns;
  o->nr = c->nr;
  o->nx = c->unknowns;
  o->nk = m->dim * c->closed.n;
  if (c->scheme.coordinates && form_consistent_mass(o->c, o->qB) != BASE_OK) {
    return BASE_FAILED;
  }
  o->MQ = base_arena_matrix(arena, nq, nq);
  la_copy((long)nq * nq, c->M, o->MQ);
  if (m->ops->decomposition != NULL) {
    Q = base_arena_matrix(arena, nq, nq);
    o->F = base_arena_matrix(arena, nq, nq);
    m->ops->decomposition(m, o->qB, Q);
    m->ops->kinematics(m, o->qB, o->F);
    la_gemm(nq, nq, nq, 1, c->M, Q, 0, o->MQ);
  }
  if (m->ops->gyro != NULL || m->ops->damping_matrix != NULL || c->scheme.coordinates) {
    o->HD = base_arena_matrix(arena, nq, nq);
  }
  if (c->scheme.coordinates) {
    o->DT = base_arena_doubles(arena, nq);
    mech_coordinate_gyro(m, o->uC, o->qB, o->HD, arena);
  }
  if (m->ops->gyro != NULL) {
    m->ops->gyro(m, o->uC, o->qB, o->HD);
  }
  if (m->ops->damping_matrix != NULL) {
    o->D = base_arena_matrix(arena, nq, nq);
    m->ops->damping_matrix(m, o->uC, o->qB, t, o->D);
    la_axpy((long)nq * nq, 1, o->D, o->HD);
  }
  if (m->ops->applied != NULL) {
    o->f = base_arena_doubles(arena, nq);
    o->pushed = base_arena_doubles(arena, nq);
    m->ops->applied(m, o->qB, o->uC, t, o->f);
    la_axpy(nq, o->dt, o->f, o->pushed);
    if (Q != NULL) {
      la_gemv_t(nq, nq, o->dt, Q, o->f, 0, o->pushed);
    }
  }
  o->WSB = base_arena_matrix(arena, nq, o->ns);
  o->WSE = base_arena_matrix(arena, nq, o->ns);
  if (o->ns > 0) {
    mech_bilateral_directions(m, o->qB, o->WSB, o->arena);
  }
  o->W = base_arena_matrix(arena, nq, o->nk);
  prepare_directions(o, Q);
  o->qE = base_arena_doubles(arena, nq);
  o->DV = base_arena_doubles(arena, nq);
  o->DgS = base_arena_matrix(arena, o->ns, nq);
  o->Dgamma = base_arena_matrix(arena, o->ns, nq);
  o->pull = base_arena_doubles(arena, nq);
  o->held = base_arena_doubles(arena, nq);
  return BASE_OK;
}

static void discrete_directions(struct form_consistent_equations *o) {
  const struct form_consistent *c = o->c;
  const int dim = c->mech->dim;
  for (int i = 0; i < c->closed.n; ++i) {
    mech_discrete_gap(c->mech, c->closed.id[i], o->qB, o->qE, o->W + (long)i * dim * o->nq,
                      o->arena);
  }
}

void form_consistent_evaluate(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *R) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->nq, ns = o->ns, nr = o->nr;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const double *dq = x, *u = x + nq, *lambda_S = x + 2 * nq, *kappa = lambda_S + ns;
  double *R1 = R, *R2 = R + nq, *R3 = R + 2 * nq, *R4 = R3 + ns;
  double *change = base_arena_doubles(o->arena, nq), *mean = base_arena_doubles(o->arena, nq);
  for (int j = 0; j < nq; ++j) {
    o->qE[j] = o->qB[j] + dq[j];
    change[j] = u[j] - o->uC[j];
    mean[j] = 0.5 * (u[j] + o->uC[j]);
  }
  mech_discrete_potential(m, o->qB, o->qE, o->DV, o->arena);
  la_gemv_t(nq, nq, 1, o->MQ, change, 0, R1);
  la_axpy(nq, o->dt, o->DV, R1);
  if (o->DT != NULL) {
    mech_discrete_kinetic(m, u, o->qB, o->qE, o->DT, o->arena);
    la_axpy(nq, o->dt, o->DT, R1);
  }
  if (o->HD != NULL) {
    la_gemv(nq, nq, 1, o->HD, dq, 1, R1);
  }
  if (o->pushed != NULL) {
    la_axpy(nq, -1, o->pushed, R1);
  }
  la_gemv(nq, nq, -1, o->MQ, dq, 0, R2);
  la_gemv(nq, nq, o->dt, c->M, mean, 1, R2);
  if (ns > 0) {
    mech_discrete_bilateral(m, o->qB, o->qE, o->DgS, o->arena);
    la_gemv_t(ns, nq, 1, o->DgS, lambda_S, 0, o->pull);
    la_axpy(nq, -1, o->pull, R1);
    m->ops->bilateral(m, o->qE, R3);
  }
  if (nr > 0) {
    mech_discrete_rate(m, u, o->qB, o->qE, o->Dgamma, o->arena);
    mech_bilateral_directions(m, o->qE, o->WSE, o->arena);
    la_gemv_t(nr, nq, -1, o->Dgamma, kappa, 1, R1);
    la_gemv(nq, nr, -1, o->WSB, kappa, 1, R2);
    la_gemv_t(nq, nr, 1, o->WSE, u, 0, R4);
  }
  if (o->nk > 0) {
    if (c->scheme.discrete_gap) {
      discrete_directions(o);
    }
    la_gemv(nq, o->nk, 1, o->W, lambda, 0, o->held);
    la_axpy(nq, -1, o->held, R1);
  }
  base_arena_release(o->arena, mark);
}

static void put_block(int nx, double *J, int row, int col, int rows, int cols, double alpha,
                      const double *A) {
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      J[(long)(col + j) * nx + row + i] = alpha * A[(long)j * rows + i];
    }
  }
}

/* The same with A^T, A: cols x rows. */
static void put_transposed(int nx, double *J, int row, int col, int rows, int cols, double alpha,
                           const double *A) {
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) {
      J[(long)(col + j) * nx + row + i] = alpha * A[(long)i * cols + j];
    }
  }
}

/* dR1/du of the terms that are not linear with constant coefficients: DT/Dq, by forward
 * differences. y: nx, a copy of x. */
static void put_kinetic(const struct form_consistent_equations *o, const double *x, double *y,
                        double *J) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->nq, nx = o->nx;
  const double h = FORM_CONSISTENT_STEP * fmax(la_norm_inf(nq, x + nq), m->speed);
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *now = base_arena_doubles(o->arena, nq), *base = base_arena_doubles(o->arena, nq);
  mech_discrete_kinetic(m, x + nq, o->qB, o->qE, base, o->arena);
  for (int j = 0; j < nq; ++j) {
    y[nq + j] = x[nq + j] + h;
    mech_discrete_kinetic(m, y + nq, o->qB, o->qE, now, o->arena);
    for (int i = 0; i < nq; ++i) {
      J[(long)(nq + j) * nx + i] += o->dt * (now[i] - base[i]) / h;
    }
    y[nq + j] = x[nq + j];
  }
  base_arena_release(o->arena, mark);
}

/* The columns of dq by forward differences. y, R: nx, x and R at x on entry, scratch. */
static void put_differenced(struct form_consistent_equations *o, const double *x,
                            const double *lambda, double *y, double *R, double *J) {
  const int nx = o->nx;
  double *R0 = base_arena_doubles(o->arena, nx);
  la_copy(nx, R, R0);
  const double length = o->c->mech->length > 0 ? fmin(o->c->mech->length, 1) : 1;
  const double h = FORM_CONSISTENT_STEP * length;
  for (int j = 0; j < o->nq; ++j) {
    y[j] = x[j] + h;
    form_consistent_evaluate(o, y, lambda, R);
    for (int i = 0; i < nx; ++i) {
      J[(long)j * nx + i] = (R[i] - R0[i]) / h;
    }
    y[j] = x[j];
  }
}

int form_consistent_is_exact(const struct form_consistent *c) {
  const struct mech_ops *ops = c->mech->ops;
  return ops->discrete_stiffness != NULL && (!c->scheme.coordinates || c->mech->constant_mass) &&
         (c->closed.n == 0 || !c->scheme.discrete_gap || ops->discrete_gap_slope != NULL);
}

/* d(Dgamma^T kappa)/du, which is linear in u, subtracted from R1's columns of u. */
static void put_rate(const struct form_consistent_equations *o, const double *kappa, double *J) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int nq = o->nq, nr = o->nr;
  double *unit = base_arena_doubles(o->arena, nq), *D = base_arena_matrix(o->arena, nr, nq);
  for (int j = 0; j < nq; ++j) {
    unit[j] = 1;
    mech_discrete_rate(o->c->mech, unit, o->qB, o->qE, D, o->arena);
    la_gemv_t(nr, nq, -1, D, kappa, 1, J + (long)(nq + j) * o->nx);
    unit[j] = 0;
  }
  base_arena_release(o->arena, mark);
}

/* The same columns, and what kappa adds to those of u, from the system's own derivatives; o was
 * evaluated at x. */
static void put_exact(struct form_consistent_equations *o, const double *x, const double *lambda,
                      double *J) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->nq, ns = o->ns, nr = o->nr, nx = o->nx;
  double *S = base_arena_matrix(o->arena, nq, nq), *D = base_arena_matrix(o->arena, ns, nq);
  double *slope = base_arena_matrix(o->arena, nq, nq);
  const double *lambda_S = x + 2 * nq, *kappa = lambda_S + ns;
  m->ops->discrete_stiffness(m, x + nq, o->dt, lambda_S, nr > 0 ? kappa : NULL, o->qB, o->qE, S);
  if (o->HD != NULL) {
    la_axpy((long)nq * nq, 1, o->HD, S);
  }
  for (int i = 0; i < c->closed.n && c->scheme.discrete_gap; ++i) {
    m->ops->discrete_gap_slope(m, c->closed.id[i], o->qB, o->qE, slope);
    la_axpy((long)nq * nq, -lambda[i * m->dim], slope, S);
  }
  put_block(nx, J, 0, 0, nq, nq, 1, S);
  if (ns > 0) { /* the limit a = b of a discrete derivative is the derivative */
    mech_discrete_bilateral(m, o->qE, o->qE, D, o->arena);
    put_block(nx, J, 2 * nq, 0, ns, nq, 1, D);
  }
  if (nr > 0) {
    mech_discrete_rate(m, x + nq, o->qE, o->qE, D, o->arena);
    put_block(nx, J, 2 * nq + ns, 0, nr, nq, 1, D);
    put_rate(o, kappa, J);
  }
}

/* Exact where the system offers the derivatives it takes. Else by forward differences in dq, and
 * exact in the others but for the part of R1 linear in both u and kappa (kappa is small, of the
 * order of the discretisation error). */
void form_consistent_jacobian(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *J) {
  const struct form_consistent *c = o->c;
  const int nq = o->nq, ns = o->ns, nr = o->nr, nx = o->nx;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *y = base_arena_doubles(o->arena, nx), *R = base_arena_doubles(o->arena, nx);
  la_copy(nx, x, y);
  form_consistent_evaluate(o, x, lambda, R);
  for (long k = 0; k < (long)nx * nx; ++k) {
    J[k] = 0;
  }
  put_transposed(nx, J, 0, nq, nq, nq, 1, o->MQ);
  put_block(nx, J, nq, nq, nq, nq, 0.5 * o->dt, c->M);
  if (o->DT != NULL && !c->mech->constant_mass) {
    put_kinetic(o, x, y, J);
  }
  if (ns > 0) {
    put_transposed(nx, J, 0, 2 * nq, nq, ns, -1, o->DgS);
  }
  if (nr > 0) {
    put_transposed(nx, J, 0, 2 * nq + ns, nq, nr, -1, o->Dgamma);
    put_block(nx, J, nq, 2 * nq + ns, nq, nr, -1, o->WSB);
    put_transposed(nx, J, 2 * nq + ns, nq, nr, nq, 1, o->WSE);
  }
  if (form_consistent_is_exact(c)) {
    put_exact(o, x, lambda, J);
  } else {
    put_differenced(o, x, lambda, y, R, J);
  }
  put_block(nx, J, nq, 0, nq, nq, -1, o->MQ);
  base_arena_release(o->arena, mark);
}

int form_consistent_renew(struct form_consistent_equations *o, const double *x,
                          const double *lambda) {
  struct form_consistent *c = o->c;
  const int nq = o->nq, nx = o->nx;
  double *J = c->LU;
  form_consistent_jacobian(o, x, lambda, J);
  for (int j = 0; j < nq; ++j) {
    for (int i = 0; i < nq; ++i) {
      c->K[(long)j * nq + i] = fabs(J[(long)j * nx + i]);
    }
  }
  if (!la_all_finite((long)nx * nx, J) || la_lu_factor(nx, J, c->piv) != BASE_OK) {
    c->J_dt = 0;
    return base_fail(BASE_FAILED, "the equations of motion are singular (dependent bilateral "
                                  "constraints?)");
  }
  c->J_dt = o->dt;
  return BASE_OK;
}
