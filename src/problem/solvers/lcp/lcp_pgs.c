/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Projected Gauss-Seidel and over-relaxation on the polyhedral LCP of contacts (bhalerao 14),
 * w = M z + q with z = (r_N, lambda, sigma) of each contact. The rows of sigma have a zero diagonal
 * (sigma multiplies nothing in w_sigma = mu r_N - e^T lambda), so that relaxation by rows divides
 * by zero; and lambda and sigma alone would chase each other. Hence blocks: the LCP of one contact
 * is solved exactly with all others held fixed (problem/local/local.h),
 *
 *   z_i <- z_i + omega (LCP(M_ii, w_i - M_ii z_i) - z_i),
 *
 * which needs no more than r and v = A r + b: lambda and sigma are functions of them. For omega > 1
 * the new r_i is put back onto its cone. M is never formed. A raw LCP (dim 1) is relaxed by rows
 * and needs a positive diagonal. No proof of convergence is known where friction couples into
 * normal directions.
 */
#include "base/status.h"
#include "contact/law.h"
#include "problem/local/local.h"
#include "problem/solver.h"
#include "problem/solvers/step.h"

#include <math.h>

struct lcp_pgs_options {
  double omega;
  int symmetric;
};

static const struct base_option lcp_pgs_table[] = {
    BASE_OPTION_REAL(struct lcp_pgs_options, omega, 1, 1e-3, 1.999, "", "relaxation"),
    BASE_OPTION_BOOL(struct lcp_pgs_options, symmetric, 0, "symmetric sweeps, two an iteration"),
    BASE_OPTION_END};

struct lcp_pgs {
  const struct contact_model *model;
  struct lcp_pgs_options options;
  struct problem_sweep *sweep;
  double *diag; /* nc blocks dim x dim row-major, A_ii */
  int k;
  const double *dirs; /* (dim - 1) x k */
};

static int lcp_pgs_check(const struct problem *p, const void *options) {
  const int status = problem_lcp_check(p, "lcp-pgs");
  return status != BASE_OK ? status : problem_step_check(p, options);
}

static void *lcp_pgs_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  static const double planar[2] = {1, -1};
  struct lcp_pgs *s = base_arena_push(arena, sizeof *s);
  const int dim = p->model.dim;
  s->model = &p->model;
  s->options = *(const struct lcp_pgs_options *)options;
  s->sweep = problem_sweep_alloc(p, arena);
  s->diag = base_arena_matrix(arena, dim * dim, p->model.nc);
  problem_operator_diagonal(&p->A, s->diag);
  s->k = dim == 3 ? p->model.n_dir : 2;
  s->dirs = dim == 3 ? p->model.dirs : planar;
  if (s->dirs == NULL) {
    double *dirs = base_arena_matrix(arena, 2, s->k);
    contact_directions(s->k, dirs);
    s->dirs = dirs;
  }
  return s;
}

static int lcp_pgs_start(void *workspace, double *r) {
  struct lcp_pgs *s = workspace;
  problem_sweep_start(s->sweep, r);
  return 0;
}

/* r back onto the cone of contact i. */
static void project(const struct lcp_pgs *s, int i, double *r) {
  r[0] = fmax(0, r[0]);
  if (s->model->dim == 1) {
    return;
  }
  const double radius = s->model->mu[i] * r[0];
  if (s->model->dim == 2) {
    r[1] = fmax(-radius, fmin(radius, r[1]));
  } else {
    contact_project_polygon(s->k, s->dirs, radius, r + 1, r + 1);
  }
}

static void relax(struct lcp_pgs *s, int i, double *r) {
  const int dim = s->model->dim;
  const double *A = s->diag + (size_t)i * (size_t)(dim * dim);
  double *r_i = r + (size_t)i * (size_t)dim;
  double b[CONTACT_DIM_MAX], new_r[CONTACT_DIM_MAX], change[CONTACT_DIM_MAX];
  problem_sweep_velocity(s->sweep, i, b);
  for (int k = 0; k < dim; ++k) {
    for (int l = 0; l < dim; ++l) {
      b[k] -= A[dim * k + l] * r_i[l];
    }
  }
  problem_local_lcp(dim, dim > 1 ? s->model->mu[i] : 0, s->k, s->dirs, A, b, new_r);
  if (s->options.omega != 1) {
    for (int k = 0; k < dim; ++k) {
      new_r[k] = r_i[k] + s->options.omega * (new_r[k] - r_i[k]);
    }
    project(s, i, new_r);
  }
  int moved = 0;
  for (int k = 0; k < dim; ++k) {
    change[k] = new_r[k] - r_i[k];
    moved |= change[k] != 0;
    r_i[k] = new_r[k];
  }
  if (moved) {
    problem_sweep_change(s->sweep, i, change);
  }
}

static int lcp_pgs_iterate(void *workspace, double *r) {
  struct lcp_pgs *s = workspace;
  const int nc = s->model->nc;
  problem_sweep_again(s->sweep, r);
  for (int i = 0; i < nc; ++i) {
    relax(s, i, r);
  }
  for (int i = nc - 1; s->options.symmetric && i >= 0; --i) {
    relax(s, i, r);
  }
  return 0;
}

const struct problem_solver problem_solver_lcp_pgs = {
    .name = "lcp-pgs",
    .look = {.colour = 0x999933, .point = 3, .point_size = 1},
    .summary = "projected Gauss-Seidel on the polyhedral LCP, the block of a contact at once",
    .source = "bhalerao 14; Cottle, Pang, Stone: The Linear Complementarity Problem, 5.2",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_LCP),
    .options = lcp_pgs_table,
    .options_size = sizeof(struct lcp_pgs_options),
    .check = lcp_pgs_check,
    .alloc = lcp_pgs_alloc,
    .start = lcp_pgs_start,
    .iterate = lcp_pgs_iterate,
};
