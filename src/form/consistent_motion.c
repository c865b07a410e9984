/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Motion over a step with given velocity u^C at its start (moeller 5.72; 5.95, 5.107 with contacts,
 * 5.126 with damping). Unknowns x = (dq, u^E, lambda_S, kappa_S), with dq = q^E - q^B, and lambda:
 *
 *   R1 = Q^T M (u^E - u^C) + (H + D) dq + dt DV^T - DgS^T lambda_S - Dgamma^T kappa - W lambda
 *        - dt Q^T f
 *   R2 = -M Q dq + dt/2 M (u^C + u^E) - W_S(q^B) kappa
 *   R3 = g_S(q^E),   R4 = W_S(q^E)^T u^E,   xi = W^T dq in N_C(-lambda)
 *
 * Q, H, D, f at the start of the step; D* are discrete derivatives between q^B and q^E; W in
 * q-space (Q^T W of the mech contract), its normal columns from q^B or discrete. Without contacts R
 * = 0 conserves energy for any dt (5.77), so only the residual reached limits the drift, and
 * Newton's method goes on until round-off stops it.
 *
 * Each iteration solves the linearised system together with the exact contact inclusion: with
 * z = J^-1 R and Y = -J^-1 [W; 0; 0; 0], x = x_k - z + Y (lambda - lambda_k), hence
 * v = W^T dq / dt = A lambda + b, a one-step problem. This replaces the projected Newton iteration
 * (2.72), which moves lambda by one projection a step and stalls far from round-off. J is kept over
 * iterations and steps while it contracts well (the answer does not depend on it).
 *
 * The work of contacts, damping and applied forces follows from (dq)^T R1 + (u^E - u^C)^T R2 = 0:
 * E^E - E^C = [dq^T W lambda - dq^T D dq] / dt + (Q dq)^T f   (5.111, 5.127).
 */
#include "form/consistent.h"

#include "base/status.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>

enum {
  FORM_CONSISTENT_ITERATIONS = 50, /* a step that needs more has a Jacobian that does not help */
  FORM_CONSISTENT_IDLE = 2,        /* iterations near round-off without progress, then stop */
  FORM_CONSISTENT_STUCK = 8        /* the same elsewhere, each with a new Jacobian */
};
/* Scaled residual of round-off: nothing left to improve. */
#define FORM_CONSISTENT_ROUNDOFF DBL_EPSILON
/* Below this the residual is dominated by rounding in the functions, not by the Jacobian. */
#define FORM_CONSISTENT_NEAR 1e-13
/* Scaled residual that counts as solved: round-off with room for models whose functions cancel. */
#define FORM_CONSISTENT_SOLVED 1e-12
/* A kept Jacobian must gain one digit an iteration. */
#define FORM_CONSISTENT_CONTRACTION 0.1
/* Steps of different length share a Jacobian up to this relative difference. */
#define FORM_CONSISTENT_SAME_DT 1e-3
/* Difference step over the problem's length: forward differences, for the Jacobian only. */
#define FORM_CONSISTENT_STEP 1e-6

struct motion {
  struct form_consistent *c;
  double dt;
  int nq, ns, nr, nx, nk;   /* nk: contact components */
  const double *qB, *uC;    /* nq */
  double *MQ, *HD, *D, *F;  /* nq x nq; F NULL: identity; D, HD NULL: zero */
  double *WSB;              /* nq x ns */
  double *f, *pushed;       /* nq: applied forces [u-space], dt Q^T f; NULL without */
  double *WB;               /* nq x nk, contact directions at q^B [q-space] */
  double *qE, *DV;          /* nq; these and below at the last evaluation */
  double *DgS, *Dgamma;     /* ns x nq, nr x nq */
  double *WSE;              /* nq x ns, u-space */
  double *W;                /* nq x nk */
  double *pull, *held;      /* nq: DgS^T lambda_S, W lambda */
  struct base_arena *arena; /* of the setup */
};

static void prepare_directions(struct motion *o, const double *Q) {
  const struct form_consistent *c = o->c;
  form_consistent_directions(c, o->WB);
  if (Q != NULL && o->nk > 0) {
    double *w = base_arena_doubles(o->arena, o->nq * o->nk);
    la_copy(o->nq * o->nk, o->WB, w);
    la_gemm_t(o->nq, o->nk, o->nq, 1, Q, w, 0, o->WB);
  }
  la_copy(o->nq * o->nk, o->WB, o->W);
}

/* All that stays constant over the step. */
static void prepare(struct motion *o, double t) {
  const struct form_consistent *c = o->c;
  const struct mech *m = c->mech;
  const int nq = o->nq;
  struct base_arena *arena = o->arena;
  double *Q = NULL;
  o->MQ = base_arena_doubles(arena, nq * nq);
  la_copy(nq * nq, c->M, o->MQ);
  if (m->ops->decomposition != NULL) {
    Q = base_arena_doubles(arena, nq * nq);
    o->F = base_arena_doubles(arena, nq * nq);
    m->ops->decomposition(m, o->qB, Q);
    m->ops->kinematics(m, o->qB, o->F);
    la_gemm(nq, nq, nq, 1, c->M, Q, 0, o->MQ);
  }
  if (m->ops->gyro != NULL || m->ops->damping_matrix != NULL) {
    o->HD = base_arena_doubles(arena, nq * nq);
  }
  if (m->ops->gyro != NULL) {
    m->ops->gyro(m, o->uC, o->qB, o->HD);
  }
  if (m->ops->damping_matrix != NULL) {
    o->D = base_arena_doubles(arena, nq * nq);
    m->ops->damping_matrix(m, o->uC, o->qB, t, o->D);
    la_axpy(nq * nq, 1, o->D, o->HD);
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
  o->WSB = base_arena_doubles(arena, nq * o->ns);
  o->WSE = base_arena_doubles(arena, nq * o->ns);
  if (o->ns > 0) {
    m->ops->bilateral_directions(m, o->qB, o->WSB);
  }
  o->WB = base_arena_doubles(arena, nq * o->nk);
  o->W = base_arena_doubles(arena, nq * o->nk);
  prepare_directions(o, Q);
  o->qE = base_arena_doubles(arena, nq);
  o->DV = base_arena_doubles(arena, nq);
  o->DgS = base_arena_doubles(arena, o->ns * nq);
  o->Dgamma = base_arena_doubles(arena, o->ns * nq);
  o->pull = base_arena_doubles(arena, nq);
  o->held = base_arena_doubles(arena, nq);
}

static void discrete_directions(struct motion *o) {
  const struct form_consistent *c = o->c;
  const int dim = c->mech->dim;
  for (int i = 0; i < c->closed.n; ++i) {
    mech_discrete_gap(c->mech, c->closed.id[i], o->qB, o->qE, o->W + (long)i * dim * o->nq,
                      o->arena);
  }
}

/* R: nx at x: nx and lambda: nk; leaves its parts in o. */
static void evaluate(struct motion *o, const double *x, const double *lambda, double *R) {
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
    m->ops->bilateral_directions(m, o->qE, o->WSE);
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

/* dR/dx at x into c->LU, factored: forward differences in dq, exact in the others but for the part
 * of R1 linear in both u and kappa (kappa is small, of the order of the discretisation error). */
static int renew_jacobian(struct motion *o, const double *x, const double *lambda) {
  struct form_consistent *c = o->c;
  const int nq = o->nq, ns = o->ns, nr = o->nr, nx = o->nx;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *J = c->LU;
  double *y = base_arena_doubles(o->arena, nx), *R0 = base_arena_doubles(o->arena, nx);
  double *R = base_arena_doubles(o->arena, nx);
  const double length = c->mech->length > 0 ? fmin(c->mech->length, 1) : 1;
  const double h = FORM_CONSISTENT_STEP * length;
  la_copy(nx, x, y);
  evaluate(o, y, lambda, R0);
  for (long k = 0; k < (long)nx * nx; ++k) {
    J[k] = 0;
  }
  put_transposed(nx, J, 0, nq, nq, nq, 1, o->MQ);
  put_block(nx, J, nq, nq, nq, nq, 0.5 * o->dt, c->M);
  if (ns > 0) {
    put_transposed(nx, J, 0, 2 * nq, nq, ns, -1, o->DgS);
  }
  if (nr > 0) {
    put_transposed(nx, J, 0, 2 * nq + ns, nq, nr, -1, o->Dgamma);
    put_block(nx, J, nq, 2 * nq + ns, nq, nr, -1, o->WSB);
    put_transposed(nx, J, 2 * nq + ns, nq, nr, nq, 1, o->WSE);
  }
  for (int j = 0; j < nq; ++j) {
    y[j] = x[j] + h;
    evaluate(o, y, lambda, R);
    for (int i = 0; i < nx; ++i) {
      J[(long)j * nx + i] = (R[i] - R0[i]) / h;
    }
    y[j] = x[j];
  }
  put_block(nx, J, nq, 0, nq, nq, -1, o->MQ);
  base_arena_release(o->arena, mark);
  if (!la_all_finite(nx * nx, J) || la_lu_factor(nx, J, c->piv) != BASE_OK) {
    c->LU_dt = 0;
    return base_fail(BASE_FAILED, "the equations of motion are singular (dependent bilateral "
                                  "constraints?)");
  }
  c->LU_dt = o->dt;
  return BASE_OK;
}

/* --- how far from solved --- */

/* |p| in the metric of the inverse mass matrix [sqrt(J)]; p: nq, in q-space when in_q. */
static double momentum_norm(const struct motion *o, const double *p, int in_q) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int nq = o->nq;
  double *a = base_arena_doubles(o->arena, nq), *b = base_arena_doubles(o->arena, nq);
  la_copy(nq, p, a);
  if (in_q && o->F != NULL) {
    la_gemv_t(nq, nq, 1, o->F, p, 0, a);
  }
  la_copy(nq, a, b);
  mech_mass_solve(o->c->mech, o->c->L, 1, b);
  const double square = la_dot(nq, a, b);
  base_arena_release(o->arena, mark);
  return sqrt(square);
}

static double product_norm(const struct motion *o, const double *A, const double *x, int in_q) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *p = base_arena_doubles(o->arena, o->nq);
  la_gemv(o->nq, o->nq, 1, A, x, 0, p);
  const double norm = momentum_norm(o, p, in_q);
  base_arena_release(o->arena, mark);
  return norm;
}

static double ratio(double a, double scale) { return a == 0 ? 0 : fabs(a) / scale; }

/* Rounding of V and g_S reaches discrete derivatives divided by |dq| (5.19): its size over machine
 * precision, in the units of R1. */
static double quotient_noise(const struct motion *o, const double *x) {
  const struct mech *m = o->c->mech;
  const int nq = o->nq, ns = o->ns;
  const double square = la_dot(nq, x, x);
  double size = 0;
  if (square == 0) {
    return 0;
  }
  if (m->ops->potential != NULL && m->ops->discrete_potential == NULL) {
    size += o->dt * (fabs(m->ops->potential(m, o->qB)) + fabs(m->ops->potential(m, o->qE)));
  }
  for (int i = 0; i < ns && m->ops->discrete_bilateral == NULL; ++i) {
    for (int j = 0; j < nq; ++j) {
      size += fabs(x[2 * nq + i] * o->DgS[(long)j * ns + i] * o->qE[j]);
    }
  }
  return momentum_norm(o, x, 1) * size / square;
}

/* Largest of: momentum and kinematic residuals in the kinetic metric over their terms, constraint
 * residuals over theirs. R at x was evaluated last. */
static double measure(const struct motion *o, const double *x, const double *R) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const int nq = o->nq, ns = o->ns;
  const double *dq = x, *u = x + nq;
  const double kick = o->dt * momentum_norm(o, o->DV, 1);
  const double rates = product_norm(o, o->c->M, o->uC, 0) + product_norm(o, o->c->M, u, 0);
  double forces = rates + kick + momentum_norm(o, o->pull, 1) + momentum_norm(o, o->held, 1) +
                  quotient_noise(o, x);
  if (o->HD != NULL) {
    forces += product_norm(o, o->HD, dq, 1);
  }
  if (o->pushed != NULL) {
    forces += momentum_norm(o, o->pushed, 1);
  }
  double worst = ratio(momentum_norm(o, R, 1), forces);
  const double way = product_norm(o, o->MQ, dq, 0) / o->dt;
  worst = fmax(worst, ratio(momentum_norm(o, R + nq, 0) / o->dt, way + 0.5 * rates + kick));
  const double q = la_norm_inf(nq, o->qE);
  const double speed = fmax(la_norm_inf(nq, u), la_norm_inf(nq, o->uC));
  for (int i = 0; i < ns; ++i) {
    double position = 0, rate = 0;
    for (int j = 0; j < nq; ++j) {
      position += fabs(o->DgS[(long)j * ns + i]) * q;
      rate += fabs(o->WSE[(long)i * nq + j]) * speed;
    }
    worst = fmax(worst, ratio(R[2 * nq + i], position));
    if (o->nr > 0) {
      worst = fmax(worst, ratio(R[2 * nq + ns + i], rate));
    }
  }
  base_arena_release(o->arena, mark);
  return isfinite(worst) ? worst : INFINITY;
}

/* Contact residual over the speeds in it and the speeds whose rounding gets there: a noise p of the
 * momentum moves v by up to |W| |p| in the kinetic metric, and with bilateral constraints q^E is
 * fixed by g_S to machine precision of q only. */
static double measure_contacts(const struct motion *o, const double *x, const double *A,
                               const double *b, const double *lambda, const double *v) {
  if (o->nk == 0) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const struct contact_model model = form_consistent_model(o->c);
  double *diag = base_arena_doubles(o->arena, model.nc * model.dim * model.dim);
  form_consistent_diagonal(o->c, A, diag);
  const struct contact_residual r = contact_residual(&model, diag, lambda, v, b);
  const double noise = quotient_noise(o, x), q = o->ns > 0 ? la_norm_inf(o->nq, o->qE) : 0;
  double resolved = 0;
  for (int k = 0; k < o->nk; ++k) {
    double sum = 0;
    for (int j = 0; j < o->nq; ++j) {
      sum += fabs(o->W[(long)k * o->nq + j]);
    }
    resolved = fmax(resolved, sum * q / o->dt + sqrt(fabs(A[(long)k * o->nk + k])) * noise);
  }
  base_arena_release(o->arena, mark);
  if (r.absolute == 0) {
    return 0;
  }
  return r.absolute / (r.absolute / r.relative_max + resolved);
}

/* --- Newton's method --- */

struct newton {
  double *x, *lambda, *best_x, *best_lambda; /* nx, nk */
  double *R, *z, *Y;                         /* nx, nx, nx x nk */
  double *A, *b, *v;                         /* nk x nk, nk, nk: contact problem and W^T dq / dt */
  double best;
};

static struct newton *newton_alloc(const struct motion *o) {
  struct base_arena *arena = o->arena;
  struct newton *w = base_arena_push(arena, sizeof *w);
  w->x = base_arena_doubles(arena, o->nx);
  w->best_x = base_arena_doubles(arena, o->nx);
  w->lambda = base_arena_doubles(arena, o->nk);
  w->best_lambda = base_arena_doubles(arena, o->nk);
  w->R = base_arena_doubles(arena, o->nx);
  w->z = base_arena_doubles(arena, o->nx);
  w->Y = base_arena_doubles(arena, o->nx * o->nk);
  w->A = base_arena_doubles(arena, o->nk * o->nk);
  w->b = base_arena_doubles(arena, o->nk);
  w->v = base_arena_doubles(arena, o->nk);
  w->best = INFINITY;
  return w;
}

/* z, Y and the contact problem at x. */
static void linearise(const struct motion *o, struct newton *w) {
  const struct form_consistent *c = o->c;
  const int nx = o->nx, nk = o->nk, nq = o->nq;
  la_copy(nx, w->R, w->z);
  la_lu_solve(nx, 1, c->LU, c->piv, w->z);
  if (nk == 0) {
    return;
  }
  for (int k = 0; k < nk; ++k) {
    for (int j = 0; j < nx; ++j) {
      w->Y[(long)k * nx + j] = j < nq ? o->W[(long)k * nq + j] : 0;
    }
  }
  la_lu_solve(nx, nk, c->LU, c->piv, w->Y);
  for (int k = 0; k < nk; ++k) {
    const double *Wk = o->W + (long)k * nq;
    for (int l = 0; l < nk; ++l) {
      w->A[(long)l * nk + k] = la_dot(nq, Wk, w->Y + (long)l * nx) / o->dt;
    }
    w->v[k] = la_dot(nq, Wk, w->x) / o->dt;
    w->b[k] = w->v[k] - la_dot(nq, Wk, w->z) / o->dt;
  }
  la_gemv(nk, nk, -1, w->A, w->lambda, 1, w->b);
}

static int advance(const struct motion *o, struct newton *w, int first,
                   struct form_report *report) {
  const int nx = o->nx, nk = o->nk;
  int status = BASE_OK;
  la_axpy(nx, -1, w->z, w->x);
  if (nk > 0) {
    const struct base_arena_mark mark = base_arena_mark(o->arena);
    double *change = base_arena_doubles(o->arena, nk), *v = base_arena_doubles(o->arena, nk);
    la_axpy(nk, -1, w->lambda, change);
    const int guess = !first || o->c->setup.warm_start;
    status = form_consistent_include(o->c, guess, w->A, w->b, w->lambda, v, report);
    la_axpy(nk, 1, w->lambda, change);
    la_gemv(nx, nk, 1, w->Y, change, 1, w->x);
    base_arena_release(o->arena, mark);
  }
  return status;
}

/* To round-off, from w->x; the best point goes to w->best_x. BASE_OK, BASE_UNCONVERGED (from
 * contacts), BASE_FAILED. */
static int iterate(struct motion *o, struct newton *w, struct form_report *report) {
  double last = INFINITY;
  int idle = 0, status = BASE_OK;
  const int stale = fabs(o->c->LU_dt - o->dt) > FORM_CONSISTENT_SAME_DT * o->dt;
  if (stale && renew_jacobian(o, w->x, w->lambda) != BASE_OK) {
    return BASE_FAILED;
  }
  for (int k = 0; k < FORM_CONSISTENT_ITERATIONS; ++k) {
    evaluate(o, w->x, w->lambda, w->R);
    double now = measure(o, w->x, w->R);
    if (!isfinite(now)) {
      break;
    }
    const int slow = k > 1 && now > FORM_CONSISTENT_CONTRACTION * last;
    if (slow && now > FORM_CONSISTENT_NEAR) {
      if (renew_jacobian(o, w->x, w->lambda) != BASE_OK) {
        return BASE_FAILED;
      }
      evaluate(o, w->x, w->lambda, w->R);
    }
    linearise(o, w);
    now = fmax(now, measure_contacts(o, w->x, w->A, w->b, w->lambda, w->v));
    idle = slow && now > 0.5 * w->best ? idle + 1 : 0;
    if (now < w->best) {
      w->best = now;
      la_copy(o->nx, w->x, w->best_x);
      la_copy(o->nk, w->lambda, w->best_lambda);
    }
    const int patience =
        w->best <= FORM_CONSISTENT_NEAR ? FORM_CONSISTENT_IDLE : FORM_CONSISTENT_STUCK;
    if (w->best <= FORM_CONSISTENT_ROUNDOFF || idle >= patience) {
      break;
    }
    last = now;
    status = advance(o, w, k == 0, report);
    if (status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
  }
  return status;
}

/* --- end of the step --- */

static void count_work(const struct motion *o, const double *x, const double *lambda,
                       struct form_report *report) {
  const int nq = o->nq, dim = o->c->mech->dim;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  for (int k = 0; k < o->nk; ++k) {
    const double work = lambda[k] * la_dot(nq, o->W + (long)k * nq, x) / o->dt;
    if (k % dim == 0) {
      report->work.impact += work;
    } else {
      report->work.friction += work;
    }
  }
  if (o->D != NULL) {
    double *p = base_arena_doubles(o->arena, nq);
    la_gemv(nq, nq, 1, o->D, x, 0, p);
    report->work.damping -= la_dot(nq, p, x) / o->dt;
  }
  if (o->pushed != NULL) {
    report->work.applied += la_dot(nq, o->pushed, x) / o->dt;
  }
  base_arena_release(o->arena, mark);
}

static int motion_close(struct motion *o, struct newton *w, int status, double *q, double *u,
                        struct form_report *report) {
  struct form_consistent *c = o->c;
  const int nq = o->nq;
  evaluate(o, w->best_x, w->best_lambda, w->R);
  la_copy(o->nx, w->best_x, w->x);
  la_copy(o->nk, w->best_lambda, w->lambda);
  linearise(o, w); /* the contact problem at the solution, to be graded */
  count_work(o, w->x, w->lambda, report);
  report->newton = fmax(report->newton, w->best);
  const int solved = w->best <= FORM_CONSISTENT_SOLVED;
  if (o->nk > 0) {
    form_consistent_grade(c, w->A, w->b, w->lambda, w->v, report);
    ++report->solves;
    report->unconverged += !solved || status == BASE_UNCONVERGED;
    la_copy(o->nk, w->lambda, c->motion);
  }
  for (int i = 0; i < o->ns; ++i) {
    c->force_S[i] = w->x[2 * nq + i] / o->dt;
  }
  la_copy(nq, o->qE, q);
  la_copy(nq, w->x + nq, u);
  return solved ? status : BASE_UNCONVERGED;
}

int form_consistent_motion(struct form_consistent *c, double t, double dt, double *q, double *u,
                           struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct motion o = {.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  o.nq = c->nq;
  o.ns = c->ns;
  o.nr = c->nr;
  o.nx = 2 * c->nq + c->ns + c->nr;
  o.nk = c->mech->dim * c->closed.n;
  prepare(&o, t);
  struct newton *w = newton_alloc(&o);
  mech_qdot(c->mech, q, u, w->x, arena);
  for (int j = 0; j < o.nq; ++j) {
    w->x[j] *= dt;
    w->x[o.nq + j] = u[j];
  }
  for (int i = 0; i < o.ns; ++i) {
    w->x[2 * o.nq + i] = dt * c->force_S[i];
  }
  la_copy(o.nk, c->motion, w->lambda);
  int status = iterate(&o, w, report);
  if (status == BASE_OK || status == BASE_UNCONVERGED) {
    if (isfinite(w->best)) {
      status = motion_close(&o, w, status, q, u, report);
    } else {
      status = base_fail(BASE_FAILED, "Newton's method left the finite numbers");
    }
  }
  base_arena_release(arena, mark);
  return status;
}
