/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator with bilateral constraints; see delassus.h. A is full whatever the system
 * looks like: an impulse anywhere on a chain is felt all along it.
 *
 *   dense    X = M^-1 W less what the constraints take, A = W^T X
 *   sparse   A = W^T M^-1 W - Z^T Z, Z = D^-1/2 L^-1 W_S^T M^-1 W by the factor of the elimination:
 *            column by column along the paths of the elimination tree, time and memory O(log n) a
 *            contact for chains and trees of n bodies. A is written out from these where its
 *            product then takes no more multiplications.
 */
#include "form/delassus.h"

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "la/dense.h"

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

/* M^-1 W of contact i: 2 blocks nv x dim, zero on the world. */
static void contact_velocities(const struct form_delassus *d, int i, double *minv_w) {
  const struct mech_contacts *c = d->contacts;
  const size_t block = (size_t)c->nv * (size_t)c->dim;
  for (int k = 0; k < 2; ++k) {
    if (c->body[2 * i + k] >= 0) {
      mech_mass_solve_block(d->m, d->L, c->body[2 * i + k], c->dim, minv_w + (size_t)k * block);
    }
  }
}

static void build_jointed(struct form_delassus *d, struct base_arena *arena) {
  const struct mech_contacts *c = d->contacts;
  const struct mech_bilateral *b = d->bilateral;
  const size_t block = (size_t)c->nv * (size_t)c->dim;
  const double *W = form_delassus_directions(c, arena);
  double *minv_w = base_arena_array(arena, 2 * (size_t)c->n, block, sizeof *minv_w);
  la_copy(2L * c->n * (long)block, W, minv_w);
  int *ptr = base_arena_ints(arena, c->n + 1);
  struct mech_bilateral_work work = mech_bilateral_work_of(b, arena);
  int *path = base_arena_ints(arena, work.n);
  for (int i = 0; i < c->n; ++i) {
    contact_velocities(d, i, minv_w + 2 * (size_t)i * block);
    const int length = mech_bilateral_path(b, c->body + 2 * i, &work, path);
    ptr[i + 1] = base_memory_int((long)ptr[i] + length);
  }
  path = base_arena_ints(arena, ptr[c->n] + work.n); /* a path has room for all rows at first */
  double *z = base_arena_matrix(arena, c->dim, ptr[c->n]);
  for (int i = 0; i < c->n; ++i) {
    int *at = path + ptr[i];
    const int length = mech_bilateral_path(b, c->body + 2 * i, &work, at);
    mech_bilateral_half(b, c->body + 2 * i, c->dim, minv_w + 2 * (size_t)i * block, length, at,
                        &work, z + (size_t)c->dim * (size_t)ptr[i]);
  }
  d->A = (struct problem_operator){.kind = PROBLEM_OPERATOR_JOINTED,
                                   .dim = c->dim,
                                   .nc = c->n,
                                   .nb = d->m->nb,
                                   .nv = d->m->nv,
                                   .body = c->body,
                                   .w = W,
                                   .minv_w = minv_w,
                                   .n_nodes = work.n,
                                   .path_ptr = ptr,
                                   .path = path,
                                   .path_z = z};
}

/* Multiplications of a product along the paths: W, M^-1 W, Z and Z^T, once each. A sweep over all
 * contacts takes as many, as one over the rows of a dense A takes n^2. Chains of 16 to 512 links,
 * every solver of ncp and ccp: where these numbers are equal so are the times, to a tenth. */
static double product_cost(const struct problem_operator *A) {
  double sides = 0;
  for (int e = 0; e < 2 * A->nc; ++e) {
    sides += A->body[e] >= 0;
  }
  return 2.0 * A->dim * (A->nv * sides + A->path_ptr[A->nc]);
}

/* Of a configuration that is not finite. */
static void fill_with_nan(double *a, size_t size) {
  for (size_t k = 0; k < size; ++k) {
    a[k] = NAN;
  }
}

/* Round-off made the two triangles differ; a: n x n. */
static void symmetrise(int n, double *a) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) {
      double *upper = a + (size_t)j * (size_t)n + (size_t)i;
      double *lower = a + (size_t)i * (size_t)n + (size_t)j;
      *upper = *lower = 0.5 * (*upper + *lower);
    }
  }
}

void form_delassus_constrain(struct form_delassus *d, struct base_arena *arena) {
  const struct mech_bilateral *b = d->bilateral;
  const int n = d->contacts->dim * d->contacts->n, is_jointed = b->sparse != NULL && b->rank >= 0;
  if (is_jointed) {
    build_jointed(d, arena);
    if (product_cost(&d->A) < (double)n * n) {
      return;
    }
  }
  double *a = base_arena_matrix(arena, n, n);
  if (is_jointed) {
    problem_operator_dense(&d->A, a, arena);
  } else if (b->sparse == NULL) {
    build_dense(d, a, arena);
  } else {
    fill_with_nan(a, (size_t)n * (size_t)n);
  }
  symmetrise(n, a);
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
