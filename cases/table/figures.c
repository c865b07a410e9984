/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * negrut-redundant: one step of a sliding table and of a sliding box, by every solver. W has 12
 * columns and rank 6, so that the null space of N = A has dimension 6 and multipliers are not
 * unique. The velocities are those of N's range: unique under the convex relaxation whatever the
 * motion, and under Coulomb's law where the body does not spin. A spinning body shows what happens
 * then: friction in sum depends on how the legs share the load. Where all solvers of a law agree on
 * the impulses too, they have all chosen the part in N's range, to which sweeps and gradients from
 * zero keep; a spinning body under the relaxation has no choice, since the sliding legs' four
 * directions w_N - mu w_T are independent. Here is what no record holds: N and its rank, and with
 * it other solutions than a run's.
 *
 * negrut-joints: bilateral multipliers inside the cone problem, P = [D G] with lambda_B free
 * (negrut 10), beside their elimination; on a table of two halves that one rigid joint, or two,
 * hold together. Of the 12 + 12 columns of P with two joints 12 are independent: as many as there
 * are velocities, so that every velocity is one of the problem's. With N = P^T M^-1 P
 *
 *   z^T N z = |P z|^2 in the norm of M^-1:   N z = 0  means  P z = 0,
 *
 * so that N and P^T P have the same rank, which is why (11), convex, has unique velocities u =
 * u_free + M^-1 P nu and multipliers nu that are unique but for the null space: every solver, by
 * either way, must find the same velocities. Under Coulomb's law (ncp) that holds where the table
 * does not spin.
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "la/dense.h"
#include "mech/bilateral/bilateral.h"

#include <cjson/cJSON.h>
#include <math.h>

enum { LEGS = 4 };
/* Eigenvalues below this part of the largest are zero: rounding of N's elements. */
static const double ZERO = 1e-12;

/* ---- ranks ---- */

/* Contacts that touch at the start. */
static void touching(const struct case_instance *instance, struct base_arena *arena,
                     struct mech_contacts *c) {
  const struct mech *m = instance->mech;
  mech_contacts_init(c, m, arena);
  mech_contacts_find(m, instance->q, NULL, ZERO * m->length, c);
}

/* P: nu x (n c.dim + ns), the contacts, then the joints. */
static int columns_of(const struct case_instance *instance, const struct mech_contacts *c,
                      struct base_arena *arena, double **P) {
  const struct mech *m = instance->mech;
  const int n = c->n * c->dim;
  *P = base_arena_matrix(arena, m->nu, n + m->ns);
  for (int i = 0; i < c->n; ++i) {
    mech_contacts_add_columns(c, i, *P + (size_t)i * (size_t)(m->nu * c->dim));
  }
  if (m->ns == 0) {
    return BASE_OK;
  }
  struct mech_joints joints = mech_joints_alloc(m, arena);
  const int status = mech_joints_place(m, instance->q, &joints, arena);
  for (int i = 0; i < m->ns; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int b = joints.body[2 * i + k];
      if (b >= 0) {
        la_axpy(m->nv, 1, joints.W + (2L * i + k) * m->nv,
                *P + (size_t)m->nu * (size_t)(n + i) + (size_t)b * (size_t)m->nv);
      }
    }
  }
  return status;
}

/* N = X^T M^-1 X, n columns X: nu x n; without mass X^T X. */
static int gram(const struct case_instance *instance, int n, const double *X, int has_mass,
                struct base_arena *arena, double *N) {
  const struct mech *m = instance->mech;
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  double *MX = base_arena_matrix(arena, m->nu, n);
  la_copy((long)m->nu * n, X, MX);
  const int status = mech_mass_factor(m, instance->q, L);
  if (status == BASE_OK && has_mass) {
    mech_mass_solve(m, L, n, MX);
  }
  la_gemm_t(n, n, m->nu, 1, X, MX, 0, N);
  return status;
}

/* Eigenvalues of N (overwritten) above zero, -1: not found. `gap`: the smallest counted and the
 * largest that is not, over the largest. */
static int rank_of(int n, double *N, double gap[2], struct base_arena *arena) {
  double *w = base_arena_doubles(arena, n);
  int rank = 0;
  gap[0] = gap[1] = 0;
  if (n > 0 && la_eigen_symmetric(n, N, w, 0) != BASE_OK) {
    return -1;
  }
  for (int k = 0; k < n; ++k) {
    const double part = fabs(w[k]) / w[n - 1];
    rank += part > ZERO;
    gap[0] = part > ZERO && gap[0] == 0 ? part : gap[0]; /* they ascend */
    gap[1] = part > ZERO ? gap[1] : fmax(gap[1], part);
  }
  return rank;
}

int table_ranks_of(const struct case_instance *instance, struct table_ranks *out) {
  struct base_arena *arena = base_arena_alloc();
  const int ns = instance->mech->ns;
  struct mech_contacts c;
  double *P, unused[2];
  touching(instance, arena, &c);
  const int n = c.n * c.dim, all = n + ns;
  int status = columns_of(instance, &c, arena, &P);
  double *N = base_arena_matrix(arena, all, all), *normals = base_arena_matrix(arena, c.n, c.n);
  double *PP = base_arena_matrix(arena, all, all), *joints = base_arena_matrix(arena, ns, ns);
  status = status == BASE_OK ? gram(instance, all, P, 1, arena, N) : status;
  status = status == BASE_OK ? gram(instance, all, P, 0, arena, PP) : status;
  for (int i = 0; i < c.n; ++i) {
    for (int j = 0; j < c.n; ++j) {
      normals[i + c.n * j] = N[c.dim * i + all * c.dim * j];
    }
  }
  for (int i = 0; i < ns; ++i) {
    la_copy(ns, N + n + (long)all * (n + i), joints + (long)ns * i);
  }
  *out = (struct table_ranks){.size = all, .normal_size = c.n};
  out->of_N = rank_of(all, N, out->gap, arena);
  out->of_normals = rank_of(c.n, normals, unused, arena);
  out->of_joints = rank_of(ns, joints, unused, arena);
  out->of_P = rank_of(all, PP, unused, arena);
  base_arena_free(arena);
  return status;
}

/* Of a table with one of its choices, all -1 where they are not found. */
static struct table_ranks ranks_with(const char *key, const char *choice) {
  struct base_arena *arena = base_arena_alloc();
  struct case_parameters *own = case_parameters_load(&case_table, arena);
  struct case_instance instance = {0};
  struct table_ranks ranks;
  int status = own != NULL ? case_parameters_set(own, key, choice) : BASE_FAILED;
  status = status == BASE_OK ? case_table.build(own, arena, &instance) : status;
  status = status == BASE_OK ? table_ranks_of(&instance, &ranks) : status;
  base_arena_free(arena);
  return status == BASE_OK ? ranks : (struct table_ranks){-1, -1, -1, -1, -1, -1, {NAN, NAN}};
}

/* Of the table, or of the box. */
static struct table_ranks ranks_of_body(double is_box) {
  return ranks_with("shape", is_box != 0 ? "box" : "table");
}

/* Of a table that one joint holds together, or two. */
static struct table_ranks ranks_of_halves(double joints) {
  return ranks_with("halves", joints == 1 ? "one" : "two");
}

/* Dimension of the null space of N, and of that of its normal part. */
static double null_space(const struct case_parameters *p, const double *is_box) {
  const struct table_ranks ranks = ranks_of_body(*is_box);
  (void)p;
  return ranks.of_N < 0 ? -1 : ranks.size - ranks.of_N;
}

static double normal_null_space(const struct case_parameters *p, const double *is_box) {
  const struct table_ranks ranks = ranks_of_body(*is_box);
  (void)p;
  return ranks.of_normals < 0 ? -1 : ranks.normal_size - ranks.of_normals;
}

static double rank_of_N(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_of_halves(*joints).of_N;
}
static double rank_of_joints(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_of_halves(*joints).of_joints;
}
static double rank_of_P(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_of_halves(*joints).of_P;
}

/* ---- other solutions ---- */

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
  double A[N * N], r[N], b[N], *W;
  const cJSON *final = cJSON_GetObjectItemCaseSensitive(s->record, "final");
  const cJSON *last = cJSON_GetObjectItemCaseSensitive(final, "u");
  const cJSON *impulses = cJSON_GetObjectItemCaseSensitive(final, "impulses");
  const cJSON *forces = cJSON_GetObjectItemCaseSensitive(impulses, "r");
  int status = case_table.build(results->p, arena, &instance);
  if (status == BASE_OK) {
    touching(&instance, arena, &c);
    status = c.n == LEGS && cJSON_GetArraySize(forces) == N ? columns_of(&instance, &c, arena, &W)
                                                            : BASE_FAILED;
    status = status == BASE_OK ? gram(&instance, N, W, 1, arena, A) : status;
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

static const char *const words[] = {"share", "residual", "apart", "objective", NULL};

static const double *others(const struct case_results *r, const struct case_series *s, int *n) {
  const struct table_others found = others_of(r, s);
  const double values[] = {found.share, found.residual, found.apart, found.objective};
  *n = 1;
  double *lists = base_arena_doubles(r->arena, 4);
  la_copy(4, values, lists);
  return lists;
}

const struct case_function table_functions[] = {
    {"null_space", .formula = null_space, .n_numbers = 1},
    {"normal_null_space", .formula = normal_null_space, .n_numbers = 1},
    {"rank_of_N", .formula = rank_of_N, .n_numbers = 1},
    {"rank_of_joints", .formula = rank_of_joints, .n_numbers = 1},
    {"rank_of_P", .formula = rank_of_P, .n_numbers = 1},
    {"others", .lists = others, .words = words},
    {0}};
