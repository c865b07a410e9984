/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator with bilateral constraints; see delassus.h. A is full whatever the system
 * looks like: an impulse anywhere on a chain is felt all along it.
 *
 *   dense    X = M^-1 W less what the constraints take, A = W^T X
 *   sparse   column by column, a few at a time: unit impulses on the contact's bodies, the rates
 *            these have at their own joints, Lambda_S by sparse solves, and the velocities of those
 *            bodies alone that contacts touch. Nothing is as large as W_S, and time is linear in
 *            the number of bodies for each contact.
 */
#include "form/delassus.h"

#include <string.h>

#include "la/dense.h"

/* Columns solved for at a time: what they take, 12 numbers a constraint, is that of the factor. */
enum { COLUMNS = 12 };

/* W as a dense matrix, nu x dim n. */
static double *dense_directions(const struct mech *m, const struct mech_contacts *c,
                                struct base_arena *arena) {
  const size_t dim = (size_t)c->dim, nu = (size_t)m->nu;
  double *W = base_arena_matrix(arena, m->nu, c->dim * c->n);
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_add_columns(c, i, W + (size_t)i * dim * nu);
  }
  return W;
}

static void build_dense(struct form_delassus *d, double *a, struct base_arena *arena) {
  const struct mech_bilateral *b = d->bilateral;
  const struct mech *m = d->m;
  const int n = d->contacts->dim * d->contacts->n, nu = m->nu;
  d->X = base_arena_matrix(arena, nu, n);
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *W = dense_directions(m, d->contacts, arena);
  la_copy((long)nu * n, W, d->X);
  mech_mass_solve(m, d->L, n, d->X);
  double *rate = base_arena_matrix(arena, b->ns, n);
  la_gemm_t(b->ns, n, nu, 1, b->WS, d->X, 0, rate);
  mech_bilateral_eliminate(b, n, rate, d->X);
  la_gemm_t(n, n, nu, 1, W, d->X, 0, a);
  base_arena_release(arena, mark);
}

/* Blocks that contacts touch, and the place of each. */
struct touched {
  int n, *block; /* ascending */
  int *slot;     /* nb; -1: not touched */
};

static struct touched list_touched(const struct form_delassus *d, struct base_arena *arena) {
  const struct mech_contacts *c = d->contacts;
  struct touched t = {.slot = base_arena_ints(arena, d->m->nb),
                      .block = base_arena_ints(arena, 2 * c->n)};
  for (int k = 0; k < 2 * c->n; ++k) {
    if (c->body[k] >= 0) {
      t.slot[c->body[k]] = 1;
    }
  }
  for (int b = 0; b < d->m->nb; ++b) {
    t.slot[b] = t.slot[b] ? t.n : -1;
    if (t.slot[b] >= 0) {
      t.block[t.n++] = b;
    }
  }
  return t;
}

/* Column j of W on side k of its contact, nv; W: form_delassus_directions. */
static const double *column_of(const struct mech_contacts *c, const double *W, int j, int k) {
  const size_t side = 2 * (size_t)(j / c->dim) + (size_t)k;
  return W + (side * (size_t)c->dim + (size_t)(j % c->dim)) * (size_t)c->nv;
}

/* u: nv x n of the touched blocks = M^-1 (W e_j - W_S lambda), column j of W. */
static void touched_velocities(const struct form_delassus *d, const struct touched *t,
                               const double *W, int j, const double *lambda, double *u) {
  const struct mech_contacts *c = d->contacts;
  const int nv = c->nv, i = j / c->dim;
  for (int s = 0; s < t->n; ++s) {
    double *u_s = u + (long)s * nv;
    memset(u_s, 0, (size_t)nv * sizeof *u_s);
    mech_bilateral_force_on(d->bilateral, t->block[s], lambda, u_s);
    for (int l = 0; l < nv; ++l) {
      u_s[l] = -u_s[l];
    }
    for (int k = 0; k < 2; ++k) {
      if (c->body[2 * i + k] == t->block[s]) {
        la_axpy(nv, 1, column_of(c, W, j, k), u_s);
      }
    }
    mech_mass_solve_block(d->m, d->L, t->block[s], 1, u_s);
  }
}

/* rate: ns += W_S^T M^-1 W e_j. */
static void add_rates(const struct form_delassus *d, const double *W, int j, double *x,
                      double *rate) {
  const struct mech_contacts *c = d->contacts;
  const int nv = c->nv, i = j / c->dim;
  for (int k = 0; k < 2; ++k) {
    const int b = c->body[2 * i + k];
    if (b >= 0) {
      la_copy(nv, column_of(c, W, j, k), x);
      mech_mass_solve_block(d->m, d->L, b, 1, x);
      mech_bilateral_velocity_of(d->bilateral, b, x, rate);
    }
  }
}

/* column: n = W^T u, u that of the touched blocks. */
static void read_column(const struct form_delassus *d, const struct touched *t, const double *W,
                        const double *u, double *column) {
  const struct mech_contacts *c = d->contacts;
  const int nv = c->nv;
  for (int i = 0; i < c->n * c->dim; ++i) {
    column[i] = 0;
    for (int k = 0; k < 2; ++k) {
      const int b = c->body[2 * (i / c->dim) + k];
      if (b >= 0) {
        column[i] += la_dot(nv, column_of(c, W, i, k), u + (long)t->slot[b] * nv);
      }
    }
  }
}

static void build_sparse(struct form_delassus *d, double *a, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int n = d->contacts->dim * d->contacts->n, nv = d->m->nv;
  const size_t ns = (size_t)d->bilateral->ns;
  const struct touched t = list_touched(d, arena);
  const double *W = form_delassus_directions(d->contacts, arena);
  double *u = base_arena_matrix(arena, nv, t.n), *x = base_arena_doubles(arena, nv);
  double *rate = base_arena_push(arena, ns * COLUMNS * sizeof *rate);
  for (int first = 0; first < n; first += COLUMNS) {
    const int columns = n - first < COLUMNS ? n - first : COLUMNS;
    memset(rate, 0, ns * (size_t)columns * sizeof *rate);
    for (int k = 0; k < columns; ++k) {
      add_rates(d, W, first + k, x, rate + (size_t)k * ns);
    }
    mech_bilateral_solve(d->bilateral, columns, rate);
    for (int k = 0; k < columns; ++k) {
      touched_velocities(d, &t, W, first + k, rate + (size_t)k * ns, u);
      read_column(d, &t, W, u, a + (size_t)(first + k) * (size_t)n);
    }
  }
  base_arena_release(arena, mark);
}

void form_delassus_constrain(struct form_delassus *d, struct base_arena *arena) {
  const int n = d->contacts->dim * d->contacts->n;
  double *a = base_arena_push(arena, (size_t)n * (size_t)n * sizeof *a);
  if (d->bilateral->sparse != NULL) {
    build_sparse(d, a, arena);
  } else {
    build_dense(d, a, arena);
  }
  for (int j = 0; j < n; ++j) { /* round-off made the two triangles differ */
    for (int i = 0; i < j; ++i) {
      double *upper = a + (size_t)j * (size_t)n + (size_t)i;
      double *lower = a + (size_t)i * (size_t)n + (size_t)j;
      *upper = *lower = 0.5 * (*upper + *lower);
    }
  }
  d->A = (struct problem_operator){
      .kind = PROBLEM_OPERATOR_DENSE, .dim = d->contacts->dim, .nc = d->contacts->n, .a = a};
}

void form_delassus_respond_constrained(const struct form_delassus *d, const double *r, double *du) {
  const int nu = d->m->nu;
  if (d->X != NULL) {
    la_gemv(nu, d->contacts->dim * d->contacts->n, 1, d->X, r, 0, du);
    return;
  }
  struct base_arena *arena = d->bilateral->arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *rate = base_arena_doubles(arena, d->bilateral->ns);
  memset(du, 0, (size_t)nu * sizeof *du);
  mech_contacts_force(d->contacts, r, du);
  mech_mass_solve(d->m, d->L, 1, du);
  mech_bilateral_velocity(d->bilateral, du, rate);
  mech_bilateral_eliminate(d->bilateral, 1, rate, du);
  base_arena_release(arena, mark);
}
