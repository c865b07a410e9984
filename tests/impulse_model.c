/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See impulse_model.h.
 */
#include "tests/impulse_model.h"
#include "tests/small_mech.h"

#include <math.h>
#include <string.h>

/* ---- points ---- */

static void points_mass(const struct mech *m, const double *q, double *M) {
  const struct points *p = m->data;
  (void)q;
  memset(M, 0, (size_t)(p->n * p->dim * p->dim) * sizeof *M);
  for (int k = 0; k < p->n; ++k) {
    for (int d = 0; d < p->dim; ++d) {
      M[k * p->dim * p->dim + d * p->dim + d] = p->m[k];
    }
  }
}

static void points_damping(const struct mech *m, const double *q, const double *u, double t,
                           double *f) {
  const struct points *p = m->data;
  (void)q, (void)t;
  for (int i = 0; i < m->nu; ++i) {
    f[i] = -p->c * u[i];
  }
}

static void points_applied(const struct mech *m, const double *q, const double *u, double t,
                           double *f) {
  const struct points *p = m->data;
  (void)q, (void)u;
  for (int i = 0; i < m->nu; ++i) {
    f[i] = p->push[i % p->dim] + p->ramp[i % p->dim] * t;
  }
}

static void points_force(const struct mech *m, const double *q, const double *u, double t,
                         double *h) {
  const struct points *p = m->data;
  points_applied(m, q, u, t, h);
  for (int i = 0; i < m->nu; ++i) {
    h[i] += p->m[i / p->dim] * p->gravity[i % p->dim] - p->c * u[i] - p->k * q[i];
  }
}

static double points_potential(const struct mech *m, const double *q) {
  const struct points *p = m->data;
  double V = 0;
  for (int i = 0; i < m->nq; ++i) {
    V += 0.5 * p->k * q[i] * q[i] - p->m[i / p->dim] * p->gravity[i % p->dim] * q[i];
  }
  return V;
}

static void points_gradient(const struct mech *m, const double *q, double *dV) {
  const struct points *p = m->data;
  for (int i = 0; i < m->nq; ++i) {
    dV[i] = p->k * q[i] - p->m[i / p->dim] * p->gravity[i % p->dim];
  }
}

static void points_damping_matrix(const struct mech *m, const double *u, const double *q, double t,
                                  double *D) {
  const struct points *p = m->data;
  (void)u, (void)q, (void)t;
  for (int i = 0; i < m->nu * m->nu; ++i) {
    D[i] = i % (m->nu + 1) == 0 ? p->c : 0;
  }
}

static void points_contacts(const struct mech *m, const double *q, const double *u, double reach,
                            struct mech_contacts *out) {
  const struct points *p = m->data;
  const int dim = p->dim, copies = p->copies > 0 ? p->copies : 1;
  (void)u;
  for (int id = 0; id < p->n * copies; ++id) {
    const int k = p->reversed ? p->n - 1 - id / copies : id / copies;
    const double gap = q[k * dim + dim - 1];
    if (gap > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    out->id[i] = id;
    out->gN[i] = gap;
    out->mu[i] = p->mu;
    out->eps_N[i] = p->eps_N;
    out->eps_T[i] = p->eps_T;
    out->body[2 * i] = k;
    W[dim - 1] = 1; /* normal: the last coordinate; t1 = x, t2 = y */
    for (int d = 1; d < m->dim; ++d) {
      W[d * dim + d - 1] = 1;
    }
  }
}

/* Vector and length of rod i. */
static double rod_vector(const struct points *p, const double *q, int i, double *e) {
  double sum = 0;
  for (int d = 0; d < p->dim; ++d) {
    const int from = p->rod[i][0], to = p->rod[i][1];
    e[d] = q[to * p->dim + d] - (from >= 0 ? q[from * p->dim + d] : 0);
    sum += e[d] * e[d];
  }
  return sqrt(sum);
}

static void points_bilateral(const struct mech *m, const double *q, double *gS) {
  const struct points *p = m->data;
  double e[3];
  for (int i = 0; i < p->rods; ++i) {
    gS[i] = rod_vector(p, q, i, e) - p->length[i];
  }
}

static void points_directions(const struct mech *m, const double *q, double *WS) {
  const struct points *p = m->data;
  double e[3];
  memset(WS, 0, (size_t)(m->nu * m->ns) * sizeof *WS);
  for (int i = 0; i < p->rods; ++i) {
    const double length = rod_vector(p, q, i, e);
    for (int d = 0; d < p->dim; ++d) {
      WS[i * m->nu + p->rod[i][1] * p->dim + d] = e[d] / length;
      if (p->rod[i][0] >= 0) {
        WS[i * m->nu + p->rod[i][0] * p->dim + d] = -e[d] / length;
      }
    }
  }
}

static const struct mech_ops points_ops = {.mass = points_mass,
                                           .force = points_force,
                                           .potential = points_potential,
                                           .potential_gradient = points_gradient,
                                           .damping = points_damping,
                                           .consistent.damping_matrix = points_damping_matrix,
                                           .applied = points_applied,
                                           .bilateral = points_bilateral,
                                           .bilateral_directions = points_directions,
                                           .contacts = points_contacts};

struct mech points_mech(struct points *p) {
  struct mech m = small_mech("points", &points_ops, p, p->n * p->dim, p->dim);
  m.ns = p->rods;
  m.nb = p->n;
  m.nv = p->dim;
  return m;
}

/* ---- line ---- */

static void line_mass(const struct mech *m, const double *q, double *M) {
  (void)q;
  memcpy(M, ((const struct line *)m->data)->m, (size_t)m->nu * sizeof *M);
}

static void line_force(const struct mech *m, const double *q, const double *u, double t,
                       double *h) {
  (void)q, (void)u, (void)t;
  memset(h, 0, (size_t)m->nu * sizeof *h);
}

static void line_contacts(const struct mech *m, const double *q, const double *u, double reach,
                          struct mech_contacts *out) {
  const struct line *p = m->data;
  (void)u;
  for (int k = 0; k < p->n; ++k) {
    const int last = k == p->n - 1;
    const double gap = (last ? p->wall : q[k + 1]) - q[k];
    if (gap > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    out->id[i] = k;
    out->gN[i] = gap;
    out->eps_N[i] = last ? 0 : p->eps;
    out->body[2 * i] = k;
    out->body[2 * i + 1] = last ? -1 : k + 1;
    *mech_contacts_block(out, i, 0) = -1;
    *mech_contacts_block(out, i, 1) = last ? 0 : 1;
  }
}

static const struct mech_ops line_ops = {
    .mass = line_mass, .force = line_force, .contacts = line_contacts};

struct mech line_mech(struct line *p) {
  struct mech m = small_mech("line", &line_ops, p, p->n, 1);
  m.nb = p->n;
  m.nv = 1;
  return m;
}

/* ---- box ---- */

static void box_mass(const struct mech *m, const double *q, double *M) {
  const struct box *p = m->data;
  (void)q;
  memset(M, 0, 9 * sizeof *M);
  M[0] = M[4] = p->m;
  M[8] = p->J;
}

static void box_force(const struct mech *m, const double *q, const double *u, double t, double *h) {
  const struct box *p = m->data;
  (void)q, (void)u, (void)t;
  h[0] = h[2] = 0;
  h[1] = -p->m * p->g;
}

static double box_potential(const struct mech *m, const double *q) {
  const struct box *p = m->data;
  return p->m * p->g * q[1];
}

static void box_gradient(const struct mech *m, const double *q, double *dV) {
  const struct box *p = m->data;
  (void)q;
  dV[0] = dV[2] = 0;
  dV[1] = p->m * p->g;
}

static void box_contacts(const struct mech *m, const double *q, const double *u, double reach,
                         struct mech_contacts *out) {
  const struct box *p = m->data;
  const double s = sin(q[2]), c = cos(q[2]);
  (void)u;
  for (int id = 0; id < 4; ++id) {
    const int corner = p->order[id];
    const double X = corner & 1 ? p->a : -p->a, Y = corner & 2 ? p->b : -p->b;
    const double rx = c * X - s * Y, ry = s * X + c * Y;
    if (q[1] + ry > reach) {
      continue;
    }
    const int i = mech_contacts_push(out);
    double *W = mech_contacts_block(out, i, 0);
    out->id[i] = id;
    out->gN[i] = q[1] + ry;
    out->mu[i] = p->mu;
    out->eps_N[i] = p->eps_N;
    out->eps_T[i] = p->eps_T;
    out->body[2 * i] = 0;
    W[1] = 1;
    W[2] = rx;
    W[3] = 1;
    W[5] = -ry;
  }
}

static const struct mech_ops box_ops = {.mass = box_mass,
                                        .force = box_force,
                                        .potential = box_potential,
                                        .potential_gradient = box_gradient,
                                        .contacts = box_contacts};

struct mech box_mech(struct box *p) {
  return small_mech("box", &box_ops, p, 3, 2);
}
