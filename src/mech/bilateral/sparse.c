/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sparse elimination of bilateral constraints; see bilateral.h. With M = L_M L_M^T by blocks
 * and D the scale,
 *
 *   B = L_M^-1 W_S D  (two blocks a column),   G = B^T B = P L D' L^T P^T,   diagonal one.
 *
 * A body with k constraints couples all of them, and G would be full for a hub. Such a body is
 * therefore cut into p pieces with a p-th of its mass and a few of its constraints each, which
 * bonds hold together: the relative velocity of neighbouring pieces in a binary tree of them is
 * zero. What the pieces do together is what the body did: with the bonds eliminated G is that of
 * the whole body,
 *
 *   G_SS = G_cc - G_cb G_bb^-1 G_bc   (c: constraints, b: bonds),
 *
 * so that G_SS^-1 x is the upper part of the solution of the larger system with (x, 0), which is
 * sparse and positive definite as before. In the metric of the piece a bond is +- 1/sqrt(2) of a
 * unit vector, and constraints act on a piece through sqrt(p) L_M^-1 w.
 *
 * Dependent columns, found by a QR factorisation of B where a pivot is too small, keep their place
 * in the pattern as rows of the identity. A bond among them is as good as a constraint: what spans
 * the columns is the same, and so are velocities.
 */
#include "mech/bilateral/parts.h"

#include "base/status.h"
#include "la/dense.h"
#include "la/rank.h"

#include <math.h>
#include <string.h>

struct mech_bilateral_sparse *mech_bilateral_sparse_alloc(const struct mech *m,
                                                          struct base_arena *arena) {
  struct mech_bilateral_sparse *s = base_arena_push(arena, sizeof *s);
  *s = (struct mech_bilateral_sparse){.store = base_arena_child(arena),
                                      .joints = mech_joints_alloc(m, arena),
                                      .scale = base_arena_doubles(arena, m->ns)};
  return s;
}

void mech_bilateral_sparse_free(struct mech_bilateral_sparse *s) { la_ldl_free(s->ldl); }

/* B of the bonds, which does not change. */
static void put_bonds(const struct mech *m, struct mech_bilateral_sparse *s) {
  const int nv = m->nv;
  for (int i = m->ns; i < s->pattern.n; ++i) {
    const int l = (i - m->ns) % nv;
    s->B[(2L * i) * nv + l] = sqrt(0.5);
    s->B[(2L * i + 1) * nv + l] = -sqrt(0.5);
  }
}

/* Another pattern than the one known. */
static int analyse(const struct mech *m, struct mech_bilateral_sparse *s) {
  la_ldl_free(s->ldl);
  s->ldl = NULL;
  s->body = NULL;
  base_arena_empty(s->store);
  struct mech_bilateral_pattern *p = &s->pattern;
  mech_bilateral_pattern_build(m, s->joints.body, s->store, p);
  s->B = base_arena_push(s->store, 2 * (size_t)p->n * (size_t)m->nv * sizeof *s->B);
  s->values = base_arena_doubles(s->store, p->col_ptr[p->n]);
  s->left_out = base_arena_ints(s->store, p->n);
  put_bonds(m, s);
  s->ldl = la_ldl_alloc(p->n, p->col_ptr, p->row);
  if (s->ldl == NULL) {
    return BASE_FAILED;
  }
  s->body = base_arena_ints(s->store, 2 * m->ns);
  memcpy(s->body, s->joints.body, 2 * (size_t)m->ns * sizeof *s->body);
  return BASE_OK;
}

int mech_bilateral_sparse_place(struct mech_bilateral *b, const double *q) {
  struct mech_bilateral_sparse *s = b->sparse;
  const int status = mech_joints_place(b->m, q, &s->joints, b->arena);
  if (status != BASE_OK) {
    return status;
  }
  const size_t size = 2 * (size_t)b->ns * sizeof *s->body;
  return s->body != NULL && memcmp(s->body, s->joints.body, size) == 0 ? BASE_OK : analyse(b->m, s);
}

/* B of the constraints, scaled; returns how many have no effect. */
static int put_columns(const struct mech_bilateral *b) {
  struct mech_bilateral_sparse *s = b->sparse;
  const int nv = b->m->nv;
  int without = 0;
  memset(s->left_out, 0, (size_t)s->pattern.n * sizeof *s->left_out);
  for (int i = 0; i < b->ns; ++i) {
    double square = 0;
    for (int k = 2 * i; k < 2 * i + 2; ++k) {
      const int body = s->joints.body[k];
      double *column = s->B + (long)k * nv;
      if (body < 0) {
        continue;
      }
      la_copy(nv, s->joints.W + (long)k * nv, column);
      mech_mass_half_solve(b->m, b->L, body, column);
      for (int l = 0; l < nv; ++l) {
        column[l] *= s->pattern.root[body];
        square += column[l] * column[l];
      }
    }
    s->scale[i] = square > 0 ? 1 / sqrt(square) : 0;
    s->left_out[i] = square == 0;
    without += square == 0;
    for (int l = 0; l < 2 * nv; ++l) {
      s->B[2L * i * nv + l] *= s->scale[i];
    }
  }
  return without;
}

/* values = B^T B by pieces; rows left out are those of the identity. */
static void put_values(const struct mech_bilateral *b) {
  struct mech_bilateral_sparse *s = b->sparse;
  const struct mech_bilateral_pattern *p = &s->pattern;
  const int nv = b->m->nv, *pair = p->pair;
  memset(s->values, 0, (size_t)p->col_ptr[p->n] * sizeof *s->values);
  for (int k = 0; k < p->n_pieces; ++k) {
    for (int e = p->start[k]; e < p->start[k + 1]; ++e) {
      const double *first = s->B + (long)p->item[e] * nv;
      for (int f = p->start[k]; f <= e; ++f) {
        const double *second = s->B + (long)p->item[f] * nv;
        double sum = 0;
        for (int l = 0; l < nv; ++l) {
          sum += first[l] * second[l];
        }
        s->values[*pair++] += sum;
      }
    }
  }
  for (int j = 0; j < p->n; ++j) {
    for (int e = p->col_ptr[j]; e < p->col_ptr[j + 1]; ++e) {
      const int i = p->row[e];
      if (s->left_out[i] || s->left_out[j]) {
        s->values[e] = i == j;
      } else if (i == j && i < b->ns) {
        s->values[e] += b->compliance * s->scale[i] * s->scale[i];
      }
    }
  }
}

/* Marks dependent constraints as left out; their number, or -1. */
static int find_dependent(const struct mech_bilateral *b) {
  struct mech_bilateral_sparse *s = b->sparse;
  const struct mech_bilateral_pattern *p = &s->pattern;
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  const int nv = b->m->nv;
  int *col_ptr = base_arena_ints(b->arena, p->n + 1), entries = 0, count = 0;
  int *row = base_arena_ints(b->arena, 2 * p->n * nv);
  int *dependent = base_arena_ints(b->arena, p->n);
  double *value = base_arena_doubles(b->arena, 2 * p->n * nv);
  for (int i = 0; i < p->n; ++i) {
    const int swap = p->piece[2 * i] > p->piece[2 * i + 1]; /* rows ascend */
    for (int side = 0; side < 2; ++side) {
      const int k = 2 * i + (side ^ swap);
      for (int l = 0; l < nv && p->piece[k] >= 0; ++l, ++entries) {
        row[entries] = p->piece[k] * nv + l;
        value[entries] = s->B[(long)k * nv + l];
      }
    }
    col_ptr[i + 1] = entries;
  }
  const int rank = la_rank_columns(p->n_pieces * nv, p->n, col_ptr, row, value,
                                   sqrt(MECH_BILATERAL_RANK), dependent);
  for (int i = 0; i < p->n && rank >= 0; ++i) {
    count += dependent[i] && !s->left_out[i];
    s->left_out[i] = s->left_out[i] || dependent[i];
  }
  base_arena_release(b->arena, mark);
  return rank < 0 ? -1 : count;
}

int mech_bilateral_sparse_factor(struct mech_bilateral *b) {
  struct mech_bilateral_sparse *s = b->sparse;
  const int without = put_columns(b);
  double least = 0;
  b->dependent = 0;
  b->rank = b->ns - without;
  put_values(b);
  if (!la_all_finite(s->pattern.col_ptr[s->pattern.n], s->values)) {
    b->rank = -1;
    return BASE_OK;
  }
  if (la_ldl_factor(s->ldl, s->values, &least) == BASE_OK && least > MECH_BILATERAL_RANK) {
    return BASE_OK;
  }
  b->dependent = find_dependent(b);
  if (b->dependent < 0) {
    return BASE_FAILED;
  }
  b->rank -= b->dependent;
  put_values(b);
  const int status = la_ldl_factor(s->ldl, s->values, &least);
  return status == BASE_OK && !(least > 0)
             ? base_fail(BASE_FAILED,
                         "%s: bilateral constraints depend on each other, and which "
                         "of them cannot be told",
                         b->m->name)
             : status;
}

/* y: n = B^T b_i of what is not left out, b_i a column of B. */
static void project(const struct mech_bilateral *b, int i, double *y) {
  const struct mech_bilateral_sparse *s = b->sparse;
  const struct mech_bilateral_pattern *p = &s->pattern;
  const int nv = b->m->nv;
  memset(y, 0, (size_t)p->n * sizeof *y);
  for (int k = 2 * i; k < 2 * i + 2; ++k) {
    const int piece = p->piece[k];
    for (int e = piece >= 0 ? p->start[piece] : 0; piece >= 0 && e < p->start[piece + 1]; ++e) {
      const int at = p->item[e] / 2;
      y[at] += s->left_out[at] ? 0 : la_dot(nv, s->B + (long)p->item[e] * nv, s->B + (long)k * nv);
    }
  }
}

/* Where the QR factorisation has left out bonds, constraints take their place, one for one: column
 * by column of what a bond is a combination of, the constraint with the largest part in it, by
 * Gaussian elimination over the bonds. */
void mech_bilateral_sparse_leave_out(const struct mech_bilateral *b, int *is_out) {
  const struct mech_bilateral_sparse *s = b->sparse;
  const int ns = b->ns, n = s->pattern.n;
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  double *y = base_arena_doubles(b->arena, n);
  int bonds = 0, done = 0;
  for (int i = 0; i < n; ++i) {
    bonds += i >= ns && b->rank >= 0 && s->left_out[i];
    if (i < ns) {
      is_out[i] = b->rank >= 0 && s->left_out[i];
    }
  }
  double *part = base_arena_matrix(b->arena, ns, bonds); /* of the constraints in each bond */
  int *chosen = base_arena_ints(b->arena, bonds);
  for (int i = ns; i < n && done < bonds; ++i) {
    if (!s->left_out[i]) {
      continue;
    }
    double *row = part + (long)done * ns;
    int best = -1;
    project(b, i, y);
    la_ldl_solve(s->ldl, 1, y, b->arena);
    la_copy(ns, y, row);
    for (int k = 0; k < done; ++k) {
      const double *before = part + (long)k * ns;
      la_axpy(ns, -row[chosen[k]] / before[chosen[k]], before, row);
    }
    for (int c = 0; c < ns; ++c) {
      best = !is_out[c] && (best < 0 || fabs(row[c]) > fabs(row[best])) ? c : best;
    }
    is_out[best] = 1;
    chosen[done++] = best;
  }
  base_arena_release(b->arena, mark);
}

void mech_bilateral_sparse_solve(const struct mech_bilateral *b, int nrhs, double *x) {
  const struct mech_bilateral_sparse *s = b->sparse;
  const size_t ns = (size_t)b->ns, n = (size_t)s->pattern.n;
  if (b->rank < 0) {
    for (size_t k = 0; k < ns * (size_t)nrhs; ++k) {
      x[k] = NAN;
    }
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(b->arena);
  double *y = base_arena_push(b->arena, n * (size_t)nrhs * sizeof *y);
  for (size_t j = 0; j < (size_t)nrhs; ++j) {
    for (size_t i = 0; i < ns; ++i) {
      y[j * n + i] = s->left_out[i] ? 0 : s->scale[i] * x[j * ns + i];
    }
  }
  la_ldl_solve(s->ldl, nrhs, y, b->arena);
  for (size_t j = 0; j < (size_t)nrhs; ++j) {
    for (size_t i = 0; i < ns; ++i) {
      x[j * ns + i] = s->scale[i] * y[j * n + i];
    }
  }
  base_arena_release(b->arena, mark);
}

struct mech_bilateral_work mech_bilateral_work_of(const struct mech_bilateral *b,
                                                  struct base_arena *arena) {
  return (struct mech_bilateral_work){.n = b->sparse->pattern.n,
                                      .ldl = la_ldl_work_of(b->sparse->ldl, arena),
                                      .constraint = base_arena_ints(arena, 2 * b->ns),
                                      .rate = base_arena_matrix(arena, LA_LDL_SIDES, 2 * b->ns)};
}

/* Constraints on two blocks, once for each; with u their rates too. */
static int list_rates(const struct mech_bilateral *b, const int block[2], int sides,
                      const double *u, struct mech_bilateral_work *work) {
  const struct mech_bilateral_sparse *s = b->sparse;
  const struct mech_bilateral_pattern *p = &s->pattern;
  const int nv = b->m->nv;
  int count = 0;
  for (int side = 0; side < 2; ++side) {
    const int first = block[side] >= 0 ? p->start[p->first[block[side]]] : 0;
    const int end = block[side] >= 0 ? p->start[p->first[block[side] + 1]] : 0;
    for (int e = first; e < end; ++e) {
      const int k = p->item[e], i = k / 2;
      if (i >= b->ns || s->left_out[i]) {
        continue;
      }
      for (int j = 0; u != NULL && j < sides; ++j) {
        work->rate[count * sides + j] =
            s->scale[i] * la_dot(nv, s->joints.W + (long)k * nv, u + ((long)side * sides + j) * nv);
      }
      work->constraint[count++] = i;
    }
  }
  return count;
}

int mech_bilateral_path(const struct mech_bilateral *b, const int block[2],
                        struct mech_bilateral_work *work, int *path) {
  const int count = list_rates(b, block, 0, NULL, work);
  return la_ldl_path(b->sparse->ldl, count, work->constraint, &work->ldl, path);
}

void mech_bilateral_half(const struct mech_bilateral *b, const int block[2], int sides,
                         const double *u, int n_path, const int *path,
                         struct mech_bilateral_work *work, double *Z) {
  const int count = list_rates(b, block, sides, u, work);
  la_ldl_half(b->sparse->ldl, sides, count, work->constraint, work->rate, n_path, path, &work->ldl,
              Z);
}
