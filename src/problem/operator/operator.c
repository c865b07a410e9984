/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator A = W^T M^-1 W (moeller 5.121) in its forms: product and diagonal blocks.
 * One form from another: forms.c.
 *
 * BODIES: contact i acts on body k through W_ik (nv x dim), so that
 *   v_i = sum_k W_ik^T u_k,   u_k = sum_j M_k^-1 W_jk r_j,
 *   A_ij = sum over shared bodies k of W_ik^T M_k^-1 W_jk.
 * The product costs O(nc); blocks are formed only between contacts that share a body. A contact
 * with the same body on both sides is legal and handled by the same sums. Of rigid bodies by their
 * geometry see rigid.h; pairs of contacts are formed by way of W.
 *
 * JOINTED: with the factor W_S^T M^-1 W_S = L D L^T (rows and columns in the order of elimination)
 *   A = W^T M^-1 W - Z^T Z,   Z = D^-1/2 L^-1 W_S^T M^-1 W,
 * where column i of Z has entries on the way from the joints of the contact's bodies to the root of
 * the elimination tree alone: what a joint far off knows of the contact, it knows by the nodes that
 * both ways have in common. Products, rows and diagonal blocks cost the length of these ways.
 */
#include "problem/problem.h"

#include "base/memory/memory.h"
#include "la/dense.h"

#include "problem/operator/operator.h"
#include "problem/operator/rigid.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static void rows_of_blocks(const struct problem_operator *A, const double *restrict r, int first,
                           int count, double *restrict v) {
  const int dim = A->dim, size = dim * dim;
  for (int i = first; i < first + count; ++i) {
    double sum[CONTACT_DIM_MAX] = {0};
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      const double *block = A->blocks + (size_t)e * (size_t)size;
      const double *r_j = r + (size_t)dim * (size_t)A->col[e];
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          sum[k] += block[k * dim + l] * r_j[l];
        }
      }
    }
    memcpy(v + (size_t)dim * (size_t)(i - first), sum, (size_t)dim * sizeof *v);
  }
}

/* u: nv x nb, zeroed before, += M^-1 W r. */
static void add_velocities(const struct problem_operator *A, const double *restrict r,
                           double *restrict u) {
  const int dim = A->dim, nv = A->nv;
  for (int i = 0; i < A->nc; ++i) {
    for (int side = 0; side < 2; ++side) {
      const int k = A->body[2 * i + side];
      if (k >= 0) {
        const double *minv_w = operator_minv_w(A, i, side);
        double *u_k = u + (size_t)nv * (size_t)k;
        for (int c = 0; c < dim; ++c) {
          const double r_c = r[(size_t)dim * (size_t)i + (size_t)c];
          for (int l = 0; l < nv; ++l) {
            u_k[l] += minv_w[c * nv + l] * r_c;
          }
        }
      }
    }
  }
}

static void rows_of_bodies(const struct problem_operator *A, const double *restrict u, int first,
                           int count, double *restrict v) {
  const int dim = A->dim, nv = A->nv;
  for (int i = first; i < first + count; ++i) {
    double sum[CONTACT_DIM_MAX] = {0};
    for (int side = 0; side < 2; ++side) {
      const int k = A->body[2 * i + side];
      if (k >= 0) {
        const double *w = operator_w(A, i, side);
        const double *u_k = u + (size_t)nv * (size_t)k;
        for (int c = 0; c < dim; ++c) {
          for (int l = 0; l < nv; ++l) {
            sum[c] += w[c * nv + l] * u_k[l];
          }
        }
      }
    }
    memcpy(v + (size_t)dim * (size_t)(i - first), sum, (size_t)dim * sizeof *v);
  }
}

/* z: n_nodes, zeroed before, += Z r. */
static void add_nodes(const struct problem_operator *A, const double *restrict r,
                      double *restrict z) {
  const int dim = A->dim;
  for (int i = 0; i < A->nc; ++i) {
    for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
      for (int c = 0; c < dim; ++c) {
        z[A->path[e]] +=
            A->path_z[(size_t)dim * (size_t)e + (size_t)c] * r[(size_t)dim * (size_t)i + (size_t)c];
      }
    }
  }
}

/* v -= Z^T z. */
static void take_nodes(const struct problem_operator *A, const double *restrict z, int first,
                       int count, double *restrict v) {
  const int dim = A->dim;
  for (int i = first; i < first + count; ++i) {
    for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
      for (int c = 0; c < dim; ++c) {
        v[dim * (i - first) + c] -= A->path_z[(size_t)dim * (size_t)e + (size_t)c] * z[A->path[e]];
      }
    }
  }
}

struct problem_product problem_product_of(const struct problem_operator *A, const double *r,
                                          struct base_arena *arena) {
  const int n = A->dim * A->nc;
  double *u = NULL;
  switch (A->kind) {
  case PROBLEM_OPERATOR_DENSE:
    u = base_arena_doubles(arena, n);
    if (n > 0) {
      la_gemv(n, n, 1.0, A->a, r, 0.0, u);
    }
    break;
  case PROBLEM_OPERATOR_BLOCKS:
    break;
  case PROBLEM_OPERATOR_BODIES:
    u = base_arena_matrix(arena, A->nv, A->nb);
    if (problem_is_rigid(A)) {
      problem_rigid_velocities(A, r, u);
    } else {
      add_velocities(A, r, u);
    }
    break;
  case PROBLEM_OPERATOR_JOINTED:
    u = base_arena_array(arena, (size_t)A->nv * (size_t)A->nb + (size_t)A->n_nodes, 1, sizeof *u);
    add_velocities(A, r, u);
    add_nodes(A, r, u + (size_t)A->nv * (size_t)A->nb);
    break;
  }
  return (struct problem_product){.A = A, .r = r, .u = u};
}

/* v += R r */
static void add_compliance(const struct problem_operator *A, const double *r, int first, int count,
                           double *v) {
  const size_t at = (size_t)A->dim * (size_t)first, n = (size_t)A->dim * (size_t)count;
  for (size_t k = 0; A->compliance != NULL && k < n; ++k) {
    v[k] += A->compliance[at + k] * r[at + k];
  }
}

void problem_product_rows(const struct problem_product *product, int first, int count, double *v) {
  const struct problem_operator *A = product->A;
  const size_t dim = (size_t)A->dim;
  switch (A->kind) {
  case PROBLEM_OPERATOR_DENSE:
    memcpy(v, product->u + dim * (size_t)first, dim * (size_t)count * sizeof *v);
    break;
  case PROBLEM_OPERATOR_BLOCKS:
    rows_of_blocks(A, product->r, first, count, v);
    break;
  case PROBLEM_OPERATOR_BODIES:
    if (problem_is_rigid(A)) {
      problem_rigid_rows(A, product->u, first, count, v);
    } else {
      rows_of_bodies(A, product->u, first, count, v);
    }
    break;
  case PROBLEM_OPERATOR_JOINTED:
    rows_of_bodies(A, product->u, first, count, v);
    take_nodes(A, product->u + (size_t)A->nv * (size_t)A->nb, first, count, v);
    break;
  }
  add_compliance(A, product->r, first, count, v);
}

void problem_operator_apply(const struct problem_operator *A, const double *r, double *v,
                            struct base_arena *arena) {
  if (A->kind == PROBLEM_OPERATOR_DENSE) { /* at once, without a copy */
    const int n = A->dim * A->nc;
    if (n > 0) {
      la_gemv(n, n, 1.0, A->a, r, 0.0, v);
    }
    add_compliance(A, r, 0, A->nc, v);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct problem_product product = problem_product_of(A, r, arena);
  problem_product_rows(&product, 0, A->nc, v);
  base_arena_release(arena, mark);
}

void problem_velocity(const struct problem *p, const double *r, double *v,
                      struct base_arena *arena) {
  problem_operator_apply(&p->A, r, v, arena);
  const int n = problem_size(p);
  for (int i = 0; i < n; ++i) {
    v[i] += p->b[i];
  }
}

void problem_slip(const struct problem *p, const double *r, double *v, double *speed,
                  struct base_arena *arena) {
  const int dim = p->model.dim;
  problem_velocity(p, r, v, arena);
  for (int i = 0; i < p->model.nc; ++i) {
    speed[i] = la_norm2(dim - 1, v + (long)dim * i + 1);
  }
}

/* block -= Z_i^T Z_i. */
static void take_joints(const struct problem_operator *A, int i, double *block) {
  const int dim = A->dim;
  for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
    const double *z = A->path_z + (size_t)dim * (size_t)e;
    for (int k = 0; k < dim * dim; ++k) {
      block[k] -= z[k / dim] * z[k % dim];
    }
  }
}

/* Roundings of one entry of A_ii: a few dozen products of unit vectors, arms and inertias. */
static const double ENTRY_ROUND_OFF = 64 * DBL_EPSILON;

/* Symmetric, round-off of zero away, tangential entries that differ by round-off equal. */
static void tidy_block(int dim, double *block) {
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < k; ++l) {
      const double x = 0.5 * (block[k * dim + l] + block[l * dim + k]);
      const double size2 = block[k * dim + k] * block[l * dim + l];
      const int is_zero = x * x <= ENTRY_ROUND_OFF * ENTRY_ROUND_OFF * size2;
      block[k * dim + l] = block[l * dim + k] = is_zero ? 0 : x;
    }
  }
  if (dim == 3 && fabs(block[4] - block[8]) <= ENTRY_ROUND_OFF * block[4]) {
    block[4] = block[8] = 0.5 * (block[4] + block[8]);
  }
}

void problem_operator_block(const struct problem_operator *A, int i, double *block) {
  const int dim = A->dim, size = dim * dim;
  const size_t n = (size_t)dim * (size_t)A->nc;
  if (A->diagonal != NULL) {
    memcpy(block, A->diagonal + (size_t)i * (size_t)size, (size_t)size * sizeof *block);
    return;
  }
  memset(block, 0, (size_t)size * sizeof *block);
  switch (A->kind) {
  case PROBLEM_OPERATOR_DENSE:
    for (int k = 0; k < dim; ++k) {
      for (int l = 0; l < dim; ++l) {
        block[k * dim + l] = A->a[(size_t)(dim * i + k) + (size_t)(dim * i + l) * n];
      }
    }
    break;
  case PROBLEM_OPERATOR_BLOCKS:
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      if (A->col[e] == i) {
        memcpy(block, A->blocks + (size_t)e * (size_t)size, (size_t)size * sizeof *block);
      }
    }
    break;
  case PROBLEM_OPERATOR_BODIES:
    if (problem_is_rigid(A)) {
      problem_rigid_block(A, i, block);
    } else {
      operator_add_shared(A, i, i, block);
    }
    tidy_block(dim, block);
    break;
  case PROBLEM_OPERATOR_JOINTED:
    operator_add_shared(A, i, i, block);
    take_joints(A, i, block);
    tidy_block(dim, block);
    break;
  }
  for (int k = 0; A->compliance != NULL && k < dim; ++k) {
    block[k * dim + k] += A->compliance[(size_t)dim * (size_t)i + (size_t)k];
  }
}

void problem_operator_diagonal(const struct problem_operator *A, double *diag) {
  const size_t size = (size_t)A->dim * (size_t)A->dim;
  for (int i = 0; i < A->nc; ++i) {
    problem_operator_block(A, i, diag + (size_t)i * size);
  }
}

const double *problem_operator_diagonal_of(const struct problem_operator *A,
                                           struct base_arena *arena) {
  if (A->diagonal != NULL) {
    return A->diagonal;
  }
  double *diag = base_arena_matrix(arena, A->dim * A->dim, A->nc);
  problem_operator_diagonal(A, diag);
  return diag;
}
