/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Coulomb's law has no solution, shown case by case. In the plane a contact is in one of four
 * modes, each of them linear:
 *
 *   open    r = 0, v_N >= 0            slides  v_N = 0, +-v_T >= 0, r_T = -+mu r_N, r_N >= 0
 *   sticks  v = 0, r in K_mu
 *
 * For a set S of contacts with given modes, v_S = (A r)_S + b_S is a system of linear equations for
 * their impulses and velocities and the impulses of the neighbours of S, all non-negative along the
 * columns of a matrix B: the edges of the cones, and the velocities. Of the neighbours no more is
 * asked than that r lies in K_mu, of all other contacts nothing. Where B x = c, x >= 0 has no
 * solution, no solution of the problem has these modes. A tree of cases begins with one contact;
 * where a case is possible the neighbour with the largest impulse joins S, in each of its modes. If
 * all branches end, there is no solution. Bodies wedged between others carry forces in balance
 * among themselves, so that few contacts around them are enough, however many there are elsewhere.
 *
 * A case ends by a vector y with B^T y <= e, e small, and c . y > 0 (Farkas): then c . y = y . B x
 * <= e sum x, so that sum x >= c . y / e. y is the residual of the least squares of B x - c over
 * x >= 0 (Lawson and Hanson, Solving Least Squares Problems, chapter 23), with a row of small
 * weights below B that keeps x from growing along the rounding of A; e is taken from y as it came
 * out, with an allowance for round-off, so that the proof rests on y and not on how it was found.
 *
 * Unknowns are scaled: x = r / s, w = s v with s_i^2 = 2 / trace A_ii, which leaves K_mu alone, and
 * all of them are divided by max |s b|.
 */
#include "problem/solvers/auto/infeasible.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"

enum { OPEN, STICKS, SLIDES_UP, SLIDES_DOWN, MODES, DIM = 2 };
/* Certificates took some thousand cases of a dozen contacts. */
enum { CASES_MAX = 20000, CONTACTS_MAX = 24 };

/* Sum of impulses and speeds, over the free velocity, that counts as none: A is written with eight
 * digits at least, and r = 1e8 |b| would make anything of the rest. */
static const double LARGE = 1e6;
/* Of the row below B: a sum of LARGE adds as much as a residual of 1e-2. */
static const double WEIGHT = 1e-8;
/* A column is in the span of others when less than this part of it is left. */
static const double DEPENDENT = 1e-12;
/* Gain of a column, over the residual, that is round-off. */
static const double GAIN = 1e-10;

/* Columns may come and go; so many tries, each, are more than ever were needed. */
enum { TRIES_EACH = 5 };

struct certify {
  const struct problem *p;
  struct problem_operator A; /* BLOCKS, scaled */
  double *b;                 /* n, scaled */
  int set[CONTACTS_MAX], mode[CONTACTS_MAX], count;
  int *place; /* nc: of a contact in the set, or -1 */
  struct problem_certificate *found;
  struct base_arena *arena;
};

/* A linear system: rows x columns, column-major, the last row being that of weights. */
struct linear {
  int rows, columns;
  double *B, *c, *x, *y; /* y = c - B x */
};

/* ---- least squares over x >= 0 ---- */

/* z: k, of least |B_K z - c| over the columns K. 0: they depend on each other. */
static int least_squares(const struct linear *l, int k, const int *K, double *z,
                         struct base_arena *arena) {
  const int m = l->rows;
  if (k > m) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *B_K = base_arena_matrix(arena, m, k), *c = base_arena_doubles(arena, m);
  for (int j = 0; j < k; ++j) {
    la_copy(m, l->B + (long)K[j] * m, B_K + (long)j * m);
  }
  la_copy(m, l->c, c);
  const int regular = la_least_squares(m, k, B_K, c, DEPENDENT, z, arena) == BASE_OK;
  base_arena_release(arena, mark);
  return regular;
}

static double set_residual(struct linear *l) {
  la_copy(l->rows, l->c, l->y);
  la_gemv(l->rows, l->columns, -1, l->B, l->x, 1, l->y);
  return la_norm2(l->rows, l->y);
}

/* The column that promises most and is not passed over; -1: none. state: 1 in use, -1 passed over.
 */
static int best_column(const struct linear *l, const int *state, double residual) {
  int best = -1;
  double most = GAIN * residual;
  for (int j = 0; j < l->columns; ++j) {
    const double gain = state[j] == 0 ? la_dot(l->rows, l->B + (long)j * l->rows, l->y) : 0;
    if (gain > most) {
      most = gain;
      best = j;
    }
  }
  return best;
}

/* Take column `enter` in use and move to the least squares of those in use, dropping what becomes
 * negative on the way. 0: it does not help. K, z: columns. */
static int exchange(struct linear *l, int enter, int *state, int *K, double *z,
                    struct base_arena *arena) {
  state[enter] = 1;
  for (int first = 1;; first = 0) {
    int k = 0, leaves = -1;
    double alpha = INFINITY;
    for (int j = 0; j < l->columns; ++j) {
      if (state[j] == 1) {
        K[k++] = j;
      }
    }
    const int regular = least_squares(l, k, K, z, arena);
    int helps = regular;
    for (int i = 0; i < k && regular; ++i) {
      if (z[i] <= 0) {
        const double reach = l->x[K[i]] / fmax(l->x[K[i]] - z[i], DBL_MIN);
        helps = helps && !(first && K[i] == enter);
        leaves = reach < alpha ? i : leaves;
        alpha = fmin(alpha, reach);
      }
    }
    if (!helps) {
      state[enter] = -1;
      l->x[enter] = 0;
      return 0;
    }
    for (int i = 0; i < k; ++i) {
      double *x = &l->x[K[i]];
      *x += fmin(1, alpha) * (z[i] - *x);
      if (i == leaves || *x < 0) {
        *x = 0;
        state[K[i]] = 0;
      }
    }
    if (leaves < 0) {
      return 1;
    }
  }
}

/* x >= 0 of least |B x - c|, and y. */
static void solve_nonnegative(struct linear *l, struct base_arena *arena) {
  const struct base_arena_mark mark = base_arena_mark(arena);
  int *state = base_arena_ints(arena, l->columns), *K = base_arena_ints(arena, l->columns);
  double *z = base_arena_doubles(arena, l->columns), residual = set_residual(l);
  for (int tries = 0; tries < TRIES_EACH * l->columns; ++tries) {
    const int enter = best_column(l, state, residual);
    if (enter < 0) {
      break;
    }
    if (exchange(l, enter, state, K, z, arena)) {
      residual = set_residual(l);
      for (int j = 0; j < l->columns; ++j) {
        state[j] = state[j] > 0;
      }
    }
  }
  base_arena_release(arena, mark);
}

/* ---- the tree of cases ---- */

/* Column of impulse (r_N, r_T) of contact j: its velocities at the contacts of the set. */
static void add_impulse(const struct certify *s, struct linear *l, int j, double r_N, double r_T) {
  double *column = l->B + (long)l->columns++ * l->rows;
  memset(column, 0, (size_t)l->rows * sizeof *column);
  for (int a = 0; a < s->count; ++a) {
    const int i = s->set[a];
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
      const double *block = s->A.blocks + (long)e * DIM * DIM;
      for (int k = 0; k < DIM && s->A.col[e] == j; ++k) {
        column[DIM * a + k] = block[DIM * k] * r_N + block[DIM * k + 1] * r_T;
      }
    }
  }
  column[l->rows - 1] = WEIGHT;
}

/* Column of component k of the velocity of contact a of the set. */
static void add_velocity(struct linear *l, int a, int k, double sign) {
  double *column = l->B + (long)l->columns++ * l->rows;
  memset(column, 0, (size_t)l->rows * sizeof *column);
  column[DIM * a + k] = -sign;
  column[l->rows - 1] = WEIGHT;
}

static void add_cone(const struct certify *s, struct linear *l, int j) {
  add_impulse(s, l, j, 1, s->p->model.mu[j]);
  add_impulse(s, l, j, 1, -s->p->model.mu[j]);
}

/* Columns of the set in its modes, then two of each neighbour, into near: their contacts. Returns
 * the number of neighbours. */
static int build_system(struct certify *s, struct linear *l, int *near) {
  int neighbours = 0;
  for (int a = 0; a < s->count; ++a) {
    const int i = s->set[a];
    const double sign = s->mode[a] == SLIDES_DOWN ? -1 : 1;
    la_copy(DIM, s->b + DIM * i, l->c + DIM * a);
    for (int k = 0; k < DIM; ++k) {
      l->c[DIM * a + k] *= -1;
    }
    if (s->mode[a] == OPEN) {
      add_velocity(l, a, 0, 1);
      add_velocity(l, a, 1, 1);
      add_velocity(l, a, 1, -1);
    } else if (s->mode[a] == STICKS) {
      add_cone(s, l, i);
    } else {
      add_velocity(l, a, 1, sign);
      add_impulse(s, l, i, 1, -sign * s->p->model.mu[i]);
    }
  }
  l->c[l->rows - 1] = 0;
  for (int a = 0; a < s->count; ++a) {
    for (int e = s->A.row_ptr[s->set[a]]; e < s->A.row_ptr[s->set[a] + 1]; ++e) {
      const int j = s->A.col[e];
      if (s->place[j] < 0) {
        s->place[j] = s->count; /* until it is known */
        near[neighbours++] = j;
        add_cone(s, l, j);
      }
    }
  }
  for (int k = 0; k < neighbours; ++k) {
    s->place[near[k]] = -1;
  }
  return neighbours;
}

/* What the sum of x exceeds in every solution of B x = c, x >= 0, by y alone. */
static double least_sum(const struct linear *l) {
  const int m = l->rows - 1;
  const double gain = la_dot(m, l->c, l->y);
  double slope = m * DBL_EPSILON * la_norm2(m, l->y);
  for (int j = 0; j < l->columns; ++j) {
    const double *column = l->B + (long)j * l->rows;
    slope = fmax(slope, la_dot(m, column, l->y) +
                            m * DBL_EPSILON * la_norm2(m, column) * la_norm2(m, l->y));
  }
  return gain > 0 ? gain / slope : 0;
}

/* The case of the set: impossible (-1), or the neighbour to go on with; nc: no more of them. */
static int try_case(struct certify *s) {
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  int most = 3 * s->count, next = s->p->model.nc;
  for (int a = 0; a < s->count; ++a) {
    most += 2 * (s->A.row_ptr[s->set[a] + 1] - s->A.row_ptr[s->set[a]]);
  }
  struct linear l = {.rows = DIM * s->count + 1};
  l.B = base_arena_matrix(s->arena, l.rows, most);
  l.c = base_arena_doubles(s->arena, l.rows);
  l.y = base_arena_doubles(s->arena, l.rows);
  l.x = base_arena_doubles(s->arena, most);
  int *near = base_arena_ints(s->arena, most);
  const int neighbours = build_system(s, &l, near);
  solve_nonnegative(&l, s->arena);
  const double least = least_sum(&l);
  ++s->found->cases;
  if (least >= LARGE) {
    s->found->least = fmin(s->found->least, least);
    s->found->contacts = s->count > s->found->contacts ? s->count : s->found->contacts;
    next = -1;
  }
  double largest = -1;
  for (int k = 0; k < neighbours && next >= 0; ++k) {
    const double *x = l.x + l.columns - 2 * (neighbours - k);
    if (x[0] + x[1] > largest) {
      largest = x[0] + x[1];
      next = near[k];
    }
  }
  base_arena_release(s->arena, mark);
  return next;
}

/* Are all cases with contact i added to the set impossible? */
static int certify_from(struct certify *s, int i) {
  if (i == s->p->model.nc || s->count == CONTACTS_MAX) {
    return 0;
  }
  int infeasible = 1;
  s->place[i] = s->count;
  s->set[s->count++] = i;
  for (int mode = 0; mode < MODES && infeasible; ++mode) {
    s->mode[s->count - 1] = mode;
    const int goes_on = s->found->cases < CASES_MAX && !base_clock_passed(s->p->deadline);
    const int next = goes_on ? try_case(s) : s->p->model.nc;
    infeasible = next < 0 || certify_from(s, next);
  }
  s->place[i] = -1;
  --s->count;
  return infeasible;
}

/* A, b of s in units in which max |b| is one; 0: b is zero, and so is a solution. */
static int scale_problem(struct certify *s) {
  const struct problem *p = s->p;
  const int n = problem_size(p);
  double *scale = base_arena_doubles(s->arena, n), size = 0;
  problem_convex_scales(p, scale, NULL, s->arena);
  problem_operator_to_blocks(&p->A, &s->A, s->arena);
  double *blocks = base_arena_matrix(s->arena, DIM * DIM, s->A.row_ptr[p->model.nc]);
  for (int i = 0; i < p->model.nc; ++i) {
    for (int e = s->A.row_ptr[i]; e < s->A.row_ptr[i + 1]; ++e) {
      for (int k = 0; k < DIM * DIM; ++k) {
        const long at = (long)e * DIM * DIM + k;
        blocks[at] = scale[DIM * i] * s->A.blocks[at] * scale[DIM * s->A.col[e]];
      }
    }
  }
  s->A.blocks = blocks;
  s->b = base_arena_doubles(s->arena, n);
  for (int i = 0; i < n; ++i) {
    s->b[i] = scale[i] * p->b[i];
    size = fmax(size, fabs(s->b[i]));
  }
  for (int i = 0; i < n && size > 0; ++i) {
    s->b[i] /= size;
  }
  return size > 0 && isfinite(size);
}

int problem_certify_infeasible(const struct problem *p, int start, struct base_arena *arena,
                               struct problem_certificate *found) {
  const enum contact_law law = p->model.law;
  *found = (struct problem_certificate){.least = INFINITY};
  if (p->model.dim != DIM || (law != CONTACT_LAW_NCP && law != CONTACT_LAW_LCP)) {
    return 0;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct certify s = {.p = p, .found = found, .arena = arena};
  s.place = base_arena_ints(arena, p->model.nc);
  for (int i = 0; i < p->model.nc; ++i) {
    s.place[i] = -1;
  }
  const int infeasible = scale_problem(&s) && certify_from(&s, start);
  base_arena_release(arena, mark);
  return infeasible;
}
