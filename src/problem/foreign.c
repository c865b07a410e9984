/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From entries to block rows, and the elimination of further equations; see foreign.h. The latter
 * takes the columns of B a contact at a time: K^-1 B_j by one factorisation, then B^T times that
 * through the entries of B, of which only blocks other than zero are kept. So independent parts of
 * a system stay so.
 */
#include "problem/foreign.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/sort.h"
#include "base/status.h"
#include "la/dense.h"
#include "la/system.h"

/* Entries of A as they come. */
struct list {
  struct entry {
    int row, col;
    double x;
  } * at;
  size_t n, capacity;
};

static void list_add(struct list *list, int row, int col, double x) {
  if (list->n == list->capacity) {
    list->capacity = 2 * list->capacity + 1024;
    list->at = base_memory_resize(list->at, list->capacity * sizeof *list->at);
  }
  list->at[list->n++] = (struct entry){row, col, x};
}

static int check_entries(const char *file, const char *name, const struct problem_entries *e, int m,
                         int n) {
  if (e->m != m || e->n != n) {
    return base_fail(BASE_E_INPUT, "%s: %s is %d x %d, not %d x %d", file, name, e->m, e->n, m, n);
  }
  for (int k = 0; k < e->count; ++k) {
    if (e->row[k] < 0 || e->row[k] >= m || e->col[k] < 0 || e->col[k] >= n) {
      return base_fail(BASE_E_INPUT, "%s: %s: entry %d is in row %d, column %d of %d x %d", file,
                       name, k, e->row[k], e->col[k], m, n);
    }
    if (!isfinite(e->x[k])) {
      return base_fail(BASE_E_INPUT, "%s: %s: entry %d is not finite", file, name, k);
    }
  }
  return BASE_OK;
}

static int check(const char *file, const struct problem_foreign *f) {
  const int m = f->dim * f->nc;
  for (int i = 0; i < f->nc; ++i) {
    if (!(f->mu[i] >= 0) || !isfinite(f->mu[i])) {
      return base_fail(BASE_E_INPUT, "%s: friction coefficient %d is %g", file, i, f->mu[i]);
    }
  }
  if (!la_all_finite(m, f->q) || (f->sign != 0 && !la_all_finite(f->K.m, f->g))) {
    return base_fail(BASE_E_INPUT, "%s: a vector holds what is not finite", file);
  }
  int status = f->W.count > 0 || f->sign != 1 ? check_entries(file, "W", &f->W, m, m) : BASE_OK;
  if (status == BASE_OK && f->sign != 0) {
    status = check_entries(file, f->sign > 0 ? "M (with G)" : "R", &f->K, f->K.m, f->K.m);
    status =
        status != BASE_OK ? status : check_entries(file, f->sign > 0 ? "H" : "V", &f->B, f->K.m, m);
  }
  return status;
}

/* ---- elimination ---- */

/* B by columns. */
struct columns {
  int *ptr, *row; /* n + 1, count */
  double *x;
};

static struct columns columns_of(const struct problem_entries *B, struct base_arena *arena) {
  struct columns c = {.ptr = base_arena_ints(arena, B->n + 1),
                      .row = base_arena_ints(arena, B->count),
                      .x = base_arena_doubles(arena, B->count)};
  int *next = base_arena_ints(arena, B->n + 1);
  for (int k = 0; k < B->count; ++k) {
    ++c.ptr[B->col[k] + 1];
  }
  for (int j = 0; j < B->n; ++j) {
    c.ptr[j + 1] += c.ptr[j];
    next[j] = c.ptr[j];
  }
  for (int k = 0; k < B->count; ++k) {
    const int at = next[B->col[k]]++;
    c.row[at] = B->row[k];
    c.x[at] = B->x[k];
  }
  return c;
}

/* Column i of B times x. */
static double column_dot(const struct columns *c, int i, const double *x) {
  double sum = 0;
  for (int k = c->ptr[i]; k < c->ptr[i + 1]; ++k) {
    sum += c->x[k] * x[c->row[k]];
  }
  return sum;
}

static int eliminate(const char *file, const struct problem_foreign *f, struct list *list,
                     double *b, struct base_arena *arena) {
  const int N = f->K.m, dim = f->dim, m = dim * f->nc;
  const struct columns c = columns_of(&f->B, arena);
  struct la_system *K = la_system_alloc(N, arena);
  la_system_begin(K);
  for (int k = 0; k < f->K.count; ++k) {
    la_system_add(K, f->K.row[k], f->K.col[k], f->K.x[k]);
  }
  if (la_system_factor(K) != BASE_OK) {
    la_system_free(K);
    return base_fail(BASE_E_INPUT, "%s: %s is singular: the reactions do not determine velocities",
                     file, f->sign > 0 ? "M (with G)" : "R");
  }
  double *x = base_arena_matrix(arena, N, dim);
  memcpy(x, f->g, (size_t)N * sizeof *x);
  la_system_solve(K, 1, x, arena);
  for (int i = 0; i < m; ++i) {
    b[i] += f->sign * column_dot(&c, i, x);
  }
  for (int contact = 0; contact < f->nc; ++contact) {
    memset(x, 0, (size_t)N * (size_t)dim * sizeof *x);
    for (int d = 0; d < dim; ++d) {
      const int j = dim * contact + d;
      for (int k = c.ptr[j]; k < c.ptr[j + 1]; ++k) {
        x[c.row[k] + (long)d * N] += c.x[k];
      }
    }
    la_system_solve(K, dim, x, arena);
    for (int i = 0; i < m; ++i) {
      for (int d = 0; d < dim; ++d) {
        const double w = f->sign * column_dot(&c, i, x + (long)d * N);
        if (w != 0) {
          list_add(list, i, dim * contact + d, w);
        }
      }
    }
  }
  la_system_free(K);
  return BASE_OK;
}

/* ---- block rows ---- */

/* Entries by rows of blocks: `order`, list->n, and `ptr`, nc + 1. */
static size_t *by_rows(const struct list *list, int dim, int nc, size_t *ptr,
                       struct base_arena *arena) {
  size_t *order = base_arena_array(arena, list->n, 1, sizeof *order);
  size_t *next = base_arena_array(arena, (size_t)nc + 1, 1, sizeof *next);
  for (size_t k = 0; k < list->n; ++k) {
    ++ptr[list->at[k].row / dim + 1];
  }
  for (int i = 0; i < nc; ++i) {
    ptr[i + 1] += ptr[i];
    next[i] = ptr[i];
  }
  for (size_t k = 0; k < list->n; ++k) {
    order[next[list->at[k].row / dim]++] = k;
  }
  return order;
}

/* Diagonal blocks are always there: solvers divide by them. */
static int assemble(const char *file, const struct list *list, struct problem_operator *A,
                    struct base_arena *arena) {
  const int dim = A->dim, nc = A->nc, size = dim * dim;
  size_t *ptr = base_arena_array(arena, (size_t)nc + 1, 1, sizeof *ptr);
  const size_t *order = by_rows(list, dim, nc, ptr, arena);
  int *row_ptr = base_arena_ints(arena, nc + 1), *place = base_arena_ints(arena, nc);
  const size_t most = list->n + (size_t)nc;
  if (most > (size_t)(INT_MAX / size)) {
    return base_fail(BASE_E_INPUT, "%s: W has too many entries", file);
  }
  int *col = base_arena_array(arena, most, 1, sizeof *col);
  for (int i = 0; i < nc; ++i) {
    place[i] = -1;
  }
  for (int i = 0; i < nc; ++i) { /* pattern; place: the last row that had the column */
    int n = row_ptr[i];
    col[n++] = i;
    place[i] = i;
    for (size_t k = ptr[i]; k < ptr[i + 1]; ++k) {
      const int j = list->at[order[k]].col / dim;
      if (place[j] != i) {
        place[j] = i;
        col[n++] = j;
      }
    }
    base_sort_ints(n - row_ptr[i], col + row_ptr[i]);
    row_ptr[i + 1] = n;
  }
  double *blocks = base_arena_array(arena, (size_t)row_ptr[nc], (size_t)size, sizeof *blocks);
  for (int i = 0; i < nc; ++i) { /* values; place: of the column in this row */
    for (int e = row_ptr[i]; e < row_ptr[i + 1]; ++e) {
      place[col[e]] = e;
    }
    for (size_t k = ptr[i]; k < ptr[i + 1]; ++k) {
      const struct entry *x = &list->at[order[k]];
      blocks[(long)place[x->col / dim] * size + x->row % dim * dim + x->col % dim] += x->x;
    }
  }
  A->row_ptr = row_ptr;
  A->col = col;
  A->blocks = blocks;
  return BASE_OK;
}

int problem_from_foreign(const char *file, const struct problem_foreign *f,
                         struct base_arena *arena, struct problem *p) {
  const int m = f->dim * f->nc;
  int status = check(file, f);
  if (status != BASE_OK) {
    return status;
  }
  struct list list = {0};
  double *b = base_arena_doubles(arena, m);
  if (m > 0) {
    memcpy(b, f->q, (size_t)m * sizeof *b);
  }
  for (int k = 0; k < f->W.count; ++k) {
    list_add(&list, f->W.row[k], f->W.col[k], f->W.x[k]);
  }
  if (f->sign != 0 && f->K.m > 0) {
    status = eliminate(file, f, &list, b, arena);
  }
  *p = (struct problem){.name = "",
                        .model = {.law = CONTACT_LAW_NCP, .dim = f->dim, .nc = f->nc, .mu = f->mu},
                        .A = {.kind = PROBLEM_OPERATOR_BLOCKS, .dim = f->dim, .nc = f->nc},
                        .b = b};
  status = status != BASE_OK ? status : assemble(file, &list, &p->A, arena);
  free(list.at);
  return status;
}
