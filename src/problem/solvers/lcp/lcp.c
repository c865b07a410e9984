/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The polyhedral linear complementarity problem of the contacts, bhalerao (12), (14), written in
 * the velocity level of the one-step problem. With r_T = D lambda, the columns of D the k friction
 * directions of a contact, and v = A r + b, w = M z + q has the rows
 *
 *   0 <= r_N     perp  v_N                     >= 0          (14a)
 *   0 <= lambda  perp  sigma e + D^T v_T       >= 0          (14b)
 *   0 <= sigma   perp  mu r_N - e^T lambda     >= 0          (14c)
 *
 * so that with G = [N D] the matrix is [G^T A G, E; U - E^T, 0]. It is copositive when A is
 * positive semidefinite: z^T M z = r^T A r + sigma^T mu r_N. Units: r_N, lambda [N s], sigma
 * [m/s]. Positively spanning directions are assumed: for dim 2 they are +t1 and -t1, and the
 * problem then is Coulomb's law itself.
 */
#include "problem/problem.h"

#include <math.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/status.h"
#include "la/dense.h"

static int direction_count(const struct contact_model *model) {
  return model->dim == 1 ? 0 : (model->dim == 2 ? 2 : model->n_dir);
}

int problem_lcp_size(const struct contact_model *model) {
  return base_memory_int(model->dim == 1 ? model->nc
                                         : (long)model->nc * (2 + direction_count(model)));
}

int problem_lcp_check(const struct problem *p, const char *solver) {
  if (p->model.dim > 1 && p->model.law != CONTACT_LAW_LCP) {
    return base_fail(BASE_UNSUPPORTED, "%s: law %s is not linear in %d dimensions", solver,
                     contact_law_name(p->model.law), p->model.dim);
  }
  if (p->model.dim > 3) {
    return base_fail(BASE_UNSUPPORTED, "%s: no polyhedral cone with spin torque", solver);
  }
  if (p->model.dim == 3 && p->model.n_dir < 3) {
    return base_fail(BASE_UNSUPPORTED, "%s: %d directions do not span the tangent plane", solver,
                     p->model.n_dir);
  }
  return BASE_OK;
}

/* Tangential directions into dirs: (dim - 1) x k. */
static void direction_fill(const struct contact_model *model, double *dirs) {
  if (model->dim == 2) {
    dirs[0] = 1;
    dirs[1] = -1;
  } else if (model->dirs != NULL) {
    memcpy(dirs, model->dirs, 2 * (size_t)model->n_dir * sizeof *dirs);
  } else {
    contact_directions(model->n_dir, dirs);
  }
}

/* Place of the force unknown l of contact i: l = 0 is r_N, l = 1 ... k is lambda_l. */
static int force_at(int nc, int k, int i, int l) { return l == 0 ? i : nc + i * k + l - 1; }

/* x: dim, velocity or impulse of one contact, along the force unknown l. */
static double force_component(int dim, const double *dirs, int l, const double *x) {
  if (l == 0) {
    return x[0];
  }
  const double *d = dirs + (size_t)(l - 1) * (size_t)(dim - 1);
  return dim == 2 ? d[0] * x[1] : d[0] * x[1] + d[1] * x[2];
}

/* y: rows, the column of A (rows x dim block of contact j) along the force unknown l. */
static void force_column(int rows, int dim, const double *dirs, int l, const double *a_j,
                         double *y) {
  if (l == 0) {
    la_copy(rows, a_j, y);
    return;
  }
  memset(y, 0, (size_t)rows * sizeof *y);
  for (int c = 1; c < dim; ++c) {
    la_axpy(rows, dirs[(size_t)(l - 1) * (size_t)(dim - 1) + (size_t)(c - 1)],
            a_j + (size_t)c * (size_t)rows, y);
  }
}

void problem_lcp_build(const struct problem *p, struct problem_lcp *lcp, struct base_arena *arena) {
  const int dim = p->model.dim, nc = p->model.nc, k = direction_count(&p->model);
  const int rows = dim * nc, n = problem_lcp_size(&p->model);
  *lcp = (struct problem_lcp){.n = n, .k = k};
  lcp->M = base_arena_matrix(arena, n, n);
  lcp->q = base_arena_doubles(arena, n);
  if (dim == 1) {
    problem_operator_dense(&p->A, lcp->M, arena);
    la_copy(n, p->b, lcp->q);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *a = base_arena_matrix(arena, rows, rows);
  double *dirs = base_arena_matrix(arena, dim - 1, k);
  double *column = base_arena_doubles(arena, rows); /* A G_j */
  direction_fill(&p->model, dirs);
  problem_operator_dense(&p->A, a, arena);
  for (int j = 0; j < nc; ++j) {
    const int sigma = nc * (1 + k) + j;
    for (int l = 0; l <= k; ++l) {
      const int at = force_at(nc, k, j, l);
      double *m = lcp->M + (size_t)at * (size_t)n;
      force_column(rows, dim, dirs, l, a + (size_t)j * (size_t)dim * (size_t)rows, column);
      for (int i = 0; i < nc; ++i) {
        for (int row = 0; row <= k; ++row) {
          m[force_at(nc, k, i, row)] = force_component(dim, dirs, row, column + (size_t)(dim * i));
        }
      }
      m[sigma] = l == 0 ? p->model.mu[j] : -1;
      lcp->q[at] = force_component(dim, dirs, l, p->b + (size_t)(dim * j));
      if (l > 0) {
        lcp->M[(size_t)sigma * (size_t)n + (size_t)at] = 1;
      }
    }
  }
  base_arena_release(arena, mark);
}

void problem_lcp_reaction(const struct problem *p, const double *z, double *r) {
  const int dim = p->model.dim, nc = p->model.nc, k = direction_count(&p->model);
  if (dim == 1) {
    memcpy(r, z, (size_t)nc * sizeof *r);
    return;
  }
  for (int i = 0; i < nc; ++i) {
    double *r_i = r + (size_t)(dim * i);
    const double *lambda = z + nc + (size_t)(i * k);
    r_i[0] = z[i];
    if (dim == 2) {
      r_i[1] = lambda[0] - lambda[1];
      continue;
    }
    r_i[1] = r_i[2] = 0;
    for (int l = 0; l < k; ++l) {
      /* the regular polygon of contact_directions, which would need scratch here */
      const double angle = 2 * M_PI * l / k;
      const double *dirs = p->model.dirs;
      r_i[1] += lambda[l] * (dirs != NULL ? dirs[2 * l] : cos(angle));
      r_i[2] += lambda[l] * (dirs != NULL ? dirs[2 * l + 1] : sin(angle));
    }
  }
}

/* lambda: k >= 0 of least sum with D lambda = r_T (at most two are needed); zero when there is
 * none. Neighbours first, which is enough for directions in convex order. */
static void polygon_weights(int k, const double *dirs, const double *r_T, double *lambda) {
  double least = INFINITY;
  memset(lambda, 0, (size_t)k * sizeof *lambda);
  if (r_T[0] == 0 && r_T[1] == 0) {
    return;
  }
  int best[2] = {0, 0};
  double weight[2] = {0, 0};
  for (int gap = 1; gap < k && !(gap > 1 && isfinite(least)); ++gap) {
    for (int l = 0; l < k; ++l) {
      const int m = (l + gap) % k;
      const double *d = dirs + (ptrdiff_t)(2 * l), *e = dirs + (ptrdiff_t)(2 * m);
      const double area = d[0] * e[1] - d[1] * e[0];
      const double a = (r_T[0] * e[1] - r_T[1] * e[0]) / area;
      const double b = (d[0] * r_T[1] - d[1] * r_T[0]) / area;
      if (a >= 0 && b >= 0 && a + b < least) {
        least = a + b;
        best[0] = l;
        best[1] = m;
        weight[0] = a;
        weight[1] = b;
      }
    }
  }
  lambda[best[0]] += weight[0];
  lambda[best[1]] += weight[1];
}

void problem_lcp_unknowns(const struct problem *p, const double *r, double *z,
                          struct base_arena *arena) {
  const int dim = p->model.dim, nc = p->model.nc, k = direction_count(&p->model);
  if (dim == 1) {
    memcpy(z, r, (size_t)nc * sizeof *z);
    return;
  }
  const struct base_arena_mark mark = base_arena_mark(arena);
  double *v = base_arena_matrix(arena, dim, nc);
  double *dirs = base_arena_matrix(arena, dim - 1, k);
  direction_fill(&p->model, dirs);
  problem_velocity(p, r, v, arena);
  for (int i = 0; i < nc; ++i) {
    const double *r_i = r + (ptrdiff_t)(dim * i);
    double *lambda = z + nc + (ptrdiff_t)(i * k), sigma = 0;
    z[i] = r_i[0];
    if (dim == 2) {
      lambda[0] = fmax(0, r_i[1]);
      lambda[1] = fmax(0, -r_i[1]);
    } else {
      polygon_weights(k, dirs, r_i + 1, lambda);
    }
    for (int l = 1; l <= k; ++l) {
      sigma = fmax(sigma, -force_component(dim, dirs, l, v + (ptrdiff_t)(dim * i)));
    }
    z[nc * (1 + k) + i] = sigma;
  }
  base_arena_release(arena, mark);
}
