/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-redundant: one step of a sliding table and of a sliding box, by every solver. W has 12
 * columns and rank 6, so that the null space of N = A has dimension 6 and multipliers are not
 * unique. The velocities are those of N's range: unique under the convex relaxation whatever the
 * motion, and under Coulomb's law where the body does not spin. A spinning body shows what happens
 * then: friction in sum depends on how the legs share the load. Where all solvers of a law agree on
 * the impulses too, they have all chosen the part in N's range, to which sweeps and gradients from
 * zero keep; a spinning body under the relaxation has no choice, since the sliding legs' four
 * directions w_N - mu w_T are independent.
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 3, LEGS = 4, RUNS = KINDS * BODY_SOLVERS };
static const struct {
  const char *name, *set;
} kinds[KINDS] = {{"table", "shape=table"}, {"box", "shape=box"}, {"spin", "shape=table spin=3"}};
/* Residuals of 1e-12 of |b|, through the condition of A on its range. */
static const double AGREES = 1e-8; /* [m/s] */
/* [m/s]: friction is moved by up to mu times the shares that solvers are apart by, a thousandth to
 * a tenth of the change g dt of the step. */
static const double SPREAD_LO = 1e-5, SPREAD_HI = 1e-3;
/* Eigenvalues below this part of the largest are zero: rounding of A's elements. */
static const double ZERO = 1e-12;

/* ---- null space ---- */

/* Contacts that touch at the start. */
static void touching(const struct case_instance *instance, struct base_arena *arena,
                     struct mech_contacts *c) {
  const struct mech *m = instance->mech;
  mech_contacts_init(c, m, arena);
  mech_contacts_find(m, instance->q, NULL, ZERO * m->length, c);
}

/* A: n x n = W^T M^-1 W of one body. */
static int delassus(const struct case_instance *instance, const struct mech_contacts *c, double *A,
                    struct base_arena *arena) {
  const struct mech *m = instance->mech;
  const int n = c->n * c->dim;
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  double *W = base_arena_matrix(arena, m->nu, n), *X = base_arena_matrix(arena, m->nu, n);
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_add_columns(c, i, W + (size_t)i * (size_t)(m->nu * c->dim));
  }
  la_copy((long)m->nu * n, W, X);
  const int status = mech_mass_factor(m, instance->q, L);
  if (status == BASE_OK) {
    mech_mass_solve(m, L, n, X);
    la_gemm_t(n, n, m->nu, 1, W, X, 0, A);
  }
  return status;
}

/* Rank of a symmetric A (overwritten) by eigenvalues; `gap`: the smallest counted and the largest
 * that is not, over the largest. BASE_FAILED where pivoted Cholesky finds another. */
static int rank_of(int n, double *A, double gap[2], struct base_arena *arena) {
  double *w = base_arena_doubles(arena, n), *copy = base_arena_matrix(arena, n, n);
  int *perm = base_arena_ints(arena, n), rank = 0;
  la_copy((long)n * n, A, copy);
  if (la_eigen_symmetric(n, A, w, 0) != BASE_OK) {
    return base_fail(BASE_FAILED, "eigenvalues of A: no convergence");
  }
  gap[0] = gap[1] = 0;
  for (int k = 0; k < n; ++k) {
    const double part = fabs(w[k]) / w[n - 1];
    rank += part > ZERO;
    gap[0] = part > ZERO && gap[0] == 0 ? part : gap[0]; /* they ascend */
    gap[1] = part > ZERO ? gap[1] : fmax(gap[1], part);
  }
  const int pivots = la_pchol_factor(n, copy, perm, ZERO);
  return pivots == rank
             ? rank
             : base_fail(BASE_FAILED, "rank of A: %d eigenvalues, %d pivots", rank, pivots);
}

int table_rank_of(const struct case_instance *instance, struct table_rank *out) {
  struct base_arena *arena = base_arena_alloc();
  struct mech_contacts c;
  touching(instance, arena, &c);
  const int n = c.n * c.dim;
  double *A = base_arena_matrix(arena, n, n), *AN = base_arena_matrix(arena, c.n, c.n), unused[2];
  int status = delassus(instance, &c, A, arena);
  if (status == BASE_OK) {
    for (int i = 0; i < c.n; ++i) {
      for (int j = 0; j < c.n; ++j) {
        AN[i + c.n * j] = A[c.dim * i + n * c.dim * j];
      }
    }
    *out = (struct table_rank){.size = n, .normal_size = c.n};
    out->rank = rank_of(n, A, out->gap, arena);
    out->normal_rank = rank_of(c.n, AN, unused, arena);
    out->null_space = n - out->rank;
    status = out->rank < 0 || out->normal_rank < 0 ? BASE_FAILED : BASE_OK;
  }
  base_arena_free(arena);
  return status;
}

/* Ids of the legs, and a row about the null space. */
static int make_rank(int kind, long ids[LEGS], struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  struct case_parameters *own = case_parameters_load(&case_table, arena);
  struct case_instance instance = {0};
  struct mech_contacts c;
  struct table_rank rank = {0};
  int status =
      own != NULL ? case_parameters_set(own, "shape", kind == 1 ? "box" : "table") : BASE_FAILED;
  status = status == BASE_OK ? case_table.build(own, arena, &instance) : status;
  status = status == BASE_OK ? table_rank_of(&instance, &rank) : status;
  if (status == BASE_OK) {
    touching(&instance, arena, &c);
    for (int k = 0; k < LEGS; ++k) {
      ids[k] = k < c.n ? c.id[k] : -1;
    }
    char what[CASE_TEXT];
    snprintf(what, sizeof what, "%s: dimension of the null space of N (%d x %d)", kinds[kind].name,
             rank.size, rank.size);
    case_plot_check(plot, what, rank.null_space,
                    (struct case_claim){6, 6, .expected = "12 - 6",
                                        .published = "semi-definite (negrut, conclusions)"});
    snprintf(what, sizeof what, "%s: that of its normal part (%d x %d)", kinds[kind].name,
             rank.normal_size, rank.normal_size);
    case_plot_check(plot, what, rank.normal_size - rank.normal_rank,
                    (struct case_claim){1, 1, .expected = "4 - 3"});
    const double row[] = {kind, rank.size, rank.rank, rank.null_space, rank.gap[0], rank.gap[1]};
    status = case_plot_table(plot, "null-space", "kind size rank null-space counted not-counted", 1,
                             6, row);
  }
  base_arena_free(arena);
  return status;
}

/* ---- velocities and multipliers ---- */

/* The first run of a formulation that solved its problem; -1: none. */
static int first_of(const struct case_series *series, const char *form) {
  for (int i = 0; i < BODY_SOLVERS; ++i) {
    if (strcmp(body_solvers[i].form, form) == 0 && body_ran(&series[i])) {
      return i;
    }
  }
  return -1;
}

struct spread {
  double velocity, impulse; /* largest differences [m/s], [-] */
  int solved, failed;
};

/* The part of the normal impulses that leg k carries. */
static double share_of(const struct case_series *s, const long ids[LEGS], int k) {
  double sum = 0;
  for (int i = 0; i < LEGS; ++i) {
    sum += body_impulse(s, ids[i], 3, 0);
  }
  return body_impulse(s, ids[k], 3, 0) / sum;
}

/* Rows (number, four parts of the load, difference of velocities, residual) of one formulation. */
static struct spread write_form(const struct case_series *series, int kind, const char *form,
                                const long ids[LEGS], struct case_plot *plot) {
  struct spread out = {0};
  const int first = first_of(series, form);
  for (int i = 0; i < BODY_SOLVERS; ++i) {
    if (strcmp(body_solvers[i].form, form) != 0) {
      continue;
    }
    double row[LEGS + 3] = {i, NAN, NAN, NAN, NAN, NAN, NAN};
    out.failed += !body_ran(&series[i]);
    if (body_ran(&series[i])) {
      for (int k = 0; k < LEGS; ++k) {
        row[1 + k] = share_of(&series[i], ids, k);
        out.impulse = case_worst(out.impulse, fabs(row[1 + k] - share_of(&series[first], ids, k)));
      }
      row[LEGS + 1] = body_apart(&series[i], &series[first]);
      row[LEGS + 2] = case_number(&series[i], "law.relative_b_max");
      out.velocity = case_worst(out.velocity, row[LEGS + 1]);
      ++out.solved;
    }
    case_plot_table(plot, kinds[kind].name,
                    "solver share1 share2 share3 share4 apart[m/s] residual", 1, LEGS + 3, row);
  }
  return out;
}

/* Other multipliers of a table's step by ccp: b = W^T u - A r of its last velocities u. */
static int make_multipliers(const struct case_parameters *p, const struct case_series *s,
                            const long ids[LEGS], struct case_plot *plot) {
  enum { N = 3 * LEGS };
  struct base_arena *arena = base_arena_alloc();
  struct case_instance instance = {0};
  struct mech_contacts c;
  double A[N * N], r[N], b[N], *u = NULL;
  int status = case_table.build(p, arena, &instance);
  if (status == BASE_OK) {
    touching(&instance, arena, &c);
    status = c.n == LEGS ? delassus(&instance, &c, A, arena) : BASE_FAILED;
  }
  if (status == BASE_OK) {
    u = base_arena_doubles(arena, instance.mech->nu);
    for (int k = 0; k < instance.mech->nu; ++k) {
      u[k] = body_final(s, "u", k);
    }
    for (int i = 0; i < N; ++i) {
      r[i] = body_impulse(s, ids[i / 3], 3, i % 3);
    }
    mech_contacts_velocity(&c, u, b);
    la_gemv(N, N, -1, A, r, 1, b);
    const double share = (1 - case_real(p, "mu") * case_real(p, "h") / case_real(p, "a")) / 4;
    table_check_multipliers(A, b, c.mu, r, share, plot);
  }
  base_arena_free(arena);
  return status;
}

static int redundant_make(const struct case_parameters *p, const struct case_series *series, int n,
                          struct case_plot *plot) {
  static const char *const laws[] = {"lcp-st", "ncp", "ccp", "mdp"};
  long ids[LEGS];
  int status =
      n == RUNS ? BASE_OK : base_fail(BASE_FAILED, "negrut-redundant: %d runs of %d", n, RUNS);
  for (int kind = 0; kind < KINDS && status == BASE_OK; ++kind) {
    status = make_rank(kind, ids, plot);
    for (int k = 0; k < 4 && status == BASE_OK; ++k) {
      const struct spread s = write_form(series + kind * BODY_SOLVERS, kind, laws[k], ids, plot);
      const int unique = kind < 2 || strcmp(laws[k], "ccp") == 0;
      char what[CASE_TEXT];
      snprintf(what, sizeof what, "%s, %s: solvers that did not solve it", kinds[kind].name,
               laws[k]);
      case_plot_check(plot, what, s.failed, (struct case_claim){.lo = 0, .hi = 0});
      if (s.solved + s.failed > 1) {
        snprintf(what, sizeof what, "%s, %s: velocities of %d solvers differ by [m/s]",
                 kinds[kind].name, laws[k], s.solved + s.failed);
        case_plot_check(plot, what, s.solved > 1 ? s.velocity : NAN,
                        unique
                            ? (struct case_claim){0, AGREES, .expected = "0: unique"}
                            : (struct case_claim){SPREAD_LO, SPREAD_HI, .expected = "not unique"});
        snprintf(what, sizeof what, "%s, %s: shares of the load by", kinds[kind].name, laws[k]);
        case_plot_report(plot, what, s.impulse, NULL);
      }
    }
  }
  const int ccp = status == BASE_OK ? first_of(series, "ccp") : -1;
  return status != BASE_OK ? status
         : ccp >= 0        ? make_multipliers(p, &series[ccp], ids, plot)
                           : base_fail(BASE_FAILED, "negrut-redundant: no run by ccp ended");
}

const struct case_function table_functions[] = {{"redundant_make", .make = redundant_make}, {0}};
