/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Operators by bodies of rigid bodies in space, W never formed. Contact i between bodies 0 and 1
 * (either may be the world) has the frame n, t1, t2 = n x t1 with n from body 0 to body 1, and
 * lever arms a_0, a_1 from the centres of mass, all in world axes. With V_k, Omega_k velocity and
 * angular velocity of body k in world axes
 *
 *   v_i = (n, t1, t2)^T (V_1 + Omega_1 x a_1 - V_0 - Omega_0 x a_0)
 *   P = n r_N + t1 r_1 + t2 r_2,  dV_1 = P / m_1,  dOmega_1 = I_1^-1 (a_1 x P), body 0: -P
 *   (A_ii)_de = (1/m_0 + 1/m_1) delta_de + sum_k (a_k x d) . I_k^-1 (a_k x e),   d, e of the frame
 *   I^-1 = R diag(1/I_1, 1/I_2, 1/I_3) R^T
 *
 * About 60 multiplications each for v_i and r_i, from 96 bytes a contact where W and M^-1 W are
 * 576. Internal to problem/.
 */
#ifndef PROBLEM_RIGID_H
#define PROBLEM_RIGID_H

#include "problem/problem.h"

/* Is it such an operator? */
static inline int problem_is_rigid(const struct problem_operator *A) {
  return A->kind == PROBLEM_OPERATOR_BODIES && A->w == NULL;
}

static inline void rigid_cross(const double *x, const double *y, double *out) {
  out[0] = x[1] * y[2] - x[2] * y[1];
  out[1] = x[2] * y[0] - x[0] * y[2];
  out[2] = x[0] * y[1] - x[1] * y[0];
}

static inline double rigid_dot(const double *x, const double *y) {
  return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/* y = S x, S symmetric as xx, xy, xz, yy, yz, zz */
static inline void rigid_turn(const double *S, const double *x, double *y) {
  y[0] = S[0] * x[0] + S[1] * x[1] + S[2] * x[2];
  y[1] = S[1] * x[0] + S[3] * x[1] + S[4] * x[2];
  y[2] = S[2] * x[0] + S[4] * x[1] + S[5] * x[2];
}

/* Inverse inertia of body k, in world axes, as xx, xy, xz, yy, yz, zz. With R R^T = 1 put in, which
 * makes it exact for spheres. */
static inline void rigid_inverse_inertia(const struct problem_operator *A, size_t k, double *S) {
  const double *R = A->turn + 9 * k, *I = A->mass + 6 * k + 3;
  const int turns = R[0] != 0 || R[1] != 0 || R[2] != 0;
  const double first = 1 / I[0], second = 1 / I[1] - first, third = 1 / I[2] - first;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      *S++ = (i == j && turns ? first : 0) + R[3 * i + 1] * second * R[3 * j + 1] +
             R[3 * i + 2] * third * R[3 * j + 2];
    }
  }
}

/* d += sign (V + Omega x a), motion: V, Omega */
static inline void rigid_add_motion(double sign, const double *motion, const double *a, double *d) {
  double turning[3];
  rigid_cross(motion + 3, a, turning);
  for (int k = 0; k < 3; ++k) {
    d[k] += sign * (motion[k] + turning[k]);
  }
}

/* v (dim) = frame^T d */
static inline void rigid_to_frame(int dim, const double *frame, const double *d, double *v) {
  v[0] = rigid_dot(frame, d);
  if (dim == 3) {
    double t2[3];
    rigid_cross(frame, frame + 3, t2);
    v[1] = rigid_dot(frame + 3, d);
    v[2] = rigid_dot(t2, d);
  }
}

/* P = frame r (dim) */
static inline void rigid_from_frame(int dim, const double *frame, const double *r, double *P) {
  if (dim == 1) {
    for (int k = 0; k < 3; ++k) {
      P[k] = frame[k] * r[0];
    }
    return;
  }
  double t2[3];
  rigid_cross(frame, frame + 3, t2);
  for (int k = 0; k < 3; ++k) {
    P[k] = frame[k] * r[0] + frame[3 + k] * r[1] + t2[k] * r[2];
  }
}

/* u: 6 x nb, zeroed before: V and Omega of the bodies by impulses r, in world axes; v: dim count of
 * contacts first ... first + count - 1 by them. */
void problem_rigid_velocities(const struct problem_operator *A, const double *r, double *u);
void problem_rigid_rows(const struct problem_operator *A, const double *u, int first, int count,
                        double *v);
/* A_ii: dim x dim, symmetric. */
void problem_rigid_block(const struct problem_operator *A, int i, double *block);
/* W of contact i on both its bodies, torques in their own axes, and M^-1 W: 2 blocks 6 x dim
 * column-major each; zero for the world. */
void problem_rigid_directions(const struct problem_operator *A, int i, double *w, double *minv_w);
/* The same operator with W written out, which costs 192 dim bytes a contact from the arena. */
void problem_rigid_write_out(const struct problem_operator *A, struct problem_operator *out,
                             struct base_arena *arena);

#endif
