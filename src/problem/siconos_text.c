/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Siconos' text form of one-step problems, numbers between blanks:
 *
 *   friction   dim contacts W q mu
 *   global     dim contacts M H q b mu:  M u = H r + q, v = H^T u + b
 *   raw LCP    n M q
 *   a matrix   0 rows cols, rows cols, values by columns
 *              1 rows cols, number of blocks, block rows and columns, their cumulated sizes (rows,
 *              then columns), two counts, row pointers, columns, and of each block its number and
 *              values by columns
 *              2 rows cols 1, a line of CSparse's, "triplet: M-by-N, nzmax: a nnz: b",
 *              and lines "row col : value"
 *
 * (frictionContact_printInFile and the like, NM_write_in_file of Siconos 4.4.) Which of the three
 * it is shows in how the sizes fit; nothing may be left over.
 */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/status.h"
#include "problem/foreign.h"

enum { STORED_DENSE, STORED_BLOCKS, STORED_TRIPLETS };
/* No number takes less than two bytes, its blank included. */
enum { BYTES_A_NUMBER = 2 };

struct reader {
  const char *file, *at, *end;
  struct base_arena *arena;
  int status;
};

static void fail(struct reader *s, const char *what) {
  if (s->status == BASE_OK) {
    const char *c = s->at;
    const int n = (int)strcspn(c, " \t\r\n");
    s->status = base_fail(BASE_E_INPUT, "%s: not Siconos' text form: %s where '%.*s' stands",
                          s->file, what, n > 20 ? 20 : n, c);
  }
}

static void skip_blanks(struct reader *s) {
  while (isspace((unsigned char)*s->at)) {
    ++s->at;
  }
}

static double read_real(struct reader *s) {
  double x = 0;
  const char *rest;
  skip_blanks(s);
  if (s->status == BASE_OK && base_read_real(s->at, &rest, &x) != BASE_OK) {
    fail(s, "a number is wanted");
  } else if (s->status == BASE_OK) {
    s->at = rest;
  }
  return x;
}

static int read_int(struct reader *s, int min, int max) {
  skip_blanks(s);
  char *rest;
  const long x = strtol(s->at, &rest, 10);
  if (s->status == BASE_OK &&
      (rest == s->at || x < min || x > max || (*rest != '\0' && !isspace((unsigned char)*rest)))) {
    fail(s, "a whole number within its range is wanted");
  } else if (s->status == BASE_OK) {
    s->at = rest;
  }
  return s->status == BASE_OK ? (int)x : min;
}

/* A count of numbers to come: what the rest of the text cannot hold must not cost memory. */
static int can_hold(struct reader *s, double count) {
  if (s->status == BASE_OK && !(count * BYTES_A_NUMBER <= (double)(s->end - s->at) + 2)) {
    s->status =
        base_fail(BASE_E_INPUT, "%s: ends before the %.0f numbers it promises", s->file, count);
  }
  return s->status == BASE_OK;
}

static double *read_reals(struct reader *s, int n) {
  double *x = base_arena_doubles(s->arena, can_hold(s, n) ? n : 0);
  for (int i = 0; i < n && s->status == BASE_OK; ++i) {
    x[i] = read_real(s);
  }
  return x;
}

static void skip_words(struct reader *s, const char *last) {
  const char *found = s->status == BASE_OK ? strstr(s->at, last) : NULL;
  if (found == NULL) {
    fail(s, "the header of a list of entries is wanted");
  } else {
    s->at = found + strlen(last);
  }
}

/* ---- matrices ---- */

static void entries_alloc(struct reader *s, struct problem_entries *e, int **row, int **col,
                          double **x, double count) {
  e->count = can_hold(s, count) && count <= INT_MAX ? (int)count : 0;
  e->row = *row = base_arena_ints(s->arena, e->count);
  e->col = *col = base_arena_ints(s->arena, e->count);
  e->x = *x = base_arena_doubles(s->arena, e->count);
}

static void read_dense(struct reader *s, struct problem_entries *e) {
  int *row, *col;
  double *x;
  read_int(s, e->m, e->m);
  read_int(s, e->n, e->n);
  entries_alloc(s, e, &row, &col, &x, (double)e->m * e->n);
  for (int k = 0; k < e->count && s->status == BASE_OK; ++k) {
    row[k] = k % e->m;
    col[k] = k / e->m;
    x[k] = read_real(s);
  }
}

static int *read_ints(struct reader *s, int n, int max) {
  int *x = base_arena_ints(s->arena, can_hold(s, n) ? n : 0);
  for (int i = 0; i < n && s->status == BASE_OK; ++i) {
    x[i] = read_int(s, 0, max);
  }
  return x;
}

/* Cumulated sizes: ascending, to the whole. */
static int *read_sizes(struct reader *s, int n, int whole) {
  int *x = read_ints(s, n, whole);
  for (int i = 0; i < n && s->status == BASE_OK; ++i) {
    if (x[i] <= (i > 0 ? x[i - 1] : 0) || (i == n - 1 && x[i] != whole)) {
      fail(s, "cumulated sizes of blocks are wanted before");
    }
  }
  return x;
}

static void read_blocks(struct reader *s, struct problem_entries *e) {
  const int count = read_int(s, 0, INT_MAX / 2);
  const int rows = read_int(s, 0, e->m), cols = read_int(s, 0, e->n);
  const int *row_end = read_sizes(s, rows, e->m), *col_end = read_sizes(s, cols, e->n);
  const int pointers = read_int(s, 0, rows + 1), indices = read_int(s, 0, INT_MAX / 2);
  const int *ptr = read_ints(s, pointers, count), *index = read_ints(s, indices, cols - 1);
  int *row, *col;
  double *x, total = 0;
  if (s->status == BASE_OK && (indices != count || pointers < 1 || ptr[pointers - 1] != count)) {
    fail(s, "row pointers of all blocks are wanted before");
  }
  for (int i = 0; s->status == BASE_OK && i + 1 < pointers; ++i) {
    for (int k = ptr[i]; k < ptr[i + 1]; ++k) {
      const int j = index[k];
      total += (double)(row_end[i] - (i > 0 ? row_end[i - 1] : 0)) *
               (col_end[j] - (j > 0 ? col_end[j - 1] : 0));
    }
    if (ptr[i + 1] < ptr[i]) {
      fail(s, "row pointers that ascend are wanted before");
    }
  }
  entries_alloc(s, e, &row, &col, &x, s->status == BASE_OK ? total : 0);
  int n = 0;
  for (int i = 0; s->status == BASE_OK && i + 1 < pointers; ++i) {
    const int top = i > 0 ? row_end[i - 1] : 0, height = row_end[i] - top;
    for (int k = ptr[i]; k < ptr[i + 1] && s->status == BASE_OK; ++k) {
      const int j = index[k], left = j > 0 ? col_end[j - 1] : 0, width = col_end[j] - left;
      read_int(s, k, k);
      for (int a = 0; a < height * width && s->status == BASE_OK; ++a) {
        row[n] = top + a % height;
        col[n] = left + a / height;
        x[n++] = read_real(s);
      }
    }
  }
}

static void read_triplets(struct reader *s, struct problem_entries *e) {
  int *row, *col;
  double *x;
  skip_blanks(s);
  if (*s->at != '1') {
    fail(s, "a matrix kept as triplets is wanted, the other sparse forms are not read,");
    return;
  }
  skip_words(s, "triplet:");
  skip_words(s, "nnz:");
  entries_alloc(s, e, &row, &col, &x, read_int(s, 0, INT_MAX / 2));
  for (int k = 0; k < e->count && s->status == BASE_OK; ++k) {
    row[k] = read_int(s, 0, e->m - 1);
    col[k] = read_int(s, 0, e->n - 1);
    skip_blanks(s);
    if (*s->at == ':') {
      ++s->at;
      x[k] = read_real(s);
    } else {
      fail(s, "':' is wanted");
    }
  }
}

static struct problem_entries read_matrix(struct reader *s) {
  struct problem_entries e = {0};
  const int stored = read_int(s, STORED_DENSE, STORED_TRIPLETS);
  e.m = read_int(s, 0, INT_MAX / 4);
  e.n = read_int(s, 0, INT_MAX / 4);
  if (s->status == BASE_OK) {
    (stored == STORED_DENSE    ? read_dense
     : stored == STORED_BLOCKS ? read_blocks
                               : read_triplets)(s, &e);
  }
  return e;
}

/* ---- problems ---- */

static long count_words(const char *text) {
  long n = 0;
  for (const char *c = text; *c != '\0'; ++n) {
    c += strspn(c, " \t\r\n");
    const size_t length = strcspn(c, " \t\r\n");
    if (length == 0) {
      break;
    }
    c += length;
  }
  return n;
}

static int read_friction(struct reader *s, struct problem *p) {
  enum { HEADER_LEAST = 3 }; /* of a matrix */
  struct problem_foreign f = {0};
  f.dim = read_int(s, 2, 3);
  f.nc = read_int(s, 0, INT_MAX / 16);
  const int m = f.dim * f.nc;
  f.W = read_matrix(s);
  /* Behind the matrix follow q and mu; of a global problem one more matrix and vector. */
  const int fits = f.W.m == m && f.W.n == m;
  if (s->status == BASE_OK && (!fits || count_words(s->at) >= (long)m + f.nc + HEADER_LEAST)) {
    f.K = f.W;
    f.W = (struct problem_entries){0};
    f.sign = 1;
    f.B = read_matrix(s);
    f.g = read_reals(s, f.K.m);
  }
  f.q = read_reals(s, m);
  f.mu = read_reals(s, f.nc);
  skip_blanks(s);
  if (s->status == BASE_OK && *s->at != '\0') {
    fail(s, "the end is wanted");
  }
  return s->status != BASE_OK ? s->status : problem_from_foreign(s->file, &f, s->arena, p);
}

static int read_lcp(struct reader *s, struct problem *p) {
  const int n = read_int(s, 0, PROBLEM_DENSE_MAX);
  const struct problem_entries M = read_matrix(s);
  double *q = read_reals(s, n);
  skip_blanks(s);
  if (s->status == BASE_OK && (*s->at != '\0' || M.m != n || M.n != n)) {
    fail(s, "a square matrix, a vector and the end are wanted");
  }
  if (s->status != BASE_OK) {
    return s->status;
  }
  double *a = base_arena_matrix(s->arena, n, n);
  for (int k = 0; k < M.count; ++k) {
    a[M.row[k] + (long)M.col[k] * n] += M.x[k];
  }
  *p = problem_of_lcp(n, a, q, s->arena);
  return BASE_OK;
}

int problem_read_siconos(const char *file, const char *text, struct base_arena *arena,
                         struct problem *p) {
  struct reader s = {.file = file, .at = text, .end = text + strlen(text), .arena = arena};
  /* "n storage n n" is an LCP, "dim contacts storage m n" anything else. */
  struct reader ahead = s;
  int head[4];
  for (int k = 0; k < 4; ++k) {
    head[k] = read_int(&ahead, 0, INT_MAX);
  }
  const int is_lcp = ahead.status == BASE_OK && head[2] == head[0] && head[3] == head[0] &&
                     head[1] <= STORED_TRIPLETS &&
                     !(head[0] <= 3 && head[2] <= STORED_TRIPLETS && head[3] == head[0] * head[1]);
  return is_lcp ? read_lcp(&s, p) : read_friction(&s, p);
}
