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
#include "la/dense.h"
#include "mech/bilateral/bilateral.h"

#include <math.h>

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

struct ranks {
  int of_N, of_joints, of_P; /* below 0: not found */
};

static struct ranks ranks_of(const char *halves) {
  struct base_arena *arena = base_arena_alloc();
  struct case_parameters *own = case_parameters_load(&case_table, arena);
  struct case_instance instance = {0};
  struct ranks out = {-1, -1, -1};
  int n, n_contact, status = own != NULL ? BASE_OK : BASE_FAILED;
  status = status == BASE_OK ? case_parameters_set(own, "halves", halves) : status;
  status = status == BASE_OK ? case_table.build(own, arena, &instance) : status;
  if (status == BASE_OK) {
    const int nu = instance.mech->nu, ns = instance.mech->ns;
    const double *P = columns_of(&instance, arena, &n, &n_contact, &status);
    const double *joints = P + (size_t)nu * (size_t)n_contact;
    if (status == BASE_OK) {
      out = (struct ranks){rank_of(&instance, n, P, 1, arena),
                           rank_of(&instance, ns, joints, 1, arena),
                           rank_of(&instance, n, P, 0, arena)};
    }
  }
  base_arena_free(arena);
  return out;
}

/* Of a table that one joint holds together, or two. */
static struct ranks ranks_with(double joints) { return ranks_of(joints == 1 ? "one" : "two"); }

static double rank_of_N(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_with(*joints).of_N;
}
static double rank_of_joints(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_with(*joints).of_joints;
}
static double rank_of_P(const struct case_parameters *p, const double *joints) {
  (void)p;
  return ranks_with(*joints).of_P;
}

const struct case_function table_joints_functions[] = {
    {"rank_of_N", .formula = rank_of_N, .n_numbers = 1},
    {"rank_of_joints", .formula = rank_of_joints, .n_numbers = 1},
    {"rank_of_P", .formula = rank_of_P, .n_numbers = 1},
    {0}};
