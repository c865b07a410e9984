/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lemke's complementary pivoting for w = M z + q, 0 <= w perp z >= 0 (Cottle, Pang, Stone, The
 * Linear Complementarity Problem, 4.4), on the polyhedral LCP of a contact problem (bhalerao 14)
 * or on a raw LCP (dim 1). An artificial z0 >= 0 with a covering vector d > 0 is added,
 * w = M z + d z0 + q; pivots follow complementary bases until z0 leaves, or on a ray.
 *
 * Ratio tests are lexicographic, so that degenerate problems (b = 0, doubled contacts) cannot
 * cycle, and pivots are bounded besides. The LCP is equilibrated by powers of two first, which
 * leaves its solutions alone and amounts to another d; the matrix of contacts is copositive and for
 * those any d > 0 will do. In exact arithmetic a ray on a contact problem then says that the free
 * velocity asks for the impossible, e.g. a contact that cannot move and yet must; in floating point
 * false rays are left, hence the retries. Measured on 1e5 problems each: none at mass ratios to
 * 1e6; one at 1e8, where rational arithmetic ends on a ray of the rounded problem as well; twelve
 * at 1e12, all of them false.
 * Stacks at rest are degenerate all over, and z0 is down to rounding (1e-13) half way of the
 * pivots: the order of ties is then noise, and of 100,000 steps of a tower of five boxes 2400 ended
 * an attempt on a false ray and nine went round in circles. z0 that is rounding therefore counts as
 * zero where the way does not lead on (is_arrived). On raw LCPs a ray proves nothing.
 *
 * Warm start: reactions r that are not zero say which variables are basic, the support of z (an
 * open or frictionless contact that slides has lambda = 0 on the facet it slides against, which is
 * added to make a basis of it). With B the columns of that basis, d = B e, e = 1, is a covering
 * vector of the LCP pivoted on the set: all of x = B^-1 q + e z0 >= 0 for large z0, and Lemke's
 * method begins there. When x >= 0 at z0 = 0 already, not a pivot is needed. Pivoting on a set does
 * not keep copositivity, so that a ray then proves nothing: whatever goes wrong, or takes more than
 * n pivots, is begun again cold.
 *
 * Pivots cost about m (n + m) operations with m basic z (lemke_basis.h), and their number is about
 * 0.4 n on contacts (at worst 2^n): measured 2 ms for n = 200, 0.02 s for 500, 0.3 s for 1200. The
 * solution is solved from the final basis by LU with refinement, and looked at before it is
 * returned. Memory 3 n^2 doubles, and n^2 more while the problem is set up.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"
#include "problem/solvers/lcp/lemke_basis.h"

/* A pivot must exceed this part of its column's largest entry. Columns are refined, so what is
 * smaller is round-off of entries that cancelled; with mass ratios of 1e6 true pivots of 1e-9
 * occur.
 */
#define LEMKE_PIVOT_TOL 1e-12
/* On piles of boxes, whose contacts are redundant, more than half of the attempts end on a false
 * ray or in a singular basis, and which ones hangs on the BLAS' rounding: 3 further ones missed 1
 * of 94 problems of a pyramid. */
#define LEMKE_RETRIES 15
/* After a pivot smaller than this part of its column K has lost too many digits to be refined from:
 * compute it anew. */
#define LEMKE_REFRESH_PIVOT 1e-5
/* Negative basic values up to this part of the largest are round-off of the LU solution. */
#define LEMKE_CLIP (64 * DBL_EPSILON)
/* Largest |min(w, z)| accepted of a solution, equilibrated, max |q| = 1; far above round-off of a
 * healthy basis, far below any wrong one. */
#define LEMKE_ACCEPT 1e-11
/* Largest z0 that may be rounding: a tenth of that. */
#define LEMKE_ARRIVED (0.1 * LEMKE_ACCEPT)
#define LEMKE_REFINEMENTS 2
/* Forces below this part of the largest, and speeds below it of max |q|, are round-off or remains
 * of an iteration: their variables are not basic. */
#define LEMKE_SUPPORT 1e-9
#define LEMKE_WARM (-1) /* number of the attempt that begins at the start's basis */

enum lemke_covering { COVERING_ONES, COVERING_SCALED, COVERING_RANDOM };

struct lemke_options {
  int covering, retries, max_pivots, max_rows, warm;
  double pivot_tol;
};

static const struct base_option lemke_table[] = {
    BASE_OPTION_CHOICE(struct lemke_options, covering, COVERING_SCALED, "ones|scaled|random",
                       "covering vector d: ones in the problem's units, ones after "
                       "equilibration, or a fixed quasi-random one in (1, 2)"),
    BASE_OPTION_INT(struct lemke_options, retries, LEMKE_RETRIES, 0, 100,
                    "number of further attempts after a ray or a bad basis, each with a new "
                    "quasi-random d; their pivots count"),
    BASE_OPTION_INT(struct lemke_options, max_pivots, 0, 0, 1000000000,
                    "largest number of pivots of an attempt; 0: 10 (n + 10)"),
    BASE_OPTION_INT(
        struct lemke_options, max_rows, 12000, 1, 46340,
        "largest number n of rows of the LCP: the solver needs 4 n^2 numbers, 4.6 GB for 12000"),
    BASE_OPTION_BOOL(struct lemke_options, warm, 1,
                     "start from the basis of the initial reactions, if there are any"),
    BASE_OPTION_REAL(struct lemke_options, pivot_tol, LEMKE_PIVOT_TOL, 0, 1, "",
                     "smallest pivot, relative to its column"),
    BASE_OPTION_END};

struct lemke {
  const struct problem *p;
  struct lemke_options opt;
  struct base_arena *arena;
  int n, k;                       /* rows; directions a contact */
  struct problem_lcp_scale scale; /* basis holds the scaled problem */
  struct lemke_basis basis;
  double *z; /* n, and z0 */
  int *set;  /* n + 1, variables to begin with, or basic at the end */
  int *rows; /* n + 1, of nonbasic w at the end */
  int count; /* of the set, without z0 */
  int entering;
  int attempt, pivots, total, trivial;
  int near; /* pivots on end with a z0 that is rounding */
};

static int lemke_check(const struct problem *p, const void *options) {
  const struct lemke_options *o = options;
  const int status = problem_lcp_check(p, "lemke");
  if (status != BASE_OK) {
    return status;
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

static void *lemke_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct lemke *s = base_arena_push(arena, sizeof *s);
  const int n = problem_lcp_size(&p->model);
  s->p = p;
  s->opt = *(const struct lemke_options *)options;
  s->arena = arena;
  s->n = n;
  s->z = base_arena_doubles(arena, n + 1);
  s->set = base_arena_ints(arena, n + 1);
  s->rows = base_arena_ints(arena, n + 1);
  problem_lcp_scale_alloc(&s->scale, n, arena);
  lemke_basis_alloc(&s->basis, n, arena);
  const struct base_arena_mark mark = base_arena_mark(arena);
  struct problem_lcp lcp;
  problem_lcp_build(p, &lcp, arena);
  problem_lcp_equilibrate(&p->model, &lcp, &s->scale, arena);
  s->k = lcp.k;
  la_copy(n, lcp.q, s->basis.q);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      s->basis.G[(size_t)i * (size_t)(n + 1) + (size_t)j] =
          lcp.M[(size_t)j * (size_t)n + (size_t)i];
    }
  }
  base_arena_release(arena, mark);
  return s;
}

/* Covering vector of a cold attempt into the last column of G. */
static void covering_fill(struct lemke *s) {
  const int n = s->n;
  double *d = s->z, largest = 0;
  for (int i = 0; i < n; ++i) {
    const double weyl = (i + 1) * 0.61803398874989485 + s->attempt * 0.41421356237309505;
    d[i] = s->attempt > 0 || s->opt.covering == COVERING_RANDOM ? 1 + weyl - floor(weyl)
           : s->opt.covering == COVERING_SCALED                 ? 1
                                                                : s->scale.row[i];
    largest = fmax(largest, d[i]);
  }
  for (int i = 0; i < n; ++i) {
    *lemke_basis_entry(&s->basis, i, n) = d[i] / largest;
  }
}

/* d = B e of the basis given by s->set. */
static void covering_of_basis(struct lemke *s) {
  const int n = s->n;
  for (int i = 0; i < n; ++i) {
    long double sum = s->basis.row_slot[i] < 0 ? 1 : 0;
    for (int j = 0; j < s->count; ++j) {
      sum -= *lemke_basis_entry(&s->basis, i, s->set[j]);
    }
    *lemke_basis_entry(&s->basis, i, n) = (double)sum;
  }
}

/* z0 enters the basis to begin with, of w alone or of the set. BASE_FAILED: there is no such basis.
 */
static int attempt_begin(struct lemke *s) {
  const int n = s->n, warm = s->attempt == LEMKE_WARM;
  struct lemke_basis *basis = &s->basis;
  s->pivots = s->near = 0;
  const int status = lemke_basis_begin(basis, warm ? s->count : 0, s->set);
  if (status != BASE_OK) {
    return status;
  }
  if (warm) {
    covering_of_basis(s);
  } else {
    covering_fill(s);
  }
  lemke_basis_column(basis, 2 * n);
  const int leaving = lemke_basis_leaving_first(basis);
  s->trivial = basis->x[leaving] >= -LEMKE_CLIP * lemke_basis_largest(basis, basis->x);
  if (s->trivial) {
    return BASE_OK;
  }
  const int left = lemke_basis_pivot(basis, 2 * n, leaving);
  s->entering = left < n ? left + n : left - n;
  s->pivots = 1;
  ++s->total;
  return BASE_OK;
}

/* Contact i of the set: lambda that friction needs; against the sliding velocity one when it needs
 * none. z, w: n. */
static void mark_friction(struct lemke *s, int i, const double *w, int *is_in) {
  const int nc = s->p->model.nc, k = s->k, first = nc + i * k, sigma = nc * (1 + k) + i;
  const double *z = s->z;
  const double largest = la_norm_inf(k, z + first);
  int against = first;
  for (int l = first; l < first + k; ++l) {
    is_in[l] = z[l] > LEMKE_SUPPORT * largest;
    against = w[l] < w[against] ? l : against;
  }
  is_in[sigma] = z[sigma] > fmax(w[sigma], LEMKE_SUPPORT);
  if (is_in[sigma] && !(largest > 0)) {
    is_in[against] = 1;
  }
}

/* Variables that are basic at reactions r, into s->set. Normal forces and sigma are so where z > w;
 * w of lambda is not asked, since those of a sticking contact are all zero. */
static void set_from(struct lemke *s, const double *r) {
  const int n = s->n, nc = s->p->model.nc;
  const struct base_arena_mark mark = base_arena_mark(s->arena);
  double *w = base_arena_doubles(s->arena, n);
  int *is_in = base_arena_ints(s->arena, n);
  problem_lcp_unknowns(s->p, r, s->z, s->arena);
  for (int i = 0; i < n; ++i) {
    s->z[i] /= s->scale.col[i] * s->scale.q;
  }
  for (int i = 0; i < n; ++i) {
    w[i] = s->basis.q[i];
    for (int j = 0; j < n; ++j) {
      w[i] += *lemke_basis_entry(&s->basis, i, j) * s->z[j];
    }
  }
  const double least = LEMKE_SUPPORT * la_norm_inf(nc, s->z);
  for (int i = 0; i < nc; ++i) {
    is_in[i] = s->z[i] > fmax(w[i], least);
    if (s->k > 0) {
      mark_friction(s, i, w, is_in);
    }
  }
  s->count = 0;
  for (int i = 0; i < n; ++i) {
    if (is_in[i]) {
      s->set[s->count++] = i;
    }
  }
  base_arena_release(s->arena, mark);
}

static int lemke_start(void *workspace, double *r) {
  struct lemke *s = workspace;
  const int n = s->n;
  if (!la_all_finite(n, s->basis.q) || !la_all_finite((long)n * (n + 1), s->basis.G)) {
    return base_fail(BASE_FAILED, "lemke: the problem holds numbers that are not finite");
  }
  s->total = s->count = 0;
  if (s->opt.warm && la_norm_inf(problem_size(s->p), r) > 0) {
    set_from(s, r);
  }
  s->attempt = LEMKE_WARM;
  if (s->count == 0 || attempt_begin(s) != BASE_OK) {
    s->attempt = 0;
    return attempt_begin(s);
  }
  return BASE_OK;
}

/* Basic z in ascending order and z0, which is still basic where it ended as rounding, into s->set;
 * rows of nonbasic w into s->rows. Returns how many. */
static int final_basis(struct lemke *s) {
  int rows = 0, columns = 0;
  for (int i = 0; i <= s->n; ++i) {
    if (i < s->n && s->basis.row_slot[i] >= 0) {
      s->rows[rows++] = i;
    }
    if (s->basis.at[i] < s->basis.m) {
      s->set[columns++] = i;
    }
  }
  return columns;
}

/* z of the final basis from M and q: LU and refinement with extended residuals. z0 goes. */
static int solution_solve(struct lemke *s) {
  const int n = s->n, m = final_basis(s);
  struct lemke_basis *basis = &s->basis;
  const int *rows = s->rows, *set = s->set;
  memset(s->z, 0, (size_t)(n + 1) * sizeof *s->z);
  s->count = m > 0 && set[m - 1] == n ? m - 1 : m;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < m; ++j) {
      basis->B[(long)j * m + i] = *lemke_basis_entry(basis, rows[i], set[j]);
    }
  }
  if (m > 0 && la_lu_factor(m, basis->B, basis->piv) != BASE_OK) {
    return base_fail(BASE_FAILED, "lemke: final basis singular after %d pivots", s->total);
  }
  for (int pass = 0; m > 0 && pass <= LEMKE_REFINEMENTS; ++pass) {
    for (int i = 0; i < m; ++i) {
      long double sum = -(long double)basis->q[rows[i]];
      for (int j = 0; j < m; ++j) {
        sum -= (long double)*lemke_basis_entry(basis, rows[i], set[j]) * (long double)s->z[set[j]];
      }
      basis->y[i] = (double)sum;
    }
    la_lu_solve(m, 1, basis->B, basis->piv, basis->y);
    for (int i = 0; i < m; ++i) {
      s->z[set[i]] += basis->y[i];
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
  const int n = s->n;
  double worst = 0;
  for (int i = 0; i < n; ++i) {
    double w = s->basis.q[i], size = fabs(s->basis.q[i]);
    for (int j = 0; j < s->count; ++j) {
      const double term = *lemke_basis_entry(&s->basis, i, s->set[j]) * s->z[s->set[j]];
      w += term;
      size += fabs(term);
    }
    const double off = fabs(fmin(w, s->z[i])) - LEMKE_CLIP * size;
    worst = isfinite(w) ? fmax(worst, off) : INFINITY;
  }
  return worst;
}

/* This attempt has led nowhere: the next one, or the end with its reason. */
static int attempt_give_up(struct lemke *s, const char *what) {
  if (s->attempt < s->opt.retries) {
    ++s->attempt;
    return attempt_begin(s);
  }
  return base_fail(BASE_FAILED,
                   "lemke: %s after %d pivots; no solution found by Lemke (%d covering "
                   "vectors tried)",
                   what, s->total, s->attempt + 1);
}

/* Is z0, at the values of the last column, zero but for their rounding? It then moves about as that
 * does, and the rest of the way leads through bases that rounding chooses: to z0 = 0 as a rule,
 * else to a false ray or in a circle. Without z0 the LCP is off by no more than z0 was. */
static int is_arrived(const struct lemke *s) {
  const struct lemke_basis *basis = &s->basis;
  const int at = basis->at[s->n];
  return at < basis->m &&
         basis->x[at] <= fmin(LEMKE_ARRIVED, LEMKE_CLIP * lemke_basis_largest(basis, basis->x));
}

/* z0 is zero: write the reaction. One that is off is written too, for whoever asks for less, while
 * the next attempt begins. */
static int solution_finish(struct lemke *s, double *r) {
  const int n = s->n;
  const int status = solution_solve(s);
  const double residual = status == BASE_OK ? solution_residual(s) : INFINITY;
  if (status == BASE_OK) {
    for (int i = 0; i < n; ++i) {
      s->z[i] *= s->scale.col[i] * s->scale.q;
    }
    problem_lcp_reaction(s->p, s->z, r);
  }
  if (residual <= LEMKE_ACCEPT) {
    return PROBLEM_DONE;
  }
  if (s->attempt < s->opt.retries) {
    return attempt_give_up(s, "bad basis");
  }
  return status != BASE_OK
             ? status
             : base_fail(BASE_FAILED,
                         "lemke: final basis misses complementarity by %.1e of max|q| (scaled) "
                         "after %d pivots in %d attempts",
                         residual, s->total, s->attempt + 1);
}

static int lemke_iterate(void *workspace, double *r) {
  struct lemke *s = workspace;
  struct lemke_basis *basis = &s->basis;
  const int n = s->n, warm = s->attempt == LEMKE_WARM;
  if (s->trivial) {
    return solution_finish(s, r);
  }
  const int bound = warm ? n : s->opt.max_pivots > 0 ? s->opt.max_pivots : 10 * (n + 10);
  if (s->pivots >= bound) {
    return attempt_give_up(s, "pivot bound reached");
  }
  if (basis->since_refresh >= n + 32 && lemke_basis_refresh(basis) != BASE_OK) {
    return attempt_give_up(s, "singular basis");
  }
  lemke_basis_column(basis, s->entering);
  s->near = is_arrived(s) ? s->near + 1 : 0;
  if (s->near > n) {
    return solution_finish(s, r);
  }
  int leaving = lemke_basis_leaving(basis, s->opt.pivot_tol);
  if (leaving < 0 && basis->since_refresh > 0) {
    if (lemke_basis_refresh(basis) != BASE_OK) {
      return attempt_give_up(s, "singular basis");
    }
    lemke_basis_column(basis, s->entering);
    leaving = lemke_basis_leaving(basis, s->opt.pivot_tol);
  }
  if (leaving < 0) {
    return s->near > 0 ? solution_finish(s, r) : attempt_give_up(s, "secondary ray");
  }
  const int small = basis->t[leaving] < LEMKE_REFRESH_PIVOT * lemke_basis_largest(basis, basis->t);
  const int left = lemke_basis_pivot(basis, s->entering, leaving);
  ++s->pivots;
  ++s->total;
  if (left == 2 * n) {
    return solution_finish(s, r);
  }
  s->entering = left < n ? left + n : left - n;
  if (small && lemke_basis_refresh(basis) != BASE_OK) {
    return attempt_give_up(s, "singular basis");
  }
  return BASE_OK;
}

const struct problem_solver problem_solver_lemke = {
    .name = "lemke",
    .look = {.colour = 0x000000, .point = 4, .point_size = 0.9},
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
