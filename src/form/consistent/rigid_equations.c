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
#include "form/consistent/rigid_equations.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

double form_consistent_rigid_norm(const struct form_consistent_rigid *o, const double *p) {
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *a = base_arena_doubles(o->arena, o->nu);
  la_copy(o->nu, p, a);
  mech_mass_solve(o->c->mech, o->c->L, 1, a);
  const double square = la_dot(o->nu, p, a);
  base_arena_release(o->arena, mark);
  return sqrt(fmax(square, 0));
}

/* Normals from the discrete derivative; of contacts whose feature does not last over the step (an
 * edge that leaves a face) that of q^B, for the rest of the step. */
static void put_normals(const struct form_consistent_rigid *o) {
  const struct form_consistent *c = o->c;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *D = base_arena_matrix(o->arena, o->nq, c->closed.n);
  mech_discrete_gaps(c->mech, &c->closed, o->qB, o->qE, D, o->arena);
  for (int i = 0; i < c->closed.n; ++i) {
    const long column = (long)i * c->mech->dim * o->nu;
    const double *Di = D + (long)i * o->nq;
    o->lost[i] = o->lost[i] || !la_all_finite(o->nq, Di);
    if (o->lost[i]) {
      la_copy(o->nu, o->WB + column, o->W + column);
    } else {
      for (int j = 0; j < o->nu; ++j) {
        o->W[column + j] = 0;
      }
      la_blocks_apply_t(&o->F, 1, Di, o->W + column);
    }
  }
  base_arena_release(o->arena, mark);
}

/* R3 and R4, and the discrete derivatives. */
static void put_constraints(struct form_consistent_rigid *o, const double *u, double *R3) {
  const struct mech *m = o->c->mech;
  double *R4 = R3 + o->ns;
  m->ops->bilateral(m, o->qE, R3);
  mech_directions_rows(m, o->qE, &o->WSE, o->store);
  for (int i = 0; i < o->ns; ++i) {
    R4[i] = 0;
  }
  la_blocks_apply(&o->WSE, 1, u, R4);
  mech_discrete_rows(m, NULL, o->qB, o->qE, &o->DgS, o->store);
  mech_discrete_rows(m, u, o->qB, o->qE, &o->Dgamma, o->store);
}

/* Adds p: nu to R1, and its size to the scale. */
static void add_force(struct form_consistent_rigid *o, double alpha, const double *p, double *R) {
  o->force_scale += form_consistent_rigid_norm(o, p);
  la_axpy(o->nu, alpha, p, R);
}

/* R1, the terms beside M (u^E - u^C) that are made anew; part: nu, scratch of zeros. */
static void put_forces(struct form_consistent_rigid *o, const double *lambda, double *part,
                       double *R) {
  o->force_scale = 0;
  la_blocks_apply_t(&o->F, 1, o->pull, part);
  add_force(o, 1, part, R);
  if (o->has_gyro) {
    mech_gyro_blocks(o->c->mech, o->um, &o->H, o->store);
    memset(part, 0, (size_t)o->nu * sizeof *part);
    la_blocks_apply(&o->H, o->dt, o->us, part);
    add_force(o, 1, part, R);
  }
  if (o->push != NULL) {
    add_force(o, -1, o->push, R);
  }
  if (o->nk > 0) {
    if (o->c->scheme.discrete_gap) {
      put_normals(o);
    }
    la_gemv(o->nu, o->nk, 1, o->W, lambda, 0, part);
    add_force(o, -1, part, R);
  }
}

void form_consistent_rigid_evaluate(struct form_consistent_rigid *o, const double *x,
                                    const double *lambda, double *R) {
  const struct mech *m = o->c->mech;
  const int nq = o->nq, nu = o->nu;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const double *dq = x, *u = x + nq, *lambda_S = u + nu, *kappa = lambda_S + o->ns;
  double *change = base_arena_doubles(o->arena, nu), *part = base_arena_doubles(o->arena, nu);
  base_arena_release(o->store, o->c->evaluation_start);
  for (int j = 0; j < nq; ++j) {
    o->qE[j] = o->qB[j] + dq[j];
    o->qM[j] = o->qB[j] + 0.5 * dq[j];
  }
  for (int j = 0; j < nu; ++j) {
    change[j] = u[j] - o->uC[j];
    o->um[j] = o->us[j] = 0.5 * (u[j] + o->uC[j]);
    R[j] = 0;
  }
  la_blocks_apply_t(&o->MWS, -1 / o->dt, kappa, o->us);
  mech_kinematics_blocks(m, o->qM, &o->F, o->store);
  mech_discrete_potential(m, o->qB, o->qE, o->DV, o->arena);
  for (int j = 0; j < nq; ++j) {
    o->pull[j] = o->dt * o->DV[j];
    o->way[j] = 0;
  }
  if (o->has_damping) {
    la_blocks_apply(&o->D, 1, dq, o->pull);
  }
  if (o->ns > 0) {
    put_constraints(o, u, R + nu + nq);
    la_blocks_apply_t(&o->DgS, -1, lambda_S, o->pull);
    la_blocks_apply_t(&o->Dgamma, -1, kappa, o->pull);
  }
  la_blocks_apply(&o->c->mass, 1, change, R);
  put_forces(o, lambda, part, R);
  la_blocks_apply(&o->F, o->dt, o->us, o->way);
  for (int j = 0; j < nq; ++j) {
    R[nu + j] = dq[j] - o->way[j];
  }
  base_arena_release(o->arena, mark);
}

/* (M^-1 W_S(q^B))^T, by rows. */
static void put_mass_directions(struct form_consistent_rigid *o) {
  const struct mech *m = o->c->mech;
  mech_directions_rows(m, o->qB, &o->MWS, o->arena);
  for (int k = 0; k < o->MWS.n; ++k) {
    double *row = la_blocks_at(&o->MWS, k);
    if (o->MWS.cols == m->nu) {
      mech_mass_solve(m, o->c->L, 1, row);
    } else {
      mech_mass_solve_block(m, o->c->L, o->MWS.col[k], 1, row);
    }
  }
}

struct form_consistent_rigid *form_consistent_rigid_prepare(struct form_consistent *c, double t,
                                                            double dt, const double *q,
                                                            const double *u, int inelastic) {
  const struct mech *m = c->mech;
  struct base_arena *arena = c->setup.arena;
  struct form_consistent_rigid *o = base_arena_push(arena, sizeof *o);
  *o = (struct form_consistent_rigid){.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  const int nq = o->nq = c->nq, nu = o->nu = c->nu, nk = o->nk = m->dim * c->closed.n;
  o->nx = c->unknowns;
  o->ns = c->ns;
  double **const vectors[] = {&o->qM, &o->qE, &o->way, &o->DV, &o->pull};
  for (int i = 0; i < 5; ++i) {
    *vectors[i] = base_arena_doubles(arena, nq);
  }
  o->um = base_arena_doubles(arena, nu);
  o->us = base_arena_doubles(arena, nu);
  if (o->ns > 0) {
    put_mass_directions(o);
  }
  o->W = base_arena_matrix(arena, nu, nk);
  form_consistent_directions(c, o->W);
  if (c->scheme.discrete_gap && nk > 0) {
    o->WB = base_arena_matrix(arena, nu, nk);
    la_copy((long)nu * nk, o->W, o->WB);
    o->lost = base_arena_ints(arena, c->closed.n);
  }
  o->has_gyro = m->ops->velocity_gyro != NULL;
  o->has_damping = m->ops->damping_matrix != NULL;
  if (o->has_damping) {
    mech_damping_blocks(m, u, q, t, &o->D, arena);
  }
  if (m->ops->applied != NULL) {
    double *f = base_arena_doubles(arena, nu);
    o->push = base_arena_doubles(arena, nu);
    m->ops->applied(m, q, u, t, f);
    la_axpy(nu, dt, f, o->push);
  }
  if (inelastic && nk > 0) {
    o->S = base_arena_matrix(arena, nk, nk);
    o->delta = base_arena_doubles(arena, nk);
    for (int k = 0; k < nk; ++k) {
      const int i = k / m->dim;
      const double eps = k % m->dim == 0 ? c->closed.eps_N[i] : c->closed.eps_T[i];
      o->delta[k] = (1 - eps) / (1 + eps);
    }
  }
  o->store = c->evaluation;
  return o;
}
