/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The matrix of Newton's method for the equations of consistent_rigid_equations.c, nx x nx with the
 * rows (R1, R2, R3, R4):
 *
 *          dq            u^E                         lambda_S      kappa
 *   R1     differenced   M + dt/2 (H(um) + d[H us])  -F^T DgS^T    -F^T Dgamma^T - H(um) M^-1 W_S
 *   R2     differenced   -dt/2 F                     0             F M^-1 W_S
 *   R3     differenced   0                           0             0
 *   R4     differenced   W_S(q^E)^T                  0             0
 *
 * Left out: how W lambda and Dgamma^T kappa change with q^E and u^E, dt times smaller than what
 * stands beside them. Solutions do not depend on the matrix.
 */
#include "form/consistent_rigid_equations.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>

/* Forward differences, relative to the size of what is moved: for the matrix only. */
#define FORM_RIGID_STEP 1e-7

/* Columns of dq, and |dR1/dq| for what rounding of q^E does to R1. */
static void put_differenced(struct form_consistent_rigid *o, double *J) {
  struct form_consistent *c = o->c;
  const int nq = o->nq, nu = o->nu, nx = o->nx;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *y = base_arena_doubles(o->arena, nx), *R = base_arena_doubles(o->arena, nx);
  const double h = FORM_RIGID_STEP * fmin(c->mech->length > 0 ? c->mech->length : 1, 1);
  la_copy(nx, o->x, y);
  o->hold = 1;
  for (int j = 0; j < nq; ++j) {
    y[j] = o->x[j] + h;
    form_consistent_rigid_evaluate(o, y, o->lambda, R);
    for (int i = 0; i < nx; ++i) {
      J[(long)j * nx + i] = (R[i] - o->R[i]) / h;
    }
    for (int i = 0; i < nu; ++i) {
      c->K[(long)j * nu + i] = fabs(J[(long)j * nx + i]);
    }
    y[j] = o->x[j];
  }
  o->hold = 0;
  form_consistent_rigid_evaluate(o, o->x, o->lambda, o->R);
  base_arena_release(o->arena, mark);
}

/* Columns of u^E. H is linear. */
static void put_velocities(const struct form_consistent_rigid *o, double *J) {
  const int nq = o->nq, nu = o->nu, ns = o->ns;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *unit = base_arena_doubles(o->arena, nu), *H = base_arena_matrix(o->arena, nu, nu);
  for (int j = 0; j < nu; ++j) {
    double *column = J + (long)(nq + j) * o->nx;
    la_copy(nu, o->c->M + (long)j * nu, column);
    if (o->H != NULL) {
      unit[j] = 1;
      o->c->mech->ops->velocity_gyro(o->c->mech, unit, H);
      unit[j] = 0;
      la_axpy(nu, 0.5 * o->dt, o->H + (long)j * nu, column);
      la_gemv(nu, nu, 0.5 * o->dt, H, o->us, 1, column);
    }
    la_axpy(nq, -0.5 * o->dt, o->F + (long)j * nq, column + nu);
    for (int i = 0; i < ns; ++i) {
      column[nu + nq + ns + i] = o->WSE[(long)i * nu + j];
    }
  }
  base_arena_release(o->arena, mark);
}

/* Columns of lambda_S and kappa. */
static void put_multipliers(const struct form_consistent_rigid *o, double *J) {
  const int nq = o->nq, nu = o->nu, ns = o->ns;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *row = base_arena_doubles(o->arena, nq);
  for (int i = 0; i < ns; ++i) {
    double *first = J + (long)(nq + nu + i) * o->nx, *second = first + (long)ns * o->nx;
    const double *MWS = o->MWS + (long)i * nu;
    for (int j = 0; j < nq; ++j) {
      row[j] = o->DgS[(long)j * ns + i];
    }
    la_gemv_t(nq, nu, -1, o->F, row, 0, first);
    for (int j = 0; j < nq; ++j) {
      row[j] = o->Dgamma[(long)j * ns + i];
    }
    la_gemv_t(nq, nu, -1, o->F, row, 0, second);
    if (o->H != NULL) {
      la_gemv(nu, nu, -1, o->H, MWS, 1, second);
    }
    la_gemv(nq, nu, 1, o->F, MWS, 0, second + nu);
  }
  base_arena_release(o->arena, mark);
}

int form_consistent_rigid_renew(struct form_consistent_rigid *o) {
  struct form_consistent *c = o->c;
  const int nx = o->nx;
  for (long k = 0; k < (long)nx * nx; ++k) {
    c->LU[k] = 0;
  }
  put_differenced(o, c->LU);
  put_velocities(o, c->LU);
  put_multipliers(o, c->LU);
  if (!la_all_finite((long)nx * nx, c->LU) || la_lu_factor(nx, c->LU, c->piv) != BASE_OK) {
    c->LU_dt = 0;
    return base_fail(BASE_FAILED, "the equations of motion are singular (dependent bilateral "
                                  "constraints?)");
  }
  c->LU_dt = o->dt;
  return BASE_OK;
}
