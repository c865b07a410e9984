/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forces (or impulses) of contacts whose modes are known, w = A r + b, and their distribution where
 * the modes leave that open (see event.h).
 *
 * Unknowns x, one a row: all components of a sticking contact, r_N alone of a sliding one, r = F x
 * with the column W_N - mu W_T d of a sliding contact; equations w = 0 in the same rows, K x = y
 * with K = A_rows F. With G = A_rows,rows (symmetric) redundant contacts, such as four feet of a
 * rigid box, leave both singular, and x undetermined. Chosen is the limit of contacts that are
 * springs of equal and growing stiffness (k + 1/eps, eps -> 0),
 *
 *   (K + eps 1) x = y  ->  x in range G,   x = Q (Q^T K Q)^-1 Q^T y,   range Q = range G:
 *
 * it is smooth in time, symmetric where the problem is, and the least norm where nothing slides.
 *
 * Moments at a light inertia make K ill-conditioned: of a box of 1 kg and 1e-9 kg m^2 on four feet
 * the sum of r_N has 8 digits. What is left of w is therefore taken as W^T (X r) + b, and solved
 * for once more (iterative refinement): the rounding of X r is that of accelerations of the body,
 * whose w all contacts see alike, and it changes r by no more than a moment's last digit.
 *
 * Directions of contacts that begin to slide are found by Newton's method on their angles, from
 * d_i x w_T,i = 0 of all of them together.
 */
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event/event.h"
#include "la/dense.h"

/* Directions: iterations, the largest step [rad], and a step that is round-off. */
enum { ANGLE_ITERATIONS = 30, ANGLE_HALVINGS = 6 };
static const double ANGLE_STEP = 0.5, ANGLE_ZERO = 1e-15;

/* x: n = a solution of K x = y for a square K, of least norm where K is singular. */
static void solve_least_norm(int n, const double *K, const double *y, double *x,
                             struct base_arena *arena) {
  if (n == 0 || !la_all_finite((long)n * n, K)) { /* the decomposition would not end */
    memset(x, 0, (size_t)n * sizeof *x);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  /* Row-major for GSL: the transpose of what is stored, so U and V change places. */
  double *U = base_arena_matrix(arena, n, n), *V = base_arena_matrix(arena, n, n);
  double *s = base_arena_doubles(arena, n), *work = base_arena_doubles(arena, n);
  la_copy((long)n * n, K, U);
  gsl_matrix_view u = gsl_matrix_view_array(U, (size_t)n, (size_t)n);
  gsl_matrix_view v = gsl_matrix_view_array(V, (size_t)n, (size_t)n);
  gsl_vector_view sv = gsl_vector_view_array(s, (size_t)n);
  gsl_vector_view wv = gsl_vector_view_array(work, (size_t)n);
  gsl_linalg_SV_decomp(&u.matrix, &v.matrix, &sv.vector, &wv.vector); /* K^T = U S V^T */
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      sum += V[(long)k * n + i] * y[k];
    }
    work[i] = s[i] > EVENT_SINGULAR * s[0] ? sum / s[i] : 0;
  }
  for (int k = 0; k < n; ++k) {
    x[k] = 0;
    for (int i = 0; i < n; ++i) {
      x[k] += U[(long)k * n + i] * work[i];
    }
  }
  base_arena_release(arena, mark);
}

/* The unknowns and their equations. */
struct rows {
  int k, rank; /* rank of G */
  int *row;    /* k, component of r and w */
  double *F;   /* size x k */
  double *AF;  /* size x k */
  double *K;   /* k x k */
  double *Q;   /* k x rank, NULL: all of them independent */
  double *LU;  /* of K or Q^T K Q; NULL: singular all the same */
  int *piv;
};

int event_rows(const struct event_closed *c, int *row) {
  int k = 0;
  for (int i = 0; i < c->n; ++i) {
    const int components = c->mode[i] == EVENT_OPEN ? 0 : c->mode[i] == EVENT_SLIDE ? 1 : c->dim;
    for (int d = 0; d < components; ++d) {
      row[k++] = i * c->dim + d;
    }
  }
  return k;
}

void event_columns(const struct event_closed *c, int k, const int *row, double *F) {
  const int size = c->dim * c->n;
  for (int j = 0; j < k; ++j) {
    const int i = row[j] / c->dim;
    F[event_at(j, size, row[j])] = 1;
    for (int e = 1; c->mode[i] == EVENT_SLIDE && e < c->dim; ++e) {
      F[event_at(j, size, i * c->dim + e)] = -c->mu[i] * c->direction[i * (c->dim - 1) + e - 1];
    }
  }
}

/* LU of a k x k matrix in s->LU, or NULL there. */
static void factor_lu(struct rows *s, int k, const double *K, struct base_arena *arena) {
  s->LU = base_arena_matrix(arena, k, k);
  s->piv = base_arena_ints(arena, k);
  la_copy((long)k * k, K, s->LU);
  const double scale = la_norm_inf((long)k * k, K);
  int regular = scale > 0 && la_lu_factor(k, s->LU, s->piv) == BASE_OK;
  for (int i = 0; i < k && regular; ++i) {
    regular = fabs(s->LU[event_at(i, k, i)]) > EVENT_SINGULAR * scale;
  }
  s->LU = regular ? s->LU : NULL;
}

/* Q: k x rank, an orthonormal basis of the range of G, from its pivoted Cholesky factor. */
static void find_range(struct rows *s, const double *L, const int *perm, struct base_arena *arena) {
  s->Q = base_arena_matrix(arena, s->k, s->rank);
  for (int j = 0; j < s->rank; ++j) {
    double *q = s->Q + event_at(j, s->k, 0);
    for (int i = j; i < s->k; ++i) {
      q[perm[i]] = L[event_at(j, s->k, i)];
    }
    for (int l = 0; l < j; ++l) {
      const double *known = s->Q + event_at(l, s->k, 0);
      la_axpy(s->k, -la_dot(s->k, known, q), known, q);
    }
    const double size = la_norm2(s->k, q);
    for (int i = 0; i < s->k; ++i) {
      q[i] /= size;
    }
  }
}

/* Factors of s->K in the range of G, which is overwritten. */
static void factor_in_range(struct rows *s, double *G, struct base_arena *arena) {
  const int k = s->k;
  int *perm = base_arena_ints(arena, k);
  s->Q = s->LU = NULL;
  s->rank = la_pchol_factor(k, G, perm, EVENT_SINGULAR);
  if (s->rank == k) {
    factor_lu(s, k, s->K, arena);
  } else if (s->rank > 0) {
    find_range(s, G, perm, arena);
    double *KQ = base_arena_matrix(arena, k, s->rank);
    double *reduced = base_arena_matrix(arena, s->rank, s->rank);
    la_gemm(k, s->rank, k, 1, s->K, s->Q, 0, KQ);
    la_gemm_t(s->rank, s->rank, k, 1, s->Q, KQ, 0, reduced);
    factor_lu(s, s->rank, reduced, arena);
  }
}

static void factor(const struct event_closed *c, struct rows *s, struct base_arena *arena) {
  const int size = c->dim * c->n, k = s->k;
  double *G = base_arena_matrix(arena, k, k);
  s->AF = base_arena_matrix(arena, size, k);
  s->K = base_arena_matrix(arena, k, k);
  event_columns(c, k, s->row, s->F);
  la_gemm(size, k, size, 1, c->A, s->F, 0, s->AF);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < k; ++i) {
      s->K[event_at(j, k, i)] = s->AF[event_at(j, size, s->row[i])];
      G[event_at(j, k, i)] = 0.5 * (c->A[event_at(s->row[j], size, s->row[i])] +
                                    c->A[event_at(s->row[i], size, s->row[j])]);
    }
  }
  factor_in_range(s, G, arena);
}

/* x: k solves K x = y: k. */
static void solve_rows(const struct rows *s, const double *y, double *x, struct base_arena *arena) {
  if (s->LU == NULL) {
    solve_least_norm(s->k, s->K, y, x, arena);
  } else if (s->Q == NULL) {
    la_copy(s->k, y, x);
    la_lu_solve(s->k, 1, s->LU, s->piv, x);
  } else {
    const struct base_arena_mark mark = base_arena_mark(arena);
    double *part = base_arena_doubles(arena, s->rank);
    la_gemv_t(s->k, s->rank, 1, s->Q, y, 0, part);
    la_lu_solve(s->rank, 1, s->LU, s->piv, part);
    la_gemv(s->k, s->rank, 1, s->Q, part, 0, x);
    base_arena_release(arena, mark);
  }
}

void event_solve_semidefinite(int n, const double *K, const double *y, double *x,
                              struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct rows s = {.k = n, .K = base_arena_matrix(arena, n, n)};
  double *G = base_arena_matrix(arena, n, n);
  la_copy((long)n * n, K, s.K);
  la_copy((long)n * n, K, G);
  factor_in_range(&s, G, arena);
  solve_rows(&s, y, x, arena);
  base_arena_release(arena, mark);
}

/* w = A r + b, by velocities where W and X are given. */
static void respond(struct event_closed *c, struct base_arena *arena) {
  const int size = c->dim * c->n;
  la_copy(size, c->b, c->w);
  if (c->W == NULL) {
    la_gemv(size, size, 1, c->A, c->r, 1, c->w);
    return;
  }
  double *a = base_arena_doubles(arena, c->nu);
  la_gemv(c->nu, size, 1, c->X, c->r, 0, a);
  la_gemv_t(c->nu, size, 1, c->W, a, 1, c->w);
}

/* r and w at the present directions. */
static void solve_forces(struct event_closed *c, struct rows *s, struct base_arena *arena) {
  const int size = c->dim * c->n;
  factor(c, s, arena);
  double *y = base_arena_doubles(arena, s->k), *x = base_arena_doubles(arena, s->k);
  memset(c->r, 0, (size_t)size * sizeof *c->r);
  la_copy(size, c->b, c->w);
  const int solves = c->W != NULL ? 2 : 1;
  for (int k = 0; k < solves; ++k) {
    for (int i = 0; i < s->k; ++i) {
      y[i] = -c->w[s->row[i]];
    }
    solve_rows(s, y, x, arena);
    la_gemv(size, s->k, 1, s->F, x, 1, c->r);
    respond(c, arena);
  }
  c->redundant = s->k - s->rank;
}

/* d x w_T of the contacts whose direction is sought; the largest. */
static double misalignment(const struct event_closed *c, int n, const int *sought, double *g) {
  for (int j = 0; j < n; ++j) {
    const double *d = c->direction + 2 * sought[j], *w = c->w + 3 * sought[j] + 1;
    g[j] = d[0] * w[1] - d[1] * w[0];
  }
  return la_norm_inf(n, g);
}

/* J: n x n, how that changes with the angles. */
static void misalignment_slopes(const struct event_closed *c, const struct rows *s, int n,
                                const int *sought, double *J, struct base_arena *arena) {
  const int size = 3 * c->n;
  double *f = base_arena_doubles(arena, size), *w = base_arena_doubles(arena, size);
  double *y = base_arena_doubles(arena, s->k), *x = base_arena_doubles(arena, s->k);
  for (int j = 0; j < n; ++j) {
    const int i = sought[j];
    const double drag = c->mu[i] * c->r[3 * i];
    memset(f, 0, (size_t)size * sizeof *f);
    f[3 * i + 1] = drag * c->direction[2 * i + 1];
    f[3 * i + 2] = -drag * c->direction[2 * i];
    la_gemv(size, size, 1, c->A, f, 0, w);
    for (int e = 0; e < s->k; ++e) {
      y[e] = -w[s->row[e]];
    }
    solve_rows(s, y, x, arena);
    la_gemv(size, s->k, 1, s->AF, x, 1, w);
    for (int e = 0; e < n; ++e) {
      const double *d = c->direction + 2 * sought[e], *own = c->w + 3 * sought[e] + 1;
      J[event_at(j, n, e)] = d[0] * w[3 * sought[e] + 2] - d[1] * w[3 * sought[e] + 1] -
                             (e == j ? la_dot(2, d, own) : 0);
    }
  }
}

static void turn_directions(const struct event_closed *c, int n, const int *sought,
                            const double *from, const double *angle, double part) {
  for (int j = 0; j < n; ++j) {
    const double a = part * angle[j], *d = from + 2 * sought[j];
    c->direction[2 * sought[j]] = cos(a) * d[0] - sin(a) * d[1];
    c->direction[2 * sought[j] + 1] = sin(a) * d[0] + cos(a) * d[1];
  }
}

/* Newton's method on the angles of the contacts sought, from the directions given. */
static void find_directions(struct event_closed *c, struct rows *s, int n, const int *sought,
                            struct base_arena *arena) {
  double *g = base_arena_doubles(arena, n), *angle = base_arena_doubles(arena, n);
  double *J = base_arena_matrix(arena, n, n);
  double *before = base_arena_matrix(arena, 2, c->n);
  double error = misalignment(c, n, sought, g);
  for (int iteration = 0; iteration < ANGLE_ITERATIONS && error > 0; ++iteration) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    misalignment_slopes(c, s, n, sought, J, arena);
    solve_least_norm(n, J, g, angle, arena);
    const double largest = la_norm_inf(n, angle), cut = fmin(1, ANGLE_STEP / largest);
    la_copy(2L * c->n, c->direction, before);
    double part = -cut, reached = INFINITY;
    for (int k = 0; k < ANGLE_HALVINGS && !(reached < error); ++k, part /= 2) {
      turn_directions(c, n, sought, before, angle, part);
      solve_forces(c, s, arena);
      reached = misalignment(c, n, sought, g);
    }
    base_arena_release(arena, mark);
    const int better = reached < error;
    error = reached;
    if (!better || !(largest > ANGLE_ZERO)) {
      if (!better) { /* round-off, or no way on: what there was */
        la_copy(2L * c->n, before, c->direction);
      }
      break;
    }
    solve_forces(c, s, arena); /* its factors went with the mark */
  }
  solve_forces(c, s, arena);
}

void event_forces(struct event_closed *c, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct rows s = {0};
  s.row = base_arena_array(arena, (size_t)c->dim, (size_t)c->n, sizeof(int));
  s.k = event_rows(c, s.row);
  s.F = base_arena_matrix(arena, c->dim * c->n, s.k);
  solve_forces(c, &s, arena);
  int *sought = base_arena_ints(arena, c->n), n = 0;
  for (int i = 0; i < c->n; ++i) {
    if (c->dim == 3 && c->mode[i] == EVENT_SLIDE && c->seeks != NULL && c->seeks[i] &&
        c->mu[i] > 0) {
      sought[n++] = i;
    }
  }
  if (n > 0) {
    find_directions(c, &s, n, sought, arena);
  }
  base_arena_release(arena, mark);
}
