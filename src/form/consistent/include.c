/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contact inclusion of a consistent integrator, solved to round-off. Conservation of energy
 * over thousands of steps asks for r_N xi_N = 0 far below the tolerance an iterative solver works
 * to, so the chosen solver finds the solution and Newton's method on the natural map finishes it.
 * With d = r - rho v for each contact, rho_N = 1/A_NN, rho_T = 1/mean A_TT,
 *
 *   open   d_N <= 0                          r = 0
 *   stick  d_N > 0, |d_T| <= mu r_N          v_N = 0, v_T = 0
 *   slip   d_N > 0, |d_T| >  mu r_N          v_N = 0, r_T = mu r_N d_T / |d_T|
 *
 * (moeller 2.37 with C the half line and the disk, differentiated piecewise; for dim 1 this is a
 * primal-dual active set method). Sets of their own have their rows in sets.c. The
 * linear systems are solved as regularised least squares, so that dependent contacts are no
 * obstacle; the small regularisation slows convergence down where A is nearly singular but moves no
 * solution. Contacts that bilateral constraints keep from moving along their normal, A_NN = 0, have
 * the velocity b_N whatever they do: they are left out and carry nothing, friction included.
 *
 * Every outcome is judged by contact_residual(); what Newton's method has not improved is returned
 * as the solver left it.
 */
#include "form/consistent/consistent.h"

#include "base/status.h"
#include "form/consistent/sets.h"
#include "la/dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Ridge of the least squares, of the mean diagonal: above the rounding of the normal equations
 * (about n 1e-16), below the squared singular values of contacts that matter. */
#define FORM_CONSISTENT_RIDGE 1e-13
/* Round-off of v = A r + b over the largest term: reached means nothing is left to improve. */
#define FORM_CONSISTENT_INCLUDED (4 * DBL_EPSILON)
/* Relative residual taken for a solution without asking the solver: round-off with room for
 * cancellation in ill-conditioned A. */
#define FORM_CONSISTENT_ACCEPTED 1e-13
/* Second attempt of the solver, when its own tolerance did not lead Newton's method home. */
#define FORM_CONSISTENT_TIGHT 1e-14
enum { FORM_CONSISTENT_NEWTON_MAX = 40 };

struct inclusion {
  struct contact_model model;
  int n;
  const double *A, *b; /* n x n column-major; n */
  double *diag;        /* nc blocks, row-major */
  double *scale;       /* nc, 1 / sqrt(A_NN): balances contacts of unlike mass */
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
  return c->ns == 0 || !(A[(long)k * n + k] <= FORM_CONSISTENT_RANK_TOL * c->alone[i]);
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
  const struct contact_residual residual = contact_residual(&model, diag, r, v, b);
  const struct contact_diagnostics d = contact_diagnose(&model, diag, r, v, 0);
  struct contact_diagnostics *worst = &report->diagnostics;
  if (report->solves == 0 || !(residual.relative_b <= report->residual.relative_b)) {
    report->residual = residual;
  }
  if (report->solves == 0) {
    *worst = d;
  } else {
    if (d.dissipation_shortfall > worst->dissipation_shortfall) {
      worst->at = d.at;
    }
    worst->signorini = fmax(worst->signorini, d.signorini);
    worst->cone = fmax(worst->cone, d.cone);
    worst->angle = fmax(worst->angle, d.angle);
    worst->dissipation_shortfall = fmax(worst->dissipation_shortfall, d.dissipation_shortfall);
  }
  base_arena_release(arena, mark);
  return residual;
}

static void velocity(const struct inclusion *p, const double *r, double *v) {
  la_copy(p->n, p->b, v);
  la_gemv(p->n, p->n, 1, p->A, r, 1, v);
}

static struct contact_residual judge(const struct inclusion *p, const double *r, const double *v) {
  return contact_residual(&p->model, p->diag, r, v, p->b);
}

/* Rows of contact i of the piecewise linear system J dr = -F. Row k of J is weight times row k of A
 * (a velocity row) plus local terms on the contact's own dim impulses. */
static void contact_rows(const struct inclusion *p, int i, const double *r, const double *v,
                         double *J, double *F) {
  const int dim = p->model.dim, n = p->n, first = i * dim;
  const double *D = p->diag + (long)i * dim * dim;
  const double mu = dim > 1 ? p->model.mu[i] : 0;
  const double rho_N = 1 / D[0];
  double trace = 0, w[3] = {0}, size = 0;
  for (int k = 1; k < dim; ++k) {
    trace += D[k * dim + k];
  }
  const double rho_T = dim > 1 && trace > FORM_CONSISTENT_RANK_TOL * D[0] ? (dim - 1) / trace : 0;
  for (int k = 1; k < dim; ++k) {
    w[k] = r[first + k] - rho_T * v[first + k];
    size += w[k] * w[k];
  }
  size = sqrt(size);
  const double r_N = fmax(r[first], 0);
  const int open = r[first] - rho_N * v[first] <= 0;
  const int stick = mu > 0 && size <= mu * r_N;
  for (int k = 0; k < dim; ++k) {
    const int row = first + k;
    if (!open && (k == 0 || stick)) { /* a velocity row */
      F[row] = v[row];
      for (int j = 0; j < n; ++j) {
        J[(long)j * n + row] = p->A[(long)j * n + row];
      }
      continue;
    }
    /* an impulse row, in velocity units through A_NN */
    F[row] = D[0] * r[row];
    J[(long)row * n + row] = D[0];
    if (open || mu <= 0 || size <= 0) {
      continue;
    }
    F[row] -= D[0] * mu * r_N * w[k] / size;
    J[(long)first * n + row] -= D[0] * mu * w[k] / size;
    for (int l = 1; l < dim; ++l) {
      const double turn =
          D[0] * mu * r_N / size * ((k == l ? 1.0 : 0.0) - w[k] * w[l] / (size * size));
      J[(long)(first + l) * n + row] -= turn;
      for (int j = 0; j < n; ++j) {
        J[(long)j * n + row] += turn * rho_T * p->A[(long)j * n + first + l];
      }
    }
  }
}

/* The same for a contact with a set of its own, Phi = 0 for its tangential rows. */
static void set_rows(const struct inclusion *p, int i, const double *r, const double *v, double *J,
                     double *F) {
  enum { K = CONTACT_DIM_MAX - 1 };
  const int dim = p->model.dim, n = p->n, first = i * dim, k = dim - 1;
  const double *D = p->diag + (long)i * dim * dim;
  double trace = 0, Phi[K], R[K * (K + 1)], V[K * K];
  for (int d = 1; d < dim; ++d) {
    trace += D[d * dim + d];
  }
  const int open = r[first] - v[first] / D[0] <= 0;
  const int spread = trace > FORM_CONSISTENT_RANK_TOL * D[0];
  if (open || !spread) {
    for (int row = first; row < first + dim; ++row) {
      F[row] = D[0] * r[row];
      J[(long)row * n + row] = D[0];
    }
  }
  if (open) {
    return;
  }
  F[first] = v[first];
  for (int j = 0; j < n; ++j) {
    J[(long)j * n + first] = p->A[(long)j * n + first];
  }
  if (!spread) {
    return;
  }
  form_consistent_set_rows(&p->model.set[i], k / trace, r + first, v + first + 1, Phi, R, V);
  for (int d = 0; d < k; ++d) {
    const int row = first + 1 + d;
    F[row] = D[0] * Phi[d];
    for (int l = 0; l < dim; ++l) {
      J[(long)(first + l) * n + row] += D[0] * R[d * dim + l];
    }
    for (int j = 0; j < n; ++j) {
      for (int l = 0; l < k; ++l) {
        J[(long)j * n + row] += D[0] * V[d * k + l] * p->A[(long)j * n + first + 1 + l];
      }
    }
  }
}

/* One Newton step on r, with v at r. */
static int newton_step(const struct inclusion *p, double *r, const double *v) {
  const struct base_arena_mark mark = base_arena_mark(p->arena);
  const int n = p->n, dim = p->model.dim;
  double *J = base_arena_matrix(p->arena, n, n), *F = base_arena_doubles(p->arena, n);
  double *N = base_arena_matrix(p->arena, n, n), *step = base_arena_doubles(p->arena, n);
  for (int i = 0; i < p->model.nc; ++i) {
    if (p->model.set != NULL) {
      set_rows(p, i, r, v, J, F);
    } else {
      contact_rows(p, i, r, v, J, F);
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      J[(long)j * n + i] *= p->scale[i / dim] * p->scale[j / dim];
    }
    F[j] *= p->scale[j / dim];
  }
  la_gemm_t(n, n, n, 1, J, J, 0, N);
  double trace = 0;
  for (int j = 0; j < n; ++j) {
    trace += N[(long)j * n + j];
  }
  for (int j = 0; j < n; ++j) {
    N[(long)j * n + j] += FORM_CONSISTENT_RIDGE * trace / n;
  }
  la_gemv_t(n, n, -1, J, F, 0, step);
  const int status = la_chol_factor(n, N);
  if (status == BASE_OK) {
    la_chol_solve(n, 1, N, step);
    for (int j = 0; j < n; ++j) {
      r[j] += p->scale[j / dim] * step[j];
    }
  }
  base_arena_release(p->arena, mark);
  return status;
}

/* Signs and cone made exact where the last Newton step left them round-off away. */
static void tidy(const struct inclusion *p, double *r) {
  const int dim = p->model.dim;
  for (int i = 0; i < p->model.nc; ++i) {
    const double mu = dim > 1 ? p->model.mu[i] : 0;
    double *ri = r + (long)i * dim;
    ri[0] = fmax(ri[0], 0);
    if (p->model.set != NULL) {
      form_consistent_set_tidy(&p->model.set[i], ri[0], ri + 1);
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

/* Newton's method from r; r and v get the best point seen. Returns its residual. */
static struct contact_residual polish(const struct inclusion *p, double *r, double *v) {
  const struct base_arena_mark mark = base_arena_mark(p->arena);
  double *x = base_arena_doubles(p->arena, p->n), *vx = base_arena_doubles(p->arena, p->n);
  double *y = base_arena_doubles(p->arena, p->n), *vy = base_arena_doubles(p->arena, p->n);
  struct contact_residual best = judge(p, r, v);
  la_copy(p->n, r, x);
  la_copy(p->n, v, vx);
  int idle = 0;
  for (int k = 0; k < FORM_CONSISTENT_NEWTON_MAX; ++k) {
    if (best.relative_max <= FORM_CONSISTENT_INCLUDED || newton_step(p, x, vx) != BASE_OK ||
        !la_all_finite(p->n, x)) {
      break;
    }
    velocity(p, x, vx);
    la_copy(p->n, x, y);
    tidy(p, y);
    velocity(p, y, vy);
    const struct contact_residual now = judge(p, y, vy);
    idle = now.absolute < 0.5 * best.absolute ? 0 : idle + 1;
    if (now.absolute < best.absolute) {
      best = now;
      la_copy(p->n, y, r);
      la_copy(p->n, vy, v);
    }
    if (best.relative_max <= FORM_CONSISTENT_ACCEPTED && idle >= 2) {
      break; /* round-off moves it about */
    }
  }
  base_arena_release(p->arena, mark);
  return best;
}

/* The chosen solver from r; BASE_OK, BASE_UNCONVERGED (r is its best), or what stopped it. */
static int ask_solver(const struct form_consistent *c, const struct inclusion *p, double tol,
                      double *r, double *v, struct form_report *report) {
  const struct problem problem = {
      .name = "",
      .model = p->model,
      .A = {.kind = PROBLEM_OPERATOR_DENSE, .dim = p->model.dim, .nc = p->model.nc, .a = p->A},
      .b = p->b};
  struct problem_loop loop = c->setup.loop;
  struct problem_result result;
  loop.tol = fmin(loop.tol, tol);
  problem_solve(&problem, c->setup.solver, c->setup.solver_options, &loop, r, v, NULL, p->arena,
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
  if (guess) {
    velocity(p, r, v);
    residual = polish(p, r, v);
  }
  const double tries[] = {INFINITY, FORM_CONSISTENT_TIGHT};
  for (int k = 0; k < 2 && !(residual.relative_max <= FORM_CONSISTENT_ACCEPTED); ++k) {
    const int status = ask_solver(c, p, tries[k], r, v, report);
    if (k == 0 && status != BASE_OK && status != BASE_UNCONVERGED) {
      return status;
    }
    residual = polish(p, r, v);
    if (status != BASE_OK) {
      break; /* a tighter tolerance asks for more still; what there is is judged */
    }
  }
  return residual.relative_max <= FORM_CONSISTENT_ACCEPTED ||
                 residual.relative_b <= c->setup.loop.tol
             ? BASE_OK
             : BASE_UNCONVERGED;
}

/* The movable contacts of p alone; the others carry nothing. */
static int include_some(struct form_consistent *c, const struct inclusion *p, int guess, double *r,
                        double *v, struct form_report *report) {
  const int dim = p->model.dim, nc = p->model.nc, block = dim * dim;
  struct base_arena *arena = p->arena;
  struct inclusion s = *p;
  int *from = base_arena_ints(arena, nc), n = 0;
  for (int i = 0; i < nc; ++i) {
    from[n] = i;
    n += is_movable(c, i, p->A);
  }
  double *A = base_arena_matrix(arena, block * n, n), *b = base_arena_matrix(arena, dim, n);
  double *mu = base_arena_doubles(arena, n), *x = base_arena_matrix(arena, dim, n);
  double *y = base_arena_matrix(arena, dim, n);
  struct contact_set *set = base_arena_push(arena, (size_t)n * sizeof *set);
  s.diag = base_arena_matrix(arena, block, n);
  s.scale = base_arena_doubles(arena, n);
  for (int k = 0; k < dim * n; ++k) {
    const int row = from[k / dim] * dim + k % dim;
    for (int l = 0; l < dim * n; ++l) {
      A[(long)l * dim * n + k] = p->A[(long)(from[l / dim] * dim + l % dim) * p->n + row];
    }
    b[k] = p->b[row];
    x[k] = r[row];
  }
  for (int i = 0; i < n; ++i) {
    mu[i] = p->model.mu[from[i]];
    la_copy(block, p->diag + (long)from[i] * block, s.diag + (long)i * block);
    s.scale[i] = p->scale[from[i]];
    if (p->model.set != NULL) {
      set[i] = p->model.set[from[i]];
    }
  }
  s.A = A;
  s.b = b;
  s.n = dim * n;
  s.model.nc = n;
  s.model.mu = mu;
  s.model.set = p->model.set != NULL ? set : NULL;
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
  struct inclusion p = {.model = form_consistent_model(c), .A = A, .b = b, .arena = arena};
  const int nc = p.model.nc, dim = p.model.dim;
  int n_moving = 0;
  p.n = dim * nc;
  p.diag = base_arena_matrix(arena, dim * dim, nc);
  p.scale = base_arena_doubles(arena, nc);
  form_consistent_diagonal(c, A, p.diag);
  for (int i = 0; i < nc; ++i) {
    const double a = p.diag[(long)i * dim * dim];
    p.scale[i] = 1 / sqrt(a);
    n_moving += is_movable(c, i, A);
    if (!(a > 0)) {
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
