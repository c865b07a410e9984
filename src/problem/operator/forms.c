/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The Delassus operator in other forms: block-sparse rows, a dense matrix; and its lack of
 * symmetry.
 */
#include "problem/problem.h"

#include "base/memory/memory.h"
#include "base/sort.h"

#include "problem/operator/operator.h"
#include "problem/operator/rigid.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Contacts of each body: list[start[k] ... start[k + 1]) holds 2 i + side, ascending. */
struct adjacency {
  int *start; /* nb + 1 */
  int *list;
};

static struct adjacency adjacency_build(const struct problem_operator *A,
                                        struct base_arena *arena) {
  struct adjacency adjacency = {.start = base_arena_ints(arena, A->nb + 2),
                                .list = base_arena_array(arena, 2, (size_t)A->nc, sizeof(int))};
  base_group(2 * A->nc, A->body, A->nb, adjacency.start, adjacency.list);
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
    for (int e = row_ptr[i]; e < row_ptr[i] + count; ++e) {
      operator_add_shared(A, i, col[e], blocks + (size_t)e * (size_t)size);
    }
  }
  out->row_ptr = row_ptr;
  out->col = col;
  out->blocks = blocks;
}

/* block -= z_i^T Z_j; z_i: dim x n_nodes, written out. */
static void take_common(const struct problem_operator *A, const double *z_i, int j, double *block) {
  const int dim = A->dim;
  for (int e = A->path_ptr[j]; e < A->path_ptr[j + 1]; ++e) {
    const double *x = z_i + (size_t)dim * (size_t)A->path[e];
    const double *y = A->path_z + (size_t)dim * (size_t)e;
    for (int k = 0; k < dim; ++k) {
      for (int l = 0; l < dim; ++l) {
        block[k * dim + l] -= x[k] * y[l];
      }
    }
  }
}

static void transpose(int dim, const double *block, double *out) {
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      out[l * dim + k] = block[k * dim + l];
    }
  }
}

/* All pairs: joints couple every contact with every other. */
static void blocks_from_jointed(const struct problem_operator *A, struct problem_operator *out,
                                struct base_arena *arena) {
  const size_t nc = (size_t)A->nc, dim = (size_t)A->dim, size = dim * dim;
  int *row_ptr = base_arena_ints(arena, A->nc + 1);
  int *col = base_arena_ints(arena, base_memory_int((long)A->nc * A->nc));
  double *blocks = base_arena_array(arena, nc * nc, size, sizeof *blocks);
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *z = base_arena_matrix(arena, A->dim, A->n_nodes); /* of contact i */
  for (size_t i = 0; i < nc; ++i) {
    row_ptr[i + 1] = row_ptr[i] + A->nc;
    for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
      memcpy(z + dim * (size_t)A->path[e], A->path_z + dim * (size_t)e, dim * sizeof *z);
    }
    for (size_t j = 0; j < nc; ++j) {
      col[i * nc + j] = (int)j;
    }
    for (size_t j = 0; j <= i; ++j) {
      double *block = blocks + (i * nc + j) * size;
      operator_add_shared(A, (int)i, (int)j, block);
      take_common(A, z, (int)j, block);
      if (j < i) {
        transpose(A->dim, block, blocks + (j * nc + i) * size);
      }
    }
    for (int e = A->path_ptr[i]; e < A->path_ptr[i + 1]; ++e) {
      memset(z + dim * (size_t)A->path[e], 0, dim * sizeof *z);
    }
  }
  base_arena_release(arena, mark);
  out->row_ptr = row_ptr;
  out->col = col;
  out->blocks = blocks;
}

/* Blocks of nothing but zeros are left out. */
static void blocks_from_dense(const struct problem_operator *A, struct problem_operator *out,
                              struct base_arena *arena) {
  const int nc = A->nc, dim = A->dim;
  const size_t n = (size_t)dim * (size_t)nc, size = (size_t)(dim * dim);
  int *row_ptr = base_arena_ints(arena, nc + 1);
  int *col = base_arena_ints(arena, base_memory_int((long)nc * nc));
  double *blocks = base_arena_matrix(arena, (int)n, (int)n);
  double *block = blocks;
  int e = 0;
  for (int i = 0; i < nc; ++i) {
    for (int j = 0; j < nc; ++j) {
      const double *a = A->a + (size_t)(dim * i) + (size_t)(dim * j) * n;
      int any = 0;
      for (int k = 0; k < dim; ++k) {
        for (int l = 0; l < dim; ++l) {
          block[k * dim + l] = a[(size_t)k + (size_t)l * n];
          any |= block[k * dim + l] != 0;
        }
      }
      col[e] = j;
      e += any;
      block += any ? size : 0;
    }
    row_ptr[i + 1] = e;
  }
  out->row_ptr = row_ptr;
  out->col = col;
  out->blocks = blocks;
}

int problem_operator_entry(const struct problem_operator *A, int i, int j) {
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

/* Blocks of A + R from those of A, whose contacts all have a block of their own. */
static void put_compliance(const double *R, struct problem_operator *blocks,
                           struct base_arena *arena) {
  const int dim = blocks->dim, count = blocks->row_ptr[blocks->nc] * dim * dim;
  double *stiff = base_arena_doubles(arena, count);
  memcpy(stiff, blocks->blocks, (size_t)count * sizeof *stiff);
  for (int i = 0; i < blocks->nc; ++i) {
    const int e = problem_operator_entry(blocks, i, i);
    assert(e >= 0);
    for (int k = 0; k < dim; ++k) {
      stiff[e * dim * dim + k * dim + k] += R[dim * i + k];
    }
  }
  blocks->blocks = stiff;
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
    out.compliance = NULL;
    break;
  case PROBLEM_OPERATOR_BODIES: {
    struct problem_operator bodies = *A;
    if (problem_is_rigid(A)) {
      problem_rigid_write_out(A, &bodies, arena);
    }
    blocks_from_bodies(&bodies, &out, arena);
    break;
  }
  case PROBLEM_OPERATOR_JOINTED:
    blocks_from_jointed(A, &out, arena);
    break;
  }
  if (A->compliance != NULL) {
    put_compliance(A->compliance, &out, arena);
  }
  *blocks = out;
}

void problem_operator_dense(const struct problem_operator *A, double *a, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const int dim = A->dim;
  const size_t n = (size_t)dim * (size_t)A->nc;
  if (A->kind == PROBLEM_OPERATOR_DENSE) {
    memcpy(a, A->a, n * n * sizeof *a);
    for (size_t k = 0; A->compliance != NULL && k < n; ++k) {
      a[k + k * n] += A->compliance[k];
    }
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

static double asymmetry_blocks(const struct problem_operator *A) {
  const int dim = A->dim, size = dim * dim;
  double largest = 0, difference = 0;
  for (int i = 0; i < A->nc; ++i) {
    for (int e = A->row_ptr[i]; e < A->row_ptr[i + 1]; ++e) {
      const double *block = A->blocks + (size_t)e * (size_t)size;
      const int other = problem_operator_entry(A, A->col[e], i);
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
  if (A->kind == PROBLEM_OPERATOR_BODIES || A->kind == PROBLEM_OPERATOR_JOINTED) {
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
