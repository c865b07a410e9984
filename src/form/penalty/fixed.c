/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fixed steps of the penalty flow.
 *
 * rk4: the classical Runge-Kutta method, written out: GSL's takes every step twice, whole and in
 * halves, for an error estimate that a fixed step has no use for.
 *
 * verlet: velocity Verlet; with a = du/dt,
 *
 *   u_h = u + dt/2 a(q, u),   q+ = q + dt qdot(u_h),   u* = u + dt a(q, u)
 *   u+ = u_h + dt/2 a(q+, u*)
 *
 * Forces that depend on velocities (dampers, friction) are explicit: they see the predicted u*, so
 * that the order stays two, and the end of the step is evaluated once more with u+, for the next.
 * Without them this is the method of molecular dynamics. F(q) of systems with qdot = F u is taken
 * in the middle of the step. Redundant coordinates of q+ are put back where they belong before
 * forces are asked for, so that those at u* and at u+ are of the same contacts, found once a step.
 *
 * The springs' elongations xi are positions like q. Forces at q+ see xi + dt xi'(u_h), which is
 * taken from the contacts found at q; then
 *
 *   xi+ = xi + dt/2 (xi'(q, u, xi) + xi'(q+, u*, xi + dt xi'(u_h)))
 *
 * which for springs that stick is xi + dt v_T(u_h) again. Works are summed by the same trapezoidal
 * rule, and those of either method put right by balance.c.
 */
#include "base/status.h"
#include "form/penalty/penalty.h"
#include "la/dense.h"

int penalty_fixed_rk4(struct penalty_stepper *s, double dt) {
  static const double at[3] = {0.5, 0.5, 1}, weight[3] = {2. / 6, 2. / 6, 1. / 6};
  int status = BASE_OK;
  la_sum(s->ny, s->y, dt / 6, s->dy, s->trial);
  la_copy(s->ny, s->dy, s->k);
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    la_sum(s->ny, s->y, at[i] * dt, s->k, s->stage);
    status = penalty_flow_evaluate(s->flow, s->t + at[i] * dt, s->stage, s->k);
    penalty_flow_carry(s->flow);
    la_axpy(s->ny, weight[i] * dt, s->k, s->trial);
  }
  la_copy(s->ny, s->trial, s->y);
  return status;
}

/* q+ = q + dt F(q_h) u_h into y, which holds u_h. */
static void move_coordinates(const struct penalty_stepper *s, double dt, double *y, double *rate) {
  const struct mech *m = s->flow->m;
  if (m->ops->kinematics != NULL || m->ops->bodies.qdot != NULL) {
    la_sum(m->nq, s->y, 0.5 * dt, s->dy, y);
    mech_qdot(m, y, y + m->nq, rate, s->flow->arena);
    la_sum(m->nq, s->y, dt, rate, y);
  } else {
    la_sum(m->nq, s->y, dt, y + m->nq, y);
  }
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, y);
  }
}

int penalty_fixed_verlet(struct penalty_stepper *s, double dt) {
  const struct mech *m = s->flow->m;
  const int nq = m->nq, nu = m->nu, at_xi = penalty_flow_xi(s->flow);
  double *y = s->stage, *rate = s->k;
  la_sum(nu, s->y + nq, 0.5 * dt, s->dy + nq, y + nq); /* u_h */
  la_copy(s->ny - at_xi, s->y + at_xi, y + at_xi);
  penalty_spring_predict(s->flow, dt, s->dy + at_xi, y + at_xi);
  move_coordinates(s, dt, y, rate);
  la_sum(nu, s->y + nq, dt, s->dy + nq, y + nq); /* u* */
  const int status = penalty_flow_accelerate(s->flow, s->t + dt, y, rate);
  la_sum_of_two(s->ny - nq, s->y + nq, 0.5 * dt, s->dy + nq, rate + nq, y + nq);
  s->stage = s->y; /* the new point stands where it was tried */
  s->y = y;
  return status;
}
