/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Assembly and solution of Newton's linear systems; see newton.h. Levenberg's step of a sparse
 * matrix comes from the augmented system
 *   [ 1    J      ] [ y ]   [ -F ]
 *   [ J^T  -lambda ] [ d ] = [ 0 ],   y = -F - J d,
 * which squares no condition number and fills in as J does.
 */
#include "problem/newton.h"

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "la/dense.h"
#include "la/sparse.h"

/* Rows up to which dense LU is the faster one (measured on packings of spheres and capsules). */
enum { NEWTON_DENSE_MAX = 240 };

/* Rows of A with the diagonal block put in where it is missing. */
static void copy_rows(const struct problem_operator *from, struct problem_operator *to,
                      struct base_arena *arena) {
  const int nc = from->nc, size = from->dim * from->dim;
  int *row_ptr = base_arena_ints(arena, nc + 1);
  int *col = base_arena_ints(arena, from->row_ptr[nc] + nc);
  double *blocks = base_arena_matrix(arena, from->row_ptr[nc] + nc, size);
  int at = 0;
  for (int i = 0; i < nc; ++i) {
    int has_diagonal = 0;
    row_ptr[i] = at;
    for (int e = from->row_ptr[i]; e < from->row_ptr[i + 1]; ++e) {
      if (!has_diagonal && from->col[e] >= i) {
        has_diagonal = 1;
        if (from->col[e] > i) {
          col[at++] = i;
        }
      }
      col[at] = from->col[e];
      memcpy(blocks + (size_t)at * (size_t)size, from->blocks + (size_t)e * (size_t)size,
             (size_t)size * sizeof *blocks);
      ++at;
    }
    if (!has_diagonal) {
      col[at++] = i;
    }
  }
  row_ptr[nc] = at;
  *to = (struct problem_operator){.kind = PROBLEM_OPERATOR_BLOCKS,
                                  .dim = from->dim,
                                  .nc = nc,
                                  .row_ptr = row_ptr,
                                  .col = col,
                                  .blocks = blocks};
}

/* Of component k of contact i: 1, and the length of its set for a spin torque. */
static double length_at(const struct problem *p, int i, int k) {
  return p->model.set != NULL && k == 3 ? problem_ncp_length(&p->model.set[i]) : 1;
}

/* s from the diagonal, times the root of rho; where a contact cannot move, the mean of the others,
 * else 1. */
static void choose_scale(struct problem_newton *s, const struct problem *p, double rho) {
  const int dim = s->dim;
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  double *diag = base_arena_matrix(s->arena, dim * dim, s->nc), sum = 0;
  double *own = base_arena_doubles(s->arena, s->nc);
  int count = 0;
  problem_operator_diagonal(&p->A, diag);
  for (int i = 0; i < s->nc; ++i) {
    double trace = 0;
    for (int k = 0; k < dim; ++k) {
      const double length = length_at(p, i, k);
      trace += diag[(size_t)i * (size_t)(dim * dim) + (size_t)(k * (dim + 1))] * length * length;
    }
    own[i] = trace > 0 ? sqrt(dim / trace) : 0;
    sum += own[i];
    count += trace > 0;
  }
  for (int i = 0; i < s->nc; ++i) {
    const double here = sqrt(rho) * (own[i] != 0 ? own[i] : count > 0 ? sum / count : 1);
    for (int k = 0; k < dim; ++k) {
      s->s[dim * i + k] = here * length_at(p, i, k);
    }
  }
  base_arena_release(s->arena, mark);
}

struct problem_newton *problem_newton_alloc(const struct problem *p, double rho,
                                            struct base_arena *arena) {
  struct problem_newton *s = base_arena_push(arena, sizeof *s);
  const int n = problem_size(p), dim = p->model.dim, nc = p->model.nc;
  *s = (struct problem_newton){
      .n = n, .dim = dim, .nc = nc, .mu = dim > 1 ? p->model.mu : NULL, .arena = arena};
  BASE_ARENA_VECTORS(arena, n, &s->s, &s->b, &s->F);
  s->P = base_arena_matrix(arena, n, dim);
  s->Q = base_arena_matrix(arena, n, dim);
  choose_scale(s, p, rho);
  if (p->model.law == CONTACT_LAW_CONE && p->model.set != NULL) {
    s->set = base_arena_array(arena, (size_t)nc, 1, sizeof *s->set);
    for (int i = 0; i < nc; ++i) {
      s->set[i] = problem_ncp_round(&p->model.set[i]);
    }
  }
  struct problem_operator rows;
  problem_operator_to_blocks(&p->A, &rows, arena);
  copy_rows(&rows, &s->A, arena);
  double *blocks = base_arena_matrix(arena, dim * dim, s->A.row_ptr[nc]);
  for (int i = 0; i < nc; ++i) {
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
      for (int k = 0; k < dim * dim; ++k) {
        const size_t at = (size_t)e * (size_t)(dim * dim) + (size_t)k;
        blocks[at] = s->s[dim * i + k / dim] * s->A.blocks[at] * s->s[dim * s->A.col[e] + k % dim];
      }
    }
    for (int k = 0; k < dim; ++k) {
      s->b[dim * i + k] = s->s[dim * i + k] * p->b[dim * i + k];
    }
  }
  s->A.blocks = blocks;
  return s;
}

void problem_newton_velocity(const struct problem_newton *s, const double *x, double *w) {
  problem_operator_apply(&s->A, x, w, s->arena);
  la_axpy(s->n, 1, s->b, w);
}

void problem_newton_scale(const struct problem_newton *s, const double *r, double *x) {
  for (int i = 0; i < s->n; ++i) {
    x[i] = r[i] / s->s[i];
  }
}

void problem_newton_unscale(const struct problem_newton *s, const double *x, double *r) {
  for (int i = 0; i < s->n; ++i) {
    r[i] = x[i] * s->s[i];
  }
}

double problem_newton_evaluate(const struct problem_newton *s, enum problem_ncp_function function,
                               int de_saxce, const double *x, const double *w, double *F,
                               int derive) {
  const size_t dim = (size_t)s->dim;
  for (size_t i = 0; i < (size_t)s->nc; ++i) {
    const size_t block = i * dim * dim;
    const struct problem_ncp law = {.function = function,
                                    .de_saxce = de_saxce,
                                    .dim = s->dim,
                                    .mu = s->mu != NULL ? s->mu[i] : 0,
                                    .set = s->set != NULL ? &s->set[i] : NULL};
    problem_ncp_evaluate(&law, x + i * dim, w + i * dim, F + i * dim, derive ? s->P + block : NULL,
                         derive ? s->Q + block : NULL);
  }
  return la_norm2(s->n, F);
}

/* out: dim x dim row-major, block e of row i of J = P + Q (A_s + lambda 1). */
static void jacobian_block(const struct problem_newton *s, int i, int e, double lambda,
                           double *out) {
  const int dim = s->dim;
  const size_t size = (size_t)(dim * dim);
  const double *Q = s->Q + (size_t)i * size, *P = s->P + (size_t)i * size;
  const double *A = s->A.blocks + (size_t)e * size;
  const int diagonal = s->A.col[e] == i;
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      double sum = diagonal ? P[k * dim + l] + lambda * Q[k * dim + l] : 0;
      for (int m = 0; m < dim; ++m) {
        sum += Q[k * dim + m] * A[m * dim + l];
      }
      out[k * dim + l] = sum;
    }
  }
}

/* J: n x n column-major */
static void assemble_dense(const struct problem_newton *s, double lambda, double *J) {
  const int dim = s->dim;
  const size_t n = (size_t)s->n;
  for (int i = 0; i < s->nc; ++i) {
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
      double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
      jacobian_block(s, i, e, lambda, block);
      for (int k = 0; k < dim * dim; ++k) {
        J[(size_t)(dim * i + k / dim) + (size_t)(dim * s->A.col[e] + k % dim) * n] = block[k];
      }
    }
  }
}

static int step_dense(const struct problem_newton *s, enum problem_newton_kind kind, double lambda,
                      double *d) {
  const int n = s->n;
  double *J = base_arena_matrix(s->arena, n, n);
  int status;
  if (kind == PROBLEM_NEWTON_PLAIN) {
    int *piv = base_arena_ints(s->arena, n);
    assemble_dense(s, lambda, J);
    for (int i = 0; i < n; ++i) {
      d[i] = -s->F[i];
    }
    status = la_lu_factor(n, J, piv);
    if (status == 0) {
      la_lu_solve(n, 1, J, piv, d);
    }
  } else {
    double *H = base_arena_matrix(s->arena, n, n);
    assemble_dense(s, 0, J);
    la_gemv_t(n, n, -1, J, s->F, 0, d);
    la_gemm_t(n, n, n, 1, J, J, 0, H);
    for (int i = 0; i < n; ++i) {
      H[(size_t)i * (size_t)(n + 1)] += lambda;
    }
    status = la_chol_factor(n, H);
    if (status == 0) {
      la_chol_solve(n, 1, H, d);
    }
  }
  return status;
}

/* Compressed rows of J, at rows and columns from `row0`, `col0` on; entries from `at` on. */
static int append_rows(const struct problem_newton *s, double lambda, int *row_ptr, int *col,
                       double *value, int col0, int identity) {
  const int dim = s->dim;
  int at = 0;
  for (int i = 0; i < s->nc; ++i) {
    for (int k = 0; k < dim; ++k) {
      row_ptr[dim * i + k] = at;
      if (identity) {
        col[at] = dim * i + k;
        value[at++] = 1;
      }
      for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
        double block[CONTACT_DIM_MAX * CONTACT_DIM_MAX];
        jacobian_block(s, i, e, lambda, block);
        for (int l = 0; l < dim; ++l) {
          if (block[k * dim + l] != 0) { /* rows of open contacts are nearly empty */
            col[at] = col0 + dim * s->A.col[e] + l;
            value[at++] = block[k * dim + l];
          }
        }
      }
    }
  }
  row_ptr[s->n] = at;
  return at;
}

/* The rows [J^T  -lambda] after the first n + entries of [1 J]: a counting sort by columns. */
static void append_transposed(int n, double lambda, int *row_ptr, int *col, double *value) {
  const int top = row_ptr[n];
  int *next = row_ptr + n + 1;
  memset(next, 0, (size_t)n * sizeof *next);
  for (int e = 0; e < top; ++e) {
    if (col[e] >= n) {
      ++next[col[e] - n];
    }
  }
  int at = top;
  for (int j = 0; j < n; ++j) { /* start of row n + j, for now in the place of its end */
    const int count = next[j] + 1;
    next[j] = at;
    at += count;
  }
  for (int i = 0; i < n; ++i) {
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      if (col[e] >= n) {
        const int to = next[col[e] - n]++;
        col[to] = i;
        value[to] = value[e];
      }
    }
  }
  for (int j = 0; j < n; ++j) {
    col[next[j]] = n + j;
    value[next[j]++] = -lambda;
  }
}

static int step_sparse(const struct problem_newton *s, enum problem_newton_kind kind, double lambda,
                       double *d) {
  const long entries = (long)s->A.row_ptr[s->nc] * s->dim * s->dim;
  const int n = s->n, augmented = kind == PROBLEM_NEWTON_LEVENBERG, rows = augmented ? 2 * n : n;
  const int most = base_memory_int(augmented ? 2 * entries + 2L * n : entries);
  int *row_ptr = base_arena_ints(s->arena, rows + 1);
  int *col = base_arena_ints(s->arena, most);
  double *value = base_arena_doubles(s->arena, most);
  double *right = base_arena_doubles(s->arena, rows), *x = base_arena_doubles(s->arena, rows);
  append_rows(s, augmented ? 0 : lambda, row_ptr, col, value, augmented ? n : 0, augmented);
  if (augmented) {
    append_transposed(n, lambda, row_ptr, col, value);
  }
  for (int i = 0; i < n; ++i) {
    right[i] = -s->F[i];
  }
  const struct la_sparse J = {.n = rows, .row_ptr = row_ptr, .col = col, .value = value};
  const int status = la_sparse_solve(&J, right, x);
  la_copy(n, augmented ? x + n : x, d);
  return status;
}

int problem_newton_step(const struct problem_newton *s, enum problem_newton_kind kind,
                        double lambda, double *d) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  const int status =
      s->n <= NEWTON_DENSE_MAX ? step_dense(s, kind, lambda, d) : step_sparse(s, kind, lambda, d);
  base_arena_release(s->arena, mark);
  return status;
}
