/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion with qdot = F(q) u (moeller 5.141, 5.158), x = (dq, u^E):
 *
 *   R1 = M (u^E - u^C) + dt H(um) us + F^T [dt DV^T + D dq - DgS^T lambda_S - Dgamma^T kappa]
 *        - W lambda - dt f
 *   R2 = dq - dt F us,     um = (u^C + u^E)/2,  us = um - M^-1 W_S(q^B) kappa / dt
 *   R3 = g_S(q^E),         R4 = W_S(q^E)^T u^E,     F = F(q^B + dq/2)
 *
 * Since F is linear in a quaternion and its columns are orthogonal to it, R2 = 0 keeps |A| exactly
 * (5.147). W is that of q^B (5.142), or with normals F^T DgN^T (5.143). The damping matrix D and
 * applied forces f, both of the start, are extras.
 *
 * The source has these without bilateral constraints, for which us = um. They are added here on
 * both levels as in (5.72): lambda_S by the discrete derivative of g_S holds the positions, kappa
 * the velocities. With dq = dt F us and H skew,
 *
 *   us^T R1 = E^E - E^C - us^T (W lambda + dt f) + dq^T D dq / dt - [g_S]^T lambda_S / dt
 *             - {Dgamma dq + W_S(q^B)^T (u^E - u^C)}^T kappa / dt,
 *
 * [g_S] = g_S(q^E) - g_S(q^B) and, Dgamma being taken at u^E, {} = gamma_S(u^E, q^E) - gamma_S(u^C,
 * q^B): both vanish, and the energy is conserved as in (5.150).
 */
#include "form/consistent_rigid_equations.h"

#include "la/dense.h"

#include <math.h>

double form_consistent_rigid_norm(const struct form_consistent_rigid *o, const double *p) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *a = base_arena_doubles(o->arena, o->nu);
  la_copy(o->nu, p, a);
  mech_mass_solve(o->c->mech, o->c->L, 1, a);
  const double square = la_dot(o->nu, p, a);
  base_arena_release(o->arena, mark);
  return sqrt(fmax(square, 0));
}

/* F: nq x nu at q; the identity without kinematics. */
static void put_kinematics(const struct form_consistent_rigid *o, const double *q) {
  const struct mech *m = o->c->mech;
  if (m->ops->kinematics != NULL) {
    m->ops->kinematics(m, q, o->F);
    return;
  }
  for (int j = 0; j < o->nu; ++j) {
    for (int i = 0; i < o->nq; ++i) {
      o->F[(long)j * o->nq + i] = i == j;
    }
  }
}

/* Normals from the discrete derivative; of contacts whose feature does not last over the step (an
 * edge that leaves a face) that of q^B, for the rest of the step. */
static void put_normals(const struct form_consistent_rigid *o) {
  const struct form_consistent *c = o->c;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *D = base_arena_doubles(o->arena, o->nq * c->closed.n);
  mech_discrete_gaps(c->mech, &c->closed, o->qB, o->qE, D, o->arena);
  for (int i = 0; i < c->closed.n; ++i) {
    const long column = (long)i * c->mech->dim * o->nu;
    const double *Di = D + (long)i * o->nq;
    o->lost[i] = o->lost[i] || !la_all_finite(o->nq, Di);
    if (o->lost[i]) {
      la_copy(o->nu, o->WB + column, o->W + column);
    } else {
      la_gemv_t(o->nq, o->nu, 1, o->F, Di, 0, o->W + column);
    }
  }
  base_arena_release(o->arena, mark);
}

/* R3 and R4, and the discrete derivatives. */
static void put_constraints(struct form_consistent_rigid *o, const double *u, double *R3) {
  const struct mech *m = o->c->mech;
  m->ops->bilateral(m, o->qE, R3);
  mech_bilateral_directions(m, o->qE, o->WSE, o->arena);
  la_gemv_t(o->nu, o->ns, 1, o->WSE, u, 0, R3 + o->ns);
  mech_discrete_bilateral(m, o->qB, o->qE, o->DgS, o->arena);
  if (!o->hold) {
    mech_discrete_rate(m, u, o->qB, o->qE, o->Dgamma, o->arena);
  }
}

void form_consistent_rigid_evaluate(struct form_consistent_rigid *o, const double *x,
                                    const double *lambda, double *R) {
  const struct mech *m = o->c->mech;
  const int nq = o->nq, nu = o->nu;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const double *dq = x, *u = x + nq, *lambda_S = u + nu, *kappa = lambda_S + o->ns;
  double *change = base_arena_doubles(o->arena, nu), *f = base_arena_doubles(o->arena, nq);
  double *part = base_arena_doubles(o->arena, nu);
  for (int j = 0; j < nq; ++j) {
    o->qE[j] = o->qB[j] + dq[j];
    o->qM[j] = o->qB[j] + 0.5 * dq[j];
  }
  for (int j = 0; j < nu; ++j) {
    change[j] = u[j] - o->uC[j];
    o->um[j] = o->us[j] = 0.5 * (u[j] + o->uC[j]);
  }
  la_gemv(nu, o->ns, -1 / o->dt, o->MWS, kappa, 1, o->us);
  put_kinematics(o, o->qM);
  mech_discrete_potential(m, o->qB, o->qE, o->DV, o->arena);
  la_axpy(nq, o->dt, o->DV, f);
  if (o->D != NULL) {
    la_gemv(nq, nq, 1, o->D, dq, 1, f);
  }
  if (o->ns > 0) {
    put_constraints(o, u, R + nu + nq);
    la_gemv_t(o->ns, nq, -1, o->DgS, lambda_S, 1, f);
    la_gemv_t(o->ns, nq, -1, o->Dgamma, kappa, 1, f);
  }
  la_gemv(nu, nu, 1, o->c->M, change, 0, R);
  la_gemv_t(nq, nu, 1, o->F, f, 0, part);
  o->force_scale = form_consistent_rigid_norm(o, part);
  la_axpy(nu, 1, part, R);
  if (o->H != NULL) {
    m->ops->velocity_gyro(m, o->um, o->H);
    la_gemv(nu, nu, o->dt, o->H, o->us, 0, part);
    o->force_scale += form_consistent_rigid_norm(o, part);
    la_axpy(nu, 1, part, R);
  }
  if (o->push != NULL) {
    la_axpy(nu, -1, o->push, R);
    o->force_scale += form_consistent_rigid_norm(o, o->push);
  }
  if (o->nk > 0) {
    if (o->c->scheme.discrete_gap && !o->hold) {
      put_normals(o);
    }
    la_gemv(nu, o->nk, 1, o->W, lambda, 0, part);
    o->force_scale += form_consistent_rigid_norm(o, part);
    la_axpy(nu, -1, part, R);
  }
  la_gemv(nq, nu, o->dt, o->F, o->us, 0, o->way);
  for (int j = 0; j < nq; ++j) {
    R[nu + j] = dq[j] - o->way[j];
  }
  base_arena_release(o->arena, mark);
}

struct form_consistent_rigid *form_consistent_rigid_prepare(struct form_consistent *c, double t,
                                                            double dt, const double *q,
                                                            const double *u, int inelastic) {
  const struct mech *m = c->mech;
  struct base_arena *arena = c->setup.arena;
  struct form_consistent_rigid *o = base_arena_push(arena, sizeof *o);
  *o = (struct form_consistent_rigid){.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  const int nq = o->nq = c->nq, nu = o->nu = c->nu, nk = o->nk = m->dim * c->closed.n;
  const int nx = o->nx = c->unknowns, ns = o->ns = c->ns;
  double **const vectors[] = {&o->qM, &o->qE, &o->way, &o->DV};
  for (int i = 0; i < 4; ++i) {
    *vectors[i] = base_arena_doubles(arena, nq);
  }
  double **const unknowns[] = {&o->x, &o->best_x, &o->R, &o->z};
  double **const components[] = {&o->lambda, &o->best_lambda, &o->b, &o->v};
  for (int i = 0; i < 4; ++i) {
    *unknowns[i] = base_arena_doubles(arena, nx);
    *components[i] = base_arena_doubles(arena, nk);
  }
  o->um = base_arena_doubles(arena, nu);
  o->us = base_arena_doubles(arena, nu);
  o->MWS = base_arena_doubles(arena, nu * ns);
  o->WSE = base_arena_doubles(arena, nu * ns);
  o->DgS = base_arena_doubles(arena, ns * nq);
  o->Dgamma = base_arena_doubles(arena, ns * nq);
  if (ns > 0) {
    mech_bilateral_directions(m, q, o->MWS, o->arena);
    mech_mass_solve(m, c->L, ns, o->MWS);
  }
  o->F = base_arena_doubles(arena, nq * nu);
  o->W = base_arena_doubles(arena, nu * nk);
  o->PW = base_arena_doubles(arena, nu * nk);
  o->Y = base_arena_doubles(arena, nx * nk);
  o->A = base_arena_doubles(arena, nk * nk);
  form_consistent_directions(c, o->W);
  if (c->scheme.discrete_gap && nk > 0) {
    o->WB = base_arena_doubles(arena, nu * nk);
    la_copy(nu * nk, o->W, o->WB);
    o->lost = base_arena_ints(arena, c->closed.n);
  }
  if (m->ops->velocity_gyro != NULL) {
    o->H = base_arena_doubles(arena, nu * nu);
  }
  if (m->ops->damping_matrix != NULL) {
    o->D = base_arena_doubles(arena, nq * nq);
    m->ops->damping_matrix(m, u, q, t, o->D);
  }
  if (m->ops->applied != NULL) {
    double *f = base_arena_doubles(arena, nu);
    o->push = base_arena_doubles(arena, nu);
    m->ops->applied(m, q, u, t, f);
    la_axpy(nu, dt, f, o->push);
  }
  if (inelastic) {
    o->delta = base_arena_doubles(arena, nk);
    for (int k = 0; k < nk; ++k) {
      const int i = k / m->dim;
      const double eps = k % m->dim == 0 ? c->closed.eps_N[i] : c->closed.eps_T[i];
      o->delta[k] = (1 - eps) / (1 + eps);
    }
  }
  return o;
}
