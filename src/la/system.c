/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems by entries; see system.h. The sparse form keeps its entries as triplets, which UMFPACK
 * sorts into columns; no refinement, since what is solved here is corrected by the next iteration
 * of Newton's method.
 */
#include "la/system.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <suitesparse/umfpack.h>

#include "base/status.h"
#include "la/dense.h"

/* Dense factors up to this order: a sparse one has overheads of some 100 microseconds. */
enum { SYSTEM_DENSE = 120 };

struct la_system {
  int n, is_factored;
  struct la_system_count count;
  struct base_arena *store; /* of the entries, and of the columns made of them */
  /* dense */
  double *A, *LU; /* n x n */
  int *piv;
  /* sparse */
  int entries, capacity;
  int *row, *col;
  double *value;
  int *col_ptr, *sorted; /* n + 1, entries */
  double *sum;
  void *numeric;
};

struct la_system *la_system_alloc(int n, struct base_arena *arena) {
  struct la_system *s = base_arena_push(arena, sizeof *s);
  *s = (struct la_system){.n = n, .store = base_arena_child(arena)};
  if (n <= SYSTEM_DENSE) {
    s->A = base_arena_matrix(s->store, n, n);
    s->LU = base_arena_matrix(s->store, n, n);
    s->piv = base_arena_ints(s->store, n);
  } else {
    s->col_ptr = base_arena_ints(s->store, n + 1);
  }
  return s;
}

void la_system_free(struct la_system *s) {
  if (s != NULL) {
    umfpack_di_free_numeric(&s->numeric);
  }
}

void la_system_begin(struct la_system *s) {
  s->is_factored = 0;
  s->entries = 0;
  if (s->A != NULL) {
    memset(s->A, 0, (size_t)s->n * (size_t)s->n * sizeof *s->A);
  }
}

/* Twice the room; outgrown arrays stay, together no larger than the last. */
static void grow(struct la_system *s, int capacity) {
  const struct la_system old = *s;
  const size_t n = (size_t)s->entries, room = (size_t)capacity;
  s->capacity = capacity;
  s->row = base_arena_push(s->store, room * sizeof *s->row);
  s->col = base_arena_push(s->store, room * sizeof *s->col);
  s->value = base_arena_push(s->store, room * sizeof *s->value);
  s->sorted = base_arena_push(s->store, room * sizeof *s->sorted);
  s->sum = base_arena_push(s->store, room * sizeof *s->sum);
  if (n > 0) {
    memcpy(s->row, old.row, n * sizeof *s->row);
    memcpy(s->col, old.col, n * sizeof *s->col);
    memcpy(s->value, old.value, n * sizeof *s->value);
  }
}

void la_system_add(struct la_system *s, int i, int j, double value) {
  if (s->A != NULL) {
    s->A[(size_t)j * (size_t)s->n + (size_t)i] += value;
    return;
  }
  if (s->entries == s->capacity) {
    grow(s, s->capacity > 0 ? 2 * s->capacity : 32 * s->n);
  }
  s->row[s->entries] = i;
  s->col[s->entries] = j;
  s->value[s->entries++] = value;
}

void la_system_leave_out(struct la_system *s, const int *is_out) {
  const int n = s->n, entries = s->entries;
  s->entries = 0;
  for (int e = 0; e < entries; ++e) {
    if (!is_out[s->row[e]] && !is_out[s->col[e]]) {
      s->row[s->entries] = s->row[e];
      s->col[s->entries] = s->col[e];
      s->value[s->entries++] = s->value[e];
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n && s->A != NULL; ++i) {
      if (is_out[i] || is_out[j]) {
        s->A[(size_t)j * (size_t)n + (size_t)i] = 0;
      }
    }
    if (is_out[j]) {
      la_system_add(s, j, j, 1);
    }
  }
}

static int factor_dense(struct la_system *s) {
  la_copy(s->n * s->n, s->A, s->LU);
  if (!la_all_finite(s->n * s->n, s->A)) {
    return base_fail(BASE_FAILED, "LU: matrix of order %d is not finite", s->n);
  }
  return la_lu_factor(s->n, s->LU, s->piv);
}

static int factor_sparse(struct la_system *s) {
  void *symbolic = NULL;
  umfpack_di_free_numeric(&s->numeric);
  if (!la_all_finite(s->entries, s->value)) {
    return base_fail(BASE_FAILED, "sparse LU: matrix of order %d is not finite", s->n);
  }
  int status = umfpack_di_triplet_to_col(s->n, s->n, s->entries, s->row, s->col, s->value,
                                         s->col_ptr, s->sorted, s->sum, NULL);
  if (status == UMFPACK_OK) {
    status = umfpack_di_symbolic(s->n, s->n, s->col_ptr, s->sorted, s->sum, &symbolic, NULL, NULL);
  }
  if (status == UMFPACK_OK) {
    status = umfpack_di_numeric(s->col_ptr, s->sorted, s->sum, symbolic, &s->numeric, NULL, NULL);
  }
  umfpack_di_free_symbolic(&symbolic);
  if (status != UMFPACK_OK) { /* singular is a warning, greater than zero */
    umfpack_di_free_numeric(&s->numeric);
    return base_fail(BASE_FAILED,
                     status == UMFPACK_ERROR_out_of_memory
                         ? "sparse LU of order %d: out of memory"
                         : "sparse LU: matrix of order %d is singular",
                     s->n);
  }
  return BASE_OK;
}

long la_system_entries(const struct la_system *s) {
  if (s->A != NULL) {
    return (long)s->n * s->n;
  }
  int lower = 0, upper = 0, rows, columns, diagonal;
  if (s->numeric != NULL) {
    umfpack_di_get_lunz(&lower, &upper, &rows, &columns, &diagonal, s->numeric);
  }
  return (long)lower + upper;
}

int la_system_factor(struct la_system *s) {
  const int status = s->A != NULL ? factor_dense(s) : factor_sparse(s);
  s->is_factored = status == BASE_OK;
  ++s->count.factored;
  return status;
}

struct la_system_count la_system_counted(const struct la_system *s) {
  return s->count;
}

void la_system_solve(struct la_system *s, int nrhs, double *X, struct base_arena *arena) {
  s->count.solved += nrhs;
  if (s->A != NULL) {
    la_lu_solve(s->n, nrhs, s->LU, s->piv, X);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double control[UMFPACK_CONTROL];
  int *pattern = base_arena_ints(arena, s->n);
  double *work = base_arena_doubles(arena, s->n), *x = base_arena_doubles(arena, s->n);
  umfpack_di_defaults(control);
  control[UMFPACK_IRSTEP] = 0;
  for (int k = 0; k < nrhs; ++k) {
    double *b = X + (size_t)k * (size_t)s->n;
    if (umfpack_di_wsolve(UMFPACK_A, s->col_ptr, s->sorted, s->sum, x, b, s->numeric, control, NULL,
                          pattern, work) != UMFPACK_OK) {
      for (int i = 0; i < s->n; ++i) {
        x[i] = NAN; /* seen by whoever looks at the solution */
      }
    }
    la_copy(s->n, x, b);
  }
  base_arena_release(arena, mark);
}

void la_system_apply(const struct la_system *s, const double *x, double *y) {
  if (s->A != NULL) {
    la_gemv(s->n, s->n, 1, s->A, x, 0, y);
    return;
  }
  memset(y, 0, (size_t)s->n * sizeof *y);
  for (int e = 0; e < s->entries; ++e) {
    y[s->row[e]] += s->value[e] * x[s->col[e]];
  }
}

static void pass_doubles(struct base_blob *blob, double *x, size_t n) {
  base_blob_reals(blob, x, n);
}

void la_system_pass(struct la_system *s, struct base_blob *blob) {
  base_blob_pass(blob, &s->is_factored, sizeof s->is_factored);
  if (s->A != NULL) {
    pass_doubles(blob, s->A, (size_t)s->n * (size_t)s->n);
  } else {
    const int entries = (int)base_blob_count(blob, s->entries, INT_MAX, sizeof *s->value);
    if (blob->reading) {
      s->entries = 0;
      if (entries > s->capacity) {
        grow(s, entries);
      }
      s->entries = entries;
    }
    base_blob_pass(blob, s->row, (size_t)entries * sizeof *s->row);
    base_blob_pass(blob, s->col, (size_t)entries * sizeof *s->col);
    pass_doubles(blob, s->value, (size_t)entries);
  }
  if (blob->reading && blob->status == BASE_OK && s->is_factored) {
    for (int e = 0; e < s->entries; ++e) { /* what is read may be anything */
      if (s->row[e] < 0 || s->row[e] >= s->n || s->col[e] < 0 || s->col[e] >= s->n) {
        blob->status = base_fail(BASE_E_INPUT, "a matrix has an entry outside");
        return;
      }
    }
    s->is_factored = la_system_factor(s) == BASE_OK;
  }
}
