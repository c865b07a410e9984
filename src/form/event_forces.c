/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forces (or impulses) of contacts whose modes are known, w = A r + b, and who bears how much where
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
 * Shares that nobody feels, B = F N with F^T A F N = 0, do not change the motion: the modes hold as
 * long as any of them satisfies Coulomb's law. The best is measured by
 *
 *   phi = max over z of min_i s_i(r + B z),  s_i = mu_i r_N - |r_T| sticking, r_N sliding,
 *
 * a convex problem, solved along its central path by Newton's method on
 * kappa s + sum log((mu r_N - s)^2 - |r_T|^2) + sum log(r_N - s) + log(2 - s), forces scaled.
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
#include "form/event.h"
#include "la/dense.h"

/* A pivot or an eigenvalue this small against the largest: the rows are dependent. */
static const double SINGULAR = 1e-11;
/* Directions: iterations, the largest step [rad], and a step that is round-off. */
enum { ANGLE_ITERATIONS = 30, ANGLE_HALVINGS = 6 };
static const double ANGLE_STEP = 0.5, ANGLE_ZERO = 1e-15;
/* Central path: first and last kappa (2 n / kappa is what phi may be short of), growth, Newton
 * steps for each, and the decrement at which it is followed closely enough. */
static const double PATH_START = 1, PATH_END = 1e12, PATH_GROWTH = 20, PATH_NEAR = 1e-6;
enum { PATH_STEPS = 40 };
/* Every force may be this much less, relative: phi need not be known any better. */
static const double AMPLE = 1e-3;

static size_t at(int column, int rows, int row) {
  return (size_t)column * (size_t)rows + (size_t)row;
}

/* x: n = a solution of K x = y for a square K, of least norm where K is singular. */
static void solve_least_norm(int n, const double *K, const double *y, double *x,
                             struct base_arena *arena) {
  if (n == 0 || !la_all_finite(n * n, K)) { /* the decomposition would not end */
    memset(x, 0, (size_t)n * sizeof *x);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  /* Row-major for GSL: the transpose of what is stored, so U and V change places. */
  double *U = base_arena_doubles(arena, n * n), *V = base_arena_doubles(arena, n * n);
  double *s = base_arena_doubles(arena, n), *work = base_arena_doubles(arena, n);
  la_copy(n * n, K, U);
  gsl_matrix_view u = gsl_matrix_view_array(U, (size_t)n, (size_t)n);
  gsl_matrix_view v = gsl_matrix_view_array(V, (size_t)n, (size_t)n);
  gsl_vector_view sv = gsl_vector_view_array(s, (size_t)n);
  gsl_vector_view wv = gsl_vector_view_array(work, (size_t)n);
  gsl_linalg_SV_decomp(&u.matrix, &v.matrix, &sv.vector, &wv.vector); /* K^T = U S V^T */
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = 0; k < n; ++k) {
      sum += V[k * n + i] * y[k];
    }
    work[i] = s[i] > SINGULAR * s[0] ? sum / s[i] : 0;
  }
  for (int k = 0; k < n; ++k) {
    x[k] = 0;
    for (int i = 0; i < n; ++i) {
      x[k] += U[k * n + i] * work[i];
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

static void list_rows(const struct event_closed *c, struct rows *s, struct base_arena *arena) {
  s->row = base_arena_ints(arena, c->dim * c->n);
  s->k = 0;
  for (int i = 0; i < c->n; ++i) {
    const int components = c->mode[i] == EVENT_OPEN ? 0 : c->mode[i] == EVENT_SLIDE ? 1 : c->dim;
    for (int d = 0; d < components; ++d) {
      s->row[s->k++] = i * c->dim + d;
    }
  }
  s->F = base_arena_doubles(arena, c->dim * c->n * s->k);
}

static void fill_forces(const struct event_closed *c, const struct rows *s) {
  const int size = c->dim * c->n;
  for (int j = 0; j < s->k; ++j) {
    const int i = s->row[j] / c->dim;
    s->F[at(j, size, s->row[j])] = 1;
    for (int e = 1; c->mode[i] == EVENT_SLIDE && e < c->dim; ++e) {
      s->F[at(j, size, i * c->dim + e)] = -c->mu[i] * c->direction[i * (c->dim - 1) + e - 1];
    }
  }
}

/* LU of a k x k matrix in s->LU, or NULL there. */
static void factor_lu(struct rows *s, int k, const double *K, struct base_arena *arena) {
  s->LU = base_arena_doubles(arena, k * k);
  s->piv = base_arena_ints(arena, k);
  la_copy(k * k, K, s->LU);
  const double scale = la_norm_inf(k * k, K);
  int regular = scale > 0 && la_lu_factor(k, s->LU, s->piv) == BASE_OK;
  for (int i = 0; i < k && regular; ++i) {
    regular = fabs(s->LU[at(i, k, i)]) > SINGULAR * scale;
  }
  s->LU = regular ? s->LU : NULL;
}

/* Q: k x rank, an orthonormal basis of the range of G, from its pivoted Cholesky factor. */
static void find_range(struct rows *s, const double *L, const int *perm, struct base_arena *arena) {
  s->Q = base_arena_doubles(arena, s->k * s->rank);
  for (int j = 0; j < s->rank; ++j) {
    double *q = s->Q + at(j, s->k, 0);
    for (int i = j; i < s->k; ++i) {
      q[perm[i]] = L[at(j, s->k, i)];
    }
    for (int l = 0; l < j; ++l) {
      const double *known = s->Q + at(l, s->k, 0);
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
  s->rank = la_pchol_factor(k, G, perm, SINGULAR);
  if (s->rank == k) {
    factor_lu(s, k, s->K, arena);
  } else if (s->rank > 0) {
    find_range(s, G, perm, arena);
    double *KQ = base_arena_doubles(arena, k * s->rank);
    double *reduced = base_arena_doubles(arena, s->rank * s->rank);
    la_gemm(k, s->rank, k, 1, s->K, s->Q, 0, KQ);
    la_gemm_t(s->rank, s->rank, k, 1, s->Q, KQ, 0, reduced);
    factor_lu(s, s->rank, reduced, arena);
  }
}

static void factor(const struct event_closed *c, struct rows *s, struct base_arena *arena) {
  const int size = c->dim * c->n, k = s->k;
  double *G = base_arena_doubles(arena, k * k);
  s->AF = base_arena_doubles(arena, size * k);
  s->K = base_arena_doubles(arena, k * k);
  fill_forces(c, s);
  la_gemm(size, k, size, 1, c->A, s->F, 0, s->AF);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < k; ++i) {
      s->K[at(j, k, i)] = s->AF[at(j, size, s->row[i])];
      G[at(j, k, i)] =
          0.5 * (c->A[at(s->row[j], size, s->row[i])] + c->A[at(s->row[i], size, s->row[j])]);
    }
  }
  factor_in_range(s, G, arena);
}

/* x: k solves K x = y: k. */
static void solve(const struct rows *s, const double *y, double *x, struct base_arena *arena) {
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
  struct rows s = {.k = n, .K = base_arena_doubles(arena, n * n)};
  double *G = base_arena_doubles(arena, n * n);
  la_copy(n * n, K, s.K);
  la_copy(n * n, K, G);
  factor_in_range(&s, G, arena);
  solve(&s, y, x, arena);
  base_arena_release(arena, mark);
}

/* r and w at the present directions. */
static void solve_forces(struct event_closed *c, struct rows *s, struct base_arena *arena) {
  const int size = c->dim * c->n;
  factor(c, s, arena);
  double *y = base_arena_doubles(arena, s->k), *x = base_arena_doubles(arena, s->k);
  for (int i = 0; i < s->k; ++i) {
    y[i] = -c->b[s->row[i]];
  }
  solve(s, y, x, arena);
  la_gemv(size, s->k, 1, s->F, x, 0, c->r);
  la_copy(size, c->b, c->w);
  la_gemv(size, size, 1, c->A, c->r, 1, c->w);
  c->redundant = s->k > s->rank;
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
    solve(s, y, x, arena);
    la_gemv(size, s->k, 1, s->AF, x, 1, w);
    for (int e = 0; e < n; ++e) {
      const double *d = c->direction + 2 * sought[e], *own = c->w + 3 * sought[e] + 1;
      J[at(j, n, e)] = d[0] * w[3 * sought[e] + 2] - d[1] * w[3 * sought[e] + 1] -
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
  double *J = base_arena_doubles(arena, n * n);
  double *before = base_arena_doubles(arena, 2 * c->n);
  double error = misalignment(c, n, sought, g);
  for (int iteration = 0; iteration < ANGLE_ITERATIONS && error > 0; ++iteration) {
    const struct base_arena_mark mark = base_arena_mark(arena);
    misalignment_slopes(c, s, n, sought, J, arena);
    solve_least_norm(n, J, g, angle, arena);
    const double largest = la_norm_inf(n, angle), cut = fmin(1, ANGLE_STEP / largest);
    la_copy(2 * c->n, c->direction, before);
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
        la_copy(2 * c->n, before, c->direction);
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
  list_rows(c, &s, arena);
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

double event_slack(const struct event_closed *c, int i, const double *r) {
  const double *ri = r + i * c->dim;
  return c->mode[i] == EVENT_STICK && c->dim > 1 ? c->mu[i] * ri[0] - la_norm2(c->dim - 1, ri + 1)
                                                 : ri[0];
}

static double least_slack(const struct event_closed *c, const double *r) {
  double least = INFINITY;
  for (int i = 0; i < c->n; ++i) {
    least = c->mode[i] == EVENT_OPEN ? least : fmin(least, event_slack(c, i, r));
  }
  return least;
}

/* Shares that nobody feels, B: size x (returned number). */
static int silent_shares(const struct event_closed *c, struct rows *s, double **B,
                         struct base_arena *arena) {
  const int size = c->dim * c->n, k = s->k;
  double *H = base_arena_doubles(arena, k * k), *lambda = base_arena_doubles(arena, k);
  s->AF = base_arena_doubles(arena, size * k);
  fill_forces(c, s);
  la_gemm(size, k, size, 1, c->A, s->F, 0, s->AF);
  la_gemm_t(k, k, size, 1, s->F, s->AF, 0, H);
  for (int j = 0; j < k; ++j) {
    for (int i = 0; i < j; ++i) {
      H[at(j, k, i)] = H[at(i, k, j)] = 0.5 * (H[at(j, k, i)] + H[at(i, k, j)]);
    }
  }
  int p = 0;
  if (k > 0 && la_eigen_symmetric(k, H, lambda, 1) == BASE_OK) {
    while (p < k && !(lambda[p] > SINGULAR * lambda[k - 1])) {
      ++p;
    }
  }
  *B = base_arena_doubles(arena, size * p);
  la_gemm(size, p, k, 1, s->F, H, 0, *B);
  return p;
}

/* The barrier: gradient and Hessian in (z, s) at forces r, for a step of Newton's method. */
struct path {
  const struct event_closed *c;
  int p;
  const double *B; /* size x p */
  double *r;       /* size */
  double s, kappa;
  double *gradient, *hessian; /* p + 1, square */
  double *J;                  /* dim x (p + 1), of one contact */
};

static void barrier_contact(struct path *h, int i) {
  const struct event_closed *c = h->c;
  const int dim = c->dim, size = dim * c->n, m = h->p + 1;
  const int cone = c->mode[i] == EVENT_STICK && dim > 1, rows = cone ? dim : 1;
  const double *r = h->r + i * dim, mu = cone ? c->mu[i] : 1, a = mu * r[0] - h->s;
  const double D = cone ? a * a - la_dot(dim - 1, r + 1, r + 1) : a;
  double g[CONTACT_DIM_MAX] = {cone ? 2 * a / D : 1 / D}, curve[CONTACT_DIM_MAX];
  curve[0] = cone ? 2 / D : 0;
  for (int d = 1; d < rows; ++d) {
    g[d] = -2 * r[d] / D;
    curve[d] = -2 / D;
  }
  for (int j = 0; j < h->p; ++j) {
    for (int d = 0; d < rows; ++d) {
      h->J[at(j, rows, d)] = (d == 0 ? mu : 1) * h->B[at(j, size, i * dim + d)];
    }
  }
  for (int d = 0; d < rows; ++d) {
    h->J[at(h->p, rows, d)] = d == 0 ? -1 : 0;
  }
  for (int j = 0; j < m; ++j) {
    const double *x = h->J + at(j, rows, 0), along = la_dot(rows, g, x);
    h->gradient[j] -= along;
    for (int l = 0; l <= j; ++l) {
      const double *y = h->J + at(l, rows, 0);
      double sum = la_dot(rows, g, y) * along;
      for (int d = 0; d < rows; ++d) {
        sum -= curve[d] * x[d] * y[d];
      }
      h->hessian[at(l, m, j)] += sum;
    }
  }
}

/* Highest s up to which (z, s) lies inside, at forces r. */
static const double PATH_CEILING = 2;

/* One step of Newton's method; the decrement, negative when it must end. step: p + 1; trial: size.
 */
static double path_step(struct path *h, double *step, double *trial) {
  const struct event_closed *c = h->c;
  const int m = h->p + 1, size = c->dim * c->n;
  memset(h->gradient, 0, (size_t)m * sizeof *h->gradient);
  memset(h->hessian, 0, (size_t)(m * m) * sizeof *h->hessian);
  for (int i = 0; i < c->n; ++i) {
    if (c->mode[i] != EVENT_OPEN) {
      barrier_contact(h, i);
    }
  }
  const double above = PATH_CEILING - h->s;
  h->gradient[h->p] += 1 / above - h->kappa;
  h->hessian[at(h->p, m, h->p)] += 1 / (above * above);
  la_copy(m, h->gradient, step);
  if (la_chol_factor(m, h->hessian) != BASE_OK) {
    return -1;
  }
  la_chol_solve(m, 1, h->hessian, step);
  const double decrement = sqrt(fmax(0, la_dot(m, step, h->gradient)));
  double part = decrement > 0.25 ? 1 / (1 + decrement) : 1; /* damped: stays inside */
  for (int k = 0; k < 3; ++k, part /= 4) {                  /* but for round-off */
    la_copy(size, h->r, trial);
    la_gemv(size, h->p, -part, h->B, step, 1, trial);
    const double s = h->s - part * step[h->p];
    if (s < PATH_CEILING && least_slack(c, trial) > s) {
      la_copy(size, trial, h->r);
      h->s = s;
      return decrement;
    }
  }
  return -1;
}

double event_margin(const struct event_closed *c, double *r, double enough,
                    struct base_arena *arena) {
  const int size = c->dim * c->n;
  const double scale = la_norm_inf(size, r);
  if (!(scale > 0) || least_slack(c, r) >= -enough * scale) {
    return scale > 0 ? fmin(least_slack(c, r) / scale, 1) : 0;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct rows s = {0};
  struct path h = {.c = c};
  double *B;
  list_rows(c, &s, arena);
  h.p = silent_shares(c, &s, &B, arena);
  h.B = B;
  const int m = h.p + 1;
  h.r = base_arena_doubles(arena, size);
  h.gradient = base_arena_doubles(arena, m);
  h.hessian = base_arena_doubles(arena, m * m);
  h.J = base_arena_doubles(arena, c->dim * m);
  double *step = base_arena_doubles(arena, m), *trial = base_arena_doubles(arena, size);
  la_axpy(size, 1 / scale, r, h.r);
  double margin = least_slack(c, h.r), decrement = 1;
  h.s = margin - 1;
  for (h.kappa = PATH_START; h.p > 0 && h.kappa < PATH_END && decrement >= 0 && margin < AMPLE;
       h.kappa *= PATH_GROWTH) {
    decrement = 1;
    for (int k = 0; k < PATH_STEPS && decrement > PATH_NEAR; ++k) {
      decrement = path_step(&h, step, trial);
    }
    margin = least_slack(c, h.r);
  }
  for (int i = 0; h.p > 0 && i < size; ++i) {
    r[i] = scale * h.r[i];
  }
  base_arena_release(arena, mark);
  return margin;
}
