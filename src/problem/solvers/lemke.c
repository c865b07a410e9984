/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lemke's complementary pivoting for w = M z + q, 0 <= w perp z >= 0 (Cottle, Pang, Stone, The
 * Linear Complementarity Problem, 4.4), on the polyhedral LCP of a contact problem (bhalerao 14)
 * or on a raw LCP (dim 1). An artificial z0 >= 0 with a covering vector d > 0 is added,
 * w = M z + d z0 + q; pivots follow complementary bases until z0 leaves, or on a ray.
 *
 * Ratio tests are lexicographic in the rows of [q, B^-1], read off the condensed tableau, so that
 * degenerate problems (b = 0, doubled contacts) cannot cycle. The LCP is first equilibrated by
 * powers of two, which leaves its solutions alone and amounts to another d; the matrix of contacts
 * is copositive and for those any d > 0 will do. In exact arithmetic a ray on a contact
 * problem then says that the free velocity asks for the impossible, e.g. a contact that cannot move
 * and yet must; in floating point false rays are left (measured: about 1 in 1e5 at mass ratios of
 * 1e6 to 1e12), hence the retries. On raw LCPs a ray proves nothing.
 *
 * The tableau is a preconditioner only: the entering column and the basic values are refined
 * against M in extended precision before each ratio test, the tableau is computed afresh after
 * small pivots, every n pivots and before a ray is declared, and the solution is solved from the
 * final basis by LU on M with refinement. Memory 3 n^2 doubles, about 6 n^2 operations a pivot,
 * about 0.7 n pivots on contacts (at worst 2^n): measured 0.04 s for n = 300, 2.2 s for n = 1200,
 * growing as n^3.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"

/* A pivot must exceed this part of its column's largest entry. Columns are refined, so what is
 * smaller is round-off of entries that cancelled; with mass ratios of 1e6 true pivots of 1e-9
 * occur.
 */
#define LEMKE_PIVOT_TOL 1e-12
/* After a pivot smaller than this part of its column the tableau has lost too many digits to be
 * refined from: compute it anew. */
#define LEMKE_REFRESH_PIVOT 1e-5
/* Basic values, max |q| = 1, that differ by less count as equal in a ratio test. Just above the
 * round-off of refined values: measured on 1e5 contact problems, 1e-12 confuses values that differ
 * where masses differ by 1e12, and 1e-17 takes round-off for an order and ends on false rays. */
#define LEMKE_TIE 1e-14
/* Negative basic values up to this part of the largest are round-off of the LU solution. */
#define LEMKE_CLIP (64 * DBL_EPSILON)
/* Largest |min(w, z)| accepted of a solution, equilibrated, max |q| = 1; far above round-off of a
 * healthy basis, far below any wrong one. */
#define LEMKE_ACCEPT 1e-10
#define LEMKE_EQUILIBRATIONS 4 /* sweeps; more change nothing that powers of two could show */
#define LEMKE_REFINEMENTS 2

enum lemke_covering { COVERING_ONES, COVERING_SCALED, COVERING_RANDOM };

struct lemke_options {
  int covering, retries, max_pivots, max_rows;
  double pivot_tol;
};

static const struct base_option lemke_table[] = {
    BASE_OPTION_CHOICE(struct lemke_options, covering, COVERING_SCALED, "ones|scaled|random",
                       "covering vector d: ones in the problem's units, ones after "
                       "equilibration, or a fixed quasi-random one in (1, 2)"),
    BASE_OPTION_INT(struct lemke_options, retries, 3, 0, 100,
                    "further attempts, each with a new quasi-random d, after a ray or a bad basis; "
                    "their pivots count"),
    BASE_OPTION_INT(struct lemke_options, max_pivots, 0, 0, 1000000000,
                    "pivots an attempt may take; 0: 100 (n + 10)"),
    BASE_OPTION_INT(struct lemke_options, max_rows, 12000, 1, 46340,
                    "rows of the LCP, beyond which it is refused: 3 n^2 numbers are needed, 3.5 GB "
                    "for 12000"),
    BASE_OPTION_REAL(struct lemke_options, pivot_tol, LEMKE_PIVOT_TOL, 0, 1, "",
                     "smallest pivot, relative to its column"),
    BASE_OPTION_END};

struct lemke {
  const struct problem *p;
  struct lemke_options opt;
  struct problem_lcp lcp;        /* equilibrated: w' = R w, z = C z', q' / q_scale */
  double *row_scale, *col_scale; /* n each, powers of two */
  double q_scale;
  double *d;               /* n, covering vector */
  double *T;               /* n x (n + 1): x_B + T x_N = x */
  double *x;               /* n, values of the basic variables */
  int *basic, *nonbasic;   /* n, n + 1: variables w_i = i, z_i = n + i, z0 = 2 n */
  int *place;              /* 2 n + 1: row if basic, -1 - column otherwise */
  double *B, *rhs, *z, *w; /* n x n; n each */
  long double *extended;   /* n */
  int *piv, *tied;         /* n each */
  int entering;            /* column */
  int attempt, pivots, total, since_refresh, trivial;
};

static int lemke_check(const struct problem *p, const void *options) {
  const struct lemke_options *o = options;
  if (p->model.dim > 1 && p->model.law != CONTACT_LAW_LCP) {
    return base_fail(BASE_UNSUPPORTED, "lemke: law %s is not linear in %d dimensions",
                     contact_law_name(p->model.law), p->model.dim);
  }
  if (p->model.dim > 3) {
    return base_fail(BASE_UNSUPPORTED, "lemke: no polyhedral cone with spin torque");
  }
  if (p->model.dim == 3 && p->model.n_dir < 3) {
    return base_fail(BASE_UNSUPPORTED, "lemke: %d directions do not span the tangent plane",
                     p->model.n_dir);
  }
  const double rows =
      (double)p->model.nc * problem_lcp_size(&(struct contact_model){
                                .dim = p->model.dim, .nc = 1, .n_dir = p->model.n_dir});
  if (o != NULL && rows > o->max_rows) { /* without options: only the law is asked about */
    return base_fail(BASE_UNSUPPORTED,
                     "lemke: an LCP of %.0f rows, more than max_rows = %d of a dense direct method",
                     rows, o->max_rows);
  }
  return BASE_OK;
}

static double power_of_two(double x) {
  int e;
  frexp(x, &e);
  return ldexp(1, e);
}

/* Impulses into velocities: r' = a r with a power of two a near the largest entry of A, so that A
 * stands beside mu and the ones of the friction rows as a number of their size. Without it the unit
 * of mass decides which entries are large, and with masses of 1e12 kg A is lost beside the ones. */
static void set_units(struct lemke *s) {
  const int n = s->lcp.n, forces = s->p->model.dim > 1 ? s->p->model.nc * (1 + s->lcp.k) : 0;
  double largest = 0;
  for (int j = 0; j < forces; ++j) {
    largest = fmax(largest, la_norm_inf(forces, s->lcp.M + (size_t)j * (size_t)n));
  }
  const double a = largest > 0 && isfinite(largest) ? power_of_two(largest) : 1;
  for (int i = 0; i < n; ++i) {
    s->row_scale[i] = i < forces || forces == 0 ? 1 : a;
    s->col_scale[i] = i < forces ? 1 / a : 1;
  }
  for (int j = 0; j < forces; ++j) {
    for (int i = 0; i < forces; ++i) {
      s->lcp.M[(size_t)j * (size_t)n + (size_t)i] /= a;
    }
  }
}

/* Rows and columns of M to a largest entry near one; zero rows and columns stay. */
static void equilibrate(struct lemke *s) {
  const int n = s->lcp.n;
  set_units(s);
  for (int sweep = 0; sweep < LEMKE_EQUILIBRATIONS; ++sweep) {
    memset(s->z, 0, (size_t)n * sizeof *s->z);
    memset(s->w, 0, (size_t)n * sizeof *s->w);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const double m = fabs(s->lcp.M[(size_t)j * (size_t)n + (size_t)i]);
        s->w[i] = fmax(s->w[i], m);
        s->z[j] = fmax(s->z[j], m);
      }
    }
    for (int i = 0; i < n; ++i) {
      s->w[i] = s->w[i] > 0 ? 1 / power_of_two(sqrt(s->w[i])) : 1;
      s->z[i] = s->z[i] > 0 ? 1 / power_of_two(sqrt(s->z[i])) : 1;
      s->row_scale[i] *= s->w[i];
      s->col_scale[i] *= s->z[i];
    }
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        s->lcp.M[(size_t)j * (size_t)n + (size_t)i] *= s->w[i] * s->z[j];
      }
    }
  }
  for (int i = 0; i < n; ++i) {
    s->lcp.q[i] *= s->row_scale[i];
  }
  const double q_max = la_norm_inf(n, s->lcp.q);
  s->q_scale = q_max > 0 && isfinite(q_max) ? power_of_two(q_max) : 1;
  for (int i = 0; i < n; ++i) {
    s->lcp.q[i] /= s->q_scale;
  }
}

static void *lemke_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct lemke *s = base_arena_push(arena, sizeof *s);
  s->p = p;
  s->opt = *(const struct lemke_options *)options;
  problem_lcp_build(p, &s->lcp, arena);
  const int n = s->lcp.n;
  const size_t square = (size_t)n * (size_t)n * sizeof(double);
  s->row_scale = base_arena_doubles(arena, n);
  s->col_scale = base_arena_doubles(arena, n);
  s->d = base_arena_doubles(arena, n);
  s->T = base_arena_push(arena, square + (size_t)n * sizeof(double));
  s->B = base_arena_push(arena, square);
  s->x = base_arena_doubles(arena, n);
  s->rhs = base_arena_doubles(arena, n);
  s->z = base_arena_doubles(arena, n);
  s->w = base_arena_doubles(arena, n);
  s->extended = base_arena_push(arena, (size_t)n * sizeof *s->extended);
  s->basic = base_arena_ints(arena, n);
  s->nonbasic = base_arena_ints(arena, n + 1);
  s->place = base_arena_ints(arena, 2 * n + 1);
  s->piv = base_arena_ints(arena, n);
  s->tied = base_arena_ints(arena, n);
  equilibrate(s);
  return s;
}

/* Column of variable `var` in w - M z - d z0 = q. y: n. */
static void system_column(const struct lemke *s, int var, double *y) {
  const int n = s->lcp.n;
  memset(y, 0, (size_t)n * sizeof *y);
  if (var < n) {
    y[var] = 1;
  } else if (var < 2 * n) {
    la_axpy(n, -1, s->lcp.M + (size_t)(var - n) * (size_t)n, y);
  } else {
    la_axpy(n, -1, s->d, y);
  }
}

/* Tableau and basic values from M and q. */
static int tableau_refresh(struct lemke *s) {
  const int n = s->lcp.n;
  for (int j = 0; j < n; ++j) {
    system_column(s, s->basic[j], s->B + (size_t)j * (size_t)n);
  }
  for (int j = 0; j <= n; ++j) {
    system_column(s, s->nonbasic[j], s->T + (size_t)j * (size_t)n);
  }
  la_copy(n, s->lcp.q, s->x);
  s->since_refresh = 0;
  if (la_lu_factor(n, s->B, s->piv) != BASE_OK) {
    return base_fail(BASE_FAILED, "lemke: basis singular after %d pivots", s->pivots);
  }
  la_lu_solve(n, n + 1, s->B, s->piv, s->T);
  la_lu_solve(n, 1, s->B, s->piv, s->x);
  return BASE_OK;
}

/* t, the solution of B t = y by the tableau, made accurate: y - B t in extended precision, and
 * B^-1 of it read off the columns of w. y: n, column of the system or q. */
static void tableau_refine(struct lemke *s, const double *y, double *t) {
  const int n = s->lcp.n;
  long double *off = s->extended;
  for (int i = 0; i < n; ++i) {
    off[i] = y[i];
  }
  for (int i = 0; i < n; ++i) {
    const int var = s->basic[i];
    if (t[i] == 0) {
      continue;
    }
    if (var < n) {
      off[var] -= t[i];
      continue;
    }
    const double *column = var < 2 * n ? s->lcp.M + (size_t)(var - n) * (size_t)n : s->d;
    for (int k = 0; k < n; ++k) {
      off[k] += (long double)column[k] * (long double)t[i];
    }
  }
  for (int j = 0; j < n; ++j) {
    const int at = s->place[j];
    if (at >= 0) {
      t[at] += (double)off[j];
    } else {
      la_axpy(n, (double)off[j], s->T + (size_t)(-1 - at) * (size_t)n, t);
    }
  }
}

/* What the next ratio test reads: the entering column t and the basic values. */
static void column_refine(struct lemke *s, double *t) {
  system_column(s, s->nonbasic[s->entering], s->rhs);
  tableau_refine(s, s->rhs, t);
  tableau_refine(s, s->lcp.q, s->x);
}

/* Entry i of the column of w_j in the tableau, that is of B^-1. */
static double inverse_entry(const struct lemke *s, int i, int j) {
  const int at = s->place[j];
  return at >= 0 ? (at == i ? 1 : 0) : s->T[(size_t)(-1 - at) * (size_t)s->lcp.n + (size_t)i];
}

/* Keep the rows of `tied` whose ratio value_i / t_i is least, within round-off. */
static int tie_filter(struct lemke *s, int count, const double *t, int column) {
  int best = s->tied[0], kept = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int c = 0; c < count; ++c) {
      const int i = s->tied[c];
      const double a = column < 0 ? s->x[i] : inverse_entry(s, i, column);
      const double b = column < 0 ? s->x[best] : inverse_entry(s, best, column);
      const double difference = a * t[best] - b * t[i];
      const double noise = LEMKE_TIE * ((1 + fabs(a)) * t[best] + (1 + fabs(b)) * t[i]);
      if (pass == 0 && difference < 0) {
        best = i;
      } else if (pass == 1 && difference <= noise) {
        s->tied[kept++] = i;
      }
    }
  }
  return kept;
}

/* Row that leaves for the entering column t, lexicographic; -1 on a ray. */
static int row_leaving(struct lemke *s, const double *t) {
  const int n = s->lcp.n;
  const double least = s->opt.pivot_tol * la_norm_inf(n, t);
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (t[i] > least) {
      s->tied[count++] = i;
    }
  }
  if (count == 0) {
    return -1;
  }
  count = tie_filter(s, count, t, -1);
  for (int c = 0; c < count; ++c) {
    if (s->basic[s->tied[c]] == 2 * n) {
      return s->tied[c]; /* z0 = 0 is reached: a solution, whatever the order of the others */
    }
  }
  for (int j = 0; j < n && count > 1; ++j) {
    count = tie_filter(s, count, t, j);
  }
  return s->tied[0];
}

/* Exchange the basic variable of row r and the nonbasic one of column e. */
static void tableau_pivot(struct lemke *s, int r, int e) {
  const int n = s->lcp.n;
  double *t_e = s->T + (size_t)e * (size_t)n;
  const double inverse = 1 / t_e[r];
  for (int j = 0; j <= n; ++j) {
    double *t = s->T + (size_t)j * (size_t)n;
    if (j == e || t[r] == 0) {
      continue;
    }
    const double factor = t[r] * inverse;
    la_axpy(n, -factor, t_e, t);
    t[r] = factor;
  }
  const double step = s->x[r] * inverse;
  la_axpy(n, -step, t_e, s->x);
  s->x[r] = step;
  for (int i = 0; i < n; ++i) {
    t_e[i] *= -inverse;
  }
  t_e[r] = inverse;
  const int in = s->nonbasic[e], out = s->basic[r];
  s->basic[r] = in;
  s->nonbasic[e] = out;
  s->place[in] = r;
  s->place[out] = -1 - e;
}

static void covering_fill(struct lemke *s) {
  const int n = s->lcp.n;
  for (int i = 0; i < n; ++i) {
    const double weyl = (i + 1) * 0.61803398874989485 + s->attempt * 0.41421356237309505;
    s->d[i] = s->attempt > 0 || s->opt.covering == COVERING_RANDOM ? 1 + weyl - floor(weyl)
              : s->opt.covering == COVERING_SCALED                 ? 1
                                                                   : s->row_scale[i];
  }
  const double largest = la_norm_inf(n, s->d);
  for (int i = 0; i < n; ++i) {
    s->d[i] /= largest;
  }
}

/* z0 enters the basis of all w; the row of lexicographically least q_i / d_i leaves. */
static void attempt_begin(struct lemke *s) {
  const int n = s->lcp.n;
  covering_fill(s);
  for (int i = 0; i < n; ++i) {
    s->basic[i] = i;
    s->nonbasic[i] = n + i;
    s->place[i] = i;
    s->place[n + i] = -1 - i;
  }
  s->nonbasic[n] = 2 * n;
  s->place[2 * n] = -1 - n;
  for (int j = 0; j <= n; ++j) {
    system_column(s, s->nonbasic[j], s->T + (size_t)j * (size_t)n);
  }
  la_copy(n, s->lcp.q, s->x);
  int r = 0;
  for (int i = 1; i < n; ++i) {
    /* among equals the later row: its e_i / d_i is the lexicographically lesser */
    if (s->x[i] * s->d[r] <= s->x[r] * s->d[i]) {
      r = i;
    }
  }
  tableau_pivot(s, r, n);
  s->entering = -1 - s->place[n + r];
  s->pivots = 1;
  ++s->total;
  s->since_refresh = 1;
}

static int lemke_start(void *workspace, double *r) {
  struct lemke *s = workspace;
  (void)r;
  const int n = s->lcp.n;
  if (!la_all_finite(n, s->lcp.q) || !la_all_finite(n * n, s->lcp.M)) {
    return base_fail(BASE_FAILED, "lemke: the problem holds numbers that are not finite");
  }
  s->attempt = s->total = 0;
  s->trivial = 1;
  for (int i = 0; i < n; ++i) {
    s->trivial = s->trivial && s->lcp.q[i] >= 0;
  }
  if (!s->trivial) {
    attempt_begin(s);
  }
  return BASE_OK;
}

/* z of the final basis from M and q: LU and refinement with extended residuals. */
static int solution_solve(struct lemke *s) {
  const int n = s->lcp.n;
  int m = 0;
  int *set = s->tied; /* basic z in ascending order */
  memset(s->z, 0, (size_t)n * sizeof *s->z);
  for (int j = 0; j < n; ++j) {
    if (s->place[n + j] >= 0) {
      set[m++] = j;
    }
  }
  for (int j = 0; j < m; ++j) {
    for (int i = 0; i < m; ++i) {
      s->B[j * m + i] = s->lcp.M[(size_t)set[j] * (size_t)n + (size_t)set[i]];
    }
  }
  if (m > 0 && la_lu_factor(m, s->B, s->piv) != BASE_OK) {
    return base_fail(BASE_FAILED, "lemke: final basis singular after %d pivots", s->total);
  }
  for (int pass = 0; m > 0 && pass <= LEMKE_REFINEMENTS; ++pass) {
    for (int i = 0; i < m; ++i) {
      long double sum = -(long double)s->lcp.q[set[i]];
      for (int j = 0; j < m; ++j) {
        sum -= (long double)s->lcp.M[(size_t)set[j] * (size_t)n + (size_t)set[i]] *
               (long double)s->z[set[j]];
      }
      s->rhs[i] = (double)sum;
    }
    la_lu_solve(m, 1, s->B, s->piv, s->rhs);
    for (int i = 0; i < m; ++i) {
      s->z[set[i]] += s->rhs[i];
    }
  }
  const double tiny = LEMKE_CLIP * la_norm_inf(n, s->z);
  for (int i = 0; i < n; ++i) {
    s->z[i] = s->z[i] < 0 && s->z[i] >= -tiny ? 0 : s->z[i];
  }
  return BASE_OK;
}

/* Largest |min(w, z)| of the equilibrated problem less what round-off of w can explain. */
static double solution_residual(struct lemke *s) {
  const int n = s->lcp.n;
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double w = s->lcp.q[i], size = fabs(s->lcp.q[i]);
    for (int j = 0; j < n; ++j) {
      const double term = s->lcp.M[(size_t)j * (size_t)n + (size_t)i] * s->z[j];
      w += term;
      size += fabs(term);
    }
    const double off = fabs(fmin(w, s->z[i])) - LEMKE_CLIP * size;
    worst = isfinite(w) ? fmax(worst, off) : INFINITY;
  }
  return worst;
}

/* z0 has left the basis: write the reaction. */
static int solution_finish(struct lemke *s, double *r) {
  const int n = s->lcp.n;
  const int status = solution_solve(s);
  const double residual = status == BASE_OK ? solution_residual(s) : INFINITY;
  if (!(residual <= LEMKE_ACCEPT) && s->attempt < s->opt.retries) {
    ++s->attempt;
    attempt_begin(s);
    return BASE_OK;
  }
  if (status != BASE_OK) {
    return status;
  }
  for (int i = 0; i < n; ++i) {
    s->z[i] *= s->col_scale[i] * s->q_scale;
  }
  problem_lcp_reaction(s->p, s->z, r);
  if (!(residual <= LEMKE_ACCEPT)) {
    return base_fail(BASE_FAILED,
                     "lemke: final basis misses complementarity by %.1e of max|q| (scaled) after "
                     "%d pivots in %d attempts",
                     residual, s->total, s->attempt + 1);
  }
  return PROBLEM_DONE;
}

/* This attempt has led nowhere: the next one, or the end with its reason. */
static int attempt_give_up(struct lemke *s, const char *what) {
  if (s->attempt < s->opt.retries) {
    ++s->attempt;
    attempt_begin(s);
    return BASE_OK;
  }
  return base_fail(BASE_FAILED,
                   "lemke: %s after %d pivots; no solution found by Lemke (%d covering "
                   "vectors tried)",
                   what, s->total, s->attempt + 1);
}

static int lemke_iterate(void *workspace, double *r) {
  struct lemke *s = workspace;
  const int n = s->lcp.n;
  if (s->trivial) {
    memset(s->z, 0, (size_t)n * sizeof *s->z);
    problem_lcp_reaction(s->p, s->z, r);
    return PROBLEM_DONE;
  }
  const int bound = s->opt.max_pivots > 0 ? s->opt.max_pivots : 100 * (n + 10);
  if (s->pivots >= bound) {
    return attempt_give_up(s, "pivot bound reached");
  }
  if (s->since_refresh >= n + 32 && tableau_refresh(s) != BASE_OK) {
    return attempt_give_up(s, "singular basis");
  }
  double *t = s->T + (size_t)s->entering * (size_t)n;
  column_refine(s, t);
  int row = row_leaving(s, t);
  if (row < 0 && s->since_refresh > 0) {
    if (tableau_refresh(s) != BASE_OK) {
      return attempt_give_up(s, "singular basis");
    }
    column_refine(s, t);
    row = row_leaving(s, t);
  }
  if (row < 0) {
    return attempt_give_up(s, "secondary ray");
  }
  const int small = t[row] < LEMKE_REFRESH_PIVOT * la_norm_inf(n, t);
  const int out = s->basic[row];
  tableau_pivot(s, row, s->entering);
  ++s->pivots;
  ++s->total;
  ++s->since_refresh;
  if (out == 2 * n) {
    return solution_finish(s, r);
  }
  s->entering = -1 - s->place[out < n ? out + n : out - n];
  if (small && tableau_refresh(s) != BASE_OK) {
    return attempt_give_up(s, "singular basis");
  }
  return BASE_OK;
}

const struct problem_solver problem_solver_lemke = {
    .summary = "Lemke's pivoting, lexicographic; direct, for LCPs of up to some thousand rows",
    .source = "Cottle, Pang, Stone: The Linear Complementarity Problem, 4.4; bhalerao 14",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = lemke_table,
    .options_size = sizeof(struct lemke_options),
    .check = lemke_check,
    .alloc = lemke_alloc,
    .start = lemke_start,
    .iterate = lemke_iterate,
};
