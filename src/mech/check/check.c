/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system against itself by finite differences (fourth order, difference.h) at one state:
 *
 *   mass         M symmetric, positive definite, constant where it says so
 *   gradient     dV/dq against V
 *   forces       p = h + F^T dV/dq - damping - applied is what the mass matrix asks for:
 *                without kinematics p = -Mdot u + d(u^T M u / 2)/dq (Lagrange), always
 *                u^T p + u^T Mdot u / 2 = 0 (power), with H given p = -F^T H F u (moeller 3.5)
 *   directions   W_N against g_N, W_S against g_S along F e_j, gamma_S against W_S; biases
 *                against W along F u
 *   wrenches     W r against W^T u; W_N and W_T of rigid bodies against their frames, lever
 *                arms and rotations, these against their change along F u (wrench.c)
 *   matrices     Q F = I, H skew, damping = -F^T D qdot; gyro.c: H of (5.130), G of (5.54)
 *   discrete     directionality (moeller 5.15) and the limit b = a, between q and a point nearby
 *
 * An error is relative to the largest entry of what is compared, and to the terms it is a sum of,
 * so that an exact zero out of large terms is not held against a system. W_T of hand-written models
 * has nothing to be compared with but its own bias.
 */
#include "mech/check/check.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* Of the size of inertial terms: rounding of these stays below a tolerance of 1e-9, an error of one
 * does not. */
static const double INERTIAL = 1e-6;

void mech_check_compare(struct mech_checking *c, const char *what, int n, const double *a,
                        const double *b, double scale) {
  double difference = 0, largest = scale;
  int at = 0;
  for (int i = 0; i < n; ++i) {
    const double d = fabs(a[i] - b[i]);
    if (!(d <= difference)) {
      difference = isnan(d) ? INFINITY : d;
      at = i;
    }
    largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
  }
  const double error = isfinite(difference) && difference > 0 ? difference / largest : difference;
  c->worst = fmax(c->worst, error);
  if (c->visitor.visit != NULL) {
    c->visitor.visit(c->visitor.data, what, error);
  }
  if (!(error <= c->tol) && c->status == BASE_OK) {
    c->status = BASE_FAILED;
    snprintf(c->what, sizeof c->what, "%s: entry %d is %.9g, expected %.9g (relative error %.3g)",
             what, at, a[at], b[at], error);
  }
}

void mech_check_fail(struct mech_checking *c, const char *what, const char *why) {
  c->worst = INFINITY;
  if (c->visitor.visit != NULL) {
    c->visitor.visit(c->visitor.data, what, INFINITY);
  }
  if (c->status == BASE_OK) {
    c->status = BASE_FAILED;
    snprintf(c->what, sizeof c->what, "%s", why);
  }
}

/* dM: mass blocks, dM/dq . along. */
static void mass_derivative(struct mech_checking *c, const double *along, double *dM) {
  const struct mech *m = c->m;
  const int n = m->nb * m->nv * m->nv;
  double *x = mech_check_doubles(c, m->nq), *M = mech_check_doubles(c, n);
  const double s = mech_check_step(c, along);
  memset(dM, 0, (size_t)n * sizeof *dM);
  for (int k = 0; k < MECH_STENCIL && s > 0; ++k) {
    mech_check_shifted(c, mech_stencil_at[k] * s, along, x);
    m->ops->mass(m, x, M);
    la_axpy(n, mech_stencil_weight[k] / s, M, dM);
  }
}

/* y = M x by blocks. */
static void blocks_apply(const struct mech *m, const double *M, const double *x, double *y) {
  for (int b = 0; b < m->nb; ++b) {
    la_gemv(m->nv, m->nv, 1, M + (long)b * m->nv * m->nv, x + (long)b * m->nv, 0,
            y + (long)b * m->nv);
  }
}

static void check_mass(struct mech_checking *c) {
  const struct mech *m = c->m;
  const int nv = m->nv, n = m->nb * nv * nv;
  double *M = mech_check_doubles(c, n), *MT = mech_check_doubles(c, n),
         *dM = mech_check_doubles(c, n);
  double *along = mech_check_doubles(c, m->nq);
  m->ops->mass(m, c->q, M);
  for (int b = 0; b < m->nb; ++b) {
    for (int i = 0; i < nv; ++i) {
      for (int j = 0; j < nv; ++j) {
        MT[(long)b * nv * nv + i * nv + j] = M[(long)b * nv * nv + j * nv + i];
      }
    }
  }
  mech_check_compare(c, "symmetry of M", n, M, MT, 0);
  if (c->status == BASE_OK && mech_mass_factor(m, c->q, MT) != BASE_OK) {
    mech_check_fail(c, "definiteness of M", "M is not positive definite");
  }
  if (m->diagonal_mass) {
    for (int k = 0; k < n; ++k) {
      MT[k] = k % (nv * nv) % (nv + 1) == 0 ? M[k] : 0;
    }
    mech_check_compare(c, "M declared diagonal", n, M, MT, 0);
  }
  if (m->constant_mass) {
    for (int j = 0; j < m->nq; ++j) {
      along[j] = cos(1.0 + j); /* no special direction */
    }
    mass_derivative(c, along, dM);
    memset(MT, 0, (size_t)n * sizeof *MT);
    mech_check_compare(c, "M declared constant: its derivative", n, dM, MT, mech_largest(n, M));
  }
}

static void check_gradient(struct mech_checking *c, double *dV) {
  const struct mech *m = c->m;
  double *x = mech_check_doubles(c, m->nq), *expected = mech_check_doubles(c, m->nq);
  const double s = mech_difference_step(m);
  if (m->ops->potential == NULL) {
    return;
  }
  const double V = fabs(m->ops->potential(m, c->q));
  la_copy(m->nq, c->q, x);
  for (int j = 0; j < m->nq; ++j) {
    for (int k = 0; k < MECH_STENCIL; ++k) {
      x[j] = c->q[j] + mech_stencil_at[k] * s;
      expected[j] += mech_stencil_weight[k] / s * m->ops->potential(m, x);
    }
    x[j] = c->q[j];
  }
  if (m->ops->potential_gradient == NULL) {
    la_copy(m->nq, expected, dV);
    return;
  }
  m->ops->potential_gradient(m, c->q, dV);
  mech_check_compare(c, "gradient of V", m->nq, dV, expected, V * 1e-3 / s);
}

/* What the mass matrix asks h to hold beside V: Lagrange's equations, q the coordinates of u. */
static void check_lagrange(struct mech_checking *c, const double *p, const double *Mdot,
                           double scale) {
  const struct mech *m = c->m;
  const int n = m->nb * m->nv * m->nv;
  double *dM = mech_check_doubles(c, n), *along = mech_check_doubles(c, m->nq),
         *y = mech_check_doubles(c, m->nu);
  double *expected = mech_check_doubles(c, m->nu);
  blocks_apply(m, Mdot, c->u, expected);
  scale = fmax(scale, mech_largest(m->nu, expected));
  for (int j = 0; j < m->nq; ++j) {
    along[j] = 1;
    mass_derivative(c, along, dM);
    along[j] = 0;
    blocks_apply(m, dM, c->u, y);
    expected[j] = -expected[j] + 0.5 * la_dot(m->nu, c->u, y);
  }
  mech_check_compare(c, "forces beside V (Lagrange)", m->nu, p, expected, scale);
}

static void check_gyro(struct mech_checking *c, const double *p, double scale) {
  const struct mech *m = c->m;
  double *H = mech_check_doubles(c, m->nq * m->nq), *HT = mech_check_doubles(c, m->nq * m->nq);
  double *Hqdot = mech_check_doubles(c, m->nq), *expected = mech_check_doubles(c, m->nu);
  m->ops->consistent.gyro(m, c->u, c->q, H);
  for (int i = 0; i < m->nq; ++i) {
    for (int j = 0; j < m->nq; ++j) {
      HT[i * m->nq + j] = -H[j * m->nq + i];
    }
  }
  mech_check_compare(c, "skewness of H", m->nq * m->nq, H, HT, 0);
  la_gemv(m->nq, m->nq, 1, H, c->qdot, 0, Hqdot);
  la_gemv_t(m->nq, m->nu, -1, c->F, Hqdot, 0, expected);
  mech_check_compare(c, "gyroscopic forces against H", m->nu, p, expected, scale);
}

static void check_damping(struct mech_checking *c) {
  const struct mech *m = c->m;
  double *D = mech_check_doubles(c, m->nq * m->nq), *Dqdot = mech_check_doubles(c, m->nq);
  double *expected = mech_check_doubles(c, m->nu), *f = mech_check_doubles(c, m->nu);
  if (m->ops->consistent.damping_matrix == NULL) {
    return;
  }
  m->ops->consistent.damping_matrix(m, c->u, c->q, c->t, D);
  if (m->ops->damping != NULL) {
    m->ops->damping(m, c->q, c->u, c->t, f);
  }
  la_gemv(m->nq, m->nq, 1, D, c->qdot, 0, Dqdot);
  la_gemv_t(m->nq, m->nu, -1, c->F, Dqdot, 0, expected);
  mech_check_compare(c, "damping against its matrix", m->nu, f, expected, 0);
  if (m->ops->consistent.damping_by_body != NULL) {
    struct la_blocks blocks;
    double *sum = mech_check_doubles(c, m->nq);
    la_blocks_init(&blocks, m->nq / m->nb, m->nq / m->nb, c->arena);
    m->ops->consistent.damping_by_body(m, c->u, c->q, c->t, &blocks);
    la_blocks_apply(&blocks, 1, c->qdot, sum);
    mech_check_compare(c, "damping by body against its matrix", m->nq, sum, Dqdot, 0);
  }
}

static void check_forces(struct mech_checking *c) {
  const struct mech *m = c->m;
  const int n = m->nb * m->nv * m->nv;
  double *dV = mech_check_doubles(c, m->nq), *p = mech_check_doubles(c, m->nu),
         *f = mech_check_doubles(c, m->nu);
  double *Mdot = mech_check_doubles(c, n), *y = mech_check_doubles(c, m->nu);
  check_gradient(c, dV);
  m->ops->force(m, c->q, c->u, c->t, p);
  m->ops->mass(m, c->q, Mdot);
  const double inertial = mech_largest(n, Mdot) * pow(mech_largest(m->nu, c->u), 2);
  /* of the terms p is what remains of; without others gyroscopic ones that cancel are rounding */
  double scale = fmax(mech_largest(m->nu, p), INERTIAL * inertial);
  memset(Mdot, 0, (size_t)n * sizeof *Mdot);
  la_gemv_t(m->nq, m->nu, 1, c->F, dV, 0, y);
  scale = fmax(scale, mech_largest(m->nu, y));
  la_axpy(m->nu, 1, y, p);
  if (m->ops->damping != NULL) {
    m->ops->damping(m, c->q, c->u, c->t, f);
    scale = fmax(scale, mech_largest(m->nu, f));
    la_axpy(m->nu, -1, f, p);
  }
  if (m->ops->applied != NULL) {
    m->ops->applied(m, c->q, c->u, c->t, f);
    scale = fmax(scale, mech_largest(m->nu, f));
    la_axpy(m->nu, -1, f, p);
  }
  mass_derivative(c, c->qdot, Mdot);
  blocks_apply(m, Mdot, c->u, y);
  const double power = la_dot(m->nu, c->u, p), expected = -0.5 * la_dot(m->nu, c->u, y);
  mech_check_compare(c, "power of the forces beside V", 1, &power, &expected,
                     fmax(scale, mech_largest(m->nu, y)) * la_norm2(m->nu, c->u));
  if (m->ops->kinematics == NULL) {
    check_lagrange(c, p, Mdot, scale);
  }
  if (m->ops->consistent.gyro != NULL) {
    check_gyro(c, p, scale);
  }
  mech_check_velocity_gyro(c, p, scale);
  check_damping(c);
}

static void check_decomposition(struct mech_checking *c) {
  const struct mech *m = c->m;
  const int n = m->nq;
  if (m->ops->consistent.decomposition == NULL || m->nq != m->nu) {
    return;
  }
  double *Q = mech_check_doubles(c, n * n), *QF = mech_check_doubles(c, n * n),
         *unit = mech_check_doubles(c, n * n);
  m->ops->consistent.decomposition(m, c->q, Q);
  la_gemm(n, n, n, 1, Q, c->F, 0, QF);
  for (int i = 0; i < n; ++i) {
    unit[i * n + i] = 1;
  }
  mech_check_compare(c, "Q F = I", n * n, QF, unit, 0);
}

static int check_all(const struct mech *m, const double *q, const double *u, double t, double tol,
                     struct mech_check_visitor visitor, double *worst, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  mech_set_time(m, t);
  struct mech_checking c = {
      .m = m, .q = q, .u = u, .t = t, .tol = tol, .visitor = visitor, .arena = arena};
  c.F = base_arena_matrix(arena, m->nq, m->nu);
  c.qdot = base_arena_doubles(arena, m->nq);
  if (m->ops->kinematics != NULL) {
    m->ops->kinematics(m, q, c.F);
  } else {
    for (int j = 0; j < m->nu; ++j) {
      c.F[(long)j * m->nq + j] = 1;
    }
  }
  mech_qdot(m, q, u, c.qdot, arena);
  check_mass(&c);
  check_forces(&c);
  mech_check_bilateral(&c);
  mech_check_contacts(&c);
  check_decomposition(&c);
  mech_check_coordinates(&c);
  mech_check_discrete(&c);
  mech_check_stiffness(&c);
  base_arena_release(arena, mark);
  *worst = c.worst;
  return c.status == BASE_OK ? BASE_OK : base_fail(c.status, "%s: %s", m->name, c.what);
}

int mech_check(const struct mech *m, const double *q, const double *u, double t, double tol,
               double *worst, struct base_arena *arena) {
  return check_all(m, q, u, t, tol, (struct mech_check_visitor){0}, worst, arena);
}

int mech_check_visit(const struct mech *m, const double *q, const double *u, double t, double tol,
                     struct mech_check_visitor visitor, struct base_arena *arena) {
  double worst;
  return check_all(m, q, u, t, tol, visitor, &worst, arena);
}
