/* SPDX-License-Identifier: GPL-3.0-or-later
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
 * does not spin (negrut-redundant).
 */
#include "cases/table/table.h"

#include "base/status.h"
#include "cases/body_kit.h"
#include "cases/figure/series.h"
#include "la/dense.h"
#include "mech/bilateral/bilateral.h"

#include <math.h>
#include <stdio.h>

static const double ZERO = 1e-12; /* of eigenvalues, over the largest */

/* ---- rank ---- */

/* P: nu x n, contacts that touch first, then joints; and how many there are of both. */
static double *columns_of(const struct case_instance *instance, struct base_arena *arena, int *n,
                          int *n_contact, int *status) {
  const struct mech *m = instance->mech;
  struct mech_contacts c;
  struct mech_joints joints = mech_joints_alloc(m, arena);
  mech_contacts_init(&c, m, arena);
  mech_contacts_find(m, instance->q, NULL, ZERO * m->length, &c);
  *status = mech_joints_place(m, instance->q, &joints, arena);
  *n_contact = c.n * c.dim;
  *n = *n_contact + m->ns;
  double *P = base_arena_matrix(arena, m->nu, *n);
  for (int i = 0; i < c.n; ++i) {
    mech_contacts_add_columns(&c, i, P + (size_t)i * (size_t)(m->nu * c.dim));
  }
  for (int i = 0; i < m->ns; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int b = joints.body[2 * i + k];
      if (b >= 0) {
        la_axpy(m->nv, 1, joints.W + (2L * i + k) * m->nv,
                P + (size_t)m->nu * (size_t)(*n_contact + i) + (size_t)b * (size_t)m->nv);
      }
    }
  }
  return P;
}

/* Number of eigenvalues above zero of X^T M^-1 X, n columns X: nu x n, or without mass of X^T X;
 * < 0: failed. */
static int rank_of(const struct case_instance *instance, int n, const double *X, int has_mass,
                   struct base_arena *arena) {
  const struct mech *m = instance->mech;
  double *L = base_arena_push(arena, mech_mass_size(m) * sizeof(double));
  double *MX = base_arena_matrix(arena, m->nu, n), *N = base_arena_matrix(arena, n, n);
  double *w = base_arena_doubles(arena, n);
  int rank = 0;
  la_copy((long)m->nu * n, X, MX);
  int status = mech_mass_factor(m, instance->q, L);
  if (status == BASE_OK && has_mass) {
    mech_mass_solve(m, L, n, MX);
  }
  la_gemm_t(n, n, m->nu, 1, X, MX, 0, N);
  status = status == BASE_OK ? la_eigen_symmetric(n, N, w, 0) : status;
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    rank += w[k] > ZERO * w[n - 1];
  }
  return status == BASE_OK ? rank : -1;
}

static int judge_rank(const char *halves, struct case_plot *plot) {
  struct base_arena *arena = base_arena_alloc();
  struct case_parameters *own = case_parameters_load(&case_table, arena);
  struct case_instance instance = {0};
  int n, n_contact, status = own != NULL ? BASE_OK : BASE_FAILED;
  status = status == BASE_OK ? case_parameters_set(own, "halves", halves) : status;
  status = status == BASE_OK ? case_table.build(own, arena, &instance) : status;
  if (status == BASE_OK) {
    const int nu = instance.mech->nu, ns = instance.mech->ns;
    const double *P = columns_of(&instance, arena, &n, &n_contact, &status);
    const int rank = rank_of(&instance, n, P, 1, arena), of_P = rank_of(&instance, n, P, 0, arena);
    const int joints = rank_of(&instance, ns, P + (size_t)nu * (size_t)n_contact, 1, arena);
    char what[CASE_TEXT];
    snprintf(what, sizeof what, "%s joint(s): rank of N (%d x %d)", halves, n, n);
    case_plot_check(plot, what, rank,
                    (struct case_claim){12, 12, .expected = "12: every velocity",
                                        .published = "semi-definite (negrut, conclusions)"});
    snprintf(what, sizeof what, "%s joint(s): rank of their part (%d x %d)", halves, ns, ns);
    case_plot_check(plot, what, joints,
                    (struct case_claim){6, 6, .expected = "6: one rigid joint"});
    snprintf(what, sizeof what, "%s joint(s): rank of P, by P^T P", halves);
    case_plot_check(plot, what, of_P,
                    (struct case_claim){12, 12, .expected = "that of N: the same null space"});
    status =
        rank < 0 || joints < 0 || of_P < 0 ? base_fail(BASE_FAILED, "eigenvalues of N") : status;
  }
  base_arena_free(arena);
  return status;
}

int table_joints_make(const struct case_parameters *p, const struct case_series *series, int n,
                      struct case_plot *plot) {
  (void)p, (void)series, (void)n;
  const int status = judge_rank("one", plot);
  return status == BASE_OK ? judge_rank("two", plot) : status;
}

const struct case_function table_joints_functions[] = {{"joints_make", .make = table_joints_make},
                                                       {0}};
