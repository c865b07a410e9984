/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * MuJoCo's pyramidal friction cones (its documentation, chapter Computation): the impulse of a
 * contact is a sum of m = 2 (dim - 1) edges that push only,
 *
 *   r = E f,   f >= 0,   columns of E: (1, +mu, 0), (1, -mu, 0), (1, 0, +mu), (1, 0, -mu)
 *   0 <= f  perpendicular to  E^T (A E f + b) + R_e f >= 0
 *   R_e = 2 mu^2/impratio (1 - d)/d (1 + mu^2) a,   without friction m (1 - d)/d a
 *
 * the convex relaxation over |r_1| + |r_2| <= mu r_N in place of the disk. To solvers an edge is a
 * contact without friction. Where all edges of a contact push, the one f of least R_e |f|^2 makes
 * this the compliance R_N = R_e/m and R_T = R_e/(2 mu^2) of the contact, which is what soft.c has
 * of it. Axes of the pyramid are those of the contact, t1 and t2.
 */
#include <math.h>

#include "form/impulse/parts.h"
#include "la/dense.h"

static int edges_of(int dim) { return 2 * (dim - 1); }

/* Edge k of a contact: dim. */
static void edge(int dim, double mu, int k, double *e) {
  for (int d = 1; d < dim; ++d) {
    e[d] = 0;
  }
  e[0] = 1;
  e[1 + k / 2] = k % 2 == 0 ? mu : -mu;
}

/* E^T A E of rows of blocks, each number a block of its own. */
static void build_operator(const struct problem *p, struct base_arena *arena,
                           struct problem_operator *out) {
  struct problem_operator rigid = p->A, A;
  rigid.compliance = rigid.diagonal = NULL;
  problem_operator_to_blocks(&rigid, &A, arena);
  const int dim = A.dim, m = edges_of(dim), nc = m * A.nc;
  int *row_ptr = base_arena_ints(arena, nc + 1);
  int *col = base_arena_array(arena, (size_t)A.row_ptr[A.nc], (size_t)(m * m), sizeof *col);
  double *value = base_arena_array(arena, (size_t)A.row_ptr[A.nc], (size_t)(m * m), sizeof *value);
  int at = 0;
  for (int row = 0; row < nc; ++row) {
    const int i = row / m;
    double left[CONTACT_DIM_MAX], right[CONTACT_DIM_MAX];
    edge(dim, p->model.mu[i], row % m, left);
    for (int e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      const double *block = A.blocks + (size_t)e * (size_t)(dim * dim);
      for (int k = 0; k < m; ++k, ++at) {
        edge(dim, p->model.mu[A.col[e]], k, right);
        col[at] = m * A.col[e] + k;
        for (int d = 0; d < dim; ++d) {
          value[at] += left[d] * la_dot(dim, block + (size_t)(d * dim), right);
        }
      }
    }
    row_ptr[row + 1] = at;
  }
  *out = (struct problem_operator){.kind = PROBLEM_OPERATOR_BLOCKS,
                                   .dim = 1,
                                   .nc = nc,
                                   .row_ptr = row_ptr,
                                   .col = col,
                                   .blocks = value};
}

double *impulse_pyramid_pose(const struct impulse *w, struct problem *p) {
  struct base_arena *arena = w->setup.arena;
  const int dim = p->model.dim, m = edges_of(dim), n = m * p->model.nc;
  double *f = base_arena_doubles(arena, n), *b = base_arena_doubles(arena, n);
  double *R = base_arena_doubles(arena, n);
  struct problem_operator A;
  build_operator(p, arena, &A);
  for (int row = 0; row < n; ++row) {
    const int i = row / m, k = row % m;
    const double mu = p->model.mu[i], *r = w->rows.r + (long)dim * i;
    double e[CONTACT_DIM_MAX];
    edge(dim, mu, k, e);
    b[row] = la_dot(dim, e, p->b + (long)dim * i);
    R[row] = m * p->A.compliance[(long)dim * i];
    f[row] = r[0] / m + (mu > 0 ? e[1 + k / 2] * r[1 + k / 2] / (2 * mu * mu) : 0);
    f[row] = fmax(0, f[row]);
  }
  A.compliance = R;
  p->A = A;
  p->b = b;
  p->model.dim = 1;
  p->model.nc = n;
  p->model.mu = base_arena_doubles(arena, n);
  return f;
}

void impulse_pyramid_gather(struct impulse *w, const struct contact_model *model, const double *f,
                            struct problem_result *result) {
  const int dim = model->dim, m = edges_of(dim);
  for (int i = 0; i < model->nc; ++i) {
    double *r = w->rows.r + (long)dim * i, e[CONTACT_DIM_MAX];
    la_zero(dim, r);
    for (int k = 0; k < m; ++k) {
      edge(dim, model->mu[i], k, e);
      la_axpy(dim, f[m * i + k], e, r);
    }
  }
  result->residual.at = result->residual.at >= 0 ? result->residual.at / m : -1;
}
