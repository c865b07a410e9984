/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The affine body made rigid by constraints (moeller 4.2): q = (r, d1, d2, d3), u = qdot,
 *
 *   M = diag(m I, E1 I, E2 I, E3 I),  E_i = tr(Theta)/2 - Theta_i          (4.19, 4.9)
 *   g_S = (d1.d1 - 1, d2.d2 - 1, d3.d3 - 1, d2.d3, d1.d3, d1.d2)           (4.22)
 *
 * g_S is quadratic and gamma_S bilinear, so that discrete derivatives are partial ones: of g_S at
 * the midpoint (5.28), of gamma_S with the rates of the directors in the place of the directors.
 */
#include "mech/rigid/parts.h"

#include "la/dense.h"

#include <string.h>

enum { N = 12, NS = 6 };
/* The two directors of each constraint. */
static const int pairs[NS][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

static const double *director(const double *q, int i) { return q + 3 + 3 * i; }

static void affine_mass(const struct mech *m, const double *q, double *M) {
  const struct mech_rigid_body *p = m->data;
  const double half = 0.5 * (p->Theta[0] + p->Theta[1] + p->Theta[2]);
  (void)q;
  memset(M, 0, (size_t)N * N * sizeof *M);
  for (int i = 0; i < N; ++i) {
    M[i * (N + 1)] = i < 3 ? p->mass : half - p->Theta[i / 3 - 1];
  }
}

static void affine_force(const struct mech *m, const double *q, const double *u, double t,
                         double *h) {
  (void)u, (void)t;
  mech_rigid_body_gradient(m, q, h);
  for (int i = 0; i < N; ++i) {
    h[i] = -h[i];
  }
}

static void affine_bilateral(const struct mech *m, const double *q, double *gS) {
  (void)m;
  for (int i = 0; i < NS; ++i) {
    gS[i] = la_dot(3, director(q, pairs[i][0]), director(q, pairs[i][1])) - (i < 3);
  }
}

/* dg_S/dq with the directors of x, columns of G: N x NS with strides for either layout. */
static void constraint_gradient(const double *x, double *G, int stride_q, int stride_s) {
  for (int i = 0; i < NS; ++i) {
    for (int j = 0; j < N; ++j) {
      G[j * stride_q + i * stride_s] = 0;
    }
    for (int k = 0; k < 2; ++k) {
      for (int l = 0; l < 3; ++l) {
        G[(3 + 3 * pairs[i][k] + l) * stride_q + i * stride_s] += director(x, pairs[i][1 - k])[l];
      }
    }
  }
}

static void affine_directions(const struct mech *m, const double *q, double *WS) {
  (void)m;
  constraint_gradient(q, WS, 1, N);
}

static void affine_bias(const struct mech *m, const double *q, const double *u, double *bias) {
  (void)m, (void)q;
  for (int i = 0; i < NS; ++i) {
    bias[i] = 2 * la_dot(3, director(u, pairs[i][0]), director(u, pairs[i][1]));
  }
}

static void affine_discrete_bilateral(const struct mech *m, const double *a, const double *b,
                                      double *DgS) {
  double z[N];
  (void)m;
  for (int j = 0; j < N; ++j) {
    z[j] = 0.5 * (a[j] + b[j]);
  }
  constraint_gradient(z, DgS, NS, 1);
}

static void affine_discrete_rate(const struct mech *m, const double *u, const double *a,
                                 const double *b, double *Dgamma) {
  (void)m, (void)a, (void)b;
  constraint_gradient(u, Dgamma, NS, 1);
}

/* dxi_axis/dq: 12 (4.14). */
static void point_gradient(const struct mech_rigid_body *p, int axis, double *w) {
  memset(w, 0, N * sizeof *w);
  w[axis] = 1;
  for (int i = 0; i < 3; ++i) {
    w[3 + 3 * i + axis] = p->point[i];
  }
}

static void affine_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  const struct mech_rigid_body *p = m->data;
  (void)u; /* W is constant: no bias */
  double w[N];
  point_gradient(p, 2, w);
  double *W = mech_rigid_body_contact(m, la_dot(N, w, q), reach, out);
  for (int k = 0; k < 3 && W != NULL; ++k) {
    point_gradient(p, mech_rigid_body_axis[k], W + k * N);
  }
}

static void affine_discrete_gap(const struct mech *m, long id, const double *a, const double *b,
                                double *DgN) {
  (void)id, (void)a, (void)b;
  point_gradient(m->data, 2, DgN);
}

/* DgS is linear in b, DV, Dgamma and DgN do not depend on it. */
static void affine_stiffness(const struct mech *m, const struct mech_step *step, double *S) {
  (void)m;
  memset(S, 0, (size_t)N * N * sizeof *S);
  for (int i = 0; i < NS; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int row = 3 + 3 * pairs[i][k], column = 3 + 3 * pairs[i][1 - k];
      for (int l = 0; l < 3; ++l) {
        S[(column + l) * N + row + l] -= 0.5 * step->lambda[i];
      }
    }
  }
}

static void affine_observe(const struct mech *m, const double *q, const double *u, double *q_out,
                           double *u_out) {
  (void)m;
  la_copy(N, q, q_out);
  la_copy(3, u, u_out);
  mech_rigid_body_publish(q + 3, u + 3, u_out + 3, u_out + 6);
}

const struct mech_ops mech_rigid_body_affine = {
    .mass = affine_mass,
    .force = affine_force,
    .potential = mech_rigid_body_potential,
    .potential_gradient = mech_rigid_body_gradient,
    .bilateral = affine_bilateral,
    .bilateral_directions = affine_directions,
    .bilateral_bias = affine_bias,
    .contacts = affine_contacts,
    .slips = mech_rigid_body_slips,
    .consistent.discrete_potential = mech_discrete_potential_linear,
    .consistent.discrete_bilateral = affine_discrete_bilateral,
    .consistent.discrete_rate = affine_discrete_rate,
    .consistent.discrete_gap = affine_discrete_gap,
    .consistent.discrete_stiffness = affine_stiffness,
    .consistent.discrete_gap_slope = mech_discrete_gap_linear,
    .observe = affine_observe};
