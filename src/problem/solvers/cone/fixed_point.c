/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exact Coulomb law as a fixed point of cone complementarity problems (Acary, Cadoux,
 * Lemarechal and Malick, ZAMM 91, 2011). For a given shift s >= 0, a number a contact [m/s], let
 * r(s) solve
 *
 *   K_mu contains r, perpendicular to A r + b + mu s e_N in K*_mu,
 *
 * a convex problem, and F(s)_i = |v_T,i| of its solution. Where F(s) = s, r(s) solves law ncp: the
 * shift is De Saxce's. F has a fixed point where the relaxed problem (s = 0) is strictly feasible;
 * elsewhere the exact law may have no solution either (a closing wedge that is infeasible), and
 * this iteration goes on without end.
 *
 * The convex problems are solved by the interior point method (ipm.h), warm from the last. Between
 * them, s moves by damped steps of Anderson's mixing over the last `depth` differences, which falls
 * back to s + theta (F - s) with a smaller theta when |F(s) - s| has not fallen for a while.
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

enum { DEPTH_MAX = 20, INNER_MAX = 80 };

struct fixed_point_options {
  int depth;
  double accuracy, theta;
};

static const struct base_option fixed_point_table[] = {
    BASE_OPTION_INT(struct fixed_point_options, depth, 5, 0, DEPTH_MAX,
                    "stored differences of Anderson's mixing; 0: plain steps"),
    BASE_OPTION_REAL(struct fixed_point_options, accuracy, 1e-3, 1e-12, 0.9, "",
                     "residual of a convex problem over that of the exact law"),
    BASE_OPTION_REAL(struct fixed_point_options, theta, 1, 1e-6, 1, "", "first damping"),
    BASE_OPTION_END};

struct fixed_point {
  const struct problem *p;
  struct fixed_point_options opt;
  struct base_arena *arena;
  struct problem_ipm *ipm;
  double *diag;            /* nc blocks dim x dim, A_ii [1/kg] */
  double *b, *v;           /* n [m/s] */
  double *s, *F;           /* nc [m/s] */
  double *s_last, *g_last; /* nc: before, and F - s there */
  double *ds, *dg;         /* nc x depth, differences, the oldest overwritten */
  double *g, *next;        /* nc */
  int stored, inner, outer, stalled;
  double theta, best; /* damping; least |F - s| so far [m/s] */
  double target;      /* of the convex problem [m/s] */
};

static int fixed_point_check(const struct problem *p, const void *options) {
  (void)options;
  if (p->model.dim < 2 || p->model.dim > 3 || p->model.law != CONTACT_LAW_NCP) {
    return base_fail(BASE_UNSUPPORTED, "fixed-point: for Coulomb's law in the plane or in space");
  }
  return BASE_OK;
}

static void *fixed_point_alloc(const struct problem *p, const void *options,
                               struct base_arena *arena) {
  struct fixed_point *f = base_arena_push(arena, sizeof *f);
  const struct problem_ipm_options ipm = problem_ipm_default_options();
  const int n = problem_size(p), nc = p->model.nc, size = p->model.dim * p->model.dim;
  f->p = p;
  f->opt = *(const struct fixed_point_options *)options;
  f->arena = arena;
  f->diag = base_arena_matrix(arena, nc, size);
  problem_operator_diagonal(&p->A, f->diag);
  BASE_ARENA_VECTORS(arena, nc, &f->s, &f->F, &f->s_last, &f->g_last, &f->g, &f->next);
  f->ds = base_arena_matrix(arena, nc, f->opt.depth);
  f->dg = base_arena_matrix(arena, nc, f->opt.depth);
  BASE_ARENA_VECTORS(arena, n, &f->b, &f->v);
  f->ipm = problem_ipm_alloc(p, &ipm, arena);
  return f;
}

static void fixed_point_free(void *workspace) {
  const struct fixed_point *f = workspace;
  problem_ipm_free(f->ipm);
}

static int begin_inner(struct fixed_point *f, const double *r) {
  const struct contact_model *model = &f->p->model;
  la_copy(problem_size(f->p), f->p->b, f->b);
  for (int i = 0; i < model->nc; ++i) {
    f->b[model->dim * i] += model->mu[i] * f->s[i];
  }
  f->inner = 0;
  return problem_ipm_start(f->ipm, f->b, r);
}

static int fixed_point_start(void *workspace, double *r) {
  struct fixed_point *f = workspace;
  if (f->ipm == NULL) {
    return base_fail(BASE_FAILED, "fixed-point: %s", base_message());
  }
  f->outer = f->stored = f->stalled = 0;
  f->theta = f->opt.theta;
  f->best = INFINITY;
  problem_slip(f->p, r, f->v, f->s, f->arena);
  f->target = f->opt.accuracy * la_norm_inf(problem_size(f->p), f->p->b);
  return begin_inner(f, r);
}

/* next = s + theta g less what the remembered differences explain of it: the least-squares
 * combination gamma of dg with dg gamma = g (Anderson, type II). */
static void mix(struct fixed_point *f) {
  const int nc = f->p->model.nc;
  const int m = f->stored < f->opt.depth ? f->stored : f->opt.depth;
  for (int i = 0; i < nc; ++i) {
    f->next[i] = f->s[i] + f->theta * f->g[i];
  }
  if (m > 0) {
    double G[DEPTH_MAX * DEPTH_MAX], y[DEPTH_MAX];
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < m; ++j) {
        G[j * m + i] = la_dot(nc, f->dg + (long)i * nc, f->dg + (long)j * nc);
      }
      y[i] = la_dot(nc, f->dg + (long)i * nc, f->g);
    }
    double trace = 0;
    for (int i = 0; i < m; ++i) {
      trace += G[i * m + i];
    }
    for (int i = 0; i < m; ++i) {
      G[i * m + i] += 1e-12 * trace;
    }
    if (trace > 0 && la_chol_factor(m, G) == BASE_OK) {
      la_chol_solve(m, 1, G, y);
      for (int i = 0; i < m; ++i) {
        la_axpy(nc, -y[i], f->ds + (long)i * nc, f->next);
        la_axpy(nc, -y[i] * f->theta, f->dg + (long)i * nc, f->next);
      }
    }
  }
  for (int i = 0; i < nc; ++i) {
    f->next[i] = fmax(0, f->next[i]);
  }
}

/* The next shift, after the convex problem of the present one was solved by r. */
static void end_inner(struct fixed_point *f, const double *r) {
  const int nc = f->p->model.nc;
  problem_slip(f->p, r, f->v, f->F, f->arena);
  for (int i = 0; i < nc; ++i) {
    f->g[i] = f->F[i] - f->s[i];
  }
  if (f->outer > 0 && f->opt.depth > 0) {
    const int k = f->stored % f->opt.depth;
    for (int i = 0; i < nc; ++i) {
      f->ds[(long)k * nc + i] = f->s[i] - f->s_last[i];
      f->dg[(long)k * nc + i] = f->g[i] - f->g_last[i];
    }
    ++f->stored;
  }
  const double size = la_norm2(nc, f->g);
  if (size < f->best) {
    f->best = size;
    f->stalled = 0;
  } else if (++f->stalled >= 2 * f->opt.depth + 2) {
    f->stored = 0;
    f->stalled = 0;
    f->theta = fmax(0.02, 0.7 * f->theta);
    f->best = size;
  }
  mix(f);
  la_copy(nc, f->s, f->s_last);
  la_copy(nc, f->g, f->g_last);
  la_copy(nc, f->next, f->s);
  ++f->outer;
}

static int fixed_point_iterate(void *workspace, double *r) {
  struct fixed_point *f = workspace;
  const struct contact_model *model = &f->p->model;
  struct contact_model convex = *model;
  convex.law = CONTACT_LAW_CCP;
  const int status = problem_ipm_iterate(f->ipm, r);
  problem_velocity(f->p, r, f->v, f->arena);
  const double exact = contact_residual(model, f->diag, r, f->v, f->p->b).absolute;
  for (int i = 0; i < model->nc; ++i) {
    f->v[model->dim * i] += model->mu[i] * f->s[i];
  }
  const double reached = contact_residual(&convex, f->diag, r, f->v, f->b).absolute;
  if (status == BASE_OK && ++f->inner < INNER_MAX && !(reached <= f->opt.accuracy * exact)) {
    return BASE_OK;
  }
  end_inner(f, r);
  return begin_inner(f, r);
}

static void fixed_point_describe(const void *workspace, char *text, size_t size) {
  const struct fixed_point *f = workspace;
  snprintf(text, size, "%d shifts", f->outer);
}

const struct problem_solver problem_solver_fixed_point = {
    .name = "fixed-point",
    .look = {.colour = 0x332288, .dashes = {5, 3}, .point = 12, .point_size = 1.1},
    .summary =
        "Coulomb's law as a fixed point of cone complementarity, by the interior point method",
    .source = "Acary, Cadoux, Lemarechal, Malick 2011; negrut on the relaxation",
    .laws = CONTACT_LAW_BIT(CONTACT_LAW_NCP),
    .options = fixed_point_table,
    .options_size = sizeof(struct fixed_point_options),
    .check = fixed_point_check,
    .alloc = fixed_point_alloc,
    .start = fixed_point_start,
    .iterate = fixed_point_iterate,
    .free = fixed_point_free,
    .describe = fixed_point_describe,
};
