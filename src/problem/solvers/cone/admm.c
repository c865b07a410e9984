/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Alternating direction method of multipliers for cone complementarity (negrut 7) as
 *
 *   min y^T S A S y / 2 + (S b)^T y + I_K(z),   y = z                     (problem/convex.h)
 *
 * after Boyd, Parikh, Chu, Peleato, Eckstein, Found. Trends Mach. Learn. 3 (2011), 3.1, 3.4.1 and
 * 3.4.3, with the over-relaxation `relax` and scaled multipliers m:
 *
 *   (S A S + rho) y = rho (z - m) - S b,   w = relax y + (1 - relax) z_old,
 *   z = P_K(w + m),   m <- m + w - z.
 *
 * S A S + rho is factorised once for each rho (problem/kkt.h). rho follows the ratio of the primal
 * residual |y - z| to the dual one, rho |z - z_old|, each over its own scale (Stellato et al.,
 * Math. Program. Comput. 12 (2020), 5.2), at iterations further and further apart, so that it
 * settles and the method converges. The reaction is S z, in the cone always; -rho m is the velocity
 * at the end.
 */
#include <math.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/convex.h"
#include "problem/kkt.h"
#include "problem/solver.h"

/* rho stays where the factor is safe: S A S has a mean diagonal of 1. */
#define ADMM_RHO_MIN 1e-9
#define ADMM_RHO_MAX 1e9
/* A change by less does not pay a factorisation. */
#define ADMM_RHO_RATIO 3
/* Next look at rho after this share of the iterations so far, at least ADMM_LOOK of them. */
#define ADMM_LOOK_SHARE 0.5
enum { ADMM_LOOK = 10 };

struct admm_options {
  double rho, relax;
  int adapt;
};

static const struct base_option admm_table[] = {
    BASE_OPTION_REAL(struct admm_options, rho, 0.1, ADMM_RHO_MIN, ADMM_RHO_MAX, "",
                     "penalty, over the mean diagonal of A"),
    BASE_OPTION_REAL(struct admm_options, relax, 1.6, 0.1, 1.99, "", "over-relaxation"),
    BASE_OPTION_BOOL(struct admm_options, adapt, 1, "penalty follows the residuals"),
    BASE_OPTION_END};

struct admm {
  const struct problem *p;
  struct admm_options opt;
  struct base_arena *arena;
  struct problem_kkt *kkt;
  int n, k, next_look;
  double rho;
  double *s, *b, *y, *z, *m, *rhs; /* n each, scaled */
  double *penalty;                 /* n, rho everywhere */
};

static int admm_check(const struct problem *p, const void *options) {
  (void)options;
  return problem_convex_check(p, "admm", PROBLEM_CONVEX_ASYMMETRY_MAX);
}

static void *admm_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct admm *a = base_arena_push(arena, sizeof *a);
  a->p = p;
  a->opt = *(const struct admm_options *)options;
  a->arena = arena;
  a->n = problem_size(p);
  double **vectors[] = {&a->s, &a->b, &a->y, &a->z, &a->m, &a->rhs, &a->penalty};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k) {
    *vectors[k] = base_arena_doubles(arena, a->n);
  }
  problem_convex_scales(p, a->s, a->b, arena);
  a->kkt = problem_kkt_alloc(&p->A, a->s, arena);
  return a->kkt != NULL ? a : NULL;
}

static int set_penalty(struct admm *a, double rho) {
  for (int j = 0; j < a->n; ++j) {
    a->m[j] *= a->rho / rho; /* rho m is the multiplier */
    a->penalty[j] = rho;
  }
  a->rho = rho;
  if (problem_kkt_factor(a->kkt, NULL, a->penalty, 0) != BASE_OK) {
    return base_fail(BASE_FAILED, "admm: A + rho 1 not positive definite: is A semidefinite?");
  }
  return BASE_OK;
}

static int admm_start(void *workspace, double *r) {
  struct admm *a = workspace;
  for (int j = 0; j < a->n; ++j) {
    a->z[j] = r[j] / a->s[j];
  }
  problem_convex_project(a->p, a->z);
  problem_kkt_apply(a->kkt, a->z, a->m); /* velocity of the start: -rho m */
  for (int j = 0; j < a->n; ++j) {
    a->m[j] = -(a->m[j] + a->b[j]) / a->opt.rho;
  }
  if (!la_all_finite(a->n, a->m)) {
    return base_fail(BASE_FAILED, "admm: the problem or the start is not finite");
  }
  la_copy(a->n, a->z, a->y);
  if (la_norm_inf(a->n, a->z) == 0) { /* no guess: b is not one for the velocity either */
    la_axpy(a->n, -1, a->m, a->m);
  }
  a->k = 0;
  a->next_look = ADMM_LOOK;
  a->rho = a->opt.rho;
  return set_penalty(a, a->opt.rho);
}

/* rho from the residuals, primal and dual, of the iteration just made. */
static int adapt(struct admm *a, double primal, double dual) {
  a->next_look = a->k + (int)fmax(ADMM_LOOK, ADMM_LOOK_SHARE * a->k);
  problem_kkt_apply(a->kkt, a->y, a->rhs);
  const double size_p = fmax(la_norm_inf(a->n, a->y), la_norm_inf(a->n, a->z));
  const double size_d = fmax(fmax(la_norm_inf(a->n, a->rhs), la_norm_inf(a->n, a->b)),
                             a->rho * la_norm_inf(a->n, a->m));
  if (!(primal > 0 && dual > 0 && size_p > 0 && size_d > 0)) {
    return BASE_OK;
  }
  const double factor = sqrt(primal / size_p / (dual / size_d));
  const double rho = fmin(fmax(a->rho * factor, ADMM_RHO_MIN), ADMM_RHO_MAX);
  if (rho < a->rho * ADMM_RHO_RATIO && rho * ADMM_RHO_RATIO > a->rho) {
    return BASE_OK;
  }
  return set_penalty(a, rho);
}

static int admm_iterate(void *workspace, double *r) {
  struct admm *a = workspace;
  const int n = a->n;
  const double relax = a->opt.relax;
  for (int j = 0; j < n; ++j) {
    a->rhs[j] = a->rho * (a->z[j] - a->m[j]) - a->b[j];
  }
  problem_kkt_improve(a->kkt, a->rhs, a->y); /* what asymmetry leaves goes as y settles */
  double *moved = a->rhs;
  for (int j = 0; j < n; ++j) {
    a->m[j] += relax * a->y[j] + (1 - relax) * a->z[j]; /* w + m, the argument of the projection */
    moved[j] = a->z[j];
    a->z[j] = a->m[j];
  }
  problem_convex_project(a->p, a->z);
  double primal = 0, dual = 0;
  for (int j = 0; j < n; ++j) {
    a->m[j] -= a->z[j];
    primal = fmax(primal, fabs(a->y[j] - a->z[j]));
    dual = fmax(dual, a->rho * fabs(a->z[j] - moved[j]));
    r[j] = a->s[j] * a->z[j];
  }
  if (!isfinite(primal)) {
    return base_fail(BASE_FAILED, "admm: the iterate is not finite");
  }
  ++a->k;
  return a->opt.adapt && a->k >= a->next_look ? adapt(a, primal, dual) : BASE_OK;
}

static void admm_free(void *workspace) {
  const struct admm *a = workspace;
  problem_kkt_free(a->kkt);
}

const struct problem_solver problem_solver_admm = {
    .name = "admm",
    .look = {.colour = 0x882255, .point = 15, .point_size = 0.9},
    .summary = "alternating directions with one factorisation a penalty, for the convex relaxation",
    .source = "Boyd et al. 2011; Stellato et al. 2020; negrut 7",
    .laws = (1u << CONTACT_LAW_COUNT) - 1, /* dim 1: all the same; see check */
    .options = admm_table,
    .options_size = sizeof(struct admm_options),
    .check = admm_check,
    .alloc = admm_alloc,
    .start = admm_start,
    .iterate = admm_iterate,
    .free = admm_free,
};
