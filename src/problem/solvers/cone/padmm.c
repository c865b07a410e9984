/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Proximal alternating directions for exact Coulomb (Carpentier, Le Lidec, Montaut 2024, arXiv
 * 2405.17020, algorithm 1): with De Saxce's shift of the dual variable before,
 *
 *   gamma(z) = mu |z_T| e_N,
 *   (S A S + (eta + rho) 1) x = eta x + rho y + z - S b - gamma(z)
 *   y = P_K(x - z/rho),   z <- z - rho (x - y),
 *
 * scaled contact by contact (problem/convex.h). In the limit x = y is S^-1 r and z the velocity
 * with its shift, in the dual cone. eta is small against the mean diagonal, which is 1, and makes
 * the matrix definite; one factorisation a rho. Their spectral rule: rho = sqrt(L m) (L/m)^p with L
 * the largest eigenvalue of S A S, by power iteration, and m = eta the least of S A S + eta; p goes
 * up or down by a fixed amount while the primal residual |x - y| and the dual one, |eta dx + rho
 * dy|, are more than a factor of 10 apart. Each change of rho costs a factorisation, so the
 * residuals are compared at growing intervals. No proof for Coulomb's law, only for the convex one.
 */
#include <math.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"
#include "problem/kkt.h"
#include "problem/solver.h"

/* The residuals' ratio that is left alone, and the change of p. */
#define RATIO 10
#define POWER_STEP 0.05
/* Next look at rho after this share of the iterations so far, at least LOOK of them. */
#define LOOK_SHARE 0.2
enum { LOOK = 10, POWER_ITERATIONS = 20 };

struct padmm_options {
  double eta, power;
  int adapt;
};

static const struct base_option padmm_table[] = {
    BASE_OPTION_REAL(struct padmm_options, eta, 1e-6, 1e-12, 1, "",
                     "proximal term, over the mean diagonal of A"),
    BASE_OPTION_REAL(struct padmm_options, power, 0.3, -1, 1, "",
                     "first p of rho = sqrt(L eta) (L/eta)^p"),
    BASE_OPTION_BOOL(struct padmm_options, adapt, 1, "p follows the residuals"), BASE_OPTION_END};

struct padmm {
  const struct problem *p;
  struct padmm_options opt;
  struct problem_kkt *kkt;
  int n, k, next_look;
  double largest, power, rho;                       /* L, p, rho [-] */
  double *s, *b, *x, *y, *z, *rhs, *last, *penalty; /* n each, scaled; penalty: eta + rho */
};

static int padmm_check(const struct problem *p, const void *options) {
  (void)options;
  if (p->model.law == CONTACT_LAW_NCP && p->model.dim >= 2 && p->model.dim <= 3) {
    return BASE_OK;
  }
  return problem_convex_check(p, "padmm", PROBLEM_CONVEX_ASYMMETRY_MAX);
}

static void *padmm_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct padmm *a = base_arena_push(arena, sizeof *a);
  a->p = p;
  a->opt = *(const struct padmm_options *)options;
  a->n = problem_size(p);
  BASE_ARENA_VECTORS(arena, a->n, &a->s, &a->b, &a->x, &a->y, &a->z, &a->rhs, &a->last,
                     &a->penalty);
  problem_convex_scales(p, a->s, a->b, arena);
  a->kkt = problem_kkt_alloc(&p->A, a->s, arena);
  return a->kkt != NULL ? a : NULL;
}

/* Of S A S, by power iteration from a vector that is orthogonal to no other. */
static double largest_eigenvalue(struct padmm *a) {
  double *x = a->rhs, *y = a->last, size = 0;
  for (int j = 0; j < a->n; ++j) {
    x[j] = 1 + 0.5 * sin(1.0 + j);
  }
  for (int k = 0; k < POWER_ITERATIONS; ++k) {
    const double length = la_norm2(a->n, x);
    for (int j = 0; j < a->n; ++j) {
      x[j] /= length;
    }
    problem_kkt_apply(a->kkt, x, y);
    size = la_norm2(a->n, y);
    if (!(size > 0)) {
      return 1;
    }
    la_copy(a->n, y, x);
  }
  return size;
}

static int set_rho(struct padmm *a, double power) {
  const double eta = a->opt.eta;
  a->power = power;
  a->rho = sqrt(a->largest * eta) * pow(a->largest / eta, power);
  for (int j = 0; j < a->n; ++j) {
    a->penalty[j] = eta + a->rho;
  }
  if (problem_kkt_factor(a->kkt, NULL, a->penalty, 0) != BASE_OK) {
    return base_fail(BASE_FAILED, "padmm: A + rho 1 not positive definite: is A semidefinite?");
  }
  return BASE_OK;
}

/* z: n += mu |z_T| e_N for Coulomb's law. */
static void add_shift(const struct padmm *a, const double *z, double *out) {
  const struct contact_model *model = &a->p->model;
  const int dim = model->dim;
  for (int i = 0; i < model->nc && model->law == CONTACT_LAW_NCP; ++i) {
    out[dim * i] += model->mu[i] * la_norm2(dim - 1, z + dim * i + 1);
  }
}

static int padmm_start(void *workspace, double *r) {
  struct padmm *a = workspace;
  for (int j = 0; j < a->n; ++j) {
    a->y[j] = r[j] / a->s[j];
  }
  problem_convex_project(a->p, a->y);
  la_copy(a->n, a->y, a->x);
  problem_kkt_apply(a->kkt, a->x, a->z);
  la_axpy(a->n, 1, a->b, a->z);
  if (!la_all_finite(a->n, a->z)) {
    return base_fail(BASE_FAILED, "padmm: the problem or the start is not finite");
  }
  add_shift(a, a->z, a->z);
  a->largest = largest_eigenvalue(a);
  a->k = 0;
  a->next_look = LOOK;
  return set_rho(a, a->opt.power);
}

static int padmm_iterate(void *workspace, double *r) {
  struct padmm *a = workspace;
  const int n = a->n;
  const double eta = a->opt.eta, rho = a->rho;
  double *old_x = a->last, *shift = a->rhs, primal = 0, dual = 0;
  for (int j = 0; j < n; ++j) {
    old_x[j] = a->x[j];
    shift[j] = 0;
  }
  add_shift(a, a->z, shift);
  for (int j = 0; j < n; ++j) {
    a->rhs[j] = eta * a->x[j] + rho * a->y[j] + a->z[j] - a->b[j] - shift[j];
  }
  problem_kkt_improve(a->kkt, a->rhs, a->x); /* what asymmetry leaves goes as x settles */
  double *old_y = a->rhs;
  for (int j = 0; j < n; ++j) {
    old_y[j] = a->y[j];
    a->y[j] = a->x[j] - a->z[j] / rho;
  }
  problem_convex_project(a->p, a->y);
  for (int j = 0; j < n; ++j) {
    a->z[j] -= rho * (a->x[j] - a->y[j]);
    primal = fmax(primal, fabs(a->x[j] - a->y[j]));
    dual = fmax(dual, fabs(eta * (a->x[j] - old_x[j]) + rho * (a->y[j] - old_y[j])));
    r[j] = a->s[j] * a->y[j];
  }
  if (!isfinite(primal)) {
    return base_fail(BASE_FAILED, "padmm: the iterate is not finite");
  }
  if (!a->opt.adapt || ++a->k < a->next_look ||
      (primal <= RATIO * dual && dual <= RATIO * primal)) {
    return BASE_OK;
  }
  a->next_look = a->k + (int)fmax(LOOK, LOOK_SHARE * a->k);
  return set_rho(a, a->power + (primal > dual ? POWER_STEP : -POWER_STEP));
}

static void padmm_free(void *workspace) {
  const struct padmm *a = workspace;
  problem_kkt_free(a->kkt);
}

const struct problem_solver problem_solver_padmm = {
    .name = "padmm",
    .look = {.colour = 0x2f8f6f, .dashes = {7, 2}, .point = 13, .point_size = 0.9},
    .summary = "proximal alternating directions with De Saxce's shift, for exact Coulomb",
    .source = "Carpentier, Le Lidec, Montaut 2024 (arXiv 2405.17020)",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = padmm_table,
    .options_size = sizeof(struct padmm_options),
    .check = padmm_check,
    .alloc = padmm_alloc,
    .start = padmm_start,
    .iterate = padmm_iterate,
    .free = padmm_free,
};
