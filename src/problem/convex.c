/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the solvers of the convex law share; see convex.h.
 */
#include "problem/convex.h"

#include <math.h>

#include "base/status.h"

int problem_convex_check(const struct problem *p, const char *who, double asymmetry_max) {
  if (p->model.dim > 1 && p->model.law != CONTACT_LAW_CCP) {
    return base_fail(BASE_UNSUPPORTED, "%s: law %s is no minimum of a convex function", who,
                     contact_law_name(p->model.law));
  }
  if (p->model.dim > 3) {
    return base_fail(BASE_UNSUPPORTED, "%s: no projection onto a cone with spin torque", who);
  }
  if (p->A.kind == PROBLEM_OPERATOR_BODIES || isinf(asymmetry_max)) {
    return BASE_OK;
  }
  struct base_arena *arena = base_arena_alloc();
  const double asymmetry = problem_operator_asymmetry(&p->A, arena);
  base_arena_free(arena);
  if (!(asymmetry <= asymmetry_max)) {
    return base_fail(BASE_UNSUPPORTED, "%s: operator not symmetric (by %.1e of its largest entry)",
                     who, asymmetry);
  }
  return BASE_OK;
}

void problem_convex_scales(const struct problem *p, double *s, double *b,
                           struct base_arena *arena) {
  const int dim = p->model.dim;
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *diag = base_arena_matrix(arena, problem_size(p), dim); /* nc blocks dim x dim */
  problem_operator_diagonal(&p->A, diag);
  for (int i = 0; i < p->model.nc; ++i) {
    double trace = 0;
    for (int c = 0; c < dim; ++c) {
      trace += diag[(size_t)(i * dim + c) * (size_t)dim + (size_t)c];
    }
    for (int c = 0; c < dim; ++c) {
      s[i * dim + c] = trace > 0 ? sqrt(dim / trace) : 1;
    }
  }
  base_arena_release(arena, mark);
  for (int j = 0; b != NULL && j < problem_size(p); ++j) {
    b[j] = s[j] * p->b[j];
  }
}

void problem_convex_project(const struct problem *p, double *y) {
  const int dim = p->model.dim;
  for (int i = 0; i < p->model.nc; ++i) {
    double *y_i = y + (size_t)i * (size_t)dim;
    contact_project_cone(dim, dim > 1 ? p->model.mu[i] : 0, y_i, y_i);
  }
}

void problem_convex_apply(const struct problem *p, const double *s, const double *x, double *y,
                          struct base_arena *arena) {
  const int n = problem_size(p);
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *impulse = base_arena_doubles(arena, n);
  for (int j = 0; j < n; ++j) {
    impulse[j] = s[j] * x[j];
  }
  problem_operator_apply(&p->A, impulse, y, arena);
  for (int j = 0; j < n; ++j) {
    y[j] *= s[j];
  }
  base_arena_release(arena, mark);
}
