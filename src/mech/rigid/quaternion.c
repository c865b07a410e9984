/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rigid body with a quaternion, q = (r, A).
 *
 * As a scalable body with the constraint |A|^2 = 1 (moeller 4.3), u = (v, nu, omega) = Q qdot:
 *
 *   Q = diag(I, 2 phi(A^*)),  F = diag(I, phi(A) / (2 |A|^2))              (5.79, 4.109)
 *   M = diag(m I, tr(Theta)/2, Theta)                                      (5.81)
 *   H = [0 -4 (Theta omega)^T; 4 Theta omega  -4 (Theta omega)~]           (5.85)
 *   gamma_S = nu                                                           (5.87)
 *   G = dp/dq - (dp/dq)^T,  p = Q^T M Q qdot;  T quadratic in q too        (5.54, 4.90, 4.92)
 *
 * As a body with a unit quaternion and u = (v, omega), nothing constrained (4.119):
 *
 *   F = diag(I, phi(A)/2) without the column of nu                         (5.134)
 *   H = omega~ Theta + Theta omega~,  H u the gyroscopic force             (5.132)
 *
 * Both are meant off the unit sphere as well, where integrators evaluate them.
 */
#include "mech/rigid/parts.h"

#include "la/dense.h"

#include <math.h>
#include <string.h>

enum { N = 7 }; /* coordinates */

/* phi(A) (4.41) times alpha: 4 x 4 column-major, or its transpose. */
static void quaternion_matrix(double alpha, const double A[4], int transposed, double phi[16]) {
  const double rows[4][4] = {{A[0], -A[1], -A[2], -A[3]},
                             {A[1], A[0], -A[3], A[2]},
                             {A[2], A[3], A[0], -A[1]},
                             {A[3], -A[2], A[1], A[0]}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      phi[transposed ? i * 4 + j : j * 4 + i] = alpha * rows[i][j];
    }
  }
}

/* diag(I, B) into n x n, B: 4 x 4. */
static void extend(const double B[16], double *X) {
  memset(X, 0, (size_t)N * N * sizeof *X);
  for (int i = 0; i < 3; ++i) {
    X[i * (N + 1)] = 1;
  }
  for (int j = 0; j < 4; ++j) {
    la_copy(4, B + 4 * j, X + (3 + j) * N + 3);
  }
}

/* gxi: 7 x 3, gradients of the contact point's x, y, z by q; quadratic in A. */
static void point_gradient(const struct mech_rigid_body *p, const double *q, double *gxi) {
  const double rho[4] = {0, p->point[0], p->point[1], p->point[2]};
  const double conjugate[4] = {q[3], -q[4], -q[5], -q[6]};
  double B[4];
  mech_quaternion_multiply(rho, conjugate, B);
  memset(gxi, 0, (size_t)N * 3 * sizeof *gxi);
  for (int axis = 0; axis < 3; ++axis) {
    gxi[axis * N + axis] = 1;
  }
  for (int k = 0; k < 4; ++k) { /* d xi = 2 Im(dA rho A^*) */
    const double unit[4] = {k == 0, k == 1, k == 2, k == 3};
    double X[4];
    mech_quaternion_multiply(unit, B, X);
    for (int axis = 0; axis < 3; ++axis) {
      gxi[axis * N + 3 + k] = 2 * X[1 + axis];
    }
  }
}

static double gap_of(const struct mech_rigid_body *p, const double *q) {
  double turned[3];
  mech_quaternion_turn(q + 3, p->point, turned);
  return q[2] + turned[2];
}

static void quaternion_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                    double *DgN) {
  double z[N], gxi[N * 3];
  (void)id;
  for (int j = 0; j < N; ++j) {
    z[j] = 0.5 * (a[j] + b[j]);
  }
  point_gradient(m->data, z, gxi);
  la_copy(N, gxi + 2 * N, DgN);
}

/* W = F^T gxi; the bias is that of xi'' = A (omega x (nu rho + omega x rho)) A^* / s^2 for the
 * scalable body (Adot = A (nu, omega) / (2 s)), and with nu = 0 and without s for the other. */
static void point_contact(const struct mech *m, const double *q, const double *u, double reach,
                          struct mech_contacts *out) {
  const struct mech_rigid_body *p = m->data;
  const int scalable = p->kind == MECH_RIGID_BODY_SCALABLE;
  double *W = mech_rigid_body_contact(m, gap_of(p, q), reach, out);
  if (W == NULL) {
    return;
  }
  double gxi[N * 3], F[N * N];
  point_gradient(p, q, gxi);
  m->ops->kinematics(m, q, F);
  for (int k = 0; k < 3; ++k) {
    la_gemv_t(N, m->nu, 1, F, gxi + mech_rigid_body_axis[k] * N, 0, W + k * m->nu);
  }
  if (u != NULL) {
    const double *omega = u + m->nu - 3, s = la_dot(4, q + 3, q + 3);
    double rate[3], again[3], bias[3];
    mech_cross3(omega, p->point, rate);
    if (scalable) {
      la_axpy(3, u[3], p->point, rate);
    }
    mech_cross3(omega, rate, again);
    mech_quaternion_turn(q + 3, again, bias);
    for (int k = 0; k < 3; ++k) {
      out->bias[3 * (out->n - 1) + k] = bias[mech_rigid_body_axis[k]] / (scalable ? s * s : 1.0);
    }
  }
}

/* Directors scaled by |A|^2, so that a quaternion off the unit sphere shows; rates for Adot. */
static void quaternion_observe(const struct mech *m, const double *q, const double *u,
                               double *q_out, double *u_out) {
  const struct mech_rigid_body *p = m->data;
  const double nu = p->kind == MECH_RIGID_BODY_SCALABLE ? u[3] : 0, *omega = u + m->nu - 3;
  double rate[9];
  la_copy(3, q, q_out);
  la_copy(3, u, u_out);
  for (int i = 0; i < 3; ++i) {
    const double e[3] = {i == 0, i == 1, i == 2};
    double turn[3];
    mech_cross3(omega, e, turn);
    la_axpy(3, nu, e, turn);
    mech_quaternion_turn(q + 3, e, q_out + 3 + 3 * i);
    mech_quaternion_turn(q + 3, turn, rate + 3 * i);
  }
  mech_rigid_body_publish(q_out + 3, rate, u_out + 3, u_out + 6);
}

static void gravity_force(const struct mech *m, double *h) {
  const struct mech_rigid_body *p = m->data;
  memset(h, 0, (size_t)m->nu * sizeof *h);
  h[2] = -p->mass * p->gravity;
}

/* --- scalable --- */

static void scalable_mass(const struct mech *m, const double *q, double *M) {
  const struct mech_rigid_body *p = m->data;
  (void)q;
  memset(M, 0, (size_t)N * N * sizeof *M);
  for (int i = 0; i < 3; ++i) {
    M[i * (N + 1)] = p->mass;
    M[(4 + i) * (N + 1)] = p->Theta[i];
  }
  M[3 * (N + 1)] = 0.5 * (p->Theta[0] + p->Theta[1] + p->Theta[2]);
}

static void scalable_decomposition(const struct mech *m, const double *q, double *Q) {
  double B[16];
  (void)m;
  quaternion_matrix(2, q + 3, 1, B);
  extend(B, Q);
}

static void scalable_kinematics(const struct mech *m, const double *q, double *F) {
  double B[16];
  (void)m;
  quaternion_matrix(0.5 / la_dot(4, q + 3, q + 3), q + 3, 0, B);
  extend(B, F);
}

static void scalable_gyro(const struct mech *m, const double *u, const double *q, double *H) {
  const struct mech_rigid_body *p = m->data;
  const double c[4] = {0, 4 * p->Theta[0] * u[4], 4 * p->Theta[1] * u[5], 4 * p->Theta[2] * u[6]};
  (void)q;
  memset(H, 0, (size_t)N * N * sizeof *H);
  for (int i = 1; i < 4; ++i) {
    const int j = i % 3 + 1, k = j % 3 + 1; /* i, j, k cyclic */
    H[(3 + i) * N + 3] = -c[i];
    H[3 * N + 3 + i] = c[i];
    H[(3 + k) * N + 3 + j] = c[i]; /* -c~: entry (j, k) of a~ is -a_i */
    H[(3 + j) * N + 3 + k] = -c[i];
  }
}

static void scalable_force(const struct mech *m, const double *q, const double *u, double t,
                           double *h) {
  double H[N * N], F[N * N], qdot[N], f[N];
  (void)t;
  gravity_force(m, h);
  scalable_gyro(m, u, q, H);
  scalable_kinematics(m, q, F);
  la_gemv(N, N, 1, F, u, 0, qdot);
  la_gemv(N, N, 1, H, qdot, 0, f);
  la_gemv_t(N, N, -1, F, f, 1, h);
}

/* J: dp/dq at fixed qdot, p = Q^T M Q qdot. With w = A^* Adot and Th the inertia of (nu, omega),
 * p = 4 A (Th w): dp = 4 dA (Th w) + 4 A (Th (dA^* Adot)). */
static void momentum_slope(const struct mech *m, const double *qdot, const double *q, double *J) {
  const struct mech_rigid_body *p = m->data;
  const double *T = p->Theta, *A = q + 3,
               inertia[4] = {0.5 * (T[0] + T[1] + T[2]), T[0], T[1], T[2]};
  const double conjugate[4] = {A[0], -A[1], -A[2], -A[3]};
  double w[4];
  mech_quaternion_multiply(conjugate, qdot + 3, w);
  memset(J, 0, (size_t)N * N * sizeof *J);
  for (int k = 0; k < 4; ++k) {
    const double dA[4] = {k == 0, k == 1, k == 2, k == 3};
    const double dual[4] = {dA[0], -dA[1], -dA[2], -dA[3]};
    double momentum[4], change[4], first[4], second[4];
    mech_quaternion_multiply(dual, qdot + 3, change);
    for (int i = 0; i < 4; ++i) {
      momentum[i] = 2 * inertia[i] * w[i];
      change[i] *= 2 * inertia[i];
    }
    mech_quaternion_multiply(dA, momentum, first);
    mech_quaternion_multiply(A, change, second);
    for (int i = 0; i < 4; ++i) {
      J[(3 + k) * N + 3 + i] = 2 * (first[i] + second[i]);
    }
  }
}

static void scalable_coordinate_gyro(const struct mech *m, const double *qdot, const double *q,
                                     double *G) {
  double J[N * N];
  momentum_slope(m, qdot, q, J);
  for (int j = 0; j < N; ++j) {
    for (int i = 0; i < N; ++i) {
      G[j * N + i] = J[j * N + i] - J[i * N + j];
    }
  }
}

/* T is quadratic in q at fixed qdot (4.90): dT/dq at the midpoint z is Qdot^T M Qdot z (4.92), that
 * is 4 Adot (Th (Adot^* z)) up to the conjugation, which Th does not see. */
static void scalable_discrete_kinetic(const struct mech *m, const double *qdot, const double *a,
                                      const double *b, double *DT) {
  const struct mech_rigid_body *p = m->data;
  const double *T = p->Theta, *V = qdot + 3;
  const double inertia[4] = {0.5 * (T[0] + T[1] + T[2]), T[0], T[1], T[2]};
  const double conjugate[4] = {V[0], -V[1], -V[2], -V[3]};
  double z[4], w[4], product[4];
  for (int i = 0; i < 4; ++i) {
    z[i] = 0.5 * (a[3 + i] + b[3 + i]);
  }
  mech_quaternion_multiply(conjugate, z, w);
  for (int i = 0; i < 4; ++i) {
    w[i] *= 4 * inertia[i];
  }
  mech_quaternion_multiply(V, w, product);
  memset(DT, 0, N * sizeof *DT);
  la_copy(4, product, DT + 3);
}

static void scalable_bilateral(const struct mech *m, const double *q, double *gS) {
  (void)m;
  gS[0] = la_dot(4, q + 3, q + 3) - 1;
}

static void scalable_directions(const struct mech *m, const double *q, double *WS) {
  (void)m, (void)q;
  memset(WS, 0, N * sizeof *WS);
  WS[3] = 1;
}

static void scalable_bias(const struct mech *m, const double *q, const double *u, double *bias) {
  (void)m, (void)q, (void)u;
  bias[0] = 0;
}

static void scalable_discrete_bilateral(const struct mech *m, const double *a, const double *b,
                                        double *DgS) {
  (void)m;
  for (int j = 0; j < N; ++j) {
    DgS[j] = j < 3 ? 0 : a[j] + b[j];
  }
}

static void scalable_discrete_rate(const struct mech *m, const double *u, const double *a,
                                   const double *b, double *Dgamma) {
  (void)m, (void)u, (void)a, (void)b;
  memset(Dgamma, 0, N * sizeof *Dgamma);
}

const struct mech_ops mech_rigid_body_scalable = {
    .mass = scalable_mass,
    .force = scalable_force,
    .potential = mech_rigid_body_potential,
    .potential_gradient = mech_rigid_body_gradient,
    .kinematics = scalable_kinematics,
    .bilateral = scalable_bilateral,
    .bilateral_directions = scalable_directions,
    .bilateral_bias = scalable_bias,
    .contacts = point_contact,
    .slips = mech_rigid_body_slips,
    .consistent.decomposition = scalable_decomposition,
    .consistent.gyro = scalable_gyro,
    .consistent.coordinate_gyro = scalable_coordinate_gyro,
    .consistent.discrete_kinetic = scalable_discrete_kinetic,
    .consistent.discrete_potential = mech_discrete_potential_linear,
    .consistent.discrete_bilateral = scalable_discrete_bilateral,
    .consistent.discrete_rate = scalable_discrete_rate,
    .consistent.discrete_gap = quaternion_discrete_gap,
    .observe = quaternion_observe};

/* --- unit quaternion --- */

static void quaternion_mass(const struct mech *m, const double *q, double *M) {
  const struct mech_rigid_body *p = m->data;
  (void)q;
  memset(M, 0, 36 * sizeof *M);
  for (int i = 0; i < 3; ++i) {
    M[i * 7] = p->mass;
    M[(3 + i) * 7] = p->Theta[i];
  }
}

static void quaternion_kinematics(const struct mech *m, const double *q, double *F) {
  double B[16];
  (void)m;
  memset(F, 0, (size_t)N * 6 * sizeof *F);
  quaternion_matrix(0.5, q + 3, 0, B);
  for (int i = 0; i < 3; ++i) {
    F[i * (N + 1)] = 1;
    la_copy(4, B + 4 * (1 + i), F + (3 + i) * N + 3);
  }
}

static void quaternion_gyro(const struct mech *m, int b, const double *u, double *H) {
  const struct mech_rigid_body *p = m->data;
  (void)b;
  memset(H, 0, 36 * sizeof *H);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double c = (p->Theta[j] + p->Theta[k]) * u[3 + i]; /* entry (j, k) of omega~ is -w_i */
    H[(3 + k) * 6 + 3 + j] = -c;
    H[(3 + j) * 6 + 3 + k] = c;
  }
}

static void quaternion_force(const struct mech *m, const double *q, const double *u, double t,
                             double *h) {
  const struct mech_rigid_body *p = m->data;
  const double *omega = u + 3;
  double L[3], moment[3];
  (void)q, (void)t;
  gravity_force(m, h);
  for (int i = 0; i < 3; ++i) {
    L[i] = p->Theta[i] * omega[i];
  }
  mech_cross3(L, omega, moment); /* -omega x L */
  la_axpy(3, 1, moment, h + 3);
}

static void quaternion_normalise(const struct mech *m, double *q) {
  const double s = 1 / la_norm2(4, q + 3);
  (void)m;
  for (int i = 3; i < N; ++i) {
    q[i] *= s;
  }
}

const struct mech_ops mech_rigid_body_quaternion = {
    .mass = quaternion_mass,
    .force = quaternion_force,
    .potential = mech_rigid_body_potential,
    .potential_gradient = mech_rigid_body_gradient,
    .kinematics = quaternion_kinematics,
    .contacts = point_contact,
    .slips = mech_rigid_body_slips,
    .normalise = quaternion_normalise,
    .consistent.velocity_gyro = quaternion_gyro,
    .consistent.discrete_potential = mech_discrete_potential_linear,
    .consistent.discrete_gap = quaternion_discrete_gap,
    .observe = quaternion_observe};
