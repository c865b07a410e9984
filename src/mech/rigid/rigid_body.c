/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A free rigid body: building, states, what is published, and what the descriptions share (gravity,
 * the point contact). The descriptions themselves are in affine.c and
 * quaternion.c.
 *
 * The contact point is xi = r + A (0, rho) A^* (moeller 4.68), for the affine body r + sum rho_i
 * d_i (4.13), without dividing by |A|^2: so it is a quadratic function of q, whose discrete
 * derivative is the gradient at the midpoint (5.28) for any integrator that goes through
 * quaternions off the unit sphere.
 */
#include "mech/rigid/parts.h"

#include "base/status.h"
#include "la/dense.h"

#include <math.h>

static const char *const q_names[MECH_RIGID_BODY_Q_OUT] = {
    "x", "y", "z", "d1x", "d1y", "d1z", "d2x", "d2y", "d2z", "d3x", "d3y", "d3z"};
static const char *const u_names[MECH_RIGID_BODY_U_OUT] = {
    "vx", "vy", "vz", "wx", "wy", "wz", "e11", "e22", "e33", "e23", "e13", "e12"};

/* --- quaternions --- */

void mech_quaternion_multiply(const double a[4], const double b[4], double ab[4]) {
  const double product[4] = {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
                             a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
                             a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
                             a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
  la_copy(4, product, ab);
}

void mech_quaternion_turn(const double A[4], const double x[3], double y[3]) {
  const double X[4] = {0, x[0], x[1], x[2]}, conjugate[4] = {A[0], -A[1], -A[2], -A[3]};
  double Y[4];
  mech_quaternion_multiply(A, X, Y);
  mech_quaternion_multiply(Y, conjugate, Y);
  la_copy(3, Y + 1, y);
}

/* --- shared by the descriptions --- */

double mech_rigid_body_potential(const struct mech *m, const double *q) {
  const struct mech_rigid_body *p = m->data;
  return p->mass * p->gravity * q[2];
}

void mech_rigid_body_gradient(const struct mech *m, const double *q, double *dV) {
  const struct mech_rigid_body *p = m->data;
  (void)q;
  la_zero(m->nq, dV);
  dV[2] = p->mass * p->gravity;
}

/* Contact components are normal z, then x and y. */
const int mech_rigid_body_axis[3] = {2, 0, 1};

double *mech_rigid_body_contact(const struct mech *m, double gap, double reach,
                                struct mech_contacts *out) {
  const struct mech_rigid_body *p = m->data;
  if (!p->contact || gap > reach) {
    return NULL;
  }
  const int i = mech_contacts_push(out);
  out->gN[i] = gap;
  out->mu[i] = p->mu;
  out->eps_N[i] = p->eps_N;
  out->eps_T[i] = p->eps_T;
  out->body[2 * i] = 0;
  return mech_contacts_block(out, i, 0);
}

/* The contact's point of the body, which goes with it: the only one there is. */
static void place(const struct mech_rigid_body *p, const double *q, double x[3]) {
  double turned[3] = {0};
  if (p->kind == MECH_RIGID_BODY_AFFINE) {
    for (int i = 0; i < 3; ++i) {
      mech_add3(p->point[i], q + 3 + 3 * i, turned);
    }
  } else {
    mech_quaternion_turn(q + 3, p->point, turned);
  }
  for (int d = 0; d < 3; ++d) {
    x[d] = q[d] + turned[d];
  }
}

void mech_rigid_body_slips(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                           const double *b, double *s) {
  double from[3], to[3];
  place(m->data, a, from);
  place(m->data, b, to);
  for (int d = 0; d < 3 * at_a->n; ++d) {
    const int axis = mech_rigid_body_axis[d % 3];
    s[d] = to[axis] - from[axis];
  }
}

/* --- building --- */

static int check(const struct mech_rigid_body *p) {
  const double *T = p->Theta;
  if (!(p->mass > 0)) {
    return base_fail(BASE_E_INPUT, "rigid body: mass %g is not positive", p->mass);
  }
  for (int i = 0; i < 3; ++i) {
    if (!(T[i] > 0) || !(T[i] < T[(i + 1) % 3] + T[(i + 2) % 3])) {
      return base_fail(BASE_E_INPUT,
                       "rigid body: moment of inertia %d is %g; it must be positive and less than "
                       "the sum of the other two, %g",
                       i + 1, T[i], T[(i + 1) % 3] + T[(i + 2) % 3]);
    }
  }
  return BASE_OK;
}

struct mech *mech_rigid_body_build(const struct mech_rigid_body *body, struct base_arena *arena) {
  if (check(body) != BASE_OK) {
    return NULL;
  }
  struct mech_rigid_body *data = base_arena_push(arena, sizeof *data);
  struct mech *m = base_arena_push(arena, sizeof *m);
  *data = *body;
  *m = (struct mech){.name = body->name != NULL ? body->name : "rigid body",
                     .data = data,
                     .dim = 3,
                     .nb = 1,
                     .constant_mass = 1,
                     .nq_out = MECH_RIGID_BODY_Q_OUT,
                     .nu_out = MECH_RIGID_BODY_U_OUT,
                     .q_names = q_names,
                     .u_names = u_names,
                     .length = body->length,
                     .speed = body->speed};
  switch (body->kind) {
  case MECH_RIGID_BODY_AFFINE:
    m->ops = &mech_rigid_body_affine;
    m->nq = m->nu = 12;
    m->ns = 6;
    break;
  case MECH_RIGID_BODY_SCALABLE:
    m->ops = &mech_rigid_body_scalable;
    m->nq = m->nu = 7;
    m->ns = 1;
    break;
  case MECH_RIGID_BODY_QUATERNION:
    m->ops = &mech_rigid_body_quaternion;
    m->nq = 7;
    m->nu = 6;
    break;
  }
  m->nv = m->nu;
  return m;
}

void mech_rigid_body_state(const struct mech *m, const double r[3], const double A[4],
                           const double v[3], const double omega[3], double *q, double *u) {
  const struct mech_rigid_body *p = m->data;
  la_copy(3, r, q);
  la_copy(3, v, u);
  if (p->kind != MECH_RIGID_BODY_AFFINE) {
    la_copy(4, A, q + 3);
    la_copy(3, omega, u + m->nu - 3);
    if (p->kind == MECH_RIGID_BODY_SCALABLE) {
      u[3] = 0; /* nu */
    }
    return;
  }
  for (int i = 0; i < 3; ++i) { /* d_i = R e_i, its rate R (omega x e_i) */
    const double e[3] = {i == 0, i == 1, i == 2};
    double rate[3];
    mech_cross3(omega, e, rate);
    mech_quaternion_turn(A, e, q + 3 + 3 * i);
    mech_quaternion_turn(A, rate, u + 3 + 3 * i);
  }
}

/* From directors and their rates (each three vectors): omega and sym(R^T Rdot). */
void mech_rigid_body_publish(const double *d, const double *rate, double *omega, double *strain) {
  double S[3][3]; /* d_i . rate of d_j = (R^T Rdot)_ij */
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      S[i][j] = la_dot(3, d + 3 * i, rate + 3 * j);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    omega[i] = 0.5 * (S[k][j] - S[j][k]);
    strain[i] = S[i][i];
    strain[3 + i] = 0.5 * (S[k][j] + S[j][k]);
  }
}
