/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Discrete derivatives. Gonzalez' construction (moeller 5.19) for a scalar f between a and b,
 *
 *   Df/Dx(a,b) = df/dx(z) + [f(b) - f(a) - df/dx(z) (b - a)] / |b - a|^2 (b - a)^T,  z = (a + b)/2,
 *
 * has Df/Dx (b - a) = f(b) - f(a) exactly (5.15) and tends to df/dx as b tends to a (5.26). Vector
 * functions are done by components (5.29). The bracket is a difference of nearly equal numbers:
 * where it is no larger than the rounding of f(a) and f(b) it says nothing and is left out, which
 * keeps (5.15) to round-off and gives the limit a = b without a division. Gaps of resting bodies
 * are zero but for what rounding of the coordinates leaves of them: of these the bracket must
 * exceed that, or it would turn the normals of contacts that hardly move, by noise over |b - a|.
 *
 * Derivatives are by q. g_S and g_N come with their directions in u-space, W = F^T (dg/dq)^T:
 * without kinematics W^T is the gradient itself; with a square F it is solved for; else, and for V
 * without gradient and gamma_S always, the gradient at the midpoint is differenced (fourth order,
 * about 1e-12 relative). Its error leaves (5.15) untouched.
 */
#include "mech/by_body.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/difference.h"

#include <float.h>
#include <math.h>
#include <string.h>

void mech_gonzalez(int n, const struct mech_chord *chord, double *row, int stride) {
  const double *a = chord->a, *b = chord->b;
  double along = 0, square = 0;
  for (int j = 0; j < n; ++j) {
    const double d = b[j] - a[j];
    along += row[(long)j * stride] * d;
    square += d * d;
  }
  const double bracket = chord->fb - chord->fa - along;
  if (fabs(bracket) <= DBL_EPSILON * chord->size) {
    return;
  }
  for (int j = 0; j < n; ++j) {
    row[(long)j * stride] += bracket / square * (b[j] - a[j]);
  }
}

double mech_gap_size(int n, const double *a, const double *b, double ga, double gb,
                     const double *row) {
  double size = fabs(ga) + fabs(gb);
  for (int j = 0; j < n; ++j) {
    size += fabs(row[j]) * (fabs(a[j]) + fabs(b[j]));
  }
  return size;
}

double *mech_midpoint(const struct mech *m, const double *a, const double *b,
                      struct base_arena *arena) {
  double *z = base_arena_doubles(arena, m->nq);
  for (int j = 0; j < m->nq; ++j) {
    z[j] = 0.5 * (a[j] + b[j]);
  }
  return z;
}

/* A vector function of q with ny components, for differencing. */
typedef void (*vector_function)(const struct mech *m, const double *u, const double *q, double *y,
                                struct base_arena *arena);

/* J: ny x nq, dy/dq at z. */
static void difference_jacobian(const struct mech *m, vector_function f, const double *u, int ny,
                                const double *z, double *J, struct base_arena *arena) {
  double *x = base_arena_doubles(arena, m->nq), *y = base_arena_doubles(arena, ny);
  const double s = mech_difference_step(m);
  la_copy(m->nq, z, x);
  for (int j = 0; j < m->nq; ++j) {
    double *column = J + (long)j * ny;
    la_zero(ny, column);
    for (int k = 0; k < MECH_STENCIL; ++k) {
      x[j] = z[j] + mech_stencil_at[k] * s;
      f(m, u, x, y, arena);
      la_axpy(ny, mech_stencil_weight[k] / s, y, column);
    }
    x[j] = z[j];
  }
}

static void value_potential(const struct mech *m, const double *u, const double *q, double *y,
                            struct base_arena *arena) {
  (void)u, (void)arena;
  *y = m->ops->potential(m, q);
}

static void value_bilateral(const struct mech *m, const double *u, const double *q, double *y,
                            struct base_arena *arena) {
  (void)u, (void)arena;
  m->ops->bilateral(m, q, y);
}

static void value_rate(const struct mech *m, const double *u, const double *q, double *y,
                       struct base_arena *arena) {
  if (m->ops->bodies.bilateral_rate != NULL && m->clock == NULL) { /* the same without W_S */
    m->ops->bodies.bilateral_rate(m, q, u, y);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *WS = base_arena_matrix(arena, m->nu, m->ns);
  mech_bilateral_directions(m, q, WS, arena);
  la_gemv_t(m->nu, m->ns, 1, WS, u, 0, y);
  base_arena_release(arena, mark);
}

/* J: n x nq from the directions W: nu x n at z, J F = W^T. Overwrites W. BASE_FAILED when F is not
 * square or singular. */
static int gradient_from_directions(const struct mech *m, const double *z, int n, double *W,
                                    double *J, struct base_arena *arena) {
  if (m->ops->kinematics != NULL) {
    if (m->nq != m->nu) {
      return BASE_FAILED;
    }
    double *F = base_arena_matrix(arena, m->nq, m->nq);
    double *FT = base_arena_matrix(arena, m->nq, m->nq);
    int *pivots = base_arena_ints(arena, m->nq);
    m->ops->kinematics(m, z, F);
    for (int i = 0; i < m->nq; ++i) {
      for (int j = 0; j < m->nq; ++j) {
        FT[(long)i * m->nq + j] = F[(long)j * m->nq + i];
      }
    }
    if (la_lu_factor(m->nq, FT, pivots) != BASE_OK) {
      return BASE_FAILED;
    }
    la_lu_solve(m->nq, n, FT, pivots, W);
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m->nq; ++j) {
      J[(long)j * n + i] = W[(long)i * m->nq + j];
    }
  }
  return BASE_OK;
}

void mech_discrete_potential(const struct mech *m, const double *a, const double *b, double *DV,
                             struct base_arena *arena) {
  if (m->ops->consistent.discrete_potential != NULL) {
    m->ops->consistent.discrete_potential(m, a, b, DV);
    return;
  }
  if (m->ops->potential == NULL) {
    la_zero(m->nq, DV);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *z = mech_midpoint(m, a, b, arena);
  if (m->ops->potential_gradient != NULL) {
    m->ops->potential_gradient(m, z, DV);
  } else {
    difference_jacobian(m, value_potential, NULL, 1, z, DV, arena);
  }
  const double Va = m->ops->potential(m, a), Vb = m->ops->potential(m, b);
  mech_gonzalez(m->nq, &(struct mech_chord){a, b, Va, Vb, fabs(Va) + fabs(Vb)}, DV, 1);
  base_arena_release(arena, mark);
}

/* Gonzalez by components: D: n x nq holds the gradient at the midpoint on entry. */
static void gonzalez_rows(const struct mech *m, vector_function f, const double *u, int n,
                          const double *a, const double *b, double *D, struct base_arena *arena) {
  double *fa = base_arena_doubles(arena, n), *fb = base_arena_doubles(arena, n);
  f(m, u, a, fa, arena);
  f(m, u, b, fb, arena);
  for (int i = 0; i < n; ++i) {
    const struct mech_chord chord = {a, b, fa[i], fb[i], fabs(fa[i]) + fabs(fb[i])};
    mech_gonzalez(m->nq, &chord, D + i, n);
  }
}

/* D: ns x nq from columns by body, of g_S, or with u of gamma_S. */
static void dense_rows(const struct mech *m, const double *u, const double *a, const double *b,
                       double *D, struct base_arena *arena) {
  struct la_blocks rows;
  mech_discrete_rows(m, u, a, b, &rows, arena);
  memset(D, 0, (size_t)m->ns * (size_t)m->nq * sizeof *D);
  for (int k = 0; k < rows.n; ++k) {
    for (int l = 0; l < rows.cols; ++l) {
      D[((long)rows.col[k] * rows.cols + l) * m->ns + rows.row[k]] += la_blocks_at(&rows, k)[l];
    }
  }
}

void mech_discrete_bilateral(const struct mech *m, const double *a, const double *b, double *DgS,
                             struct base_arena *arena) {
  if (m->ns == 0) {
    return;
  }
  if (m->ops->consistent.discrete_bilateral != NULL) {
    m->ops->consistent.discrete_bilateral(m, a, b, DgS);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  if (m->ops->consistent.discrete_bilateral_by_body != NULL) {
    dense_rows(m, NULL, a, b, DgS, arena);
    base_arena_release(arena, mark);
    return;
  }
  const double *z = mech_midpoint(m, a, b, arena);
  double *WS = base_arena_matrix(arena, m->nu, m->ns);
  mech_bilateral_directions(m, z, WS, arena);
  if (gradient_from_directions(m, z, m->ns, WS, DgS, arena) != BASE_OK) {
    difference_jacobian(m, value_bilateral, NULL, m->ns, z, DgS, arena);
  }
  gonzalez_rows(m, value_bilateral, NULL, m->ns, a, b, DgS, arena);
  base_arena_release(arena, mark);
}

void mech_discrete_rate(const struct mech *m, const double *u, const double *a, const double *b,
                        double *Dgamma, struct base_arena *arena) {
  if (m->ns == 0) {
    return;
  }
  if (m->ops->consistent.discrete_rate != NULL) {
    m->ops->consistent.discrete_rate(m, u, a, b, Dgamma);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  if (m->ops->consistent.discrete_rate_by_body != NULL) {
    dense_rows(m, u, a, b, Dgamma, arena);
    base_arena_release(arena, mark);
    return;
  }
  difference_jacobian(m, value_rate, u, m->ns, mech_midpoint(m, a, b, arena), Dgamma, arena);
  gonzalez_rows(m, value_rate, u, m->ns, a, b, Dgamma, arena);
  base_arena_release(arena, mark);
}

/* Gap of contact id at q; W, if not NULL: nu, its normal direction. NaN when the system does not
 * list that contact. Lists all contacts: linear in their number. */
static double gap_of(const struct mech *m, long id, const double *q, double *W,
                     struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct mech_contacts list;
  double gap = NAN, *columns = base_arena_doubles(arena, W != NULL ? m->nu * m->dim : 0);
  mech_contacts_init(&list, m, arena);
  mech_contacts_find(m, q, NULL, INFINITY, &list);
  for (int i = 0; i < list.n; ++i) {
    if (list.id[i] != id) {
      continue;
    }
    gap = list.gN[i];
    if (W != NULL) {
      mech_contacts_add_columns(&list, i, columns);
      la_copy(m->nu, columns, W);
    }
  }
  base_arena_release(arena, mark);
  return gap;
}

/* The contact's id comes in the place of u. */
static void value_gap(const struct mech *m, const double *u, const double *q, double *y,
                      struct base_arena *arena) {
  *y = gap_of(m, (long)u[0], q, NULL, arena);
}

void mech_discrete_gap(const struct mech *m, long id, const double *a, const double *b, double *DgN,
                       struct base_arena *arena) {
  if (m->ops->consistent.discrete_gap != NULL) {
    m->ops->consistent.discrete_gap(m, id, a, b, DgN);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  const double *z = mech_midpoint(m, a, b, arena);
  const double which = (double)id; /* below 2^53 (mech.h) */
  double *W = base_arena_doubles(arena, m->nu);
  gap_of(m, id, z, W, arena);
  if (gradient_from_directions(m, z, 1, W, DgN, arena) != BASE_OK) {
    difference_jacobian(m, value_gap, &which, 1, z, DgN, arena);
  }
  const double ga = gap_of(m, id, a, NULL, arena), gb = gap_of(m, id, b, NULL, arena);
  const struct mech_chord chord = {a, b, ga, gb, mech_gap_size(m->nq, a, b, ga, gb, DgN)};
  mech_gonzalez(m->nq, &chord, DgN, 1);
  base_arena_release(arena, mark);
}

void mech_discrete_gaps(const struct mech *m, const struct mech_contacts *at_a, const double *a,
                        const double *b, double *DgN, struct base_arena *arena) {
  if (m->ops->consistent.discrete_gaps != NULL) {
    m->ops->consistent.discrete_gaps(m, at_a, a, b, DgN);
    return;
  }
  for (int i = 0; i < at_a->n; ++i) {
    mech_discrete_gap(m, at_a->id[i], a, b, DgN + (long)i * m->nq, arena);
  }
}

void mech_discrete_potential_linear(const struct mech *m, const double *a, const double *b,
                                    double *DV) {
  (void)b;
  m->ops->potential_gradient(m, a, DV);
}

void mech_discrete_gap_linear(const struct mech *m, long id, const double *a, const double *b,
                              double *S) {
  (void)id, (void)a, (void)b;
  memset(S, 0, (size_t)m->nq * (size_t)m->nq * sizeof *S);
}
