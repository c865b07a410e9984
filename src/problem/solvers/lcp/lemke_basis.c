/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bases and pivots of Lemke's method; see lemke_basis.h. A pivot changes R and C by one each at
 * most, and K by a rank-one term:
 *
 *   z_e for w_i   K' = [K + t_C v / s, -t_C / s; -v / s, 1 / s],  v = G_iC K,  s = -t_wi
 *   w_k for z_c   K' = K - K_:k K_c: / K_ck without row c and column k
 *   z_e for z_c   row c over t_c, then the other rows less t times it
 *   w_k for w_i   column k over v_k, then the other columns less v times it
 *
 * Ratio tests are lexicographic in the rows of [q, B^-1 B_0], B_0 the basis at the beginning
 * (Cottle, Pang, Stone, 4.9), so that no basis comes twice.
 */
#include "problem/solvers/lcp/lemke_basis.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"

/* Values, max |q| = 1, that differ by less count as equal in a ratio test. Just above the round-off
 * of refined values: measured on 1e5 contact problems, 1e-12 confuses values that differ where
 * masses differ by 1e12, and 1e-17 takes round-off for an order and ends on false rays. */
static const double TIE = 1e-14;
/* A first basis whose LU pivots fall below this part of the largest is not used. */
static const double BEGIN_PIVOT = 1e-12;

void lemke_basis_alloc(struct lemke_basis *s, int n, struct base_arena *arena) {
  *s = (struct lemke_basis){.n = n};
  s->G = base_arena_matrix(arena, n, n + 1);
  s->K = base_arena_matrix(arena, n, n);
  s->B = base_arena_matrix(arena, n, n);
  s->q = base_arena_doubles(arena, n);
  s->x = base_arena_matrix(arena, 2, n);
  s->t = base_arena_matrix(arena, 2, n);
  s->y = base_arena_doubles(arena, n);
  s->lex = base_arena_doubles(arena, n);
  s->C = base_arena_ints(arena, n + 1);
  s->at = base_arena_ints(arena, n + 1);
  s->R = base_arena_ints(arena, n);
  s->row_slot = base_arena_ints(arena, n);
  s->first = base_arena_ints(arena, n);
  s->piv = base_arena_ints(arena, n);
  s->tied = base_arena_ints(arena, n);
  for (int j = 0; j <= n; ++j) {
    s->C[j] = s->at[j] = j;
  }
}

/* Columns a and b of G change places. */
static void swap_columns(struct lemke_basis *s, int a, int b) {
  const int at_a = s->C[a], at_b = s->C[b];
  for (int i = 0; a != b && i < s->n; ++i) {
    double *row = s->G + (size_t)i * (size_t)(s->n + 1);
    const double keep = row[a];
    row[a] = row[b];
    row[b] = keep;
  }
  s->C[a] = at_b;
  s->C[b] = at_a;
  s->at[at_a] = b;
  s->at[at_b] = a;
}

static const double *row_of(const struct lemke_basis *s, int i) {
  return s->G + (size_t)i * (size_t)(s->n + 1);
}

static double *column_of(const struct lemke_basis *s, int slot) {
  return s->K + (size_t)slot * (size_t)s->n;
}

/* y_C += K b, b: m. */
static void add_K(const struct lemke_basis *s, const double *b, double *y) {
  for (int r = 0; r < s->m; ++r) {
    if (b[r] != 0) {
      la_axpy(s->m, b[r], column_of(s, r), y);
    }
  }
}

/* sums[0] = G_iC x_C, sums[1] = G_iC t_C, in extended precision. */
static void row_sums(const struct lemke_basis *s, int i, long double sums[2]) {
  const double *g = row_of(s, i), *x = s->x, *t = s->t;
  long double x_even = 0, t_even = 0, x_odd = 0, t_odd = 0;
  int c = 0;
  for (; c + 1 < s->m; c += 2) {
    const long double a = g[c], b = g[c + 1];
    x_even += a * x[c];
    t_even += a * t[c];
    x_odd += b * x[c + 1];
    t_odd += b * t[c + 1];
  }
  if (c < s->m) {
    x_even += (long double)g[c] * x[c];
    t_even += (long double)g[c] * t[c];
  }
  sums[0] = x_even + x_odd;
  sums[1] = t_even + t_odd;
}

/* Right-hand side of t: column g of an entering z; for w_k minus its unit vector. */
static double entering_row(const struct lemke_basis *s, int entering, int i) {
  return entering >= s->n ? *lemke_basis_entry(s, i, entering - s->n) : (i == entering ? -1 : 0);
}

/* x_C and t_C once refined, then x_w and t_w from them. */
static void refine(struct lemke_basis *s, int entering) {
  const int n = s->n, m = s->m;
  long double sums[2];
  for (int r = 0; r < m; ++r) {
    const int i = s->R[r];
    row_sums(s, i, sums);
    s->lex[r] = (double)(-(long double)s->q[i] - sums[0]);
    s->y[r] = (double)((long double)entering_row(s, entering, i) - sums[1]);
  }
  add_K(s, s->lex, s->x);
  add_K(s, s->y, s->t);
  for (int i = 0; i < n; ++i) {
    if (s->row_slot[i] < 0) {
      row_sums(s, i, sums);
      s->x[n + i] = (double)((long double)s->q[i] + sums[0]);
      s->t[n + i] = (double)(sums[1] - (long double)entering_row(s, entering, i));
    }
  }
}

void lemke_basis_column(struct lemke_basis *s, int entering) {
  memset(s->t, 0, (size_t)s->m * sizeof *s->t);
  if (entering < s->n) {
    la_axpy(s->m, -1, column_of(s, s->row_slot[entering]), s->t);
  } else {
    for (int r = 0; r < s->m; ++r) {
      s->y[r] = entering_row(s, entering, s->R[r]);
    }
    add_K(s, s->y, s->t);
  }
  refine(s, entering);
}

int lemke_basis_refresh(struct lemke_basis *s) {
  const int m = s->m;
  for (int c = 0; c < m; ++c) {
    for (int r = 0; r < m; ++r) {
      s->B[(long)c * m + r] = row_of(s, s->R[r])[c];
    }
  }
  s->since_refresh = 0;
  if (m > 0 && la_lu_factor(m, s->B, s->piv) != BASE_OK) {
    return base_fail(BASE_FAILED, "lemke: singular basis");
  }
  for (int r = 0; r < m; ++r) {
    double *k = column_of(s, r);
    memset(k, 0, (size_t)m * sizeof *k);
    k[r] = 1;
    la_lu_solve(m, 1, s->B, s->piv, k);
    s->y[r] = -s->q[s->R[r]];
  }
  memset(s->x, 0, (size_t)m * sizeof *s->x);
  add_K(s, s->y, s->x);
  return BASE_OK;
}

int lemke_basis_begin(struct lemke_basis *s, int count, const int *set) {
  const int n = s->n;
  for (int i = 0; i < n; ++i) {
    s->row_slot[i] = -1;
    s->first[i] = i;
  }
  s->m = count;
  for (int c = 0; c < count; ++c) {
    swap_columns(s, s->at[set[c]], c);
    s->R[c] = set[c];
    s->row_slot[set[c]] = c;
    s->first[set[c]] = n + set[c];
  }
  const int status = lemke_basis_refresh(s);
  double largest = 0, least = INFINITY;
  for (int c = 0; status == BASE_OK && c < count; ++c) {
    const double pivot = fabs(s->B[c * (count + 1)]);
    largest = fmax(largest, pivot);
    least = fmin(least, pivot);
  }
  if (count > 0 && !(least > BEGIN_PIVOT * largest)) {
    return base_fail(BASE_FAILED, "lemke: no basis to begin with");
  }
  return status;
}

/* ---- Ratio tests ---- */

/* Column j of B^-1 B_0 over C into s->lex. Returns -1, or the candidate of which it is the unit
 * vector. */
static int order_column(struct lemke_basis *s, int j) {
  const int n = s->n, var = s->first[j];
  memset(s->lex, 0, (size_t)s->m * sizeof *s->lex);
  if (var < n) {
    if (s->row_slot[var] < 0) {
      return n + var;
    }
    la_axpy(s->m, -1, column_of(s, s->row_slot[var]), s->lex);
    return -1;
  }
  if (s->at[var - n] < s->m) {
    return s->at[var - n];
  }
  for (int r = 0; r < s->m; ++r) {
    s->y[r] = *lemke_basis_entry(s, s->R[r], var - n);
  }
  add_K(s, s->y, s->lex);
  return -1;
}

/* Entry of the column for a candidate; unit: what order_column returned. */
static double order_entry(const struct lemke_basis *s, int j, int unit, int candidate) {
  const int n = s->n;
  if (unit >= 0) {
    return candidate == unit;
  }
  if (candidate < n) {
    return s->lex[candidate];
  }
  const double own = s->first[j] >= n ? *lemke_basis_entry(s, candidate - n, s->first[j] - n) : 0;
  return la_dot(s->m, row_of(s, candidate - n), s->lex) - own;
}

/* Keep the tied candidates whose ratio a / t is least, within round-off; a: one value a candidate,
 * in the order of s->tied. */
static int tie_filter(struct lemke_basis *s, int count, double *a) {
  const double *t = s->t;
  int best = 0, kept = 0;
  for (int c = 1; c < count; ++c) {
    if (a[c] * t[s->tied[best]] - a[best] * t[s->tied[c]] < 0) {
      best = c;
    }
  }
  const double a_best = a[best], t_best = t[s->tied[best]];
  for (int c = 0; c < count; ++c) {
    const double t_c = t[s->tied[c]];
    const double noise = TIE * ((1 + fabs(a[c])) * t_best + (1 + fabs(a_best)) * t_c);
    if (a[c] * t_best - a_best * t_c <= noise) {
      s->tied[kept++] = s->tied[c];
    }
  }
  return kept;
}

static int is_basic(const struct lemke_basis *s, int candidate) {
  return candidate < s->n ? candidate < s->m : s->row_slot[candidate - s->n] < 0;
}

double lemke_basis_largest(const struct lemke_basis *s, const double *y) {
  double largest = 0;
  for (int i = 0; i < 2 * s->n; ++i) {
    if (is_basic(s, i) && fabs(y[i]) > largest) {
      largest = fabs(y[i]);
    }
  }
  return largest;
}

int lemke_basis_leaving(struct lemke_basis *s, double pivot_tol) {
  const int n = s->n;
  const double least = pivot_tol * lemke_basis_largest(s, s->t);
  double *a = s->y;
  int count = 0;
  for (int i = 0; i < 2 * n; ++i) {
    if (is_basic(s, i) && s->t[i] > least) {
      a[count] = s->x[i];
      s->tied[count++] = i;
    }
  }
  if (count == 0) {
    return -1;
  }
  count = tie_filter(s, count, a);
  for (int c = 0; c < count; ++c) {
    if (s->tied[c] == s->at[n]) { /* z0, which is basic until it leaves */
      return s->tied[c]; /* z0 = 0 is reached: a solution, whatever the order of the others */
    }
  }
  for (int j = 0; j < n && count > 1; ++j) {
    const int unit = order_column(s, j);
    for (int c = 0; c < count; ++c) {
      a[c] = order_entry(s, j, unit, s->tied[c]);
    }
    count = tie_filter(s, count, a);
  }
  return s->tied[0];
}

int lemke_basis_leaving_first(const struct lemke_basis *s) {
  int best = -1;
  for (int i = 0; i < s->n; ++i) { /* by place: where w_i or z_i is basic */
    const int at = s->row_slot[i] < 0 ? s->n + i : s->at[i];
    /* among equals the later row: its unit vector is the lexicographically lesser */
    if (best < 0 || s->x[at] * -s->t[best] <= s->x[best] * -s->t[at]) {
      best = at;
    }
  }
  return best;
}

/* ---- Pivots ---- */

/* Row i of G over C times K, into s->lex. */
static void row_times_K(struct lemke_basis *s, int i) {
  for (int r = 0; r < s->m; ++r) {
    s->lex[r] = la_dot(s->m, row_of(s, i), column_of(s, r));
  }
}

/* z_e in, w_i out: R and C grow. */
static void grow(struct lemke_basis *s, int e, int i) {
  const int m = s->m;
  const double inverse = -1 / s->t[s->n + i];
  row_times_K(s, i);
  for (int r = 0; r < m; ++r) {
    double *k = column_of(s, r);
    la_axpy(m, s->lex[r] * inverse, s->t, k);
    k[m] = -s->lex[r] * inverse;
  }
  double *k = column_of(s, m);
  for (int c = 0; c < m; ++c) {
    k[c] = -s->t[c] * inverse;
  }
  k[m] = inverse;
  s->R[m] = i;
  s->row_slot[i] = m;
  swap_columns(s, s->at[e], m);
  s->m = m + 1;
}

/* w_k in, the variable of slot c out: R and C shrink, the last ones taking the free places. */
static void shrink(struct lemke_basis *s, int k, int c) {
  const int m = s->m, last = m - 1, r = s->row_slot[k];
  const double *leaving = column_of(s, r);
  const double inverse = 1 / leaving[c];
  for (int j = 0; j < m; ++j) {
    double *column = column_of(s, j);
    if (j != r) {
      la_axpy(m, -column[c] * inverse, leaving, column);
      column[c] = column[last];
    }
  }
  if (r != last) {
    la_copy(m, column_of(s, last), column_of(s, r));
  }
  s->row_slot[k] = -1;
  if (r != last) {
    s->R[r] = s->R[last];
    s->row_slot[s->R[r]] = r;
  }
  swap_columns(s, c, last);
  s->x[c] = s->x[last];
  s->m = last;
}

/* z_e in, the variable of slot c out. */
static void replace_column(struct lemke_basis *s, int e, int c) {
  const double inverse = 1 / s->t[c], t_c = s->t[c];
  s->t[c] = 0;
  for (int r = 0; r < s->m; ++r) {
    double *k = column_of(s, r);
    k[c] *= inverse;
    la_axpy(s->m, -k[c], s->t, k);
  }
  s->t[c] = t_c;
  swap_columns(s, s->at[e], c);
}

/* w_k in, w_i out. */
static void replace_row(struct lemke_basis *s, int k, int i) {
  const int r = s->row_slot[k];
  row_times_K(s, i);
  double *column = column_of(s, r);
  for (int c = 0; c < s->m; ++c) {
    column[c] /= s->lex[r];
  }
  for (int j = 0; j < s->m; ++j) {
    if (j != r) {
      la_axpy(s->m, -s->lex[j], column, column_of(s, j));
    }
  }
  s->row_slot[k] = -1;
  s->R[r] = i;
  s->row_slot[i] = r;
}

int lemke_basis_pivot(struct lemke_basis *s, int entering, int leaving) {
  const int n = s->n, left = leaving >= n ? leaving - n : s->C[leaving] + n;
  const double step = s->x[leaving] / s->t[leaving];
  la_axpy(s->m, -step, s->t, s->x);
  if (entering >= n && leaving >= n) {
    s->x[s->m] = step;
    grow(s, entering - n, leaving - n);
  } else if (entering < n && leaving < n) {
    shrink(s, entering, leaving);
  } else if (entering >= n) {
    s->x[leaving] = step;
    replace_column(s, entering - n, leaving);
  } else {
    replace_row(s, entering, leaving - n);
  }
  ++s->since_refresh;
  return left;
}
