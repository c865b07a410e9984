/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See polar_model.h.
 */
#include "tests/polar_model.h"

#include <math.h>
#include <string.h>

#include "tests/small_mech.h"

static void polar_mass(const struct mech *m, const double *q, double *M) {
  const struct polar *p = m->data;
  M[0] = p->m;
  M[1] = M[2] = 0;
  M[3] = p->m * (p->rates ? q[0] * q[0] : 1);
}
static double polar_potential(const struct mech *m, const double *q) {
  const struct polar *p = m->data;
  return 0.5 * p->c * (q[0] - 1) * (q[0] - 1) + p->m * p->g * q[0] * cos(q[1]);
}
static void polar_gradient(const struct mech *m, const double *q, double *dV) {
  const struct polar *p = m->data;
  dV[0] = p->c * (q[0] - 1) + p->m * p->g * cos(q[1]);
  dV[1] = -p->m * p->g * q[0] * sin(q[1]);
}
static void polar_kinematics(const struct mech *m, const double *q, double *F) {
  const double A[4] = {1, 0, 0, ((const struct polar *)m->data)->rates ? 1 : 1 / q[0]};
  memcpy(F, A, sizeof A);
}
static void polar_decomposition(const struct mech *m, const double *q, double *Q) {
  (void)m;
  const double A[4] = {1, 0, 0, q[0]};
  memcpy(Q, A, sizeof A);
}
static void polar_gyro(const struct mech *m, const double *u, const double *q, double *H) {
  (void)q;
  const double h = ((const struct polar *)m->data)->m * u[1];
  const double A[4] = {0, h, -h, 0};
  memcpy(H, A, sizeof A);
}
static void polar_contacts(const struct mech *m, const double *q, const double *u, double reach,
                           struct mech_contacts *out) {
  const struct polar *p = m->data;
  const double gap = q[0] * cos(q[1]) - p->l;
  (void)u;
  if (p->walls && gap <= reach) {
    const int i = mech_contacts_push(out);
    out->id[i] = 7;
    out->gN[i] = gap;
    out->eps_N[i] = p->eps;
    out->body[2 * i] = 0;
    mech_contacts_block(out, i, 0)[0] = cos(q[1]);
    mech_contacts_block(out, i, 0)[1] = -sin(q[1]);
  }
}
static const struct mech_ops polar_ops = {.mass = polar_mass,
                                          .potential = polar_potential,
                                          .potential_gradient = polar_gradient,
                                          .kinematics = polar_kinematics,
                                          .consistent.decomposition = polar_decomposition,
                                          .consistent.gyro = polar_gyro,
                                          .contacts = polar_contacts};

struct mech polar_mech(struct polar *p) {
  struct mech model = small_mech("polar particle", &polar_ops, p, 2, 1);
  model.speed = 3;
  return model;
}

static void polar_damping(const struct mech *m, const double *q, const double *u, double t,
                          double *f) {
  (void)q, (void)t;
  f[0] = -((const struct polar *)m->data)->d * u[0];
  f[1] = 0;
}
static void polar_force(const struct mech *m, const double *q, const double *u, double t,
                        double *h) {
  const struct polar *p = m->data;
  polar_damping(m, q, u, t, h);
  h[0] += p->rates ? p->m * q[0] * u[1] * u[1] : p->m * u[1] * u[1] / q[0];
  h[1] -= p->rates ? 2 * p->m * q[0] * u[0] * u[1] : p->m * u[0] * u[1] / q[0];
}
static const struct mech_ops polar_free_ops = {.mass = polar_mass,
                                               .force = polar_force,
                                               .damping = polar_damping,
                                               .kinematics = polar_kinematics};

struct mech polar_free_mech(struct polar *p) {
  struct mech model = small_mech("polar", &polar_free_ops, p, 2, 1);
  model.speed = 3;
  model.constant_mass = 0;
  return model;
}
