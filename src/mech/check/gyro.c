/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gyroscopic matrices against what they stand for:
 *
 *   velocity_gyro     H(u) skew and -H u the forces beside V (moeller 5.130)
 *   coordinate_gyro   against differences of the mass matrix by qdot (5.54)
 *   discrete_kinetic  directionality (5.15) for T(qdot, q), and against Gonzalez' at a = b
 */
#include "mech/check/check.h"

void mech_check_velocity_gyro(struct mech_checking *c, const double *p, double scale) {
  const struct mech *m = c->m;
  const int n = m->nv, size = n * n;
  if (m->ops->consistent.velocity_gyro == NULL) {
    return;
  }
  double *H = mech_check_doubles(c, m->nb * size), *HT = mech_check_doubles(c, m->nb * size);
  double *expected = mech_check_doubles(c, m->nu);
  for (int b = 0; b < m->nb; ++b) {
    m->ops->consistent.velocity_gyro(m, b, c->u + b * n, H + b * size);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        HT[b * size + i * n + j] = -H[b * size + j * n + i];
      }
    }
    la_gemv(n, n, -1, H + b * size, c->u + b * n, 0, expected + b * n);
  }
  mech_check_compare(c, "skewness of H(u)", m->nb * size, H, HT, 0);
  mech_check_compare(c, "gyroscopic forces against H(u)", m->nu, p, expected, scale);
}

void mech_check_coordinates(struct mech_checking *c) {
  const struct mech *m = c->m;
  const int n = m->nq;
  if (n != m->nu ||
      (m->ops->consistent.coordinate_gyro == NULL && m->ops->consistent.discrete_kinetic == NULL)) {
    return;
  }
  const struct mech *view = mech_by_coordinates(m, c->arena);
  struct mech_ops plain_ops = *view->ops;
  struct mech plain = *view;
  plain_ops.consistent.coordinate_gyro = NULL;
  plain_ops.consistent.discrete_kinetic = NULL;
  plain.ops = &plain_ops;
  double *G = mech_check_doubles(c, n * n), *expected = mech_check_doubles(c, n * n);
  double *b = mech_check_doubles(c, n), *DT = mech_check_doubles(c, n);
  mech_coordinate_gyro(view, c->qdot, c->q, G, c->arena);
  mech_coordinate_gyro(&plain, c->qdot, c->q, expected, c->arena);
  mech_check_compare(c, "G against the mass matrix", n * n, G, expected, 0);
  double along = 0;
  for (int j = 0; j < n; ++j) {
    b[j] = c->q[j] + 30 * mech_difference_step(m) * cos(1.0 + 2 * j);
  }
  mech_discrete_kinetic(view, c->qdot, c->q, b, DT, c->arena);
  for (int j = 0; j < n; ++j) {
    along += DT[j] * (b[j] - c->q[j]);
  }
  const double T = mech_kinetic(view, c->q, c->qdot, c->arena);
  const double rise = mech_kinetic(view, b, c->qdot, c->arena) - T;
  /* rounding of T counts, not of its difference */
  mech_check_compare(c, "directionality of the discrete derivative of T", 1, &along, &rise, T);
  mech_discrete_kinetic(view, c->qdot, c->q, c->q, DT, c->arena);
  mech_discrete_kinetic(&plain, c->qdot, c->q, c->q, expected, c->arena);
  mech_check_compare(c, "discrete derivative of T at a = b", n, DT, expected, 0);
}
