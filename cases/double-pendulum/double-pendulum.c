/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two point masses m on massless rods of length l, hung at a wall x = 0 that neither may pass
 * (moeller 6.2); y points down, the pivot is the origin, impacts are of Newton's type with eps.
 *
 *   V = 3 m g l - m g (y1 + y2)                                                         (6.11)
 *   g_N = (x1, x2)                                                                      (6.15)
 *
 * coordinates=xy: q = (x1, y1, x2, y2), M = m I, rods as bilateral constraints (6.12)
 *   g_S = 1/2 (x1^2 + y1^2 - l^2, (x2-x1)^2 + (y2-y1)^2 - l^2),  d(W_S^T)/dt u = (u1^2 + v1^2,
 * ...).
 *
 * coordinates=angles: q = (alpha1, alpha2), both from the downward vertical, no constraints:
 *   x1 = l sin alpha1, y1 = l cos alpha1, x2 = x1 + l sin alpha2, y2 = y1 + l cos alpha2,
 *   M = m l^2 [2 c; c 1], c = cos(alpha1 - alpha2), s = sin(alpha1 - alpha2),
 *   h = m l^2 s (-alpha2dot^2, alpha1dot^2) - m g l (2 sin alpha1, sin alpha2).
 * Records of both show x1 y1 x2 y2.
 */
#include "cases/case.h"

#include "base/status.h"

#include <math.h>
#include <string.h>

struct pendulum {
  double m, l, g, eps; /* [kg], [m], [m/s^2], [-] */
  int has_wall;
};

/* ---- positions of the masses as coordinates ---- */

static void xy_mass(const struct mech *m, const double *q, double *M) {
  const struct pendulum *p = m->data;
  (void)q;
  memset(M, 0, 16 * sizeof *M);
  for (int i = 0; i < 4; ++i) {
    M[5 * i] = p->m;
  }
}

static double xy_potential(const struct mech *m, const double *q) {
  const struct pendulum *p = m->data;
  return p->m * p->g * (3 * p->l - q[1] - q[3]);
}

static void xy_gradient(const struct mech *m, const double *q, double *dV) {
  const struct pendulum *p = m->data;
  (void)q;
  dV[0] = dV[2] = 0;
  dV[1] = dV[3] = -p->m * p->g;
}

static void xy_force(const struct mech *m, const double *q, const double *u, double t, double *h) {
  const struct pendulum *p = m->data;
  (void)q, (void)u, (void)t;
  h[0] = h[2] = 0;
  h[1] = h[3] = p->m * p->g;
}

static void xy_bilateral(const struct mech *m, const double *q, double *gS) {
  const struct pendulum *p = m->data;
  const double dx = q[2] - q[0], dy = q[3] - q[1];
  gS[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - p->l * p->l);
  gS[1] = 0.5 * (dx * dx + dy * dy - p->l * p->l);
}

/* (6.13); linear in q. WS: 4 x 2. */
static void xy_directions(const struct mech *m, const double *q, double *WS) {
  const double dx = q[2] - q[0], dy = q[3] - q[1];
  const double columns[8] = {q[0], q[1], 0, 0, -dx, -dy, dx, dy};
  (void)m;
  memcpy(WS, columns, sizeof columns);
}

static void xy_bilateral_bias(const struct mech *m, const double *q, const double *u,
                              double *bias) {
  const double dvx = u[2] - u[0], dvy = u[3] - u[1];
  (void)m, (void)q;
  bias[0] = u[0] * u[0] + u[1] * u[1];
  bias[1] = dvx * dvx + dvy * dvy;
}

static void xy_contacts(const struct mech *m, const double *q, const double *u, double reach,
                        struct mech_contacts *out) {
  const struct pendulum *p = m->data;
  (void)u; /* W is constant: the bias is zero */
  for (int k = 0; k < 2 && p->has_wall; ++k) {
    if (q[2 * k] > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    out->id[i] = k;
    out->gN[i] = q[2 * k];
    out->eps_N[i] = p->eps;
    out->body[2 * i] = 0;
    mech_contacts_block(out, i, 0)[2 * k] = 1;
  }
}

/* V and g_N are linear, g_S is quadratic: (6.19) to (6.21). */
static void transpose_4x2(const double *A, double *B) {
  for (int i = 0; i < 4; ++i) {
    B[2 * i] = A[i];
    B[2 * i + 1] = A[4 + i];
  }
}

static void xy_discrete_bilateral(const struct mech *m, const double *a, const double *b,
                                  double *DgS) {
  double middle[4], WS[8];
  for (int i = 0; i < 4; ++i) {
    middle[i] = 0.5 * (a[i] + b[i]);
  }
  xy_directions(m, middle, WS);
  transpose_4x2(WS, DgS);
}

/* gamma_S is bilinear: its derivative by q is that of g_S with u in the place of q (6.21). */
static void xy_discrete_rate(const struct mech *m, const double *u, const double *a,
                             const double *b, double *Dgamma) {
  double WS[8];
  (void)a, (void)b;
  xy_directions(m, u, WS);
  transpose_4x2(WS, Dgamma);
}

static void xy_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                            double *DgN) {
  (void)m, (void)a, (void)b;
  memset(DgN, 0, 4 * sizeof *DgN);
  DgN[2 * id] = 1;
}

/* DgS is half the sum of the gradients at a and b, Dgamma does not depend on them: with the second
 * derivatives of g_S, I for rod 1 and [I -I; -I I] for rod 2. */
static void xy_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  const double *lambda = step->lambda;
  (void)m;
  memset(S, 0, 16 * sizeof *S);
  for (int i = 0; i < 2; ++i) {
    S[5 * i] = -0.5 * (lambda[0] + lambda[1]);
    S[5 * (i + 2)] = -0.5 * lambda[1];
    S[4 * i + i + 2] = S[4 * (i + 2) + i] = 0.5 * lambda[1];
  }
}

static const struct mech_ops xy_ops = {.mass = xy_mass,
                                       .force = xy_force,
                                       .potential = xy_potential,
                                       .potential_gradient = xy_gradient,
                                       .bilateral = xy_bilateral,
                                       .bilateral_directions = xy_directions,
                                       .bilateral_bias = xy_bilateral_bias,
                                       .contacts = xy_contacts,
                                       .consistent.discrete_potential =
                                           mech_discrete_potential_linear,
                                       .consistent.discrete_bilateral = xy_discrete_bilateral,
                                       .consistent.discrete_rate = xy_discrete_rate,
                                       .consistent.discrete_gap = xy_discrete_gap,
                                       .consistent.discrete_stiffness = xy_stiffness,
                                       .consistent.discrete_gap_slope = mech_discrete_gap_linear};

/* ---- angles of the rods as coordinates ---- */

static void angles_mass(const struct mech *m, const double *q, double *M) {
  const struct pendulum *p = m->data;
  const double ml2 = p->m * p->l * p->l;
  M[0] = 2 * ml2;
  M[1] = M[2] = ml2 * cos(q[0] - q[1]);
  M[3] = ml2;
}

static double angles_potential(const struct mech *m, const double *q) {
  const struct pendulum *p = m->data;
  return p->m * p->g * p->l * (3 - 2 * cos(q[0]) - cos(q[1]));
}

static void angles_gradient(const struct mech *m, const double *q, double *dV) {
  const struct pendulum *p = m->data;
  const double mgl = p->m * p->g * p->l;
  dV[0] = 2 * mgl * sin(q[0]);
  dV[1] = mgl * sin(q[1]);
}

static void angles_force(const struct mech *m, const double *q, const double *u, double t,
                         double *h) {
  const struct pendulum *p = m->data;
  const double coupling = p->m * p->l * p->l * sin(q[0] - q[1]);
  double dV[2];
  (void)t;
  angles_gradient(m, q, dV);
  h[0] = -coupling * u[1] * u[1] - dV[0];
  h[1] = coupling * u[0] * u[0] - dV[1];
}

static void angles_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  const struct pendulum *p = m->data;
  double gap = 0, bias = 0;
  for (int k = 0; k < 2 && p->has_wall; ++k) {
    gap += p->l * sin(q[k]);
    bias -= u != NULL ? p->l * sin(q[k]) * u[k] * u[k] : 0.0;
    if (gap > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    out->id[i] = k;
    out->gN[i] = gap;
    out->eps_N[i] = p->eps;
    out->body[2 * i] = 0;
    if (u != NULL) {
      out->bias[i] = bias;
    }
    for (int j = 0; j <= k; ++j) {
      W[j] = p->l * cos(q[j]);
    }
  }
}

static void angles_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                           double *u_out) {
  const struct pendulum *p = m->data;
  double r[2] = {0, 0}, v[2] = {0, 0};
  for (int k = 0; k < 2; ++k) {
    r[0] += p->l * sin(q[k]);
    r[1] += p->l * cos(q[k]);
    v[0] += p->l * cos(q[k]) * u[k];
    v[1] -= p->l * sin(q[k]) * u[k];
    memcpy(q_out + 2 * k, r, sizeof r);
    memcpy(u_out + 2 * k, v, sizeof v);
  }
}

static const struct mech_ops angles_ops = {.mass = angles_mass,
                                           .force = angles_force,
                                           .potential = angles_potential,
                                           .potential_gradient = angles_gradient,
                                           .contacts = angles_contacts,
                                           .observe = angles_observe};

/* ---- initial state ---- */

static const char *const pendulum_q_names[] = {"x1", "y1", "x2", "y2"};
static const char *const pendulum_u_names[] = {"vx1", "vy1", "vx2", "vy2"};

/* Initial values count as fitting the rods when they miss them by no more than the last decimals a
 * person types [-]; they are then put onto them exactly. */
static const double PENDULUM_TYPED = 1e-8;

static int pendulum_check_start(const struct pendulum *p, const double *q, const double *u,
                                double speed) {
  for (int k = 0; k < 2; ++k) {
    const double dx = q[2 * k] - (k > 0 ? q[0] : 0), dy = q[2 * k + 1] - (k > 0 ? q[1] : 0);
    const double du = u[2 * k] - (k > 0 ? u[0] : 0), dv = u[2 * k + 1] - (k > 0 ? u[1] : 0);
    if (fabs(hypot(dx, dy) - p->l) > PENDULUM_TYPED * p->l) {
      return base_fail(BASE_E_INPUT,
                       "double-pendulum: x1_0 y1_0 x2_0 y2_0 put the ends of rod %d a distance "
                       "%.9g apart, its length is l = %.9g",
                       k + 1, hypot(dx, dy), p->l);
    }
    if (fabs(dx * du + dy * dv) > PENDULUM_TYPED * p->l * speed) {
      return base_fail(BASE_E_INPUT,
                       "double-pendulum: vx1_0 vy1_0 vx2_0 vy2_0 stretch rod %d by %.9g m/s; they "
                       "must be at right angles to it",
                       k + 1, (dx * du + dy * dv) / p->l);
    }
    if (p->has_wall && q[2 * k] < -PENDULUM_TYPED * p->l) {
      return base_fail(BASE_E_INPUT, "double-pendulum: x%d_0 = %g is behind the wall at 0", k + 1,
                       q[2 * k]);
    }
  }
  return BASE_OK;
}

/* xy to angles; the velocity of a mass relative to the one above is l alphadot (cos, -sin). */
static void pendulum_to_angles(const double *q, const double *u, double *alpha, double *rate) {
  for (int k = 0; k < 2; ++k) {
    const double dx = q[2 * k] - (k > 0 ? q[0] : 0), dy = q[2 * k + 1] - (k > 0 ? q[1] : 0);
    const double du = u[2 * k] - (k > 0 ? u[0] : 0), dv = u[2 * k + 1] - (k > 0 ? u[1] : 0);
    alpha[k] = atan2(dx, dy);
    rate[k] = (du * dy - dv * dx) / (dx * dx + dy * dy);
  }
}

static int pendulum_build(const struct case_parameters *p, struct base_arena *arena,
                          struct case_instance *out) {
  static const char *const q_keys[] = {"x1_0", "y1_0", "x2_0", "y2_0"};
  static const char *const u_keys[] = {"vx1_0", "vy1_0", "vx2_0", "vy2_0"};
  struct pendulum *data = base_arena_push(arena, sizeof *data);
  *data = (struct pendulum){.m = case_real(p, "m"),
                            .l = case_real(p, "l"),
                            .g = case_real(p, "g"),
                            .eps = case_real(p, "eps"),
                            .has_wall = strcmp(case_choice(p, "wall"), "yes") == 0};
  struct mech *m = case_model("double-pendulum", &xy_ops, data, 4, 4, 1, arena, out);
  m->ns = 2;
  m->constant_mass = m->diagonal_mass = 1;
  m->q_names = pendulum_q_names;
  m->u_names = pendulum_u_names;
  m->length = data->l;
  double *q = out->q, *u = out->u, speed = sqrt(2 * data->g * data->l);
  for (int i = 0; i < 4; ++i) {
    q[i] = case_real(p, q_keys[i]);
    u[i] = case_real(p, u_keys[i]);
    speed = fmax(speed, fabs(u[i]));
  }
  m->speed = speed > 0 ? speed : data->l; /* no gravity, at rest: any will do */
  int status = pendulum_check_start(data, q, u, m->speed);
  if (status == BASE_OK) {
    status = mech_project(m, q, u, arena);
  }
  if (status == BASE_OK && strcmp(case_choice(p, "coordinates"), "angles") == 0) {
    double *alpha = base_arena_doubles(arena, 2), *rate = base_arena_doubles(arena, 2);
    pendulum_to_angles(q, u, alpha, rate);
    m->ops = &angles_ops;
    m->nq = m->nu = m->nv = 2;
    m->ns = 0;
    m->constant_mass = m->diagonal_mass = 0;
    out->q = alpha;
    out->u = rate;
  }
  return status;
}

const struct case_type case_double_pendulum = {
    .name = "double-pendulum",
    .summary = "double pendulum at a wall with elastic impacts, rods as constraints or in angles",
    .source = "moeller 6.2, table 6.2",
    .build = pendulum_build};
