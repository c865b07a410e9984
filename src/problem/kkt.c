/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Factorisation of V^T S A S V + diag h + shift 1; see kkt.h. The blocks of S A S are kept in a
 * list, by columns with the diagonal first, and turned by V into the matrix for each factorisation.
 * That is the order of the sparse form too, in which column l of a block starts at the entry
 *
 *   col_ptr[dim j + l] + dim - l + dim (number of the block below the diagonal)
 *
 * and the diagonal block, lower triangle only, at col_ptr[dim j + l] with its row l.
 */
#include "problem/kkt.h"

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/cholesky.h"
#include "la/dense.h"

enum {
  DENSE_ALWAYS = 120, /* unknowns up to which the analysis of a pattern does not pay */
  DENSE_SHARE = 3     /* a matrix with more than one in so many entries is treated as full */
};

enum form { DENSE, SPARSE, GENERAL };

struct problem_kkt {
  const struct problem_operator *A;
  struct base_arena *arena;
  const double *s, *V, *h;
  enum form form;
  int n, dim, nc;
  int n_blocks;                            /* of the lower triangle; general: of the whole */
  int *at;                                 /* 2 x n_blocks: row, column */
  double *blocks;                          /* n_blocks x (dim x dim row-major), of S A S */
  double *values;                          /* n x n, or the sparse lower triangle */
  double *scratch, *residual, *correction; /* n each */
  int *piv;                                /* n, LU */
  int is_lu;                               /* values hold an LU factorisation */
  int *col_ptr;                            /* n + 1, sparse */
  struct la_cholesky *sparse;
};

/* Block (i, j) of block rows, dim x dim row-major; NULL when there is none. */
static const double *find_block(const struct problem_operator *B, int i, int j) {
  const int e = problem_operator_entry(B, i, j);
  return e >= 0 ? B->blocks + (size_t)e * (size_t)(B->dim * B->dim) : NULL;
}

static int pattern_is_symmetric(const struct problem_operator *B) {
  for (int i = 0; i < B->nc; ++i) {
    for (int e = B->row_ptr[i]; e < B->row_ptr[i + 1]; ++e) {
      if (find_block(B, B->col[e], i) == NULL) {
        return 0;
      }
    }
  }
  return 1;
}

/* Append S (p weight_p + q^T weight_q) S at (i, j); p and q may be NULL. */
static void append(struct problem_kkt *k, int i, int j, const double *p, const double *q,
                   double weight) {
  const int dim = k->dim;
  double *block = k->blocks + (size_t)k->n_blocks * (size_t)(dim * dim);
  for (int a = 0; a < dim; ++a) {
    for (int c = 0; c < dim; ++c) {
      const double sum = (p != NULL ? p[a * dim + c] : 0) + (q != NULL ? q[c * dim + a] : 0);
      block[a * dim + c] = weight * sum * k->s[dim * i + a] * k->s[dim * j + c];
    }
  }
  k->at[2 * k->n_blocks] = i;
  k->at[2 * k->n_blocks + 1] = j;
  ++k->n_blocks;
}

/* The list of blocks, symmetrised unless general. */
static void build_blocks(struct problem_kkt *k, const struct problem_operator *B) {
  const int most = B->row_ptr[k->nc] + k->nc;
  k->at = base_arena_array(k->arena, 2, (size_t)most, sizeof(int));
  k->blocks = base_arena_matrix(k->arena, k->dim * k->dim, most);
  for (int j = 0; j < k->nc; ++j) {
    const double *own = find_block(B, j, j);
    append(k, j, j, own, k->form == GENERAL ? NULL : own, k->form == GENERAL ? 1 : 0.5);
    for (int e = B->row_ptr[j]; e < B->row_ptr[j + 1]; ++e) {
      const int i = B->col[e];
      const double *block = B->blocks + (size_t)e * (size_t)(k->dim * k->dim);
      if (k->form == GENERAL && i != j) {
        append(k, j, i, block, NULL, 1);
      } else if (i > j) {
        append(k, i, j, find_block(B, i, j), block, 0.5);
      } else if (i < j && find_block(B, i, j) == NULL) {
        append(k, j, i, block, NULL, 0.5);
      }
    }
  }
}

/* Pattern of the sparse lower triangle; see above. */
static int build_sparse(struct problem_kkt *k) {
  const int dim = k->dim;
  base_memory_int((long)k->n_blocks * dim * dim); /* no fewer than the entries counted below */
  k->col_ptr = base_arena_ints(k->arena, k->n + 1);
  for (int e = 0; e < k->n_blocks; ++e) {
    const int i = k->at[2 * e], j = k->at[2 * e + 1];
    for (int l = 0; l < dim; ++l) {
      k->col_ptr[dim * j + l + 1] += i == j ? dim - l : dim;
    }
  }
  for (int j = 0; j < k->n; ++j) {
    k->col_ptr[j + 1] += k->col_ptr[j];
  }
  k->values = base_arena_doubles(k->arena, k->col_ptr[k->n]);
  const struct base_arena_mark mark = base_arena_mark(k->arena);
  int *row = base_arena_ints(k->arena, k->col_ptr[k->n]);
  for (int e = 0, below = 0; e < k->n_blocks; ++e) {
    const int i = k->at[2 * e], j = k->at[2 * e + 1];
    below = i == j ? 0 : below + 1;
    for (int l = 0; l < dim; ++l) {
      for (int m = i == j ? l : 0; m < dim; ++m) {
        row[k->col_ptr[dim * j + l] + dim * below - l + m] = dim * i + m;
      }
    }
  }
  k->sparse = la_cholesky_alloc(k->n, k->col_ptr, row);
  base_arena_release(k->arena, mark);
  return k->sparse != NULL;
}

struct problem_kkt *problem_kkt_alloc(const struct problem_operator *A, const double *s,
                                      struct base_arena *arena) {
  struct problem_kkt *k = base_arena_push(arena, sizeof *k);
  const int n = A->dim * A->nc;
  *k = (struct problem_kkt){
      .A = A, .arena = arena, .s = s, .n = n, .dim = A->dim, .nc = A->nc, .form = DENSE};
  BASE_ARENA_VECTORS(arena, n, &k->scratch, &k->residual, &k->correction);
  struct problem_operator B;
  problem_operator_to_blocks(A, &B, arena);
  const double share = (double)B.row_ptr[A->nc] / A->nc / A->nc;
  if (problem_operator_asymmetry(A, arena) > PROBLEM_KKT_ASYMMETRY) {
    k->form = GENERAL;
  } else if (n > DENSE_ALWAYS && share * DENSE_SHARE < 1 && pattern_is_symmetric(&B)) {
    k->form = SPARSE;
  }
  build_blocks(k, &B);
  if (k->form == SPARSE) {
    return build_sparse(k) ? k : NULL;
  }
  k->values = base_arena_matrix(arena, n, n);
  k->piv = base_arena_ints(arena, n);
  return k;
}

/* out = V_i^T block V_j, dim x dim row-major */
static void turn(const struct problem_kkt *k, int i, int j, const double *block, double *out) {
  const int dim = k->dim;
  double half[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
  if (k->V == NULL) {
    memcpy(out, block, (size_t)(dim * dim) * sizeof *out);
    return;
  }
  const double *V_i = k->V + (size_t)i * (size_t)(dim * dim);
  const double *V_j = k->V + (size_t)j * (size_t)(dim * dim);
  for (int a = 0; a < dim; ++a) {
    for (int c = 0; c < dim; ++c) {
      double sum = 0;
      for (int m = 0; m < dim; ++m) {
        sum += block[a * dim + m] * V_j[m * dim + c];
      }
      half[a * dim + c] = sum;
    }
  }
  for (int a = 0; a < dim; ++a) {
    for (int c = 0; c < dim; ++c) {
      double sum = 0;
      for (int m = 0; m < dim; ++m) {
        sum += V_i[m * dim + a] * half[m * dim + c];
      }
      out[a * dim + c] = sum;
    }
  }
}

static void fill_matrix(struct problem_kkt *k, double shift) {
  const int dim = k->dim;
  double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
  if (k->form != SPARSE) {
    memset(k->values, 0, (size_t)k->n * (size_t)k->n * sizeof *k->values);
  }
  for (int e = 0, below = 0; e < k->n_blocks; ++e) {
    const int i = k->at[2 * e], j = k->at[2 * e + 1];
    turn(k, i, j, k->blocks + (size_t)e * (size_t)(dim * dim), block);
    below = i == j ? 0 : below + 1;
    for (int l = 0; l < dim; ++l) {
      double *column = k->form == SPARSE
                           ? k->values + (k->col_ptr[dim * j + l] + dim * below - l)
                           : k->values + (size_t)(dim * j + l) * (size_t)k->n + dim * i;
      if (i == j) {
        block[l * dim + l] += k->h[dim * j + l] + shift;
      }
      for (int m = i == j && k->form != GENERAL ? l : 0; m < dim; ++m) {
        column[m] = block[m * dim + l];
      }
    }
  }
}

int problem_kkt_factor(struct problem_kkt *k, const double *V, const double *h, double shift) {
  if (k->form == GENERAL) {
    return problem_kkt_factor_indefinite(k, V, h, shift);
  }
  k->V = V;
  k->h = h;
  k->is_lu = 0;
  fill_matrix(k, shift);
  return k->form == SPARSE ? la_cholesky_factor(k->sparse, k->values)
                           : la_chol_factor(k->n, k->values);
}

int problem_kkt_factor_indefinite(struct problem_kkt *k, const double *V, const double *h,
                                  double shift) {
  k->V = V;
  k->h = h;
  fill_matrix(k, shift);
  if (k->form == SPARSE) {
    return la_cholesky_factor_indefinite(k->sparse, k->values);
  }
  const size_t n = k->form == DENSE ? (size_t)k->n : 0;
  for (size_t j = 0; j < n; ++j) { /* the other triangle */
    for (size_t i = 0; i < j; ++i) {
      k->values[i + j * n] = k->values[j + i * n];
    }
  }
  k->is_lu = 1;
  return la_lu_factor(k->n, k->values, k->piv);
}

static void solve_once(struct problem_kkt *k, double *x) {
  if (k->form == SPARSE) {
    la_cholesky_solve(k->sparse, x);
  } else if (k->is_lu) {
    la_lu_solve(k->n, 1, k->values, k->piv, x);
  } else {
    la_chol_solve(k->n, 1, k->values, x);
  }
}

void problem_kkt_apply(const struct problem_kkt *k, const double *x, double *y) {
  for (int j = 0; j < k->n; ++j) {
    k->scratch[j] = k->s[j] * x[j];
  }
  problem_operator_apply(k->A, k->scratch, y, k->arena);
  for (int j = 0; j < k->n; ++j) {
    y[j] *= k->s[j];
  }
}

/* residual = rhs - (V^T S A S V + diag h) x; its max norm. */
static double residual_of(struct problem_kkt *k, const double *rhs, const double *x) {
  const int dim = k->dim;
  const struct base_arena_mark mark = base_arena_mark(k->arena);
  double *turned = base_arena_doubles(k->arena, k->n);
  for (int j = 0; j < k->n; ++j) {
    const double *row = k->V != NULL ? k->V + (size_t)j * (size_t)dim : NULL;
    for (int l = 0; row != NULL && l < dim; ++l) {
      turned[j] += row[l] * x[j / dim * dim + l];
    }
    turned[j] = row != NULL ? turned[j] : x[j];
  }
  problem_kkt_apply(k, turned, turned);
  for (int j = 0; j < k->n; ++j) {
    const int i = j / dim;
    double sum = k->V != NULL ? 0 : turned[j];
    for (int l = 0; k->V != NULL && l < dim; ++l) {
      sum += k->V[(size_t)(dim * i + l) * (size_t)dim + (size_t)(j % dim)] * turned[dim * i + l];
    }
    k->residual[j] = rhs[j] - sum - k->h[j] * x[j];
  }
  base_arena_release(k->arena, mark);
  return la_norm_inf(k->n, k->residual);
}

double problem_kkt_solve(struct problem_kkt *k, const double *rhs, double *x, int refine) {
  la_copy(k->n, rhs, x);
  solve_once(k, x);
  double left = refine > 0 ? residual_of(k, rhs, x) : 0;
  for (int pass = 0; pass < refine && left > 0; ++pass) {
    la_copy(k->n, k->residual, k->correction);
    solve_once(k, k->correction);
    la_axpy(k->n, 1, k->correction, x);
    const double now = residual_of(k, rhs, x);
    if (!(now < left)) { /* no gain: as it was before */
      la_axpy(k->n, -1, k->correction, x);
      break;
    }
    left = now;
  }
  return left;
}

void problem_kkt_improve(struct problem_kkt *k, const double *rhs, double *x) {
  residual_of(k, rhs, x);
  solve_once(k, k->residual);
  la_axpy(k->n, 1, k->residual, x);
}

void problem_kkt_free(struct problem_kkt *k) {
  if (k != NULL) {
    la_cholesky_free(k->sparse);
  }
}
