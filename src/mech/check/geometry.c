/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of mech_check that concerns constraints: directions against gaps, along F e_j for every
 * velocity direction e_j, W against the places of the points in contact likewise, and chi against
 * gaps in time; biases d(W^T)/dt u (+ dchi/dt) against the
 * rates along F u; discrete derivatives between q and a point nearby. Contacts that come or go
 * between the points of a difference are left out.
 */
#include "mech/check/check.h"

#include "base/status.h"

#include <stdio.h>
#include <string.h>

/* chi against the change of g_S in time at fixed q; gS: ns, scratch. */
static void check_drift(struct mech_checking *c, double *gS) {
  const struct mech *m = c->m;
  if (m->clock == NULL) {
    return;
  }
  /* as long as the step in coordinates at the problem's speed */
  const double s = mech_difference_step(m) / (m->speed > 0 ? m->speed : 1);
  double *chi = mech_check_doubles(c, m->ns), *expected = mech_check_doubles(c, m->ns);
  for (int k = 0; k < MECH_STENCIL; ++k) {
    mech_set_time(m, c->t + mech_stencil_at[k] * s);
    m->ops->bilateral(m, c->q, gS);
    la_axpy(m->ns, mech_stencil_weight[k] / s, gS, expected);
  }
  mech_set_time(m, c->t);
  if (m->ops->driven.bilateral_drift != NULL) {
    m->ops->driven.bilateral_drift(m, c->q, chi);
  }
  mech_check_compare(c, "drift of the bilateral constraints", m->ns, chi, expected,
                     mech_largest(m->ns, gS) * 1e-3 / s);
}

void mech_check_bilateral(struct mech_checking *c) {
  const struct mech *m = c->m;
  if (m->ns == 0) {
    return;
  }
  double *WS = mech_check_doubles(c, m->nu * m->ns),
         *expected = mech_check_doubles(c, m->nu * m->ns);
  double *x = mech_check_doubles(c, m->nq), *gS = mech_check_doubles(c, m->ns),
         *W = mech_check_doubles(c, m->nu * m->ns);
  mech_bilateral_directions(m, c->q, WS, c->arena);
  for (int j = 0; j < m->nu; ++j) {
    const double s = mech_check_step(c, c->F + (long)j * m->nq);
    for (int k = 0; k < MECH_STENCIL && s > 0; ++k) {
      mech_check_shifted(c, mech_stencil_at[k] * s, c->F + (long)j * m->nq, x);
      m->ops->bilateral(m, x, gS);
      for (int i = 0; i < m->ns; ++i) {
        expected[(long)i * m->nu + j] += mech_stencil_weight[k] / s * gS[i];
      }
    }
  }
  mech_check_compare(c, "W_S against g_S", m->nu * m->ns, WS, expected, 0);
  if (m->ops->bodies.bilateral_rate != NULL) {
    double *rate = mech_check_doubles(c, m->ns), *dense = mech_check_doubles(c, m->ns);
    m->ops->bodies.bilateral_rate(m, c->q, c->u, rate);
    mech_bilateral_rate(m, c->q, WS, c->u, dense);
    mech_check_compare(c, "rate of the bilateral constraints", m->ns, rate, dense,
                       mech_largest(m->nu, c->u));
  }
  check_drift(c, gS);
  const double s = mech_check_step(c, c->qdot);
  if (m->ops->bilateral_bias != NULL && s > 0) {
    double *bias = mech_check_doubles(c, m->ns), *differenced = mech_check_doubles(c, m->ns);
    m->ops->bilateral_bias(m, c->q, c->u, bias);
    for (int k = 0; k < MECH_STENCIL; ++k) {
      mech_check_shifted(c, mech_stencil_at[k] * s, c->qdot, x);
      mech_set_time(m, c->t + mech_stencil_at[k] * s);
      mech_bilateral_directions(m, x, W, c->arena);
      mech_bilateral_rate(m, x, W, c->u, gS);
      la_axpy(m->ns, mech_stencil_weight[k] / s, gS, differenced);
    }
    mech_set_time(m, c->t);
    /* scale: rates over the time in which the coordinates change altogether */
    mech_check_compare(c, "bias of the bilateral constraints", m->ns, bias, differenced,
                       mech_largest(m->nu * m->ns, WS) * mech_largest(m->nu, c->u) * 1e-3 / s);
  }
}

void mech_check_list(struct mech_checking *c, const double *q, const double *u,
                     struct mech_contacts *list) {
  mech_contacts_find(c->m, q, u, INFINITY, list);
}

/* Whether two lists hold the same contacts in the same frames, whose first tangent jumps where the
 * normal passes 10 degrees from its axis: only then can they be differenced. */
int mech_check_same(const struct mech_contacts *a, const struct mech_contacts *b) {
  int same = a->n == b->n;
  for (int i = 0; i < a->n && same; ++i) {
    same = a->id[i] == b->id[i] &&
           (a->frame == NULL || la_dot(3, a->frame + 6 * i + 3, b->frame + 6 * i + 3) > 0.5);
  }
  return same;
}

static void check_order(struct mech_checking *c, const struct mech_contacts *list) {
  char why[120];
  for (int i = 1; i < list->n; ++i) {
    if (list->id[i] <= list->id[i - 1]) {
      snprintf(why, sizeof why, "contact ids do not ascend: %ld after %ld", list->id[i],
               list->id[i - 1]);
      mech_check_fail(c, "order of the contacts", why);
      return;
    }
  }
}

/* The largest number in W. */
static double largest_direction(struct mech_checking *c, const struct mech_contacts *list) {
  const int size = c->m->nv * c->m->dim;
  double *W = mech_check_doubles(c, size), largest = 0;
  for (int e = 0; e < 2 * list->n; ++e) {
    mech_contacts_directions(list, e / 2, e % 2, W);
    largest = fmax(largest, mech_largest(size, W));
  }
  return largest;
}

/* W_N e_j against the change of g_N along F e_j, for every j. */
static void check_gaps(struct mech_checking *c, const struct mech_contacts *list,
                       struct mech_contacts *other) {
  const struct mech *m = c->m;
  const int n = list->n, dim = m->dim;
  double *x = mech_check_doubles(c, m->nq), *unit = mech_check_doubles(c, m->nu),
         *v = mech_check_doubles(c, n * dim);
  double *rate = mech_check_doubles(c, n), *expected = mech_check_doubles(c, n);
  const double scale = largest_direction(c, list);
  for (int j = 0; j < m->nu; ++j) {
    const double s = mech_check_step(c, c->F + (long)j * m->nq);
    int usable = s > 0;
    unit[j] = 1;
    mech_contacts_velocity(list, unit, v);
    unit[j] = 0;
    memset(expected, 0, (size_t)n * sizeof *expected);
    for (int k = 0; k < MECH_STENCIL && usable; ++k) {
      mech_check_shifted(c, mech_stencil_at[k] * s, c->F + (long)j * m->nq, x);
      mech_check_list(c, x, NULL, other);
      usable = mech_check_same(list, other);
      for (int i = 0; i < n && usable; ++i) {
        expected[i] += mech_stencil_weight[k] / s * other->gN[i];
      }
    }
    for (int i = 0; i < n; ++i) {
      rate[i] = v[(long)i * dim];
    }
    if (usable) {
      mech_check_compare(c, "W_N against g_N", n, rate, expected, scale);
    }
  }
}

/* W e_j against the ways of the points in contact along F e_j, for every j: a direction that is
 * wrong has the right bias all the same. */
static void check_slips(struct mech_checking *c, const struct mech_contacts *list) {
  const struct mech *m = c->m;
  const int n = list->n * m->dim;
  if (m->ops->slips == NULL) {
    return;
  }
  double *x = mech_check_doubles(c, m->nq), *unit = mech_check_doubles(c, m->nu);
  double *v = mech_check_doubles(c, n), *s = mech_check_doubles(c, n),
         *expected = mech_check_doubles(c, n);
  const double scale = largest_direction(c, list);
  for (int j = 0; j < m->nu; ++j) {
    const double *along = c->F + (long)j * m->nq, h = mech_check_step(c, along);
    memset(expected, 0, (size_t)n * sizeof *expected);
    for (int k = 0; k < MECH_STENCIL && h > 0; ++k) {
      mech_check_shifted(c, mech_stencil_at[k] * h, along, x);
      m->ops->slips(m, list, c->q, x, s);
      la_axpy(n, mech_stencil_weight[k] / h, s, expected);
    }
    unit[j] = 1;
    mech_contacts_velocity(list, unit, v);
    unit[j] = 0;
    if (h > 0) {
      mech_check_compare(c, "W against the ways of the points in contact", n, v, expected, scale);
    }
  }
}

static void check_contact_bias(struct mech_checking *c, const struct mech_contacts *list,
                               struct mech_contacts *other) {
  const struct mech *m = c->m;
  const int n = list->n * m->dim;
  const double s = mech_check_step(c, c->qdot);
  double *x = mech_check_doubles(c, m->nq), *v = mech_check_doubles(c, n),
         *expected = mech_check_doubles(c, n);
  int usable = s > 0;
  for (int k = 0; k < MECH_STENCIL && usable; ++k) {
    mech_check_shifted(c, mech_stencil_at[k] * s, c->qdot, x);
    mech_check_list(c, x, NULL, other);
    usable = mech_check_same(list, other);
    if (usable) {
      mech_contacts_velocity(other, c->u, v);
      la_axpy(n, mech_stencil_weight[k] / s, v, expected);
    }
  }
  if (usable) {
    mech_contacts_velocity(list, c->u, v);
    mech_check_compare(c, "bias of the contacts", n, list->bias, expected,
                       largest_direction(c, list) * mech_largest(m->nu, c->u) * 1e-3 / s);
  }
}

void mech_check_contacts(struct mech_checking *c) {
  struct mech_contacts list, other;
  if (c->m->ops->contacts == NULL) {
    return;
  }
  mech_contacts_init(&list, c->m, c->arena);
  mech_contacts_init(&other, c->m, c->arena);
  mech_check_list(c, c->q, c->u, &list);
  if (list.n > 0) {
    check_order(c, &list);
    check_gaps(c, &list, &other);
    check_slips(c, &list);
    check_contact_bias(c, &list, &other);
    mech_check_wrenches(c, &list, &other);
  }
}

/* D (b - a) against f(b) - f(a), rows: n, D: n x nq; size: of the terms that f is made of. */
static void check_directionality(struct mech_checking *c, const char *what, int n, const double *D,
                                 const double *b, const double *fa, const double *fb, double size) {
  const int nq = c->m->nq;
  double *d = mech_check_doubles(c, nq), *along = mech_check_doubles(c, n),
         *expected = mech_check_doubles(c, n);
  la_copy(nq, b, d);
  la_axpy(nq, -1, c->q, d);
  la_gemv(n, nq, 1, D, d, 0, along);
  for (int i = 0; i < n; ++i) {
    expected[i] = fb[i] - fa[i];
  }
  mech_check_compare(c, what, n, along, expected,
                     fmax(size, fmax(mech_largest(n, fa), mech_largest(n, fb))));
}

/* The largest that a row of gamma_S = W^T u can be of what it is made of, sum_b |W_b| |u_b| over
 * blocks of u; a hinge through the centre of a body that turns about it has nothing but rounding
 * of that. W: nu x ns. */
static double rate_size(const struct mech_checking *c, const double *W) {
  const struct mech *m = c->m;
  double largest = 0;
  for (int i = 0; i < m->ns; ++i) {
    double size = 0;
    for (int k = 0; k < m->nu; k += m->nv) {
      size += la_norm2(m->nv, W + (long)i * m->nu + k) * la_norm2(m->nv, c->u + k);
    }
    largest = fmax(largest, size);
  }
  return largest;
}

/* Its limit a = b, times F, against differences of gamma_S along F e_j at constant u; D, DF,
 * expected: room of ns x nq, ns x nu. */
static void check_rate_limit(struct mech_checking *c, double *D, double *DF, double *expected) {
  const struct mech *m = c->m;
  const int ns = m->ns;
  double *x = mech_check_doubles(c, m->nq), *W = mech_check_doubles(c, m->nu * ns),
         *rate = mech_check_doubles(c, ns);
  double largest = 0, least = INFINITY;
  mech_discrete_rate(m, c->u, c->q, c->q, D, c->arena);
  la_gemm(ns, m->nu, m->nq, 1, D, c->F, 0, DF);
  la_zero(ns * m->nu, expected);
  for (int j = 0; j < m->nu; ++j) {
    const double s = mech_check_step(c, c->F + (long)j * m->nq);
    for (int k = 0; k < MECH_STENCIL && s > 0; ++k) {
      mech_check_shifted(c, mech_stencil_at[k] * s, c->F + (long)j * m->nq, x);
      mech_bilateral_directions(m, x, W, c->arena);
      la_gemv_t(m->nu, ns, 1, W, c->u, 0, rate);
      la_axpy(ns, mech_stencil_weight[k] / s, rate, expected + (long)j * ns);
      largest = fmax(largest, rate_size(c, W));
      least = fmin(least, s);
    }
  }
  /* rounding of the rates by the step, against a tolerance meant for quotients of 1e-3 */
  mech_check_compare(c, "discrete derivative of gamma_S at a = b", ns * m->nu, DF, expected,
                     largest * 1e-3 / least);
}

static void check_discrete_bilateral(struct mech_checking *c, const double *b) {
  const struct mech *m = c->m;
  const int ns = m->ns;
  if (ns == 0) {
    return;
  }
  double *D = mech_check_doubles(c, ns * m->nq), *W = mech_check_doubles(c, m->nu * ns),
         *WF = mech_check_doubles(c, ns * m->nu);
  double *WT = mech_check_doubles(c, ns * m->nu), *fa = mech_check_doubles(c, ns),
         *fb = mech_check_doubles(c, ns);
  m->ops->bilateral(m, c->q, fa);
  m->ops->bilateral(m, b, fb);
  mech_discrete_bilateral(m, c->q, b, D, c->arena);
  check_directionality(c, "discrete derivative of g_S", ns, D, b, fa, fb, 0);
  mech_discrete_bilateral(m, c->q, c->q, D, c->arena);
  la_gemm(ns, m->nu, m->nq, 1, D, c->F, 0, WF);
  mech_bilateral_directions(m, c->q, W, c->arena);
  for (int i = 0; i < ns; ++i) {
    for (int j = 0; j < m->nu; ++j) {
      WT[(long)j * ns + i] = W[(long)i * m->nu + j];
    }
  }
  mech_check_compare(c, "discrete derivative of g_S at a = b", ns * m->nu, WF, WT, 0);
  la_gemv_t(m->nu, ns, 1, W, c->u, 0, fa);
  mech_bilateral_directions(m, b, W, c->arena);
  la_gemv_t(m->nu, ns, 1, W, c->u, 0, fb);
  mech_discrete_rate(m, c->u, c->q, b, D, c->arena);
  check_directionality(c, "discrete derivative of gamma_S", ns, D, b, fa, fb, rate_size(c, W));
  check_rate_limit(c, D, WF, WT);
}

static void check_discrete_gaps(struct mech_checking *c, const double *b) {
  const struct mech *m = c->m;
  struct mech_contacts at_a, at_b;
  if (m->ops->contacts == NULL) {
    return;
  }
  mech_contacts_init(&at_a, m, c->arena);
  mech_contacts_init(&at_b, m, c->arena);
  mech_check_list(c, c->q, NULL, &at_a);
  mech_check_list(c, b, NULL, &at_b);
  if (!mech_check_same(&at_a, &at_b)) {
    return;
  }
  double *D = mech_check_doubles(c, m->nq), *DF = mech_check_doubles(c, m->nu),
         *v = mech_check_doubles(c, at_a.n * m->dim);
  double *unit = mech_check_doubles(c, m->nu), *row = mech_check_doubles(c, m->nu);
  for (int i = 0; i < at_a.n; ++i) {
    mech_discrete_gap(m, at_a.id[i], c->q, b, D, c->arena);
    check_directionality(c, "discrete derivative of g_N", 1, D, b, &at_a.gN[i], &at_b.gN[i], 0);
    mech_discrete_gap(m, at_a.id[i], c->q, c->q, D, c->arena);
    la_gemv_t(m->nq, m->nu, 1, c->F, D, 0, DF);
    for (int j = 0; j < m->nu; ++j) {
      unit[j] = 1;
      mech_contacts_velocity(&at_a, unit, v);
      unit[j] = 0;
      row[j] = v[(long)i * m->dim];
    }
    mech_check_compare(c, "discrete derivative of g_N at a = b", m->nu, DF, row, 0);
  }
}

void mech_check_discrete(struct mech_checking *c) {
  const struct mech *m = c->m;
  double *b = mech_check_doubles(c, m->nq), *D = mech_check_doubles(c, m->nq),
         *dV = mech_check_doubles(c, m->nq);
  /* A point some steps away, in no special direction. */
  const double away = 30 * mech_difference_step(m);
  for (int j = 0; j < m->nq; ++j) {
    b[j] = c->q[j] + away * cos(1.0 + 2 * j);
  }
  if (m->ops->potential != NULL) {
    const double fa = m->ops->potential(m, c->q), fb = m->ops->potential(m, b);
    mech_discrete_potential(m, c->q, b, D, c->arena);
    check_directionality(c, "discrete derivative of V", 1, D, b, &fa, &fb, 0);
    if (m->ops->potential_gradient != NULL) {
      m->ops->potential_gradient(m, c->q, dV);
      mech_discrete_potential(m, c->q, c->q, D, c->arena);
      mech_check_compare(c, "discrete derivative of V at a = b", m->nq, D, dV, 0);
    }
  }
  check_discrete_bilateral(c, b);
  check_discrete_gaps(c, b);
}
