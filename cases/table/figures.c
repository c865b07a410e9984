/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-redundant: one step of a sliding table and of a sliding box, by every solver. W has 12
 * columns and rank 6, so that the null space of N = A has dimension 6 and multipliers are not
 * unique. The velocities are those of N's range: unique under the convex relaxation whatever the
 * motion, and under Coulomb's law where the body does not spin. A spinning body shows what happens
 * then: friction in sum depends on how the legs share the load. Where all solvers of a law agree on
 * the impulses too, they have all chosen the part in N's range, to which sweeps and gradients from
 * zero keep; a spinning body under the relaxation has no choice, since the sliding legs' four
 * directions w_N - mu w_T are independent. Here is what no record holds: A and its rank, and with
 * it other solutions than a run's.
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "la/dense.h"

#include <cjson/cJSON.h>
#include <math.h>

enum { LEGS = 4 };
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

/* Of the table, or of the box. */
static struct table_rank rank_of_body(double is_box) {
  struct base_arena *arena = base_arena_alloc();
  struct case_parameters *own = case_parameters_load(&case_table, arena);
  struct case_instance instance = {0};
  struct table_rank rank = {.null_space = -1, .normal_rank = -1};
  int status =
      own != NULL ? case_parameters_set(own, "shape", is_box != 0 ? "box" : "table") : BASE_FAILED;
  status = status == BASE_OK ? case_table.build(own, arena, &instance) : status;
  status = status == BASE_OK ? table_rank_of(&instance, &rank) : status;
  base_arena_free(arena);
  return status == BASE_OK ? rank : (struct table_rank){.null_space = -1, .normal_rank = -1};
}

/* Dimension of the null space of N, and of that of its normal part; below 0: not found. */
static double null_space(const struct case_parameters *p, const double *is_box) {
  (void)p;
  return rank_of_body(*is_box).null_space;
}

static double normal_null_space(const struct case_parameters *p, const double *is_box) {
  const struct table_rank rank = rank_of_body(*is_box);
  (void)p;
  return rank.normal_rank < 0 ? -1 : rank.normal_size - rank.normal_rank;
}

static double number_at(const cJSON *list, int k) {
  const cJSON *item = cJSON_GetArrayItem(list, k);
  return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

/* Other multipliers of a table's step by ccp: b = W^T u - A r of its last velocities u. */
static struct table_others others_of(const struct case_results *results,
                                     const struct case_series *s) {
  enum { N = 3 * LEGS };
  struct base_arena *arena = base_arena_alloc();
  struct case_instance instance = {0};
  struct mech_contacts c;
  struct table_others out = {NAN, NAN, NAN, NAN};
  double A[N * N], r[N], b[N];
  const cJSON *final = cJSON_GetObjectItemCaseSensitive(s->record, "final");
  const cJSON *last = cJSON_GetObjectItemCaseSensitive(final, "u");
  const cJSON *impulses = cJSON_GetObjectItemCaseSensitive(final, "impulses");
  const cJSON *forces = cJSON_GetObjectItemCaseSensitive(impulses, "r");
  int status = case_table.build(results->p, arena, &instance);
  if (status == BASE_OK) {
    touching(&instance, arena, &c);
    status = c.n == LEGS && cJSON_GetArraySize(forces) == N ? delassus(&instance, &c, A, arena)
                                                            : BASE_FAILED;
  }
  if (status == BASE_OK) {
    double *u = base_arena_doubles(arena, instance.mech->nu);
    for (int k = 0; k < instance.mech->nu; ++k) {
      u[k] = number_at(last, k);
    }
    for (int i = 0; i < N; ++i) {
      r[i] = number_at(forces, i);
    }
    mech_contacts_velocity(&c, u, b);
    la_gemv(N, N, -1, A, r, 1, b);
    out = table_other_solutions(A, b, c.mu, r);
  }
  base_arena_free(arena);
  return out;
}

static double others_share(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return others_of(r, s).share;
}
static double others_residual(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return others_of(r, s).residual;
}
static double others_apart(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return others_of(r, s).apart;
}
static double others_objective(const struct case_results *r, const struct case_series *s, int k) {
  (void)k;
  return others_of(r, s).objective;
}

const struct case_function table_functions[] = {
    {"null_space", .formula = null_space, .n_numbers = 1},
    {"normal_null_space", .formula = normal_null_space, .n_numbers = 1},
    {"others_share", .value = others_share},
    {"others_residual", .value = others_residual},
    {"others_apart", .value = others_apart},
    {"others_objective", .value = others_objective},
    {0}};
