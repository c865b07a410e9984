/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator of a configuration; see delassus.h.
 *
 * Without bilateral constraints A couples only contacts of a common body, and W^T M^-1 W is kept by
 * bodies; few contacts get a dense A, which direct solvers need and which is faster to sweep. With
 * constraints: delassus_joints.c.
 */
#include "form/delassus.h"

#include <string.h>

#include "la/dense.h"

/* Components (dim x contacts) up to which A is formed: beyond, sweeps over the dense rows cost more
 * than products by bodies, and the memory (0.5 MB here) leaves the cache. */
enum { DENSE_SIZE = 256 };

void form_delassus_make_dense_if_small(struct problem_operator *A, struct base_arena *arena) {
  const int dim = A->dim, nc = A->nc, n = dim * nc;
  if (n <= DENSE_SIZE) {
    double *a = base_arena_matrix(arena, n, n);
    problem_operator_dense(A, a, arena);
    *A = (struct problem_operator){.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = a};
  }
}

const double *form_delassus_directions(const struct mech_contacts *c, struct base_arena *arena) {
  if (c->W != NULL || c->n == 0) {
    return c->W;
  }
  const size_t block = (size_t)c->nv * (size_t)c->dim;
  double *W = base_arena_array(arena, 2 * (size_t)c->n, block, sizeof *W);
  for (int e = 0; e < 2 * c->n; ++e) {
    mech_contacts_directions(c, e / 2, e % 2, W + (size_t)e * block);
  }
  return W;
}

/* W and M^-1 W as they stand. */
static void build_by_directions(struct form_delassus *d, struct base_arena *arena) {
  const struct mech_contacts *c = d->contacts;
  const size_t block = (size_t)c->nv * (size_t)c->dim, size = 2 * (size_t)c->n * block;
  const double *W = form_delassus_directions(c, arena);
  double *minv_w = base_arena_array(arena, 2 * (size_t)c->n, block, sizeof *minv_w);
  if (c->n > 0) {
    memcpy(minv_w, W, size * sizeof *minv_w);
  }
  for (size_t e = 0; e < 2 * (size_t)c->n; ++e) {
    if (c->body[e] >= 0) {
      mech_mass_solve_block(d->m, d->L, c->body[e], c->dim, minv_w + e * block);
    }
  }
  d->A.w = W;
  d->A.minv_w = minv_w;
}

static void build_free(struct form_delassus *d, struct base_arena *arena) {
  d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                   .dim = d->contacts->dim,
                                   .nc = d->contacts->n,
                                   .nb = d->m->nb,
                                   .nv = d->m->nv,
                                   .body = d->contacts->body};
  if (d->contacts->rigid && d->m->diagonal_mass) {
    d->A.frame = d->contacts->frame;
    d->A.arm = d->contacts->arm;
    d->A.turn = d->contacts->turn;
    d->A.mass = d->L;
  } else {
    build_by_directions(d, arena);
  }
  form_delassus_make_dense_if_small(&d->A, arena);
}

void form_delassus_build(const struct mech *m, const double *L, const struct mech_bilateral *b,
                         const struct mech_contacts *contacts, struct base_arena *arena,
                         struct form_delassus *out) {
  *out = (struct form_delassus){.m = m, .L = L, .contacts = contacts};
  if (b != NULL && b->ns > 0) {
    out->bilateral = b;
    form_delassus_constrain(out, arena);
  } else {
    build_free(out, arena);
  }
}

double form_delassus_alone(const struct mech *m, const double *L, const struct mech_contacts *c,
                           int i, int count, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *W = base_arena_matrix(arena, c->nv, c->dim), *x = base_arena_doubles(arena, c->nv);
  double sum = 0;
  for (int k = 0; k < 2; ++k) {
    if (c->body[2 * i + k] >= 0) {
      mech_contacts_directions(c, i, k, W);
      memset(x, 0, (size_t)c->nv * sizeof *x);
      la_copy(count, W, x);
      mech_mass_solve_block(m, L, c->body[2 * i + k], 1, x);
      sum += la_dot(count, W, x);
    }
  }
  base_arena_release(arena, mark);
  return sum;
}

void form_delassus_respond(const struct form_delassus *d, const double *r, double *du) {
  const int nu = d->m->nu;
  if (d->bilateral != NULL) {
    form_delassus_respond_constrained(d, r, du);
    return;
  }
  memset(du, 0, (size_t)nu * sizeof *du);
  mech_contacts_force(d->contacts, r, du);
  mech_mass_solve(d->m, d->L, 1, du);
}
