/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which contacts stick, slide and open after an event (see event.h).
 *
 * In the plane and without friction the number of combinations is finite: all are tried, in an
 * order that prefers closed contacts, and the one that violates its conditions least is taken, so
 * that the answer is exact and complete. With sliding directions to be found (space), or with many
 * contacts, block Gauss-Seidel with the exact one-contact solution is run to round-off instead.
 */
#include <float.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "contact/law.h"
#include "form/event.h"
#include "la/dense.h"
#include "problem/local.h"

/* Conditions hold when violated by less than this, relative to the largest |b| (or the forces that
 * go with it): far above the round-off of the small linear systems solved here, far below any
 * physical difference between modes that matters over a step. */
static const double MODE_TOLERANCE = 1e-8;
/* Combinations differing by less than this in violation are equally good; the earlier one wins. */
static const double MODE_TIE = 1e-12;
/* Combinations tried at most (4^6 in the plane, 2^12 without friction). */
enum { COMBINATIONS_MAX = 4096 };
enum { SWEEPS_MAX = 200000, POLISH_EVERY = 16 };
/* A violation this small is round-off of the linear solution: the modes are the right ones. */
static const double POLISHED = 1e-13;
/* Sweeps end when no component moves by more than this, relative: round-off. */
static const double SWEEP_TOLERANCE = 4 * DBL_EPSILON;
/* A pivot this small against the largest entry: the rows are dependent. */
static const double SINGULAR = 1e-11;

void event_solve_rows(int n, const double *K, const double *y, double *x,
                      struct base_arena *arena) {
  if (n == 0) {
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *LU = base_arena_doubles(arena, n * n);
  int *piv = base_arena_ints(arena, n);
  la_copy(n * n, K, LU);
  const double scale = la_norm_inf(n * n, K);
  int regular = scale > 0 && la_lu_factor(n, LU, piv) == BASE_OK;
  for (int i = 0; i < n && regular; ++i) {
    regular = fabs(LU[(size_t)i * (size_t)n + (size_t)i]) > SINGULAR * scale;
  }
  la_copy(n, y, x);
  if (regular) {
    la_lu_solve(n, 1, LU, piv, x);
  } else {
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
  }
  base_arena_release(arena, mark);
}

struct trial {
  struct event_choice *c;
  int size;       /* dim n */
  double scale_w; /* of accelerations (velocities) */
  double scale_r; /* of forces (impulses) */
  enum event_mode *mode;
  double *direction; /* (dim - 1) x n */
  double *r, *w;     /* dim n */
  struct base_arena *arena;
};

/* Component e of the unit force of unknown number (i, d): a closed contact pushes along its normal
 * and, sliding, drags along -mu d. */
static void add_force(const struct trial *t, int i, int d, double x) {
  const struct event_choice *c = t->c;
  t->r[i * c->dim + d] += x;
  for (int e = 1; d == 0 && t->mode[i] == EVENT_SLIDE && e < c->dim; ++e) {
    t->r[i * c->dim + e] -= c->mu[i] * t->direction[i * (c->dim - 1) + e - 1] * x;
  }
}

/* Solve for r under the trial's modes, then w = A r + b. */
static void trial_solve(struct trial *t) {
  const struct event_choice *c = t->c;
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  int *row = base_arena_ints(t->arena, t->size), k = 0;
  for (int i = 0; i < c->n; ++i) {
    const int rows = t->mode[i] == EVENT_OPEN ? 0 : t->mode[i] == EVENT_SLIDE ? 1 : c->dim;
    for (int d = 0; d < rows; ++d) {
      row[k++] = i * c->dim + d;
    }
  }
  double *K = base_arena_doubles(t->arena, k * k), *y = base_arena_doubles(t->arena, k);
  double *x = base_arena_doubles(t->arena, k);
  for (int j = 0; j < k; ++j) {
    memset(t->r, 0, (size_t)t->size * sizeof *t->r);
    add_force(t, row[j] / c->dim, row[j] % c->dim, 1);
    la_gemv(t->size, t->size, 1, c->A, t->r, 0, t->w);
    for (int i = 0; i < k; ++i) {
      K[j * k + i] = t->w[row[i]];
    }
    y[j] = -c->b[row[j]];
  }
  event_solve_rows(k, K, y, x, t->arena);
  memset(t->r, 0, (size_t)t->size * sizeof *t->r);
  for (int j = 0; j < k; ++j) {
    add_force(t, row[j] / c->dim, row[j] % c->dim, x[j]);
  }
  la_copy(t->size, c->b, t->w);
  la_gemv(t->size, t->size, 1, c->A, t->r, 1, t->w);
  base_arena_release(t->arena, mark);
}

/* Largest violation of the conditions of the trial's modes, relative to the scales. */
static double trial_violation(const struct trial *t) {
  const struct event_choice *c = t->c;
  double worst = 0;
  for (int i = 0; i < c->n; ++i) {
    const double *r = t->r + i * c->dim, *w = t->w + i * c->dim;
    if (t->mode[i] == EVENT_OPEN) {
      worst = fmax(worst, -w[0] / t->scale_w);
      continue;
    }
    worst = fmax(worst, fabs(w[0]) / t->scale_w); /* dependent rows may be left unsatisfied */
    worst = fmax(worst, -r[0] / t->scale_r);
    if (t->mode[i] == EVENT_STICK && c->dim > 1) {
      worst = fmax(worst, la_norm_inf(c->dim - 1, w + 1) / t->scale_w);
      worst = fmax(worst, (la_norm2(c->dim - 1, r + 1) - c->mu[i] * r[0]) / t->scale_r);
    }
    if (t->mode[i] == EVENT_SLIDE && !c->fixed[i]) {
      worst = fmax(worst, -la_dot(c->dim - 1, w + 1, t->direction + i * (c->dim - 1)) / t->scale_w);
    }
  }
  return worst;
}

static void keep(struct trial *t, double violation) {
  struct event_choice *c = t->c;
  c->violation = violation;
  memcpy(c->mode, t->mode, (size_t)c->n * sizeof *c->mode);
  la_copy(c->n * (c->dim - 1), t->direction, c->direction);
  la_copy(t->size, t->r, c->r);
}

/* Variants of a contact: without friction closed and open, in the plane stick, slide forward, slide
 * back, open. */
static int variants(const struct event_choice *c) { return c->dim == 1 ? 2 : 4; }

static int set_variant(struct trial *t, int i, int k) {
  static const enum event_mode modes[4] = {EVENT_STICK, EVENT_SLIDE, EVENT_SLIDE, EVENT_OPEN};
  const struct event_choice *c = t->c;
  t->mode[i] = modes[c->dim == 1 ? 3 * k : k];
  if ((c->allowed[i] & EVENT_BIT(t->mode[i])) == 0) {
    return 0;
  }
  if (c->dim == 1) {
    return 1;
  }
  if (c->fixed[i]) {
    t->direction[i] = c->direction[i];
    return k == 1 || k == 3;
  }
  if (t->mode[i] == EVENT_SLIDE) {
    t->direction[i] = k == 1 ? 1 : -1;
  }
  return 1;
}

static void enumerate(struct trial *t) {
  struct event_choice *c = t->c;
  int combinations = 1;
  for (int i = 0; i < c->n; ++i) {
    combinations *= variants(c);
  }
  c->violation = INFINITY;
  for (int number = 0; number < combinations; ++number) {
    int valid = 1;
    for (int i = 0, rest = number; i < c->n; ++i, rest /= variants(c)) {
      valid = set_variant(t, i, rest % variants(c)) && valid;
    }
    if (!valid) {
      continue;
    }
    trial_solve(t);
    const double violation = trial_violation(t);
    if (violation < c->violation - MODE_TIE) {
      keep(t, violation);
    }
  }
}

/* One contact given all others: exact. */
static void relax(struct trial *t, int i) {
  const struct event_choice *c = t->c;
  const int dim = c->dim;
  double A[CONTACT_DIM_MAX * CONTACT_DIM_MAX], b[CONTACT_DIM_MAX], *r = t->r + i * dim;
  for (int d = 0; d < dim; ++d) {
    b[d] = c->b[i * dim + d];
    for (int j = 0; j < t->size; ++j) {
      b[d] += c->A[(size_t)j * (size_t)t->size + (size_t)(i * dim + d)] * t->r[j];
    }
    for (int e = 0; e < dim; ++e) {
      A[d * dim + e] = c->A[(size_t)(i * dim + e) * (size_t)t->size + (size_t)(i * dim + d)];
      b[d] -= A[d * dim + e] * r[e];
    }
  }
  const double *direction = t->direction + i * (dim - 1);
  if (dim > 1 && !c->fixed[i]) {
    problem_local_coulomb(dim, c->mu[i], A, b, r);
    return;
  }
  double pull = A[0];
  for (int e = 1; e < dim; ++e) {
    pull -= A[e] * c->mu[i] * direction[e - 1];
  }
  r[0] = pull > 0 ? fmax(0, -b[0] / pull) : 0;
  for (int e = 1; e < dim; ++e) {
    r[e] = -c->mu[i] * direction[e - 1] * r[0];
  }
}

/* Modes and directions from a converged r. */
static void read_modes(struct trial *t) {
  const struct event_choice *c = t->c;
  la_copy(t->size, c->b, t->w);
  la_gemv(t->size, t->size, 1, c->A, t->r, 1, t->w);
  for (int i = 0; i < c->n; ++i) {
    const double *r = t->r + i * c->dim, *w = t->w + i * c->dim;
    const double speed = la_norm2(c->dim - 1, w + 1);
    if (!(r[0] > MODE_TOLERANCE * t->scale_r)) {
      t->mode[i] =
          w[0] > MODE_TOLERANCE * t->scale_w || (c->allowed[i] & EVENT_BIT(EVENT_STICK)) == 0
              ? EVENT_OPEN
              : EVENT_STICK;
    } else {
      t->mode[i] = c->fixed[i] || (c->dim > 1 && speed > MODE_TOLERANCE * t->scale_w) ? EVENT_SLIDE
                                                                                      : EVENT_STICK;
    }
    /* One that may not stick any more, at the edge of its cone: against its friction. */
    const double friction = la_norm2(c->dim - 1, r + 1);
    const int slips = t->mode[i] == EVENT_STICK && c->dim > 1 && friction > 0 &&
                      (c->allowed[i] & EVENT_BIT(EVENT_STICK)) == 0;
    t->mode[i] = slips ? EVENT_SLIDE : t->mode[i];
    for (int e = 1; t->mode[i] == EVENT_SLIDE && !c->fixed[i] && e < c->dim; ++e) {
      t->direction[i * (c->dim - 1) + e - 1] = slips ? -r[e] / friction : w[e] / speed;
    }
  }
}

/* Modes as r suggests them; where these determine everything linearly, their solution is exact.
 * Keeps the better of the two and leaves r as it was. Returns the violation kept. */
static double polish(struct trial *t) {
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  double *swept = base_arena_doubles(t->arena, t->size);
  la_copy(t->size, t->r, swept);
  read_modes(t);
  keep(t, trial_violation(t));
  trial_solve(t);
  const double violation = trial_violation(t);
  if (violation < t->c->violation) {
    keep(t, violation);
  }
  la_copy(t->size, swept, t->r);
  base_arena_release(t->arena, mark);
  return t->c->violation;
}

static void iterate(struct trial *t) {
  struct event_choice *c = t->c;
  const struct base_arena_mark mark = base_arena_mark(t->arena);
  double *last = base_arena_doubles(t->arena, t->size);
  la_copy(c->n * (c->dim - 1), c->direction, t->direction);
  for (int sweep = 1; sweep <= SWEEPS_MAX; ++sweep) {
    la_copy(t->size, t->r, last);
    for (int i = 0; i < c->n; ++i) {
      relax(t, i);
    }
    la_axpy(t->size, -1, t->r, last);
    if (la_norm_inf(t->size, last) <= SWEEP_TOLERANCE * la_norm_inf(t->size, t->r) ||
        (sweep % POLISH_EVERY == 0 && polish(t) <= POLISHED)) {
      break;
    }
  }
  polish(t);
  base_arena_release(t->arena, mark);
}

int event_choose(struct event_choice *c, struct base_arena *arena) {
  const int size = c->dim * c->n;
  if (c->n == 0) {
    return BASE_OK;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct trial t = {.c = c, .size = size, .arena = arena};
  t.mode = base_arena_push(arena, (size_t)c->n * sizeof *t.mode);
  t.direction = base_arena_doubles(arena, c->n * (c->dim - 1));
  t.r = base_arena_doubles(arena, size);
  t.w = base_arena_doubles(arena, size);
  double diagonal = 0;
  for (int i = 0; i < size; ++i) {
    diagonal = fmax(diagonal, c->A[(size_t)i * (size_t)size + (size_t)i]);
  }
  t.scale_w = fmax(la_norm_inf(size, c->b), DBL_MIN);
  t.scale_r = t.scale_w / fmax(diagonal, DBL_MIN);
  if (c->dim <= 2 && pow(variants(c), c->n) <= COMBINATIONS_MAX) {
    enumerate(&t);
  } else {
    iterate(&t);
  }
  base_arena_release(arena, mark);
  return c->violation <= MODE_TOLERANCE
             ? BASE_OK
             : base_fail(
                   BASE_FAILED,
                   "no combination of contact modes satisfies Coulomb's law (best violation %.2e)",
                   c->violation);
}
