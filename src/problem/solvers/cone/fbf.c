/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Forward-backward-forward splitting for exact Coulomb (Tseng 2000; of contacts Song, Fan, Ascher,
 * Pai 2026). The law is 0 in A r + b + g(r) + N_K(r) with De Saxce's shift g = mu |v_T| e_N, v = A
 * r + b. The monotone part is taken implicitly, the shift explicitly:
 *
 *   backward  K contains y, perpendicular to (A + G^-1) y + b - G^-1 x + g(x) in K*
 *   forward   x <- y - G (g(y) - g(x))
 *
 * with G = gamma D, D_i = dim/trace A_ii a contact. The first is a cone complementarity problem
 * with the compliance G^-1, of one solution whatever the rank of A, and is solved by the interior
 * point method (ipm.h). It converges where |G^1/2 (g(y) - g(x))| <= theta |G^-1/2 (y - x)|, theta <
 * 1, and the rest is monotone, which the shift is not in general: there is no proof. Where a step
 * breaks that, gamma is halved and the step made again; where some on end stay far below it, gamma
 * is doubled. The answer is y, in the cone.
 *
 * One iteration is one of the interior point method.
 */
#include "problem/solvers/cone/ipm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "la/dense.h"
#include "problem/solver.h"

enum { INNER_MAX = 80, CALM = 3 };
/* gamma is divided no further: a step then moves nothing. */
static const double GAMMA_MIN = 1e-8;

struct fbf_options {
  double gamma, theta, accuracy;
};

static const struct base_option fbf_table[] = {
    BASE_OPTION_REAL(struct fbf_options, gamma, 1, 1e-8, 1e8, "",
                     "first step, times dim/trace A_ii of a contact"),
    BASE_OPTION_REAL(
        struct fbf_options, theta, 0.9, 1e-3, 0.999, "",
        "largest change of the shift over that of the impulses, in the norm of the step"),
    BASE_OPTION_REAL(struct fbf_options, accuracy, 1e-2, 1e-12, 0.9, "",
                     "residual of a backward step over that of the exact law"),
    BASE_OPTION_END};

struct fbf {
  const struct problem *p;
  struct fbf_options opt;
  struct base_arena *arena;
  struct base_arena_mark mark; /* behind it the backward steps of the present gamma */
  struct problem soft;         /* law ccp, A + G^-1 */
  struct problem_ipm *ipm;
  double *diag;      /* nc blocks dim x dim of A [1/kg] */
  double *size;      /* nc, trace A_ii/dim [1/kg] */
  double *R;         /* n, R of p and G^-1 [1/kg] */
  double *x;         /* n [N s] */
  double *b, *v;     /* n, of the backward step [m/s] */
  double *g_x, *g_y; /* nc, mu |v_T| [m/s] */
  double gamma;
  int inner, outer;
  int calm; /* steps on end, with this gamma, far below theta; each halving asks for one more */
  int most; /* of them before gamma is doubled */
};

static int fbf_check(const struct problem *p, const void *options) {
  (void)options;
  if (p->model.dim < 2 || p->model.dim > 3 || p->model.law != CONTACT_LAW_NCP) {
    return base_fail(BASE_UNSUPPORTED, "fbf: for Coulomb's law in the plane or in space");
  }
  return BASE_OK;
}

static void shifts(struct fbf *f, const double *r, double *g) {
  problem_slip(f->p, r, f->v, g, f->arena);
  for (int i = 0; i < f->p->model.nc; ++i) {
    g[i] *= f->p->model.mu[i];
  }
}

/* The backward steps' problem of a gamma. */
static int set_gamma(struct fbf *f, double gamma) {
  const struct problem_ipm_options options = problem_ipm_default_options();
  const int dim = f->p->model.dim;
  problem_ipm_free(f->ipm);
  base_arena_release(f->arena, f->mark);
  f->gamma = gamma;
  for (int j = 0; j < problem_size(f->p); ++j) {
    f->R[j] = f->size[j / dim] / gamma + (f->p->A.compliance != NULL ? f->p->A.compliance[j] : 0);
  }
  f->ipm = problem_ipm_alloc(&f->soft, &options, f->arena);
  return f->ipm != NULL ? BASE_OK : base_fail(BASE_FAILED, "fbf: %s", base_message());
}

static void *fbf_alloc(const struct problem *p, const void *options, struct base_arena *arena) {
  struct fbf *f = base_arena_push(arena, sizeof *f);
  const int n = problem_size(p), nc = p->model.nc, dim = p->model.dim;
  f->p = p;
  f->opt = *(const struct fbf_options *)options;
  f->arena = arena;
  f->ipm = NULL;
  BASE_ARENA_VECTORS(arena, n, &f->R, &f->x, &f->b, &f->v, &f->size, &f->g_x, &f->g_y);
  f->diag = base_arena_matrix(arena, nc, dim * dim);
  problem_operator_diagonal(&p->A, f->diag);
  for (int i = 0; i < nc; ++i) {
    for (int d = 0; d < dim; ++d) {
      f->size[i] += f->diag[(size_t)(dim * dim) * (size_t)i + (size_t)(d * dim + d)] / dim;
    }
  }
  f->soft = *p;
  f->soft.model.law = CONTACT_LAW_CCP;
  f->soft.A.diagonal = NULL;
  f->soft.A.compliance = f->R;
  f->mark = base_arena_mark(arena);
  return f;
}

static void fbf_free(void *workspace) {
  const struct fbf *f = workspace;
  problem_ipm_free(f->ipm);
}

/* The backward step from x, begun at y: n. */
static int begin_step(struct fbf *f, const double *y) {
  const int dim = f->p->model.dim, n = problem_size(f->p);
  for (int j = 0; j < n; ++j) {
    f->b[j] =
        f->p->b[j] - f->size[j / dim] / f->gamma * f->x[j] + (j % dim == 0 ? f->g_x[j / dim] : 0);
  }
  f->inner = 0;
  return problem_ipm_start(f->ipm, f->b, y);
}

static int fbf_start(void *workspace, double *r) {
  struct fbf *f = workspace;
  f->outer = f->calm = 0;
  f->most = CALM;
  la_copy(problem_size(f->p), r, f->x);
  shifts(f, f->x, f->g_x);
  const int status = set_gamma(f, f->opt.gamma);
  return status == BASE_OK ? begin_step(f, r) : status;
}

/* After a backward step y: the forward one, or a smaller gamma. */
static int end_step(struct fbf *f, const double *y) {
  const int dim = f->p->model.dim, nc = f->p->model.nc;
  double moved = 0, changed = 0;
  shifts(f, y, f->g_y);
  for (int i = 0; i < nc; ++i) {
    const double step = f->size[i] > 0 ? f->gamma / f->size[i] : 0;
    changed += step * pow(f->g_y[i] - f->g_x[i], 2);
    for (int d = 0; d < dim && step > 0; ++d) {
      moved += pow(y[dim * i + d] - f->x[dim * i + d], 2) / step;
    }
  }
  if (changed > f->opt.theta * f->opt.theta * moved && f->gamma > GAMMA_MIN) {
    f->calm = 0;
    ++f->most;
    const int status = set_gamma(f, f->gamma / 2);
    return status == BASE_OK ? begin_step(f, y) : status;
  }
  la_copy(problem_size(f->p), y, f->x);
  for (int i = 0; i < nc; ++i) {
    f->x[dim * i] -= (f->size[i] > 0 ? f->gamma / f->size[i] : 0) * (f->g_y[i] - f->g_x[i]);
  }
  shifts(f, f->x, f->g_x);
  ++f->outer;
  f->calm = 4 * changed < f->opt.theta * f->opt.theta * moved ? f->calm + 1 : 0;
  if (f->calm >= f->most) {
    f->calm = 0;
    const int status = set_gamma(f, 2 * f->gamma);
    return status == BASE_OK ? begin_step(f, y) : status;
  }
  return begin_step(f, y);
}

static int fbf_iterate(void *workspace, double *r) {
  struct fbf *f = workspace;
  const struct contact_model *model = &f->p->model;
  const int status = problem_ipm_iterate(f->ipm, r);
  problem_velocity(f->p, r, f->v, f->arena);
  const double exact = contact_residual(model, f->diag, r, f->v, f->p->b).absolute;
  for (int j = 0; j < problem_size(f->p); ++j) {
    f->v[j] += f->size[j / model->dim] / f->gamma * (r[j] - f->x[j]);
  }
  for (int i = 0; i < model->nc; ++i) {
    f->v[model->dim * i] += f->g_x[i];
  }
  const double reached = contact_residual(&f->soft.model, f->diag, r, f->v, f->b).absolute;
  if (status == BASE_OK && ++f->inner < INNER_MAX && !(reached <= f->opt.accuracy * exact)) {
    return BASE_OK;
  }
  return end_step(f, r);
}

static void fbf_describe(const void *workspace, char *text, size_t size) {
  const struct fbf *f = workspace;
  snprintf(text, size, "%d steps, gamma %.3g", f->outer, f->gamma);
}

const struct problem_solver problem_solver_fbf = {
    .name = "fbf",
    .look = {.colour = 0xaa4499, .dashes = {2, 3}, .point = 8, .point_size = 0.9},
    .summary = "forward-backward-forward splitting of Coulomb's law, interior points inside",
    .source = "Tseng 2000; Song, Fan, Ascher, Pai 2026",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_NCP),
    .options = fbf_table,
    .options_size = sizeof(struct fbf_options),
    .check = fbf_check,
    .alloc = fbf_alloc,
    .start = fbf_start,
    .iterate = fbf_iterate,
    .free = fbf_free,
    .describe = fbf_describe,
};
