/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spatial double pendulum in the coordinates of its source (bhalerao 5): the place of P1 and
 * relative body-fixed Euler-123 angles, so that the joint holds by itself,
 *
 *   q = (P1, qa, qb),   u = (v_P1, omega_A, omega_r),   qdot = (v_P1, N(qa) omega_A, N(qb) omega_r)
 *
 * omega_A in the frame of A, omega_r of B against A in the frame of B. With e the third axis, s =
 * L/2, R_B = R_A R_b,
 *
 *   omega_B = R_b^T omega_A + omega_r
 *   v_A = v_P1 + R_A (omega_A x s e),   v_B = v_P1 + R_A (omega_A x L e) + R_B (omega_B x s e)
 *
 * are U = T(q) u, and M = T^T diag(m, I, m, I) T, h = T^T (f - M a), a what U changes by at
 * constant u, gyroscopic terms with it. The one contact is P1 itself: g_N = P1_z, and W are unit
 * vectors.
 *
 *   N(q):  omega = (c2 c3 q1' + s3 q2', -c2 s3 q1' + c3 q2', s2 q1' + q3')
 *
 * A scheme that moves q by dt F(q) u moves the centre of mass by that but for O(dt^2) a step: the
 * drift that the source shows. Angles end where cos q2 = 0.
 */
#include "cases/spatial-double-pendulum/relative.h"

#include "mech/vector3.h"

#include <math.h>
#include <string.h>

enum { DOF = 9, RATES = 12 };

struct configuration {
  double A[9], b[9], B[9]; /* R_A, R_b, R_B, rows first */
};

/* out += f R x */
static void add_turned(const double R[9], double f, const double x[3], double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] += f * (R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2]);
  }
}

/* out = R^T x */
static void turn_back(const double R[9], const double x[3], double out[3]) {
  for (int i = 0; i < 3; ++i) {
    out[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
  }
}

static void configure(const double *q, struct configuration *c) {
  spatial_double_pendulum_rotation(q + 3, c->A);
  spatial_double_pendulum_rotation(q + 6, c->b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      c->B[3 * i + j] =
          c->A[3 * i] * c->b[j] + c->A[3 * i + 1] * c->b[3 + j] + c->A[3 * i + 2] * c->b[6 + j];
    }
  }
}

/* U: v_A, omega_A, v_B, omega_B of u. */
static void rates(const struct configuration *c, const double *u, double U[RATES]) {
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH, e[3] = {0, 0, 1};
  double along[3], turned[3];
  memcpy(U, u, 6 * sizeof *U);
  memcpy(U + 6, u, 3 * sizeof *U);
  turn_back(c->b, u + 3, turned);
  for (int i = 0; i < 3; ++i) {
    U[9 + i] = turned[i] + u[6 + i];
  }
  mech_cross3(u + 3, e, along);
  add_turned(c->A, 0.5 * L, along, U);
  add_turned(c->A, L, along, U + 6);
  mech_cross3(U + 9, e, along);
  add_turned(c->B, 0.5 * L, along, U + 6);
}

/* How U changes at constant u, U given: a. */
static void drifts(const struct configuration *c, const double *u, const double U[RATES],
                   double a[RATES]) {
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH, e[3] = {0, 0, 1};
  double once[3], twice[3], turned[3];
  memset(a, 0, RATES * sizeof *a);
  turn_back(c->b, u + 3, turned);
  mech_cross3(turned, u + 6, a + 9); /* R_b^T omega_A seen from B */
  mech_cross3(u + 3, e, once);
  mech_cross3(u + 3, once, twice);
  add_turned(c->A, 0.5 * L, twice, a);
  add_turned(c->A, L, twice, a + 6);
  mech_cross3(U + 9, e, once);
  mech_cross3(U + 9, once, twice);
  add_turned(c->B, 0.5 * L, twice, a + 6);
  mech_cross3(a + 9, e, once);
  add_turned(c->B, 0.5 * L, once, a + 6);
}

/* Mass or moment of inertia of row j of U. */
static double inertia(int j) {
  return j % 6 < 3 ? SPATIAL_DOUBLE_PENDULUM_MASS : spatial_double_pendulum_inertia[j % 3];
}

/* T: RATES x DOF, column-major. */
static void transform(const struct configuration *c, double T[RATES * DOF]) {
  for (int j = 0; j < DOF; ++j) {
    double u[DOF] = {0};
    u[j] = 1;
    rates(c, u, T + (long)RATES * j);
  }
}

static void relative_mass(const struct mech *m, const double *q, double *M) {
  struct configuration c;
  double T[RATES * DOF];
  (void)m;
  configure(q, &c);
  transform(&c, T);
  for (int i = 0; i < DOF; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = 0;
      for (int k = 0; k < RATES; ++k) {
        sum += inertia(k) * T[RATES * i + k] * T[RATES * j + k];
      }
      M[DOF * i + j] = M[DOF * j + i] = sum;
    }
  }
}

static void relative_force(const struct mech *m, const double *q, const double *u, double t,
                           double *h) {
  const struct spatial_double_pendulum_relative *p = m->data;
  struct configuration c;
  double T[RATES * DOF], U[RATES], a[RATES];
  (void)t;
  configure(q, &c);
  transform(&c, T);
  rates(&c, u, U);
  drifts(&c, u, U, a);
  for (int body = 0; body < 2; ++body) {
    const double *w = U + 6 * body + 3, *I = spatial_double_pendulum_inertia;
    a[6 * body + 2] += p->g;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      a[6 * body + 3 + i] += (I[k] - I[j]) * w[j] * w[k] / I[i]; /* omega x I omega */
    }
  }
  for (int i = 0; i < DOF; ++i) {
    h[i] = 0;
    for (int k = 0; k < RATES; ++k) {
      h[i] -= inertia(k) * T[RATES * i + k] * a[k];
    }
  }
}

/* Heights of the centres: z of P1, and s R_A,33, L R_A,33 + s R_B,33 above it. */
static double relative_potential(const struct mech *m, const double *q) {
  const struct spatial_double_pendulum_relative *p = m->data;
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH;
  struct configuration c;
  configure(q, &c);
  return SPATIAL_DOUBLE_PENDULUM_MASS * p->g * (2 * q[2] + 1.5 * L * c.A[8] + 0.5 * L * c.B[8]);
}

static void relative_gradient(const struct mech *m, const double *q, double *dV) {
  const struct spatial_double_pendulum_relative *p = m->data;
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH, mg = SPATIAL_DOUBLE_PENDULUM_MASS * p->g;
  const double *qa = q + 3, *qb = q + 6;
  const double c1 = cos(qa[0]), s1 = sin(qa[0]), c2 = cos(qa[1]), s2 = sin(qa[1]);
  const double c3 = cos(qa[2]), s3 = sin(qa[2]);
  const double b1 = cos(qb[0]), d1 = sin(qb[0]), b2 = cos(qb[1]), d2 = sin(qb[1]);
  struct configuration c;
  configure(q, &c);
  /* R_B,33 = row . axis, the third row of R_A and the third column of R_b */
  const double row[3] = {c.A[6], c.A[7], c.A[8]}, axis[3] = {c.b[2], c.b[5], c.b[8]};
  const double rows[3][3] = {{c1 * s3 + s1 * s2 * c3, c1 * c3 - s1 * s2 * s3, -s1 * c2},
                             {-c1 * c2 * c3, c1 * c2 * s3, -c1 * s2},
                             {s1 * c3 + c1 * s2 * s3, -s1 * s3 + c1 * s2 * c3, 0}};
  const double axes[3][3] = {{0, -b1 * b2, -d1 * b2}, {b2, d1 * d2, -b1 * d2}, {0, 0, 0}};
  dV[0] = dV[1] = 0;
  dV[2] = 2 * mg;
  for (int k = 0; k < 3; ++k) {
    dV[3 + k] = 1.5 * L * mg * rows[k][2];
    dV[6 + k] = 0;
    for (int i = 0; i < 3; ++i) {
      dV[3 + k] += 0.5 * L * mg * rows[k][i] * axis[i];
      dV[6 + k] += 0.5 * L * mg * row[i] * axes[k][i];
    }
  }
}

static void relative_kinematics(const struct mech *m, const double *q, double *F) {
  (void)m;
  memset(F, 0, DOF * DOF * sizeof *F);
  for (int j = 0; j < 3; ++j) {
    F[j * (DOF + 1)] = 1;
  }
  for (int body = 0; body < 2; ++body) {
    const int at = 3 + 3 * body;
    const double c2 = cos(q[at + 1]), s2 = sin(q[at + 1]), c3 = cos(q[at + 2]), s3 = sin(q[at + 2]);
    const double N[3][3] = {/* rows */
                            {c3 / c2, -s3 / c2, 0},
                            {s3, c3, 0},
                            {-s2 * c3 / c2, s2 * s3 / c2, 1}};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        F[(at + j) * DOF + at + i] = N[i][j];
      }
    }
  }
}

static void relative_contacts(const struct mech *m, const double *q, const double *u, double reach,
                              struct mech_contacts *out) {
  const struct spatial_double_pendulum_relative *p = m->data;
  if (q[2] > reach) {
    return;
  }
  const int i = mech_contacts_push(out);
  double *W = mech_contacts_block(out, i, 0);
  out->id[i] = 0;
  out->gN[i] = q[2];
  out->mu[i] = p->mu;
  out->eps_N[i] = p->eps_N;
  out->body[2 * i] = 0;
  W[2] = 1; /* normal z, then x and y of v_P1 */
  W[DOF] = 1;
  W[2 * DOF + 1] = 1;
  if (u != NULL) {
    memset(out->bias + 3L * i, 0, 3 * sizeof *out->bias);
  }
}

static void relative_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s) {
  (void)m;
  for (int i = 0; i < at_a->n; ++i) {
    s[3 * i] = b[2] - a[2];
    s[3 * i + 1] = b[0] - a[0];
    s[3 * i + 2] = b[1] - a[1];
  }
}

static void relative_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                             double *u_out) {
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH;
  struct configuration c;
  double U[RATES];
  (void)m;
  configure(q, &c);
  rates(&c, u, U);
  for (int i = 0; i < 3; ++i) {
    q_out[i] = q[i] + 0.5 * L * c.A[3 * i + 2];
    q_out[7 + i] = q[i] + L * c.A[3 * i + 2] + 0.5 * L * c.B[3 * i + 2];
  }
  spatial_double_pendulum_turn((double[4]){1, 0, 0, 0}, q + 3, q_out + 3);
  spatial_double_pendulum_turn(q_out + 3, q + 6, q_out + 10);
  spatial_double_pendulum_publish(c.A, c.B, U, q_out, u_out);
}

static const struct mech_ops relative_ops = {.mass = relative_mass,
                                             .force = relative_force,
                                             .potential = relative_potential,
                                             .potential_gradient = relative_gradient,
                                             .kinematics = relative_kinematics,
                                             .contacts = relative_contacts,
                                             .slips = relative_slips,
                                             .observe = relative_observe};

void spatial_double_pendulum_relative_build(const struct spatial_double_pendulum_relative *given,
                                            const double q[9], const double v[3],
                                            struct base_arena *arena, struct case_instance *out) {
  struct spatial_double_pendulum_relative *data = base_arena_push(arena, sizeof *data);
  const double L = SPATIAL_DOUBLE_PENDULUM_LENGTH;
  *data = *given;
  struct mech *m =
      case_model("spatial-double-pendulum", &relative_ops, data, DOF, DOF, 3, arena, out);
  m->length = 2 * L;
  m->speed = sqrt(2 * data->g * 2 * L);
  memcpy(out->q, q, DOF * sizeof *q);
  memcpy(out->u, v, 3 * sizeof *v);
}
