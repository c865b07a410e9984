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
 * Without them this is the method of molecular dynamics. The springs' elongations xi are positions
 * like q and move with their rates at u_h, in the middle of the step; F(q) of systems with qdot = F
 * u is taken there too. This costs one evaluation more in these two cases. Redundant coordinates of
 * q+ are put back where they belong before forces are asked for, so that those at u* and at u+ are
 * of the same contacts, found once. Works are summed by the trapezoidal rule.
 */
#include "base/status.h"
#include "form/penalty.h"
#include "la/dense.h"

int penalty_fixed_rk4(struct penalty_stepper *s, double dt) {
  static const double at[3] = {0.5, 0.5, 1}, weight[3] = {2. / 6, 2. / 6, 1. / 6};
  int status = BASE_OK;
  la_copy(s->ny, s->y, s->trial);
  la_axpy(s->ny, dt / 6, s->dy, s->trial);
  la_copy(s->ny, s->dy, s->k);
  for (int i = 0; i < 3 && status == BASE_OK; ++i) {
    la_copy(s->ny, s->y, s->stage);
    la_axpy(s->ny, at[i] * dt, s->k, s->stage);
    status = penalty_flow_evaluate(s->flow, s->t + at[i] * dt, s->stage, s->k);
    la_axpy(s->ny, weight[i] * dt, s->k, s->trial);
  }
  la_copy(s->ny, s->trial, s->y);
  return status;
}

int penalty_fixed_verlet(struct penalty_stepper *s, double dt) {
  const struct mech *m = s->flow->m;
  const int nq = m->nq, nu = m->nu, at_xi = penalty_flow_xi(s->flow), nxi = s->ny - at_xi;
  double *y = s->stage, *rate = s->k;
  int status = BASE_OK;
  la_copy(s->ny, s->y, y);
  la_axpy(nu, 0.5 * dt, s->dy + nq, y + nq); /* u_h */
  if (m->ops->kinematics != NULL || m->ops->qdot != NULL || s->flow->history.n > 0) {
    la_axpy(nq, 0.5 * dt, s->dy, y);
    la_axpy(nxi, 0.5 * dt, s->dy + at_xi, y + at_xi);
    status = penalty_flow_evaluate(s->flow, s->t + 0.5 * dt, y, rate);
    la_copy(nq, s->y, y);
    la_copy(nxi, s->y + at_xi, y + at_xi);
    la_axpy(nq, dt, rate, y);
    la_axpy(nxi, dt, rate + at_xi, y + at_xi);
  } else {
    la_axpy(nq, dt, y + nq, y);
  }
  if (m->ops->normalise != NULL) {
    m->ops->normalise(m, y);
  }
  la_copy(nu, s->y + nq, y + nq);
  la_axpy(nu, dt, s->dy + nq, y + nq); /* u* */
  status = status == BASE_OK ? penalty_flow_evaluate(s->flow, s->t + dt, y, rate) : status;
  la_copy(nq, y, s->y);
  la_copy(nxi, y + at_xi, s->y + at_xi);
  la_axpy(nu + PENALTY_WORKS, 0.5 * dt, s->dy + nq, s->y + nq);
  la_axpy(nu + PENALTY_WORKS, 0.5 * dt, rate + nq, s->y + nq);
  return status;
}
