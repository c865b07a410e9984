/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * la/ldl/ldl.h over CHOLMOD. The pattern is put into the fill-reducing order once, as the upper
 * triangle, which is what CHOLMOD's row by row factorisation reads: numbers are then written where
 * they belong and nothing is permuted in a factorisation. Solves are written out: several
 * right-hand sides at a time, side by side.
 */
#include "la/ldl/ldl.h"

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/dense.h"
#include "la/ldl/dissect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cholmod.h>

/* Right-hand sides solved at a time: as many as fit into registers beside the factor. */
enum { SIDES = LA_LDL_SIDES };

struct la_ldl {
  cholmod_common common;
  cholmod_sparse *A; /* upper triangle, permuted */
  cholmod_factor *L; /* in its order, which is that of A */
  int n;
  int *perm;  /* n, row k of the factor is row perm[k] of the matrix */
  int *row;   /* n, its inverse */
  int *place; /* entries of the pattern: where they are in A */
};

static int out_of_memory(const struct la_ldl *s) {
  return base_fail(BASE_FAILED, "sparse L D L^T: analysis failed (CHOLMOD status %d)",
                   s->common.status);
}

/* perm by the library, in postorder: by approximate minimum degree, or from the order in perm. */
static int order(struct la_ldl *s, int method, const int *col_ptr, const int *row) {
  cholmod_common *common = &s->common;
  const size_t n = (size_t)s->n, entries = (size_t)col_ptr[s->n];
  cholmod_sparse *given = cholmod_allocate_sparse(n, n, entries, 1, 1, -1, CHOLMOD_PATTERN, common);
  if (given == NULL) {
    return out_of_memory(s);
  }
  memcpy(given->p, col_ptr, (n + 1) * sizeof(int));
  memcpy(given->i, row, entries * sizeof(int));
  common->nmethods = 1;
  common->method[0].ordering = method;
  common->postorder = 1;
  cholmod_factor *found =
      cholmod_analyze_p(given, method == CHOLMOD_GIVEN ? s->perm : NULL, NULL, 0, common);
  cholmod_free_sparse(&given, common);
  if (found == NULL) {
    return out_of_memory(s);
  }
  memcpy(s->perm, found->Perm, n * sizeof(int));
  cholmod_free_factor(&found, common);
  return BASE_OK;
}

/* The pattern in that order, and where each entry goes. */
static int permute(struct la_ldl *s, const int *col_ptr, const int *row) {
  const int n = s->n, entries = col_ptr[n];
  int *inverse = s->row;
  s->A = cholmod_allocate_sparse((size_t)n, (size_t)n, (size_t)entries, 0, 1, 1, CHOLMOD_REAL,
                                 &s->common);
  if (s->A == NULL) {
    return out_of_memory(s);
  }
  int *p = s->A->p, *i = s->A->i;
  for (int k = 0; k < n; ++k) {
    inverse[s->perm[k]] = k;
  }
  memset(p, 0, ((size_t)n + 1) * sizeof *p);
  for (int pass = 0; pass < 2; ++pass) { /* count, then put */
    for (int c = 0; c < n; ++c) {
      for (int e = col_ptr[c]; e < col_ptr[c + 1]; ++e) {
        const int a = inverse[c], b = inverse[row[e]];
        const int column = a > b ? a : b;
        if (pass == 0) {
          ++p[column + 1];
        } else {
          s->place[e] = p[column];
          i[p[column]++] = a > b ? b : a;
        }
      }
    }
    for (int c = 0; c < n && pass == 0; ++c) {
      p[c + 1] += p[c];
    }
  }
  for (int c = n; c > 0; --c) { /* each is where the next begins now */
    p[c] = p[c - 1];
  }
  p[0] = 0;
  return BASE_OK;
}

/* perm from one with little fill-in to one with a low elimination tree too. */
static int dissect(struct la_ldl *s, const int *col_ptr, const int *row) {
  int status = permute(s, col_ptr, row);
  if (status != BASE_OK) {
    return status;
  }
  struct base_arena *arena = base_arena_alloc();
  int *later = base_arena_ints(arena, s->n), *filling = base_arena_ints(arena, s->n);
  la_dissect(s->n, s->A->p, s->A->i, later, arena);
  memcpy(filling, s->perm, (size_t)s->n * sizeof *filling);
  for (int k = 0; k < s->n; ++k) {
    s->perm[k] = filling[later[k]];
  }
  base_arena_free(arena);
  cholmod_free_sparse(&s->A, &s->common);
  return order(s, CHOLMOD_GIVEN, col_ptr, row);
}

/* Counts of the factor, in the order as it is. */
static int analyse(struct la_ldl *s) {
  s->common.method[0].ordering = CHOLMOD_NATURAL;
  s->common.postorder = 0;
  s->L = cholmod_analyze(s->A, &s->common);
  return s->L != NULL ? BASE_OK : out_of_memory(s);
}

struct la_ldl *la_ldl_alloc(int n, const int *col_ptr, const int *row) {
  struct la_ldl *s = base_memory_alloc(sizeof *s);
  memset(s, 0, sizeof *s);
  s->n = n;
  cholmod_start(&s->common);
  s->common.print = 0;
  s->common.supernodal = CHOLMOD_SIMPLICIAL;
  s->common.final_ll = 0;
  s->perm = base_memory_alloc(((size_t)n + 1) * sizeof *s->perm);
  s->row = base_memory_alloc(((size_t)n + 1) * sizeof *s->row);
  s->place = base_memory_alloc(((size_t)col_ptr[n] + 1) * sizeof *s->place);
  if (order(s, CHOLMOD_AMD, col_ptr, row) != BASE_OK || dissect(s, col_ptr, row) != BASE_OK ||
      permute(s, col_ptr, row) != BASE_OK || analyse(s) != BASE_OK) {
    la_ldl_free(s);
    return NULL;
  }
  return s;
}

int la_ldl_factor(struct la_ldl *s, const double *values, double *least) {
  const int entries = ((const int *)s->A->p)[s->n];
  double *x = s->A->x;
  if (!la_all_finite(entries, values)) {
    return base_fail(BASE_FAILED, "sparse L D L^T: matrix not finite");
  }
  for (int e = 0; e < entries; ++e) {
    x[s->place[e]] = values[e];
  }
  cholmod_factorize(s->A, s->L, &s->common);
  if (s->common.status != CHOLMOD_OK) {
    return base_fail(BASE_FAILED, "sparse L D L^T: %s",
                     s->common.status == CHOLMOD_NOT_POSDEF ? "matrix is singular"
                                                            : "out of memory or too large");
  }
  const int *p = s->L->p;
  const double *l = s->L->x;
  *least = INFINITY;
  for (int k = 0; k < s->n; ++k) {
    *least = fmin(*least, l[p[k]]);
  }
  return BASE_OK;
}

/* y: n x sides, row-major, in the factor's order. */
static void solve_sides(const struct la_ldl *s, double (*restrict y)[SIDES]) {
  const int *p = s->L->p, *i = s->L->i, *nz = s->L->nz;
  const double *l = s->L->x;
  for (int k = 0; k < s->n; ++k) {
    const int end = p[k] + nz[k];
    const double *y_k = y[k];
    for (int e = p[k] + 1; e < end; ++e) {
      double *row = y[i[e]];
      for (int j = 0; j < SIDES; ++j) {
        row[j] -= l[e] * y_k[j];
      }
    }
  }
  for (int k = s->n - 1; k >= 0; --k) {
    const int end = p[k] + nz[k];
    double sum[SIDES];
    for (int j = 0; j < SIDES; ++j) {
      sum[j] = y[k][j] / l[p[k]];
    }
    for (int e = p[k] + 1; e < end; ++e) {
      const double *row = y[i[e]];
      for (int j = 0; j < SIDES; ++j) {
        sum[j] -= l[e] * row[j];
      }
    }
    memcpy(y[k], sum, sizeof sum);
  }
}

/* The same for one. */
static void solve_one(const struct la_ldl *s, double *restrict y) {
  const int *p = s->L->p, *i = s->L->i, *nz = s->L->nz;
  const double *l = s->L->x;
  for (int k = 0; k < s->n; ++k) {
    const int end = p[k] + nz[k];
    for (int e = p[k] + 1; e < end; ++e) {
      y[i[e]] -= l[e] * y[k];
    }
  }
  for (int k = s->n - 1; k >= 0; --k) {
    const int end = p[k] + nz[k];
    double sum = y[k] / l[p[k]];
    for (int e = p[k] + 1; e < end; ++e) {
      sum -= l[e] * y[i[e]];
    }
    y[k] = sum;
  }
}

void la_ldl_solve(const struct la_ldl *s, int nrhs, double *X, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  const size_t n = (size_t)s->n;
  const int width = nrhs == 1 ? 1 : SIDES;
  double *y = base_arena_push(arena, n * (size_t)width * sizeof *y);
  for (int first = 0; first < nrhs; first += width) {
    const int sides = nrhs - first < width ? nrhs - first : width;
    for (size_t k = 0; k < n; ++k) {
      for (int j = 0; j < width; ++j) {
        y[k * (size_t)width + (size_t)j] =
            j < sides ? X[(size_t)(first + j) * n + (size_t)s->perm[k]] : 0;
      }
    }
    if (width == 1) {
      solve_one(s, y);
    } else {
      solve_sides(s, (double(*)[SIDES])y);
    }
    for (size_t k = 0; k < n; ++k) {
      for (int j = 0; j < sides; ++j) {
        X[(size_t)(first + j) * n + (size_t)s->perm[k]] = y[k * (size_t)width + (size_t)j];
      }
    }
  }
  base_arena_release(arena, mark);
}

struct la_ldl_work la_ldl_work_of(const struct la_ldl *s, struct base_arena *arena) {
  return (struct la_ldl_work){.seen = base_arena_ints(arena, s->n),
                              .y = base_arena_matrix(arena, SIDES, s->n)};
}

/* Parents are the first entries of columns below the diagonal. */
int la_ldl_path(const struct la_ldl *s, int n_rows, const int *rows, struct la_ldl_work *work,
                int *path) {
  const int *p = s->L->p, *i = s->L->i, *nz = s->L->nz;
  int count = 0;
  ++work->stamp;
  for (int e = 0; e < n_rows; ++e) {
    const int begin = count;
    int k = s->row[rows[e]];
    while (k >= 0 && work->seen[k] != work->stamp) {
      work->seen[k] = work->stamp;
      path[count++] = k;
      k = nz[k] > 1 ? i[p[k] + 1] : -1;
    }
    for (int new = begin; new < count; ++new) { /* two ascending runs */
      const int row = path[new];
      int at = new;
      for (; at > 0 && path[at - 1] > row; --at) {
        path[at] = path[at - 1];
      }
      path[at] = row;
    }
  }
  return count;
}

void la_ldl_half(const struct la_ldl *s, int sides, int n_rows, const int *rows, const double *X,
                 int n_path, const int *path, struct la_ldl_work *work, double *Z) {
  const int *p = s->L->p, *i = s->L->i, *nz = s->L->nz;
  const double *l = s->L->x;
  double(*y)[SIDES] = (double(*)[SIDES])work->y;
  for (int e = 0; e < n_rows; ++e) {
    for (int j = 0; j < sides; ++j) {
      y[s->row[rows[e]]][j] += X[e * sides + j];
    }
  }
  for (int at = 0; at < n_path; ++at) {
    const int k = path[at], end = p[k] + nz[k];
    const double root = sqrt(l[p[k]]);
    for (int e = p[k] + 1; e < end; ++e) {
      for (int j = 0; j < SIDES; ++j) {
        y[i[e]][j] -= l[e] * y[k][j];
      }
    }
    for (int j = 0; j < SIDES; ++j) {
      if (j < sides) {
        Z[at * sides + j] = y[k][j] / root;
      }
      y[k][j] = 0;
    }
  }
}

long la_ldl_entries(const struct la_ldl *s) {
  const int *nz = s->L->nz;
  long sum = 0;
  for (int k = 0; k < s->n; ++k) {
    sum += nz[k];
  }
  return sum;
}

void la_ldl_free(struct la_ldl *s) {
  if (s == NULL) {
    return;
  }
  cholmod_free_factor(&s->L, &s->common);
  cholmod_free_sparse(&s->A, &s->common);
  cholmod_finish(&s->common);
  free(s->perm);
  free(s->row);
  free(s->place);
  free(s);
}
