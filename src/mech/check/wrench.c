/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of mech_check that concerns what contact forces do to bodies:
 *
 *   power      r . (W^T u) = u . (W r), the two products that formulations take with W
 *   frames     n, t1, t2 orthonormal and right-handed
 *   points     W^T u of rigid bodies against the relative velocity of the points in contact,
 *              d . (v_2 + omega_2 x a_2 - v_1 - omega_1 x a_1), omega = R (omega in body axes)
 *   arms       centre and arm of one body lead to the point of the other, or across the gap to it
 *   rotations  dR/dt along F u against R [omega]x
 *
 * The third writes moeller's W down anew; a direction, a lever arm or a sign that is wrong on one
 * of two bodies, in normal or tangential directions, shows there.
 */
#include "mech/check/check.h"

#include "la/dense.h"
#include "mech/vector3.h"

static void check_power(struct mech_checking *c, const struct mech_contacts *list) {
  const struct mech *m = c->m;
  const int n = list->n * m->dim;
  double *v = mech_check_doubles(c, n), *r = mech_check_doubles(c, n),
         *f = mech_check_doubles(c, m->nu);
  for (int i = 0; i < n; ++i) {
    r[i] = cos(1.0 + 2 * i); /* no special direction */
  }
  mech_contacts_velocity(list, c->u, v);
  mech_contacts_force(list, r, f);
  const double at_contacts = la_dot(n, r, v), at_bodies = la_dot(m->nu, f, c->u);
  mech_check_compare(c, "power of contact forces, W r against W^T u", 1, &at_bodies, &at_contacts,
                     la_norm2(n, r) * la_norm2(n, v) + la_norm2(m->nu, f) * la_norm2(m->nu, c->u));
}

/* world: R x, R row-major. */
static void turned(const double *R, const double *x, double *world) {
  for (int i = 0; i < 3; ++i) {
    world[i] = R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2];
  }
}

/* Velocity of the point of a body that is in contact, in the world. Velocities of a rigid body are
 * those of its centre in the world, then omega in its own axes, last. */
static void point_velocity(const struct mech_checking *c, const struct mech_contacts *list, int i,
                           int k, double v[3]) {
  const int body = list->body[2 * i + k];
  v[0] = v[1] = v[2] = 0;
  if (body < 0) {
    return;
  }
  const double *u = c->u + (long)body * c->m->nv;
  double omega[3], spin[3];
  turned(list->turn + 9L * body, u + c->m->nv - 3, omega);
  mech_cross3(omega, list->arm + 6L * i + 3L * k, spin);
  for (int d = 0; d < 3; ++d) {
    v[d] = u[d] + spin[d];
  }
}

static void check_points(struct mech_checking *c, const struct mech_contacts *list) {
  const int n = 3 * list->n;
  double *v = mech_check_doubles(c, n), *expected = mech_check_doubles(c, n);
  mech_contacts_velocity(list, c->u, v);
  for (int i = 0; i < list->n; ++i) {
    double frame[9], a[3], b[3];
    mech_contacts_frame(list, i, frame);
    point_velocity(c, list, i, 0, a);
    point_velocity(c, list, i, 1, b);
    for (int d = 0; d < 3; ++d) {
      for (int j = 0; j < 3; ++j) {
        expected[3 * i + d] += frame[3 * d + j] * (b[j] - a[j]);
      }
    }
  }
  mech_check_compare(c, "W against the velocities of the points in contact", n, v, expected,
                     mech_largest(c->m->nu, c->u));
}

static void check_frames(struct mech_checking *c, const struct mech_contacts *list) {
  double *products = mech_check_doubles(c, 9 * list->n), *unit = mech_check_doubles(c, 9 * list->n);
  for (int i = 0; i < list->n; ++i) {
    double f[9], n[3];
    mech_contacts_frame(list, i, f);
    mech_cross3(f + 3, f + 6, n); /* t1 x t2 = n */
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        products[9 * i + 3 * a + b] = la_dot(3, a == 0 ? n : f + 3 * a, f + 3 * b);
        unit[9 * i + 3 * a + b] = a == b;
      }
    }
  }
  mech_check_compare(c, "frames of the contacts", 9 * list->n, products, unit, 1);
}

/* Where the point in contact is by body k; coordinates of a body begin with its centre. */
static void point_of(const struct mech_checking *c, const struct mech_contacts *list, int i, int k,
                     double x[3]) {
  const int body = list->body[2 * i + k], width = c->m->nq / c->m->nb;
  for (int d = 0; d < 3; ++d) {
    x[d] = list->arm[6L * i + 3L * k + d] + (body >= 0 ? c->q[(long)body * width + d] : 0);
  }
}

/* Of contacts with friction: what a rope has in common is a line, not a point. */
static void check_arms(struct mech_checking *c, const struct mech_contacts *list) {
  double *apart = mech_check_doubles(c, 3 * list->n), *zero = mech_check_doubles(c, 3 * list->n);
  for (int i = 0; i < list->n; ++i) {
    double f[9], a[3], b[3], along = 0;
    mech_contacts_frame(list, i, f);
    point_of(c, list, i, 0, a);
    point_of(c, list, i, 1, b);
    for (int d = 0; d < 3; ++d) {
      along += f[d] * (b[d] - a[d]);
    }
    const double gap = fabs(along) < fabs(along - list->gN[i]) ? 0 : list->gN[i];
    for (int d = 0; d < 3 && list->mu[i] > 0; ++d) {
      apart[3 * i + d] = b[d] - a[d] - gap * f[d];
    }
  }
  mech_check_compare(c, "lever arms of the contacts", 3 * list->n, apart, zero,
                     fmax(mech_largest(6 * list->n, list->arm), c->m->length));
}

/* Of the bodies that contacts touch and that turn. */
static void check_rotations(struct mech_checking *c, const struct mech_contacts *list,
                            struct mech_contacts *other) {
  const struct mech *m = c->m;
  const double s = mech_check_step(c, c->qdot);
  const int n = 9 * list->nb;
  double *x = mech_check_doubles(c, m->nq), *rate = mech_check_doubles(c, n),
         *expected = mech_check_doubles(c, n);
  for (int k = 0; k < MECH_STENCIL && s > 0; ++k) {
    mech_check_shifted(c, mech_stencil_at[k] * s, c->qdot, x);
    mech_check_list(c, x, NULL, other);
    if (!mech_check_same(list, other)) {
      return;
    }
    la_axpy(n, mech_stencil_weight[k] / s, other->turn, rate);
  }
  for (int b = 0; b < list->nb && s > 0; ++b) {
    const double *R = list->turn + 9L * b, *w = c->u + (long)b * m->nv + m->nv - 3;
    for (int i = 0; i < 3; ++i) { /* row i of R [w]x is (row i of R) x w */
      mech_cross3(R + 3 * i, w, expected + 9L * b + 3 * i);
    }
  }
  mech_check_compare(c, "rotations of the bodies against omega", n, rate, expected,
                     mech_largest(m->nu, c->u));
}

void mech_check_wrenches(struct mech_checking *c, const struct mech_contacts *list,
                         struct mech_contacts *other) {
  check_power(c, list);
  if (list->rigid && list->turn != NULL && list->dim == 3) {
    check_frames(c, list);
    check_points(c, list);
    check_arms(c, list);
    check_rotations(c, list, other);
  }
}
