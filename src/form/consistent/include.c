/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact inclusion of a consistent integrator, solved to round-off. Conservation of energy
 * over thousands of steps asks for r_N xi_N = 0 far below the tolerance an iterative solver works
 * to, so the chosen solver finds the solution and Newton's method (newton.h) finishes it, on the
 * equations of Alart and Curnier (problem/ncp.h; moeller 2.37, differentiated piecewise; for dim 1
 * this is a primal-dual active set method). The linear systems are solved as regularised least
 * squares, so that dependent contacts are no obstacle; the small regularisation slows convergence
 * down where A is nearly singular but moves no solution. Contacts that bilateral constraints keep
 * from moving along their normal, A_NN = 0, have the velocity b_N whatever they do: they are left
 * out and carry nothing, friction included.
 *
 * Every outcome is judged by contact_residual().
 */
#include "form/consistent/newton.h"
#include "form/grade.h"

#include "base/status.h"
#include "la/dense.h"
#include "problem/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Ridge of the least squares, over the scaled mean inverse mass of 1: above the rounding of the
 * normal equations (about n 1e-16), below the squared singular values of contacts that matter. */
static const double RIDGE = 1e-13;
/* Round-off of v = A r + b over the largest term: reached means nothing is left to improve. */
static const double INCLUDED = 4 * DBL_EPSILON;
/* Relative residual taken for a solution without asking the solver: round-off with room for
 * cancellation in ill-conditioned A. */
static const double ACCEPTED = 1e-13;
/* Second attempt of the solver, when Newton's method did not converge from what its own tolerance
 * had left. */
static const double TIGHT = 1e-14;
/* Iterations that the residual may wander before the active set is found. */
enum { PATIENCE = 40 };

struct inclusion {
  struct problem problem; /* with A dense, n x n column-major */
  int n;
  double *diag; /* nc blocks, row-major */
  struct problem_newton *newton;
  double *w;                        /* n, scaled velocity at the last evaluation */
  double *r, *v;                    /* n: of the last point judged, made admissible */
  struct contact_residual residual; /* theirs */
  struct base_arena *arena;
};

struct contact_model form_consistent_model(const struct form_consistent *c) {
  return (struct contact_model){.law = form_consistent_law(&c->setup),
                                .dim = c->mech->dim,
                                .nc = c->closed.n,
                                .mu = c->closed.mu,
                                .set = c->sets};
}

/* Does contact i move along its normal: is A_NN more than round-off of what it is without bilateral
 * constraints? */
static int is_movable(const struct form_consistent *c, int i, const double *A) {
  const int k = i * c->mech->dim, n = c->mech->dim * c->closed.n;
  return c->ns == 0 || !(A[(long)k * n + k] <= MECH_BILATERAL_HELD * c->alone[i]);
}

void form_consistent_diagonal(const struct form_consistent *c, const double *A, double *diag) {
  const int dim = c->mech->dim, n = dim * c->closed.n;
  for (int i = 0; i < c->closed.n; ++i) {
    const int moves = is_movable(c, i, A);
    for (int row = 0; row < dim; ++row) {
      for (int col = 0; col < dim; ++col) {
        diag[(i * dim + row) * dim + col] =
            moves ? A[(long)(i * dim + col) * n + i * dim + row] : (row == col) * c->alone[i];
      }
    }
  }
}

struct contact_residual form_consistent_grade(const struct form_consistent *c, const double *A,
                                              const double *b, const double *r, const double *v,
                                              struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct contact_model model = form_consistent_model(c);
  double *diag = base_arena_matrix(arena, model.dim * model.dim, model.nc);
  form_consistent_diagonal(c, A, diag);
  const struct contact_residual residual =
      form_grade_problem(&model, diag, r, v, b, c->closed.id, report);
  base_arena_release(arena, mark);
  return residual;
}

static void velocity(const struct inclusion *p, const double *r, double *v) {
  la_copy(p->n, p->problem.b, v);
  la_gemv(p->n, p->n, 1, p->problem.A.a, r, 1, v);
}

/* --- the system of Newton's method, in the scaled impulses x --- */

static int evaluate(void *of, const double *x, const double *lambda, double *R, double *rate) {
  const struct inclusion *p = of;
  (void)lambda, (void)rate;
  problem_newton_velocity(p->newton, x, p->w);
  problem_newton_evaluate(p->newton, PROBLEM_NCP_ALART_CURNIER, 1, x, p->w, R, 0);
  return BASE_OK;
}

static int matrix(void *of, const double *x, const double *lambda) {
  const struct inclusion *p = of;
  (void)lambda;
  problem_newton_evaluate(p->newton, PROBLEM_NCP_ALART_CURNIER, 1, x, p->w, p->newton->F, 1);
  return BASE_OK;
}

static int solve_newton(void *of, int n, double *X) {
  const struct inclusion *p = of;
  int status = BASE_OK;
  for (int k = 0; k < n && status == BASE_OK; ++k) {
    double *column = X + (long)k * p->n;
    for (int i = 0; i < p->n; ++i) {
      p->newton->F[i] = -column[i];
    }
    status = problem_newton_step(p->newton, PROBLEM_NEWTON_LEVENBERG, RIDGE, column);
  }
  return status;
}

/* Signs and sets made exact where the last Newton step left them round-off away. */
static void make_admissible(const struct contact_model *model, double *r) {
  const int dim = model->dim;
  for (int i = 0; i < model->nc; ++i) {
    const double mu = dim > 1 ? model->mu[i] : 0;
    double *ri = r + (long)i * dim, x[CONTACT_DIM_MAX];
    ri[0] = fmax(ri[0], 0);
    if (model->set != NULL) {
      for (int k = 1; k < dim; ++k) {
        x[k - 1] = -ri[k];
      }
      contact_set_project(&model->set[i], ri[0], x, x);
      for (int k = 1; k < dim; ++k) {
        ri[k] = -x[k - 1];
      }
      continue;
    }
    const double size = dim == 3 ? hypot(ri[1], ri[2]) : dim == 2 ? fabs(ri[1]) : 0;
    if (size > mu * ri[0]) {
      for (int k = 1; k < dim; ++k) {
        ri[k] *= mu * ri[0] / size;
      }
    }
  }
}

static double norm(void *of, const double *x, const double *R) {
  struct inclusion *p = of;
  (void)R;
  if (!la_all_finite(p->n, x)) {
    return INFINITY;
  }
  problem_newton_unscale(p->newton, x, p->r);
  make_admissible(&p->problem.model, p->r);
  velocity(p, p->r, p->v);
  p->residual = contact_residual(&p->problem.model, p->diag, p->r, p->v, p->problem.b);
  return p->residual.relative_max;
}

static const struct form_consistent_system natural_map = {
    .evaluate = evaluate, .matrix = matrix, .solve = solve_newton, .norm = norm};

/* Newton's method from r; r and v get the best point seen. Returns its residual. */
static struct contact_residual polish(struct inclusion *p, double *r, double *v) {
  const struct base_arena_mark mark = base_arena_mark(p->arena);
  struct form_consistent_newton w = {
      .system = &natural_map,
      .of = p,
      .stop = {.floor = INCLUDED, .near = ACCEPTED, .patience = PATIENCE, .every_time = 1},
      .nx = p->n,
      .arena = p->arena};
  form_consistent_newton_alloc(&w);
  problem_newton_scale(p->newton, r, w.x);
  form_consistent_newton_solve(&w, NULL);
  if (isfinite(norm(p, w.best_x, NULL)) && isfinite(w.best)) {
    la_copy(p->n, p->r, r);
    la_copy(p->n, p->v, v);
  }
  base_arena_release(p->arena, mark);
  return p->residual;
}

/* The chosen solver from r; BASE_OK, BASE_UNCONVERGED (r is its best), or what stopped it. */
static int ask_solver(const struct form_consistent *c, const struct inclusion *p, double tol,
                      double *r, double *v, struct form_report *report) {
  struct problem_loop loop = c->setup.loop;
  struct problem_result result;
  loop.tol = fmin(loop.tol, tol);
  problem_solve(&p->problem, c->setup.solver, c->setup.solver_options, &loop, r, v, p->arena,
                &result);
  report->iterations += result.iterations;
  report->by = result.by;
  report->round = result.round;
  if (result.status == BASE_OK || result.status == BASE_UNCONVERGED) {
    return result.status;
  }
  return base_fail(result.status, "%s", result.reason);
}

/* All contacts can move. r, v: n, start -> solution. */
static int include_movable(struct form_consistent *c, struct inclusion *p, int guess, double *r,
                           double *v, struct form_report *report) {
  struct contact_residual residual = {.absolute = INFINITY, .relative_max = INFINITY};
  p->newton = problem_newton_alloc(&p->problem, 1, p->arena);
  BASE_ARENA_VECTORS(p->arena, p->n, &p->w, &p->r, &p->v);
  if (guess) {
    residual = polish(p, r, v);
  }
  const double tries[] = {INFINITY, TIGHT};
  for (int k = 0; k < 2 && !(residual.relative_max <= ACCEPTED); ++k) {
    const int status = ask_solver(c, p, tries[k], r, v, report);
    if (k == 0 && status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
    residual = polish(p, r, v);
    if (status != BASE_OK) {
      break; /* a tighter tolerance asks for more still; what there is is judged */
    }
  }
  return residual.relative_max <= ACCEPTED || residual.relative_b <= c->setup.loop.tol
             ? BASE_OK
             : BASE_UNCONVERGED;
}

/* The movable contacts of p alone; the others carry nothing. */
static int include_some(struct form_consistent *c, const struct inclusion *p, int guess, double *r,
                        double *v, struct form_report *report) {
  const struct contact_model *model = &p->problem.model;
  const int dim = model->dim, nc = model->nc, block = dim * dim;
  struct base_arena *arena = p->arena;
  struct inclusion s = *p;
  int *from = base_arena_ints(arena, nc), n = 0;
  for (int i = 0; i < nc; ++i) {
    from[n] = i;
    n += is_movable(c, i, p->problem.A.a);
  }
  double *A = base_arena_matrix(arena, block * n, n), *b = base_arena_matrix(arena, dim, n);
  double *mu = base_arena_doubles(arena, n), *x = base_arena_matrix(arena, dim, n);
  double *y = base_arena_matrix(arena, dim, n);
  struct contact_set *set = base_arena_push(arena, (size_t)n * sizeof *set);
  s.diag = base_arena_matrix(arena, block, n);
  for (int k = 0; k < dim * n; ++k) {
    const int row = from[k / dim] * dim + k % dim;
    for (int l = 0; l < dim * n; ++l) {
      A[(long)l * dim * n + k] = p->problem.A.a[(long)(from[l / dim] * dim + l % dim) * p->n + row];
    }
    b[k] = p->problem.b[row];
    x[k] = r[row];
  }
  for (int i = 0; i < n; ++i) {
    mu[i] = dim > 1 ? model->mu[from[i]] : 0;
    la_copy(block, p->diag + (long)from[i] * block, s.diag + (long)i * block);
    if (model->set != NULL) {
      set[i] = model->set[from[i]];
    }
  }
  s.n = dim * n;
  s.problem.A.a = A;
  s.problem.A.nc = s.problem.model.nc = n;
  s.problem.b = b;
  s.problem.model.mu = mu;
  s.problem.model.set = model->set != NULL ? set : NULL;
  const int status = n > 0 ? include_movable(c, &s, guess, x, y, report) : BASE_OK;
  memset(r, 0, (size_t)p->n * sizeof *r);
  for (int k = 0; k < dim * n; ++k) {
    r[from[k / dim] * dim + k % dim] = x[k];
  }
  velocity(p, r, v);
  return status;
}

int form_consistent_include(struct form_consistent *c, int guess, const double *A, const double *b,
                            double *r, double *v, struct form_report *report) {
  struct base_arena *arena = c->setup.arena;
  const struct base_arena_mark mark = base_arena_mark(arena);
  const struct contact_model model = form_consistent_model(c);
  const int nc = model.nc, dim = model.dim;
  struct inclusion p = {
      .problem = {.name = "",
                  .model = model,
                  .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = dim, .nc = nc, .a = A},
                  .b = b},
      .n = dim * nc,
      .arena = arena};
  int n_moving = 0;
  p.diag = base_arena_matrix(arena, dim * dim, nc);
  form_consistent_diagonal(c, A, p.diag);
  for (int i = 0; i < nc; ++i) {
    n_moving += is_movable(c, i, A);
    if (!(p.diag[(long)i * dim * dim] > 0)) {
      base_arena_release(arena, mark);
      return base_fail(BASE_FAILED, "A_NN of contact %ld is not a positive number",
                       c->closed.id[i]);
    }
  }
  const int status = n_moving == nc ? include_movable(c, &p, guess, r, v, report)
                                    : include_some(c, &p, guess, r, v, report);
  base_arena_release(arena, mark);
  return status;
}
