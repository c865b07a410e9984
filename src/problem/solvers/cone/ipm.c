/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Primal-dual interior point method for cone complementarity (negrut 7), with the scaling of
 * Nesterov and Todd and Mehrotra's predictor and corrector (Mehrotra, SIAM J. Optim. 2 (1992);
 * Andersen, Dahl, Terlaky, Math. Program. 95 (2003)). Each cone K_mu is made round,
 *
 *   r_i = beta s_i diag(1, mu_i, mu_i) x_i,   s_i^2 = dim / (A_NN + mu^2 tr A_TT),
 *
 * so that x_i lies in Q = {x_0 >= |x_1|}, which is its own dual, and z = S A S x + S b / beta in Q,
 * x o z = 0, is the problem; S = diag(s_i, s_i mu_i, s_i mu_i), beta = max |S b|. With mu_i = 0 the
 * tangential columns of S are zero and r_T = 0 exactly: the cone has become the half line. A step
 * solves, with lambda = W z = W^-1 x,
 *
 *   S A S dx - dz = -(S A S x + S b / beta - z),   lambda o (W dz + W^-1 dx) = target,
 *
 * by (S A S + W^-2) dx = rhs, each contact turned to the eigenvectors of its W (kkt.h, ipm_cone.h).
 * target is -lambda o lambda for the predictor; the corrector adds
 * sigma gap e - (W^-1 dx) o (W dz) of the predictor, sigma = (1 - alpha)^3. x and z go the same
 * step, since z depends on x. A may be semidefinite (redundant contacts): W^-2 is positive definite
 * on the way, and options.shift, a proximal term centred at the iterate, keeps the factor safe at
 * the end without moving the solution. An A written with few digits may be slightly indefinite;
 * the step is then Newton's all the same, by a factorisation that does not ask for definiteness.
 */
#include "problem/solvers/cone/ipm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"
#include "problem/kkt.h"
#include "problem/solver.h"
#include "problem/solvers/cone/ipm_cone.h"

/* Share of the way to the boundary taken. */
#define IPM_BOUNDARY 0.99
/* So many steps without progress end the method: what is left is rounding, or there is no solution.
 * Progress is a tenth less of max |rd|, or of the gap as long as its square root, which is what a
 * contact between two modes is off by, is the larger of the two. */
enum { IPM_IDLE = 15 };
#define IPM_PROGRESS 0.9

struct problem_ipm {
  const struct problem *p;
  struct problem_ipm_options opt;
  struct base_arena *arena;
  struct problem_kkt *kkt;
  int n, nc, dim;
  int idle;                      /* steps since the last progress */
  double least_rd, least_gap;    /* so far */
  double beta;                   /* [m/s], scaled */
  double *s;                     /* n, diagonal of S */
  double *b, *x, *z, *rd;        /* n each; rd = S A S x + b - z */
  double *dx, *rhs, *xi;         /* n each */
  double *dx_scaled, *dz_scaled; /* n each, W^-1 dx, W dz */
  double *V;                     /* nc blocks dim x dim, eigenvectors of W */
  double *g, *h;                 /* n each, eigenvalues of W^-1 and W^-2 */
  struct ipm_scaling *scaling;   /* nc */
  double *diag;                  /* nc blocks dim x dim, A_ii */
  double *v;                     /* n, target of a step */
};

struct problem_ipm_options problem_ipm_default_options(void) {
  return (struct problem_ipm_options){.warm = 1e-3, .shift = 1e-13, .refine = 2};
}

static void set_scales(struct problem_ipm *ipm) {
  const int dim = ipm->dim;
  for (int i = 0; i < ipm->nc; ++i) {
    const double *block = ipm->diag + (size_t)i * (size_t)(dim * dim);
    const double mu = dim > 1 ? ipm->p->model.mu[i] : 0;
    double trace = block[0];
    for (int k = 1; k < dim; ++k) {
      trace += mu * mu * block[k * dim + k];
    }
    const double s = trace > 0 ? sqrt(dim / trace) : 1;
    for (int k = 0; k < dim; ++k) {
      ipm->s[dim * i + k] = k == 0 ? s : s * mu;
    }
  }
}

struct problem_ipm *problem_ipm_alloc(const struct problem *p,
                                      const struct problem_ipm_options *options,
                                      struct base_arena *arena) {
  struct problem_ipm *ipm = base_arena_push(arena, sizeof *ipm);
  const int dim = p->model.dim, nc = p->model.nc, n = dim * nc;
  *ipm =
      (struct problem_ipm){.p = p, .opt = *options, .arena = arena, .n = n, .nc = nc, .dim = dim};
  BASE_ARENA_VECTORS(arena, n, &ipm->s, &ipm->b, &ipm->x, &ipm->z, &ipm->rd, &ipm->dx, &ipm->rhs,
                     &ipm->xi, &ipm->dx_scaled, &ipm->dz_scaled, &ipm->v, &ipm->g, &ipm->h);
  ipm->V = base_arena_matrix(arena, n, dim);
  ipm->diag = base_arena_matrix(arena, n, dim);
  ipm->scaling = base_arena_push(arena, (size_t)nc * sizeof *ipm->scaling);
  problem_operator_diagonal(&p->A, ipm->diag);
  set_scales(ipm);
  ipm->kkt = problem_kkt_alloc(&p->A, ipm->s, arena);
  return ipm->kkt != NULL ? ipm : NULL;
}

/* rd, afresh, so that what rounding left behind is seen. */
static void update_residual(struct problem_ipm *ipm) {
  problem_kkt_apply(ipm->kkt, ipm->x, ipm->rd);
  for (int j = 0; j < ipm->n; ++j) {
    ipm->rd[j] += ipm->b[j] - ipm->z[j];
  }
}

/* Move every cone of y into the interior, by `least` of its smallest eigenvalue. */
static void push_inside(const struct problem_ipm *ipm, double least, double *y) {
  for (int i = 0; i < ipm->nc; ++i) {
    double *y_i = y + (size_t)ipm->dim * (size_t)i;
    y_i[0] += fmax(0, least - ipm_cone_least(ipm->dim, y_i));
  }
}

int problem_ipm_start(struct problem_ipm *ipm, const double *b, const double *r) {
  const int n = ipm->n, dim = ipm->dim;
  b = b != NULL ? b : ipm->p->b;
  ipm->beta = 0;
  ipm->idle = 0;
  ipm->least_rd = ipm->least_gap = INFINITY;
  for (int j = 0; j < n; ++j) {
    ipm->b[j] = ipm->s[j] * b[j];
    ipm->beta = fmax(ipm->beta, fabs(ipm->b[j]));
  }
  if (!isfinite(ipm->beta) || !la_all_finite(n, r)) {
    return base_fail(BASE_FAILED, "ipm: the problem or the start is not finite");
  }
  ipm->beta = ipm->beta > 0 ? ipm->beta : 1;
  const int warm = la_norm_inf(n, r) > 0;
  for (int j = 0; j < n; ++j) {
    ipm->b[j] /= ipm->beta;
    ipm->x[j] = ipm->s[j] > 0 ? r[j] / (ipm->beta * ipm->s[j]) : 0;
    ipm->z[j] = j % dim == 0;
  }
  if (warm) {
    /* As far inside as the start is wrong: a good one must not sit on the boundary. */
    problem_kkt_apply(ipm->kkt, ipm->x, ipm->z);
    la_axpy(n, 1, ipm->b, ipm->z);
    double wrong = ipm->opt.warm;
    for (int i = 0; i < ipm->nc; ++i) {
      const double *x_i = ipm->x + (size_t)dim * (size_t)i, *z_i = ipm->z + (size_t)dim * (size_t)i;
      wrong = fmax(wrong, fmax(-ipm_cone_least(dim, x_i), -ipm_cone_least(dim, z_i)));
    }
    push_inside(ipm, wrong, ipm->x);
    push_inside(ipm, wrong, ipm->z);
  } else {
    push_inside(ipm, 1, ipm->x);
  }
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    if (!ipm_cone_scaling(dim, ipm->x + at, ipm->z + at, &ipm->scaling[i])) {
      return base_fail(BASE_FAILED, "ipm: the start of contact %d is not in its cone", i);
    }
  }
  update_residual(ipm);
  return BASE_OK;
}

/* K at the scalings, factorised. */
static int linearise(struct problem_ipm *ipm) {
  const int dim = ipm->dim;
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    ipm_cone_eigen(dim, &ipm->scaling[i], ipm->V + at * (size_t)dim, ipm->g + at);
    for (int k = 0; k < dim; ++k) {
      ipm->h[at + (size_t)k] = ipm->g[at + (size_t)k] * ipm->g[at + (size_t)k];
    }
  }
  if (problem_kkt_factor(ipm->kkt, ipm->V, ipm->h, ipm->opt.shift) == BASE_OK ||
      problem_kkt_factor_indefinite(ipm->kkt, ipm->V, ipm->h, ipm->opt.shift) == BASE_OK) {
    return BASE_OK;
  }
  return base_fail(BASE_FAILED, "ipm: A + W^-2 is singular or not finite");
}

/* dx, dz and their scaled forms for lambda o (W dz + W^-1 dx) = target: n, overwritten. */
static void solve_step(struct problem_ipm *ipm, double *target) {
  const int dim = ipm->dim;
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    const double *V = ipm->V + at * (size_t)dim;
    ipm_cone_divide(dim, ipm->scaling[i].lambda, target + at, ipm->xi + at);
    for (int l = 0; l < dim; ++l) {
      double sum = 0;
      for (int k = 0; k < dim; ++k) {
        const size_t j = at + (size_t)k;
        sum += V[k * dim + l] * (ipm->g[at + (size_t)l] * ipm->xi[j] - ipm->rd[j]);
      }
      ipm->rhs[at + (size_t)l] = sum;
    }
  }
  problem_kkt_solve(ipm->kkt, ipm->rhs, ipm->dx, ipm->opt.refine);
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    const double *V = ipm->V + at * (size_t)dim;
    for (int k = 0; k < dim; ++k) {
      const size_t j = at + (size_t)k;
      ipm->dx_scaled[j] = 0;
      for (int l = 0; l < dim; ++l) {
        ipm->dx_scaled[j] += V[k * dim + l] * ipm->g[at + (size_t)l] * ipm->dx[at + (size_t)l];
      }
      ipm->dz_scaled[j] = ipm->xi[j] - ipm->dx_scaled[j];
    }
  }
}

static double longest_step(const struct problem_ipm *ipm) {
  double alpha = INFINITY;
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)ipm->dim * (size_t)i;
    const double *lambda = ipm->scaling[i].lambda;
    alpha = fmin(alpha, ipm_cone_step(ipm->dim, lambda, ipm->dx_scaled + at));
    alpha = fmin(alpha, ipm_cone_step(ipm->dim, lambda, ipm->dz_scaled + at));
  }
  return alpha;
}

/* centre e - lambda o lambda, less the second-order term of the step before for the corrector. */
static void set_target(const struct problem_ipm *ipm, double centre, int corrector,
                       double *target) {
  const int dim = ipm->dim;
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)dim * (size_t)i;
    double square[IPM_DIM], cross[IPM_DIM] = {0};
    ipm_cone_product(dim, ipm->scaling[i].lambda, ipm->scaling[i].lambda, square);
    if (corrector) {
      ipm_cone_product(dim, ipm->dx_scaled + at, ipm->dz_scaled + at, cross);
    }
    for (int k = 0; k < dim; ++k) {
      target[at + (size_t)k] = (k == 0 ? centre : 0) - square[k] - cross[k];
    }
  }
}

/* x.z over the contacts, by lambda . lambda, in which nothing cancels. */
static double mean_gap(const struct problem_ipm *ipm) {
  double sum = 0;
  for (int i = 0; i < ipm->nc; ++i) {
    const double *lambda = ipm->scaling[i].lambda;
    for (int k = 0; k < ipm->dim; ++k) {
      sum += lambda[k] * lambda[k];
    }
  }
  return sum / ipm->nc;
}

static int take_step(struct problem_ipm *ipm) {
  const double gap = mean_gap(ipm);
  double *target = ipm->v;
  set_target(ipm, 0, 0, target);
  solve_step(ipm, target);
  const double predicted = fmin(1, longest_step(ipm)), rest = 1 - predicted;
  set_target(ipm, rest * rest * rest * gap, 1, target);
  solve_step(ipm, target);
  const double alpha = fmin(1, IPM_BOUNDARY * longest_step(ipm));
  if (!isfinite(alpha) || !la_all_finite(ipm->n, ipm->dx)) {
    return base_fail(BASE_FAILED, "ipm: the Newton step is not finite");
  }
  for (int i = 0; i < ipm->nc; ++i) {
    const size_t at = (size_t)ipm->dim * (size_t)i;
    struct ipm_scaling *scaling = &ipm->scaling[i];
    if (!ipm_cone_update(ipm->dim, scaling, alpha, ipm->dx_scaled + at, ipm->dz_scaled + at)) {
      return base_fail(BASE_FAILED, "ipm: contact %d met the boundary of its cone", i);
    }
    ipm_cone_point(ipm->dim, scaling, ipm->x + at, ipm->z + at);
  }
  return BASE_OK;
}

int problem_ipm_iterate(struct problem_ipm *ipm, double *r) {
  int status = linearise(ipm);
  status = status == BASE_OK ? take_step(ipm) : status;
  update_residual(ipm);
  const double rd = la_norm_inf(ipm->n, ipm->rd), gap = mean_gap(ipm);
  const int progress =
      rd < IPM_PROGRESS * ipm->least_rd || (gap > rd * rd && gap < IPM_PROGRESS * ipm->least_gap);
  ipm->idle = progress ? 0 : ipm->idle + 1;
  ipm->least_rd = fmin(ipm->least_rd, rd);
  ipm->least_gap = fmin(ipm->least_gap, gap);
  if (status == BASE_OK && ipm->idle >= IPM_IDLE) {
    status =
        base_fail(BASE_FAILED, "ipm: no progress in %d steps: rounding, or no solution", IPM_IDLE);
  }
  for (int j = 0; j < ipm->n; ++j) {
    r[j] = ipm->beta * ipm->s[j] * ipm->x[j];
  }
  return status;
}

void problem_ipm_free(struct problem_ipm *ipm) {
  if (ipm != NULL) {
    problem_kkt_free(ipm->kkt);
  }
}

/* --- as a solver --- */

static const struct base_option ipm_table[] = {
    BASE_OPTION_REAL(struct problem_ipm_options, warm, 1e-3, 1e-12, 1, "",
                     "smallest distance of a warm start from the boundary of the cones, scaled"),
    BASE_OPTION_REAL(struct problem_ipm_options, shift, 1e-13, 0, 1, "",
                     "regularisation of the linear systems over the mean diagonal of A"),
    BASE_OPTION_INT(struct problem_ipm_options, refine, 2, 0, 20,
                    "largest number of refinements of a linear solve"),
    BASE_OPTION_END};

static int ipm_check(const struct problem *p, const void *options) {
  (void)options;
  return problem_convex_check(p, "ipm", INFINITY);
}

static void *ipm_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  return problem_ipm_alloc(p, options, arena);
}

static int ipm_start(void *workspace, double *r) { return problem_ipm_start(workspace, NULL, r); }

static int ipm_iterate(void *workspace, double *r) { return problem_ipm_iterate(workspace, r); }

static void ipm_free(void *workspace) { problem_ipm_free(workspace); }

const struct problem_solver problem_solver_ipm = {
    .name = "ipm",
    .look = {.colour = 0x332288, .point = 7, .point_size = 0.8},
    .summary = "primal-dual interior point on the cones, for the convex relaxation",
    .source = "Mehrotra 1992; Nesterov and Todd 1998; Andersen, Dahl, Terlaky 2003; negrut 7",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = ipm_table,
    .options_size = sizeof(struct problem_ipm_options),
    .check = ipm_check,
    .alloc = ipm_alloc,
    .start = ipm_start,
    .iterate = ipm_iterate,
    .free = ipm_free,
};
