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

static void make_dense_if_small(struct form_delassus *d, struct base_arena *arena) {
  const int dim = d->A.dim, nc = d->A.nc, n = dim * nc;
  if (n <= DENSE_SIZE) {
    double *a = base_arena_matrix(arena, n, n);
    problem_operator_dense(&d->A, a, arena);
    d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = a};
  }
}

static void build_free(struct form_delassus *d, struct base_arena *arena) {
  const struct mech *m = d->m;
  const struct mech_contacts *c = d->contacts;
  const int nv = c->nv, block = nv * c->dim;
  double *minv_w = base_arena_matrix(arena, 2 * block, c->n);
  if (c->n > 0) {
    memcpy(minv_w, c->W, 2 * (size_t)c->n * (size_t)block * sizeof *minv_w);
  }
  for (int i = 0; i < 2 * c->n; ++i) {
    if (c->body[i] >= 0) {
      la_chol_solve(nv, c->dim, d->L + (size_t)c->body[i] * (size_t)(nv * nv),
                    minv_w + (size_t)i * (size_t)block);
    }
  }
  d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                   .dim = c->dim,
                                   .nc = c->n,
                                   .nb = m->nb,
                                   .nv = nv,
                                   .body = c->body,
                                   .w = c->W,
                                   .minv_w = minv_w};
  make_dense_if_small(d, arena);
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

void form_delassus_build_rigid(const struct mech *m, const double *q, const double *mass,
                               const double *inverse, const struct mech_contacts *contacts,
                               struct base_arena *arena, struct form_delassus *out) {
  *out = (struct form_delassus){.m = m, .q = q, .mass = mass, .contacts = contacts};
  out->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_RIGID,
                                     .central = contacts->central,
                                     .pick = contacts->pick,
                                     .dim = contacts->dim,
                                     .nc = contacts->n,
                                     .nb = m->nb,
                                     .nv = m->nv,
                                     .body = contacts->body,
                                     .contact = contacts->lever,
                                     .inverse = inverse};
  make_dense_if_small(out, arena);
}

void form_mass_divide(const struct mech *m, const double *q, const double *mass, double *x,
                      struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *diagonal = NULL;
  if (mass == NULL) {
    diagonal = base_arena_doubles(arena, m->nu);
    m->ops->mass_diagonal(m, q, diagonal);
  }
  for (int i = 0; i < m->nu; ++i) {
    x[i] /= mass != NULL ? mass[i / 3] : diagonal[i];
  }
  base_arena_release(arena, mark);
}

/* M^-1 W r of the bodies that contacts touch, added to their u. */
static void respond_touched(const struct form_delassus *d, const double *r, double *u,
                            struct base_arena *arena) {
  double *f = base_arena_room(arena, (size_t)d->m->nu * sizeof *f);
  for (int k = 0; k < d->n_touched; ++k) {
    memset(f + 6L * d->touched[k], 0, 6 * sizeof *f);
  }
  mech_contacts_force(d->contacts, r, f);
  d->m->ops->turn(d->m, d->q, d->n_touched, d->touched, 1, f, f);
  for (int k = 0; k < d->n_touched; ++k) {
    const int first = 6 * d->touched[k];
    for (int i = first; i < first + 6; ++i) {
      u[i] += f[i] / d->mass[i / 3];
    }
  }
}

void form_delassus_respond(const struct form_delassus *d, const double *r, double *u,
                           struct base_arena *arena) {
  const int nu = d->m->nu;
  if (d->bilateral != NULL) {
    form_delassus_respond_constrained(d, r, u, arena);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  if (d->touched != NULL) {
    respond_touched(d, r, u, arena);
    base_arena_release(arena, mark);
    return;
  }
  double *f = base_arena_doubles(arena, nu);
  mech_contacts_force(d->contacts, r, f);
  if (d->q != NULL) {
    d->m->ops->turn(d->m, d->q, 0, NULL, 1, f, f);
    form_mass_divide(d->m, d->q, d->mass, f, arena);
  } else {
    mech_mass_solve(d->m, d->L, 1, f);
  }
  la_axpy(nu, 1, f, u);
  base_arena_release(arena, mark);
}
