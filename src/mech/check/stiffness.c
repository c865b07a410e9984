/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of mech_check that concerns how discrete derivatives change with their end point b:
 * discrete_stiffness and discrete_gap_slope against differences (fourth order, difference.h) of
 *
 *   P(b) = dt DV(a,b)^T - DgS(a,b)^T lambda - Dgamma(u,a,b)^T kappa    and    DgN(a,b),
 *
 * with multipliers in no special direction, each of the size that makes its term as large as the
 * first, and dt = 1: S is linear in all of them.
 */
#include "mech/check/check.h"

/* P: nq at b. */
static void pull_at(struct mech_checking *c, const double *b, const double *lambda,
                    const double *kappa, double *P) {
  const struct mech *m = c->m;
  const struct base_arena_mark mark = base_arena_mark(c->arena);
  double *D = mech_check_doubles(c, m->ns * m->nq);
  mech_discrete_potential(m, c->q, b, P, c->arena);
  mech_discrete_bilateral(m, c->q, b, D, c->arena);
  la_gemv_t(m->ns, m->nq, -1, D, lambda, 1, P);
  mech_discrete_rate(m, c->u, c->q, b, D, c->arena);
  la_gemv_t(m->ns, m->nq, -1, D, kappa, 1, P);
  base_arena_release(c->arena, mark);
}

/* Largest entry of what is differenced; at least 1, so that rounding is not compared. */
static double size_of(int n, const double *x) { return fmax(1, mech_largest(n, x)); }

/* S: nq x nq, dense or as the sum of its blocks; with dt = 1. */
static void stiffness_of(struct mech_checking *c, const double *lambda, const double *kappa,
                         const double *b, double *S) {
  const struct mech *m = c->m;
  const struct mech_step step = {
      .a = c->q, .b = b, .u = c->u, .dt = 1, .lambda = lambda, .kappa = kappa};
  if (m->ops->consistent.discrete_stiffness != NULL) {
    m->ops->consistent.discrete_stiffness(m, &step, S);
    return;
  }
  const int n = m->nq / m->nb;
  struct la_blocks blocks;
  la_blocks_init(&blocks, n, n, c->arena);
  m->ops->consistent.discrete_stiffness_by_body(m, &step, &blocks);
  for (int k = 0; k < blocks.n; ++k) {
    for (int l = 0; l < n * n; ++l) {
      const int i = blocks.row[k] * n + l % n, j = blocks.col[k] * n + l / n;
      S[(long)j * m->nq + i] += la_blocks_at(&blocks, k)[l];
    }
  }
}

static void check_stiffness(struct mech_checking *c, const double *b) {
  const struct mech *m = c->m;
  const int nq = m->nq, ns = m->ns;
  if (m->ops->consistent.discrete_stiffness == NULL &&
      m->ops->consistent.discrete_stiffness_by_body == NULL) {
    return;
  }
  double *S = mech_check_doubles(c, nq * nq), *expected = mech_check_doubles(c, nq * nq);
  double *lambda = mech_check_doubles(c, ns), *kappa = mech_check_doubles(c, ns);
  double *x = mech_check_doubles(c, nq), *P = mech_check_doubles(c, nq);
  const double s = mech_difference_step(m);
  mech_discrete_potential(m, c->q, b, P, c->arena);
  const double force = size_of(nq, P), speed = size_of(m->nu, c->u);
  double largest = 0;
  for (int i = 0; i < ns; ++i) {
    lambda[i] = force * cos(1.0 + 3 * i);
    kappa[i] = force / speed * sin(2.0 + i);
  }
  la_copy(nq, b, x);
  for (int j = 0; j < nq; ++j) {
    for (int k = 0; k < MECH_STENCIL; ++k) {
      x[j] = b[j] + mech_stencil_at[k] * s;
      pull_at(c, x, lambda, kappa, P);
      la_axpy(nq, mech_stencil_weight[k] / s, P, expected + (long)j * nq);
      largest = fmax(largest, mech_largest(nq, P));
    }
    x[j] = b[j];
  }
  /* rounding of P by the step, against a tolerance meant for quotients of 1e-3 */
  const double scale = largest * 1e-3 / s;
  stiffness_of(c, lambda, kappa, b, S);
  mech_check_compare(c, "change of the discrete derivatives with b", nq * nq, S, expected, scale);
}

static void check_gap_slope(struct mech_checking *c, long id, const double *b) {
  const struct mech *m = c->m;
  const int nq = m->nq;
  const struct base_arena_mark mark = base_arena_mark(c->arena);
  double *S = mech_check_doubles(c, nq * nq), *expected = mech_check_doubles(c, nq * nq);
  double *x = mech_check_doubles(c, nq), *D = mech_check_doubles(c, nq), largest = 0;
  const double s = mech_difference_step(m);
  la_copy(nq, b, x);
  for (int j = 0; j < nq; ++j) {
    for (int k = 0; k < MECH_STENCIL; ++k) {
      x[j] = b[j] + mech_stencil_at[k] * s;
      mech_discrete_gap(m, id, c->q, x, D, c->arena);
      la_axpy(nq, mech_stencil_weight[k] / s, D, expected + (long)j * nq);
      largest = fmax(largest, mech_largest(nq, D));
    }
    x[j] = b[j];
  }
  m->ops->consistent.discrete_gap_slope(m, id, c->q, b, S);
  mech_check_compare(c, "change of the discrete derivative of g_N with b", nq * nq, S, expected,
                     largest * 1e-3 / s);
  base_arena_release(c->arena, mark);
}

void mech_check_stiffness(struct mech_checking *c) {
  const struct mech *m = c->m;
  double *b = mech_check_doubles(c, m->nq); /* some steps away, in no special direction */
  for (int j = 0; j < m->nq; ++j) {
    b[j] = c->q[j] + 30 * mech_difference_step(m) * sin(1.0 + 2 * j);
  }
  check_stiffness(c, b);
  if (m->ops->consistent.discrete_gap_slope == NULL || m->ops->contacts == NULL) {
    return;
  }
  struct mech_contacts list;
  mech_contacts_init(&list, m, c->arena);
  mech_contacts_find(m, c->q, NULL, INFINITY, &list);
  for (int i = 0; i < list.n; ++i) {
    check_gap_slope(c, list.id[i], b);
  }
}
