/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator of a configuration; see delassus.h.
 *
 * Without bilateral constraints A couples only contacts of a common body, and W^T M^-1 W is kept by
 * bodies; few contacts get a dense A, which direct solvers need and which is faster to sweep. With
 * constraints A is full whatever the system looks like: dense always.
 *
 * G_SS is scaled to a unit diagonal before its rank is decided, so that the decision does not
 * depend on the units of the constraints (a length beside an angle).
 */
#include "form/delassus.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

/* Components (dim x contacts) up to which A is formed: beyond, sweeps over the dense rows cost more
 * than products by bodies, and the memory (0.5 MB here) leaves the cache. */
enum { DENSE_SIZE = 256 };

/* A pivot of the scaled G_SS (unit diagonal) below this is a dependent constraint: entries carry
 * round-off of about nu eps = 1e-14, real constraints of engineering systems lie far above. */
static const double RANK_TOLERANCE = 1e-11;

void form_bilateral_build(const struct mech *m, const double *q, const double *L,
                          struct base_arena *arena, struct form_bilateral *out) {
  const int ns = m->ns, nu = m->nu;
  *out = (struct form_bilateral){.ns = ns};
  if (ns == 0) {
    return;
  }
  out->WS = base_arena_doubles(arena, nu * ns);
  out->MWS = base_arena_doubles(arena, nu * ns);
  out->factor = base_arena_doubles(arena, ns * ns);
  out->scale = base_arena_doubles(arena, ns);
  out->perm = base_arena_ints(arena, ns);
  m->ops->bilateral_directions(m, q, out->WS);
  la_copy(nu * ns, out->WS, out->MWS);
  mech_mass_solve(m, L, ns, out->MWS);
  la_gemm_t(ns, ns, nu, 1, out->WS, out->MWS, 0, out->factor);
  for (int i = 0; i < ns; ++i) {
    const double g = out->factor[(size_t)i * (size_t)ns + (size_t)i];
    out->scale[i] = g > 0 ? 1 / sqrt(g) : 0;
  }
  for (int j = 0; j < ns; ++j) {
    for (int i = 0; i < ns; ++i) {
      out->factor[(size_t)j * (size_t)ns + (size_t)i] *= out->scale[i] * out->scale[j];
    }
  }
  out->rank = la_pchol_factor(ns, out->factor, out->perm, RANK_TOLERANCE);
}

static void scale_rows(const struct form_bilateral *b, int nrhs, double *x) {
  for (int k = 0; k < nrhs; ++k) {
    for (int i = 0; i < b->ns; ++i) {
      x[(size_t)k * (size_t)b->ns + (size_t)i] *= b->scale[i];
    }
  }
}

void form_bilateral_eliminate(const struct form_bilateral *b, int nu, int nrhs, double *rate,
                              double *X, struct base_arena *arena) {
  if (b->ns == 0 || nrhs == 0) {
    return;
  }
  scale_rows(b, nrhs, rate);
  la_pchol_solve(b->ns, b->rank, nrhs, b->factor, b->perm, rate, arena);
  scale_rows(b, nrhs, rate);
  la_gemm(nu, nrhs, b->ns, -1, b->MWS, rate, 1, X);
}

/* W as a dense matrix, nu x dim n. */
static double *dense_directions(const struct mech *m, const struct mech_contacts *c,
                                struct base_arena *arena) {
  const size_t columns = (size_t)m->nu * (size_t)c->dim;
  double *W = base_arena_push(arena, columns * (size_t)c->n * sizeof *W);
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_add_columns(c, i, W + (size_t)i * columns);
  }
  return W;
}

static void build_constrained(struct form_delassus *d, const struct form_bilateral *b,
                              struct base_arena *arena) {
  const struct mech *m = d->m;
  const int n = d->contacts->dim * d->contacts->n, nu = m->nu;
  double *a = base_arena_doubles(arena, n * n);
  d->X = base_arena_doubles(arena, nu * n);
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *W = dense_directions(m, d->contacts, arena);
  la_copy(nu * n, W, d->X);
  mech_mass_solve(m, d->L, n, d->X);
  double *rate = base_arena_doubles(arena, b->ns * n);
  la_gemm_t(b->ns, n, nu, 1, b->WS, d->X, 0, rate);
  form_bilateral_eliminate(b, nu, n, rate, d->X, arena);
  la_gemm_t(n, n, nu, 1, W, d->X, 0, a);
  base_arena_release(arena, mark);
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

static void make_dense_if_small(struct form_delassus *d, struct base_arena *arena) {
  const int dim = d->A.dim, nc = d->A.nc, n = dim * nc;
  if (n <= DENSE_SIZE) {
    double *a = base_arena_doubles(arena, n * n);
    problem_operator_dense(&d->A, a, arena);
    d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = a};
  }
}

/* W and M^-1 W as they stand. */
static void build_by_directions(struct form_delassus *d, struct base_arena *arena) {
  const struct mech_contacts *c = d->contacts;
  const size_t block = (size_t)c->nv * (size_t)c->dim, size = 2 * (size_t)c->n * block;
  double *minv_w = base_arena_room(arena, size * sizeof *minv_w);
  if (c->n > 0) {
    memcpy(minv_w, c->W, size * sizeof *minv_w);
  }
  for (size_t e = 0; e < 2 * (size_t)c->n; ++e) {
    if (c->body[e] >= 0) {
      mech_mass_solve_block(d->m, d->L, c->body[e], c->dim, minv_w + e * block);
    }
  }
  d->A.w = c->W;
  d->A.minv_w = minv_w;
}

static void build_free(struct form_delassus *d, struct base_arena *arena) {
  d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_BODIES,
                                   .dim = d->contacts->dim,
                                   .nc = d->contacts->n,
                                   .nb = d->m->nb,
                                   .nv = d->m->nv,
                                   .body = d->contacts->body};
  if (d->contacts->rigid) {
    d->A.frame = d->contacts->frame;
    d->A.arm = d->contacts->arm;
    d->A.turn = d->contacts->turn;
    d->A.mass = d->L;
  } else {
    build_by_directions(d, arena);
  }
  make_dense_if_small(d, arena);
}

void form_delassus_build(const struct mech *m, const double *L, const struct form_bilateral *b,
                         const struct mech_contacts *contacts, struct base_arena *arena,
                         struct form_delassus *out) {
  *out = (struct form_delassus){.m = m, .L = L, .contacts = contacts};
  if (b->ns > 0) {
    build_constrained(out, b, arena);
  } else {
    build_free(out, arena);
  }
}

void form_delassus_respond(const struct form_delassus *d, const double *r, double *du) {
  const int nu = d->m->nu;
  if (d->X != NULL) {
    la_gemv(nu, d->contacts->dim * d->contacts->n, 1, d->X, r, 0, du);
    return;
  }
  memset(du, 0, (size_t)nu * sizeof *du);
  mech_contacts_force(d->contacts, r, du);
  mech_mass_solve(d->m, d->L, 1, du);
}
