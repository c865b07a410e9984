/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator A = W^T M^-1 W (moeller 5.121) in its three forms: product, diagonal
 * blocks, dense matrix, block-sparse rows, lack of symmetry.
 *
 * BODIES: contact i acts on body k through W_ik (nv x dim), so that
 *   v_i = sum_k W_ik^T u_k,   u_k = sum_j M_k^-1 W_jk r_j,
 *   A_ij = sum over shared bodies k of W_ik^T M_k^-1 W_jk.
 * The product costs O(nc); blocks are formed only between contacts that share a body. A contact
 * with the same body on both sides is legal and handled by the same sums. Of rigid bodies by their
 * geometry see rigid.h; pairs of contacts are formed by way of W.
 */
#include "problem/problem.h"

#include "base/memory/memory.h"
#include "la/dense.h"

#include "problem/rigid.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

static size_t block_size(const struct problem_operator *A) {
  return (size_t)A->nv * (size_t)A->dim;
}

/* W of contact i on its body of side 0 or 1; nv x dim column-major */
static const double *side_w(const struct problem_operator *A, int i, int side) {
  return A->w + (size_t)(2 * i + side) * block_size(A);
}

static const double *side_minv_w(const struct problem_operator *A, int i, int side) {
  return A->minv_w + (size_t)(2 * i + side) * block_size(A);
}

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
        const double *minv_w = side_minv_w(A, i, side);
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
        const double *w = side_w(A, i, side);
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
  }
  return (struct problem_product){.A = A, .r = r, .u = u};
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
  }
}

void problem_operator_apply(const struct problem_operator *A, const double *r, double *v,
                            struct base_arena *arena) {
  if (A->kind == PROBLEM_OPERATOR_DENSE) { /* at once, without a copy */
    const int n = A->dim * A->nc;
    if (n > 0) {
      la_gemv(n, n, 1.0, A->a, r, 0.0, v);
    }
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

/* block += W_i^T M^-1 W_j on one body; block: dim x dim row-major */
static void add_product(const struct problem_operator *A, const double *w_i, const double *minv_w_j,
                        double *block) {
  const int dim = A->dim, nv = A->nv;
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      double sum = 0;
      for (int m = 0; m < nv; ++m) {
        sum += w_i[k * nv + m] * minv_w_j[l * nv + m];
      }
      block[k * dim + l] += sum;
    }
  }
}

static void diagonal_bodies(const struct problem_operator *A, int i, double *block) {
  for (int s = 0; s < 2; ++s) {
    for (int t = 0; t < 2; ++t) {
      const int k = A->body[2 * i + s];
      if (k >= 0 && k == A->body[2 * i + t]) {
        add_product(A, side_w(A, i, s), side_minv_w(A, i, t), block);
      }
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
      diagonal_bodies(A, i, block);
    }
    tidy_block(dim, block);
    break;
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

/* Contacts of each body: list[start[k] ... start[k + 1]) holds 2 i + side, ascending. */
struct adjacency {
  int *start; /* nb + 1 */
  int *list;
};

static struct adjacency adjacency_build(const struct problem_operator *A,
                                        struct base_arena *arena) {
  struct adjacency adjacency = {.start = base_arena_ints(arena, A->nb + 2),
                                .list = base_arena_array(arena, 2, (size_t)A->nc, sizeof(int))};
  int *start = adjacency.start;
  for (int e = 0; e < 2 * A->nc; ++e) {
    if (A->body[e] >= 0) {
      assert(A->body[e] < A->nb);
      ++start[A->body[e] + 2];
    }
  }
  for (int k = 1; k <= A->nb; ++k) {
    start[k + 1] += start[k];
  }
  for (int e = 0; e < 2 * A->nc; ++e) {
    if (A->body[e] >= 0) {
      adjacency.list[start[A->body[e] + 1]++] = e; /* start is shifted by one until done */
    }
  }
  return adjacency;
}

/* Columns of row i, ascending and without repeats, into cols; seen: nc, holds i + 1 where counted.
 */
static int row_columns(const struct problem_operator *A, const struct adjacency *adjacency, int i,
                       int *seen, int *cols) {
  int count = 0;
  for (int side = 0; side < 2; ++side) {
    const int k = A->body[2 * i + side];
    if (k < 0) {
      continue;
    }
    for (int e = adjacency->start[k]; e < adjacency->start[k + 1]; ++e) {
      const int j = adjacency->list[e] / 2;
      if (seen[j] != i + 1) {
        seen[j] = i + 1;
        int at = count++;
        for (; at > 0 && cols[at - 1] > j; --at) { /* two ascending runs: a short merge */
          cols[at] = cols[at - 1];
        }
        cols[at] = j;
      }
    }
  }
  return count;
}

static void row_blocks(const struct problem_operator *A, int i, int count, const int *cols,
                       double *blocks) {
  const size_t size = (size_t)A->dim * (size_t)A->dim;
  for (int e = 0; e < count; ++e) {
    const int j = cols[e];
    for (int s = 0; s < 2; ++s) {
      for (int t = 0; t < 2; ++t) {
        const int k = A->body[2 * i + s];
        if (k >= 0 && k == A->body[2 * j + t]) {
          add_product(A, side_w(A, i, s), side_minv_w(A, j, t), blocks + (size_t)e * size);
        }
      }
    }
  }
}

static void blocks_from_bodies(const struct problem_operator *A, struct problem_operator *out,
                               struct base_arena *arena) {
  const int nc = A->nc;
  int *row_ptr = base_arena_ints(arena, nc + 1);
  const struct adjacency adjacency = adjacency_build(A, arena);
  int *seen = base_arena_ints(arena, nc), *cols = base_arena_ints(arena, nc);
  for (int i = 0; i < nc; ++i) {
    row_ptr[i + 1] = base_memory_int((long)row_ptr[i] + row_columns(A, &adjacency, i, seen, cols));
  }
  memset(seen, 0, (size_t)nc * sizeof *seen);
  int *col = base_arena_ints(arena, row_ptr[nc]);
  const int size = A->dim * A->dim;
  double *blocks = base_arena_matrix(arena, row_ptr[nc], size);
  for (int i = 0; i < nc; ++i) {
    const int count = row_columns(A, &adjacency, i, seen, col + row_ptr[i]);
    row_blocks(A, i, count, col + row_ptr[i], blocks + (size_t)row_ptr[i] * (size_t)size);
  }
  out->row_ptr = row_ptr;
  out->col = col;
  out->blocks = blocks;
}

/* Block (i, j) of a dense matrix, row-major; 0 when it holds nothing but zeros. */
static int dense_block(const struct problem_operator *A, int i, int j, double *block) {
  const int dim = A->dim;
  const size_t n = (size_t)dim * (size_t)A->nc;
  int any = 0;
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      block[k * dim + l] = A->a[(size_t)(dim * i + k) + (size_t)(dim * j + l) * n];
      any |= block[k * dim + l] != 0;
    }
  }
  return any;
}

static void blocks_from_dense(const struct problem_operator *A, struct problem_operator *out,
                              struct base_arena *arena) {
  const int nc = A->nc, size = A->dim * A->dim;
  double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
  int *row_ptr = base_arena_ints(arena, nc + 1);
  for (int i = 0; i < nc; ++i) {
    long end = row_ptr[i];
    for (int j = 0; j < nc; ++j) {
      end += dense_block(A, i, j, block);
    }
    row_ptr[i + 1] = base_memory_int(end);
  }
  int *col = base_arena_ints(arena, row_ptr[nc]);
  double *blocks = base_arena_matrix(arena, row_ptr[nc], size);
  for (int i = 0, e = 0; i < nc; ++i) {
    for (int j = 0; j < nc; ++j) {
      if (dense_block(A, i, j, block)) {
        col[e] = j;
        memcpy(blocks + (size_t)e * (size_t)size, block, (size_t)size * sizeof *blocks);
        ++e;
      }
    }
  }
  out->row_ptr = row_ptr;
  out->col = col;
  out->blocks = blocks;
}

void problem_operator_to_blocks(const struct problem_operator *A, struct problem_operator *blocks,
                                struct base_arena *arena) {
  struct problem_operator out = {.kind = PROBLEM_OPERATOR_BLOCKS, .dim = A->dim, .nc = A->nc};
  switch (A->kind) {
  case PROBLEM_OPERATOR_DENSE:
    blocks_from_dense(A, &out, arena);
    break;
  case PROBLEM_OPERATOR_BLOCKS:
    out = *A;
    out.diagonal = NULL; /* of a copy that others may change */
    break;
  case PROBLEM_OPERATOR_BODIES: {
    struct problem_operator bodies = *A;
    if (problem_is_rigid(A)) {
      problem_rigid_write_out(A, &bodies, arena);
    }
    blocks_from_bodies(&bodies, &out, arena);
    break;
  }
  }
  *blocks = out;
}

void problem_operator_dense(const struct problem_operator *A, double *a, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = A->dim;
  const size_t n = (size_t)dim * (size_t)A->nc;
  if (A->kind == PROBLEM_OPERATOR_DENSE) {
    memcpy(a, A->a, n * n * sizeof *a);
    return;
  }
  struct problem_operator blocks;
  problem_operator_to_blocks(A, &blocks, arena);
  memset(a, 0, n * n * sizeof *a);
  for (int i = 0; i < A->nc; ++i) {
    for (int e = blocks.row_ptr[i]; e < blocks.row_ptr[i + 1]; ++e) {
      const double *block = blocks.blocks + (size_t)e * (size_t)(dim * dim);
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          a[(size_t)(dim * i + k) + (size_t)(dim * blocks.col[e] + l) * n] = block[k * dim + l];
        }
      }
    }
  }
  base_arena_release(arena, mark);
}

/* Entry of column j in row i, or -1; columns ascend. */
static int find_block(const struct problem_operator *A, int i, int j) {
  int lo = A->row_ptr[i], hi = A->row_ptr[i + 1];
  while (lo < hi) {
    const int middle = lo + (hi - lo) / 2;
    if (A->col[middle] < j) {
      lo = middle + 1;
    } else {
      hi = middle;
    }
  }
  return lo < A->row_ptr[i + 1] && A->col[lo] == j ? lo : -1;
}

static double asymmetry_blocks(const struct problem_operator *A) {
  const int dim = A->dim, size = dim * dim;
  double largest = 0, difference = 0;
  for (int i = 0; i < A->nc; ++i) {
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      const double *block = A->blocks + (size_t)e * (size_t)size;
      const int other = find_block(A, A->col[e], i);
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          const double x = block[k * dim + l];
          const double y =
              other >= 0 ? A->blocks[(size_t)other * (size_t)size + (size_t)(l * dim + k)] : 0;
          largest = fmax(largest, fabs(x));
          difference = fmax(difference, fabs(x - y));
        }
      }
    }
  }
  return largest > 0 ? difference / largest : 0;
}

double problem_operator_asymmetry(const struct problem_operator *A, struct base_arena *arena) {
  (void)arena;
  if (A->kind == PROBLEM_OPERATOR_BODIES) {
    return 0;
  }
  if (A->kind == PROBLEM_OPERATOR_BLOCKS) {
    return asymmetry_blocks(A);
  }
  const size_t n = (size_t)A->dim * (size_t)A->nc;
  double largest = 0, difference = 0;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = 0; i < n; ++i) {
      largest = fmax(largest, fabs(A->a[i + j * n]));
      difference = fmax(difference, fabs(A->a[i + j * n] - A->a[j + i * n]));
    }
  }
  return largest > 0 ? difference / largest : 0;
}
