/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small models for the tests of the consistent integrators: the oscillator and the double pendulum
 * of moeller 6.1 and 6.2 (contact directions, masses and units as there), a particle in polar
 * coordinates (Q != I, a curved gap), a block on a plane and a box with four corners.
 */
#include "tests/consistent_models.h"
#include "tests/small_mech.h"

#include <math.h>
#include <string.h>

static const struct consistent_parameters *of(const struct mech *m) { return m->data; }

/* Adds a contact on block 0 with directions W: nv x dim. */
static void add_contact(struct mech_contacts *out, const struct mech *m, int id, double gap,
                        double reach, const double *W) {
  if (gap > reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  out->id[i] = id;
  out->gN[i] = gap;
  out->mu[i] = of(m)->mu;
  out->eps_N[i] = of(m)->eps;
  out->body[2 * i] = 0;
  memcpy(mech_contacts_block(out, i, 0), W, (size_t)(m->nv * m->dim) * sizeof *W);
}

static void diagonal_mass(int n, double m, double *M) {
  for (int i = 0; i < n * n; ++i) {
    M[i] = i % (n + 1) == 0 ? m : 0;
  }
}

/* moeller 6.1 */
static void oscillator_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  M[0] = of(m)->m1;
  M[1] = M[2] = 0;
  M[3] = of(m)->m2;
}
static double oscillator_potential(const struct mech *m, const double *q) {
  const struct consistent_parameters *p = of(m);
  return 0.5 * p->c * (q[1] - p->l) * (q[1] - p->l) + p->g * (p->m1 * q[0] + p->m2 * q[1]);
}
static void oscillator_gradient(const struct mech *m, const double *q, double *dV) {
  const struct consistent_parameters *p = of(m);
  dV[0] = p->m1 * p->g;
  dV[1] = p->c * (q[1] - p->l) + p->m2 * p->g;
}
static void oscillator_contacts(const struct mech *m, const double *q, const double *u,
                                double reach, struct mech_contacts *out) {
  (void)u;
  add_contact(out, m, 0, q[0] - q[1], reach, (const double[]){1, -1});
}
static const struct mech_ops oscillator_ops = {.mass = oscillator_mass,
                                               .potential = oscillator_potential,
                                               .potential_gradient = oscillator_gradient,
                                               .contacts = oscillator_contacts};
const struct consistent_parameters consistent_oscillator_table = {
    .m1 = 10, .m2 = 1e-3, .c = 4e5, .l = 0.1, .g = 9.81, .eps = 0};
const struct mech consistent_oscillator = {.name = "oscillator",
                                           .ops = &oscillator_ops,
                                           .data = (void *)&consistent_oscillator_table,
                                           .nq = 2,
                                           .nu = 2,
                                           .dim = 1,
                                           .nb = 1,
                                           .nv = 2,
                                           .constant_mass = 1,
                                           .length = 0.1,
                                           .speed = 1};

/* moeller 6.2, y downwards */
static void pendulum_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  diagonal_mass(4, of(m)->m1, M);
}
static double pendulum_potential(const struct mech *m, const double *q) {
  const struct consistent_parameters *p = of(m);
  return p->m1 * p->g * (3 * p->l - q[1] - q[3]);
}
static void pendulum_gradient(const struct mech *m, const double *q, double *dV) {
  (void)q;
  dV[0] = dV[2] = 0;
  dV[1] = dV[3] = -of(m)->m1 * of(m)->g;
}
static void pendulum_bilateral(const struct mech *m, const double *q, double *gS) {
  const double l = of(m)->l, dx = q[2] - q[0], dy = q[3] - q[1];
  gS[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - l * l);
  gS[1] = 0.5 * (dx * dx + dy * dy - l * l);
}
static void pendulum_directions(const struct mech *m, const double *q, double *WS) {
  (void)m;
  const double dx = q[2] - q[0], dy = q[3] - q[1];
  const double W[8] = {q[0], q[1], 0, 0, -dx, -dy, dx, dy};
  memcpy(WS, W, sizeof W);
}
static void pendulum_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  (void)u;
  if (of(m)->walls) {
    add_contact(out, m, 0, q[0], reach, (const double[]){1, 0, 0, 0});
    add_contact(out, m, 1, q[2], reach, (const double[]){0, 0, 1, 0});
  }
}
static const struct mech_ops pendulum_ops = {.mass = pendulum_mass,
                                             .potential = pendulum_potential,
                                             .potential_gradient = pendulum_gradient,
                                             .bilateral = pendulum_bilateral,
                                             .bilateral_directions = pendulum_directions,
                                             .contacts = pendulum_contacts};
const struct consistent_parameters consistent_pendulum_table = {
    .m1 = 0.2, .l = 0.5, .g = 9.81, .eps = 1, .walls = 1};
const struct mech consistent_pendulum = {.name = "pendulum",
                                         .ops = &pendulum_ops,
                                         .data = (void *)&consistent_pendulum_table,
                                         .nq = 4,
                                         .nu = 4,
                                         .ns = 2,
                                         .dim = 1,
                                         .nb = 1,
                                         .nv = 4,
                                         .constant_mass = 1,
                                         .length = 0.5,
                                         .speed = 5};
const double consistent_pendulum_q[4] = {0, 0.5, 0, 1};
const double consistent_pendulum_u[4] = {2.5, 0, 5, 0};

/* A particle on a spring in polar coordinates, q = (r, phi), u = (r', r phi'), gravity along -x,
 * with the wall x = r cos phi >= l when there are walls. */
static void polar_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  diagonal_mass(2, of(m)->m1, M);
}
static double polar_potential(const struct mech *m, const double *q) {
  const struct consistent_parameters *p = of(m);
  return 0.5 * p->c * (q[0] - 1) * (q[0] - 1) + p->m1 * p->g * q[0] * cos(q[1]);
}
static void polar_gradient(const struct mech *m, const double *q, double *dV) {
  const struct consistent_parameters *p = of(m);
  dV[0] = p->c * (q[0] - 1) + p->m1 * p->g * cos(q[1]);
  dV[1] = -p->m1 * p->g * q[0] * sin(q[1]);
}
static void polar_kinematics(const struct mech *m, const double *q, double *F) {
  (void)m;
  const double A[4] = {1, 0, 0, 1 / q[0]};
  memcpy(F, A, sizeof A);
}
static void polar_decomposition(const struct mech *m, const double *q, double *Q) {
  (void)m;
  const double A[4] = {1, 0, 0, q[0]};
  memcpy(Q, A, sizeof A);
}
static void polar_gyro(const struct mech *m, const double *u, const double *q, double *H) {
  (void)q;
  const double h = of(m)->m1 * u[1];
  const double A[4] = {0, h, -h, 0};
  memcpy(H, A, sizeof A);
}
static void polar_contacts(const struct mech *m, const double *q, const double *u, double reach,
                           struct mech_contacts *out) {
  (void)u;
  if (of(m)->walls) {
    add_contact(out, m, 7, q[0] * cos(q[1]) - of(m)->l, reach,
                (const double[]){cos(q[1]), -sin(q[1])});
  }
}
static const struct mech_ops polar_ops = {.mass = polar_mass,
                                          .potential = polar_potential,
                                          .potential_gradient = polar_gradient,
                                          .kinematics = polar_kinematics,
                                          .consistent.decomposition = polar_decomposition,
                                          .consistent.gyro = polar_gyro,
                                          .contacts = polar_contacts};
const struct consistent_parameters consistent_polar_table = {
    .m1 = 0.7, .c = 31, .g = 9.81, .l = 0.2, .eps = 1};
const struct mech consistent_polar = {.name = "polar particle",
                                      .ops = &polar_ops,
                                      .data = (void *)&consistent_polar_table,
                                      .nq = 2,
                                      .nu = 2,
                                      .dim = 1,
                                      .nb = 1,
                                      .nv = 2,
                                      .constant_mass = 1,
                                      .length = 1,
                                      .speed = 3};

/* A block on the plane z = 0, q = (x, z) or (x, y, z), with `copies` coincident contacts, a spring
 * c to the origin, a damping matrix d I, and a force `push` along x. */
static void block_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  diagonal_mass(m->nq, of(m)->m1, M);
}
static double block_potential(const struct mech *m, const double *q) {
  const struct consistent_parameters *p = of(m);
  return p->m1 * p->g * q[m->nq - 1] + 0.5 * p->c * q[0] * q[0];
}
static void block_gradient(const struct mech *m, const double *q, double *dV) {
  const struct consistent_parameters *p = of(m);
  dV[1] = 0;
  dV[0] = p->c * q[0];
  dV[m->nq - 1] = p->m1 * p->g;
}
static void block_damping(const struct mech *m, const double *u, const double *q, double t,
                          double *D) {
  (void)u, (void)q, (void)t;
  diagonal_mass(m->nq, of(m)->d, D);
}
static void block_applied(const struct mech *m, const double *q, const double *u, double t,
                          double *f) {
  (void)u, (void)q, (void)t;
  memset(f, 0, (size_t)m->nq * sizeof *f);
  f[0] = of(m)->push;
}
static void block_contacts(const struct mech *m, const double *q, const double *u, double reach,
                           struct mech_contacts *out) {
  (void)u;
  const double planar[4] = {0, 1, 1, 0}, spatial[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
  for (int k = 0; k < of(m)->copies; ++k) {
    add_contact(out, m, k, q[m->nq - 1], reach, m->nq == 2 ? planar : spatial);
  }
}
static const struct mech_ops block_ops = {.mass = block_mass,
                                          .potential = block_potential,
                                          .potential_gradient = block_gradient,
                                          .consistent.damping_matrix = block_damping,
                                          .applied = block_applied,
                                          .contacts = block_contacts};
struct mech consistent_block(struct consistent_parameters *p, int nq, int dim) {
  return small_mech("block", &block_ops, p, nq, dim);
}

/* A box with half sides l and l/2 and four corners over the plane y = 0, q = (x, y, phi). */
static void box_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  diagonal_mass(3, of(m)->m1, M);
  M[8] = of(m)->m2;
}
static double box_potential(const struct mech *m, const double *q) {
  return of(m)->m1 * of(m)->g * q[1];
}
static void box_gradient(const struct mech *m, const double *q, double *dV) {
  (void)q;
  dV[0] = dV[2] = 0;
  dV[1] = of(m)->m1 * of(m)->g;
}
static void box_contacts(const struct mech *m, const double *q, const double *u, double reach,
                         struct mech_contacts *out) {
  (void)u;
  for (int k = 0; k < 4; ++k) {
    const double a = (k & 1 ? 1 : -1) * of(m)->l, b = (k & 2 ? 0.5 : -0.5) * of(m)->l;
    const double x = cos(q[2]) * a - sin(q[2]) * b, y = sin(q[2]) * a + cos(q[2]) * b;
    const int n = out->n;
    add_contact(out, m, k, q[1] + y, reach, (const double[]){0, 1, x, 1, 0, -y});
    if (out->n > n) {
      out->eps_T[n] = of(m)->eps;
    }
  }
}
static const struct mech_ops box_ops = {.mass = box_mass,
                                        .potential = box_potential,
                                        .potential_gradient = box_gradient,
                                        .contacts = box_contacts};

struct mech consistent_box(struct consistent_parameters *p) {
  struct mech m = consistent_block(p, 3, 2);
  m.name = "box";
  m.ops = &box_ops;
  m.length = p->l;
  return m;
}
