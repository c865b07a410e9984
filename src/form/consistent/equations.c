/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The discrete equations of motion over a step with given velocity u^C at its start (moeller 5.72,
 * 5.141, 5.158; 5.95, 5.107 with contacts, 5.126 with damping), qdot = F(q) u:
 *
 *   R1 = M (u^E - u^C) + dt H(um) us - W lambda - dt f
 *        + F^T [dt DV^T + dt DT^T + (D + G) dq - DgS^T lambda_S - Dgamma^T kappa]
 *   R2 = dq - dt F us,     um = (u^C + u^E)/2,  us = um - M^-1 W_S(q^B) kappa / dt
 *   R3 = g_S(q^E),         R4 = W_S(q^E)^T u^E
 *
 * DV, DgS, Dgamma are discrete derivatives between q^B and q^E. The schemes differ in
 *
 *   midpoint      F at q^B + dq/2, H skew and linear in u (velocity_gyro), G = 0
 *   else          F at q^B, H = 0, G = H(u^C, q^B) of the decomposed kinetic energy (5.72): the
 *                 source's equations in coordinates, R1 times Q^T and R2 times -M Q, Q = F^-1.
 *                 F and G of the start make the scheme first order unless F is constant.
 *   coordinates   M = M(q^B) by qdot, F = 1, G of (5.54), DT the discrete derivative of the kinetic
 *                 energy at u^E (5.58)
 *   rates         without, kappa and R4 are not there (5.31)
 *
 * W is that of q^B (5.96, 5.142), or with normals F^T DgN^T (5.97, 5.143). The damping matrix D and
 * applied forces f are those of the start. dq is the unknown, not q^E: it keeps its digits when
 * steps are short. Where F is linear in a quaternion at the midpoint, its columns are orthogonal to
 * it, and R2 = 0 keeps |A| exactly (5.147).
 *
 * For (5.141), (5.158) the source has no bilateral constraints, us = um. They are added on both
 * levels as in (5.72): lambda_S by the discrete derivative of g_S holds the positions, kappa the
 * velocities. With dq = dt F us and H, G skew,
 *
 *   us^T R1 = E^E - E^C - us^T (W lambda + dt f) + dq^T D dq / dt - [g_S]^T lambda_S / dt
 *             - {Dgamma dq + W_S(q^B)^T (u^E - u^C)}^T kappa / dt,
 *
 * [g_S] = g_S(q^E) - g_S(q^B) and, Dgamma being taken at u^E, {} = gamma_S(u^E, q^E) - gamma_S(u^C,
 * q^B): both vanish, and the energy is conserved as in (5.77), (5.150).
 *
 * Constraints that others imply (bars on parallel axes in a loop, a joint made twice) would make
 * the equations singular. Which ones is read from W_S(q^B): their multipliers stay zero in the
 * step, and their own R3 and R4 vanish with those of the others, as the norm of Newton's method
 * verifies. The balance above holds without them, so that no more than the multipliers depends on
 * the choice.
 */
#include "form/consistent/equations.h"

#include "base/status.h"
#include "la/dense.h"

#include <string.h>

void form_consistent_add_sizes(const struct form_consistent_equations *o, double alpha,
                               const double *p, double *size) {
  const struct mech *m = o->c->mech;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  double *a = base_arena_doubles(o->arena, o->nu);
  la_copy(o->nu, p, a);
  for (int b = 0; b < m->nb; ++b) {
    mech_mass_half_solve(m, o->c->L, b, a + (long)b * m->nv);
  }
  for (int b = 0; b < o->F.n; ++b) {
    size[b] += alpha * la_norm2(o->F.cols, a + (long)b * o->F.cols);
  }
  base_arena_release(o->arena, mark);
}

/* Normals from the discrete derivative; of contacts whose feature does not last over the step (an
 * edge that leaves a face) that of q^B, for the rest of the step. */
static void put_normals(const struct form_consistent_equations *o) {
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
static void put_constraints(struct form_consistent_equations *o, const double *u, double *R3) {
  const struct mech *m = o->c->mech;
  double *R4 = R3 + o->ns;
  m->ops->bilateral(m, o->qE, R3);
  mech_discrete_rows(m, NULL, o->qB, o->qE, &o->DgS, o->store);
  if (o->nr > 0) {
    mech_directions_rows(m, o->qE, &o->WSE, o->store);
    memset(R4, 0, (size_t)o->nr * sizeof *R4);
    la_blocks_apply(&o->WSE, 1, u, R4);
    mech_discrete_rows(m, u, o->qB, o->qE, &o->Dgamma, o->store);
  }
}

/* p, the bracket of R1. */
static void put_bracket(struct form_consistent_equations *o, const double *x) {
  const struct mech *m = o->c->mech;
  const double *dq = x, *u = x + o->nq, *lambda_S = u + o->nu, *kappa = lambda_S + o->ns;
  mech_discrete_potential(m, o->qB, o->qE, o->DV, o->arena);
  for (int j = 0; j < o->nq; ++j) {
    o->p[j] = o->dt * o->DV[j];
  }
  if (o->DT != NULL) {
    mech_discrete_kinetic(m, u, o->qB, o->qE, o->DT, o->arena);
    la_axpy(o->nq, o->dt, o->DT, o->p);
  }
  la_blocks_apply(&o->D, 1, dq, o->p);
  la_blocks_apply(&o->G, 1, dq, o->p);
  if (o->ns > 0) {
    la_blocks_apply_t(&o->DgS, -1, lambda_S, o->p);
  }
  if (o->nr > 0) {
    la_blocks_apply_t(&o->Dgamma, -1, kappa, o->p);
  }
}

/* Adds p: nu to R1, and its sizes to the scales. */
static void add_force(struct form_consistent_equations *o, double alpha, const double *p,
                      double *R) {
  form_consistent_add_sizes(o, 1, p, o->force_scale);
  la_axpy(o->nu, alpha, p, R);
}

/* R1, the terms beside M (u^E - u^C) that are made anew; part: nu, scratch of zeros. */
static void put_forces(struct form_consistent_equations *o, const double *lambda, double *part,
                       double *R) {
  memset(o->force_scale, 0, (size_t)o->F.n * sizeof *o->force_scale);
  la_blocks_apply_t(&o->F, 1, o->p, part);
  add_force(o, 1, part, R);
  if (o->has_gyro) {
    mech_gyro_blocks(o->c->mech, o->um, &o->H, o->store);
    memset(part, 0, (size_t)o->nu * sizeof *part);
    la_blocks_apply(&o->H, o->dt, o->us, part);
    add_force(o, 1, part, R);
  }
  if (o->applied != NULL) {
    add_force(o, -1, o->applied, R);
  }
  if (o->nk > 0) {
    if (o->c->scheme.discrete_gap) {
      put_normals(o);
    }
    la_gemv(o->nu, o->nk, 1, o->W, lambda, 0, part);
    add_force(o, -1, part, R);
  }
}

void form_consistent_evaluate(struct form_consistent_equations *o, const double *x,
                              const double *lambda, double *R) {
  const int nq = o->nq, nu = o->nu;
  const struct base_arena_mark mark = base_arena_mark(o->arena);
  const double *dq = x, *u = x + nq, *kappa = u + nu + o->ns;
  double *change = base_arena_doubles(o->arena, nu), *part = base_arena_doubles(o->arena, nu);
  base_arena_release(o->store, o->c->evaluation_start);
  for (int j = 0; j < nq; ++j) {
    o->qE[j] = o->qB[j] + dq[j];
    o->qM[j] = o->qB[j] + 0.5 * dq[j];
    o->way[j] = 0;
  }
  for (int j = 0; j < nu; ++j) {
    change[j] = u[j] - o->uC[j];
    o->um[j] = o->us[j] = 0.5 * (u[j] + o->uC[j]);
    R[j] = 0;
  }
  la_blocks_apply_t(&o->MWS, -1 / o->dt, kappa, o->us);
  if (o->c->scheme.midpoint) {
    mech_kinematics_blocks(o->c->mech, o->qM, &o->F, o->store);
  }
  if (o->ns > 0) {
    put_constraints(o, u, R + nu + nq);
  }
  put_bracket(o, x);
  la_blocks_apply(&o->c->mass, 1, change, R);
  put_forces(o, lambda, part, R);
  la_blocks_apply(&o->F, o->dt, o->us, o->way);
  for (int j = 0; j < nq; ++j) {
    R[nu + j] = dq[j] - o->way[j];
  }
  base_arena_release(o->arena, mark);
}

/* (M^-1 W_S(q^B))^T, by rows. */
static void put_mass_directions(struct form_consistent_equations *o) {
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

/* Matrices of the start: D, G, and whether there is H. */
static void put_start(struct form_consistent_equations *o, double t) {
  const struct mech *m = o->c->mech;
  o->has_gyro = o->c->scheme.midpoint && m->ops->consistent.velocity_gyro != NULL;
  if (m->ops->consistent.damping_matrix != NULL) {
    mech_damping_blocks(m, o->uC, o->qB, t, &o->D, o->arena);
  }
  if (!o->c->scheme.midpoint && m->ops->consistent.gyro != NULL) {
    mech_start_gyro_blocks(m, o->uC, o->qB, &o->G, o->arena);
  }
  if (o->c->scheme.coordinates && !m->constant_mass) { /* in coordinates: one block */
    if (o->G.n == 0) {
      la_blocks_init(&o->G, o->nq, o->nq, o->arena);
    }
    mech_coordinate_gyro(m, o->uC, o->qB, la_blocks_push(&o->G, 0, 0), o->arena);
    o->DT = base_arena_doubles(o->arena, o->nq);
  }
}

struct form_consistent_equations *form_consistent_prepare(struct form_consistent *c, double t,
                                                          double dt, const double *q,
                                                          const double *u, int inelastic) {
  const struct mech *m = c->mech;
  struct base_arena *arena = c->setup.arena;
  struct form_consistent_equations *o = base_arena_push(arena, sizeof *o);
  *o = (struct form_consistent_equations){.c = c, .dt = dt, .qB = q, .uC = u, .arena = arena};
  const int nq = o->nq = c->nq, nu = o->nu = c->nu, nk = o->nk = m->dim * c->closed.n;
  o->nx = c->unknowns;
  o->ns = c->ns;
  o->nr = c->nr;
  if (c->scheme.coordinates) {
    mech_mass_blocks(m, q, &c->mass, arena);
    if (mech_mass_factor(m, q, c->L) != BASE_OK) {
      return NULL;
    }
  }
  if (form_consistent_place(c, q) != BASE_OK) {
    return NULL;
  }
  BASE_ARENA_VECTORS(arena, nq, &o->qM, &o->qE, &o->way, &o->DV, &o->p);
  BASE_ARENA_VECTORS(arena, nu, &o->um, &o->us);
  BASE_ARENA_VECTORS(arena, m->nb, &o->force_scale, &o->noise);
  if (o->nr > 0) {
    put_mass_directions(o);
  }
  if (!c->scheme.midpoint) {
    mech_kinematics_blocks(m, q, &o->F, arena);
  }
  o->W = base_arena_matrix(arena, nu, nk);
  form_consistent_directions(c, o->W);
  if (c->scheme.discrete_gap && nk > 0) {
    o->WB = base_arena_matrix(arena, nu, nk);
    la_copy((long)nu * nk, o->W, o->WB);
    o->lost = base_arena_ints(arena, c->closed.n);
  }
  put_start(o, t);
  if (m->ops->applied != NULL) {
    double *f = base_arena_doubles(arena, nu);
    o->applied = base_arena_doubles(arena, nu);
    m->ops->applied(m, q, u, t, f);
    la_axpy(nu, dt, f, o->applied);
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
