/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bodies of an assembly: the one file that knows their coordinates (see parts.h). For a
 * force f and a torque tau in the body's frame
 *
 *   spatial   W = (f, tau)           dA: 2 A (0, tau) / s, so that dA . Adot = tau . omega
 *   scalable  W = (f, 0, tau / s)    the same dA, dA . Adot = tau . omega / s
 *   planar    W = (f_x, f_y, tau_z)
 *
 * and the equations of motion (moeller 4.119, 5.81 to 5.87, 5.132)
 *
 *   spatial   M = diag(m I, Theta),             h = -omega x L,   L = Theta omega
 *   scalable  M = diag(m I, tr(Theta)/2, Theta), (h_nu, h_omega) = (omega . L, L x omega - nu L)/s
 */
#include "mech/assembly/parts.h"

#include "base/threads.h"
#include "la/dense.h"

#include <math.h>
#include <string.h>

struct blocks {
  const struct mech_assembly *a;
  const double *q, *u;
  double *out;
};

static void for_blocks(const struct mech_assembly *a, base_part_fn *call, const double *q,
                       const double *u, double *out) {
  const struct base_parts parts = base_parts_of(a->n_blocks, BASE_PART_LEAST);
  base_threads_parts(&parts, call, &(struct blocks){a, q, u, out});
}

/* --- rotations --- */

/* ab = a b (4.33) */
static inline void multiply(const double a[4], const double b[4], double ab[4]) {
  const double w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  const double x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  const double y = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
  const double z = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
  ab[0] = w, ab[1] = x, ab[2] = y, ab[3] = z;
}

void mech_assembly_rotation(const double A[4], double R[9]) {
  const double w = A[0], x = A[1], y = A[2], z = A[3];
  const double c = 2 / (w * w + x * x + y * y + z * z);
  R[0] = 1 - c * (y * y + z * z), R[1] = c * (x * y - w * z), R[2] = c * (x * z + w * y);
  R[3] = c * (y * x + w * z), R[4] = 1 - c * (z * z + x * x), R[5] = c * (y * z - w * x);
  R[6] = c * (z * x - w * y), R[7] = c * (z * y + w * x), R[8] = 1 - c * (x * x + y * y);
}

/* The body's part of q, of u. */
static const double *coordinates(const struct mech_assembly *a, const double *q, int body) {
  return q + (long)mech_body_block(a, body) * a->body_nq;
}
static const double *velocities(const struct mech_assembly *a, const double *u, int body) {
  return u + (long)mech_body_block(a, body) * a->body_nu;
}

static void planar_motion(const struct mech_assembly *a, const double *q, const double *u, int body,
                          struct mech_motion *m) {
  m->x[0] = q[0], m->x[1] = q[1], m->x[2] = 0;
  if (mech_body_turns(a, body)) {
    const double c = cos(q[2]), s = sin(q[2]);
    memcpy(m->R, (double[9]){c, -s, 0, s, c, 0, 0, 0, 1}, sizeof m->R);
  }
  if (u != NULL) {
    m->v[0] = u[0], m->v[1] = u[1];
    m->w[2] = mech_body_turns(a, body) ? u[2] : 0;
  }
}

/* Field by field: of the whole the compiler makes a loop that takes as long as all the rest. */
static inline void rest_in_the_world(struct mech_motion *m) {
  m->x[0] = m->x[1] = m->x[2] = 0;
  memcpy(m->R, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, sizeof m->R);
  m->v[0] = m->v[1] = m->v[2] = 0;
  m->w[0] = m->w[1] = m->w[2] = 0;
  m->s = 1;
  m->sdot = 0;
}

struct mech_motion mech_assembly_motion(const struct mech_assembly *a, const double *q,
                                        const double *u, int body) {
  struct mech_motion m;
  rest_in_the_world(&m);
  if (body < 0) {
    return m;
  }
  if (a->pose_of != NULL && a->pose_of[body] >= 0) {
    const struct mech_assembly_pose *pose = &a->pose[a->pose_of[body]];
    memcpy(m.x, pose->x, sizeof m.x);
    memcpy(m.R, pose->R, sizeof m.R);
  }
  if (mech_body_block(a, body) < 0) {
    return m;
  }
  const int turns = mech_body_turns(a, body);
  q = coordinates(a, q, body);
  u = u != NULL ? velocities(a, u, body) : NULL;
  if (a->kind == MECH_PLANAR) {
    planar_motion(a, q, u, body, &m);
    return m;
  }
  memcpy(m.x, q, sizeof m.x);
  if (turns) {
    mech_assembly_rotation(q + 3, m.R);
  }
  if (a->kind == MECH_SCALABLE) {
    m.s = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6];
    m.sdot = u != NULL ? u[3] : 0;
  }
  if (u != NULL) {
    memcpy(m.v, u, sizeof m.v);
    if (turns) {
      const double *omega = u + a->body_nu - 3;
      mech_turn3(m.R, (double[3]){omega[0] / m.s, omega[1] / m.s, omega[2] / m.s}, m.w);
    }
  }
  return m;
}

void mech_assembly_pose_of(const struct mech_assembly *a, const double *q, int body,
                           struct mech_pose *pose) {
  if (body < 0 || mech_body_block(a, body) < 0 || a->kind == MECH_PLANAR) {
    *pose = mech_assembly_pose(a, q, body);
    return;
  }
  q = coordinates(a, q, body);
  memcpy(pose->x, q, sizeof pose->x);
  if (!mech_body_turns(a, body)) {
    memcpy(pose->R, a->pose[a->pose_of[body]].R, sizeof pose->R);
  } else {
    mech_assembly_rotation(q + 3, pose->R);
  }
}

double mech_assembly_turning(const struct mech_assembly *a, const double *q, const double *u,
                             int body) {
  const double *w = velocities(a, u, body) + a->body_nu - 3;
  if (!mech_body_turns(a, body)) {
    return 0;
  }
  if (a->kind == MECH_PLANAR) {
    return fabs(w[2]);
  }
  const double *A = coordinates(a, q, body) + 3;
  const double s = a->kind == MECH_SCALABLE ? la_dot(4, A, A) : 1;
  return sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / s;
}

struct mech_pose mech_assembly_pose(const struct mech_assembly *a, const double *q, int body) {
  const struct mech_motion m = mech_assembly_motion(a, q, NULL, body);
  struct mech_pose pose;
  memcpy(pose.x, m.x, sizeof pose.x);
  memcpy(pose.R, m.R, sizeof pose.R);
  return pose;
}

/* --- forces into blocks --- */

void mech_assembly_put_u(const struct mech_assembly *a, const struct mech_motion *at, int body,
                         double alpha, const double force[3], const double torque[3], double *y) {
  const double turn = mech_body_turns(a, body) ? alpha / at->s : 0;
  y[0] += alpha * force[0];
  y[1] += alpha * force[1];
  if (a->kind == MECH_PLANAR) {
    y[2] += turn * torque[2];
    return;
  }
  y[2] += alpha * force[2];
  mech_add3(turn, torque, y + a->body_nu - 3);
}

void mech_assembly_put_q(const struct mech_assembly *a, const double *q, int body, double alpha,
                         const double force[3], const double torque[3], double *y) {
  y[0] += alpha * force[0];
  y[1] += alpha * force[1];
  if (a->kind == MECH_PLANAR) {
    y[2] += mech_body_turns(a, body) ? alpha * torque[2] : 0;
    return;
  }
  y[2] += alpha * force[2];
  if (mech_body_turns(a, body)) {
    const double *A = coordinates(a, q, body) + 3, tau[4] = {0, torque[0], torque[1], torque[2]};
    double dA[4];
    multiply(A, tau, dA);
    la_axpy(4, 2 * alpha / la_dot(4, A, A), dA, y + 3);
  }
}

/* --- mass, kinematics --- */

/* Moments of inertia of a body; those of one that does not turn only keep M regular. */
static inline void inertia_of(const struct mech_assembly *a, int body, double Theta[3]) {
  mech_body_inertia(a, body, Theta);
  for (int i = 0; i < 3 && !mech_body_turns(a, body); ++i) {
    Theta[i] = a->mass[body];
  }
}

/* Diagonal of a body's block: body_nu. */
static inline void block_diagonal(const struct mech_assembly *a, int block, double d[7]) {
  const int body = mech_block_body(a, block);
  const double mass = a->mass[body];
  double Theta[3];
  inertia_of(a, body, Theta);
  if (a->kind == MECH_PLANAR) {
    d[0] = d[1] = mass;
    d[2] = Theta[2];
    return;
  }
  for (int i = 0; i < 3; ++i) {
    d[i] = mass;
    d[a->body_nu - 3 + i] = Theta[i];
  }
  if (a->kind == MECH_SCALABLE) {
    d[3] = 0.5 * (Theta[0] + Theta[1] + Theta[2]);
  }
}

static void assembly_mass(const struct mech *m, const double *q, double *M) {
  const int n = m->nv;
  (void)q;
  memset(M, 0, (size_t)m->nb * (size_t)(n * n) * sizeof *M);
  for (int k = 0; k < m->nb; ++k) {
    double d[7];
    block_diagonal(m->data, k, d);
    for (int i = 0; i < n; ++i) {
      M[(long)k * n * n + i * (n + 1)] = d[i];
    }
  }
}

static void assembly_mass_diagonal(const struct mech *m, const double *q, double *d) {
  (void)q;
  for (int k = 0; k < m->nb; ++k) {
    block_diagonal(m->data, k, d + (long)k * m->nv);
  }
}

/* T + 1/2 u . M u of one body, component after component: n of them, known to the compiler. */
static inline double add_kinetic(const struct mech_assembly *a, int block, int n, const double *u,
                                 double T) {
  double d[7];
  block_diagonal(a, block, d);
  for (int i = 0; i < n; ++i) {
    T += 0.5 * (u[i] * d[i]) * u[i];
  }
  return T;
}

static double assembly_kinetic(const struct mech *m, const double *u) {
  const struct mech_assembly *a = m->data;
  double T = 0;
  for (int k = 0; k < m->nb; ++k) {
    T = a->kind == MECH_SPATIAL ? add_kinetic(a, k, 6, u + 6L * k, T)
                                : add_kinetic(a, k, m->nv, u + (long)m->nv * k, T);
  }
  return T;
}

static void rigid_part(void *data, struct base_part part) {
  const struct blocks *x = data;
  for (long k = part.first; k < part.end; ++k) {
    double *R = x->out + 9 * k;
    if (mech_body_turns(x->a, mech_block_body(x->a, (int)k))) {
      mech_assembly_rotation(x->q + 7 * k + 3, R);
    } else {
      memset(R, 0, 9 * sizeof *R);
    }
  }
}

static void spatial_rigid(const struct mech *m, const double *q, double *turn) {
  for_blocks(m->data, rigid_part, q, NULL, turn);
}

/* f: body_nu += gravity and gyroscopic forces of a body; kind: known to the compiler. */
static inline void add_gravity(const struct mech_assembly *a, enum mech_assembly_kind kind,
                               int body, const double *q, const double *u, double *f) {
  const double mass = a->mass[body];
  double Theta[3];
  if (!mech_body_active(a, body)) {
    return;
  }
  for (int i = 0; i < (kind == MECH_PLANAR ? 2 : 3); ++i) {
    f[i] += mass * a->gravity[i];
  }
  if (kind == MECH_PLANAR || !mech_body_turns(a, body)) {
    return;
  }
  mech_body_inertia(a, body, Theta);
  const int spin = kind == MECH_SCALABLE ? 4 : 3;
  const double *omega = velocities(a, u, body) + spin;
  const double L[3] = {Theta[0] * omega[0], Theta[1] * omega[1], Theta[2] * omega[2]};
  double moment[3], s = 1;
  mech_cross3(L, omega, moment);
  if (kind == MECH_SCALABLE) {
    const double *A = coordinates(a, q, body) + 3;
    s = la_dot(4, A, A);
    mech_add3(-omega[-1], L, moment);
    f[3] += mech_dot3(omega, L) / s;
  }
  mech_add3(1 / s, moment, f + spin);
}

static void gravity_part(void *data, struct base_part part) {
  const struct blocks *x = data;
  const struct mech_assembly *a = x->a;
  memset(x->out + part.first * a->body_nu, 0,
         (size_t)(part.end - part.first) * (size_t)a->body_nu * sizeof *x->out);
  for (long k = part.first; k < part.end; ++k) {
    const int body = mech_block_body(a, (int)k);
    double *f = x->out + k * a->body_nu;
    switch (a->kind) {
    case MECH_SPATIAL:
      add_gravity(a, MECH_SPATIAL, body, x->q, x->u, f);
      break;
    case MECH_SCALABLE:
      add_gravity(a, MECH_SCALABLE, body, x->q, x->u, f);
      break;
    default:
      add_gravity(a, MECH_PLANAR, body, x->q, x->u, f);
    }
  }
}

void mech_assembly_gravity_force(const struct mech_assembly *a, const double *q, const double *u,
                                 double *h) {
  for_blocks(a, gravity_part, q, u, h);
}

/* Adot of a quaternion. */
static inline void quaternion_rate(int scalable, const double *A, const double *u, double *rate) {
  const double *omega = u + (scalable ? 4 : 3);
  const double turn[4] = {scalable ? u[3] : 0, omega[0], omega[1], omega[2]};
  const double c = scalable ? 0.5 / la_dot(4, A, A) : 0.5;
  multiply(A, turn, rate);
  for (int i = 0; i < 4; ++i) {
    rate[i] *= c;
  }
}

static void qdot_part(void *data, struct base_part part) {
  const struct blocks *x = data;
  for (long k = part.first; k < part.end; ++k) {
    const double *q = x->q + 7 * k, *u = x->u + k * x->a->body_nu;
    double *qdot = x->out + 7 * k;
    memcpy(qdot, u, 3 * sizeof *qdot);
    if (x->a->kind == MECH_SCALABLE) {
      quaternion_rate(1, q + 3, u, qdot + 3);
    } else {
      quaternion_rate(0, q + 3, u, qdot + 3);
    }
  }
}

static void assembly_qdot(const struct mech *m, const double *q, const double *u, double *qdot) {
  for_blocks(m->data, qdot_part, q, u, qdot);
}

static void assembly_kinematics(const struct mech *m, const double *q, double *F) {
  const struct mech_assembly *a = m->data;
  memset(F, 0, (size_t)m->nq * (size_t)m->nu * sizeof *F);
  for (int k = 0; k < m->nb; ++k) {
    for (int j = 0; j < m->nv; ++j) {
      double *column = F + ((long)k * m->nv + j) * m->nq + 7L * k, unit[7] = {0};
      unit[j] = 1;
      memcpy(column, unit, 3 * sizeof *column);
      quaternion_rate(a->kind == MECH_SCALABLE, q + 7L * k + 3, unit, column + 3);
    }
  }
}

static void normalise_part(void *data, struct base_part part) {
  const struct blocks *x = data;
  for (long k = part.first; k < part.end; ++k) {
    double *A = x->out + 7 * k + 3;
    const double squares = (A[0] * A[0] + A[2] * A[2]) + (A[1] * A[1] + A[3] * A[3]);
    const double s = 1 / (squares > 0.5 && squares < 2 ? sqrt(squares) : la_norm2(4, A));
    for (int i = 0; i < 4; ++i) {
      A[i] *= s;
    }
  }
}

static void assembly_normalise(const struct mech *m, double *q) {
  for_blocks(m->data, normalise_part, NULL, NULL, q);
}

static void assembly_velocity_gyro(const struct mech *m, int b, const double *u, double *H) {
  const struct mech_assembly *a = m->data;
  const int body = mech_block_body(a, b);
  double T[3];
  memset(H, 0, 36 * sizeof *H);
  inertia_of(a, body, T);
  for (int i = 0; i < 3 && mech_body_turns(a, body); ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double c = (T[j] + T[k]) * u[3 + i]; /* entry (j, k) of omega~ is -omega_i */
    H[(3 + k) * 6 + 3 + j] = -c;
    H[(3 + j) * 6 + 3 + k] = c;
  }
}

/* --- scalable only --- */

static void scalable_decomposition(const struct mech *m, const double *q, double *Q) {
  memset(Q, 0, (size_t)m->nq * (size_t)m->nq * sizeof *Q);
  for (int b = 0; b < m->nb; ++b) {
    const int at = 7 * b;
    const double *A = q + at + 3, dual[4] = {A[0], -A[1], -A[2], -A[3]};
    for (int i = 0; i < 3; ++i) {
      Q[(long)(at + i) * m->nq + at + i] = 1;
    }
    for (int j = 0; j < 4; ++j) { /* (nu, omega) = 2 A^* Adot */
      const double unit[4] = {j == 0, j == 1, j == 2, j == 3};
      double *column = Q + (long)(at + 3 + j) * m->nq + at + 3;
      multiply(dual, unit, column);
      for (int i = 0; i < 4; ++i) {
        column[i] *= 2;
      }
    }
  }
}

/* H of a block, 7 x 7 with so many numbers from column to column, from zero. */
static void put_gyro(const struct mech_assembly *a, int block, const double *u, long stride,
                     double *H) {
  const int body = mech_block_body(a, block);
  double c[4] = {0}, Theta[3];
  mech_body_inertia(a, body, Theta);
  for (int i = 0; i < 3 && mech_body_turns(a, body); ++i) {
    c[1 + i] = 4 * Theta[i] * u[7L * block + 4 + i];
  }
  for (int j = 0; j < 4; ++j) { /* H x = x (0, c) (5.85) */
    const double unit[4] = {j == 0, j == 1, j == 2, j == 3};
    multiply(unit, c, H + (3 + j) * stride + 3);
  }
}

static void scalable_gyro(const struct mech *m, const double *u, const double *q, double *H) {
  (void)q;
  memset(H, 0, (size_t)m->nq * (size_t)m->nq * sizeof *H);
  for (int b = 0; b < m->nb; ++b) {
    put_gyro(m->data, b, u, m->nq, H + 7L * b * (m->nq + 1));
  }
}

static void scalable_gyro_by_body(const struct mech *m, const double *u, const double *q,
                                  struct la_blocks *H) {
  (void)q;
  for (int b = 0; b < m->nb; ++b) {
    put_gyro(m->data, b, u, 7, la_blocks_push(H, b, b));
  }
}

/* Without the rate of strain nu, and omega as the angular velocity it stands for. */
static void scalable_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                             double *u_out) {
  la_copy(m->nq, q, q_out);
  for (int b = 0; b < m->nb; ++b) {
    const double s = la_dot(4, q + 7L * b + 3, q + 7L * b + 3);
    for (int i = 0; i < 6; ++i) {
      u_out[6L * b + i] = i < 3 ? u[7L * b + i] : u[7L * b + 1 + i] / s;
    }
  }
}

void mech_assembly_body_ops(const struct mech_assembly *a, struct mech_ops *ops) {
  ops->mass = assembly_mass;
  ops->bodies.mass_diagonal = assembly_mass_diagonal;
  ops->bodies.kinetic = assembly_kinetic;
  mech_assembly_discrete_ops(ops);
  if (a->kind == MECH_PLANAR) {
    return;
  }
  ops->kinematics = assembly_kinematics;
  ops->bodies.qdot = assembly_qdot;
  if (a->kind == MECH_SPATIAL) {
    ops->normalise = assembly_normalise;
    ops->bodies.rigid = spatial_rigid;
    ops->consistent.velocity_gyro = assembly_velocity_gyro;
  } else {
    ops->consistent.decomposition = scalable_decomposition;
    ops->consistent.gyro = scalable_gyro;
    ops->consistent.gyro_by_body = scalable_gyro_by_body;
    ops->observe = scalable_observe;
  }
}

struct mech_assembly *mech_assembly_of(const struct mech *m) {
  return m->ops->mass == assembly_mass ? m->data : NULL;
}
