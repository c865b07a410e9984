/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels of the operator kind RIGID: contacts of rigid bodies in space, W never formed. Contact i
 * between bodies 0 and 1 (either may be the world) has the frame n, t1, t2 = n x t1 with n from
 * body 0 to body 1, and lever arms a_0, a_1 from the centres of mass, all in world axes. With V_k,
 * Omega_k velocity and angular velocity of body k in world axes
 *
 *   v_i = (n, t1, t2)^T (V_1 + Omega_1 x a_1 - V_0 - Omega_0 x a_0)
 *   P = n r_N + t1 r_1 + t2 r_2,  dV_1 = P / m_1,  dOmega_1 = I_1^-1 (a_1 x P), body 0: -P.
 *
 * About 60 multiplications each, from 96 bytes a contact where W and M^-1 W are 576. Central
 * contacts, those of spheres, have a_k = alpha_k n, and with d = V_1 - V_0 and
 * w = alpha_1 Omega_1 - alpha_0 Omega_0
 *
 *   v_i = (n . d, t1 . d + t2 . w, t2 . d - t1 . w),   a_k x P = alpha_k (t2 r_1 - t1 r_2),
 *   A_ii = diag(A_N, A_T, A_T), A_N = 1/m_0 + 1/m_1, A_T = A_N + alpha_0^2/I_0 + alpha_1^2/I_1
 *
 * from 64 bytes a contact, one line of the cache; nothing is kept of A_ii. Internal to problem/.
 */
#ifndef PROBLEM_RIGID_H
#define PROBLEM_RIGID_H

#include "problem/problem.h"

/* Motion of a body beside what divides its impulses: V, Omega, then 1 / m and the inverse inertia,
 * one number (spheres) or six. Padded to whole lines of the cache: 64 or 128 bytes. */
enum { RIGID_SPHERE_STRIDE = 8, RIGID_BODY_STRIDE = 16 };

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

enum { RIGID_CONTACT = 12, RIGID_CENTRAL = 8 }; /* numbers a contact */

static inline size_t rigid_entry(const struct problem_operator *A, int i) {
  return A->pick != NULL ? (size_t)A->pick[i] : (size_t)i;
}

static inline const double *rigid_contact(const struct problem_operator *A, int i) {
  return A->contact + (A->central ? RIGID_CENTRAL : RIGID_CONTACT) * rigid_entry(A, i);
}

/* Lever arm of contact i on its body of that side. */
static inline void rigid_arm(const struct problem_operator *A, const double *contact, int side,
                             double *a) {
  for (int k = 0; k < 3; ++k) {
    a[k] = A->central ? contact[6 + side] * contact[k] : contact[6 + 3 * side + k];
  }
}

/* Inverse mass and inertia of body k: 7. */
static inline void rigid_inverse(const struct problem_operator *A, int k, double *out) {
  for (int c = 0; c < 7; ++c) {
    out[c] = A->central ? (c == 2 || c == 3 || c == 5 ? 0 : A->inverse[2 * (size_t)k + (c > 0)])
                        : A->inverse[7 * (size_t)k + (size_t)c];
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
static inline void rigid_to_frame(int dim, const double *contact, const double *d, double *v) {
  v[0] = rigid_dot(contact, d);
  if (dim == 3) {
    double t2[3];
    rigid_cross(contact, contact + 3, t2);
    v[1] = rigid_dot(contact + 3, d);
    v[2] = rigid_dot(t2, d);
  }
}

/* P = frame r (dim) */
static inline void rigid_from_frame(int dim, const double *contact, const double *r, double *P) {
  if (dim == 1) {
    for (int k = 0; k < 3; ++k) {
      P[k] = contact[k] * r[0];
    }
    return;
  }
  double t2[3];
  rigid_cross(contact, contact + 3, t2);
  for (int k = 0; k < 3; ++k) {
    P[k] = contact[k] * r[0] + contact[3 + k] * r[1] + t2[k] * r[2];
  }
}

/* v_i (dim) of a central contact between bodies that move with x and y: V, Omega. */
static inline void rigid_central_velocity(int dim, const double *contact, const double *x,
                                          const double *y, double *v) {
  const double *n = contact, *t1 = contact + 3, *alpha = contact + 6;
  const double d[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
  v[0] = rigid_dot(n, d);
  if (dim == 3) {
    const double w[3] = {alpha[1] * y[3] - alpha[0] * x[3], alpha[1] * y[4] - alpha[0] * x[4],
                         alpha[1] * y[5] - alpha[0] * x[5]};
    double t2[3];
    rigid_cross(n, t1, t2);
    v[1] = rigid_dot(t1, d) + rigid_dot(t2, w);
    v[2] = rigid_dot(t2, d) - rigid_dot(t1, w);
  }
}

/* T: 3 with alpha_k T the moment that P exerts on body k of a central contact. */
static inline void rigid_central_moment(int dim, const double *contact, const double *r,
                                        double *T) {
  double t2[3];
  rigid_cross(contact, contact + 3, t2);
  for (int k = 0; k < 3; ++k) {
    T[k] = dim == 3 ? t2[k] * r[1] - contact[3 + k] * r[2] : 0;
  }
}

/* An impulse sign P at lever arm a changes the motion of a body of the given stride. */
static inline void rigid_kick(int stride, double sign, const double *a, const double *P,
                              double *body) {
  double torque[3], turning[3];
  rigid_cross(a, P, torque);
  if (stride == RIGID_SPHERE_STRIDE) {
    for (int k = 0; k < 3; ++k) {
      turning[k] = body[7] * torque[k];
    }
  } else {
    rigid_turn(body + 7, torque, turning);
  }
  for (int k = 0; k < 3; ++k) {
    body[k] += sign * (body[6] * P[k]);
    body[3 + k] += sign * turning[k];
  }
}

/* Are all inverse inertias multiples of 1? */
int problem_rigid_spheres(const struct problem_operator *A);
/* The motions that impulses r give: u = M^-1 W r; u: 6 x nb, overwritten. v_i = W_i^T u: dim. */
void problem_rigid_respond(const struct problem_operator *A, const double *r, double *u);
void problem_rigid_velocity(const struct problem_operator *A, const double *u, int i, double *v_i);
/* v = A r; v: dim nc */
void problem_rigid_apply(const struct problem_operator *A, const double *r, double *v,
                         struct base_arena *arena);
/* W of contact i on both its bodies, and M^-1 W: 2 blocks 6 x dim column-major each; zero for the
 * world. */
void problem_rigid_directions(const struct problem_operator *A, int i, double *w, double *minv_w);
/* The same operator as BODIES, which costs 192 dim bytes a contact from the arena. */
void problem_rigid_to_bodies(const struct problem_operator *A, struct problem_operator *bodies,
                             struct base_arena *arena);

#endif
