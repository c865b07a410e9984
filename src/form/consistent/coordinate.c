/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Consistent integrator for a mass matrix that depends on the coordinates, u = qdot (moeller 5.58),
 *
 *   M(q^B) (u^E - u^B) + G(u^B, q^B) dq + dt DT/Dq(u^E)^T + dt DV^T - Dg^T lambda
 *     - Dgamma(u^E)^T kappa = 0
 *   M(q^B) (-dq + dt/2 (u^B + u^E)) - W_S(q^B) kappa = 0,   g(q^E) = 0,   gamma(u^E, q^E) = 0,
 *
 * conserves the energy (5.62); M and G of the start make it first order unless M is constant. In
 * (5.60) the last term has the sign of g(q^B) - g(q^E) turned around; both are zero.
 *
 * Systems with u = Q qdot are integrated by their coordinates: velocities are turned into qdot =
 * F u before a step and back by Q after it, with the mass matrix Q^T M Q.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"
#include "la/dense.h"

static int coordinate_check(const struct form_setup *setup) {
  const struct mech *m = setup->mech;
  if (m->nq != m->nu) {
    return base_fail(
        BASE_UNSUPPORTED,
        "needs as many velocities as coordinates, u = qdot (moeller 5.55); this system "
        "has %d and %d",
        m->nu, m->nq);
  }
  if (m->ops->kinematics != NULL && m->ops->consistent.decomposition == NULL) {
    return base_fail(BASE_UNSUPPORTED,
                     "needs the mass matrix by qdot, or Q(q) to make it of (moeller 5.53)");
  }
  return form_consistent_refuse(setup);
}

static void *coordinate_alloc(const struct form_setup *setup, const struct form_state *start) {
  if (form_consistent_refuse_contacts(setup, start->q, "5.58") != BASE_OK) {
    return NULL;
  }
  const struct form_consistent_scheme scheme = {.rates = 1, .coordinates = 1};
  return form_consistent_alloc(setup, start, scheme);
}

static int coordinate_step(void *workspace, struct form_state *state, double dt,
                           struct form_report *report) {
  struct form_consistent *c = workspace;
  const struct mech *whole = c->setup.mech;
  if (whole == c->mech) {
    return form_consistent_smooth_step(c, state, dt, report);
  }
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int nq = c->nq;
  double *qdot = base_arena_doubles(arena, nq), *Q = base_arena_matrix(arena, nq, nq);
  struct form_state by_coordinates = {.t = state->t, .q = state->q, .u = qdot};
  mech_qdot(whole, state->q, state->u, qdot, arena);
  const int status = form_consistent_smooth_step(c, &by_coordinates, dt, report);
  whole->ops->consistent.decomposition(whole, state->q, Q);
  la_gemv(nq, nq, 1, Q, qdot, 0, state->u);
  state->t = by_coordinates.t;
  base_arena_release(arena, mark);
  return status;
}

const struct form form_consistent_coordinate = {
    .name = "consistent-coordinate",
    .look = {.colour = 0x5c3e80, .dashes = {14, 4, 3, 4}, .point = 14, .point_size = 1.0},
    .summary = "energy-consistent, coordinate-dependent mass matrix, constraints on both levels; "
               "smooth",
    .source = "moeller (5.58)",
    .check = coordinate_check,
    .alloc = coordinate_alloc,
    .step = coordinate_step,
    FORM_CONSISTENT_FUNCTIONS,
};
